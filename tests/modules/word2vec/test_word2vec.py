"""The objectives and their gradients, against autograd, slow loops and numerical derivatives."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import expit, log_softmax
from scipy.special import softmax as scipy_softmax

from firth.lsa.counts import cooccurrence, windows, word_ids, words
from firth.word2vec import word2vec
from firth.word2vec.training import train
from firth.word2vec.word2vec import (
    cbow,
    keep_probability,
    learning_rate,
    negative_sampling,
    noise,
    pairs,
    skip_gram,
    softmax,
)

numbers = st.floats(-30, 30)
texts = st.lists(st.integers(-1, 5), min_size=1, max_size=20).filter(lambda ids: max(ids) >= 0)


@st.composite
def an_example(draw):
    """U, V, a word and some company or noise, in which words may come back."""
    n, d = draw(st.integers(2, 6)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    some = draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=6))
    w = draw(st.integers(0, n - 1))
    return rng.normal(size=(n, d)), rng.normal(size=(n, d)), w, np.array(some)


OBJECTIVES = {
    "cbow": lambda U, V, w, some: cbow(U, V, some, w),
    "skip_gram": lambda U, V, w, some: skip_gram(U, V, w, some),
    "negative_sampling": lambda U, V, w, some: negative_sampling(U, V, w, int(some[0]), some),
}


def in_torch(name, U, V, w, some):
    """J written down as in a paper, for autograd to differentiate."""
    if name == "cbow":
        return -torch.log_softmax(U @ V[some].mean(0), 0)[w]
    if name == "skip_gram":
        return -torch.log_softmax(U @ V[w], 0)[some].sum()
    log_sigma = torch.nn.functional.logsigmoid
    return -log_sigma(U[some[0]] @ V[w]) - log_sigma(-U[some] @ V[w]).sum()


@pytest.mark.parametrize("name", OBJECTIVES)
@given(an_example())
def test_loss_and_gradients_are_those_of_autograd(name, example):
    U, V, w, some = example
    J, dU, dV = OBJECTIVES[name](U, V, w, some)
    leaves = [torch.tensor(M, requires_grad=True) for M in (U, V)]
    loss = in_torch(name, *leaves, w, torch.tensor(some))
    loss.backward()
    assert J == pytest.approx(loss.item(), abs=1e-10)
    for ours, leaf in zip((dU, dV), leaves, strict=True):
        np.testing.assert_allclose(ours, leaf.grad.numpy(), atol=1e-10)


@pytest.mark.parametrize("name", OBJECTIVES)
@settings(max_examples=30)
@given(an_example())
def test_gradients_are_what_a_small_step_to_either_side_shows(name, example):
    U, V, w, some = example
    _, *gradients = OBJECTIVES[name](U, V, w, some)
    for M, gradient in zip((U, V), gradients, strict=True):
        for place in np.ndindex(M.shape):
            there, J = M[place], []
            for step in (1e-5, -1e-5):
                M[place] = there + step
                J.append(OBJECTIVES[name](U, V, w, some)[0])
            M[place] = there
            assert gradient[place] == pytest.approx((J[0] - J[1]) / 2e-5, abs=1e-6)


@given(an_example())
def test_S18_both_softmax_objectives_equal_a_loop_over_all_words(example):
    U, V, w, some = example
    n, d = V.shape
    h = [sum(V[c][q] for c in some) / len(some) for q in range(d)]
    score = [sum(U[j][q] * h[q] for q in range(d)) for j in range(n)]
    J = -score[w] + math.log(sum(math.exp(s) for s in score))
    assert cbow(U, V, some, w)[0] == pytest.approx(J)
    score = [sum(U[j][q] * V[w][q] for q in range(d)) for j in range(n)]
    log_sum = math.log(sum(math.exp(s) for s in score))
    J = -sum(score[o] for o in some) + len(some) * log_sum
    assert skip_gram(U, V, w, some)[0] == pytest.approx(J)


def test_S18_with_a_whole_window_of_m_on_either_side_the_factor_is_2m():
    rng = np.random.default_rng(0)
    U, V = rng.normal(size=(7, 3)), rng.normal(size=(7, 3))
    m, text = 2, np.array([3, 1, 4, 0, 5])
    around = np.delete(text, m)
    J, *_ = skip_gram(U, V, text[m], around)
    scores = U @ V[text[m]]
    assert J == pytest.approx(-scores[around].sum() + 2 * m * np.log(np.exp(scores).sum()))
    product = np.prod([np.exp(scores[o]) / np.exp(scores).sum() for o in around])
    assert J == pytest.approx(-np.log(product))  # log and product together: neither alone


@given(an_example())
def test_a_lone_neighbour_makes_cbow_skip_gram_in_the_other_direction(example):
    U, V, w, some = example
    there, back = cbow(U, V, some[:1], w), skip_gram(U, V, some[0], np.array([w]))
    for a, b in zip(there, back, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-12)


@given(an_example())
def test_scores_of_any_size_give_finite_losses_and_gradients(example):
    U, V, w, some = example
    for objective in OBJECTIVES.values():
        J, dU, dV = objective(1e4 * U, 1e4 * V, w, some)
        assert math.isfinite(J) and J >= -1e-6
        assert np.isfinite(dU).all() and np.isfinite(dV).all()


def test_S2_a_one_hot_row_looks_up_a_row_and_the_deck_prints_the_third_column():
    M = np.array(
        [
            [0.29572738, 0.88443109, 0.21831979],
            [0.03157878, 0.71250614, 0.22703532],
            [0.12386669, 0.74266196, 0.91580261],
        ]
    )
    e = np.array([0, 0, 1])
    np.testing.assert_array_equal(e @ M, M[2])
    np.testing.assert_array_equal(M @ e, [0.21831979, 0.22703532, 0.91580261])
    *_, dV = skip_gram(np.ones((3, 3)), M, 2, np.array([0]))
    assert not dV[:2].any()  # and only the row that was looked up learns


def test_S16_the_hidden_vector_of_one_word_of_company_is_its_column():
    W = np.array([[17, 24, 1], [23, 5, 7], [4, 6, 13], [10, 12, 19], [11, 18, 25]]).T
    assert W.shape == (3, 5)
    e = np.array([0, 0, 0, 1, 0])
    assert (W @ e).tolist() == [10, 12, 19]
    V, U = W.T.astype(float), np.zeros((5, 3))
    _, dU, _ = cbow(U, V, np.array([3]), 0)  # all guesses are 1/5, so dU shows h
    np.testing.assert_allclose(dU[1:], np.tile(V[3] / 5, (4, 1)))


def company_of(sentence, word, m):
    """The pairs of one word of a sentence, as words."""
    text = words(sentence)
    vocabulary = sorted(set(text))
    all_pairs = pairs(word_ids(text, vocabulary), m)
    return [(vocabulary[w], vocabulary[o]) for w, o in all_pairs if vocabulary[w] == word]


def test_S14_the_window_around_fox_holds_quick_brown_jumped_and_over():
    found = company_of("The quick brown fox jumped over the lazy dog", "fox", m=2)
    assert [other for _, other in found] == ["quick", "brown", "jumped", "over"]


def test_S15_swing_has_four_training_pairs_with_a_window_of_2():
    found = company_of("Every sentence should swing the sword of truth", "swing", m=2)
    assert found == [("swing", other) for other in ("sentence", "should", "the", "sword")]


@given(st.lists(texts, min_size=1, max_size=3), st.integers(1, 4))
def test_pairs_are_those_that_windows_show_document_by_document(documents, m):
    slow = [
        [w, o]
        for ids in documents
        for w, company in windows(ids, m)
        for o in company
        if w >= 0 and o >= 0
    ]
    assert pairs([np.array(ids) for ids in documents], m).tolist() == slow


@given(texts, st.integers(1, 4))
def test_pairs_counted_are_the_table_of_chapter_1(ids, m):
    table = np.zeros((6, 6), int)
    for w, o in pairs(np.array(ids), m):
        table[w, o] += 1
    np.testing.assert_array_equal(table, cooccurrence(np.array(ids), 6, m).toarray())


@given(arrays(float, st.tuples(st.integers(1, 4), st.integers(1, 5)), elements=numbers))
def test_softmax_is_scipys_and_does_not_mind_a_constant(x):
    np.testing.assert_allclose(softmax(x), scipy_softmax(x, axis=-1), atol=1e-15)
    np.testing.assert_allclose(softmax(x + 1e6), softmax(x), atol=1e-8)
    np.testing.assert_allclose(np.log(softmax(x)), log_softmax(x, axis=-1), atol=1e-9)
    np.testing.assert_allclose(word2vec.sigmoid(x), expit(x), atol=1e-15)


@given(st.lists(st.integers(0, 999), min_size=1, max_size=9).filter(any), st.floats(0, 1))
def test_noise_is_a_distribution_that_the_power_makes_flatter(counts, power):
    counts = np.array(counts)
    p = noise(counts, power)
    assert p.sum() == pytest.approx(1) and (p[counts == 0] == 0).all()
    weights = [c**power if c else 0 for c in counts.tolist()]
    np.testing.assert_allclose(p, np.array(weights) / sum(weights))
    assert (p[counts == counts.max()] <= noise(counts, 1.0)[counts == counts.max()] + 1e-12).all()


@given(st.lists(st.integers(0, 9999), min_size=1, max_size=9).filter(any), st.floats(1e-5, 1))
def test_kept_is_the_formula_of_word2vec_c(counts, sample):
    total = sum(counts)
    ours = keep_probability(np.array(counts), sample)
    for c, p in zip(counts, ours, strict=True):
        if c:
            ran = (math.sqrt(c / (sample * total)) + 1) * (sample * total) / c
            assert p == pytest.approx(min(1, ran))


def test_without_sub_sampling_everything_is_kept():
    assert keep_probability(np.array([10**9, 1, 0]), 0.0).tolist() == [1, 1, 1]


def test_the_rate_falls_on_a_line():
    assert [learning_rate(0.0), learning_rate(1.0)] == pytest.approx([0.025, 1e-4])
    falls = np.diff([learning_rate(i / 9) for i in range(10)])
    np.testing.assert_allclose(falls, (1e-4 - 0.025) / 9)


TOY = [np.array([0, 1, 2, 1] * 12), np.array([3, 4, 5, 4] * 12)]


@pytest.mark.parametrize("method", ["CBOW", "skip-gram", "negative sampling"])
def test_words_with_the_same_company_come_to_lie_together(method):
    U, V, losses = train(TOY, n=6, d=4, m=1, method=method, epochs=60, first=0.2)
    X = V / np.linalg.norm(V, axis=1, keepdims=True)
    assert X[0] @ X[2] > 0.9 > X[0] @ X[3]
    assert losses[-1] < losses[0] and len(losses) == 60 and U.shape == V.shape == (6, 4)


def test_the_first_epochs_loss_begins_at_what_knowing_nothing_costs():
    *_, losses = train(TOY, 6, 4, 1, method="CBOW", epochs=1, first=1e-3)
    assert losses[0] == pytest.approx(math.log(6), rel=1e-2)
    *_, losses = train(TOY, 6, 4, 1, epochs=1, first=1e-3, k=5)
    assert losses[0] == pytest.approx(6 * math.log(2), rel=1e-2)


def test_the_same_seed_gives_the_same_vectors_and_another_seed_others():
    once, again, other = (train(TOY, 6, 4, 1, epochs=2, seed=s)[1] for s in (0, 0, 1))
    np.testing.assert_array_equal(once, again)
    assert not np.allclose(once, other)


E = np.ones((3, 2))


@pytest.mark.parametrize("wrong", [-1, 3])
@pytest.mark.parametrize("objective", OBJECTIVES.values(), ids=OBJECTIVES)
def test_an_id_that_names_no_word_is_refused(objective, wrong):
    with pytest.raises(ValueError, match=rf"There is no word {wrong}: the 3 words have the ids"):
        objective(E, E, wrong, np.array([0]))
    with pytest.raises(ValueError, match=rf"There is no word {wrong}: the 3 words have the ids"):
        objective(E, E, 0, np.array([0, wrong]))


def test_empty_company_and_no_noise_are_refused():
    nobody = np.array([], dtype=int)
    with pytest.raises(ValueError, match="no context words"):
        cbow(E, E, nobody, 0)
    with pytest.raises(ValueError, match="no context words"):
        skip_gram(E, E, 0, nobody)
    with pytest.raises(ValueError, match="no noise words"):
        negative_sampling(E, E, 0, 1, nobody)


@pytest.mark.parametrize("power", [-0.1, 1.5, math.nan])
def test_a_power_outside_of_0_to_1_is_refused(power):
    with pytest.raises(ValueError, match="power lies between 0"):
        noise(np.array([1, 2]), power)


@pytest.mark.parametrize("counts", [[0, 0], [-1, 2], [math.nan, 1], [math.inf, 1]])
def test_noise_of_no_counts_is_refused(counts):
    with pytest.raises(ValueError, match="noise needs counts of 0 or more"):
        noise(np.array(counts))


@pytest.mark.parametrize("sample", [-0.1, math.inf, math.nan])
def test_a_sample_that_is_no_share_is_refused(sample):
    with pytest.raises(ValueError, match="sample is a relative frequency"):
        keep_probability(np.array([1, 2]), sample)


@pytest.mark.parametrize("done", [-0.1, 1.1])
def test_a_share_done_beyond_the_whole_is_refused(done):
    with pytest.raises(ValueError, match="share of the training lies in 0"):
        learning_rate(done)


def test_texts_without_pairs_and_unknown_settings_are_refused():
    with pytest.raises(ValueError, match="take a longer text"):
        train([np.array([0]), np.array([1])], 2, 2, 1)
    with pytest.raises(ValueError, match="no known word"):
        pairs(np.array([-1, -1]), 1)
    with pytest.raises(ValueError, match="no known word"):
        pairs([], 1)
    with pytest.raises(ValueError, match="window of 0 words"):
        pairs(np.array([0, 1]), 0)
    with pytest.raises(ValueError, match="check n"):
        train(np.array([0, 5]), 2, 2, 1)
    with pytest.raises(ValueError, match="'glove' is not CBOW"):
        train(TOY, 6, 2, 1, method="glove")
    for wrong in ({"k": 0}, {"epochs": 0}, {"d": 0}):
        with pytest.raises(ValueError, match="two words, and 1 or more of d, of epochs and of k"):
            train(**({"ids": TOY, "n": 6, "d": 2, "m": 1} | wrong))
