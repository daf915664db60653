"""What chapter 4 owes its facts, looked for where the reader will look: among the outputs."""

import re

import pytest
from pages import drawn, page, shows

CHAPTER = "04_attention"


def test_S8_cosines_of_the_fruit_the_firm_and_the_little_words():
    shows(CHAPTER, "orange 1.00 0.00 0.71 0.00 0.00", "apple 0.71 0.71 1.00 0.00 0.00")
    shows(CHAPTER, "and 0.00 0.00 0.00 1.00 1.00")


def test_S9_S10_shares_by_the_sum_and_by_the_softmax():
    shows(CHAPTER, "orange becomes 0.58 orange + 0.42 apple")
    shows(CHAPTER, "softmax of (1, 0.71): [0.57 0.43]", "softmax of (1, −1): [0.88 0.12]")


def test_S11_every_row_of_the_whole_sentence_sums_to_1():
    rows = ["orange 0.40 0.30 0.15 0.15 1.00", "apple 0.30 0.40 0.15 0.15 1.00"]
    rows += [f"{word} 0.13 0.13 0.37 0.37 1.00" for word in ("and", "an")]
    shows(CHAPTER, *rows)


def test_S12_the_firm_is_pulled_as_well_and_less_in_the_whole_sentence():
    shows(CHAPTER, "phone becomes 0.57 phone + 0.43 apple", "[0.47 0.35 0.17] of phone, apple")


def test_S12_iterated_the_pull_leaves_one_point():
    apart = re.search(r"words apart, before and after (\d+) steps: (\S+) (\S+)", page(CHAPTER))
    assert float(apart[3]) < 0.01 < 1 < float(apart[2])


def test_A1_the_same_weights_with_and_without_attention():
    counts = re.search(r"None ([\d,]+) dot ([\d,]+) general ([\d,]+)", page(CHAPTER))
    assert counts[1] == counts[2] != counts[3]


def test_A1_one_vector_loses_long_inputs_and_attention_fails_beyond_what_it_has_learned():
    row = r" {} (\d\.\d\d) \(\S+\) (\d\.\d\d) \("
    at = {n: re.search(row.format(n), drawn(CHAPTER)).groups() for n in (1, 6, 12)}
    with_, without = ({n: float(pair[i]) for n, pair in at.items()} for i in (0, 1))
    assert with_[6] > 0.95 > 0.5 > without[6]
    assert with_[12] < 0.1 and without[12] < 0.1


def test_A1_trained_live_the_one_learns_what_the_other_does_not():
    shows(CHAPTER, "more than nine in ten numbers right: True", "fewer than a quarter: True")


def test_A2_the_six_parts_of_a_step_and_the_look_that_crosses_over():
    shows(CHAPTER, "the same, part by part: True")
    assert re.search(r"before it says vier it looks most at four", page(CHAPTER))


def test_A3_permuted_inputs_give_permuted_outputs():
    shows(CHAPTER, "yawning cat the is each word's output is the same: True")


def test_A4_scores_spread_with_d_and_not_when_divided():
    shows(CHAPTER, "scores divided by 8.0 rows sum to [1. 1. 1. 1.]")
    spread, scaled = re.search(r" 64 (6\d\.\d+) (\d\.\d+) ", page(CHAPTER)).groups()
    assert 60 < float(spread) < 68 and abs(float(scaled) - 1) < 0.1


def test_A5_the_product_is_the_loop_and_is_pytorchs():
    shows(CHAPTER, "the loop and the product agree: True", "forwards as PyTorch: True")
    shows(CHAPTER, "gradients as PyTorch: [True, True, True]")


def test_A6_eight_heads_of_64_are_pytorchs_and_three_of_2_make_6():
    shows(CHAPTER, "eight heads of 64 as PyTorch's: True", "three heads of 2, joined: (5, 6)")


@pytest.mark.parametrize("name", ["turn", "stretch", "shear", "first one, then the other"])
def test_A7_linear_maps_are_linear_and_can_be_undone(name):
    assert re.search(rf"{name} +linear: True, can be undone: True", page(CHAPTER))


def test_A7_flattening_is_linear_too_and_cannot_be_undone():
    assert re.search(r"flatten +linear: True, can be undone: False", page(CHAPTER))


def test_A7_three_spaces_and_the_good_one_decides_when_they_are_joined():
    row = r"{} {} (\d+\.\d\d)"
    found = {n: re.search(row.format(n, m), page(CHAPTER)) for n, m in
             (("good", "4"), ("okay", "1"), ("bad", "0.10"), ("together", "–"))}  # fmt: skip
    good, okay, bad, together = (float(found[n][1]) for n in found)
    assert good > okay > bad and abs(together - 4 * good) < 0.2 * together


def test_A7_what_can_be_bought_is_alike_though_it_is_not_by_topic():
    shows(CHAPTER, "car 4.24 0.00", "phone 2.83 0.00", "yesterday 2.24 1.00")
