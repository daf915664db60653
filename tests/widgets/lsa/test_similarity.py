"""The view of two arrows and of three measures of their likeness."""

import pytest

from firth.widgets.lsa.similarity import FRUIT, LsaSimilarity


@pytest.mark.parametrize(
    ("pair", "dot", "scaled", "cosine", "angle"),
    [
        (("cherry", "tomato"), 12, 8.49, 0.97, 14),
        (("cherry", "smartphone"), 3, 2.12, 0.24, 76),
        (("tomato", "smartphone"), 0, 0, 0, 90),
    ],
)
def test_S3_S4_S5_the_lab_shows_the_three_measures(pair, dot, scaled, cosine, angle):
    x, y = (list(map(float, FRUIT[word])) for word in pair)
    shown = LsaSimilarity(x=x, y=y).answer()
    assert shown["dot"] == dot and round(shown["scaled"], 2) == scaled
    assert round(shown["cosine"], 2) == cosine and round(shown["angle"]) == angle


@pytest.mark.parametrize(
    ("question", "x", "y", "met"),
    [
        (0, [0, 4], [0, 3], False),  # the cosine grew too
        (0, [1, 4], [0, 4], True),
        (1, [0, 4], [0, 3], False),  # the dot product is as it was
        (1, [1, 3], [0, 3], False),  # it shrank, and so did the cosine
        (1, [0, 2], [0, 3], True),
        (2, [0, 0], [0, 3], False),  # no arrow, no right angle
        (2, [2, 0], [0, 3], True),
        (3, [1, 4], [0, 3], False),  # nothing changed
        (3, [4, 4], [0, 3], True),
        (4, [-2, 0], [0, 3], False),
        (4, [1, -2], [0, 3], True),
    ],
)
def test_a_question_is_answered_by_the_arrows_it_asks_for(question, x, y, met):
    since = [[1, 4], [0, 3]]
    lab = LsaSimilarity(x=x, y=y, question=question, since=since)
    assert lab.answer()["met"] is met
