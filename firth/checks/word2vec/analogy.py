"""Exercise 2, analogies: a is to b as c is to whom?

analogy(vectors, a, b, c, n) = the n words with the greatest cosine with v_b − v_a + v_c,
                               v = vectors of length 1; never a, b or c
"""

import numpy as np

from firth.checks.claims import Exercise


def unit(rows):
    return rows / np.sqrt((rows**2).sum(axis=-1, keepdims=True))


def cosines(rows, target):
    return unit(rows) @ unit(target)


def solved(
    target=lambda a, b, c: b - a + c,
    closeness=cosines,
    prepare=unit,
    out=lambda a, b, c: (a, b, c),
    pick=lambda order, n: order[:n],
):
    """A way of solving, right by default: where to look, how close, who is out, whom to pick."""

    def analogy(vectors, a, b, c, n):
        vectors = np.asarray(vectors, dtype=float)
        rows = prepare(vectors)
        order = np.argsort(-closeness(rows, target(rows[a], rows[b], rows[c])), kind="stable")
        return pick(order[~np.isin(order, out(a, b, c))], n)

    return analogy


def how_close(vectors, a, b, c, n):
    rows = unit(np.asarray(vectors, dtype=float))
    return cosines(rows, rows[b] - rows[a] + rows[c])[solved()(vectors, a, b, c, n)]


def renumbered(vectors, a, b, c, n):
    """Takes the three rows out, and counts the rest anew."""
    vectors = np.asarray(vectors, dtype=float)
    rows = unit(vectors)
    rest = np.delete(rows, [a, b, c], axis=0)
    return np.argsort(-cosines(rest, rows[b] - rows[a] + rows[c]), kind="stable")[:n]


def too_few(vectors, a, b, c, n):
    """Takes n first, and drops the three afterwards."""
    best = solved(out=lambda a, b, c: ())(vectors, a, b, c, n)
    return [word for word in best if word not in (a, b, c)]


def zeroed(vectors, a, b, c, n):
    """Gives the words of the question the cosine 0, as if there were none below it."""
    rows = unit(np.asarray(vectors, dtype=float))
    near = cosines(rows, rows[b] - rows[a] + rows[c])
    near[[a, b, c]] = 0
    return np.argsort(-near)[:n]


AS_THEY_ARE = (
    "You rank by the dot product of vectors as they are, so that long ones win: what minds only"
    " direction?"
)
ITSELF = "You name a word of the question, which is no answer: how do you leave all three out?"
LENGTH = (
    "A frequent word has a long vector: should it push more than the others? Give every vector"
    " length 1 before you add and subtract."
)
FIRST = "The right words, but the best should come first: which one is it?"
SKIPPED = "You skip the best few instead of a, b and c: are those always the best?"
SIGNS = "From a to b is b − a. Then the same step from c: which of the three has a minus?"
analogy = Exercise(
    name="analogy",
    chapter="02_word2vec",
    number="2.6",
    difficulty=2,
    minutes=10,
    hints=(
        "The step that leads from a to b: make it once more, from c. Who lives near there?",
        "Divide every row by its length. The target is v_b − v_a + v_c. Take its cosine with every"
        " row, sort from the greatest down, leave out a, b and c, keep n.",
        "rows = unit(vectors)\n"
        "target = …  # from c, the step that leads from a to b\n"
        "order = np.argsort(-(rows @ target))\n"
        "return [word for word in order if word not in (a, b, c)][:n]",
    ),
    right=solved(),
)
SIGNED = [
    (solved(lambda a, b, c: a - b + c), SIGNS),
    (solved(lambda a, b, c: b + a - c), SIGNS),
    (solved(lambda a, b, c: a + b + c), SIGNS),
    (solved(lambda a, b, c: b + c), "You add b and c up: where does the step from a to b begin?"),
    (
        solved(lambda a, b, c: b - a),
        "That is the step from a to b alone: from where should it be made?",
    ),
    (solved(lambda a, b, c: c), "Those are the neighbours of c: what do a and b say?"),
    (
        solved(pick=lambda order, n: order[::-1][:n]),
        "You start with the farthest: which way does argsort sort?",
    ),
]
NAMED = [
    (solved(out=lambda a, b, c: ()), ITSELF),
    (solved(out=lambda a, b, c: (b,)), ITSELF),
    (solved(out=lambda a, b, c: (c,)), ITSELF),
    (solved(out=lambda a, b, c: (a, b)), ITSELF),
    (solved(out=lambda a, b, c: (b, c)), ITSELF),
    (solved(out=lambda a, b, c: (), pick=lambda order, n: order[1 : 1 + n]), SKIPPED),
    (solved(out=lambda a, b, c: (), pick=lambda order, n: order[3 : 3 + n]), SKIPPED),
    (too_few, "You take n words first, and then leave out those of the question: how many remain?"),
    (
        zeroed,
        "You give the words of the question the cosine 0, and one of them comes up all the same: is"
        " 0 below every cosine?",
    ),
    (renumbered, "You took three rows out: which number does the row after them have now?"),
]
LONG = [
    (solved(prepare=lambda rows: rows), LENGTH),
    (
        solved(prepare=lambda rows: rows, closeness=lambda rows, target: rows @ target),
        AS_THEY_ARE,
    ),
    (
        solved(
            target=lambda a, b, c: unit(b) - unit(a) + unit(c),
            prepare=lambda rows: rows,
            closeness=lambda rows, target: rows @ target,
        ),
        AS_THEY_ARE,
    ),
    (
        solved(
            prepare=lambda rows: rows,
            closeness=lambda rows, target: -np.linalg.norm(rows - target, axis=1),
        ),
        "You rank by distance, so that the length of a vector matters: does the cosine mind it?",
    ),
]
COLUMNS = (
    solved(prepare=lambda rows: unit(rows.T).T, closeness=lambda rows, target: rows @ target),
    "You divide each column by its length: is a word's vector a row or a column?",
)
analogy.mistakes = [
    *SIGNED,
    *NAMED,
    *LONG,
    (solved(pick=lambda order, n: order[:n][::-1]), FIRST),
    (solved(pick=lambda order, n: np.sort(order[:n])), FIRST),
    (
        solved(pick=lambda order, n: np.sort(order)[:n]),
        "You name the least numbers of all that are left: did a set forget who is near?",
    ),
    COLUMNS,
    (solved(pick=lambda order, n: order), "You return all the others: where does n come in?"),
    (solved(pick=lambda order, n: order[:1]), "You return one word: where does n come in?"),
    (how_close, "Those are the similarities: can you return the numbers of the words instead?"),
]


def told_apart(vectors, a, b, c, n):
    """Whether the order is plain to see: no two so close that rounding might decide."""
    rows = unit(vectors)
    return np.diff(np.sort(cosines(rows, rows[b] - rows[a] + rows[c]))).min() > 1e-4


def unmasking(rng, rivals, longest=1.0, sizes=((9, 3), (11, 4), (10, 5)), seen=list):
    """Cases, as many as it takes until every one of these mistakes has shown at least once.

    The mistakes that mind length are told apart from each other as well.
    """
    answers = [solved(), *(mistake for mistake, _ in rivals)]
    apart = [(0, r) for r in range(1, len(answers))]
    apart += [(1 + r, 1 + q) for q in range(len(LONG)) for r in range(q) if rivals[0] is LONG[0]]
    cases = []
    while len(cases) < len(sizes) or apart:
        V, n = sizes[len(cases) % len(sizes)]
        a, b, c = rng.permutation(V)[:3]
        rows = unit(rng.normal(size=(V, 3)))
        # Near each other, as king, man and woman are: a question's words come up in its answer.
        rows[[a, b]] = unit(rows[c] + 0.6 * rows[[a, b]])
        case = rows * rng.uniform(1, longest, size=(V, 1)), int(a), int(b), int(c), n
        if told_apart(*case):
            said = [seen(answer(*case)) for answer in answers]
            apart = [(q, r) for q, r in apart if said[q] == said[r]]
            cases.append(case)
    return cases


analogy.agrees(
    "names the n words nearest to v_b − v_a + v_c by cosine, the best first",
    "Draw the arrow from a to b, and lay its tail on c: where does its tip lie, and who is near?",
    lambda rng: unmasking(rng, [*SIGNED, *NAMED, COLUMNS]),
)
analogy.agrees(
    "never names a word of the question, and names n others",
    "Is a, b or c among your answers? How many do you give, and are they the nearest of the rest?",
    lambda rng: unmasking(rng, [*NAMED, *SIGNED, COLUMNS], seen=sorted),
    view=lambda words, right: np.sort(words),
)
analogy.agrees(
    "gives every vector length 1 first, so that only directions matter, and leaves vectors as"
    " they were",
    LENGTH,
    lambda rng: unmasking(rng, [*LONG, *SIGNED, *NAMED, COLUMNS], longest=6.0),
    untouched="Do you write into vectors? `/=` does; the next question needs their lengths.",
)
