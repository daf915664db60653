"""Which networks give the verb the number of a noun that stands far before it? Store every run.

    python -m experiments.rnn.agreement

The text is `firth.rnn.small_text`, with at most two phrases between the first noun and its verb. A
plain network and an LSTM of 32 units learn to predict its next word, each from five seeds at each
of three rates of learning and with the same budget. Then they are asked for the verb after 0 to 6
phrases: is the summed probability of all plural verbs larger than that of all singular verbs? The
baselines see the same beginnings of sentences: a logistic regression on their bags of words, and
the rule that the verb agrees with the nearest noun. The rate of each network is chosen by the loss
on a text of its own.

The plain network that the page's widget reads with is the first one of the rate chosen for it; its
weights are stored in `rnn/small_network`, rounded to three decimals. A run that is stored is not
repeated.
"""

import argparse
import json
import time

import numpy as np
import torch
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from torch import nn

from experiments.conditions import conditions
from firth.rnn.small_text import (
    PLURAL,
    PLURAL_NOUNS,
    SINGULAR,
    SINGULAR_NOUNS,
    WORDS,
    text,
    words_before_verb,
)
from firth.store.results import DATA, stored_result

FILE, NETWORK = DATA / "rnn/agreement.json", DATA / "rnn/small_network.json"
SEEDS, RATES, CELLS = (0, 1, 2, 3, 4), (0.001, 0.003, 0.01), {"plain": nn.RNN, "LSTM": nn.LSTM}
SETTINGS = {
    "units": 32,
    "sentences": 40_000,
    "streams": 32,
    "T": 20,
    "steps": 3000,
    "clip": 1.0,
    "most": 2,
}
LONGEST, ASKED = 6, 400  # phrases, sentences for each number of phrases
PLACE = {word: i for i, word in enumerate(WORDS)}


class NextWord(nn.Module):
    """The network of the page, with either cell: an embedding, a layer, a score for each word."""

    def __init__(self, cell: str, d: int = SETTINGS["units"]):
        super().__init__()
        self.embedding = nn.Embedding(len(WORDS), d)
        self.rnn, self.output = CELLS[cell](d, d), nn.Linear(d, len(WORDS))

    def forward(self, words: torch.Tensor, state=None):
        H, state = self.rnn(self.embedding(words), state)
        return self.output(H), state


def streams(sentences: int, seed: int, s: dict = SETTINGS) -> torch.Tensor:
    """The ids of a text, in so many columns that are read side by side."""
    ids = torch.tensor([PLACE[word] for word in text(sentences, seed, s["most"])])
    return ids[: len(ids) // s["streams"] * s["streams"]].reshape(s["streams"], -1).T


def asked() -> list[list[tuple[list[str], bool]]]:
    """For each number of phrases, beginnings of sentences up to the verb, and which are plural."""
    random = np.random.default_rng(1000)
    return [[words_before_verb(random, k) for _ in range(ASKED)] for k in range(LONGEST + 1)]


def run(cell: str, rate: float, seed: int, s: dict = SETTINGS) -> tuple[dict, NextWord]:
    """One network: its loss on a new text, and its share of right verbs after 0 to 6 phrases."""
    columns, new = streams(s["sentences"], 0), streams(2000, 1)
    torch.manual_seed(seed)
    net, begin = NextWord(cell), time.process_time()
    optimiser = torch.optim.Adam(net.parameters(), lr=rate)
    state = None
    for step in range(s["steps"]):
        t = s["T"] * step % (len(columns) - s["T"])
        scores, state = net(columns[t : t + s["T"]], state)
        state = tuple(x.detach() for x in state) if isinstance(state, tuple) else state.detach()
        following = columns[t + 1 : t + s["T"] + 1]
        loss = nn.functional.cross_entropy(scores.flatten(0, 1), following.flatten())
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), s["clip"])
        optimiser.step()
    seconds = round(time.process_time() - begin, 1)
    singular, plural = ([PLACE[verb] for verb in verbs] for verbs in (SINGULAR, PLURAL))
    right = []
    with torch.no_grad():
        scores, _ = net(new[:-1])
        loss = nn.functional.cross_entropy(scores.flatten(0, 1), new[1:].flatten()).item()
        for sentences in asked():
            found = []
            for words, is_plural in sentences:
                scores, _ = net(torch.tensor([0, *(PLACE[word] for word in words)])[:, None])
                p = scores[-1, 0].softmax(-1)
                found.append(bool(p[plural].sum() > p[singular].sum()) == is_plural)
            right.append(float(np.mean(found)))
    row = {"cell": cell, "rate": rate, "seed": seed, "loss": round(loss, 4)}
    return row | {"right": [round(share, 4) for share in right], "seconds": seconds}, net


def baselines(s: dict = SETTINGS) -> list[dict]:
    """The share of right verbs of a bag of words, and of the rule "as the nearest noun"."""
    random = np.random.default_rng(2000)
    learn = [words_before_verb(random, int(random.integers(s["most"] + 1))) for _ in range(20_000)]
    bag = make_pipeline(CountVectorizer(), LogisticRegression(max_iter=1000))
    bag.fit([" ".join(words) for words, _ in learn], [plural for _, plural in learn])
    rows = {"bag of words": [], "nearest noun": []}
    for sentences in asked():
        texts, truth = zip(*((" ".join(words), plural) for words, plural in sentences), strict=True)
        rows["bag of words"].append(float(bag.score(texts, truth)))
        nouns = {noun: False for noun in SINGULAR_NOUNS} | {noun: True for noun in PLURAL_NOUNS}
        nearest = [[nouns[w] for w in words if w in nouns][-1] for words, _ in sentences]
        rows["nearest noun"].append(float(np.mean(np.array(nearest) == truth)))
    return [
        {"method": name, "right": np.round(shares, 4).tolist()} for name, shares in rows.items()
    ]


def weights(net: NextWord) -> dict:
    """The plain network for one-hot inputs: the embedding is part of W, both biases are in b."""
    cell, out = net.rnn, net.output
    W = cell.weight_ih_l0 @ net.embedding.weight.T
    found = {"W": W, "U": cell.weight_hh_l0, "b": cell.bias_ih_l0 + cell.bias_hh_l0}
    found |= {"O": out.weight, "o": out.bias}
    return {name: np.round(x.detach().double().numpy(), 3).tolist() for name, x in found.items()}


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    stored = {"command": "python -m experiments.rnn.agreement", "settings": SETTINGS}
    old = stored_result("rnn/agreement", {})
    rows = old["rows"] if all(old.get(name) == value for name, value in stored.items()) else []
    stored["baselines"] = baselines()
    done = {(row["cell"], row["rate"], row["seed"]) for row in rows}
    for one in [(c, rate, seed) for seed in SEEDS for rate in RATES for c in CELLS]:
        if one in done:
            continue
        rows.append(run(*one)[0])
        lines = ",\n".join(json.dumps(row) for row in rows)
        about = json.dumps(conditions() | stored, indent=1, ensure_ascii=False)
        FILE.write_text(f'{about[:-2]},\n "rows": [\n{lines}\n]}}\n', encoding="utf-8")
        print(rows[-1], flush=True)
    if not NETWORK.exists():
        mean = {
            r: np.mean([x["loss"] for x in rows if x["cell"] == "plain" and x["rate"] == r])
            for r in RATES
        }
        rate = min(mean, key=mean.get)
        _, net = run("plain", rate, 0)
        made = {"command": stored["command"], "rate": rate, "seed": 0, "vocabulary": WORDS}
        NETWORK.write_text(json.dumps(made | weights(net)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
