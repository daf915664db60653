"""Exercise 6, pieces: a word as the longest pieces that a list has, from left to right.

piece = the longest beginning of what is left that is in the list, with ## before it if the word
has begun already;   [UNK] for the whole word where there is none
"""

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.mistakes import fitting

UNK, MARK = "[UNK]", "##"


def one_by_one(word, numbers):
    """The right answer: of all pieces that fit here, the longest; then the same for the rest."""
    found, mark = [], ""
    while word:
        fit = [piece for piece in numbers if piece.startswith(mark)]
        fit = [piece[len(mark) :] for piece in fit if word.startswith(piece[len(mark) :])]
        if not (best := max(fit, key=len, default="")):
            return [numbers[UNK]]
        found.append(numbers[mark + best])
        word, mark = word[len(best) :], MARK
    return found


def cut(
    mark=lambda start: MARK * (start > 0),
    ends=lambda start, n: range(n, start, -1),
    stuck=lambda found, numbers: [numbers[UNK]],
    goes_on=None,
    rest=lambda word, piece: word[len(piece) :],
):
    """A way of cutting, the right one by default: what is tried, and what if nothing fits."""

    def word_pieces(word, numbers):
        found, start = [], 0
        while word:
            for end in ends(0, len(word)):
                if 0 < end <= len(word) and mark(start) + word[:end] in numbers:
                    found.append(numbers[mark(start) + word[:end]])
                    word, start = rest(word, word[:end]), start + end
                    break
            else:
                if goes_on is None:
                    return stuck(found, numbers)
                found += goes_on(numbers)
                word, start = word[1:], start + 1
        return found

    return word_pieces


def every_way(word, numbers, mark=""):
    """All cuts of a word into pieces of the list."""
    if not word:
        yield []
    for end in range(len(word), 0, -1):
        if (piece := mark + word[:end]) in numbers:
            for others in every_way(word[end:], numbers, MARK):
                yield [numbers[piece], *others]


def with_steps_back(word, numbers):
    return next(every_way(word, numbers), [numbers[UNK]])


def fewest(word, numbers):
    return min(every_way(word, numbers), key=len, default=[numbers[UNK]])


def from_the_end(word, numbers):
    found, end = [], len(word)
    while end:
        for start in range(end):
            if (piece := MARK * (start > 0) + word[start:end]) in numbers:
                found.insert(0, numbers[piece])
                end = start
                break
        else:
            return [numbers[UNK]]
    return found


def whole_or_nothing(word, numbers):
    return [numbers.get(word, numbers[UNK])]


def counted(word, numbers):
    return len(one_by_one(word, numbers))


def by_truth(word, numbers):
    """Takes a piece with the number 0 for one that is not there."""
    return one_by_one(word, {p: n for p, n in numbers.items() if n or p == UNK})


def all_that_fit(word, numbers):
    """Notes every piece that fits, and goes on behind the shortest of them."""
    found, start = [], 0
    while start < len(word):
        ends = range(len(word), start, -1)
        fits = [end for end in ends if MARK * (start > 0) + word[start:end] in numbers]
        if not fits:
            return [numbers[UNK]]
        found += [numbers[MARK * (start > 0) + word[start:end]] for end in fits]
        start = fits[-1]
    return found


def first_in_the_list(word, numbers):
    """Goes through the list in its own order, and takes the first piece that fits."""
    found, mark = [], ""
    while word:
        fit = (p for p in numbers if len(p) > len(mark) and (mark + word).startswith(p))
        if (piece := next((p for p in fit if p.startswith(mark)), None)) is None:
            return [numbers[UNK]]
        found.append(numbers[piece])
        word, mark = word[len(piece) - len(mark) :], MARK
    return found


def first_alone(word, numbers):
    return one_by_one(word, numbers)[:1]


def either(word, numbers):
    """At each place the longest piece, marked or not."""
    found = []
    while word:
        fits = [p for p in numbers if word.startswith(p.removeprefix(MARK)) and p != MARK]
        if not (best := max(fits, key=lambda p: len(p.removeprefix(MARK)), default="")):
            return [numbers[UNK]]
        found.append(numbers[best])
        word = word[len(best.removeprefix(MARK)) :]
    return found


def also_without(word, numbers):
    """Goes on with pieces that are not marked as well, the longest of either kind."""
    found, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            kinds = [MARK + word[start:end]] if start else []
            fits = [numbers[p] for p in [*kinds, word[start:end]] if p in numbers]
            if fits:
                found, start = [*found, fits[0]], end
                break
        else:
            return [numbers[UNK]]
    return found


LONGEST = "Which is tried first, the longest piece or the shortest? The longest that fits is taken."
LEFT_OVER = (
    "A word of which some part fits nowhere: are the pieces before that part returned, or is the"
    " whole word [UNK]?"
)
word_pieces = Exercise(
    name="word_pieces",
    chapter="06_bert",
    number="6.1",
    difficulty=2,
    minutes=15,
    hints=(
        "Cover the end of the word with your hand, one letter more at a time, until what you see is"
        " a piece. Note it, and do the same with the rest. When are you done, and when stuck?",
        "Keep `start`, where the rest begins. Try end = len(word), then one less, down to"
        " start + 1: the first word[start:end] that is in numbers, with ## before it if"
        " start > 0, is the piece; start becomes end. If no end fits, the answer is [UNK] alone.",
        "found, start = [], 0\n"
        "for _ in word:  # there are no more pieces than letters\n"
        "    for end in range(len(word), start, -1):\n"
        '        piece = ("##" if start > 0 else "") + word[start:end]\n'
        "        if piece in numbers:\n"
        "            …  # note its number; where does the rest begin? And out of the inner loop\n"
        "return found if start == len(word) else …",
    ),
    right=one_by_one,
    endless="Where no piece fits, start no longer grows, and your loop never ends: what is returned"
    " then?",
    stumbles={
        "other than numbers": "Which number has a piece? numbers[piece].",
        "KeyError": "Is every piece that you look up in numbers? Ask `piece in numbers` first; the"
        ' word that cannot be cut has numbers["[UNK]"].',
    },
)
word_pieces.mistakes = [
    (cut(ends=lambda start, n: range(1, n + 1)), LONGEST),
    (
        cut(mark=lambda start: ""),
        "Where are the ##? A piece that goes on with a word is written with ## in the list.",
    ),
    (
        cut(mark=lambda start: MARK),
        "The first piece of a word has no ##: which pieces may begin it?",
    ),
    (
        also_without,
        "Where are the ##? You go on with pieces that lack them, too: those only begin a word.",
    ),
    (
        either,
        "You take the longest, with ## or without: which kind may begin a word, and which go on?",
    ),
    (cut(stuck=lambda found, numbers: [*found, numbers[UNK]]), LEFT_OVER),
    (cut(stuck=lambda found, numbers: found), LEFT_OVER),
    (cut(stuck=lambda found, numbers: found or [numbers[UNK]]), LEFT_OVER),
    (
        cut(stuck=lambda found, numbers: []),
        "Nothing at all for a word that cannot be cut? It is [UNK], one number.",
    ),
    (
        cut(stuck=lambda found, numbers: [0]),
        'Is [UNK] always number 0? numbers["[UNK]"]',
    ),
    (
        cut(stuck=lambda found, numbers: numbers[UNK]),
        "A number for the word that cannot be cut, and lists for the others: can [UNK] stand in a"
        " list as well?",
    ),
    (
        cut(goes_on=lambda numbers: []),
        "You leave out letters that fit nowhere: may a part of a word be lost?",
    ),
    (
        cut(goes_on=lambda numbers: [numbers[UNK]]),
        "You put [UNK] for a letter: is it not the whole word that is unknown?",
    ),
    (
        with_steps_back,
        "You go back and take a shorter piece where the longest leads nowhere: is that asked for?"
        " Greedy means: never.",
    ),
    (
        fewest,
        "You look for the fewest pieces: is that always the longest one now?",
    ),
    (
        from_the_end,
        "You cut from the end of the word: from which side is it read?",
    ),
    (
        whole_or_nothing,
        "Only whole words are known to you: what of one that is made of several pieces?",
    ),
    (
        cut(ends=lambda start, n: range(n - 1, 0, -1)),
        "Every word comes out as [UNK]: do you never try all of what is left (where does your range"
        " begin, or your slice end?), or is the inner loop not left where a piece fits (`break`)?",
    ),
    (
        fitting(cut(rest=lambda word, piece: word.replace(piece, ""))),
        "`replace` takes a piece out wherever it stands: which part of the word is left?"
        " word[len(piece):]",
    ),
    (
        cut(rest=lambda word, piece: word.lstrip(piece)),
        "`lstrip` takes away letters, any of these, as long as it finds some: which part of the"
        " word is left? word[len(piece):]",
    ),
    (
        cut(ends=lambda start, n: range(n, 1, -1)),
        "You never try a single letter: where does your range end?",
    ),
    (
        all_that_fit,
        "You note every piece that fits: which one is asked for, and is the inner loop left there?",
    ),
    (
        first_in_the_list,
        "You take the piece that comes first in the list: which of those that fit is asked for?",
    ),
    (
        by_truth,
        "A piece may have the number 0, which `if` takes for False: is the piece in numbers?",
    ),
    (counted, "That is how many pieces there are: which are they?"),
    (first_alone, "That is the first piece: what of the rest of the word?"),
]

# A word, and a list that makes it a question; the letters stand for any letters.
BEGINS = (
    ("abcdef", "abcdef abc ab a ##def ##bcdef ##ef def f"),
    ("abcdef", "abc ab a ##def def cdef ##abcd ##abc ##a"),
    ("bbcb", "b bb bbcb ##b ##cb ##bb cb"),
    ("cabd", "cab c ca ##d ##abd ##ab d abd"),
    ("abacd", "ab a ##acd ##a acd cd ##cd"),
)
GOES_ON = (
    ("abcd", "a ##bc ##b ##d bc b d bcd ##cd"),
    ("abcdef", "abc ab a ##def ##de ##d ##f def de d f ##abc"),
    ("abcdefg", "ab a c ##c ##cde ##cd ##fg ##f ##g fg cde cdefg ##efg"),
    ("abcab", "abc ab a ##a ##ab ab b ##b ##abd"),
    ("ababcab", "ab a abab ##cab ##c ##ca ##ab ##b b cab"),
    ("abc", "abc ab a ##bc ##c ##b bc"),
    ("aacaa", "aa a ##caa ##c ##ca ##aa ##a caa"),
)
NOWHERE = (
    ("abcd", "ab a ##b ##c ##d ##cdd ##abcd cd c d b"),  # can be cut: the list as such is no reason
    ("abcd", "ab a ##cc ##d ##dc cd c d b bcd"),
    ("abcd", "b bcd cd d ##b ##bcd ##cd ##d ##a ##abcd"),
    ("abcd", "abc ab a ##dd d ##cd1"),
    ("abcde", "ab a ##c ##e ##de1 e de cde"),
)
GREEDY = (
    ("abcd", "abc ab a ##cd ##c ##bcd"),
    ("abcde", "ab a ##cd ##c ##de ##cdf"),
    ("abcdef", "abcd abc ab ##e ##f ##def ##cdef ##abc e f"),
    ("abcde", "abc ab ##d ##e ##cde"),
)


def listed(rng, patterns):
    """The patterns in other letters, each with a list of its own, in which others stand as well."""
    for word, pieces in patterns:
        letters = rng.permutation([*"abcdefghijklmnopqrstuvwxyz"])
        spell = str.maketrans(dict(zip("abcdefg1", map(str, letters[:8]), strict=True)))
        rest = [str(letter) for letter in letters[8:]]
        idle = {"".join(rng.choice(rest, size=n)) for n in (1, 1, 2, 3, 4)}
        idle |= {MARK + "".join(rng.choice(rest, size=n)) for n in (1, 1, 2, 3, 4)}
        mine = {piece.translate(spell) for piece in pieces.split()}
        order = rng.permutation(sorted(mine | idle))
        signs = ["[PAD]", UNK, "[CLS]", "[SEP]", "[MASK]"]
        places = 1 + np.sort(rng.permutation(300)[: len(signs) + len(order)])
        numbers = dict(zip([*signs, *map(str, order)], map(int, places), strict=True))
        yield word.translate(spell), numbers
        # In another order, and what is used last is number 0, which is a number like any other.
        used = one_by_one(word.translate(spell), numbers)[-1]
        by_length = sorted(numbers, key=len)
        yield word.translate(spell), {p: numbers[p] * (numbers[p] != used) for p in by_length}


word_pieces.agrees(
    "begins with the longest piece that the word begins with: all of it, if that is in the list",
    "The list has a, ab and abc: with which does abcd begin? And abc?",
    lambda rng: listed(rng, BEGINS),
    view=lambda answer, right: np.atleast_1d(answer)[:1],
)
word_pieces.agrees(
    "goes on, to the end of the word, with the longest piece written with ##",
    "ab is taken of abcd: which pieces of the list could come next, and how are they written"
    " there?",
    lambda rng: listed(rng, GOES_ON),
)
word_pieces.agrees(
    "is the number of [UNK] alone, where anything of the word fits nowhere",
    "ab is in the list, and no piece with ## begins with c: what is abcd?",
    lambda rng: listed(rng, NOWHERE),
)
word_pieces.agrees(
    "never goes back: the longest piece now, even if a shorter one would have led further",
    "The list has ab, abc and ##cd: which is taken first of abcd, and what is left then?",
    lambda rng: listed(rng, GREEDY),
)
