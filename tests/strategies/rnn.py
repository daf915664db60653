"""States of chapter 3's widgets."""

from functools import partial

from hypothesis import strategies as st

from firth.store import corpora
from firth.widgets.rnn.gradient_flow import RnnGradient
from firth.widgets.rnn.lstm_cell import HIGH, LOW, QUESTIONS, RnnCell
from firth.widgets.rnn.place_names import RnnNames

PLACES = corpora.places()


@st.composite
def cells(draw):
    inputs = st.integers(-10, 10).map(lambda n: n / 10) | st.sampled_from([0.0, 1.0])
    x = draw(st.lists(inputs, min_size=2, max_size=9))
    knob = st.integers(2 * LOW, 2 * HIGH).map(lambda n: n / 2)
    gates = {name: draw(st.lists(knob, min_size=3, max_size=3)) for name in "fiog"}
    step = draw(st.integers(1, len(x)))
    question = draw(st.integers(0, len(QUESTIONS) - 1))
    return partial(RnnCell, x=x, step=step, question=question, **gates)


@st.composite
def gradients(draw):
    numbers = dict(rho=st.integers(10, 30), bias=st.integers(-40, 120), limit=st.integers(0, 60))
    chosen = {name: draw(steps) / 20 for name, steps in numbers.items()}
    shown = {name: draw(st.booleans()) for name in ("vanilla", "lstm", "gru")}
    return partial(RnnGradient, T=draw(st.integers(5, 50)), **chosen, **shown)


@st.composite
def names(draw):
    name = draw(st.sampled_from(PLACES) | st.sampled_from(["", "zz'", "Vila", " -,"]))
    prefix = name[: draw(st.integers(0, 12))]
    tau = draw(st.integers(2, 15)) / 10
    return partial(RnnNames, prefix=prefix, tau=tau, seed=draw(st.integers(0, 10**8)))


STRATEGIES = {RnnCell: cells(), RnnGradient: gradients(), RnnNames: names()}
