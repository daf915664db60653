"""Store what the restored model expects in pairs of sentences, for the page's comparer.

    python -m experiments.bert.fill_mask

The pairs stand in `firth/data/bert/fill_mask_pairs.tsv`. Every piece of the vocabulary is scored
in every sentence. Kept are the WORDS whole words that are likeliest on the mean over all sentences,
and of every sentence its own likeliest tokens, so that nothing that leads a list is missing; what
share of the probability they have together, the page shows. The numbers are stored in bytes
(`firth.widgets.bert.fill_mask.quantized`).
"""

import argparse
import json
import re

import numpy as np

from firth.bert import fill_mask
from firth.runtime.progress import progress
from firth.store.results import DATA
from firth.widgets.bert.fill_mask import FILE, quantized

PAIRS = DATA / "bert/fill_mask_pairs.tsv"
WORDS, OWN = 5_300, 150
WHOLE = re.compile(r"[a-z]+|[0-9]+|[.,;:!?'-]")


def pairs() -> list[dict]:
    """Kind, name and the two sentences of each pair."""
    _, *rows = PAIRS.read_text(encoding="utf-8").splitlines()
    return [dict(zip(("kind", "name", "a", "b"), row.split("\t"), strict=True)) for row in rows]


def kept(tokens: list[str], log_p: np.ndarray) -> list[int]:
    """The places of the tokens that the page has, the likeliest first: a row a sentence."""
    mean = np.exp(log_p).mean(axis=0)
    whole = [i for i in np.argsort(-mean, kind="stable") if WHOLE.fullmatch(tokens[i])]
    own = np.argsort(-log_p, axis=1, kind="stable")[:, :OWN]
    return sorted({*whole[:WORDS]} | {*own.ravel()}, key=lambda i: (-mean[i], i))


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    rows, scored = pairs(), {}
    sentences = [row[side] for row in rows for side in "ab"]
    with progress("Filling blanks …") as say:
        for n, sentence in enumerate(dict.fromkeys(sentences)):
            say(f"Filling blanks … {n} of {len(sentences)}")
            tokens, scored[sentence] = fill_mask.completions(sentence)
    chosen = kept(tokens, np.array(list(scored.values())))
    for row in rows:
        row |= quantized(*(scored[row[side]][chosen] for side in "ab"))
    stored = {"words": " ".join(tokens[i] for i in chosen), "rows": rows}
    text = json.dumps(stored, ensure_ascii=False, separators=(",", ":"))
    FILE.write_text(text.replace('{"kind"', '\n{"kind"') + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
