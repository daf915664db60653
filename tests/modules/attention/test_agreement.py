"""Sentences in which verbs find their subjects: held-out pairs, number, and a single matrix."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firth.attention import agreement

KINDS = {
    "learned": {},
    "held out": {"held_out": True},
    "longer": {"shapes": agreement.LONGER},
    "new": {"new": True},
}


def pairs_of(found):
    """The pairs of words that belong together, the noun first."""
    nouns = {word for pair in [*agreement.NOUNS, *agreement.NEW_NOUNS] for word in pair}
    return {
        (words[i], words[j])
        for words, partner in found
        for i, j in partner.items()
        if words[i] in nouns
    }


@pytest.mark.parametrize("which", KINDS.values(), ids=KINDS)
def test_words_that_belong_together_agree_in_number_and_one_pair_of_two_is_plural(which):
    plural = {pair[1] for pair in [*agreement.NOUNS, *agreement.NEW_NOUNS]}
    plural |= {pair[1] for pair in [*agreement.VERBS, *agreement.NEW_VERBS]}
    for words, partner in agreement.sentences(200, seed=0, **which):
        assert len(partner) == 4 and all(partner[j] == i for i, j in partner.items())
        assert all((words[i] in plural) == (words[j] in plural) for i, j in partner.items())
        assert sum(words[i] in plural for i in partner) == 2


def test_no_held_out_pair_and_no_new_word_is_learned_from():
    learned = pairs_of(agreement.sentences(3000, seed=0))
    assert not learned & pairs_of(agreement.sentences(1000, seed=1, held_out=True))
    words = {word for pair in learned for word in pair}
    assert words == set(agreement.WORDS)
    assert not words & {
        word for p in pairs_of(agreement.sentences(200, seed=2, new=True)) for word in p
    }


def test_nouns_and_verbs_stand_at_several_positions():
    found = agreement.sentences(300, seed=0)
    assert {len(words) for words, _ in found} == {9}
    assert len({i for _, partner in found for i in partner}) >= 7


def test_indices_are_those_of_the_vocabulary_and_partners_those_of_the_words():
    found = agreement.sentences(50, seed=0)
    words, partners = agreement.as_indices(found)
    names = agreement.vocabulary()
    assert [[names[i] for i in row] for row in words.tolist()] == [text for text, _ in found]
    for row, (text, partner) in zip(partners.tolist(), found, strict=True):
        for i, index in enumerate(row):
            assert index == agreement.NONE if i not in partner else names[index] == text[partner[i]]


@given(st.integers(0, 10_000), st.integers(1, 8))
def test_with_one_matrix_of_two_words_at_least_one_attends_to_itself_as_much(seed, d_k):
    rng = np.random.default_rng(seed)
    X, W = rng.normal(size=(2, 50)), rng.normal(size=(d_k, 50))
    Z = X @ W.T @ W @ X.T
    assert Z[0, 1] <= (Z[0, 0] + Z[1, 1]) / 2 + 1e-9 * np.trace(Z)
    assert min(Z[0, 1] - Z[0, 0], Z[1, 0] - Z[1, 1]) <= 1e-9 * np.trace(Z)
