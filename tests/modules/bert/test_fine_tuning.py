"""Tuning the last blocks: nothing below moves, and from equal starts equal networks come."""

import numpy as np
import pytest
import torch

from firth.bert import minilm
from firth.bert.fine_tuning import Tuned, below, opening, padded, probabilities, tuned

TEXTS = ["Buy these pills", "Win cash prizes now", "Dear Mr. Atreides, please find attached",
         "The minutes of the meeting are below"]  # fmt: skip
LABELS = [1, 1, 0, 0]


@pytest.mark.parametrize("blocks", [1, 2, 6])
def test_what_lies_below_and_the_last_blocks_are_minilm_until_they_are_tuned(blocks):
    H, mask = padded(below(TEXTS, blocks))
    net = Tuned(blocks)
    for block in net.blocks:
        H = block(H, mask[:, None])
    np.testing.assert_allclose(
        minilm.pooled(H, mask).detach().numpy(), minilm.vectors(TEXTS), atol=1e-5
    )


def test_B8_the_last_blocks_learn_and_minilm_stays_as_it_was():
    before = {name: weight.clone() for name, weight in minilm.model().state_dict().items()}
    H = below(TEXTS)
    net = tuned(H, LABELS, epochs=6, size=4)
    assert ((probabilities(net, H) > 0.5) == LABELS).all()
    after = minilm.model().state_dict()
    assert all(torch.equal(weight, after[name]) for name, weight in before.items())
    moved = [not torch.equal(w, v) for w, v in zip(net.blocks.parameters(),
             minilm.model().encoder.blocks[-2:].parameters(), strict=True)]  # fmt: skip
    assert sum(moved) > len(moved) * 0.9


def test_the_same_seed_gives_the_same_network_and_another_seed_another():
    H = below(TEXTS)
    p = [probabilities(tuned(H, LABELS, epochs=1, seed=seed), H) for seed in (0, 0, 1)]
    np.testing.assert_allclose(p[0], p[1], atol=1e-6)
    assert abs(p[0] - p[2]).max() > 1e-4


def test_an_opening_is_as_many_whole_words_as_fit():
    text = "merging into a vague, purplish glimmer"
    words = minilm.words()
    for pieces in range(1, 14):
        cut = opening(text, pieces)
        assert text.startswith(cut) and len(words.pieces(cut)) <= pieces
        rest = text[len(cut) :].split()
        if rest:
            assert len(words.pieces(f"{cut} {rest[0]}")) > pieces
    assert opening("a  b\nc", 9) == "a b c"


@pytest.mark.parametrize("blocks", [0, 7])
def test_bad_input_is_answered_with_what_to_do(blocks):
    with pytest.raises(ValueError, match="Of 6 blocks 1 or more"):
        Tuned(blocks)
