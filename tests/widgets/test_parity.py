"""The JavaScript a reader runs and the Python a reader reads give the same numbers."""

import importlib
import pkgutil
import string
from functools import partial
from pathlib import Path

import js
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import STRATEGIES as OF_CHAPTERS

import firth.widgets
from firth.lsa import lsa
from firth.widgets.base import Widget
from firth.widgets.lsa.context_window import LsaWindow
from firth.widgets.lsa.low_rank import LsaRank
from firth.widgets.quiz import NumberQuiz, Quiz

FOLDER = Path(firth.widgets.__file__).parent


def widget_classes() -> list[type]:
    """Every widget of the book, found in the folder where widgets live."""
    names = [info.name for info in pkgutil.walk_packages([FOLDER], "firth.widgets.")]
    modules = [importlib.import_module(name) for name in names]
    found = [
        thing
        for module in modules
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, Widget) and thing is not Widget
    ]
    return sorted({thing for thing in found}, key=lambda thing: thing.__name__)


sentences = st.text(string.ascii_letters + "éλ<>&'\"*` ", min_size=1).filter(str.strip)


@st.composite
def quizzes(draw):
    options = draw(st.dictionaries(sentences, sentences, min_size=2, max_size=5))
    right = draw(st.sampled_from(list(options)))
    given = draw(st.none() | st.integers(0, len(options) - 1))
    return partial(Quiz, "key-1", draw(sentences), options, right, given=given)


@st.composite
def number_quizzes(draw):
    value, *foreseen = draw(st.lists(st.integers(-50, 50), min_size=1, max_size=4, unique=True))
    words = {number: draw(sentences) for number in foreseen}
    said = dict(feedback=draw(sentences), foreseen=words, otherwise=draw(sentences))
    tolerance = draw(st.sampled_from([0, 0.01, 0.3]))
    near = st.integers(-60, 60) | st.sampled_from([value + 0.25, value - 0.005])
    given = draw(st.none() | near)
    return partial(
        NumberQuiz, "key-2", draw(sentences), value, tolerance=tolerance, given=given, **said
    )


# A strategy gives a function that makes the widget: only the test itself may make it, with its id.
STRATEGIES = OF_CHAPTERS | {Quiz: quizzes(), NumberQuiz: number_quizzes()}
each_widget = pytest.mark.parametrize("widget", widget_classes(), ids=lambda cls: cls.__name__)


def assert_same(ours, theirs, where="answer", within=1e-9):
    """Equal words, equal truth, equal shape, and numbers as near as two processors bring them."""
    if isinstance(ours, dict):
        assert set(ours) == set(theirs), where
        for name in ours:
            # An angle near 0 is the arccosine of nearly 1, where the last digit counts for 10⁻⁶°.
            near = max(within, 1e-5) if name == "angle" else within
            assert_same(ours[name], theirs[name], f"{where}.{name}", near)
    elif isinstance(ours, list):
        assert len(ours) == len(theirs), where
        for i, pair in enumerate(zip(ours, theirs, strict=True)):
            assert_same(*pair, f"{where}.{i}", within)
    elif isinstance(ours, bool | str | None):
        assert ours == theirs, where
    else:
        assert theirs == pytest.approx(ours, abs=within, rel=within), where


def test_every_widget_has_a_strategy():
    assert set(STRATEGIES) == set(widget_classes())


@each_widget
def test_javascript_and_python_answer_alike(widget):
    @given(STRATEGIES[widget])
    @settings(max_examples=60, deadline=None, derandomize=True, database=None)
    def compared(make):
        view = make()
        assert_same(view.answer(), js.call(view._esm, "answer", view.state()))
        view.close()

    compared()


@each_widget
def test_javascript_asks_for_the_traits_that_python_sends(widget):
    assert sorted(js.call(widget._esm, "traits")) == widget.own()


def test_rounding_the_patterns_for_the_page_moves_no_number_by_more_than_a_hundred_thousandth():
    shown = LsaRank("titles", k=2)
    X = np.array(shown.whole["X"])
    U, s, Vt = lsa.svd(X, min(X.shape))
    parts = {"U": U.tolist(), "s": s.tolist(), "Vt": Vt.tolist()}
    exact = LsaRank.restored(shown.state() | {"whole": shown.whole | parts})
    for k in range(1, len(s) + 1):
        shown.k = exact.k = k
        theirs = js.call(shown._esm, "answer", shown.state())
        ordered = ("ranked", "compared", "counted")  # equal rows may change places
        numbers = [name for name in theirs if name not in ordered]
        assert_same(
            {n: exact.answer()[n] for n in numbers}, {n: theirs[n] for n in numbers}, within=1e-5
        )


def test_a_window_of_javascript_that_counts_wrong_is_caught():
    view = LsaWindow(centre=30, m=2)
    wrong = view._esm.replace("Math.abs(j - t) <= m", "Math.abs(j - t) < m")
    assert wrong != view._esm
    with pytest.raises(AssertionError):
        assert_same(view.answer(), js.call(wrong, "answer", view.state()))
