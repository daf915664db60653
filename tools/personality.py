"""Take the personality items and what people answer from a table of raw answers.

python tools/personality.py spi_items.csv spi_responses.csv.gz

The two files are the tables `spi`, `spi.dictionary` and `spi.keys` of the R package psychTools,
exported: an item a row with its scales and their signs as JSON; a person a row with 135 answers
from 1 to 6. What rides along is the table of items, with the apostrophes that the export lost, and
the correlation of every two items in thousandths. No person's answers do.
"""

import argparse
import csv
import json
import re
from gzip import GzipFile
from pathlib import Path

import numpy as np

from firth.store.results import DATA

FACTORS = {
    "Agree": "Agreeableness",
    "Consc": "Conscientiousness",
    "Extra": "Extraversion",
    "Neuro": "Neuroticism",
    "Open": "Openness",
}
HYPHENS = {"Easy Goingness": "Easy-Goingness", "Well Being": "Well-Being"}
APOSTROPHES = {
    r"\bdont\b": "don't",
    r"\bDont\b": "Don't",
    r"\bcant\b": "can't",
    "others feelings": "others' feelings",
    "most peoples do": "most people's do",
}


def item(row: dict) -> list[str]:
    """A row as it rides along: number, text, facet and its sign, factor and its sign, if any."""
    text, keys = row["text"], json.loads(row["keys"])
    for wrong, right in APOSTROPHES.items():
        text = re.sub(wrong, right, text)
    facet = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", row["L27"])
    factor = row["B5"]
    signs = [f"{keys[name]:+d}" if name else "" for name in (row["L27"], factor)]
    named = HYPHENS.get(facet, facet)
    return [row["item"], text, named, signs[0], FACTORS.get(factor, ""), signs[1]]


def correlations(answers: np.ndarray) -> np.ndarray:
    """The correlation of every two columns, over the people who answered both.

    >>> correlations(np.array([[1.0, 1.0], [2.0, 2.0], [3.0, np.nan], [4.0, 0.0]])).round(2)
    array([[ 1.  , -0.65],
           [-0.65,  1.  ]])
    """
    there = ~np.isnan(answers)
    R = np.eye(answers.shape[1])
    for i in range(len(R)):
        for j in range(i):
            both = there[:, i] & there[:, j]
            R[i, j] = R[j, i] = np.corrcoef(answers[both][:, [i, j]].T)[0, 1]
    return R


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("items", type=Path)
    arguments.add_argument("answers", type=Path)
    given = arguments.parse_args()
    with given.items.open(encoding="utf-8", newline="") as table:
        items = [item(row) for row in csv.DictReader(table)]
    header = "number\ttext\tfacet\tkey\tfactor\tfactor_key"
    lines = [header, *("\t".join(row) for row in items)]
    (DATA / "bert/personality.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    answers = np.genfromtxt(given.answers, delimiter=",", names=True)
    R = correlations(np.column_stack([answers[row[0]] for row in items]))
    thousandths = np.rint(1000 * R[np.tril_indices(len(R), -1)]).astype(int)
    text = "\n".join(map(str, thousandths)) + "\n"
    with (DATA / "bert/personality_correlations.txt.gz").open("wb") as file:
        with GzipFile("", "wb", fileobj=file, mtime=0) as packed:  # no name, no date: same bytes
            packed.write(text.encode())


if __name__ == "__main__":
    main()
