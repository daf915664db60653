"""Linear attention: the sum over all keys is made once, and every query reads it.

    y_i = Σ_j κ(q_i, k_j) v_j / Σ_j κ(q_i, k_j)      softmax attention: κ(q, k) = exp(qᵀk / √d)
    κ(q, k) = φ(q)ᵀφ(k)                              linear attention: φ makes R features, κ > 0
    y_i = φ(q_i)ᵀS / φ(q_i)ᵀz       S = Σ_j φ(k_j) v_jᵀ (R × k),  z = Σ_j φ(k_j)
    S_t = S_{t−1} + φ(k_t) v_tᵀ     z_t = z_{t−1} + φ(k_t)       causal: a state for each t

A mean weighted by a kernel κ is what statistics calls a smoother. If κ is a dot product of
features, (φ(Q) φ(K)ᵀ) V and φ(Q) (φ(K)ᵀ V) are the same numbers; the first makes n × n of them on
the way, the second R × k. Half precision is summed up in float32: a sum soon passes its 65,504.
"""

from collections.abc import Callable

import numpy as np
import torch
from jaxtyping import Bool, Float
from numpy import ndarray as Array
from torch import Tensor, nn

Queries, Keys, Values = (Float[Tensor, f"*batch {shape}"] for shape in ("n d", "m d", "m k"))
Answers = Float[Tensor, "*batch n k"]
State, Norm = Float[Tensor, "*batch R k"], Float[Tensor, "*batch R"]
Map = Callable[[Tensor], Tensor]


def elu_features(X: Float[Tensor, "*batch d"], r: int = 1) -> Float[Tensor, "*batch R"]:
    """φ(x) = elu(x) + 1, feature by feature: exp(x) below 0 and x + 1 above (Katharopoulos, 2020).

    More maps give the kernel a higher rank. The l-th is elu(a x) + 1 with a = 1, −1, 2, −2, …, and
    all stand side by side: r d features. Their kernels then add up, and stay positive.

    >>> elu_features(torch.tensor([[-1.0, 0.0, 2.0]]))
    tensor([[0.3679, 1.0000, 3.0000]])
    >>> elu_features(torch.tensor([[2.0]]), r=3)
    tensor([[3.0000, 0.1353, 5.0000]])
    """
    if r < 1:
        raise ValueError(f"A kernel needs one feature map or more, not {r}.")
    factors = [(i // 2 + 1) * (-1) ** i for i in range(r)]
    maps = [nn.functional.elu(X if a == 1 else a * X).add_(1) for a in factors]
    return maps[0] if r == 1 else torch.cat(maps, dim=-1)


def exponential_kernel(Q: Queries, K: Keys) -> Float[Tensor, "*batch n m"]:
    """exp(qᵀk / √d) for every pair, each row up to a factor, which no smoother sees.

    >>> exponential_kernel(torch.tensor([[4.0]]), torch.tensor([[500.0], [499.5]]))
    tensor([[1.0000, 0.1353]])
    """
    scores = wide(Q) @ wide(K).mT / Q.shape[-1] ** 0.5
    return (scores - scores.amax(-1, keepdim=True)).exp()


def smoothed(
    W: Float[Tensor, "*batch n m"], V: Values, mask: Bool[Tensor, "n m"] | None = None
) -> Answers:
    """A mean of the values, weighted by W: the whole n × m table of it, with any kernel.

    With `exponential_kernel` this is softmax attention, with φ(Q) φ(K)ᵀ linear attention, each by
    the long way.

    >>> smoothed(torch.tensor([[3.0, 1.0]]), torch.tensor([[10.0], [20.0]]))
    tensor([[12.5000]])
    """
    W = W if mask is None else W * mask
    return divided(W @ wide(V), W.sum(-1, keepdim=True)).to(V.dtype)


def state(K: Keys, V: Values, phi: Map = elu_features) -> tuple[State, Norm]:
    """S and z: all keys and values in R (k + 1) numbers, however many there were.

    >>> S, z = state(torch.tensor([[0.0], [1.0]]), torch.tensor([[10.0], [20.0]]))
    >>> S.item(), z.item()  # 1 · 10 + 2 · 20; 1 + 2
    (50.0, 3.0)
    """
    if K.shape[:-1] != V.shape[:-1]:
        raise ValueError(
            f"Keys of shape {tuple(K.shape)} do not fit values of shape {tuple(V.shape)}: "
            "each key needs one value."
        )
    F = phi(wide(K))
    return F.mT @ wide(V), F.sum(-2)


def answers(Q: Queries, S: State, z: Norm, phi: Map = elu_features) -> Answers:
    """φ(q)ᵀS / φ(q)ᵀz for every query: the same state answers them all.

    >>> answers(torch.tensor([[0.0], [7.0]]), torch.tensor([[60.0]]), torch.tensor([3.0])).T
    tensor([[20., 20.]])
    """
    F = phi(wide(Q))
    return divided(F @ S, F @ z.unsqueeze(-1))


def linear_attention(Q: Queries, K: Keys, V: Values, phi: Map = elu_features) -> Answers:
    """φ(Q) (φ(K)ᵀ V), each row divided by φ(Q) (φ(K)ᵀ 1): n R k products, where n² d were.

    >>> linear_attention(torch.tensor([[0.0]]), torch.zeros(2, 1), torch.tensor([[1.0], [5.0]]))
    tensor([[3.]])
    """
    return answers(Q, *state(K, V, phi), phi).to(V.dtype)


def step(
    q: Float[Tensor, "*batch d"],
    k: Float[Tensor, "*batch d"],
    v: Float[Tensor, "*batch k"],
    S: State | float = 0.0,
    z: Norm | float = 0.0,
    phi: Map = elu_features,
) -> tuple[Float[Tensor, "*batch k"], State, Norm]:
    """One token: what it answers, and the next state. The cell of a recurrent network.

    A cache of keys and values grows with the text; S and z are as large after the first token as
    after the millionth, and the next token costs the same.

    >>> one = torch.tensor([0.0])
    >>> y, S, z = step(one, one, torch.tensor([1.0]))
    >>> step(one, one, torch.tensor([5.0]), S, z)[0]
    tensor([3.])
    """
    f = phi(wide(k))
    S, z = S + f.unsqueeze(-1) * wide(v).unsqueeze(-2), z + f
    return answers(q.unsqueeze(-2), S, z, phi).squeeze(-2).to(v.dtype), S, z


def causal_steps(Q: Queries, K: Keys, V: Values, phi: Map = elu_features) -> Answers:
    """Causal linear attention as a recurrent network: `step` along the text, one state kept.

    >>> causal_steps(torch.zeros(3, 1), torch.zeros(3, 1), torch.tensor([[1.0], [3.0], [8.0]])).T
    tensor([[1., 2., 4.]])
    """
    Y, S, z = [], 0.0, 0.0
    for q, k, v in zip(*(X.unbind(-2) for X in (Q, K, V)), strict=True):
        y, S, z = step(q, k, v, S, z, phi)
        Y.append(y)
    return torch.stack(Y, dim=-2)


def causal_sums(Q: Queries, K: Keys, V: Values, phi: Map = elu_features) -> Answers:
    """The same with all states at once: no step waits for another, but n R k numbers are kept.

    >>> causal_sums(torch.zeros(3, 1), torch.zeros(3, 1), torch.tensor([[1.0], [3.0], [8.0]])).T
    tensor([[1., 2., 4.]])
    """
    F = phi(wide(K))
    S = (F.unsqueeze(-1) * wide(V).unsqueeze(-2)).cumsum(-3)
    return answers(Q.unsqueeze(-2), S, F.cumsum(-2), phi).squeeze(-2).to(V.dtype)


def causal_chunks(Q: Queries, K: Keys, V: Values, phi: Map = elu_features, C: int = 64) -> Answers:
    """The same in chunks of C: inside a chunk by the C × C table, all earlier ones by the state.

    As many products as the recurrent form and a few more, but in blocks that a processor likes:
    this is the form to train with. C is as large as makes both halves cost the same: about R.

    >>> V = torch.tensor([[1.0], [3.0], [8.0]])
    >>> causal_chunks(torch.zeros(3, 1), torch.zeros(3, 1), V, C=2).T
    tensor([[1., 2., 4.]])
    """
    if C < 1:
        raise ValueError(f"A chunk holds one token or more, not {C}.")
    shape, dtype = V.shape, V.dtype
    Q, K, V = (X[None].flatten(0, -3) for X in (phi(wide(Q)), phi(wide(K)), wide(V)))
    S, Y, total = V.new_zeros(len(Q), Q.shape[-1], V.shape[-1]), [], []
    z = S.new_zeros(*S.shape[:2], 1)
    for q, k, v in zip(*(X.split(C, dim=1) for X in (Q, K, V)), strict=True):
        W = torch.bmm(q, k.mT).tril_()
        Y.append(torch.baddbmm(torch.bmm(q, S), W, v))
        total.append(torch.baddbmm(W.sum(-1, keepdim=True), q, z))
        S, z = torch.baddbmm(S, k.mT, v), z + k.sum(1).unsqueeze(-1)
    return divided(torch.cat(Y, dim=1), torch.cat(total, dim=1)).reshape(shape).to(dtype)


def lstm_weights(
    W_K: Float[Array, "R e"], W_V: Float[Array, "k e"]
) -> tuple[Float[Array, "units_4 e"], Float[Array, "units_4 units"], Float[Array, " units_4"]]:
    """W, U and b with which chapter 3's `gated_cells.lstm` carries S and z of linear attention.

    Its belt is c ← f ∘ c + i ∘ g. Let a unit stand for each cell of S, i be φ(k) = σ(W_K x) and g
    be v = tanh(W_V x); hold the forget gate open, f = 1, and look at no state, U = 0. z is one more
    column, of v = 1. What an LSTM has besides is that it may close f: it can forget.

    >>> W, U, b = lstm_weights(np.zeros((1, 1)), np.zeros((1, 1)))
    >>> from firth.rnn.gated_cells import lstm
    >>> lstm(np.ones((3, 1)), np.zeros(2), np.zeros(2), W, U, b)[1]  # φ = ½, v = 0
    array([[0. , 0.5],
           [0. , 1. ],
           [0. , 1.5]])
    """
    (R, e), columns, sure = W_K.shape, len(W_V) + 1, 99.0  # σ(99) and tanh(99) are 1
    W, b = np.zeros((4, R, columns, e)), np.zeros((4, R, columns))
    W[0], W[2, :, :-1], b[1], b[2, :, -1] = W_K[:, None], W_V, sure, sure
    units = R * columns
    return W.reshape(-1, e), np.zeros((4 * units, units)), b.ravel()


def wide(X: Tensor) -> Tensor:
    """Half precision as float32: its largest number is soon passed by a sum over a text."""
    return X.float() if X.dtype in (torch.float16, torch.bfloat16) else X


def divided(Y: Answers, total: Float[Tensor, "*batch n 1"]) -> Answers:
    """Weighted sums over the sums of their weights, which must be above 0 to make a mean."""
    if total.numel() and total.min().item() <= 0:
        raise ValueError("Some weights add up to 0 or less: φ must give features above 0.")
    return Y / total
