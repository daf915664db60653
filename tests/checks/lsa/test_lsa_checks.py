"""The questions of exercise 1: what one claim asks, another one does not judge."""

import numpy as np
import pytest
from answers import EXERCISES, RIGHT, holds
from learners import INPUTS
from learners.lsa import (
    WRONG,
    best_from,
    best_on_test,
    chance,
    choice,
    from_svd,
    only_if_words_differ,
    safe,
    window,
    window_at_once,
)

from firth.checks import check
from tests.checks.test_checks import call_it, messages

SEEDS = range(10)
UNNAMED = {"choose_k": ["With the k that you return"]}


def test_a_claim_about_one_thing_does_not_fail_for_another():
    words_for_positions = holds("cooccurrence", only_if_words_differ)
    assert words_for_positions == [True, False, True, True, True]
    log2 = safe(lambda C: np.maximum(np.log2(C / chance(C)), 0))
    assert holds("ppmi", log2) == [False, True, True, True, False]
    rebuilt = from_svd(lambda U, s, Vt, k: U[:, :k] * s[:k] @ Vt[:k])
    assert holds("word_vectors", rebuilt)[1]
    assert holds("cosine", lambda x, y: x @ y) == [False, False, True]


@pytest.mark.parametrize(
    "first, last", [(lambda m: -m, lambda m: m), (lambda m: 1 - m, lambda m: m)]
)
def test_a_window_that_is_one_position_too_narrow_costs_one_point(first, last):
    for seed in SEEDS:
        assert holds("cooccurrence", window(first, last), seed) == [False, True, True, True, True]


def test_one_slip_costs_some_points_and_the_forms_agree():
    """The slips that the text of the exercise warns of, and what they cost of each question."""
    own = window(lambda m: -m, lambda m: m + 1, keep=lambda p, q: True)
    slips = {
        "cooccurrence": (own, 2),
        "ppmi": (safe(lambda C: np.log(C / chance(C))), 2),
        "word_vectors": (from_svd(lambda U, s, Vt, k: U[:, :k]), 2),
        "neighbours": (lambda vectors, i, n: RIGHT["neighbours"](abs(vectors), i, n), 3),
        "fold_in": (lambda q, U, s: q @ U, 2),
        "find_documents": (lambda q, U, s, Vt, n: RIGHT["find_documents"](q, U, s**2, Vt, n), 2),
        "choose_k": (lambda spaces, v, t: RIGHT["choose_k"](spaces, [*v, *t], t), 3),
    }
    for name, (answer, cost) in slips.items():
        earned = {sum(v.points for v in EXERCISES[name].judge(answer, seed)) for seed in SEEDS}
        assert earned == {EXERCISES[name].points - cost}, (name, earned)


def test_the_sign_of_an_axis_is_free_and_its_length_is_not():
    assert messages("word_vectors", lambda X, k: -RIGHT["word_vectors"](X, k)) == []
    assert messages("word_vectors", lambda X, k: 2 * RIGHT["word_vectors"](X, k))


@pytest.mark.parametrize("constant", [1e-3, 1e-6, 1e-9, 1e-12])
def test_a_constant_in_the_denominator_of_the_cosine_is_seen(constant):
    def cosine(x, y):
        return x @ y / (np.linalg.norm(x) * np.linalg.norm(y) + constant)

    for seed in SEEDS:
        assert [("small number" in said) for said in messages("cosine", cosine, seed)] == [True]


def test_a_guard_against_short_vectors_is_no_mistake():
    def cosine(x, y):
        lengths = np.linalg.norm(x) * np.linalg.norm(y)
        return x @ y / lengths if lengths > 1e-12 else 0.0

    assert not any(messages("cosine", cosine, seed) for seed in SEEDS)


def test_a_choice_that_begins_at_minus_1_is_seen_where_all_correlations_are_minus_1():
    for seed in SEEDS[:3]:
        first = messages("choose_k", best_from(-1, lambda spaces: next(iter(spaces))), seed)
        assert len(first) == 1 and "even −1" in first[0]
        assert "even −1" in messages("choose_k", best_from(-1, lambda spaces: None), seed)[0]
        assert not messages("choose_k", best_from(-1, min), seed)  # the smallest k is right then


def test_the_cosine_of_a_query_with_the_columns_of_the_low_rank_table_is_right():
    """cos(q, column of X_k) is cos(q U, s v) times a length of q alone: it gives the same order."""

    def find_documents(q, U, s, Vt, n):
        columns = (U * s @ Vt).T
        return np.argsort([-RIGHT["cosine"](q, column) for column in columns])[:n]

    assert not any(messages("find_documents", find_documents, seed) for seed in SEEDS)
    rng = np.random.default_rng(1)
    for _ in range(50):
        q, U, s, Vt, n = INPUTS["find_documents"](rng)
        assert list(find_documents(q, U, s, Vt, n)) == list(RIGHT["find_documents"](q, U, s, Vt, n))


def test_a_question_about_another_mistake_is_not_asked():
    """Each of these answers once heard a question about something that it does not do."""
    asked = {
        ("cooccurrence", window_at_once("subtracted")): "Where do you use m",
        ("neighbours", lambda vectors, i, n: unguarded_backwards(vectors, i)[:n]): "the cosine 0.",
        ("choose_k", choice(measure=lambda x, y: x @ y)): "had no part",
    }
    for (name, answer), words in asked.items():
        for seed in SEEDS:
            assert not any(words in said for said in messages(name, answer, seed)), (name, words)


def unguarded_backwards(vectors, i):
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(vectors[i])
    return np.argsort(vectors @ vectors[i] / lengths)[::-1]


def test_a_report_on_the_best_k_of_the_test_pairs_costs_that_point_alone():
    for seed in SEEDS:
        assert holds("choose_k", best_on_test, seed) == [True, False, True]


def test_a_report_says_each_question_once():
    for name, wrong in WRONG.items():
        for answer, _ in wrong:
            lines = [
                line for line in repr(check(call_it(name, answer))).splitlines() if "→" in line
            ]
            assert len(lines) == len(set(lines)), lines


@pytest.mark.parametrize("name", WRONG)
def test_the_question_names_the_mistake_wherever_a_learner_makes_a_known_one(name):
    """Else it is a question about an error, about the shape, or about writing into the input."""
    named = {question for _, question in EXERCISES[name].mistakes}
    others = ("in your line", "It has the shape", "write into the")
    unnamed = []
    for answer, words in WRONG[name]:
        said = messages(name, answer)
        if not any(text in named or any(some in text for some in others) for text in said):
            unnamed.append(words)
    assert unnamed == UNNAMED.get(name, [])
