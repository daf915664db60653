"""The diagrams of chapter 3 can be read on a phone and draw what they are given."""

import re

import numpy as np
import pytest

from firth import plots
from firth.plots import gated_cells, rnn
from firth.plots.diagrams import COLOURS

PHONE = 328  # pixels that a picture has on a phone of 360
WORDS = "Dogs near the old station".split()
PICTURES = {
    "unrolled": rnn.unrolled(["dog", "bites", "man"]),
    "kinds": rnn.sequence_kinds(),
    "one unit": rnn.one_unit(WORDS, (0.76, 0.36, 0.18, 0.09, 0.04), (0.44, 0.48, 0.5, 0.5)),
    "bidirectional": rnn.bidirectional("the bank was robbed".split(), "bank"),
    "clock": rnn.clock(48, "CBADC", "AAAAA"),
    **{f"lstm {n}": gated_cells.lstm_cell(n) for n in (1, 2, 3, 4)},
    **{f"gru {n}": gated_cells.gru_cell(n) for n in (1, 2, 3)},
}


def words(name: str) -> list[str]:
    """The texts of a picture in the order in which they are drawn."""
    return [re.sub("<[^>]*>", "", t) for t in re.findall(r"<text.*?</text>", PICTURES[name].svg)]


@pytest.mark.parametrize("name", PICTURES)
def test_on_a_phone_no_letter_is_below_eleven_pixels_and_nothing_leaves_the_picture(name):
    svg = PICTURES[name].svg
    width, height = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"', svg)]
    assert min(sizes) * min(1, PHONE / width) >= 11
    for axis, end in (("x|cx", width), ("y|cy", height)):
        places = [float(at) for at in re.findall(rf' (?:{axis})="(-?[\d.]+)"', svg)]
        assert 0 <= min(places) and max(places) <= end
    assert len(re.search('aria-label="([^"]+)"', svg)[1]) > 40


@pytest.mark.parametrize("n", [2, 3, 4])
def test_an_unrolled_network_has_one_hidden_state_more_than_words_and_the_same_weights(n):
    shown = rnn.unrolled(WORDS[:n]).svg
    assert [re.search(f">{word}<", shown) is not None for word in WORDS] == [
        i < n for i in range(5)
    ]
    assert len(re.findall(">h<tspan", shown)) == n + 2  # h_0 and the loop's h_t as well
    assert shown.count(">W<") == shown.count(">U<") == n + 1


def test_the_kinds_of_sequences_have_their_inputs_and_outputs():
    svg = PICTURES["kinds"].svg
    boxes = re.findall(rf'fill="({"|".join(map(re.escape, COLOURS.values()))})" fill-op', svg)
    counted = {name: boxes.count(COLOURS[name]) - 1 for name in ("surface", "blue", "green")}
    assert counted == {"surface": 1 + 4 + 4, "blue": 12, "green": 4 + 1 + 4}  # without the key


def test_a_unit_is_darker_where_its_hidden_state_is_larger_and_each_arrow_back_has_its_factor():
    svg = PICTURES["one unit"].svg
    blue = re.escape(COLOURS["blue"])
    tints = [float(t) for t in re.findall(rf'fill="{blue}" fill-opacity="([\d.]+)"', svg)]
    assert len(tints) == 5 and tints == sorted(tints, reverse=True)
    assert [word for word in words("one unit") if "×" in word] == [
        "× 0.44", "× 0.48", "× 0.50", "× 0.50"
    ]  # fmt: skip


def test_in_both_directions_the_arrows_that_reach_the_word_are_blue():
    for strong, blue in (("the", 3), ("bank", 3), ("robbed", 3)):
        svg = rnn.bidirectional("the bank was robbed".split(), strong).svg
        stroke = rf'stroke="{re.escape(COLOURS["blue"])}" stroke-width="2.5"'
        assert len(re.findall(stroke, svg)) == blue


def test_the_hands_of_the_clocks_turn_with_the_answers():
    turns = re.findall(r"rotate\((\d+) ", PICTURES["clock"].svg)
    assert list(map(int, turns)) == [180, 90, 0, 270, 180, 0, 0, 0, 0, 0]
    assert "48" in words("clock") and "49" not in words("clock")


@pytest.mark.parametrize(
    ("cell", "gates"),
    [
        (gated_cells.lstm_cell, [[], ["forget"], ["input", "candidate"], ["output"]]),
        (gated_cells.gru_cell, [["update"], ["candidate"], ["reset"]]),
    ],
)
def test_each_part_of_a_cell_adds_its_gates_to_those_before(cell, gates):
    expected = set()
    for part, added in enumerate(gates, start=1):
        expected |= {*added}
        shown = {*re.findall(r">([a-z]{5,})</text>", cell(part).svg)}
        assert shown == expected
    for part in (0, len(gates) + 1):
        with pytest.raises(ValueError, match="has the parts 1 to"):
            cell(part)


def test_gradient_lines_draw_each_network_on_a_logarithmic_axis():
    _, axes = plots.panels()
    norms = np.array([[1, 0.5, 0.25], [1, 2, 4]])
    assert rnn.gradient_lines(axes, norms, "blue", "plain network") is axes
    assert [line.get_ydata().tolist() for line in axes.lines] == norms.tolist()
    assert axes.get_yscale() == "log"
    assert axes.get_legend_handles_labels()[1] == ["plain network"]
