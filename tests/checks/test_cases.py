"""What a seed has drawn is made once, kept for that seed alone, and changed by nobody."""

import numpy as np
import pytest
from answers import EXERCISES

from firth.checks.answers import Answer
from firth.checks.cases import drawn, kept
from firth.checks.claims import Exercise


class Careless(Answer):
    """An answer that is handed what the claim has, and writes into it."""

    def __call__(self, *inputs):
        self.heard = [*getattr(self, "heard", []), *(array.copy() for array in inputs)]
        for array in inputs:
            array[:] = 0
        return np.zeros(3)


def counting():
    """An exercise, and how often its inputs, its right answer and its mistake were made."""
    times = {"inputs": 0, "right": 0, "mistake": 0}

    def inputs(rng):
        times["inputs"] += 1
        yield from ((rng.normal(size=3),) for _ in range(2))

    def right(x):
        times["right"] += 1
        return 2 * x

    def mistake(x):
        times["mistake"] += 1
        x *= x
        return x

    exercise = Exercise("double", "00", 1, 1, ("Add.", "x + x", "…"), right)
    exercise.mistakes = [(mistake, "Is 3 doubled 9?")]
    exercise.agrees("gives 2x", "What is 2 · 3?", inputs)
    return exercise, times


def test_a_seed_makes_its_inputs_and_known_answers_once():
    exercise, times = counting()
    said = [exercise.judge(np.square, 3)[0].message for _ in range(4)]
    assert said == ["Is 3 doubled 9?"] * 4
    assert times == {"inputs": 1, "right": 2, "mistake": 2}
    assert exercise.judge(lambda x: 2 * x, 3)[0].holds and times["inputs"] == 1
    assert exercise.judge(np.square, 4)[0].message == said[0] and times["inputs"] == 2


def test_an_answer_that_writes_into_its_arguments_reaches_no_kept_case():
    exercise, _ = counting()
    first, second = Careless(abs), Careless(abs)
    exercise.judge(first, 3)
    exercise.judge(second, 3)
    assert np.all(np.array(first.heard)) and np.array_equal(first.heard, second.heard)
    assert exercise.judge(np.square, 3)[0].message == "Is 3 doubled 9?"


def test_a_view_that_writes_into_the_right_answer_is_an_error():
    exercise, _ = counting()

    def doubled(answer, right):
        right *= 2
        return answer

    exercise.view = doubled
    with pytest.raises(ValueError, match="read-only"):
        exercise.judge(lambda x: 3 * x, 3)


def test_chance_goes_on_as_if_the_cases_had_just_been_drawn():
    def inputs(rng):
        yield (rng.normal(),)

    kept.only(5)
    draws = []
    for _ in range(2):
        rng = np.random.default_rng(5)
        draws.append([*drawn(inputs, rng), *drawn(inputs, rng), rng.normal()])
    rng = np.random.default_rng(5)
    assert draws[0] == draws[1] == [(rng.normal(),), (rng.normal(),), rng.normal()]


def test_another_drawing_from_the_same_chance_has_cases_of_its_own():
    def one(rng):
        return [(1,)]

    def two(rng):
        return [(2,)]

    rng = np.random.default_rng(5)
    assert [*drawn(one, rng), *drawn(two, rng)] == [(1,), (2,)]


@pytest.mark.parametrize("name", EXERCISES)
def test_what_is_kept_does_not_grow_with_the_answers_nor_with_the_seeds(name):
    exercise = EXERCISES[name]
    sizes = []
    for seed in (21, 22):
        for _ in range(2):
            for answer in (exercise.right, exercise.mistakes[0][0]):
                exercise.judge(answer, seed)
            sizes.append(len(kept.cases))
    assert 0 < max(sizes) <= 2 * len(exercise.claims), sizes
    assert len(set(sizes)) == 1, sizes
