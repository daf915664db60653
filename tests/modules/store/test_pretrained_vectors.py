"""Models: what others trained arrives whole, in order, and as numbers alone."""

import numpy as np
import pytest

from firth.store import downloads, parquet, pretrained_vectors


@pytest.fixture(scope="module")
def glove():
    return pretrained_vectors.glove()


def test_every_word_of_glove_has_its_row(glove):
    words, vectors = glove
    assert len(words) == len(set(words)) == 400_000
    assert vectors.shape == (400_000, 50) and vectors.dtype == np.float32
    assert vectors.flags.c_contiguous and np.isfinite(vectors).all()
    assert words[:5] == ["the", ",", ".", "of", "to"] and words[-1] == "sandberger"


def test_the_first_row_is_that_of_the_published_text_file(glove):
    _, vectors = glove
    published = np.array([0.418, 0.24968, -0.41242, 0.1217, 0.34527], dtype=np.float32)
    assert np.array_equal(vectors[0, :5], published)


def test_S13_the_nearest_to_king_minus_man_plus_woman_is_king_and_then_queen(glove):
    """A check that words and rows belong together: shifted by one, it would not come out."""
    words, vectors = glove
    row = {word: n for n, word in enumerate(words[:50_000])}
    asked = vectors[row["king"]] - vectors[row["man"]] + vectors[row["woman"]]
    nearness = vectors @ asked / np.linalg.norm(vectors, axis=1) / np.linalg.norm(asked)
    first, second = np.argsort(-nearness)[:2]
    assert (words[first], words[second]) == ("king", "queen")
    assert nearness[second] == pytest.approx(0.861, abs=5e-4)


def test_the_most_frequent_words_alone_are_the_beginning(glove):
    words, vectors = pretrained_vectors.glove(2000)
    assert words == glove[0][:2000] and np.array_equal(vectors, glove[1][:2000])
    assert vectors.flags.c_contiguous and vectors.flags.writeable


@pytest.mark.parametrize("n", [0, -1, 400_001])
def test_more_words_than_there_are_or_none_are_refused(n):
    with pytest.raises(ValueError, match="vectors of 1 to 400,000 words"):
        pretrained_vectors.glove(n)


def test_reading_the_published_list_again_gives_the_recorded_bytes(tmp_path):
    fresh = tmp_path / "words"
    fresh.write_bytes(pretrained_vectors.glove_words())
    assert downloads.intact(fresh, downloads.sources("made")["glove_words"])
    assert len(parquet.column(downloads.fetch("glove_index"))) == pretrained_vectors.GLOVE
