"""Weights as bytes: int8, with one scale for each row. All weights that the course stores are so.

    q = round(x / s) + z                a whole number, −128 … 127
    x̂ = s (q − z)                       |x̂ − x| ≤ s / 2
    s = max |x| / 127,  z = 0           weights: each row has its own scale s, and 0 stays 0

Where the numbers of a table are whole multiples of a known s, that s is given for the whole table,
and x̂ = x. Numbers from 0 to 255 s use all of the byte with the zero point z = −128.

A table in JSON is {"shape", "scale", "zero", "bytes"}: all s, then z unless it is 0, and all q in
base64. `firth/widgets/weights.js` gets the same numbers from it, to the last bit. In an npz file a
matrix is two arrays, its q and its s.
"""

import base64
from pathlib import Path

import numpy as np
from jaxtyping import Float, Int8
from numpy import ndarray as Array

LARGEST = 127  # of a byte, up and down
DIGITS = 4  # of a scale in JSON


def row_scales(x: Float[Array, "... n"]) -> Float[Array, " rows"]:
    """The scale s of each row; 0 for a row of zeros.

    >>> row_scales(np.array([[1.27, -0.5], [0.0, 0.0]]))
    array([0.01, 0.  ])
    """
    s = abs(x.reshape(-1, x.shape[-1])).max(axis=1) / LARGEST
    return np.where(s < np.finfo(s.dtype).tiny, 0, s)


def to_int8(
    x: Float[Array, "*shape"], scale: Float[Array, " rows"], zero: int = 0
) -> Int8[Array, "*shape"]:
    """The whole numbers q of a table. Its scales are one for each row, or one for all.

    >>> to_int8(np.array([[1.27, -0.5]]), np.array([0.01]))
    array([[127, -50]], dtype=int8)
    """
    rows = x.reshape(len(scale), -1)
    q = np.rint(rows / np.where(scale > 0, scale, 1)[:, None]) + zero
    if not ((q >= -128) & (q <= 127)).all():
        raise ValueError(f"A byte holds −128 … 127, and here are {q.min():g} … {q.max():g} steps.")
    return q.astype(np.int8).reshape(x.shape)


def from_int8(
    q: Int8[Array, "*shape"], scale: Float[Array, " rows"], zero: int = 0
) -> Float[Array, "*shape"]:
    """The table x̂ = s (q − z) of the whole numbers q, as exact a float as the scales are.

    >>> from_int8(np.array([[127, -50]], np.int8), np.array([0.01]))
    array([[ 1.27, -0.5 ]])
    """
    rows = q.reshape(len(scale), -1).astype(scale.dtype)
    return ((rows - zero) * scale[:, None]).reshape(q.shape)


def quantize(x: Float[Array, "... n"], scale: float | None = None, zero: int = 0) -> dict:
    """The table in bytes as JSON has it: a scale for each row, or the given one for all.

    >>> quantize(np.array([[1.27, -0.5]]))
    {'shape': [1, 2], 'scale': [0.01], 'bytes': 'f84='}
    >>> quantize(np.array([0.0, 255.0]), scale=1.0, zero=-128)
    {'shape': [2], 'scale': [1.0], 'zero': -128, 'bytes': 'gH8='}
    """
    scales = row_scales(x) if scale is None else [scale]
    scales = np.array([float(f"{s:.{DIGITS}g}") for s in scales])
    text = base64.b64encode(to_int8(x, scales, zero).tobytes()).decode()
    point = {"zero": zero} if zero else {}
    return {"shape": list(x.shape), "scale": scales.tolist(), **point, "bytes": text}


def dequantize(stored: dict) -> Float[Array, "..."]:
    """The table that `quantize` has stored, each number to within half a step of its row.

    >>> dequantize({"shape": [1, 2], "scale": [0.01], "bytes": "f84="})
    array([[ 1.27, -0.5 ]])
    """
    q = np.frombuffer(base64.b64decode(stored["bytes"]), np.int8).reshape(stored["shape"])
    return from_int8(q, np.array(stored["scale"], dtype=float), stored.get("zero", 0))


def save_npz(path: Path, arrays: dict[str, Float[Array, "..."]]) -> None:
    """Writes an npz file of named arrays: matrices in bytes, all others as they are."""
    stored = {}
    for name, x in arrays.items():
        if x.ndim == 2:
            scale = row_scales(x)
            stored |= {f"{name}/steps": to_int8(x, scale), f"{name}/scale": scale[:, None]}
        else:
            stored[name] = x
    np.savez_compressed(path, **stored)


def load_npz(path: Path) -> dict[str, Float[Array, "..."]]:
    """The named arrays that `save_npz` has written."""
    with np.load(path) as file:
        parts = dict(file)
    arrays = {name: x for name, x in parts.items() if "/" not in name}
    for name in (key.removesuffix("/steps") for key in parts if key.endswith("/steps")):
        arrays[name] = from_int8(parts[f"{name}/steps"], parts[f"{name}/scale"].ravel())
    return arrays
