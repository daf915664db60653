"""What chapter 4 owes its facts, looked for where the reader will look: among the outputs."""

import re

import numpy as np
import pytest
from notebooks import COURSE
from pages import page, shows

from firth.store.results import stored_result

CHAPTER, DEEPER = "04_attention", "04_attention_deeper"
NUMBERS = r"\[([^\]]*)\]"


def test_S8_the_five_vectors_and_their_cosines_stand_in_one_table():
    shows(CHAPTER, "word tech fruit neither", "orange 0 3 0 1.00 0.00 0.71 0.00 0.00")
    shows(CHAPTER, "phone 4 0 0 0.00 1.00 0.71 0.00 0.00", "apple 2 2 0 0.71 0.71 1.00 0.00 0.00")
    shows(CHAPTER, "and 0 0 2 0.00 0.00 0.00 1.00 1.00", "an 0 0 3 0.00 0.00 0.00 1.00 1.00")


def test_S9_S10_shares_by_the_sum_and_by_the_softmax():
    shows(DEEPER, "divided by the sum: [0.58 0.42]")
    shows(DEEPER, "softmax of (1, 0.71): [0.57 0.43]", "softmax of (1, −1): [0.88 0.12]")


def test_S11_every_row_of_the_whole_sentence_sums_to_1():
    rows = ["orange 0.40 0.30 0.15 0.15 1.00", "apple 0.30 0.40 0.15 0.15 1.00"]
    rows += [f"{word} 0.13 0.13 0.37 0.37 1.00" for word in ("and", "an")]
    shows(DEEPER, *rows)


def test_S12_the_company_is_pulled_as_well_and_less_in_the_whole_sentence():
    shows(DEEPER, "[0.47 0.35 0.17]")


def test_S12_iterated_the_pull_leaves_one_point():
    apart = dict(re.findall(r"steps: (\d+) largest distance of two words: (\S+)", page(DEEPER)))
    assert float(apart["1"]) > 1 and float(apart["20"]) < 0.001


def right(kind, d, pairs):
    """The share of numbers of one length that are right, a mean over the seeds of one size."""
    runs = [row for row in stored_result("attention/context_size")["rows"]
            if (row["part"], row["kind"], row["d"]) == ("comparison", kind, d)]  # fmt: skip
    return np.mean([run["lengths"][pairs - 1]["numbers"] for run in runs])


def test_A1_both_kinds_have_equally_many_parameters_at_every_size():
    rows = stored_result("attention/context_size")["rows"]
    for d in {row["d"] for row in rows}:
        assert len({row["parameters"] for row in rows if row["d"] == d}) == 1


def test_A1_one_vector_loses_long_inputs_and_attention_fails_beyond_what_it_has_learned():
    sizes = {row["d"] for row in stored_result("attention/context_size")["rows"]
             if row["part"] == "comparison"}  # fmt: skip
    for d in sizes:
        assert right("dot", d, 6) > 0.95 and right("dot", d, 6) > right("none", d, 6)
        assert right("dot", d, 12) < 0.5
    assert right("none", min(sizes), 6) < 0.9


def test_A1_trained_on_the_page_one_vector_gets_words_wrong_and_attention_does_not():
    longest = "vier und zwanzig siebzehn fünf und fünfzig zwei und sechzig neun und dreißig sechs"
    shows(CHAPTER, f"{longest} und achtzig")
    assert re.search(r"\[[a-zß-ü]+\] und", page(CHAPTER))


def test_A2_when_student_is_written_etudiant_has_the_largest_weight():
    stored = stored_result("attention/french")
    step = stored["steps"][3]
    assert stored["source"][np.argmax(step["weights"])] == "étudiant"
    assert (step["word"], len(stored["source"])) == ("student", 3)
    shows(CHAPTER, "Six parts of a step. After I am a, the decoder attends to the word")


def test_A3_permuted_inputs_give_permuted_outputs():
    first, second = re.findall(rf"cat, (?:in order|shuffled): {NUMBERS}", page(DEEPER))
    assert first == second


def test_A4_rows_of_the_car_is_blue_sum_to_1_and_its_output_is_a_weighted_sum():
    shows(DEEPER, "the attends to the car is blue", "Rows of weights add up to 1.00")
    row = rf"one word after the other: {NUMBERS} as a product: {NUMBERS}"
    first, second = re.search(row, page(DEEPER)).groups()
    assert first == second


def test_A4_dot_products_of_64_numbers_have_variance_64_and_1_when_scaled():
    Q, K = np.random.default_rng(0).normal(size=(2, 2000, 64))
    assert 60 < (Q @ K.T).var() < 68 and abs((Q @ K.T / 8).var() - 1) < 0.1


@pytest.mark.parametrize("name", ["function", "layer"])
def test_A5_A6_pytorchs_numbers_stand_beside_ours(name):
    theirs, ours = re.search(rf"{name}: +{NUMBERS} {NUMBERS}", page(CHAPTER)).groups()
    assert np.allclose(*(np.fromstring(row, sep=" ") for row in (theirs, ours)), atol=2e-4)


def test_A5_the_gradients_are_pytorchs():
    found = re.search(r"largest difference from PyTorch, for Q, K, V: (\S+) (\S+) (\S+)",
                      page(DEEPER))  # fmt: skip
    assert all(float(gap) < 1e-12 for gap in found.groups())


def test_A6_three_heads_of_2_make_6():
    shows(DEEPER, "joined (5, 6) projected (5, 2)")


MAPS = ["rotate", "stretch", "shear", "shear after rotate", "project"]


@pytest.mark.parametrize("name", [*MAPS, "tanh"])
def test_A7_linear_maps_are_linear_and_tanh_is_not(name):
    row = rf"{name} +f\(2a \+ b\) = {NUMBERS} 2 f\(a\) \+ f\(b\) = {NUMBERS}"
    before, after = re.search(row, page(DEEPER)).groups()
    assert (before.split() == after.split()) == (name != "tanh")


def test_A7_three_spaces_and_the_good_one_decides_when_they_are_joined():
    gaps = {factor: float(gap) for factor, gap in
            re.findall(r"times (\S+) is (\d+\.\d\d)", page(DEEPER))}  # fmt: skip
    together = float(re.search(r"side by side (\d+\.\d\d)", page(DEEPER))[1])
    assert gaps["4"] > gaps["1"] > gaps["0.1"] and together - gaps["4"] < 0.02 * together


def test_A7_what_can_be_bought_is_alike_though_it_is_not_by_topic():
    shows(DEEPER, "car 4.24 0.00", "phone 2.83 0.00", "yesterday 2.24 1.00")


def test_two_matrices_find_partners_that_one_matrix_cannot_find():
    two, one = map(float, re.search(r"W_Q and W_K: (\S+) W_Q = W_K: (\S+)", page(CHAPTER)).groups())
    assert two > 0.95 and one < 0.5
    text = (COURSE / f"chapters/{CHAPTER}.ipynb").read_text(encoding="utf-8")
    assert f"{two:.0%}".replace("%", " %") in text and f"{one:.0%}".replace("%", " %") in text
