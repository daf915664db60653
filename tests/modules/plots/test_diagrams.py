"""Diagrams can be read on a phone, say what they show, and draw the numbers they are given."""

import re

import numpy as np
import pytest

from firth.lsa import example
from firth.plots import attention as chapter_4
from firth.plots import diagrams
from firth.plots import lsa as chapter_1
from firth.plots import word2vec as chapter_2
from firth.store.results import stored_result
from firth.word2vec import word2vec

A = example.table(the=False)
SENTENCE = "the captain spoke to the ship".split()
V, U = np.arange(20.0).reshape(5, 4), -np.arange(20.0).reshape(5, 4)
FIVE = ["captain", "spoke", "ship", "red", "sea"]
PATH = ["zorf", "poured", "tea", "hot", "coffee"]
NUMBER = ("twenty four seventeen".split(), "vier und zwanzig siebzehn".split())
FRENCH = stored_result("attention/french")
PICTURES = {
    "arrows": chapter_1.arrows({"zorf": (2, 2), "tea": (3, 2), "drum": (0, 1)}, "zorf"),
    "connections": chapter_1.connections(A, example.WORDS, example.NEIGHBOURS, PATH),
    "blocks": chapter_1.blocks(A, np.ones((5, 2)), np.array([2.0, 1.0]), np.ones((2, 6))),
    "steps": chapter_1.steps({"tea": (0.78, 0.66, 1.0), "drum": (0.56, -0.07, 0.11)}, "zorf"),
    "hidden word": chapter_1.hidden_word(),
    "one vector": chapter_4.encoder_decoder(*NUMBER),
    "attention": chapter_4.encoder_decoder(*NUMBER, weights=(0.84, 0.11, 0.04), step=3),
    "decoder step": chapter_4.decoder_step(FRENCH, step=3),
    "queries and keys": chapter_4.query_key_value(n=9, d=50, d_k=2, d_v=64),
    "heads": chapter_4.heads(),
    "networks": chapter_2.cbow_and_skip_gram("spoke", ("captain", "ship")),
    "window": chapter_2.sliding_window(SENTENCE, 2, [1, 2, 3]),
    "two matrices": chapter_2.two_matrices(V, U, FIVE, "captain", "spoke"),
    "contrastive": chapter_2.contrastive_learning(["text 1", "text 2"], ["image 1", "image 2"]),
    "sum": chapter_1.sum_of_arrows([("cup", (1, 0.2))], {"tea": (5, 0.3)}, "zorf"),
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_diagram_fits_a_phone_and_has_a_description(name):
    svg = PICTURES[name].svg
    width = float(re.search(r'viewBox="0 0 ([\d.]+) ', svg)[1])
    assert width <= diagrams.WIDEST
    assert all(
        float(size) >= diagrams.SMALLEST for size in re.findall(r'font-size="([\d.]+)"', svg)
    )
    assert len(re.search('aria-label="([^"]+)"', svg)[1]) > 40
    places = [float(x) for x in re.findall(r' (?:x|x1|cx)="(-?[\d.]+)"', svg)]
    assert 0 <= min(places) and max(places) <= width


def test_letters_that_are_too_small_and_diagrams_that_are_too_wide_are_refused():
    with pytest.raises(ValueError, match="too small"):
        diagrams.text(0, 0, "tiny", size=9)
    with pytest.raises(ValueError, match="too wide"):
        diagrams.diagram(400, 10, "A diagram that no phone can show.")


def test_a_word_is_written_as_it_is_even_if_it_looks_like_a_tag():
    assert "&lt;b&gt;" in diagrams.token(0, 0, "<b>")


def test_a_matrix_has_a_darker_cell_for_a_larger_number_and_another_colour_below_zero():
    cells = re.findall(
        r'fill="([^"]+)" fill-opacity="([\d.]+)"', diagrams.matrix(0, 0, [[1, -2, 0]])
    )
    colours, opacity = zip(*cells, strict=True)
    assert colours[0] == colours[2] != colours[1]
    assert float(opacity[1]) > float(opacity[0]) > float(opacity[2])


def test_a_bar_is_as_long_as_its_share_and_never_longer_than_the_whole():
    lengths = [
        [float(w) for w in re.findall(r'width="([\d.]+)"', diagrams.bar(0, 0, share, 100))]
        for share in (0.25, 3, -1)
    ]
    assert lengths == [[100, 25], [100, 100], [100, 0]]


def test_connections_draw_a_line_for_each_count_as_thick_as_the_count():
    widths = re.findall(r'stroke-width="([\d.]+)" stroke-linecap', PICTURES["connections"].svg)
    assert sorted(map(float, widths)) == sorted(A[A > 0].tolist())
    marked = re.findall(r'<path[^>]*stroke="var\(--firth-word', PICTURES["connections"].svg)
    assert len(marked) == len(PATH) - 1


def test_the_arrows_of_a_sum_are_laid_end_to_end():
    picture = chapter_1.sum_of_arrows([("cup", (1, 0)), ("hot", (0, 1))], {}, "zorf")
    paths = re.findall(r'd="M([\d.]+) ([\d.]+)Q[\d. ]+ ([\d.]+) ([\d.]+)"', picture.svg)[-2:]
    assert paths[0][2:] == paths[1][:2]


def test_the_table_before_and_after_shows_both_numbers_of_each_cell():
    rebuilt = A * 0.5 + 0.3
    words, neighbours = example.WORDS, example.NEIGHBOURS
    svg = chapter_1.before_and_after(A, rebuilt, words, neighbours).svg
    shown = re.findall(r">([\d.]+)</text>", svg)
    assert len(shown) == 2 * A.size
    assert [float(x) for x in shown[: A.size]] == A.ravel().tolist()
    assert [float(x) for x in shown[A.size :]] == rebuilt.ravel().round(1).tolist()


def test_a_line_to_the_context_is_the_thicker_the_larger_the_weight():
    svg = PICTURES["attention"].svg
    lines = [float(w) for w in re.findall(r'stroke-width="([\d.]+)" stroke-linecap', svg)]
    assert {round(0.5 + 7 * weight, 2) for weight in (0.84, 0.11, 0.04)} <= set(lines)
    assert all(f"{weight:.2f}" in svg for weight in (0.84, 0.11, 0.04))


def test_the_six_parts_of_a_step_show_the_stored_words_weights_and_probabilities():
    svg, step = PICTURES["decoder step"].svg, FRENCH["steps"][3]
    assert all(f"{i}  {name}" in svg for i, name in [(1, "last word"), (3, "attention")])
    assert all(word in svg for word in FRENCH["source"]) and "student" in svg
    assert all(f"{weight:.2f}" in svg for weight in step["weights"])
    assert all(f"{share:.2f}" in svg for share in step["probabilities"].values())


def test_kernel_regression_gives_the_weights_of_the_query():
    hours, degrees = np.array([6, 9, 12, 15, 18, 21]), np.array([8, 12, 17, 19, 16, 12])
    picture = chapter_4.kernel_regression(hours, degrees, query=10.5, widths=(0.5, 1.5, 6.0))
    assert picture.svg.count("0.49") == 2 and "b = 1.5" in picture.svg


def test_the_boxes_of_the_window_are_the_pairs_of_the_module():
    ids = np.arange(len(SENTENCE))
    expected = [f"{SENTENCE[w]}, {SENTENCE[o]}" for w, o in word2vec.pairs(ids, 2)]
    whole = chapter_2.sliding_window(SENTENCE, 2, list(range(len(SENTENCE))))
    assert re.findall(r">(\w+, \w+)</text>", whole.svg) == expected


def test_both_networks_name_the_shape_of_what_flows_along_each_arrow():
    shapes = re.findall(r'monospace">([^<]+)<', PICTURES["networks"].svg)
    cbow = ["2 ids", "n × d", "2 × d", "mean: d", "d", "n × d", "n scores", "n probabilities"]
    skip_gram = ["1 id", "n × d", "1 × d", "d", "n × d", "n scores", "n probabilities"]
    assert shapes == cbow + skip_gram


def test_the_one_hot_vector_picks_the_row_that_is_drawn_below():
    other = chapter_2.two_matrices(V, U, FIVE, "red", "sea")
    for picture, word in ((PICTURES["two matrices"], "captain"), (other, "red")):
        hot = re.findall(r">([01])</text>", picture.svg)
        assert hot == ["1" if name == word else "0" for name in FIVE]
        assert f">v of {word}<" in picture.svg


def test_only_the_diagonal_of_a_batch_is_positive():
    texts = [f"text {i}" for i in range(4)]
    signs = re.findall(r">([+−])</text>", chapter_2.contrastive_learning(texts, texts).svg)
    assert signs == ["+" if i == j else "−" for i in range(4) for j in range(4)]
