"""Train the mini GPT of chapter 5 on Jane Austen, and its rivals on the same letters; store all.

    python -m experiments.transformer.austen_gpt             every part that is not stored yet
    python -m experiments.transformer.austen_gpt gpt lstm    these parts, afresh if they were stored

Learned from: Emma, Sense and Sensibility. Chosen by: the first half of Persuasion. Asked once: its
second half. Rivals: even odds, single letters, n-grams with Kneser and Ney's smoothing, an LSTM of
as many parameters that reads as many letters. All losses are means of −log p over all letters of a
half but its first. Training writes a checkpoint every hundred steps, and goes on from it when it
was stopped; `experiments/transformer/austen_gpt.log` keeps a line for each.
"""

import argparse
import json
import math
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

import numpy as np
import torch
from torch import nn

from experiments.conditions import conditions
from experiments.transformer.baselines import Recurrent, kneser_ney, numbers
from firth.store.results import DATA, stored_result
from firth.store.weights import quantize
from firth.transformer import austen_gpt
from firth.transformer.austen_gpt import ALPHABET, SHAPE, adam, copied, habits, ids, loss, text

from firth.transformer.austen_gpt import training, written  # isort: skip
from firth.transformer.gpt import GPT, parameters

FILE = DATA / "transformer/austen_gpt_runs.json"
LOG = Path(__file__).with_suffix(".log")
KEEP = Path(tempfile.gettempdir()) / "firth-austen"
SETTINGS = {"steps": 6000, "B": 16, "rate": 3e-3, "decay": 0.1, "seed": 0}
LSTM = {"e": 64, "d": 296, "T": 128, "B": 16, "rate": 4e-3, "decay": 0.01, "dropout": 0.1}
ORDERS = (1, 2, 3, 4, 5, 6, 7, 8, 9)
EVERY, STOPS = 100, (100, 1000)  # steps between checkpoints; after which samples are stored
PROMPTS, SEEDS = ("She was ", '"My dear Mr. '), (1, 2)
WRITTEN, PIECE = 10_000, 1000  # letters to be looked for in the books; in one piece


def recurrent(net: Recurrent, steps: int, optimiser, start: int, carried: dict):
    """J after each step: B columns of the books read side by side, the state carried along."""
    s = LSTM
    x = ids(text()[0])
    columns = x[: len(x) // s["B"] * s["B"]].view(s["B"], -1).T
    turns = (len(columns) - 1) // s["T"]
    for i in range(start, steps):
        net.train()
        if i % turns == 0:  # the books begin again, at another letter
            carried["state"] = None
        offset = (i // turns * 37) % s["T"]
        at = min(i % turns * s["T"] + offset, len(columns) - s["T"] - 1)
        piece = columns[at : at + s["T"] + 1]
        for group in optimiser.param_groups:
            group["lr"] = s["rate"] * min((i + 1) / (steps // 50), 50 / 49 * (1 - i / steps))
        with torch.autocast("cpu", torch.bfloat16, enabled=fast()):
            scores, state = net(piece[:-1], carried["state"])
        carried["state"] = tuple(part.detach() for part in state)
        J = nn.functional.cross_entropy(scores.float().flatten(0, 1), piece[1:].flatten())
        optimiser.zero_grad()
        J.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        net.eval()
        yield J.item()


def fast() -> bool:
    """Whether this processor multiplies in bfloat16; where it must pretend to, that is slower."""
    return torch.ops.mkldnn._is_mkldnn_bf16_supported()


def run(name: str, net: nn.Module, optimiser, steps: Callable, total: int, loss: Callable, seen):
    """Train with checkpoints: step, J of the last hundred, J held out; and seconds of CPU time."""
    file, carried = KEEP / f"{name}.pt", {"state": None}
    start, curve, seconds, notes = 0, [], 0.0, {}
    if file.exists():
        net_, optimiser_, carried, start, curve, seconds, notes = torch.load(file)
        net.load_state_dict(net_)
        optimiser.load_state_dict(optimiser_)
    held, recent, begin = text()[1][:10_000], [], time.process_time()
    for i, J in enumerate(steps(net, total, optimiser, start, carried), start=start + 1):
        recent.append(J)
        if i % EVERY:
            continue
        seconds += time.process_time() - begin
        curve.append([i, round(float(np.mean(recent)), 4), round(loss(net, held), 4)])
        if i in STOPS or i == total:
            notes[i] = seen(net)
        state = net.state_dict(), optimiser.state_dict(), carried, i, curve, seconds, notes
        torch.save(state, file)
        say(f"{name} {i}/{total}: seen {curve[-1][1]:.3f}, held out {curve[-1][2]:.3f}, "
            f"{seconds:.0f} s")  # fmt: skip
        recent, begin = [], time.process_time()
    return {"curve": curve, "seconds": round(seconds)}, notes


def say(line: str) -> None:
    print(line, flush=True)
    with LOG.open("a", encoding="utf-8") as log:
        log.write(line + "\n")


def row(name: str, count: int, of: Callable[[str], float]) -> dict:
    """A line of the table: the losses on the two halves of Persuasion."""
    _, held, test = text()
    return {"model": name, "parameters": count, "held": round(of(held), 4)} | {
        "test": round(of(test), 4)
    }


def ngrams() -> dict:
    """Even odds, single letters, and n-grams up to nine letters; parameters are counts kept."""
    V, parts = len(ALPHABET), [ids(part).numpy() for part in text()]
    rows = [row("even odds", 0, lambda _: math.log(V))]
    for n in ORDERS:
        kept = sum(len(np.unique(numbers(parts[0], k, V))) for k in range(1, n + 1))
        rows.append(
            row(f"{n}-gram", kept, lambda t, n=n: kneser_ney(parts[0], ids(t).numpy(), n, V))
        )
        say(f"{n}-gram: held out {rows[-1]['held']}, test {rows[-1]['test']}")
    return {"rows": rows}


def lstm() -> dict:
    """The rival of as many parameters, after as many letters."""
    torch.manual_seed(SETTINGS["seed"])
    net = Recurrent(len(ALPHABET), *(LSTM[name] for name in ("e", "d", "dropout"))).eval()
    made = run("lstm", net, adam(net, LSTM["decay"]), recurrent, SETTINGS["steps"],
               Recurrent.loss, lambda _: None)[0]  # fmt: skip
    count = sum(weight.numel() for weight in net.parameters())
    return {"settings": LSTM, "rows": [row("LSTM", count, net.loss)]} | made


def gpt() -> dict:
    """The mini GPT: trained, packed into bytes, and looked at from all sides."""
    s = SETTINGS
    torch.manual_seed(s["seed"])
    net = GPT(SHAPE)

    def steps(net, total, optimiser, start, _):
        return training(
            net, text()[0], total, s["B"], s["rate"], s["seed"], optimiser, start, fast()
        )

    made, notes = run("gpt", net, adam(net, s["decay"]), steps, s["steps"], loss, samples)
    weights = {name: quantize(w.double().numpy()) for name, w in net.state_dict().items()}
    about = {"alphabet": list(ALPHABET), "shape": asdict(SHAPE), "weights": weights}
    write(austen_gpt.FILE, about, indent=None)
    austen_gpt.net.cache_clear()
    rows = [
        row("GPT", parameters(SHAPE), lambda part: loss(net, part)),
        row("GPT, a byte a weight", parameters(SHAPE), lambda part: loss(austen_gpt.net(), part)),
    ]
    return {
        "settings": s,
        "rows": rows,
        "samples": notes,
        "heads": heads(),
    } | made


def heads() -> dict:
    """What each head of each block looks at, by its mean weight over held-out text."""
    found = habits(text()[1][:20_000], austen_gpt.net())
    return {name: weights.round(3).tolist() for name, weights in found.items()}


def samples(net: GPT) -> list[dict]:
    """The same prompts and the same chance each time: what differs is what has been learned."""
    return [
        {"prompt": prompt, "seed": seed, "tau": 0.8}
        | {"text": written(prompt, 240, 0.8, seed, gpt=net)}
        for prompt in PROMPTS
        for seed in SEEDS
    ]


def copies() -> dict:
    """How long the stretches of what is written are that stand in the books."""
    rows = []
    for tau in (1.0, 0.8, 0.5):
        pieces = [written("\n", PIECE, tau, seed) for seed in range(1, WRITTEN // PIECE + 1)]
        rows.append({"text": f"GPT, τ = {tau}"} | lengths(pieces))
        say(str(rows[-1]))
    return {"rows": rows}


def hers() -> dict:
    """The same of as much of Persuasion at a time, cut as short: all of the half that is asked."""
    test, rows = text()[2], []
    for start in range(0, len(test) - WRITTEN + 1, WRITTEN):
        pieces = [test[i : i + PIECE] for i in range(start, start + WRITTEN, PIECE)]
        rows.append({"from": start} | lengths(pieces))
        say(str(rows[-1]))
    return {"rows": rows}


def lengths(pieces: list[str]) -> dict:
    """The mean, the median, the 99th of a hundred and the longest of the stretches' lengths."""
    found = np.concatenate([copied(piece, text()[0]) for piece in pieces])
    return {
        "mean": round(float(found.mean()), 2),
        "median": int(np.median(found)),
        "99%": int(np.quantile(found, 0.99)),
        "longest": int(found.max()),
    }


PARTS = {"ngrams": ngrams, "lstm": lstm, "gpt": gpt, "copies": copies, "hers": hers}


def write(file: Path, what: dict, indent: int | None = 1) -> None:
    file.write_text(json.dumps(what, indent=indent, ensure_ascii=False) + "\n", encoding="utf-8")


def stored() -> dict:
    return stored_result("transformer/austen_gpt_runs", {})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []])
    chosen = parser.parse_args().parts or [part for part in PARTS if part not in stored()]
    KEEP.mkdir(exist_ok=True)
    torch.set_num_threads(1)
    torch.set_float32_matmul_precision("medium")
    inputs = {"inputs": sha256("".join(text()).encode()).hexdigest()}
    for part in chosen:
        made = PARTS[part]()
        command = {"command": "python -m experiments.transformer.austen_gpt"}
        write(FILE, stored() | conditions() | command | inputs | {part: made})


if __name__ == "__main__":
    main()
