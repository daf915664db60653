"""Store where the 72 heads of MiniLM look in a few texts, for the page.

    python -m experiments.bert.attention_heads

A weight becomes a byte: how many of 255 parts of a token's attention go there. The parts of each
row add up to 255, for what rounding down leaves over goes to those that lost most by it; so no
weight is off by more than one part, and a habit that is measured on the page is the model's.
"""

import argparse
import json

import numpy as np
from jaxtyping import Float
from numpy import ndarray as Array

from firth.bert import minilm
from firth.store.weights import quantize
from firth.widgets.bert.attention_heads import FILE, PARTS

TEXTS = [  # one text, or two
    ["The cat did not cross the street because it was too tired."],
    ["The cat did not cross the street because it was too wide."],
    ["He sat on the river bank."],
    ["The bank lent him money."],
    ["The keys to the old cabinet are on the table."],
    ["A rose is a rose is a rose."],
    ["merging into a vague, purplish glimmer"],
    ["Where did she go?", "She went to the market."],
]


def parts(A: Float[Array, "*rows n"]) -> Float[Array, "*rows n"]:
    """Shares of 1 as whole parts of 255 that add up to 255.

    >>> parts(np.array([[0.5, 0.3, 0.2]])).tolist()
    [[128.0, 76.0, 51.0]]
    """
    exact = PARTS * A / A.sum(axis=-1, keepdims=True)
    whole = np.floor(exact)
    left = np.rint(PARTS - whole.sum(axis=-1, keepdims=True))
    order = np.argsort(np.argsort(whole - exact, axis=-1, kind="stable"), axis=-1)
    return whole + (order < left)


def row(texts: list[str]) -> dict:
    """A text's pieces, and the weights of all heads: blocks, heads, from whom, to whom."""
    pieces, _, A = minilm.layers(*texts)
    weights = quantize(parts(A), scale=1.0, zero=-128)
    return {"text": " ".join(texts), "pieces": pieces, "weights": weights}


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    rows = [json.dumps(row(texts), ensure_ascii=False) for texts in TEXTS]
    FILE.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
