"""How much of a sentence's first word is left in the hidden state? Two networks; all runs stored.

    python -m experiments.rnn.first_word

A plain recurrent network and an LSTM learn to predict the next word of sentences from books
(without the Bible, whose verses are numbered). Both have 128 units and see the same 2,000 words;
every other word is "unknown". The rate of each was chosen among three by the loss on validation
sentences after half an epoch. Then three seeds of each are trained for three epochs, the rate
going down on a line, and store their perplexity beside that of bigram counts.

Other sentences, which no network was trained on, begin with one of eight words, equally often.
After each of their first 20 words, a linear probe (ridge regression onto the eight classes, its
penalty chosen on a part of the probe's own training sentences) predicts the first word from the
hidden state or the cell state. In the control, the network reads the same sentences without their
first word: what the probe finds there is what the rest of the sentence gives away. Seconds are of
CPU time on one thread. A run that is stored is not repeated.
"""

import argparse
import json
import time

import numpy as np
import torch
from torch import nn

from experiments.conditions import conditions
from experiments.rnn.book_sentences import END, FIRST, SETTINGS, bigram_perplexity, material
from firth.store.results import DATA, stored_result

FILE = DATA / "rnn/first_word.json"
SEEDS, RATES, CELLS = (0, 1, 2), (0.001, 0.003, 0.01), {"plain": "RNN", "LSTM": "LSTM"}
PENALTIES = (1.0, 10.0, 100.0, 1000.0)


class NextWord(nn.Module):
    """An embedding, one recurrent layer, and scores for the next word."""

    def __init__(self, cell: str, n: int, d: int):
        super().__init__()
        self.E = nn.Embedding(n, d)
        self.cell, self.out = getattr(nn, CELLS[cell])(d, d), nn.Linear(d, n)

    def loss(self, ids: torch.Tensor) -> torch.Tensor:
        """The mean cross-entropy of the next words; −1 is read as END and never predicted."""
        H, _ = self.cell(self.E(ids[:-1].clamp(min=0)))
        real = ids[1:] >= 0
        return nn.functional.cross_entropy(self.out(H[real]), ids[1:][real])


def batch(sentences: list[list[int]]) -> torch.Tensor:
    """Ids with time first: END, the words, END; then −1, which is no word, up to the longest."""
    longest = max(map(len, sentences)) + 2
    columns = [[END, *words, END] + [-1] * (longest - len(words) - 2) for words in sentences]
    return torch.tensor(columns).T.contiguous()


def perplexity(net: nn.Module, parts: list[list[int]]) -> float:
    """exp of the mean cross-entropy over all words and sentence ends."""
    total = count = 0.0
    with torch.no_grad():
        for start in range(0, len(parts), 250):
            ids = batch(parts[start : start + 250])
            n = int((ids[1:] >= 0).sum())
            total, count = total + float(net.loss(ids)) * n, count + n
    return float(np.exp(total / count))


def trained(
    cell: str, rate: float, seed: int, data: dict, epochs: float, s: dict = SETTINGS
) -> tuple:
    """A network after so many epochs, and its loss on validation sentences five times an epoch."""
    torch.manual_seed(seed)
    net, random = NextWord(cell, data["n"], s["units"]), np.random.default_rng(seed)
    optimiser = torch.optim.Adam(net.parameters(), lr=rate)
    lengths = np.array([len(words) for words in data["training"]])
    batches = []
    while len(batches) < epochs * len(lengths) / s["batch"]:
        order = random.permutation(len(lengths))
        for block in np.array_split(order, max(1, len(order) // (16 * s["batch"]))):
            rows = block[np.argsort(lengths[block], kind="stable")]
            cut = [rows[i : i + s["batch"]] for i in range(0, len(rows), s["batch"])]
            batches += [cut[i] for i in random.permutation(len(cut))]
    batches, curve = batches[: int(epochs * len(lengths) / s["batch"])], []
    every = max(1, int(len(lengths) / s["batch"] / 5))
    for step, rows in enumerate(batches):
        for group in optimiser.param_groups:
            group["lr"] = rate * (1 - step / len(batches)) if epochs >= 1 else rate
        loss = net.loss(batch([data["training"][i] for i in rows]))
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), s["clip"])
        optimiser.step()
        if (step + 1) % every == 0:
            curve.append(round(np.log(perplexity(net, data["validation"])), 4))
    return net, curve


def hidden_states(net: NextWord, parts: list[list[int]], positions: int) -> dict[str, np.ndarray]:
    """h, and for an LSTM c, after each of the first words: positions × sentences × units."""
    ids = torch.tensor([[END, *words[:positions]] for words in parts]).T
    d, found = net.cell.hidden_size, {"h": [], "c": []}
    with torch.no_grad():
        X, state = net.E(ids), None
        for x in X:
            _, state = net.cell(x[None], state)
            if isinstance(state, tuple):
                found["h"].append(state[0][0].numpy())
                found["c"].append(state[1][0].numpy())
            else:
                found["h"].append(state[0].numpy())
    assert found["h"][0].shape[1] == d
    return {name: np.stack(rows[1:]) for name, rows in found.items() if rows}


def probed(X: np.ndarray, labels: np.ndarray) -> float:
    """The share of held-out sentences whose first word a linear probe names: five parts in turn."""
    n, right = len(X), 0
    Y = np.eye(labels.max() + 1)[labels]
    for fold in range(5):
        test = np.arange(n) % 5 == fold
        choice = np.arange(n) % 5 == (fold + 1) % 5
        learn = ~test & ~choice
        scores = {p: predict(X, Y, learn, choice, p) for p in PENALTIES}
        best = max(scores, key=lambda p: (scores[p] == labels[choice]).mean())
        right += (predict(X, Y, ~test, test, best) == labels[test]).sum()
    return round(float(right / n), 4)


def predict(X: np.ndarray, Y: np.ndarray, learn: np.ndarray, asked: np.ndarray, penalty: float):
    """The classes that ridge regression on the rows `learn` predicts for the rows `asked`."""
    mean, spread = X[learn].mean(axis=0), X[learn].std(axis=0) + 1e-6
    A, B = (X[learn] - mean) / spread, (X[asked] - mean) / spread
    weights = np.linalg.solve(
        A.T @ A + penalty * np.eye(A.shape[1]), A.T @ (Y[learn] - Y[learn].mean(0))
    )
    return (B @ weights + Y[learn].mean(0)).argmax(axis=1)


def probes(net: NextWord, data: dict, s: dict = SETTINGS) -> dict[str, list[float]]:
    """The probe's accuracy at each position: on whole sentences and without their first word."""
    rows = {}
    for name, cut in (("", 0), (", first word left out", 1)):
        parts = [words[cut : s["positions"]] for words in data["probe"]]
        for state, X in hidden_states(net, parts, s["positions"] - cut).items():
            rows[state + name] = [probed(x, data["labels"]) for x in X]
    return rows


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    stored = {"command": "python -m experiments.rnn.first_word", "settings": SETTINGS}
    stored["first"] = list(FIRST)
    old = stored_result("rnn/first_word", {})
    same = all(old.get(name) == value for name, value in stored.items())
    rows = old["rows"] if same else []
    data = material()
    about = {
        "sentences": {name: len(data[name]) for name in ("training", "validation", "test", "probe")}
    }
    about["bigrams"] = old["bigrams"] if same and "bigrams" in old else bigram_perplexity(data)
    print(about, flush=True)

    def keep(row: dict) -> None:
        rows.append(row)
        lines = ",\n".join(json.dumps(row) for row in rows)
        head = json.dumps(conditions() | stored | about, indent=1, ensure_ascii=False)
        FILE.write_text(f'{head[:-2]},\n "rows": [\n{lines}\n]}}\n', encoding="utf-8")
        print({k: v for k, v in row.items() if k != "probes"}, flush=True)

    def found(**wanted) -> dict | None:
        return next((row for row in rows if wanted.items() <= row.items()), None)

    for cell in CELLS:
        for rate in RATES:
            if not found(cell=cell, choosing=rate):
                begin = time.process_time()
                _, curve = trained(cell, rate, 100, data, 0.5)
                keep(
                    {
                        "cell": cell,
                        "choosing": rate,
                        "curve": curve,
                        "seconds": round(time.process_time() - begin, 1),
                    }
                )
        if not found(cell=cell, untrained=True):
            torch.manual_seed(0)
            net = NextWord(cell, data["n"], SETTINGS["units"])
            keep({"cell": cell, "untrained": True, "probes": probes(net, data)})
    for seed in SEEDS:
        for cell in CELLS:
            if found(cell=cell, seed=seed):
                continue
            rate = min(RATES, key=lambda rate: found(cell=cell, choosing=rate)["curve"][-1])
            begin = time.process_time()
            net, curve = trained(cell, rate, seed, data, SETTINGS["epochs"])
            keep({
                "cell": cell, "seed": seed, "rate": rate, "curve": curve,
                "perplexity": round(perplexity(net, data["test"]), 2),
                "seconds": round(time.process_time() - begin, 1), "probes": probes(net, data),
            })  # fmt: skip


if __name__ == "__main__":
    main()
