"""The stored growth of time and memory is whole, and a small run points the same way."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest
import torch

from benchmarks.timing import keep_memory
from experiments.linear_attention import time_and_memory
from firth.store.results import stored_result

STORED = stored_result("linear_attention/time_and_memory")


def curve(rows, form, causal, what):
    """The middle of the repeats for each length."""
    own = [row for row in rows if (row["form"], row["causal"]) == (form, causal)]
    return np.array([row["n"] for row in own]), np.array([np.median(row[what]) for row in own])


def slope(n, values):
    return np.polyfit(np.log(n), np.log(values), 1)[0]


def test_every_form_is_stored_as_far_as_it_goes_with_every_repeat():
    for (form, causal), (_, longest, _) in time_and_memory.FORMS.items():
        n, _ = curve(STORED["rows"], form, causal, "seconds")
        assert list(n) == [length for length in time_and_memory.LENGTHS if length <= longest]
    for row in STORED["rows"]:
        assert len(row["seconds"]) == time_and_memory.REPEATS and len(row["megabytes"]) == 3
        assert row["heads"] == time_and_memory.FORMS[row["form"], row["causal"]][0]
    assert [row["n"] for row in STORED["tokens"]] == [
        n for n in time_and_memory.LENGTHS for _ in range(2)
    ]


LINEAR = [("linear", False), ("chunks", True), ("band", False), ("band", True)]


@pytest.mark.parametrize(("form", "causal"), LINEAR)
@pytest.mark.parametrize("what", ["seconds", "megabytes"])
def test_L2_L5_time_and_memory_of_linear_forms_grow_in_step_with_the_text(form, causal, what):
    n, values = curve(STORED["rows"], form, causal, what)
    assert 0.8 < slope(n[n >= 1024], values[n >= 1024]) <= 1.2


@pytest.mark.parametrize(
    ("form", "causal", "what"),
    [
        ("matrix", False, "seconds"),
        ("matrix", False, "megabytes"),
        ("fused", False, "seconds"),
        ("fused", True, "seconds"),
    ],
)
def test_L1_those_of_softmax_grow_as_its_square(form, causal, what):
    n, values = curve(STORED["rows"], form, causal, what)
    assert slope(n[n >= 1024], values[n >= 1024]) > 1.8


def test_L2_linear_attention_is_faster_from_a_short_text_on():
    for rivals in [(("linear", False), ("fused", False)), (("chunks", True), ("fused", True))]:
        (n, mine), (_, theirs) = (curve(STORED["rows"], *rival, "seconds") for rival in rivals)
        both = min(len(mine), len(theirs))
        assert (mine[:both] < theirs[:both])[n[:both] >= 512].all()


def test_L4_a_token_costs_the_same_after_any_text_and_with_a_cache_ever_more():
    # Above 1 for a cache: a long one no longer fits the processor's own.
    for what, most, steepest in [("seconds", 0.1, 1.6), ("megabytes", 1e-9, 1 + 1e-9)]:
        for form, bounds in {"state": (-most, most), "cache": (0.7, steepest)}.items():
            own = [row for row in STORED["tokens"] if row["form"] == form and row["n"] >= 2048]
            found = slope([row["n"] for row in own], [np.median(row[what]) for row in own])
            assert bounds[0] <= found <= bounds[1], (form, what, found)


def small() -> tuple[list[dict], list[dict]]:
    """Two lengths of all forms, as the stored run has measured them."""
    torch.set_num_threads(1)
    keep_memory()
    rows = [row for n in (512, 8192) for row in time_and_memory.rows(n, repeats=1)]
    return rows, [row for n in (512, 8192) for row in time_and_memory.tokens(n, repeats=3)]


@pytest.mark.night  # each size of memory is that of a fresh process
def test_a_small_run_points_the_same_way():
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        rows, tokens = pool.submit(small).result()
    for form, causal in LINEAR:
        assert slope(*curve(rows, form, causal, "seconds")) < 1.3
        assert slope(*curve(rows, form, causal, "megabytes")) < 1.3
    for form, causal in [("matrix", False), ("fused", False), ("fused", True)]:
        assert slope(*curve(rows, form, causal, "seconds")) > 1.6
    first, last = ({r["form"]: np.median(r["seconds"]) for r in tokens[i : i + 2]} for i in (0, 2))
    assert last["cache"] / first["cache"] > 3 * last["state"] / first["state"]
