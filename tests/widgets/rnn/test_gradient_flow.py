"""The gradient meter: a plain network, an LSTM's two paths, and a GRU."""

import js
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from traitlets import TraitError

from firth.rnn import gated_cells, rnn
from firth.widgets.rnn import gradient_flow
from firth.widgets.rnn.gradient_flow import PATHS, RnnGradient, path_norms
from tests.widgets.test_parity import assert_same


def slopes(f, x, width=1e-6):
    """∂f/∂x by central differences."""
    ask = np.eye(len(x)) * width
    return np.array([(f(x + e) - f(x - e)) / (2 * width) for e in ask]).T


def weights(meter):
    """W, U and b of the meter's LSTM, its blocks one below the other."""
    d = gradient_flow.UNITS
    b = np.repeat([0.0, meter.bias, 0.0, 0.0], d)
    return np.array(meter.W).reshape(4 * d, 1), meter.rho * np.array(meter.U).reshape(4 * d, d), b


@pytest.mark.parametrize(("rho", "bias"), [(0.7, 1.0), (1.5, -2.0), (1.2, 4.0)])
def test_every_jacobian_is_the_derivative_of_its_step(rho, bias):
    meter = RnnGradient(rho=rho, bias=bias, T=5)
    d, zero = gradient_flow.UNITS, np.zeros(gradient_flow.UNITS)
    W, U, b = weights(meter)
    three, n = 3 * d, slice(2 * d, 3 * d)

    def lstm(s, x):
        return np.concatenate(gated_cells.lstm_step(x, s[:d], s[d:], W, U, b))

    def gru(h, x):
        return gated_cells.gru_step(x, h, W[:three], U[:three], b[:three], np.zeros(three))

    def plain(h, x):
        return rnn.step(x, h, W[n], U[n], zero)

    steps = (plain, lstm, gru)
    for step, jacobians in zip(steps, meter.jacobians(), strict=True):
        s = np.zeros(jacobians.shape[1])
        for x, J in zip(np.array(meter.X), jacobians, strict=False):
            np.testing.assert_allclose(J, slopes(lambda s: step(s, x), s), atol=1e-8)  # noqa: B023
            s = step(s, x)


@pytest.mark.parametrize(("rho", "bias"), [(0.7, 1.0), (1.5, 3.0)])
def test_the_two_paths_of_the_lstm_are_the_forget_gates_and_all_that_is_left(rho, bias):
    meter = RnnGradient(rho=rho, bias=bias, T=6)
    W, U, b = weights(meter)
    X, zero = np.array(meter.X)[:6], np.zeros(gradient_flow.UNITS)
    _, C, gates = gated_cells.lstm(X, zero, zero, W, U, b)
    along, around = path_norms(meter.jacobians()[1])
    for t in range(1, 6):  # from c_t on

        def last(c, t=t):
            h = gates[t - 1, 3] * np.tanh(c)  # the output gate of step t does not know c_t
            return gated_cells.lstm(X[t:], h, c, W, U, b)[1][-1]

        kept = gates[t:, 1].prod(axis=0)
        whole = slopes(last, C[t - 1])
        assert along[6 - t] == pytest.approx(kept.max())
        rest = np.linalg.norm(whole - np.diag(kept), ord=2)
        assert around[6 - t] == pytest.approx(rest, rel=1e-4)


def test_without_recurrent_weights_nothing_goes_through_the_hidden_state():
    meter = RnnGradient(T=5)
    W, U, b = weights(meter)
    J = gradient_flow.lstm_jacobians(np.array(meter.X)[:5], W, 0 * U, b)
    along, around = path_norms(J)
    assert along[-1] > 0.1 and not around.any()


def test_the_weights_that_rho_scales_have_spectral_radius_one():
    radii = abs(np.linalg.eigvals(np.array(RnnGradient().U))).max(axis=-1)
    assert radii == pytest.approx(1, abs=2e-3)


def factors(**choices):
    return dict(zip(PATHS, RnnGradient(**choices).answer()["factors"], strict=True))


PLAIN, CELL, HIDDEN, GRU = PATHS


def test_the_plain_network_vanishes_below_one_and_explodes_above_and_no_bias_helps_it():
    assert factors(rho=0.5)[PLAIN] < 0.55 and factors(rho=1.5)[PLAIN] > 1.1
    assert factors(rho=0.7, bias=-2.0)[PLAIN] == factors(rho=0.7, bias=6.0)[PLAIN]


def test_along_the_cell_state_the_forget_bias_decides_and_rho_hardly_matters():
    assert factors(bias=-2.0)[CELL] < 0.15 and factors(bias=4.0)[CELL] > 0.97
    assert factors(rho=0.5, bias=3.0)[CELL] == pytest.approx(
        factors(rho=1.0, bias=3.0)[CELL], abs=0.01
    )
    assert max(factors(rho=1.5, bias=6.0)[CELL], factors(rho=0.5, bias=6.0)[CELL]) < 1


def test_the_gradient_of_an_lstm_explodes_through_the_hidden_state_and_not_along_the_cell_state():
    shown = RnnGradient(rho=1.5, bias=4.0).answer()
    ends = dict(zip(PATHS, shown["ends"], strict=True))
    assert ends[HIDDEN] > 3 and ends[CELL] < 0


def test_a_forget_bias_of_three_keeps_for_about_twenty_one_steps():
    shown = RnnGradient(bias=3.0).answer()
    assert shown["gate"] == pytest.approx(0.953, abs=5e-4)
    assert shown["keeps"] == pytest.approx(21.1, abs=0.05)


@given(st.integers(1, 9), st.integers(0, 2**32 - 1), st.booleans())
@settings(max_examples=60, deadline=None, derandomize=True, database=None)
def test_the_norm_found_by_squaring_is_the_largest_singular_value(n, seed, equal):
    A = np.random.default_rng(seed).normal(size=(n, n))
    A = np.linalg.qr(A)[0] if equal else A  # all singular values alike: the hardest case
    (_, found) = js.call(RnnGradient._esm, "logNorms", [A.tolist()])
    assert found == pytest.approx(np.log10(np.linalg.norm(A, 2)), abs=1e-10)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("- (i === j ? kept[i] : 0)", ""),  # the cell-state path counted twice
        (" + product[d + i][j] * slope", ""),  # no way through the hidden state of step t
        ("k === 1 ? bias : 0", "k === 0 ? bias : 0"),  # the bias at the input gate
    ],
)
def test_a_script_with_a_wrong_path_is_caught(right, wrong):
    meter = RnnGradient(T=10)
    script = meter._esm.replace(right, wrong)
    assert script != meter._esm
    with pytest.raises(AssertionError):
        assert_same(meter.answer(), js.call(script, "answer", meter.state()))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: RnnGradient(rho=1.6), "between 0.5 and 1.5"),
        (lambda: RnnGradient(bias=7.0), "between -2 and 6"),
        (lambda: RnnGradient(T=51), "between 5 and 50"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(make, says):
    with pytest.raises(TraitError, match=says) as refused:
        make()
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 200


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: RnnGradient(rho=0.5, hidden_path=False),
            "At ρ 0.50, each step multiplies the gradient by: plain network 0.51; "
            "LSTM, along the cell state 0.73. A forget gate of 0.73 keeps for about 4 steps.",
        ),
        (
            lambda: RnnGradient(plain=False, cell_path=False, hidden_path=False, bias=3.0),
            "At ρ 0.70, no path is shown. A forget gate of 0.95 keeps for about 21 steps.",
        ),
    ],
)
def test_a_change_is_heard_in_plain_sentences(make, sentence):
    view = make()
    assert js.call(view._esm, "spoken", view.answer(), view.state()) == sentence
