"""The questions of exercise 1: what one claim asks, another one does not judge."""

import numpy as np
from answers import RIGHT, holds
from learners.lsa import chance, from_svd, only_if_words_differ, safe

from tests.checks.test_checks import messages


def test_a_claim_about_one_thing_does_not_fail_for_another():
    words_for_places = holds("cooccurrence", only_if_words_differ)
    assert words_for_places == [True, False, True, True, True]
    log2 = safe(lambda C: np.maximum(np.log2(C / chance(C)), 0))
    assert holds("ppmi", log2) == [False, True, True, True, False]
    rebuilt = from_svd(lambda U, s, Vt, k: U[:, :k] * s[:k] @ Vt[:k])
    assert holds("word_vectors", rebuilt)[1]
    assert holds("cosine", lambda x, y: x @ y) == [False, False, True]


def test_the_sign_of_an_axis_is_free_and_its_length_is_not():
    assert messages("word_vectors", lambda X, k: -RIGHT["word_vectors"](X, k)) == []
    assert messages("word_vectors", lambda X, k: 2 * RIGHT["word_vectors"](X, k))
