"""The questions of exercise 3: their right answers are those of PyTorch, and what a slip costs."""

# ruff: noqa: E741 - O is the output matrix

import numpy as np
import pytest
import torch
from answers import EXERCISES, RIGHT, holds, right
from learners.rnn import (
    RNN_STATES,
    WRONG,
    an_array_like_h,
    cell,
    feeds_itself,
    forecasts_like_the_future,
    going_back,
    line,
    reads_before_the_beginning,
    rows_like_G,
    states_like_h,
    walking,
    writes_into_X_where_it_fits,
)
from learners.rnn import softmax as softmax_of

from firth.checks import check
from firth.checks.rnn.forecast import draw_series
from firth.checks.rnn.hidden_states import reading_function
from firth.checks.rnn.lstm_step import ORDERS
from tests.checks.test_checks import call_it, messages

rng = np.random.default_rng(0)
SEEDS = range(5)
BY_THE_CLAIM = ("How many hours", "stayed the same")  # said of forecasts by the claims themselves


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


def test_R3_the_gradient_is_that_of_autograd_and_of_a_small_change():
    """Each step has a loss c_t · h_t, whose gradient with respect to h_t is c_t."""
    T, d = 6, 3
    X, W, U = rng.normal(size=(T, d)), rng.normal(size=(d, d)), rng.normal(size=(d, d))
    start, G = rng.uniform(-0.9, 0.9, size=d), rng.normal(size=(T, d))
    states = reading_function()
    H = np.array([start, *states(X, start, W, U)])
    deltas = right("bptt")(H, U, G)
    x, w, u, h, c = as_torch(X, W, U, start, G)
    u.requires_grad_()
    loss, inside = 0, []
    for t in range(T):
        inside.append(w @ x[t] + u @ h)
        inside[-1].retain_grad()
        h = torch.tanh(inside[-1])
        loss = loss + h @ c[t]
    loss.backward()
    assert np.allclose(deltas, [a.grad.numpy() for a in inside])
    total = deltas.T @ H[:-1]
    assert np.allclose(total, u.grad.numpy())
    for i, j in np.ndindex(d, d):
        change = np.zeros((d, d))
        change[i, j] = 1e-6
        ends = [(states(X, start, W, U + sign * change) * G).sum() for sign in (1, -1)]
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


# --- wrong answers that once passed ----------------------------------------------------------


@pytest.mark.parametrize(
    "name, answer, held",
    [
        ("rnn_step", an_array_like_h, [True, True, False]),
        ("rnn_states", states_like_h, [True, True, False]),
        ("rnn_states", writes_into_X_where_it_fits, [True, True, False]),
        ("bptt", rows_like_G, [True, True, True, False]),
        ("forecast", forecasts_like_the_future, [True, True, True, False]),
    ],
)
def test_an_answer_that_once_passed_fails_at_the_claim_that_is_about_it(name, answer, held):
    for seed in SEEDS:
        assert holds(name, answer, seed) == held


def test_a_negative_index_is_asked_about_wherever_it_leads():
    for seed in SEEDS:
        for joined in (False, True):
            said = messages("forecast", reads_before_the_beginning(joined), seed)
            assert "What is y[-1] in Python" in said[0]


def test_a_coupled_gate_is_named_whichever_gate_is_left_out():
    asked = {"σ(i)": lambda i, f, g, o, c: f * c + (1 - f) * g}
    asked |= {"σ(f)": lambda i, f, g, o, c: (1 - i) * c + i * g}
    for gate, update in asked.items():
        said = messages("lstm_step", cell(update=update))[0]
        assert "A GRU couples its gates" in said and said.endswith(f"{gate}?")


# --- a claim about one thing does not fail for another ---------------------------------------

SLIPS = {
    "rnn_step": [
        (lambda x, h, W, U, O: (W @ x + U @ h, O @ (W @ x + U @ h)), [False, True, False]),
        (lambda x, h, W, U, O: RIGHT["rnn_step"](x, h, W, U, O)[::-1], [False, False, True]),
        (lambda x, h, W, U, O: (np.tanh(W @ x + U @ h), O @ h), [True, False, False]),
    ],
    "rnn_states": [
        (lambda X, h, W, U: np.tanh(X @ W.T + U @ h), [False, False, True]),
        (reading_function(lambda x, h, W, U: W @ x + U @ h), [False, True, False]),
    ],
    "bptt": [
        (
            going_back(back=lambda g, d, U, H, t: (g + U @ d) * (1 - H[t] ** 2)),
            [True, False, True, False],
        ),
        (
            going_back(back=lambda g, d, U, H, t: U.T @ d * (1 - H[t] ** 2)),
            [True, True, False, False],
        ),
        (
            going_back(start=lambda g, H: g, back=lambda g, d, U, H, t: g + U.T @ d),
            [False, False, True, False],
        ),
    ],
    "lstm_step": [
        (cell(order="iofg"), [False, False, False, True]),
        (cell(give=lambda h, c: (c, h)), [False, False, False, True]),
        (cell(update=lambda i, f, g, o, c: f * c + g), [False, True, False, False]),
        (cell(show=lambda o, c, new: o * new), [True, False, True, False]),
    ],
    "rnn_parameters": [
        (lambda e, d, k, b, ways, layers: ways * k * d * (e + d + b), [True, False, False]),
        (lambda e, d, *rest: RIGHT["rnn_parameters"](e, d, 1, *rest[1:]), [False, True, True]),
    ],
    "masked_loss": [
        (lambda *given: -RIGHT["masked_loss"](*given), [False, True, False, False]),
        (
            lambda scores, y, mask: RIGHT["masked_loss"](scores, y, np.ones_like(mask)),
            [True, False, True, False],
        ),
    ],
    "forecast": [(line(constant=False), [False, True, True, False])],
    "next_letter": [
        (walking(lambda x, tau: softmax_of(x / tau), first=1), [False, True, False]),
        (walking(lambda x, tau: softmax_of(x)), [True, False, False]),
    ],
}


@pytest.mark.parametrize("name", SLIPS)
def test_one_slip_does_not_cost_a_whole_question(name):
    for answer, held in SLIPS[name]:
        for seed in SEEDS:
            assert holds(name, answer, seed) == held


def test_numbers_that_fit_each_other_are_not_enough():
    """A claim that accepts the learner's own numbers accepts no constants, and nothing given."""
    for seed in SEEDS:
        given = lambda x, h, W, U, O: (h, O @ h)  # noqa: E731
        assert not any(holds("rnn_step", given, seed))
        assert not any(holds("masked_loss", lambda scores, y, mask: 1.0, seed))
        assert not any(holds("rnn_parameters", lambda *sizes: 0, seed))
        assert not any(holds("next_letter", lambda scores, tau, u: int(u * len(scores)), seed))
        still = lambda x, h, c, W, U, b: (0 * h, 0 * c)  # noqa: E731
        assert not any(holds("lstm_step", still, seed))


def test_a_forecast_from_its_own_forecasts_knows_too_little():
    assert holds("forecast", feeds_itself)[1] is False


def test_whoever_copies_the_future_is_too_good_to_be_true():
    for answer in (line(shift=-1), lambda past, future, lags: future):
        assert not any(holds("forecast", answer))


def test_the_line_beats_the_baseline_with_room_to_spare_and_chance_leaves_it_an_error():
    for seed in range(60):
        y, news = draw_series(np.random.default_rng(seed), 480, 6)
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


# --- what is asked ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", WRONG)
def test_the_question_names_the_mistake_wherever_a_learner_makes_a_known_one(name):
    """Else it is a question about an error, about what was returned, or about writing."""
    named = {question for _, question in EXERCISES[name].mistakes}
    others = ("in your line", "It has the shape", "It returned", "write into", *BY_THE_CLAIM)
    unnamed = []
    for answer, words in WRONG[name]:
        said = messages(name, answer)
        if not any(text in named or any(some in text for some in others) for text in said):
            unnamed.append(words)
    assert not unnamed


def test_a_report_says_each_question_once():
    for name, wrong in WRONG.items():
        for answer, _ in wrong:
            lines = [
                line for line in repr(check(call_it(name, answer))).splitlines() if "→" in line
            ]
            assert len(lines) == len(set(lines)), lines
