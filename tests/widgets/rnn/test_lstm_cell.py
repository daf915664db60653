"""The LSTM whose gates the reader sets: one gate at a time, four tasks."""

import js
import numpy as np
import pytest
from traitlets import TraitError

from firth.rnn import gated_cells
from firth.widgets.rnn.lstm_cell import CANDIDATES, SOLUTION, TASKS, WORDS, RnnCell, start
from tests.widgets.test_parity import assert_same

NAMES = [name for name, *_ in TASKS]


def before_sigmoid(gate):
    """The sums whose sigmoid the gates are."""
    gate = np.array(gate)
    return np.log(gate / (1 - gate))


@pytest.mark.parametrize("task", range(len(TASKS)))
def test_the_unit_is_lstm_step_and_its_parts_add_up_to_the_cell_state(task):
    cell = RnnCell(task)
    shown = cell.answer()
    candidate = np.arctanh(np.array(CANDIDATES))
    sums = [before_sigmoid(cell.i), before_sigmoid(cell.f), candidate, before_sigmoid(cell.o)]
    W, U, b = np.array(sums), np.zeros((4, 1)), np.zeros(4)  # a column for each word
    h = c = np.zeros(1)
    for n, x in enumerate(np.eye(len(WORDS))):
        h, c = gated_cells.lstm_step(x, h, c, W, U, b)
        assert shown["hidden"][n] == pytest.approx(h[0])
        assert shown["cell"][n] == pytest.approx(c[0])
        assert sum(shown["parts"][n]) == pytest.approx(c[0])


def test_the_tasks_take_the_gates_in_the_order_of_the_text():
    assert NAMES == ["Keep", "Forget", "Write", "Read"]
    assert [gate for _, gate, *_ in TASKS] == ["f", "f", "i", "o"]


@pytest.mark.parametrize("task", range(len(TASKS)))
def test_a_task_begins_undone_and_setting_its_own_gate_does_it(task):
    view = RnnCell(task)
    assert view.answer()["ask"] == TASKS[task][3] and not view.answer()["met"]
    assert {name for name in "fio" if getattr(view, name) != SOLUTION[name]} == {view.gate}
    setattr(view, view.gate, SOLUTION[view.gate])
    assert view.answer()["met"]


def test_only_the_task_that_is_asked_is_judged():
    done = {name: RnnCell(**start(3) | {"task": n}).answer()["met"] for n, name in enumerate(NAMES)}
    assert done == {"Keep": True, "Forget": True, "Write": True, "Read": False}


@pytest.mark.parametrize(
    ("task", "change"),
    [
        ("Keep", {"f": [0.9] * 10}),  # 0.9 · 0.9⁴ is 0.59
        ("Forget", {"f": [0.5] * 10}),  # forgotten, but at station already
        ("Write", {"i": [0.95] * 10}),
        ("Read", {"o": [0.95] * 10}),
        ("Read", {"o": [0.02] * 10}),
    ],
)
def test_a_wrong_setting_does_not_do_a_task(task, change):
    n = NAMES.index(task)
    assert not RnnCell(**start(n) | SOLUTION | change).answer()["met"]


def test_a_gate_that_writes_station_makes_the_network_choose_barks():
    assert RnnCell(2).answer()["chosen"] == ["barks", "hides"]
    assert RnnCell(2, **SOLUTION).answer()["chosen"] == ["bark", "hides"]


def test_the_numbers_of_the_text_are_those_of_the_widget():
    shown = RnnCell(**SOLUTION).answer()
    assert shown["written"] == pytest.approx(0.90, abs=0.005)
    assert shown["kept"] == pytest.approx(0.95**4)
    assert shown["left"] == pytest.approx(0.90 * 0.95**4, abs=0.005)


def test_the_line_that_is_written_out_is_the_cell_at_its_step():
    for step in range(1, len(WORDS) + 1):
        f, before, i, g, c, o, shown, h = RnnCell(1, step=step).answer()["terms"]
        assert c == pytest.approx(f * before + i * g) and h == pytest.approx(o * shown)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("f[t] * part", "f[t - 1] * part"),  # the forget gate of the step before
        ("o[t] * Math.tanh(c)", "o[t] * c"),
        ("hidden[read[1]] <= -0.5", "hidden[read[1]] >= 0.5"),
    ],
)
def test_a_script_with_a_wrong_gate_is_caught(right, wrong):
    view = RnnCell(3, **SOLUTION)
    script = view._esm.replace(right, wrong)
    assert script != view._esm
    with pytest.raises(AssertionError):
        assert_same(view.answer(), js.call(script, "answer", view.state()))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: RnnCell(f=[1.5] * 10), "between 0 and 1"),
        (lambda: RnnCell(i=[0.5] * 9), "length"),
        (lambda: RnnCell(step=11), "step"),
        (lambda: RnnCell(4), "task"),
        (lambda: RnnCell(gate="g"), "gate"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(make, says):
    with pytest.raises(TraitError, match=says) as refused:
        make()
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 250


def test_a_change_is_heard_in_plain_sentences():
    view = RnnCell(**SOLUTION)
    assert js.call(view._esm, "spoken", view.answer(), view.state()) == (
        "Keep: done. The cell state is 0.71 at station and −0.88 at cat; 0.74 of Dogs is left at "
        "station. The verbs: bark, hides."
    )
