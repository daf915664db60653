"""What the next token costs, with the cache of keys and values and without; store every repeat.

    python -m experiments.transformer.kv_cache

SmolLM2 has read a text of a given length, and one more token is asked for. With the cache, the new
token alone goes through the model; without, the whole text does. Both give the same token, which is
looked at. Times are of the processor, on one thread, the two ways in turns. A length that is stored
is not measured again.
"""

import argparse
import json
from time import process_time

import torch

from experiments.conditions import conditions
from firth.runtime.progress import progress
from firth.store import corpora
from firth.store.results import DATA, stored_result
from firth.transformer import smollm
from firth.transformer.gpt import Cache

FILE = DATA / "transformer/kv_cache.json"
LENGTHS = (16, 32, 64, 128, 256, 512, 1024, 2048)
REPEATS = 3


def scored(ids: list[int], cache: Cache | None = None) -> int:
    """The likeliest next token."""
    net = smollm.model()
    with torch.no_grad():
        return int(net.scores(net.states(torch.tensor([ids]), cache)[:, -1:]).argmax())


def row(ids: list[int]) -> dict:
    """Both ways of asking what comes after the ids, in turns."""
    cache, seconds = Cache(), {"with": [], "without": []}
    scored(ids[:-1], cache)
    read = dict(cache.blocks)
    for _ in range(REPEATS):
        cache.blocks = dict(read)
        found = {}
        for way, what in {"with": (ids[-1:], cache), "without": (ids,)}.items():
            start = process_time()
            found[way] = scored(*what)
            seconds[way].append(round(process_time() - start, 4))
        if found["with"] != found["without"]:
            raise ValueError(f"After {len(ids)} tokens the two ways differ: {found}.")
    size = sum(2 * K.numel() * K.element_size() for K, _ in cache.blocks.values())
    return {"length": len(ids), "seconds": seconds, "cache_megabytes": round(size / 1e6, 3)}


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    ids = smollm.tokenizer().encoded(corpora.books()[0][:20_000])
    smollm.model()
    scored(ids[:64])  # to warm up
    rows = stored_result("transformer/kv_cache", {"rows": []})["rows"]
    with progress("Measuring the cache …") as say:
        for length in LENGTHS:
            if length not in [row["length"] for row in rows]:
                say(f"Measuring the cache … {length} tokens")
                rows.append(row(ids[:length]))
                stored = conditions() | {
                    "command": "python -m experiments.transformer.kv_cache",
                    "rows": rows,
                }
                FILE.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
