"""Train the letter model of chapter 3 on place names, and its rivals; store every run.

    python -m experiments.rnn.place_names           every run that is not stored yet
    python -m experiments.rnn.place_names counts    the counts alone, anew, beside the networks

Three lists of training names: the 720 as they are written, the same without accents, and the 2,378
without accents. Five splits: four fifths to learn from, a tenth to stop by, a tenth that is asked
once. Names that differ in accents or capitals only are one name, on one side of a split. The
held-out names of a split are of the 720 whatever the training list.
Beside the network, letter n-grams learn from the same names, with two ways of smoothing: Witten and
Bell's, and Kneser and Ney's as in chapter 5. The first network of the first list is stored for the
page, a byte a weight. A run that is stored is not repeated: stop the script and start it again.
"""

import argparse
import json
import math
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import numpy as np
import torch
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from experiments.conditions import conditions
from experiments.transformer.baselines import kneser_ney
from firth.rnn import place_names
from firth.rnn.place_names import Letters, folded, loss
from firth.store import corpora
from firth.store.results import DATA, stored_result
from firth.store.weights import dequantize, quantize

FILE = DATA / "rnn/place_names_runs.json"
SPLITS, NGRAMS = 5, (2, 3, 4, 5, 6, 7, 8)
SETTINGS = {"d": 64, "dropout": 0.3, "rate": 8e-3, "decay": 0.01, "batch": 32, "patience": 12}
SETTINGS |= {"average": 0.98}  # of the weights, over the last fifty steps or so: a steadier network


def lists() -> dict[str, tuple[list[str], bool]]:
    """Each training list, and whether held-out names lose their accents for it."""
    return {
        "720, accents": (corpora.places(), False),
        "720, folded": (corpora.places(), True),
        "2,378, folded": (corpora.places(folded=True), True),
    }


def plain(name: str) -> str:
    """A name without its accents, but with its capitals.

    >>> plain("Òdena")
    'Odena'
    """
    apart = unicodedata.normalize("NFD", name)
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def split(names: list[str], seed: int) -> tuple[list[str], list[str], list[str]]:
    """Names to learn from, to stop by and to ask, in the order of a hash; each name once."""
    once = list({folded(name): name for name in names}.values())
    once.sort(key=lambda name: sha256(f"{seed} {folded(name)}".encode()).digest())
    tenth = len(once) // 10
    return once[2 * tenth :], once[:tenth], once[tenth : 2 * tenth]


def material(which: str, seed: int) -> tuple[list[str], list[str], list[str]]:
    """The names of one run: of the list to learn from, the held-out ones of the 720."""
    names, bare = lists()[which]
    _, dev, test = split(corpora.places(), seed)
    held = {folded(name) for name in dev + test}
    train = [name for part in split(names, seed) for name in part if folded(name) not in held]
    return tuple([plain(n) if bare else n for n in part] for part in (train, dev, test))


def alphabet(names: list[str]) -> list[str]:
    """The border, and every letter in the list by its number."""
    return ["\n", *sorted({letter for name in names for letter in name})]


class Network(torch.nn.Module):
    """One-hot letters, one GRU, one score for each letter."""

    def __init__(self, n: int, d: int, dropout: float):
        super().__init__()
        self.gru = torch.nn.GRU(n, d, batch_first=True)
        self.drop = torch.nn.Dropout(dropout)
        self.out = torch.nn.Linear(d, n)

    def forward(self, x):
        one_hot = torch.nn.functional.one_hot(x, self.out.out_features).float()
        return self.out(self.drop(self.gru(one_hot)[0]))

    def letters(self, letters: list[str]) -> Letters:
        """The weights for `firth.rnn.place_names`."""
        gru, out = self.gru, self.out
        weights = (gru.weight_ih_l0, gru.weight_hh_l0, gru.bias_ih_l0, gru.bias_hh_l0)
        arrays = [w.detach().double().numpy() for w in (*weights, out.weight, out.bias)]
        return Letters(tuple(letters), *arrays)


def tensors(names: list[str], letters: list[str]) -> tuple[torch.Tensor, torch.Tensor]:
    """Letters read and letters to come, one name a row; −100 where a shorter name has none."""
    place = {letter: i for i, letter in enumerate(letters)}
    x = torch.zeros(len(names), max(map(len, names)) + 1, dtype=torch.long)
    y = torch.full_like(x, -100)
    for i, name in enumerate(names):
        ids = torch.tensor([place[letter] for letter in name])
        x[i, 1 : len(ids) + 1] = ids
        y[i, : len(ids) + 1] = torch.cat([ids, ids.new_zeros(1)])
    return x, y


def trained(train, dev, test, letters, seed: int, epochs: int = 100) -> tuple[dict, Letters]:
    """A run's losses epoch by epoch, and the network of the epoch with the smallest held out."""
    torch.manual_seed(seed)
    s = SETTINGS
    net = Network(len(letters), s["d"], s["dropout"])
    optimiser = torch.optim.AdamW(net.parameters(), lr=s["rate"], weight_decay=s["decay"])
    mean = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(s["average"]))
    X, Y = tensors(train, letters)
    held = [tensors(part, letters) for part in (dev, test)]
    curve, best = [], None
    for epoch in range(epochs):
        net.train()
        for rows in torch.randperm(len(X)).split(s["batch"]):
            optimiser.zero_grad()
            cost(net, X[rows], Y[rows]).backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimiser.step()
            mean.update_parameters(net)
        mean.eval()
        with torch.no_grad():
            seen, stop, asked = (cost(mean, x, y).item() for x, y in [(X, Y), *held])
        curve.append([round(seen, 4), round(stop, 4)])
        if best is None or stop < best[0]:
            best = stop, asked, epoch, mean.module.letters(letters)
        if epoch - best[2] >= s["patience"]:
            break
    return {"epoch": best[2] + 1, "test": round(best[1], 4), "curve": curve}, best[3]


def cost(net: torch.nn.Module, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.cross_entropy(net(x).transpose(1, 2), y)


def ngram_loss(train: list[str], test: list[str], n: int, letters: int) -> float:
    """The mean surprise of n-grams: what was seen after n − 1 letters, mixed with n − 2, and so on.

    >>> round(ngram_loss(["a"], ["a"], n=1, letters=2), 4)  # ½ of each, mixed with ½ of each
    0.6931
    """
    seen = defaultdict(Counter)
    for name in train:
        text = "\n" * (n - 1) + name + "\n"
        for i in range(n - 1, len(text)):
            for k in range(n):
                seen[text[i - k : i]][text[i]] += 1
    surprises = []
    for name in test:
        text = "\n" * (n - 1) + name + "\n"
        for i in range(n - 1, len(text)):
            p = 1 / letters
            for k in range(n):
                if not (after := seen.get(text[i - k : i])):
                    break
                p = (after[text[i]] + len(after) * p) / (after.total() + len(after))
            surprises.append(-math.log(p))
    return float(np.mean(surprises))


def surprise(train: list[str], n: int, letters: list[str]) -> Callable[[str], float]:
    """How surprised Kneser and Ney's n-grams are by a name, or by its first letters.

    No n-gram looks into the name before: each is read after n − 1 borders, whose cost is taken off.
    """
    place, border = {letter: i for i, letter in enumerate(letters)}, "\n" * max(1, n - 1)
    seen = np.array([place[letter] for letter in border.join(["", *train, ""])])

    def whole(text: str) -> float:
        x = np.array([place[letter] for letter in border + text])
        return kneser_ney(seen, x, n, len(letters)) * (len(x) - 1) if len(x) > 1 else 0.0

    free = whole("")
    return lambda text: whole(text) - free


def counted(train: list[str], dev: list[str], test: list[str], letters: list[str], among=NGRAMS):
    """Both smoothings at each length: the losses on the names to stop by, and on those asked."""
    simple, better = {}, {}
    for n in among:
        of, parts = surprise(train, n, letters), [dev, test]
        simple[str(n)] = [round(ngram_loss(train, x, n, len(letters)), 4) for x in parts]
        means = (sum(of(f"{name}\n") for name in x) / (len(x) + len("".join(x))) for x in parts)
        better[str(n)] = [round(mean, 4) for mean in means]
    return {"ngrams": simple, "kneser_ney": better}


def run(which: str, seed: int) -> tuple[dict, Letters]:
    """One training list and one split."""
    train, dev, test = material(which, seed)
    letters = alphabet(train + dev + test)
    result, net = trained(train, dev, test, letters, seed)
    row = {"list": which, "split": seed, "names": len(train), "letters": len(letters)}
    return row | result | counted(train, dev, test, letters), net


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", nargs="?", choices=["counts"])
    old = stored_result("rnn/place_names_runs", {})
    if parser.parse_args().part == "counts":
        for row in old["rows"]:
            train, dev, test = material(row["list"], row["split"])
            row |= counted(train, dev, test, alphabet(train + dev + test))
        return write(FILE, old)
    torch.set_num_threads(1)
    inputs = sha256("\n".join(n for names, _ in lists().values() for n in names).encode())
    stored = {"command": "python -m experiments.rnn.place_names", "settings": SETTINGS}
    stored["inputs"] = inputs.hexdigest()
    rows = old["rows"] if all(old.get(name) == value for name, value in stored.items()) else []
    done = {(row["list"], row["split"]) for row in rows}
    wanted = [(which, seed) for seed in range(SPLITS) for which in lists()]
    for which, seed in (one for one in wanted if one not in done):
        row, net = run(which, seed)
        if (which, seed) == ("720, accents", 0):
            row |= shipped(net, seed)
        rows.append(row)
        write(FILE, conditions() | stored | {"rows": rows})
        print(f"{which}, split {seed}: {row['test']} after {row['epoch']} epochs", flush=True)


def shipped(net: Letters, seed: int) -> dict:
    """The network stored for the page, and the held-out loss before and after it is quantized."""
    _, dev, test = material("720, accents", seed)
    parts = {name: quantize(getattr(net, name)) for name in "WUbcOo"}
    again = Letters(net.alphabet, **{name: dequantize(part) for name, part in parts.items()})
    about = {"alphabet": net.alphabet, "cell": "gru", "reset": "after", "d": net.U.shape[1]}
    write(place_names.FILE, about | {"held_out": dev + test, "weights": parts}, indent=None)
    return {"packed": [round(loss(part, again), 4) for part in (dev, test)]}


def write(file: Path, what: dict, indent: int | None = 1) -> None:
    file.write_text(json.dumps(what, indent=indent, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
