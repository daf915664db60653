"""Exercise 1, counting: who stands near whom, and how surprising that is.

C[i, j]    how often word j stands within m places of word i
PPMI[i, j] = max(0, log( C[i, j] · N / (C[i, :].sum() · C[:, j].sum()) )),   N = C.sum()

The references are loops over single places and single entries: too plain to be wrong.
"""

import numpy as np

from firth.checks.claims import Exercise

CHAPTER = "01_lsa"


# --- cooccurrence(texts, V, m) ---------------------------------------------------------------


def counted(near=lambda p, q, m: 0 < abs(p - q) <= m, texts=list, table=lambda C: C):
    """A way of counting, right by default: which places are near, in which texts, how tabled."""

    def cooccurrence(given, V, m):
        C = np.zeros((V, V))
        for text in texts([np.asarray(text, dtype=int) for text in given]):
            for p, centre in enumerate(text):
                for q, neighbour in enumerate(text):
                    if centre >= 0 and neighbour >= 0 and near(p, q, m):
                        C[centre, neighbour] += 1
        return table(C)

    return cooccurrence


def last_word_for_unknown(given, V, m):
    """What C[-1] does: an index of −1 is the last row."""
    return counted()([np.where(np.asarray(text) < 0, V - 1, text) for text in given], V, m)


def different_words(given, V, m):
    """Compares the words where the places were meant."""
    return counted(table=lambda C: C * (1 - np.eye(V)))(given, V, m)


def own_place_on_diagonal(given, V, m):
    return counted(near=lambda p, q, m: abs(p - q) <= m)(given, V, m)


def slices_from_below_zero(given, V, m):
    """What ids[p - m : p] does where p − m is below 0: Python counts from the end."""
    C = np.zeros((V, V))
    for text in given:
        for p, centre in enumerate(text):
            company = [*text[p - m : p], *text[p + 1 : p + m + 1]]
            for neighbour in company:
                C[centre, neighbour] += centre >= 0 and neighbour >= 0
    return C


def nearness(given, V, m):
    """Weights a neighbour by 1/distance, as some books do and this exercise does not."""
    ahead = (counted(lambda p, q, d: abs(p - q) == d)(given, V, d) / d for d in range(1, m + 1))
    return sum(ahead, np.zeros((V, V)))


cooccurrence = Exercise(
    name="cooccurrence",
    chapter=CHAPTER,
    difficulty=2,
    minutes=12,
    hints=(
        "Put a finger on one word. Which places may you look at, to the left and to the right, and"
        " which of them are outside the text?",
        "Three loops: over the texts; over the places p of a text; over the places q from p − m to"
        " p + m that exist, without p itself. If both words are known, add 1 at their row and"
        " column.",
        "for ids in texts:\n"
        "    for p, centre in enumerate(ids):\n"
        "        for q in range(max(0, p - m), min(len(ids), p + m + 1)):\n"
        "            …  # what must be true of p and q, and of both words, before you add 1?",
    ),
    right=counted(),
)
cooccurrence.mistakes = [
    (own_place_on_diagonal, "Is a word its own company? What happens in your loop when q is p?"),
    (
        counted(near=lambda p, q, m: 0 < q - p <= m),
        "You look to the right only: who stands to the left of the word?",
    ),
    (
        counted(near=lambda p, q, m: 0 < p - q <= m),
        "You look to the left only: who stands to the right of the word?",
    ),
    (
        counted(near=lambda p, q, m: q != p and -m <= q - p < m),
        "With m = 2, do you reach the second word to the right? Where does a range or slice end?",
    ),
    (
        counted(near=lambda p, q, m: 0 < abs(p - q) < m),
        "How far does your window reach with m = 1? It should reach one place on each side.",
    ),
    (
        slices_from_below_zero,
        "What is ids[p - m : p] for the first words of a text, where p − m is below 0?",
    ),
    (
        counted(near=lambda p, q, m: abs(p - q) == m),
        "You count the word exactly m places away: who stands in between?",
    ),
    (
        counted(near=lambda p, q, m: 0 < abs(p - q) <= m // 2),
        "Is m the width of the whole window here, or how far it reaches on each side?",
    ),
    (
        counted(texts=lambda texts: [np.concatenate([[], *texts]).astype(int)]),
        "The last word of one text and the first of the next: are they neighbours?",
    ),
    (
        counted(texts=lambda texts: [text[text >= 0] for text in texts]),
        "Do you take the unknown words out first? Who becomes whose neighbour by that?",
    ),
    (
        last_word_for_unknown,
        "Which row is C[-1]? A word numbered −1 keeps its place but counts nothing.",
    ),
    (
        different_words,
        "In “tick tick tick” a word stands beside itself. Do you compare the words, or the places?",
    ),
    (
        counted(table=lambda C: (C > 0).astype(float)),
        "If two words meet three times, what should stand in the table?",
    ),
    (
        counted(table=lambda C: C + C.T),
        "Everything is twice too large: does each meeting get counted from both words twice?",
    ),
    (counted(table=np.triu), "Half of the table is empty: if i is near j, is j near i?"),
    (
        nearness,
        "You give near neighbours more weight: does the end of the window not count 1, too?",
    ),
]


def one_text(rng):
    for m in (1, 2, 3):
        V = int(rng.integers(9, 13))
        yield [rng.permutation(V)], V, m


def repeating(rng):
    yield [np.array([1, 1, 1, 0])], 2, int(rng.integers(1, 4))
    for m in (1, 2, 4):
        yield [rng.integers(0, 4, size=int(rng.integers(12, 18)))], 4, m


def several_texts(rng):
    for m in (2, 3):
        lengths = [*rng.integers(3, 7, size=4), 0, 1]
        rng.shuffle(lengths)
        yield [rng.integers(0, 6, size=length) for length in lengths], 6, m


def unknown_words(rng):
    for m in (1, 3):
        texts = [rng.integers(0, 5, size=14) for _ in range(2)]
        for text in texts:
            text[rng.permutation(14)[:5]] = -1
        yield texts, 5, m


def short_texts(rng):
    yield [rng.integers(0, 5, size=4)], 5, int(rng.integers(6, 12))
    yield [rng.integers(0, 3, size=3), rng.integers(0, 3, size=2)], 6, 4
    yield [rng.integers(0, 3, size=3)], 7, 1
    yield [np.array([], dtype=int), rng.integers(0, 3, size=2)], 3, 2


cooccurrence.agrees(
    "counts the words within m places, on both sides, without the word's own place",
    "Take the text 0 1 2 3 and m = 1, on paper: which six entries of the table are 1?",
    one_text,
)
cooccurrence.agrees(
    "counts each meeting, also of a word with another copy of itself",
    "Take the text 1 1 0 and m = 1, on paper: what is C[1, 1]?",
    repeating,
)
cooccurrence.agrees(
    "lets no window cross from one text into the next",
    "Take the texts 0 1 and 2 3: what should C[1, 2] be?",
    several_texts,
)
cooccurrence.agrees(
    "lets an unknown word (−1) keep its place and count nothing",
    "Take the text 0 −1 2 and m = 1: does anyone meet anyone?",
    unknown_words,
)
cooccurrence.agrees(
    "gives V rows and V columns, whatever the text: short, empty, without some of the words",
    "Which places exist in a text of three words when m = 5?",
    short_texts,
)


# --- ppmi(C) ---------------------------------------------------------------------------------


def weighed(entry=lambda c, row, column, N: max(0.0, np.log(c * N / (row * column)))):
    """A way of weighing each count by its row, its column and the total; 0 where the count is 0."""

    def ppmi(C):
        C = np.asarray(C, dtype=float)
        rows, columns, N = C.sum(axis=1), C.sum(axis=0), C.sum()
        P = np.zeros(C.shape)
        for i, j in np.argwhere(C > 0):
            P[i, j] = entry(C[i, j], rows[i], columns[j], N)
        return P

    return ppmi


def vectorised(formula):
    """A mistake written with whole arrays, where 0/0 and log 0 do what NumPy does with them."""

    def ppmi(C):
        C = np.asarray(C, dtype=float)
        return formula(C, C.sum(axis=1, keepdims=True), C.sum(axis=0, keepdims=True), C.sum())

    return ppmi


ZEROS = "What is log 0, and what is 0/0? A pair that never met should simply get 0."
NO_CLIP = "What should become of a negative PMI? The first P of PPMI stands for positive."

ppmi = Exercise(
    name="ppmi",
    chapter=CHAPTER,
    difficulty=2,
    minutes=12,
    hints=(
        "How often would i and j meet if the table had the same row and column sums, but words met"
        " by chance? Compare the count with that.",
        "By chance you expect row sum × column sum ÷ total. PMI is the log of count ÷ expected."
        " Take the log only where the count is above 0; then replace what is below 0 by 0.",
        "expected = C.sum(axis=1, keepdims=True) * C.sum(axis=0, keepdims=True) / C.sum()\n"
        "P = np.zeros(C.shape)\n"
        "met = C > 0\n"
        "P[met] = …  # the log of a ratio, clipped below at 0",
    ),
    right=weighed(),
)
ppmi.mistakes = [
    (
        lambda C: np.zeros(C.shape),
        "Everything is 0, so that every ratio is 1 or less: is it the count over what chance would"
        " give, row sum × column sum ÷ total? Where does the total stand?",
    ),
    (weighed(lambda x, r, c, N: np.log(x * N / (r * c))), NO_CLIP),
    (vectorised(lambda C, r, c, N: np.log(C * N / (r * c))), f"{NO_CLIP} And what is log 0?"),
    (vectorised(lambda C, r, c, N: np.maximum(np.log(C * N / (r * c)), 0)), ZEROS),
    (
        weighed(lambda x, r, c, N: max(0.0, np.log2(x * N / (r * c)))),
        "Everything is too large by 1/log 2 = 1.44: which logarithm is asked for?",
    ),
    (
        weighed(lambda x, r, c, N: max(0.0, np.log10(x * N / (r * c)))),
        "Everything is too small by a factor of 2.30: which logarithm is asked for?",
    ),
    (
        weighed(lambda x, r, c, N: max(0.0, np.log1p(x * N / (r * c)))),
        "log1p(x) is log(1 + x): would a ratio of 1, pure chance, get 0?",
    ),
    (
        weighed(lambda x, r, c, N: x * N / (r * c)),
        "You compare with chance, but where is the logarithm?",
    ),
    (
        weighed(lambda x, r, c, N: max(0.0, x * N / (r * c) - 1)),
        "You compare with chance, but where is the logarithm?",
    ),
    (
        weighed(lambda x, r, c, N: np.log(x / r)),
        "You divide by the row sum only: does it matter how frequent the neighbour is?",
    ),
    (
        weighed(lambda x, r, c, N: max(0.0, np.log(x * N / r))),
        "You divide by the row sum only: does it matter how frequent the neighbour is?",
    ),
    (
        weighed(lambda x, r, c, N: np.log(x / c)),
        "You divide by the column sum only: does it matter how frequent the word itself is?",
    ),
    (
        weighed(lambda x, r, c, N: max(0.0, np.log(x * N / c))),
        "You divide by the column sum only: does it matter how frequent the word itself is?",
    ),
    (
        weighed(lambda x, r, c, N: np.log(x / (r * c))),
        "Where is the total? Counts become probabilities when each is divided by it.",
    ),
    (
        weighed(lambda x, r, c, N: max(0.0, x / N * np.log(x * N / (r * c)))),
        "That is the pair's share of the mutual information: is there a factor too many?",
    ),
    (
        weighed(lambda x, r, c, N: min(0.0, np.log(x * N / (r * c)))),
        "You keep what is below 0 and drop what is above: maximum or minimum?",
    ),
    (
        weighed(lambda x, r, c, N: abs(np.log(x * N / (r * c)))),
        "You turn a negative PMI round: should it become positive, or 0?",
    ),
]


def tables(rng):
    """Tables of counts in which everyone has met, rows and columns of different weight."""
    for shape in ((4, 4), (3, 6)):
        table = rng.integers(1, 4, size=shape) + 8 * (rng.random(shape) < 0.3)
        table[0] += np.arange(1, shape[1] + 1)
        table[0, 0] += 40
        yield (table.astype(float),)


def tables_with_gaps(rng):
    for shape in ((5, 5), (4, 7)):
        table = rng.integers(1, 9, size=shape) * (rng.random(shape) < 0.6)
        np.fill_diagonal(table, rng.integers(1, 9, size=min(shape)))  # nobody is left out
        table[0, 1], table[1:, -1] = 0, table[1:, -1] + 1
        yield (table.astype(float),)


def tables_with_strangers(rng):
    for integers in (True, False):
        table = rng.integers(1, 9, size=(5, 5))
        table[2], table[:, 3] = 0, 0
        yield (table if integers else table.astype(float),)
    yield (np.zeros((3, 3)),)


ppmi.agrees(
    "is the natural log of count × total ÷ (row sum × column sum), where that is above 0",
    "For one pair, on paper: its count, its row sum, its column sum, the total. What is the log of"
    " count × total ÷ (row sum × column sum)?",
    tables,
    view=lambda P, right: np.where(right > 0, P, 0),
)
ppmi.agrees("is 0 where a pair meets less often than by chance", NO_CLIP, tables)
ppmi.agrees("is 0, not −∞, where a pair never meets", ZEROS, tables_with_gaps)
ppmi.agrees(
    "is 0, not nan, for a word that was never counted",
    "If a whole row is 0, what do you divide by?",
    tables_with_strangers,
)
ppmi.agrees(
    "is a new table, and leaves the counts as they were",
    "Are you writing into C? Whoever called ppmi may still need the counts.",
    tables_with_gaps,
    untouched=True,
)
