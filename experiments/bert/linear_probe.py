"""Spam, and good films: a probe, two tuned blocks, and what counts words only; store every run.

    python -m experiments.bert.linear_probe

Learned from: 100 or 1,000 texts, three draws out of 1,500. Scored on: 1,000 others. Mail: easy
letters and spam as they come, some three in ten spam; the letters that look like spam and are not
are asked apart. Films: sentences of reviews, half good. Every text is cut after 62 pieces, for all
methods alike. C of the logistic regressions is chosen in five folds of what is learned from, of
the tuned nothing is chosen. Temperatures are fitted on 300 further texts. A run that is stored is
not repeated.
"""

import argparse
import json
from functools import cache
from hashlib import sha256

import numpy as np
import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

from experiments.conditions import conditions
from firth.bert import downstream_tasks, fine_tuning, linear_probe, minilm
from firth.store import corpora
from firth.store.results import DATA, stored_result

FILE = DATA / "bert/linear_probe.json"
POOL, FURTHER, SCORED, SIZES, SEEDS = 1500, 300, 1000, (100, 1000), (0, 1, 2)
PENALTIES = {"words": (0.1, 1.0, 10.0, 100.0), "probe": (0.0003, 0.003, 0.03, 0.3)}
TUNING = {"blocks": 2, "rate": 1e-4, "size": 16}
EPOCHS = {100: 16, 1000: 4}  # fewer texts are read more often: a hundred steps or more
METHODS = ("words", "probe", "tuned")


@cache
def texts(name: str) -> tuple[list[str], np.ndarray, list[str]]:
    """Texts, cut; their labels; and letters that are hard to tell from spam."""
    if name == "mail":
        letters = downstream_tasks.mail()
        hard = [letter.text for letter in letters if letter.kind == "hard"]
        rows = [(letter.text, letter.kind == "spam") for letter in letters if letter.kind != "hard"]
    else:
        learned, labels, scored, scored_labels = corpora.reviews()
        rows, hard = list(zip(learned + scored, labels + scored_labels, strict=True)), []
        rows = sorted(rows, key=lambda row: sha256(row[0].encode()).digest())
    rows = rows[: POOL + FURTHER + SCORED]
    cut = [fine_tuning.opening(text) for text, _ in rows]
    return cut, np.array([int(y) for _, y in rows]), [fine_tuning.opening(text) for text in hard]


@cache
def features(name: str) -> tuple[np.ndarray, list[torch.Tensor]]:
    """MiniLM's vector of every text, and what the last two blocks read; hard letters last."""
    cut, _, hard = texts(name)
    return minilm.vectors(cut + hard), fine_tuning.below(cut + hard, TUNING["blocks"])


def scores(method: str, name: str, rows: np.ndarray, seed: int, asked: np.ndarray) -> np.ndarray:
    """log p / (1 − p) of label 1 for the texts asked, from what was learned of the rows."""
    cut, y, hard = texts(name)
    if method == "tuned":
        H = features(name)[1]
        epochs = EPOCHS[len(rows)]
        net = fine_tuning.tuned(
            [H[i] for i in rows], y[rows].tolist(), epochs=epochs, seed=seed, **TUNING
        )
        p = fine_tuning.probabilities(net, [H[i] for i in asked]).clip(1e-9, 1 - 1e-9)
        return np.log(p / (1 - p))
    if method == "words":
        counted = TfidfVectorizer(sublinear_tf=True, token_pattern=r"\w+|[$!?%]")
        X = counted.fit_transform([cut[i] for i in rows])
        Z = counted.transform([(cut + hard)[i] for i in asked])
    else:
        V = features(name)[0]
        mean, sd = V[rows].mean(axis=0), V[rows].std(axis=0) + 1e-9
        X, Z = (V[rows] - mean) / sd, (V[asked] - mean) / sd
    told = {
        C: cross_val_score(LogisticRegression(C=C, max_iter=500), X, y[rows], cv=5,
                           scoring="neg_log_loss").mean()
        for C in PENALTIES[method]
    }  # fmt: skip
    best = max(told, key=told.get)
    return LogisticRegression(C=best, max_iter=500).fit(X, y[rows]).decision_function(Z)


def run(method: str, name: str, size: int, seed: int) -> dict:
    """One method, once: its verdicts, and how far its claims are from what is true."""
    cut, y, hard = texts(name)
    rows = np.random.default_rng(seed).permutation(POOL)[:size]
    asked = np.arange(POOL, len(cut) + len(hard))
    found = scores(method, name, rows, seed, asked)
    further, scored, looked = np.split(found, [FURTHER, FURTHER + SCORED])
    tau = linear_probe.temperature(further, y[POOL : POOL + FURTHER])
    p = {t: 1 / (1 + np.exp(-scored / t)) for t in (1.0, tau)}
    truth = y[POOL + FURTHER :]
    told = linear_probe.verdicts(truth, scored > 0)
    made = {"method": method, "data": name, "size": size, "seed": seed, "verdicts": list(told)}
    made |= {"accuracy": told.accuracy, "tau": round(tau, 3)}
    made |= {
        "ECE": round(linear_probe.calibration_error(p[1.0], truth), 4),
        "ECE, cooled": round(linear_probe.calibration_error(p[tau], truth), 4),
    }
    if hard:
        made["hard accused"] = [int((looked > 0).sum()), len(looked)]
    if seed == 0:
        made["p"] = p[1.0].round(3).tolist()
    return made


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    torch.set_float32_matmul_precision("medium")
    inputs = sha256(json.dumps([texts(name)[0] for name in ("mail", "films")]).encode()).hexdigest()
    stored = {
        "command": "python -m experiments.bert.linear_probe",
        "settings": TUNING,
        "inputs": inputs,
    }
    stored["epochs"] = {str(size): epochs for size, epochs in EPOCHS.items()}
    stored["truth"] = {
        name: texts(name)[1][POOL + FURTHER :].tolist() for name in ("mail", "films")
    }
    old = stored_result("bert/linear_probe", {})
    rows = old["rows"] if all(old.get(name) == value for name, value in stored.items()) else []
    done = {tuple(row[k] for k in ("method", "data", "size", "seed")) for row in rows}
    for name in ("mail", "films"):
        for method in METHODS:
            for size in SIZES:
                for seed in SEEDS:
                    if (method, name, size, seed) not in done:
                        rows.append(run(method, name, size, seed))
                        about = conditions() | stored | {"rows": rows}
                        text = json.dumps(about, ensure_ascii=False)
                        FILE.write_text(text.replace('{"method"', '\n{"method"') + "\n", "utf-8")
                        print({k: v for k, v in rows[-1].items() if k != "p"}, flush=True)


if __name__ == "__main__":
    main()
