"""Exercise 2, a wrong label: which text keeps company with the other side.

doubts[t] = mean of cos(x_t, x_s) over the texts s with the other label
          − mean of cos(x_t, x_s) over the texts s ≠ t with its own

x_t is the mean of the vectors of the text's known words; a cosine with nothing is 0.
"""

import numpy as np

from firth.checks.claims import Exercise


def cosine(x, y):
    lengths = np.sqrt((x @ x) * (y @ y))
    return x @ y / lengths if lengths > 0 else 0.0


def known(text):
    return text[text >= 0]


def places(vectors, texts, words=known):
    """Where each text lies: the mean of its words, or nothing where it has none."""
    rows = [vectors[words(np.asarray(text, dtype=int))] for text in texts]
    return np.array([r.mean(axis=0) if len(r) else np.zeros(vectors.shape[1]) for r in rows])


def average(near, x, group):
    return sum(near(x, y) for y in group) / len(group)


def unguarded(x, y):
    """A cosine that is nan where a text lies nowhere, as a mean of no vectors is."""
    return x @ y / np.sqrt((x @ x) * (y @ y))


def as_directions(vectors):
    lengths = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    return vectors / np.where(lengths > 0, lengths, 1)


def doubted(
    near=cosine,
    words=known,
    own=lambda same, t: np.delete(same, t, axis=0),
    side=average,
    judge=lambda other, own: other - own,
    table=lambda doubts: doubts,
    prepare=lambda vectors: vectors,
):
    """A way of doubting, right by default: how near, which words, and whom a text is held to."""

    def doubts(vectors, texts, labels):
        labels, vectors = np.asarray(labels), prepare(np.asarray(vectors, dtype=float))
        X = places(vectors, texts, words)
        found = []
        for t, label in enumerate(labels):
            same, place = X[labels == label], int((labels[:t] == label).sum())
            near_other = side(near, X[t], X[labels != label])
            found.append(judge(near_other, side(near, X[t], own(same, place))))
        return np.array(table(np.array(found)))

    return doubts


def without_the_lost(near, x, group):
    """Leaves a text that lies at 0 out of the mean."""
    return np.mean([near(x, y) for y in group if y.any()])


def one_way(sign):
    """Subtracts in one direction, whichever label a text has."""

    def doubts(vectors, texts, labels):
        return doubted()(vectors, texts, labels) * np.where(np.asarray(labels) == 0, sign, -sign)

    return doubts


def divided_by_all(vectors, texts, labels):
    """Leaves the text itself out, and counts it all the same."""
    many = {label: sum(other == label for other in labels) for label in labels}
    own = doubted(judge=lambda other, own: own)(vectors, texts, labels)
    other = doubted(judge=lambda other, own: other)(vectors, texts, labels)
    return other - own * np.array([(many[label] - 1) / many[label] for label in labels])


def word_by_word(vectors, texts, labels):
    """Holds a text against the single words of the others."""
    vectors = np.asarray(vectors, dtype=float)
    X, found = places(vectors, texts), []

    def mean(t, others):
        words = [w for s in others for w in texts[s] if w >= 0]
        return np.mean([cosine(X[t], vectors[w]) for w in words])

    for t, label in enumerate(labels):
        other = [s for s in range(len(texts)) if labels[s] != label]
        own = [s for s in range(len(texts)) if labels[s] == label and s != t]
        found.append(mean(t, other) - mean(t, own))
    return np.array(found)


LEFT_OUT = (
    "A text is always near itself. When you ask how near it lies to its own side, is it among those"
    " that you ask?"
)
NOTHING = "What is the mean of no vectors at all? Where should such a text lie?"
DISTANCES = "You measure distances, in which the length of a vector matters: cosine?"
ONE_WAY = (
    "For the texts with one of the labels the sign is turned round: which side is the other one for"
    " a text labelled 0, and which for one labelled 1?"
)
ORDERED = "You put the texts in order: how doubtful is each of them?"
SORTED = "The right numbers, sorted: which text does each of them belong to?"
FEW = "One side has more texts than the other: is it the sum of the cosines or their mean?"
doubts = Exercise(
    name="doubts",
    chapter="02_word2vec",
    number="2.7",
    difficulty=3,
    minutes=18,
    hints=(
        "Hold each text against two groups: those on the other side, and those on its own. Who is"
        " missing from its own group?",
        "A text's vector is the mean of its known words' vectors, or zeros if it has none. For text"
        " t, take its cosine with every text; the doubt is the mean over those with the other"
        " label, less the mean over those with the same label except t.",
        "x = np.array([…])  # the mean of the known words' vectors, for each text\n"
        "for t in range(len(texts)):\n"
        "    near = np.array([cosine(x[t], other) for other in x])\n"
        "    same = labels == labels[t]\n"
        "    own = same & …  # does a text bear witness for itself?\n"
        "    found.append(near[~same].mean() - near[own].mean())",
    ),
    right=doubted(),
)
doubts.mistakes = [
    (doubted(own=lambda same, t: same), LEFT_OUT),
    (
        divided_by_all,
        "You leave the text itself out of the sum: do you also leave it out of the number that you"
        " divide by?",
    ),
    (
        doubted(judge=lambda other, own: own - other),
        "Your doubt is greatest where a label fits best: which of the two means has the minus?",
    ),
    (
        doubted(judge=lambda other, own: other),
        "A text may be near both sides: how near is it to its own?",
    ),
    (
        doubted(judge=lambda other, own: -own),
        "A text may be far from both sides: how near is it to the other?",
    ),
    (
        doubted(judge=lambda other, own: abs(other - own)),
        "Both a text that fits well and one that fits badly get a great doubt: what is the sign"
        " for?",
    ),
    (
        doubted(judge=lambda other, own: float(other > own)),
        "Yes or no is less than you know: how much nearer is it?",
    ),
    (
        doubted(near=lambda x, y: x @ y),
        "That is the dot product, in which long vectors win: cosine?",
    ),
    (doubted(near=lambda x, y: -np.sqrt((x - y) @ (x - y))), DISTANCES),
    (doubted(near=lambda x, y: np.sqrt((x - y) @ (x - y))), DISTANCES),
    (one_way(1), ONE_WAY),
    (one_way(-1), ONE_WAY),
    (
        doubted(side=lambda near, x, group: near(x, group.sum(axis=0))),
        "You take one cosine with the sum of a side. What is asked for is a cosine with each text,"
        " and then their mean: is it the same?",
    ),
    (
        doubted(side=lambda near, x, group: max(near(x, y) for y in group)),
        "You ask the nearest text of each side alone: what do the others say?",
    ),
    (
        doubted(side=lambda near, x, group: sum(near(x, y) for y in group)),
        FEW,
    ),
    (
        doubted(prepare=as_directions),
        "Do you make words length 1 before the mean? Nobody asked: in the mean, long vectors count"
        " more.",
    ),
    (doubted(near=unguarded), NOTHING),
    (
        doubted(side=without_the_lost),
        "A text without known words lies at 0, and a cosine with it is 0: is it not one of those"
        " whose mean is taken?",
    ),
    (
        doubted(prepare=as_directions, near=lambda x, y: x @ y),
        "You hold the words of two texts against each other: where is the vector of each text?",
    ),
    (
        doubted(words=lambda text: np.unique(known(text))),
        "If a word stands in a text twice, how often does its vector count?",
    ),
    (
        word_by_word,
        "You hold a text against the single words of the others: where is the vector of each text?",
    ),
    (
        doubted(words=lambda text: text),
        "Which row is vectors[-1]? A word numbered −1 has no vector and is left out.",
    ),
    (
        doubted(words=lambda text: text[text > 0]),
        "Words are numbered from 0 on: is word 0 not known?",
    ),
    (
        doubted(words=lambda text: known(text)[:1]),
        "You look at the first word of each text alone: what do the others say?",
    ),
    (
        doubted(table=np.argmax),
        "You name the most doubtful text: how doubtful is each of them?",
    ),
    (doubted(table=lambda doubts: np.argsort(-doubts)), ORDERED),
    (doubted(table=np.argsort), ORDERED),
    (doubted(table=np.sort), SORTED),
    (doubted(table=lambda doubts: np.sort(doubts)[::-1]), SORTED),
]


def drawn_texts(rng, labels, length=2, add=()):
    """Texts of a few words, whose sides are in no order; `add` says which are made otherwise.

    Some are nearer to the other side and some to their own, so that nobody's sign is right by luck.
    """
    V, found = 9, np.zeros(1)
    while found.min() > -0.05 or found.max() < 0.05:
        vectors = rng.normal(size=(V, 3)) * rng.uniform(0.5, 2, size=(V, 1))
        texts = [rng.permutation(np.arange(1, V - 1))[:length] for _ in labels]
        for t, otherwise in add:
            texts[t] = otherwise(texts[t])
        labels = rng.permutation(labels)
        found = doubts.right(vectors, texts, labels)
    return vectors, texts, labels


def sides(rng):
    first = [(t, lambda text: np.r_[0, text[1:]]) for t in (0, 1)]  # word 0 is a word like others
    yield drawn_texts(rng, [0, 0, 0, 1, 1, 1], add=first)
    again = [(t, lambda text: np.r_[text, text[0]]) for t in (2, 3)]  # and one stands there twice
    yield drawn_texts(rng, [0, 0, 0, 0, 1, 1, 1, 1], length=3, add=[*first, *again])


def alone(rng):
    """Every word an axis of its own, as for somebody who knows no other text than these.

    The last two texts, one of each label, share no word with anybody: their doubt is 0.
    """
    for V in (10, 11):
        words = 1 + rng.permutation(V - 5)
        texts = [words[:2], words[1:3], words[[0, 3]], words[2:4]]
        labels = np.array([0, 1, 1, 0, *rng.permutation(2)])
        yield np.eye(V) * rng.uniform(1, 3), [*texts, np.r_[V - 4, V - 3], np.r_[V - 2]], labels


def unequal_sides(rng):
    for labels in ([0, 0, 1, 1, 1, 1, 1], [1, 1, 0, 0, 0, 0]):
        yield drawn_texts(rng, labels)


def unknown_words(rng):
    behind, before = (lambda text: np.r_[text, -1, -1]), (lambda text: np.r_[-1, text])
    for _ in range(2):
        add = [(0, behind), (1, before), (3, lambda text: np.r_[-1, -1])]
        yield drawn_texts(rng, [0, 0, 0, 1, 1, 1], add=add)


doubts.agrees(
    "is how much nearer a text lies to the other side than to the rest of its own, by cosine",
    "For four texts on paper: which two groups is the first held against, and which cosines are"
    " there?",
    sides,
)
doubts.agrees(
    "is 0 for a text that has nothing in common with any other",
    LEFT_OUT,
    alone,
    view=lambda doubts, right: np.where(abs(right) < 1e-9, doubts, np.sign(doubts)),
)
doubts.agrees("takes the mean of each side, however many texts it has", FEW, unequal_sides)
doubts.agrees(
    "leaves unknown words (−1) out, and has no doubt where nothing else is left",
    f"Which row is vectors[-1]? {NOTHING}",
    unknown_words,
)
