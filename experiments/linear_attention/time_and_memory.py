"""How time and memory grow with the length of a text, for every form of attention; every repeat.

    python -m experiments.linear_attention.time_and_memory

Self-attention of one text, 4 heads of 64 features (the whole table: 1 head), float32, one thread. A
row is a form and a length. Seconds are of the processor, for one call, all forms in turns; short
calls are repeated until they fill a fiftieth of a second. Megabytes are what one call adds to the
peak of a process that holds Q, K and V, its answer included, each in a process of its own. Rows of
`tokens` are one generated token when n − 1 have been read: the megabytes are what is kept. The
table stops at 8,192 and fused attention at 16,384: beyond, a page can only extrapolate. A length
that is stored is not measured again.
"""

import argparse
import json
import multiprocessing
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from benchmarks.timing import keep_memory
from experiments.conditions import conditions
from firth.linear_attention.banded_attention import banded_attention
from firth.linear_attention.linear_attention import (
    causal_chunks,
    exponential_kernel,
    linear_attention,
    smoothed,
    state,
    step,
)
from firth.runtime.progress import progress
from firth.store.results import DATA, stored_result

FILE = DATA / "linear_attention/time_and_memory.json"
LENGTHS = [2**p for p in range(8, 17)]
D, W, C, REPEATS = 64, 64, 64, 5


def matrix(Q: Tensor, K: Tensor, V: Tensor, causal: bool) -> Tensor:
    """Softmax attention by the whole table."""
    mask = torch.ones(len(Q[0, 0]), len(Q[0, 0]), dtype=torch.bool).tril() if causal else None
    return smoothed(exponential_kernel(Q, K), V, mask)


FORMS: dict[tuple[str, bool], tuple[int, int, Callable]] = {  # heads, longest text, program
    ("matrix", False): (1, 8192, lambda *QKV: matrix(*QKV, causal=False)),
    ("fused", False): (4, 16_384, scaled_dot_product_attention),
    ("fused", True): (4, 16_384, lambda *QKV: scaled_dot_product_attention(*QKV, is_causal=True)),
    ("linear", False): (4, 65_536, linear_attention),
    ("chunks", True): (4, 65_536, lambda *QKV: causal_chunks(*QKV, C=C)),
    ("band", False): (4, 65_536, lambda *QKV: banded_attention(*QKV, W)),
    ("band", True): (4, 65_536, lambda *QKV: banded_attention(*QKV, W, causal=True)),
}


def drawn(n: int, heads: int) -> list[Tensor]:
    """Q, K and V."""
    torch.manual_seed(n)
    return [torch.randn(1, heads, n, D) for _ in range(3)]


@torch.no_grad()
def seconds(programs: dict, repeats: int) -> dict:
    """CPU seconds of one call, all programs in turns; two calls warm up and are not counted."""
    calls, result = {}, {name: [] for name in programs}
    for name, program in programs.items():
        program()
        start = process_time()
        program()
        calls[name] = max(1, round(0.02 / max(process_time() - start, 1e-7)))
    for _ in range(repeats):
        for name, program in programs.items():
            start = process_time()
            for _ in range(calls[name]):
                program()
            result[name].append(float(f"{(process_time() - start) / calls[name]:.4g}"))
    return result


def kilobytes(line: str) -> int:
    """What the system says of this process: VmRSS is what it has, VmHWM the most it had."""
    status = Path("/proc/self/status").read_text()
    return int(status.split(f"{line}:")[1].split()[0])


@torch.no_grad()
def peak(form: str, causal: bool, n: int) -> float:
    """Megabytes that a call adds to the most that a fresh process has held."""
    torch.set_num_threads(1)
    heads, _, program = FORMS[form, causal]
    program(*drawn(128, heads))  # what the libraries load with their first call
    QKV = drawn(n, heads)
    Path("/proc/self/clear_refs").write_text("5")  # the peak counts from here
    before = kilobytes("VmRSS")
    answer = program(*QKV)
    assert answer.isfinite().all()
    return round((kilobytes("VmHWM") - before) / 1024, 2)


def rows(n: int, repeats: int = REPEATS) -> list[dict]:
    """All forms that go as far as n: seconds in this process, megabytes in fresh ones."""
    result, programs, inputs = [], {}, {heads: drawn(n, heads) for heads in (1, 4)}
    spawn = multiprocessing.get_context("spawn")
    for (form, causal), (heads, longest, program) in FORMS.items():
        if n <= longest:
            programs[form, causal] = partial(program, *inputs[heads])
            with spawn.Pool(1, maxtasksperchild=1) as pool:
                taken = [pool.apply(peak, (form, causal, n)) for _ in range(min(repeats, 3))]
            size = {"n": n, "heads": heads, "megabytes": taken}
            result.append({"form": form, "causal": causal} | size)
    timed = seconds(programs, repeats)
    return [row | {"seconds": timed[row["form"], row["causal"]]} for row in result]


@torch.no_grad()
def tokens(n: int, heads: int = 4, repeats: int = REPEATS) -> list[dict]:
    """The n-th token with a cache of keys and values, and with a state."""
    QKV = drawn(n, heads)
    q, k, v = (X[..., -1, :] for X in QKV)
    S, z = state(*(X[..., :-1, :] for X in QKV[1:]))

    def cached():
        for cache, new in zip(QKV[1:], (k, v), strict=True):
            cache[..., -1, :] = new
        return scaled_dot_product_attention(q.unsqueeze(-2), *QKV[1:])

    timed = seconds({"cache": cached, "state": lambda: step(q, k, v, S, z)}, repeats)
    kept = {
        form: round(sum(X.nbytes for X in tensors) / 2**20, 4)
        for form, tensors in {"cache": QKV[1:], "state": (S, z)}.items()
    }
    return [
        {"form": form, "n": n, "heads": heads, "seconds": timed[form], "megabytes": kept[form]}
        for form in kept
    ]


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    keep_memory()
    stored = stored_result("linear_attention/time_and_memory", {})
    measured, generated = stored.get("rows", []), stored.get("tokens", [])
    with progress("Measuring attention …") as say:
        for n in LENGTHS:
            if n in [row["n"] for row in measured]:
                continue
            say(f"Measuring attention … {n:,} words")
            measured += rows(n)
            generated += tokens(n)
            result = conditions() | {
                "command": "python -m experiments.linear_attention.time_and_memory"
            }
            result |= {"d": D, "w": W, "C": C, "rows": measured, "tokens": generated}
            FILE.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
