"""Change one setting of the chosen skip-gram at a time.

    python -m experiments.word2vec.knobs

Every row but the last three has the chosen rate and epochs, one seed, and one setting that differs
from the usual ones. The last three ask why strong sub-sampling can seem to do harm: the first has a
rate and epochs that are too small for so few examples, and each of the others has a larger one.

`accuracy` is that of the news categories in five-fold cross-validation on the headlines to learn
from, and may be used to choose a setting. The other scores are of the test questions.
"""

import argparse

from experiments.lsa.scoreboard_row import told_in_training
from experiments.word2vec.training import SEED, corpus, store, stored, vectors
from experiments.word2vec.tuning import chosen
from firth.scoreboard import scoreboard

KNOBS = {
    "sample": (1e-4, 1e-5, 0.0),
    "window": (2, 5, 10),
    "k": (1, 15),
    "power": (0.0, 1.0),
    "d": (50, 200),
}
FEW_EXAMPLES = {"sample": 1e-5, "window": 5, "epochs": 3, "rate": 0.025}  # a third of the text
SEVERAL = (FEW_EXAMPLES, FEW_EXAMPLES | {"rate": 0.1}, FEW_EXAMPLES | {"epochs": 12})
USUAL = {"sample": 1e-3, "k": 5, "power": 0.75, "d": 100}


def changes(usual: dict) -> list[dict]:
    """No change, every other value of every knob, and the changes of several settings."""
    others = [
        {name: value} for name, values in KNOBS.items() for value in values if value != usual[name]
    ]
    return [{}, *others, *SEVERAL]


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    settings, vocabulary = chosen("skip-gram"), corpus()[0]
    usual = USUAL | settings
    place = {word: i for i, word in enumerate(vocabulary)}
    rows = stored("knobs").get("rows", [])
    for change in changes(usual):
        if any(row["change"] == change for row in rows):
            continue
        V, seconds = vectors("skip-gram", **settings | change, seed=SEED)
        V = V.astype(float)
        accuracy = round(float(told_in_training(place, V)), 4)
        found = {"accuracy": accuracy} | scoreboard.score(vocabulary, V)
        rows.append({"change": change} | found | {"seconds": round(seconds, 1)})
        print(rows[-1], flush=True)
        store("knobs", {"usual": usual, "seed": SEED}, rows=rows)


if __name__ == "__main__":
    main()
