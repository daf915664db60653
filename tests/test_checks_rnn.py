"""What exercise 3 takes for right is right: compared with PyTorch, and with a nudge."""

import numpy as np
import pytest
import torch
from answers import EXERCISES, holds, right
from learners.rnn import RNN_STATES, feeds_itself, line, sigma

from firth.checks.rnn_forecast import series
from firth.checks.rnn_hidden_states import unrolled
from firth.checks.rnn_lstm_step import ORDERS

rng = np.random.default_rng(0)


def as_torch(*arrays):
    return [torch.as_tensor(array, dtype=torch.float64) for array in arrays]


def copied_into(layer, weights):
    with torch.no_grad():
        for name, array in weights.items():
            getattr(layer, name).copy_(torch.as_tensor(array))
    return layer


def test_R1_the_states_are_those_of_torch_and_stand_in_100_rows_of_64():
    W, U, X = (
        rng.normal(size=(64, 32)) / 6,
        rng.normal(size=(64, 64)) / 8,
        rng.normal(size=(100, 32)),
    )
    layer = torch.nn.RNN(32, 64, bias=False, dtype=torch.float64)
    copied_into(layer, {"weight_ih_l0": W, "weight_hh_l0": U})
    states = right("rnn_states")(X, np.zeros(64), W, U)
    assert states.shape == (100, 64)
    assert np.allclose(states, layer(torch.as_tensor(X))[0].detach().numpy())


def test_R3_the_contributions_add_up_to_the_gradient_of_autograd_and_of_a_nudge():
    T, d = 6, 3
    X, W, U = rng.normal(size=(T, d)), rng.normal(size=(d, d)), rng.normal(size=(d, d))
    start, g = rng.uniform(-0.9, 0.9, size=d), rng.normal(size=d)
    S = np.array([start, *unrolled()(X, start, W, U)])
    total = right("contributions")(S, U, g).sum(axis=0)
    x, w, u, s = as_torch(X, W, U, start)
    u.requires_grad_()
    for t in range(T):
        s = torch.tanh(w @ x[t] + u @ s)
    (s @ torch.as_tensor(g)).backward()
    assert np.allclose(total, u.grad.numpy())
    for i, j in np.ndindex(d, d):
        nudge = np.zeros((d, d))
        nudge[i, j] = 1e-6
        ends = [unrolled()(X, start, W, U + sign * nudge)[-1] @ g for sign in (1, -1)]
        assert np.isclose((ends[0] - ends[1]) / 2e-6, total[i, j], rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("order", ORDERS, ids=[order.form for order in ORDERS])
def test_a_step_is_that_of_torch_once_the_blocks_are_in_its_order(order):
    d, e = 3, 2
    lstm_step = EXERCISES["lstm_step"]
    asked = {form.form: form for form in (lstm_step, *lstm_step.forms)}[order.form]
    W, U, b = rng.normal(size=(4, d, e)), rng.normal(size=(4, d, d)), rng.normal(size=(4, d))
    x, h, c = rng.normal(size=e), rng.normal(size=d), rng.normal(size=d)
    places = [order.letters.index(letter) for letter in "ifgo"]
    cell = torch.nn.LSTMCell(e, d, dtype=torch.float64)
    copied_into(
        cell,
        {
            "weight_ih": W[places].reshape(4 * d, e),
            "weight_hh": U[places].reshape(4 * d, d),
            "bias_ih": b[places].ravel(),
            "bias_hh": np.zeros(4 * d),
        },
    )
    theirs = cell(*as_torch(x), tuple(as_torch(h, c)))
    mine = asked.right(x, h, c, W.reshape(-1, e), U.reshape(-1, d), b.ravel())
    assert np.allclose(mine, [v.detach().numpy() for v in theirs])


@pytest.mark.parametrize("kind, blocks", [("RNN", 1), ("GRU", 3), ("LSTM", 4)])
@pytest.mark.parametrize("directions, layers", [(1, 1), (2, 1), (1, 3), (2, 2)])
def test_R6_R7_the_count_is_that_of_torch(kind, blocks, directions, layers):
    layer = getattr(torch.nn, kind)(5, 7, num_layers=layers, bidirectional=directions == 2)
    size = sum(p.numel() for p in layer.parameters())
    assert right("rnn_parameters")(5, 7, blocks, 2, directions, layers) == size
    assert right("rnn_parameters")(64, 64, 4, 1, 1, 1) == 33_024
    assert right("rnn_parameters")(128, 64, 4, 1, 2, 1) == 98_816


def test_the_masked_loss_is_the_cross_entropy_that_torch_takes_over_what_is_not_ignored():
    scores, y = 50 * rng.normal(size=(6, 4, 5)), rng.integers(0, 5, size=(6, 4))
    mask = np.arange(6)[:, None] < np.array([6, 2, 4, 1])
    flat = torch.as_tensor(np.where(mask, y, -1)).reshape(-1)
    theirs = torch.nn.functional.cross_entropy(
        torch.as_tensor(scores).reshape(-1, 5), flat, ignore_index=-1
    )
    assert np.isclose(right("masked_loss")(scores, y, mask), theirs.item())


def test_letters_are_drawn_as_often_as_their_probability_says():
    scores, tau = np.array([0.5, -1.0, 2.0, 0.0]), 0.7
    us = (np.arange(4000) + 0.5) / 4000
    shares = np.bincount([right("next_letter")(scores, tau, u) for u in us], minlength=4) / 4000
    assert np.allclose(shares, torch.softmax(torch.as_tensor(scores / tau), 0).numpy(), atol=1e-3)


def test_an_impossible_letter_is_never_drawn_whatever_u():
    scores = np.array([-2000.0, 0.3, -2000.0, 1.1])
    assert {right("next_letter")(scores, 1.0, u) for u in (0.0, 0.2, 0.5, 0.999)} == {1, 3}

    def next_letter(scores, tau, u):
        p = np.exp((scores - scores.max()) / tau)
        return np.searchsorted(np.cumsum(p / p.sum()), u)

    assert next_letter(scores, 1.0, 0.0) == 0
    assert holds("next_letter", next_letter) == [True, True, False]


def test_the_forecast_of_a_series_without_chance_is_the_series():
    y, lags = [1.0, 2.0, 0.5], [1, 3]
    for _ in range(50):
        y.append(1.5 + 0.4 * y[-1] - 0.6 * y[-3])
    past, future = np.array(y[:30]), np.array(y[30:])
    assert np.allclose(right("forecast")(past, future, lags), future)


def test_a_loss_in_single_precision_is_right_even_with_scores_in_the_thousands():
    def masked_loss(scores, y, mask):
        return right("masked_loss")(scores.astype(np.float32), y, mask)

    assert all(holds("masked_loss", masked_loss))


# --- a claim about one thing does not fail for another ---------------------------------------


def test_a_forecast_without_a_constant_knows_nothing_of_what_comes_later_either():
    assert holds("forecast", line(constant=False)) == [False, True, True, False]
    assert holds("forecast", feeds_itself)[1] is False


def test_whoever_copies_the_future_is_too_good_to_be_true():
    for answer in (line(shift=-1), lambda past, future, lags: future):
        assert not any(holds("forecast", answer))


def test_the_line_beats_the_baseline_with_room_to_spare_and_chance_leaves_it_an_error():
    for seed in range(60):
        y, news = series(np.random.default_rng(seed), 480, 6)
        past, future = y[:240], y[240:]
        error, own = (
            np.abs(f(past, future, [1, 6, 7]) - future).mean()
            for f in (right("forecast"), feeds_itself)
        )
        baseline = np.abs(y[234:-6] - future).mean()
        assert error < 0.8 * baseline < baseline < own
        assert error > 0.8 * np.abs(news[240:]).mean()


def test_a_flat_answer_is_asked_about_shape_and_keeps_no_point_of_the_order():
    flat = RNN_STATES[0][0]
    assert not any(holds("rnn_states", flat))


def test_a_wrong_output_leaves_the_point_of_the_state():
    def rnn_step(x, s, W, U, V):
        new = np.tanh(W @ x + U @ s)
        return new, V @ s

    assert holds("rnn_step", rnn_step) == [True, False, False]


def test_a_belt_that_is_shown_wrongly_is_still_the_belt():
    def lstm_step(x, h, c, W, U, b):
        i, f, g, o = np.split(W @ x + U @ h + b, 4)
        c = sigma(f) * c + sigma(i) * np.tanh(g)
        return sigma(o) * c, c

    assert holds("lstm_step", lstm_step) == [True, False, True, False]
