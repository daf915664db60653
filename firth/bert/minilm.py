"""A real encoder: all-MiniLM-L6-v2, BERT in form, in the code of this course.

    text → `wordpiece`: [CLS] pieces [SEP] → `bert`: 6 blocks, 12 heads, 384 features → states
    mean pooling    v = Σ_t m_t x_t / Σ_t m_t          m_t: is t a token of the text, or padding?

Every second block of a student of twelve, which had learned to imitate how a larger network attends
(Wang and others, 2020), tuned on a billion pairs of texts so that those that belong together lie
together. For that, not for filling blanks, it is used; a head for blanks it never had.
"""

import json
from collections.abc import Sequence
from functools import cache

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray as Array
from torch import Tensor

from firth.store.downloads import fetch

from .bert import BERT, MINILM
from .wordpiece import WordPiece

NAMES = {  # the file's names for parts of a block, and ours
    "attention.self.query": "attention.Q",
    "attention.self.key": "attention.K",
    "attention.self.value": "attention.V",
    "attention.output.dense": "attention.O",
    "attention.output.LayerNorm": "past.0.norm",
    "intermediate.dense": "feed.0",
    "output.dense": "feed.3",
    "output.LayerNorm": "past.1.norm",
}
TABLES = {
    "word_embeddings": "tokens",
    "position_embeddings": "places",
    "token_type_embeddings": "segments",
    "LayerNorm": "norm",
}


def renamed(name: str) -> str:
    """Our name for a table of a BERT that the library `transformers` has stored.

    >>> renamed("encoder.layer.3.attention.self.query.weight")
    'encoder.blocks.3.attention.Q.weight'
    >>> renamed("embeddings.LayerNorm.bias")
    'norm.b'
    """
    *path, kind = name.split(".")
    if path[0] == "encoder":
        part = f"encoder.blocks.{path[2]}.{NAMES['.'.join(path[3:])]}"
    else:
        part = "pool" if path[0] == "pooler" else TABLES[path[1]]
    return f"{part}.{({'weight': 'g', 'bias': 'b'} if 'norm' in part else {}).get(kind, kind)}"


def weights(path) -> dict[str, Tensor]:
    """The tables of a safetensors file: a list of names and places, then all numbers in a row."""
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(length))
    numbers = np.memmap(path, mode="c", offset=8 + length)
    tables = {}
    for name, row in header.items():
        if row.get("dtype") == "F32":  # not the places' own numbers, 0 … 511
            start, stop = row["data_offsets"]
            table = numbers[start:stop].view(np.float32).reshape(row["shape"])
            tables[renamed(name)] = torch.from_numpy(np.array(table))
    return tables


@cache
def model() -> BERT:
    """The encoder with its published weights: from the store, 84 MB, once."""
    with torch.device("meta"):
        net = BERT(MINILM)
    net.load_state_dict(weights(fetch("minilm")), assign=True)
    return net.requires_grad_(False).eval()


@cache
def words() -> WordPiece:
    """BERT's tokenizer, with the vocabulary that nearly all its descendants share."""
    return WordPiece(fetch("minilm_words").read_text(encoding="utf-8").splitlines())


def batch(
    texts: Sequence[str],
) -> tuple[Int[Tensor, "B n"], Int[Tensor, "B n"], Bool[Tensor, "B n"]]:
    """Ids, segments, and the mask that is False where a row has been filled up with [PAD]."""
    rows = [words().encoded(text) for text in texts]
    if not rows:
        raise ValueError("There is no text to read: give one or more.")
    n = max(len(ids) for ids, _ in rows)
    filled = [
        torch.tensor([part + [0] * (n - len(part)) for part in parts])
        for parts in zip(*rows, strict=True)
    ]
    lengths = torch.tensor([len(ids) for ids, _ in rows])
    return *filled, torch.arange(n) < lengths[:, None]


def pooled(
    X: Float[Tensor, "B n d"], mask: Bool[Tensor, "B n"], pooling: str = "mean"
) -> Float[Tensor, "B d"]:
    """One vector for each text: the mean of its tokens, their largest numbers, or [CLS]'s own.

    >>> X = torch.tensor([[[1.0], [3.0], [99.0]]])
    >>> pooled(X, torch.tensor([[True, True, False]]))  # what was filled up does not count
    tensor([[2.]])
    """
    if pooling == "cls":
        return X[:, 0]
    if pooling == "max":
        return X.masked_fill(~mask[..., None], -torch.inf).amax(dim=1)
    if pooling != "mean":
        raise ValueError(f"A text's vector is its tokens' mean, max or cls, not {pooling!r}.")
    m = mask[..., None].to(X.dtype)
    return (m * X).sum(dim=1) / m.sum(dim=1)


def vectors(texts: Sequence[str], pooling: str = "mean") -> Float[Array, "n 384"]:
    """A vector for each text. Texts of equal length are read together: then nothing is padding."""
    rows = [words().encoded(text)[0] for text in texts]
    by_length: dict[int, list[int]] = {}
    for i, row in enumerate(rows):
        by_length.setdefault(len(row), []).append(i)
    V = np.empty((len(texts), MINILM.d))
    for same in by_length.values():
        for few in (same[i : i + 64] for i in range(0, len(same), 64)):
            ids = torch.tensor([rows[i] for i in few])
            V[few] = pooled(model()(ids), torch.ones_like(ids, dtype=torch.bool), pooling).numpy()
    return V


def layers(
    text: str, other: str | None = None
) -> tuple[list[str], Float[Array, "7 n 384"], Float[Array, "6 12 n n"]]:
    """A text's pieces, their states before and after each block, and who looked at whom."""
    ids, segments = words().encoded(text, other)
    X = model().layers(torch.tensor([ids]), torch.tensor([segments]))
    pieces = [words().tokens[i] for i in ids]
    return pieces, torch.cat(X).double().numpy(), model().attentions()[:, 0].double().numpy()
