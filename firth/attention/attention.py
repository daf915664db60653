"""Attention: queries are compared with keys, and the values are mixed by the resulting weights.

    A = softmax(Q Kᵀ / √d)       y_i = Σ_j A_ij v_j           Q (n × d), K (m × d), V (m × k)
    softmax(s)_j = exp(s_j) / Σ_l exp(s_l)                    a row of A sums to 1
    multi-head:    [A_1 V_1  …  A_h V_h] W_Oᵀ                 each head has its own d/h features
    of a decoder:  sᵀh_j  (dot)     sᵀW h_j  (general)     vᵀtanh(W s + U h_j)  (additive)

Batch axes come first, words next, features last. A mask holds True where a query may attend to a
key. A query that may attend to nothing gets weights of 0, where the formula would give NaN.
"""

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray as Array

Queries, Keys, Values = (Float[Array, f"*batch {shape}"] for shape in ("n d", "m d", "m k"))
Weights, Mask = Float[Array, "*batch n m"], Bool[Array, "*#batch #n m"]


def softmax(scores: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
    """Weights along the last axis, an array of the same shape: none is negative, their sum is 1.

    The largest score of each row is subtracted first. This changes no weight, and no exponential
    can overflow. A score of −∞ gives the weight 0, and a row of nothing else gives weights of 0.

    >>> softmax(np.array([[1.0, 0.71], [1001.0, 1000.71], [1.0, -1.0], [-np.inf, -np.inf]]))
    array([[0.57, 0.43],
           [0.57, 0.43],
           [0.88, 0.12],
           [0.  , 0.  ]])
    """
    largest = scores.max(axis=-1, keepdims=True, initial=-np.inf)
    shares = np.exp(scores - np.where(largest == -np.inf, 0, largest))
    total = shares.sum(axis=-1, keepdims=True)
    return shares / np.where(total == 0, 1, total)


def causal_mask(n: int) -> Bool[Array, "{n} {n}"]:
    """The mask that lets word i attend to word j only if j ≤ i, as a table of bools.

    >>> causal_mask(3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 1, 1]])
    """
    return np.tri(n, dtype=bool)


def attention_weights(
    Q: Queries, K: Keys, mask: Mask | None = None, scale: float | None = None
) -> Weights:
    """The attention weights A, with a row for each query and a column for each key.

    The scale is 1/√d if none is given, because the dot product of two vectors with d independent
    numbers of variance 1 has variance d. A mask that does not fit raises a ValueError.

    >>> Q, K = np.array([[4.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
    >>> attention_weights(Q, K)  # scores 4, 0, −4, over √2
    array([[0.94, 0.06, 0.  ]])
    >>> attention_weights(Q, K, mask=np.array([[False, True, True]]))
    array([[0.  , 0.94, 0.06]])
    """
    if (*Q.shape[:-2], Q.shape[-1]) != (*K.shape[:-2], K.shape[-1]):
        raise ValueError(
            f"Queries of shape {Q.shape} do not fit keys of shape {K.shape}: "
            "all but their numbers of words must agree."
        )
    scores = Q * (Q.shape[-1] ** -0.5 if scale is None else scale) @ K.swapaxes(-1, -2)
    if mask is None:
        return softmax(scores)
    if mask.dtype != bool:
        raise ValueError("A mask holds True where a key may be seen, and False elsewhere.")
    if mask.ndim > scores.ndim or any(
        k not in (1, size) for k, size in zip(mask.shape[::-1], scores.shape[::-1], strict=False)
    ):
        raise ValueError(f"A mask of shape {mask.shape} does not fit scores of {scores.shape}.")
    return softmax(np.where(mask, scores, scores.dtype.type(-np.inf)))


def attention(
    Q: Queries, K: Keys, V: Values, mask: Mask | None = None, scale: float | None = None
) -> Float[Array, "*batch n k"]:
    """The output softmax(Q Kᵀ / √d) V: for each query a mean of the values by its weights.

    A query that is close to one key alone gets that key's value.

    >>> K, V = np.array([[9.0, 0.0], [0.0, 9.0]]), np.array([[1.0], [5.0]])
    >>> attention(np.array([[9.0, 0.0], [9.0, 9.0]]), K, V)  # near one key; between the two
    array([[1.],
           [3.]])
    """
    if K.shape[:-1] != V.shape[:-1]:
        raise ValueError(
            f"Keys of shape {K.shape} do not fit values of shape {V.shape}: "
            "each key needs one value."
        )
    return attention_weights(Q, K, mask, scale) @ V


def self_attention(X: Queries) -> Queries:
    """The output softmax(X Xᵀ) X of self-attention without matrices, a row for each word.

    If the words are permuted, the rows of the output are permuted in the same way.

    >>> self_attention(np.array([[2.0, 0.0], [0.0, 2.0]]))
    array([[1.96, 0.04],
           [0.04, 1.96]])
    """
    return attention(X, X, X, scale=1.0)


def attention_gradients(
    G: Float[Array, "*batch n k"],
    Q: Queries,
    K: Keys,
    V: Values,
    mask: Mask | None = None,
    scale: float | None = None,
) -> tuple[Queries, Keys, Values]:
    """The gradients of a loss J with respect to Q, K and V, as three arrays.

    G is the gradient of J with respect to the output of `attention`. For a score it is
    ∂J/∂s_j = a_j (G·v_j − G·y), where y is the output of the query.

    >>> one = np.array([[1.0], [1.0]])
    >>> attention_gradients(np.array([[1.0]]), np.array([[0.0]]), one, np.array([[1.0], [3.0]]))[2]
    array([[0.5],
           [0.5]])
    """
    A = attention_weights(Q, K, mask, scale)
    dA = G @ V.swapaxes(-1, -2)
    dS = A * (dA - (A * dA).sum(axis=-1, keepdims=True))
    dS *= Q.shape[-1] ** -0.5 if scale is None else scale
    return dS @ K, dS.swapaxes(-1, -2) @ Q, A.swapaxes(-1, -2) @ G


def projected(X: Float[Array, "*batch n d"], W: Float[Array, "k d"]) -> Float[Array, "*batch n k"]:
    """The product X Wᵀ, with a row for each word: every word is multiplied by the same matrix.

    >>> projected(np.array([[1.0, 2.0]]), np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]))
    array([[2., 1., 3.]])
    """
    if X.shape[-1] != W.shape[-1]:
        raise ValueError(
            f"A matrix of shape {W.shape} takes words of {W.shape[-1]} features, "
            f"and these have {X.shape[-1]}."
        )
    return X @ W.T


def split(X: Float[Array, "*batch n d"], heads: int) -> Float[Array, "*batch {heads} n d/{heads}"]:
    """A table for each head: its part of the columns of X, which are queries, keys or values.

    The first head gets the first d/heads columns, and so on. Nothing is computed or copied.

    >>> split(np.array([[1.0, 2.0, 3.0, 4.0]]), heads=2)
    array([[[1., 2.]],
    <BLANKLINE>
           [[3., 4.]]])
    """
    if heads < 1 or X.shape[-1] % heads:
        raise ValueError(f"{X.shape[-1]} features cannot be shared equally by {heads} heads.")
    return X.reshape(*X.shape[:-1], heads, X.shape[-1] // heads).swapaxes(-2, -3)


def join(Z: Float[Array, "*batch heads n k"]) -> Float[Array, "*batch n heads*k"]:
    """The tables of the heads side by side in one table: the inverse of `split`.

    >>> join(np.array([[[1.0, 2.0]], [[3.0, 4.0]]]))
    array([[1., 2., 3., 4.]])
    """
    *batch, heads, n, k = Z.shape
    return Z.swapaxes(-2, -3).reshape(*batch, n, heads * k)


def multi_head(
    X: Float[Array, "*batch n d"],
    W_Q: Float[Array, "k d"],
    W_K: Float[Array, "k e"],
    W_V: Float[Array, "l e"],
    W_O: Float[Array, "o l"],
    heads: int,
    mask: Mask | None = None,
    Y: Float[Array, "*batch m e"] | None = None,
) -> Float[Array, "*batch n o"]:
    """The output of attention with several heads, a row for each word of X.

    Each head has its own rows of W_Q, W_K and W_V and sees whole word vectors. W_O mixes the
    results. Queries come from X, keys and values from another text Y or, without one, from X.

    >>> X, I = np.array([[9.0, 0.0], [0.0, 9.0]]), np.eye(2)
    >>> multi_head(X, I, I, I, I, heads=1)  # each word attends to itself
    array([[9., 0.],
           [0., 9.]])
    >>> multi_head(X, I, I, I, I, heads=2)  # each head has one number of each word
    array([[9. , 4.5],
           [4.5, 9. ]])
    """
    Y = X if Y is None else Y
    Q, K, V = (split(projected(A, W), heads) for A, W in [(X, W_Q), (Y, W_K), (Y, W_V)])
    mask = None if mask is None else mask[..., None, :, :]
    return projected(join(attention(Q, K, V, mask)), W_O)


def dot_scores(
    s: Float[Array, "*batch d"], H: Float[Array, "*batch m d"]
) -> Float[Array, "*batch m"]:
    """The scores sᵀh_j, one for each row of H; they have no parameters.

    >>> dot_scores(np.array([1.0, 2.0]), np.array([[3.0, 0.0], [0.0, 3.0]]))
    array([3., 6.])
    """
    return (H @ s[..., None])[..., 0]


def general_scores(
    s: Float[Array, "*batch d"], H: Float[Array, "*batch m e"], W: Float[Array, "d e"]
) -> Float[Array, "*batch m"]:
    """The scores sᵀW h_j, one for each row of H; the matrix W is learned.

    >>> swap = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> general_scores(np.array([1.0, 2.0]), np.array([[3.0, 0.0], [0.0, 3.0]]), swap)
    array([6., 3.])
    """
    return dot_scores(s @ W, H)


def additive_scores(
    s: Float[Array, "*batch d"],
    H: Float[Array, "*batch m e"],
    W: Float[Array, "a d"],
    U: Float[Array, "a e"],
    v: Float[Array, " a"],
) -> Float[Array, "*batch m"]:
    """The scores vᵀtanh(W s + U h_j) of Bahdanau and others (2015), one for each row of H.

    >>> one = np.array([[1.0]])
    >>> additive_scores(np.array([1.0]), np.array([[-1.0], [9.0]]), one, one, v=np.array([2.0]))
    array([0., 2.])
    """
    return np.tanh((s @ W.T)[..., None, :] + H @ U.T) @ v
