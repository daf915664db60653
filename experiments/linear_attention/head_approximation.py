"""Measure how far the analogy with forces goes: all 72 heads of a real model, near and far.

    python -m experiments.linear_attention.head_approximation

Two questions to all-MiniLM-L6-v2. (1) One passage of some 380 pieces: how many of a head's numbers
an H-matrix stores at an error, and how many if the pieces' order is shuffled first. A shuffle moves
every number and changes none: if the share stays, it is not nearness in the text that is low rank.
`own` is the share at the last error if each far block must be right to it by its own size.
(2) Stretches of a novel: how well a band, a far field with learned features, and both, with as many
numbers a word, imitate each head on stretches that they have not seen.
"""

import argparse
import json

import numpy as np
import torch

from experiments.conditions import conditions
from firth.bert import minilm
from firth.linear_attention import head_approximation, hierarchical_matrix
from firth.linear_attention.far_field import inverse
from firth.store.results import DATA
from firth.transformer import austen_gpt

FILE = DATA / "linear_attention/head_approximation.json"
EPSILONS, LEAST = (0.1, 0.03, 0.01), 24
PIECES, BUDGET, TEXTS, STEPS = 384, 33, 12, 150  # of which half of the texts are learned from
STRETCH = 96


def passage(pieces: int = PIECES) -> str:
    """The beginning of Persuasion, as many pieces as asked for."""
    words = austen_gpt.text()[1][: 8 * pieces].split(" ")
    while len(minilm.words().pieces(" ".join(words))) > pieces - 2:  # two for [CLS] and [SEP]
        words.pop()
    return " ".join(words)


def shares(A: np.ndarray, blocks: list, epsilons=EPSILONS) -> list[float]:
    """The share of A's numbers that blocks store at each error, of the whole matrix's norm."""
    size = np.linalg.norm(A, 2)
    values = [np.linalg.svd(b.of(A), compute_uv=False) if b.far else None for b in blocks]
    return [
        hierarchical_matrix.share(blocks, [min(b.rows, b.columns) if s is None else int((s > e *
        size).sum())
                               for b, s in zip(blocks, values, strict=True)])
        for e in epsilons
    ]  # fmt: skip


def blocks() -> dict:
    """Every head's shares, in order and shuffled; those of forces between as many particles."""
    _, _, A = minilm.layers(passage())
    n = A.shape[-1]
    cut, order = hierarchical_matrix.partition(n, LEAST), np.random.default_rng(0).permutation(n)
    x = np.arange(float(n))
    forces = inverse(x, x)
    own = lambda A: hierarchical_matrix.share(cut, hierarchical_matrix.ranks(A, cut, EPSILONS[-1]))  # noqa: E731
    rows = [
        {"block": b + 1, "head": h + 1, "order": shares(A[b, h], cut)}
        | {"shuffled": shares(A[b, h][order][:, order], cut), "own": own(A[b, h])}
        | {"near": float(np.triu(np.tril(A[b, h], LEAST), -LEAST).sum() / n)}
        | {"first": float(A[b, h][:, 0].mean())}
        for b in range(A.shape[0])
        for h in range(A.shape[1])
    ]
    near = sum(b.rows * b.columns for b in cut if not b.far) / n**2
    return {"n": n, "least": LEAST, "epsilons": EPSILONS, "rows": rounded(rows), "near": near} | {
        "forces": {"order": shares(forces, cut), "shuffled": shares(forces[order][:, order], cut)}
        | {"own": own(forces)}
    }


def imitations() -> dict:
    """What each way misses of every head, on stretches learned from and on others."""
    rows = []
    for block in range(6):
        Q, K, A = head_approximation.observed(STRETCH, TEXTS, block)
        half = TEXTS // 2
        for way in head_approximation.BANDS:
            net = head_approximation.imitated(way, Q[:half], K[:half], A[:half], BUDGET, STEPS)
            seen, held = (
                head_approximation.missed(A[part], net(Q[part], K[part])).tolist()
                for part in (slice(half), slice(half, None))
            )
            rows.append({"block": block + 1, "way": way, "seen": seen, "held": held})
            print(block + 1, way, round(float(np.mean(held)), 4), flush=True)
    about = {"n": STRETCH, "texts": TEXTS, "budget": BUDGET, "steps": STEPS}
    return about | {"rows": rounded(rows)}


def rounded(rows: list[dict]) -> list[dict]:
    """Fractions to four digits."""
    return json.loads(json.dumps(rows), parse_float=lambda text: round(float(text), 4))


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    about = conditions() | {"command": "python -m experiments.linear_attention.head_approximation"}
    made = about | {"blocks": blocks(), "imitations": imitations()}
    FILE.write_text(json.dumps(made) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
