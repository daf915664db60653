"""Exercise 2.7: find the wrong label, the text that is more similar to the other class.

doubts[t] = mean of cos(x_t, x_s) over the texts s with the other label
          − mean of cos(x_t, x_s) over the texts s ≠ t with the same label

x_t is the mean of the vectors of the known words of text t, or zeros if it has none. A cosine with
a vector of zeros is 0.
"""

from collections.abc import Callable, Iterator

import numpy as np

from firth.checks.claims import Exercise


def cosine(x, y):
    """The cosine of two vectors, and 0 if one of them has only zeros."""
    lengths = np.sqrt((x @ x) * (y @ y))
    return x @ y / lengths if lengths > 0 else 0.0


def known_words(text):
    """The ids of the known words of a text, an array; unknown words have the id −1."""
    return text[text >= 0]


def text_vectors(vectors, texts, words=known_words) -> np.ndarray:
    """A row for each text: the mean of its words' vectors, or zeros if `words` finds no word."""
    rows = [vectors[words(np.asarray(text, dtype=int))] for text in texts]
    return np.array([r.mean(axis=0) if len(r) else np.zeros(vectors.shape[1]) for r in rows])


def mean_closeness(near, x, group):
    """The mean of near(x, y) over the rows y of the group."""
    return sum(near(x, y) for y in group) / len(group)


def doubt_function(
    near=cosine,
    words=known_words,
    own=lambda same, t: np.delete(same, t, axis=0),
    side=mean_closeness,
    judge=lambda other, own: other - own,
    table=lambda doubts: doubts,
    prepare=lambda vectors: vectors,
) -> Callable:
    """A function `doubts(vectors, texts, labels)`: the reference answer, or a mistake.

    The doubt of a text is its mean cosine with the other class minus that with its own class. With
    the default arguments it is the reference answer. `near` compares two texts, `words` chooses the
    words of a text, and `own` takes the text itself out of its class. `side` compares a text with a
    class, and `judge` makes the doubt of two such results. `prepare` changes the vectors first, and
    `table` the finished doubts.
    """

    def doubts(vectors, texts, labels):
        labels, vectors = np.asarray(labels), prepare(np.asarray(vectors, dtype=float))
        X = text_vectors(vectors, texts, words)
        found = []
        for t, label in enumerate(labels):
            same, place = X[labels == label], int((labels[:t] == label).sum())
            other = side(near, X[t], X[labels != label])
            found.append(judge(other, side(near, X[t], own(same, place))))
        return np.array(table(np.array(found)))

    return doubts


def unguarded_cosine(x, y):
    """The cosine of two vectors, and nan (0/0) if one of them has only zeros: a mistake."""
    return x @ y / np.sqrt((x @ x) * (y @ y))


def unit_rows(vectors):
    """The rows, each scaled to norm 1; a row of zeros stays as it is."""
    lengths = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    return vectors / np.where(lengths > 0, lengths, 1)


def mistake_mean_without_zeros(near, x, group):
    """The mean of near(x, y) over the rows y of a group that have not only zeros: a mistake.

    All rows of the group should count.
    """
    return np.mean([near(x, y) for y in group if y.any()])


def mistake_fixed_direction(sign) -> Callable:
    """A wrong `doubts` that subtracts the same class for both labels.

    The right answer subtracts the mean cosine with the text's own class. `sign` is 1 for class 1
    minus class 0, and −1 for the opposite.
    """

    def doubts(vectors, texts, labels):
        return doubt_function()(vectors, texts, labels) * np.where(np.equal(labels, 0), sign, -sign)

    return doubts


def mistake_divided_by_all(vectors, texts, labels):
    """The doubts of a wrong answer that divides by all texts of the class, with the text itself.

    It leaves the text out of the sum of cosines, but not out of the number of texts.
    """
    size = {label: sum(other == label for other in labels) for label in labels}
    own = doubt_function(judge=lambda other, own: own)(vectors, texts, labels)
    other = doubt_function(judge=lambda other, own: other)(vectors, texts, labels)
    return other - own * np.array([(size[label] - 1) / size[label] for label in labels])


def mistake_compared_with_words(vectors, texts, labels):
    """The doubts of a wrong answer that compares a text with each word of the other texts.

    A doubt says how much nearer a text is to the other class than to its own. The right answer
    compares texts: the vector of a text is the mean of the vectors of its words.
    """
    vectors = np.asarray(vectors, dtype=float)
    X, found = text_vectors(vectors, texts), []

    def mean(t, others):
        return np.mean([cosine(X[t], vectors[w]) for s in others for w in texts[s] if w >= 0])

    for t, label in enumerate(labels):
        other = [s for s in range(len(texts)) if labels[s] != label]
        own = [s for s in range(len(texts)) if labels[s] == label and s != t]
        found.append(mean(t, other) - mean(t, own))
    return np.array(found)


ITSELF = (
    "A text has the cosine 1 with itself. Is it among the texts of its own class in your function?"
)
NO_WORDS = (
    "A text without a known word has no vectors to average, and the mean of nothing is nan. Which"
    " vector should it have, and which cosine?"
)
DISTANCE = "You compare texts by distance, so the lengths matter. Which measure is asked for?"
DIRECTION = (
    "For one of the two labels your doubts have the wrong sign. Which class is the other one for a"
    " text with label 0, and which for a text with label 1?"
)
ORDERED = "You return the numbers of the texts in an order. Can you return a doubt for each text?"
SORTED = "These are the right doubts, sorted. To which text does each of them belong?"
SUM = "You add up the cosines with a class. One class can have more texts than the other: is the"
MISTAKES = {
    "the text itself": (doubt_function(own=lambda same, t: same), ITSELF),
    "divided by all": (
        mistake_divided_by_all,
        "You leave the text itself out of the sum. Do you also leave it out of the number by which"
        " you divide?",
    ),
    "wrong way round": (
        doubt_function(judge=lambda other, own: own - other),
        "Your doubt is largest where a label fits best. Which of the two means has the minus?",
    ),
    "other class only": (
        doubt_function(judge=lambda other, own: other),
        "You return the mean over the other class. Where is the mean over the text's own class?",
    ),
    "own class only": (
        doubt_function(judge=lambda other, own: -own),
        "You return the mean over the text's own class. Where is the mean over the other class?",
    ),
    "absolute value": (
        doubt_function(judge=lambda other, own: abs(other - own)),
        "You take the absolute value. Should a text whose label fits well get a large doubt?",
    ),
    "yes or no": (
        doubt_function(judge=lambda other, own: float(other > own)),
        "You return 1 or 0 for each text. Can you return the difference of the two means?",
    ),
    "dot product": (
        doubt_function(near=lambda x, y: x @ y),
        "You compare texts by the dot product, so long vectors win. Which measure is asked for?",
    ),
    "minus the distance": (
        doubt_function(near=lambda x, y: -np.sqrt((x - y) @ (x - y))),
        DISTANCE,
    ),
    "distance": (doubt_function(near=lambda x, y: np.sqrt((x - y) @ (x - y))), DISTANCE),
    "label 1 minus label 0": (mistake_fixed_direction(1), DIRECTION),
    "label 0 minus label 1": (mistake_fixed_direction(-1), DIRECTION),
    "mean vector of a class": (
        doubt_function(side=lambda near, x, group: near(x, group.sum(axis=0))),
        "You take one cosine with the mean vector of a class. Is that the mean of the cosines with"
        " its texts?",
    ),
    "nearest text of a class": (
        doubt_function(side=lambda near, x, group: max(near(x, y) for y in group)),
        "You use the nearest text of each class only. What about the others?",
    ),
    "sum": (
        doubt_function(side=lambda near, x, group: sum(near(x, y) for y in group)),
        f"{SUM} sum or the mean asked for?",
    ),
    "words of length 1": (
        doubt_function(prepare=unit_rows),
        "You give every word the length 1 before you take the mean. The task does not ask for it."
        " Can you leave it out?",
    ),
    "nan": (doubt_function(near=unguarded_cosine), NO_WORDS),
    "texts of zeros left out": (
        doubt_function(side=mistake_mean_without_zeros),
        "You leave out a text without known words when you take the mean over its class. Its cosine"
        " is 0: does it not count as one of the texts?",
    ),
    "words with words": (
        doubt_function(prepare=unit_rows, near=lambda x, y: x @ y),
        "You average the cosines of all pairs of words. Where is the vector of each text?",
    ),
    "each word once": (
        doubt_function(words=lambda text: np.unique(known_words(text))),
        "A word stands in a text twice. How often does its vector count in your function?",
    ),
    "texts with words": (
        mistake_compared_with_words,
        "You compare a text with the single words of the others. Where is the vector of each text?",
    ),
    "unknown word in the last row": (
        doubt_function(words=lambda text: text),
        "Which row is vectors[-1]? The number −1 stands for a word without a vector.",
    ),
    "word 0 unknown": (
        doubt_function(words=lambda text: text[text > 0]),
        "You leave out word 0. Which numbers stand for a known word?",
    ),
    "first word only": (
        doubt_function(words=lambda text: known_words(text)[:1]),
        "You use the first word of each text only. What about the others?",
    ),
    "largest doubt": (
        doubt_function(table=np.argmax),
        "You return the number of one text. Can you return a doubt for each text?",
    ),
    "order, largest first": (doubt_function(table=lambda doubts: np.argsort(-doubts)), ORDERED),
    "order": (doubt_function(table=np.argsort), ORDERED),
    "sorted": (doubt_function(table=np.sort), SORTED),
    "sorted, largest first": (doubt_function(table=lambda doubts: np.sort(doubts)[::-1]), SORTED),
}
doubts = Exercise(
    name="doubts",
    chapter="02_word2vec",
    number="2.7",
    difficulty=3,
    minutes=18,
    hints=(
        "Compare each text with two groups: the texts with the other label, and those with its own."
        " Which text must not be in its own group?",
        "The vector of a text is the mean of its known words' vectors, or zeros if it has none. For"
        " text t, take its cosine with every text. The doubt is the mean over those with the other"
        " label, minus the mean over those with the same label except t.",
        "x = np.array([…])  # for each text, the mean of the known words' vectors\n"
        "for t in range(len(texts)):\n"
        "    near = np.array([cosine(x[t], other) for other in x])\n"
        "    same = labels == labels[t]\n"
        "    own = same & …  # which text must not be among them?\n"
        "    found.append(near[~same].mean() - near[own].mean())",
    ),
    right=doubt_function(),
    mistakes=MISTAKES,
)


def random_texts(rng, labels, length=2, change=()) -> tuple:
    """One input (vectors, texts, labels): texts of `length` random words, and shuffled labels.

    `change` holds pairs (t, function), and text t becomes function(text t). The texts are drawn
    again until one is clearly nearer to the other class and another one to its own, so that an
    answer with a wrong sign is wrong. The word vectors have different norms. Word 8, the last one,
    is in no text.
    """
    V, found = 9, np.zeros(1)
    while found.min() > -0.05 or found.max() < 0.05:
        vectors = rng.normal(size=(V, 3)) * rng.uniform(0.5, 2, size=(V, 1))
        texts = [rng.permutation(np.arange(1, V - 1))[:length] for _ in labels]
        for t, function in change:
            texts[t] = function(texts[t])
        labels = rng.permutation(labels)
        found = doubts.right(vectors, texts, labels)
    return vectors, texts, labels


def two_classes(rng) -> Iterator[tuple]:
    """Inputs (vectors, texts, labels): two classes of equal size, with texts of two or three words.

    Word 0 is in the first two texts, which catches an answer that keeps only ids above 0. In the
    second input, two texts have a word twice, which catches a set of words.
    """
    word_0 = [(t, lambda text: np.r_[0, text[1:]]) for t in (0, 1)]
    yield random_texts(rng, [0, 0, 0, 1, 1, 1], change=word_0)
    twice = [(t, lambda text: np.r_[text, text[0]]) for t in (2, 3)]
    yield random_texts(rng, [0, 0, 0, 0, 1, 1, 1, 1], length=3, change=[*word_0, *twice])


def texts_without_common_words(rng) -> Iterator[tuple]:
    """Inputs (vectors, texts, labels) in which the word vectors are orthogonal to each other.

    Two texts, one of each label, share no word with any other text. A third one has only unknown
    words. These three have the same cosine, 0, with both classes. This catches an answer that
    compares a text with itself, or divides by the norm of a vector of zeros.
    """
    for V in (10, 11):
        words = 1 + rng.permutation(V - 5)
        texts = [words[:2], words[1:3], words[[0, 3]], words[2:4]]
        texts += [np.array([V - 4, V - 3]), np.array([V - 2]), np.array([-1, -1])]
        labels = np.array([0, 1, 1, 0, *rng.permutation(2), rng.integers(2)])
        yield np.eye(V) * rng.uniform(1, 3), texts, labels


def classes_of_different_size(rng) -> Iterator[tuple]:
    """Inputs (vectors, texts, labels): two texts in one class, four or five in the other.

    This catches a sum instead of a mean. One text of the larger class has no known word, and its
    cosine of 0 counts in the mean. This catches an answer that leaves it out. Some texts are nearer
    to the other class than to their own, which catches an absolute value.
    """
    for labels in ([0, 0, 1, 1, 1, 1, 1], [1, 1, 0, 0, 0, 0]):
        found = np.zeros(1)
        while found.min() > -0.05 or found.max() < 0.05:
            vectors, texts, labels = random_texts(rng, labels)
            larger = np.bincount(labels).argmax()
            texts[np.flatnonzero(labels == larger)[0]] = np.array([-1])
            found = doubts.right(vectors, texts, labels)
        yield vectors, texts, labels


def texts_with_unknown_words(rng) -> Iterator[tuple]:
    """Inputs (vectors, texts, labels): two classes of texts, which contain unknown words (−1).

    The vectors of all words of a class are multiples of each other. So the cosine of two texts of a
    class is 1, and it changes nothing if a text is compared with itself. The last word has another
    direction. This catches an answer that takes vectors[-1] for an unknown word.
    """
    for _ in range(2):
        directions = rng.normal(size=(3, 4))
        vectors = directions[[0, 0, 0, 0, 1, 1, 1, 1, 2]] * rng.uniform(0.5, 2, size=(9, 1))
        words = [*1 + rng.permutation(3), *4 + rng.permutation(4)[:3]]  # word 0 is in no text
        texts = [np.array([w, -1]) if t % 3 else np.array([-1, w, w]) for t, w in enumerate(words)]
        order = rng.permutation(6)
        yield vectors, [texts[t] for t in order], np.array([0, 0, 0, 1, 1, 1])[order]


def zeros_and_signs(doubts, right) -> np.ndarray:
    """The answer's doubts, reduced to their signs wherever the `right` doubts are not 0.

    The doubt of a text says how much nearer it is to the other class than to its own. One claim
    compares only these values, so that a doubt with the right sign and a wrong size costs no point.
    """
    return np.where(abs(right) < 1e-9, doubts, np.sign(doubts))


def sorted_absolute_doubts(doubts, right) -> np.ndarray:
    """The absolute values of the answer's doubts in increasing order, an array.

    A doubt says how much a text is nearer to the other class than to its own. If all texts of a
    class are parallel, all doubts are equal except for rounding. Then their order is arbitrary, so
    it must not matter here, and neither does a wrong sign, which costs a point elsewhere. `right`
    is not used.
    """
    return np.sort(abs(doubts)) if doubts.ndim == 1 else np.array(float(doubts.ndim))


sorted_absolute_doubts.every_shape = True

doubts.agrees(
    "is the mean cosine with the other class, minus the mean cosine with the rest of its own class",
    "Take four texts on paper, two of each class. With which two groups do you compare the first"
    " one, and which cosines are there?",
    two_classes,
)
doubts.agrees(
    "is 0 for a text that has nothing in common with any other text",
    f"{ITSELF} And a text without known words: is its cosine 0, or nan?",
    texts_without_common_words,
    view=zeros_and_signs,
)
doubts.agrees(
    "takes the mean over each class, and counts each of its texts",
    f"{SUM} sum or the mean asked for? Does a text of zeros count as well?",
    classes_of_different_size,
)
doubts.agrees(
    "leaves out unknown words (−1)",
    "Which row is vectors[-1]? What does your function do with a −1?",
    texts_with_unknown_words,
    view=sorted_absolute_doubts,
)
