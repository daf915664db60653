"""A sentence with a blank: what could stand there, and how likely each piece of a word is.

    log p(w) = score_w − log Σ_v exp(score_v)         scores: what the head makes of [MASK]'s state
    difference(w) = log p(w | a) − log p(w | b)       two sentences a, b, and what sets them apart

MiniLM never had a head for blanks: it learned from its teacher's attention alone. This is the same
network with one: all weights were trained on, to fill blanks in Wikipedia, SQuAD's passages and
headlines (`experiments/bert/masked_lm.py`), and are kept as one byte each with a scale for every
row. It is smaller than BERT and was trained on a few thousand times fewer tokens;
`models/README.md` says what it can do.
"""

from functools import cache

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray as Array
from torch import Tensor

from firth.store.downloads import released

from . import minilm
from .bert import MINILM, Blanks

BLANK = "[MASK]"
STEPS = 127  # of a byte, up and down


def rounded(table: Float[Array, "n d"]) -> dict[str, Array]:
    """A table as bytes −127 … 127, and what one step is worth in each row.

    >>> rounded(np.array([[1.27, -0.5]]))
    {'steps': array([[127, -50]], dtype=int8), 'scale': array([[0.01]], dtype=float32)}
    """
    scale = np.maximum(abs(table).max(axis=1, keepdims=True) / STEPS, np.finfo(np.float32).tiny)
    return {"steps": np.rint(table / scale).astype(np.int8), "scale": scale.astype(np.float32)}


def packed(net: Blanks) -> dict[str, Array]:
    """All of a network's weights: tables rounded, the few others as they are."""
    parts = {}
    for name, weight in net.state_dict().items():
        w = weight.float().numpy()
        parts |= (
            {f"{name}/{kind}": x for kind, x in rounded(w).items()} if w.ndim == 2 else {name: w}
        )
    return parts


def unpacked(parts: dict[str, Array]) -> dict[str, Tensor]:
    """The weights that `packed` has put away, to within half a step."""
    weights = {name: x for name, x in parts.items() if "/" not in name}
    for name in (key.removesuffix("/steps") for key in parts if key.endswith("/steps")):
        weights[name] = parts[f"{name}/steps"] * parts[f"{name}/scale"]
    return {name: torch.from_numpy(w) for name, w in weights.items()}


@cache
def model() -> Blanks:
    """The network that fills blanks: from the clone, or fetched once."""
    with torch.device("meta"):
        net = Blanks(MINILM)
    with np.load(released("blanks")) as file:
        net.load_state_dict(unpacked(dict(file)), assign=True)
    return net.requires_grad_(False).eval()


def completions(
    sentence: str, net: Blanks | None = None
) -> tuple[list[str], Float[Array, " words"]]:
    """Every piece of the vocabulary, and the log of its probability where the sentence has [MASK].

    Only what is one piece can fill one blank: a longer word is never proposed.
    """
    words = minilm.words()
    ids, segments = words.encoded(sentence)
    places = [i for i, number in enumerate(ids) if number == words.numbers[BLANK]]
    if len(places) != 1:
        raise ValueError(f"A sentence has one blank, written {BLANK}; this has {len(places)}.")
    net = net or model()
    with torch.no_grad():
        X = net.bert(torch.tensor([ids]), torch.tensor([segments]))
        log_p = net.scores(X[0, places[0]]).double().log_softmax(-1)
    return words.tokens, log_p.numpy()


def log_likelihoods(sentence: str, fillings: list[str]) -> Float[Array, " n"]:
    """The log-probability of each of some words in the blank."""
    words, (_, log_p) = minilm.words(), completions(sentence)
    for word in fillings:
        if len(pieces := words.pieces(word)) != 1:
            raise ValueError(
                f"{word!r} is {len(pieces)} pieces and cannot fill one blank: {' '.join(pieces)}."
            )
    return log_p[[words.numbers[words.pieces(word)[0]] for word in fillings]]
