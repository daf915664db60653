"""Word arithmetic against gensim and a slow loop."""

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given, settings
from hypothesis import strategies as st

from firth.store import corpora, pretrained_vectors
from firth.word2vec import analogies
from firth.word2vec.analogies import accuracy, analogy, answers


def some_vectors(seed, n=12, d=4):
    return np.random.default_rng(seed).normal(size=(n, d))


@given(st.integers(0, 999), st.permutations(range(12)), st.booleans())
def test_the_answer_is_the_one_that_a_loop_over_all_words_finds(seed, order, exclude):
    X = some_vectors(seed)
    a, b, c = order[:3]
    x, y, z = (X[i] / np.linalg.norm(X[i]) for i in (a, b, c))
    place = y - x + z
    cosines = [
        X[i] @ place / np.linalg.norm(X[i]) / np.linalg.norm(place)
        for i in range(12)
        if not (exclude and i in (a, b, c))
    ]
    names = [i for i in range(12) if not (exclude and i in (a, b, c))]
    best, found = analogy(X, a, b, c, n=4, exclude=exclude)
    assert best.tolist() == [names[i] for i in np.argsort(-np.array(cosines))[:4]]
    np.testing.assert_allclose(found, sorted(cosines, reverse=True)[:4])


@given(st.integers(0, 999), st.integers(1, 40), st.booleans())
def test_many_questions_at_once_are_answered_as_one_by_one(seed, cells, exclude):
    X = some_vectors(seed)
    asked = np.random.default_rng(seed).integers(12, size=(7, 3))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(analogies, "COSINES", cells)
        at_once = answers(X, asked, exclude)
    assert at_once.tolist() == [analogy(X, *row, exclude=exclude)[0][0] for row in asked]


@settings(max_examples=20)
@given(st.integers(0, 999))
def test_accuracy_by_category_is_gensims(seed):
    words = [f"w{i}" for i in range(30)]
    X = some_vectors(seed, n=30, d=3).astype(np.float32)
    rng = np.random.default_rng(seed)
    questions = {
        name: [tuple(f"w{i}" for i in rng.choice(33, 4, replace=False)) for _ in range(40)]
        for name in ("first", "second")
    }
    peer = KeyedVectors(3)
    peer.add_vectors(words, X)
    right = 0
    ours = accuracy(words, X, questions)
    for name, some in questions.items():
        known = [four for four in some if {*four} <= {*words}]
        theirs = [
            peer.most_similar(positive=[b, c], negative=[a], topn=1)[0][0] == d
            for a, b, c, d in known
        ]
        assert ours[name] == (sum(theirs), len(known), 40)
        right += sum(theirs)
    assert ours["all"] == (right, ours["first"][1] + ours["second"][1], 80)


def test_parallels_are_completed_whatever_the_length_of_the_vectors():
    step = np.array([0.0, 0.0, 1.0])
    X = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0]] * 2, float)
    X[3:] += step
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    long = X * np.arange(1, 7)[:, None]
    assert analogy(long, 0, 3, 1)[0] == [4] and analogy(X, 0, 3, 1)[0] == [4]


def test_S13_king_less_man_plus_woman_is_queen_once_the_three_words_are_left_out():
    words, vectors = pretrained_vectors.glove(20_000)
    place = {word: i for i, word in enumerate(words)}
    asked = [place[word] for word in ("man", "woman", "king")]
    best, cosines = analogy(vectors, *asked, n=3)
    assert words[best[0]] == "queen" and cosines[0] == pytest.approx(0.86, abs=0.01)
    assert words[analogy(vectors, *asked, exclude=False)[0][0]] == "king"


def test_S13_custom_does_a_part_of_the_arithmetic_on_real_vectors():
    words, vectors = pretrained_vectors.glove(10_000)
    family = {"family": corpora.analogies()["family"]}
    right, asked, given_ = accuracy(words, vectors, family)["all"]
    without, *_ = accuracy(words, vectors, family, exclude=False)["all"]
    assert given_ >= asked > 200 and right > 0.7 * asked > without


def test_the_four_words_must_be_known_and_the_question_possible():
    X = some_vectors(0)
    with pytest.raises(ValueError, match="have ids from 0 to 11"):
        analogy(X, 0, 1, 12)
    with pytest.raises(ValueError, match="have ids from 0 to 11"):
        analogy(X, -1, 1, 2)
    with pytest.raises(ValueError, match="Ask for 1 to 9 answers, not 10"):
        analogy(X, 0, 1, 2, n=10)
    with pytest.raises(ValueError, match="Ask for 1 to 12 answers, not 0"):
        analogy(X, 0, 1, 2, n=0, exclude=False)
    with pytest.raises(ValueError, match="No question has four words that are known"):
        accuracy(["a", "b"], X[:2], {"one": [("a", "b", "a", "zorf")]})
    with pytest.raises(ValueError, match="give each word one row"):
        accuracy(["a"], X, {})
