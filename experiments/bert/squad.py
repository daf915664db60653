"""Train the span finder of chapter 6 on SQuAD, and score it beside simpler ones; store all.

    python -m experiments.bert.squad             every part that is not stored yet
    python -m experiments.bert.squad scored      these parts (afresh if they were stored)

Learned from: questions of SQuAD's own training articles whose passages have 800 letters or fewer
and that take 160 tokens or fewer, drawn once and each seen once; the last twenty articles are kept
back, to look at on the way. Scored on: 1,000 of the 10,570 questions of the other articles, drawn
once. "trained" tunes narrow paths beside every table of MiniLM and the head; "head" the head alone,
from fewer questions. A checkpoint is written every 25 steps, and training goes on from it when it
was stopped; the log beside this file keeps a line for each. Steps 1 to 200 of the stored run had a
schedule for 1,000.
"""

import argparse
import json
import tempfile
import time
from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np
import torch
from torch import nn

from experiments.conditions import conditions
from experiments.transformer.austen_gpt import fast
from firth.bert import downstream_tasks, minilm, squad
from firth.store.results import stored_result
from firth.store.weights import quantize

FILE = squad.FILE
LOG = Path(__file__).with_suffix(".log")
KEEP = Path(tempfile.gettempdir()) / "firth-spans"
SETTINGS = {"r": 8, "steps": 700, "B": 16, "rate": 1e-3, "warm": 50, "tokens": 160, "seed": 0}
KEPT_BACK, HELD, SCORED, EVERY = 20, 128, 1000, 25


@cache
def material() -> tuple[list, list]:
    """Readings with the first and last token of the answer: to learn from, and some to look at."""
    asked = downstream_tasks.questions("train")
    titles = list(dict.fromkeys(question.title for question in asked))
    rng = np.random.default_rng(SETTINGS["seed"])
    learned, held = [], []
    for i in rng.permutation(len(asked)):
        question = asked[i]
        back = question.title in titles[-KEPT_BACK:]
        full = len(held) == HELD if back else len(learned) == SETTINGS["steps"] * SETTINGS["B"]
        if full or len(question.passage) > 5 * SETTINGS["tokens"]:  # some five letters a token
            continue
        read = squad.reading(question.question, question.passage)
        if len(read.ids) <= SETTINGS["tokens"]:
            (held if back else learned).append((read, ends(read, *question.answers[0])))
    return learned, held


def ends(read: squad.Reading, start: int, text: str) -> tuple[int, int]:
    """The tokens at which the answer begins and ends."""
    stop = start + len(text)
    inside = [t for t, at in enumerate(read.places) if at and at[0] < stop and at[1] > start]
    return inside[0], inside[-1]


def batches(B: int) -> list[list[int]]:
    """Rows of about equal length together; the batches, sixteen at a time, in their own order."""
    learned, rows = material()[0], []
    rng = np.random.default_rng(SETTINGS["seed"])
    for first in range(0, len(learned), 64 * B):
        block = range(first, min(first + 64 * B, len(learned)))
        block = sorted(block, key=lambda i: len(learned[i][0].ids))
        cut = [block[i : i + B] for i in range(0, len(block), B)]
        rows += [cut[i] for i in rng.permutation(len(cut))]
    return rows


def loss(net: squad.Finder, few: list) -> torch.Tensor:
    """J, the mean of both ends."""
    reads, given = zip(*few, strict=True)
    with torch.autocast("cpu", torch.bfloat16, enabled=fast()):
        scores = net(*squad.batch(list(reads)))
    first, last = torch.tensor(given).T
    J = [
        nn.functional.cross_entropy(s.float(), t)
        for s, t in zip(scores, (first, last), strict=True)
    ]
    return sum(J) / 2


def run(name: str, head_alone: bool, steps: int, save: Path | None = KEEP) -> tuple:
    """The finder after so many steps, and its losses on the way."""
    torch.manual_seed(SETTINGS["seed"])
    net = squad.Finder(minilm.model(), SETTINGS["r"])
    chosen = {k: w for k, w in net.learned().items() if not head_alone or k.startswith("ends")}
    for key, weight in net.named_parameters():
        weight.requires_grad_(key in chosen)
    optimiser = torch.optim.AdamW(chosen.values(), lr=SETTINGS["rate"], weight_decay=0.01)
    learned, held = material()
    rows, file = batches(SETTINGS["B"]), (save or KEEP) / f"{name}.pt"
    start, curve, seconds = 0, [], 0.0
    if save and file.exists():
        weights, state, start, curve, seconds = torch.load(file)
        net.load_state_dict(net.state_dict() | weights)
        optimiser.load_state_dict(state)
    recent, begin = [], time.process_time()
    for i in range(start, steps):
        for group in optimiser.param_groups:
            group["lr"] = SETTINGS["rate"] * min((i + 1) / SETTINGS["warm"], 1 - i / steps)
        J = loss(net, [learned[row] for row in rows[i]])
        optimiser.zero_grad()
        J.backward()
        nn.utils.clip_grad_norm_(chosen.values(), 1.0)
        optimiser.step()
        recent.append(J.item())
        if (i + 1) % EVERY == 0 or i + 1 == steps:
            seconds += time.process_time() - begin
            told = [round(float(np.mean(recent)), 3), None]
            if (i + 1) % (4 * EVERY) == 0 or i + 1 == steps:
                with torch.no_grad():
                    kept = [loss(net, held[k : k + 16]).item() for k in range(0, len(held), 16)]
                told[1] = round(float(np.mean(kept)), 3)
            curve.append([i + 1, *told])
            if save:
                torch.save((net.learned(), optimiser.state_dict(), i + 1, curve, seconds), file)
                say(f"{name} {i + 1}/{steps}: seen {told[0]}, held out {told[1]}, {seconds:.0f} s")
            recent, begin = [], time.process_time()
    return net.eval(), {"curve": curve, "seconds": round(seconds), "steps": steps}


def say(line: str) -> None:
    print(line, flush=True)
    with LOG.open("a", encoding="utf-8") as log:
        log.write(line + "\n")


def trained() -> dict:
    """The finder of the page: narrow paths and head, a byte for each number."""
    net, made = run("trained", False, SETTINGS["steps"])
    learned = {name: w.detach().double().numpy() for name, w in net.learned().items()}
    learned |= {name: w.T for name, w in learned.items() if name.endswith("U")}  # a scale a row
    weights = {name: quantize(w) for name, w in learned.items()}
    return {"settings": SETTINGS, "weights": weights, "trained": made}


def scored_on() -> list[downstream_tasks.Question]:
    """The questions that all are scored on; passages are cut where BERT's places end."""
    asked = downstream_tasks.questions("dev")
    return [asked[i] for i in np.random.default_rng(1).permutation(len(asked))[:SCORED]]


def fitting(question: str, passage: str) -> str:
    """As much of the passage as a BERT has places for."""
    pieces = minilm.words().pieces
    while len(pieces(question)) + len(pieces(passage)) > squad.PLACES - 8:  # three, and some room
        passage = passage[: int(len(passage) * 0.95)]
    return passage


def row(name: str, told: list[str], given: list[list[str]]) -> dict:
    """Share of exact answers and mean F1, with an interval from drawing articles again."""
    asked = [(q, t, g) for q, t, g in zip(scored_on(), told, given, strict=True) if g]
    marks = np.array([(squad.exact(t, g), squad.overlap(t, g)) for _, t, g in asked], dtype=float)
    titles = np.unique([question.title for question, _, _ in asked], return_inverse=True)[1]
    sums = np.array([[*marks[titles == k].sum(axis=0), (titles == k).sum()] for k in set(titles)])
    rng = np.random.default_rng(0)
    draws = sums[rng.integers(0, len(sums), (2000, len(sums)))].sum(axis=1)
    low, high = np.quantile(draws[:, :2] / draws[:, 2:], [0.025, 0.975], axis=0).round(4)
    mean = marks.mean(axis=0).round(4)
    made = {"exact": [mean[0], low[0], high[0]], "F1": [mean[1], low[1], high[1]]}
    made = {"what": name, "questions": len(asked)} | {k: [*map(float, v)] for k, v in made.items()}
    say(str(made))
    return made


def scored() -> dict:
    """The finder as it is shipped, and what it has to beat."""
    asked = [(q.question, fitting(q.question, q.passage)) for q in scored_on()]
    order = sorted(range(len(asked)), key=lambda i: len(asked[i][1]))
    told = dict(zip(order, squad.answers([asked[i] for i in order]), strict=True))
    found = [told[i] for i in range(len(asked))]
    rng = np.random.default_rng(2)
    drawn = []
    for _, passage in asked:  # as long as answers are: one to four words
        words = [m.span() for m in squad.WORD.finditer(passage)]
        a = int(rng.integers(len(words)))
        drawn.append(passage[words[a][0] : words[min(a + int(rng.integers(4)), len(words) - 1)][1]])
    given = [[text for _, text in question.answers] for question in scored_on()]
    person = [texts[min(1, len(texts) - 1)] for texts in given]  # the second, as in the paper
    others = [texts[:1] + texts[2:] if len(texts) > 1 else [] for texts in given]
    right = [bool(squad.exact(t.text, g)) for t, g in zip(found, given, strict=True)]
    sure = [[round(t.probability, 4), hit] for t, hit in zip(found, right, strict=True)]
    return {
        "cut": sum(len(p) < len(q.passage) for (_, p), q in zip(asked, scored_on(), strict=True)),
        "rows": [
            row("any one to four words", drawn, given),
            row("nearest run of words", [squad.nearby(*pair).text for pair in asked], given),
            row("MiniLM with narrow paths", [t.text for t in found], given),
            row("a person, by what others say", person, others),
        ],
        "sure": sure,
    }


def head() -> dict:
    """The head alone, on MiniLM's states as they are."""
    net, made = run("head", True, 300)
    asked = [(q.question, fitting(q.question, q.passage)) for q in scored_on()]
    given = [[text for _, text in question.answers] for question in scored_on()]
    told = [t.text for t in squad.answers(asked, net)]
    return made | {"rows": [row("a head on MiniLM as it is", told, given)]}


def slide() -> dict:
    """The three questions of the slide, on a passage that is not among SQuAD's."""
    passage, right_answers = downstream_tasks.RAIN, downstream_tasks.RAIN_ANSWERS
    told = squad.answers([(question, passage) for question in right_answers])
    pairs = zip(told, right_answers.values(), strict=True)
    right = [squad.exact(t.text, [given]) for t, given in pairs]
    return {"told": [t.text for t in told], "right": right}


PARTS = {"trained": trained, "scored": scored, "slide": slide, "head": head}


def stored() -> dict:
    return stored_result("bert/squad", {})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []])
    chosen = parser.parse_args().parts or [part for part in PARTS if part not in stored()]
    KEEP.mkdir(exist_ok=True)
    torch.set_num_threads(1)
    torch.set_float32_matmul_precision("medium")
    asked = [downstream_tasks.questions(part) for part in ("train", "dev")]
    inputs = sha256(json.dumps(asked).encode())
    about = {"command": "python -m experiments.bert.squad", "inputs": inputs.hexdigest()}
    for part in chosen:
        made = PARTS[part]()
        made = made if part == "trained" else {part: made}
        text = json.dumps(stored() | conditions() | about | made, ensure_ascii=False)
        FILE.write_text(text.replace(', "', ',\n"') + "\n", encoding="utf-8")
        squad.finder.cache_clear()


if __name__ == "__main__":
    main()
