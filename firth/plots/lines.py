"""What was measured, as lines and bars."""

from firth.plots.pictures import COLOURS


def curve(axes, x, y, mark=None):
    """One measured line, its points shown; `mark` is an index to point out."""
    axes.plot(x, y, marker="o", markersize=4)
    if mark is not None:
        axes.plot(x[mark], y[mark], "o", markersize=9, color=COLOURS["orange"])
    return axes
