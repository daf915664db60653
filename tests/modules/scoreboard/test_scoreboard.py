"""The scoreboard: the same questions to every method, and only whole rows."""

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics.pairwise import paired_cosine_distances

from experiments.lsa import scoreboard_row
from firth.display import table
from firth.lsa.counts import vocabulary, word_ids, words
from firth.lsa.similarity import cosine, spearman
from firth.scoreboard import scoreboard
from firth.store import corpora
from firth.store.results import stored_result

ROW = {
    "method": "guess",
    "chapter": 1,
    "block": "trained here",
    "settings": "none",
    "wordsim353": 0.1,
    "wordsim353_pairs": 330,
    "simlex999": 0.05,
    "simlex999_pairs": 950,
    "news": 0.1,
    "words": 3_000_000,
    "seconds": 1.5,
    "machine": "a desk",
}


@pytest.fixture
def file(tmp_path):
    return tmp_path / "scoreboard.json"


@pytest.fixture(scope="module")
def guesses():
    """A vocabulary that knows every pair and some words of the news, with vectors of chance."""
    known = {
        word
        for name in ("wordsim353", "simlex999")
        for a, b, _ in corpora.word_pairs(name)
        for word in (a, b)
    }
    vocabulary = sorted(known)
    vectors = np.random.default_rng(0).normal(size=(len(vocabulary), 20))
    return vocabulary, vectors, scoreboard.score(vocabulary, vectors)


@pytest.mark.parametrize("name", ["wordsim353", "simlex999"])
def test_similarity_is_scipys_spearman_of_sklearns_cosine(guesses, name):
    vocabulary, vectors, scores = guesses
    pairs = corpora.word_pairs(name)
    x, y = (vectors[[vocabulary.index(pair[side]) for pair in pairs]] for side in (0, 1))
    oracle = spearmanr(-paired_cosine_distances(x, y), [pair[2] for pair in pairs])[0]
    assert scores[name] == pytest.approx(oracle, abs=5e-5)
    assert scores[f"{name}_pairs"] == len(pairs)


def test_vectors_that_are_the_ratings_score_one(monkeypatch):
    rated = [("a", "b", 3.0), ("a", "c", 2.0), ("a", "d", 1.0), ("a", "unheard", 9.0)]
    monkeypatch.setattr(corpora, "word_pairs", lambda name: rated)
    monkeypatch.setattr(scoreboard, "news_told", lambda place, vectors: np.zeros(9, dtype=bool))
    vectors = np.array([[1, 0], [2, 0.1], [1, 1], [0, 3]])
    scores = scoreboard.score(["a", "b", "c", "d"], vectors)
    assert scores["wordsim353"] == 1 and scores["wordsim353_pairs"] == 3


def test_the_length_of_a_vector_does_not_matter(guesses):
    vocabulary, vectors, scores = guesses
    lengths = np.random.default_rng(1).uniform(0.5, 2, size=(len(vectors), 1))
    assert scoreboard.score(vocabulary, vectors * lengths) == scores


def test_desks_are_told_from_telling_words_and_not_from_none():
    words = ["election", "yoga", "film", "hotel", "fashion", "baby", "recipe", "company", "team"]
    told = scoreboard.news_told(dict(zip(words, range(9), strict=True)), np.eye(9)).mean()
    blind = scoreboard.news_told({"unheard-of": 0}, np.eye(9)).mean()
    assert blind == pytest.approx(0.1) and told > 0.13


def test_pairs_that_are_not_known_have_no_answer(monkeypatch):
    rated = [("a", "b", 3.0), ("a", "unheard", 9.0), ("a", "c", 2.0)]
    monkeypatch.setattr(corpora, "word_pairs", lambda name: rated)
    monkeypatch.setattr(scoreboard, "news_told", lambda place, vectors: np.array([True, False]))
    found = scoreboard.answers(["a", "b", "c"], np.array([[1, 0], [2, 0], [0, 1]]))
    np.testing.assert_array_equal(found["wordsim353"], [1, np.nan, 0])
    np.testing.assert_array_equal(found["news"], [1, 0])


@pytest.mark.parametrize(
    ("vocabulary", "vectors", "complaint"),
    [
        (["a", "b"], np.eye(3), "2 words and 3 vectors"),
        (["a", "b"], np.full((2, 2), np.nan), "NaN or infinity"),
        (["a", "b"], np.eye(2), "knows 0 of the pairs of wordsim353"),
    ],
)
def test_vectors_that_cannot_be_scored_are_refused(vocabulary, vectors, complaint):
    with pytest.raises(ValueError, match=complaint):
        scoreboard.score(vocabulary, vectors)


def test_a_board_without_rows_is_empty(file):
    assert scoreboard.read(file) == []


def test_a_row_that_is_written_is_read_again(file):
    scoreboard.write(ROW, file)
    assert scoreboard.read(file) == [ROW]


def test_the_same_method_takes_the_place_of_its_earlier_row(file):
    scoreboard.write(ROW, file)
    scoreboard.write(ROW | {"news": 0.2}, file)
    assert [row["news"] for row in scoreboard.read(file)] == [0.2]


def test_rows_stand_by_block_chapter_and_name_whatever_came_first(file):
    later = ROW | {"chapter": 2}
    other = ROW | {"block": "trained elsewhere"}
    named = ROW | {"method": "a method"}
    for row in (other, later, ROW, named):
        scoreboard.write(row, file)
    assert scoreboard.read(file) == [named, ROW, later, other]


def test_the_order_of_writing_does_not_change_the_file(tmp_path):
    rows = [ROW, ROW | {"chapter": 2}, ROW | {"method": "a method"}]
    for name, sequence in (("a", rows), ("b", rows[::-1])):
        for row in sequence:
            scoreboard.write(row, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("column", scoreboard.COLUMNS)
def test_a_row_with_a_missing_column_is_refused_and_the_board_stays(file, column):
    scoreboard.write(ROW, file)
    before = file.read_bytes()
    row = {name: value for name, value in ROW.items() if name != column}
    with pytest.raises(ValueError, match=f"no {column}"):
        scoreboard.write(row, file)
    assert file.read_bytes() == before and list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"news": float("nan")}, "'news' holds nan"),
        ({"news": "0.5"}, "'news' holds '0.5'"),
        ({"chapter": True}, "'chapter' holds True"),
        ({"block": "trained at home"}, "The block is 'trained at home'"),
        ({"analogies": 0.4}, "no column 'analogies'"),
    ],
)
def test_a_row_that_says_something_else_is_refused(file, change, complaint):
    with pytest.raises(ValueError, match=complaint):
        scoreboard.write(ROW | change, file)
    assert not file.exists()


def test_a_board_that_is_not_json_is_refused(file):
    file.write_text('[{"method": ')
    with pytest.raises(ValueError, match="take it from the repository again"):
        scoreboard.read(file)


def test_a_write_that_fails_leaves_the_old_board(file, monkeypatch):
    scoreboard.write(ROW, file)
    before = file.read_bytes()

    def broken(*_):
        raise OSError("the lights went out")

    monkeypatch.setattr(scoreboard.os, "replace", broken)
    with pytest.raises(OSError, match="lights"):
        scoreboard.write(ROW | {"news": 0.3}, file)
    assert file.read_bytes() == before and list(file.parent.iterdir()) == [file]


def test_a_chapter_shows_the_rows_up_to_its_own():
    rows = [ROW, ROW | {"chapter": 2}]
    lines, header = scoreboard.board(rows, last=1)
    assert len(lines) == 1
    assert "0.10" in repr(table(lines, header, "So far"))


def test_the_committed_board_is_in_order_and_whole():
    assert stored_result("scoreboard/scoreboard") == scoreboard.read()


def test_on_the_committed_board_weighting_beats_raw_counts():
    rows = {row["method"]: row for row in scoreboard.read() if row["chapter"] == 1}
    raw, weighted = rows["counts + SVD"], rows["PPMI + SVD"]
    assert all(weighted[name] > raw[name] for name in ("wordsim353", "simlex999", "news"))


def test_a_fifth_of_the_corpus_already_says_that_weighting_beats_raw_counts():
    articles = [words(article) for article in corpora.scoreboard()[:500]]
    known = vocabulary((word for article in articles for word in article), 5)
    documents = [word_ids(article, known) for article in articles]
    place = {word: i for i, word in enumerate(known)}
    pairs = [p for p in corpora.word_pairs("wordsim353") if {*p[:2]} <= place.keys()]
    a, b, ratings = zip(*pairs, strict=True)

    def related(method, **chosen):
        vectors = scoreboard_row.word_vectors(documents, len(known), method, 50, **chosen)
        x, y = (vectors[[place[word] for word in side]] for side in (a, b))
        return spearman(cosine(x, y), np.array(ratings))

    raw = related("counts + SVD", window=5)
    assert related("PPMI + SVD", window=5, smoothing=1.0) > raw + 0.1
