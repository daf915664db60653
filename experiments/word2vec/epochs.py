"""Measure after how many epochs the loss on text that was not learned from stops falling.

    python -m experiments.word2vec.epochs [method …]

Every 20th article of the scoreboard's corpus is held out. Each predicting method trains on the
others with its chosen rate and window. The loss of negative sampling is measured after each epoch,
on 50,000 examples from the held-out articles and on as many from articles that were learned from.
An example has a window and k noise words of its own, the same after each epoch.

    constant     the rate stays as it is, so that a flat loss is not the work of a falling rate
    falling      the rate falls to almost 0, as in the comparison, within 2, 5 or 10 epochs

A number of epochs is enough if the best held-out loss improved by less than 0.5 % over their last
third while the rate was constant.
"""

import argparse
import itertools

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray as Array

from experiments.word2vec.training import PREDICTING, SEED, D, corpus, store, stored
from experiments.word2vec.tuning import chosen
from firth.word2vec.skipgram import expected, sampled, subsample
from firth.word2vec.word2vec import keep_probability, learning_rate, noise, text

EVERY, EXAMPLES, EPOCHS, K, ENOUGH = 20, 50_000, 10, 5, 0.005
FALLING = (2, 5, 10)
Pair = tuple[Float[Array, "n d"], Float[Array, "n d"]]  # V, U


def examples(
    documents: list, n: int, window: int, several: bool, seed: int = 0
) -> tuple[Int[Array, "b c"], Int[Array, "b asked"]]:
    """Input words and asked words: the word to predict first, and then k noise words.

    With `several` there are up to 2·window input words, as in CBOW, and −1 where there is none.
    Otherwise there is one, as in skip-gram.
    """
    rng, row = np.random.default_rng(seed), text(documents, window, n)
    counts = np.bincount(np.concatenate([ids[ids >= 0] for ids in corpus()[1]]), minlength=n)
    row = subsample(row, keep_probability(counts), rng)
    places = rng.permutation(np.flatnonzero(row >= 0))
    offsets = np.concatenate([np.arange(-window, 0), np.arange(1, window + 1)])
    reach = rng.integers(1, window + 1, size=(len(places), 1))
    around = np.concatenate([np.full(window, -1), row, np.full(window, -1)])
    company = around[places[:, None] + window + offsets]
    company[np.abs(offsets) > reach] = -1
    if several:
        known = (company >= 0).any(axis=1)
        inputs, outputs = company[known], row[places[known]]
    else:
        at, side = np.nonzero(company >= 0)
        order = rng.permutation(len(at))
        inputs, outputs = row[places[at]][order, None], company[at, side][order]
    inputs, outputs = inputs[:EXAMPLES], outputs[:EXAMPLES]
    drawn = rng.choice(n, size=(len(outputs), K), p=noise(counts))
    return inputs, np.column_stack([outputs, drawn])


def loss(
    V: Float[Array, "n d"],
    U: Float[Array, "n d"],
    inputs: Int[Array, "b c"],
    asked: Int[Array, "b asked"],
) -> float:
    """The mean loss of negative sampling over examples; a noise word that is the word is left out.

    >>> V, U = np.zeros((3, 2)), np.zeros((3, 2))
    >>> round(loss(V, U, np.array([[0, -1]]), np.array([[1, 2, 1]])), 3)  # 2 log 2
    1.386
    """
    total = 0.0
    for begin in range(0, len(inputs), 2000):
        i, j = inputs[begin : begin + 2000], asked[begin : begin + 2000]
        there = i >= 0
        h = (V[i] * there[:, :, None]).sum(axis=1) / there.sum(axis=1, keepdims=True)
        score = np.einsum("bd,bjd->bj", h, U[j])
        score[:, 0] *= -1
        counted = j != j[:, :1]
        counted[:, 0] = True
        total += (np.logaddexp(0, score) * counted).sum()
    return float(total / len(inputs))


def enough(losses: list[float], epochs: int) -> bool:
    """Whether the best loss improved by less than 0.5 % over the last third of these epochs.

    The first of the losses is the one before training.

    >>> enough([4.0, 3.0, 2.0, 1.995], epochs=3), enough([4.0, 3.0, 2.0, 1.5], epochs=3)
    (True, False)
    """
    before, after = min(losses[: epochs - epochs // 3 + 1]), min(losses[: epochs + 1])
    return (before - after) / before < ENOUGH


def one_epoch(method: str, learned: list, start: Pair | None, first: float, last: float, **given):
    """V and U after one more epoch, in which the rate goes from `first` to `last`."""
    given |= {"epochs": 1, "first": first, "last": last, "start": start}
    n = len(corpus()[0])
    if method == "skip-gram in expectation":
        return expected(learned, n, D, **given)
    return sampled(learned, n, D, method, **given)


def curve(method: str, settings: dict, epochs: int, constant: bool) -> dict:
    """Both losses before training and after each epoch."""
    vocabulary, documents = corpus()
    n, m = len(vocabulary), settings["window"]
    held = documents[::EVERY]
    learned = [ids for i, ids in enumerate(documents) if i % EVERY]
    several = "CBOW" in method
    asked = {
        "held out": examples(held, n, m, several),
        "learned from": examples(learned[::EVERY], n, m, several),
    }
    found = {name: [round((1 + K) * np.log(2), 4)] for name in asked}  # while U is 0
    pair = None
    for epoch in range(epochs):
        first, last = (
            settings["rate"] if constant else learning_rate(done / epochs, settings["rate"])
            for done in (epoch, epoch + 1)
        )
        pair = one_epoch(method, learned, pair, first, last, m=m, seed=1000 * SEED + epoch)
        for name, some in asked.items():
            found[name].append(round(loss(*pair, *some), 4))
        print(method, "constant" if constant else "falling", epoch + 1, *(
            f"{name} {losses[-1]}" for name, losses in found.items()
        ), flush=True)  # fmt: skip
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("method", nargs="*", help="default: every predicting method")
    methods = parser.parse_args().method or PREDICTING
    for epochs, method in itertools.product((None, *FALLING), methods):
        settings, constant = chosen(method), epochs is None
        epochs = epochs or EPOCHS
        about = {"method": method, "rate": settings["rate"], "window": settings["window"]}
        about |= {"epochs": epochs, "schedule": "constant" if constant else "falling"}
        rows = stored("epochs").get("rows", [])
        if any(about.items() <= row.items() for row in rows):
            continue
        found = curve(method, settings, epochs, constant)
        if constant:
            about["enough"] = [n for n in range(3, EPOCHS + 1) if enough(found["held out"], n)]
        settings = {"held out": f"every {EVERY}th article", "examples": EXAMPLES, "k": K}
        store("epochs", settings | {"seed": SEED}, rows=[*rows, about | found])


if __name__ == "__main__":
    main()
