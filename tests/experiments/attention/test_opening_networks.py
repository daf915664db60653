"""The opening's two networks had equal conditions, and their stored weights are those measured."""

import pytest

from experiments.attention import context_size, opening_networks
from experiments.attention.telephone_numbers import SETTINGS
from firth.attention import telephone_numbers
from firth.attention.telephone_numbers import german_words, random_numbers, translation
from firth.store.results import stored_result

STORED = stored_result("attention/telephone_numbers")
RUNS = STORED["runs"]


def test_both_networks_have_equal_conditions_and_each_its_own_best_learning_rate():
    rows = context_size.stored_rows()
    for name, kind in opening_networks.NETWORKS.items():
        run = RUNS[name]
        assert (run["d"], run["kind"]) == (opening_networks.D, kind)
        assert run["rate"] == context_size.chosen_rate(rows, run["d"], kind)
    for what in ("d", "seed", "steps", "parameters"):
        assert len({run[what] for run in RUNS.values()}) == 1


@pytest.mark.parametrize("name", list(RUNS))
def test_they_are_runs_of_the_comparison_of_sizes(name):
    run = RUNS[name]
    about = ("part", "d", "kind", "seed")
    (same,) = [
        row
        for row in stored_result("attention/context_size")["rows"]
        if all(row[key] == run[key] for key in about)
    ]
    assert same["lengths"] == run["lengths"] and same["losses"] == run["losses"]


@pytest.mark.parametrize(("name", "attend"), [("weights", True), ("one vector", False)])
def test_the_stored_weights_translate_as_well_as_the_measured_network(name, attend):
    net = telephone_numbers.network(telephone_numbers.stored_weights(name))
    for pairs in (3, 6):
        asked = random_numbers(pairs, SETTINGS["asked"], 1000 + pairs, held_out=True)[:100]
        right = [translation(n, net, attend)[0] == german_words(n) for n in asked]
        measured = RUNS[name]["lengths"][pairs - 1]["numbers"]
        assert sum(right) / len(right) == pytest.approx(measured, abs=0.1)
