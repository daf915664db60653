"""Exercise 3.5: how many parameters a recurrent network has.

blocks · d · (inputs + d + biases)     for each layer and each direction
inputs = e in the first layer, directions · d in the layers above it
"""

from collections.abc import Callable, Iterator

import numpy as np

from firth.checks.claims import Exercise

from .relations import agrees_or_fits


def counting_function(
    one: Callable = lambda n, d, blocks, biases: blocks * d * (n + d + biases),
    above: Callable = lambda e, d, directions: directions * d,
    ways: Callable = lambda directions: directions,
    width: Callable = lambda d, directions: d,
    many: Callable = lambda layers: layers,
) -> Callable:
    """A function `rnn_parameters(e, d, blocks, biases, directions, layers)`, right or a mistake.

    `one` counts one layer in one direction with n inputs, `above` gives the inputs of a layer above
    the first, `ways` the number of directions, `width` the size of the hidden state, and `many` the
    number of layers.
    """

    def rnn_parameters(e, d, blocks, biases, directions, layers):
        total, inputs = 0, e
        for _ in range(many(layers)):
            total += ways(directions) * one(inputs, width(d, directions), blocks, biases)
            inputs = above(e, d, directions)
        return total

    return rnn_parameters


def reference(e, d, blocks, biases, directions, layers):
    """The right number of parameters: it makes all arrays and adds up their sizes."""
    total = 0
    for layer in range(layers):
        for _ in range(directions):
            rows = blocks * d
            W = np.zeros((rows, e if layer == 0 else directions * d))
            U, b = np.zeros((rows, d)), np.zeros((biases, rows))
            total += W.size + U.size + b.size
    return total


def mistake_biases_of_one_direction(e, d, blocks, biases, directions, layers):
    """The number of parameters of a wrong answer that counts the biases of one direction only."""
    once = layers * (directions - 1) * blocks * d * biases
    return reference(e, d, blocks, biases, directions, layers) - once


MISTAKES = {
    "no U": (
        counting_function(one=lambda n, d, blocks, biases: blocks * d * (n + biases)),
        "Where is U, the matrix that multiplies the hidden state?"),
    "no W": (
        counting_function(one=lambda n, d, blocks, biases: blocks * d * (d + biases)),
        "Where is W, the matrix that multiplies the input?"),
    "no biases": (
        counting_function(one=lambda n, d, blocks, biases: blocks * d * (n + d)),
        "You leave out the biases. How many numbers has a bias?"),
    "always one bias": (
        counting_function(one=lambda n, d, blocks, biases: blocks * d * (n + d + 1)),
        "You always count one bias for each block. Where do you use `biases`?"),
    "always two biases": (
        counting_function(one=lambda n, d, blocks, biases: blocks * d * (n + d + 2)),
        "You always count two biases for each block. Where do you use `biases`?"),
    "biases of one block": (
        counting_function(
            one=lambda n, d, blocks, biases: blocks * d * (n + d) + biases * d),
        "You count the biases of one block. Does each block not have its own?"),
    "a bias of one number": (
        counting_function(one=lambda n, d, blocks, biases: blocks * (d * (n + d) + biases)),
        "You count a bias as one number. A bias is a vector. How many numbers has it?"),
    "one block": (
        counting_function(one=lambda n, d, blocks, biases: d * (n + d + biases)),
        "That is one block. How many blocks are there?"),
    "always four blocks": (
        counting_function(one=lambda n, d, blocks, biases: 4 * d * (n + d + biases)),
        "You always count four blocks, as in an LSTM. Where do you use `blocks`?"),
    "sizes multiplied": (
        counting_function(one=lambda n, d, blocks, biases: blocks * (n * d * d + d * biases)),
        "You multiply the sizes of W and U. They are two matrices. Should you not add their"
        " sizes?"),
    "sizes multiplied, each with its rows": (
        counting_function(one=lambda n, d, blocks, biases: blocks * (n * d * d * d + d * biases)),
        "You multiply the sizes of W and U. They are two matrices. Should you not add their sizes?",
    ),
    "rows as long as the input": (
        counting_function(one=lambda n, d, blocks, biases: blocks * n * (n + d + biases)),
        "How many rows has each matrix: as many as the input has numbers, or as many as the hidden"
        " state has?"),
    "first layer reads states": (
        lambda e, d, blocks, biases, directions, layers: counting_function()(
            directions * d, d, blocks, biases, directions, layers),
        "What does the first layer read: the input, or the hidden states of a layer below?"),
    "directions not used, d above": (
        counting_function(ways=lambda directions: 1, above=lambda e, d, directions: d),
        "You count one direction only. Where do you use `directions`?"),
    "one direction's parameters": (
        counting_function(ways=lambda directions: 1),
        "You count the parameters of one direction. Does the second direction not have parameters"
        " of its own?"),
    "layer above reads one direction": (
        counting_function(above=lambda e, d, directions: d),
        "The layer above reads the hidden states of both directions, side by side. How many numbers"
        " is that?"),
    "layer above reads the input": (
        counting_function(above=lambda e, d, directions: e),
        "You give every layer e inputs. What does a layer above the first read?"),
    "layer above reads both": (
        counting_function(above=lambda e, d, directions: e + directions * d),
        "Does the layer above read the input as well, or only the hidden states of the layer"
        " below?"),
    "twice as wide": (
        counting_function(
            ways=lambda directions: 1, width=lambda d, directions: directions * d),
        "You count one network that is twice as wide. There, each direction would also read the"
        " hidden state of the other. Does it?"),
    "first layer alone": (
        counting_function(many=lambda layers: 1), "That is the first layer. Where are the others?"),
    "one layer too few": (
        counting_function(many=lambda layers: layers - 1),
        "You count one layer too few. Where does your loop start, and where does it end?"),
    "one layer too many": (
        counting_function(many=lambda layers: layers + 1),
        "You count one layer too many. Where does your loop start, and where does it end?"),
    "biases of one direction": (
        mistake_biases_of_one_direction,
        "In your count, the second direction has no biases of its own. Should it have some?"),
}  # fmt: skip
rnn_parameters = Exercise(
    name="rnn_parameters",
    chapter="03_rnn",
    number="3.5",
    difficulty=1,
    minutes=8,
    hints=(
        "Draw one block of one layer. Which matrices does it have, and how many rows and columns"
        " has each?",
        "Each block has a matrix for the input (d × inputs), a matrix for the hidden state (d × d),"
        " and its biases (d numbers each). A second direction has all of this once more. A layer"
        " above the first reads the hidden states of all directions below it.",
        "total, inputs = 0, e\n"
        "for layer in range(layers):\n"
        "    total += directions * blocks * (d * inputs + …)\n"
        "    inputs = …  # how many numbers does the next layer read at each step?\n"
        "return total",
    ),
    right=reference,
    mistakes=MISTAKES,
    stumbles={"UnboundLocalError": "Which value has your variable before the first layer?"},
)


def draw_sizes(rng, *settings) -> Iterator[tuple]:
    """Inputs (e, d, blocks, biases, directions, layers) for each setting (directions, layers).

    There are 4, 1 and 3 blocks; with 4 blocks, 1 bias and then 2. e, d and 2 d are all different,
    so that an answer that confuses two sizes is wrong.
    """
    for directions, layers in settings:
        for blocks in (4, 1, 3):
            for biases in (1, 2) if blocks == 4 else (2,):
                d = int(rng.integers(5, 40))
                e = int(rng.integers(5, 90))
                while e in (d, 2 * d):
                    e += 1
                yield e, d, blocks, biases, directions, layers


def single_layers(rng) -> Iterator[tuple]:
    """Inputs (e, d, blocks, biases, 1, 1) with one direction and one layer.

    Only the blocks and their biases matter here.
    """
    return draw_sizes(rng, (1, 1))


def several_layers(rng) -> Iterator[tuple]:
    """Inputs (e, d, blocks, biases, directions, layers), with one direction and two or four layers.

    Only the first layer reads word vectors of size e. The others read the state of size d of the
    layer below, so that an answer that uses e in every layer is caught.
    """
    return draw_sizes(rng, (1, 2), (1, 4))


def two_directions(rng) -> Iterator[tuple]:
    """Inputs (e, d, blocks, biases, 2, layers) with two directions, and one or three layers.

    They catch parameters that two directions share, and a layer that reads one direction only.
    """
    return draw_sizes(rng, (2, 1), (2, 3))


def layers_fit_a_single_layer(call, case, answer) -> bool:
    """True if the count `answer` is the sum of the learner's own counts of single layers.

    So a mistake in the count of a single layer costs only the point of the first claim. `call` is
    the learner's function, and `case` holds the inputs.
    """
    e, d, blocks, biases, directions, layers = case
    inputs = [e] + [directions * d] * (layers - 1)
    total = sum(directions * call(n, d, blocks, biases, 1, 1) for n in inputs)
    return bool(answer > 0) and bool(answer == total)


rnn_parameters.agrees(
    "counts W, U and the biases of every block of a single layer",
    "Take e = 2, d = 3 and one block. How many numbers have W, U and one bias?",
    single_layers,
)
agrees_or_fits(
    rnn_parameters,
    "gives a layer above the first the hidden state of the layer below as its input",
    "Take d = 3 and one direction. How many columns has W in the second layer?",
    several_layers,
    layers_fit_a_single_layer,
)
agrees_or_fits(
    rnn_parameters,
    "gives each direction its own parameters, and the layer above the hidden states of both",
    "Take d = 3 and two directions. How many numbers does the second layer read at each step?",
    two_directions,
    layers_fit_a_single_layer,
)
