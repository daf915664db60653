"""The running example: its counts, and what the chapter says about them."""

import numpy as np
import pytest

from firth.lsa import counts, example
from firth.lsa.similarity import cosine_table
from firth.store import corpora


def compressed(table, k=2):
    """The cosines of zorf with tea, coffee, violin and drum after counts × idf and k directions."""
    A = table * np.log2(len(table) / np.maximum((table > 0).sum(axis=0), 1))
    U, s, _ = np.linalg.svd(A, full_matrices=False)
    Z = U[:, :k] * s[:k]
    return s, cosine_table(Z, Z)[0, 1:]


@pytest.mark.parametrize("m", [1, 2, 5])
def test_three_loops_count_what_cooccurrence_counts(m):
    sentences = [counts.words(sentence) for sentence in corpora.zorf()]
    vocabulary = counts.vocabulary(word for sentence in sentences for word in sentence)
    ids = [counts.word_ids(sentence, vocabulary) for sentence in sentences]
    C = counts.cooccurrence(ids, len(vocabulary), m).toarray()
    rows, columns = (
        [vocabulary.index(word) for word in words]
        for words in (example.WORDS, (*example.NEIGHBOURS, "the"))
    )
    np.testing.assert_array_equal(C[np.ix_(rows, columns)], example.table(m=m))


def test_the_columns_are_the_words_that_two_to_four_of_the_five_have_met_but_small_words():
    types = sorted({w for sentence in corpora.zorf() for w in counts.words(sentence)})
    whole = example.count_neighbours(corpora.zorf(), example.WORDS, types, example.M)
    met = dict(zip(types, (whole > 0).sum(axis=0), strict=True))
    small = {word for word in types if len(word) <= 4} | set(example.WORDS)
    assert {w for w in types if met[w] > 1} - small <= {*example.NEIGHBOURS}
    assert all(2 <= met[w] <= 4 for w in example.NEIGHBOURS) and met["the"] == 5


def test_zorf_and_coffee_share_no_neighbour_and_two_directions_bring_them_together():
    table = example.table(the=False)
    assert table[0] @ table[2] == 0
    s, cosines = compressed(table)
    assert np.round(cosines, 2).tolist() == [1.0, 0.99, 0.07, 0.11]
    assert s[1] > 1.5 * s[2]  # so that no small change exchanges the second pattern and the third


def test_the_result_does_not_hang_on_one_sentence():
    sentences = corpora.zorf()
    for i in range(len(sentences)):
        rest = sentences[:i] + sentences[i + 1 :]
        table = example.count_neighbours(rest, example.WORDS, example.NEIGHBOURS, example.M)
        _, (_, coffee, violin, drum) = compressed(table)
        assert coffee > 0.95 and max(violin, drum) < 0.25


def test_without_tea_zorf_joins_the_drum():
    _, (coffee, _, drum) = compressed(np.delete(example.table(the=False), 1, axis=0))
    assert abs(coffee) < 1e-9 and drum > 0.99
