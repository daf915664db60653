"""Measure chapter 7's row of the scoreboard, and write it.

python -m experiments.linear_attention.scoreboard_row

Chapter 5's reader, with the same sizes, steps, rates, noise and choice of vectors; only the mixing
differs: where softmax made the weights of a place on those before it, φ(q)ᵀφ(k) makes them, with
φ = elu + 1. Nothing was tuned.
"""

import argparse

import torch

from experiments.transformer.scoreboard_row import Reader, measured
from firth.linear_attention.fmmformer import Mixing
from firth.scoreboard import scoreboard


class LinearReader(Reader):
    """Chapter 5's reader, from the same weights at first, and every block's attention linear."""

    def __init__(self, n: int):
        super().__init__(n)
        with torch.random.fork_rng():  # the noise words, too, are those that chapter 5 drew
            for i, block in enumerate(self.gpt.blocks):
                self.gpt.blocks[i] = Mixing(block.shape, "linear", band=0)
                self.gpt.blocks[i].load_state_dict(block.state_dict())


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    row = measured(LinearReader, "linear attention, next word", 7)
    print(row, flush=True)
    scoreboard.write(row)


if __name__ == "__main__":
    main()
