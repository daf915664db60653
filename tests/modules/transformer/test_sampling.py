"""From scores to a token: the library's warpers, by another way."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firth.rnn import place_names
from firth.runtime.random_numbers import uniform
from firth.transformer.sampling import probabilities, sampled

FINITE = st.floats(-30, 30, allow_nan=False).map(lambda s: round(s, 6))
SCORES = st.lists(FINITE, min_size=1, max_size=40, unique=True).map(np.array)
EXACT = settings(max_examples=300, deadline=None, derandomize=True, database=None)


@given(
    SCORES,
    st.floats(0.05, 5),
    st.none() | st.integers(1, 50),
    st.none() | st.floats(0.01, 1),
)
@EXACT
def test_temperature_then_top_k_then_top_p_are_the_librarys_warpers(scores, tau, k, p):
    torch = pytest.importorskip("torch")
    process = pytest.importorskip("transformers").generation.logits_process
    warped = torch.tensor(scores)[None]
    warped = process.TemperatureLogitsWarper(tau)(None, warped)
    if k is not None:
        warped = process.TopKLogitsWarper(k)(None, warped)
    if p is not None and p < 1:
        # The library adds from the least likely up: where a sum meets 1 − p, either may be right.
        q = np.sort(probabilities(scores, tau, k))
        if abs(q.cumsum() - (1 - p)).min() < 1e-9:
            return
        warped = process.TopPLogitsWarper(p)(None, warped)
    right = warped.softmax(-1)[0].numpy()
    np.testing.assert_allclose(probabilities(scores, tau, k, p), right, atol=1e-9)


@given(SCORES, st.floats(0, 5), st.none() | st.integers(1, 50), st.none() | st.floats(0.01, 1))
@EXACT
def test_what_stays_sums_to_one_and_keeps_its_odds(scores, tau, k, p):
    q, plain = probabilities(scores, tau, k, p), probabilities(scores, tau)
    assert q.sum() == pytest.approx(1) and (q >= 0).all() and q[scores.argmax()] > 0
    kept = q > 0
    assert k is None or kept.sum() <= k
    np.testing.assert_allclose(q[kept] / q[kept].sum(), plain[kept] / plain[kept].sum(), rtol=1e-9)
    if p is not None and k is None:  # no fewer would have been enough, and no more are kept
        assert plain[kept].sum() >= p - 1e-12
        assert plain[kept].sum() - plain[kept].min() < p + 1e-12


@given(SCORES, st.floats(0.05, 5))
@EXACT
def test_without_cuts_it_is_chapter_threes_softmax(scores, tau):
    np.testing.assert_allclose(
        probabilities(scores, tau), place_names.probabilities(scores, tau), atol=1e-12
    )


@given(SCORES, st.none() | st.integers(1, 9), st.none() | st.floats(0.01, 1), st.floats(0, 0.999))
@EXACT
def test_at_temperature_zero_the_highest_score_is_drawn_always(scores, k, p, u):
    assert sampled(scores, u, 0, k, p) == scores.argmax()
    assert probabilities(scores, 1e-9).argmax() == scores.argmax()


def test_draws_come_as_often_as_they_are_likely():
    scores, u = np.array([2.0, 1.0, 0.0, -1.0, 1.5]), uniform(5)
    counts = np.bincount(
        [sampled(scores, u(), 0.8, k=4, p=0.9) for _ in range(20_000)], minlength=5
    )
    np.testing.assert_allclose(counts / 20_000, probabilities(scores, 0.8, 4, 0.9), atol=0.01)


def test_of_equal_scores_the_first_stay():
    np.testing.assert_array_equal(probabilities(np.zeros(4), k=2) > 0, [1, 1, 0, 0])
    np.testing.assert_array_equal(probabilities(np.zeros(4), p=0.5) > 0, [1, 1, 0, 0])
    assert probabilities(np.zeros(4), tau=0).tolist() == [1, 0, 0, 0]


def test_an_impossible_token_stays_impossible_and_nothing_given_is_changed():
    scores = np.array([0.0, -np.inf, 1.0])
    assert probabilities(scores, tau=2.0)[1] == 0
    probabilities(scores, k=1, p=0.5)
    assert scores.tolist() == [0.0, -np.inf, 1.0]


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        ({"tau": -0.1}, "temperature τ is 0 or more"),
        ({"tau": float("nan")}, "temperature τ"),
        ({"tau": float("inf")}, "temperature τ"),
        ({"k": 0}, "1 token or more"),
        ({"p": 0.0}, "above 0 and up to 1"),
        ({"p": 1.5}, "above 0 and up to 1"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(choices, says):
    with pytest.raises(ValueError, match=says) as refused:
        probabilities(np.zeros(3), **choices)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("scores", [[], [np.nan, 1.0], [np.inf, 1.0], [-np.inf, -np.inf]])
def test_there_must_be_something_to_choose(scores):
    with pytest.raises(ValueError, match="nothing to choose from"):
        probabilities(np.array(scores, float))
