"""One LSTM unit, unrolled: three doors, each with three knobs, and a belt between them."""

import numpy as np
import traitlets as t

from firth.display import table
from firth.rnn import gated_cells, rnn
from firth.widgets.base import Widget

LOW, HIGH = -8, 8  # the reach of a knob; an input goes from −1 to 1
MIXED = (0.8, -0.5, 0.6, -0.9, 0.4, -0.7, 0.9, -0.6)
SIGNAL = (0.5, 0.4, 0, 0.6, -1, 0.3, 0, 0.5)
PULSES = (1, 0, 1, 1, 0, 0, 1, 0)
PRESETS = {  # the inputs; and of each gate the weight of x, the weight of h, the bias
    "As training begins": dict(x=MIXED, f=(0, 0, 0), i=(0, 0, 0), o=(0, 0, 0), g=(2, 1, 0)),
    "Forget at once": dict(x=MIXED, f=(0, 0, -8), i=(0, 0, 8), o=(0, 0, 8), g=(2, 1, 0)),
    "Remember the first": dict(x=MIXED, f=(0, 0, 8), i=(0, -8, 2), o=(0, 0, 8), g=(2, 1, 0)),
    "Clear on a signal": dict(x=SIGNAL, f=(8, 0, 5), i=(8, 0, 5), o=(0, 0, 8), g=(1, 0, 0)),
    "Count": dict(x=PULSES, f=(0, 0, 8), i=(0, 0, 8), o=(0, 0, 8), g=(8, 0, 0)),
}
QUESTIONS = (
    ("Which gate keeps the first input on the belt? Bring nine tenths of it to the end.", "kept"),
    ("Can you keep the first input and let none of the others in?", "alone"),
    ("Can you carry the first input to the end, and show it at no step?", "hidden"),
    ("Can you keep the output near 0 until the last step, and speak there?", "last"),
    ("Set inputs to 0 or 1: can you make the belt count the ones?", "counted"),
)


def Knobs():
    return t.List(t.Float(), minlen=3, maxlen=3).tag(sync=True, choice=True)


class RnnCell(Widget):
    """Which gate must be open for the first input to be still there at the end?

    What the input gate lets in is a parcel, i_s · g_s. The belt is all parcels, each made smaller
    by every forget gate it has passed since: c_t = Σ_s i_s g_s f_{s+1} ⋯ f_t.

    >>> cell = RnnCell(**PRESETS["Remember the first"])
    >>> {name: round(cell.answer()[name], 2) for name in ("loaded", "kept", "left", "echo")}
    {'loaded': 0.81, 'kept': 1.0, 'left': 0.81, 'echo': 0.01}
    """

    presets = t.Dict().tag(sync=True)
    questions = t.List(t.List(t.Unicode())).tag(sync=True)
    x = t.List(t.Float(), minlen=2, maxlen=12).tag(sync=True, choice=True)
    f = Knobs()  # weight of x, weight of h, bias
    i = Knobs()
    o = Knobs()
    g = Knobs()
    step = t.Int(1, min=1).tag(sync=True, choice=True)  # whose sums are written out
    question = t.Int(0, min=0).tag(sync=True, choice=True)

    def __init__(self, presets=PRESETS, questions=QUESTIONS, **choices):
        floats = lambda numbers: list(map(float, numbers))  # noqa: E731
        presets = {
            name: {trait: floats(numbers) for trait, numbers in preset.items()}
            for name, preset in presets.items()
        }
        choices = next(iter(presets.values())) | choices
        super().__init__(presets=presets, questions=list(map(list, questions)), **choices)

    @t.validate("x")
    def _is_an_input(self, proposal):
        if not all(-1 <= value <= 1 for value in proposal["value"]):
            raise t.TraitError("An input must lie between -1 and 1.")
        return proposal["value"]

    @t.validate("f", "i", "o", "g")
    def _is_a_knob(self, proposal):
        if not all(LOW <= value <= HIGH for value in proposal["value"]):
            raise t.TraitError(f"A weight or bias must lie between {LOW} and {HIGH}.")
        return proposal["value"]

    @t.validate("step")
    def _is_a_step(self, proposal):
        if proposal["value"] > len(self.x):
            raise t.TraitError(f"There are {len(self.x)} steps: the step cannot be later.")
        return proposal["value"]

    @t.validate("question")
    def _is_a_question(self, proposal):
        if proposal["value"] >= len(self.questions):
            raise t.TraitError(f"There are {len(self.questions)} questions, counted from 0.")
        return proposal["value"]

    def answer(self) -> dict:
        X, zero = np.array(self.x)[:, None], np.zeros(1)
        W, U, b = (np.array([knob]).T for knob in zip(self.i, self.f, self.g, self.o, strict=True))
        H, C, opened = gated_cells.lstm(X, zero, zero, W, U, b[:, 0])
        i, f, g, o = opened[:, :, 0].T
        w, u, bias = (np.array([knob]) for knob in self.g)  # the plain network is g without gates
        plain = rnn.states(X, zero, w[:, None], u[:, None], bias)
        now = self.step - 1
        seen = np.array([self.x[now], H[now - 1, 0] if now else 0.0, 1.0])
        shown = {
            "cell": C[:, 0].tolist(),
            "hidden": H[:, 0].tolist(),
            "parcels": parcels(i * g, f).tolist(),
            "loaded": float(i[0] * g[0]),
            "kept": float(np.prod(f[1:])),
            "left": float(i[0] * g[0] * np.prod(f[1:])),
        }
        ask, goal = self.questions[self.question]
        return shown | {
            "forget": f.tolist(),
            "enter": i.tolist(),
            "leave": o.tolist(),
            "candidate": g.tolist(),
            "plain": plain[:, 0].tolist(),
            "echo": float(np.prod(rnn.jacobians(plain, u[:, None])[1:])),
            "sums": [float(seen @ knobs) for knobs in (self.f, self.i, self.o, self.g)],
            "opened": [float(gate[now]) for gate in (f, i, o, g)],
            "ask": ask,
            "met": bool(GOALS[goal](self.x, shown)),
        }

    def fallback(self) -> str:
        shown = self.answer()
        names = ["forget", "enter", "leave", "candidate", "cell", "hidden", "plain"]
        rows = zip(range(1, len(self.x) + 1), self.x, *(shown[n] for n in names), strict=True)
        header = ["t", "x", "f", "i", "o", "g", "belt c", "output h", "plain h"]
        caption = "An LSTM unit step by step, and a plain recurrent unit on the same inputs"
        return table(rows, header, caption)._repr_html_()


def parcels(entered, f) -> np.ndarray:
    """What is left at step t (row) of what came in at step s (column); a row sums to the belt.

    >>> parcels(np.array([1.0, 1.0]), np.array([0.0, 0.5]))
    array([[1. , 0. ],
           [0.5, 1. ]])
    """
    on = np.zeros((len(f), len(f)))
    for now in range(len(f)):
        on[now] = f[now] * on[now - 1]
        on[now, now] = entered[now]
    return on


# What each question asks of the inputs and of what they came to.
def carried(shown) -> bool:
    return abs(shown["loaded"]) >= 0.3 and shown["kept"] >= 0.9


GOALS = {
    "kept": lambda x, shown: carried(shown),
    "alone": lambda x, shown: (
        carried(shown)
        and max(map(abs, x[1:])) >= 0.5
        and abs(shown["cell"][-1] - shown["left"]) <= 0.1
    ),
    "hidden": lambda x, shown: carried(shown) and max(map(abs, shown["hidden"])) <= 0.05,
    "last": lambda x, shown: (
        max(map(abs, shown["hidden"][:-1])) <= 0.1 and abs(shown["hidden"][-1]) >= 0.5
    ),
    "counted": lambda x, shown: (
        all(value in (0, 1) for value in x)
        and sum(x) >= 3
        and abs(shown["cell"][-1] - sum(x)) <= 0.1
    ),
}
