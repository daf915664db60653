"""Byte-level BPE: a text as pieces that occur often, and any text at all as its bytes.

    text    →  words        letters, or signs, with the blank before them; each digit alone
    word    →  bytes        of UTF-8, each written as one visible character: a blank is Ġ
    bytes   →  tokens       of all neighbours, those join that stand highest in the list; again
    tokens  →  ids          their places in the vocabulary

The list was learned: what stood most often side by side in much text was joined first (Sennrich
and others, 2016; on bytes, Radford and others, 2019). So "the" is one token, and a rare word is
several. No word is unknown, for at worst it is bytes, and `decoded` gives back what `encoded` was
given. (A vocabulary may lack bytes that hardly any text has; they are left out.)
"""

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from math import inf

# The alternatives are tried in turn: an English ending; letters; one digit; signs; blanks, of
# which the last is left to the word that follows; a blank that was left where no word follows.
WORD = re.compile(
    r"'(?:s|t|re|ve|m|ll|d)| ?[a-zA-Z]+|[0-9]| ?[^\sa-zA-Z0-9]+|\s+(?![^\s0-9])|\s+", re.ASCII
)


class Kinds(dict):
    """Stands for every character of the world one of ASCII that is of the same kind."""

    def __missing__(self, code: int) -> int:
        letter = chr(code)
        kind = {"L": "A", "N": "0"}.get(unicodedata.category(letter)[0], "!")
        self[code] = code if code < 128 else ord("\t" if letter.isspace() else kind)
        return self[code]


KIND = Kinds()


def words(text: str) -> list[str]:
    """The text in parts that no token reaches across; put together they are the text.

    >>> words("They've  paid 42 €!")
    ['They', "'ve", ' ', ' paid', ' ', '4', '2', ' €!']
    """
    return [text[m.start() : m.end()] for m in WORD.finditer(text.translate(KIND))]


def visible() -> dict[int, str]:
    """A character to write each byte with: itself if it can be seen, else one from further up.

    >>> [visible()[byte] for byte in "a é".encode()]
    ['a', 'Ġ', 'Ã', '©']
    """
    seen = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), 256)]
    hidden = [byte for byte in range(256) if byte not in seen]
    return {byte: chr(byte) for byte in seen} | {b: chr(256 + i) for i, b in enumerate(hidden)}


def joined(parts: Sequence[str], ranks: dict[tuple[str, str], int]) -> list[str]:
    """Neighbours joined, those of the lowest rank first, until no two of the list are left.

    >>> joined("lower", {("e", "r"): 0, ("l", "o"): 1, ("w", "er"): 2, ("o", "w"): 3})
    ['lo', 'wer']
    """
    parts = list(parts)
    while len(parts) > 1:
        rank, i = min((ranks.get(pair, inf), i) for i, pair in enumerate(pairwise(parts)))
        if rank == inf:
            break
        parts[i : i + 2] = [parts[i] + parts[i + 1]]
    return parts


class Tokenizer:
    """A vocabulary, a list of joins, and signs that no text can contain by chance.

    >>> tokenizer = Tokenizer([*"abc", "ab", "<end>"], ["a b"], ["<end>"])
    >>> tokenizer.encoded("abcab<end>")
    [3, 2, 3, 4]
    >>> tokenizer.decoded([3, 2])
    'abc'
    """

    def __init__(self, tokens: Sequence[str], joins: Sequence[str], special: Sequence[str] = ()):
        self.tokens, self.special = tokens, set(special)
        self.ids = {token: i for i, token in enumerate(tokens)}
        self.ranks = {tuple(pair.split(" ")): rank for rank, pair in enumerate(joins)}
        self.known: dict[str, list[int]] = {}  # words met before
        self.byte = visible()
        self.from_visible = {letter: byte for byte, letter in self.byte.items()}
        signs = sorted(map(re.escape, special), key=len, reverse=True)
        self.sign = re.compile(f"({'|'.join(signs)})" if signs else "(?!)()")

    def encoded(self, text: str) -> list[int]:
        """The ids of a text; a special sign in it stands for itself."""
        ids = []
        for part in self.sign.split(text):
            if part in self.special:
                ids.append(self.ids[part])
            else:
                ids += (i for word in words(part) for i in self.word(word))
        return ids

    def word(self, word: str) -> list[int]:
        """The ids of one word."""
        if word not in self.known:
            letters = [self.byte[byte] for byte in word.encode() if self.byte[byte] in self.ids]
            self.known[word] = [self.ids[token] for token in joined(letters, self.ranks)]
        return self.known[word]

    def decoded(self, ids: Sequence[int]) -> str:
        """The text of some ids; bytes that are no text (half a character) show as �."""
        return b"".join(map(self.piece, ids)).decode(errors="replace")

    def piece(self, i: int) -> bytes:
        """The bytes that a token stands for."""
        if not 0 <= i < len(self.tokens):
            raise ValueError(f"There is no token {i}: ids are 0 … {len(self.tokens) - 1}.")
        token = self.tokens[i]
        return token.encode() if token in self.special else bytes(map(self.from_visible.get, token))
