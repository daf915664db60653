"""Things at their places in a plane."""

from firth.plots.pictures import COLOURS


def word_map(axes, points, labels, groups=None):
    """Words at their places in a plane, a colour for each group; no label lies on another.

    Set the limits of the axes first: how long a label is, in their units, hangs on them.
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


def overlap(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    """The area that two boxes (left, bottom, right, top) share.

    >>> overlap((0.0, 0.0, 2.0, 2.0), (1.0, 1.0, 3.0, 3.0))
    1.0
    """
    width, height = (min(a[i + 2], b[i + 2]) - max(a[i], b[i]) for i in (0, 1))
    return max(width, 0.0) * max(height, 0.0)
