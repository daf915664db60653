"""Byte-level BPE: the same ids as the tokenizers library, on whatever can be written."""

import random
import sys
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firth.store import corpora
from firth.transformer import smollm
from firth.transformer.bpe import Tokenizer, joined, visible, words


@pytest.fixture(scope="module")
def mine():
    return smollm.tokenizer()


@pytest.fixture(scope="module")
def peer(mine):
    """The library's tokenizer, put together as SmolLM2's authors did."""
    tokenizers = pytest.importorskip("tokenizers")
    ranked = sorted(mine.ranks, key=mine.ranks.get)
    made = tokenizers.Tokenizer(tokenizers.models.BPE(mine.ids, ranked))
    digits = tokenizers.pre_tokenizers.Digits(individual_digits=True)
    byte_level = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.pre_tokenizer = tokenizers.pre_tokenizers.Sequence([digits, byte_level])
    made.decoder = tokenizers.decoders.ByteLevel()
    signs = sorted(mine.special, key=mine.ids.get)
    made.add_special_tokens([tokenizers.AddedToken(sign, normalized=False) for sign in signs])
    return made


def same(mine, peer, text):
    assert mine.encoded(text) == peer.encode(text, add_special_tokens=False).ids, repr(text)


ODD = [
    "",
    " ",
    "  ",
    "\n",
    " \n ",
    "\t\tx",
    "a  b",
    "a   12  b",
    "1 2  3",
    "½²①Ⅷ",
    "一二三 四",
    "٣٤",
    "x\u00a0y",
    "\u3000全角",
    "\u2028\u2029",
    "\x85",
    "\x1c \x1f",
    "a\x1cb",
    "\x00",
    "!\x04!",
    "th\x06e",
    "don't",
    "DON'T",
    "'s's 't",
    "'S",
    "it''s",
    "' s",
    "’s",
    "e\u0301",
    "naïve",
    "ſ't",
    "'ſ",
    "👩‍👩‍👧‍👦 🇨🇭",
    "🏳️‍🌈x",
    "\ufeffa",
    "<|im_start|>user\nHi<|im_end|>",
    "<|im_start|",
    "<|im_start|><|im_start|>",
    "a<|endoftext|> b",
    "Zürich–Genève: 3,5 %",
    "ʰʱ ˈaː",
    "ﷺ",
    "𝔘𝔫𝔦",
    "\U0001f9ff\U000e0001",
    "हिन्दी",
    "ไทย",
    "__init__",
    "\r\n\r\n",
    "a\n\n\nb",
    "      return x",
    "}\n\n\tfoo",
    "...",
    "— — —",
    "100000",
    "1.000.000",
    " 7",
    "\n7",
    "x 7 y",
]


@pytest.mark.parametrize("text", ODD)
def test_odd_texts_have_the_librarys_ids(mine, peer, text):
    same(mine, peer, text)


def test_thousands_of_lines_of_books_have_the_librarys_ids(mine, peer):
    lines = [line for book in corpora.books() for line in book.splitlines()[:400]]
    assert len(lines) > 3000
    for line in lines:
        same(mine, peer, line)


def test_thousands_of_lines_of_any_characters_have_the_librarys_ids(mine, peer):
    """Assigned ones: what a later Unicode has added, two libraries may not yet agree upon."""
    chance = random.Random(0)
    every = [chr(code) for code in range(sys.maxunicode + 1)]
    every = [c for c in every if unicodedata.category(c) not in ("Cn", "Cs", "Co")]
    common = list(" \t\n'’sdtrellvem0123456789.,!?-_<|>aeiouBCDÄéßñΩж中あ🙂 ½²")
    for _ in range(4000):
        letters = every if chance.random() < 0.4 else common
        same(mine, peer, "".join(chance.choices(letters, k=chance.randrange(1, 40))))


def test_every_mixture_of_kinds_has_the_librarys_ids(mine, peer):
    @given(st.text(st.sampled_from(" \n\t\x1c\x85'sret09½aé中!_"), max_size=25))
    @settings(max_examples=400, deadline=None, derandomize=True, database=None)
    def holds(text):
        same(mine, peer, text)

    holds()


@given(st.text())
@settings(max_examples=300, deadline=None, derandomize=True, database=None)
def test_words_put_together_are_the_text(text):
    assert "".join(words(text)) == text


def test_what_was_encoded_comes_back(mine):
    for text in ODD:
        if not {"\x04", "\x06", "\x1c", "\x1f"} & set(text):
            assert mine.decoded(mine.encoded(text)) == text
    lacking = [byte for byte, letter in visible().items() if letter not in mine.ids]
    assert len(lacking) == 21 and mine.encoded("\x04") == []


def test_half_a_character_is_shown_as_such(mine):
    ids = mine.encoded("🧿")
    assert len(ids) > 1 and mine.decoded(ids[:1]) == "�"


def test_every_byte_has_a_letter_of_its_own_that_can_be_seen():
    letters = visible()
    assert len(set(letters.values())) == 256 == len(letters)
    assert all(letter.isprintable() and not letter.isspace() for letter in letters.values())


def slowly(letters, ranks):
    """All pairs of the best rank, then again."""
    parts = list(letters)
    while True:
        found = [ranks[pair] for pair in pairwise(parts) if pair in ranks]
        if not found:
            return parts
        first = next(pair for pair, rank in ranks.items() if rank == min(found))
        i = 0
        while i < len(parts) - 1:
            if (parts[i], parts[i + 1]) == first:
                parts[i : i + 2] = ["".join(first)]
            i += 1


@given(st.text("abc", max_size=12), st.permutations(["a b", "b c", "ab c", "a a", "c ab", "b b"]))
@settings(max_examples=300, deadline=None, derandomize=True, database=None)
def test_joining_one_by_one_is_joining_pair_by_pair_where_parts_come_first(text, pairs):
    pairs = sorted(pairs, key=len)  # as training finds them: a part before what it is part of
    ranks = {tuple(pair.split()): rank for rank, pair in enumerate(pairs)}
    assert joined(text, ranks) == slowly(text, ranks)


def test_an_id_that_is_none_is_refused(mine):
    for i in (-1, 49152):
        with pytest.raises(ValueError, match=f"There is no token {i}: ids are 0 … 49151"):
            mine.decoded([i])


def test_a_tokenizer_without_special_signs_splits_nothing_off():
    assert Tokenizer([*"<a>"], []).encoded("<a>") == [0, 1, 2]
