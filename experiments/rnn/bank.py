"""Does the hidden state at the word "bank" know which bank is meant? Store every run.

    python -m experiments.rnn.bank

An LSTM language model reads every second article of the scoreboard's Wikipedia to the right,
another one reads them to the left; each once, from two seeds. At every "bank" of the whole text
the hidden state is kept. The text around it decides the meaning where it can: clue words of money
or clue words of rivers within ten words. The axis between the two meanings is the difference of
the two mean hidden states. A hidden state is judged by the mean that it is nearer to along that
axis. Passages are judged by an axis from the other half of the passages, apart for clues that
stand before and after the word. Then ten short sentences, labelled by people, are placed on the
axis of all passages. Passages of "west bank" are left out: a third meaning. A run that is stored
is not repeated.
"""

import argparse
import json
import time

import numpy as np
import torch

from experiments.conditions import conditions
from firth.lsa import counts
from firth.rnn.language_model import NextWord, streams, train
from firth.store import corpora
from firth.store.results import DATA, stored_result
from firth.word2vec.word2vec import noise

FILE = DATA / "rnn/bank.json"
SEEDS, DIRECTIONS = (0, 1), ("forward", "backward")
SETTINGS = {
    "min_count": 20,
    "d": 100,
    "streams": 64,
    "k": 512,
    "T": 40,
    "epochs": 1,
    "rates": [0.01, 0.001],
}
WINDOW, READ = 10, 30  # words within which a clue counts; words that the network reads before
CLUES = {
    "money": "money loan loans central federal reserve investment account accounts cash currency "
    "financial credit savings deposit deposits debt commercial interest finance "
    "monetary banking dollars rate rates economic funds",
    "river": "river rivers stream shore lake nile valley water canal south north east "
    "left opposite danube rhine tiber thames bridge sea elbe",
}


def passages(articles: list[list[str]]) -> list[dict]:
    """Each "bank" with a clue: the words before it and after it, its meaning, where the clue is."""
    clues = {meaning: set(words.split()) for meaning, words in CLUES.items()}
    found = []
    for words in articles:
        for i in (i for i, word in enumerate(words) if word == "bank"):
            before, after = words[max(0, i - READ) : i], words[i + 1 : i + 1 + READ]
            sides = {"before": before[-WINDOW:], "after": after[:WINDOW]}
            seen = [(m, side) for m in clues for side in sides if clues[m] & set(sides[side])]
            if len({m for m, _ in seen}) == 1 and before[-1:] != ["west"]:
                where = seen[0][1] if len(seen) == 1 else "both"
                found.append(
                    {"before": before, "after": after, "meaning": seen[0][0], "clue": where}
                )
    return found


def sentences() -> list[dict]:
    """The ten sentences with "bank" that chapter 6 has, and the meaning that people gave them."""
    lines = (DATA / "bert/word_senses.tsv").read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in lines if line.startswith("bank\t")]
    found = []
    for _, meaning, text in rows:
        words = counts.words(text)
        i = words.index("bank")
        found.append(
            {"text": text, "before": words[:i], "after": words[i + 1 :], "meaning": meaning}
        )
    return found


def states(net: NextWord, places: list[dict], place: dict[str, int], direction: str) -> np.ndarray:
    """The hidden state after "bank" has been read, in the direction of the network."""
    rows = []
    for one in places:
        words = one["before"] if direction == "forward" else one["after"][::-1]
        ids = [place.get(word, len(place)) for word in [*words, "bank"]]
        with torch.no_grad():
            H, _ = net(torch.tensor([len(place), *ids])[:, None])
        rows.append(H[-1, 0].numpy())
    return np.array(rows, dtype=float)


def axis(H: np.ndarray, money: np.ndarray) -> tuple[np.ndarray, float]:
    """A direction w and a number b: w · h + b is 1 at the mean of money, −1 at that of rivers."""
    a, b = H[money].mean(axis=0), H[~money].mean(axis=0)
    w = 2 * (a - b) / ((a - b) @ (a - b))
    return w, float(-w @ (a + b) / 2)


def judged(H: np.ndarray, found: list[dict]) -> dict[str, list[float]]:
    """For clues before, after and on both sides: the mean share right of the meanings, and n."""
    money = np.array([one["meaning"] == "money" for one in found])
    clue = np.array([one["clue"] for one in found])
    even, right = np.arange(len(H)) % 2 == 0, np.empty(len(H), dtype=bool)
    for half in (even, ~even):
        w, b = axis(H[~half], money[~half])
        right[half] = (H[half] @ w + b > 0) == money[half]
    found = {}
    for side in ("before", "after", "both"):
        shares = [right[(clue == side) & meaning].mean() for meaning in (money, ~money)]
        found[side] = [round(float(np.mean(shares)), 4), int((clue == side).sum())]
    return found


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    stored = {"command": "python -m experiments.rnn.bank", "settings": SETTINGS}
    old = stored_result("rnn/bank", {})
    rows = old["rows"] if all(old.get(name) == value for name, value in stored.items()) else []
    s = SETTINGS
    articles = [counts.words(article) for article in corpora.scoreboard()]
    vocabulary = counts.vocabulary((w for words in articles for w in words), s["min_count"])
    place = {word: i for i, word in enumerate(vocabulary)}
    found, short = passages(articles), sentences()
    for seed in SEEDS:
        for direction in DIRECTIONS:
            if any((row["seed"], row["direction"]) == (seed, direction) for row in rows):
                continue
            texts = [words if direction == "forward" else words[::-1] for words in articles[::2]]
            ids = [counts.word_ids(words, place) for words in texts]
            columns = streams(ids, len(place), s["streams"])
            frequency = np.bincount(columns.numpy().ravel(), minlength=len(place) + 1)[:-1] + 1
            begin = time.process_time()
            torch.manual_seed(seed)
            net = NextWord(len(place), s["d"], s["d"])
            losses = train(net, columns, noise(frequency), s["k"], s["T"], s["epochs"], *s["rates"])
            seconds = round(time.process_time() - begin, 1)
            H = states(net, found, place, direction)
            w, b = axis(H, np.array([one["meaning"] == "money" for one in found]))
            on_axis = (states(net, short, place, direction) @ w + b).round(3).tolist()
            rows.append({"direction": direction, "seed": seed, "losses": losses, "seconds": seconds,
                         "passages": judged(H, found), "sentences": on_axis})  # fmt: skip
            lines = ",\n".join(json.dumps(row) for row in rows)
            about = {"words": len(place), "texts": [one["text"] for one in short]}
            about |= {"meanings": [one["meaning"] for one in short]}
            head = json.dumps(conditions() | stored | about, indent=1, ensure_ascii=False)
            FILE.write_text(f'{head[:-2]},\n "rows": [\n{lines}\n]}}\n', encoding="utf-8")
            print(rows[-1], flush=True)


if __name__ == "__main__":
    main()
