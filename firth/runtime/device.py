"""Where PyTorch should compute: on the graphics card if it sees one.

    device = "cuda" if there is one, else "cpu"

Every chapter runs on a processor; a cell that asks here trains a larger model where it may.
"""


def device() -> str:
    """ "cuda" or "cpu", for `tensor.to(device())`.

    >>> device() in ("cuda", "cpu")
    True
    """
    import torch  # here, so that a chapter without gradients need not have it

    return "cuda" if torch.cuda.is_available() else "cpu"
