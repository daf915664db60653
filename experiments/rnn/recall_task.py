"""Can a network still name the first symbol after 50 symbols of noise? Four cells; all runs stored.

    python -m experiments.rnn.recall_task

    x = s n₁ n₂ … n_T → s        s: one of 4 symbols; n: any of 4 others; asked after the last

A network that has lost the first symbol is right in one case of four. Each cell has 32 units and
starts from PyTorch's random weights; "forget bias 3" adds 3 to the bias of the forget gate. Every
cell gets five seeds at each of four learning rates and the same budget of training steps. A run
counts as learned at the first check with at least 99 % right on 500 fresh sequences, and goes on
for 1,000 steps from there. Then it is asked after 1, 2, … 100 symbols of noise. Seconds are of CPU
time on one thread. A run that is stored is not repeated.
"""

import argparse
import json
import time

import numpy as np
import torch
from torch import nn

from experiments.conditions import conditions
from firth.store.results import DATA, stored_result

FILE = DATA / "rnn/recall_task.json"
SEEDS, RATES, T, LONGEST = (0, 1, 2, 3, 4), (0.001, 0.003, 0.01, 0.03), 50, 100
CELLS = {  # name: PyTorch's layer, what is added to the bias of the forget gate
    "plain": ("RNN", 0),
    "LSTM": ("LSTM", 0),
    "LSTM, forget bias 3": ("LSTM", 3),
    "GRU": ("GRU", 0),
}
SETTINGS = {
    "T": T, "symbols": 4, "noise": 4, "units": 32, "batch": 64, "steps": 4000, "clip": 1.0,
    "after": 1000,
    "check_every": 25, "learned": 0.99,
}  # fmt: skip
FRESH = 500


class Recaller(nn.Module):
    """One-hot symbols, one recurrent layer, and after each step a score for each first symbol."""

    def __init__(self, name: str, s: dict = SETTINGS):
        super().__init__()
        kind, opened = CELLS[name]
        self.width, d = s["symbols"] + s["noise"], s["units"]
        self.cell, self.out = getattr(nn, kind)(self.width, d), nn.Linear(d, s["symbols"])
        if opened:
            self.cell.bias_ih_l0.data[d : 2 * d] += opened  # rows of i, f, g, o

    def forward(self, ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        H, _ = self.cell(nn.functional.one_hot(ids, self.width).float())
        return self.out(H), H


def sequences(m: int, T: int, random: torch.Generator, s: dict = SETTINGS) -> torch.Tensor:
    """A first symbol and T symbols of noise, a column for each of m sequences.

    >>> sequences(2, 3, torch.Generator().manual_seed(0)).shape
    torch.Size([4, 2])
    """
    first = torch.randint(s["symbols"], (1, m), generator=random)
    noise = torch.randint(s["symbols"], s["symbols"] + s["noise"], (T, m), generator=random)
    return torch.cat([first, noise])


def gradient_ratio(net: Recaller, ids: torch.Tensor) -> float:
    """How much of the gradient arrives at the first hidden state: ‖∂J/∂h_1‖ / ‖∂J/∂h_T‖.

    The step from the first state to the second is run apart, so that the gradient with respect to
    the first can be asked for. In an LSTM it takes the way through h and the way through c.
    """
    x = nn.functional.one_hot(ids, net.width).float()
    _, state = net.cell(x[:1])
    parts = state if isinstance(state, tuple) else (state,)
    for part in parts:
        part.retain_grad()
    H, _ = net.cell(x[1:], state)
    last = H[-1]
    last.retain_grad()
    nn.functional.cross_entropy(net.out(last), ids[0]).backward()
    norm = sum(float(part.grad.square().sum()) for part in parts) ** 0.5
    net.zero_grad()
    return norm / float(last.grad.norm())


def asked_at_every_length(net: Recaller, seed: int, s: dict = SETTINGS) -> dict:
    """What a network answers after 1 … 100 symbols of noise, and what its hidden state still holds.

    right    the share of right answers at each length
    answers  at each length, the most frequent answer to each of the four first symbols
    in_state the share of first symbols that the nearest class mean of the hidden states finds
    """
    ids = sequences(2 * FRESH, LONGEST, torch.Generator().manual_seed(1000 + seed), s)
    with torch.no_grad():
        scores, H = net(ids)
    given, first = scores.argmax(dim=2).numpy()[1:], ids[0].numpy()
    symbols = range(s["symbols"])
    answers = [
        "".join(
            "ABCD"[np.bincount(row[first == k], minlength=len(symbols)).argmax()] for k in symbols
        )
        for row in given
    ]
    states = H.numpy()[1:]
    learn, test = slice(FRESH), slice(FRESH, None)
    means = np.stack([states[:, learn][:, first[learn] == k].mean(axis=1) for k in symbols], axis=1)
    apart = ((states[:, test, None] - means[:, None]) ** 2).sum(axis=-1)
    found = (apart.argmin(axis=2) == first[test]).mean(axis=1)
    return {
        "right": (given == first).mean(axis=1).round(3).tolist(),
        "answers": answers,
        "in_state": found.round(3).tolist(),
    }


def looked_into(net: Recaller, name: str, seed: int, s: dict = SETTINGS) -> dict:
    """What the weights and states of a network that learned are like."""
    ids = sequences(200, s["T"], torch.Generator().manual_seed(2000 + seed), s)
    with torch.no_grad():
        _, H = net(ids)
    d = s["units"]
    if name == "plain":
        radius = np.abs(np.linalg.eigvals(net.cell.weight_hh_l0.detach().numpy())).max()
        saturated = float((H[1:].abs() > 0.95).float().mean())
        return {"spectral_radius": round(float(radius), 3), "saturated": round(saturated, 3)}
    if not name.startswith("LSTM"):
        return {}
    x = nn.functional.one_hot(ids, net.width).float()
    before = torch.cat([torch.zeros(1, *H.shape[1:]), H[:-1]])
    cell = net.cell
    with torch.no_grad():
        sums = x @ cell.weight_ih_l0.T + cell.bias_ih_l0 + before @ cell.weight_hh_l0.T
        gates = torch.sigmoid(sums + cell.bias_hh_l0)
    i, f = gates[..., :d], gates[..., d : 2 * d]
    kept = f[1:].log().sum(dim=0).exp().mean(dim=0)  # a number for each unit: product over steps
    return {
        "forget_mean": round(float(f[1:].mean()), 4),
        "kept_units": sorted((round(float(k), 4) for k in kept), reverse=True),
        "input_first": round(float(i[0].mean()), 4),
        "input_noise": round(float(i[1:].mean()), 4),
    }


def run(name: str, rate: float, seed: int, s: dict = SETTINGS) -> dict:
    """One network, from its first training step to the step at which it had learned the task."""
    torch.manual_seed(seed)
    net, random = Recaller(name, s), torch.Generator().manual_seed(seed)
    check = sequences(FRESH, s["T"], torch.Generator().manual_seed(500 + seed), s)
    optimiser = torch.optim.Adam(net.parameters(), lr=rate)
    begin, ratios, losses, learned = time.process_time(), [], [], None
    for step in range(s["steps"] + s["after"] + 1):
        if learned is None and step % s["check_every"] == 0:
            with torch.no_grad():
                scores = net(check)[0][-1]
                losses.append(round(float(nn.functional.cross_entropy(scores, check[0])), 3))
                right = float((scores.argmax(dim=1) == check[0]).float().mean())
            ratios.append(float(f"{gradient_ratio(net, check[:, :64]):.2g}"))
            learned = step if right >= s["learned"] else None
        if step == (s["steps"] if learned is None else learned + s["after"]):
            break
        ids = sequences(s["batch"], s["T"], random, s)
        loss = nn.functional.cross_entropy(net(ids)[0][-1], ids[0])
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), s["clip"])
        optimiser.step()
    row = {
        "cell": name,
        "rate": rate,
        "seed": seed,
        "learned": learned,
        "right_at_end": round(right, 3),
    }
    row |= {
        "seconds": round(time.process_time() - begin, 1),
        "losses": losses[::4],
        "ratios": ratios[::4],
    }
    if learned is not None:
        row["ratio_when_learned"] = ratios[-1]
        row |= asked_at_every_length(net, seed, s) | looked_into(net, name, seed, s)
    return row


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    stored = {"command": "python -m experiments.rnn.recall_task", "settings": SETTINGS}
    old = stored_result("rnn/recall_task", {})
    rows = old["rows"] if all(old.get(name) == value for name, value in stored.items()) else []
    done = {(row["cell"], row["rate"], row["seed"]) for row in rows}
    wanted = [(cell, rate, seed) for seed in SEEDS for rate in RATES for cell in CELLS]
    for one in (one for one in wanted if one not in done):
        rows.append(run(*one))
        lines = ",\n".join(json.dumps(row) for row in rows)
        about = json.dumps(conditions() | stored, indent=1, ensure_ascii=False)
        FILE.write_text(f'{about[:-2]},\n "rows": [\n{lines}\n]}}\n', encoding="utf-8")
        print(*one, rows[-1]["learned"], rows[-1]["seconds"], flush=True)


if __name__ == "__main__":
    main()
