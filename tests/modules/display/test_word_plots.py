"""A map of words: what is drawn, that no two words overlap, and what is refused."""

import re
from xml.etree import ElementTree as XML

import numpy as np
import pytest

from firth.display import word_plot


def boxes(plot):
    return plot.placed(352, 300, 7.2, 14)


def test_no_two_words_overlap_even_at_one_position():
    words = [f"word{n}" for n in range(12)]
    places = boxes(word_plot(words, np.zeros((12, 2)), "All at once"))
    heights = sorted(y for _, _, y in places)
    assert min(np.diff(heights)) >= 14
    rng = np.random.default_rng(3)
    done = boxes(word_plot(words, rng.normal(size=(12, 2)), "Anywhere"))
    for n, (word, x, y) in enumerate(done):
        for other, other_x, other_y in done[:n]:
            apart = x >= other_x + len(other) * 7.2 or other_x >= x + len(word) * 7.2
            assert apart or abs(y - other_y) >= 14, (word, other)


def test_right_is_right_and_up_is_up():
    places = {word: (x, y) for word, x, y in boxes(word_plot("abc", [[0, 0], [1, 0], [0, 1]], "t"))}
    assert places["b"][0] > places["a"][0] and places["c"][1] < places["a"][1]


def test_the_picture_is_svg_with_every_word_and_says_what_it_shows():
    html = word_plot(["<sea>", "ship"], [[0, 1], [2, 0]], "Two words")._repr_html_()
    figure = XML.fromstring(html)
    assert [text.text for text in figure.iter("text")] == ["<sea>", "ship"]
    assert figure.find("svg").get("aria-label") == "Two words: <sea>, ship"
    assert int(re.search(r'font-size="(\d+)"', html)[1]) >= 11


def test_the_text_has_every_word_on_its_line():
    lines = repr(word_plot(["sea", "ship"], [[0, 1], [2, 0]], "Two words")).splitlines()
    assert lines[0] == "Two words" and lines[1] == "sea" and lines[-1].strip() == "ship"


def test_a_dot_stands_for_each_word_and_a_marked_word_is_told_from_the_others():
    plot = word_plot(["sea", "ship"], [[0, 1], [2, 0]], "Two words", marked=["ship"])
    figure = XML.fromstring(plot._repr_html_())
    bold = {text.text: text.get("font-weight") for text in figure.iter("text")}
    assert bold == {"sea": None, "ship": "bold"}
    dots = [(float(dot.get("cx")), float(dot.get("cy"))) for dot in figure.iter("circle")]
    assert len(dots) == 2 and dots[0][0] < dots[1][0] and dots[0][1] < dots[1][1]
    assert repr(plot).splitlines()[-1].strip() == "[ship]"


@pytest.mark.parametrize("positions", [[[0, 1]], [[0, 1], [np.nan, 2]], [[0, 1, 2], [3, 4, 5]]])
def test_positions_that_do_not_fit_are_refused(positions):
    with pytest.raises(ValueError, match=r"need as many pairs|nan or infinite"):
        word_plot(["sea", "ship"], positions, "Two words")
