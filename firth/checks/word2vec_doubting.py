"""Exercise 2, ways of doubting a label: the right one, and what goes wrong.

doubt = mean of cos over the other side − mean of cos over the rest of its own
"""

import numpy as np


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
