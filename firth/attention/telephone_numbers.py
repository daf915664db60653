"""Telephone numbers as English and as German texts, and a translator of them in NumPy.

    4 2 1 7 0 5      forty two · seventeen · oh five      zwei und vierzig · siebzehn · null fünf

A number is read aloud in pairs of digits. German says the units before the tens, so the words of
both texts are in different orders, and attention weights show which words belong together. With a
row of E for each English word and a row of D for each German word, the network computes

    h_j  = [right_j; left_j]         encoder: two GRUs over x_1 … x_m, one in each direction
    s_0  = [right_m; left_1]         their last hidden states
    s_t  = GRU(y_{t−1}, s_{t−1})     1, 2  decoder: embed the last word, compute the hidden state
    A_t  = softmax_j(s_tᵀ h_j)       3     attention weights
    C_t  = Σ_j A_tj h_j                    context vector
    o_t  = tanh(F [s_t; C_t] + f)    4, 5  concatenate, one feed-forward layer
    p_t  = softmax(O o_t + o)        6     probability of each next word

Word 0 of the German is the border: the decoder reads it first and writes it after the last word.
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


def digit_pairs(digits: str) -> list[str]:
    """The digits of a number in pairs, as strings; blanks do not count.

    >>> digit_pairs("42 17 05")
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


def english_words(digits: str) -> list[str]:
    """The words of a number as it is read aloud in English.

    >>> " ".join(english_words("42 17 05 00 30"))
    'forty two seventeen oh five oh oh thirty'
    """
    words = []
    for a, b in ((int(a), int(b)) for a, b in digit_pairs(digits)):
        if a == 1:
            words.append(TEENS[b])
        else:
            words.append(TENS[a - 2] if a else "oh")
            words += [UNITS[b]] if b or not a else []
    return words


def german_words(digits: str) -> list[str]:
    """The words of a number as it is read aloud in German; zweiundvierzig counts as three words.

    >>> " ".join(german_words("42 17 05 00 31"))
    'zwei und vierzig siebzehn null fünf null null ein und dreißig'
    """
    words = []
    for a, b in ((int(a), int(b)) for a, b in digit_pairs(digits)):
        if a == 0:
            words += ["null", EINER[b]]
        elif a == 1:
            words.append(ZEHN[b])
        else:
            words += ["ein" if b == 1 else EINER[b], "und"] if b else []
            words.append(ZEHNER[a - 2])
    return words


def is_held_out(digits: str) -> bool:
    """Whether a number is one of the held-out fifth, from which no network ever learns.

    >>> [n for n in ("421705", "421706", "421707", "421708", "421709") if is_held_out(n)]
    ['421707']
    """
    return crc32(digits.encode()) % 5 == 0


def random_numbers(pairs: int | range, n: int, seed: int, held_out: bool = False) -> list[str]:
    """n random numbers as strings of digits, all of them held out or none of them.

    `pairs` is the number of pairs of each, or a range from which it is chosen at random.

    >>> random_numbers(3, 2, seed=0)
    ['742547', '299893']
    """
    lengths = pairs if isinstance(pairs, range) else range(pairs, pairs + 1)
    if not lengths or min(lengths) < 1 or n < 1:
        raise ValueError("Ask for one number or more, of one pair or more.")
    rng, numbers = random.Random(seed), []
    while len(numbers) < n:
        size = 2 * lengths[int(rng.random() * len(lengths))]
        digits = "".join(str(int(10 * rng.random())) for _ in range(size))
        if is_held_out(digits) == held_out:
            numbers.append(digits)
    return numbers


def word_indices(text: list[str], words: tuple[str, ...]) -> list[int]:
    """The index of each word of a text in a vocabulary.

    >>> word_indices(["forty", "two"], ENGLISH)
    [23, 3]
    """
    index = {word: i for i, word in enumerate(words) if i}
    if strange := [word for word in text if word not in index]:
        raise ValueError(f"No telephone number has the word “{strange[0]}”: see `english_words`.")
    return [index[word] for word in text]


def correct_words(written: list[str], right: list[str]) -> list[bool]:
    """For each written word, whether it belongs to a longest common subsequence of both texts.

    >>> correct_words("zwei und siebzehn".split(), "zwei und vierzig siebzehn".split())
    [True, True, True]
    """
    longest = np.zeros((len(written) + 1, len(right) + 1), int)
    for i in reversed(range(len(written))):
        for j in reversed(range(len(right))):
            same = written[i] == right[j]
            skipped = max(longest[i + 1, j], longest[i, j + 1])
            longest[i, j] = longest[i + 1, j + 1] + 1 if same else skipped
    marks, j = [], 0
    for i, word in enumerate(written):
        there = next((k for k in range(j, len(right)) if right[k] == word), None)
        mark = there is not None and bool(longest[i + 1, there + 1] + 1 == longest[i, j])
        marks.append(mark)
        j = there + 1 if mark else j
    return marks


def kind_of_error(written: list[str], right: list[str]) -> str:
    """One of five names: "none", "stops early", "leaves out", "adds" or, else, "others".

    "leaves out" means that only words are missing, "adds" that only words are too many.

    >>> kind_of_error("zwei und vierzig".split(), "zwei und vierzig siebzehn".split())
    'stops early'
    """
    if written == right:
        return "none"
    if written == right[: len(written)]:
        return "stops early"
    common = sum(correct_words(written, right))
    return {len(written): "leaves out", len(right): "adds"}.get(common, "others")


Translation = tuple[list[str], Float[Array, "t m"]]  # words, a row of weights for each
Gru = tuple[Array, Array, Array, Array]  # W, U, b and b_h, as in `firth.rnn.gated_cells`
CELLS = ("right", "left", "decoder")


@dataclass(frozen=True)
class Network:
    """The parameters of an encoder and a decoder; attention has none of its own."""

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
    """The network with these arrays: E, D, F, f, O, o, and "right.W" … for each of three GRUs."""
    cells = {cell: tuple(weights[f"{cell}.{k}"] for k in "WUbc") for cell in CELLS}
    return Network(**{k: weights[k] for k in "EDFfOo"}, **cells)


def stored_weights(name: str = "weights") -> dict[str, Array]:
    """The arrays of the stored network with attention; of "one vector", of the one without."""
    parts = stored_result("attention/telephone_numbers")[name]
    return {name: dequantize(part) for name, part in parts.items()}


@cache
def stored_network() -> Network:
    """The stored network with attention."""
    return network(stored_weights())


def encode(source: list[str], net: Network) -> tuple[Float[Array, "m d"], Float[Array, " d"]]:
    """H, with the hidden state of each English word in a row, and s_0, the last hidden states."""
    X, zero = net.E[word_indices(source, ENGLISH)], np.zeros(net.right[1].shape[1])
    right, left = gru(X, zero, *net.right), gru(X[::-1], zero, *net.left)[::-1]
    return np.concatenate([right, left], axis=-1), np.concatenate([right[-1], left[0]])


def decoder_step(
    y: int, s: Float[Array, " d"], H: Float[Array, "m d"], net: Network
) -> tuple[Float[Array, " d"], Float[Array, " m"], Float[Array, " G"]]:
    """s_t, A_t and a score for each German word, computed in the six parts listed above."""
    s = gru_step(net.D[y], s, *net.decoder)  # 1, 2
    A = softmax(dot_scores(s, H))  # 3
    o = np.tanh(net.F @ np.concatenate([s, A @ H]) + net.f)  # 4, 5
    return s, A, net.O @ o + net.o  # 6


def translation(digits: str, net: Network | None = None, attend: bool = True) -> Translation:
    """The German words that a network writes, and A; without `attend` the context is s_0.

    >>> words, A = translation("42 17")
    >>> " ".join(words), A.shape
    ('zwei und vierzig siebzehn', (4, 3))
    """
    net = net or stored_network()
    H, s = encode(english_words(digits), net)
    words, rows, y, longest = [], [], 0, 2 * len(H) + 4  # longer than any right text
    H = H if attend else s[None]
    while len(words) < longest:
        s, A, scores = decoder_step(y, s, H, net)
        if not (y := int(scores.argmax())):
            break
        words.append(GERMAN[y])
        rows.append(A)
    return words, np.array(rows).reshape(len(words), len(H))
