"""What chapter 3 says about its experiments holds in every run that is stored."""

import json

import nbformat
import numpy as np
import pytest
from pages import CHAPTERS

from experiments.rnn import agreement, bank, book_sentences, first_word, recall_task
from firth.store.results import stored_result

AGREEMENT, RECALL = stored_result("rnn/agreement"), stored_result("rnn/recall_task")
PROBE = stored_result("rnn/first_word")


def prose(page: str) -> str:
    cells = json.loads((CHAPTERS / f"{page}.ipynb").read_text(encoding="utf-8"))["cells"]
    return " ".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")


def best(cell: str) -> np.ndarray:
    """The shares of right verbs of the five runs at the rate with the smallest loss."""
    rows = [row for row in AGREEMENT["rows"] if row["cell"] == cell]
    loss = {r: np.mean([x["loss"] for x in rows if x["rate"] == r]) for r in agreement.RATES}
    return np.array([row["right"] for row in rows if row["rate"] == min(loss, key=loss.get)])


def test_every_rate_and_seed_of_the_agreement_experiment_is_stored():
    found = {(row["cell"], row["rate"], row["seed"]) for row in AGREEMENT["rows"]}
    assert len(found) == len(agreement.CELLS) * len(agreement.RATES) * len(agreement.SEEDS)
    assert AGREEMENT["settings"] == agreement.SETTINGS


def test_the_lstm_agrees_over_any_distance_and_the_plain_network_over_those_it_has_seen():
    plain, lstm = best("plain"), best("LSTM")
    assert lstm.min() > 0.99 and plain[:, :3].min() > 0.99
    assert plain[:, 3:].mean() < 0.9 and plain[:, 6].min() < 0.7
    assert all(row["right"][1] < 0.85 for row in AGREEMENT["baselines"])


def learned(cell: str) -> list[dict]:
    return [r for r in RECALL["rows"] if r["cell"] == cell and r["learned"] is not None]


def test_every_rate_and_seed_of_the_recall_task_is_stored():
    found = {(row["cell"], row["rate"], row["seed"]) for row in RECALL["rows"]}
    each = len(recall_task.CELLS) * len(recall_task.RATES) * len(recall_task.SEEDS)
    assert len(found) == len(RECALL["rows"]) == each
    assert RECALL["settings"] == recall_task.SETTINGS


def test_the_lstm_needs_a_forget_bias_and_then_learns_within_125_steps():
    assert not learned("LSTM")
    assert [row["rate"] for row in learned("GRU")].count(0.01) == 5
    assert [row["rate"] for row in learned("GRU")].count(0.03) == 5 == len(learned("plain"))
    assert [row["rate"] for row in learned("plain")].count(0.01) == 4
    quick = [row for row in learned("LSTM, forget bias 3") if row["rate"] < 0.01]
    assert len(quick) == 10 and max(row["learned"] for row in quick) <= 125


def test_the_plain_network_is_right_at_50_and_wrong_one_step_before_and_after():
    kept = [row for row in learned("plain") if row["right"][49] > 0.9]
    assert (
        len(kept) >= 4
    )  # some runs lose the task in the thousand steps after they have learned it
    for row in kept:
        assert row["right"][49] > 0.95 and max(row["right"][48], row["right"][50]) < 0.05
        assert min(row["in_state"]) > 0.97  # the symbol is there at every length
        assert row["spectral_radius"] > 2 and row["ratios"][0] < 1e-10
    alive = [row for row in kept if row["ratio_when_learned"] > 0.9]
    (flat,) = [row for row in kept if row not in alive]
    assert len(alive) == 4 and flat["saturated"] == pytest.approx(0.92, abs=0.01)


def test_gated_networks_are_as_right_at_every_length_around_the_one_that_was_trained():
    for row in (*learned("LSTM, forget bias 3"), *learned("GRU")):
        assert np.ptp(row["right"][39:60]) < 0.05


def test_the_gates_of_the_quick_lstms_stay_open_and_their_input_gates_half_open():
    quick = [row for row in learned("LSTM, forget bias 3") if row["rate"] < 0.01]
    assert np.mean([row["forget_mean"] for row in quick]) == pytest.approx(0.96, abs=0.01)
    assert np.mean([row["kept_units"][0] for row in quick]) == pytest.approx(0.4, abs=0.05)
    assert 0.4 < min(row["input_noise"] for row in quick)


def after(words: int, cell: str, state: str, without: bool = False) -> float:
    """The probe's mean accuracy after so many words, in per cent."""
    name, place = (f"{state}, first word left out", words - 2) if without else (state, words - 1)
    runs = [row for row in PROBE["rows"] if row["cell"] == cell and "seed" in row]
    return 100 * float(np.mean([row["probes"][name][place] for row in runs]))


def test_the_first_word_is_nearly_gone_from_the_plain_network_after_ten_words():
    runs = [(row["cell"], row["seed"]) for row in PROBE["rows"] if "seed" in row]
    assert sorted(runs) == sorted((c, s) for c in first_word.CELLS for s in first_word.SEEDS)
    assert PROBE["settings"] == book_sentences.SETTINGS
    assert after(10, "plain", "h") - after(10, "plain", "h", without=True) < 6
    assert after(10, "LSTM", "c") > after(10, "LSTM", "h") > after(10, "plain", "h") + 8
    for value in (after(10, "plain", "h"), after(10, "plain", "h", without=True)):
        assert f"{value:.0f} %" in prose("03_rnn")
    for value in (after(10, "LSTM", "c"), after(10, "LSTM", "c", without=True)):
        assert f"{value:.0f} %" in prose("03_rnn")


def test_the_page_names_the_numbers_of_sentences():
    for part in ("training", "probe"):
        assert f"{PROBE['sentences'][part]:,}" in prose("03_rnn")


def test_the_page_names_the_perplexities_that_were_measured():
    means = [
        np.mean([row["perplexity"] for row in PROBE["rows"] if row["cell"] == c and "seed" in row])
        for c in first_word.CELLS
    ]
    for value in (*means, PROBE["bigrams"]):
        assert f"{value:.0f}" in prose("03_rnn")


def test_bank_is_known_by_the_network_that_has_read_the_clue():
    stored = stored_result("rnn/bank")
    runs = [(row["direction"], row["seed"]) for row in stored["rows"]]
    assert sorted(runs) == sorted((d, s) for d in bank.DIRECTIONS for s in bank.SEEDS)
    for row in stored["rows"]:
        read, unread = ("before", "after")[:: 1 if row["direction"] == "forward" else -1]
        assert row["passages"][read][0] > row["passages"][unread][0] + 0.02
        assert row["passages"][read][0] > 0.7


def test_the_page_really_trains_its_network():
    cells = nbformat.read(CHAPTERS / "03_rnn.ipynb", as_version=4).cells
    (loop,) = [c for c in cells if c.cell_type == "code" and c.source.startswith("STEPS = ")]
    printed = "".join(output.get("text", "") for output in loop.outputs)
    before = [c for c in cells[: cells.index(loop)] if c.cell_type == "code"]
    needed = [
        c.source for c in before if c.source.startswith(("class SmallNetwork", "def sample_words"))
    ]
    imports = "import numpy as np, torch\nfrom torch import nn\nfrom firth.rnn import small_text\n"
    names = {"lines": []}
    imports += "from firth.rnn.small_text import WORDS\nprint = lambda *x: lines.append(x[0])\n"
    threads = torch_threads(1)
    try:
        for steps in (0, 30):
            names["lines"].clear()
            source = loop.source.replace("STEPS = 3000", f"STEPS = {steps}")
            exec(imports + "\n".join([*needed, source]), names)
            shown = printed.splitlines()[: len(names["lines"])]
            assert names["lines"] == shown and len(shown) == (2 if steps else 0)
        assert len(printed.splitlines()) == 6
    finally:
        torch_threads(threads)


def torch_threads(n: int) -> int:
    """The number of threads that PyTorch used before; from now on it uses n."""
    import torch

    old = torch.get_num_threads()
    torch.set_num_threads(n)
    return old
