"""Whether attention explains: effects and other attentions, against slow loops."""

import numpy as np
import pytest
import scipy.stats
import torch

from firth.attention import seq2seq, telephone_numbers
from firth.attention.explanation import Said, concord, effects, moved, others
from firth.attention.seq2seq import padded, translated
from firth.attention.telephone_numbers import ENGLISH, GERMAN, ids, spoken

NUMBERS = ["42173365", "98214357"]


@pytest.fixture(scope="module")
def net():
    return seq2seq.loaded(telephone_numbers.stored())


def words_of(net, source, said, A=None):
    """Scores after each word, computed for one text alone."""
    Y = torch.tensor([[0, *ids(said, GERMAN)[:-1]]])
    with torch.no_grad():
        return net(padded([source], ENGLISH), Y, A)[0][0]


def test_the_shipped_network_is_the_same_in_torch(net):
    said, _ = translated(net, [spoken(number) for number in NUMBERS])
    assert said == [telephone_numbers.translation(number)[0] for number in NUMBERS]


def test_an_effect_is_what_the_word_loses_when_another_stands_in_the_place(net):
    rows = effects(net, NUMBERS[:1])
    source = spoken(NUMBERS[0])
    said = [row.word for row in rows]
    assert said == telephone_numbers.translation(NUMBERS[0])[0]
    place = ids(said, GERMAN)
    p = words_of(net, source, said).softmax(-1)
    for j in (0, 2, 5):
        drops = []
        for other in others(source[j]):
            changed = words_of(net, [*source[:j], other, *source[j + 1 :]], said).softmax(-1)
            drops.append([float(p[t, y] - changed[t, y]) for t, y in enumerate(place)])
        np.testing.assert_allclose([row.effect[j] for row in rows], np.mean(drops, 0), atol=1e-5)
    for row in rows:
        assert row.A.sum() == pytest.approx(1, abs=1e-5) and row.source == tuple(source)


def test_for_oh_there_is_no_other_word_and_so_no_effect(net):
    rows = effects(net, ["0542"])
    assert all(row.effect[0] == 0 for row in rows)
    assert {len(others(word)) for word in ENGLISH[2:]} == {7, 8, 9}


def test_agreement_is_kendalls_tau_and_the_share_of_first_places():
    random = np.random.default_rng(0)
    rows = [Said("elf", ("ten",) * 6, *random.normal(size=(2, 6))) for _ in range(40)]
    found = concord(rows)
    tau = [scipy.stats.kendalltau(row.A, row.effect).statistic for row in rows]
    assert found["tau"] == pytest.approx(np.mean(tau)) and found["steps"] == 40
    assert found["first"] == np.mean([row.A.argmax() == row.effect.argmax() for row in rows])


def test_the_words_that_stay_are_counted_as_a_loop_counts_them(net):
    counts = {"left": [], "even": [], "alone": [], "another": [], "some": []}
    for number in NUMBERS:
        source = spoken(number)
        said, A = telephone_numbers.translation(number)
        place, (n, m) = torch.tensor(ids(said, GERMAN)), A.shape

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
    found = moved(net, NUMBERS)
    for name, row in counts.items():
        assert found[name] == pytest.approx(np.mean(row)), name


def test_attention_matters_here_and_is_not_the_only_one_that_would_do(net):
    numbers = [
        n for n in telephone_numbers.drawn(4, 60, seed=1, held=True) if "oh" not in spoken(n)
    ]
    found = moved(net, numbers)
    assert found["alone"] > 0.95 and found["left"] < 0.6
    assert found["some"] > found["another"] > 0
    digits = moved(net, numbers, {*telephone_numbers.EINER, "ein"})
    assert digits["left"] < found["left"] and digits["alone"] > 0.9


def test_the_word_most_looked_at_is_mostly_the_one_that_matters_but_not_for_und(net):
    numbers = [
        n for n in telephone_numbers.drawn(4, 40, seed=2, held=True) if "oh" not in spoken(n)
    ]
    rows = effects(net, numbers)
    units = [row for row in rows if row.word in telephone_numbers.EINER]
    und = [row for row in rows if row.word == "und"]
    assert concord(units)["first"] > 0.9 > concord(und)["first"]
    assert np.mean([row.effect.max() for row in und]) < np.mean([row.effect.max() for row in units])


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda net: concord([]), "nothing to rank"),
        (lambda net: moved(net, ["10"]), "None of these words was said"),
        (lambda net: moved(net, NUMBERS, {"hundert"}), "None of these words was said"),
        (lambda net: effects(net, ["421"]), "3 is odd"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(net, call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call(net)
