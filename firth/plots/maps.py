"""Things at their places in a plane, and tables of weights as squares."""

from matplotlib.patches import Rectangle

from firth.plots.pictures import COLOURS


def word_map(axes, points, labels, groups=None):
    """Words at their places in a plane, a colour for each group; no label lies on another.

    Set the limits of the axes first: how long a label is, in their units, depends on them.
    """
    names = list(dict.fromkeys(groups or [""]))
    colours = dict(zip(names, COLOURS.values(), strict=False))
    unit = axes.transData.inverted().transform
    taken = [axes.transData.transform(point) for point in points]  # in pixels
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in taken]
    for i, point in enumerate(points):
        colour = colours[groups[i] if groups else ""]
        axes.scatter(*point, s=28, color=colour)
        x, y = axes.transData.transform(point)
        width, height = 9.5 * len(labels[i]), 16  # of letters of 12 points, at 100 dots an inch
        boxes = [
            (x - width / 2, y + 6, x + width / 2, y + 6 + height),
            (x - width / 2, y - 6 - height, x + width / 2, y - 6),
            (x + 9, y - height / 2, x + 9 + width, y + height / 2),
            (x - 9 - width, y - height / 2, x - 9, y + height / 2),
        ]
        box = min(boxes, key=lambda box: sum(overlap(box, other) for other in taken))
        taken.append(box)
        middle = unit(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2))
        axes.text(*middle, labels[i], color=colour, ha="center", va="center")
    return axes


def weight_map(axes, A, rows, columns, colour="blue"):
    """Weights between 0 and 1 as squares, the darker the larger: a row for each name in `rows`.

    Squares, not an image, so that they take the page's colours in light and in dark.
    """
    for i, weights in enumerate(A):
        for j, weight in enumerate(weights):
            if weight > 0.01:
                place = (j - 0.5, i - 0.5)
                square = Rectangle(place, 1, 1, color=COLOURS[colour], lw=0)
                square.set_alpha(round(float(weight), 2))
                axes.add_patch(square)
    axes.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(rows) - 0.5, -0.5), aspect="equal")
    axes.set_xticks(range(len(columns)), columns, rotation=60, ha="left", rotation_mode="anchor")
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(length=0, top=False, bottom=False, labeltop=True, labelbottom=False)
    axes.grid(False)
    return axes


def block_map(axes, blocks, shares, colour="blue"):
    """A matrix in blocks (i, j, rows, columns, …), fuller where more of a block must be stored."""
    for (i, j, rows, columns, *_), share in zip(blocks, shares, strict=True):
        square = Rectangle((j, i), columns, rows, fc=COLOURS[colour], ec="black", lw=0.3)
        square.set_alpha(round(0.1 + 0.9 * float(share), 2))
        axes.add_patch(square)
    n = max(i + rows for i, _, rows, *_ in blocks)
    axes.set(xlim=(0, n), ylim=(n, 0), aspect="equal", xticks=[], yticks=[])
    axes.grid(False)
    return axes


def overlap(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    """The area that two boxes (left, bottom, right, top) share.

    >>> overlap((0.0, 0.0, 2.0, 2.0), (1.0, 1.0, 3.0, 3.0))
    1.0
    """
    width, height = (min(a[i + 2], b[i + 2]) - max(a[i], b[i]) for i in (0, 1))
    return max(width, 0.0) * max(height, 0.0)
