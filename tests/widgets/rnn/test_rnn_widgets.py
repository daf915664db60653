"""Chapter 3's widgets: the cell that carries, the gradient that fades, the names that are new."""

import re

import js
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from traitlets import TraitError

from firth.rnn import gated_cells, place_names, rnn
from firth.store import corpora
from firth.widgets.rnn import gradient_flow
from firth.widgets.rnn.gradient_flow import RnnGradient
from firth.widgets.rnn.lstm_cell import PRESETS, QUESTIONS, RnnCell
from firth.widgets.rnn.place_names import LONGEST, RnnNames

PLACES = corpora.places()
GOALS = [goal for _, goal in QUESTIONS]


def pure(widget, name, *args):
    return js.call(widget._esm, name, *args)


# The cell


@pytest.mark.parametrize("preset", PRESETS)
def test_the_cell_is_lstm_step_along_the_inputs_and_its_parcels_add_up_to_the_belt(preset):
    cell = RnnCell(**PRESETS[preset])
    shown = cell.answer()
    W, U, b = (np.array([k]).T for k in zip(cell.i, cell.f, cell.g, cell.o, strict=True))
    h, c, plain = np.zeros((3, 1))
    for t, x in enumerate(np.array(cell.x)[:, None]):
        h, c = gated_cells.lstm_step(x, h, c, W, U, b[:, 0])
        plain = rnn.step(x, plain, W[2:3], U[2:3], b[2])
        assert shown["hidden"][t] == pytest.approx(h[0])
        assert shown["cell"][t] == pytest.approx(c[0])
        assert shown["plain"][t] == pytest.approx(plain[0])
        assert sum(shown["parcels"][t]) == pytest.approx(c[0])
    assert shown["parcels"][-1][0] == pytest.approx(shown["left"])


@pytest.mark.parametrize("step", [1, 5])
def test_the_sums_of_a_step_are_those_that_open_its_gates(step):
    shown = RnnCell(step=step, **PRESETS["Clear on a signal"]).answer()
    *opened, candidate = shown["opened"]
    assert opened == pytest.approx(1 / (1 + np.exp(-np.array(shown["sums"][:3]))))
    assert candidate == pytest.approx(np.tanh(shown["sums"][3]))
    names = ("forget", "enter", "leave", "candidate")
    assert shown["opened"] == [shown[name][step - 1] for name in names]


def met(goal, **choices):
    return RnnCell(question=GOALS.index(goal), **choices).answer()["met"]


@pytest.mark.parametrize(
    ("preset", "reached"),
    [
        ("As training begins", set()),
        ("Forget at once", set()),
        ("Remember the first", {"kept", "alone"}),
        ("Clear on a signal", set()),
        ("Count", {"kept", "counted"}),
    ],
)
def test_a_preset_reaches_these_goals_and_no_others(preset, reached):
    assert {goal for goal in GOALS if met(goal, **PRESETS[preset])} == reached


def test_every_question_has_an_answer_that_knobs_and_inputs_can_give():
    first = PRESETS["Remember the first"]
    assert met("hidden", **first | {"o": [0, 0, -8]})
    signal = [*first["x"][:-1], -1.0]
    quiet = {"x": [max(0.0, x) for x in signal[:-1]] + [-1.0]}
    assert met("last", **first | quiet | {"o": [-8, 0, -4]})


def test_the_door_that_shuts_itself_needs_a_first_input_above_zero():
    first = PRESETS["Remember the first"]
    turned = first | {"x": [-x for x in first["x"]]}
    assert met("alone", **first) and not met("alone", **turned)


def test_an_output_cannot_count_what_its_belt_counts():
    shown = RnnCell(**PRESETS["Count"]).answer()
    assert shown["cell"][-1] == pytest.approx(4, abs=0.1)
    assert max(shown["hidden"]) < 1


# The gradient


def slopes(f, x, width=1e-6):
    """∂f/∂x by central differences."""
    ask = np.eye(len(x)) * width
    return np.array([(f(x + e) - f(x - e)) / (2 * width) for e in ask]).T


@pytest.mark.parametrize(("rho", "bias"), [(0.7, 1.0), (1.5, -2.0), (1.2, 4.0)])
def test_every_jacobian_is_the_derivative_of_its_step(rho, bias):
    meter = RnnGradient(rho=rho, bias=bias, T=5)
    d, zero = gradient_flow.UNITS, np.zeros(gradient_flow.UNITS)
    X, W, U = np.array(meter.X), np.array(meter.W), rho * np.array(meter.U)
    W4, U4, b4 = W.reshape(4 * d, 1), U.reshape(4 * d, d), np.zeros(4 * d)
    b4[d : 2 * d] = bias

    def lstm(s, x):
        return np.concatenate(gated_cells.lstm_step(x, s[:d], s[d:], W4, U4, b4))

    def gru(h, x):
        three = 3 * d
        return gated_cells.gru_step(x, h, W4[:three], U4[:three], b4[:three], np.zeros(three))

    def vanilla(h, x):
        return rnn.step(x, h, W[2], U[2], zero)

    steps = (vanilla, lstm, gru)
    for step, jacobians in zip(steps, meter.jacobians(), strict=True):
        s = np.zeros(jacobians.shape[1])
        for x, J in zip(X, jacobians, strict=False):
            np.testing.assert_allclose(J, slopes(lambda s: step(s, x), s), atol=1e-8)  # noqa: B023
            s = step(s, x)


def test_the_weights_that_rho_scales_have_spectral_radius_one():
    radii = abs(np.linalg.eigvals(np.array(RnnGradient().U))).max(axis=-1)
    assert radii == pytest.approx(1, abs=2e-3)


def factors(**choices):
    return RnnGradient(**choices).answer()["factors"]


def test_the_vanilla_cell_vanishes_below_one_and_explodes_above_and_no_bias_helps_it():
    assert factors(rho=0.5)[0] < 0.55 and factors(rho=1.5)[0] > 1.1
    assert factors(rho=0.7, bias=-2.0)[0] == factors(rho=0.7, bias=6.0)[0]


def test_the_forget_bias_keeps_the_gated_cells_where_the_vanilla_cell_vanishes():
    shut, wide = factors(rho=0.7, bias=-2.0), factors(rho=0.7, bias=4.0)
    assert max(shut[1:]) < 0.45 and min(wide[1:]) > 0.97 and wide[0] < 0.75


def test_gates_do_not_stop_a_gradient_from_exploding_and_clipping_does():
    shown = RnnGradient(rho=1.5, bias=4.0, limit=1.0).answer()
    assert shown["ends"][1] > 3 and shown["cut"][1] > 20
    assert RnnGradient(rho=1.5, bias=4.0, limit=3.0).answer()["cut"][1] < shown["cut"][1]


@given(st.integers(1, 9), st.integers(0, 2**32 - 1), st.booleans())
@settings(max_examples=60, deadline=None, derandomize=True, database=None)
def test_the_norm_found_by_squaring_is_the_largest_singular_value(n, seed, equal):
    A = np.random.default_rng(seed).normal(size=(n, n))
    A = np.linalg.qr(A)[0] if equal else A  # all singular values alike: the hardest case
    (_, found) = pure(RnnGradient, "logNorms", [A.tolist()])
    assert found == pytest.approx(np.log10(np.linalg.norm(A, 2)), abs=1e-10)


# The names


def test_names_are_marked_by_what_the_network_could_have_known():
    view = RnnNames()
    shown = next(name for name in view.places if name not in view.held_out)
    names = [shown.upper(), view.held_out[0], view.elsewhere[0], "Qqq"]
    assert view.known(names) == ["copy", "kept", "elsewhere", "new"]


def test_the_first_draw_shows_what_a_name_looks_like_that_exists_and_most_draws_do_not():
    kinds = RnnNames().known([place_names.sampled(seed) for seed in range(200)])
    assert RnnNames().answer()["existing"] >= 1
    assert 0 < np.mean([kind != "new" for kind in kinds]) < 0.1


def test_the_names_and_the_letters_are_those_of_the_module():
    view = RnnNames(prefix="Vila", tau=0.7, seed=3)
    shown = view.answer()
    assert shown["names"] == [place_names.sampled(30 + n, 0.7, "Vila") for n in range(10)]
    p = place_names.probabilities(place_names.scores("Vila"), 0.7)
    assert shown["shares"][0] == pytest.approx(100 * p.max())
    assert sum(shown["shares"]) + shown["rest"] == pytest.approx(100)


def test_a_cold_network_repeats_itself_and_a_hot_one_does_not():
    cold, hot = (RnnNames(tau=tau).answer()["different"] for tau in (0.2, 1.5))
    assert cold < hot


letters = st.text("abelv Vç'à", max_size=24)


@given(letters | st.sampled_from(PLACES), st.lists(letters, min_size=1, max_size=12))
@settings(max_examples=200, deadline=None, derandomize=True, database=None)
def test_javascript_finds_the_nearest_name_without_filling_the_whole_table(name, names):
    assert tuple(pure(RnnNames, "nearest", name, names)) == place_names.nearest(name, names)


@pytest.mark.parametrize("text", ["w", "Vila7", "Sant 北", 'El "', "ß"])
def test_the_page_refuses_a_beginning_in_the_words_of_python(text):
    with pytest.raises(TraitError) as refused:
        RnnNames(prefix=text)
    assert pure(RnnNames, "refusal", text, RnnNames().alphabet) == str(refused.value)
    assert str(refused.value).startswith("No name in the list has the letter ")


def test_a_beginning_may_be_any_that_a_name_has_and_no_longer_than_the_page_allows():
    view = RnnNames()
    assert not any(pure(view, "refusal", name[:LONGEST], view.alphabet) for name in PLACES)
    with pytest.raises(TraitError, match="20 letters") as refused:
        view.prefix = "a" * (LONGEST + 1)
    assert pure(view, "refusal", "a" * (LONGEST + 1), view.alphabet) == str(refused.value)


def test_the_letter_model_that_the_page_carries_is_small():
    weights = RnnNames().state()["weights"]
    assert sum(len(table["bytes"]) for table in weights.values()) < 300_000


# All three


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: RnnCell(x=[2.0, 0.0]), "between -1 and 1"),
        (lambda: RnnCell(f=[9.0, 0.0, 0.0]), "between -8 and 8"),
        (lambda: RnnCell(f=[0.0, 0.0]), "length"),
        (lambda: RnnCell(step=9), "8 steps"),
        (lambda: RnnCell(question=5), "5 questions"),
        (lambda: RnnGradient(rho=1.6), "between 0.5 and 1.5"),
        (lambda: RnnGradient(bias=7.0), "between -2 and 6"),
        (lambda: RnnGradient(limit=-1.0), "between 0 and 3"),
        (lambda: RnnGradient(T=51), "between 5 and 50"),
        (lambda: RnnNames(tau=0.0), "between 0.2 and 1.5"),
        (lambda: RnnNames(tau=-1.0), "between 0.2 and 1.5"),
        (lambda: RnnNames(seed=-1), "seed"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(make, says):
    with pytest.raises(TraitError) as refused:
        make()
    message = str(refused.value)
    assert re.search(says, message), message
    assert "\n" not in message and len(message) < 200


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: RnnCell(**PRESETS["Remember the first"]),
            "Done. The belt ends at 0.84. The first input brought 0.81, of which 0.81 is left; "
            "the output is 0.68, that of the plain unit −0.44.",
        ),
        (
            lambda: RnnGradient(rho=0.5, gru=False),
            "At ρ 0.50, a step multiplies by: vanilla 0.51, LSTM 0.86.",
        ),
        (
            lambda: RnnGradient(rho=1.5, lstm=False, gru=False),
            "At ρ 1.50, a step multiplies by: vanilla 1.13. Longer than 10: vanilla 38.",
        ),
        (
            lambda: RnnGradient(vanilla=False, lstm=False, gru=False),
            "At ρ 0.70, no cell is shown.",
        ),
    ],
)
def test_a_change_is_heard_as_one_sentence(make, sentence):
    view = make()
    assert pure(view, "spoken", view.answer(), view.state()) == sentence


def test_the_names_are_heard_with_what_is_known_of_them():
    view = RnnNames(prefix="Vila", tau=0.5)
    shown = view.answer()
    sentence = pure(view, "spoken", shown, view.state())
    assert sentence.startswith(f"At τ 0.5: {shown['names'][0]}, ")
    assert f"after Vila, {shown['letters'][0]} is likeliest" in sentence
    assert f"{shown['existing']} of 10 already exist" in sentence
