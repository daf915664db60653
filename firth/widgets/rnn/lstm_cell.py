"""One LSTM unit reads a sentence, and the reader sets its gates at each word.

    c_t = f_t c_{t−1} + i_t g_t      h_t = o_t tanh(c_t)

A positive cell state says that the subject is plural, a negative one that it is singular.
"""

import numpy as np
import traitlets as t

from firth.display import table
from firth.widgets.base import Widget

WORDS = tuple("Dogs near the old station bark but my cat hides".split())
CANDIDATES = (0.95, -0.2, 0.1, -0.1, -0.95, 0.3, -0.2, -0.4, -0.95, -0.3)
STATION, BUT, MY, CAT = (WORDS.index(word) for word in "station but my cat".split())
VERBS = ((STATION, "bark", "barks"), (CAT, "hide", "hides"))  # read after a word: plural, singular
OPEN, SHUT, CLEAR = 0.95, 0.02, 0.05
NOUNS, READ = (0, CAT), (STATION, CAT)
SOLUTION = {
    "f": [CLEAR if n == BUT else OPEN for n in range(len(WORDS))],
    "i": [OPEN if n in NOUNS else SHUT for n in range(len(WORDS))],
    "o": [OPEN if n in READ else SHUT for n in range(len(WORDS))],
}
TASKS = (  # a name, the gate to set and its value at the start, what to do
    (
        "Keep",
        "f",
        0.5,
        "The forget gates halve the cell state at each word. Open them so far that at “station” "
        "the cell state is still 0.6 or more.",
    ),
    (
        "Forget",
        "f",
        OPEN,
        "After “but” comes a new subject. Which forget gate has to close, so that at “my” hardly "
        "anything of “Dogs” is left?",
    ),
    (
        "Write",
        "i",
        0.5,
        "Every word is written, and “station” spoils the verb. Only “Dogs” and “cat” are "
        "subjects: which input gates should open, and which should close?",
    ),
    (
        "Read",
        "o",
        0.5,
        "The verbs are chosen after “station” and after “cat”. Open the output gates there and "
        "nowhere else.",
    ),
)


def start(task: int) -> dict:
    """A dict of the choices at the start of a task: its gate has one value, others are solved."""
    _, gate, value, _ = TASKS[task]
    return {"task": task, "gate": gate} | SOLUTION | {gate: [value] * len(WORDS)}


def Gates():
    words = len(WORDS)
    return t.List(t.Float(), minlen=words, maxlen=words).tag(sync=True, choice=True)


class RnnCell(Widget):
    """Which gate keeps the first word, and which one clears, writes and shows the cell state?

    What the input gate lets in at word s is i_s g_s. The cell state is the sum of all that was let
    in, each part made smaller by every forget gate since: c_t = Σ_s i_s g_s f_{s+1} ⋯ f_t.

    >>> cell = RnnCell(**SOLUTION)
    >>> {name: round(cell.answer()[name], 2) for name in ("written", "kept", "left")}
    {'written': 0.9, 'kept': 0.81, 'left': 0.74}
    >>> cell.answer()["chosen"]
    ['bark', 'hides']
    """

    words = t.List(t.Unicode()).tag(sync=True)
    g = t.List(t.Float()).tag(sync=True)  # the candidate of each word
    verbs = t.List().tag(sync=True)
    tasks = t.List().tag(sync=True)
    solution = t.Dict().tag(sync=True)
    f = Gates()
    i = Gates()
    o = Gates()
    gate = t.Enum("fio", "f").tag(sync=True, choice=True)  # the one that has sliders
    task = t.Int(0, min=0, max=len(TASKS) - 1).tag(sync=True, choice=True)
    step = t.Int(1, min=1, max=len(WORDS)).tag(sync=True, choice=True)  # written out

    def __init__(self, task=0, **choices):
        data = dict(words=list(WORDS), g=list(CANDIDATES), solution=SOLUTION)
        lists = dict(verbs=list(map(list, VERBS)), tasks=list(map(list, TASKS)))
        first = start(task) if task in range(len(TASKS)) else {"task": task}
        super().__init__(**data, **lists, **first | choices)

    @t.validate("f", "i", "o")
    def _is_a_gate(self, proposal):
        if not all(0 <= value <= 1 for value in proposal["value"]):
            raise t.TraitError("A gate must lie between 0 and 1.")
        return proposal["value"]

    def answer(self) -> dict:
        f, i, o, g = (np.array(gate) for gate in (self.f, self.i, self.o, self.g))
        shares = memory_parts(i * g, f)
        cell = shares.sum(axis=1)
        hidden = o * np.tanh(cell)
        now = self.step - 1
        before = cell[now - 1] if now else 0.0
        terms = (f[now], before, i[now], g[now], cell[now], o[now], np.tanh(cell[now]), hidden[now])
        name, _, _, ask = TASKS[self.task]
        return {
            "cell": cell.tolist(),
            "hidden": hidden.tolist(),
            "parts": shares.tolist(),
            "written": float(i[0] * g[0]),
            "kept": float(np.prod(f[1 : STATION + 1])),
            "left": float(shares[STATION, 0]),
            "chosen": [verb_form(hidden[n], *forms) for n, *forms in VERBS],
            "terms": list(map(float, terms)),
            "word": self.words[now],
            "ask": ask,
            "met": bool(GOALS[name](cell, hidden)),
        }

    def fallback(self) -> str:
        shown = self.answer()
        columns = (self.words, self.f, self.i, self.g, shown["cell"], self.o, shown["hidden"])
        header = ["word", "f", "i", "g", "cell state c", "o", "hidden state h"]
        caption = "One LSTM unit reads a sentence: gates, cell state and hidden state at each word"
        return table(zip(*columns, strict=True), header, caption)._repr_html_()


def memory_parts(entered: np.ndarray, f: np.ndarray) -> np.ndarray:
    """An array with what is left at step t (row) of what was written at step s (column).

    A row sums to c_t. `entered` holds what the input gate lets in at each step, and f the forget
    gates.

    >>> memory_parts(np.array([1.0, 1.0]), np.array([0.0, 0.5]))
    array([[1. , 0. ],
           [0.5, 1. ]])
    """
    left = np.zeros((len(f), len(f)))
    for now in range(len(f)):
        left[now] = f[now] * left[now - 1]
        left[now, now] = entered[now]
    return left


def verb_form(h: float, plural: str, singular: str) -> str:
    """The form of a verb that a hidden state h chooses, or "no verb" if h is nearly 0.

    A positive h chooses the plural.

    >>> verb_form(0.6, "bark", "barks"), verb_form(0.05, "bark", "barks")
    ('bark', 'no verb')
    """
    if abs(h) < 0.1:
        return "no verb"
    return plural if h > 0 else singular


GOALS = {  # of each task: is it done?
    "Keep": lambda cell, hidden: cell[STATION] >= 0.6,
    "Forget": lambda cell, hidden: cell[STATION] >= 0.6 and abs(cell[MY]) <= 0.1,
    "Write": lambda cell, hidden: cell[STATION] >= 0.6 and cell[CAT] <= -0.6,
    "Read": lambda cell, hidden: (
        hidden[STATION] >= 0.5
        and hidden[CAT] <= -0.5
        and max(abs(h) for n, h in enumerate(hidden) if n not in READ) <= 0.1
    ),
}
