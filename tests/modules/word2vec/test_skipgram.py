"""Fast training, against word2vec's own gradients one by one, and where it must arrive."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firth.lsa import counts
from firth.lsa.counts import windows
from firth.lsa.similarity import cosine_table
from firth.store import corpora
from firth.word2vec import skipgram
from firth.word2vec.skipgram import expected, expected_counts, sampled, steps
from firth.word2vec.word2vec import negative_sampling, noise

GROUPS = [np.array([0, 1, 2, 1] * 400), np.array([3, 4, 5, 4] * 400)]
TRAINERS = {
    "skip-gram": sampled,
    "CBOW": lambda *given, **chosen: sampled(*given, method="CBOW", **chosen),
    "corrected CBOW": lambda *given, **chosen: sampled(
        *given, **{"method": "corrected CBOW", "first": 0.1} | chosen
    ),
    "expected": lambda *given, **chosen: expected(*given, **{"pieces": 1} | chosen),
}


def fresh(n, d, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(n, d)).astype(np.float32) * 0.5 for _ in "VU"]


class Draws:
    """The numbers that the compiled loop draws: a window, or k noise words."""

    def __init__(self, state, table):
        self.state, self.table = state, table

    def number(self):
        self.state = (self.state * 25214903917 + 11) % 2**64
        return self.state >> 16

    def noise(self, k):
        return [int(self.table[self.number() % len(self.table)]) for _ in range(k)]


def slow_steps(row, V, U, m, k, table, a, state, method):
    """What `steps` does, with the gradients of firth.word2vec.word2vec, in float64."""
    V, U, drawn = V.astype(float), U.astype(float), Draws(state, table)
    for t, w in enumerate(row.tolist()):
        if w < 0:
            continue
        reach = 1 + drawn.number() % m
        company = [c for c in [*row[max(0, t - reach) : t], *row[t + 1 : t + 1 + reach]] if c >= 0]
        if "CBOW" in method and company:
            company = np.array(company)
            noise_words = [j for j in drawn.noise(k) if j != w]
            h = V[company].mean(axis=0, keepdims=True)
            _, dU, dh = negative_sampling(U, np.repeat(h, len(U), 0), 0, w, np.array(noise_words))
            U -= a * dU
            share = 1 / len(company) if method == "corrected CBOW" else 1
            np.add.at(V, company, -a * share * dh[0])
        else:
            for o in company:
                noise_words = [j for j in drawn.noise(k) if j != o]
                _, dU, dV = negative_sampling(U, V, w, o, np.array(noise_words))
                U -= a * dU
                V -= a * dV
    return V, U


@pytest.mark.parametrize("method", skipgram.METHODS)
@settings(max_examples=25)
@given(st.integers(0, 999), st.integers(1, 4), st.integers(6, 9))
def test_the_compiled_loops_take_the_steps_of_the_readable_module(method, seed, m, k):
    rng = np.random.default_rng(seed)
    row = rng.integers(-1, 12, 30).astype(np.int32)
    table = rng.integers(3000, size=skipgram.TABLE).astype(np.int32)  # seldom a word twice
    V, U = fresh(3000, 5, seed)
    slow = slow_steps(row, V, U, m, k, table, 0.1, seed, method)
    a, state = np.float32(0.1), np.uint64(seed)
    steps(row, 0, len(row), V, U, m, k, table, a, state, skipgram.METHODS.index(method))
    for ours, theirs in zip((V, U), slow, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=0.02)  # σ comes from a table of 1,024


@settings(max_examples=25)
@given(st.integers(0, 999), st.integers(1, 4))
def test_one_step_in_expectation_is_the_mean_of_all_that_could_be_drawn(seed, m):
    rng = np.random.default_rng(seed)
    ids = rng.integers(-1, 6, 20)
    ids[:2] = 0, 1
    V, U = (M.astype(float) for M in fresh(6, 3, seed))
    dV, dU, k = np.zeros_like(V), np.zeros_like(U), 4
    counts = np.bincount(ids[ids >= 0], minlength=6)
    present = 1 - np.exp(-skipgram.PIECE * 50 * counts / counts.sum())
    p = noise(counts) / np.maximum(present, 1e-12)
    for t, w in enumerate(ids):
        for s, o in enumerate(ids):
            if w < 0 or o < 0 or not 0 < abs(s - t) <= m:
                continue
            chance = (m + 1 - abs(s - t)) / m  # of a window that reaches as far
            for c in np.flatnonzero(counts):  # the gradient of the word seen, and of each noise
                _, together, togetherV = negative_sampling(U, V, w, o, np.array([c]))
                _, twice, twiceV = negative_sampling(U, V, w, o, np.array([c, c]))
                alone, aloneV = twice - together, twiceV - togetherV
                share = k * p[c] * chance
                dU += share * alone
                dV += share * aloneV
            dU += chance * (together - alone)
            dV += chance * (togetherV - aloneV)
    a = 0.01
    V1, U1 = expected(ids, 6, 3, m=m, k=k, epochs=1, first=a, sample=0.0, pieces=50, start=(V, U))
    np.testing.assert_allclose(V1, V - a * dV, atol=2e-5)
    np.testing.assert_allclose(U1, U - a * dU, atol=2e-5)


def test_expected_counts_are_the_mean_over_windows_of_all_sizes():
    pieces = np.random.default_rng(0).integers(-1, 9, (6, 15))
    here, X = expected_counts(pieces, 4)
    slow = np.zeros((9, 9))
    for m in range(1, 5):
        for piece in pieces:
            for w, company in windows(piece.tolist(), m):
                for c in company:
                    if min(w, c) >= 0:
                        slow[w, c] += 1 / 4
    assert here.tolist() == list(range(9))
    np.testing.assert_allclose(X, slow, rtol=1e-6)


def test_the_fixed_point_is_pmi_less_log_k():
    """Levy and Goldberg's theorem, reached: with as many dimensions as words, cell by cell."""
    rng = np.random.default_rng(0)
    ids, k = rng.choice(6, 20, p=[0.3, 0.2, 0.2, 0.1, 0.1, 0.1]), 2
    pieces = np.array([np.append(ids, [-1] * 5)])
    _, X = expected_counts(pieces, 4)
    V, U = expected(ids, 6, 6, m=4, k=k, epochs=6000, first=0.1, sample=0.0, pieces=40)
    counts = np.bincount(ids, minlength=6)
    chance = noise(counts) / -np.expm1(-40 * skipgram.PIECE * counts / counts.sum())
    met = X > 0
    pmi = np.log(np.where(met, X, 1) / (X.sum(axis=1, keepdims=True) * chance))
    assert met.mean() > 0.5
    np.testing.assert_allclose((V @ U.T)[met], (pmi - np.log(k))[met], atol=0.05)
    assert ((V @ U.T)[~met] < -3).all()  # log 0: on its way


@pytest.mark.parametrize("name", TRAINERS)
def test_words_with_the_same_company_come_to_lie_together(name):
    V, U = TRAINERS[name](GROUPS, 6, 8, m=1, epochs=20, first=0.05, sample=0.0)
    assert V.shape == U.shape == (6, 8) and V.dtype == U.dtype == np.float32
    near = cosine_table(V, V)
    assert near[0, 2] > 0.9 and near[3, 5] > 0.9 and near[0, 3] < 0.7


@pytest.mark.parametrize("name", TRAINERS)
def test_a_seed_decides_everything_with_one_thread(name):
    once, again, other = (TRAINERS[name](GROUPS, 6, 4, epochs=2, seed=s)[0] for s in (0, 0, 1))
    np.testing.assert_array_equal(once, again)
    assert not np.allclose(once, other)


def test_corrected_cbow_takes_the_gradient_of_the_loss_of_cbow():
    """With only one word to draw as noise, a step is that of J with the mean h."""
    V, U = fresh(3, 4)
    row, near, w, other = np.array([0, 2, 1], np.int32), np.array([0, 1]), 2, 0
    table = np.full(skipgram.TABLE, other, np.int32)

    def J(V):
        score = U.astype(float) @ V[near].mean(axis=0)
        return np.logaddexp(0, -score[w]) + np.logaddexp(0, score[other])

    slope, small = np.zeros((3, 4)), 1e-6
    for place in np.ndindex(3, 4):
        step = np.zeros((3, 4))
        step[place] = small
        slope[place] = (J(V + step) - J(V - step)) / (2 * small)
    after, a = V.copy(), np.float32(0.1)
    corrected = skipgram.METHODS.index("corrected CBOW")
    steps(row, 1, 2, after, U.copy(), 1, 1, table, a, np.uint64(1), corrected)
    np.testing.assert_allclose(after, V - 0.1 * slope, atol=2e-3)


@pytest.mark.parametrize("name", TRAINERS)
def test_the_rate_goes_from_first_to_last(name, monkeypatch):
    asked = []
    monkeypatch.setattr(skipgram, "learning_rate", lambda *given: asked.append(given) or 0.05)
    TRAINERS[name](GROUPS, 6, 4, epochs=2, first=0.1, last=0.07)
    assert {given[1:] for given in asked} == {(0.1, 0.07)} and asked[0][0] == 0


def test_two_threads_learn_what_one_learns():
    text = [np.tile(ids, 60) for ids in GROUPS]
    V, _ = sampled(text, 6, 8, m=1, epochs=2, first=0.05, sample=0.0, threads=2)
    near = cosine_table(V, V)
    assert near[0, 2] > 0.9 and near[3, 5] > 0.9


@pytest.mark.parametrize("name", TRAINERS)
def test_training_goes_on_from_vectors_given_and_leaves_them_as_they_were(name):
    start = TRAINERS[name](GROUPS, 6, 4, epochs=1)
    before = [M.copy() for M in start]
    after = TRAINERS[name](GROUPS, 6, 4, epochs=1, start=start)
    for old, kept_, new in zip(before, start, after, strict=True):
        np.testing.assert_array_equal(old, kept_)
        assert not np.allclose(old, new)


@pytest.mark.parametrize("name", TRAINERS)
def test_documents_do_not_meet(name):
    apart = [np.array([0, 1]), np.array([2, 3])] * 300
    V, U = TRAINERS[name](apart, 4, 6, m=3, k=1, epochs=30, first=0.05, sample=0.0)
    scores = V @ U.T
    assert min(scores[0, 1], scores[2, 3]) > 1 > -1 > max(scores[0, 2], scores[1, 3])


def test_unknown_words_are_never_touched_and_a_word_that_never_comes_keeps_its_vector():
    text = [np.array([0, -1, 1, 0, -1, 1] * 50)]
    for trainer in TRAINERS.values():
        V, U = fresh(3, 4)
        after = trainer(text, 3, 4, epochs=1, sample=0.0, start=(V, U))
        np.testing.assert_array_equal(after[0][2], V[2])
        np.testing.assert_array_equal(after[1][2], U[2])


def test_a_long_run_says_how_far_it_has_come_below_the_page(capsys):
    sampled(GROUPS, 6, 4, epochs=1)
    expected(GROUPS, 6, 4, epochs=1)
    said = capsys.readouterr()
    assert said.out == "" and "Training skip-gram" in said.err


@pytest.mark.parametrize("name", TRAINERS)
def test_what_cannot_be_trained_on_is_refused_in_a_sentence(name):
    train = TRAINERS[name]
    with pytest.raises(ValueError, match="one single word"):
        train([np.zeros(9, int)], 2, 4)
    with pytest.raises(ValueError, match="no known word"):
        train([np.array([-1, -1])], 2, 4)
    with pytest.raises(ValueError, match="check n"):
        train([np.array([0, 7])], 2, 4)
    with pytest.raises(ValueError, match="window of 0 words"):
        train(GROUPS, 6, 4, m=0)
    with pytest.raises(ValueError, match="power lies between"):
        train(GROUPS, 6, 4, power=2.0)
    with pytest.raises(ValueError, match="sample is a relative frequency"):
        train(GROUPS, 6, 4, sample=-1.0)
    with pytest.raises(ValueError, match="Start from a V and a U of 6 × 4, not"):
        train(GROUPS, 6, 4, start=tuple(fresh(6, 3)))
    for wrong in ({"k": 0}, {"epochs": 0}):
        with pytest.raises(ValueError, match="1 or more of d, of epochs and of k"):
            train(GROUPS, 6, 4, **wrong)


def test_an_unknown_method_and_no_thread_are_refused():
    with pytest.raises(ValueError, match="'glove' is no method: take one of skip-gram, CBOW"):
        sampled(GROUPS, 6, 4, method="glove")
    with pytest.raises(ValueError, match="one thread or more, not 0"):
        sampled(GROUPS, 6, 4, threads=0)


def test_vectors_that_grow_without_end_are_not_handed_over():
    with pytest.raises(
        ValueError, match="grown without end: take a smaller `first` or fewer pieces"
    ):
        expected(GROUPS, 6, 4, first=50.0, sample=0.0)


def test_S13_words_drawn_by_chance_are_alike_after_one_epoch_and_not_after_many():
    texts = [counts.words(article) for article in corpora.scoreboard()[:60]]
    vocabulary = counts.vocabulary((word for text in texts for word in text), min_count=5)
    ids = [counts.word_ids(text, vocabulary) for text in texts]
    alike = []
    for epochs in (1, 30):
        V, _ = sampled(ids, len(vocabulary), 32, m=3, epochs=epochs)
        table = cosine_table(V[:500], V[:500])
        alike.append(table[np.triu_indices(500, k=1)].mean())
    assert alike[0] > 0.8 and alike[1] < alike[0] - 0.2


def test_every_part_of_an_epoch_draws_its_own_noise(monkeypatch):
    states = []
    monkeypatch.setattr(skipgram, "steps", lambda *given: states.append(given[-2]))
    text = np.tile(np.arange(4), skipgram.PART)  # four parts, and a start of a fifth at most
    sampled([text], n=4, d=2, epochs=2, sample=0.0)
    assert len(states) >= 8 and len(set(states)) == len(states)
