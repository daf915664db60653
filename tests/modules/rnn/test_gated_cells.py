"""LSTM and GRU against PyTorch with the same weights, against loops, and what must always hold."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from recurrent import drawn, leaf, oracle, weights

from experiments.rnn import recall_task as recalling
from firth.rnn.gated_cells import (
    gru,
    gru_gates,
    gru_gradients,
    gru_step,
    lstm,
    lstm_gradients,
    lstm_step,
)

BATCHES = [(), (3,), (2, 3)]
RESETS = ["after", "before"]


def cell(gates, T=6, e=3, d=4, batch=(), seed=0):
    """X, h, a second state or bias, and W, U, b, from one seed."""
    rng = np.random.default_rng(seed)
    X, h, c = (
        rng.normal(size=(*shape, k)) for shape, k in [((T, *batch), e), (batch, d), (batch, d)]
    )
    W, U, b, b_h = (0.7 * rng.normal(size=(gates * d, *k)) for k in [(e,), (d,), (), ()])
    return (X, h, c, W, U, b) if gates == 4 else (X, h, W, U, b, b_h)


def sigma(z):
    return 1 / (1 + np.exp(-z))


def looped_lstm_step(x, h, c, W, U, b):
    """One number at a time, from the equation."""
    d, new_h, new_c = len(h), np.zeros(len(h)), np.zeros(len(h))
    for k in range(d):
        i, f, g, o = (
            sum(W[row, j] * x[j] for j in range(len(x)))
            + sum(U[row, j] * h[j] for j in range(d))
            + b[row]
            for row in (k, d + k, 2 * d + k, 3 * d + k)
        )
        new_c[k] = sigma(f) * c[k] + sigma(i) * np.tanh(g)
        new_h[k] = sigma(o) * np.tanh(new_c[k])
    return new_h, new_c


def looped_gru_step(x, h, W, U, b, b_h, reset):
    """One number at a time; Cho's form needs every unit's r before it can propose any n."""
    d = len(h)

    def inside(row, state):
        return sum(W[row, j] * x[j] for j in range(len(x))) + b[row], sum(
            U[row, j] * state[j] for j in range(d)
        ) + b_h[row]

    r = np.array([sigma(sum(inside(k, h))) for k in range(d)])
    z = np.array([sigma(sum(inside(d + k, h))) for k in range(d)])
    if reset == "before":
        n = np.array([np.tanh(sum(inside(2 * d + k, r * h))) for k in range(d)])
    else:
        parts = [inside(2 * d + k, h) for k in range(d)]
        n = np.array([np.tanh(new + r[k] * past) for k, (new, past) in enumerate(parts)])
    return (1 - z) * n + z * h


# LSTM


def test_R5_an_lstm_step_is_its_equations_one_number_at_a_time():
    X, *rest = cell(4)
    for ours, loop in zip(lstm_step(X[0], *rest), looped_lstm_step(X[0], *rest), strict=True):
        np.testing.assert_allclose(ours, loop, atol=1e-14)


@pytest.mark.parametrize("batch", BATCHES)
def test_the_fast_run_is_the_step_taken_again_and_again(batch):
    X, h, c, W, U, b = cell(4, batch=batch)
    H, C, gates = lstm(X, h, c, W, U, b)
    for t, x in enumerate(X):
        before = c
        h, c = lstm_step(x, h, c, W, U, b)
        np.testing.assert_allclose(H[t], h, atol=1e-14)
        np.testing.assert_allclose(C[t], c, atol=1e-14)
        i, f, g, o = np.moveaxis(gates[t], -2, 0)
        np.testing.assert_allclose(c, f * before + i * g, atol=1e-14)
        np.testing.assert_allclose(h, o * np.tanh(c), atol=1e-14)


def test_R5_lstm_states_and_gradients_are_those_of_torch_with_the_same_weights():
    module = oracle("lstm", 3, 4)
    X, h, c = drawn(7, 5, 3), drawn(5, 4, seed=1), drawn(5, 4, seed=2)
    G, dc_last = drawn(7, 5, 4, seed=3), drawn(5, 4, seed=4)
    W, U, b = weights(module)
    H, C, gates = lstm(X, h, c, W, U, b)
    dX, dh, dc, dW, dU, db = lstm_gradients(G, X, h, c, W, U, H, C, gates, dc=dc_last)
    X, h, c = leaf(X), leaf(h[None]), leaf(c[None])
    theirs, (last_h, last_c) = module(X, (h, c))
    ((theirs * torch.tensor(G)).sum() + (last_c[0] * torch.tensor(dc_last)).sum()).backward()
    for ours, other in [
        (H, theirs.detach()),
        (H[-1], last_h[0].detach()),
        (C[-1], last_c[0].detach()),
        (dX, X.grad),
        (dh, h.grad[0]),
        (dc, c.grad[0]),
        (dW, module.weight_ih_l0.grad),
        (dU, module.weight_hh_l0.grad),
        (db, module.bias_ih_l0.grad),
        (db, module.bias_hh_l0.grad),
    ]:
        np.testing.assert_allclose(ours, other, atol=1e-10)


@pytest.mark.parametrize("batch", BATCHES)
def test_lstm_gradients_are_the_slopes_that_small_changes_show(batch):
    given_ = cell(4, batch=batch)
    G = drawn(6, *batch, 4, seed=5)
    ours = lstm_gradients(G, *given_[:5], *lstm(*given_))
    slopes(given_, ours, lambda *args: (lstm(*args)[0] * G).sum())


def slopes(given_, gradients, J):
    """Each gradient, along a random direction, is what J does when its argument moves there."""
    rng = np.random.default_rng(0)
    for which, gradient in enumerate(gradients):
        direction = rng.normal(size=given_[which].shape)
        up, down = (
            J(*(A + s * direction if i == which else A for i, A in enumerate(given_)))
            for s in (1e-6, -1e-6)
        )
        assert (gradient * direction).sum() == pytest.approx((up - down) / 2e-6, abs=1e-6)


def test_gates_in_any_order_of_memory_give_the_same_gradients():
    given_ = cell(4, batch=(3,))
    H, C, gates = lstm(*given_)
    G = drawn(6, 3, 4)
    expected = lstm_gradients(G, *given_[:5], H, C, gates)
    got = lstm_gradients(*(np.asfortranarray(A) for A in (G, *given_[:5], H, C, gates)))
    for ours, other in zip(got, expected, strict=True):
        np.testing.assert_allclose(ours, other, atol=1e-12)


@given(st.integers(1, 8), st.integers(0, 2**32 - 1))
def test_R15_an_lstm_goes_on_from_its_two_states_and_not_from_one(cut, seed):
    X, h, c, W, U, b = cell(4, T=9, seed=seed)
    H, C, _ = lstm(X, h, c, W, U, b)
    first_H, first_C, _ = lstm(X[:cut], h, c, W, U, b)
    second_H, second_C, _ = lstm(X[cut:], first_H[-1], first_C[-1], W, U, b)
    np.testing.assert_allclose(np.concatenate([first_H, second_H]), H, atol=1e-12)
    np.testing.assert_allclose(np.concatenate([first_C, second_C]), C, atol=1e-12)
    forgot = lstm(X[cut:], first_H[-1], np.zeros_like(c), W, U, b)[0]
    assert abs(forgot[0] - H[cut]).max() > 1e-9


def test_R15_a_first_state_can_be_learned_from_its_gradient():
    X, h, c, W, U, b = cell(4, batch=(3,))
    target = lstm(X, h, c, W, U, b)[0]
    guess_h, guess_c, losses = np.zeros(4), np.zeros(4), []  # one for all the batch
    target = np.broadcast_to(target[:, :1], target.shape)
    X = np.repeat(X[:, :1], 3, axis=1)
    for _ in range(300):
        start_h, start_c = (np.broadcast_to(A, (3, 4)).copy() for A in (guess_h, guess_c))
        H, C, gates = lstm(X, start_h, start_c, W, U, b)
        losses.append(np.square(H - target).mean())
        _, dh, dc, *_ = lstm_gradients(
            2 * (H - target) / H.size, X, start_h, start_c, W, U, H, C, gates
        )
        guess_h, guess_c = guess_h - 3 * dh.sum(axis=0), guess_c - 3 * dc.sum(axis=0)
    assert losses[-1] < losses[0] / 100


def test_with_an_open_forget_gate_the_belt_carries_a_number_unchanged_for_a_thousand_steps():
    d = 2
    W, U, b = np.zeros((4 * d, 1)), np.zeros((4 * d, d)), np.repeat([-99.0, 99.0, 0.0, 0.0], d)
    c = np.array([0.25, -3.0])
    _, C, _ = lstm(drawn(1000, 1), np.zeros(d), c, W, U, b)
    np.testing.assert_array_equal(C[-1], c)


def test_far_from_zero_gates_close_without_a_warning():
    X, h, c, W, U, b = (A.astype(np.float32) for A in cell(4))
    H, C, gates = lstm(X * 1e4, h, c, W * 1e4, U, b)
    assert np.isfinite(H).all() and np.isfinite(C).all() and H.dtype == np.float32
    assert 0 <= gates[:, [0, 1, 3]].min() and gates.max() <= 1
    found = lstm_gradients(H, X, h, c, W, U, H, C, gates)
    assert {A.dtype for A in found} == {np.dtype(np.float32)}


# GRU


@pytest.mark.parametrize("reset", RESETS)
def test_R5_a_gru_step_is_its_equations_one_number_at_a_time_in_both_published_forms(reset):
    X, *rest = cell(3)
    np.testing.assert_allclose(
        gru_step(X[0], *rest, reset=reset), looped_gru_step(X[0], *rest, reset), atol=1e-14
    )


@pytest.mark.parametrize("reset", RESETS)
@pytest.mark.parametrize("batch", BATCHES)
def test_a_gru_run_is_the_step_taken_again_and_again(batch, reset):
    X, h, *rest = cell(3, batch=batch)
    H = gru(X, h, *rest, reset=reset)
    for x, expected in zip(X, H, strict=True):
        h = gru_step(x, h, *rest, reset=reset)
        np.testing.assert_array_equal(h, expected)


def torch_gru(X, h, W, U, b, b_h, reset):
    """Either form, for autograd: of the second, PyTorch has no layer of its own."""
    d, H = h.shape[-1], []
    for x in X:
        a, p = x @ W.T + b, h @ U.T + b_h
        r, z = (
            torch.sigmoid(a[..., :d] + p[..., :d]),
            torch.sigmoid(a[..., d : 2 * d] + p[..., d : 2 * d]),
        )
        past = r * p[..., 2 * d :]
        if reset == "before":
            past = (r * h) @ U[2 * d :].T + b_h[2 * d :]
        h = (1 - z) * torch.tanh(a[..., 2 * d :] + past) + z * h
        H.append(h)
    return torch.stack(H)


@pytest.mark.parametrize("reset", RESETS)
@pytest.mark.parametrize("batch", BATCHES)
def test_R5_gru_gradients_are_autograds_in_both_forms(batch, reset):
    given_ = cell(3, batch=batch)
    G = drawn(6, *batch, 4, seed=5)
    H = gru(*given_, reset=reset)
    leaves = [leaf(A) for A in given_]
    theirs = torch_gru(*leaves, reset)
    theirs.backward(torch.tensor(G))
    np.testing.assert_allclose(H, theirs.detach(), atol=1e-12)
    found = gru_gradients(G, *given_, H, reset=reset)
    for ours, other in zip(found, leaves, strict=True):
        np.testing.assert_allclose(ours, other.grad, atol=1e-10)
    slopes(given_, found, lambda *args: (gru(*args, reset=reset) * G).sum())


def test_R5_only_the_form_that_resets_after_is_torchs_gru():
    module = oracle("gru", 3, 4)
    X, h, G = drawn(7, 5, 3), drawn(5, 4, seed=1), drawn(7, 5, 4, seed=2)
    W, U, b, b_h = weights(module)
    H = gru(X, h, W, U, b, b_h)
    found = gru_gradients(G, X, h, W, U, b, b_h, H)
    X_t, h_t = leaf(X), leaf(h[None])
    theirs, last = module(X_t, h_t)
    theirs.backward(torch.tensor(G))
    np.testing.assert_allclose(H, theirs.detach(), atol=1e-12)
    np.testing.assert_allclose(H[-1], last[0].detach(), atol=1e-12)
    other = [X_t.grad, h_t.grad[0], *(p.grad for p in module.parameters())]
    for ours, their in zip(found, other, strict=True):
        np.testing.assert_allclose(ours, their, atol=1e-10)
    assert abs(gru(X, h, W, U, b, b_h, reset="before") - H).max() > 0.1


def test_R5_z_is_the_share_that_is_kept():
    X, h, W, U, b, b_h = cell(3)
    d = 4
    for bias, expected in [(99.0, h), (-99.0, None)]:
        b[d : 2 * d] = bias
        n = gru_gates(X[0], h, W, U, b, b_h)[2]
        np.testing.assert_allclose(
            gru_step(X[0], h, W, U, b, b_h), n if expected is None else expected, atol=1e-12
        )


def test_R5_the_decks_lines_of_the_gru_cannot_be_run_as_they_stand():
    """h̃_t is made with r_t where a weight matrix belongs, and h_t of h̃_{t−1} and of itself."""
    X, h, W, U, _, _ = cell(3)
    x, W_z, W_r = X[0], np.hstack([W[4:8], U[4:8]]), np.hstack([W[:4], U[:4]])
    z_t = sigma(W_z @ np.concatenate([x, h]))
    r_t = sigma(W_r @ np.concatenate([x, h]))
    with pytest.raises(ValueError, match="mismatch"):
        np.tanh(r_t @ np.concatenate([x, r_t * h]))  # 4 numbers times 7
    with pytest.raises(UnboundLocalError, match="h_t"):
        exec("def f():\n h_t = (1 - z_t) * h + z_t * h_t\nf()", {"z_t": z_t, "h": h})


def test_R5_mended_but_for_its_last_line_the_decks_gru_is_one_step_late():
    X, h, W, U, _, _ = cell(3, T=3)
    nothing = np.zeros(12)
    right, late, proposed = h, h, np.zeros(4)
    apart = []
    for x in X:
        right = gru_step(x, right, W, U, nothing, nothing, reset="before")
        _, z, n = gru_gates(x, late, W, U, nothing, nothing, reset="before")
        late, proposed = (1 - z) * proposed + z * late, n  # h̃_{t−1} where h̃_t belongs
        apart.append(abs(right - late).max())
    assert min(apart) > 0.1


@pytest.mark.parametrize("reset", RESETS)
@given(st.integers(1, 8), st.integers(0, 2**32 - 1))
def test_R15_a_gru_goes_on_from_its_one_state(reset, cut, seed):
    X, h, *rest = cell(3, T=9, seed=seed)
    first = gru(X[:cut], h, *rest, reset=reset)
    second = gru(X[cut:], first[-1], *rest, reset=reset)
    np.testing.assert_allclose(
        np.concatenate([first, second]), gru(X, h, *rest, reset=reset), atol=1e-12
    )


# Bad input


def test_an_empty_sequence_is_refused():
    with pytest.raises(ValueError, match="give it one step or more"):
        lstm(*cell(4, T=0))
    with pytest.raises(ValueError, match="give it one step or more"):
        gru(*cell(3, T=0))


def test_nothing_that_was_given_is_written_over():
    for gates, run, back in [(4, lstm, lstm_gradients), (3, gru, gru_gradients)]:
        given_ = cell(gates, batch=(2,))
        copies = [A.copy() for A in given_]
        made = run(*given_)
        made = made if gates == 4 else (made,)
        again = [A.copy() for A in made]
        back(made[0], *given_[: 5 if gates == 4 else 6], *made)
        for A, B in zip([*given_, *made], [*copies, *again], strict=True):
            np.testing.assert_array_equal(A, B)


def test_a_sequence_to_recall_is_a_symbol_and_then_noise_alone():
    ids = recalling.sequences(50, 7, torch.Generator().manual_seed(0))
    assert ids.shape == (8, 50) and set(ids[0].tolist()) == set(range(4))
    assert set(ids[1:].flatten().tolist()) == set(range(4, 8))


def test_the_forget_gates_bias_alone_is_raised():
    nets = []
    for name in ("LSTM", "LSTM, forget bias 3"):
        torch.manual_seed(0)
        nets.append(dict(recalling.Recaller(name).named_parameters()))
    more = nets[1].pop("cell.bias_ih_l0") - nets[0].pop("cell.bias_ih_l0")
    assert all(torch.equal(nets[0][name], nets[1][name]) for name in nets[0])
    np.testing.assert_allclose(more.detach(), np.repeat([0, 3, 0, 0], 32), atol=1e-6)


def test_a_short_training_recalls_over_a_short_way_and_is_asked_at_every_length():
    short = {"T": 5, "steps": 100, "after": 25}
    row = recalling.run("LSTM, forget bias 3", 0.01, 0, recalling.SETTINGS | short)
    assert row["learned"] is not None and row["right"][4] > 0.9
    assert len(row["right"]) == len(row["answers"]) == len(row["in_state"]) == recalling.LONGEST
