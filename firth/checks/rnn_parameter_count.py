"""Exercise 3, sizes: how many numbers a recurrent layer learns.

blocks · d · (inputs + d + biases)   for each layer and each direction
inputs = e in the first layer, directions · d in those above
"""

import numpy as np

from firth.checks.claims import Exercise


def counted(
    one=lambda n, d, blocks, biases: blocks * d * (n + d + biases),
    above=lambda e, d, directions: directions * d,
    ways=lambda directions: directions,
    width=lambda d, directions: d,
    many=lambda layers: layers,
):
    """A way of counting, the right one by default: one matrix after another."""

    def rnn_parameters(e, d, blocks, biases, directions, layers):
        total, inputs = 0, e
        for _ in range(many(layers)):
            total += ways(directions) * one(inputs, width(d, directions), blocks, biases)
            inputs = above(e, d, directions)
        return total

    return rnn_parameters


def entries(e, d, blocks, biases, directions, layers):
    """The right count, over arrays that are really made."""
    total = 0
    for layer in range(layers):
        for _ in range(directions):
            rows = blocks * d
            W = np.zeros((rows, e if layer == 0 else directions * d))
            U, b = np.zeros((rows, d)), np.zeros((biases, rows))
            total += W.size + U.size + b.size
    return total


rnn_parameters = Exercise(
    name="rnn_parameters",
    chapter="03_rnn",
    number="3.5",
    difficulty=1,
    minutes=8,
    hints=(
        "Draw one cell: which matrices does it have, how many rows and columns has each?",
        "Each block has a matrix for the input (d × inputs), one for the state (d × d), and its"
        " biases (d each). A second direction has all of these once more. The layer above reads"
        " what all directions below have written.",
        "total, inputs = 0, e\n"
        "for layer in range(layers):\n"
        "    total += directions * blocks * (d * inputs + …)\n"
        "    inputs = …  # how wide is what this layer hands up?\n"
        "return total",
    ),
    right=entries,
)
rnn_parameters.mistakes = [
    (
        counted(one=lambda n, d, blocks, biases: blocks * d * (n + biases)),
        "Where is U, the matrix that meets the state?",
    ),
    (
        counted(one=lambda n, d, blocks, biases: blocks * d * (d + biases)),
        "Where is W, the matrix that meets the input?",
    ),
    (
        counted(one=lambda n, d, blocks, biases: blocks * d * (n + d)),
        "You leave the biases out: how many numbers has b?",
    ),
    (
        counted(one=lambda n, d, blocks, biases: blocks * d * (n + d + 1)),
        "You count one bias always: some libraries keep two, one for W x and one for U s. How many"
        " are there here?",
    ),
    (
        counted(one=lambda n, d, blocks, biases: blocks * d * (n + d + 2)),
        "You count two biases always: how many are there here?",
    ),
    (
        counted(one=lambda n, d, blocks, biases: blocks * d * (n + d) + biases * d),
        "You have the biases of one block: does not each block have its own?",
    ),
    (
        counted(one=lambda n, d, blocks, biases: blocks * (d * (n + d) + biases)),
        "A bias is not one number but a row of them: how many?",
    ),
    (
        counted(one=lambda n, d, blocks, biases: d * (n + d + biases)),
        "That is one block: how many are there?",
    ),
    (
        counted(one=lambda n, d, blocks, biases: 4 * d * (n + d + biases)),
        "Four blocks always? That is an LSTM: a GRU has three, a plain network one.",
    ),
    (
        counted(one=lambda n, d, blocks, biases: blocks * (n * d * d + d * biases)),
        "Do W and U stand beside each other (add), or is every pair of their numbers a new one?",
    ),
    (
        counted(one=lambda n, d, blocks, biases: blocks * n * (n + d + biases)),
        "How many rows has each matrix: as many as the input has numbers, or the state?",
    ),
    (
        lambda e, d, blocks, biases, ways, layers: (
            counted()(e, d, blocks, biases, ways, layers)
            - (ways - 1) * layers * blocks * biases * d
        ),
        "Has the second direction no biases of its own?",
    ),
    (
        lambda e, d, blocks, biases, ways, layers: counted()(
            ways * d, d, blocks, biases, ways, layers
        ),
        "What does the first layer read: the input, or the states of a layer below?",
    ),
    (counted(ways=lambda directions: 1, above=lambda e, d, directions: d), "Where are directions?"),
    (
        counted(ways=lambda directions: 1),
        "The second direction: does it use the first one's weights, or its own?",
    ),
    (
        counted(above=lambda e, d, directions: d),
        "The layer above reads both directions, side by side: how many numbers is that?",
    ),
    (
        counted(above=lambda e, d, directions: e),
        "The layer above reads the layer below, not the text: how many numbers does it get?",
    ),
    (
        counted(above=lambda e, d, directions: e + directions * d),
        "Does the layer above see the text as well, or only what the layer below hands up?",
    ),
    (
        counted(ways=lambda directions: 1, width=lambda d, directions: directions * d),
        "You make one network twice as wide; do the two directions see each other's states?",
    ),
    (counted(many=lambda layers: 1), "That is the first layer; and those above?"),
    (
        counted(many=lambda layers: layers - 1),
        "You have a layer too few: from where to where does your loop count?",
    ),
    (
        counted(many=lambda layers: layers + 1),
        "You have a layer too many: from where to where does your loop count?",
    ),
]


def sizes(rng, *settings):
    """Settings with e, d and directions · d all different, so that no two can be mixed up."""
    for directions, layers in settings:
        for blocks in (4, 1, 3):
            for biases in (1, 2) if blocks == 4 else (2,):
                d = int(rng.integers(5, 40))
                e = int(rng.integers(5, 90))
                while e in (d, 2 * d):
                    e += 1
                yield e, d, blocks, biases, directions, layers


rnn_parameters.agrees(
    "counts W, U and the biases of every block of a single layer",
    "Two numbers in, a state of three, one block: how large are W, U and b?",
    lambda rng: sizes(rng, (1, 1)),
)
rnn_parameters.agrees(
    "gives a layer that stands on another as many inputs as that one hands up",
    "With d = 3 below, one direction: how many columns has W in the layer above?",
    lambda rng: sizes(rng, (1, 2), (1, 4)),
)
rnn_parameters.agrees(
    "gives each direction its own weights, and the layer above what both hand up",
    "Two directions with d = 3: how many numbers stand side by side at each step?",
    lambda rng: sizes(rng, (2, 1), (2, 3)),
)
