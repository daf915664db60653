"""The small text: every verb has the number of its first noun, and no other noun gives it away."""

import numpy as np
import pytest

from experiments.rnn import agreement
from firth.rnn.small_text import (
    END,
    PLURAL,
    PLURAL_NOUNS,
    SINGULAR,
    SINGULAR_NOUNS,
    WORDS,
    text,
    words_before_verb,
)


def sentences(n, seed=0, most=2):
    words = text(n, seed, most)
    ends = [i for i, word in enumerate(words) if word == END]
    return [words[i:j] for i, j in zip([0, *(e + 1 for e in ends)], ends, strict=False)]


def test_every_verb_has_the_number_of_the_first_noun():
    for words in sentences(300):
        (verb,) = [word for word in words if word in SINGULAR + PLURAL]
        assert (words[0] in PLURAL_NOUNS) is (verb in PLURAL), words


def test_the_noun_before_the_verb_has_its_number_half_of_the_time():
    random = np.random.default_rng(1)
    found = [words_before_verb(random, 1) for _ in range(2000)]
    same = np.mean([(words[-1] in PLURAL_NOUNS) is plural for words, plural in found])
    assert same == pytest.approx(0.5, abs=0.05)


def test_all_words_are_known_and_each_stands_once_in_the_list():
    assert set(text(2000)) == set(WORDS) and len(set(WORDS)) == len(WORDS) == 42


def test_the_number_of_phrases_is_what_was_asked_for():
    random = np.random.default_rng(0)
    for phrases in range(7):
        words, _ = words_before_verb(random, phrases)
        assert sum(word in ("near", "behind") for word in words) == phrases
        assert sum(word in SINGULAR_NOUNS + PLURAL_NOUNS for word in words) == phrases + 1


def test_baselines_that_know_no_order_are_right_without_phrases_and_guess_with_many():
    for row in agreement.baselines():
        assert row["right"][0] == 1.0 and row["right"][6] < 0.72
