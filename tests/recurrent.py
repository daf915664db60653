"""PyTorch's recurrent layers as oracles: the same weights, in float64, as NumPy arrays."""

import numpy as np
import torch

MODULES = {"rnn": torch.nn.RNN, "lstm": torch.nn.LSTM, "gru": torch.nn.GRU}


def oracle(kind, e, d, seed=0, **options):
    """A layer of PyTorch's in float64, with larger weights than it begins with."""
    torch.manual_seed(seed)
    module = MODULES[kind](e, d, dtype=torch.float64, **options)
    for p in module.parameters():
        torch.nn.init.normal_(p, std=0.7)
    return module


def weights(module, suffix="l0"):
    """W, U and the biases of one layer as our functions take them."""
    W, U, b, b_h = (
        getattr(module, f"{name}_{suffix}").detach().numpy()
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    )
    return (W, U, b, b_h) if module.mode == "GRU" else (W, U, b + b_h)


def drawn(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def leaf(A):
    """A tensor of the array's numbers, by which PyTorch differentiates."""
    return torch.tensor(A, requires_grad=True)
