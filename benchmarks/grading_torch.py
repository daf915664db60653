"""Private checks of an exercise in PyTorch, as an instructor writes them: 00_torch.

    attention = softmax(Q Kᵀ ÷ √d) V        the softmax by rows; and the slope of x · x

`firth grade --checks DIR` takes this very file. Its functions are the right answers, and what the
benchmark's students hand in.
"""

import numpy as np
import torch

from firth.checks.claims import Exercise

EXERCISE = "00_torch"
HINTS = ("What does it add up to?", "Write it for one row.", "Then for all at once, …")


def softmax_rows(x):
    e = torch.exp(torch.as_tensor(x))
    return e / e.sum(dim=-1, keepdim=True)


def attention(Q, K, V):
    Q, K, V = (torch.as_tensor(table) for table in (Q, K, V))
    return softmax_rows(Q @ K.T / Q.shape[1] ** 0.5) @ V


def slope(x):
    x = torch.tensor(x, requires_grad=True)
    (x * x).sum().backward()
    return x.grad


ANSWERS = (softmax_rows, attention, slope)


def tables(rng):
    return [(rng.normal(size=shape),) for shape in ((4, 6), (3, 2), (1, 5))]


def queries(rng):
    return [tuple(rng.normal(size=(n, 8)) for n in (3, 5, 5)) for _ in range(3)]


def sum_of_rows(answer, right):
    return answer.sum(axis=1)


EXERCISES = {
    f.__name__: Exercise(
        f.__name__, EXERCISE, 1, 5, HINTS, lambda *given, f=f: np.asarray(f(*given))
    )
    for f in ANSWERS
}
of_rows, of_queries, of_slopes = EXERCISES.values()  # questions are found by these names
of_rows.agrees("is exp(x), over what its row adds up to", "By what is each divided?", tables)
of_rows.agrees("adds up to 1 in each row", "Which axis is summed?", tables, view=sum_of_rows)
of_queries.agrees("is the rows of V, mixed for each query", "What is divided by √d?", queries)
of_slopes.agrees("is the slope of x · x", "What is the slope of x² at 3?", tables)
