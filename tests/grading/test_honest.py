"""Honest students keep the points that they were once given: sixty of them, in many styles."""

import json

import pytest
from answers import EXERCISES
from grading_honest import POINTS, hand_ins, points
from parts import by_day

from firth.grading.run.grade import closed

GIVEN = json.loads(POINTS.read_text("utf-8"))
HAND_INS = hand_ins()


@pytest.fixture(scope="module", autouse=True)
def no_house_is_left():
    yield
    closed()


def test_sixty_hand_ins_have_points_and_the_right_ones_all_of_them():
    assert len(HAND_INS) == 60 and HAND_INS.keys() == GIVEN.keys()
    for name, given in GIVEN.items():
        if name.partition(" ")[2] not in ("half done", "half wrong", "blank"):
            assert given == {answer: EXERCISES[answer].points for answer in given}, name


@pytest.mark.parametrize("name", by_day(HAND_INS, [*HAND_INS][::3].__contains__))
def test_an_honest_hand_in_keeps_its_points(name):
    assert points(name, HAND_INS[name]) == GIVEN[name]
