"""What learners write for exercise 4: wrong answers with words of the question each deserves, and
inputs of which the claims know nothing."""

import math

import numpy as np

exp = np.exp


def sums_to_one(scores):
    e = exp(scores - np.max(scores, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


# --- 4.1 -------------------------------------------------------------------------------------


def plain_formula(scores):
    return exp(scores) / exp(scores).sum(axis=-1, keepdims=True)


def one_row_only(scores):
    e = exp(scores - scores.max())
    return e / e.sum()


def greatest_of_all(scores):
    e = exp(scores - scores.max())
    return e / e.sum(axis=-1, keepdims=True)


def down_the_columns(scores):
    e = exp(scores - scores.max(axis=0))
    return e / e.sum(axis=0)


def greatest_of_the_column(scores):
    e = exp(scores - scores.max(axis=0))
    return e / e.sum(axis=-1, keepdims=True)


def without_keepdims(scores):
    e = exp(scores - scores.max(axis=-1))
    return e / e.sum(axis=-1)


def axis_one(scores):
    e = exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def by_the_sum(scores):
    return scores / scores.sum(axis=-1, keepdims=True)


def exponentials(scores):
    return exp(scores - scores.max(axis=-1, keepdims=True))


def from_the_mean(scores):
    e = exp(scores - scores.mean(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def cut_off(scores):
    e = exp(np.minimum(np.maximum(scores, -500), 500))
    return e / e.sum(axis=-1, keepdims=True)


def writes_into_the_scores(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    return exp(scores) / exp(scores).sum(axis=-1, keepdims=True)


def winner_takes_all(scores):
    best = scores == scores.max(axis=-1, keepdims=True)
    return best / best.sum(axis=-1, keepdims=True)


def over_everything(scores):
    return exp(scores) / exp(scores).sum()


def by_a_thousandth(scores):
    return sums_to_one(scores / 1000)


def rounded(scores):
    return sums_to_one(scores).round(2)


def makes_zeros_of_nan(scores):
    return np.nan_to_num(plain_formula(scores))


def by_the_mean(scores):
    e = exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.mean(axis=-1, keepdims=True)


def one_exp_at_a_time(scores):
    return [math.exp(score) for score in scores]


def with_pythons_max(scores):
    return exp(scores - max(scores))


def row_after_row(scores):
    return np.array([exp(row - max(row)) / sum(exp(row - max(row))) for row in scores])


def by_the_largest(scores):
    return sums_to_one(scores / scores.max(axis=-1, keepdims=True))


def by_the_largest_of_all(scores):
    return sums_to_one(scores / np.max(scores))


def a_little_in_the_sum(scores):
    e = exp(scores - scores.max(axis=-1, keepdims=True))
    return e / (e.sum(axis=-1, keepdims=True) + 1e-6)


def smallest_subtracted(scores):
    e = exp(scores - scores.min(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def sum_without_keepdims(scores):
    e = exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1)


SOFTMAX = [
    (by_the_largest, "divide the scores by the largest score"),
    (by_the_largest_of_all, "divide the scores by the largest score"),
    (a_little_in_the_sum, "small number to the sum"),
    (smallest_subtracted, "exp(1000)"),
    (sum_without_keepdims, "keepdims=True"),
    (makes_zeros_of_nan, "you replace it by 0"),
    (by_the_mean, "By what do you divide"),
    (one_exp_at_a_time, "`math.exp` takes one number"),
    (with_pythons_max, "Python's own `max`"),
    (row_after_row, "if `scores` is a single row"),
    (over_everything, "together add up to 1"),
    (over_everything, "exp(1000)"),
    (plain_formula, "exp(1000)"),
    (one_row_only, "together add up to 1"),
    (greatest_of_all, "Whose largest score"),
    (down_the_columns, "weights of each column"),
    (greatest_of_the_column, "largest score of each column"),
    (without_keepdims, "keepdims=True"),
    (axis_one, "out of bounds"),
    (axis_one, "Which number names the last axis"),
    (by_the_sum, "Where is exp?"),
    (exponentials, "By what do you divide"),
    (from_the_mean, "subtract the mean of each row"),
    (cut_off, "clip the scores"),
    (writes_into_the_scores, "`scores -= …` changes the array"),
    (winner_takes_all, "gets the whole weight"),
    (lambda x: sums_to_one(-x), "a minus too many"),
    (lambda x: sums_to_one(x * np.log(2)), "powers of 2"),
    (lambda x: np.log(sums_to_one(x)), "logarithms of the weights"),
]


# --- 4.2 -------------------------------------------------------------------------------------


def seen_by(mask, Q, K, low=-np.inf):
    return np.where(mask, Q @ K.T / np.sqrt(Q.shape[1]), low)


def forgets_the_mask(Q, K, mask):
    return sums_to_one(Q @ K.T / np.sqrt(K.shape[1]))


def the_other_way_round(Q, K, mask):
    return np.nan_to_num(sums_to_one(seen_by(~mask, Q, K)))


def blind_rows_are_nan(Q, K, mask):
    return sums_to_one(seen_by(mask, Q, K))


def a_billion_below(Q, K, mask):
    return sums_to_one(seen_by(mask, Q, K, -1e9))


def a_hundred_below(Q, K, mask):
    return sums_to_one(seen_by(mask, Q, K, -100.0)) * mask.any(axis=1, keepdims=True)


def erases_weights(Q, K, mask):
    return sums_to_one(Q @ K.T / np.sqrt(Q.shape[1])) * mask


def erases_scores(Q, K, mask):
    return sums_to_one(Q @ K.T / np.sqrt(Q.shape[1]) * mask)


def adds_the_mask(Q, K, mask):
    return sums_to_one(Q @ K.T / np.sqrt(Q.shape[1]) + mask)


def shares_out_again(Q, K, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    parts = exp(scores - scores.max(axis=1, keepdims=True)) * mask
    total = parts.sum(axis=1, keepdims=True)
    return np.divide(parts, total, out=np.zeros_like(parts), where=total > 0)


def unshifted_where_seen(Q, K, mask):
    parts = exp(seen_by(mask, Q, K))
    total = parts.sum(axis=1, keepdims=True)
    return np.where(total > 0, parts / total, 0)


def no_root(Q, K, mask):
    return np.nan_to_num(sums_to_one(np.where(mask, Q @ K.T, -np.inf)))


def no_square_root(Q, K, mask):
    return np.nan_to_num(sums_to_one(np.where(mask, Q @ K.T / Q.shape[1], -np.inf)))


def root_of_the_words(Q, K, mask):
    return np.nan_to_num(sums_to_one(np.where(mask, Q @ K.T / np.sqrt(len(K)), -np.inf)))


def root_of_the_queries(Q, K, mask):
    return np.nan_to_num(sums_to_one(np.where(mask, Q @ K.T / np.sqrt(len(Q)), -np.inf)))


def keys_ask(Q, K, mask):
    return np.nan_to_num(sums_to_one(np.where(mask, K @ Q.T / np.sqrt(Q.shape[1]), -np.inf)))


def shares_out_columns(Q, K, mask):
    return np.nan_to_num(sums_to_one(seen_by(mask, Q, K).T).T)


def writes_over_Q(Q, K, mask):
    Q /= np.sqrt(Q.shape[1])
    scores = np.where(mask, Q @ K.T, -np.inf)
    return np.nan_to_num(sums_to_one(scores))


def sees_nothing_and_everything(Q, K, mask):
    return sums_to_one(Q @ K.T / np.sqrt(Q.shape[1]) - 1e9 * ~mask)


def scores_and_weights_erased(Q, K, mask):
    return sums_to_one(Q @ K.T / np.sqrt(Q.shape[1]) * mask) * mask


def ten_thousand_below(Q, K, mask):
    return sums_to_one(seen_by(mask, Q, K, -1e4)) * mask


def hidden_after_exp(Q, K, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    parts = exp(scores - seen_by(mask, Q, K).max(axis=1, keepdims=True, initial=-1e300)) * mask
    total = parts.sum(axis=1, keepdims=True)
    return parts / np.where(total == 0, 1, total)


def infinity_times_zero(Q, K, mask):
    return sums_to_one(Q @ K.T / np.sqrt(Q.shape[1]) - np.inf * ~mask)


def zeros_for_nan(Q, K, mask):
    parts = exp(seen_by(mask, Q, K))
    return np.nan_to_num(parts / parts.sum(axis=1, keepdims=True))


def root_at_the_end(Q, K, mask):
    return no_root(Q, K, mask) / np.sqrt(Q.shape[1])


def one_look_for_all(Q, K, mask):
    parts = exp(seen_by(mask, Q, K))
    return parts / max(parts.sum(), 1e-9)


def a_billion_below_then_zeros(Q, K, mask):
    return sums_to_one(seen_by(mask, Q, K, -1e9)) * mask


def a_billion_subtracted_then_zeros(Q, K, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[1]) - 1e9 * (1 - mask)
    return sums_to_one(scores) * mask


def divides_once_more(Q, K, mask):
    A = sums_to_one(Q @ K.T / np.sqrt(Q.shape[1])) * mask
    return A / A.sum(axis=1, keepdims=True)


def weights_and_scores(Q, K, mask):
    return seen_by(mask, Q, K, -1e9), np.nan_to_num(sums_to_one(seen_by(mask, Q, K)))


def weights_then_scores(Q, K, mask):
    return weights_and_scores(Q, K, mask)[::-1]


def mask_of_the_keys(Q, K, mask):
    return np.nan_to_num(sums_to_one(seen_by(mask.T, Q, K)))


def first_row_of_the_mask(Q, K, mask):
    return np.nan_to_num(sums_to_one(seen_by(mask[0], Q, K)))


ATTENTION_WEIGHTS = [
    (a_billion_below_then_zeros, "even lower"),
    (a_billion_subtracted_then_zeros, "even lower"),
    (divides_once_more, "A masked key has the largest score"),
    (weights_then_scores, "You return two tables"),
    (mask_of_the_keys, "a row for each query and a column for each key"),
    (first_row_of_the_mask, "first row of the mask for every query"),
    (sees_nothing_and_everything, "would have without a mask"),
    (scores_and_weights_erased, "You set weights to 0 after the softmax"),
    (ten_thousand_below, "even lower"),
    (hidden_after_exp, "∞ times 0 is nan"),
    (infinity_times_zero, "0 times ∞"),
    (zeros_for_nan, "exp(1000)"),
    (root_at_the_end, "You divide the weights by √d"),
    (one_look_for_all, "All your weights together"),
    (lambda Q, K, mask: seen_by(-mask, Q, K), "which sign turns them round"),
    (forgets_the_mask, "the same with every mask"),
    (the_other_way_round, "let it attend to the rest"),
    (blind_rows_are_nan, "becomes nan"),
    (a_billion_below, "which weights do they get"),
    (a_hundred_below, "even lower"),
    (erases_weights, "You set weights to 0 after the softmax"),
    (erases_scores, "give masked keys the score 0"),
    (adds_the_mask, "True counts as 1"),
    (shares_out_again, "A masked key has the largest score"),
    (unshifted_where_seen, "exp(1000)"),
    (no_root, "too large by the factor √d"),
    (no_square_root, "You divide the scores by d"),
    (root_of_the_words, "root of the number of keys"),
    (root_of_the_queries, "root of the number of queries"),
    (keys_ask, "a row for each query and a column for each key"),
    (shares_out_columns, "weights of each column"),
    (writes_over_Q, "write into Q"),
    (lambda Q, K, mask: Q @ K / np.sqrt(Q.shape[1]), "How many rows and columns"),
]


# --- 4.3 -------------------------------------------------------------------------------------


def turned(K):
    return np.swapaxes(K, -2, -1)


def for_one_text(Q, K, V):
    return sums_to_one(Q @ K.T / np.sqrt(Q.shape[1])) @ V


def mixing(scores=None, weights=sums_to_one, mix=np.matmul):
    scores = scores or (lambda Q, K, V: Q @ turned(K) / np.sqrt(Q.shape[-1]))
    return lambda Q, K, V: mix(weights(scores(Q, K, V)), V)


def scales_the_input(Q, K, V):
    Q /= np.sqrt(Q.shape[-1])
    return sums_to_one(Q @ turned(K)) @ V


def elementwise(Q, K, V):
    return sums_to_one(Q @ turned(K) / np.sqrt(Q.shape[-1])) * V


def loop_of_the_text(Q, K, V):
    n, d = Q.shape
    Y = np.zeros((n, V.shape[1]))
    for i in range(n):
        Y[i] = sums_to_one(K @ Q[i] / np.sqrt(d)) @ V
    return Y


def loop_over_rows(Q, K, V):
    return np.array([sums_to_one(K @ q / np.sqrt(len(q))) @ V for q in Q])


def loop_with_a_sum(Q, K, V):
    Y = np.zeros((len(Q), V.shape[-1]))
    for i in range(len(Q)):
        a = sums_to_one(K @ Q[i] / np.sqrt(Q.shape[-1]))
        Y[i] = sum(a[j] * V[j] for j in range(len(K)))
    return Y


def three_axes_only(Q, K, V):
    return sums_to_one(Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])) @ V


def values_first(Q, K, V):
    return V @ sums_to_one(Q @ turned(K) / np.sqrt(Q.shape[-1]))


def weights_in_a_list(Q, K, V):
    A = sums_to_one(Q @ turned(K) / np.sqrt(Q.shape[-1])).tolist()
    return A.swapaxes(-1, -1) @ V


def bracket_too_late(Q, K, V):
    return sums_to_one(Q @ turned(K) / np.sqrt(Q.shape[-1]) @ V)


def scales_the_keys(Q, K, V):
    K /= np.sqrt(Q.shape[-1])
    return sums_to_one(Q @ turned(K)) @ V


def root_at_last(Q, K, V):
    return sums_to_one(Q @ turned(K)) / np.sqrt(Q.shape[-1]) @ V


def second_axis_and_third(Q, K, V):
    return sums_to_one(Q @ np.swapaxes(K, 1, 2) / np.sqrt(Q.shape[-1])) @ V


def output_and_weights(Q, K, V):
    A = sums_to_one(Q @ turned(K) / np.sqrt(Q.shape[-1]))
    return A @ V, A


def mean_of_the_values(Q, K, V):
    return np.broadcast_to(V.mean(axis=-2, keepdims=True), (*Q.shape[:-1], V.shape[-1]))


def largest_weight_only(Q, K, V):
    best = (Q @ turned(K)).argmax(axis=-1)
    return np.take_along_axis(V, best[..., None], axis=-2)


ATTENTION = [
    (output_and_weights, "You return the output and the weights"),
    (output_and_weights, "and not the weights"),
    (mean_of_the_values, "the mean of all values"),
    (largest_weight_only, "a single value"),
    (for_one_text, "reverses all axes of a stack"),
    (loop_of_the_text, "count the axes from the end"),
    (loop_over_rows, "count the axes from the end"),
    (loop_with_a_sum, "count the axes from the end"),
    (three_axes_only, "names only the last two of them"),
    (values_first, "On which side must A stand"),
    (values_first, "count the axes from the end"),
    (weights_in_a_list, "Does your softmax return a list"),
    (bracket_too_late, "You mix the values first"),
    (mixing(lambda Q, K, V: Q @ turned(K)), "too large by the factor √d"),
    (mixing(lambda Q, K, V: Q @ turned(K) / Q.shape[-1]), "You divide the scores by d"),
    (mixing(lambda Q, K, V: Q @ turned(K) / np.sqrt(V.shape[-1])), "root of the length of a value"),
    (mixing(lambda Q, K, V: Q @ turned(K) / np.sqrt(K.shape[-2])), "root of the number of keys"),
    (mixing(lambda Q, K, V: Q @ turned(K) / np.sqrt(len(Q))), "len(Q) counts the rows"),
    (mixing(lambda Q, K, V: Q @ turned(K) / np.sqrt(Q.shape[1])), "Q.shape[1] is the length"),
    (mixing(weights=lambda x: x), "mix the values with the scores themselves"),
    (mixing(weights=axis_one), "Axis 1 has the keys of a table"),
    (mixing(weights=lambda x: turned(sums_to_one(turned(x)))), "weights of each column"),
    (mixing(weights=plain_formula), "exp(1000)"),
    (mixing(weights=one_row_only), "All your weights together"),
    (mixing(mix=lambda A, V: A), "What do they mix"),
    (mixing(mix=lambda A, V: turned(A) @ V), "columns of A"),
    (elementwise, "adds up the rows of V"),
    (mixing(lambda Q, K, V: Q @ turned(Q) / np.sqrt(Q.shape[-1])), "Where are the keys"),
    (lambda Q, K, V: mixing()(Q, K, K), "You mix the keys"),
    (lambda Q, K, V: mixing()(K, Q, V), "a row for each key"),
    (scales_the_input, "`Q /= …` changes"),
    (scales_the_keys, "write into Q, K or V"),
    (root_at_last, "You divide by √d after the softmax"),
    (second_axis_and_third, "names only the last two of them"),
    (mixing(lambda Q, K, V: Q @ turned(K) * np.sqrt(Q.shape[-1])), "You multiply the scores by √d"),
    (mixing(lambda Q, K, V: Q @ turned(K) / np.sqrt(K.shape[0])), "len(K) counts the rows"),
    (mixing(lambda Q, K, V: Q @ K / np.sqrt(Q.shape[-1])), "Are the keys rows or columns of K"),
]


# --- 4.4 -------------------------------------------------------------------------------------


def one_by_one(score):
    def additive_scores(s, H, W, U, v):
        return np.array([score(s, h, W, U, v) for h in H])

    return additive_scores


def in_columns(s, H, W, U, v):
    return v @ np.tanh((W @ s)[:, None] + U @ H)


def already_weights(s, H, W, U, v):
    return sums_to_one(np.tanh(W @ s + H @ U.T) @ v)


def vectors_for_scores(s, H, W, U, v):
    return v * np.tanh(W @ s + H @ U.T)


def over_the_states(s, H, W, U, v):
    return v @ np.tanh(W @ s + H @ U.T)


def in_place(s, H, W, U, v):
    scores = np.tanh(W @ s + H @ U.T) @ v
    s *= 0
    return scores


def columns_and_rows(s, H, W, U, v):
    return v @ np.tanh(W @ s + U @ H.T)


def a_loop_too_long(s, H, W, U, v):
    return [v @ np.tanh(W @ s + U @ H[j]) for j in range(len(v))]


def squeezed(s, H, W, U, v):
    return np.tanh(W @ s + np.squeeze(H @ U.T)) @ v


def number_by_number(s, H, W, U, v):
    return np.tanh(W * s + U * H) @ v


def dot_products(s, H, W, U, v):
    return (H @ U.T) @ (W @ s)


ADDITIVE_SCORES = [
    (number_by_number, "`*` multiplies number by number"),
    (number_by_number, "W s is one row"),
    (dot_products, "dot product of W s and U h"),
    (lambda s, H, W, U, v: v @ np.tanh(W @ s + H @ U.T), "has a row for each hidden state"),
    (squeezed, "(1,) or ()"),
    (columns_and_rows, "to every column or to every row"),
    (a_loop_too_long, "how far does your loop count"),
    (lambda s, H, W, U, v: math.tanh(W @ s + H @ U.T) @ v, "`math.tanh` takes one number"),
    (lambda s, H, W, U, v: np.tanh(W @ s + H @ U.T) @ v / np.sqrt(len(s)), "divide by a root"),
    (one_by_one(lambda s, h, W, U, v: np.mean(v * np.tanh(W @ s + U @ h))), "a mean or a sum"),
    (one_by_one(lambda s, h, W, U, v: v @ (np.tanh(W @ s) + U @ h)), "U h stands outside the tanh"),
    (one_by_one(lambda s, h, W, U, v: np.tanh(v * (W @ s + U @ h)).sum()), "before you apply tanh"),
    (one_by_one(lambda s, h, W, U, v: v @ (W @ s + U @ h)), "Where is the tanh"),
    (one_by_one(lambda s, h, W, U, v: np.tanh(v @ (W @ s + U @ h))), "before you apply tanh"),
    (one_by_one(lambda s, h, W, U, v: v @ np.tanh(U @ s + W @ h)), "exchanged their places"),
    (one_by_one(lambda s, h, W, U, v: v @ np.tanh(s @ W + h @ U)), "by the columns of W"),
    (one_by_one(lambda s, h, W, U, v: v @ np.tanh(U @ h)), "do not depend on s"),
    (one_by_one(lambda s, h, W, U, v: v @ np.tanh(W @ s)), "the same score"),
    (one_by_one(lambda s, h, W, U, v: v @ (np.tanh(W @ s) + np.tanh(U @ h))), "sum of two tanhs"),
    (one_by_one(lambda s, h, W, U, v: v @ np.tanh((W @ s) * (U @ h))), "You multiply W s and U h"),
    (one_by_one(lambda s, h, W, U, v: np.tanh(W @ s + U @ h).sum()), "Where is v"),
    (
        one_by_one(lambda s, h, W, U, v: v @ (1 / (1 + exp(-(W @ s + U @ h))))),
        "That is the sigmoid",
    ),
    (lambda s, H, W, U, v: np.tanh(W @ s + H @ U) @ v, "each h by the columns of U"),
    (lambda s, H, W, U, v: np.tanh(W @ s + U @ H) @ v, "U @ H multiplies U"),
    (in_columns, "U @ H multiplies U"),
    (already_weights, "after the softmax"),
    (vectors_for_scores, "Where do you add up"),
    (over_the_states, "On which side of the table should v stand"),
    (in_place, "write into one of the given arrays"),
    (lambda s, H, W, U, v: np.tanh(W @ s + H @ U.T) @ v / np.sqrt(len(v)), "divide by a root"),
]


# --- 4.5 -------------------------------------------------------------------------------------


def wrong_reshape(X, heads):
    return X.reshape(heads, X.shape[0], X.shape[1] // heads)


def unturned(X, heads):
    return X.reshape(len(X), heads, -1)


def wrongly_turned(X, heads):
    return X.reshape(len(X), heads, -1).transpose(1, 2, 0)


def every_other(X, heads):
    return np.stack([X[:, k::heads] for k in range(heads)])


def fast_turn(X, heads):
    return X.T.reshape(heads, len(X), -1)


def float_size(X, heads):
    n, d = X.shape
    return X.reshape(n, heads, d / heads).swapaxes(0, 1)


def size_for_number(X, heads):
    return X.reshape(len(X), -1, heads).swapaxes(0, 1)


def one_piece(X, heads):
    return X[:, : X.shape[1] // heads]


def deals_out_words(X, heads):
    return np.array(np.split(X, heads))


def last_head_first(X, heads):
    return np.array(np.split(X, heads, axis=1)[::-1])


def turns_X_itself(X, heads):
    found = np.array(np.split(X, heads, axis=1))
    X *= 0
    return found


def no_table(X, heads):
    return X.reshape(heads, -1)


def spares_one_head(X, heads):
    return X if heads == 1 else np.array(np.split(X, heads, axis=1))


def cut_at_floats(X, heads):
    c = X.shape[1] / heads
    return [X[:, k * c : (k + 1) * c] for k in range(heads)]


def number_for_size(X, heads):
    return np.array([X[:, k * heads : (k + 1) * heads] for k in range(heads)])


def two_axes_of_three(X, heads):
    return X.reshape(len(X), heads, -1).transpose(1, 0)


def squeezed_heads(X, heads):
    return np.squeeze(np.array(np.split(X, heads, axis=1)))


def side_by_side_again(X, heads):
    return np.hstack(np.split(X, heads, axis=1))


SPLIT_HEADS = [
    (squeezed_heads, "np.squeeze removes"),
    (side_by_side_again, "You return X itself"),
    (cut_at_floats, "shapes and slices need whole numbers"),
    (number_for_size, "Have all heads the same number of columns"),
    (two_axes_of_three, "how many do you name"),
    (deals_out_words, "cuts along axis 0"),
    (spares_one_head, "a stack of one table"),
    (wrong_reshape, "reads X row by row"),
    (unturned, "Your first axis counts the words"),
    (wrongly_turned, "each word is a column"),
    (every_other, "side by side"),
    (fast_turn, "read on as words"),
    (float_size, "Which division"),
    (size_for_number, "or the size of a head"),
    (one_piece, "Where are the other heads"),
    (deals_out_words, "a row for every word"),
    (last_head_first, "the last one first"),
    (turns_X_itself, "write into X"),
    (no_table, "Where are the rows of the words"),
    (lambda X, heads: np.repeat(X[None], heads, axis=0), "gets all columns of X"),
    (lambda X, heads: X.reshape(len(X), heads, 7), "How many numbers has X"),
]


# --- 4.6 -------------------------------------------------------------------------------------


def cut(X, heads):
    return X.reshape(len(X), heads, -1).transpose(1, 0, 2)


def headed(
    matrices=lambda X, W: X @ W.T,
    cut=cut,
    size=lambda Q: Q.shape[-1],
    join=lambda Z, d: Z.transpose(1, 0, 2).reshape(-1, d),
    last=lambda Z, W: Z @ W.T,
    weights=sums_to_one,
):
    """Several heads with one line wrong."""

    def multi_head(X, W_Q, W_K, W_V, W_O, heads):
        Q, K, V = (cut(matrices(X, W), heads) for W in (W_Q, W_K, W_V))
        A = weights(Q @ K.transpose(0, 2, 1) / np.sqrt(size(Q)))
        return last(join(A @ V, X.shape[1]), W_O)

    return multi_head


def root_of_d(X, W_Q, W_K, W_V, W_O, heads):
    found = []
    for Q, K, V in zip(*(cut(X @ W.T, heads) for W in (W_Q, W_K, W_V)), strict=True):
        found.append(sums_to_one(Q @ K.T / np.sqrt(X.shape[1])) @ V)
    return np.hstack(found) @ W_O.T


def one_head(X, W_Q, W_K, W_V, W_O, heads):
    Q, K, V = X @ W_Q.T, X @ W_K.T, X @ W_V.T
    return sums_to_one(Q @ K.T / np.sqrt(Q.shape[1])) @ V @ W_O.T


def one_head_small_root(X, W_Q, W_K, W_V, W_O, heads):
    Q, K, V = X @ W_Q.T, X @ W_K.T, X @ W_V.T
    return sums_to_one(Q @ K.T / np.sqrt(Q.shape[1] // heads)) @ V @ W_O.T


def queries_for_keys(X, W_Q, W_K, W_V, W_O, heads):
    return headed()(X, W_Q, W_Q, W_V, W_O, heads)


def keys_for_values(X, W_Q, W_K, W_V, W_O, heads):
    return headed()(X, W_Q, W_K, W_K, W_O, heads)


def exchanged(X, W_Q, W_K, W_V, W_O, heads):
    return headed()(X, W_K, W_Q, W_V, W_O, heads)


def mean_of_heads(X, W_Q, W_K, W_V, W_O, heads):
    Q, K, V = (cut(X @ W.T, heads) for W in (W_Q, W_K, W_V))
    Z = sums_to_one(Q @ turned(K) / np.sqrt(Q.shape[-1])) @ V
    return Z.mean(axis=0) @ W_O.T


def writes_over_X(X, W_Q, W_K, W_V, W_O, heads):
    found = headed()(X, W_Q, W_K, W_V, W_O, heads)
    X += found
    return found


def without_values(X, W_Q, W_K, W_V, W_O, heads):
    return headed()(X, W_Q, W_K, np.eye(X.shape[1]), W_O, heads)


def cut_first(X, W_Q, W_K, W_V, W_O, heads):
    shares = cut(X, heads)
    Q, K, V = (shares @ W.T for W in (W_Q, W_K, W_V))
    return np.hstack(list(mixing()(Q, K, V))) @ W_O.T


def heads_in_a_list(X, W_Q, W_K, W_V, W_O, heads):
    Q, K, V = (np.split(X @ W.T, heads, axis=1) for W in (W_Q, W_K, W_V))
    return np.hstack(list(mixing()(Q, K, V))) @ W_O.T


def lists_indexed(X, W_Q, W_K, W_V, W_O, heads):
    Q, K, V = (np.split(X @ W.T, heads, axis=1) for W in (W_Q, W_K, W_V))
    return sums_to_one(Q[:, 0] @ K[:, 0].T) @ V @ W_O.T


def without_queries(X, W_Q, W_K, W_V, W_O, heads):
    return headed()(X, np.eye(X.shape[1]), W_K, W_V, W_O, heads)


def without_keys(X, W_Q, W_K, W_V, W_O, heads):
    return headed()(X, W_Q, np.eye(X.shape[1]), W_V, W_O, heads)


def size_of_heads(X, W_Q, W_K, W_V, W_O, heads):
    return headed()(X, W_Q, W_K, W_V, W_O, X.shape[1] // heads)


def splits_again(X, W_Q, W_K, W_V, W_O, heads):
    def table(X, heads):
        n, d = X.shape
        return X.reshape(n, heads, d // heads).transpose(1, 0, 2)

    return headed(join=lambda Z, d: table(Z, heads))(X, W_Q, W_K, W_V, W_O, heads)


def sliced_words(part, join):
    """Head k gets its own slice of each word vector, and a part of each matrix."""

    def multi_head(X, W_Q, W_K, W_V, W_O, heads):
        found = []
        for columns in np.split(np.arange(X.shape[1]), heads):
            Q, K, V = (X[:, columns] @ part(W, columns).T for W in (W_Q, W_K, W_V))
            found.append(sums_to_one(Q @ K.T / np.sqrt(Q.shape[1])) @ V)
        return join(found) @ W_O.T

    return multi_head


def heads_below_each_other(X, W_Q, W_K, W_V, W_O, heads):
    return headed(join=lambda Z, d: np.vstack(list(Z)))(X, W_Q, W_K, W_V, W_O, heads)


def matrices_first(X, W_Q, W_K, W_V, W_O, heads):
    return headed(matrices=lambda X, W: W @ X)(X, W_Q, W_K, W_V, W_O, heads)


def output_and_maps(X, W_Q, W_K, W_V, W_O, heads):
    Q, K, _ = (cut(X @ W.T, heads) for W in (W_Q, W_K, W_V))
    A = sums_to_one(Q @ turned(K) / np.sqrt(Q.shape[-1]))
    return headed()(X, W_Q, W_K, W_V, W_O, heads), A


MULTI_HEAD = [
    (sliced_words(lambda W, k: W[np.ix_(k, k)], np.hstack), "sees only a slice"),
    (sliced_words(lambda W, k: W[:, k], sum), "sees only a slice"),
    (sliced_words(lambda W, k: W[:, k], lambda Z: sum(Z) / len(Z)), "sees only a slice"),
    (sliced_words(lambda W, k: W[: len(k), k], np.hstack), "sees only a slice"),
    (
        headed(join=lambda Z, d: np.tile(Z.mean(axis=0), len(Z))),
        "take the mean or the sum of the heads",
    ),
    (headed(join=lambda Z, d: Z.mean(axis=0), last=lambda Z, W: Z), "the mean or the sum"),
    (heads_below_each_other, "below each other"),
    (
        headed(join=lambda Z, d: np.vstack(list(Z)), last=lambda Z, W: Z),
        "below each other",
    ),
    (matrices_first, "the queries are X @ W_Q.T"),
    (output_and_maps, "and not the weights"),
    (without_queries, "Where is W_Q"),
    (without_keys, "Where is W_K"),
    (size_of_heads, "or the size of a head"),
    (splits_again, "split_heads takes a table"),
    (headed(size=lambda Q: Q.shape[-1] ** 2), "You divide twice by the root"),
    (headed(cut=unturned, join=lambda Z, d: Z.reshape(-1, d)), "so the heads of a word attend"),
    (headed(join=lambda Z, d: turned(Z).reshape(-1, d)), "Which axis should stand between"),
    (without_values, "Your values are X itself"),
    (cut_first, "multiply first, then cut"),
    (heads_in_a_list, "return a list"),
    (lists_indexed, "return a list"),
    (headed(matrices=lambda X, W: X @ W), "by the columns of W"),
    (headed(matrices=np.matmul, last=np.matmul), "by the columns of W"),
    (headed(last=np.matmul), "by the columns of W_O"),
    (headed(last=lambda Z, W: Z), "Where is W_O"),
    (root_of_d, "You divide by the root of d"),
    (headed(size=lambda Q: 1), "not divided by a root"),
    (headed(size=lambda Q: len(Q)), "root of the number of heads"),
    (headed(cut=wrong_reshape), "reads X row by row"),
    (headed(join=lambda Z, d: Z.reshape(-1, d)), "You join by reshape alone"),
    (
        headed(cut=wrong_reshape, join=lambda Z, d: Z.reshape(-1, d)),
        "Both mix different words",
    ),
    (headed(cut=every_other), "side by side"),
    (headed(join=lambda Z, d: Z.transpose(1, 2, 0).reshape(-1, d)), "take turns in your result"),
    (headed(join=lambda Z, d: np.hstack(list(Z)[::-1])), "The last head stands first"),
    (one_head, "You calculate one head"),
    (one_head_small_root, "You calculate one head"),
    (queries_for_keys, "Where is W_K"),
    (keys_for_values, "Where is W_V"),
    (exchanged, "exchanged their places"),
    (mean_of_heads, "the mean or the sum of the heads"),
    (headed(weights=lambda x: turned(sums_to_one(turned(x)))), "weights of each column"),
    (headed(weights=down_the_columns), "over the heads"),
    (headed(weights=lambda x: x), "Where is the softmax"),
    (writes_over_X, "write into X"),
]


# --- 4.7 -------------------------------------------------------------------------------------


def measuring(
    scores=lambda Q, K, scale: scale * Q @ K.T,
    spread=lambda x, A: np.mean((x - x.mean()) ** 2),
    top=lambda A: np.max(A, axis=1),
    slope=lambda a, A: np.mean(a - a**2),
    weights=sums_to_one,
):
    def sharpness(Q, K, scale):
        x = scores(Q, K, scale)
        A = weights(x)
        a = top(A)
        return [spread(x, A), np.mean(a), slope(a, A)]

    return sharpness


def scales_Q_itself(Q, K, scale):
    Q *= scale
    return measuring()(Q, K, 1.0)


def unscaled_variance(Q, K, scale):
    x = Q @ K.T
    a = sums_to_one(scale * x).max(axis=1)
    return x.var(), a.mean(), (a - a**2).mean()


def unscaled_and_all_slopes(Q, K, scale):
    A = sums_to_one(scale * Q @ K.T)
    return (Q @ K.T).var(), A.max(axis=1).mean(), (A * (1 - A)).mean()


def unscaled_weights(Q, K, scale):
    a = sums_to_one(Q @ K.T).max(axis=1)
    return (scale * Q @ K.T).var(), a.mean(), (a - a**2).mean()


def adds_the_tops(Q, K, scale):
    variance, top, slope = measuring()(Q, K, scale)
    return variance, len(Q) * top, slope


def mean_of_all_weights(Q, K, scale):
    x = scale * Q @ K.T
    a = sums_to_one(x).max(axis=1)
    return x.var(), sums_to_one(x).mean(), (a - a**2).mean()


def listed(Q, K, scale):
    x = scale * Q @ K.T
    return x.var(), sums_to_one(x).tolist().max(axis=1), 0


def one_slope_for_each_query(Q, K, scale):
    x = scale * Q @ K.T
    a = sums_to_one(x).max(axis=1)
    return x.var(), a.mean(), a * (1 - a)


SHARPNESS = [
    (one_slope_for_each_query, "a single number"),
    (unscaled_variance, "your first number change with scale"),
    (unscaled_weights, "your weights change with scale"),
    (adds_the_tops, "sum of the largest weights"),
    (measuring(spread=lambda x, A: np.sum((x - x.mean()) ** 2)), "sum of the squared distances"),
    (measuring(weights=lambda x: sums_to_one(x.ravel()).reshape(x.shape)), "All your weights"),
    (measuring(slope=lambda a, A: np.mean(np.sum(A * (1 - A), axis=1))), "all weights of a query"),
    (unscaled_and_all_slopes, "your first number change with scale"),
    (listed, "Does your softmax return a list"),
    (measuring(scores=lambda Q, K, scale: Q @ K.T), "None of your numbers changes"),
    (measuring(scores=lambda Q, K, scale: Q @ K.T / scale), "Should you multiply or divide"),
    (measuring(scores=lambda Q, K, s: Q @ K.T / np.sqrt(Q.shape[1])), "You divide by √d"),
    (measuring(scores=lambda Q, K, s: s * Q @ K.T / np.sqrt(Q.shape[1])), "You scale twice"),
    (measuring(scores=lambda Q, K, s: s * Q @ Q.T), "Where are the keys"),
    (measuring(scores=lambda Q, K, s: s * Q @ K), "has to be transposed"),
    (measuring(spread=lambda x, A: np.std(x)), "standard deviation"),
    (measuring(spread=lambda x, A: np.var(x, ddof=1)), "ddof=1"),
    (measuring(spread=lambda x, A: np.mean(x**2)), "mean of the squared scores"),
    (measuring(spread=lambda x, A: np.var(x, axis=1).mean()), "variance of each row"),
    (measuring(spread=lambda x, A: np.var(A)), "variance of the weights"),
    (measuring(spread=lambda x, A: np.var(x, axis=1)), "a single number"),
    (measuring(top=lambda A: np.max(A)), "largest weight of the whole table"),
    (measuring(top=lambda A: np.max(A, axis=0)), "that each key gets"),
    (measuring(top=lambda A: np.min(A, axis=1)), "smallest weight"),
    (measuring(top=lambda A: np.mean(A, axis=1)), "1 divided by their number"),
    (measuring(weights=down_the_columns), "weights of each column"),
    (measuring(weights=lambda x: x), "Where is the softmax"),
    (measuring(weights=plain_formula), "exp(1000)"),
    (measuring(slope=lambda a, A: a.mean() * (1 - a.mean())), "the mean of a first"),
    (measuring(slope=lambda a, A: np.mean(A * (1 - A))), "slopes of all weights"),
    (measuring(slope=lambda a, A: np.sum(a * (1 - a))), "sum of the slopes"),
    (measuring(slope=lambda a, A: np.mean(1 - a)), "Where is the factor a"),
    (lambda Q, K, scale: measuring()(Q, K, scale)[:2], "Where is the third one"),
    (lambda Q, K, scale: [measuring()(Q, K, scale)[k] for k in (0, 2, 1)], "In which order"),
    (lambda Q, K, scale: [measuring()(Q, K, scale)[k] for k in (1, 2, 0)], "In which order"),
    (scales_Q_itself, "`Q *= scale` changes"),
    (lambda Q, K, scale: measuring()(Q, np.multiply(K, scale, out=K), 1.0), "write into Q or K"),
]


# --- 4.8 -------------------------------------------------------------------------------------


def self_attention(X):
    return sums_to_one(X @ X.T) @ X


def gap(new, old, measure=lambda x: np.abs(x).max(), f=self_attention):
    return lambda X, P, order: measure(new(f, X, P, order) - old(f, X, P, order))


def new(f, X, P, order):
    return f(X[order] + P)


def old(f, X, P, order):
    return f(X + P)[order]


def adds_to_X(X, P, order):
    fresh = self_attention(X[order] + P)
    X += P
    return np.abs(fresh - self_attention(X)[order]).max()


def only_short_texts(X, P, order):
    fresh, kept = self_attention(X[order] + P), self_attention(X + P)[order]
    return np.abs(fresh - kept).max() if len(X) < 6 else 1.0


def there_and_back(X, P, order):
    return gap(new, old)(X, P, [order.index(i) for i in range(len(X))])


def mixes_words_alone(X, P, order):
    def f(words, P):
        return sums_to_one((words + P) @ (words + P).T) @ words

    return np.abs(f(X[order], P) - f(X, P)[order]).max()


def greatest_of_each(X, P, order):
    return abs(self_attention(X[order] + P).max() - self_attention(X + P).max())


def sorts_the_order(X, P, order):
    found = gap(new, old)(X, P, order)
    order.sort()
    return found


def no_copy(X, P, order):
    Y = X
    Y += P
    return np.abs(self_attention(X[order] + P) - self_attention(Y)[order]).max()


ORDER_GAP = [
    (no_copy, "`Y = X` makes no copy"),
    (gap(lambda f, X, P, o: f(X[o] + P[o]), lambda f, X, P, o: f(X + P)), "which should stay"),
    (gap(lambda f, X, P, o: f(X + P), old), "move together"),
    (
        gap(lambda f, X, P, o: f(X + P)[o], lambda f, X, P, o: f(X + P[o])),
        "Should they move, or the words",
    ),
    (gap(new, lambda f, X, P, o: f(X + P[o])[o]), "Should they move, or the words"),
    (there_and_back, "the inverse of `order`"),
    (mixes_words_alone, "What does f mix"),
    (greatest_of_each, "largest number of each table"),
    (sorts_the_order, "`order.sort()` change"),
    (gap(new, old, lambda x: np.linalg.norm(x, np.inf)), "adds up the numbers of each row"),
    (only_short_texts, "six words or more"),
    (gap(lambda f, X, P, o: f((X + P)[o]), old), "belongs to its position"),
    (gap(lambda f, X, P, o: f(X[o] + P[o]), old), "belongs to its position"),
    (gap(lambda f, X, P, o: f(X[o]), lambda f, X, P, o: f(X)[o]), "belongs to its position"),
    (gap(new, lambda f, X, P, o: f(X + P)), "stood at its position before"),
    (gap(new, lambda f, X, P, o: f(X + P)[np.argsort(o)]), "the inverse order"),
    (gap(lambda f, X, P, o: f(X[np.argsort(o)] + P), old), "the inverse of `order`"),
    (gap(lambda f, X, P, o: f(X[o]), old), "has no position embeddings"),
    (gap(new, lambda f, X, P, o: f(X)[o]), "has no position embeddings"),
    (
        gap(lambda f, X, P, o: f(X[o]) + P, lambda f, X, P, o: (f(X) + P)[o]),
        "You add P to the outputs",
    ),
    (
        gap(new, old, f=lambda X: sums_to_one(X @ X.T / np.sqrt(X.shape[1])) @ X),
        "Is there a root in f",
    ),
    (gap(new, old, f=lambda X: X @ X.T @ X), "Where is the softmax"),
    (gap(new, old, f=lambda X: down_the_columns(X @ X.T) @ X), "weights of each column"),
    (gap(new, old, f=lambda X: sums_to_one(X @ X.T)), "You compare weights"),
    (gap(new, old, np.max), "What do you do with the sign"),
    (gap(new, old, lambda x: np.abs(x).mean()), "mean of the differences"),
    (gap(new, old, lambda x: np.abs(x).sum()), "You add up the differences"),
    (gap(new, old, np.linalg.norm), "length of the difference"),
    (gap(new, old, lambda x: np.max(x**2)), "the square of a difference"),
    (gap(new, old, lambda x: np.linalg.norm(x, axis=1).max()), "longest row"),
    (gap(new, old, np.abs), "Which one of them"),
    (adds_to_X, "write into X, P or order"),
]

WRONG = {
    "softmax": SOFTMAX,
    "attention_weights": ATTENTION_WEIGHTS,
    "attention": ATTENTION,
    "additive_scores": ADDITIVE_SCORES,
    "split_heads": SPLIT_HEADS,
    "multi_head": MULTI_HEAD,
    "sharpness": SHARPNESS,
    "order_gap": ORDER_GAP,
}


# --- inputs of which the claims know nothing -------------------------------------------------


def scores_like(rng):
    shape = [int(size) for size in rng.integers(1, 5, size=int(rng.integers(1, 5)))]
    return (rng.normal(size=shape) * rng.choice([1.0, 30.0, 3000.0]),)


def looks_like(rng):
    n, m, d = map(int, rng.integers(1, 6, size=3))
    Q, K = rng.normal(size=(n, d)), rng.normal(size=(m, d))
    return Q * rng.choice([1.0, 30.0, 3000.0]), K, rng.random((n, m)) < rng.choice([0.2, 0.7, 1.0])


def stacks_like(rng):
    n, m, d, c = map(int, rng.integers(1, 5, size=4))
    before = [int(size) for size in rng.integers(1, 4, size=int(rng.integers(0, 3)))]
    Q = rng.normal(size=(*before, n, d)) * rng.choice([1.0, 3000.0])
    return Q, rng.normal(size=(*before, m, d)), rng.normal(size=(*before, m, c))


def states_like(rng):
    n, d, e, a = map(int, rng.integers(1, 6, size=4))
    shapes = (d,), (n, e), (a, d), (a, e), (a,)
    return tuple(rng.normal(size=shape) for shape in shapes)


def rows_like(rng):
    n, heads, c = map(int, rng.integers(1, 5, size=3))
    return rng.normal(size=(n, heads * c)), heads


def layers_like(rng):
    n, heads, c = map(int, rng.integers(1, 4, size=3))
    d = heads * c
    return (rng.normal(size=(n, d)), *rng.normal(size=(4, d, d)), heads)


def crowds_like(rng):
    n, m, d = map(int, rng.integers(1, 7, size=3))
    Q = rng.normal(size=(n, d)) * rng.choice([1.0, 3000.0])
    return Q, rng.normal(size=(m, d)), float(rng.uniform(0.1, 1.5))


def reordered_like(rng):
    n, d = map(int, rng.integers(1, 6, size=2))
    X, P = rng.normal(size=(2, n, d)) * rng.choice([0.3, 1.0, 30.0])
    return X, P * rng.integers(0, 2), [int(j) for j in rng.permutation(n)]


INPUTS = {
    "softmax": scores_like,
    "attention_weights": looks_like,
    "attention": stacks_like,
    "additive_scores": states_like,
    "split_heads": rows_like,
    "multi_head": layers_like,
    "sharpness": crowds_like,
    "order_gap": reordered_like,
}

UNSURE: set[str] = set()
