"""The letter model: against PyTorch's GRU, a slow edit distance, and the list it learned."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.rnn import place_names as training
from firth.rnn import place_names
from firth.rnn.place_names import (
    Letters,
    divergence,
    edit_distances,
    folded,
    loss,
    measured,
    nearest,
    probabilities,
    sampled,
    scores,
    state,
    trained_network,
)
from firth.store import corpora
from firth.store.results import stored_result

NET = trained_network()
REAL = corpora.places()
RUNS = stored_result("rnn/place_names_runs")
texts = st.text(alphabet="".join(NET.alphabet[1:]), max_size=12)
short = st.text(alphabet="abcà ", max_size=6)


def gru(net):
    d = net.U.shape[1]
    cell = torch.nn.GRU(len(net.alphabet), d).double()
    for name, part in zip(("weight_ih", "weight_hh", "bias_ih", "bias_hh"), "WUbc", strict=True):
        getattr(cell, f"{name}_l0").data = torch.tensor(getattr(net, part))
    return cell


@given(texts)
def test_the_state_is_that_of_pytorchs_gru_with_the_same_weights(prefix):
    ids = torch.tensor([0, *place_names.ids(prefix, NET)])
    with torch.no_grad():
        H, _ = gru(NET)(torch.nn.functional.one_hot(ids, len(NET.alphabet)).double())
    np.testing.assert_allclose(state(prefix, NET), H[-1].numpy(), atol=1e-10)


@given(texts, st.sampled_from([0.3, 1.0, 1.7]))
def test_the_temperature_divides_scores(prefix, tau):
    s = scores(prefix)
    expected = torch.softmax(torch.tensor(s) / tau, 0).numpy()
    np.testing.assert_allclose(probabilities(s, tau), expected, atol=1e-12)
    odds = np.log(probabilities(s, tau)[1] / probabilities(s, tau)[2])
    assert odds == pytest.approx((s[1] - s[2]) / tau, abs=1e-6)


def test_drawn_letters_follow_the_odds():
    p = probabilities(scores("Sant "), 1.0)
    drawn = [sampled(seed, 1.0, "Sant ")[5:6] for seed in range(600)]
    for i in np.argsort(p)[-3:]:
        share = np.mean([letter == NET.alphabet[i] for letter in drawn])
        assert abs(share - p[i]) < 4 * math.sqrt(p[i] * (1 - p[i]) / 600)


@given(st.integers(0, 2**32 - 1), st.floats(0.05, 3), texts)
def test_a_name_begins_with_its_prefix_ends_and_is_the_same_each_time(seed, tau, prefix):
    name = sampled(seed, tau, prefix)
    assert name.startswith(prefix.strip()) or prefix[:1] == " "
    assert len(name) <= place_names.LONGEST and name == sampled(seed, tau, prefix)


def test_a_prefix_may_be_empty_and_accents_may_be_typed_in_two_ways():
    assert scores("").shape == (len(NET.alphabet),)
    np.testing.assert_array_equal(scores("Alcarra\u0300s"), scores("Alcarràs"))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: scores("Straße"), "No name in the list has the letter 'ß'"),
        (lambda: sampled(1, prefix="\n"), "No name in the list has the letter"),
        (lambda: sampled(1, tau=0.0), "above 0, not 0"),
        (lambda: sampled(1, tau=-1.0), "above 0, not -1"),
        (lambda: probabilities(np.zeros(2), math.nan), "above 0, not nan"),
        (lambda: probabilities(np.zeros(2), math.inf), "above 0, not inf"),
        (lambda: edit_distances("a", []), "give a list of one or more"),
    ],
)
def test_bad_input_is_answered_with_what_to_do(wrong, said):
    with pytest.raises(ValueError, match=said):
        wrong()


def slow_distance(a, b):
    table = [list(range(len(b) + 1))]
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            row.append(min(table[-1][j] + 1, row[-1] + 1, table[-1][j - 1] + (x != y)))
        table.append(row)
    return table[-1][-1]


@given(short, st.lists(short, min_size=1, max_size=5))
def test_edit_distances_are_those_of_the_slow_table(name, others):
    assert edit_distances(name, others).tolist() == [slow_distance(name, o) for o in others]


@given(st.lists(short, min_size=1, max_size=6), st.lists(short, min_size=1, max_size=6))
def test_divergence_is_a_share_of_a_bit_and_0_only_for_like_lists(names, others):
    assert 0 <= divergence(names, others) <= 1 + 1e-12
    assert divergence(names, others) == pytest.approx(divergence(others, names))
    assert divergence(names, names) == 0


def test_R11_the_shipped_network_is_small_and_loses_nothing_by_being_packed():
    assert place_names.FILE.stat().st_size < 120_000
    first = RUNS["rows"][0]
    assert first["list"] == "720, accents" and first["packed"][1] == pytest.approx(
        first["test"], abs=0.01
    )
    _, _, test = training.material("720, accents", 0)
    assert loss(test) == pytest.approx(first["packed"][1], abs=1e-3)


def test_R11_names_that_were_asked_were_not_learned_from():
    for which in training.lists():
        for seed in range(2):
            train, dev, test = training.material(which, seed)
            parts = [{folded(name) for name in part} for part in (train, dev, test)]
            assert not (parts[0] & parts[1] or parts[0] & parts[2] or parts[1] & parts[2])
            assert sum(map(len, parts)) == len(train) + len(dev) + len(test)
    stored = stored_result("rnn/place_names")["held_out"]
    _, dev, test = training.material("720, accents", 0)
    assert stored == dev + test


def test_R11_names_are_new_rarely_twice_and_near_real_ones():
    names = [sampled(seed, 1.0) for seed in range(200)]
    found = measured(names, REAL)
    assert found["copies"] < 0.05 and found["duplicates"] < 0.05
    assert 2 < found["distance"] < 8
    assert found["divergence"] < 0.12


def test_R11_a_low_temperature_repeats_itself():
    cold, warm = (measured([sampled(s, tau) for s in range(200)], REAL) for tau in (0.3, 1.0))
    assert cold["duplicates"] > 0.2 > warm["duplicates"]
    assert cold["divergence"] > warm["divergence"]


def test_a_copy_but_for_accents_is_a_copy():
    assert measured(["Vic", "ALCARRAS"], ["Vic", "Alcarràs"])["copies"] == 1
    assert nearest("Vik", ["Vic", "Valls"]) == ("Vic", 1)


def test_R11_the_smoothing_decides_whether_the_network_is_less_surprised_than_counts():
    for row in RUNS["rows"]:
        simple, better = (min(row[kind].values())[1] for kind in ("ngrams", "kneser_ney"))
        assert better < row["test"]
        if row["list"].startswith("720"):
            assert row["test"] < simple
        assert {tuple(pair)[1] for pair in row["curve"][row["epoch"] - 1 :][:1]} == {
            min(held for _, held in row["curve"])
        }
    assert len({(row["list"], row["split"]) for row in RUNS["rows"]}) == 15


@given(st.lists(short, min_size=1, max_size=6), st.integers(1, 4), short)
@settings(deadline=None, max_examples=50)
def test_kneser_and_neys_chances_of_what_comes_next_sum_to_1_over_letters_and_the_end(
    train, n, prefix
):
    letters = training.alphabet([*train, "abcà "])
    of = training.surprise(train, n, letters)
    chances = [math.exp(of(prefix) - of(prefix + letter)) for letter in letters]
    assert min(chances) > 0 and sum(chances) == pytest.approx(1, abs=1e-9)


def test_what_is_stored_of_the_counts_is_what_they_come_to():
    train, dev, test = training.material("720, accents", 0)
    letters = training.alphabet(train + dev + test)
    for smoothing, losses in training.counted(train, dev, test, letters, among=(2, 5)).items():
        for n, pair in losses.items():
            assert RUNS["rows"][0][smoothing][n] == pytest.approx(pair, abs=2e-4)


@pytest.mark.night
def test_R11_a_short_training_ends_below_what_letters_alone_can_tell():
    train, dev, test = training.material("720, accents", 0)
    letters = training.alphabet(train + dev + test)
    result, net = training.trained(train, dev, test, letters, seed=1, epochs=4)
    assert isinstance(net, Letters)
    assert result["test"] < training.ngram_loss(train, test, 1, len(letters))
    assert loss(test, net) == pytest.approx(result["test"], abs=1e-4)
