"""A sentence with a blank: what could stand there, and how likely each piece of a word is.

    log p(w) = score_w − log Σ_v exp(score_v)         scores: what the head makes of [MASK]'s state
    difference(w) = log p(w | a) − log p(w | b)       two sentences a, b, and what sets them apart

MiniLM never had a head for blanks: it learned from its teacher's attention alone. This is the same
network with one: all weights were trained on, to fill blanks in Wikipedia, SQuAD's passages and
headlines (`experiments/bert/masked_lm.py`), and are stored in bytes (`firth.store.weights`). It is
smaller than BERT and was trained on a few thousand times fewer tokens; `models/README.md` says what
it can do.
"""

from functools import cache

import torch
from jaxtyping import Float
from numpy import ndarray as Array

from firth.store.downloads import released
from firth.store.weights import load_npz

from . import minilm
from .bert import MINILM, Blanks

BLANK = "[MASK]"


@cache
def model() -> Blanks:
    """The network that fills blanks: from the clone, or fetched once."""
    with torch.device("meta"):
        net = Blanks(MINILM)
    tables = {name: torch.from_numpy(x) for name, x in load_npz(released("blanks")).items()}
    net.load_state_dict(tables, assign=True)
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
