"""The vanilla network, its gradients and its loss, against PyTorch, loops and autograd."""

import re

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from recurrent import drawn, leaf, oracle, weights

from firth.rnn.rnn import (
    clip_gradients,
    contributions,
    deltas,
    gradients,
    jacobian_norms,
    jacobians,
    sequence_loss,
    states,
    step,
)

BATCHES = [(), (3,), (2, 3)]  # no batch axis, one, two


def network(T=6, e=3, d=4, batch=(), seed=0):
    """X, h, W, U, b of a small network whose states are neither near 0 nor saturated."""
    shapes = (T, *batch, e), (*batch, d), (d, e), (d, d), (d,)
    return [drawn(*shape, seed=seed + i) * 0.7 for i, shape in enumerate(shapes)]


# States


@pytest.mark.parametrize("batch", BATCHES)
def test_states_are_the_step_taken_again_and_again(batch):
    X, h, W, U, b = network(batch=batch)
    H = states(X, h, W, U, b)
    for x, expected in zip(X, H, strict=True):
        h = step(x, h, W, U, b)
        np.testing.assert_allclose(h, expected, atol=1e-15)


def test_a_step_is_the_equation_unit_by_unit():
    x, h, W, U, b = network(T=1)
    for k in range(4):
        s = sum(W[k, j] * x[0][j] for j in range(3)) + sum(U[k, j] * h[j] for j in range(4)) + b[k]
        assert step(x[0], h, W, U, b)[k] == pytest.approx(np.tanh(s))


def test_states_and_gradients_are_those_of_torch_with_the_same_weights():
    module, X, h, G = (
        oracle("rnn", 3, 4),
        drawn(7, 5, 3),
        drawn(5, 4, seed=1),
        drawn(7, 5, 4, seed=2),
    )
    W, U, b = weights(module)
    H = states(X, h, W, U, b)
    dX, dh, dW, dU, db = gradients(G, X, h, W, U, H)
    X, h = leaf(X), leaf(h[None])
    theirs, _ = module(X, h)
    theirs.backward(torch.tensor(G))
    np.testing.assert_allclose(H, theirs.detach(), atol=1e-12)
    for ours, other in [
        (dX, X.grad),
        (dh, h.grad[0]),
        (dW, module.weight_ih_l0.grad),
        (dU, module.weight_hh_l0.grad),
        (db, module.bias_ih_l0.grad),
    ]:
        np.testing.assert_allclose(ours, other, atol=1e-10)


@pytest.mark.parametrize("batch", BATCHES)
def test_gradients_are_the_slopes_that_small_changes_show(batch):
    network_ = network(T=4, batch=batch)
    G = drawn(4, *batch, 4, seed=9)
    X, h, W, U, _ = network_
    ours = gradients(G, X, h, W, U, states(*network_))
    rng = np.random.default_rng(0)
    for which, gradient in enumerate(ours):
        direction = rng.normal(size=network_[which].shape)
        up, down = (
            [A + s * direction if i == which else A for i, A in enumerate(network_)]
            for s in (1e-6, -1e-6)
        )
        slope = ((states(*up) - states(*down)) * G).sum() / 2e-6
        assert (gradient * direction).sum() == pytest.approx(slope, abs=1e-7)


def test_float32_stays_float32():
    X, h, W, U, b = (A.astype(np.float32) for A in network(batch=(2,)))
    H = states(X, h, W, U, b)
    assert {A.dtype for A in (H, *gradients(H, X, h, W, U, H))} == {np.dtype(np.float32)}


@given(st.integers(1, 8), st.integers(0, 2**32 - 1))
def test_R15_a_run_in_two_pieces_is_the_run_in_one(cut, seed):
    X, h, W, U, b = network(T=9, seed=seed)
    first = states(X[:cut], h, W, U, b)
    second = states(X[cut:], first[-1], W, U, b)
    np.testing.assert_allclose(np.concatenate([first, second]), states(X, h, W, U, b), atol=1e-12)


def test_neither_the_inputs_nor_the_first_state_are_written_over():
    given_ = network(batch=(2,))
    kept = [A.copy() for A in given_]
    H = states(*given_)
    gradients(H, *given_[:4], H)
    assert all((A == B).all() for A, B in zip(given_, kept, strict=True))


def test_an_empty_sequence_is_refused():
    X, h, W, U, b = network(T=0)
    with pytest.raises(ValueError, match="give it one step or more"):
        states(X, h, W, U, b)


def test_R1_a_hundred_states_of_64_units_are_a_table_where_concatenate_makes_one_long_row():
    rng = np.random.default_rng(0)
    inputs, W, U, b = (
        rng.random((100, 32)),
        rng.random((64, 32)),
        rng.random((64, 64)),
        rng.random(64),
    )
    state_t, successive_outputs = np.zeros(64), []
    for input_t in inputs:  # the deck's loop
        output_t = np.tanh(np.dot(W, input_t) + np.dot(U, state_t) + b)
        successive_outputs.append(output_t)
        state_t = output_t
    H = states(inputs, np.zeros(64), W, U, b)
    assert H.shape == (100, 64)
    assert np.concatenate(successive_outputs, axis=0).shape == (6400,)
    np.testing.assert_allclose(H, np.stack(successive_outputs), atol=1e-12)


DECK = """
def RNN_step(x):
    s = np.tanh(np.dot(W, s) + np.dot(U, x))
    y = np.dot(V, h)
    return y
"""


def test_R2_the_decks_step_stops_at_a_name_never_set_and_then_at_another():
    names = {"np": np, "W": np.eye(2), "U": np.eye(2), "V": np.eye(2), "s": np.zeros(2)}
    exec(DECK, names)
    with pytest.raises(UnboundLocalError, match="'s'"):  # though there is an s outside
        names["RNN_step"](np.ones(2))
    exec(DECK.replace("RNN_step(x)", "RNN_step(x, s)"), names)
    with pytest.raises(NameError, match="'h' is not defined"):
        names["RNN_step"](np.ones(2), np.zeros(2))


def test_R2_mended_it_takes_the_state_reads_out_from_it_and_returns_both():
    x, s, U, W, _ = (A[0] if i == 0 else A for i, A in enumerate(network(T=1)))
    V = drawn(2, 4, seed=7)
    mended = re.sub(r"RNN_step\(x\)", "RNN_step(x, s)", DECK).replace("(V, h)", "(V, s)")
    names = {"np": np, "W": W, "U": U, "V": V}
    exec(mended.replace("return y", "return y, s"), names)
    y, after = names["RNN_step"](x, s)
    ours = step(x, s, W=U, U=W, b=np.zeros(4))  # the deck calls U what we call W
    np.testing.assert_allclose(after, ours)
    np.testing.assert_allclose(y, V @ ours)


# Backpropagation through time


def test_R3_the_gradient_at_step_4_is_the_sum_of_what_all_earlier_steps_contribute():
    X, h, W, U, b = network(T=4)
    H = states(X, h, W, U, b)
    g = drawn(4, seed=11)  # J = g · h_4
    G = np.zeros_like(H)
    G[3] = g
    parts = contributions(G, h, U, H)
    for k in range(4):  # autograd, with a copy of U for each step: what that copy alone is given
        copies = [leaf(U) for _ in range(4)]
        s = torch.tensor(h)
        for x, U_t in zip(X, copies, strict=True):
            s = torch.tanh(torch.tensor(W @ x + b) + U_t @ s)
        (s @ torch.tensor(g)).backward()
        np.testing.assert_allclose(parts[k], copies[k].grad, atol=1e-12)
    one, s = leaf(U), torch.tensor(h)
    for x in X:
        s = torch.tanh(torch.tensor(W @ x + b) + one @ s)
    (s @ torch.tensor(g)).backward()
    np.testing.assert_allclose(parts.sum(axis=0), one.grad, atol=1e-12)
    np.testing.assert_allclose(parts.sum(axis=0), gradients(G, X, h, W, U, H)[3], atol=1e-12)
    assert (abs(parts).max(axis=(1, 2)) > 0).all()  # none of the four is nothing


def test_R3_to_stop_after_one_step_back_gives_another_gradient():
    X, h, W, U, b = network(T=4)
    H = states(X, h, W, U, b)
    G = np.zeros_like(H)
    G[3] = 1
    parts = contributions(G, h, U, H)
    assert abs(parts[-1] - parts.sum(axis=0)).max() > 0.1


def test_deltas_are_the_gradients_at_what_goes_into_tanh():
    X, h, W, U, b = network()
    G = drawn(6, 4, seed=3)
    pushes = leaf(np.zeros((6, 4)))
    s, J = torch.tensor(h), 0.0
    for t in range(6):
        s = torch.tanh(torch.tensor(W @ X[t] + b) + torch.tensor(U) @ s + pushes[t])
        J = J + s @ torch.tensor(G[t])
    J.backward()
    np.testing.assert_allclose(deltas(G, states(X, h, W, U, b), U), pushes.grad, atol=1e-12)


def test_jacobians_and_their_products_are_autograds():
    X, h, W, U, b = network()
    H = states(X, h, W, U, b)
    steps = [
        torch.autograd.functional.jacobian(
            lambda s, x=x: torch.tanh(torch.tensor(W @ x + b) + torch.tensor(U) @ s),
            torch.tensor(s),
        )
        for x, s in zip(X, [h, *H[:-1]], strict=True)
    ]
    np.testing.assert_allclose(jacobians(H, U), torch.stack(steps), atol=1e-12)
    norms, product = jacobian_norms(jacobians(H, U)), torch.eye(4, dtype=torch.float64)
    for k, J in enumerate(reversed(steps), start=1):
        product = product @ J
        assert norms[k] == pytest.approx(torch.linalg.matrix_norm(product, 2).item())
    assert norms[0] == 1


def test_a_state_that_hardly_moves_forgets_as_a_power_and_a_large_U_explodes():
    Q = np.linalg.qr(drawn(8, 8))[0]
    still = np.zeros((50, 8))  # at 0 the slope of tanh is 1: U alone decides
    for scale in (0.9, 1.0, 1.1):
        np.testing.assert_allclose(
            jacobian_norms(jacobians(still, scale * Q)), scale ** np.arange(51.0), rtol=1e-9
        )


# The loss of a sequence


def test_R4_the_loss_of_a_sequence_is_the_mean_over_time_of_the_cross_entropy():
    scores, y = drawn(7, 5), np.array([0, 4, 2, 2, 1, 3, 0])
    one_by_one = [-np.log(np.exp(s[k]) / np.exp(s).sum()) for s, k in zip(scores, y, strict=True)]
    J, dscores = sequence_loss(scores, y)
    assert J == pytest.approx(np.mean(one_by_one))
    theirs = leaf(scores)
    torch.nn.functional.cross_entropy(theirs, torch.tensor(y)).backward()
    np.testing.assert_allclose(dscores, theirs.grad, atol=1e-15)


def test_a_masked_loss_is_that_of_the_places_that_count():
    scores, y = drawn(5, 3, 6), np.random.default_rng(1).integers(6, size=(5, 3))
    mask = np.arange(5)[:, None] < np.array([5, 2, 3])
    J, dscores = sequence_loss(scores, y, mask)
    theirs = leaf(scores)
    ignoring = torch.tensor(np.where(mask, y, -100))
    loss = torch.nn.functional.cross_entropy(theirs.reshape(15, 6), ignoring.reshape(15))
    loss.backward()
    assert J == pytest.approx(loss.item())
    np.testing.assert_allclose(dscores, theirs.grad, atol=1e-15)
    assert not dscores[~mask].any()


@given(arrays(float, (4, 2, 3), elements=st.floats(-1e300, 1e300)), st.integers(-5, 99))
def test_whatever_stands_in_the_padding_changes_nothing(rubbish, id_):
    scores, y = drawn(4, 2, 3), np.array([[0, 1], [2, 0], [1, 1], [2, 2]])
    mask = np.arange(4)[:, None] < np.array([4, 2])
    J, dscores = sequence_loss(scores, y, mask)
    other = sequence_loss(np.where(mask[..., None], scores, rubbish), np.where(mask, y, id_), mask)
    assert other[0] == J
    np.testing.assert_array_equal(other[1], dscores)


def test_scores_of_any_size_do_not_overflow():
    J, dscores = sequence_loss(np.array([[1e4, 0.0], [-1e4, 0.0]]), np.array([1, 1]))
    assert J == 5000
    np.testing.assert_allclose(dscores, [[0.5, -0.5], [0, 0]])


@pytest.mark.parametrize(
    "y, mask, says",
    [
        ([0, 1, 2], np.array([True, False]), "The mask has shape .2,. and y .3,.: make them"),
        ([0, 1, 2], np.array([[True], [True], [False]]), "make them the same"),
        ([0, 1, 2], np.zeros(3, dtype=bool), "Every position is masked"),
        ([0, 1, 4], None, "ids 0 … 3, but y goes from 0 to 4"),
        ([0, -1, 2], None, "mask what is padding"),
    ],
)
def test_a_loss_that_means_nothing_is_refused(y, mask, says):
    with pytest.raises(ValueError, match=says):
        sequence_loss(drawn(3, 4), np.array(y), mask)


# Clipping

some_gradients = st.lists(
    arrays(float, st.integers(0, 4), elements=st.floats(-1e150, 1e150)), min_size=1, max_size=3
)


@given(some_gradients, st.floats(1e-3, 1e3))
def test_clipping_never_raises_the_norm_and_keeps_the_direction(gradients, most):
    short, norm = clip_gradients(gradients, most)
    before, after = np.concatenate(gradients), np.concatenate(short)
    assert np.linalg.norm(after / most) <= min(1, norm / most) * (1 + 1e-9)
    if norm <= most:
        np.testing.assert_array_equal(after, before)
    else:
        np.testing.assert_allclose(after / most, before / norm, rtol=1e-9, atol=1e-300)


def test_clipping_is_torchs():
    given_ = [drawn(3, 4), drawn(5, seed=1)]
    tensors = [torch.zeros(A.shape, dtype=torch.float64, requires_grad=True) for A in given_]
    for tensor, A in zip(tensors, given_, strict=True):
        tensor.grad = torch.tensor(A)
    theirs = torch.nn.utils.clip_grad_norm_(tensors, 0.5)
    ours, norm = clip_gradients(given_, 0.5)
    assert norm == pytest.approx(theirs.item())
    for tensor, A in zip(tensors, ours, strict=True):
        np.testing.assert_allclose(A, tensor.grad, rtol=1e-5)  # torch adds 10⁻⁶ to the norm


def test_a_gradient_of_zero_stays_and_one_that_has_exploded_still_has_a_norm():
    assert clip_gradients([np.zeros(3)], 1.0)[1] == 0
    short, norm = clip_gradients([np.array([3e200, -4e200])], 1.0)
    assert norm == pytest.approx(5e200)
    np.testing.assert_allclose(short[0], [0.6, -0.8])


@pytest.mark.parametrize("most", [0.0, -1.0, float("nan")])
def test_a_length_to_clip_to_is_above_zero(most):
    with pytest.raises(ValueError, match="above 0"):
        clip_gradients([np.ones(2)], most)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_clipping_does_not_hide_a_gradient_that_is_no_number(bad):
    with pytest.raises(ValueError, match="lower the learning rate"):
        clip_gradients([np.array([1.0, bad])], 1.0)
