"""Choose the settings of each method on the headlines to learn from, and store all that was tried.

    python -m experiments.word2vec.tuning [method …]

Every method makes vectors of 100 numbers from the scoreboard's corpus with one seed. What decides
is the accuracy of the news categories in five-fold cross-validation on the 5,000 headlines to learn
from. The 2,000 other headlines and the word pairs are not asked.

    counting     every window, power of s, smoothing and, for the shifted table, shift 5
    predicting   1. the rate, with a window of 5 and 5 epochs; 2. the window, and with a window
                 of 2 twice the rate, of 10 half the rate; 3. the epochs;
                 4. half and twice the rate again, with the window and the epochs chosen

Of rates, the best is taken. If it is the smallest or the largest, half or twice of it is tried,
too. Of windows, the smallest is taken whose accuracy is within 0.01 of the best, as for chapter 1's
rows of the scoreboard: a smaller difference is luck. Epochs are doubled, up to 20, as long as that
adds more than 0.01. A training whose vectors grow without end counts as accuracy 0.
"""

import argparse
from collections.abc import Callable, Sequence
from itertools import product

from experiments.lsa.scoreboard_row import LUCK, told_in_training
from experiments.word2vec.training import (
    COUNTING,
    PREDICTING,
    SEED,
    corpus,
    store,
    stored,
    vectors,
)

RATES = (0.0125, 0.025, 0.05, 0.1, 0.2)
WINDOWS, POWERS, SMOOTHINGS = (2, 5, 10), (0.0, 0.5), (1.0, 0.75)
MOST = 20  # epochs
START = {"rate": 0.05, "window": 5, "epochs": 5}
Accuracy = Callable[[dict], float]


def best_rate(accuracy: Accuracy, settings: dict, rates: Sequence[float]) -> dict:
    """The settings with the best of the rates, and of rates beyond them if the best is an end."""
    found = {rate: accuracy(settings | {"rate": rate}) for rate in rates}
    while True:
        best = max(found, key=found.__getitem__)
        beyond = {min(found): best / 2, max(found): best * 2}.get(best)
        if beyond is None:
            return settings | {"rate": best}
        found[beyond] = accuracy(settings | {"rate": beyond})


def smallest_window(accuracy: Accuracy, settings: dict) -> dict:
    """The settings with the smallest window that is within `LUCK` of the best, and its rate.

    A larger window has more pairs, so it is also tried with half the rate, and a smaller one with
    twice the rate.
    """
    found = {}
    for window in WINDOWS:
        factor = {2: 2.0, 5: 1.0, 10: 0.5}[window]
        for rate in dict.fromkeys((settings["rate"], settings["rate"] * factor)):
            each = settings | {"window": window, "rate": rate}
            found[window, rate] = accuracy(each), each
    return smallest_of(list(found.values()))


def smallest_of(found: list[tuple[float, dict]]) -> dict:
    """The best settings with the smallest window that comes within `LUCK` of the best."""
    enough = max(each for each, _ in found) - LUCK
    window = min(settings["window"] for each, settings in found if each >= enough)
    same = [pair for pair in found if pair[1]["window"] == window]
    return max(same, key=lambda pair: pair[0])[1]


def doubled_epochs(accuracy: Accuracy, settings: dict) -> dict:
    """The settings with the epochs that twice as many improve by no more than `LUCK`."""
    while settings["epochs"] < MOST:
        twice = settings | {"epochs": 2 * settings["epochs"]}
        if accuracy(twice) <= accuracy(settings) + LUCK:
            break
        settings = twice
    return settings


def searched(accuracy: Accuracy) -> dict:
    """The rate, window and epochs that are chosen for a predicting method."""
    first = best_rate(accuracy, START, RATES)
    settings = doubled_epochs(accuracy, smallest_window(accuracy, first))
    rate = settings["rate"]
    return best_rate(accuracy, settings, (rate / 2, rate, rate * 2))


def listed(method: str) -> list[dict]:
    """The settings that are tried of a counting method, small windows first."""
    smoothings = SMOOTHINGS if "PPMI" in method else (None,)
    shift = {"shift": 5.0} if "shifted" in method else {}
    return [
        {"window": window, "power": power} | ({"smoothing": smoothing} if smoothing else {}) | shift
        for window, smoothing, power in product(WINDOWS, smoothings, POWERS)
    ]


def chosen(method: str) -> dict:
    """The settings that were stored as chosen for a method."""
    return stored("tuning")["chosen"][method]


def tuned(method: str) -> dict:
    """The settings of a method, after all that is not stored yet was measured and stored."""
    place = {word: i for i, word in enumerate(corpus()[0])}

    def accuracy(settings: dict) -> float:
        about = {"method": method} | settings
        rows = stored("tuning").get("rows", [])
        for row in rows:
            if about.items() <= row.items():
                return row["accuracy"]
        seed = {} if method in COUNTING else {"seed": SEED}
        try:
            V, seconds = vectors(method, **settings, **seed)
            share = round(float(told_in_training(place, V.astype(float))), 4)
            row = about | seed | {"accuracy": share}
            if method in PREDICTING:  # a table serves several powers of s
                row["seconds"] = round(seconds, 1)
        except ValueError as problem:
            if "grown without end" not in str(problem):
                raise
            row = about | seed | {"accuracy": 0.0, "diverged": True}
        print(row, flush=True)
        store("tuning", {"chosen": stored("tuning").get("chosen", {})}, rows=[*rows, row])
        return row["accuracy"]

    if method in COUNTING:
        return smallest_of([(accuracy(settings), settings) for settings in listed(method)])
    return searched(accuracy)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("method", nargs="*", help="default: every method")
    for method in parser.parse_args().method or (*COUNTING, *PREDICTING):
        settings = tuned(method)
        print(f"{method}: {settings}", flush=True)
        old = stored("tuning")
        store("tuning", {"chosen": old.get("chosen", {}) | {method: settings}}, rows=old["rows"])


if __name__ == "__main__":
    main()
