"""Vectors and networks that others have trained, each from one row of `firth/data/sources.toml`.

    glove      400,000 words, the most frequent first  →  50 numbers each
    glove_few  some 100 of these words, rounded to hundredths; they ride along in firth/data

They were fitted to billions of words, on machines and for times that a course does not have. Their
files are checked, read and never executed: rows of numbers, and the list that names the rows.
"""

import numpy as np
from jaxtyping import Float

from . import downloads, parquet
from .results import DATA

GLOVE = 400_000  # words


def glove(n: int = GLOVE) -> tuple[list[str], Float[np.ndarray, "n 50"]]:
    """The n most frequent words of GloVe 6B, lower-case, and their vectors, a row each.

    Learned from 6 billion words of Wikipedia and news. The file keeps column after column; rows
    are asked for here, so what is wanted of it is laid out anew: 200 bytes a word.
    """
    if not 0 < n <= GLOVE:
        raise ValueError(f"GloVe has vectors of 1 to {GLOVE:,} words; {n:,} were asked for.")
    words = downloads.made("glove_words", glove_words).read_text(encoding="utf-8").split("\n")
    columns = np.load(downloads.fetch("glove"), mmap_mode="r")
    return words[:n], np.ascontiguousarray(columns[:n])


def glove_few() -> tuple[list[str], Float[np.ndarray, "n 50"]]:
    """Some words of GloVe that need no download: those that exercise 2 asks about.

    >>> words, vectors = glove_few()
    >>> words[:3], vectors[0, :3]
    (['never', 'coming', 'back'], array([ 0.1 , -0.17, -0.12]))
    """
    lines = (DATA / "word2vec/glove_few.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in lines.splitlines()]
    hundredths = [list(map(int, numbers.split())) for _, numbers in rows]
    return [word for word, _ in rows], np.array(hundredths) / 100


def glove_words() -> bytes:
    """A line a word, out of the table that was published."""
    return "".join(f"{word}\n" for word in parquet.column(downloads.fetch("glove_index"))).encode()
