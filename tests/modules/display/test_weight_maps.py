"""Maps of weights: the colour of a cell, crossed-out cells, the text, and what is refused."""

from xml.etree import ElementTree as XML

import numpy as np
import pytest

from firth.display import weight_maps

WEIGHTS = np.array([[1, 0, 0], [0.25, 0.75, 0], [0.5, 0.2, 0.3]])


def figure(maps):
    return XML.fromstring(maps._repr_html_())


def cells(maps):
    """The title of each cell that is not masked, and its opacity, from the top left."""
    return [
        (rect.find("title").text, rect.get("fill-opacity")) for rect in figure(maps).iter("rect")
    ]


def test_a_cell_has_its_words_and_more_colour_for_a_larger_weight():
    said = cells(weight_maps(["a", "<", "c"], {"one": WEIGHTS}, "Weights"))
    assert len(said) == 9
    assert said[3:5] == [("< → a: 0.25", "0.25"), ("< → <: 0.75", "0.75")]


def test_a_masked_cell_is_crossed_out_and_has_no_number():
    maps = weight_maps(["a", "b", "c"], {"one": WEIGHTS}, "Weights", np.tri(3))
    assert len(cells(maps)) == 6 and len([*figure(maps).iter("path")]) == 3
    assert repr(maps).splitlines()[2].split() == ["a", "1.00", "–", "–"]


def test_rows_are_the_words_that_attend_and_each_map_has_its_name():
    drawings = [
        *figure(weight_maps(["a", "b", "c"], {"one": WEIGHTS, "two": WEIGHTS.T}, "S & T")).iter(
            "svg"
        )
    ]
    assert [svg.find(".//text[@font-weight]").text for svg in drawings] == ["one", "two"]
    assert [len([*svg.iter("rect")]) for svg in drawings] == [9, 9]
    places = {
        rect.find("title").text: (float(rect.get("x")), float(rect.get("y")))
        for rect in drawings[0].iter("rect")
    }
    (x, y), below, right = (places[pair] for pair in ("a → a: 1.00", "b → a: 0.25", "a → b: 0.00"))
    assert below[0] == x and below[1] > y and right[0] > x and right[1] == y


def test_the_picture_says_in_words_where_the_largest_weights_are():
    label = figure(weight_maps(["a", "b", "c"], {"one": WEIGHTS}, "S & T")).find(".//svg")
    assert label.get("aria-label") == (
        "S & T. Largest weights of one: a to a 1.00, b to b 0.75, c to a 0.50."
    )


def test_rounding_in_single_precision_is_no_error():
    drawn = cells(weight_maps(["a"], {"one": [[np.float32(1) + np.float32(1e-7)]]}, "One word"))
    assert drawn == [("a → a: 1.00", "1.00")]


@pytest.mark.parametrize(
    "maps, mask, words",
    [
        ({"one": [[1.5]]}, None, "not between 0 and 1"),
        ({"one": [[np.nan]]}, None, "not between 0 and 1"),
        ({"one": [[0.5, 0.5]]}, None, "has the shape"),
        ({"one": [[1]]}, np.tri(2), "1 rows and 1 columns"),
        ({}, None, "A map and a mask"),
    ],
)
def test_numbers_that_are_no_weights_are_refused(maps, mask, words):
    with pytest.raises(ValueError, match=words):
        weight_maps(["a"], maps, "One word", mask)
