"""Whether attention explains: effects and other attentions, against slow loops."""

import numpy as np
import pytest
import scipy.stats
import torch

from firth.attention import seq2seq, telephone_numbers
from firth.attention.explanation import (
    WordEffects,
    different_numbers,
    effects,
    equal_weights,
    rank_agreement,
    share_unchanged,
    words_of_same_kind,
)
from firth.attention.seq2seq import padded_batch, translate
from firth.attention.telephone_numbers import ENGLISH, GERMAN, english_words, word_indices

NUMBERS = ["42173365", "98214357"]


@pytest.fixture(scope="module")
def net():
    return seq2seq.load_translator(telephone_numbers.stored_weights())


def words_of(net, source, said, A=None):
    """Scores after each word, computed for one text alone."""
    Y = torch.tensor([[0, *word_indices(said, GERMAN)[:-1]]])
    with torch.no_grad():
        return net(padded_batch([source], ENGLISH), Y, A)[0][0]


def test_the_shipped_network_is_the_same_in_torch(net):
    said, _ = translate(net, [english_words(number) for number in NUMBERS])
    assert said == [telephone_numbers.translation(number)[0] for number in NUMBERS]


def test_an_effect_is_what_the_word_loses_when_another_stands_in_the_place(net):
    rows = effects(net, NUMBERS[:1])
    source = english_words(NUMBERS[0])
    said = [row.word for row in rows]
    assert said == telephone_numbers.translation(NUMBERS[0])[0]
    place = word_indices(said, GERMAN)
    p = words_of(net, source, said).softmax(-1)
    for j in (0, 2, 5):
        drops = []
        for other in words_of_same_kind(source[j]):
            changed = words_of(net, [*source[:j], other, *source[j + 1 :]], said).softmax(-1)
            drops.append([float(p[t, y] - changed[t, y]) for t, y in enumerate(place)])
        np.testing.assert_allclose([row.effect[j] for row in rows], np.mean(drops, 0), atol=1e-5)
    for row in rows:
        assert row.A.sum() == pytest.approx(1, abs=1e-5) and row.source == tuple(source)


def test_for_oh_there_is_no_other_word_and_so_no_effect(net):
    rows = effects(net, ["0542"])
    assert all(row.effect[0] == 0 for row in rows)
    assert {len(words_of_same_kind(word)) for word in ENGLISH[2:]} == {7, 8, 9}


def test_agreement_is_kendalls_tau_and_the_share_of_first_places():
    random = np.random.default_rng(0)
    rows = [WordEffects("elf", ("ten",) * 6, *random.normal(size=(2, 6))) for _ in range(40)]
    found = rank_agreement(rows)
    tau = [scipy.stats.kendalltau(row.A, row.effect).statistic for row in rows]
    assert found["tau"] == pytest.approx(np.mean(tau)) and found["steps"] == 40
    assert found["first"] == np.mean([row.A.argmax() == row.effect.argmax() for row in rows])


def test_the_words_that_stay_are_counted_as_a_loop_counts_them(net):
    counts = {"left": [], "even": [], "alone": [], "another": [], "some": []}
    for number in NUMBERS:
        source = english_words(number)
        said, A = telephone_numbers.translation(number)
        place, (n, m) = torch.tensor(word_indices(said, GERMAN)), A.shape

        def same(A):
            looks = torch.tensor(np.array(A), dtype=torch.float)[None]
            return (words_of(net, source, said, looks).argmax(-1) == place).numpy()  # noqa: B023

        counts["left"] += [*same(np.roll(A, -1, axis=1))]
        counts["even"] += [*same(np.full((n, m), 1 / m))]
        counts["alone"] += [*same(np.eye(m)[A.argmax(axis=1)])]
        each = np.array([same(np.tile(np.eye(m)[j], (n, 1))) for j in range(m)])
        each[A.argmax(axis=1), np.arange(n)] = False
        counts["another"] += [*(each.sum(axis=0) / (m - 1))]
        counts["some"] += [*each.any(axis=0)]
    found = share_unchanged(net, NUMBERS)
    for name, row in counts.items():
        assert found[name] == pytest.approx(np.mean(row)), name


def test_attention_matters_here_and_is_not_the_only_one_that_would_do(net):
    numbers = [
        n
        for n in telephone_numbers.random_numbers(4, 60, seed=1, held_out=True)
        if "oh" not in english_words(n)
    ]
    found = share_unchanged(net, numbers)
    assert found["alone"] > 0.95 and found["left"] < 0.6
    assert found["some"] > found["another"] > 0
    digits = share_unchanged(net, numbers, {*telephone_numbers.EINER, "ein"})
    assert digits["left"] < found["left"] and digits["alone"] > 0.9


def test_the_word_most_looked_at_is_mostly_the_one_that_matters_but_not_for_und(net):
    numbers = [
        n
        for n in telephone_numbers.random_numbers(4, 40, seed=2, held_out=True)
        if "oh" not in english_words(n)
    ]
    rows = effects(net, numbers)
    units = [row for row in rows if row.word in telephone_numbers.EINER]
    und = [row for row in rows if row.word == "und"]
    assert rank_agreement(units)["first"] > 0.9 > rank_agreement(und)["first"]
    assert np.mean([row.effect.max() for row in und]) < np.mean([row.effect.max() for row in units])


def test_with_equal_weights_the_digits_come_from_the_mean_and_the_kinds_do_not(net):
    found = equal_weights(net, 20, seed=3)
    numerals = {name: shares[0] for name, shares in found.items()}
    assert numerals["mean"] < 0.12 < numerals["nothing"]
    assert numerals["start"] == pytest.approx(numerals["nothing"], abs=0.02)
    assert min(kinds for _, kinds in found.values()) > 0.8


def test_equal_weights_are_those_of_an_attention_that_is_put_in_its_place(net):
    (X, Y), _ = different_numbers(4, seed=3)
    before = torch.nn.functional.pad(Y[:, :-1], (1, 0))
    with torch.no_grad():
        scores, _ = net(X, before, torch.full((4, Y.shape[1], X.shape[1]), 1 / X.shape[1]))
    numerals = Y != GERMAN.index("und")
    right = (scores.argmax(-1) == Y)[numerals].float().mean().item()
    assert equal_weights(net, 4, seed=3)["nothing"][0] == pytest.approx(right)


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda net: rank_agreement([]), "nothing to rank"),
        (lambda net: share_unchanged(net, ["10"]), "None of these words stands"),
        (lambda net: share_unchanged(net, NUMBERS, {"hundert"}), "None of these words stands"),
        (lambda net: effects(net, ["421"]), "3 is odd"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(net, call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call(net)
