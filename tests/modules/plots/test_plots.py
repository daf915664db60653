"""Pictures: the same bytes each time, readable in light, in dark, on a phone and aloud."""

import re
import subprocess
import sys
from itertools import combinations
from xml.etree import ElementTree as XML

import matplotlib.pyplot as plt
import numpy as np
import pytest
from notebooks import COURSE

from firth.display import table
from firth.plots import COLOURS, block_map, panels, picture

ALT = "Three points: the second lies lower than the others."
NUMBERS = table([["a", 1], ["b", 2]], ["word", "n"], "Counts")
DRAWN_ELSEWHERE = f"""
from firth.plots import panels, picture
figure, axes = panels()
axes.plot([0, 1, 2], [1 / 3, -3, 2], "o-", label="x & y")
axes.legend()
print(picture(figure, {ALT!r})._repr_html_())
"""


def drawn(alt=ALT, **options):
    figure, axes = panels()
    axes.plot([0, 1, 2], [1 / 3, -3, 2], "o-", label="x & y")
    axes.legend()
    return picture(figure, alt, **options)


def elements(shown):
    return list(XML.fromstring(shown._repr_html_()).iter())


def luminance(colour):
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def contrast(one, other):
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("seed", ["0", "1"])
def test_another_process_with_another_hash_seed_draws_the_same_bytes(seed, monkeypatch):
    monkeypatch.setenv("PYTHONHASHSEED", seed)
    run = [sys.executable, "-c", DRAWN_ELSEWHERE]
    elsewhere = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    assert elsewhere == drawn()._repr_html_() + "\n"


def test_two_pictures_on_a_page_share_no_id():
    one, other = drawn(), drawn("The same three points, described in another way.")
    ids = [{e.get("id") for e in elements(shown)} - {None} for shown in (one, other)]
    assert ids[0] and ids[1] and not ids[0] & ids[1]


def test_every_reference_inside_a_picture_finds_its_target():
    shown = drawn()
    ids = {e.get("id") for e in elements(shown)} - {None}
    assert set(re.findall(r'(?:href="|url\()#([\w-]+)', shown._repr_html_())) == ids


def test_letters_stay_letters_and_inherit_the_pages_font():
    page = drawn()._repr_html_()
    assert ">x &amp; y</text>" in page
    assert "font-family" not in page and "DejaVu" not in page


def test_the_pages_own_colours_are_used_so_that_dark_mode_works():
    page = drawn()._repr_html_()
    assert "currentColor" in page and "var(--firth-blue, #0072b2)" in page
    assert not re.search("#000000|#ffffff|white|black", page)


def test_every_colour_of_a_picture_stands_out_on_slate():
    style = (COURSE / "site/_static/course.css").read_text(encoding="utf-8")
    dark = style.partition('html[data-theme="dark"] {')[2].partition("}")[0]
    colours = dict(re.findall(r"--firth-(\w+): (#\w{6});", dark))
    assert all(contrast(colours[name], colours["paper"]) >= 4.5 for name in COLOURS)


def test_nothing_but_the_picture_is_styled():
    assert "<style" not in drawn()._repr_html_()


def test_no_number_is_finer_than_a_hundredth_of_a_pixel():
    assert not re.search(r"\d\.\d{3}", drawn().svg)


def test_letters_are_at_least_11_pixels_high_on_a_phone():
    svg = drawn().svg
    width = float(re.search(r'viewBox="0 0 ([\d.]+)', svg)[1])
    sizes = [float(size) for size in re.findall(r"font-size: ([\d.]+)px", svg)]
    assert min(sizes) * 328 / width >= 11  # a page of 360 px keeps 16 px free at each side


def test_the_picture_is_one_image_with_one_name():
    images = [e for e in elements(drawn()) if e.get("role") == "img"]
    assert [e.get("aria-label") for e in images] == [ALT]
    assert repr(drawn()) == f"Picture: {ALT}"


def test_a_caption_and_a_table_are_there_only_if_given_and_outside_the_image():
    bare = {e.tag for e in elements(drawn())}
    assert not bare & {"figcaption", "details"}
    full = XML.fromstring(drawn(caption="A < B", table=NUMBERS)._repr_html_())
    assert [child.tag for child in full] == ["svg", "figcaption", "details"]
    assert full.findtext("details/summary") == "Numbers behind the picture"
    assert full.find("details/table") is not None


def test_a_heat_map_keeps_its_cells_sharp_and_its_data_inside_the_page():
    figure, axes = panels()
    axes.imshow(np.arange(6).reshape(2, 3))
    page = picture(figure, "Six squares, each lighter than the one before.")._repr_html_()
    assert re.search(r'href="data:image/png;base64,[\w+/=]+" width="3" height="2"', page)
    assert "pixelated" in page


def test_a_matrix_in_blocks_has_each_block_at_its_place_the_fuller_the_darker():
    figure, axes = panels()
    block_map(axes, [(0, 0, 2, 2), (0, 2, 2, 2), (2, 0, 2, 4)], [1.0, 0.0, 0.5])
    boxes = [(p.get_xy(), p.get_width(), p.get_height(), p.get_alpha()) for p in axes.patches]
    assert boxes == [((0, 0), 2, 2, 1.0), ((2, 0), 2, 2, 0.1), ((0, 2), 4, 2, 0.55)]
    assert axes.get_ylim() == (4, 0)  # rows run downwards
    plt.close(figure)


def test_a_figure_is_closed_so_that_a_notebook_shows_it_once():
    before = plt.get_fignums()
    drawn()
    assert plt.get_fignums() == before


@pytest.mark.parametrize("alt", ["", "A plot.", " " * 40])
def test_an_alt_text_that_says_nothing_is_refused(alt):
    figure, _ = panels()
    with pytest.raises(ValueError, match="too short"):
        picture(figure, alt)
    plt.close(figure)


@pytest.mark.parametrize("name", COLOURS)
@pytest.mark.parametrize("page", ["#ffffff", "#121212"])
def test_every_colour_stands_out_on_a_light_and_on_a_dark_page(name, page):
    assert contrast(COLOURS[name], page) >= 3


# Machado, Oliveira & Fernandes (2009), severity 1: what eyes without one kind of cone see.
CONES = {
    "protan": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deutan": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
}


@pytest.mark.parametrize("eyes", CONES)
def test_the_first_four_colours_differ_for_colour_blind_eyes(eyes):
    seen = []
    for colour in list(COLOURS.values())[:4]:
        channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
        seen.append(np.array(CONES[eyes]) @ channels)
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) > 0.15
