"""What learners write for exercise 5: wrong answers with words of the question each deserves, and
inputs of which the claims know nothing."""

import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


# --- 5.1 -------------------------------------------------------------------------------------


def waves(rate=None, even=np.sin, odd=np.cos, start=0, shape=lambda P: P):
    """The paper's loop over positions and columns, with one line in it wrong."""
    rate = rate or (lambda j, d: 10000 ** (2 * (j // 2) / d))

    def positional_encoding(n, d):
        P = np.zeros((n, d))
        for p in range(n):
            for j in range(d):
                wave = even if j % 2 == 0 else odd
                P[p, j] = wave((p + start) / rate(j, d))
        return shape(P)

    return positional_encoding


def side_by_side(n, d):
    angles = np.arange(n)[:, None] / 10000 ** (np.arange(d // 2) / (d // 2))
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def never_a_column(n, d):
    return np.arange(n) / 10000 ** (np.arange(0, d, 2) / d)


def one_position(n, d):
    return waves()(n, d)[n - 1]


def pair_after_pair(n, d):
    P, p = np.zeros((n, d)), np.arange(n)
    for i in range(d // 2):
        P[:, i] = np.sin(p / 10000 ** (2 * i / d))
        P[:, i + 1] = np.cos(p / 10000 ** (2 * i / d))
    return P


def sines_then_reshaped(n, d):
    angles = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    return np.array([np.sin(angles), np.cos(angles)]).reshape(n, d)


POSITIONAL_ENCODING = [
    (pair_after_pair, "write over each other"),
    (sines_then_reshaped, "whose are the first d numbers"),
    (waves(rate=lambda j, d: 10000 ** (2 * (j // 2 + 1) / d)), "slow already"),
    (waves(rate=lambda j, d: 10000 ** ((j // 2) / max(1, d / 2 - 1))), "last exponent is 1"),
    (waves(rate=lambda j, d: 10000 ** (2 * (j // 2) / (d - 1))), "last exponent is 1"),
    (waves(rate=lambda j, d: 10000 ** (2 * (j // 2) / d) / (2 * np.pi)), "2π times too fast"),
    (side_by_side, "in which columns are they asked for"),
    (waves(even=np.cos, odd=np.sin), "in which columns are they asked for"),
    (waves(rate=lambda j, d: 10000 ** ((j // 2) / d)), "i/d or 2i/d"),
    (waves(rate=lambda j, d: 10000 ** (2 * j / d)), "an i of its own"),
    (waves(rate=lambda j, d: 10000 ** (j / d)), "unequal angles"),
    (waves(rate=lambda j, d: 10000 ** (-2 * (j // 2) / d)), "multiplied by the power"),
    (waves(rate=lambda j, d: 10000 ** (2 * (j // 2)) / d), "all of the exponent in brackets"),
    (waves(rate=lambda j, d: d * 10000 ** (2 * (j // 2))), "What does Python take first"),
    (waves(rate=lambda j, d: 10000 ** (2 * (j // 2) // d)), "drops what is behind the point"),
    (waves(rate=lambda j, d: np.exp(2 * (j // 2) / d)), "not 10000"),
    (waves(rate=lambda j, d: 1000 ** (2 * (j // 2) / d)), "count the zeros"),
    (waves(odd=np.sin), "where are the cosines"),
    (waves(even=np.cos), "where are the sines"),
    (waves(start=1), "first position 0 or 1"),
    (lambda n, d: waves()(n, d).T, "on its side"),
    (one_position, "where are the others"),
    (lambda n, d: waves()(n + 1, d), "a row too many"),
    (never_a_column, "a column"),
    (lambda n, d: waves(rate=lambda j, d: n * 10000 ** (2 * (j // 2) / d))(n, d), "divide p by n"),
]


# --- 5.2 -------------------------------------------------------------------------------------


def norming(axis=-1, ddof=0, low=1e-5, divide=None, end=lambda Z, g, b: Z * g + b):
    def layer_norm(X, gain, shift):
        mean, sd = X.mean(axis, keepdims=True), X.std(axis, ddof=ddof, keepdims=True)
        return end((X - mean) / (divide(X, sd) if divide else np.sqrt(sd**2 + low)), gain, shift)

    return layer_norm


def takes_off_in_place(X, gain, shift):
    X -= X.mean(axis=-1, keepdims=True)
    return gain * X / np.sqrt((X**2).mean(axis=-1, keepdims=True) + 1e-5) + shift


def loses_the_axis(X, gain, shift):
    return gain * (X - X.mean(axis=-1)) / np.sqrt(X.var(axis=-1) + 1e-5) + shift


def rms(X, gain, shift):
    return gain * X / np.sqrt((X**2).mean(axis=-1, keepdims=True) + 1e-5) + shift


def rows_alone(X, gain, shift):
    return np.array([norming()(x, gain, shift) for x in X])


def axis_one(X, gain, shift):
    return norming(axis=1)(X, gain, shift)


def without_brackets(X, gain, shift):
    root = np.sqrt(X.var(axis=-1, keepdims=True) + 1e-5)
    return gain * (X - X.mean(axis=-1, keepdims=True) / root) + shift


def gain_as_a_column(X, gain, shift):
    return norming(end=lambda Z, g, b: g[:, None] * Z + b[:, None])(X, gain, shift)


def rows_and_numbers(X, gain, shift):
    return [[(x - np.mean(row)) / np.sqrt(np.var(row) + 1e-5) for x in row] for row in X] + shift


LAYER_NORM = [
    (without_brackets, "Put the difference in brackets"),
    (norming(divide=lambda X, sd: X.std()), "has not each token its own"),
    (norming(divide=lambda X, sd: np.sqrt(sd + 1e-5)), "is that not a root already"),
    (gain_as_a_column, "a number for each feature"),
    (rows_alone, "or as a single token"),
    (rows_and_numbers, "or as a single token"),
    (norming(end=lambda Z, g, b: Z * g - b), "by what is it divided"),
    (norming(axis=0), "when another token does"),
    (norming(axis=None), "one mean of all"),
    (axis_one, "The last axis is -1"),
    (norming(ddof=1), "as statisticians do"),
    (norming(divide=lambda X, sd: sd + 1e-5), "does it stand inside"),
    (norming(low=0), "where is the 1e-5"),
    (norming(low=1e-6), "libraries differ"),
    (norming(low=1e-8), "libraries differ"),
    (norming(low=1e-12), "variance"),
    (norming(divide=lambda X, sd: sd**2 + 1e-5), "divide by the variance"),
    (norming(divide=lambda X, sd: 1.0), "the standard deviation"),
    (
        norming(divide=lambda X, sd: np.sqrt(X.shape[-1] * sd**2 + 1e-5)),
        "the length of the vector",
    ),
    (norming(end=lambda Z, g, b: (Z + b) * g), "which comes first"),
    (norming(end=lambda Z, g, b: Z * b + g), "each other's place"),
    (norming(end=lambda Z, g, b: Z), "Where are gain and shift"),
    (norming(end=lambda Z, g, b: Z * g), "Where did shift go"),
    (rms, "RMS norm"),
    (loses_the_axis, "keepdims=True"),
    (takes_off_in_place, "write into X"),
]


# --- 5.3 -------------------------------------------------------------------------------------


def row_by_row(until=lambda i: i + 1, since=lambda i: 0, share=softmax):
    def causal_weights(scores):
        A = np.zeros_like(scores)
        for index in np.ndindex(scores.shape[:-1]):
            part = slice(since(index[-1]), until(index[-1]))
            if len(scores[index][part]):
                A[index][part] = share(scores[index][part])
        return A

    return causal_weights


def afterwards(scores):
    return softmax(scores) * np.tril(np.ones(scores.shape))


def afterwards_and_rescaled(scores):
    A = np.tril(softmax(scores))
    return A / A.sum(axis=-1, keepdims=True)


def zeros_for_scores(scores):
    return softmax(np.tril(scores))


def a_little_below(scores):
    return softmax(np.where(np.tril(np.ones(scores.shape)) == 1, scores, -10))


def by_columns(scores):
    seen = np.tril(np.ones(scores.shape)) == 1
    return softmax(np.where(seen, scores, -1e9), axis=-2)


def into_the_scores(scores):
    scores[..., np.triu(np.ones(scores.shape[-2:]), 1) == 1] = -np.inf
    return softmax(scores)


def first_axis(scores):
    seen = np.tril(np.ones((len(scores), len(scores)))) == 1
    return softmax(np.where(seen, scores, -np.inf))


def plain_exp(scores):
    e = np.exp(np.where(np.tril(np.ones(scores.shape)) == 1, scores, -np.inf))
    return e / e.sum(axis=-1, keepdims=True)


def everything(x):
    return np.exp(x - x.max())


def known_by_zeros(scores):
    t = np.tril(scores)
    return softmax(np.where(t == 0, -np.inf, t))


def takes_off(n):
    return lambda scores: softmax(scores - n * np.triu(np.ones(scores.shape), 1))


def one_table_only(scores):
    A = np.zeros(scores.shape)
    for i in range(scores.shape[-1]):
        A[i, : i + 1] = softmax(scores[i, : i + 1])
    return A


def two_axes(scores):
    n, _ = scores.shape
    return softmax(np.where(np.tri(n) > 0, scores, -np.inf))


def far_below(seen):
    return lambda scores: softmax(np.where(seen(np.ones(scores.shape)) > 0, scores, -1e9))


CAUSAL_WEIGHTS = [
    (two_axes, "what is shape[-1] in both"),
    (far_below(lambda ones: np.tril(ones, -1)), "do not see themselves"),
    (far_below(lambda ones: np.triu(ones, 1)), "what does True in your mask mean"),
    (lambda scores: softmax(scores - 1e9 * np.triu(np.ones(scores.shape))), "see themselves"),
    (lambda scores: softmax(scores * np.where(np.tril(scores) == 0, -np.inf, 1)), "times −∞"),
    (known_by_zeros, "from the scores, or from the places"),
    (takes_off(1000), "You take a number off"),
    (takes_off(100), "You take a number off"),
    (takes_off(np.inf), "0 · ∞ is no number"),
    (one_table_only, "A stack comes in"),
    (softmax, "where is the mask"),
    (afterwards, "after the softmax"),
    (afterwards_and_rescaled, "a thousand higher"),
    (zeros_for_scores, "a score like others"),
    (a_little_below, "below every score"),
    (row_by_row(until=lambda i: i), "do not see themselves"),
    (row_by_row(until=lambda i: i + 2), "sees the next one"),
    (row_by_row(until=lambda i: None, since=lambda i: i), "tril or triu"),
    (row_by_row(until=lambda i: None, since=lambda i: i + 1), "which weights has the first"),
    (row_by_row(share=lambda x: np.full(x.shape, 1 / len(x))), "where do the scores come in"),
    (row_by_row(share=lambda x: x), ""),
    (row_by_row(share=everything), ""),
    (by_columns, "Your columns add up to 1"),
    (plain_exp, "exp(1000)"),
    (first_axis, "shape[-1]"),
    (into_the_scores, "writes into"),
    (lambda scores: np.tril(scores), ""),
    (lambda scores: np.where(np.tril(np.ones(scores.shape)) > 0, scores, -np.inf), "softmax"),
]


# --- 5.4 -------------------------------------------------------------------------------------


def line(X, w, name):
    return np.dot(X, w[name].T) + w["b_" + name]


def norm(X, w, n):
    return norming()(X, w[f"gain_{n}"], w[f"shift_{n}"])


def looking(X, w, heads, root=None, share=softmax, cut=None, out=True):
    """The attention, head by head."""
    d = X.shape[1]
    e = d // heads
    Q, K, V = line(X, w, "Q"), line(X, w, "K"), line(X, w, "V")
    found = []
    for h in range(heads):
        q, k, v = (cut(Z, h, heads) if cut else Z[:, h * e : h * e + e] for Z in (Q, K, V))
        A = share(q @ k.T / (root or (lambda e, d: e**0.5))(e, d))
        found.append(A @ v)
    Z = np.concatenate(found, axis=1)
    return line(Z, w, "O") if out else Z


def thinking(X, w, bend=lambda H: np.maximum(H, 0)):
    return line(bend(line(X, w, "1")), w, "2")


def block(look=looking, think=thinking, both=None):
    def encoder_block(X, w, heads):
        if both:
            return both(X, w, heads)
        X = norm(X + look(X, w, heads), w, 1)
        return norm(X + think(X, w), w, 2)

    return encoder_block


def with_look(**how):
    return block(look=lambda X, w, heads: looking(X, w, heads, **how))


def before_each(X, w, heads):
    X = X + looking(norm(X, w, 1), w, heads)
    return X + thinking(norm(X, w, 2), w)


def without_ways_past(X, w, heads):
    return norm(thinking(norm(looking(X, w, heads), w, 1), w), w, 2)


def past_the_wrong_way(X, w, heads):
    Z = norm(X + looking(X, w, heads), w, 1)
    return norm(X + thinking(Z, w), w, 2)


def norms_at_the_end(X, w, heads):
    X = X + looking(X, w, heads)
    return norm(X + thinking(X, w), w, 2)


def norm_of_the_first(X, w, heads):
    X = norm(X + looking(X, w, heads), w, 1)
    return norm(X + thinking(X, w), w, 1)


def reshaped(X, w, heads):
    n, d = X.shape
    Q, K, V = (line(X, w, name).reshape(heads, n, d // heads) for name in "QKV")
    Z = softmax(Q @ K.transpose(0, 2, 1) / (d // heads) ** 0.5) @ V
    return line(Z.reshape(n, d), w, "O")


def reshaped_back(X, w, heads):
    n, d = X.shape
    Q, K, V = (line(X, w, name).reshape(n, heads, d // heads).transpose(1, 0, 2) for name in "QKV")
    Z = softmax(Q @ K.transpose(0, 2, 1) / (d // heads) ** 0.5) @ V
    return line(Z.reshape(n, d), w, "O")


def matrices_as_they_lie(X, w, heads):
    return block()(X, w | {name: w[name].T for name in ("Q", "K", "V", "O", "1", "2")}, heads)


def without_biases(X, w, heads):
    return block()(X, w | {key: 0 * w[key] for key in w if key.startswith("b_")}, heads)


def adds_into_X(X, w, heads):
    X += looking(X, w, heads)
    X[:] = norm(X, w, 1)
    return norm(X + thinking(X, w), w, 2)


def norms_the_part(X, w, heads):
    X = X + norm(looking(X, w, heads), w, 1)
    return norm(X + thinking(X, w), w, 2)


def norms_the_second_part(X, w, heads):
    X = norm(X + looking(X, w, heads), w, 1)
    return X + norm(thinking(X, w), w, 2)


def as_they_came(X, w, heads):
    one = {name: np.eye(X.shape[1]) for name in "QKV"}
    return looking(X, w | one | {f"b_{name}": np.zeros(X.shape[1]) for name in "QKV"}, heads)


def columns_of_X(X, w, heads):
    e, Z = X.shape[1] // heads, []
    for h in range(heads):
        own = slice(h * e, (h + 1) * e)
        q, k, v = (X[:, own] @ w[name][own, own].T + w["b_" + name][own] for name in "QKV")
        Z.append(softmax(q @ k.T / e**0.5) @ v)
    return line(np.hstack(Z), w, "O")


def half_a_column(X, w, heads):
    e = X.shape[1] / heads
    return looking(X, w, heads, cut=lambda Z, h, heads: Z[:, h * e : (h + 1) * e])


def Q_made_smaller(X, w, heads):
    e = X.shape[1] // heads
    w["Q"], w["b_Q"] = w["Q"] / e**0.5, w["b_Q"] / e**0.5
    return block(look=lambda X, w, heads: looking(X, w, heads, root=lambda e, d: 1.0))(X, w, heads)


def O_as_it_lies(bias):
    return lambda X, w, heads: looking(X, w, heads, out=False) @ w["O"] + bias * w["b_O"]


def O_without_bias(X, w, heads):
    return looking(X, w, heads, out=False) @ w["O"].T


def shift_first(X, w, heads):
    names = {f"gain_{n}": w[f"shift_{n}"] for n in "12"} | {
        f"shift_{n}": w[f"gain_{n}"] for n in "12"
    }
    return block()(X, w | names, heads)


def over_the_tokens(X, w, heads):
    def over(X, n):
        return norming(axis=0)(X, w[f"gain_{n}"], w[f"shift_{n}"])

    X = over(X + looking(X, w, heads), 1)
    return over(X + thinking(X, w), 2)


ENCODER_BLOCK = [
    (block(look=columns_of_X), "made of all of X"),
    (block(look=half_a_column), "a whole number to Python"),
    (with_look(cut=lambda Z, h, heads: Z[:, h : h + Z.shape[1] // heads]), "heads overlap"),
    (block(look=lambda X, w, heads: looking(X, w, heads, lambda e, d: heads**0.5)), "by √heads"),
    (with_look(root=lambda e, d: e**-0.5), "You multiply by"),
    (with_look(root=lambda e, d: 2 * e), "x / e ** 1 / 2"),
    (block(look=O_as_it_lies(1)), "O turned round"),
    (block(look=O_as_it_lies(0)), "O turned round"),
    (block(look=O_without_bias), "where is b_O"),
    (block(both=shift_first), "does your layer_norm take them"),
    (block(both=over_the_tokens), "does check(layer_norm) hold"),
    (Q_made_smaller, "write into what you were handed"),
    (block(both=norms_the_part), "and not the sum"),
    (block(both=norms_the_second_part), "and not the sum"),
    (block(look=as_they_came), "where are W_Q, W_K, W_V"),
    (block(look=reshaped), "cut the tokens among the heads"),
    (block(look=reshaped_back), "swap the axes back"),
    (with_look(cut=lambda Z, h, heads: Z[:, h::heads]), "in one piece"),
    (block(look=lambda X, w, heads: looking(X, w, 1)), "One head"),
    (with_look(root=lambda e, d: d**0.5), "You divide by √d"),
    (with_look(root=lambda e, d: 1.0), "where is the √"),
    (with_look(root=lambda e, d: e), "or by the root of it"),
    (with_look(share=lambda x: softmax(x, axis=0)), "Your columns add up to 1"),
    (with_look(share=lambda x: softmax(np.where(np.tri(len(x)) > 0, x, -1e9))), "encoder"),
    (with_look(share=lambda x: softmax(x.T)), "Your rows are keys"),
    (with_look(share=lambda x: x), "Where is the softmax"),
    (with_look(out=False), "where is O"),
    (block(think=lambda X, w: thinking(X, w, bend=lambda H: H)), "ReLU"),
    (block(think=lambda X, w: thinking(X, w, bend=np.tanh)), "tanh"),
    (block(think=lambda X, w: np.maximum(thinking(X, w), 0)), "A ReLU after the second"),
    (block(both=before_each), "where did the norm stand in 2017"),
    (block(both=without_ways_past), "Where are the ways past"),
    (block(both=past_the_wrong_way), "what is X by then"),
    (block(both=norms_at_the_end), "Where is the first norm"),
    (block(both=norm_of_the_first), "its own gain and shift"),
    (without_biases, "Where are the biases"),
    (matrices_as_they_lie, "Which shapes meet"),
    (adds_into_X, "write into what you were handed"),
]


# --- 5.5 -------------------------------------------------------------------------------------


def sums(q=4, bias=4, up=1, down=1, norms=2, heads_times=False, tables=None, last=2, head=None):
    def transformer_parameters(n, d, heads, inner, blocks, context, tied):
        attention = (q * d * d + bias * d) * (heads if heads_times else 1)
        feed = 2 * d * inner + up * inner + down * d
        total = blocks * (attention + feed + norms * 2 * d) + last * d
        total += tables(n, d, context) if tables else (n + context) * d
        return total + (head(n, d, tied) if head else (not tied) * n * d)

    return transformer_parameters


def only_one_block(n, d, heads, inner, blocks, context, tied):
    return sums()(n, d, heads, inner, 1, context, tied)


def one_head_wide(n, d, heads, inner, blocks, context, tied):
    e = d // heads
    less = 3 * (d * d + d) - 3 * (d * e + e)
    return sums()(n, d, heads, inner, blocks, context, tied) - blocks * less


def always_four_times(n, d, heads, inner, blocks, context, tied):
    return sums()(n, d, heads, 4 * d, blocks, context, tied)


TRANSFORMER_PARAMETERS = [
    (sums(bias=3), "also O and the way down"),
    (sums(down=0), "also O and the way down"),
    (sums(up=0), "has the way up its bias"),
    (lambda *sizes: sums(bias=0)(*sizes) + 4 * sizes[4], "a bias one number, or a row"),
    (lambda *sizes: sums(norms=0)(*sizes) + 4 * sizes[4], "a bias one number, or a row"),
    (lambda n, d, h, i, blocks, *rest: sums()(n, d, h, i, blocks - 1, *rest), "a block too few"),
    (sums(heads_times=True), "how wide is each"),
    (one_head_wide, "one head's Q, K and V"),
    (sums(q=3, bias=3), "which fourth matrix"),
    (sums(bias=0), "the biases of Q, K, V and O"),
    (sums(up=0, down=0), "biases of the feed-forward"),
    (sums(bias=0, up=0, down=0), "of Q, K, V, O, up and down"),
    (sums(up=2, down=0), "out of the way down"),
    (sums(up=0, down=2), "out of the way up"),
    (always_four_times, "how wide"),
    (sums(norms=0), "where are its norms"),
    (sums(norms=1), "a gain and a shift"),
    (sums(last=0), "behind the last block"),
    (sums(last=1), "The last norm"),
    (only_one_block, "You have one block"),
    (sums(tables=lambda n, d, context: n * d), "where is that table"),
    (sums(tables=lambda n, d, context: n * d + context), "not one number but a row"),
    (sums(head=lambda n, d, tied: n * d), "what does `tied` say"),
    (sums(head=lambda n, d, tied: 0), "what do they need"),
    (sums(head=lambda n, d, tied: tied * n * d), "twice just then"),
    (sums(head=lambda n, d, tied: 0 if tied else n * d + n), "a bias? The text"),
]


# --- 5.6 -------------------------------------------------------------------------------------


def keeping(heat=lambda x, tau: softmax(x / tau), k_of=lambda k: k, again=True, enough=None):
    """The three steps with a sorted list of pairs, and one of them wrong."""

    def next_probabilities(scores, tau, k, p):
        q = heat(scores, tau)
        line = sorted(range(len(q)), key=lambda i: -q[i])[: k_of(k)]
        whole = sum(q[i] for i in line) if again else 1.0
        kept, so_far = [], 0.0
        for i in line:
            share = q[i] / whole
            if enough and kept and enough(so_far, share, p):
                break
            if not enough and so_far >= p:
                break
            kept.append(i)
            so_far += share
        answer = np.zeros(len(q))
        answer[kept] = q[kept] / q[kept].sum()
        return answer

    return next_probabilities


def p_then_k(scores, tau, k, p):
    q = keeping()(scores, tau, len(scores), p)
    return keeping()(np.log(np.maximum(q, 1e-300)), 1.0, k, 1.0)


def as_libraries_cut_ties(scores, tau, k, p):
    x = scores / tau
    x = np.where(x < np.sort(x)[-k], -np.inf, x)
    return keeping()(x, 1.0, len(x), p)


def turned_round(scores, tau, k, p):
    q = softmax(scores / tau)
    order = np.argsort(q, kind="stable")[::-1]
    q[order[k:]] = 0
    q /= q.sum()
    few = 1 + int((np.cumsum(q[order]) < p).sum())
    q[order[few:]] = 0
    return q / q.sum()


def never_rescaled(scores, tau, k, p):
    q = softmax(scores / tau)
    order = np.argsort(-q, kind="stable")
    q[order[k:]] = 0
    few = 1 + int((np.cumsum(q[order]) < p).sum())
    q[order[few:]] = 0
    return q


def warms_in_place(scores, tau, k, p):
    scores /= tau
    return keeping()(scores, 1.0, k, p)


def overflowing(x, tau):
    return np.exp(x / tau) / np.exp(x / tau).sum()


def cut_behind(found):
    def next_probabilities(scores, tau, k, p):
        q = softmax(scores / tau)
        order = np.argsort(-q, kind="stable")
        q[order[k:]] = 0
        q = q / q.sum()
        q[order[found(np.cumsum(q[order]), p) :]] = 0
        return q / q.sum()

    return next_probabilities


def never_twice(scores, tau, k, p):
    """As by_argmax, with sums of its own: nothing is rescaled where nothing was cut."""
    q = softmax(scores / tau)
    order = sorted(range(len(q)), key=lambda i: -q[i])[:k]
    kept = order[: np.argmax(np.cumsum(q[order]) / (q[order].sum() if k < len(q) else 1) >= p) + 1]
    return np.where(np.isin(np.arange(len(q)), kept), q, 0) / q[kept].sum()


by_argmax = cut_behind(lambda sums, p: np.argmax(sums >= p) + 1)
below_p = cut_behind(lambda sums, p: max(1, np.sum(sums < p)))


def in_two_orders(by_k, by_p):
    """What is found in the order of the likeliest, put to the tokens in their own."""

    def next_probabilities(scores, tau, k, p):
        q = softmax(scores / tau)
        order = np.argsort(-q, kind="stable")
        q = np.where(order < k, q, 0) if by_k else keeping()(scores, tau, k, 1.0)
        q = q / q.sum()
        line = np.sort(q)[::-1]
        if by_p:
            q = np.where(np.cumsum(line) - line < p, q, 0)
        else:
            q = keeping()(np.log(np.maximum(q, 1e-300)), 1.0, len(q), p)
        return q / q.sum()

    return next_probabilities


def first_that_reaches(scores, tau, k, p):
    return cut_behind(lambda sums, p: np.flatnonzero(sums >= p)[0] + 1)(scores, tau, k, p)


NEXT_PROBABILITIES = [
    (in_two_orders(by_k=True, by_p=False), "what stands in one order"),
    (in_two_orders(by_k=False, by_p=True), "what stands in one order"),
    (first_that_reaches, "may be 0.9999…"),
    (by_argmax, "what does argmax say"),
    (never_twice, "what does argmax say"),
    (below_p, "Yours stay below p"),
    (keeping(heat=lambda x, tau: softmax(x)), "change with τ"),
    (keeping(heat=lambda x, tau: softmax(x * tau)), "multiply by τ"),
    (keeping(heat=lambda x, tau: softmax(x) ** tau / sum(softmax(x) ** tau)), "multiply by τ"),
    (keeping(heat=lambda x, tau: softmax(x) / tau / sum(softmax(x) / tau)), "change with τ"),
    (keeping(heat=overflowing), "exp(1000)"),
    (keeping(k_of=lambda k: None), "change with k"),
    (keeping(k_of=lambda k: k + 1), "one more than k"),
    (keeping(k_of=lambda k: max(1, k - 1)), "One too few"),
    (lambda x, tau, k, p: keeping()(x, tau, k, 1.0), "change with p"),
    (lambda x, tau, k, p: keeping()(x, tau, k, 1 - p), "reach 1 − p"),
    (keeping(again=False), "is the rest rescaled"),
    (keeping(enough=lambda so_far, share, p: so_far + share > p), "Yours stay below p"),
    (keeping(enough=lambda so_far, share, p: so_far > p), "< p or ≤ p"),
    (keeping(enough=lambda so_far, share, p: share < p), "by itself"),
    (p_then_k, "is k first"),
    (as_libraries_cut_ties, "more than k"),
    (turned_round, "Of equals"),
    (never_rescaled, "does not add up to 1"),
    (warms_in_place, "write into scores"),
    (lambda x, tau, k, p: np.sort(keeping()(x, tau, k, p))[::-1], "is number 0 still"),
    (lambda x, tau, k, p: keeping()(x, tau, 1, 1.0), ""),
]


# --- 5.7 -------------------------------------------------------------------------------------


def log_softmax(x):
    x = x - x.max(axis=-1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=-1, keepdims=True))


def hesitating(places=None, chance=log_softmax, end=lambda logs: np.exp(-np.mean(logs))):
    def perplexity(scores, ids):
        T, logs = len(ids), []
        for row, follower in places(T) if places else [(t, t + 1) for t in range(T - 1)]:
            logs.append(chance(scores[row])[ids[follower]])
        return end(np.array(logs))

    return perplexity


def all_in_place(scores, ids):
    scores -= scores.max(axis=-1, keepdims=True)
    return hesitating()(scores, ids)


def whole_rows(scores, ids):
    return np.exp(-log_softmax(scores[:-1])[np.arange(len(ids)), ids[1:]].mean())


def every_pair(scores, ids):
    return np.exp(-np.mean(np.log(softmax(scores[:-1])[:, ids[1:]])))


def whole_table(scores, ids):
    return np.exp(-np.mean(np.log(softmax(scores[:-1]))))


def one_hot(scores, ids):
    return np.exp(-np.mean(log_softmax(scores[:-1]) * np.eye(scores.shape[1])[ids[1:]]))


def short(divided):
    """The sum to T − 2, by a range that ends before it."""

    def perplexity(scores, ids):
        T = len(ids)
        logs = [log_softmax(scores)[t, ids[t + 1]] for t in range(T - 2)]
        return np.exp(-sum(logs) / divided(T))

    return perplexity


PERPLEXITY = [
    (one_hot, "and most are 0"),
    (short(lambda T: max(1, T - 2)), "A pair is missing"),
    (short(lambda T: T - 1), "A pair is missing"),
    (hesitating(chance=lambda x: np.log(np.clip(softmax(x), 1e-10, 1))), "raise the least"),
    (hesitating(chance=lambda x: np.log(softmax(x) + 1e-16)), "add a little"),
    (hesitating(chance=lambda x: np.log(softmax(x) + np.finfo(float).eps)), "add a little"),
    (lambda scores, ids: int(hesitating()(scores, ids)), "what is −log of the lesser"),
    (every_pair, "One number a row"),
    (whole_table, "which of its tokens came"),
    (hesitating(chance=lambda x: x - np.log(np.exp(x).sum())), "exp(1000)"),
    (hesitating(chance=lambda x: np.log(softmax(x) + 1e-9)), "add a little"),
    (hesitating(chance=lambda x: np.log(softmax(x) + 1e-12)), "add a little"),
    (hesitating(lambda T: [(t, t) for t in range(T)]), "which token does it foretell"),
    (hesitating(lambda T: [(t, t) for t in range(T - 1)]), "which token does it foretell"),
    (hesitating(lambda T: [(t, t - 1) for t in range(1, T)]), "foretell the past"),
    (hesitating(lambda T: [(t, (t + 1) % T) for t in range(T)]), "np.roll"),
    (hesitating(end=lambda logs: -np.mean(logs)), "where is exp"),
    (hesitating(end=lambda logs: np.exp(np.mean(logs))), "Which sign"),
    (hesitating(end=lambda logs: np.exp(-np.sum(logs))), "Take the mean first"),
    (hesitating(end=lambda logs: np.exp(-np.sum(logs) / (len(logs) + 1))), "one more"),
    (hesitating(end=lambda logs: 2 ** -np.mean(logs)), "undoes log"),
    (hesitating(end=lambda logs: np.mean(np.exp(-logs))), "the mean of 1/p"),
    (hesitating(end=lambda logs: 1 / np.mean(np.exp(logs))), "mean of the probabilities"),
    (hesitating(end=lambda logs: np.exp(-np.median(logs))), "The median"),
    (hesitating(end=lambda logs: np.exp(-logs)), "One number"),
    (hesitating(chance=lambda x: x), "where is the softmax"),
    (hesitating(chance=softmax), "where is the log"),
    (hesitating(chance=lambda x: np.log(np.exp(x) / np.exp(x).sum())), "exp(1000)"),
    (whole_rows, "which row is left over"),
    (all_in_place, "write into the scores"),
]


# --- 5.8 -------------------------------------------------------------------------------------


def one_more(
    keys=lambda K, V, k, v: np.concatenate([K, [k]]),
    values=lambda K, V, k, v: np.concatenate([V, [v]]),
    divide=lambda d, e, m: e**0.5,
    share=softmax,
    give=lambda z, k, v, K, V: (z, k, v),
    ask=lambda q, k: q,
):
    def cached_step(x, K, V, W_Q, W_K, W_V):
        q, k, v = W_Q.dot(x), W_K.dot(x), W_V.dot(x)
        K, V = keys(K, V, k, v), values(K, V, k, v)
        a = share(K.dot(ask(q, k)) / divide(len(x), len(q), len(K)))
        return give(a.dot(V), k, v, K, V)

    return cached_step


def transposed(x, K, V, W_Q, W_K, W_V):
    return one_more()(x, K, V, W_Q.T, W_K.T, W_V.T)


def over_the_last(x, K, V, W_Q, W_K, W_V):
    k, v = W_K @ x, W_V @ x
    if len(K):
        K[-1], V[-1] = k, v
    z = softmax(K @ (W_Q @ x) / len(k) ** 0.5) @ V if len(K) else v
    return z, k, v


def spoils_the_cache(x, K, V, W_Q, W_K, W_V):
    z, k, v = one_more()(x, K, V, W_Q, W_K, W_V)
    K *= 0
    return z, k, v


def makes_a_long_row(x, K, V, W_Q, W_K, W_V):
    q, k, v = W_Q @ x, W_K @ x, W_V @ x
    K, V = np.append(K, k), np.append(V, v)
    return softmax((K * q).sum(-1) / len(q) ** 0.5) @ V, k, v


def mixes_nothing(x, K, V, W_Q, W_K, W_V):
    q, k, v = W_Q @ x, W_K @ x, W_V @ x
    K, V = np.vstack([K, k]), np.vstack([V, v])
    return softmax(K @ q / len(q) ** 0.5) * V, k, v


def kept_once_more(x, K, V, W_Q, W_K, W_V):
    return one_more()(x, K @ W_K.T, V @ W_V.T, W_Q, W_K, W_V)


def appends_to_K(x, K, V, W_Q, W_K, W_V):
    K.append(W_K @ x)
    return x, K[-1], V[-1]


CACHED_STEP = [
    (kept_once_more, "keys and values, not tokens"),
    (appends_to_K, "K is an array, no list"),
    (one_more(divide=lambda d, e, m: 2 * e), "By what are the scores divided"),
    (one_more(divide=lambda d, e, m: e**-0.5), "By what are the scores divided"),
    (makes_a_long_row, "np.append makes one long row"),
    (mixes_nothing, "do the weights mix the rows"),
    (one_more(keys=lambda K, V, k, v: K, values=lambda K, V, k, v: V), "see itself"),
    (
        one_more(keys=lambda K, V, k, v: k[None], values=lambda K, V, k, v: v[None]),
        "sees itself alone",
    ),
    (one_more(keys=lambda K, V, k, v: np.vstack([k, K])), "belongs to which key"),
    (
        one_more(
            keys=lambda K, V, k, v: np.vstack([V, v]), values=lambda K, V, k, v: np.vstack([K, k])
        ),
        "each other's place",
    ),
    (one_more(divide=lambda d, e, m: 1.0), "By what are the scores divided"),
    (one_more(divide=lambda d, e, m: e), "By what are the scores divided"),
    (one_more(divide=lambda d, e, m: m**0.5), "By what are the scores divided"),
    (one_more(share=lambda s: s), "Where is the softmax"),
    (one_more(share=np.exp), "do not add up to 1"),
    (one_more(share=lambda s: np.full(len(s), 1 / len(s))), "where does q come in"),
    (one_more(ask=lambda q, k: k), "where is q"),
    (one_more(give=lambda z, k, v, K, V: z), "That is z"),
    (one_more(give=lambda z, k, v, K, V: (k, v, z)), "z first"),
    (
        one_more(give=lambda z, k, v, K, V: (z, K, V)),
        "Not all that you return is one row. The new rows alone",
    ),
    (one_more(give=lambda z, k, v, K, V: np.hstack([z, k, v])), "return three things"),
    (transposed, "by its rows"),
    (over_the_last, "in its place"),
    (spoils_the_cache, "write into K or V"),
]

WRONG = {
    "positional_encoding": POSITIONAL_ENCODING,
    "layer_norm": LAYER_NORM,
    "causal_weights": CAUSAL_WEIGHTS,
    "encoder_block": ENCODER_BLOCK,
    "transformer_parameters": TRANSFORMER_PARAMETERS,
    "next_probabilities": NEXT_PROBABILITIES,
    "perplexity": PERPLEXITY,
    "cached_step": CACHED_STEP,
}


# --- inputs ----------------------------------------------------------------------------------


def lengths_like(rng):
    return int(rng.integers(1, 30)), 2 * int(rng.integers(1, 12))


def tokens_like(rng):
    shape = tuple(int(n) for n in rng.integers(1, 6, size=rng.integers(1, 4)))
    X = rng.normal(size=shape) * rng.choice([0.003, 1.0, 40.0]) + rng.normal()
    return X, rng.normal(size=shape[-1]) + 1, rng.normal(size=shape[-1])


def scores_like(rng):
    n = int(rng.integers(1, 7))
    heads = [(), (1,), (3,)][int(rng.integers(3))]
    return (rng.normal(size=(*heads, n, n)) * rng.choice([1.0, 30.0, 3000.0]),)


def blocks_like(rng):
    heads, e, n, inner = (int(m) for m in rng.integers(1, 5, size=4))
    d = heads * e
    sizes = {"Q": (d, d), "K": (d, d), "V": (d, d), "O": (d, d), "1": (inner, d), "2": (d, inner)}
    w = {name: rng.normal(size=size) for name, size in sizes.items()}
    w |= {f"b_{name}": rng.normal(size=size[0]) for name, size in sizes.items()}
    w |= {f"{name}_{n}": rng.normal(size=d) + 1 for name in ("gain", "shift") for n in "12"}
    return rng.normal(size=(n, d)), w, heads


def sizes_like(rng):
    n, heads, e, inner, context = (int(m) for m in rng.integers(1, 60, size=5))
    return n, heads * e, heads, inner, int(rng.integers(0, 5)), context, bool(rng.random() < 0.5)


def odds_like(rng):
    n = int(rng.integers(1, 9))
    scores = np.round(rng.normal(size=n), int(rng.integers(0, 2)) * 8) * rng.choice([1.0, 1000.0])
    k, tau = int(rng.integers(1, n + 1)), float(rng.choice([0.01, 0.5, 1.0, 3.0]))
    return scores, tau, k, float(rng.choice([0.05, 0.31, 0.64, 0.93, 1.0]))


def readings_like(rng):
    T, n = int(rng.integers(2, 7)), int(rng.integers(1, 6))
    scores = rng.normal(size=(T, n)) + rng.choice([0.0, 3000.0])
    return scores, rng.integers(0, n, size=T)


def caches_like(rng):
    m, e, d = int(rng.integers(0, 5)), int(rng.integers(1, 5)), int(rng.integers(1, 5))
    W = [rng.normal(size=(e, d)) for _ in range(3)]
    return rng.normal(size=d), rng.normal(size=(m, e)), rng.normal(size=(m, e)), *W


INPUTS = {
    "positional_encoding": lengths_like,
    "layer_norm": tokens_like,
    "causal_weights": scores_like,
    "encoder_block": blocks_like,
    "transformer_parameters": sizes_like,
    "next_probabilities": odds_like,
    "perplexity": readings_like,
    "cached_step": caches_like,
}

UNSURE = {"next_probabilities"}
