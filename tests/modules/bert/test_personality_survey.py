"""Do texts and people agree? Every number beside another way of getting it."""

import re
from itertools import permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import pearsonr
from sklearn.metrics import adjusted_rand_score

from firth.bert import personality_survey as p
from firth.lsa.similarity import cosine_table
from firth.store import corpora

R = corpora.personality_answers()
ITEMS = corpora.personality()


def alike(n, seed=0, d=6):
    X = np.random.default_rng(seed).normal(size=(n, d))
    return cosine_table(X, X)


# The data


def test_the_questionnaire_has_27_facets_of_5_items_and_5_factors_of_14():
    facets, many = np.unique(ITEMS["facet"], return_counts=True)
    assert len(facets) == 27 and set(many) == {5} and len(set(ITEMS["text"])) == 135
    factors, many = np.unique(ITEMS["factor"], return_counts=True)
    assert dict(zip(factors, many, strict=True)) == {
        "": 65, "Agreeableness": 14, "Conscientiousness": 14, "Extraversion": 14,
        "Neuroticism": 14, "Openness": 14,
    }  # fmt: skip
    assert set(ITEMS["key"]) == {-1, 1} and (ITEMS["key"] < 0).sum() == 37
    assert ((ITEMS["factor_key"] == 0) == (ITEMS["factor"] == "")).all()


def test_the_apostrophes_that_an_export_lost_are_back():
    assert not [text for text in ITEMS["text"] if re.search(r"\b(?:dont|cant)\b", text, re.I)]
    assert {"Don't like crowded events.", "Sympathize with others' feelings."} <= {*ITEMS["text"]}


def test_answers_are_correlations_of_people():
    assert R.shape == (135, 135) and (R == R.T).all() and (np.diag(R) == 1).all()
    assert np.linalg.eigvalsh(R).min() > 0.05  # as of people who answered every item
    same = p.kinds(ITEMS["facet"], ITEMS["key"])
    assert (p.pairs(R)[same == 1] > 0).all() and (p.pairs(R)[same == -1] < 0).all()


def test_B11_the_eighteen_items_of_the_slides_are_whole_and_seven_were_answered():
    few = corpora.personality(few=True)
    factors = dict(zip(*np.unique(few["factor"], return_counts=True), strict=True))
    assert list(factors.values()) == [4, 6, 5, 3] and "Extraversion" not in factors
    assert len({*few["text"]}) == 18 and len({*few["text"]} & {*ITEMS["text"]}) == 7
    reverse = {*few["text"][few["key"] < 0]}
    assert {"Seldom get mad.", "Do not enjoy going to art museums."} < reverse
    shared = {*few["text"]} & {*ITEMS["text"]}
    for text in shared - {"Tend to vote for liberal political candidates."}:  # for Conservatism: −
        keys = [table["key"][table["text"] == text][0] for table in (few, ITEMS)]
        assert keys[0] == keys[1], text


# Agreement, and what luck does


@given(st.integers(3, 12), st.integers(0, 10**6))
@settings(deadline=None)
def test_agreement_is_pearsons_r_of_the_pairs(n, seed):
    S, T = alike(n, seed), alike(n, seed + 1)
    i, j = np.triu_indices(n, 1)
    assert p.agreement(S, T) == pytest.approx(pearsonr(S[i, j], T[i, j]).statistic, abs=1e-9)


def test_renaming_is_reading_rows_and_columns_of_T_in_another_order():
    S, T = alike(7, 1), alike(7, 2)
    draw = np.random.default_rng(5)
    for r in p.renamed(S, T, P=20, seed=5):
        order = draw.permutation(7)
        assert r == pytest.approx(p.agreement(S, T[np.ix_(order, order)]), abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_B11_mantels_p_comes_near_the_one_of_all_renamings(seed):
    """Six things have 720 orders, few enough to try every one."""
    S, T = alike(6, seed), alike(6, seed + 10) + 0.5 * alike(6, seed)
    r = p.agreement(S, T)
    every = np.array([p.agreement(S, T[np.ix_(order, order)]) for order in permutations(range(6))])
    exact = (every >= r - 1e-12).mean(), (abs(every) >= abs(r) - 1e-12).mean()
    drawn = p.p_values(r, p.renamed(S, T, P=5000, seed=seed))
    assert drawn == pytest.approx(exact, abs=0.02)


def test_a_p_is_never_0_and_an_r_that_is_equal_counts():
    assert p.p_values(0.9, np.zeros(99)) == (0.01, 0.01)
    assert p.p_values(0.5, np.array([0.5 - 1e-15, 0.0, 0.0])) == (0.5, 0.5)
    assert p.p_values(-0.5, np.array([0.5, 0.0, 0.0])) == (1.0, 0.5)


def test_B11_renaming_keeps_its_word_where_the_formula_for_independent_pairs_does_not():
    """Two tables that know nothing of each other: one p in twenty may be below 0.05."""
    ours, theirs = [], []
    for seed in range(200):
        draw = np.random.default_rng(seed)
        # Some things are near to all others: pairs of a thing hang together.
        S, T = (np.add.outer(a, a) + 0.3 * alike(20, seed) for a in draw.normal(size=(2, 20)))
        i, j = np.tril_indices(20, -1)
        theirs.append(pearsonr(S[i, j], T[i, j]).pvalue)
        ours.append(p.p_values(p.agreement(S, T), p.renamed(S, T, P=99, seed=seed))[1])
    assert np.mean(np.array(theirs) < 0.05) > 0.3
    assert np.mean(np.array(ours) < 0.05) < 0.1


def test_the_interval_holds_r_and_narrows_with_more_things():
    widths = []
    for n in (20, 80):
        S = alike(n, 3)
        T = S + 0.3 * alike(n, 4)
        low, high = p.interval(S, T, draws=300)
        assert low < p.agreement(S, T) < high
        widths.append(high - low)
    assert widths[1] < 0.7 * widths[0]


def test_a_thing_drawn_twice_is_no_pair_with_itself():
    """Were it one, an r of 0 would rise: both tables say 1 of it."""
    S, T = alike(40, 1, d=40), alike(40, 2, d=40)
    low, high = p.interval(S, T, draws=300)
    assert low < p.agreement(S, T) < high and abs(low + high) / 2 < 0.05


# Nearest, and chance


def slow_told(S, labels):
    right = 0
    for i in range(len(S)):
        j = max((j for j in range(len(S)) if j != i), key=lambda j: S[i, j])
        right += labels[i] == labels[j]
    return right / len(S)


@given(st.integers(3, 15), st.integers(0, 10**6))
@settings(deadline=None)
def test_told_is_what_a_slow_loop_counts(n, seed):
    labels = np.random.default_rng(seed).integers(3, size=n)
    assert p.told(alike(n, seed), labels) == pytest.approx(slow_told(alike(n, seed), labels))


@given(arrays(int, st.integers(2, 30), elements=st.integers(0, 4)))
def test_chance_is_the_share_of_pairs_with_one_label(labels):
    i, j = np.tril_indices(len(labels), -1)
    assert p.chance(labels) == pytest.approx((labels[i] == labels[j]).mean())


def test_B11_the_chance_of_a_facet_is_4_in_134_and_shuffling_agrees():
    assert p.chance(ITEMS["facet"]) == pytest.approx(4 / 134)
    luck = p.told_by_luck(abs(R), ITEMS["facet"], P=2000)
    assert luck.mean() == pytest.approx(4 / 134, abs=0.002)


def test_turning_items_by_their_keys_leaves_no_pair_of_a_facet_below_0():
    same = p.kinds(ITEMS["facet"], ITEMS["key"])
    assert (same == 1).sum() == 172 and (same == -1).sum() == 98
    assert p.pairs(p.turned(R, ITEMS["key"]))[same != 0].min() > 0
    assert abs(p.turned(R, ITEMS["key"])) == pytest.approx(abs(R))


# Maps and groups


def test_coordinates_of_all_directions_give_the_distances_back():
    S = alike(9, 2)
    X, share = p.coordinates(S, 9)
    apart = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    assert apart == pytest.approx(2 - 2 * S, abs=1e-9) and share == pytest.approx(1)


def test_of_cosines_they_are_principal_components():
    X = np.random.default_rng(0).normal(size=(30, 8))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    points, share = p.coordinates(X @ X.T, 2)
    U, s, _ = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    assert abs(points) == pytest.approx(abs(U[:, :2] * s[:2]), abs=1e-9)
    assert share == pytest.approx((s[:2] ** 2).sum() / (s**2).sum())


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30))
def test_B11_the_rand_index_is_scikit_learns(rows):
    a, b = zip(*rows, strict=True)
    assert p.adjusted_rand(a, b) == pytest.approx(adjusted_rand_score(a, b), abs=1e-9)


def test_the_rand_index_counts_pairs():
    assert comb(4, 2) == 6  # of "xxyy" and 1 2 1 2: 2 together in each, none in both, 2 · 2 / 6 due
    assert p.adjusted_rand("xxyy", [1, 2, 1, 2]) == pytest.approx((0 - 4 / 6) / (2 - 4 / 6))


def test_well_parted_groups_are_found():
    X = np.repeat(np.eye(3), 5, axis=0) + 0.05 * np.random.default_rng(0).normal(size=(15, 3))
    assert p.adjusted_rand(p.clusters(cosine_table(X, X), 3), np.repeat([0, 1, 2], 5)) == 1


# What makes no sense


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: p.pairs(np.ones((2, 3))), "square"),
        (lambda: p.pairs(np.array([[1.0, 0.5], [0.4, 1.0]])), "mirror"),
        (lambda: p.agreement(alike(4), alike(5)), "4 things and the other of 5"),
        (lambda: p.agreement(np.ones((3, 3)), alike(3)), "same degree"),
        (lambda: p.pairs(np.full((3, 3), np.nan)), "NaN"),
        (lambda: p.coordinates(alike(4), 5), "1 to 4 directions"),
        (lambda: p.told(alike(4), ["a", "b"]), "2 labels for 4"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(call, says):
    with pytest.raises(ValueError, match=says) as refused:
        call()
    assert "\n" not in str(refused.value)
