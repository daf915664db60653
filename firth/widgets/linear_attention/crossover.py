"""From which length on is linear attention cheaper? Times and memory, from what was measured."""

import math
from collections.abc import Sequence

import numpy as np
import traitlets as t

from firth.display import table
from firth.store.results import DATA, stored_result
from firth.widgets.base import Widget, within

FILE = DATA / "linear_attention/time_and_memory.json"
MODES = {  # of each line: its name, its form in the store, whether causal, and what its time and
    "all": [  # memory grow with
        ("softmax, whole matrix", "matrix", False, "nnd", "nn"),
        ("softmax, fused", "fused", False, "nnd", "nd"),
        ("linear", "linear", False, "nrdd", "nrd"),
        ("band", "band", False, "nwd", "nw"),
    ],
    "causal": [
        ("softmax, fused", "fused", True, "nnd", "nd"),
        ("linear, in chunks", "chunks", True, "nrdd", "nrd"),
        ("band", "band", True, "nwd", "nw"),
    ],
    "token": [
        ("softmax, keys and values kept", "cache", True, "nd", "nd"),
        ("linear, state kept", "state", True, "rdd", "rdd"),
    ],
}
PAIRS = {"all": (1, 2), "causal": (0, 1), "token": (0, 1)}  # whose crossing is marked
REACH = {"power": (6, 20), "heads": (1, 32), "r": (1, 8), "w": (16, 512)}
WIDTHS = (16, 32, 64, 128)
POWERS = [6 + k / 2 for k in range(29)]  # of 2: where lines are drawn
GRID = [2 ** (4 + k / 16) for k in range(321)]  # lengths among which a crossing is looked for
UNITS = {
    "seconds": [(1e-6, "µs"), (1e-3, "ms"), (1, "s"), (60, "min"), (3600, "h"), (86400, "days")],
    "megabytes": [(1e-3, "kB"), (1, "MB"), (1e3, "GB"), (1e6, "TB")],
}


def said(cost: float, what: str) -> str:
    """A cost as one says it.

    >>> said(0.0042, "seconds"), said(250.0, "seconds"), said(67.1, "megabytes")
    ('4.2 ms', '4.2 min', '67 MB')
    """
    cost *= 1 + 1e-9  # no tie, which Python and JavaScript would round differently
    size, unit = max([u for u in UNITS[what] if cost >= u[0]], default=UNITS[what][0])
    return f"{cost / size:.{1 if cost / size < 9.95 else 0}f} {unit}"


def overhead(n: Sequence[int], seconds: Sequence[float], degree: int) -> float:
    """What a call takes however short the text: c₀ of c₀ + c₁n + c₂n² through the measurements.

    No c is below 0, and every length has equal weight.

    >>> round(overhead([1, 10, 100], [5.0, 32.0, 302.0], 2), 6)
    2.0
    """
    from scipy.optimize import nnls

    powers = np.array(n, dtype=float)[:, None] ** np.arange(degree + 1)
    shares = powers / np.array(seconds)[:, None]
    scale = shares.max(axis=0)
    return float((nnls(shares / scale, np.ones(len(n)))[0] / scale)[0])


def lines() -> dict[str, list[dict]]:
    """For each mode what was measured of its lines, as the page has it."""
    stored = stored_result("linear_attention/time_and_memory")
    rows = stored["rows"] + [{"causal": True, **row} for row in stored["tokens"]]
    found = {}
    for mode, members in MODES.items():
        found[mode] = []
        for name, form, causal, time, memory in members:
            mine = [row for row in rows if (row["form"], row["causal"]) == (form, causal)]
            n, heads = [row["n"] for row in mine], mine[0]["heads"]
            line = {"name": name, "n": n, "heads": heads, "d": stored["d"], "w": stored["w"]}
            line["grows"] = {"seconds": time, "megabytes": memory}
            for what in UNITS:
                cost = [float(np.median(row[what])) for row in mine]
                line[what] = [float(f"{x:.3g}") for x in cost]
            c = overhead(n, line["seconds"], time.count("n"))
            line["overhead"] = float(f"{c:.3g}")
            found[mode].append(line)
    return found


class LinearAttentionCrossover(Widget):
    """From which length on is it worth it? With the times of the machine that this book ran on.

    What was measured is drawn whole; lines are broken where they follow from it: beyond the lengths
    that were measured, or, for other sizes, by the count of operations.
    """

    lines = t.Dict().tag(sync=True)
    mode = t.Enum([*MODES], "all").tag(sync=True, choice=True)
    what = t.Enum([*UNITS], "seconds").tag(sync=True, choice=True)
    power = t.Float(12.0).tag(sync=True, choice=True)  # of 2: N
    d = t.Enum(WIDTHS, 64).tag(sync=True, choice=True)  # features of a head
    heads = t.Int(4).tag(sync=True, choice=True)
    r = t.Int(1).tag(sync=True, choice=True)  # feature maps: r d features
    w = t.Int(64).tag(sync=True, choice=True)  # half the band

    def __init__(self, **choices):
        super().__init__(**{"lines": lines()} | choices)

    _is_within_reach = within(REACH)

    def cost(self, line: dict, what: str, n: float) -> float:
        """What a line costs at a length: through the measurements, and on as it must go on.

        For other sizes than those measured, what a call takes in any case does not grow.
        """
        grows, known, y = line["grows"][what], np.log(line["n"]), np.log(line[what])
        at = float(np.log(n))
        if at > known[-1]:
            whole = y[-1] + grows.count("n") * (at - known[-1])
        else:
            i = max(1, int(np.searchsorted(known, at)))
            whole = y[i] + (at - known[i]) * (y[i] - y[i - 1]) / (known[i] - known[i - 1])
        least = line["overhead"] if what == "seconds" else 0.0
        ratio = {"d": self.d / line["d"], "w": self.w / line["w"], "r": self.r, "n": 1}
        factor = self.heads / line["heads"] * math.prod(ratio[letter] for letter in grows)
        return least + factor * max(0.0, math.exp(whole) - least)

    def is_measured(self, line: dict, n: float | int) -> bool:
        sizes = {"d": self.d == line["d"], "r": self.r == 1, "w": self.w == line["w"]}
        asked = all(sizes.get(letter, True) for letter in line["grows"]["seconds"])
        return asked and self.heads == line["heads"] and line["n"][0] <= n <= line["n"][-1]

    def answer(self) -> dict:
        N, mine = round(2**self.power), self.lines[self.mode]
        at = lambda what, n: [self.cost(line, what, float(n)) for line in mine]  # noqa: E731
        costs = {what: at(what, N) for what in UNITS}
        one, other = PAIRS[self.mode]
        both = [mine[one], mine[other]]
        cross = crossing(
            [math.log(a / b) for a, b in ([self.cost(k, "seconds", n) for k in both] for n in GRID)]
        )
        return {
            "N": f"{N:,}",
            "curves": [at(self.what, 2.0**p) for p in POWERS],
            "costs": costs[self.what],
            "time": padded([said(cost, "seconds") for cost in costs["seconds"]]),
            "memory": padded([said(cost, "megabytes") for cost in costs["megabytes"]]),
            "measured": [self.is_measured(line, N) for line in mine],
            "cross": cross,
            "sure": bool(cross) and all(self.is_measured(line, cross) for line in both),
            "from": spoken(cross),
            "times": costs["seconds"][one] / costs["seconds"][other],
            "less": costs["megabytes"][one] / costs["megabytes"][other],
        }

    def fallback(self) -> str:
        shown = self.answer()
        names = [line["name"] for line in self.lines[self.mode]]
        rows = zip(names, shown["time"], shown["memory"], strict=False)  # empty ones stay away
        caption = f"{shown['N']} tokens, {self.heads} heads of {self.d}"
        return table(rows, ["attention", "time", "memory"], caption)._repr_html_()


def padded(texts: list[str]) -> list[str]:
    """As many as the table of the page has rows."""
    return texts + [""] * (len(MODES["all"]) - len(texts))


def crossing(ratios: Sequence[float]) -> float | None:
    """The length from which on all logarithms of two costs' ratio are above 0, along the grid.

    It is 0 if they always are, and None if the last is not.

    >>> crossing([-1.0] + [1.0] * (len(GRID) - 1)) == math.sqrt(GRID[0] * GRID[1])
    True
    """
    below = [i for i, ratio in enumerate(ratios) if ratio <= 0]
    if not below:
        return 0.0
    i = below[-1]
    if i == len(ratios) - 1:
        return None
    way = ratios[i] / (ratios[i] - ratios[i + 1])
    return GRID[i] * (GRID[i + 1] / GRID[i]) ** way


def spoken(cross: float | None) -> str:
    """A crossing in words, rounded as far as it deserves."""
    if cross is None:
        return "at no length"
    if cross < 2:
        return "at every length"
    size = 10 ** max(0, int(math.log10(cross)) - 1)
    return f"from about {round(cross / size) * size:,} tokens on"
