"""The Wikipedia extracts of exercise 1: small, whole, and as good as its page promises."""

import gzip

import numpy as np
import pytest
from answers import RIGHT

from experiments.lsa import extracts as script
from firth.lsa.extracts import LEFT_OUT, extracts, rated_pairs
from firth.lsa.similarity import cosine, spearman
from firth.store.results import DATA

PIECES = extracts()
NAMES = sorted({word for piece in PIECES for word in piece} - {LEFT_OUT})


def correlation(vectors):
    pairs = [(NAMES.index(a), NAMES.index(b), rating) for a, b, rating in rated_pairs()]
    i, j, ratings = np.array(pairs).T
    i, j = i.astype(int), j.astype(int)
    return spearman(cosine(vectors[i], vectors[j]), ratings)


def test_the_file_is_small_and_holds_what_the_exercise_says():
    assert (DATA / "lsa/extracts.txt.gz").stat().st_size <= 150_000
    assert (len(PIECES), len(NAMES), len(rated_pairs())) == (5000, 600, 155)
    assert max(map(len, PIECES)) <= script.WIDTH
    assert all(a in NAMES and b in NAMES for a, b, _ in rated_pairs())


def test_a_line_of_the_file_says_what_the_extract_says():
    lines = gzip.decompress((DATA / "lsa/extracts.txt.gz").read_bytes()).decode().splitlines()
    for line, piece in list(zip(lines, PIECES, strict=True))[::100]:
        ids = [NAMES.index(word) if word != LEFT_OUT else -1 for word in piece]
        assert script.with_gaps(ids, NAMES) == line


def test_a_long_gap_is_cut_where_no_window_of_ten_reaches_across():
    assert script.with_gaps([0, *[-1] * 25, 1], ["a", "b"]) == "a 10 b"


def test_residual_idf_tells_topics_from_function_words(monkeypatch):
    monkeypatch.setattr(script, "TEXT", 4)
    articles = [["the", "ship", "ship", "ship"], ["the", "old", "red", "hen"]] * 4
    residual = script.residual_idf(articles + [["the", "a", "b", "c"]] * 8)
    assert residual["ship"] > residual["old"] > residual["the"]


@pytest.mark.filterwarnings("ignore")
def test_weighting_and_compression_beat_the_counts_on_the_rated_pairs():
    number = {word: i for i, word in enumerate(NAMES)}
    texts = [np.array([number.get(word, -1) for word in piece]) for piece in PIECES]
    C = RIGHT["cooccurrence"](texts, len(NAMES), 5)
    P = RIGHT["ppmi"](C)
    vectors = RIGHT["word_vectors"](P, 100)
    assert correlation(C) < 0.5 < correlation(P) and correlation(vectors) > 0.53
    near = [NAMES[j] for j in RIGHT["neighbours"](vectors, NAMES.index("music"), 4)]
    assert set(near) <= {"jazz", "rock", "band", "album", "songs", "dance"}
