"""WordPiece: a word as the longest known pieces, from left to right; so 30,522 pieces write it.

    text    →  normalised   no control characters, no capitals, no accents
    text    →  pretokens    parted at blanks, and at every sign of punctuation
    word    →  pieces       the longest beginning that the list has, then the longest of what is
                            left, written ##…; a word that cannot be written so is [UNK]
    text    →  encoded      [CLS] a [SEP], or [CLS] a [SEP] b [SEP], as numbers with segments 0, 1

A common word is one piece, and a rare one several, which a network may have met in other words.
The way back is lost: "Été" and "ete" are one text here. The list was learned from much text, in
the order of what made that text likelier (Schuster and Nakajima, 2012; in this form, Wu and
others, 2016; without capitals and accents, Devlin and others, 2019). Using it takes no more than
a look for the longest match.
"""

import re
import string
import unicodedata
from collections.abc import Callable, Iterator, Sequence

LONGEST = 100  # letters of a word; of more no piece is sought
PLACES = 512  # a BERT has numbers for so many places and no more
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
SIGNS = re.compile(f"({'|'.join(map(re.escape, SPECIAL))})")
HAN = (  # Chinese characters, also of Japanese and Korean: no blanks stand between such words
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip


class Each(dict):
    """What becomes of each character, as `str.translate` asks: worked out once, then looked up."""

    def __init__(self, rule: Callable[[str], str]):
        self.rule = rule

    def __missing__(self, code: int) -> str:
        self[code] = self.rule(chr(code))
        return self[code]


@Each
def cleaned(letter: str) -> str:
    """Nothing of a control character, a blank of any blank, and room around each Chinese one."""
    kind = unicodedata.category(letter)
    if letter in "\t\n\r" or kind[0] == "Z":
        return " "
    if kind in ("Cc", "Cf", "Co", "Cs") or letter == "\ufffd":  # Cn, not yet assigned, may stay
        return ""
    han = any(first <= ord(letter) <= last for first, last in HAN)
    return f" {letter} " if han else letter


@Each
def bare(letter: str) -> str:
    """A small letter; nothing of an accent, once NFD has parted it from its letter."""
    return "" if unicodedata.category(letter) == "Mn" else letter.lower()


@Each
def apart(letter: str) -> str:
    """Room around each sign: what Unicode calls punctuation, and $ + < = > ^ ` | ~ as well."""
    sign = letter in string.punctuation or unicodedata.category(letter)[0] == "P"
    return f" {letter} " if sign else letter


def normalised(text: str) -> str:
    """The text as BERT reads it: without capitals, accents and what cannot be seen.

    Letter by letter: a Greek word's last σ is no special case here. A stroke is no accent, so ø
    and ł stay. Special signs, written as [MASK] is, stand for themselves.

    >>> normalised("Ça va, [MASK] Øresund?")
    'ca va, [MASK] øresund?'
    """
    parts = SIGNS.split(text)
    parts[::2] = (
        unicodedata.normalize("NFD", part.translate(cleaned)).translate(bare) for part in parts[::2]
    )
    return "".join(parts)


def pretokens(text: str) -> list[str]:
    """The words and signs of a text: no piece reaches across them.

    >>> pretokens("L'Hospitalet: [MASK] €")
    ['l', "'", 'hospitalet', ':', '[MASK]', '€']
    """
    parts = SIGNS.split(normalised(text))
    parts[::2] = (part.translate(apart) for part in parts[::2])
    return " ".join(parts).split()


def beginnings(word: str, start: int) -> Iterator[str]:
    """What may be the next piece of a word from there on: all of the rest, then less and less.

    >>> list(beginnings("able", 1))
    ['##ble', '##bl', '##b']
    """
    for end in range(len(word), start, -1):
        yield "##" * (start > 0) + word[start:end]


class WordPiece:
    """A list of pieces, and the numbers that are their places in it.

    >>> words = WordPiece(["[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "##a", "affable"])
    >>> words.pieces("Unaffable, affable!")
    ['un', '##aff', '##able', '[UNK]', 'affable', '[UNK]']
    >>> words.encoded("affable", "unaffable")
    ([1, 7, 2, 3, 4, 5, 2], [0, 0, 0, 1, 1, 1, 1])
    >>> words.decoded([1, 7, 2, 3, 4, 5, 2])
    '[CLS] affable [SEP] unaffable [SEP]'
    """

    def __init__(self, tokens: Sequence[str]):
        self.tokens = list(tokens)
        self.numbers = {token: i for i, token in enumerate(self.tokens)}
        if lacking := [sign for sign in ("[UNK]", "[CLS]", "[SEP]") if sign not in self.numbers]:
            raise ValueError(f"A list of pieces must have {lacking[0]}, and this one has not.")
        self.met: dict[str, list[str]] = {}

    def pieces(self, text: str) -> list[str]:
        """The pieces of a text, without [CLS] and [SEP]."""
        return [piece for word in pretokens(text) for piece in self.word(word)]

    def word(self, word: str) -> list[str]:
        """The pieces of one word, remembered: most words of a text have come before."""
        if word not in self.met:
            self.met[word] = self.matched(word)
        return self.met[word]

    def matched(self, word: str) -> list[str]:
        """Greedy: the longest match now, and never a step back, even if the rest then has none."""
        if len(word) > LONGEST:
            return ["[UNK]"]
        found, start = [], 0
        while start < len(word):
            piece = next((part for part in beginnings(word, start) if part in self.numbers), None)
            if piece is None:
                return ["[UNK]"]
            start += len(piece) - 2 * (start > 0)
            found.append(piece)
        return found

    def encoded(self, text: str, other: str | None = None) -> tuple[list[int], list[int]]:
        """The numbers of one text or of two, with [CLS] and [SEP]; and which text each is of."""
        first = ["[CLS]", *self.pieces(text), "[SEP]"]
        second = [] if other is None else [*self.pieces(other), "[SEP]"]
        if (n := len(first) + len(second)) > PLACES:
            raise ValueError(f"This takes {n} tokens, and BERT has {PLACES} places: shorten it.")
        numbers = [self.numbers[piece] for piece in [*first, *second]]
        return numbers, [0] * len(first) + [1] * len(second)

    def decoded(self, numbers: Sequence[int]) -> str:
        """The pieces of these numbers, put together: not the text that was, but what was read."""
        if wrong := [i for i in numbers if not 0 <= i < len(self.tokens)]:
            raise ValueError(
                f"There is no token {wrong[0]}: they are 0 … {len(self.tokens) - 1} here."
            )
        return " ".join(self.tokens[i] for i in numbers).replace(" ##", "")
