"""When are two pictures, or two widgets, the same to a reader?

Another processor or another number of threads may change the last bits of a number, and with them
the hundredth of a pixel at which a line ends. What a reader sees does not change, so that is what
is compared: letters exactly, points to a pixel, colours to a shade, numbers to a thousandth.
"""

import base64
import io
import re
from math import isclose

import numpy as np
from matplotlib.image import imread

GEOMETRY = re.compile(r'\b(d|x|y|[xyr][12xy]|r|width|height|points|viewBox|transform)="([^"]*)"')
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
COLOUR = re.compile(r"#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})\b")
BITMAP = re.compile(r'"data:image/png;base64,([^"]*)"')


def alike(one: str, other: str) -> bool:
    """Whether two pictures look the same: equal letters and shapes, no point further than a pixel.

    >>> alike('<svg><path d="M 0 1.4"/></svg>', '<svg><path d="M 0.3 2"/></svg>')
    True
    >>> alike('<svg><path d="M 0 1.4"/></svg>', '<svg><path d="M 0 3"/></svg>')
    False
    >>> alike("<svg><text>1.4</text></svg>", "<svg><text>1.5</text></svg>")
    False
    """
    numbers, colours, bitmaps = [], [], []
    for text in (one, other):
        places = [values for _, values in GEOMETRY.findall(text)]
        numbers.append([float(number) for place in places for number in NUMBER.findall(place)])
        colours.append([int(c, 16) for colour in COLOUR.findall(text) for c in colour])
        bitmaps.append([imread(io.BytesIO(base64.b64decode(b))) for b in BITMAP.findall(text)])
    rest = [
        BITMAP.sub("B", COLOUR.sub("C", GEOMETRY.sub(lambda m: NUMBER.sub("N", m[0]), text)))
        for text in (one, other)
    ]
    return (
        rest[0] == rest[1]
        and all(abs(a - b) <= 1 for a, b in zip(*numbers, strict=True))
        and all(abs(a - b) <= 4 for a, b in zip(*colours, strict=True))
        and all(
            a.shape == b.shape and np.allclose(a, b, 0, 0.02) for a, b in zip(*bitmaps, strict=True)
        )
    )


def same(one: object, other: object) -> bool:
    """Whether two widgets hold the same: equal texts, and fractions within a thousandth.

    >>> same({"word": "cat", "x": [0.5]}, {"word": "cat", "x": [0.5004]})
    True
    >>> same({"word": "cat", "x": [0.5]}, {"word": "cat", "x": [0.6]})
    False
    """
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return isclose(one, other, rel_tol=1e-3, abs_tol=1e-3)
    return one == other
