"""The translator: its six steps, what it may look at, and that it learns."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from firth.attention import attention, seq2seq, telephone_numbers
from firth.attention.seq2seq import Translator, accuracy, padded_batch, train_translator, translate
from firth.attention.telephone_numbers import (
    ENGLISH,
    GERMAN,
    english_words,
    german_words,
    word_indices,
)
from tests.modules.attention.test_telephone_numbers import few, numbers

KINDS = ("dot", "general", "additive", None)


def network(score="dot", seed=0, e=6, d=8):
    torch.manual_seed(seed)
    net = Translator(e, d, score).double()
    for table in net.parameters():
        torch.nn.init.normal_(table, std=0.7)  # far from where nothing is decided
    return net


def read_and_said(texts):
    X = padded_batch([english_words(number) for number in texts], ENGLISH)
    Y = padded_batch([german_words(number) for number in texts], GERMAN)
    return X, torch.nn.functional.pad(Y, (1, 0))[:, :-1]


@given(numbers, st.integers(0, 9))
@few
def test_the_forward_pass_is_that_of_numpys_network(number, seed):
    net = network(seed=seed)
    ours = telephone_numbers.network(net.weights())
    X, Y = read_and_said([number])
    with torch.no_grad():
        scores, A = net(X, Y)
    H, s = telephone_numbers.encode(english_words(number), ours)
    for t, y in enumerate(Y[0].tolist()):
        s, looks, expected = telephone_numbers.decoder_step(y, s, H, ours)
        np.testing.assert_allclose(A[0, t], looks, atol=1e-6)
        np.testing.assert_allclose(scores[0, t], expected, atol=1e-6)


@given(st.lists(numbers, min_size=1, max_size=4), st.integers(0, 9))
@few
def test_what_is_said_is_what_numpys_network_says(some, seed):
    net = network(seed=seed)
    ours = telephone_numbers.network(net.weights())
    said, looks = translate(net, [english_words(number) for number in some])
    for number, text, A in zip(some, said, looks, strict=True):
        m = len(english_words(number))
        expected, B = telephone_numbers.translation(number, ours)
        # In a batch the longest text says how long the others may go on.
        assert text[: 2 * m + 4] == expected
        np.testing.assert_allclose(A[: 2 * m + 4], B, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS[:3])
def test_the_scores_are_those_of_the_readable_module(kind):
    net = network(kind)
    S, H = torch.randn(2, 3, 8, dtype=torch.double), torch.randn(2, 5, 8, dtype=torch.double)
    s, h = S.numpy(), H.numpy()
    with torch.no_grad():
        found = net.scores(S, H).numpy()
    for b in range(2):
        for t in range(3):
            if kind == "dot":
                expected = attention.dot_scores(s[b, t], h[b])
            elif kind == "general":
                W = net.W.weight.detach().numpy()
                expected = attention.general_scores(s[b, t], h[b], W)
            else:
                W, U, v = (x.weight.detach().numpy() for x in (net.W, net.U, net.v))
                expected = attention.additive_scores(s[b, t], h[b], W, U, v[0])
            np.testing.assert_allclose(found[b, t], expected, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_in_a_batch_every_text_is_translated_as_it_is_alone(kind):
    net = network(kind)
    some = ["42", "421705301199", "1011"]
    X, Y = read_and_said(some)
    with torch.no_grad():
        together, A = net(X, Y)
        for b, number in enumerate(some):
            x, y = read_and_said([number])
            alone, a = net(x, y)
            torch.testing.assert_close(together[b : b + 1, : y.shape[1]], alone)
            torch.testing.assert_close(A[b : b + 1, : y.shape[1], : x.shape[1]], a)


@pytest.mark.parametrize("kind", KINDS)
def test_padding_is_never_looked_at_and_what_stands_there_does_not_matter(kind):
    net = network(kind)
    X, Y = read_and_said(["42", "421705301199"])
    with torch.no_grad():
        scores, A = net(X, Y)
        net.E.weight[0] += 100.0
        other, B = net(X, Y)
    assert torch.equal(scores, other) and torch.equal(A, B)
    assert (A[0, :, 2:] == 0).all()
    if kind:
        torch.testing.assert_close(A.sum(dim=-1), torch.ones_like(A[..., 0]))
    else:
        assert (A == 0).all()


def test_with_and_without_attention_the_parameters_are_the_same():
    with_it, without = (dict(Translator(score=s).named_parameters()) for s in ("dot", None))
    assert {k: v.shape for k, v in with_it.items()} == {k: v.shape for k, v in without.items()}


def test_without_attention_the_context_is_what_the_reading_came_to():
    net = network(None)
    X, Y = read_and_said(["4217"])
    with torch.no_grad():
        H, last = net.encode(X)
        S, _ = net.decoder(net.D(Y), last[None])
        expected = net.word_scores(S, last[:, None].expand_as(S))
        torch.testing.assert_close(net(X, Y)[0], expected)
    torch.testing.assert_close(last[0], torch.cat([H[0, -1, :4], H[0, 0, 4:]]))


def test_words_to_come_change_nothing_that_was_said_before():
    net = network()
    X, Y = read_and_said(["42170530"])
    other = Y.clone()
    other[:, 4:] = (other[:, 4:] % 30) + 1
    with torch.no_grad():
        torch.testing.assert_close(net(X, Y)[0][:, :4], net(X, other)[0][:, :4])


def test_another_attention_can_be_put_in_its_place():
    net = network()
    X, Y = read_and_said(["4217"])
    with torch.no_grad():
        scores, A = net(X, Y)
        torch.testing.assert_close(net(X, Y, A)[0], scores)
        assert not torch.allclose(net(X, Y, A.roll(1, 2))[0], scores)


def test_the_first_loss_is_that_of_a_guess_and_no_padding_counts_in_it():
    torch.manual_seed(0)
    net = Translator(6, 8)
    for table in (net.O.weight, net.O.bias):
        torch.nn.init.zeros_(table)
    (loss,) = train_translator(net, ["42", "421705301199"], steps=1, batch=9)
    assert loss == pytest.approx(np.log(len(GERMAN)), rel=1e-5)


def test_the_loss_is_a_slow_loops_over_the_words_and_the_border():
    torch.manual_seed(0)
    net, number = Translator(6, 8), "421705"
    right = [*word_indices(german_words(number), GERMAN), 0]
    X, _ = read_and_said([number])
    with torch.no_grad():
        scores, _ = net(X, torch.tensor([[0, *right[:-1]]]))
    expected = -np.mean([scores[0, t].log_softmax(-1)[y].item() for t, y in enumerate(right)])
    assert train_translator(net, [number], steps=1, batch=3)[0] == pytest.approx(expected, rel=1e-5)


def test_a_step_is_taken_with_gradients_no_longer_than_allowed():
    torch.manual_seed(0)
    net = Translator(6, 8)
    train_translator(net, ["42", "421705301199"], steps=1, batch=9, clip=1e-3)
    length = torch.stack([table.grad.norm() for table in net.parameters()]).norm()
    assert length.item() == pytest.approx(1e-3, rel=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_it_learns_single_pairs_to_the_last(kind):
    torch.manual_seed(0)
    net = Translator(8, 16, kind)
    every = [f"{n:02}" for n in range(100)]
    losses = train_translator(net, every, steps=250, batch=50, rate=0.02)
    assert len(losses) == 250 and losses[-1] < 0.1 * losses[0]
    said, _ = translate(net, [english_words(number) for number in every])
    assert np.mean([a == german_words(b) for a, b in zip(said, every, strict=True)]) > 0.9


def test_the_same_seed_gives_the_same_network():
    def run(seed):
        torch.manual_seed(seed)
        net = Translator(4, 6)
        train_translator(net, ["42", "1711"], steps=3, batch=4)
        return net.F.weight

    assert torch.equal(run(1), run(1)) and not torch.equal(run(1), run(2))


def test_accuracy_counts_whole_numbers_and_words_in_their_place(monkeypatch):
    some = telephone_numbers.random_numbers(2, 50, seed=3, held_out=True)
    said = [german_words(number) for number in some]
    said[0] = said[0][1:]
    said[1] = [*said[1], "und"]
    monkeypatch.setattr(seq2seq, "translate", lambda net, sources: (said, []))
    whole, in_place = accuracy(Translator(4, 6), pairs=2, n=50, seed=3)
    assert whole == pytest.approx(48 / 50)
    right = [german_words(number) for number in some]
    moved = sum(a == b for a, b in zip(said[0], right[0], strict=False))
    total = sum(map(len, right))
    assert in_place == pytest.approx((total - len(right[0]) + moved) / total)


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: Translator(8, 7), "d is an even number, not 7"),
        (lambda: padded_batch([], ENGLISH), "There is no text"),
        (lambda: translate(Translator(4, 6), [[]]), "without a word"),
        (lambda: translate(Translator(4, 6), [["hello"]]), "has the word “hello”"),
        (lambda: train_translator(Translator(4, 6), ["4"]), "1 is odd"),
        (lambda: train_translator(Translator(4, 6), ["42"], steps=0), "one step or more"),
        (lambda: Translator(4, 6, "general").weights(), "by a dot product, not by .general."),
        (lambda: accuracy(Translator(4, 6), pairs=0), "one pair or more"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(call, complaint):
    with pytest.raises(ValueError, match=complaint) as refused:
        call()
    assert "\n" not in str(refused.value)
