"""Forecast electricity with an LSTM, beside everything that needs no network; store every run.

    python -m experiments.rnn.forecasting

Half an hour and one day ahead. The network reads, half-hour after half-hour, the rows that
`firth.rnn.forecasting.known` gives the linear model, with one lag instead of a day of them: what
came before, its hidden state must keep. It predicts by how much demand will differ from the last
known value (of several series: temperature too). It learns from chunks of four days, the first of
which only prepares the hidden state. Training goes on until it is flat: until the best error on
September and October has improved by less than 0.5 % over the last third of the steps, at a rate
that is not lowered. The step with the best error is kept. Two rates are tried for each forecast
with the first seed, and the one that is better in September and October gets two more seeds.
November and December are asked once a run. Boosted trees read the same rows with a day of lags.
Half an hour ahead the covariates are tried without the clock as well. The forecasts of one week,
the first of December, are kept for a picture. A run that is stored is not repeated.
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
from firth.rnn.forecasting import DAY, MODELS, known, shift, standardise
from firth.store import corpora
from firth.store.results import DATA, stored_result

FILE = DATA / "rnn/forecasting.json"
AHEAD = (1, DAY)
SEEDS = (0, 1, 2)
WITHOUT = "covariates, no clock"
CHUNK, WARM = 4 * DAY, DAY
RATES = (0.003, 0.01)
SETTINGS = {
    "d": 32,
    "batch": 24,
    "least": 900,
    "most": 6000,
    "look": 100,
    "dropout": 0.1,
    "flat": 0.005,
}
DRAWN = np.datetime64("2014-12-01"), np.datetime64("2014-12-08")


class Network(torch.nn.Module):
    """Rows in, one LSTM, and for each series the change until the half-hour that is forecast."""

    def __init__(self, columns: int, series: int, d: int, dropout: float):
        super().__init__()
        self.lstm = torch.nn.LSTM(columns, d, batch_first=True)
        self.drop = torch.nn.Dropout(dropout)
        self.out = torch.nn.Linear(d, series)

    def forward(self, X):
        return self.out(self.drop(self.lstm(X)[0]))


def material(table: dict, a: int, model: str) -> tuple[np.ndarray, np.ndarray, float, dict]:
    """Whole rows X, the changes to be told Y, what one unit of Y is in gigawatts, and where."""
    parts = forecasting.periods(table["time"])
    series = ["demand", "temperature"] if model == "several series" else ["demand"]
    changes = np.column_stack([table[name] - shift(table[name], a) for name in series])
    X = known(table, a, "covariates" if model == WITHOUT else model, 1, clocked=model != WITHOUT)
    whole = ~np.isnan(X).any(axis=1)
    unit = np.nanstd(changes[parts["past"]], axis=0)
    X, Y = standardise(X, parts["past"] & whole), changes / unit
    return X[whole], Y[whole], float(unit[0]), {n: p[whole] for n, p in parts.items()}


def is_flat(curve: list[list[float]], s: dict) -> bool:
    """Has the best error of the choice hardly improved over the last third of the steps?

    >>> is_flat([[100, 0.5, 2.0], [200, 0.4, 1.0], [300, 0.3, 0.9]], SETTINGS | {"least": 300})
    False
    """
    errors = [error for _, _, error in curve]
    before = min(errors[: max(1, len(errors) * 2 // 3)])
    return curve[-1][0] >= s["least"] and min(errors) > (1 - s["flat"]) * before


def run(table: dict, a: int, model: str, seed: int, rate: float, **other) -> dict:
    """One network: its errors on all three parts, at the step that was best on the second part."""
    s = SETTINGS | other
    torch.manual_seed(seed)
    begin = time.process_time()
    X, Y, unit, parts = material(table, a, model)
    y = torch.tensor(Y[:, 0] * unit)
    X, Y = (torch.tensor(values, dtype=torch.float32) for values in (X, Y))
    net = Network(X.shape[1], Y.shape[1], s["d"], s["dropout"])
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate)
    starts = int(parts["past"].sum()) - CHUNK
    curve, best, change = [], None, None
    for step in range(1, s["most"] + 1):
        net.train()
        rows = torch.randint(starts, (s["batch"], 1)) + torch.arange(CHUNK)
        loss = (net(X[rows]) - Y[rows])[:, WARM:].abs().mean()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        if step % s["look"] == 0:
            net.eval()
            with torch.no_grad():
                predicted = net(X[None])[0, :, 0] * unit
            wrong = (predicted - y).abs().numpy()
            errors = {name: round(float(wrong[part].mean()), 4) for name, part in parts.items()}
            curve.append([step, errors["past"], errors["choice"]])
            if best is None or errors["choice"] < best["choice"]:
                best, change = errors | {"step": step}, predicted.numpy()
            if is_flat(curve, s):
                break
    counted = sum(w.numel() for w in net.parameters())
    row = best | {"flat": is_flat(curve, s), "parameters": counted, "curve": curve}
    row["seconds"] = round(time.process_time() - begin, 1)
    if seed == SEEDS[0]:
        row["week"] = the_week(table, a, change)
    return row


def the_week(table: dict, a: int, change: np.ndarray) -> list[float]:
    """The forecasts of the drawn week in gigawatts, from the changes of the last whole rows."""
    shown = (table["time"] >= DRAWN[0]) & (table["time"] < DRAWN[1])
    full = np.full(len(shown), np.nan)
    full[-len(change) :] = change
    return np.round((shift(table["demand"], a) + full)[shown], 3).tolist()


def boosted(table: dict, a: int, model: str) -> dict:
    """Three hundred trees for the change until the half-hour that is forecast, absolute errors."""
    parts = forecasting.periods(table["time"])
    begin = time.process_time()
    X = known(table, a, model)
    change = table["demand"] - shift(table["demand"], a)
    whole = ~np.isnan(X).any(axis=1)
    trees = HistGradientBoostingRegressor(loss="absolute_error", max_iter=300, random_state=0)
    trees.fit(X[whole & parts["past"]], change[whole & parts["past"]])
    wrong = abs(trees.predict(X) - change)
    errors = {name: round(float(wrong[part & whole].mean()), 4) for name, part in parts.items()}
    return errors | {"seconds": round(time.process_time() - begin, 1)}


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

    def keep(row: dict) -> None:
        rows.append(row)
        lines = ",\n".join(json.dumps(row) for row in rows)
        about = json.dumps(conditions() | stored, indent=1, ensure_ascii=False)
        FILE.write_text(f'{about[:-2]},\n "rows": [\n{lines}\n]}}\n', encoding="utf-8")
        print({name: row[name] for name in row if name not in ("curve", "week")}, flush=True)

    def found(**wanted) -> dict | None:
        return next((row for row in rows if wanted.items() <= row.items()), None)

    pairs = [(a, model) for a in reversed(AHEAD) for model in MODELS] + [(1, WITHOUT)]
    for a, model in pairs:
        about = {"learner": "trees", "ahead": a, "model": model, "seed": 0}
        if model != WITHOUT and not found(**about):
            keep(about | boosted(table, a, model))
    for seed in SEEDS:
        for a, model in pairs:
            about = {"learner": "LSTM", "ahead": a, "model": model}
            first = [found(**about, rate=rate, seed=SEEDS[0]) for rate in RATES]
            rates = RATES if seed == SEEDS[0] else [min(first, key=lambda r: r["choice"])["rate"]]
            for rate in rates:
                one = about | {"seed": seed, "rate": rate}
                if not found(**one):
                    keep(one | run(table, a, model, seed, rate))


if __name__ == "__main__":
    main()
