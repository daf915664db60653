"""Chapter 6's comparer of blanks: what is stored, what it says of a word, what it draws."""

import re
from collections import Counter
from itertools import pairwise

import js
import numpy as np
import pytest
from traitlets import TraitError

from experiments.bert import fill_mask
from firth.store.results import stored_result
from firth.widgets.bert.fill_mask import COUNTS, FILE, BertBlanks, hundredths, quantized

STORED = stored_result("bert/fill_mask")
WORDS = STORED["words"].split(" ")


def pure(widget, name, *args):
    return js.call(widget._esm, name, *args)


def test_what_is_stored_are_the_pairs_of_the_table_in_one_list_of_words():
    assert FILE.stat().st_size < 600_000
    assert len(WORDS) == len({*WORDS}) and 5000 < len(WORDS) < 7000
    plain = [{name: row[name] for name in ("kind", "name", "a", "b")} for row in STORED["rows"]]
    assert plain == fill_mask.pairs()
    for row in STORED["rows"]:
        assert row["m"]["shape"] == row["d"]["shape"] == [len(WORDS)]


def test_B12_there_are_twenty_pairs_and_more_and_three_on_bias_and_controls():
    kinds = Counter(row["kind"] for row in STORED["rows"])
    assert kinds["Texas and its like"] >= 20
    assert kinds["he and she"] >= 3 and kinds["controls"] >= 3
    assert len({row["name"] for row in STORED["rows"]}) == len(STORED["rows"])
    for row in STORED["rows"]:
        assert row["a"].count("[MASK]") == row["b"].count("[MASK]") == 1


def test_no_list_of_the_likeliest_lacks_a_word_that_the_model_has_on_it():
    """The kept words are the model's own best of every sentence, and common ones beside them."""
    log_p = np.log(np.random.default_rng(0).dirichlet(np.full(900, 0.1), size=3) + 1e-12)
    tokens = [f"word{i}" if i % 2 else f"##{i}" for i in range(900)]
    chosen = fill_mask.kept([*tokens[:890], *"abcdefghij"], log_p)
    assert {*np.argsort(-log_p, axis=1)[:, :50].ravel().tolist()} <= {*chosen}
    assert {*range(890, 900)} <= {*chosen}  # whole words of letters


def test_two_bytes_keep_the_mean_to_a_twentieth_and_the_gap_to_a_fiftieth():
    chance = np.random.default_rng(0)
    x = -chance.gamma(4, 2.0, size=500).clip(max=22)
    y = np.minimum(x + chance.normal(size=500).clip(-2, 2), 0)
    both = -hundredths(**quantized(x, y)) / 100
    assert abs(both.mean(axis=0) - (x + y) / 2).max() <= 0.08
    assert abs((both[0] - both[1]) - (x - y))[both.max(axis=0) < 0].max() <= 0.02 + 1e-9
    assert both.max() <= 0


def test_all_numbers_follow_from_the_two_rows_of_the_pair():
    view = BertBlanks(count="200")
    shown, row = view.answer(), view.row()
    x, y = -hundredths(row["m"], row["d"]) / 100
    best = np.maximum(x, y)
    assert shown["shown"] == 200 and shown["total"] == len(WORDS)
    least = np.sort(best)[-200]
    for word in (*shown["most"][0], *shown["most"][1]):
        assert best[WORDS.index(word)] >= least - 1e-9
    gaps = [x[WORDS.index(word)] - y[WORDS.index(word)] for word in shown["most"][0]]
    assert gaps == pytest.approx(shown["most_by"][0]) and gaps == sorted(gaps, reverse=True)
    assert shown["top_values"][0][0] == pytest.approx(x.max())
    everything = BertBlanks(count="all").answer()
    assert everything["masses"] == pytest.approx([100 * np.exp(v).sum() for v in (x, y)])
    assert everything["r"] == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert everything["apart"] == pytest.approx(abs(x - y).mean())


@pytest.mark.parametrize("count", COUNTS)
def test_a_dot_stands_where_its_word_s_two_numbers_say(count):
    view = BertBlanks(count=count, pair=STORED["rows"][3]["name"])
    points, row = pure(view, "points", view.state()), view.row()
    x, y = -hundredths(row["m"], row["d"]) / 100
    assert len(points) == view.answer()["shown"]
    gaps = [point["x"] - point["y"] for point in points]
    assert all(a >= b - 1e-9 for a, b in pairwise(gaps))
    for point in points[:: max(1, len(points) // 40)]:
        i = WORDS.index(point["name"])
        assert (point["x"], point["y"]) == pytest.approx((x[i], y[i]))


def test_a_word_that_is_pointed_at_is_said_with_its_numbers_and_places():
    word = BertBlanks().answer()["tops"][0][0]
    view = BertBlanks(word=f" {word.upper()} ")
    said = view.answer()["said"]
    assert said.startswith(f"{word}: log-likelihood −") and "(place 1)" in said
    assert pure(view, "spoken", view.answer(), view.state()) == said
    nobody = BertBlanks(word="zorf").answer()
    assert nobody["place"] is None
    assert nobody["said"] == f"“zorf” is not among the {len(WORDS):,} words here."


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        ({"pair": "Atlantis"}, "choose one of them"),
        ({"count": "12"}, "30, 200, 1000, 5000, all"),
        ({"chart": "pie"}, "likelihoods, differences"),
        ({"word": "x" * 41}, "at most 40 letters"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(choices, says):
    with pytest.raises(TraitError) as refused:
        BertBlanks(**choices)
    message = str(refused.value)
    assert re.search(says, message), message
    assert "\n" not in message and len(message) < 200


def test_a_page_without_a_script_shows_a_table():
    assert "<table" in BertBlanks().fallback() and "In Texas" in BertBlanks().fallback()
