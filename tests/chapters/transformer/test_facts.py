"""What chapter 5 owes its facts, looked for where the reader will look: among the outputs."""

import re

import pytest
from notebooks import COURSE
from pages import drawn, page, shows

CHAPTER = "05_transformer"


def test_A8_the_five_things_that_a_slide_asks_of_positions_and_the_rotation():
    apart = re.search(r"unique: the nearest two rows are (\d\.\d\d) apart", page(CHAPTER))
    assert float(apart[1]) > 1
    differ = "consistent: distances of 1, 5, 20 steps differ from place to place:"
    assert re.search(rf"{differ} \[False, False, False\]", page(CHAPTER))
    shows(CHAPTER, "works for unseen lengths: True", "largest number 1.0", "deterministic: True")
    shows(CHAPTER, "place p + 7 is one fixed rotation of place p: True")


def test_A9_a_norm_is_over_the_features_of_a_token():
    shows(CHAPTER, "means over a token's features: True", "their spreads are 1: True")
    shows(CHAPTER, "means over tokens are 0 too: False")


def test_A10_six_blocks_counted_by_hand_by_the_module_and_by_pytorch():
    shows(CHAPTER, *(f"{who} 18,914,304" for who in ("six blocks", "the module", "PyTorch's")))
    shows(CHAPTER, "as PyTorch's encoder: True")


@pytest.mark.parametrize("size, least, most", [("base", 109, 110), ("large", 335, 336)])
def test_B4_both_sizes_of_bert(size, least, most):
    counted = re.search(rf" {size} \d+ [\d,]+ \d+ (\d+\.\d) M", page(CHAPTER))
    assert least < float(counted[1]) < most


def test_A11_no_token_hears_a_later_one():
    shows(CHAPTER, "tokens 0 … 6: not zero True", "tokens 7 … 11: exactly zero True")


def test_A12_the_whole_figure_learns_to_translate():
    shows(CHAPTER, "numbers of four pairs right, more than nine in ten: True")
    row = re.search(r" transformer 5" + 6 * r" (\S+) \([\d.]+–[\d.]+\)", drawn(CHAPTER))
    three, five, six, seven, eight, ten = map(float, row.groups())
    assert min(three, five, six) > 0.95 and seven < 0.6 and eight < 0.2 and ten == 0


@pytest.mark.parametrize(
    "row",
    ["117M 124.4 M", "345M 354.8 M", "762M 774.0 M", "1.5B 1,557.6 M"],
)
def test_A13_what_was_said_of_gpt_2_and_what_is_counted(row):
    shows(CHAPTER, row)


def test_A14_a_real_model_continues_and_invents_a_law():
    shows(CHAPTER, "134,515,008 weights; by the formula 134,515,008")
    shows(CHAPTER, "The capital of France is Paris.", "The first law of robotics is")
    shows(CHAPTER, "{'k': 2} [0.67 0.33 0. 0. ]", "{'p': 0.8} [0.56 0.28 0.17 0. ]")


def test_A14_the_scores_are_the_same_with_keys_and_values_kept():
    shows(CHAPTER, "the same scores, piece by piece: True")


def test_A15_lookup_mixing_using_and_the_family_stand_on_the_page():
    import json

    path = COURSE / "chapters" / f"{CHAPTER}.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = " ".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    words = ("**Lookup**", "**Mixing**", "**Using**", "DistilBERT", "T5", "GPT-3", "ChatGPT")
    assert all(word in text for word in words)


def test_without_positions_it_knows_the_words_and_not_their_order():
    shows(CHAPTER, "in whatever order, more than seven in ten: True")
    shows(CHAPTER, "numbers right, fewer than one in ten: True")


def test_without_the_way_past_all_tokens_become_one():
    row = r"{} (\d\.\d\d) \d\.\d\d \d\.\d\d (\d\.\d\d)"
    rows = [re.search(row.format(name), page(CHAPTER)) for name in ("with the sum", "without")]
    kept, lost = (float(row[2]) for row in rows)
    assert kept < 0.6 and lost > 0.99


def test_without_the_mask_it_copies_and_at_the_last_place_it_knows_nothing():
    shows(CHAPTER, "masked below half of it: False, at the last place: False")
    shows(CHAPTER, "open below half of it: True, at the last place: False")


def test_its_stretches_are_told_beside_all_of_hers():
    shows(CHAPTER, "the least of 23 9.36 20 26", "the most of 23 10.15 23 40", "τ = 1.0 8.80 18 25")


def test_scattered_places_are_counted_as_they_are_drawn():
    shows(
        CHAPTER,
        "word 3 of 12 at place 2: in one text of 189",
        "word 5 of 12 at place 4: in one text of 9,627",
    )


def test_no_head_looks_for_what_came_next_the_last_time():
    most, even = re.search(
        r"same two letters: at most (\S+), with even weights (\S+)", page(CHAPTER)
    ).groups()
    assert float(most) < 2 * float(even) < 0.04
