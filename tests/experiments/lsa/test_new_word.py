"""The experiment with hidden words: what is renamed, what is blanked, and how ranks are counted."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import csr_array

from experiments.lsa import new_word

GAP = [-1] * new_word.SETTINGS["window"]
ARTICLES = [[0, 1, 0, 2], [0, 2, 1], [2, 0], [1, 0, 0, 0], [2, 2, 1]]  # word 0 in four of five


@pytest.fixture
def corpus():
    text = np.array([word for article in ARTICLES for word in (*article, *GAP)], dtype=np.int32)
    lengths = [len(article) + len(GAP) for article in ARTICLES]
    article = np.repeat(np.arange(len(ARTICLES)), lengths)
    positions = [np.flatnonzero(text == word) for word in range(3)]
    return SimpleNamespace(text=text, article=article, positions=positions, vocabulary="abc")


@pytest.mark.parametrize("n", [1, 2, 50])
@pytest.mark.parametrize("seed", range(5))
def test_a_new_name_and_its_word_never_share_an_article(corpus, n, seed):
    word = np.array([0])
    text = new_word.renamed(corpus, word, word, n, np.random.default_rng(seed))
    named = corpus.article[text == 3]
    assert len(named) == len(set(named)) == min(n, 2)  # at most half of its four articles
    assert not set(named) & set(corpus.article[text == 0])
    others = corpus.text > 0
    np.testing.assert_array_equal(text[others], corpus.text[others])


def test_another_word_may_lend_its_passages(corpus):
    rng = np.random.default_rng(0)
    text = new_word.renamed(corpus, np.array([0]), np.array([2]), 1, rng)
    assert (text == 3).sum() == 1 and corpus.text[text == 3] == 2


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_the_rank_is_the_number_of_words_that_are_nearer_than_the_hidden_one(kind):
    vectors = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [2.0, 0.1]])
    names = np.array([[3.0, 0.0], [0.0, 2.0]])
    assert list(new_word.ranks(kind(names), kind(vectors), np.array([3, 0]))) == [1, 3]


def test_a_summary_counts_who_is_among_the_first():
    found = new_word.summary(np.array([0, 3, 30, 300]))
    assert found == {"median": 16.5, "top 10": 0.5, "top 100": 0.75}


def test_rows_of_the_same_method_are_gathered_into_one_with_a_list_over_the_draws():
    spread = {"median": 1.0, "top 10": 1.0, "top 100": 1.0}
    rows = [{"n": 5, "seed": seed, "passages of": "the word"} | spread for seed in (0, 1, 100)]
    gathered = new_word.gathered(rows)
    assert [(row["words"], row["median"]) for row in gathered] == [
        ("measured on", [1.0, 1.0]),
        ("chosen on", [1.0]),
    ]
