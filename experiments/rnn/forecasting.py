"""Forecast electricity with a GRU, beside everything that needs no network; store every run.

    python -m experiments.rnn.forecasting

One step (half an hour) and one day ahead. The network reads, half-hour after half-hour, the rows
that `firth.rnn.forecasting.known` gives the linear model with one lag instead of a day of them:
what was before, its state must keep. It says by how much demand will differ from the last value
known (of several series: temperature too). It learns from chunks of four days, of which one only
warms the state up. The number of steps is the one at which September and October were told best;
November and December are asked once. Boosted trees read the same rows with a day of lags: as bent
as the network, but without a memory. One step ahead the covariates are tried without the clock as
well, because with it they did harm. A run that is stored is not repeated.
"""

import argparse
import json
import time
from hashlib import sha256

import numpy as np
import torch
from sklearn.ensemble import HistGradientBoostingRegressor

from experiments.conditions import conditions
from firth.rnn import forecasting
from firth.rnn.forecasting import DAY, MODELS, earlier, known, standardised
from firth.store import corpora
from firth.store.results import DATA, stored_result

FILE = DATA / "rnn/forecasting.json"
AHEAD = (1, DAY)
SEEDS = (0, 1, 2)
WITHOUT = "covariates, no clock"
CHUNK, WARM = 4 * DAY, DAY
SETTINGS = {"d": 32, "rate": 5e-3, "batch": 24, "steps": 300, "look": 25, "dropout": 0.1}


class Network(torch.nn.Module):
    """Rows in, one GRU, and for each series the change until the half-hour that is forecast."""

    def __init__(self, columns: int, series: int, d: int, dropout: float):
        super().__init__()
        self.gru = torch.nn.GRU(columns, d, batch_first=True)
        self.drop = torch.nn.Dropout(dropout)
        self.out = torch.nn.Linear(d, series)

    def forward(self, X):
        return self.out(self.drop(self.gru(X)[0]))


def material(table: dict, a: int, model: str) -> tuple[np.ndarray, np.ndarray, float, dict]:
    """Whole rows X, the changes to be told Y, what one unit of Y is in gigawatts, and where."""
    parts = forecasting.periods(table["time"])
    series = ["demand", "temperature"] if model == "several series" else ["demand"]
    changes = np.column_stack([table[name] - earlier(table[name], a) for name in series])
    X = known(table, a, "covariates" if model == WITHOUT else model, 1, clocked=model != WITHOUT)
    whole = ~np.isnan(X).any(axis=1)
    unit = np.nanstd(changes[parts["past"]], axis=0)
    X, Y = standardised(X, parts["past"] & whole), changes / unit
    return X[whole], Y[whole], float(unit[0]), {n: p[whole] for n, p in parts.items()}


def run(table: dict, a: int, model: str, seed: int, **other) -> dict:
    """One network: the errors on all three parts, at the step chosen on the second."""
    s = SETTINGS | other
    torch.manual_seed(seed)
    begin = time.perf_counter()
    X, Y, unit, parts = material(table, a, model)
    y = torch.tensor(Y[:, 0] * unit)
    X, Y = (torch.tensor(values, dtype=torch.float32) for values in (X, Y))
    net = Network(X.shape[1], Y.shape[1], s["d"], s["dropout"])
    optimiser = torch.optim.AdamW(net.parameters(), lr=s["rate"])
    slope = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, s["steps"])
    starts = int(parts["past"].sum()) - CHUNK
    curve, best = [], None
    for step in range(1, s["steps"] + 1):
        net.train()
        rows = torch.randint(starts, (s["batch"], 1)) + torch.arange(CHUNK)
        loss = (net(X[rows]) - Y[rows])[:, WARM:].abs().mean()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        slope.step()
        if step % s["look"] == 0:
            net.eval()
            with torch.no_grad():
                wrong = (net(X[None])[0, :, 0] * unit - y).abs().numpy()
            errors = {name: round(float(wrong[part].mean()), 4) for name, part in parts.items()}
            curve.append([step, errors["past"], errors["choice"]])
            if best is None or errors["choice"] < best["choice"]:
                best = errors | {"step": step}
    counted = sum(w.numel() for w in net.parameters())
    seconds = round(time.perf_counter() - begin, 1)
    return best | {"parameters": counted, "seconds": seconds, "curve": curve}


def boosted(table: dict, a: int, model: str) -> dict:
    """Three hundred trees for the change until the half-hour that is forecast, absolute errors."""
    parts = forecasting.periods(table["time"])
    begin = time.perf_counter()
    X = known(table, a, model)
    change = table["demand"] - earlier(table["demand"], a)
    whole = ~np.isnan(X).any(axis=1)
    trees = HistGradientBoostingRegressor(loss="absolute_error", max_iter=300, random_state=0)
    trees.fit(X[whole & parts["past"]], change[whole & parts["past"]])
    wrong = abs(trees.predict(X) - change)
    errors = {name: round(float(wrong[part & whole].mean()), 4) for name, part in parts.items()}
    return errors | {"seconds": round(time.perf_counter() - begin, 1)}


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    table = corpora.electricity()
    digest = sha256(b"".join(np.ascontiguousarray(v).tobytes() for v in table.values()))
    stored = {"command": "python -m experiments.rnn.forecasting", "settings": SETTINGS} | {
        "inputs": digest.hexdigest()
    }
    old = stored_result("rnn/forecasting", {})
    rows = old["rows"] if all(old.get(name) == value for name, value in stored.items()) else []
    done = {(row["learner"], row["ahead"], row["model"], row["seed"]) for row in rows}
    wanted = [("trees", a, model, 0) for a in AHEAD for model in MODELS]
    wanted += [("GRU", a, model, seed) for seed in SEEDS for a in AHEAD for model in MODELS]
    wanted += [("GRU", 1, WITHOUT, seed) for seed in SEEDS]
    for learner, a, model, seed in wanted:
        if (learner, a, model, seed) in done:
            continue
        row = {"learner": learner, "ahead": a, "model": model, "seed": seed}
        row |= boosted(table, a, model) if learner == "trees" else run(table, a, model, seed)
        rows.append(row)
        text = json.dumps(conditions() | stored | {"rows": rows}, indent=1)
        FILE.write_text(text + "\n", encoding="utf-8")
        print({name: row[name] for name in row if name != "curve"}, flush=True)


if __name__ == "__main__":
    main()
