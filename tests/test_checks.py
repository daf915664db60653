"""A check is as good as the wrong answers it refuses, and as kind as the questions it asks."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest
from answers import EXERCISES, SOLUTIONS, functions

from firth.checks import asked, check, hint, named, questions, rubric, scores, try_it
from firth.checks.answers import NOT_WRITTEN, Stopped, plain
from firth.checks.claims import WAITS, Exercise

RIGHT = {name: f for path in SOLUTIONS for name, f in functions(path).items()}
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


@exercises
def test_the_solution_passes_whatever_the_seed(name):
    for seed in range(100):
        assert messages(name, RIGHT[name], seed) == []


@exercises
def test_the_reference_passes_its_own_claims(name):
    assert messages(name, EXERCISES[name].right) == []


@exercises
def test_every_known_mistake_fails_and_gets_its_own_question(name):
    assert len(EXERCISES[name].mistakes) >= 6
    for mistake, question in EXERCISES[name].mistakes:
        heard = [messages(name, mistake, seed) for seed in range(5)]
        assert all(question in said for said in heard), (question, heard)


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
    alone = [exercise.verdict(n, exercise.mistakes[1][0], 11) for n in range(len(together))]
    assert alone[::-1][::-1] == together


def as_plain(value):
    """What a pipe between two processes would carry."""
    if isinstance(value, dict):
        return {key: as_plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return np.array(json.loads(json.dumps(value.tolist())), dtype=value.dtype)
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
def test_a_proxy_is_judged_like_the_function_itself(name):
    exercise = EXERCISES[name]
    for function in (RIGHT[name], *(mistake for mistake, _ in exercise.mistakes)):
        assert exercise.judge(Proxy(function), 4) == exercise.judge(function, 4)


def test_a_proxy_may_say_why_there_is_no_answer():
    def slow(x, y):
        raise Stopped("It took longer than four seconds.")

    assert set(messages("cosine", slow)) == {"It took longer than four seconds."}


# --- wrong answers, as learners write them ---------------------------------------------------


def slices_without_max(texts, V, m):
    C = np.zeros((V, V))
    for ids in texts:
        for p, centre in enumerate(ids):
            for other in [*ids[p - m : p], *ids[p + 1 : p + m + 1]]:
                if centre >= 0 and other >= 0:
                    C[centre, other] += 1
    return C


def window(first, last, keep=lambda p, q: p != q, prepare=list, known=True, add=1):
    """Counting written with a range, which is where it goes wrong."""

    def cooccurrence(texts, V, m):
        C = np.zeros((V, V))
        for ids in prepare(texts):
            for p in range(len(ids)):
                for q in range(max(0, p + first(m)), min(len(ids), p + last(m))):
                    if keep(p, q) and (not known or (ids[p] >= 0 and ids[q] >= 0)):
                        C[ids[p], ids[q]] += add
        return C

    return cooccurrence


def only_if_words_differ(texts, V, m):
    C = np.zeros((V, V))
    for ids in texts:
        for p, centre in enumerate(ids):
            for other in ids[max(0, p - m) : p + m + 1]:
                if other != centre and centre >= 0 and other >= 0:
                    C[centre, other] += 1
    return C


def seen_or_not(texts, V, m):
    return (RIGHT["cooccurrence"](texts, V, m) > 0) * 1


def both_ways_twice(texts, V, m):
    C = RIGHT["cooccurrence"](texts, V, m)
    return C + C.T


def marks_the_unknown(texts, V, m):
    for ids in texts:
        ids[ids < 0] = V
    return RIGHT["cooccurrence"]([np.where(ids == V, -1, ids) for ids in texts], V, m)


def a_window_at_once(texts, V, m):
    C = np.zeros((V, V))
    for ids in texts:
        for p in range(len(ids)):
            near = [q for q in range(max(0, p - m), min(len(ids), p + m + 1)) if q != p]
            company = ids[near][ids[near] >= 0] if near else []
            if ids[p] >= 0 and len(company):
                C[ids[p], company] += 1
    return C


def a_shift_at_once(texts, V, m):
    C = np.zeros((V + 1, V + 1))
    for ids in texts:
        for d in range(1, m + 1):
            C[ids[:-d], ids[d:]] += 1
            C[ids[d:], ids[:-d]] += 1
    return C[:V, :V]


def one_row_v_times(texts, V, m):
    C = [[0] * V] * V
    for i, row in enumerate(RIGHT["cooccurrence"](texts, V, m)):
        for j, count in enumerate(row):
            C[i][j] += int(count)
    return C


BACK, AHEAD = (lambda m: -m), (lambda m: m + 1)
COOCCURRENCE = [
    (window(BACK, AHEAD, keep=lambda p, q: True), "own company"),
    (window(lambda m: 1, AHEAD), "to the right only"),
    (window(BACK, lambda m: 0), "to the left only"),
    (window(BACK, lambda m: m), "range or slice end"),
    (window(lambda m: 1 - m, lambda m: m), "How far does your window reach"),
    (window(lambda m: -(m // 2), lambda m: m // 2 + 1), "whole window"),
    (window(BACK, AHEAD, prepare=lambda texts: [np.concatenate(texts)]), "one text and the first"),
    (window(BACK, AHEAD, prepare=lambda ts: [t[t >= 0] for t in ts]), "take the unknown words out"),
    (window(BACK, AHEAD, known=False), "C[-1]"),
    (slices_without_max, "`text[a:b]` when a is below 0"),
    (marks_the_unknown, "write into the texts"),
    (a_window_at_once, "C[0, 1]? (`C[a, b] += 1`"),
    (a_shift_at_once, "C[0, 1]? (`C[a, b] += 1`"),
    (lambda texts, V, m: RIGHT["cooccurrence"](texts[:1], V, m), "the second text"),
    (one_row_v_times, "one list V times"),
    (only_if_words_differ, "the places"),
    (seen_or_not, "three times"),
    (both_ways_twice, "twice too large"),
]


def rows(C):
    return C.sum(axis=1, keepdims=True)


def columns(C):
    return C.sum(axis=0, keepdims=True)


def chance(C):
    return rows(C) * columns(C) / C.sum()


def safe(formula):
    """An answer that takes care of zeros and is wrong about something else."""

    def ppmi(C):
        C = np.asarray(C, dtype=float)
        return np.where(C > 0, np.nan_to_num(formula(C), posinf=0, neginf=0), 0)

    return ppmi


def into_whole_numbers(C):
    P = np.zeros_like(C)
    P[:] = RIGHT["ppmi"](C)
    return P


def sums_without_keepdims(C):
    return RIGHT["ppmi"](C) + 0 * (C.sum(axis=1) * C.sum(axis=0))


def in_place(C):
    C *= 1 / chance(C)
    C[C < 1] = 1
    np.log(C, out=C)
    return C


PPMI = [
    (lambda C: np.log(C / chance(C)), "log 0"),
    (lambda C: np.maximum(np.log(C / chance(C)), 0), "0/0"),
    (safe(lambda C: np.log(C / chance(C))), "negative PMI"),
    (safe(lambda C: np.maximum(np.log2(C / chance(C)), 0)), "which logarithm"),
    (safe(lambda C: np.maximum(np.log10(C / chance(C)), 0)), "which logarithm"),
    (safe(lambda C: np.log1p(C / chance(C))), "log1p"),
    (safe(lambda C: C / chance(C)), "where is the logarithm"),
    (safe(lambda C: np.log(C / C.sum(axis=1, keepdims=True))), "row sum only"),
    (safe(lambda C: np.maximum(np.log(C / C.sum(axis=0)), 0)), "Everything is 0"),
    (safe(lambda C: np.maximum(np.log(C / chance(C) / C.sum()), 0)), "Everything is 0"),
    (safe(lambda C: np.log(C / chance(C) / C.sum())), "Where is the total"),
    (safe(lambda C: np.abs(np.log(C / chance(C)))), "turn a negative PMI round"),
    (safe(lambda C: np.minimum(np.log(C / chance(C)), 0)), "maximum or minimum"),
    (safe(lambda C: np.maximum(C / C.sum() * np.log(C / chance(C)), 0)), "factor too many"),
    (in_place, "writing into C"),
    (into_whole_numbers, "cut 0.69 down to 0"),
    (sums_without_keepdims, "every row sum meets every column sum"),
    (safe(lambda C: np.maximum(np.log(C * C.sum() / rows(C) * columns(C)), 0)), "brackets"),
]

norm = np.linalg.norm
COSINE = [
    (lambda x, y: x @ y, "dot product"),
    (lambda x, y: x @ y / np.sqrt(len(x)), "√d"),
    (lambda x, y: x @ y / (x @ x * (y @ y) or 1), "root"),
    (lambda x, y: x @ y / (norm(x) or 1), "that of y"),
    (lambda x, y: x @ y / (norm(y) or 1), "that of x"),
    (lambda x, y: x @ y / (norm(x) + norm(y) or 1), "multiply, or add up"),
    (lambda x, y: x @ y / (norm(x) * norm(y)), "0/0"),
    (lambda x, y: 1 - cosine(x, y) if norm(x) * norm(y) else 0, "a distance"),
    (lambda x, y: abs(cosine(x, y)), "opposite"),
    (lambda x, y: np.degrees(np.arccos(cosine(x, y))) if norm(x) * norm(y) else 0, "degrees"),
    (lambda x, y: x @ y / (norm(x, 1) * norm(y, 1) or 1), "Pythagoras"),
    (lambda x, y: np.array([[cosine(x, y)]]), "shape"),
    (lambda x, y: 0.0 if 0 in x or 0 in y else cosine(x, y), "zero throughout"),
    (lambda x, y: x @ y / (norm(x) or 1) * norm(y), "where are brackets missing"),
]


def from_svd(place, center=None):
    def word_vectors(X, k):
        if center is not None:
            X = X - X.mean(axis=center, keepdims=True)
        return place(*np.linalg.svd(X, full_matrices=False), k)

    return word_vectors


WORD_VECTORS = [
    (from_svd(lambda U, s, Vt, k: U[:, :k]), "where did s go"),
    (from_svd(lambda U, s, Vt, k: Vt.T[:, :k] * s[:k]), "the texts'"),
    (from_svd(lambda U, s, Vt, k: Vt[:k]), "axes, not words"),
    (from_svd(lambda U, s, Vt, k: U[:k] * s), "keeps k words"),
    (from_svd(lambda U, s, Vt, k: U[:, -k:] * s[-k:]), "last k axes"),
    (from_svd(lambda U, s, Vt, k: U[:, 1 : k + 1] * s[1 : k + 1]), "from 0 or from 1"),
    (from_svd(lambda U, s, Vt, k: U @ np.diag(s)), "where does k come in"),
    (from_svd(lambda U, s, Vt, k: U[:, :k] * s[:k] ** 0.5), "√s"),
    (from_svd(lambda U, s, Vt, k: U[:, :k] / s[:k]), "stretch or shrink"),
    (from_svd(lambda U, s, Vt, k: U[:, :k] * s[:k], center=0), "principal components"),
    (from_svd(lambda U, s, Vt, k: U[:, :k] * s[:k], center=1), "principal components"),
    (lambda X, k: from_svd(lambda U, s, Vt, k: U[:, :k] * s[:k])(X @ X.T, k), "X Xᵀ"),
]


def sorted_by(measure, pick):
    def neighbours(vectors, i, n):
        closeness = np.array([measure(vectors[i], row) for row in vectors])
        return pick(closeness, i, n)

    return neighbours


def best_others(closeness, i, n):
    return [j for j in np.argsort(-closeness, kind="stable") if j != i][:n]


def divides_in_place(vectors, i, n):
    vectors /= np.maximum(norm(vectors, axis=1, keepdims=True), 1e-12)
    return best_others(vectors @ vectors[i], i, n)


NEIGHBOURS = [
    (sorted_by(cosine, lambda c, i, n: np.argsort(-c)[:n]), "no news"),
    (sorted_by(cosine, lambda c, i, n: [j for j in np.argsort(c) if j != i][:n]), "farthest"),
    (sorted_by(cosine, lambda c, i, n: best_others(c, i, n)[::-1]), "best should come first"),
    (sorted_by(cosine, lambda c, i, n: np.argsort(c)[-n:]), "best should come first"),
    (sorted_by(cosine, lambda c, i, n: np.argsort(-c)[1 : n + 1]), "same direction"),
    (sorted_by(cosine, lambda c, i, n: np.argsort(-c)[1:n]), "n − 1"),
    (sorted_by(lambda x, y: -norm(x - y), best_others), "distance between the tips"),
    (sorted_by(lambda x, y: x @ y, best_others), "long vectors win"),
    (sorted_by(lambda x, y: abs(cosine(x, y)), best_others), "opposite direction"),
    (sorted_by(cosine, lambda c, i, n: np.sort(np.delete(c, i))[::-1][:n]), "similarities"),
    (sorted_by(lambda x, y: x @ y / (norm(x) * norm(y)), best_others), "nan"),
    (divides_in_place, "in place"),
]


def itself_at_minus_one(closeness, i, n):
    closeness[i] = -1
    return np.argsort(-closeness)[:n]


def itself_at_minus_one_from_behind(closeness, i, n):
    closeness[i] = -1
    return np.argsort(closeness)[::-1][:n]


NEIGHBOURS += [
    (sorted_by(cosine, itself_at_minus_one), "who comes last then"),
    (sorted_by(cosine, itself_at_minus_one_from_behind), "who comes last then"),
    (sorted_by(cosine, lambda c, i, n: np.argsort(-np.delete(c, i))[:n]), "You took row i out"),
    (sorted_by(cosine, lambda c, i, n: np.argsort(c)[1 : n + 1]), "begins with the smallest"),
    (sorted_by(cosine, lambda c, i, n: np.argsort(c)[-n - 1 : -1]), "begins with the smallest"),
]

FOLD_IN = [
    (lambda q, U, s: q @ U, "left to do"),
    (lambda q, U, s: q @ U * s, "which way"),
    (lambda q, U, s: q @ U / np.sqrt(s), "root"),
    (lambda q, U, s: q @ U / s / s, "twice"),
    (lambda q, U, s: q @ U / s / (norm(q @ U / s) or 1), "twice as far"),
    (lambda q, U, s: (q > 0) @ U / s, "count once"),
    (lambda q, U, s: q / (q.sum() or 1) @ U / s, "number of words"),
    (lambda q, U, s: q[: len(s)] @ U[: len(s)] / s, ""),
    (lambda q, U, s: (q @ U / s)[None], "shape"),
]


def search(query, texts, measure=cosine, pick=lambda order, n: order[:n]):
    def find_documents(q, U, s, Vt, n):
        place = query(q, U, s)
        closeness = np.array([measure(place, text) for text in texts(s, Vt)])
        return pick(np.argsort(-closeness), n)

    return find_documents


SCALED = (lambda q, U, s: q @ U, lambda s, Vt: Vt.T * s)
FIND_DOCUMENTS = [
    (search(lambda q, U, s: q @ U / s, lambda s, Vt: Vt.T), "every axis weighs the same"),
    (search(lambda q, U, s: q @ U, lambda s, Vt: Vt.T), "same scale"),
    (search(lambda q, U, s: q @ U / s, lambda s, Vt: Vt.T * s), "same scale"),
    (search(lambda q, U, s: q @ U, lambda s, Vt: Vt.T * s**2), "once too often"),
    (search(lambda q, U, s: q @ U * s, lambda s, Vt: Vt.T * s**2), "once too often"),
    (search(*SCALED, measure=lambda x, y: x @ y), "long texts win"),
    (search(*SCALED, measure=lambda x, y: -norm(x - y)), "distance"),
    (search(*SCALED, pick=lambda order, n: order[::-1][:n]), "farthest"),
    (search(*SCALED, pick=lambda order, n: order[:n][::-1]), "best should come first"),
    (search(*SCALED, pick=lambda order, n: order[1 : n + 1]), "is the question one of the texts"),
    (search(*SCALED, pick=lambda order, n: order[:n] + 1), "first text 0 or 1"),
    (search(*SCALED, pick=lambda order, n: order), "where does n come in"),
    (lambda q, U, s, Vt, n: np.argsort([-cosine(q @ U, u * s) for u in U])[:n], "the words"),
]


def choice(on=0, report=1, best=max, correlation=None, measure=cosine, order=sorted):
    """Choosing k with the lists as a learner might mix them up: 0 validation, 1 test, 2 both."""

    def choose_k(spaces, validation, test):
        lists = validation, test, [*validation, *test]

        def rho(k, pairs):
            closeness = [measure(spaces[k][i], spaces[k][j]) for i, j, _ in pairs]
            people = [score for _, _, score in pairs]
            if correlation:
                return correlation(closeness, people)
            ranks = [np.argsort(np.argsort(numbers)) for numbers in (closeness, people)]
            return np.corrcoef(*ranks)[0, 1]

        k = best(order(spaces), key=lambda k: round(rho(k, lists[on]), 12))
        return k, rho(k, lists[report])

    return choose_k


def best_from_zero(first):
    """Begins with best = 0, and with some k or none."""

    def choose_k(spaces, validation, test):
        k, best = first(spaces), 0
        for other in sorted(spaces):
            rho = RIGHT["choose_k"]({other: spaces[other]}, validation, validation)[1]
            if rho > best + 1e-9:
                k, best = other, rho
        return k, RIGHT["choose_k"]({k: spaces[k]}, test, test)[1]

    return choose_k


CHOOSE_K = [
    (best_from_zero(min), "every correlation be below 0"),
    (best_from_zero(lambda spaces: next(iter(spaces))), "every correlation be below 0"),
    (best_from_zero(lambda spaces: None), "every correlation be below 0"),
    (choice(on=1), "to choose k"),
    (choice(on=2), "to choose k"),
    (choice(on=2, report=2), "to choose k"),
    (choice(report=0), "honest number"),
    (choice(best=min), "min or max"),
    (choice(order=list), "the first you meet wins"),
    (choice(order=lambda ks: sorted(ks)[::-1]), "agree equally well"),
    (choice(best=lambda ks, key: max(ks)), "more always better"),
    (choice(best=lambda ks, key: max(ks, key=lambda k: abs(key(k)))), "strong disagreement"),
    (choice(correlation=lambda a, b: np.corrcoef(a, b)[0, 1]), "Pearson"),
    (choice(measure=lambda x, y: x @ y), "dot product"),
    (choice(measure=lambda x, y: norm(x - y)), "distance"),
    (lambda *given: choice()(*given)[::-1], "which order"),
    (lambda *given: choice()(*given)[0], "on the test pairs"),
]

WRONG = {
    "cooccurrence": COOCCURRENCE,
    "ppmi": PPMI,
    "cosine": COSINE,
    "word_vectors": WORD_VECTORS,
    "neighbours": NEIGHBOURS,
    "fold_in": FOLD_IN,
    "find_documents": FIND_DOCUMENTS,
    "choose_k": CHOOSE_K,
}
CASES = [(name, *case) for name, cases in WRONG.items() for case in cases]


@exercises
def test_every_exercise_is_tried_with_at_least_six_wrong_answers(name):
    assert len(WRONG[name]) >= 6


@pytest.mark.parametrize("seed", [1957, 1, 2])
@pytest.mark.parametrize(
    "name, answer, words", CASES, ids=[f"{name}: {words}" for name, _, words in CASES]
)
def test_a_wrong_answer_gets_a_question_that_fits(name, answer, words, seed):
    said = messages(name, answer, seed)
    assert any(words in question for question in said), said


def holds(name, answer, seed=1957):
    return [verdict.holds for verdict in EXERCISES[name].judge(answer, seed)]


def test_a_claim_about_one_thing_does_not_fail_for_another():
    words_for_places = holds("cooccurrence", only_if_words_differ)
    assert words_for_places == [True, False, True, True, True]
    log2 = safe(lambda C: np.maximum(np.log2(C / chance(C)), 0))
    assert holds("ppmi", log2) == [False, True, True, True, False]
    rebuilt = from_svd(lambda U, s, Vt, k: U[:, :k] * s[:k] @ Vt[:k])
    assert holds("word_vectors", rebuilt)[1]
    assert holds("cosine", lambda x, y: x @ y) == [False, False, True]


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
@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
def test_an_odd_answer_earns_nothing_and_breaks_nothing(name, odd):
    verdicts = EXERCISES[name].judge(lambda *inputs: odd, seed=0)
    assert not any(verdict.holds for verdict in verdicts)
    assert all(verdict.message for verdict in verdicts)


def test_float32_and_lists_are_as_good_as_arrays():
    def single(X, k):
        return RIGHT["word_vectors"](X.astype(np.float32), k)

    assert messages("word_vectors", single) == []
    assert messages("ppmi", lambda C: RIGHT["ppmi"](C).tolist()) == []
    assert messages("neighbours", lambda *given: list(RIGHT["neighbours"](*given))) == []


def test_the_sign_of_an_axis_is_free_and_its_length_is_not():
    assert messages("word_vectors", lambda X, k: -RIGHT["word_vectors"](X, k)) == []
    assert messages("word_vectors", lambda X, k: 2 * RIGHT["word_vectors"](X, k))


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
    assert report.count("That is the dot product") == report.count("→ As above.") == 1


def test_the_judge_keeps_the_numpy_it_was_born_with(monkeypatch):
    for name in ("allclose", "array_equal", "isfinite"):
        monkeypatch.setattr(np, name, lambda *given, **how: True)
    for name, exercise in EXERCISES.items():
        assert sum(v.points for v in exercise.judge(lambda *inputs: 0.0, 1)) == 0, name


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
        assert repr(scores(*answers)).splitlines()[-1].split() == ["together", "30", "of", "30"]


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


@pytest.mark.parametrize("name", sorted(EXERCISES))
def test_a_mistake_is_not_forgiven_by_luck(name):
    """Inputs differ from student to student: what is wrong is to be wrong for all of them."""
    exercise = EXERCISES[name]
    for mistake, question in exercise.mistakes:
        verdicts = [tuple(v.holds for v in exercise.judge(mistake, seed)) for seed in range(8)]
        assert len(set(verdicts)) == 1, question
