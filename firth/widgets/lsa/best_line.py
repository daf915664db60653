"""A line through the origin, turned by hand: how much of three points does it lose?"""

import numpy as np
import traitlets as t

from firth.display import table
from firth.lsa import lsa
from firth.widgets.base import Widget, within

POINTS = {"zorf": (3, 0), "tea": (2, 2), "coffee": (0, 3)}  # served, sweetened
AXES = ("served", "sweetened")


class LsaBestLine(Widget):
    """Which line through the origin is closest to all points?

    A point's foot is the place on the line that is nearest to it; what the line loses of the
    point is the square of the distance between the two.

    >>> view = LsaBestLine(angle=45)
    >>> view
    LsaBestLine(angle=45, best=45)
    >>> view.answer()["lost"], view.answer()["total"]
    ([4.5, 0.0, 4.5], 9.0)
    """

    words = t.List(t.Unicode()).tag(sync=True)
    points = t.List(t.List(t.Float())).tag(sync=True)
    axes = t.List(t.Unicode(), minlen=2, maxlen=2).tag(sync=True)
    angle = t.Int(0).tag(sync=True, choice=True)  # between the line and the first axis, in degrees
    best = t.Int(0).tag(sync=True, choice=True)  # of the angles so far, the one that lost least

    _is_within_reach = within({"angle": (0, 90), "best": (0, 90)})

    def __init__(self, points=POINTS, axes=AXES, **choices):
        X = np.array(list(points.values()), dtype=float)
        if X.min() < 0 or not X.any():
            raise ValueError("The points must lie where both numbers are 0 or more, and not all 0.")
        choices = {"best": choices.get("angle", 0)} | choices
        super().__init__(words=list(points), points=X.tolist(), axes=list(axes), **choices)

    def answer(self) -> dict:
        X = np.array(self.points)
        direction, feet, lost = project_on_line(X, self.angle)
        V = lsa.svd(X, 1)[2][0]
        return {
            "direction": direction.tolist(),
            "feet": feet.round(9).tolist(),
            "lost": lost.round(9).tolist(),
            "total": float(lost.sum()),
            "least": float(project_on_line(X, self.best)[2].sum()),
            "kept": float(100 * (1 - lost.sum() / (X**2).sum())),
            "optimum": float(np.degrees(np.arctan2(V[1], V[0]))),
        }

    def fallback(self) -> str:
        X = np.array(self.points)
        best = round(self.answer()["optimum"])
        rows = [
            [f"{a}°", *project_on_line(X, a)[2], project_on_line(X, a)[2].sum()]
            for a in (0, 20, best, 90)
        ]
        caption = "What a line through the origin loses of each point: the squared distance"
        return table(rows, ["angle of the line", *self.words, "sum"], caption)._repr_html_()


def project_on_line(X: np.ndarray, angle: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Three arrays: a line's direction (2), the points' feet on it (n × 2), squared distances (n).

    X has a row for each point. The line goes through the origin, at `angle` degrees to the first
    axis. A point's foot is its orthogonal projection on the line.
    """
    direction = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    feet = np.outer(X @ direction, direction)
    return direction, feet, ((X - feet) ** 2).sum(axis=1)
