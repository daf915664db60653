"""Compare counting and predicting: each method with the settings that were chosen for it.

    python -m experiments.word2vec.comparison

`experiments.word2vec.tuning` has chosen the settings on the headlines to learn from. Here the 2,000
other headlines, WordSim-353 and SimLex-999 are asked once of each method: predicting methods with
three seeds, counting methods have no seed. Three further rows have the same seeds: gensim's
skip-gram with the settings of ours, and skip-gram and CBOW with the default settings of word2vec.c
(window 5, 5 epochs, rate 0.025 for skip-gram and 0.05 for CBOW).

    rows           each method, its settings, and its scores with each seed
    scores         the mean score of each method and its 95 % interval
    differences    the first method less the second, for every two, and the 95 % interval

The intervals are of other questions: a thousand draws of pairs and headlines with replacement, each
put to all methods (`firth.scoreboard.paired_bootstrap`). Seconds are of CPU time, on one thread.
"""

import argparse
from itertools import combinations

import numpy as np

from experiments.word2vec.training import COUNTING, GENSIM, PREDICTING, corpus, store, vectors
from experiments.word2vec.tuning import chosen
from firth.scoreboard import paired_bootstrap, scoreboard

SEEDS = (1, 2, 3)
DEFAULTS = {
    "CBOW, default settings": ("CBOW", {"rate": 0.05, "window": 5, "epochs": 5}),
    "skip-gram, default settings": ("skip-gram", {"rate": 0.025, "window": 5, "epochs": 5}),
}
Runs = dict[str, list[scoreboard.Answers]]


def wanted() -> dict[str, tuple[str, dict]]:
    """What is compared: a name, the method and its settings."""
    tuned = {name: (name, chosen(name)) for name in (*COUNTING, *PREDICTING)}
    return tuned | {GENSIM: (GENSIM, chosen("skip-gram"))} | DEFAULTS


def measured(name: str, method: str, settings: dict) -> tuple[list[scoreboard.Answers], list[dict]]:
    """The answers of each run of a method, and a row for each."""
    seeds = [{}] if method in COUNTING else [{"seed": seed} for seed in SEEDS]
    runs, rows = [], []
    for seed in seeds:
        V, seconds = vectors(method, **settings, **seed)
        runs.append(scoreboard.answers(corpus()[0], V))
        about = {"name": name, "method": method, "settings": settings} | seed
        rows.append(about | scoreboard.summary(runs[-1]) | {"seconds": round(seconds, 1)})
        print(rows[-1], flush=True)
    return runs, rows


def means(runs: list[scoreboard.Answers]) -> dict[str, float]:
    """The mean score of some runs on each question."""
    found = [scoreboard.summary(answers) for answers in runs]
    names = (*scoreboard.PAIRS, "news")
    return {name: float(np.mean([each[name] for each in found])) for name in names}


def compared(runs: Runs) -> tuple[list[dict], list[dict]]:
    """Scores of the methods and differences of every two, each with both ends of its interval."""
    names, mean = list(runs), {name: means(found) for name, found in runs.items()}
    draws = paired_bootstrap.drawn(list(runs.values()))
    scores = [
        {"name": name}
        | {
            asked: rounded(mean[name][asked], *paired_bootstrap.interval(worth[i]))
            for asked, worth in draws.items()
        }
        for i, name in enumerate(names)
    ]
    differences = [
        {"first": names[i], "second": names[j]}
        | {
            asked: rounded(
                mean[names[i]][asked] - mean[names[j]][asked],
                *paired_bootstrap.interval(worth[i] - worth[j]),
            )
            for asked, worth in draws.items()
        }
        for i, j in combinations(range(len(names)), 2)
    ]
    return scores, differences


def rounded(*values: float) -> list[float]:
    return [round(float(value), 4) for value in values]


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    runs, rows = {}, []
    for name, (method, settings) in wanted().items():
        runs[name], found = measured(name, method, settings)
        rows += found
    vocabulary, documents = corpus()
    about = {
        "seeds": SEEDS,
        "vocabulary": len(vocabulary),
        "words": int(sum((ids >= 0).sum() for ids in documents)),
    }
    scores, differences = compared(runs)
    store("comparison", about, scores=scores, differences=differences, rows=rows)


if __name__ == "__main__":
    main()
