"""The translator: what it is made of, what it may see, and that it learns what it is shown."""

import pytest
import torch
from torch import nn

from firth.attention.telephone_numbers import (
    ENGLISH,
    GERMAN,
    english_words,
    german_words,
    random_numbers,
)
from firth.store.results import stored_result
from firth.transformer.transformer import parameters
from firth.transformer.translator import Translator, accuracy, padded_batch, trained, translated

SMALL = {"d": 16, "heads": 2, "inner": 24, "blocks": 2}


@pytest.fixture
def net():
    torch.manual_seed(0)
    return Translator(**SMALL).eval()


@pytest.fixture
def texts():
    numbers = ["421705", "00", "3110"]
    X = padded_batch(list(map(english_words, numbers)), ENGLISH)
    return X, nn.functional.pad(padded_batch(list(map(german_words, numbers)), GERMAN), (1, 0))


@pytest.fixture(scope="module")
def learner():
    """Numbers of one or two pairs: a small network has them in some seconds."""
    torch.manual_seed(0)
    net = Translator(d=32, heads=4, inner=64, blocks=1)
    return net, trained(
        net, random_numbers(range(1, 3), 4000, seed=0), steps=300, batch=48, rate=1e-2
    )


@pytest.mark.parametrize("pre", [False, True])
def test_A10_its_numbers_are_those_of_the_formula(pre):
    words = len(ENGLISH) + len(GERMAN)
    net = Translator(**SMALL, pre=pre)
    counted = parameters(**SMALL, decoder=2, pre=pre, words=words)
    assert sum(p.numel() for p in net.parameters()) == counted


def test_the_model_of_2017_has_63_million_with_its_one_table_of_37_thousand():
    assert parameters(512, 8, 2048, 6, decoder=6, words=37_000) == 63_082_496


def test_reading_a_word_and_guessing_it_take_the_same_table(net, texts):
    X, Y = texts
    Z = []
    net.decoder.register_forward_hook(lambda *call: Z.append(call[-1]))
    scores = net(X, Y)
    torch.testing.assert_close(scores, Z[0] @ net.E_y.weight.T)
    assert scores.shape == (*Y.shape, len(GERMAN))


def test_a_word_to_come_changes_no_score(net, texts):
    X, Y = texts
    changed = Y.clone()
    changed[:, 3:] = 5
    torch.testing.assert_close(net(X, changed)[:, :3], net(X, Y)[:, :3], atol=0, rtol=0)
    assert not torch.allclose(net(X, changed)[:, 3:], net(X, Y)[:, 3:])


def test_padding_changes_nothing(net, texts):
    X, Y = texts
    wider = nn.functional.pad(X, (0, 4))
    torch.testing.assert_close(net(wider, Y), net(X, Y))
    torch.testing.assert_close(net(X[1:2, :2], Y[1:2]), net(X, Y)[1:2])


def test_places_that_are_given_take_the_place_of_0_1_2(net, texts):
    X, Y = texts
    counted = [torch.arange(Z.shape[1]).expand_as(Z) for Z in (X, Y)]
    torch.testing.assert_close(net(X, Y, *counted), net(X, Y))
    assert not torch.allclose(net(X, Y, counted[0] + 1, counted[1]), net(X, Y))


def test_without_positions_the_source_is_a_bag_of_words(net, texts):
    net.P.zero_()
    X, Y = texts[0][:1], texts[1][:1]
    torch.testing.assert_close(net(X.flip(1), Y), net(X, Y))


def test_A12_it_learns_and_says_what_it_has_not_been_shown(learner):
    net, losses = learner
    assert sum(losses[-20:]) / 20 < 0.1 * sum(losses[:20]) / 20
    for pairs in (1, 2):
        whole, words = accuracy(net, pairs, n=100)
        assert whole > 0.85 and words >= whole


def test_A12_it_looks_at_the_word_that_it_translates(learner):
    net, _ = learner
    (said,), (A,) = translated(net, [["forty", "two"]])
    assert said == ["zwei", "und", "vierzig"] and A.shape == (3, 2)
    torch.testing.assert_close(A.sum(dim=1), torch.ones(3))


def test_A12_it_fails_at_lengths_that_it_was_not_shown(learner):
    net, _ = learner
    assert accuracy(net, 4, n=50)[0] < 0.1


def test_A12_five_stored_runs_know_their_lengths_and_their_places_and_no_others():
    stored = stored_result("attention/accuracy_by_length")
    runs = [row for row in stored["rows"] if row["kind"] == "transformer"]
    assert sorted(row["seed"] for row in runs) == [0, 1, 2, 3, 4]
    for row in runs:
        shares = [length["numbers"] for length in row["lengths"]]
        assert len(shares) == 12 and min(shares[:6]) > 0.95 and max(shares[7:]) < 0.1
        assert row["starts"]["0"] > 0.98 > row["starts"]["1"] and row["starts"]["8"] < 0.05


def test_translating_a_text_alone_or_among_others_is_the_same(learner):
    net, _ = learner
    sources = [english_words(number) for number in ("4217", "00", "3110")]
    together, A = translated(net, sources)
    for text, a, source in zip(together, A, sources, strict=True):
        (alone,), (b,) = translated(net, [source])
        assert text == alone and a.shape == (len(text), len(source))
        torch.testing.assert_close(a, b)


def test_a_word_at_a_time_is_what_all_words_at_once_would_have_been(learner):
    net, _ = learner
    (said,), _ = translated(net, [english_words("4217")])
    Y = nn.functional.pad(padded_batch([said], GERMAN), (1, 0))
    words = net(padded_batch([english_words("4217")], ENGLISH), Y)[0].argmax(dim=-1).tolist()
    assert [GERMAN[i] for i in words[:-1]] == said and words[-1] == 0


def test_nothing_is_dropped_while_it_translates():
    torch.manual_seed(0)
    net = Translator(**SMALL, dropout=0.5)
    trained(net, ["42", "17"], steps=1)
    (once,), (again,) = (translated(net, [english_words("421705")])[1] for _ in range(2))
    assert torch.equal(once, again)


def test_the_same_seed_trains_the_same_network():
    runs = []
    for _ in range(2):
        torch.manual_seed(3)
        runs.append(trained(Translator(**SMALL), random_numbers(2, 50, seed=0), steps=3))
    assert runs[0] == runs[1]


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda net: translated(net, []), "no text"),
        (lambda net: translated(net, [[]]), "one without a word"),
        (lambda net: translated(net, [["fourty"]]), "the word .fourty"),
        (lambda net: net(torch.ones(1, 65, dtype=int), torch.zeros(1, 1, dtype=int)), "place 65"),
        (lambda net: translated(net, [["ten"]], start=60), "too long: the network has 64"),
        (lambda net: net(torch.tensor([[99]]), torch.tensor([[0]])), r"lie in 0 … 28"),
        (lambda net: net(torch.tensor([[1]]), torch.tensor([[-1]])), r"lie in 0 … 30"),
        (lambda net: trained(net, ["42"], steps=0), "one step or more"),
        (lambda net: Translator(d=10, heads=3), "10 features .* 3 heads"),
        (lambda net: Translator(d=9, heads=3), "even and 2 or more, not 9"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(net, make, says):
    with pytest.raises(ValueError, match=says) as refused:
        make(net)
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 150
