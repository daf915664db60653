"""What a fact's id promises stands on the page of its chapter, as the cells computed it.

The modules' own tests hold the numbers; nbval holds that the page's outputs are what its cells
give. Here each id is looked for where the reader will look: among the outputs.
"""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import page, shows

from firth.lsa.similarity import distance

PAGE = "01_lsa_deeper"  # its worked examples


def test_S1_the_page_shows_one_hot_words_without_anything_in_common():
    shows(PAGE, "hotel · motel = 0.0", "hotel · cat = 0.0")


@pytest.mark.parametrize(
    "line",
    [
        "cherry · tomato 12 0.97 (14°) 8.49",
        "cherry · smartphone 3 0.24 (76°) 2.12",
        "tomato · smartphone 0 0.00 (90°) 0.00",
    ],
)
def test_S3_S4_S5_the_page_shows_three_measures_of_three_pairs(line):
    shows(PAGE, line)


def test_S6_the_page_finds_the_fruits_nearest_to_5_5():
    shows(PAGE, "nearest to (5, 5): ['banana', 'strawberry', 'cherry'] by cosine: house")


FRUITS, MACHINES = np.array([1.5, 5.5]), np.array([6.5, 1.5])
place = st.tuples(st.floats(-50, 50), st.floats(-50, 50)).map(np.array)


@given(place)
def test_S7_no_place_for_apple_is_near_both_the_fruits_and_the_machines(apple):
    to_fruits, to_machines = distance(apple, FRUITS), distance(apple, MACHINES)
    assert to_fruits + to_machines >= distance(FRUITS, MACHINES) - 1e-9


def test_S7_the_page_shows_apple_far_from_one_group_wherever_it_stands():
    shows(PAGE, "0.00 and 6.40", "3.20 and 3.20", "6.40 and 0.00")
    assert round(float(distance(FRUITS, MACHINES)), 2) == 6.40


def test_S17_the_page_shows_the_memory_of_one_hot_and_dense_tables():
    shows(PAGE, "10,000 0.4 GB 0.012 GB 33", "13,000,000 676,000.0 GB 15.600 GB 43,333")


def test_S19_the_page_shows_banking_in_its_contexts():
    places = re.search(r"banking stands in (\d+) places", page(PAGE))
    assert int(places[1]) > page(PAGE).count("[banking]") == 8


def test_S19_the_page_sees_bank_from_the_left_and_from_both_sides():
    shows(PAGE, "from the left: ['i', 'accessed', 'the']")
    shows(PAGE, "from both sides: ['i', 'accessed', 'the', 'account']")


def test_S19_run_is_as_far_from_running_as_from_poetry():
    shows(PAGE, "from run to running: 1.414", "from run to poetry: 1.414")


def test_S19_the_page_shows_the_vocabulary_as_an_index():
    shows(PAGE, "{'the': 0, 'a': 1, 'and': 2, 'ship': 3, 'star': 4")


def test_S19_a_phrase_is_the_sum_of_its_words_for_better_and_for_worse():
    near = {
        p: re.search(f"{p}: ((?:[^ ]+, )+[^ ]+)", page(PAGE)) for p in ("united states", "not good")
    }
    assert {"canada", "kingdom"} <= set(near["united states"][1].split(", "))
    assert not {"bad", "poor", "evil"} & set(near["not good"][1].split(", "))


def test_two_directions_bring_human_to_user_by_cosine_and_by_correlation():
    shows(PAGE, "9 human – user 0.00 -0.38", "2 human – user 0.89 0.94")
    shows(PAGE, "9 human – minors 0.00 -0.29", "2 human – minors -0.28 -0.83")
