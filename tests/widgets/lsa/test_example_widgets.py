"""The widgets of chapter 1 that work on its twenty sentences."""

import numpy as np

from firth.lsa import example
from firth.widgets.lsa.first_sentences import LsaFirstSentences


def test_tea_leads_from_the_first_sentence_to_the_last():
    view = LsaFirstSentences()
    assert view.reading == 0 and not any(view.answer()["cosines"])
    first, met = [], []
    for view.reading in range(1, 6):
        tea, *others = view.answer()["cosines"]
        assert tea > 2 * max(others)
        first.append(round(tea, 2))
        met.append(view.answer()["met"])
    assert first == [0.69, 0.69, 0.61, 0.69, 0.69]
    assert met == [["poured", "cup"], [], ["cup"], ["poured"], []]


def test_after_its_five_sentences_the_row_of_zorf_is_that_of_the_table():
    counted = LsaFirstSentences(reading=5).answer()["counts"]
    np.testing.assert_array_equal(counted, example.table(the=False)[0])
