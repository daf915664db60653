"""Can it still say the first sign after T steps of noise? Four cells learn it; store every run.

    python -m experiments.rnn.recall_task

    x = s n₁ n₂ … n_T → s        s: one of 4 signs; n: any of 4 others; asked after the last

The first sign is all that counts, and whoever has lost it is right in one of 4. Each cell has 32
units, starts from PyTorch's random weights and learns from as many fresh sequences; "bias 3" is
added to the forget gate's. Only accuracy on fresh sequences is kept, at the end of training. Two
rates of learning are tried for every cell, each from three seeds. Seconds are of CPU time on one
thread. A run that is stored is not repeated.
"""

import argparse
import json
import time

import torch
from torch import nn

from experiments.conditions import conditions
from firth.store.results import DATA, stored_result

FILE = DATA / "rnn/recall_task.json"
SEEDS, LENGTHS, RATES = (0, 1, 2), (10, 50, 100), (0.003, 0.01)
CELLS = {  # name: PyTorch's layer, what is added to the forget gate's bias
    "vanilla": ("RNN", 0),
    "LSTM": ("LSTM", 0),
    "LSTM, forget bias 3": ("LSTM", 3),
    "GRU": ("GRU", 0),
}
SETTINGS = {"signs": 4, "noise": 4, "units": 32, "batch": 64, "steps": 1500, "clip": 1.0}
FRESH = 2000


class Recaller(nn.Module):
    """One-hot signs, one recurrent layer, and a score for each first sign from its last state."""

    def __init__(self, name: str, s: dict = SETTINGS):
        super().__init__()
        kind, opened = CELLS[name]
        self.width, d = s["signs"] + s["noise"], s["units"]
        self.cell, self.out = getattr(nn, kind)(self.width, d), nn.Linear(d, s["signs"])
        if opened:
            self.cell.bias_ih_l0.data[d : 2 * d] += opened  # rows of i, f, g, o

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        H, _ = self.cell(nn.functional.one_hot(ids, self.width).float())
        return self.out(H[-1])


def sequences(m: int, T: int, chance: torch.Generator, s: dict = SETTINGS) -> torch.Tensor:
    """A first sign and T steps of noise, a column for each of m sequences.

    >>> sequences(2, 3, torch.Generator().manual_seed(0)).shape
    torch.Size([4, 2])
    """
    first = torch.randint(s["signs"], (1, m), generator=chance)
    noise = torch.randint(s["signs"], s["signs"] + s["noise"], (T, m), generator=chance)
    return torch.cat([first, noise])


def run(name: str, T: int, rate: float, seed: int, s: dict = SETTINGS) -> dict:
    """One network from its first step to its last, and how often it is right on fresh sequences."""
    torch.manual_seed(seed)
    net, chance = Recaller(name, s), torch.Generator().manual_seed(seed)
    optimiser = torch.optim.Adam(net.parameters(), lr=rate)
    begin = time.process_time()
    for _ in range(s["steps"]):
        ids = sequences(s["batch"], T, chance, s)
        loss = nn.functional.cross_entropy(net(ids), ids[0])
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), s["clip"])
        optimiser.step()
    seconds = round(time.process_time() - begin, 1)
    fresh = sequences(FRESH, T, torch.Generator().manual_seed(1000 + seed), s)
    with torch.no_grad():
        right = (net(fresh).argmax(dim=1) == fresh[0]).float().mean().item()
    about = {"cell": name, "T": T, "rate": rate, "seed": seed}
    return about | {"right": round(right, 4), "seconds": seconds}


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    stored = {"command": "python -m experiments.rnn.recall_task", "settings": SETTINGS}
    old = stored_result("rnn/recall_task", {})
    rows = old["rows"] if all(old.get(name) == value for name, value in stored.items()) else []
    done = {(row["cell"], row["T"], row["rate"], row["seed"]) for row in rows}
    wanted = [
        (c, T, rate, seed) for seed in SEEDS for T in LENGTHS for rate in RATES for c in CELLS
    ]
    for one in (one for one in wanted if one not in done):
        rows.append(run(*one))
        lines = ",\n".join(json.dumps(row) for row in rows)
        about = json.dumps(conditions() | stored, indent=1, ensure_ascii=False)
        FILE.write_text(f'{about[:-2]},\n "rows": [\n{lines}\n]}}\n', encoding="utf-8")
        print(rows[-1], flush=True)


if __name__ == "__main__":
    main()
