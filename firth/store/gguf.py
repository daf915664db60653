"""A file of weights, read one table at a time: GGUF, in which small models travel.

    file   =  "GGUF" · version · how many tables, facts · the facts · what each table is · tables
    fact   =  name · kind · value                          text is a length and its bytes
    F32    x                                               4 bytes a weight
    Q8_0   x_i = s q_i           q_i ∈ −128 … 127          32 weights share s:        34 bytes
    Q4_1   x_i = s q_i + m       q_i ∈ 0 … 15              32 weights share s and m:  20 bytes

A trained weight is known no better than to a few bits, so its neighbours along a row are rounded
to steps of one size. Of a table nothing is read until it is asked for, and then only its own bytes.
"""

import math
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float, UInt8
from numpy import ndarray as Array

FACTS = dict(enumerate("B b H h I i f ?".split())) | {10: "Q", 11: "q", 12: "d"}
TEXT, LIST = 8, 9
KINDS = {  # a block's layout, and how many weights are in it
    0: (np.dtype("<f4"), 1),
    1: (np.dtype("<f2"), 1),
    3: (np.dtype([("s", "<f2"), ("m", "<f2"), ("q", "u1", 16)]), 32),
    8: (np.dtype([("s", "<f2"), ("q", "i1", 32)]), 32),
}


def halves(q: UInt8[Array, "*blocks k"]) -> UInt8[Array, "*blocks 2*k"]:
    """Two numbers from every byte: first the low halves of all, then the high ones.

    >>> halves(np.array([0x21, 0x43], np.uint8))
    array([1, 3, 2, 4], dtype=uint8)
    """
    return np.concatenate([q & 15, q >> 4], axis=-1)


def weights(blocks: Array) -> Float[Array, "..."]:
    """What the rounded numbers of some blocks stand for, in single precision.

    >>> weights(np.array([(0.5, 1.0, [0x21] * 16)], KINDS[3][0]))[0, 15:17]
    array([1.5, 2. ], dtype=float32)
    """
    if blocks.dtype.names is None:
        return blocks.astype(np.float32)[:, None]
    s = blocks["s"].astype(np.float32)[:, None]
    if "m" not in blocks.dtype.names:
        return s * blocks["q"]
    x = s * halves(blocks["q"])
    x += blocks["m"].astype(np.float32)[:, None]
    return x


class GGUF:
    """The facts of a file as a dictionary, its tables by their names.

    A file says of a table how long its rows are first, and how many there are last; here it is
    the other way round, as of any array.
    """

    def __init__(self, path: Path):
        self.path, self.at = path, 0
        if path.stat().st_size < 24:
            raise ValueError(f"{path.name} is not a GGUF file: it is too short for its head.")
        self.bytes = np.memmap(path, np.uint8, "r")
        if self.taken(4).tobytes() != b"GGUF":
            raise ValueError(f"{path.name} is not a GGUF file: it begins with something else.")
        version, tables, facts = self.number("I"), self.number("Q"), self.number("Q")
        if version not in (2, 3):
            raise ValueError(f"{path.name} has GGUF's version {version}: only 2 and 3 are read.")
        self.facts = {self.text(): self.value(self.number("I")) for _ in range(facts)}
        self.tables = {}
        for _ in range(tables):
            name, axes = self.text(), self.number("I")
            shape = tuple(self.number("Q") for _ in range(axes))[::-1]
            self.tables[name] = shape, self.number("I"), self.number("Q")
        step = self.facts.get("general.alignment", 32)
        if not (isinstance(step, int) and step > 0):
            raise ValueError(f"{path.name} is damaged: its tables begin at multiples of {step}.")
        self.start = -(-self.at // step) * step
        for name, (_, kind, _) in self.tables.items():
            if kind in KINDS:
                self.blocks(name)  # is all of it there?

    def __iter__(self) -> Iterator[str]:
        return iter(self.tables)

    def __getitem__(self, name: str) -> Float[Array, "..."]:
        """The table of that name."""
        if name not in self.tables:
            raise KeyError(f"{self.path.name} has no table named {name}.")
        shape, kind, _ = self.tables[name]
        if kind not in KINDS:
            raise ValueError(f"{name} is rounded in a way that is not read here: GGUF's {kind}.")
        return weights(self.blocks(name)).reshape(shape)

    def blocks(self, name: str) -> Array:
        """A table's bytes, as blocks: still in the file."""
        shape, kind, offset = self.tables[name]
        layout, size = KINDS[kind]
        if shape[-1:] and shape[-1] % size:
            raise ValueError(f"{self.path.name} is damaged: {name} does not divide into blocks.")
        self.at = self.start + offset
        return self.taken(math.prod(shape) // size * layout.itemsize).view(layout)

    def taken(self, n: int) -> UInt8[Array, " n"]:
        """The next n bytes."""
        if n > len(self.bytes) - self.at:
            raise ValueError(f"{self.path.name} ends too early, or is damaged: fetch it again.")
        self.at += n
        return self.bytes[self.at - n : self.at]

    def number(self, kind: str) -> Any:
        """The next number (or truth), of a kind that `struct` knows."""
        return struct.unpack("<" + kind, self.taken(struct.calcsize("<" + kind)))[0]

    def text(self) -> str:
        """The next text."""
        try:
            return self.taken(self.number("Q")).tobytes().decode()
        except UnicodeDecodeError:
            raise ValueError(f"{self.path.name} is damaged: a name in it is no text.") from None

    def value(self, kind: int) -> Any:
        """The next value of a fact; a list has its own kind and length in front."""
        if kind == TEXT:
            return self.text()
        if kind == LIST:
            kind, n = self.number("I"), self.number("Q")
            return [self.value(kind) for _ in range(n)]
        if kind not in FACTS:
            raise ValueError(f"{self.path.name} is damaged: there is no fact of kind {kind}.")
        return self.number(FACTS[kind])
