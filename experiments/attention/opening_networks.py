"""Train the two translators of the opening of chapter 4, and store their weights.

    python -m experiments.attention.opening_networks

One network has a single context vector and the other has attention. Both are runs of
`context_size`, with size D and seed SEED: the same parameters, numbers and steps, and for each the
learning rate that was best on validation numbers. They are trained again here, to have the weights.

The weights are stored with a byte each. Beside them stand both runs, how many of 400 held-out
numbers are right before and after the rounding to bytes, and two tests of the network with
attention: do its largest weights agree with the largest effects, and what does it write if it has
other weights?
"""

import argparse
import json

import numpy as np
import torch

from experiments.attention import context_size
from experiments.attention.telephone_numbers import explained
from experiments.conditions import conditions
from firth.attention import telephone_numbers
from firth.attention.telephone_numbers import (
    ENGLISH,
    FILE,
    GERMAN,
    german_words,
    random_numbers,
    translation,
)
from firth.store.weights import dequantize, quantize

D, SEED = 32, 0
NETWORKS = {"weights": "dot", "one vector": "none"}  # key in the file → kind of the run
ASKED = 400


def right(weights: dict[str, np.ndarray], attend: bool) -> int:
    """How many of ASKED held-out numbers of 1 to 8 pairs a network translates correctly."""
    net = telephone_numbers.network(weights)
    numbers = random_numbers(range(1, 9), ASKED, 2000, held_out=True)
    return sum(translation(number, net, attend)[0] == german_words(number) for number in numbers)


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    about = conditions() | {"command": "python -m experiments.attention.opening_networks"}
    about |= {"english": ENGLISH, "german": GERMAN, "asked": ASKED, "runs": {}, "right": {}}
    for name, kind in NETWORKS.items():
        rate = context_size.chosen_rate(context_size.stored_rows(), D, kind)
        about["runs"][name], net = context_size.run("comparison", D, kind, SEED, rate)
        weights = net.weights()
        about[name] = {key: quantize(table) for key, table in weights.items()}
        again = {key: dequantize(table) for key, table in about[name].items()}
        about["right"][name] = [right(tables, kind != "none") for tables in (weights, again)]
        shares = [at["numbers"] for at in about["runs"][name]["lengths"]]
        print(name, rate, about["right"][name], shares, flush=True)
        if kind == "dot":
            about["explained"] = explained(net)
            print(about["explained"], flush=True)
    FILE.write_text(json.dumps(about, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
