"""Give MiniLM back the head that fills blanks: train, measure, and pack what is shipped.

    python -m experiments.bert.masked_lm text            read and number the texts, once
    python -m experiments.bert.masked_lm train --steps N go on to step N; the rate falls from .45 N
    python -m experiments.bert.masked_lm pack            a byte a weight: models/blanks.npz, its row
    python -m experiments.bert.masked_lm measure         loss and hits on articles that are held out

No registry has an English model that fills blanks, so this makes one: MiniLM's encoder, the head of
`bert.Blanks` tied to its table of tokens, all 22.7 million weights trained. Texts: the articles of
enwik8 as they are read, the passages of SQuAD, headlines of HuffPost; one article in fifty is never
trained on, chosen by the SHA-256 of its title, and none of these has passages in SQuAD. Of each
text 15 % are chosen: 80 % of them hidden, 10 % replaced, 10 % kept. Half of the batches are 128
tokens long, the others 64, or single sentences, since that is what the model will be asked. Hours
on two cores: a checkpoint every hundred steps, from which it goes on. It is faster with glibc's
MALLOC_MMAP_THRESHOLD_ and MALLOC_TRIM_THRESHOLD_ set to some gigabytes, which keeps freed tables.
"""

import argparse
import json
import os
import re
import tempfile
import time
from hashlib import sha256
from pathlib import Path

import numpy as np
import torch
from torch import nn

from experiments.bert import masked_lm_texts
from experiments.bert.masked_lm_texts import CLS, MASK, SEP, SPECIAL, Texts, texts
from experiments.conditions import conditions
from firth.bert import bert, fill_mask, minilm
from firth.bert.pretraining import masked
from firth.runtime.progress import progress
from firth.store import downloads
from firth.store.weights import save_npz
from firth.transformer.transformer import LayerNorm

LOG = Path(__file__).with_suffix(".log")
FILE = downloads.CLONE / "models" / "blanks.npz"
KEEP = Path(os.environ.get("FIRTH_KEEP", tempfile.gettempdir())) / "firth-masked"
RATE, WARM, DECAY, EVERY = 5e-4, 300, 0.55, 100


def numbered() -> None:
    """All texts as numbers, [SEP] after each: one file to train on, one held out."""
    words, parts = minilm.words(), ([], [])
    with progress("Numbering texts …") as say:
        for i, (text, away) in enumerate(texts()):
            pieces = [words.numbers[piece] for piece in words.pieces(text)]
            parts[away].append(np.array([*pieces, SEP], dtype=np.uint16))
            if i % 1000 == 0:
                say(f"Numbering texts … {i:,}")
    KEEP.mkdir(parents=True, exist_ok=True)
    for name, part in zip(("train", "held"), parts, strict=True):
        stream = np.concatenate(part)
        np.save(KEEP / f"{name}.npy", stream)
        say_(f"{name}: {len(part):,} texts, {len(stream):,} tokens")


def hidden(ids: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """What the model is given, and the flat places at which it is asked what stood there."""
    given, chosen = masked(ids, 30_522, rng, mask=MASK, first=SPECIAL)
    return given, np.flatnonzero(chosen)


class Fused(LayerNorm):
    """The same norm in one call: a fifth of the time."""

    def forward(self, X):
        return nn.functional.layer_norm(X, X.shape[-1:], self.g, self.b, self.eps)


def begun(stream: np.ndarray) -> bert.Blanks:
    """MiniLM with a head that changes little yet, and knows how frequent each token is."""
    torch.manual_seed(0)
    net = bert.Blanks(bert.MINILM)
    net.bert.load_state_dict(minilm.model().state_dict())
    counts = np.bincount(stream, minlength=30_522) + 0.1
    with torch.no_grad():
        nn.init.eye_(net.dense.weight)
        nn.init.zeros_(net.dense.bias)
        net.bias.copy_(torch.from_numpy(np.log(counts / counts.sum())))
    for part in net.modules():
        if isinstance(part, LayerNorm):
            part.__class__ = Fused
    net.bert.pool.requires_grad_(False)
    return net


def fast() -> bool:
    """Whether this processor multiplies in bfloat16; where it must pretend to, that is slower."""
    return torch.ops.mkldnn._is_mkldnn_bf16_supported()


def guesses(net: bert.Blanks, ids: np.ndarray, where: np.ndarray) -> torch.Tensor:
    """Scores at the places asked for."""
    states = net.bert(torch.from_numpy(ids)).flatten(0, 1)
    return net.scores(states[torch.from_numpy(where)]).float()


def measured(net: bert.Blanks, windows: int) -> dict:
    """Loss in nats; how often what stood there is the first guess, or among the first five."""
    net.eval()
    texts = Texts(np.load(KEEP / "held.npy"), [])
    starts = np.random.default_rng(1).choice(len(texts.stream) // 126 - 1, windows, replace=False)
    rng, found = np.random.default_rng(2), []
    for few in np.array_split(starts * 126, max(1, windows // 32)):
        ids = texts.rows(few, 126)
        given, where = hidden(ids, rng)
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, enabled=fast()):
            scores = guesses(net, given, where)
        right = torch.from_numpy(ids.ravel()[where])
        J = nn.functional.cross_entropy(scores, right, reduction="none")
        rank = (scores > scores.gather(1, right[:, None])).sum(1)
        blank = torch.from_numpy(given.ravel()[where] == MASK)
        found.append(torch.stack([J, rank < 1, rank < 5, blank]))
    J, first, five, blank = torch.cat(found, dim=1).double()
    facts = {}
    for name, of in (("chosen", torch.ones_like(J)), ("blanks", blank)):  # 80 % are real blanks
        kinds = {"loss": J, "top1": first, "top5": five}
        means = {kind: round(float((x * of).sum() / of.sum()), 4) for kind, x in kinds.items()}
        facts[name] = {"places": int(of.sum())} | means
    return facts


def rate(i: int, steps: int) -> float:
    """Warm up, stay, and over the last 55 % of the steps go down to nothing."""
    return RATE * min((i + 1) / WARM, 1.0, (steps - i) / (DECAY * steps))


def train(steps: int, threads: int) -> None:
    torch.set_num_threads(threads)
    torch.set_float32_matmul_precision("medium")
    stream = np.load(KEEP / "train.npy")
    ends = [minilm.words().numbers[sign] for sign in ".?!"]
    texts, net = Texts(stream, ends), begun(stream)
    weights = [w for w in net.parameters() if w.requires_grad]
    optimiser = torch.optim.AdamW(
        weights, lr=RATE, betas=(0.9, 0.98), weight_decay=0.01, fused=True
    )
    file, start, seconds = KEEP / "checkpoint.pt", 0, 0.0
    if file.exists():
        kept = torch.load(file)
        net.load_state_dict(kept["net"])
        optimiser.load_state_dict(kept["optimiser"])
        start, seconds = kept["step"], kept["seconds"]
    recent, begin = [], time.process_time()
    for i in range(start, steps):
        net.train()
        rng = np.random.default_rng([0, i])
        ids = texts.batch(rng)
        given, where = hidden(ids, rng)
        for group in optimiser.param_groups:
            group["lr"] = rate(i, steps)
        with torch.autocast("cpu", torch.bfloat16, enabled=fast()):
            scores = guesses(net, given, where)
        J = nn.functional.cross_entropy(scores, torch.from_numpy(ids.ravel()[where]))
        J.backward()
        nn.utils.clip_grad_norm_(weights, 1.0)
        optimiser.step()
        optimiser.zero_grad()
        recent.append(J.item())
        if (i + 1) % EVERY == 0 or i + 1 == steps:
            seconds += time.process_time() - begin
            kept = {"net": net.state_dict(), "optimiser": optimiser.state_dict()}
            torch.save(kept | {"step": i + 1, "seconds": seconds}, file.with_suffix(".new"))
            os.replace(file.with_suffix(".new"), file)
            now = measured(net, 64)["chosen"]
            say_(
                f"step {i + 1} of {steps}: seen {np.mean(recent):.3f}, held out "
                f"{now['loss']:.3f}, right {now['top1']:.3f}, {seconds:.0f} s of processor"
            )
            recent, begin = [], time.process_time()


def trained() -> bert.Blanks:
    """The network at its last checkpoint."""
    net = begun(np.load(KEEP / "train.npy"))
    net.load_state_dict(torch.load(KEEP / "checkpoint.pt")["net"])
    return net.eval()


def pack() -> None:
    """Put the weights away and tell the table of sources their size and SHA-256."""
    FILE.parent.mkdir(exist_ok=True)
    save_npz(FILE, {name: w.float().numpy() for name, w in trained().state_dict().items()})
    content = FILE.read_bytes()
    row = {"bytes": str(len(content)), "sha256": f'"{sha256(content).hexdigest()}"'}
    head, mark, rest = downloads.TABLE.read_text(encoding="utf-8").partition("[release.blanks]")
    for name, value in row.items():
        rest = re.sub(rf"^{name} = .*$", f"{name} = {value}", rest, count=1, flags=re.MULTILINE)
    downloads.TABLE.write_text(head + mark + rest, encoding="utf-8")
    say_(f"packed: {len(content):,} bytes")


def measure() -> None:
    """What was held out, asked of the network before and after rounding; and of frequencies."""
    stream, windows = np.load(KEEP / "train.npy"), len(np.load(KEEP / "held.npy")) // 126 - 1
    counts = np.bincount(stream, minlength=30_522)
    frequent = int(np.delete(counts, [CLS, SEP]).max())
    found = {
        "trained": measured(trained(), windows),
        "rounded": measured(fill_mask.model(), windows),
    }
    for name, facts in found.items():
        say_(f"{name}: {facts}")
    kept = torch.load(KEEP / "checkpoint.pt")
    about = {
        "command": "python -m experiments.bert.masked_lm measure",
        "steps": kept["step"],
        "tokens": kept["step"] * masked_lm_texts.TOKENS,
        "processor_seconds": round(kept["seconds"]),
        "most_frequent": round(frequent / (len(stream) - counts[SEP]), 4),
        "bytes": FILE.stat().st_size,
    }
    written = json.dumps(conditions() | about | found, indent=1) + "\n"
    (downloads.TABLE.parent / "bert_masked.json").write_text(written, encoding="utf-8")


def say_(line: str) -> None:
    print(line, flush=True)
    with LOG.open("a", encoding="utf-8") as log:
        log.write(line + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=["text", "train", "measure", "pack"])
    parser.add_argument("--steps", type=int, default=6000, help="the step to go on to (6000)")
    parser.add_argument("--threads", type=int, default=2, help="threads to train with (2)")
    asked = parser.parse_args()
    if asked.part == "train":
        train(asked.steps, asked.threads)
    else:
        {"text": numbered, "measure": measure, "pack": pack}[asked.part]()


if __name__ == "__main__":
    main()
