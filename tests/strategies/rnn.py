"""States of chapter 3's widgets."""

from functools import partial

from hypothesis import strategies as st

from firth.store import corpora
from firth.widgets.rnn.gradient_flow import RnnGradient
from firth.widgets.rnn.lstm_cell import SOLUTION, TASKS, WORDS, RnnCell
from firth.widgets.rnn.place_names import DRAWN, RnnNames

PLACES = corpora.places()


@st.composite
def cells(draw):
    value = st.integers(0, 100).map(lambda n: n / 100) | st.sampled_from([0.0, 0.02, 0.95, 1.0])
    row = st.lists(value, min_size=len(WORDS), max_size=len(WORDS))
    rows = {name: draw(row | st.just(SOLUTION[name])) for name in "fio"}
    choices = dict(gate=draw(st.sampled_from("fio")), step=draw(st.integers(1, len(WORDS))))
    return partial(RnnCell, draw(st.integers(0, len(TASKS) - 1)), **rows, **choices)


@st.composite
def gradients(draw):
    numbers = dict(rho=st.integers(10, 30), bias=st.integers(-40, 120))
    chosen = {name: draw(steps) / 20 for name, steps in numbers.items()}
    shown = {name: draw(st.booleans()) for name in ("plain", "cell_path", "hidden_path", "gru")}
    return partial(RnnGradient, T=draw(st.integers(5, 50)), **chosen, **shown)


@st.composite
def names(draw):
    name = draw(st.sampled_from(PLACES) | st.sampled_from(["", "zz'", "Vila", " -,"]))
    prefix = name[: draw(st.integers(0, 12))]
    choices = dict(tau=draw(st.integers(2, 15)) / 10, seed=draw(st.integers(0, 10**8)))
    choices |= dict(chosen=draw(st.integers(0, DRAWN - 1)), read=draw(st.integers(0, 40)))
    return partial(RnnNames, prefix=prefix, **choices)


STRATEGIES = {RnnCell: cells(), RnnGradient: gradients(), RnnNames: names()}
