"""What learners write for exercise 7: wrong answers with words of the question each deserves, and
inputs of which the claims know nothing."""

import math

import numpy as np

exp = np.exp


def softmax(x):
    parts = exp(x - x.max(axis=-1, keepdims=True))
    return parts / parts.sum(axis=-1, keepdims=True)


# --- 7.1 -------------------------------------------------------------------------------------


def with_if(X):
    return X + 1 if X > 0 else exp(X)


def elu_itself(X):
    return np.where(X > 0, X, exp(np.minimum(X, 0)) - 1)


def in_place(X):
    low = X <= 0
    X[low] = exp(X[low])
    X[~low] += 1
    return X


def for_a_table(X):
    return np.array([[x + 1 if x > 0 else exp(x) for x in row] for row in X])


def both_sides_added(X):
    return (X > 0) * (X + 1) + (X <= 0) * exp(X)


def one_side_after_the_other(X):
    Y = X.copy()
    Y[X <= 0] = exp(X[X <= 0])
    Y[Y > 0] += 1
    return Y


def row_and_column(X):
    Y = np.zeros(X.shape)
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            Y[i, j] = X[i, j] + 1 if X[i, j] > 0 else exp(X[i, j])
    return Y


FEATURE_MAP = [
    (with_if, "ask each number"),
    (one_side_after_the_other, "what has become eˣ still below 0"),
    (row_and_column, "one axis only"),
    (lambda X: math.exp(X), "which module's take a table"),
    (lambda X: 1 + exp(X), "What is exp(1000) to a computer"),
    (lambda X: np.where(X > 0, X + 1, X), "Take 1000 and −2"),
    (elu_itself, "goes down to −1"),
    (in_place, "write into X"),
    (for_a_table, "one axis only"),
    (both_sides_added, "even if 0 is to multiply it"),
    (lambda X: X + 1, "is −5 + 1 above 0"),
    (lambda X: exp(X), "can it hold x = 1000"),
    (lambda X: np.where(X > 0, exp(np.minimum(X, 700)), X + 1), "each other's formula"),
    (lambda X: np.maximum(X, 0), "features are all 0"),
    (lambda X: np.maximum(X, 0) + 1, "cut off below 0"),
    (lambda X: np.log(1 + exp(X)), "That is softplus"),
    (lambda X: np.where(X > 0, X + 1, exp(-X)), "what does the formula make of them"),
    (lambda X: abs(X) + 1, "The sign is gone"),
]


# --- 7.2 -------------------------------------------------------------------------------------


def quadratic(Q, K, V):
    W = Q @ K.T
    return W / W.sum(axis=1, keepdims=True) @ V


def quadratic_in_single_precision(Q, K, V):
    W = (Q.astype(np.float32) @ K.T.astype(np.float32)).astype(np.float64)
    return W @ V / W.sum(axis=1)[:, None]


def three_way(Q, K, V):
    W = np.einsum("nr,mr->nm", Q, K)
    return np.einsum("nm,mk->nk", W, V) / W.sum(axis=1)[:, None]


def sums_in_a_row(Q, K, V):
    return Q @ (K.T @ V) / (Q @ K.sum(axis=0))


def halves_it(Q, K, V):
    Q /= Q.sum(axis=1, keepdims=True)
    return Q @ (K.T @ V) / (Q @ K.sum(axis=0))[:, None]


def with_features_of_its_own(Q, K, V):
    Q, K = (np.where(X > 0, X + 1, exp(np.minimum(X, 0))) for X in (Q, K))
    return Q @ (K.T @ V) / (Q @ K.sum(axis=0))[:, None]


def feature_by_feature(Q, K, V):
    return Q @ (K.T @ V / K.sum(axis=0)[:, None])


def shares_of_the_keys(Q, K, V):
    W = Q @ K.T
    return W / W.sum(axis=0) @ V


LINEAR_ATTENTION = [
    (feature_by_feature, "by its own sum"),
    (shares_of_the_keys, "a key's or a query's"),
    (lambda Q, K, V: Q @ (K.T @ V / K.sum(axis=0)), "A query's sum of weights is one number"),
    (lambda Q, K, V: Q @ (K.T @ V) / (Q @ K.sum(axis=1))[:, None], "a vector of R numbers"),
    (quadratic, "Which two of Q, Kᵀ and V can meet first"),
    (quadratic_in_single_precision, "Which two of Q, Kᵀ and V can meet first"),
    (three_way, "Which two of Q, Kᵀ and V can meet first"),
    (sums_in_a_row, "[:, None]"),
    (halves_it, "write into Q"),
    (with_features_of_its_own, "do you map them once more"),
    (lambda Q, K, V: Q @ (K.T @ V), "Where are the weights' sums"),
    (lambda Q, K, V: Q @ (K.T @ V) / len(K), "do all weigh the same"),
    (lambda Q, K, V: Q @ (K.T @ V) / K.sum(), "whose sums does each query need"),
    (lambda Q, K, V: softmax(Q @ K.T) @ V, "softmax once more"),
    (lambda Q, K, V: quadratic(Q, K, K), "You mix the keys"),
    (lambda Q, K, V: quadratic(K, Q, V), "who asks"),
    (lambda Q, K, V: Q @ K.T @ V / Q.sum(axis=1)[:, None], "where are the keys in it"),
    (lambda Q, K, V: Q @ (K @ V), "Which shapes meet"),
    (lambda Q, K, V: V.mean(axis=0) + 0 * Q @ (K.T @ V), "where do the features come in"),
]


# --- 7.3 -------------------------------------------------------------------------------------


def by_the_triangle(Q, K, V):
    W = np.tril(Q @ K.T)
    return W @ V / W.sum(axis=1, keepdims=True)


def reading(add=lambda S, k, v: S + np.outer(k, v), count=lambda z, k: z + k, first="state"):
    def linear_rnn(Q, K, V):
        S, z, Y = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1]), []
        for t in range(len(Q)):
            if first == "state":
                S, z = add(S, K[t], V[t]), count(z, K[t])
            Y.append(Q[t] @ S / (Q[t] @ z if z.any() else 1))
            if first == "answer":
                S, z = add(S, K[t], V[t]), count(z, K[t])
        return np.array(Y)

    return linear_rnn


def nothing_yet(Q, K, V):
    with np.errstate(all="ignore"):
        S = np.cumsum(K[:, :, None] * V[:, None, :], axis=0) - K[:, :, None] * V[:, None, :]
        z = np.cumsum(K, axis=0) - K
        return np.einsum("tr,trk->tk", Q, S) / (Q * z).sum(axis=1)[:, None]


def overwrites(Q, K, V):
    for t in range(1, len(K)):
        K[t] += K[t - 1]
    return reading()(Q, K, V)


def one_number(Q, K, V):
    S, z, Y = np.zeros((K.shape[1], V.shape[1])), 0, []
    for q, k, v in zip(Q, K, V, strict=True):
        S, z = S + np.outer(k, v), z + k.sum()
        Y.append(q @ S / (q @ z))
    return np.array(Y)


def sum_of_weights(Q, K, V):
    S, z, Y = np.zeros((K.shape[1], V.shape[1])), 0, []
    for q, k, v in zip(Q, K, V, strict=True):
        S, z = S + np.outer(k, v), z + q @ k
        Y.append(q @ S / z)
    return np.array(Y)


def with_its_own_query(Q, K, V):
    own = (Q * K).sum(axis=1)[:, None]
    return np.cumsum(own * V, axis=0) / np.cumsum(own, axis=0)


LINEAR_RNN = [
    (with_its_own_query, "whose query asks at word t"),
    (lambda Q, K, V: reading()(Q + 1, K + 1, V), "do you map them once more"),
    (reading(count=lambda z, k: z + np.append(k, 0)), "z is R numbers"),
    (by_the_triangle, "a number for each pair of words"),
    (reading(first="answer"), "what does the first one see"),
    (nothing_yet, "before or after k and v are added"),
    (overwrites, ""),
    (reading(add=lambda S, k, v: np.outer(k, v), count=lambda z, k: k), "made anew at each step"),
    (reading(add=lambda S, k, v: np.outer(k, v)), "and z is not"),
    (reading(count=lambda z, k: k), "and S is not"),
    (
        reading(
            lambda S, k, v: S / 2 + np.outer(k, v) / 2,
            lambda z, k: z / 2 + k / 2,
        ),
        "let anything fade",
    ),
    (lambda Q, K, V: quadratic(Q, K, V), "Every word sees the whole text"),
    (lambda Q, K, V: reading()(K, K, V), "You ask with the key"),
    (lambda Q, K, V: reading()(Q[::-1], K[::-1], V[::-1])[::-1], "You read from the end"),
    (lambda Q, K, V: reading()(Q, K, V)[-1], "the last word's answer alone"),
    (lambda Q, K, V: np.tril(Q @ K.T) @ V, "Where are the weights' sums"),
    (reading(add=lambda S, k, v: S + np.outer(v, k)), "which shape has yours"),
    (reading(add=lambda S, k, v: S + np.outer(v, k)), "np.outer(k, v): a row for each"),
    (reading(add=lambda S, k, v: S + k * v), "number by number"),
    (reading(add=lambda S, k, v: S + k.T @ v), "makes a table of them"),
    (reading(add=lambda S, k, v: S + k.T @ v), "is one number: np.outer"),
    (reading(add=lambda S, k, v: S + k.T.dot(v)), "is one number: np.outer"),
    (one_number, "one for each feature"),
    (sum_of_weights, "one for each feature"),
    (reading(count=lambda z, k: z + k.sum()), "one for each feature"),
]


# --- 7.4 -------------------------------------------------------------------------------------


def pieced(cut=np.tril, inside=1.0, before=1.0, below=None, whole=None):
    def chunk(Q, K, V, S, z):
        W = cut(Q @ K.T)
        sums = below(W, Q, z) if below else W.sum(axis=1) + Q @ z
        return (inside * W @ V + before * Q @ S) / sums[:, None]

    return chunk


def moves_the_state_on(Q, K, V, S, z):
    answer = pieced()(Q, K, V, S, z)
    S += K.T @ V
    z += K.sum(axis=0)
    return answer


def sums_across(Q, K, V, S, z):
    W = np.tril(Q @ K.T)
    return (W @ V + Q @ S) / (W.sum(axis=1) + Q @ z)


def two_means(Q, K, V, S, z):
    W = np.tril(Q @ K.T)
    return W @ V / W.sum(axis=1)[:, None] + Q @ S / (Q @ z)[:, None]


def cut_above_alone(Q, K, V, S, z):
    W = Q @ K.T
    return (np.tril(W) @ V + Q @ S) / (W.sum(axis=1) + Q @ z)[:, None]


def cut_below_alone(Q, K, V, S, z):
    W = Q @ K.T
    return (W @ V + Q @ S) / (np.tril(W).sum(axis=1) + Q @ z)[:, None]


def next_state_as_well(Q, K, V, S, z):
    return pieced()(Q, K, V, S, z), S + K.T @ V, z + K.sum(axis=0)


def hidden_by_infinity(W):
    return np.where(np.tri(len(W)) > 0, W, -np.inf)


CHUNK = [
    (cut_above_alone, "and for the sums of weights"),
    (cut_below_alone, "and for the sums of values"),
    (next_state_as_well, "who makes the next state"),
    (pieced(cut=hidden_by_infinity), "what hides a weight"),
    (pieced(cut=lambda W: np.tril(W.T)), "belong to keys"),
    (pieced(below=lambda W, Q, z: W.sum(axis=1) + z.sum()), "what does each query make of it"),
    (lambda Q, K, V, S, z: pieced()(Q + 1, K + 1, V, S, z), "do you map them once more"),
    (two_means, "do two means add up to one"),
    (two_means, "is that the mean of all"),
    (moves_the_state_on, "Do you write into S or z"),
    (sums_across, "[:, None]"),
    (pieced(before=0.0, below=lambda W, Q, z: W.sum(axis=1)), "S and z hold them"),
    (pieced(before=0.0), "where is S in the sum"),
    (pieced(below=lambda W, Q, z: W.sum(axis=1)), "where is z in the sum"),
    (pieced(below=lambda W, Q, z: Q @ z), "inside the chunk in what you divide by"),
    (pieced(cut=lambda W: W), "every word sees all others"),
    (pieced(cut=np.triu), "what comes after them"),
    (pieced(cut=lambda W: np.tril(W, -1)), "does the diagonal stay"),
    (pieced(below=lambda W, Q, z: 1 + 0 * (Q @ z)), "Where are the weights' sums"),
    (pieced(below=lambda W, Q, z: W.sum(axis=0) + Q @ z), "add up columns"),
    (lambda Q, K, V, S, z: (Q @ S) / (Q @ z)[:, None], "words of the chunk itself"),
    (lambda Q, K, V, S, z: np.tril(Q @ K) @ V, "Which shapes meet"),
]


# --- 7.5 -------------------------------------------------------------------------------------


def near(
    lowest=lambda i, w: max(0, i - w), highest=lambda i, w: i + w + 1, root=None, share=softmax
):
    def banded_attention(Q, K, V, w):
        Y = np.zeros((len(Q), V.shape[1]))
        for i in range(len(Q)):
            j = slice(lowest(i, w), highest(i, w))
            scores = K[j] @ Q[i] / (root(K, j) if root else np.sqrt(Q.shape[1]))
            Y[i] = share(scores) @ V[j]
        return Y

    return banded_attention


def by_the_mask(fill=-np.inf):
    def banded_attention(Q, K, V, w):
        i, j = np.ogrid[: len(Q), : len(K)]
        scores = Q @ K.T / np.sqrt(Q.shape[1])
        return softmax(np.where(abs(i - j) <= w, scores, fill)) @ V

    return banded_attention


def cut_off_late(Q, K, V, w):
    i, j = np.ogrid[: len(Q), : len(K)]
    return softmax(Q @ K.T / np.sqrt(Q.shape[1])) * (abs(i - j) <= w) @ V


def rows_of_all_scores(Q, K, V, w):
    j, Y = np.arange(len(K)), []
    for i, q in enumerate(Q):
        scores = K @ q / np.sqrt(len(q))
        Y.append(softmax(np.where(abs(j - i) <= w, scores, -np.inf)) @ V)
    return np.array(Y)


def with_zeros_at_the_ends(Q, K, V, w):
    none = np.zeros((w, K.shape[1])), np.zeros((w, V.shape[1]))
    K, V = (np.vstack([zeros, X, zeros]) for zeros, X in zip(none, (K, V), strict=True))
    return near(lowest=lambda i, w: i, highest=lambda i, w: i + 2 * w + 1)(Q, K, V, w)


def by_features(Q, K, V, w):
    Q, K = (np.where(X > 0, X + 1, exp(np.minimum(X, 0))) for X in (Q, K))
    return near(share=lambda x: x / x.sum())(Q, K, V, w)


def plain_share(x):
    return exp(x) / exp(x).sum()


def scaled_in_place(Q, K, V, w):
    Q /= np.sqrt(Q.shape[1])
    return near(root=lambda K, j: 1.0)(Q, K, V, w)


def at_places(where):
    def banded_attention(Q, K, V, w):
        n, root = len(Q), np.sqrt(Q.shape[1])
        seen = [where(np.arange(i - w, i + w + 1), n) for i in range(n)]
        return np.array([softmax(K[j] @ q / root) @ V[j] for q, j in zip(Q, seen, strict=True)])

    return banded_attention


def but_for_the_last(Q, K, V, w):
    n, Y = len(Q), np.zeros((len(Q), V.shape[1]))
    for i in range(n):
        j = slice(max(0, i - w), min(n - 1, i + w + 1))
        Y[i] = softmax(K[j] @ Q[i] / np.sqrt(Q.shape[1])) @ V[j]
    return Y


def shifted_by_the_mean(x):
    return plain_share(x - x.mean())


def shifted_by_one_for_all(Q, K, V, w):
    highest = (Q @ K.T).max() / np.sqrt(Q.shape[1])
    return near(share=lambda x: plain_share(x - highest))(Q, K, V, w)


BANDED_ATTENTION = [
    (near(lowest=lambda i, w: 0), "where does the band begin"),
    (near(share=lambda x: plain_share(np.clip(x, -700, 700))), "1000 and 1001"),
    (but_for_the_last, "how large may that be"),
    (at_places(lambda j, n: j), "where do the places of a text begin and end"),
    (at_places(lambda j, n: np.clip(j, 0, n - 1)), "outermost word more than once"),
    (at_places(lambda j, n: j % n), "is a ring"),
    (lambda Q, K, V, w: near()(K, Q, V, w), "Your keys ask the queries"),
    (near(share=shifted_by_the_mean), "exp(1000)"),
    (shifted_by_one_for_all, "exp(1000)"),
    (near(lowest=lambda i, w: max(0, i - w) + (i == 0)), "whom the first"),
    (by_the_mask(), "a number for each pair of words"),
    (by_the_mask(0.0), "what is e⁰"),
    (rows_of_all_scores, "What is 0 times ∞"),
    (with_zeros_at_the_ends, "a word that is not there"),
    (by_features, "softmax of their scores"),
    (near(share=lambda x: x / x.sum()), "softmax of their scores"),
    (lambda Q, K, V, w: near()(Q, K, V, w // 2), "half as wide"),
    (lambda Q, K, V, w: near()(Q, K, V, max(w - 1, 0)), "too narrow by one"),
    (cut_off_late, "when the sharing is over"),
    (near(lowest=lambda i, w: i - w), "counts from the end"),
    (near(highest=lambda i, w: i + w), "the place of its second number"),
    (near(highest=lambda i, w: i + 1), "how far ahead"),
    (near(lowest=lambda i, w: max(0, i - w - 1), highest=lambda i, w: i + w + 2), "too wide"),
    (near(lowest=lambda i, w: 0, highest=lambda i, w: 10**6), "where does the band end"),
    (near(root=lambda K, j: 1.0), "By what are the scores divided"),
    (near(root=lambda K, j: np.sqrt(len(K[j]))), "By what are the scores divided"),
    (near(share=plain_share), "exp(1000)"),
    (near(share=lambda x: x), "Where is the softmax"),
    (near(share=lambda x: np.full(len(x), 1 / len(x))), "All neighbours weigh the same"),
    (lambda Q, K, V, w: near()(Q, K, K, w), "You mix the keys"),
    (scaled_in_place, "Do you write into Q"),
]


# --- 7.6 -------------------------------------------------------------------------------------


def waves(X, Y, W, sign=-1):
    return np.cos(X @ W.T + sign * (Y @ W.T))


def features_alone(X, Y, W):
    z = [np.cos(A @ W.T) for A in (X, Y)]
    c = z[0] * z[1]
    return np.array([c.mean(axis=1), c.var(axis=1, ddof=1) / len(W)])


def estimating(spread, mean=lambda c: c.mean(axis=1), sign=-1):
    return lambda X, Y, W: np.array([mean(waves(X, Y, W, sign)), spread(waves(X, Y, W, sign), W)])


def usual(c, W):
    return c.var(axis=1, ddof=1) / len(W)


def every_pair(X, Y, W):
    return np.cos(X @ W.T) @ np.cos(Y @ W.T).T / len(W) + np.sin(X @ W.T) @ np.sin(Y @ W.T).T


def centres_in_place(X, Y, W):
    X -= Y
    return estimating(usual)(X, 0 * Y, W)


def means_in_a_row(X, Y, W):
    c = np.cos((X - Y) @ W.T)
    m = c.mean(axis=1)
    return np.array([m, ((c - m) ** 2).sum(axis=1) / (len(W) - 1) / len(W)])


def number_by_number(X, Y, W):
    c = np.cos((X - Y) * W)
    return np.array([c.mean(axis=1), c.var(axis=1, ddof=1) / len(W)])


def over_the_pairs(X, Y, W):
    c = np.cos((X - Y) @ W.T)
    return np.array([c.mean(axis=0), c.var(axis=0, ddof=1) / len(W)])


KERNEL_ESTIMATE = [
    (over_the_pairs, "a mean over the pairs"),
    (estimating(usual, mean=lambda c: c.mean(axis=0)), "along which axis of the cosines"),
    (means_in_a_row, "as a column, m[:, None]"),
    (number_by_number, "summed: @ W.T"),
    (features_alone, "what else belongs to it"),
    (estimating(usual, sign=1), "You add y"),
    (estimating(usual, mean=lambda c: c.sum(axis=1)), "what does a mean divide by"),
    (estimating(lambda c, W: c.var(axis=1, ddof=1)), "how far one draw spreads"),
    (estimating(lambda c, W: c.var(axis=1) / len(W)), "so how many are left"),
    (estimating(lambda c, W: np.sqrt(usual(c, W))), "standard deviation"),
    (estimating(lambda c, W: c.var(axis=1, ddof=1) / len(c)), "the number of pairs"),
    (estimating(lambda c, W: usual(c, W) / len(W)), "divide by R twice"),
    (lambda X, Y, W: estimating(usual)(X, Y, W)[::-1], "The estimate first"),
    (lambda X, Y, W: estimating(usual)(X, Y, W)[0], "the estimate alone"),
    (lambda X, Y, W: estimating(usual)(X, Y, W).T, "which two rows"),
    (lambda X, Y, W: np.cos((X - Y) @ W), "one of them must be turned"),
    (every_pair, "shape"),
    (centres_in_place, "Do you write into X"),
]


# --- 7.7 -------------------------------------------------------------------------------------


def least_squares(D, L, A):
    return np.linalg.lstsq(np.stack([D.ravel(), L.ravel()], axis=1), A.ravel(), rcond=None)[0]


def mended(D, L, A, both=least_squares):
    w = both(D, L, A)
    for i, other in enumerate((L, D)):
        if w[i] < 0:
            w = np.zeros(2)
            w[1 - i] = max(0.0, (other * A).sum() / (other**2).sum())
            break
    return w


def by_normal_equations(D, L, A):
    X = np.stack([D.ravel(), L.ravel()], axis=1)
    return np.linalg.solve(X.T @ X, X.T @ A.ravel())


def by_the_determinant(D, L, A):
    dd, dl, ll = (D * D).sum(), (D * L).sum(), (L * L).sum()
    da, la = (D * A).sum(), (L * A).sum()
    return np.array([da * ll - la * dl, la * dd - da * dl]) / (dd * ll - dl * dl)


def by_rows(D, L, A):
    return np.linalg.lstsq(np.hstack([D, L]), A, rcond=None)[0]


def adds_up_to_one(D, L, A):
    w = mended(D, L, A)
    return w / max(w.sum(), 1e-9)


def with_a_constant(D, L, A):
    X = np.stack([D.ravel(), L.ravel(), np.ones(D.size)], axis=1)
    return np.linalg.lstsq(X, A.ravel(), rcond=None)[0][:2]


def taken_away(D, L, A):
    w = mended(D, L, A)
    A -= w[0] * D
    return w


def kept(D, L, A, which):
    w = least_squares(D, L, A)
    if w.min() < 0:
        i = which(w)
        X, w = (D, L)[i], np.zeros(2)
        w[i] = max(0.0, (X * A).sum() / (X**2).sum())
    return w


def the_rest_for_the_far(D, L, A):
    near = (D * A).sum() / (D * D).sum()
    return np.maximum([near, (L * (A - near * D)).sum() / (L * L).sum()], 0)


def nothing_where_it_is_singular(D, L, A):
    try:
        return mended(D, L, A, by_normal_equations)
    except np.linalg.LinAlgError:
        return np.zeros(2)


def all_four(D, L, A):
    return np.linalg.lstsq(np.stack([D.ravel(), L.ravel()], axis=1), A.ravel(), rcond=None)


BLEND = [
    (lambda D, L, A: kept(D, L, A, lambda w: abs(w).argmax()), "how much of L is best"),
    (lambda D, L, A: kept(D, L, A, np.argmin), "If L must not, how much of D"),
    (the_rest_for_the_far, "would L first give the same"),
    (nothing_where_it_is_singular, "how much of it is best"),
    (all_four, "returns four things"),
    (lambda D, L, A: np.maximum(all_four(D, L, A).min(), 0), "returns four things"),
    (lambda D, L, A: mended(D, L, A, by_normal_equations), "lstsq does not mind"),
    (lambda D, L, A: mended(D, L, A, by_the_determinant), "lstsq does not mind"),
    (least_squares, "what is the least it may be"),
    (lambda D, L, A: np.maximum(least_squares(D, L, A), 0), "when it is alone"),
    (lambda D, L, A: abs(least_squares(D, L, A)), "The sign is gone"),
    (
        lambda D, L, A: np.array([(P * A).sum() / (P * P).sum() for P in (D, L)]),
        "how often is counted",
    ),
    (lambda D, L, A: mended(D, L, A)[::-1], "whose comes first"),
    (lambda D, L, A: mended(D, L, A) ** 2, "squares of the weights"),
    (adds_up_to_one, "was that asked for"),
    (with_a_constant, "who will add it"),
    (by_rows, "shape"),
    (lambda D, L, A: np.linalg.lstsq(np.stack([D, L]), A)[0], "one column for each of the two"),
    (lambda D, L, A: (0.5, 0.5), "Half of each"),
    (taken_away, "Do you write into D, L or A"),
]


# --- 7.8 -------------------------------------------------------------------------------------


def lines(x=np.log, y=np.log, end=exp, over=lambda p, q: p - q):
    def crossover(n_slow, t_slow, n_fast, t_fast):
        p, a = np.polyfit(x(n_slow), y(t_slow), 1)
        q, b = np.polyfit(x(n_fast), y(t_fast), 1)
        return end((b - a) / over(p, q))

    return crossover


def first_faster(n_slow, t_slow, n_fast, t_fast):
    return next((n for n, t, u in zip(n_slow, t_slow, t_fast) if u < t), n_fast[0])  # noqa: B905


def two_points(n_slow, t_slow, n_fast, t_fast):
    ends = [0, -1]
    return lines()(n_slow[ends], t_slow[ends], n_fast[ends], t_fast[ends])


def logs_in_place(n_slow, t_slow, n_fast, t_fast):
    for each in (n_slow, t_slow, n_fast, t_fast):
        np.log(each, out=each)
    return lines(x=lambda n: n, y=lambda t: t)(n_slow, t_slow, n_fast, t_fast)


def side_by_side(n_slow, t_slow, n_fast, t_fast):
    return lines()(n_slow, t_slow, n_slow, t_fast)


def one_over(n_slow, t_slow, n_fast, t_fast):
    return 1 / lines()(n_slow, t_slow, n_fast, t_fast)


def intercept_first(n_slow, t_slow, n_fast, t_fast):
    a, p = np.polyfit(np.log(n_slow), np.log(t_slow), 1)
    b, q = np.polyfit(np.log(n_fast), np.log(t_fast), 1)
    return exp((b - a) / (p - q))


def whole(n_slow, t_slow, n_fast, t_fast):
    return int(np.ceil(lines()(n_slow, t_slow, n_fast, t_fast)))


def in_common(n_slow, t_slow, n_fast, t_fast):
    n, i, j = np.intersect1d(n_slow, n_fast, return_indices=True)
    return lines()(n, t_slow[i], n, t_fast[j])


def time_first(n_slow, t_slow, n_fast, t_fast):
    return lines()(t_slow, n_slow, t_fast, n_fast)


def bracketed(log_of):
    def crossover(n_slow, t_slow, n_fast, t_fast):
        p, a = np.polyfit(np.log(n_slow), np.log(t_slow), 1)
        q, b = np.polyfit(np.log(n_fast), np.log(t_fast), 1)
        return exp(log_of(a, p, b, q))

    return crossover


def columns_of_logs(n_slow, t_slow, n_fast, t_fast):
    X = np.stack([np.log(n_slow), np.ones(len(n_slow))], axis=1)
    p, a = np.linalg.lstsq(X, np.log(t_slow), rcond=None)[0]
    q, b = np.linalg.lstsq(X, np.log(t_fast), rcond=None)[0]
    return exp((b - a) / (p - q))


CROSSOVER = [
    (bracketed(lambda a, p, b, q: a + p * (b - a) / (p - q)), "at which length do they"),
    (time_first, "at which length do they"),
    (bracketed(lambda a, p, b, q: b - a / p - q), "Where do your brackets stand"),
    (bracketed(lambda a, p, b, q: (b - a) / p - q), "Where do your brackets stand"),
    (columns_of_logs, "lengths of its own"),
    (lines(end=lambda x: 10**x), "and raise 10"),
    (intercept_first, "slope or intercept"),
    (whole, "Return the number itself"),
    (in_common, "no length in common"),
    (lines(end=lambda x: x), "which number has it"),
    (lines(x=lambda n: n, y=lambda t: t, end=lambda x: x), "no straight line"),
    (lines(y=lambda t: t), "no straight line"),
    (lines(over=lambda p, q: 1), "take the slopes for 2 and 1"),
    (lines(over=lambda p, q: p + q), "You add the slopes"),
    (lines(x=np.log10, y=np.log10), "base 10"),
    (lines(x=np.log2, y=np.log2), "base 2"),
    (one_over, "one over the length"),
    (first_faster, ""),
    (two_points, "what of the others"),
    (side_by_side, "lengths of its own"),
    (logs_in_place, "write into the lists"),
]

WRONG = {
    "feature_map": FEATURE_MAP,
    "linear_attention": LINEAR_ATTENTION,
    "linear_rnn": LINEAR_RNN,
    "chunk": CHUNK,
    "banded_attention": BANDED_ATTENTION,
    "kernel_estimate": KERNEL_ESTIMATE,
    "blend": BLEND,
    "crossover": CROSSOVER,
}


# --- inputs ----------------------------------------------------------------------------------


def numbers_like(rng):
    shape = tuple(int(n) for n in rng.integers(1, 5, size=rng.integers(1, 4)))
    X = rng.normal(size=shape) * rng.choice([0.01, 1.0, 20.0, 900.0])
    X.flat[0] = rng.choice([0.0, X.flat[0]])
    return (np.maximum(X, -40),)


def mixtures_like(rng):
    n, m, R, k = (int(x) for x in rng.integers(1, 6, size=4))
    return rng.gamma(1, size=(n, R)), rng.gamma(1, size=(m, R)), rng.normal(size=(m, k))


def texts_like(rng):
    n, R, k = (int(x) for x in rng.integers(1, 6, size=3))
    return rng.gamma(1, size=(n, R)), rng.gamma(1, size=(n, R)), rng.normal(size=(n, k))


def chunks_like(rng):
    Q, K, V = texts_like(rng)
    before = rng.choice([0.0, 1.0, 10.0])
    S, z = rng.normal(size=(Q.shape[1], V.shape[1])), rng.gamma(2, size=Q.shape[1])
    return Q, K, V, before * S, before * z


def bands_like(rng):
    n, d, k = (int(x) for x in rng.integers(1, 8, size=3))
    loud = rng.choice([1.0, 1000.0])
    w = int(rng.integers(0, 9))
    return loud * rng.normal(size=(n, d)), rng.normal(size=(n, d)), rng.normal(size=(n, k)), w


def pairs_like(rng):
    n, d, R = int(rng.integers(1, 5)), int(rng.integers(1, 4)), int(rng.integers(2, 7))
    return rng.normal(size=(n, d)), rng.normal(size=(n, d)), rng.normal(size=(R, d))


def fields_like(rng):
    n = int(rng.integers(2, 5))
    D, L = rng.gamma(1, size=(2, n, n))
    near, far = rng.normal(size=2)
    return D, L, near * D + far * L + 0.1 * rng.normal(size=(n, n))


def measured_like(rng):
    p, q = rng.uniform(1.6, 2.2), rng.uniform(0.8, 1.2)
    slow, fast = (100 * 2.0 ** np.arange(rng.integers(2, 6)) for _ in range(2))
    noise = rng.choice([0.0, 0.1])
    times = [
        c * n**power * exp(noise * rng.normal(size=len(n)))
        for n, power, c in ((slow, p, 1e-6), (fast, q, 3e-5))
    ]
    return slow, times[0], fast, times[1]


INPUTS = {
    "feature_map": numbers_like,
    "linear_attention": mixtures_like,
    "linear_rnn": texts_like,
    "chunk": chunks_like,
    "banded_attention": bands_like,
    "kernel_estimate": pairs_like,
    "blend": fields_like,
    "crossover": measured_like,
}

UNSURE: set[str] = set()
