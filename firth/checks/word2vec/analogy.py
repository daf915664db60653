"""Exercise 2.6: analogies. The word a is to b as c is to which word?

analogy(vectors, a, b, c, n) = the n rows with the largest cosine with v_b − v_a + v_c,
                               where v are the rows, scaled to length 1; never a, b or c

In the first two claims all vectors have length 1 already. The second claim looks only at how many
words are named and whether a, b and c are among them. The other two look at the first n words, and
there a, b and c are far from the target.
"""

from collections.abc import Callable, Iterator

import numpy as np

from firth.checks.claims import Exercise

Mistakes = dict[str, tuple[Callable, str]]  # name → the wrong function and its question


def unit_rows(rows):
    """The rows, each scaled to norm 1."""
    return rows / np.sqrt((rows**2).sum(axis=-1, keepdims=True))


def cosines(rows, target):
    """An array with the cosine of each row with the vector `target`."""
    return unit_rows(rows) @ unit_rows(target)


def analogy_function(
    target=lambda a, b, c: b - a + c,
    measure=cosines,
    prepare=unit_rows,
    left_out=lambda a, b, c: (a, b, c),
    pick=lambda order, n: order[:n],
) -> Callable:
    """A function `analogy(vectors, a, b, c, n)`: the reference answer, or a mistake.

    With the default arguments it is the reference answer. `prepare` changes the rows first,
    `target` computes b − a + c, and `measure` says how near a row is to it. `left_out` gives the
    words that are left out, and `pick` takes n of the others, which are sorted by the measure.
    """

    def analogy(vectors, a, b, c, n):
        rows = prepare(np.asarray(vectors, dtype=float))
        order = np.argsort(-measure(rows, target(rows[a], rows[b], rows[c])), kind="stable")
        return pick(order[~np.isin(order, left_out(a, b, c))], n)

    return analogy


def no_words(a, b, c):
    """An empty tuple of words: a wrong answer leaves out none of the words a, b and c."""
    return ()


def mistake_cosines_returned(vectors, a, b, c, n):
    """The n largest cosines: a wrong answer, because the ids of the words are asked for."""
    rows = unit_rows(np.asarray(vectors, dtype=float))
    found = analogy_function()(vectors, a, b, c, n)
    return cosines(rows, rows[b] - rows[a] + rows[c])[found]


def mistake_rows_removed(vectors, a, b, c, n):
    """The n best ids of a wrong answer that removes rows a, b and c from the table.

    The rows after them then have smaller indices, which are no longer the ids of the words.
    """
    rows = unit_rows(np.asarray(vectors, dtype=float))
    rest = np.delete(rows, [a, b, c], axis=0)
    return np.argsort(-cosines(rest, rows[b] - rows[a] + rows[c]), kind="stable")[:n]


def mistake_left_out_too_late(vectors, a, b, c, n):
    """The best ids of a wrong answer that takes n words and then leaves out a, b and c.

    Fewer than n remain if one of the three was among them.
    """
    best = analogy_function(left_out=no_words)(vectors, a, b, c, n)
    return [word for word in best if word not in (a, b, c)]


def mistake_not_cut(vectors, a, b, c, n):
    """The best ids of a wrong answer that takes n + 3 words and then leaves out a, b and c.

    More than n remain if one of the three was not among them.
    """
    best = analogy_function(left_out=no_words)(vectors, a, b, c, n + 3)
    return [word for word in best if word not in (a, b, c)]


def mistake_cosine_zero(vectors, a, b, c, n):
    """The n best ids of a wrong answer that gives a, b and c the cosine 0 to leave them out.

    Other words can have a negative cosine, which is smaller.
    """
    rows = unit_rows(np.asarray(vectors, dtype=float))
    near = cosines(rows, rows[b] - rows[a] + rows[c])
    near[[a, b, c]] = 0
    return np.argsort(-near)[:n]


DOT = (
    "You rank by the dot product of the vectors as they are, so long ones win. Which measure looks"
    " at the direction only?"
)
ITSELF = "One of the words a, b and c is in your result. How do you leave out all three?"
LENGTH = (
    "A frequent word has a long vector, and it changes your target more than the others. Where do"
    " you give every vector the length 1?"
)
BEST_FIRST = "These are the right words, but the best should come first. Which one is it?"
FIRST_LEFT_OUT = (
    "You leave out the first words of your order. Are these always a, b and c? One of the three can"
    " be far from the target."
)
SIGNS = "The step from a to b is b − a. Now do this step from c. Which of the three has a minus?"
LEFT_OUT: Mistakes = {
    "nobody left out": (analogy_function(left_out=no_words), ITSELF),
    "b left out": (analogy_function(left_out=lambda a, b, c: (b,)), ITSELF),
    "c left out": (analogy_function(left_out=lambda a, b, c: (c,)), ITSELF),
    "a and b left out": (analogy_function(left_out=lambda a, b, c: (a, b)), ITSELF),
    "b and c left out": (analogy_function(left_out=lambda a, b, c: (b, c)), ITSELF),
    "first one left out": (
        analogy_function(left_out=no_words, pick=lambda order, n: order[1 : 1 + n]),
        FIRST_LEFT_OUT,
    ),
    "first three left out": (
        analogy_function(left_out=no_words, pick=lambda order, n: order[3 : 3 + n]),
        FIRST_LEFT_OUT,
    ),
    "left out too late": (
        mistake_left_out_too_late,
        "You take n words, and then you leave out a, b and c. How many words remain?",
    ),
    "not cut": (
        mistake_not_cut,
        "You return more than n words. If you take n + 3 and leave out a, b and c, how many remain"
        " where one of the three is far from the target?",
    ),
    "all others": (
        analogy_function(pick=lambda order, n: order),
        "You return all other words. Where do you use n?",
    ),
    "one word": (
        analogy_function(pick=lambda order, n: order[:1]),
        "You return one word. Where do you use n?",
    ),
    "cosine 0": (
        mistake_cosine_zero,
        "You give a, b and c the cosine 0. Is the cosine of every other word larger than that?",
    ),
    "rows removed": (
        mistake_rows_removed,
        "You removed three rows from the table. Which number does the row after them have now?",
    ),
}
WRONG_TARGET: Mistakes = {
    "a − b + c": (analogy_function(lambda a, b, c: a - b + c), SIGNS),
    "b + a − c": (analogy_function(lambda a, b, c: b + a - c), SIGNS),
    "a + b + c": (analogy_function(lambda a, b, c: a + b + c), SIGNS),
    "b + c": (
        analogy_function(lambda a, b, c: b + c),
        "You add b and c. The step leads from a to b: where is a in your target?",
    ),
    "b − a": (
        analogy_function(lambda a, b, c: b - a),
        "That is the step from a to b. From which word should you do it?",
    ),
    "c": (
        analogy_function(lambda a, b, c: c),
        "You return the neighbours of c. Where are a and b in your target?",
    ),
    "farthest": (
        analogy_function(pick=lambda order, n: order[::-1][:n]),
        "Your list begins with the farthest word. In which direction does argsort sort?",
    ),
}
LENGTHS: Mistakes = {
    "lengths kept": (analogy_function(prepare=lambda rows: rows), LENGTH),
    "lengths kept, dot product": (
        analogy_function(prepare=lambda rows: rows, measure=lambda rows, target: rows @ target),
        DOT,
    ),
    "target of length 1, dot product": (
        analogy_function(
            target=lambda a, b, c: unit_rows(b) - unit_rows(a) + unit_rows(c),
            prepare=lambda rows: rows,
            measure=lambda rows, target: rows @ target,
        ),
        DOT,
    ),
    "distance": (
        analogy_function(
            prepare=lambda rows: rows,
            measure=lambda rows, target: -np.linalg.norm(rows - target, axis=1),
        ),
        "You rank by distance, so the length of a vector matters. Does it matter to the cosine?",
    ),
}
COLUMNS: Mistakes = {
    "columns of length 1": (
        analogy_function(
            prepare=lambda rows: unit_rows(rows.T).T, measure=lambda rows, target: rows @ target
        ),
        "You divide each column by its length. Is a word's vector a row or a column?",
    )
}
MISTAKES: Mistakes = {
    **WRONG_TARGET,
    **LEFT_OUT,
    **LENGTHS,
    **COLUMNS,
    "best last": (analogy_function(pick=lambda order, n: order[:n][::-1]), BEST_FIRST),
    "sorted by number": (analogy_function(pick=lambda order, n: np.sort(order[:n])), BEST_FIRST),
    "smallest numbers": (
        analogy_function(pick=lambda order, n: np.sort(order)[:n]),
        "You return the n smallest numbers that are left. Does a set keep the order of the"
        " cosines?",
    ),
    "cosines returned": (
        mistake_cosines_returned,
        "Those are the cosines. Can you return the numbers of the words instead?",
    ),
}
analogy = Exercise(
    name="analogy",
    chapter="02_word2vec",
    number="2.6",
    difficulty=2,
    minutes=10,
    hints=(
        "What leads from a to b? Do the same step from c. Which words are near the point that you"
        " reach?",
        "Divide every row by its length. The target is row b minus row a plus row c. Take its"
        " cosine with every row, sort the row numbers by it, the largest cosine first. Leave out a,"
        " b and c, and keep the first n.",
        "rows = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)\n"
        "target = …  # the step from a to b, done from c\n"
        "order = np.argsort(-(rows @ target))\n"
        "return [word for word in order if word not in (a, b, c)][:n]",
    ),
    right=analogy_function(),
    mistakes=MISTAKES,
)


def cosines_differ(vectors, a, b, c) -> bool:
    """True if no two rows have nearly the same cosine with b − a + c, else False.

    Then rounding cannot change their order.
    """
    rows = unit_rows(vectors)
    closeness = np.sort(cosines(rows, rows[b] - rows[a] + rows[c]))
    return bool(np.diff(closeness).min() > 1e-4)


def pairs_with_same_result(results, pairs) -> set:
    """The set of those of the `pairs` (r, q) for which results[r] == results[q]."""
    return {(r, q) for r, q in pairs if results[r] == results[q]}


def analogies(rng, mistakes: Mistakes, longest=1.0) -> Iterator[tuple]:
    """Inputs (vectors, a, b, c, n) until these mistakes have been told apart.

    On at least one input each of them gives another result than the reference answer, and than each
    other mistake. The norms lie between 1 and `longest`. The words a, b and c are never among the n
    nearest, whose cosines are above 0. So an answer that does not leave them out, or gives them the
    cosine 0, loses no point here.
    """
    functions = [analogy_function(), *(mistake for mistake, _ in mistakes.values())]
    apart = {(r, q) for q in range(len(functions)) for r in range(q)}
    count = 0
    while count < 3 or apart:
        V, n = ((9, 3), (11, 4), (10, 3))[count % 3]
        a, b, c = map(int, rng.permutation(V)[:3])
        vectors = unit_rows(rng.normal(size=(V, 3))) * rng.uniform(1, longest, size=(V, 1))
        best = analogy_function(left_out=no_words)(vectors, a, b, c, n).tolist()
        worst = mistake_cosines_returned(vectors, a, b, c, n).min()
        if cosines_differ(vectors, a, b, c) and not {a, b, c} & {*best} and worst > 0.01:
            apart = pairs_with_same_result([list(f(vectors, a, b, c, n)) for f in functions], apart)
            count += 1
            yield vectors, a, b, c, n


A, B, C = 1, 6, 4


def count_and_left_out(words, right) -> np.ndarray:
    """Three numbers: how many words the answer has, how many different ones, how many of A, B, C.

    One claim compares only these numbers. `right`, the right answer, is not used.
    """
    return np.array([words.size, len(np.unique(words)), np.isin(words, (A, B, C)).sum()])


count_and_left_out.every_shape = True


def analogies_among_neighbours(rng) -> Iterator[tuple]:
    """Inputs (vectors, A, B, C, n) until each mistake of LEFT_OUT has given a wrong result.

    LEFT_OUT holds the mistakes in leaving out A, B and C. In two of three inputs, A and B are near
    C, so that all three are among the nearest if they are not left out. In the third, A is opposite
    to C. This catches an answer that leaves out the first three, or takes n + 3 words and leaves
    out A, B, C.
    """
    functions = [analogy_function(), *(mistake for mistake, _ in LEFT_OUT.values())]
    apart = {(0, q) for q in range(1, len(functions))}
    count = 0
    while count < 3 or apart:
        V, n = ((9, 3), (11, 4), (10, 5))[count % 3]
        rows = unit_rows(rng.normal(size=(V, 3)))
        rows[[A, B]] = unit_rows(rows[C] + 0.6 * rows[[A, B]])
        if count % 3 == 2:
            rows[A] = unit_rows(-rows[C] + 0.3 * rows[A])
        if cosines_differ(rows, A, B, C):
            results = [np.asarray(f(rows, A, B, C, n)) for f in functions]
            apart = pairs_with_same_result(
                [count_and_left_out(r, None).tolist() for r in results], apart
            )
            count += 1
            yield rows, A, B, C, n


def unit_vectors(rng) -> Iterator[tuple]:
    """Inputs (vectors, a, b, c, n) with unit vectors: "a is to b as c is to which n words?"

    They catch a wrong target (the right one is b − a + c), and results that do not begin with the
    largest cosine.
    """
    yield from analogies(rng, WRONG_TARGET | COLUMNS)


def vectors_of_many_norms(rng) -> Iterator[tuple]:
    """Inputs (vectors, a, b, c, n) with vectors of norms between 1 and 6.

    They catch an answer that adds and subtracts vectors that are not scaled to norm 1, or that
    ranks by dot product or distance.
    """
    yield from analogies(rng, LENGTHS | WRONG_TARGET | COLUMNS, longest=6.0)


def first_n(words, right) -> np.ndarray:
    """The first n words of the answer, so that an answer that is too long costs no point here.

    n is the length of the right answer. Two claims compare answers by this function.
    """
    return words[: len(right)] if words.ndim == 1 else words


first_n.every_shape = True

analogy.agrees(
    "names the words with the largest cosine with v_b − v_a + v_c, the best first",
    "Draw the arrow from a to b, and begin the same arrow at c. Where does it end, and which words"
    " are near?",
    unit_vectors,
    view=first_n,
)
analogy.agrees(
    "names n different words, and never a, b or c",
    "Is a, b or c in your result? How many words do you return, and how many are asked for?",
    analogies_among_neighbours,
    view=count_and_left_out,
)
analogy.agrees(
    "gives every vector the length 1 first, and does not change `vectors`",
    LENGTH,
    vectors_of_many_norms,
    view=first_n,
    untouched="Does your function write into `vectors`, as `/=` does? The next section still needs"
    " their lengths.",
)
