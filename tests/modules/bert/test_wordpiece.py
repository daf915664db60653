"""WordPiece: the same pieces as the tokenizers library, on whatever can be written."""

import gzip
import random
import sys
import unicodedata
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firth.bert.wordpiece import PLACES, SPECIAL, WordPiece, normalised, pretokens
from firth.store import corpora, downloads

FILE = downloads.fetch("minilm_words")
WORDS = WordPiece(FILE.read_text(encoding="utf-8").splitlines())
NOT_YET = ("Cn", "Co", "Cs")  # characters that are not assigned, private, or halves of pairs
EVERY = [chr(code) for code in range(sys.maxunicode + 1)]
EVERY = [c for c in EVERY if unicodedata.category(c) not in NOT_YET]
some = settings(max_examples=400, deadline=None, derandomize=True, database=None)


@pytest.fixture(scope="module")
def peer():
    """The library's tokenizer, put together as BERT's authors did."""
    tokenizers = pytest.importorskip("tokenizers")
    made = tokenizers.BertWordPieceTokenizer(WORDS.numbers, lowercase=True)
    made.add_special_tokens(list(SPECIAL))
    return made


def same(peer, text, other=None):
    theirs = peer.encode(text, other)
    assert WORDS.encoded(text, other) == (theirs.ids, theirs.type_ids), repr(text)


# The facts


def test_B1_the_descent():
    ids, _ = WORDS.encoded("This was it, the descent.")
    assert WORDS.decoded(ids) == "[CLS] this was it , the descent . [SEP]"


def test_B2_a_purplish_glimmer_without_and_with_the_dots_around_it():
    pieces = "merging into a vague , pu ##rp ##lish g ##lim ##mer".split()
    text = "merging into a vague, purplish glimmer"
    assert WORDS.pieces(text) == pieces
    assert WORDS.pieces(f"...{text}...") == [*"...", *pieces, *"..."]


def test_B3_a_prize_that_nobody_won():
    ids, _ = WORDS.encoded("you've won 202000 Eur")
    assert [WORDS.tokens[i] for i in ids] == "[CLS] you ' ve won 2020 ##00 eu ##r [SEP]".split()


# The library


ODD = [
    *("", " ", "\n", "\t\ta\r\n", "\x00", "a\x00b", "a\x0bb\x0cc\x85d", "\x1c \x1f", "\x7f"),
    "\ufffd",
    *("a\u00a0b", "\u3000全角", "\u2028\u2029", "a\u200bb", "a\u200db", "a\u00adb", "\ufeffa"),
    "\u202eabc",
    *("é", "e\u0301", "É", "ÀÉÎÕÜ", "ñandú", "Ångström", "İstanbul", "ı", "ß ẞ", "ø ł đ"),
    "ŉ ﬁ ﬃ",
    *("ΣΑΣ", "ὈΔΥΣΣΕΎΣ", "ǅ ǆ", "K Å Ω", "Ⅷ ⅷ", "①½²", "𝔘𝔫𝔦", "Ａｂｃ", "a\u0300\u0301\u0302b"),
    *("\u0301", "\u0301a"),
    *("日本語", "한국어", "ひらがな カタカナ", "中a文"),
    *("\uf900", "\U0002a6df", "\U0002f800", "一二三 四"),
    *("हिन्दी", "ไทย", "עִבְרִית", "العَرَبِيَّة", "ﷺ", "বাংলা", "தமிழ்"),
    *("👩‍👩‍👧‍👦 🇨🇭", "🏳️‍🌈x", "I ❤️ U", "👍🏽", "a🙂b", "☃", "™ ® ©"),
    *("don't", "it''s", "’s", "“So?”", "—–-", "...", "…", "a_b", "$3+4=7<8>^`|~", "§ ¶ • · ¿¡"),
    *("x@y.zz", "C++"),
    *("1,000.50 €", "£5", "20%", "½", "3²", "100000", "http://a.b/c?d=e&f", "##s", "# #s"),
    "a##b",
    *("[MASK]", "a [MASK] b", "a[MASK]b", "[mask]", "[MASK", "[CLS] a [SEP]", "[UNK]"),
    *("[PAD][PAD]", "[[MASK]]"),
    *("a" * 100, "a" * 101, "é" * 101, "a\u0301" * 100, "a\u0301" * 101, "x" * 99 + "☃"),
    "a" * 50 + "." + "a" * 60,
    *("unaffable", "antidisestablishmentarianism", "Donaudampfschifffahrt", "Llobregat"),
    "Sant Boi",
]  # fmt: skip


@pytest.mark.parametrize("text", ODD, ids=ascii)
def test_odd_texts_have_the_librarys_numbers(peer, text):
    same(peer, text)
    same(peer, "one", text)
    same(peer, text, "two")


def test_ten_thousand_lines_of_an_encyclopedia_with_its_markup_have_the_librarys_numbers(peer):
    """Raw: with links, tables, entities, and the names of articles in the scripts of the world."""
    with gzip.open(downloads.fetch("enwik8"), "rt", encoding="utf-8", newline="\n") as dump:
        lines = [line for n, line in enumerate(islice(dump, 400_000)) if n % 39 == 0]
    assert len(lines) > 10_000 and sum(not line.isascii() for line in lines) > 300
    for line in lines:
        line = line[:1500]  # a line is a paragraph, and some are longer than BERT's places
        same(peer, line)


def test_names_with_accents_have_the_librarys_numbers(peer):
    for place in corpora.places():
        same(peer, place, unicodedata.normalize("NFD", place).upper())


# The characters that Unicode itself has moved


@pytest.fixture(scope="module")
def moved(peer):
    """The characters that the library reads otherwise than this module, of all that there are."""
    norm, split = peer.normalizer.normalize_str, peer.pre_tokenizer.pre_tokenize_str
    return {c for c in EVERY if pretokens(f"a{c}a") != [w for w, _ in split(norm(f"a{c}a"))]}


@pytest.mark.night
def test_every_character_that_unicode_had_in_2002_is_read_as_the_library_reads_it(moved):
    """But for four, whose kind Unicode has changed since the library's tables were made."""
    old = {c for c in moved if unicodedata.ucd_3_2_0.category(c) != "Cn"}
    assert {unicodedata.name(c) for c in old} <= {
        "HANUNOO SIGN PAMUDPOD", "CANADIAN SYLLABICS CHI SIGN",
        "MONGOLIAN LETTER ALI GALI BALUDA", "MONGOLIAN LETTER ALI GALI THREE BALUDA",
    }  # fmt: skip


@pytest.mark.night
def test_no_character_that_is_read_otherwise_stands_in_any_piece(moved):
    """They are marks and signs that are newer than the library's tables, and 256 rare Chinese
    characters: the library begins a range at 2B920 that BERT's authors began at 2B820."""
    assert not moved & {c for token in WORDS.tokens for c in token}
    assert 256 <= len(moved) < 1000
    assert {chr(c) for c in range(0x2B820, 0x2B920)} <= moved


@pytest.mark.night
def test_any_text_of_other_characters_has_the_librarys_numbers(peer, moved):
    kinds = st.characters(exclude_categories=NOT_YET).filter(lambda c: c not in moved)
    common = st.sampled_from(" \n'’.,aeiouéÉßñß中國あ🙂\u0301\u200d\u200b\x00\ufe0f[]#MASK09$")

    @given(st.text(kinds | common, max_size=40))
    @some
    def holds(text):
        same(peer, text)

    holds()


@pytest.mark.night
def test_thousands_of_lines_of_any_characters_have_the_librarys_numbers(peer, moved):
    chance = random.Random(0)
    every = [c for c in EVERY if c not in moved]
    european = [c for c in every if ord(c) < 0x600]
    for _ in range(4000):
        letters = every if chance.random() < 0.3 else european
        same(peer, "".join(chance.choices(letters, k=chance.randrange(1, 40))))


# What must hold of it


def slowly(word):
    """Of all the ways to cut a word, the one whose first piece is longest, then the second …"""

    def ways(rest, begun):
        if not rest:
            yield []
        for end in range(1, len(rest) + 1):
            piece = "##" * begun + rest[:end]
            if piece in WORDS.numbers:
                for others in ways(rest[end:], True):
                    yield [piece, *others]

    best = max(ways(word, False), key=lambda way: [len(p.removeprefix("##")) for p in way])
    return best


@given(st.text("abcdefghijklmnoprstuvwyz", min_size=1, max_size=9))
@some
def test_a_word_of_letters_is_the_first_of_all_its_cuttings_by_length(word):
    """Every small letter is a piece, with ## as without: so no greedy step can end in a trap."""
    assert WORDS.pieces(word) == slowly(word)


def test_greed_may_end_in_a_trap_out_of_which_it_does_not_step_back():
    trap = WordPiece(["[UNK]", "[CLS]", "[SEP]", "ab", "a", "##bc"])
    assert trap.pieces("abc") == ["[UNK]"]  # though a ##bc would do
    assert trap.pieces("ab") == ["ab"]


@given(st.text())
@some
def test_pretokens_of_a_normalised_text_are_those_of_the_text(text):
    assert pretokens(normalised(text)) == pretokens(text)


@given(st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("aeiou ")))
@some
def test_pieces_put_together_are_the_words_unless_one_is_unknown(text):
    for word in pretokens(text):
        pieces = WORDS.word(word)
        whole = "".join(piece.removeprefix("##" if n else "") for n, piece in enumerate(pieces))
        assert pieces == ["[UNK]"] or whole == word


def test_what_was_encoded_is_decoded_as_the_library_does_it(peer):
    chance = random.Random(1)
    peer.decoder = pytest.importorskip("tokenizers").decoders.WordPiece(cleanup=False)
    for _ in range(200):
        ids = chance.choices(range(len(WORDS.tokens)), k=12)
        assert WORDS.decoded(ids) == peer.decode(ids, skip_special_tokens=False)


def test_an_empty_text_has_no_pieces_and_is_still_a_text():
    assert WORDS.pieces("") == [] == WORDS.pieces(" \u200b\n")
    assert WORDS.encoded("") == ([101, 102], [0, 0])
    assert WORDS.encoded("", "") == ([101, 102, 102], [0, 0, 1])


def test_half_a_pair_of_surrogates_is_no_character_and_is_left_out():
    assert normalised("a\ud83db") == "ab"


def test_512_tokens_are_taken_and_513_refused_in_one_sentence():
    assert len(WORDS.encoded("x " * 510)[0]) == PLACES
    assert len(WORDS.encoded("x " * 500, "y " * 9)[0]) == PLACES
    for texts in (["x " * 511], ["x " * 500, "y " * 10]):
        with pytest.raises(ValueError, match="takes 513 tokens, and BERT has 512 places: shorten"):
            WORDS.encoded(*texts)


@pytest.mark.parametrize("i", [-1, 30522])
def test_a_number_that_is_no_tokens_is_refused(i):
    with pytest.raises(ValueError, match=f"There is no token {i}: they are 0 … 30521 here"):
        WORDS.decoded([101, i])


@pytest.mark.parametrize("lacking", ["[UNK]", "[CLS]", "[SEP]"])
def test_a_list_without_a_sign_that_it_needs_is_refused(lacking):
    with pytest.raises(ValueError, match=r"must have \[.*\], and this one has not"):
        WordPiece([sign for sign in SPECIAL if sign != lacking])
