"""The model that fills blanks: what is shipped is what was trained, and refuses in a sentence."""

import numpy as np
import pytest
import torch
from notebooks import COURSE

from experiments.bert import masked_lm, masked_lm_texts
from firth.bert import fill_mask, minilm
from firth.store.results import stored_result

STORED = stored_result("bert/masked_lm")
CARD = (COURSE / "models" / "README.md").read_text(encoding="utf-8")
CAPITALS = {"France": "paris", "England": "london", "Germany": "berlin", "Italy": "rome"}


def test_completions_are_a_distribution_over_the_whole_vocabulary():
    tokens, log_p = fill_mask.completions("In Texas they like to buy [MASK].")
    assert tokens is minilm.words().tokens and len(log_p) == 30_522
    assert np.exp(log_p).sum() == pytest.approx(1)


def test_a_blank_is_filled_from_both_sides():
    first = fill_mask.completions("The [MASK] is the capital of France.")[1]
    other = fill_mask.completions("The [MASK] is the capital of chess.")[1]
    assert abs(first - other).max() > 1  # what comes after the blank matters


def test_it_knows_some_capitals_better_than_chance():
    tokens = minilm.words().tokens
    for country, capital in CAPITALS.items():
        log_p = fill_mask.completions(f"The capital of {country} is [MASK].")[1]
        assert (log_p > log_p[tokens.index(capital)]).sum() < 20, country


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("In Texas they like to buy.", "one blank, written .MASK.; this has 0"),
        ("[MASK] like to buy [MASK].", "this has 2"),
        ("", "this has 0"),
        ("word " * 600 + "[MASK]", "BERT has 512 places"),
    ],
)
def test_a_sentence_without_exactly_one_blank_is_refused(sentence, said):
    with pytest.raises(ValueError, match=said):
        fill_mask.completions(sentence)


def test_a_word_of_several_pieces_cannot_fill_a_blank():
    with pytest.raises(ValueError, match="'purplish' is 3 pieces and cannot fill one blank"):
        fill_mask.log_likelihoods("A vague, [MASK] glimmer.", ["red", "purplish"])
    both = fill_mask.log_likelihoods("A vague, [MASK] glimmer.", ["red", "Green"])
    assert both.shape == (2,) and (both < 0).all()


def test_what_is_stored_of_its_quality_says_what_the_card_says():
    for figure in (f"{STORED['rounded']['chosen'][k]:.1%}" for k in ("top1", "top5")):
        assert figure in CARD
    assert f"{STORED['rounded']['chosen']['loss']:.2f}" in CARD
    assert f"{STORED['most_frequent']:.1%}" in CARD
    assert f"{STORED['bytes'] / 1e6:.1f} MB" in CARD


def test_rounding_to_a_byte_cost_next_to_nothing():
    before, after = (STORED[name]["chosen"]["loss"] for name in ("trained", "rounded"))
    assert abs(after - before) < 0.02
    assert STORED["rounded"]["chosen"]["top1"] > 5 * STORED["most_frequent"]


@pytest.mark.night
def test_a_reduced_measurement_on_text_it_has_not_read_points_the_same_way(tmp_path, monkeypatch):
    """Some held-out articles again, read as the script reads them."""
    words, stream = minilm.words(), []
    for text, away in masked_lm_texts.texts():
        if away:
            stream += [words.numbers[piece] for piece in words.pieces(text)] + [masked_lm_texts.SEP]
        if len(stream) > 12_000:
            break
    np.save(tmp_path / "held.npy", np.array(stream, dtype=np.uint16))
    monkeypatch.setattr(masked_lm, "KEEP", tmp_path)
    facts = masked_lm.measured(fill_mask.model(), windows=64)["chosen"]
    assert facts["top1"] == pytest.approx(STORED["rounded"]["chosen"]["top1"], abs=0.06)
    assert facts["loss"] == pytest.approx(STORED["rounded"]["chosen"]["loss"], abs=0.5)


def test_training_on_one_sentence_learns_it(tmp_path, monkeypatch):
    """The script's own loop, on a stream that says one thing: its loss falls, and it goes on."""
    monkeypatch.setattr(masked_lm, "KEEP", tmp_path)
    monkeypatch.setattr(masked_lm, "LOG", tmp_path / "log")
    monkeypatch.setattr(masked_lm_texts, "TOKENS", 256)
    monkeypatch.setattr(masked_lm, "EVERY", 4)
    monkeypatch.setattr(masked_lm, "WARM", 2)
    threads = torch.get_num_threads()
    words = minilm.words()
    sentence = [words.numbers[piece] for piece in words.pieces("The stars rose over the planet.")]
    for name in ("train", "held"):
        np.save(tmp_path / f"{name}.npy", np.array(sentence * 1200, dtype=np.uint16))
    masked_lm.train(8, threads)
    masked_lm.train(12, threads)  # from the checkpoint
    lines = (tmp_path / "log").read_text().splitlines()
    assert [line.split(":")[0] for line in lines] == [f"step {n} of {m}" for n, m in
                                                      ((4, 8), (8, 8), (12, 12))]  # fmt: skip
    losses = [float(line.split("held out ")[1].split(",")[0]) for line in lines]
    assert losses[2] < losses[0]
