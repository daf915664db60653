"""Two arrows in the plane, and three ways to say how alike they are."""

import numpy as np
import traitlets as t

from firth.display import table
from firth.lsa.similarity import angle, cosine, dot, scaled_dot
from firth.widgets.base import Widget

FRUIT = {"cherry": [1, 4], "tomato": [0, 3], "smartphone": [3, 0]}  # tech, fruitness
LOW, HIGH = -3, 5  # the reach of the plane on both axes
QUESTIONS = (
    ("Can you make the dot product grow without changing the cosine?", "longer"),
    ("Can you make the cosine grow while the dot product shrinks?", "nearer"),
    ("Can you make the cosine 0 with two arrows, neither shorter than 1?", "right"),
    ("Can you keep the dot product and change the cosine?", "turned"),
    ("Can you bring the cosine to −0.7 or below?", "opposed"),
)


class LsaSimilarity(Widget):
    """What does each measure of likeness look at, and what does it overlook?

    >>> lab = LsaSimilarity(x=[1, 4], y=[0, 3])
    >>> lab
    LsaSimilarity(question=0, since=[[1.0, 4.0], [0.0, 3.0]], x=[1.0, 4.0], y=[0.0, 3.0])
    >>> {name: round(lab.answer()[name], 2) for name in ("dot", "scaled", "cosine", "angle")}
    {'dot': 12.0, 'scaled': 8.49, 'cosine': 0.97, 'angle': 14.04}
    """

    axes = t.List(t.Unicode(), minlen=2, maxlen=2).tag(sync=True)
    points = t.Dict().tag(sync=True)
    questions = t.List(t.List(t.Unicode())).tag(sync=True)
    x = t.List(t.Float(), minlen=2, maxlen=2).tag(sync=True, choice=True)
    y = t.List(t.Float(), minlen=2, maxlen=2).tag(sync=True, choice=True)
    question = t.Int(0, min=0).tag(sync=True, choice=True)
    since = t.List().tag(sync=True, choice=True)  # x and y when the question was asked

    def __init__(self, axes=("tech", "fruitness"), points=FRUIT, questions=QUESTIONS, **choices):
        first, second = list(points.values())[:2]
        arrows = {"x": list(map(float, first)), "y": list(map(float, second))} | choices
        arrows = {"since": [list(map(float, arrows[name])) for name in "xy"]} | arrows
        points = {name: list(map(float, point)) for name, point in points.items()}
        questions = [list(question) for question in questions]
        super().__init__(axes=list(axes), points=points, questions=questions, **arrows)

    @t.validate("x", "y")
    def _is_in_the_plane(self, proposal):
        if not all(LOW <= value <= HIGH for value in proposal["value"]):
            raise t.TraitError(f"An arrow must end between {LOW} and {HIGH} on both axes.")
        return proposal["value"]

    @t.validate("question")
    def _is_a_question(self, proposal):
        if proposal["value"] >= len(self.questions):
            raise t.TraitError(f"There are {len(self.questions)} questions, counted from 0.")
        return proposal["value"]

    def answer(self) -> dict:
        now, then = measures(self.x, self.y), measures(*self.since)
        ask, goal = self.questions[self.question]
        return {**now, "ask": ask, "met": bool(GOALS[goal](now, then))}

    def fallback(self) -> str:
        names = list(self.points)
        pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
        rows = []
        for a, b in pairs:
            m = measures(self.points[a], self.points[b])
            rows.append([f"{a} · {b}", m["dot"], m["scaled"], m["cosine"], f"{m['angle']:.0f}°"])
        header = ["arrows", "dot product", "scaled by √2", "cosine", "angle"]
        return table(rows, header, "Three measures of the same pairs of words")._repr_html_()


def measures(x: list, y: list) -> dict:
    """A dict of all numbers that the view shows: dot, scaled, cosine, angle, lengths and shadow.

    x and y are the coordinates of two arrows. The shadow is the length of the projection of x on y,
    negative if the angle is obtuse.
    """
    x, y = np.array(x, dtype=float), np.array(y, dtype=float)
    lengths = [float(np.sqrt(dot(z, z))) for z in (x, y)]
    return {
        "dot": float(dot(x, y)),
        "scaled": float(scaled_dot(x, y)),
        "cosine": float(cosine(x, y)),
        "angle": float(angle(x, y)),
        "lengths": lengths,
        "shadow": float(dot(x, y)) / lengths[1] if lengths[1] else 0.0,
    }


# What each question asks of the arrows now, and of the arrows when it was asked.
GOALS = {
    "longer": lambda now, then: (
        now["dot"] >= then["dot"] + 1 and abs(now["cosine"] - then["cosine"]) < 0.005
    ),
    "nearer": lambda now, then: (
        now["cosine"] >= then["cosine"] + 0.01 and now["dot"] <= then["dot"] - 0.25
    ),
    "right": lambda now, then: abs(now["cosine"]) < 0.005 and min(now["lengths"]) >= 1,
    "opposed": lambda now, then: now["cosine"] <= -0.7,
    "turned": lambda now, then: (
        abs(now["dot"] - then["dot"]) < 0.25 and abs(now["cosine"] - then["cosine"]) >= 0.1
    ),
}
