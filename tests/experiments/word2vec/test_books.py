"""King and queen on a shelf of books: the text is cut as the slides cut theirs."""

import numpy as np
import pytest

from experiments.word2vec import books
from experiments.word2vec.training import stored


def mean(rows: list[dict], method: str, epochs: int, measure) -> float:
    found = [measure(row) for row in rows if (row["method"], row["epochs"]) == (method, epochs)]
    assert len(found) == len(books.SEEDS)
    return float(np.mean(found))


def test_a_book_becomes_sentences_without_stop_words():
    text = '"Will the king come?" she asked. The queen\nwaited!\n\nCHAPTER II\n\nIt was he.'
    assert books.sentences(text) == [
        ["king", "come"],
        ["asked"],
        ["queen", "waited"],
        ["chapter", "ii"],
    ]


def test_what_all_vectors_share_is_measured_and_can_be_taken_off():
    rng = np.random.default_rng(0)
    vocabulary = ["king", "queen", *(f"word{i}" for i in range(200))]
    V = rng.normal(size=(202, 8)) + 10
    found = books.measured(V, vocabulary)
    assert found["random"] > 0.9 and found["common"] > 0.9
    assert found["king"][0][1] > 0.9 > found["king, less the mean"][-1][1]
    assert len(found["queen"]) == books.SHOWN and "queen" not in dict(found["queen"])


def test_S13_random_words_are_alike_after_few_epochs_and_less_after_more():
    rows = stored("books")["rows"]
    for method in books.METHODS:
        alike = [mean(rows, method, epochs, lambda row: row["random"]) for epochs in books.EPOCHS]
        assert alike == sorted(alike, reverse=True) and alike[0] > 0.9 > 0.5 > alike[-1]


def test_S13_the_decks_queen_has_ten_neighbours_above_the_kings_and_so_has_ours():
    deck, rows = stored("books")["deck"], stored("books")["rows"]
    assert min(cosine for _, cosine in deck["queen"]) >= 0.915 > deck["king"][0][1]
    tenth = {
        word: mean(rows, "CBOW", 5, lambda row, word=word: row[word][-1][1])
        for word in ("king", "queen")
    }
    assert tenth["queen"] > tenth["king"]
    occurrences = stored("books")["occurrences"]
    assert occurrences["king"] > 5 * occurrences["queen"]


@pytest.mark.parametrize("word", ["king", "queen"])
def test_S13_every_row_has_both_top_ten_lists(word):
    for row in stored("books")["rows"]:
        cosines = [cosine for _, cosine in row[word]]
        assert len(cosines) == 10 and cosines == sorted(cosines, reverse=True)
