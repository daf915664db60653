"""Telephone numbers, read aloud in pairs of digits: an English text, and the German one of it.

    4 2 1 7 0 5      forty two · seventeen · oh five      zwei und vierzig · siebzehn · null fünf

German says the units first. So a word here comes from one or two words there that stand elsewhere,
and it can be seen whether a network attends to the right one. x is a row of E for each English
word, y one of D for each German:

    h_j  = [right_j; left_j]         two GRUs over x_1 … x_m, to the right and to the left
    s_0  = [right_m; left_1]         what each of them has come to
    s_t  = GRU(y_{t−1}, s_{t−1})     1, 2  embed the last word, and go on from the state
    A_t  = softmax_j(s_tᵀ h_j)       3     attention: where to look,
    C_t  = Σ_j A_tj h_j                    and what is seen there
    o_t  = tanh(F [s_t; C_t] + f)    4, 5  concatenate, feed forward
    p_t  = softmax(O o_t + o)        6     the next word

Word 0 of the German is the border: it is read before the first word, and said after the last.
"""

import random
from dataclasses import dataclass
from functools import cache
from zlib import crc32

import numpy as np
from jaxtyping import Float
from numpy import ndarray as Array

from firth.rnn.gated_cells import gru, gru_step
from firth.store.results import DATA, stored_result
from firth.store.weights import dequantize

from .attention import dot_scores, softmax

FILE = DATA / "attention/telephone_numbers.json"
UNITS = "oh one two three four five six seven eight nine".split()
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
EINER = "null eins zwei drei vier fünf sechs sieben acht neun".split()
ZEHN = "zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn".split()
ZEHNER = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()

ENGLISH = ("", *UNITS, *TEENS, *TENS)  # its word 0 is padding: no word at all
GERMAN = ("", *EINER, "ein", "und", *ZEHN, *ZEHNER)  # its word 0 is the border


def pairs(digits: str) -> list[str]:
    """The digits two by two; blanks do not count.

    >>> pairs("42 17 05")
    ['42', '17', '05']
    """
    digits = "".join(digits.split())
    if not digits:
        raise ValueError("There is no number: type digits, such as 42 17 05.")
    if strange := next((c for c in digits if c not in "0123456789"), None):
        raise ValueError(f"A telephone number is made of digits, and “{strange}” is none.")
    if len(digits) % 2:
        raise ValueError(f"Digits are read in pairs, and {len(digits)} is odd: add or drop one.")
    return [digits[i : i + 2] for i in range(0, len(digits), 2)]


def spoken(digits: str) -> list[str]:
    """The number as English words.

    >>> " ".join(spoken("42 17 05 00 30"))
    'forty two seventeen oh five oh oh thirty'
    """
    words = []
    for a, b in ((int(a), int(b)) for a, b in pairs(digits)):
        if a == 1:
            words.append(TEENS[b])
        else:
            words.append(TENS[a - 2] if a else "oh")
            words += [UNITS[b]] if b or not a else []
    return words


def german(digits: str) -> list[str]:
    """The number as German words; zweiundvierzig, one word in print, is three here.

    >>> " ".join(german("42 17 05 00 31"))
    'zwei und vierzig siebzehn null fünf null null ein und dreißig'
    """
    words = []
    for a, b in ((int(a), int(b)) for a, b in pairs(digits)):
        if a == 0:
            words += ["null", EINER[b]]
        elif a == 1:
            words.append(ZEHN[b])
        else:
            words += ["ein" if b == 1 else EINER[b], "und"] if b else []
            words.append(ZEHNER[a - 2])
    return words


def held_out(digits: str) -> bool:
    """Is the number one of the fifth of all numbers that no network is ever taught?

    >>> [n for n in ("421705", "421706", "421707", "421708", "421709") if held_out(n)]
    ['421707']
    """
    return crc32(digits.encode()) % 5 == 0


def drawn(pairs: int | range, n: int, seed: int, held: bool = False) -> list[str]:
    """n numbers of so many pairs, or of lengths drawn evenly from a range: held-out ones, or none.

    >>> drawn(3, 2, seed=0)
    ['742547', '299893']
    """
    lengths = pairs if isinstance(pairs, range) else range(pairs, pairs + 1)
    if not lengths or min(lengths) < 1 or n < 1:
        raise ValueError("Draw one number or more, of one pair or more.")
    chance, numbers = random.Random(seed), []
    while len(numbers) < n:
        places = 2 * lengths[int(chance.random() * len(lengths))]
        digits = "".join(str(int(10 * chance.random())) for _ in range(places))
        if held_out(digits) == held:
            numbers.append(digits)
    return numbers


@cache
def places(words: tuple[str, ...]) -> dict[str, int]:
    """The index of each word of a vocabulary, except word 0."""
    return {word: i for i, word in enumerate(words) if i}


def ids(text: list[str], words: tuple[str, ...]) -> list[int]:
    """Each word's place in the vocabulary.

    >>> ids(["forty", "two"], ENGLISH)
    [23, 3]
    """
    place = places(words)
    if strange := [word for word in text if word not in place]:
        raise ValueError(f"No telephone number has the word “{strange[0]}”: see `spoken`.")
    return [place[word] for word in text]


def kept(said: list[str], right: list[str]) -> list[bool]:
    """Which of the words said are right: those of the longest text that both have in common.

    >>> kept("zwei und siebzehn".split(), "zwei und vierzig siebzehn".split())
    [True, True, True]
    """
    longest = np.zeros((len(said) + 1, len(right) + 1), int)
    for i in reversed(range(len(said))):
        for j in reversed(range(len(right))):
            same = said[i] == right[j]
            skipped = max(longest[i + 1, j], longest[i, j + 1])
            longest[i, j] = longest[i + 1, j + 1] + 1 if same else skipped
    marks, j = [], 0
    for i, word in enumerate(said):
        there = next((k for k in range(j, len(right)) if right[k] == word), None)
        mark = there is not None and bool(longest[i + 1, there + 1] + 1 == longest[i, j])
        marks.append(mark)
        j = there + 1 if mark else j
    return marks


def fault(said: list[str], right: list[str]) -> str:
    """What is wrong with a text: it stops early, leaves words out, adds some, or has others.

    >>> fault("zwei und vierzig".split(), "zwei und vierzig siebzehn".split())
    'stops early'
    """
    if said == right:
        return "none"
    if said == right[: len(said)]:
        return "stops early"
    common = sum(kept(said, right))
    return {len(said): "leaves out", len(right): "adds"}.get(common, "others")


Translation = tuple[list[str], Float[Array, "t m"]]  # words, and a row of weights for each
Gru = tuple[Array, Array, Array, Array]  # W, U, b and b_h, as in `firth.rnn.gated_cells`
CELLS = ("right", "left", "decoder")


@dataclass(frozen=True)
class Network:
    """The weights of an encoder, a decoder and the attention between them."""

    E: Float[Array, "V e"]
    D: Float[Array, "G e"]
    F: Float[Array, "d 2*d"]
    f: Float[Array, " d"]
    O: Float[Array, "G d"]  # noqa: E741
    o: Float[Array, " G"]
    right: Gru
    left: Gru
    decoder: Gru


def network(weights: dict[str, Array]) -> Network:
    """A network from its tables by name: E, D, F, f, O, o, and "right.W" … of the three GRUs."""
    cells = {cell: tuple(weights[f"{cell}.{k}"] for k in "WUbc") for cell in CELLS}
    return Network(**{k: weights[k] for k in "EDFfOo"}, **cells)


def stored(weights: str = "weights") -> dict[str, Array]:
    """The tables of the course's network; with "one vector", those of one without attention."""
    parts = stored_result("attention/telephone_numbers")[weights]
    return {name: dequantize(part) for name, part in parts.items()}


@cache
def shipped() -> Network:
    """The course's network."""
    return network(stored())


def read(source: list[str], net: Network) -> tuple[Float[Array, "m d"], Float[Array, " d"]]:
    """H, a row for every English word in its company, and s_0, what the reading has come to."""
    X, zero = net.E[ids(source, ENGLISH)], np.zeros(net.right[1].shape[1])
    right, left = gru(X, zero, *net.right), gru(X[::-1], zero, *net.left)[::-1]
    return np.concatenate([right, left], axis=-1), np.concatenate([right[-1], left[0]])


def step(
    y: int, s: Float[Array, " d"], H: Float[Array, "m d"], net: Network
) -> tuple[Float[Array, " d"], Float[Array, " m"], Float[Array, " G"]]:
    """One word of the decoder, in the six steps above: s_t, A_t, and a score for every word."""
    s = gru_step(net.D[y], s, *net.decoder)  # 1, 2
    A = softmax(dot_scores(s, H))  # 3
    o = np.tanh(net.F @ np.concatenate([s, A @ H]) + net.f)  # 4, 5
    return s, A, net.O @ o + net.o  # 6


def translation(digits: str, net: Network | None = None, attend: bool = True) -> Translation:
    """The German words of a network and its weights; it attends to the states, or to s_0 alone.

    >>> words, A = translation("42 17")
    >>> " ".join(words), A.shape
    ('zwei und vierzig siebzehn', (4, 3))
    """
    net = net or shipped()
    H, s = read(spoken(digits), net)
    words, looked, y, most = [], [], 0, 2 * len(H) + 4  # longer than any right text
    H = H if attend else s[None]
    while len(words) < most:
        s, A, scores = step(y, s, H, net)
        if not (y := int(scores.argmax())):
            break
        words.append(GERMAN[y])
        looked.append(A)
    return words, np.array(looked).reshape(len(words), len(H))
