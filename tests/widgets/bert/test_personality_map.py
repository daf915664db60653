"""The map of personality items: what is stored, what it says, and what makes no sense."""

import js
import numpy as np
import pytest
from traitlets import TraitError

from experiments.bert import personality as benchmark
from firth.bert import minilm, personality_survey
from firth.lsa.similarity import cosine_table
from firth.store import corpora
from firth.store.results import stored_result
from firth.widgets.bert.personality_map import BY, FILE, LAYOUTS, BertPersonality

STORED = stored_result("bert/personality")
ITEMS, R = corpora.personality(), corpora.personality_answers()


def pure(widget, name, *args):
    return js.call(widget._esm, name, *args)


@pytest.fixture(scope="module")
def cosines():
    V = minilm.vectors(ITEMS["text"].tolist())
    return cosine_table(V, V)


def test_what_is_stored_is_small_and_what_the_encoder_says_now(cosines):
    assert FILE.stat().st_size < 80_000
    stored = np.array(STORED["cosines"]) / 1000
    np.testing.assert_allclose(stored, personality_survey.pairs(cosines), atol=0.0006)
    S, answered, _ = BertPersonality().tables()
    np.testing.assert_allclose(S, cosines, atol=0.0006)
    np.testing.assert_allclose(answered, R, atol=1e-9)


def test_the_map_that_keeps_variance_is_classical_scaling(cosines):
    for name, S in (("words", cosines), ("answers", R), ("size", abs(R))):
        shown = np.array(STORED["maps"]["far"][name], dtype=float)
        X, _ = personality_survey.coordinates(S)
        both = [np.linalg.norm(P[:, None] - P[None], axis=2) for P in (shown, X)]
        i, j = np.tril_indices(len(R), -1)
        assert np.corrcoef(both[0][i, j], both[1][i, j])[0, 1] > 0.9999, name


def test_turning_a_map_towards_another_moves_no_two_items_apart():
    draw = np.random.default_rng(0)
    X, Y = draw.normal(size=(2, 9, 2))
    turned = benchmark.turned_to(X, Y)
    apart = [np.linalg.norm(P[:, None] - P[None], axis=2) for P in (X, turned)]
    np.testing.assert_allclose(*apart, atol=1e-9)
    Y -= Y.mean(axis=0)
    assert ((turned - Y) ** 2).sum() <= ((X - X.mean(axis=0) - Y) ** 2).sum()


def test_B11_the_map_of_neighbours_keeps_them_and_the_map_of_variance_loses_them():
    told = {
        (by, laid): (view.answer()["told"], view.answer()["told_here"])
        for by in BY
        for laid in LAYOUTS
        for view in [BertPersonality(by=by, laid=laid)]
    }
    for by in BY:
        whole, near = told[by, "near"]
        assert abs(whole - near) < 0.1 * whole and told[by, "far"][1] < 0.5 * whole
    assert told["words", "near"][0] == round(135 * STORED["rows"]["MiniLM, mean"]["told"])
    assert told["words", "far"][1] < 20 and BertPersonality().answer()["luck"] == 135 * 4 / 134


def test_B11_the_words_put_an_item_beside_its_opposite_and_the_answers_do_not():
    view = BertPersonality(item="Seldom get mad.")
    shown = view.answer()
    assert (shown["near"][0], shown["keys"][0]) == ("Get angry easily.", "for")
    assert shown["similarities"][0] > 0.6 and shown["correlations"][0] < -0.6
    view.by = "answers"
    assert set(view.answer()["keys"][:2]) == {"against"} and "Get" not in view.answer()["near"][0]
    view.by = "size"
    assert view.answer()["near"][0] == "Get angry easily."


def test_a_search_finds_items_facets_and_factors_whatever_the_case():
    view = BertPersonality(search="  ART ")
    assert "Do not like art." in view.answer()["found"]
    view.search = "neuroticism"
    assert len(view.answer()["found"]) == 14
    assert view.answer()["said"] == "14 of 135 items found."
    view.search = "xyz"
    assert view.answer()["found"] == [] and view.answer()["said"] == "0 of 135 items found."
    view.search = ""
    assert view.answer()["said"] == ""


def test_an_arrow_key_goes_to_what_lies_ahead_and_stays_at_the_edge():
    points = [[0, 0], [10, 1], [4, 9], [-5, 0]]
    view = BertPersonality()
    for arrow, to in (([1, 0], 1), ([0, 1], 2), ([-1, 0], 3), ([0, -1], 0)):
        assert pure(view, "ahead", points, 0, arrow) == to


def test_every_item_can_be_reached_by_arrows_alone():
    view = BertPersonality()
    arrows = [[1, 0], [-1, 0], [0, 1], [0, -1]]
    for points in (of for laid in STORED["maps"].values() for of in laid.values()):
        reached, waiting = {0}, [0]
        while waiting:
            here = waiting.pop()
            for to in {pure(view, "ahead", points, here, arrow) for arrow in arrows} - reached:
                reached.add(to)
                waiting.append(to)
        assert len(reached) > 0.95 * len(points)  # the others by the list of items


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        ({"item": "Nobody asked."}, "none of these 135 items"),
        ({"by": "stars"}, "by"),
        ({"laid": "round"}, "laid"),
        ({"colour": "green"}, "colour"),
        ({"search": "x" * 41}, "40 letters at most"),
    ],
)
def test_what_makes_no_sense_is_refused(choices, says):
    with pytest.raises(TraitError, match=says):
        BertPersonality(**choices)


def test_a_change_is_heard_as_one_sentence():
    view = BertPersonality()
    sentence = "Seldom get mad. It speaks against Irritability; Neuroticism. "
    sentence += "Nearest: Get angry easily. Cosine 0.67, correlation −0.65."
    assert pure(view, "spoken", view.answer(), view.state()) == sentence


def test_a_page_without_a_script_shows_items_and_their_nearest():
    html = BertPersonality().fallback()
    assert "<table" in html and "what the words say" in html and html.count("<tr>") == 10
