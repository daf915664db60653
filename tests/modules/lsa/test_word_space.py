"""The space of words that a page gets: what is in it, and that a new word is a sum of its rows."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from firth.lsa import counts, lsa, word_space
from firth.lsa.similarity import cosine_table, unit
from firth.lsa.word_space import eigenvalue_signs, idf, neighbour_counts
from firth.store import corpora
from firth.store.weights import dequantize


@pytest.fixture
def small_corpus(monkeypatch):
    """Forty articles of eighty words each, of which the space keeps the first sixty."""
    rng = np.random.default_rng(0)
    names = [f"w{i}" for i in range(90)]
    articles = [" ".join(rng.choice(names, 200)) for _ in range(40)]
    monkeypatch.setattr(corpora, "scoreboard", lambda: articles)
    monkeypatch.setattr(word_space, "SIZE", 60)
    word_space.corpus.cache_clear()
    yield articles
    word_space.corpus.cache_clear()


def test_with_the_signs_a_row_of_the_table_is_the_sum_of_its_neighbours():
    rng = np.random.default_rng(1)
    A = rng.integers(0, 5, (30, 30))
    A = A + A.T
    U, s, Vt = lsa.svd(A, 30)
    signs = eigenvalue_signs(U, Vt)
    assert {*signs} == {-1, 1}
    np.testing.assert_allclose(A @ (U * signs), U * s, atol=1e-9)


def test_idf_counts_the_words_that_have_met_a_word():
    rng = np.random.default_rng(2)
    C = rng.poisson(0.3, (40, 40))
    C = C + C.T
    C[:, 7] = C[7] = 0
    expected = [np.log(40 / max(1, sum(C[w, c] > 0 for w in range(40)))) for c in range(40)]
    np.testing.assert_allclose(idf(csr_array(C)), expected)


@pytest.mark.parametrize("weighting", word_space.WEIGHTINGS)
def test_a_space_holds_the_rows_of_the_svd_in_the_order_of_frequency(small_corpus, weighting):
    said = []
    space = word_space.word_space(2, weighting, said.append)
    vocabulary, documents = word_space.corpus()
    assert space["words"].split(" ") == vocabulary[:60] and len(vocabulary) > 60 and len(said) == 3
    C = counts.cooccurrence(documents, len(vocabulary), 2)
    A = C if weighting == "counts" else counts.ppmi(C)
    U, s, _ = np.linalg.svd(A.toarray().astype(float))
    exact = unit((U[:, :60] * np.sqrt(s[:60]))[:60])
    found = dequantize(space["vectors"]).T
    assert found.shape == (60, 60)
    assert abs(cosine_table(found, found) - cosine_table(exact, exact)).max() < 0.02
    np.testing.assert_allclose(dequantize(space["idf"]), idf(C)[:60], atol=idf(C).max() / 500)


def test_the_tables_are_symmetric(small_corpus):
    vocabulary, documents = word_space.corpus()
    C = counts.cooccurrence(documents, len(vocabulary), 5)
    for weighting in word_space.WEIGHTINGS:
        A = word_space.weighted_table(C, weighting)
        assert abs(A - A.T).max() < 1e-12


def test_neighbours_are_counted_within_a_sentence_and_the_name_itself_never():
    known = {word: i for i, word in enumerate(["the", "tea", "cup", "zorf", "hot"])}
    found = neighbour_counts(
        ["The hot zorf cup", "zorf zorf tea", "tea the cup"], "zorf", known, m=1
    )
    assert found == {"hot": 1, "cup": 1, "tea": 1}
    assert neighbour_counts(["The hot zorf cup"], "zorf", known, m=2) == {
        "the": 1,
        "hot": 1,
        "cup": 1,
    }
    assert neighbour_counts(["the cup"], "zorf", known, m=2) == {}
