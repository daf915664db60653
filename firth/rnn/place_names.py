"""Invented place names: a GRU predicts the next letter.

    r, z = σ(W x + b + U h + c)          the gates, from the letter x and the hidden state h
    n    = tanh(W x + b + r ∘ (U h + c))
    h'   = (1 − z) ∘ n + z ∘ h
    s    = O h' + o                      one score for each letter of the alphabet
    p    ∝ exp(s / τ)                    τ: the temperature

W (3d × V), U (3d × d), b and c hold the rows of r, z and n, one below the other; x is one-hot, so
W x is a column of W. The first symbol of the alphabet is the border: it is read before the first
letter, and it is the prediction that the name is over. `experiments/rnn/place_names.py` trains the
weights on names of the Catalan-speaking lands. The page's JavaScript computes the same.
"""

import math
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray as Array

from firth.runtime.random_numbers import drawn, uniform
from firth.store.results import DATA, stored_result
from firth.store.weights import dequantize

from .gated_cells import gru_step

FILE = DATA / "rnn/place_names.json"
LONGEST = 40  # letters: the longest real name has 37


@dataclass(frozen=True)
class Letters:
    """An alphabet and the weights of a network for it."""

    alphabet: tuple[str, ...]
    W: Float[Array, "gates V"]
    U: Float[Array, "gates d"]
    b: Float[Array, " gates"]
    c: Float[Array, " gates"]
    O: Float[Array, "V d"]  # noqa: E741
    o: Float[Array, " V"]


@cache
def trained_network() -> Letters:
    """The trained network, an instance of Letters, from weights that are stored in bytes."""
    stored = stored_result("rnn/place_names")
    weights = {name: dequantize(stored["weights"][name]) for name in "WUbcOo"}
    return Letters(tuple(stored["alphabet"]), **weights)


def ids(text: str, letters: Letters) -> list[int]:
    """A list with the index of each letter of the text in the network's alphabet."""
    place = {letter: i for i, letter in enumerate(letters.alphabet) if i}
    text = unicodedata.normalize("NFC", text)
    if strange := next((letter for letter in text if letter not in place), None):
        raise ValueError(
            f"No name in the list has the letter {strange!r}: use {''.join(place).strip()}."
        )
    return [place[letter] for letter in text]


def step(x: int, h: Float[Array, " d"], net: Letters) -> Float[Array, " d"]:
    """The hidden state of the network after one more letter, whose index is x."""
    return gru_step(np.eye(len(net.alphabet))[x], h, net.W, net.U, net.b, net.c)


def state(prefix: str, net: Letters) -> Float[Array, " d"]:
    """The hidden state of the network after the letters of a prefix, which may be empty."""
    h = np.zeros(net.U.shape[1])
    for x in [0, *ids(prefix, net)]:
        h = step(x, h, net)
    return h


def scores(prefix: str, net: Letters | None = None) -> Float[Array, " V"]:
    """The score of each symbol that can follow a prefix; the first one is the end of the name."""
    net = net or trained_network()
    return net.O @ state(prefix, net) + net.o


def probabilities(scores: Float[Array, " V"], tau: float = 1.0) -> Float[Array, " V"]:
    """The probabilities p ∝ exp(s / τ) of the scores s at the temperature τ.

    τ below 1 makes likely symbols more likely, τ above 1 less. The temperature divides the scores,
    not the probabilities. Half the τ squares the odds.

    >>> probabilities(np.log([0.8, 0.2]), tau=0.5)  # odds of 4 become odds of 16
    array([0.94, 0.06])
    """
    if not (tau > 0 and math.isfinite(tau)):
        raise ValueError(f"The temperature τ is a number above 0, not {tau}: 1 changes nothing.")
    p = np.exp((scores - scores.max()) / tau)
    return p / p.sum()


def sampled(seed: int, tau: float = 1.0, prefix: str = "", net: Letters | None = None) -> str:
    """A name that begins with the prefix; each further letter is drawn from the probabilities.

    >>> sampled(2, tau=0.5), sampled(2, tau=0.5, prefix="Vall")
    ('Sant Joan de Vilamoll', 'Vallpora')
    """
    net = net or trained_network()
    name, h = unicodedata.normalize("NFC", prefix), state(prefix, net)
    u = uniform(seed)
    while True:
        p = probabilities(net.O @ h + net.o, tau).cumsum()
        x = drawn(p, u() * p[-1])
        if x == 0 or len(name) >= LONGEST:
            return name.strip()
        name, h = name + net.alphabet[x], step(x, h, net)


def loss(names: Sequence[str], net: Letters | None = None) -> float:
    """The mean cross-entropy per letter of the names, in nats.

    The end of a name counts as a letter.
    """
    net = net or trained_network()
    surprises = []
    for name in names:
        h = np.zeros(net.U.shape[1])
        for x, y in zip([0, *ids(name, net)], [*ids(name, net), 0], strict=True):
            h = step(x, h, net)
            surprises.append(-math.log(probabilities(net.O @ h + net.o)[y]))
    return float(np.mean(surprises))


def folded(name: str) -> str:
    """A name without accents and capitals, so that two spellings of one place are equal.

    >>> folded("Òdena") == folded("odena")
    True
    """
    apart = unicodedata.normalize("NFD", name.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def edit_distances(name: str, names: Sequence[str]) -> Int[Array, " n"]:
    """The edit distance from one name to each of the others: letters to insert, delete or change.

    The table of Wagner and Fischer for all names at once. A cell is reached from above (+1), from
    the diagonal (+1 if letters differ) or from its left (+1), which is a running minimum along j.

    >>> edit_distances("Vic", ["Vic", "Valls", ""])
    array([0, 4, 3])
    """
    if not names:
        raise ValueError("There is no name to compare with: give a list of one or more.")
    widest = max(map(len, names))
    table = np.array([list(map(ord, other.ljust(widest))) for other in names], np.int32)
    j = np.arange(widest + 1, dtype=np.int16)
    row = np.tile(j, (len(names), 1))
    for i, letter in enumerate(name, start=1):
        aslant = row[:, :-1] + (table != ord(letter))
        row[:, 1:] = np.minimum(aslant, row[:, 1:] + 1)
        row[:, 0] = i
        row = np.minimum.accumulate(row - j, axis=1) + j
    return row[np.arange(len(names)), [len(other) for other in names]].astype(int)


def nearest(name: str, names: Sequence[str]) -> tuple[str, int]:
    """The real name with the smallest edit distance from a name, and this distance.

    >>> nearest("Vallverda", ["Valls", "Vallverd"])
    ('Vallverd', 1)
    """
    distances = edit_distances(name, names)
    return names[distances.argmin()], int(distances.min())


def divergence(names: Sequence[str], others: Sequence[str]) -> float:
    """The Jensen–Shannon divergence of the letter pairs of two lists of names, in bits.

    It is 0 if both lists use all pairs equally often and 1 if they have no pair in common. Borders
    count as letters.

    >>> divergence(["ab"], ["ab"]), divergence(["ab"], ["cd"])
    (0.0, 1.0)
    """
    counts = [Counter(pair for n in x for pair in zip(f"\n{n}", f"{n}\n", strict=True))
              for x in (names, others)]  # fmt: skip
    pairs = sorted(counts[0] | counts[1])
    p, q = (np.array([c[pair] / c.total() for pair in pairs]) for c in counts)
    m = (p + q) / 2
    bits = (np.sum(x[x > 0] * np.log2(x[x > 0] / m[x > 0])) for x in (p, q))
    return float(sum(bits) / 2)


def measured(names: Sequence[str], real: Sequence[str]) -> dict[str, float]:
    """A dict of numbers about a list of invented names: how they differ from the real ones.

    Its keys are copies and duplicates (shares of the names), distance (mean edit distance of new
    names to the nearest real one), length, length_sd, and divergence (of letter pairs).
    """
    known = {folded(name) for name in real}
    fresh = [name for name in dict.fromkeys(names) if folded(name) not in known]
    lengths = [len(name) for name in names]
    return {
        "copies": sum(folded(name) in known for name in names) / len(names),
        "duplicates": 1 - len({*map(folded, names)}) / len(names),
        "distance": float(np.mean([nearest(n, real)[1] for n in fresh])) if fresh else math.nan,
        "length": float(np.mean(lengths)),
        "length_sd": float(np.std(lengths)),
        "divergence": divergence(names, real),
    }
