"""Probes, claims and base rates: against slow loops, scikit-learn, and what was measured."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from experiments.bert import layer_choice, linear_probe
from firth.bert import minilm
from firth.bert.linear_probe import (
    CHOICES,
    accuracy,
    calibration_error,
    choice,
    cost,
    f1,
    marked,
    precision,
    probe,
    reliability,
    temperature,
    verdicts,
)
from firth.store.results import stored_result

PROBES = stored_result("bert/linear_probe")
LAYERS = {r["what"]: r for r in stored_result("bert/layer_choice")["rows"]}
shares = st.floats(0, 1)
claims = st.lists(st.tuples(shares, st.integers(0, 1)), min_size=1, max_size=40)
kinds = st.sampled_from(["O", "B-PER", "I-PER", "B-LOC", "I-LOC"])
sentences = st.lists(st.lists(st.tuples(kinds, kinds), min_size=1, max_size=8), min_size=1)


def runs(method, data, size, what="accuracy"):
    keys = ("method", "data", "size")
    return [r[what] for r in PROBES["rows"] if tuple(r[k] for k in keys) == (method, data, size)]


@pytest.mark.parametrize("classes", [("ham", "spam"), ("LOC", "O", "PER")])
def test_B8_a_probe_is_scikit_learns_logistic_regression_on_features_of_one_size(classes):
    rng = np.random.default_rng(0)
    X, y = rng.normal(2, 3, (60, 4)), rng.choice(classes, 60)
    ours = probe(X, y.tolist(), C=0.5)
    theirs = make_pipeline(StandardScaler(), LogisticRegression(C=0.5, max_iter=500)).fit(X, y)
    np.testing.assert_allclose(ours.probabilities(X), theirs.predict_proba(X), atol=1e-6)
    assert ours.told(X) == theirs.predict(X).tolist()


def test_B8_three_letters_teach_a_probe_to_tell_three_others():
    learned = ["Buy these pills", "Win cash prizes", "Dear Mr. Atreides, please find attached…"]
    fitted = probe(minilm.vectors(learned), ["spam", "spam", "not spam"])
    assert fitted.told(minilm.vectors(learned)) == ["spam", "spam", "not spam"]
    asked = ["Get your free money now", "Cheap medicine, no prescription",
             "Dear Ms. Halleck, the minutes of our meeting are attached."]  # fmt: skip
    assert fitted.told(minilm.vectors(asked)) == ["spam", "spam", "not spam"]


@given(claims, st.integers(1, 12))
@example([(1.0, 1), (0.95, 0)], 10)  # a claim of 1 belongs to the last bin
def test_B14_bins_and_error_are_those_of_a_slow_loop(rows, bins):
    p, y = (np.array(part) for part in zip(*rows, strict=True))
    total, found = 0.0, []
    for k in range(bins):
        inside = [
            (a, b) for a, b in rows if math.floor(a * bins) == k or (a == 1 and k == bins - 1)
        ]
        if inside:
            claimed, true = (sum(part) / len(inside) for part in zip(*inside, strict=True))
            total += len(inside) / len(rows) * abs(true - claimed)
            found.append((claimed, true, len(inside)))
    assert calibration_error(p, y, bins) == pytest.approx(total, abs=1e-9)
    np.testing.assert_allclose([tuple(row) for row in reliability(p, y, bins)], found, atol=1e-9)


@settings(max_examples=10)
@given(st.integers(0, 99))
def test_B14_claims_that_come_true_have_no_error_and_bold_ones_are_cooled(seed):
    rng = np.random.default_rng(seed)
    scores = rng.normal(0, 2, 20_000)
    y = (rng.random(20_000) < 1 / (1 + np.exp(-scores))).astype(int)
    assert calibration_error(1 / (1 + np.exp(-scores)), y) < 0.02
    bold = 1 / (1 + np.exp(-3 * scores))
    assert calibration_error(bold, y) > 0.05
    assert temperature(3 * scores, y) == pytest.approx(3, abs=0.3)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=30))
def test_B14_verdicts_are_scikit_learns_and_precision_at_the_own_base_rate_too(rows):
    y, told = (np.array(part) for part in zip(*rows, strict=True))
    found = verdicts(y, told)
    left, accused, missed, caught = metrics.confusion_matrix(y, told, labels=[0, 1]).ravel()
    assert tuple(found) == (caught, missed, accused, left)
    assert found.accuracy == pytest.approx(metrics.accuracy_score(y, told))
    if 0 < y.sum() < len(y):
        r, f, base = found.recall, found.false_alarms, y.mean()
        assert r == pytest.approx(metrics.recall_score(y, told))
        assert accuracy(r, f, base) == pytest.approx(found.accuracy)
        if told.any():
            assert precision(r, f, base) == pytest.approx(metrics.precision_score(y, told))


@given(shares, st.floats(0.001, 0.999), st.floats(0, 100), st.floats(0, 100))
def test_B14_never_crying_spam_is_right_as_often_as_there_is_none(r, base, missed, accused):
    assert accuracy(0.0, 0.0, base) == pytest.approx(1 - base)
    assert cost(0.0, 0.0, base, missed, accused) == pytest.approx(base * missed)
    assert cost(1.0, 0.0, base, missed, accused) == pytest.approx(0)
    if r > 0.01:
        assert precision(r, 0.01, base / 2) < precision(r, 0.01, base)  # rarer: less to be trusted


@given(sentences)
def test_B9_names_found_and_f1_are_those_of_a_slow_count(rows):
    given_, told = ([[pair[i] for pair in row] for row in rows] for i in (0, 1))
    same = sum(len(names(a) & names(b)) for a, b in zip(given_, told, strict=True))
    both = sum(len(names(tags)) for tags in given_ + told)
    assert f1(given_, told) == pytest.approx(2 * same / both if both else 1.0)
    assert all(marked(tags) == names(tags) for tags in given_ + told)


def names(tags):
    """Word by word, a name is open or not: how the judges' own script goes about it."""
    found, start, kind = set(), 0, ""
    for i, tag in enumerate([*tags, "O"]):
        head, _, new = tag.partition("-")
        if kind and (head != "I" or new != kind):
            found.add((start, i - 1, kind))
            kind = ""
        if new and not kind:
            start, kind = i, new
    return found


def test_B9_the_six_choices_are_those_of_the_slide():
    states = np.random.default_rng(0).normal(size=(7, 5, 3))
    assert [choice(states, name).shape[1] for name in CHOICES] == [3] * 5 + [12]
    total = sum(states[k] for k in range(1, 7))
    np.testing.assert_allclose(choice(states, "sum of all"), total)
    np.testing.assert_allclose(choice(states, "second to last"), states[5])
    joined = np.hstack([states[k] for k in (3, 4, 5, 6)])
    np.testing.assert_allclose(choice(states, "last four, joined"), joined)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: probe(np.ones((2, 3)), [1]), "2 texts and 1 labels"),
        (lambda: probe(np.ones((2, 3)), [1, 1]), "nothing to tell apart"),
        (lambda: calibration_error(np.array([1.2]), np.array([1])), "between 0 and 1"),
        (lambda: reliability(np.array([]), np.array([], int)), "each label has one"),
        (lambda: precision(0.0, 0.0, 0.5), "Nothing is called spam"),
        (lambda: choice(np.ones((4, 1, 1)), "last"), "give 4 blocks"),
        (lambda: choice(np.ones((7, 1, 1)), "middle"), "There is no choice 'middle'"),
    ],
)
def test_bad_input_is_answered_with_what_to_do(wrong, said):
    with pytest.raises(ValueError, match=said):
        wrong()


# What is stored


def test_B8_B14_every_run_is_stored_and_its_numbers_agree():
    truth = PROBES["truth"]
    assert len(PROBES["rows"]) == 2 * 3 * 2 * 3
    for row in PROBES["rows"]:
        found, missed, accused, left = row["verdicts"]
        assert found + missed == sum(truth[row["data"]]) and found + missed + accused + left == 1000
        assert row["accuracy"] == pytest.approx((found + left) / 1000)
        if "p" in row:
            y = np.array(truth[row["data"]])
            assert calibration_error(np.array(row["p"]), y) == pytest.approx(row["ECE"], abs=0.01)


def test_B14_a_share_of_right_answers_hides_the_letters_that_look_like_spam():
    for method in linear_probe.METHODS:
        row = next(
            r
            for r in PROBES["rows"]
            if (r["method"], r["data"], r["size"]) == (method, "mail", 1000)
        )
        accused, of = row["hard accused"]
        false_alarms = verdicts_of(row).false_alarms
        assert accused / of > 3 * false_alarms


def verdicts_of(row):
    found, missed, accused, left = row["verdicts"]
    y = np.repeat([1, 1, 0, 0], [found, missed, accused, left])
    return verdicts(y, np.repeat([1, 0, 1, 0], [found, missed, accused, left]))


def test_B9_in_the_middle_more_is_known_of_names_than_at_the_end():
    assert set(LAYERS) == {*CHOICES, "the word's usual tag"}
    for name in ("sum of all", "second to last", "sum of last four", "last four, joined"):
        assert LAYERS[name]["less last"][0] > 0, name
    assert LAYERS["the word's usual tag"]["interval"][1] < LAYERS["last"]["interval"][0]


@pytest.mark.night
def test_B9_a_smaller_run_points_the_same_way():
    rows = {row["what"]: np.mean(row["F1"]) for row in layer_choice.measured(2, 150, 60, 200)}
    assert rows["sum of all"] > rows["last"] and rows["second to last"] > rows["last"]
    assert rows["the word's usual tag"] < min(rows[name] for name in CHOICES)


@pytest.mark.night
def test_B8_B14_a_run_done_again_is_the_one_stored():
    row = linear_probe.run("words", "mail", 100, 0)
    stored = next(r for r in PROBES["rows"] if r["method"] == "words" and r["size"] == 100)
    assert row["verdicts"] == stored["verdicts"]
    assert row["hard accused"] == stored["hard accused"]
