"""Skip-gram in PyTorch, against the NumPy objective."""

import numpy as np
import pytest
import torch

from firth.word2vec.skipgram_torch import SkipGram, fitted
from firth.word2vec.word2vec import negative_sampling, noise, pairs


def test_the_modules_loss_and_gradients_are_the_readable_modules():
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    model = SkipGram(7, 4).double()
    torch.nn.init.normal_(model.U.weight)
    w, o, drawn = rng.integers(7, size=9), rng.integers(7, size=9), rng.integers(7, size=(9, 3))
    J = model(*map(torch.tensor, (w, o, drawn)))
    J.backward()
    U, V = (table.weight.detach().numpy() for table in (model.U, model.V))
    found = [negative_sampling(U, V, *row) for row in zip(w, o, drawn, strict=True)]
    np.testing.assert_allclose(J.item(), np.mean([J for J, *_ in found]))
    for table, place in ((model.U, 1), (model.V, 2)):
        slow = np.mean([row[place] for row in found], axis=0)
        np.testing.assert_allclose(table.weight.grad.numpy(), slow, atol=1e-12)


def test_words_with_the_same_company_come_to_lie_together():
    torch.manual_seed(0)
    text = [np.array([0, 1, 2, 1] * 30), np.array([3, 4, 5, 4] * 30)]
    model = SkipGram(6, 4)
    chance = noise(np.bincount(np.concatenate(text)))
    losses = fitted(model, pairs(text, 1), chance, epochs=150, batch=64, rate=0.02)
    X = torch.nn.functional.normalize(model.V.weight.detach())
    assert losses[-1] < losses[0] and len(losses) == 150
    assert X[0] @ X[2] > 0.9 and X[3] @ X[5] > 0.9 > X[0] @ X[3]


def test_the_same_seeds_give_the_same_losses():
    def run():
        torch.manual_seed(0)
        return fitted(SkipGram(2, 2), np.array([[0, 1], [1, 0]]), np.full(2, 0.5), epochs=3)

    assert run() == run()


def test_without_a_pair_there_is_nothing_to_learn():
    with pytest.raises(ValueError, match="no pair to learn from"):
        fitted(SkipGram(2, 2), np.zeros((0, 2), int), np.full(2, 0.5))
