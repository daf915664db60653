"""A check is as good as the wrong answers it refuses, and as kind as the questions it asks."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest
from answers import EXERCISES, RIGHT, every_form
from learners import WRONG
from learners.lsa import best_others, chance, norm, safe, sorted_by
from parts import by_day

from firth.checks import asked, check, hint, named, questions, rubric, scores, try_it
from firth.checks.answers import NOT_WRITTEN, Stopped, plain
from firth.checks.claims import WAITS, Exercise

cosine = RIGHT["cosine"]
exercises = pytest.mark.parametrize("name", EXERCISES)


def call_it(name, answer):
    """The answer under the name that it would have in the notebook."""

    def wrapped(*inputs):
        return answer(*inputs)

    wrapped.__name__ = name
    return wrapped


def messages(name, answer, seed=1957):
    return [v.message for v in EXERCISES[name].judge(answer, seed) if not v.holds]


# --- the right answer, and nothing else ------------------------------------------------------


@every_form
@pytest.mark.parametrize("seeds", by_day([range(8), range(8, 100)], lambda seeds: 0 in seeds))
def test_the_right_answer_and_the_solution_pass_whatever_the_seed(form, seeds):
    answers = [form.right] + [RIGHT[form.name]] * (form is EXERCISES[form.name])
    for seed in [*seeds, 1957]:
        for answer in answers:
            assert not [v for v in form.judge(answer, seed) if not v.holds], (answer, seed)


@every_form
@pytest.mark.parametrize("seeds", by_day([range(2), range(8)], lambda seeds: len(seeds) == 2))
def test_every_known_mistake_fails_alike_under_all_seeds_and_gets_its_own_question(form, seeds):
    """Inputs differ from student to student: what is wrong is to be wrong for all of them."""
    assert len(form.mistakes) >= 6
    outcomes, unasked = [set() for _ in form.mistakes], []
    for seed in seeds:
        for (mistake, question), outcome in zip(form.mistakes, outcomes, strict=True):
            verdicts = form.judge(mistake, seed)
            outcome.add(tuple(verdict.holds for verdict in verdicts))
            said = [verdict.message for verdict in verdicts if not verdict.holds]
            unasked += [] if question in said else [(seed, question, said)]
    assert not unasked
    pairs = zip(form.mistakes, outcomes, strict=True)
    assert not [question for (_, question), outcome in pairs if len(outcome) > 1]


@exercises
def test_a_constant_earns_nothing(name):
    right = EXERCISES[name].right
    shown: list = []

    def first_answer(*inputs):
        shown.append(right(*inputs))
        return shown[0]

    for answer in (lambda *inputs: 0.0, lambda *inputs: np.zeros((3, 3)), first_answer):
        verdicts = EXERCISES[name].judge(answer, seed=3)
        assert sum(verdict.points for verdict in verdicts) == 0, verdicts
        shown.clear()


def learned_by_heart(name, seed):
    """An answer that knows the right output for every input that this seed will bring."""
    known = {}

    def listen(*inputs):
        known[repr(inputs)] = EXERCISES[name].right(*inputs)
        return known[repr(inputs)]

    EXERCISES[name].judge(listen, seed)
    return lambda *inputs: known.get(repr(inputs), next(iter(known.values())))


@exercises
def test_hard_coded_answers_fail_under_another_seed(name):
    by_heart = learned_by_heart(name, seed=1957)
    assert messages(name, by_heart, seed=1957) == []
    verdicts = EXERCISES[name].judge(by_heart, seed=2)
    assert sum(verdict.points for verdict in verdicts) == 0


@exercises
def test_the_verdicts_are_the_same_twice(name):
    mistake = EXERCISES[name].mistakes[0][0]
    assert EXERCISES[name].judge(mistake, 7) == EXERCISES[name].judge(mistake, 7)


@exercises
def test_a_claim_judged_alone_gives_what_it_gives_among_the_others(name):
    exercise = EXERCISES[name]
    together = exercise.judge(exercise.mistakes[1][0], 11)
    backwards = range(len(together))[::-1]
    alone = [exercise.verdict(n, exercise.mistakes[1][0], 11) for n in backwards]
    assert alone[::-1] == together


def as_plain(value):
    """What a pipe between two processes would carry."""
    if isinstance(value, dict):
        return {key: as_plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        carried = np.array(json.loads(json.dumps(value.tolist())), dtype=value.dtype)
        return carried.reshape(value.shape)  # a table without rows keeps its columns
    if isinstance(value, list | tuple):
        return [as_plain(item) for item in value]
    return json.loads(json.dumps(value, default=float))


class Proxy:
    """A function elsewhere: only plain data goes there and comes back."""

    def __init__(self, function):
        self.far = function

    def __call__(self, *inputs):
        return as_plain(self.far(*(as_plain(item) for item in inputs)))


@exercises
@pytest.mark.parametrize("some", by_day([slice(3), slice(3, None)], lambda some: some.stop == 3))
def test_a_proxy_is_judged_like_the_function_itself(name, some):
    exercise = EXERCISES[name]
    for function in (RIGHT[name], *(mistake for mistake, _ in exercise.mistakes[some])):
        assert exercise.judge(Proxy(function), 4) == exercise.judge(function, 4)


def test_a_proxy_may_say_why_there_is_no_answer():
    def slow(x, y):
        raise Stopped("It took longer than four seconds.")

    assert set(messages("cosine", slow)) == {"It took longer than four seconds."}


# --- wrong answers, as learners write them ---------------------------------------------------


@exercises
def test_every_exercise_is_tried_with_at_least_six_wrong_answers(name):
    assert len(WRONG[name]) >= 6


@exercises
@pytest.mark.parametrize("seeds", by_day([[1957], [1, 2]], lambda seeds: 1957 in seeds))
def test_a_wrong_answer_gets_a_question_that_fits(name, seeds):
    unasked = []
    for seed in seeds:
        for answer, words in WRONG[name]:
            said = messages(name, answer, seed)
            unasked += [] if any(words in question for question in said) else [(seed, words, said)]
    assert not unasked


@pytest.mark.parametrize(
    "name, answer",
    [
        ("ppmi", safe(lambda C: np.maximum(np.log2(C / chance(C)), 0))),
        ("neighbours", sorted_by(lambda x, y: -norm(x - y), best_others)),
    ],
)
def test_nobody_is_asked_about_writing_who_did_not_write(name, answer):
    assert messages(name, answer)[-1] == WAITS
    assert repr(check(call_it(name, answer))).count("○ waits") == 1


# --- answers that are no answers -------------------------------------------------------------


@exercises
def test_an_answer_without_return_is_asked_about_return(name):
    assert all("`return`" in said for said in messages(name, lambda *inputs: None))


def test_an_exception_becomes_one_line_that_names_the_learners_own():
    def cosine(x, y):
        return x @ y / undefined  # noqa: F821

    for said in messages("cosine", cosine):
        assert said.startswith("NameError: name 'undefined' is not defined")
        assert "in your line `return x @ y / undefined" in said


def test_an_exception_inside_a_library_still_names_the_learners_line():
    def word_vectors(X, k):
        return np.linalg.svd(X[0])

    assert all("np.linalg.svd(X[0])" in said for said in messages("word_vectors", word_vectors))


def test_too_few_parameters_are_an_error_of_the_answer_and_not_of_the_check():
    assert all("TypeError" in said for said in messages("cosine", lambda x: 1.0))


def test_leaving_the_program_is_an_answer_like_any_other():
    assert all("SystemExit" in said for said in messages("cosine", lambda x, y: sys.exit()))


def test_a_blank_that_another_answer_waits_for_is_named():
    def cosine(x, y):
        raise NotImplementedError("write me")

    def neighbours(vectors, i, n):
        return np.argsort([-cosine(vectors[i], row) for row in vectors])

    assert set(messages("neighbours", neighbours)) == {
        f"{NOT_WRITTEN}: it calls cosine, which is blank"
    }


def itself():
    loop: list = []
    loop.append(loop)
    return loop


class Greedy:
    """An object that says yes to everything it is asked."""

    def __eq__(self, other):
        return True

    def __array__(self, dtype=None, copy=None):
        raise AssertionError("the check called the answer's own method")

    __hash__, __float__, __len__, __iter__ = object.__hash__, __array__, __array__, __array__


class Agreeable(np.ndarray):
    """An array whose comparisons all come out true."""

    def __array_function__(self, func, types, args, kwargs):
        return True

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return np.array(True)


ODD = [
    "text",
    b"bytes",
    {1, 2},
    {"k": 2},
    (x for x in (1, 2)),
    itself(),
    [[1, 2], [3]],
    ["1", "2"],
    [None, 1.0],
    np.array([None, 1]),
    np.array([1j, 2]),
    np.array(["a"]),
    10**400,
    float("nan"),
    [],
    np.zeros((0, 3)),
    np.zeros((2, 2, 2)),
    Greedy(),
    [Greedy()],
    np.zeros(3).view(Agreeable),
    lambda: 1,
    range(3),
]


@exercises
def test_an_odd_answer_earns_nothing_and_breaks_nothing(name):
    taken = []
    for odd in ODD:
        verdicts = EXERCISES[name].judge(lambda *inputs, odd=odd: odd, seed=0)
        if any(verdict.holds or not verdict.message for verdict in verdicts):
            taken.append((type(odd).__name__, verdicts))
    assert not taken


def test_float32_and_lists_are_as_good_as_arrays():
    def single(X, k):
        return RIGHT["word_vectors"](X.astype(np.float32), k)

    assert messages("word_vectors", single) == []
    assert messages("ppmi", lambda C: RIGHT["ppmi"](C).tolist()) == []
    assert messages("neighbours", lambda *given: list(RIGHT["neighbours"](*given))) == []


def test_what_an_answer_writes_into_its_input_does_not_reach_the_next_claim():
    def neighbours(vectors, i, n):
        best = RIGHT["neighbours"](vectors, i, n)
        vectors[:] = 0
        return best

    assert [v.holds for v in EXERCISES["neighbours"].judge(neighbours, 0)] == [1, 1, 1, 0]


# --- what the learner sees -------------------------------------------------------------------


def test_a_report_lists_what_holds_and_asks_about_the_rest():
    report = check(call_it("cosine", lambda x, y: abs(cosine(x, y))))
    assert repr(report).startswith("cosine: 1 of 3 points\n  ✗ not yet:")
    assert "  ✓ holds:   is 0 where a vector is all zeros" in repr(report)
    assert repr(report).endswith('hint("cosine") gives a nudge, and more if asked again.')
    assert repr(check(cosine)).count("✓ holds") == 3 and "Stuck" not in repr(check(cosine))


def test_a_blank_shows_the_claims_as_what_is_asked():
    def cosine(x, y):
        raise NotImplementedError("write me")

    report = repr(check(cosine))
    assert report.startswith("cosine: not written yet. What will be asked of it:\n  ○ asked:")
    assert report.count("○") == 3 and "✗" not in report


def test_a_report_in_html_says_in_words_what_its_signs_say():
    html = check(call_it("cosine", lambda x, y: abs(cosine(x, y))))._repr_html_()
    signs = re.findall(r'<span aria-hidden="true">(.)</span> <b>(.*?):</b>', html)
    assert signs == [("✗", "not yet"), ("✗", "not yet"), ("✓", "holds")]


def test_nothing_of_the_learners_is_active_in_the_html():
    def cosine(x, y):
        raise ValueError("<script>alert(1)</script>")

    assert "<script" not in check(cosine)._repr_html_()
    assert "<script" not in try_it(lambda: cosine(1, 2))._repr_html_()


def test_a_question_is_printed_once():
    report = repr(check(call_it("cosine", lambda x, y: x @ y)))
    assert report.count("That is the dot product") == report.count("→") == 1
    before, after = report.split("    → That is the dot product")
    assert before.count("✗") == 2 and "✗" not in after


def test_the_judge_keeps_the_numpy_it_was_born_with(monkeypatch):
    for name in ("allclose", "array_equal", "isfinite"):
        monkeypatch.setattr(np, name, lambda *given, **how: True)
    for name, exercise in EXERCISES.items():
        assert sum(v.points for v in exercise.judge(lambda *inputs: 0.0, 1)) == 0, name


@pytest.mark.parametrize("name", ["cosine", "word_pieces"])
def test_whoever_stops_a_loop_is_asked_why_it_did_not_end(name):
    exercise = EXERCISES[name]

    def endless(*inputs):
        raise KeyboardInterrupt

    verdicts = exercise.judge(endless, 1)
    assert [v.message for v in verdicts] == [exercise.endless] * len(exercise.claims)
    assert "?" in exercise.endless and not sum(v.points for v in verdicts)


def test_hints_come_one_by_one_and_the_last_one_stays():
    asked.clear()
    texts = [repr(hint("ppmi")) for _ in range(4)]
    assert [text.split(":")[0] for text in texts] == [
        "Hint 1 of 3 for ppmi, a nudge",
        "Hint 2 of 3 for ppmi, the method",
        "Hint 3 of 3 for ppmi, nearly the solution",
        "Hint 3 of 3 for ppmi, nearly the solution",
    ]
    assert repr(hint(call_it("ppmi", None), 2)) == texts[1]
    with pytest.raises(ValueError, match="ask for 1 to 3"):
        hint("ppmi", 4)


@exercises
def test_the_last_hint_is_nearly_the_solution_and_not_the_solution(name):
    last = EXERCISES[name].hints[2]
    assert "…" in last
    with pytest.raises((SyntaxError, AssertionError)):  # it cannot be pasted in
        compile(f"def f():\n    {last}".replace("\n", "\n    "), "<hint>", "exec")
        raise AssertionError


@pytest.mark.parametrize(
    "wrong, words", [(3.0, "check(f), not"), (call_it("cosinus", max), "did you mean 'cosine'")]
)
def test_a_slip_in_the_call_gets_one_sentence(wrong, words):
    with pytest.raises((TypeError, LookupError), match=re.escape(words)):
        check(wrong)


def test_check_takes_one_function_at_a_time():
    with pytest.raises(TypeError, match="one function at a time"):
        check(cosine, RIGHT["ppmi"])


def test_a_question_in_words_has_a_rubric_and_no_hints():
    with pytest.raises(LookupError, match=r'rubric\("explain_lsa"\)'):
        hint("explain_lsa")
    with pytest.raises(LookupError, match=r"No written question is called 'lsa': .*explain_lsa"):
        rubric("lsa")


def test_try_it_shows_the_result_or_says_what_is_missing():
    assert try_it(cosine, np.array([1, 0]), np.array([1, 0])) == 1.0

    def blank():
        raise NotImplementedError("write me")

    assert repr(try_it(lambda: blank())) == "Write blank first, then run this cell again."
    assert "ZeroDivisionError" in repr(try_it(lambda: 1 / 0))


def test_a_rubric_gives_a_reader_a_point_a_line():
    assert repr(rubric("explain_lsa")).count("☐") == questions()["explain_lsa"].points == 5
    with pytest.raises(LookupError, match="No written question is called 'cosine'"):
        rubric("cosine")
    with pytest.raises(LookupError, match="No exercise is called 'explain_lsa'"):
        named("explain_lsa", Exercise)


def test_scores_add_up():
    for answers in (RIGHT.values(), [*RIGHT.values(), cosine]):
        together = str(sum(exercise.points for exercise in EXERCISES.values()))
        assert repr(scores(*answers)).splitlines()[-1].split() == [
            "together",
            together,
            "of",
            together,
        ]


def test_every_claim_is_a_plain_sentence_with_a_question():
    for exercise in EXERCISES.values():
        assert len(exercise.hints) == 3
        for claim in exercise.claims:
            assert "?" in claim.question and claim.points > 0
            assert not claim.sentence.endswith((".", "?"))
        for _, question in exercise.mistakes:
            assert "?" in question


def test_a_number_alone_is_plain_and_a_promise_is_not():
    assert plain(3) == 3.0
    with pytest.raises(Stopped, match="generator"):
        plain(x for x in [1])


def test_checking_needs_nothing_heavy():
    script = (
        "import sys, firth.checks as c; c.questions();"
        "print(*({m.partition('.')[0] for m in sys.modules} - set(sys.stdlib_module_names)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    loaded = {name for name in done.stdout.split() if not name.startswith(("_", "numpy"))}
    assert "firth" in loaded and done.returncode == 0, done.stderr
    assert not loaded & {"torch", "sklearn", "matplotlib", "ipywidgets", "IPython", "scipy"}
