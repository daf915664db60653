"""Real text that is small enough for an exercise: extracts from Wikipedia, and rated word pairs.

Only 600 words were kept of 5,000 extracts, and every word that was left out has kept its place.
`experiments/lsa/extracts.py` chose both. The pairs are those of WordSim-353 whose two words stand
among the 600: people have rated how related they are, from 0 to 10.
"""

import gzip

from firth.store.results import DATA

LEFT_OUT = "–"


def extracts() -> list[list[str]]:
    """A list of extracts, each a list of words; a dash stands for each word that was left out.

    >>> " ".join(extracts()[0][:9])
    '– profit – – place – – – –'
    """
    lines = gzip.decompress((DATA / "lsa/extracts.txt.gz").read_bytes()).decode().splitlines()
    return [[word for part in line.split() for word in expand(part)] for line in lines]


def expand(part: str) -> list[str]:
    """A list of one word, `part`, or of n dashes if `part` is the number n of words left out.

    >>> expand("2"), expand("sea")
    (['–', '–'], ['sea'])
    """
    return [LEFT_OUT] * int(part) if part.isdigit() else [part]


def rated_pairs() -> list[tuple[str, str, float]]:
    """A list of tuples (word, word, mean rating from 0 to 10); 10 is for the most related words.

    >>> rated_pairs()[0]
    ('love', 'sex', 6.77)
    """
    rows = (DATA / "lsa/extract_pairs.tsv").read_text(encoding="utf-8").splitlines()
    split = (row.split("\t") for row in rows)
    return [(a, b, float(rating)) for a, b, rating in split]
