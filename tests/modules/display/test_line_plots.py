"""A plot of lines: what is drawn, what is read in a terminal, and what is refused."""

import re
from xml.etree import ElementTree as XML

import numpy as np
import pytest

from firth.display import line_plot


def drawn(plot):
    return XML.fromstring(plot._repr_html_())


def points(figure):
    return [
        np.array([pair.split(",") for pair in line.get("points").split()], dtype=float)
        for line in figure.iter("polyline")
    ]


def test_each_point_stands_where_its_two_numbers_put_it():
    plot = line_plot([0, 1, 4], {"a": [0.0, 2.0, 1.0], "b": [1.0, 1.0, 1.0]}, "steps", "Two lines")
    a, b = points(drawn(plot))
    assert np.allclose((a[1, 0] - a[0, 0]) / (a[2, 0] - a[0, 0]), 1 / 4, atol=1e-3)
    assert a[1, 1] < a[2, 1] < a[0, 1]  # up is less in SVG
    assert np.allclose(b[:, 1], (a[0, 1] + a[1, 1]) / 2, atol=0.1) and a[2, 1] == b[2, 1]


def test_the_lines_are_told_apart_by_more_than_colour_and_the_names_do_not_overlap():
    plot = line_plot([0, 1], {"a": [0, 1], "b": [0, 1], "c": [1, 0]}, "steps", "Three lines")
    figure = drawn(plot)
    assert len({line.get("stroke-dasharray") for line in figure.iter("polyline")}) == 3
    assert len({line.get("style") for line in figure.iter("polyline")}) == 3
    heights = sorted(plot.name_heights().values())
    assert min(np.diff(heights)) >= 14
    assert {text.text for text in figure.iter("text")} >= {"a", "b", "c", "steps", "0.00", "1.00"}
    assert int(re.search(r'font-size="(\d+)"', plot._repr_html_())[1]) >= 11


def test_a_flat_line_is_drawn_and_a_name_is_not_active():
    plot = line_plot([0, 1], {"<b>": [2, 2]}, "x", "Flat & <level>")
    figure = drawn(plot)
    assert figure.find("svg").get("aria-label") == "Flat & <level>"
    assert (
        "<b>" in {text.text for text in figure.iter("text")}
        and np.isfinite(points(figure)[0]).all()
    )


def test_the_text_has_every_point():
    text = repr(line_plot([0, 1500], {"a": [0.25, 1], "b": [3, 4]}, "names", "Two lines"))
    assert [line.split() for line in text.splitlines()[1:]] == [
        ["names", "a", "b"], ["0", "0.25", "3.00"], ["1,500", "1.00", "4.00"]
    ]  # fmt: skip


@pytest.mark.parametrize(
    "x, lines, words",
    [
        ([0, 1], {"a": [1, np.nan]}, "nan or infinite"),
        ([0, 1], {"a": [1, 2, 3]}, "3 points for 2"),
        ([0], {"a": [1]}, "at least two"),
        ([0, 1], {}, "1 to 3 lines"),
        ([0, 1], {name: [0, 1] for name in "abcd"}, "1 to 3 lines"),
    ],
)
def test_lines_that_cannot_be_drawn_are_refused(x, lines, words):
    with pytest.raises(ValueError, match=words):
        line_plot(x, lines, "x", "caption")
