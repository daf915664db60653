"""One training step of an LSTM, written by hand in NumPy, against PyTorch's nn.LSTM.

A training step is the run along the sequence and the gradients by the inputs and all weights,
of the same J: the states' product with fixed numbers. Both work in float32 on one thread.
"""

import numpy as np
import torch

from benchmarks.timing import Row, fingerprint, interleaved, main
from firth.rnn.gated_cells import lstm, lstm_gradients

SMALL = {"T": 25, "repeats": 15}  # a test runs it so: its direction is the same


def rows(T: int = 50, batch: int = 32, e: int = 64, d: int = 128, repeats: int = 41) -> list[Row]:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    module, X, G = torch.nn.LSTM(e, d), torch.randn(T, batch, e), torch.randn(T, batch, d)
    inputs, heard = X.numpy().copy(), G.numpy()
    X.requires_grad_()
    leaves = [X, *module.parameters()]
    W, U, b, b_too = (p.detach().numpy() for p in module.parameters())
    zero, b = np.zeros((batch, d), np.float32), b + b_too
    answer = {}

    def ours():
        H, C, gates = lstm(inputs, zero, zero, W, U, b)
        dX, _, _, dW, dU, db = lstm_gradients(heard, inputs, zero, zero, W, U, H, C, gates)
        answer["ours"] = H, dX, dW, dU, db

    def peer():
        H, _ = module(X)
        answer["torch"] = H, *torch.autograd.grad(H, leaves, G)

    seconds = interleaved({"ours": ours, "torch": peer}, repeats)
    apart = max(
        abs(mine - theirs.detach().numpy()).max() / abs(mine).max()
        for mine, theirs in zip(answer["ours"], answer["torch"], strict=False)
    )
    assert apart < 1e-5, apart
    return [
        Row(
            f"LSTM training step, {batch} × {T} steps, {e} inputs, {d} units",
            "torch nn.LSTM",
            0.5,
            seconds["ours"],
            seconds["torch"],
            f"states and gradients at most {apart:.0e} of the largest apart",
            fingerprint(inputs, heard, W, U, b),
        )
    ]


if __name__ == "__main__":
    main(rows)
