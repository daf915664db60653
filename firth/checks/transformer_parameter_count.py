"""Exercise 5, sizes: how many numbers a decoder-only transformer learns.

n d + context d                          tables of tokens and of places
blocks · (4 (d² + d) + 2 d inner + inner + d + 2 · 2d)
2 d                                      the last norm;  and n d again, if scores have a table
"""

import numpy as np

from firth.checks.claims import Claim, Exercise, close, unlike


def entries(n, d, heads, inner, blocks, context, tied):
    """The right count, of shapes written down one by one."""
    shapes = [(n, d), (context, d), (d,), (d,)]
    for _ in range(blocks):
        shapes += [(d, heads, d // heads), (heads, d // heads)] * 3 + [(d, d), (d,)]
        shapes += [(inner, d), (inner,), (d, inner), (d,)]
        shapes += [(d,), (d,)] * 2
    return sum(int(np.prod(shape)) for shape in [*shapes, *([] if tied else [(n, d)])])


def counted(
    tables=lambda n, d, context: n * d + context * d,
    last=lambda d: 2 * d,
    attention=lambda d, heads: 4 * (d * d + d),
    feed=lambda d, inner: d * inner + inner + inner * d + d,
    norms=lambda d: 4 * d,
    many=lambda blocks: blocks,
    scores=lambda n, d, tied: 0 if tied else n * d,
):
    """A way of counting, the right one by default: one part after another."""

    def transformer_parameters(n, d, heads, inner, blocks, context, tied):
        block = attention(d, heads) + feed(d, inner) + norms(d)
        return tables(n, d, context) + many(blocks) * block + last(d) + scores(n, d, tied)

    return transformer_parameters


HEADS = "Do heads cost anything? They cut d up: how wide is each, and how wide are all together?"
NORMS = "A block has two norms, and a norm has a gain and a shift: how many numbers is that?"
transformer_parameters = Exercise(
    name="transformer_parameters",
    chapter="05_transformer",
    number="5.5",
    difficulty=2,
    minutes=12,
    hints=(
        "Write down every table of the model and its shape, from the bottom to the top. Which of"
        " them stand there once, and which once a block?",
        "Once: tokens n × d, places context × d, the last norm 2d, and n × d again if not tied. In"
        " each block: Q, K, V and O, d × d with a bias of d; up, inner × d with a bias of inner;"
        " down, d × inner with a bias of d; two norms of 2d.",
        "attention = 4 * (d * d + d)\n"
        "feed = …  # up and down, each with its bias\n"
        "block = attention + feed + …  # two norms\n"
        "return n * d + context * d + blocks * block + 2 * d + …  # a table for the scores?",
    ),
    right=entries,
)
transformer_parameters.mistakes = [
    (counted(attention=lambda d, heads: heads * 4 * (d * d + d)), HEADS),
    (counted(attention=lambda d, heads: heads * 3 * (d * d + d) + d * d + d), HEADS),
    (
        counted(attention=lambda d, heads: 3 * (d * (d // heads) + d // heads) + d * d + d),
        "You have one head's Q, K and V: how many heads are there?",
    ),
    (
        counted(attention=lambda d, heads: 3 * (d * d + d)),
        "Q, K and V are three: which fourth matrix stands behind the heads?",
    ),
    (
        counted(attention=lambda d, heads: 4 * d * d),
        "Each block lacks 4d numbers: where are its norms, and the biases of Q, K, V and O?",
    ),
    (
        counted(feed=lambda d, inner: 2 * d * inner),
        "Where are the biases of the feed-forward?",
    ),
    (
        counted(feed=lambda d, inner: 2 * d * inner + inner),
        "Each block lacks d numbers: has every matrix its bias, also O and the way down?",
    ),
    (
        counted(feed=lambda d, inner: 2 * d * inner + d),
        "Each block lacks as many numbers as `inner` says: has the way up its bias?",
    ),
    (
        counted(attention=lambda d, heads: 4 * d * d, feed=lambda d, inner: 2 * d * inner),
        "Where are the biases, of Q, K, V, O, up and down?",
    ),
    (
        counted(feed=lambda d, inner: 2 * (d * inner + inner)),
        "A bias is as long as what comes out: how many numbers come out of the way down?",
    ),
    (
        counted(feed=lambda d, inner: 2 * (d * inner + d)),
        "A bias is as long as what comes out: how many numbers come out of the way up?",
    ),
    (
        counted(feed=lambda d, inner: d * inner + inner),
        "That is the way up; and the way down?",
    ),
    (
        counted(feed=lambda d, inner: 2 * d * 4 * d + 5 * d),
        "Four times as wide as d? `inner` says how wide.",
    ),
    (counted(feed=lambda d, inner: 0), "Where is the feed-forward?"),
    (counted(norms=lambda d: 2 * d), NORMS),
    (
        counted(norms=lambda d: 4),
        "Is a gain, a shift or a bias one number, or a row of them? How long is each in your sum?",
    ),
    (counted(last=lambda d: 0), "One norm more stands behind the last block: did you count it?"),
    (counted(norms=lambda d: 0, last=lambda d: 0), "Where are the norms, two a block and a last?"),
    (
        counted(last=lambda d: d),
        "The last norm has a gain and a shift: how many numbers is that?",
    ),
    (
        counted(many=lambda blocks: 1),
        "You have one block: do the others use its weights, or have they their own?",
    ),
    (
        counted(many=lambda blocks: blocks - 1),
        "You have a block too few: from where to where do you count?",
    ),
    (
        counted(many=lambda blocks: blocks + 1),
        "You have a block too many: from where to where do you count?",
    ),
    (
        counted(tables=lambda n, d, context: n * d),
        "Places are learned here, a row for each: where is that table?",
    ),
    (
        counted(tables=lambda n, d, context: n * d + context),
        "A place has not one number but a row: how long is it?",
    ),
    (counted(tables=lambda n, d, context: context * d), "Where is the table of tokens, n × d?"),
    (
        counted(tables=lambda n, d, context: n * context * d),
        "Do the tables of tokens and places stand beside each other (add), or is there a row for"
        " every pair?",
    ),
    (
        counted(scores=lambda n, d, tied: 0),
        "If the scores are not tied to the table of tokens, what do they need?",
    ),
    (
        counted(scores=lambda n, d, tied: n * d),
        "You count a table for the scores where they are tied: what does `tied` say?",
    ),
    (
        counted(scores=lambda n, d, tied: n * d if tied else 0),
        "Tied means: the same table reads and writes. Do you count it twice just then?",
    ),
    (
        counted(scores=lambda n, d, tied: 0 if tied else n * d + n),
        "Has the table for the scores a bias? The text says not.",
    ),
]


def shapes(rng, *settings):
    """Sizes that are all different, so that no two can be mixed up."""
    for heads, blocks, tied in settings:
        d = heads * int(rng.integers(3, 12))
        inner = d + int(rng.integers(5, 90))
        inner += inner == 4 * d
        n, context = (int(x) for x in 200 + rng.permutation(300)[:2])
        yield n, d, heads, inner, blocks, context, tied


def added(sentence, question, settings, index, more):
    """A claim about how much larger a model gets when one thing of it changes."""

    def holds(call, rng):
        pairs = []
        for case in shapes(rng, *settings):
            larger = list(case)
            larger[index] = more(case[index])
            pairs.append((case, tuple(larger)))

        def growth(f):
            return np.array([np.subtract(f(*larger), f(*case)) for case, larger in pairs])

        single = call(*pairs[0][0])
        if wrong := unlike(single, np.zeros(()), call.open):
            return wrong
        mine = growth(call)
        if close(mine, growth(entries)):
            return True
        known = [way for way in transformer_parameters.mistakes if close(growth(way[0]), mine)]
        # What explains the count itself explains it best; what explains the growth will do.
        alike = [way for way in known if close(np.array(way[0](*pairs[0][0])), single)]
        return next((said for _, said in alike + known), False)

    transformer_parameters.claims.append(Claim(sentence, question, holds, 1))


transformer_parameters.agrees(
    "counts, without any block, the tables of tokens and places and the last norm",
    "Three tokens, two places, d = 4: how many numbers have the two tables?",
    lambda rng: shapes(rng, (1, 0, True), (2, 0, True), (3, 0, True)),
)
added(
    "adds for each block four matrices, the feed-forward, two norms, and all their biases",
    "One block alone, d = 2 and inner = 3: which matrices are there, and how large?",
    ((1, 1, True), (1, 2, True), (1, 3, True)),
    4,
    lambda blocks: blocks + 1,
)
added(
    "adds n · d where the scores have a table of their own",
    "One table may read the tokens and score them, too: if it does not, what is needed?",
    ((1, 1, True), (2, 3, True), (3, 2, True)),
    6,
    lambda tied: not tied,
)
transformer_parameters.agrees(
    "gives the whole, however many heads share out d",
    "d = 6: two heads of 3, or three heads of 2: how many rows has Q in each case?",
    lambda rng: shapes(rng, (2, 2, True), (3, 4, False), (4, 1, False), (5, 3, True)),
)
