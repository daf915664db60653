"""Padding, directions, layers, their size and what they forget, against PyTorch and single runs."""

import subprocess
import sys
from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from recurrent import drawn, leaf, oracle, weights
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

from firth.rnn.gated_cells import gru, gru_gradients, gru_step, lstm, lstm_gradients, lstm_step
from firth.rnn.layers import (
    bidirectional,
    gru_jacobians,
    last,
    lstm_jacobians,
    mask,
    padded,
    parameters,
    recurrent_dropout,
    reverse_padded,
    stack_layers,
)
from firth.rnn.rnn import jacobian_norms, jacobians, sequence_loss, states, step
from firth.runtime import device as house

KINDS = ["rnn", "lstm", "gru"]
LENGTHS = np.array([7, 5, 2, 1])


def layer(kind, weights, d=4):
    """A layer as `bidirectional` and `stack_layers` take it: the cell's run, from zeros."""

    def run(X):
        h = np.zeros((X.shape[1], d), X.dtype)
        if kind == "lstm":
            return lstm(X, h, h, *weights)[0]
        return (states if kind == "rnn" else gru)(X, h, *weights)

    return run


def sequences(lengths=LENGTHS, e=3, seed=0):
    return [drawn(T, e, seed=seed + i) for i, T in enumerate(lengths)]


some_lengths = st.lists(st.integers(1, 6), min_size=1, max_size=4)


# Padding


def test_padded_sequences_are_torchs():
    X, lengths = padded(sequences(), value=9)
    theirs = pad_sequence([torch.tensor(A) for A in sequences()], padding_value=9.0)
    np.testing.assert_array_equal(X, theirs)
    assert lengths.tolist() == LENGTHS.tolist()


def test_the_masks_rows_are_the_batch_sizes_of_torchs_packing():
    packed = pack_padded_sequence(torch.tensor(padded(sequences())[0]), LENGTHS)
    assert mask(LENGTHS, T=7).sum(axis=1).tolist() == packed.batch_sizes.tolist()
    assert mask(LENGTHS, T=7).sum() == len(packed.data) == LENGTHS.sum()


@pytest.mark.parametrize("kind", KINDS)
@given(lengths=some_lengths, seed=st.integers(0, 999))
def test_padded_in_a_batch_or_alone_a_sequence_ends_in_the_same_state(kind, lengths, seed):
    run = layer(kind, weights(oracle(kind, 3, 4)))
    X, lengths = padded(sequences(lengths, seed=seed), value=5)
    ends = last(run(X), lengths)
    for i, sequence in enumerate(sequences(lengths, seed=seed)):
        np.testing.assert_allclose(ends[i], run(sequence[:, None])[-1, 0], atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_last_states_are_those_of_torchs_packed_sequences(kind):
    module = oracle(kind, 3, 4)
    X, lengths = padded(sequences())
    packed = pack_padded_sequence(torch.tensor(X), lengths)
    _, s = module(packed)
    s = s[0] if kind == "lstm" else s
    np.testing.assert_allclose(
        last(layer(kind, weights(module))(X), lengths), s[0].detach(), atol=1e-12
    )


def test_the_state_after_the_padding_is_another():
    run = layer("rnn", weights(oracle("rnn", 3, 4)))
    X, lengths = padded(sequences())
    H = run(X)
    assert abs(H[-1] - last(H, lengths))[1:].max(axis=1).min() > 0.1


def test_a_masked_loss_sends_nothing_back_through_the_padding():
    W, U, b = weights(oracle("rnn", 3, 4))
    X, lengths = padded(sequences())
    y = np.random.default_rng(0).integers(4, size=X.shape[:2])
    H = states(X, np.zeros((4, 4)), W, U, b)
    J, G = sequence_loss(H, y, mask(lengths, len(X)))
    alone = [
        sequence_loss(states(x[:, None], np.zeros((1, 4)), W, U, b), y[: len(x), i : i + 1])
        for i, x in enumerate(sequences())
    ]
    n = LENGTHS.sum()
    assert J == pytest.approx(sum(J_i * T for (J_i, _), T in zip(alone, LENGTHS, strict=True)) / n)
    for i, ((_, G_i), T) in enumerate(zip(alone, LENGTHS, strict=True)):
        np.testing.assert_allclose(G[:T, i], G_i[:, 0] * T / n, atol=1e-15)
        assert not G[T:, i].any()


# Two directions, several layers


@given(some_lengths, st.integers(0, 3))
def test_a_batch_turned_round_twice_is_as_it_was(lengths, extra):
    X = np.random.default_rng(0).integers(9, size=(max(lengths) + extra, len(lengths), 2))
    turned = reverse_padded(X, np.array(lengths))
    np.testing.assert_array_equal(reverse_padded(turned, np.array(lengths)), X)
    for i, T in enumerate(lengths):
        np.testing.assert_array_equal(turned[:T, i], X[:T, i][::-1])
        np.testing.assert_array_equal(turned[T:, i], X[T:, i])


@pytest.mark.parametrize("kind", KINDS)
def test_both_directions_are_torchs_on_padded_sequences(kind):
    module = oracle(kind, 3, 4, bidirectional=True)
    X, lengths = padded(sequences(), value=3)
    there, back = (layer(kind, weights(module, suffix)) for suffix in ("l0", "l0_reverse"))
    H, s = bidirectional(there, back, X, lengths)
    packed, ends = module(pack_padded_sequence(torch.tensor(X), lengths))
    theirs, _ = pad_packed_sequence(packed)
    ends = ends[0] if kind == "lstm" else ends
    np.testing.assert_allclose(H, theirs.detach(), atol=1e-12)
    np.testing.assert_allclose(s, torch.cat([*ends], dim=-1).detach(), atol=1e-12)


def test_to_read_the_backward_halfs_last_place_is_to_read_a_state_that_has_seen_one_step():
    add = partial(np.cumsum, axis=0)
    X = drawn(5, 1, 2)
    H, s = bidirectional(add, add, X, np.array([5]))
    np.testing.assert_allclose(H[-1, 0, 2:], X[-1, 0])
    np.testing.assert_allclose(s[0, 2:], X[:, 0].sum(axis=0))


@pytest.mark.parametrize("kind", KINDS)
def test_layers_on_layers_are_torchs(kind):
    module = oracle(kind, 3, 4, num_layers=2)
    X = drawn(6, 5, 3)
    H = stack_layers([layer(kind, weights(module, suffix)) for suffix in ("l0", "l1")], X)
    np.testing.assert_allclose(H, module(torch.tensor(X))[0].detach(), atol=1e-12)


def test_two_layers_of_two_directions_are_torchs():
    module = oracle("gru", 3, 4, num_layers=2, bidirectional=True)
    X, lengths = padded(sequences())
    pairs = [(f"l{k}", f"l{k}_reverse") for k in (0, 1)]
    layers = [
        lambda A, pair=pair: bidirectional(
            *(layer("gru", weights(module, suffix)) for suffix in pair), A, lengths
        )[0]
        for pair in pairs
    ]
    packed, _ = module(pack_padded_sequence(torch.tensor(X), lengths))
    np.testing.assert_allclose(
        stack_layers(layers, X), pad_packed_sequence(packed)[0].detach(), atol=1e-12
    )


def test_gradients_of_a_stack_are_each_layers_own_handed_down():
    module = oracle("lstm", 3, 4, num_layers=2)
    X, G, zero = drawn(6, 5, 3), drawn(6, 5, 4, seed=1), np.zeros((5, 4))
    (W1, U1, b1), (W2, U2, b2) = weights(module, "l0"), weights(module, "l1")
    lower = lstm(X, zero, zero, W1, U1, b1)
    upper = lstm(lower[0], zero, zero, W2, U2, b2)
    handed_down, _, _, dW2, *_ = lstm_gradients(G, lower[0], zero, zero, W2, U2, *upper)
    dX, _, _, dW1, *_ = lstm_gradients(handed_down, X, zero, zero, W1, U1, *lower)
    inputs = leaf(X)
    module(inputs)[0].backward(torch.tensor(G))
    np.testing.assert_allclose(dX, inputs.grad, atol=1e-10)
    np.testing.assert_allclose(dW1, module.weight_ih_l0.grad, atol=1e-10)
    np.testing.assert_allclose(dW2, module.weight_ih_l1.grad, atol=1e-10)


@pytest.mark.parametrize("kind", KINDS)
def test_R8_all_states_or_the_last_of_120_steps_of_14_features(kind):
    rng = np.random.default_rng(0)
    batch = rng.random((32, 120, 14))  # batch first, as the deck has it
    scale = {"rnn": 1, "lstm": 4, "gru": 3}[kind]
    biases = [np.zeros(16 * scale)] * (2 if kind == "gru" else 1)
    W, U = rng.random((16 * scale, 14)), rng.random((16 * scale, 16))
    H = layer(kind, (W, U, *biases), d=16)(np.swapaxes(batch, 0, 1))
    assert np.swapaxes(H, 0, 1).shape == (32, 120, 16)
    assert H[-1].shape == (32, 16)
    np.testing.assert_array_equal(last(H, np.full(32, 120)), H[-1])
    module = oracle(kind, 14, 16, batch_first=True)
    everything, end = module(torch.tensor(batch))
    end = end[0] if kind == "lstm" else end
    assert everything.shape == (32, 120, 16) and end[0].shape == (32, 16)


# Dropout


def test_a_dropped_U_is_one_mask_on_the_memory_at_every_step():
    X, h, W, U, b = drawn(6, 5, 3), drawn(5, 4), drawn(4, 3), drawn(4, 4), drawn(4)
    thinned = recurrent_dropout(U, 0.5, np.random.default_rng(3))
    keep = 2.0 * (np.random.default_rng(3).random(4) >= 0.5)
    assert 0 < (keep > 0).sum() < 4
    H = states(X, h, W, thinned, b)
    for x, expected in zip(X, H, strict=True):
        h = step(x, h * keep, W, U, b)  # the same mask each time
        np.testing.assert_allclose(h, expected, atol=1e-12)


def test_what_is_dropped_is_made_up_for_on_average():
    rng = np.random.default_rng(0)
    mean = np.mean([recurrent_dropout(np.ones((1, 50)), 0.3, rng) for _ in range(2000)])
    assert mean == pytest.approx(1, abs=0.01)
    np.testing.assert_array_equal(recurrent_dropout(np.ones((2, 3)), 0.0, rng), np.ones((2, 3)))


# Size


def torch_count(kind, e, d, **options):
    return sum(p.numel() for p in oracle(kind, e, d, **options).parameters())


def without_second_bias(kind, e, d, **options):
    """What PyTorch's own count becomes if b_hh, which an LSTM could do without, is left out."""
    module = oracle(kind, e, d, **options)
    return sum(p.numel() for name, p in module.named_parameters() if "bias_hh" not in name)


def test_R6_the_six_class_lstm_classifier_has_386_438_parameters():
    counts = [
        parameters("embedding", 5000, 64),
        0,  # dropout learns nothing
        parameters("lstm", 64, 64, biases=1),
        parameters("lstm", 64, 64, biases=1),
        parameters("dense", 64, 6),
    ]
    assert counts == [320_000, 0, 33_024, 33_024, 390] and sum(counts) == 386_438
    assert torch.nn.Embedding(5000, 64).weight.numel() == counts[0]
    assert without_second_bias("lstm", 64, 64) == counts[2]
    assert sum(p.numel() for p in torch.nn.Linear(64, 6).parameters()) == counts[4]
    assert torch_count("lstm", 64, 64) == parameters("lstm", 64, 64) == 33_280


def test_R7_the_bidirectional_classifier_has_2_757_761_parameters():
    counts = [
        parameters("embedding", 20_000, 128),
        parameters("lstm", 128, 64, biases=1, directions=2),
        parameters("lstm", 2 * 64, 64, biases=1, directions=2),  # fed by both directions
        parameters("dense", 2 * 64, 1),
    ]
    assert counts == [2_560_000, 98_816, 98_816, 129] and sum(counts) == 2_757_761
    assert torch.nn.Embedding(20_000, 128).weight.numel() == counts[0]
    assert without_second_bias("lstm", 128, 64, bidirectional=True) == counts[1]
    assert sum(p.numel() for p in torch.nn.Linear(128, 1).parameters()) == counts[3]
    both = parameters("lstm", 128, 64, directions=2)
    assert torch_count("lstm", 128, 64, bidirectional=True) == both == 99_328
    assert torch_count("lstm", 128, 64, bidirectional=True, num_layers=2) == 2 * both


def test_R15_a_vanilla_network_of_8000_words_is_heavy_because_of_its_matrices():
    into, memory, out = 8000 * 100, 100 * 100, 8000 * 100
    cell = parameters("rnn", 8000, 100, biases=0)
    assert cell == into + memory == 810_000
    assert torch_count("rnn", 8000, 100, bias=False) == cell
    assert cell + out == 1_610_000
    assert (into + out) / (cell + out) > 0.99


@pytest.mark.parametrize("kind", KINDS)
@given(e=st.integers(1, 6), d=st.integers(1, 6), biases=st.sampled_from([0, 2]), two=st.booleans())
def test_counts_are_torchs_own(kind, e, d, biases, two):
    expected = torch_count(kind, e, d, bias=biases == 2, bidirectional=two)
    assert parameters(kind, e, d, biases=biases, directions=1 + two) == expected


# What is forgotten


@pytest.mark.parametrize("reset", ["after", "before"])
def test_a_grus_jacobians_are_those_of_autograd(reset):
    W, U, b, b_h = weights(oracle("gru", 3, 4))
    X, h = drawn(6, 3), drawn(4, seed=1)
    H = gru(X, h, W, U, b, b_h, reset)
    J = gru_jacobians(X, h, W, U, b, b_h, H, reset)
    check_by_small_changes(J, X, [h, *H[:-1]], lambda x, s: gru_step(x, s, W, U, b, b_h, reset))
    G = np.zeros_like(H)
    for row in range(4):  # and their product is one long way back
        G[-1] = np.eye(4)[row]
        dh = gru_gradients(G, X, h, W, U, b, b_h, H, reset)[1]
        np.testing.assert_allclose(np.linalg.multi_dot(J[::-1])[row], dh, atol=1e-12)


def test_an_lstms_jacobians_are_those_of_torch():
    module = oracle("lstm", 3, 4)
    W, U, b = weights(module)
    X, h, c = drawn(6, 3), drawn(4, seed=1), drawn(4, seed=2)
    H, C, gates = lstm(X, h, c, W, U, b)
    J = lstm_jacobians(c, U, C, gates)

    def one_step(x, s):
        return np.concatenate(lstm_step(x, s[:4], s[4:], W, U, b))

    starts = np.hstack([np.vstack([h, H[:-1]]), np.vstack([c, C[:-1]])])
    check_by_small_changes(J, X, starts, one_step)

    def whole_run(h, c):
        _, (h_T, c_T) = module(torch.tensor(X), (h[None], c[None]))
        return torch.cat([h_T[0], c_T[0]])

    theirs = torch.autograd.functional.jacobian(whole_run, (torch.tensor(h), torch.tensor(c)))
    product = np.linalg.multi_dot(J[::-1])
    np.testing.assert_allclose(product, torch.cat(theirs, dim=1), atol=1e-12)
    norms = jacobian_norms(J)
    assert norms[-1] == pytest.approx(np.linalg.norm(product, ord=2))


def check_by_small_changes(J, X, starts, one_step):
    for x, s, J_t in zip(X, starts, J, strict=True):
        for k, unit in enumerate(np.eye(len(s))):
            slope = (one_step(x, s + 1e-6 * unit) - one_step(x, s - 1e-6 * unit)) / 2e-6
            np.testing.assert_allclose(J_t[:, k], slope, atol=1e-8)


def test_an_lstm_with_open_forget_gates_remembers_where_a_vanilla_network_has_forgotten():
    rng, T, d = np.random.default_rng(0), 50, 16
    X, zero = rng.normal(size=(T, 8)), np.zeros(d)
    W, U = 0.3 * rng.normal(size=(4 * d, 8)), 0.5 / np.sqrt(d) * rng.normal(size=(4 * d, d))
    b = np.repeat([0.0, 3.0, 0.0, 0.0], d)  # the forget gate starts open
    _, C, gates = lstm(X, zero, zero, W, U, b)
    belt = jacobian_norms(lstm_jacobians(zero, U, C, gates))
    plain = states(X, zero, W[:d], U[:d], b[:d])
    assert belt[-1] > 1e-2
    assert jacobian_norms(jacobians(plain, U[:d]))[-1] < 1e-6


# Bad input


@pytest.mark.parametrize(
    "call, says",
    [
        (lambda: padded([]), "There is no sequence to pad"),
        (lambda: padded([np.ones(2), np.ones(0)]), "Sequence 1 is empty: leave it out"),
        (lambda: mask(np.array([3, 4]), T=3), "Lengths must lie in 1 … 3"),
        (lambda: last(drawn(3, 2, 4), np.array([0, 3])), "Lengths must lie in 1 … 3"),
        (lambda: reverse_padded(drawn(3, 2, 4), np.array([4, 3])), "Lengths must lie in 1 … 3"),
        (
            lambda: recurrent_dropout(np.ones((2, 2)), 1.0, np.random.default_rng(0)),
            "share to drop",
        ),
        (lambda: parameters("LTSM", 3, 4), "take one of rnn, gru, lstm, embedding, dense"),
        (lambda: parameters("lstm", 0, 4), "has inputs, outputs and directions"),
        (lambda: parameters("dense", 0, 4), "has inputs, outputs and directions"),
        (lambda: parameters("lstm", 3, 4, biases=3), "0, 1 or 2 biases"),
    ],
)
def test_what_cannot_be_answered_is_said_in_one_sentence(call, says):
    with pytest.raises(ValueError, match=says):
        call()


# Where to compute


@pytest.mark.parametrize("seen", [True, False])
def test_a_graphics_card_is_taken_if_torch_sees_one(monkeypatch, seen):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: seen)
    assert house.device() == ("cuda" if seen else "cpu")


def test_to_know_where_to_compute_later_is_not_to_import_torch_now():
    modules = "firth.runtime.device, firth.rnn.layers, firth.rnn.rnn"
    code = f"import sys, {modules}; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
