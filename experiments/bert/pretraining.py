"""Pre-train the mini BERT longer than a reader would wait, in both forms of the second game.

    python -m experiments.bert.pretraining easy      b, if it did not follow, is from another book
    python -m experiments.bert.pretraining hard      … is from elsewhere in the same book
    python -m experiments.bert.pretraining baselines what is had without a network

Each stores its part of firth/data/bert/pretraining.json: every now and then, J on blanks held out,
the share of them that was guessed, and the share of held-out pairs that was told. The net of the
first run is asked the pairs of the second as well; who only counts is asked the same pairs.
Seconds are of CPU time.
"""

import argparse
import json
import time

import numpy as np
import torch

from experiments.conditions import conditions
from firth.bert import pretraining
from firth.bert.wordpiece import SPECIAL
from firth.store.results import DATA, stored_result

FILE = DATA / "bert/pretraining.json"
STEPS, EVERY, ASKED, RATE, SEED = 3_000, 250, 32, 1e-3, 0


def run(same: bool, steps: int = STEPS, every: int = EVERY, asked: int = ASKED) -> dict:
    """The curve of one run, and what the net can do in the end."""
    library = pretraining.library()
    torch.manual_seed(SEED)
    net = pretraining.Pretrained(pretraining.SMALL, library.frequencies())
    begin, curve = time.process_time(), []
    training = pretraining.training(net, library.train, steps, rate=RATE, same=same, seed=SEED)
    for i, _ in enumerate(training, start=1):
        if i % every == 0 or i == steps:
            now = pretraining.measured(net, library.held, asked // 4, same)
            curve.append({"step": i, **{name: round(x, 4) for name, x in now.items()}})
            print(curve[-1], f"{time.process_time() - begin:.0f} s", flush=True)
    both = [pretraining.measured(net, library.held, asked, form) for form in (False, True)]
    return {
        "steps": steps,
        "seconds": round(time.process_time() - begin, 1),
        "curve": curve,
        "J": round(both[same]["J"], 4),
        "J hidden": round(both[same]["J hidden"], 4),
        "blanks": round(both[same]["blanks"], 4),
        "next": [round(form["next"], 4) for form in both],  # easy, hard
    }


def baselines() -> dict:
    """Of blanks: how frequent each piece is. Of pairs: shared pieces, and a guess at the book."""
    library = pretraining.library()
    p, held = library.frequencies(), np.concatenate(library.held)
    words = [round(pretraining.told_by_words(library, form), 4) for form in (False, True)]
    return {
        "J": round(library.unigram(), 4),
        "blanks": round(float((held[held >= len(SPECIAL)] == p.argmax()).mean()), 4),
        "words": words,
        "book": round(pretraining.told_by_book(library), 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=["easy", "hard", "baselines"])
    part = parser.parse_args().part
    torch.set_num_threads(1)
    torch.set_float32_matmul_precision("medium")
    found = baselines() if part == "baselines" else run(part == "hard")
    stored = stored_result("bert/pretraining", {})
    stored |= conditions() | {"command": "python -m experiments.bert.pretraining", part: found}
    FILE.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
