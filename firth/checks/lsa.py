"""Exercise 1, the space: words and texts as points, a place for a query, and how many axes.

X ≈ U diag(s) Vt     terms × texts, k columns of U, k numbers s, k rows of Vt
vectors = U s        a row for each word
fold_in = q U / s    a place for a text that was not in X, beside the columns of Vt
"""

import numpy as np

from firth.checks.claims import Exercise, Written
from firth.checks.similarity import CHAPTER, cosines, told_apart

# --- word_vectors(X, k) ----------------------------------------------------------------------


def placed(place=lambda U, s, Vt, k: U[:, :k] * s[:k], table=lambda X: X):
    """A way of reading vectors off the SVD, the words' by default."""

    def word_vectors(X, k):
        U, s, Vt = np.linalg.svd(table(np.asarray(X, dtype=float)), full_matrices=False)
        return place(U, s, Vt, k)

    return word_vectors


def same_signs(vectors, right):
    """The vectors with each axis turned as in the right ones: an SVD may turn any of them."""
    return vectors * np.where((vectors * right).sum(axis=0) < 0, -1, 1)


word_vectors = Exercise(
    name="word_vectors",
    chapter=CHAPTER,
    difficulty=1,
    minutes=8,
    hints=(
        "np.linalg.svd gives three things. Which of them has a row for each word?",
        "Take the first k columns of U, and stretch each column by its singular value.",
        "U, s, Vt = np.linalg.svd(X, full_matrices=False)\n"
        "return U[:, :k] * …  # stretched by what?",
    ),
    right=placed(),
    view=same_signs,
)
word_vectors.mistakes = [
    (placed(lambda U, s, Vt, k: U[:, :k]), "All axes weigh the same: where did s go?"),
    (
        placed(lambda U, s, Vt, k: Vt[:k].T * s[:k]),
        "Those are the columns' vectors, the texts': which factor has a row for each word?",
    ),
    (
        placed(lambda U, s, Vt, k: Vt[:k].T),
        "Those are the columns' vectors, the texts': which factor has a row for each word?",
    ),
    (
        placed(lambda U, s, Vt, k: Vt[:, :k] * s[:k]),
        "The rows of Vt are axes, not words: which factor has a row for each word?",
    ),
    (
        placed(lambda U, s, Vt, k: Vt[:k]),
        "The rows of Vt are axes, not words: which factor has a row for each word?",
    ),
    (
        placed(lambda U, s, Vt, k: U[:k] * s),
        "U[:k] keeps k words: is it words you want fewer of, or axes?",
    ),
    (placed(lambda U, s, Vt, k: U[:k]), "U[:k] keeps k words: is it words you want fewer of?"),
    (
        placed(lambda U, s, Vt, k: U[:, -k:] * s[-k:]),
        "You keep the last k axes: where are the great singular values, first or last?",
    ),
    (
        placed(lambda U, s, Vt, k: (U[:, :k] * s[:k])[:, ::-1]),
        "The axes stand in rising order: which should come first?",
    ),
    (
        placed(lambda U, s, Vt, k: U[:, 1 : k + 1] * s[1 : k + 1]),
        "You leave the first axis out: does Python count from 0 or from 1?",
    ),
    (placed(lambda U, s, Vt, k: U * s), "You keep all the axes: where does k come in?"),
    (
        placed(lambda U, s, Vt, k: U[:, :k] * np.sqrt(s[:k])),
        "You stretch by √s, a choice that is made elsewhere: what does X ≈ U diag(s) Vt give?",
    ),
    (
        placed(lambda U, s, Vt, k: U[:, :k] * s[:k] ** 2),
        "You stretch by s²: is s already in, perhaps because of X Xᵀ?",
    ),
    (placed(lambda U, s, Vt, k: U[:, :k] / s[:k]), "You divide by s: stretch or shrink?"),
    (
        placed(lambda U, s, Vt, k: U[:, :k] * s[:k] @ Vt[:k]),
        "That is the rank-k picture of X itself; its rows are k-dimensional, but how long?",
    ),
    (
        placed(table=lambda X: X - X.mean(axis=0)),
        "You subtract the columns' means: that is principal components. Who asked for it?",
    ),
    (
        placed(table=lambda X: X - X.mean(axis=1, keepdims=True)),
        "You subtract the rows' means: that is principal components. Who asked for it?",
    ),
    (
        placed(
            lambda U, s, Vt, k: (
                U[:, :k] * s[:k] / np.linalg.norm(U[:, :k] * s[:k], axis=1, keepdims=True)
            )
        ),
        "All vectors have length 1: should a word keep its length here?",
    ),
]


def rectangles(rng):
    for n, m, k in ((7, 5, 2), (5, 8, 3), (6, 6, 4)):
        yield rng.poisson(1.5, size=(n, m)) + rng.random((n, m)), k


word_vectors.agrees(
    "is the first k columns of U, each times its singular value (the sign of an axis is free)",
    "Which factor of the SVD has a row for each word, and what is each of its columns times?",
    rectangles,
)


word_vectors.agrees(
    "keeps, with all the axes, every dot product between two rows of X",
    "With k as great as it can be, is vectors @ vectors.T the same table as X @ X.T?",
    lambda rng: [(X, min(X.shape)) for X, _ in rectangles(rng)],
    view=lambda vectors, right: vectors @ vectors.T,
)
word_vectors.agrees(
    "gives k numbers a word, the axis that matters most first",
    "How long is each column of your answer? Is it the singular values, the greatest first?",
    rectangles,
    view=lambda vectors, right: np.linalg.norm(vectors, axis=0),
)


# --- fold_in(q, U, s) ------------------------------------------------------------------------


fold_in = Exercise(
    name="fold_in",
    chapter=CHAPTER,
    difficulty=1,
    minutes=6,
    hints=(
        "A text of X is a column x = U diag(s) v. You know x, U and s: solve for v.",
        "The columns of U are at right angles and have length 1, so x U = s v, number by number.",
        "return q @ U …  # and what takes s away again?",
    ),
    right=lambda q, U, s: q @ U / s,
)
fold_in.mistakes = [
    (
        lambda q, U, s: q @ U,
        "You have s v: what is left to do to get v, the scale of the columns of Vt?",
    ),
    (lambda q, U, s: q @ U * s, "You multiply by s: from s v to v, which way is it?"),
    (lambda q, U, s: q @ U / np.sqrt(s), "Where does the root come from? s v, divided by s …"),
    (lambda q, U, s: q @ U / s**2, "You divide by s twice: which one is too many?"),
    (
        lambda q, U, s: q @ (U * s) @ np.diag(s),
        "You multiply by s: from s v to v, which way is it?",
    ),
    (
        lambda q, U, s: q @ U / s / max(np.linalg.norm(q @ U / s), 1e-300),
        "Should a text of twice the words not lie twice as far out? You give it length 1.",
    ),
    (
        lambda q, U, s: q @ U / s / max(q.sum(), 1),
        "You divide by the number of words: should a text of twice the words not lie twice as far?",
    ),
    (
        lambda q, U, s: q @ U / s / max(np.linalg.norm(q), 1e-300),
        "You shorten q to length 1 first: should a text of twice the words not lie twice as far?",
    ),
    (lambda q, U, s: (q > 0) @ U / s, "A word that is in the text twice: does it count once?"),
    (lambda q, U, s: q @ U @ U.T, "You go into the space and come out again: where do you stop?"),
]


def collection(rng, n, m, k):
    """A random table of weighted counts, and its first k axes."""
    X = rng.poisson(1.2, size=(n, m)) + rng.random((n, m))
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    return X, U[:, :k], s[:k], Vt[:k]


def queries(rng):
    for n, m, k in ((6, 5, 2), (9, 7, 3), (5, 8, 1)):
        _, U, s, _ = collection(rng, n, m, k)
        q = rng.integers(0, 3, size=n).astype(float)
        q[0] = 2
        yield q, U, s


def own_columns(rng):
    for n, m, k in ((6, 5, 2), (9, 7, 3)):
        X, U, s, _ = collection(rng, n, m, k)
        yield from ((X[:, j], U, s) for j in range(m))


def queries_tripled(rng):
    for q, U, s in queries(rng):
        yield q, U, s
        yield 3 * q, U, s
        yield 0 * q, U, s


fold_in.agrees(
    "is q U ÷ s, one number for each axis",
    "For q with a single word: is it that word's row of U, each number divided by its s?",
    queries,
)


fold_in.agrees(
    "puts a text that is in X onto its own column of Vt",
    "Fold in a column of X: do you come out at the column of Vt?",
    own_columns,
)
fold_in.agrees(
    "puts a text of three times the words three times as far out, and no text at 0",
    "Do you change the length of q on the way?",
    queries_tripled,
)


# --- find_documents(q, U, s, Vt, n) ----------------------------------------------------------


def found(
    query=lambda q, U, s: q @ U,
    documents=lambda s, Vt: Vt.T * s,
    closeness=cosines,
    pick=lambda order, n: order[:n],
):
    """A way of finding texts: where the query lies, where they lie, how close that is."""

    def find_documents(q, U, s, Vt, n):
        order = np.argsort(-closeness(documents(s, Vt), query(q, U, s)), kind="stable")
        return pick(order, n)

    return find_documents


def how_close(q, U, s, Vt, n):
    return np.sort(cosines(Vt.T * s, q @ U))[::-1][:n]


UNSCALED = (
    "You compare v with v, where every axis weighs the same; the axes should weigh as in X:"
    " what must both be multiplied by?"
)
HALF_SCALED = (
    "The query and the texts are not on the same scale: which of them is multiplied by s, and"
    " which is not?"
)
find_documents = Exercise(
    name="find_documents",
    chapter=CHAPTER,
    difficulty=2,
    minutes=10,
    hints=(
        "Once the query is a point among the texts, this is the question of the neighbours again.",
        "Fold the query in; multiply its numbers, and those of every text (a column of Vt), by s;"
        " take cosines; sort the numbers of the texts from the greatest cosine down.",
        "query = fold_in(q, U, s) * s\n"
        "texts = Vt.T * s\n"
        "closeness = [cosine(query, text) for text in texts]\n"
        "return …  # the numbers of the n greatest, the greatest first",
    ),
    right=found(),
)
find_documents.mistakes = [
    (found(query=lambda q, U, s: q @ U / s, documents=lambda s, Vt: Vt.T), UNSCALED),
    (found(documents=lambda s, Vt: Vt.T), HALF_SCALED),
    (found(query=lambda q, U, s: q @ U / s), HALF_SCALED),
    (found(query=lambda q, U, s: q @ U * s), HALF_SCALED),
    (
        found(closeness=lambda texts, q: texts @ q),
        "You rank by the dot product, so that long texts win: what minds only direction?",
    ),
    (
        found(
            query=lambda q, U, s: q @ U / s,
            documents=lambda s, Vt: Vt.T,
            closeness=lambda texts, q: texts @ q,
        ),
        "You rank by the dot product, so that long texts win: what minds only direction?",
    ),
    (
        found(closeness=lambda texts, q: -np.linalg.norm(texts - q, axis=1)),
        "You rank by distance, and a query is short: does the cosine mind length?",
    ),
    (
        found(pick=lambda order, n: order[::-1][:n]),
        "You start with the farthest text: which way does argsort sort?",
    ),
    (
        found(pick=lambda order, n: order[:n][::-1]),
        "The right texts, but the best should come first: which one is it?",
    ),
    (
        found(pick=lambda order, n: order[1 : n + 1]),
        "You drop the best one, as for a word's neighbours: is the query one of the texts?",
    ),
    (
        found(pick=lambda order, n: order[:n] + 1),
        "Every number is one too great: is the first text 0 or 1?",
    ),
    (found(pick=lambda order, n: order), "You return every text: where does n come in?"),
    (how_close, "Those are the similarities: can you return the numbers of the texts instead?"),
    (
        lambda q, U, s, Vt, n: np.argsort(-cosines(U * s, q @ U), kind="stable")[:n],
        "Those are the rows of U, the words: where are the texts?",
    ),
]


def searches(rng):
    for n, m, k in ((6, 9, 3), (12, 8, 2), (10, 10, 4)):
        for asked in (m, 3):
            closeness = np.zeros(2)
            while not told_apart(closeness):
                _, U, s, Vt = collection(rng, n, m, k)
                q = np.zeros(n)
                q[rng.permutation(n)[:3]] = rng.integers(1, 3, size=3)
                closeness = cosines(Vt.T * s, q @ U)
            yield q, U, s, Vt, asked


def own_searches(rng):
    for n, m, k in ((6, 9, 3), (12, 8, 3)):
        twins = True
        while twins:
            X, U, s, Vt = collection(rng, n, m, k)
            twins = not all(told_apart(cosines(Vt.T * s, text)) for text in Vt.T * s)
        yield from ((X[:, j], U, s, Vt, 1) for j in range(m))


find_documents.agrees(
    "names the n texts with the greatest cosine, the best first",
    "Take two axes and two texts, on paper: where does the query lie, where do they?",
    searches,
    points=2,
)
find_documents.agrees(
    "finds a text by its own words",
    "With a column of X as the query, which text should come first?",
    own_searches,
)


# --- choose_k(spaces, validation, test) ------------------------------------------------------


def ranks(numbers):
    """Each number's place in the order, equal numbers sharing theirs."""
    numbers = np.asarray(numbers, dtype=float)
    below = (numbers < numbers[:, None]).sum(axis=1)
    return below + ((numbers == numbers[:, None]).sum(axis=1) - 1) / 2


def row_cosine(x, y):
    return (x * y).sum(axis=1) / (np.linalg.norm(x, axis=1) * np.linalg.norm(y, axis=1))


def agreement(vectors, pairs, rank=ranks, measure=row_cosine):
    """Spearman's correlation of the model's cosines with people's scores."""
    i, j, scores = np.array(pairs).T
    a = rank(measure(vectors[i.astype(int)], vectors[j.astype(int)]))
    b = rank(scores)
    a, b = a - a.mean(), b - b.mean()
    return a @ b / np.sqrt((a @ a) * (b @ b))


def chosen(choose=max, on=lambda validation, test: validation, report=None, order=sorted, **how):
    """A way of choosing k: by what, on which pairs, and which number is reported for it."""

    def choose_k(spaces, validation, test):
        pairs = on(validation, test)
        rho = {k: round(agreement(spaces[k], pairs, **how), 12) for k in order(spaces)}
        k = choose(rho, key=rho.get)
        reported = report(validation, test) if report else test
        return k, agreement(spaces[k], reported, **how)

    return choose_k


def largest_of_ties(rho, key):
    return max(reversed(rho), key=key)


ON_TEST = (
    "You look at the test pairs to choose k: what is left then to find out how good it is on pairs"
    " it was not chosen for?"
)
choose_k = Exercise(
    name="choose_k",
    chapter=CHAPTER,
    difficulty=3,
    minutes=12,
    hints=(
        "Two tables of pairs, two jobs: one to choose with, one to be honest with.",
        "For each k, take the cosines of the validation pairs and their Spearman correlation with"
        " the scores; keep the best k, the smaller if two are equal. Only then look at the test"
        " pairs, once, with that k.",
        "def rho(k, pairs):\n"
        "    closeness = [cosine(spaces[k][i], spaces[k][j]) for i, j, score in pairs]\n"
        "    scores = [score for i, j, score in pairs]\n"
        "    return spearman(np.array(closeness), np.array(scores))\n"
        "\n"
        "k = max(sorted(spaces), key=…)  # which pairs choose?\n"
        "return k, …  # and which pairs report?",
    ),
    right=chosen(),
)
choose_k.mistakes = [
    (chosen(on=lambda validation, test: test), ON_TEST),
    (chosen(on=lambda validation, test: [*validation, *test]), ON_TEST),
    (
        chosen(report=lambda validation, test: validation),
        "You report the agreement on the pairs that chose k; is that an honest number?",
    ),
    (
        chosen(
            on=lambda validation, test: [*validation, *test],
            report=lambda validation, test: [*validation, *test],
        ),
        ON_TEST,
    ),
    (chosen(choose=min), "You keep the k that agrees least: min or max?"),
    (chosen(choose=lambda rho, key: max(rho)), "You take the greatest k: is more always better?"),
    (chosen(choose=lambda rho, key: min(rho)), "You take the smallest k: do the pairs have a say?"),
    (
        chosen(choose=lambda rho, key: max(rho, key=lambda k: abs(rho[k]))),
        "Is a strong disagreement (a correlation near −1) a good sign?",
    ),
    (
        chosen(order=list),
        "Two values of k agree equally well with people, and the first you meet wins: which one is"
        " asked for?",
    ),
    (
        chosen(choose=largest_of_ties),
        "Two values of k agree equally well with people: which one is asked for then?",
    ),
    (
        chosen(rank=lambda numbers: np.asarray(numbers, dtype=float)),
        "That is Pearson's correlation, of the numbers: what does Spearman's look at instead?",
    ),
    (
        chosen(measure=lambda x, y: (x * y).sum(axis=1)),
        "You compare words by the dot product, so that long vectors win: cosine?",
    ),
    (
        chosen(measure=lambda x, y: -np.linalg.norm(x - y, axis=1)),
        "You compare words by distance, so that long vectors lose: cosine?",
    ),
    (
        chosen(measure=lambda x, y: np.linalg.norm(x - y, axis=1)),
        "A distance is small where words are alike: would the cosine be?",
    ),
    (
        lambda spaces, validation, test: chosen()(spaces, validation, test)[::-1],
        "The right two numbers: in which order are they asked for?",
    ),
    (
        lambda spaces, validation, test: chosen()(spaces, validation, test)[0],
        "That is k; how well does it do on the test pairs?",
    ),
]


def pairs_of(rng, V, number):
    corners = [(i, j) for i in range(V) for j in range(i)]
    picked = rng.permutation(len(corners))[:number]
    scores = rng.permutation(number) + rng.random(number) / 2
    return [(*corners[p], float(score)) for p, score in zip(picked, scores, strict=True)]


def contest(rng, spaces):
    """The spaces with pairs about which no two of them agree equally well, by any list or sign."""
    V, even = len(next(iter(spaces.values()))), True
    while even:
        case = spaces, pairs_of(rng, V, 10), pairs_of(rng, V, 10)
        even = not all(told_apart(np.abs([*rho.values()])) for rho in agreements(*case))
    return case


def agreements(spaces, validation, test):
    """For validation, test, and both: each k with its agreement."""
    lists = validation, test, [*validation, *test]
    return [{k: agreement(spaces[k], pairs) for k in spaces} for pairs in lists]


def contests(rng):
    """Cases, as many as it takes until those who choose k by something else have chosen another."""
    cases, chose = [], []
    while not cases or len(set(zip(*chose, strict=True))) < len(chose[0]):
        ks = (5, 2, 8, 3)
        cases.append(contest(rng, {k: rng.normal(size=(9, k)) * rng.random((9, 1)) for k in ks}))
        by, by_test, by_both = agreements(*cases[-1])
        against, strongly = {k: -by[k] for k in ks}, {k: abs(by[k]) for k in ks}
        by_all = [by, by_test, by_both, against, strongly]
        chose.append([*(max(ks, key=rho.get) for rho in by_all), max(ks), min(ks)])
    return cases


def ties(rng):
    """The best space once more with idle axes: they agree equally well, and the smaller k wins."""
    for more, k in ((6, 3), (8, 5)):
        rho = {0: 0.0}
        while max(rho, key=rho.get) != k or not told_apart([*rho.values()]):
            spaces = {d: rng.normal(size=(9, d)) for d in (9, k, 2)}
            validation = pairs_of(rng, 9, 10)
            rho = {d: agreement(spaces[d], validation) for d in spaces}
        idle = np.pad(spaces[k], ((0, 0), (0, more - k)))
        spaces = {9: spaces[9], more: idle, k: spaces[k], 2: spaces[2]}
        test = pairs_of(rng, 9, 10)
        yield spaces, validation, test
        yield dict(reversed(spaces.items())), validation, test


choose_k.agrees(
    "chooses the k whose cosines agree best with people on the validation pairs",
    "For each k by hand: what is spearman(cosines, scores) on the validation pairs?",
    contests,
    view=lambda answer, right: answer[:1],
    points=2,
)
choose_k.agrees(
    "reports, for that k, the agreement on the test pairs, which had no part in the choice",
    "Which pairs had no part in choosing k? What is spearman(cosines, scores) on them?",
    contests,
)
choose_k.agrees(
    "takes the smaller k where two agree equally well",
    "max keeps the first of equals: in which order do you go through the ks?",
    ties,
)


# --- in words --------------------------------------------------------------------------------


explain_lsa = Written(
    name="explain_lsa",
    chapter=CHAPTER,
    difficulty=2,
    minutes=12,
    rubric=(
        "says that “human” and “user” never stand in one title, so that counting together finds"
        " nothing",
        "says that they share company: names at least one word that stands with both",
        "says what the first k axes keep: what many rows and columns have in common",
        "says what is lost or blurred by dropping the other axes, with an example",
        "names a limit that no k removes (one vector a word, no order, a word never seen)",
    ),
)
