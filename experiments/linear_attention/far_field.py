"""Store the small matrices of the near-and-far view: forces, three heads of a real model, noise.

    python -m experiments.linear_attention.far_field

Every row sums to 1, as attention's rows do, and is kept in ten-thousandths. The heads are those of
all-MiniLM-L6-v2 on one sentence; which ones is said here and on the page, and they were chosen by
eye for being different: most heads are none of the three.
"""

import argparse
import json

import numpy as np

from experiments.conditions import conditions
from firth.attention.attention import softmax
from firth.bert import minilm
from firth.linear_attention.far_field import inverse
from firth.store.results import DATA

FILE = DATA / "linear_attention/far_field.json"
TEXT = (
    "The keys of the old piano were yellow, and the one that my grandmother loved most, a low note "
    "near the left end, had not made a sound since the winter in which she sold her house by the "
    "sea."
)
HEADS = {  # a name, what is said of it, its block and its head, from 1 on
    "one back": ("a head that looks one word back, or at [CLS]", 3, 12),
    "near": ("a head that looks at neighbours, each in its own way", 1, 6),
    "far": ("a head that looks anywhere", 6, 9),
}


def rows(A: np.ndarray) -> list[list[int]]:
    """Each row over its sum, in ten-thousandths."""
    return np.rint(1e4 * A / A.sum(axis=1, keepdims=True)).astype(int).tolist()


def matrices() -> dict:
    """The pieces of the sentence, and every matrix with its name and what it is."""
    pieces, _, A = minilm.layers(TEXT)
    n, rng = len(pieces), np.random.default_rng(0)
    x = np.arange(n) + rng.uniform(-0.3, 0.3, n)
    found = [("forces", f"1/r between {n} particles in a row", rows(inverse(x, x)))]
    for name, (says, block, head) in HEADS.items():
        label = f"{says} (block {block}, head {head})"
        found.append((name, label, rows(A[block - 1, head - 1])))
    found.append(("noise", "softmax of random scores", rows(softmax(2 * rng.normal(size=(n, n))))))
    keys = ("name", "label", "rows")
    return {"pieces": pieces, "matrices": [dict(zip(keys, m, strict=True)) for m in found]}


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    about = conditions() | {
        "command": "python -m experiments.linear_attention.far_field",
        "text": TEXT,
    }
    text = json.dumps(about | matrices(), ensure_ascii=False)
    FILE.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
