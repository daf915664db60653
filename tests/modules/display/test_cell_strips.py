"""Strips of cells: the colour of a number, the text, and what is refused."""

from xml.etree import ElementTree as XML

import numpy as np
import pytest

from firth.display import cell_strips


def cells(strips):
    """Each cell that has a colour: (column, row) → its sign and its opacity."""
    figure = XML.fromstring(strips._repr_html_())
    _, *groups = figure.iter("g")
    return {
        (float(cell.get("x")), float(cell.get("y"))): (colour, float(cell.get("fill-opacity")))
        for colour, group in zip(("blue", "orange"), groups, strict=True)
        if f"--firth-{colour}," in group.get("style")
        for cell in group
    }


def test_the_colour_says_the_sign_and_its_strength_the_size():
    drawn = cells(cell_strips(["a", "b"], [[1, -0.25], [0, 0.5]], "Two states"))
    (first, top), (second, below) = min(drawn), max(drawn)
    assert first < second and top < below
    assert drawn == {
        (first, top): ("blue", 1.0),
        (second, top): ("orange", 0.25),
        (second, below): ("blue", 0.5),
    }


def test_the_picture_says_what_it_shows_and_names_each_strip():
    figure = XML.fromstring(cell_strips(["<", "b"], np.ones((2, 3)), "S & T")._repr_html_())
    assert [text.text for text in figure.iter("text")] == ["<", "b"]
    assert figure.find("svg").get("aria-label") == "S & T"
    assert len(list(figure.iter("rect"))) == 6


def test_the_text_has_a_sign_for_each_number():
    lines = repr(cell_strips(["a", "bc"], [[1, 0.5, 0], [-0.5, -1, 0.2]], "S")).splitlines()
    assert lines == ["S", " a  ▲△·", "bc  ▽▼·"]


@pytest.mark.parametrize(
    "names, vectors, words",
    [
        (["a"], [[1.5]], "between −1 and 1"),
        (["a"], [[np.nan]], "between −1 and 1"),
        (["a"], [[0], [0]], "as many vectors"),
        (["a"], [0], "as many vectors"),
    ],
)
def test_vectors_that_cannot_be_strips_are_refused(names, vectors, words):
    with pytest.raises(ValueError, match=words):
        cell_strips(names, vectors, "S")
