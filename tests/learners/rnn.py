"""What learners write for exercise 3: wrong answers with words of the question each deserves, and
inputs of which the claims know nothing."""

import math
from itertools import pairwise

import numpy as np

tanh = np.tanh


def sigma(a):
    return 1 / (1 + np.exp(-a))


# --- 3.1 -------------------------------------------------------------------------------------


def the_slide(x, s, W, U, V):
    s = tanh(np.dot(W, x) + np.dot(U, s))
    y = np.dot(V, h)  # noqa: F821
    return y


def output_first(x, s, W, U, V):
    s = tanh(W @ x + U @ s)
    y = V @ s
    return y, s


def output_alone(x, s, W, U, V):
    s = tanh(W.dot(x) + U.dot(s))
    return V.dot(s)


def output_from_before(x, s, W, U, V):
    y = V @ s
    s = tanh(W @ x + U @ s)
    return s, y


def tanh_closed_early(x, s, W, U, V):
    s = tanh(W @ x) + U @ s
    return s, V @ s


def row_vectors(x, s, W, U, V):
    s = tanh(x @ W + s @ U)
    return s, s @ V


def forgets(x, s, W, U, V):
    s = tanh(np.dot(W, x) + np.dot(U, np.zeros_like(s)))
    return s, np.dot(V, s)


def letters_of_the_slide(x, s, W, U, V):
    s = tanh(np.dot(W, s) + np.dot(U, x))
    return s, np.dot(V, s)


def stars(x, s, W, U, V):
    s = tanh(W * x + U * s)
    return s, V * s


def adds_up(x, s, W, U, V):
    s = s + tanh(W @ x + U @ s)
    return s, V @ s


def writes_into_the_state(x, s, W, U, V):
    s[:] = tanh(W @ x + U @ s)
    return s, V @ s


def the_chapters_mended_slide(x, s, W, U, V):
    s = tanh(np.dot(W, s) + np.dot(U, x))
    return np.dot(V, s), s


def hands_back_the_old_state(x, s, W, U, V):
    new = tanh(W @ x + U @ s)
    return s, V @ new


def makes_the_output_too_soon(x, s, W, U, V):
    a = W @ x + U @ s
    return tanh(a), V @ a


def old_output_first(x, s, W, U, V):
    y = V @ s
    return y, tanh(W @ x + U @ s)


RNN_STEP = [
    (the_chapters_mended_slide, "the output stands first"),
    (hands_back_the_old_state, "You return the state that came in"),
    (makes_the_output_too_soon, "inside the tanh: is that the state"),
    (old_output_first, "Your output stands first"),
    (lambda x, s, W, U, V: (tanh(W @ x + U @ s), sigma(V @ tanh(W @ x + U @ s))), "squash"),
    (lambda x, s, W, U, V: (tanh(W @ x + U @ s), V * tanh(W @ x + U @ s)), "both rows"),
    (lambda x, s, W, U, V: (tanh(W.T @ x + U @ s), V @ tanh(W.T @ x + U @ s)), "W by its columns"),
    (lambda x, s, W, U, V: (tanh(W @ x + U.T @ s), V @ tanh(W @ x + U.T @ s)), "U by its columns"),
    (the_slide, "what is h"),
    (output_first, "State first"),
    (output_alone, "if y is all you return"),
    (output_from_before, "has it seen x yet"),
    (tanh_closed_early, "inside the tanh"),
    (row_vectors, "takes W by its columns"),
    (forgets, "know the old one"),
    (letters_of_the_slide, "each other's place"),
    (letters_of_the_slide, "as many columns as x has numbers"),
    (stars, "which sign multiplies a matrix"),
    (adds_up, "add the old state"),
    (writes_into_the_state, "write into s"),
    (lambda x, s, W, U, V: (W @ x + U @ s, V @ (W @ x + U @ s)), "Where is the tanh"),
    (lambda x, s, W, U, V: (sigma(W @ x + U @ s), V @ sigma(W @ x + U @ s)), "never below 0"),
    (lambda x, s, W, U, V: tanh(W @ x + U @ s), "and the output"),
]


# --- 3.2 -------------------------------------------------------------------------------------


def reading(keep=lambda states, before, s: states.append(s), whole=np.array, step=None, order=list):
    step = step or (lambda x, s, W, U: tanh(np.dot(W, x) + np.dot(U, s)))

    def rnn_states(X, s, W, U):
        states = []
        for x in order(X):
            before, s = s, step(x, s, W, U)
            keep(states, before, s)
        return whole(states)

    return rnn_states


def successive_outputs(X, s, W, U):
    outputs = []
    for x in X:
        s = tanh(np.dot(W, x) + np.dot(U, s))
        outputs.append(s)
    return np.concatenate(outputs, axis=0)


def never_passed_on(X, s, W, U):
    states = []
    for x in X:
        new = tanh(W @ x + U @ s)
        states.append(new)
    return np.stack(states)


def all_at_once(X, s, W, U):
    return tanh(X @ W.T + U @ s)


def one_array_for_all(X, s, W, U):
    states, now = [], s.copy()
    for x in X:
        now[:] = tanh(W @ x + U @ now)
        states.append(now)
    return np.array(states)


def starts_over(X, s, W, U):
    return reading()(X, np.zeros(len(s)), W, U)


def with_the_start(X, s, W, U):
    return np.vstack([s[None], reading()(X, s, W, U)])


def uses_up_the_start(X, s, W, U):
    states = np.zeros((len(X), len(s)))
    for t in range(len(X)):
        s[:] = tanh(W @ X[t] + U @ s)
        states[t] = s
    return states


def returns_in_the_loop(X, s, W, U):
    states = []
    for x in X:
        s = tanh(W @ x + U @ s)
        states.append(s)
        return np.array(states)


def begins_at_row_1(row_0):
    def rnn_states(X, s, W, U):
        states = np.zeros((len(X), len(s)))
        states[0] = row_0(s)
        for t in range(1, len(X)):
            states[t] = tanh(W @ X[t] + U @ states[t - 1])
        return states

    return rnn_states


def rows_as_long_as_x(X, s, W, U):
    states = np.zeros_like(X)
    for t, x in enumerate(X):
        states[t] = s = tanh(W @ x + U @ s)
    return states


RNN_STATES = [
    (returns_in_the_loop, "inside the loop"),
    (begins_at_row_1(lambda s: s), "the first input is never read"),
    (begins_at_row_1(np.zeros_like), "Row 0 holds zeros"),
    (rows_as_long_as_x, "as long as x, or as s"),
    (lambda X, s, W, U: np.squeeze(reading()(X, s, W, U)), "which one is asked for"),
    (lambda X, s, W, U: (reading()(X, s, W, U), s), "something beside it"),
    (reading(whole=lambda states: states[1:]), "is it as long as the state"),
    (reading(step=lambda x, s, W, U: tanh(W.T @ x + U @ s)), "W by its columns"),
    (reading(step=lambda x, s, W, U: tanh(W @ x + U.T @ s)), "U by its columns"),
    (reading(step=lambda x, s, W, U: tanh(W @ x) + U @ s), "inside the tanh"),
    (reading(step=lambda x, s, W, U: tanh(U @ s)), "know x"),
    (successive_outputs, "one long row"),
    (never_passed_on, "who passes it on"),
    (all_at_once, "who passes it on"),
    (one_array_for_all, "append one array"),
    (starts_over, "which state were you handed"),
    (starts_over, "from the s that came in"),
    (with_the_start, "a row too many"),
    (reading(keep=lambda states, before, s: states.append(before)), "before you take the step"),
    (reading(whole=lambda states: states[-1]), "those on the way"),
    (reading(order=lambda X: X[::-1]), "from its end"),
    (reading(whole=lambda states: np.array(states[::-1])), "the last one first"),
    (reading(whole=lambda states: np.stack(states, axis=1)), "in columns"),
    (reading(step=lambda x, s, W, U: W @ x + U @ s), "Where is the tanh"),
    (reading(step=lambda x, s, W, U: tanh(U @ x + W @ s)), "each other's place"),
    (uses_up_the_start, "write into s or X"),
]


# --- 3.3 -------------------------------------------------------------------------------------


def going_back(start=None, back=None, table=None, finish=None):
    """Going back through time with one line in it wrong."""
    start = start or (lambda g, S: g * (1 - S[-1] ** 2))
    back = back or (lambda delta, U, S, t: U.T @ delta * (1 - S[t] ** 2))
    table = table or (lambda delta, S, t: delta[:, None] * S[t - 1][None, :])

    def contributions(S, U, g):
        T = len(S) - 1
        tables = [None] * T
        delta = start(g, S)
        for t in reversed(range(1, T + 1)):
            tables[t - 1] = table(delta, S, t)
            if t > 1:
                delta = back(delta, U, S, t - 1)
        return finish(np.array(tables)) if finish else np.array(tables)

    return contributions


def multiplies_into_g(S, U, g):
    right = going_back()(S, U, g)
    g *= 1 - S[-1] ** 2
    return right


def hears_g_again(S, U, g):
    tables, delta = np.zeros((len(S) - 1, *U.shape)), np.zeros(len(g))
    for t in range(len(S) - 1, 0, -1):
        delta = (g + U.T @ delta) * (1 - S[t] ** 2)
        tables[t - 1] = np.outer(delta, S[t - 1])
    return tables


def stops_after_one(S, U, g):
    tables = np.zeros((len(S) - 1, *U.shape))
    tables[-1] = np.outer(g * (1 - S[-1] ** 2), S[-2])
    return tables


def total(S, U, g):
    dU, delta = np.zeros_like(U), g * (1 - S[-1] ** 2)
    for t in range(len(S) - 1, 0, -1):
        dU += np.outer(delta, S[t - 1])
        delta = U.T @ delta * (1 - S[t - 1] ** 2)
    return dU


def last_first(S, U, g):
    tables, delta = [], g * (1 - S[-1] ** 2)
    for t in range(len(S) - 1, 0, -1):
        tables.append(np.outer(delta, S[t - 1]))
        delta = U.T @ delta * (1 - S[t - 1] ** 2)
    return np.array(tables)


def by_the_state(S, U, g):
    tables, heard = [], g
    for t in range(len(S) - 1, 0, -1):
        tables.insert(0, np.outer(heard, S[t - 1]))
        heard = U.T @ (heard * (1 - S[t] ** 2))
    return tables


def one_table_for_all(S, U, g):
    tables, table = [], np.zeros(U.shape)
    for share in last_first(S, U, g):
        table[:] = share
        tables.append(table)
    return np.array(tables)


def stops_before_the_first(S, U, g):
    tables = going_back()(S, U, g)
    tables[0] = 0
    return tables


def never_moves_on(S, U, g):
    last = g * (1 - S[-1] ** 2)
    early = [np.outer(U.T @ last * (1 - s**2), s_0) for s_0, s in pairwise(S[:-1])]
    return np.array([*early, np.outer(last, S[-2])])


def writes_into_the_states(S, U, g):
    right = going_back()(S, U, g)
    S **= 2
    return right


CONTRIBUTIONS = [
    (by_the_state, "the gradient by the state"),
    (one_table_for_all, "append one array"),
    (stops_before_the_first, "stop before it comes there"),
    (never_moves_on, "through U once"),
    (writes_into_the_states, "write into S, U or g"),
    (going_back(finish=lambda tables: tables / len(tables)), "or their mean"),
    (
        going_back(
            start=lambda g, S: g * (1 - S[-1]),
            back=lambda delta, U, S, t: U.T @ delta * (1 - S[t]),
        ),
        "1 − s², or 1 − s",
    ),
    (going_back(table=lambda delta, S, t: np.outer(delta, S[t + 1])), "number of the last"),
    (going_back(back=lambda delta, U, S, t: U @ delta * (1 - S[t] ** 2)), "through Uᵀ"),
    (going_back(start=lambda g, S: g), "the tanh of the last step"),
    (going_back(back=lambda delta, U, S, t: U.T @ delta), "those before it"),
    (
        going_back(start=lambda g, S: g, back=lambda delta, U, S, t: U.T @ delta),
        "the slope of the tanh, 1 − s²",
    ),
    (
        going_back(back=lambda delta, U, S, t: U.T @ delta * (1 - S[t + 1] ** 2)),
        "pass its own tanh",
    ),
    (going_back(back=lambda delta, U, S, t: delta * (1 - S[t] ** 2)), "Between two steps stands U"),
    (going_back(table=lambda delta, S, t: np.outer(S[t - 1], delta)), "lie on their side"),
    (going_back(table=lambda delta, S, t: np.outer(delta, S[t])), "by s_t, or by the one before"),
    (going_back(table=lambda delta, S, t: delta * S[t - 1]), "np.outer"),
    (
        going_back(
            start=lambda g, S: g * S[-1] * (1 - S[-1]),
            back=lambda delta, U, S, t: U.T @ delta * S[t] * (1 - S[t]),
        ),
        "slope of the sigmoid",
    ),
    (
        going_back(
            start=lambda g, S: g * (1 - tanh(S[-1]) ** 2),
            back=lambda delta, U, S, t: U.T @ delta * (1 - tanh(S[t]) ** 2),
        ),
        "tanh of them once more",
    ),
    (hears_g_again, "why does g come in again"),
    (
        going_back(back=lambda delta, U, S, t: U.T @ (delta * (1 - S[t] ** 2))),
        "Which came last, going forwards",
    ),
    (
        going_back(back=lambda delta, U, S, t: U.T @ (delta * (1 - S[t + 1] ** 2))),
        "Which came last, going forwards",
    ),
    (going_back(finish=lambda tables: -tables), "other sign"),
    (stops_after_one, "no part in s_T"),
    (total, "share of each step"),
    (last_first, "the last step first"),
    (multiplies_into_g, "write into S, U or g"),
]


# --- 3.4 -------------------------------------------------------------------------------------


def cell(update=None, show=None, order="ifgo", give=lambda h, c: (h, c), at=None):
    """An LSTM's step with one line in it wrong."""
    update = update or (lambda i, f, g, o, c: f * c + i * g)
    show = show or (lambda o, c, new: o * tanh(new))

    def lstm_step(x, h, c, W, U, b):
        a = at(x, h, W, U, b) if at else np.dot(W, x) + np.dot(U, h) + b
        d = len(h)
        part = {name: a[n * d : (n + 1) * d] for n, name in enumerate(order)}
        i, f, o, g = sigma(part["i"]), sigma(part["f"]), sigma(part["o"]), tanh(part["g"])
        new = update(i, f, g, o, c)
        return give(show(o, c, new), new)

    return lstm_step


def all_four_are_gates(x, h, c, W, U, b):
    i, f, g, o = np.split(sigma(W @ x + U @ h + b), 4)
    c = f * c + i * g
    return o * tanh(c), c


def in_four_columns(x, h, c, W, U, b):
    i, f, g, o = (W @ x + U @ h + b).reshape(-1, 4).T
    c = sigma(f) * c + sigma(i) * tanh(g)
    return sigma(o) * tanh(c), c


def on_the_old_belt(x, h, c, W, U, b):
    i, f, g, o = np.split(W @ x + U @ h + b, 4)
    c *= sigma(f)
    c += sigma(i) * tanh(g)
    return sigma(o) * tanh(c), c


def one_number_without_its_row(x, h, c, W, U, b):
    return [np.squeeze(part) for part in cell()(x, h, c, W, U, b)]


LSTM_STEP = [
    (cell(order="fiog"), "as f, i, o, g"),
    (cell(order="gifo"), "as g, i, f, o"),
    (cell(update=lambda i, f, g, o, c: c + i * g), "where is the gate f"),
    (cell(update=lambda i, f, g, o, c: f * c + g), "where is the gate i"),
    (cell(update=lambda i, f, g, o, c: f * (c + i * g)), "Mind the brackets"),
    (cell(show=lambda o, c, new: np.log(o / (1 - o)) * tanh(new)), "where is the σ"),
    (cell(give=lambda h, c: (c, c)), "asked for, h first"),
    (cell(at=lambda x, h, W, U, b: x @ W + h @ U + b), "as many columns as x"),
    (one_number_without_its_row, "which one is asked for"),
    (cell(order="iofg"), "in which order do they stand"),
    (cell(order="igfo"), "in which order do they stand"),
    (cell(order="ifog"), "in which order do they stand"),
    (cell(order="figo"), "in the order they are stored"),
    (cell(update=lambda i, f, g, o, c: i * c + f * g), "which before what is new"),
    (cell(update=lambda i, f, g, o, c: (1 - f) * c + f * g), ""),
    (cell(update=lambda i, f, g, o, c: f * c + (1 - f) * g), "as a GRU does"),
    (cell(update=lambda i, f, g, o, c: (1 - f) * c + i * g), "keep all of c"),
    (cell(update=lambda i, f, g, o, c: i * g), "starts anew"),
    (cell(update=lambda i, f, g, o, c: f * c), "Nothing new"),
    (cell(show=lambda o, c, new: o * new), "where is the tanh"),
    (cell(show=lambda o, c, new: o * tanh(c)), "which c does h see"),
    (cell(show=lambda o, c, new: tanh(new)), "Where is the output gate"),
    (cell(show=lambda o, c, new: tanh(o * new)), "inside your tanh"),
    (cell(give=lambda h, c: (c, h)), "h first"),
    (cell(give=lambda h, c: h), "next step's belt"),
    (cell(at=lambda x, h, W, U, b: W @ x + U @ h), "Where did b go"),
    (cell(at=lambda x, h, W, U, b: W @ x + b), "not look at h"),
    (cell(at=lambda x, h, W, U, b: U @ x + W @ h + b), "which of them meets x"),
    (all_four_are_gates, "σ or tanh"),
    (in_four_columns, "every fourth number"),
    (on_the_old_belt, "write into h or c"),
]


# --- 3.5 -------------------------------------------------------------------------------------


def adding_up(size, first=lambda e, d, ways: e, later=lambda e, d, ways: ways * d):
    def rnn_parameters(e, d, blocks, biases, directions, layers):
        widths = [first(e, d, directions)] + [later(e, d, directions)] * (layers - 1)
        return sum(directions * size(n, d, blocks, biases) for n in widths)

    return rnn_parameters


def usual(n, d, blocks, biases):
    return blocks * (d * n + d * d + biases * d)


def biases_of_one_direction(e, d, k, b, ways, layers):
    widths = [e] + [ways * d] * (layers - 1)
    return sum(ways * k * (d * n + d * d) + k * b * d for n in widths)


RNN_PARAMETERS = [
    (biases_of_one_direction, "no biases of its own"),
    (adding_up(usual, first=lambda e, d, ways: ways * d), "the first layer read"),
    (
        lambda e, d, k, b, ways, n: adding_up(usual)(e, d, k, b, ways, n - 1) if n > 1 else 0,
        "too few",
    ),
    (adding_up(lambda n, d, k, b: k * (d * n + b * d)), "meets the state"),
    (adding_up(lambda n, d, k, b: k * (d * n + d * d)), "leave the biases out"),
    (adding_up(lambda n, d, k, b: k * (d * n + d * d + d)), "one bias always"),
    (adding_up(lambda n, d, k, b: k * (d * n + d * d + 2 * d)), "two biases always"),
    (adding_up(lambda n, d, k, b: k * (d * n + d * d + b)), "not one number but a row"),
    (adding_up(lambda n, d, k, b: k * (d * n + d * d) + b * d), "biases of one block"),
    (adding_up(lambda n, d, k, b: d * n + d * d + b * d), "That is one block"),
    (adding_up(lambda n, d, k, b: 4 * (d * n + d * d + b * d)), "Four blocks always"),
    (adding_up(usual, later=lambda e, d, ways: d), "reads both directions"),
    (adding_up(usual, later=lambda e, d, ways: e), "reads the layer below"),
    (lambda e, d, k, b, ways, layers: layers * ways * usual(e, d, k, b), "reads the layer below"),
    (lambda e, d, k, b, ways, layers: ways * usual(e, d, k, b), "and those above"),
    (lambda e, d, k, b, ways, n: adding_up(usual)(e, d, k, b, 1, n), "Where are directions"),
    (lambda e, d, k, b, ways, n: adding_up(usual)(e, ways * d, k, b, 1, n), "twice as wide"),
    (adding_up(lambda n, d, k, b: k * (n * (n + d) + b * n)), "How many rows"),
]


# --- 3.6 -------------------------------------------------------------------------------------


def log_softmax(x, axis=-1):
    x = x - x.max(axis=axis, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=axis, keepdims=True))


def place_by_place(cost, mean):
    def masked_loss(scores, y, mask):
        T, B, _ = scores.shape
        costs = np.array([[cost(scores[t, b], y[t, b]) for b in range(B)] for t in range(T)])
        return mean(costs, mask)

    return masked_loss


def usual_cost(row, y):
    return -log_softmax(row)[y]


def over_words(costs, mask):
    return costs[mask].mean()


def softmax_in_place(scores, y, mask):
    scores -= scores.max(axis=-1, keepdims=True)
    return place_by_place(usual_cost, over_words)(scores, y, mask)


def masks_the_scores(scores, y, mask):
    return place_by_place(usual_cost, lambda c, m: c.mean())(scores * mask[:, :, None], y, mask)


def forms_p(row):
    row = np.exp(row - row.max())
    return row / row.sum()


def masks_the_scores_and_divides(scores, y, mask):
    costs = place_by_place(usual_cost, lambda c, m: c.sum())(scores * mask[..., None], y, mask)
    return costs / np.count_nonzero(mask)


def over_the_texts(scores, y, mask):
    logs = log_softmax(scores, axis=1)
    picked = np.take_along_axis(logs, y[..., None], axis=-1)[..., 0]
    return -picked[mask].mean()


def ends_with_zeros(costs, mask):
    return np.where(mask, costs, 0).mean()


def text_by_text(costs, mask):
    return np.mean([costs[mask[:, b], b].mean() for b in range(mask.shape[1])])


def one_sum_for_all(scores, y, mask):
    shifted = scores - scores.max()
    costs = np.log(np.exp(shifted).sum()) - np.take_along_axis(shifted, y[..., None], -1)[..., 0]
    return costs[mask].mean()


def shifts_inside_exp_alone(row, y):
    return np.log(np.exp(row - row.max()).sum()) - row[y]


def by_lengths(costs, mask):
    return np.concatenate([costs[:n, b] for b, n in enumerate(mask.sum(axis=0))]).mean()


def clipped_at(least):
    return place_by_place(lambda row, y: -np.log(max(forms_p(row)[y], least)), over_words)


def clears_the_padding(scores, y, mask):
    y[~mask] = 0
    return place_by_place(usual_cost, over_words)(scores, y, mask)


def with_math(row, y):
    p = [math.exp(score) for score in row]
    return -math.log(p[y] / sum(p))


def without_keepdims(scores, y, mask):
    logs = scores - np.log(np.exp(scores).sum(axis=-1))
    return -np.take_along_axis(logs, y[..., None], -1)[..., 0][mask].mean()


MASKED_LOSS = [
    (one_sum_for_all, "a sum over all places"),
    (place_by_place(shifts_inside_exp_alone, over_words), "from the score of y, too"),
    (place_by_place(usual_cost, by_lengths), "always stand at the end"),
    (clipped_at(1e-8), "more than 18"),
    (clipped_at(1e-300), "more than 691"),
    (clears_the_padding, "write into scores, y or mask"),
    (place_by_place(with_math, over_words), "exp(1000)"),
    (without_keepdims, "lost its last axis"),
    (
        place_by_place(lambda row, y: usual_cost(row, y) / len(row), over_words),
        "should its loss change",
    ),
    (place_by_place(usual_cost, lambda c, m: c.mean()), "those without a word"),
    (place_by_place(usual_cost, ends_with_zeros), "divide by all places"),
    (place_by_place(usual_cost, text_by_text), "each text's mean"),
    (place_by_place(usual_cost, lambda c, m: c[m].sum()), "That is the sum"),
    (
        place_by_place(usual_cost, lambda c, m: c[m].sum() / m.shape[1]),
        "number of steps, or of texts",
    ),
    (place_by_place(usual_cost, lambda c, m: c[m].sum() / len(m)), "number of steps, or of texts"),
    (place_by_place(lambda row, y: log_softmax(row)[y], over_words), "other sign"),
    (place_by_place(lambda row, y: -row[y], over_words), "where is the softmax"),
    (place_by_place(lambda row, y: -np.exp(log_softmax(row))[y], over_words), "the logarithm"),
    (place_by_place(lambda row, y: 1 - np.exp(log_softmax(row))[y], over_words), "the logarithm"),
    (place_by_place(lambda row, y: usual_cost(row, y) / np.log(2), over_words), "which logarithm"),
    (
        place_by_place(lambda row, y: -np.log(np.exp(row[y]) / np.exp(row).sum()), over_words),
        "exp(1000)",
    ),
    (
        place_by_place(lambda row, y: -np.log(np.exp(log_softmax(row))[y] + 1e-12), over_words),
        "thought impossible",
    ),
    (place_by_place(lambda row, y: -np.log(forms_p(row)[y]), over_words), "Must you form p"),
    (place_by_place(usual_cost, lambda c, m: c.sum() / m.sum()), "still in the sum"),
    (masks_the_scores, "set the scores of the padding to 0"),
    (masks_the_scores_and_divides, "mask the scores, or the costs"),
    (over_the_texts, "the texts, or the words"),
    (softmax_in_place, "write into scores, y or mask"),
]


# --- 3.7 -------------------------------------------------------------------------------------


def table_of(y, lags, hours, constant=True):
    columns = [np.ones(len(hours))] if constant else []
    return np.column_stack([*columns, *([y[t - lag] for t in hours] for lag in lags)])


def line(fit=lambda n, N: n, constant=True, shift=0, give=lambda y, n: y):
    """Forecasting with one line in it wrong."""

    def forecast(past, future, lags):
        y, n = np.concatenate([past, future]), len(past)
        lags = [lag + shift for lag in lags]
        hours = np.arange(max(lags), fit(n, len(y)))
        w, *_ = np.linalg.lstsq(table_of(y, lags, hours, constant), y[hours])
        return give(table_of(y, lags, np.arange(n, len(y)), constant) @ w, n)

    return forecast


def feeds_itself(past, future, lags):
    hours = np.arange(max(lags), len(past))
    w, *_ = np.linalg.lstsq(table_of(past, lags, hours), past[hours])
    y = list(past)
    for _ in future:
        y.append(w[0] + sum(weight * y[-lag] for weight, lag in zip(w[1:], lags, strict=True)))
    return np.array(y[len(past) :])


def rolls(past, future, lags):
    y, n = np.concatenate([past, future]), len(past)
    A = np.column_stack([np.ones(n), *(np.roll(past, lag) for lag in lags)])
    w, *_ = np.linalg.lstsq(A, past)
    return table_of(y, lags, np.arange(n, len(y))) @ w


def begins_with_nothing(past, future, lags):
    w, *_ = np.linalg.lstsq(
        table_of(past, lags, np.arange(max(lags), len(past))), past[max(lags) :]
    )
    y = np.r_[np.zeros(max(lags)), future]
    return table_of(y, lags, np.arange(max(lags), len(y))) @ w


def takes_the_mean_off(past, future, lags):
    mean = past.mean()
    past -= mean
    return line()(past, future - mean, lags) + mean


def subtracts_everybodys_mean(past, future, lags):
    mean = np.mean([*past, *future])
    return line(constant=False)(past - mean, future - mean, lags) + mean


def first_hour_lost(past, future, lags):
    return line()(past, future, lags)[1:]


def fits_anew(past, future, lags):
    known, told = list(past), []
    for value in future:
        told.append(line()(np.array(known), np.array([value]), lags)[0])
        known.append(value)
    return told


def fits_from(first):
    def forecast(past, future, lags):
        y, hours = np.r_[past, future], np.arange(first(lags), len(past))
        w = np.linalg.lstsq(table_of(past, lags, hours), past[hours])[0]
        return table_of(y, lags, np.arange(len(past), len(y))) @ w

    return forecast


def sorts_the_lags(past, future, lags):
    lags.sort()
    return line()(past, future, lags)


def columns_of_any_length(past, future, lags):
    return np.column_stack([past[:-lag] for lag in lags])


def all_that_lstsq_returns(past, future, lags):
    hours = np.arange(max(lags), len(past))
    return np.linalg.lstsq(table_of(past, lags, hours), past[hours])


FORECAST = [
    (fits_anew, "fit anew"),
    (fits_from(lambda lags: lags[-1]), "the greatest"),
    (fits_from(lambda lags: max(lags) + 1), "leave out the first hour"),
    (
        lambda past, future, lags: (
            line(constant=False)(past - past.mean(), future - past.mean(), lags) + past.mean()
        ),
        "that same mean",
    ),
    (lambda past, future, lags: line()(past, future, lags) - future, "with a minus"),
    (sorts_the_lags, "lags.sort()"),
    (columns_of_any_length, "a row for just those"),
    (all_that_lstsq_returns, "which are the weights"),
    (line(fit=lambda n, N: N), "fit on the future"),
    (line(constant=False), "Where is the constant"),
    (line(shift=-1), "the very value"),
    (line(shift=1), "too far back"),
    (lambda past, future, lags: future, "too good to be true"),
    (
        lambda past, future, lags: np.r_[past, future][len(past) - max(lags) : -max(lags)],
        "seasonal",
    ),
    (lambda past, future, lags: np.r_[past[-1], future[:-1]], "value of the hour before"),
    (lambda past, future, lags: np.full(len(future), past.mean()), "come to be known"),
    (lambda past, future, lags: line()(past, future, lags[:1]), "one lag alone"),
    (lambda past, future, lags: future - line()(past, future, lags), "the errors"),
    (feeds_itself, "own forecasts back"),
    (rolls, "np.roll"),
    (begins_with_nothing, "do you have 0"),
    (takes_the_mean_off, "write into what you were handed"),
    (subtracts_everybodys_mean, "whose mean"),
    (first_hour_lost, "how many forecasts"),
]


# --- 3.8 -------------------------------------------------------------------------------------


def softmax(x):
    e = np.exp(x - np.max(x))
    return e / e.sum()


def walking(chances, less=lambda so_far, u: u < so_far, first=0):
    def next_letter(scores, tau, u):
        so_far = 0
        for letter, chance in enumerate(chances(np.asarray(scores), tau)):
            so_far += chance
            if less(so_far, u):
                return letter + first
        return len(scores) - 1 + first

    return next_letter


def each_by_itself(scores, tau, u):
    p = softmax(scores / tau)
    return int(np.argmax(p > u))


def sorts_first(scores, tau, u):
    p = softmax(scores / tau)
    order = np.argsort(p)[::-1]
    return int(order[np.argmax(np.cumsum(p[order]) > u)])


def unnormalised(scores, tau, u):
    p = np.exp(scores / tau)
    return int(np.searchsorted(np.cumsum(p), u))


def scores_naively(scores, tau):
    p = np.exp(scores / tau)
    return p / p.sum()


def ends_without_a_letter(scores, tau, u):
    for letter, end in enumerate(np.cumsum(scores_naively(scores, tau))):
        if end > u:
            return letter


def first_of_none(scores, tau, u):
    return np.flatnonzero(np.cumsum(scores_naively(scores, tau)) > u)[0]


def argmax_of(chances):
    return lambda scores, tau, u: np.argmax(np.cumsum(chances(scores, tau)) > u)


NEXT_LETTER = [
    (ends_without_a_letter, "none does"),
    (first_of_none, "none does"),
    (
        walking(lambda x, tau: [math.exp(a / tau) / sum(map(math.exp, x / tau)) for a in x]),
        "exp(1000)",
    ),
    (argmax_of(lambda x, tau: softmax(x) / tau), "before exp or after"),
    (argmax_of(lambda x, tau: np.exp((x - x.max()) / tau)), "do not add up to 1"),
    (argmax_of(lambda x, tau: np.log(softmax(x / tau))), "do your ends rise"),
    (argmax_of(lambda x, tau: softmax(x / max(tau, 0.01))), "should the letter change"),
    (lambda scores, tau, u: int(np.argmax(scores / tau)), "always take the likeliest"),
    (lambda scores, tau, u: int(u * len(scores)), "where do the scores come in"),
    (walking(lambda x, tau: softmax(x)), "change with τ"),
    (walking(lambda x, tau: softmax(x * tau)), "multiply by τ"),
    (walking(lambda x, tau: softmax(x) / tau), "before exp or after"),
    (walking(lambda x, tau: softmax(x / tau), first=1), "one too far"),
    (walking(lambda x, tau: softmax(x / tau), less=lambda s, u: s < u), "< or >"),
    (walking(lambda x, tau: np.exp(x / tau) / np.exp(x / tau).sum()), "exp(1000)"),
    (lambda scores, tau, u: softmax(scores / tau), "which letter does u choose"),
    (walking(lambda x, tau: softmax(x / tau), less=lambda s, u: u <= s), "> or ≥"),
    (lambda scores, tau, u: np.searchsorted(np.cumsum(softmax(scores / tau)), u), "> or ≥"),
    (each_by_itself, "own probability"),
    (sorts_first, "likeliest letter first"),
    (unnormalised, "do not add up to 1"),
    (lambda scores, tau, u: walking(lambda x, t: softmax(x / t))(scores, tau, 1 - u), "far end"),
]

WRONG = {
    "rnn_step": RNN_STEP,
    "rnn_states": RNN_STATES,
    "contributions": CONTRIBUTIONS,
    "lstm_step": LSTM_STEP,
    "rnn_parameters": RNN_PARAMETERS,
    "masked_loss": MASKED_LOSS,
    "forecast": FORECAST,
    "next_letter": NEXT_LETTER,
}


def matrices_like(rng, *shapes):
    return tuple(rng.normal(size=shape) * rng.choice([0.3, 1.0, 2.0]) for shape in shapes)


def steps_like(rng):
    d, e = map(int, rng.integers(1, 6, size=2))
    return matrices_like(rng, e, d, (d, e), (d, d), (d, d))


def sequences_like(rng):
    T, d, e = map(int, rng.integers(1, 6, size=3))
    return matrices_like(rng, (T, e), d, (d, e), (d, d))


def histories_like(rng):
    T, d = map(int, rng.integers(1, 6, size=2))
    return (tanh(rng.normal(size=(T + 1, d))), *matrices_like(rng, (d, d), d))


def cells_like(rng):
    d, e = map(int, rng.integers(1, 5, size=2))
    return matrices_like(rng, e, d, d, (4 * d, e), (4 * d, d), 4 * d)


def layers_like(rng):
    return tuple(int(rng.integers(1, most)) for most in (50, 50, 5, 3, 3, 5))


def batches_like(rng):
    T, B, n = map(int, rng.integers(1, 6, size=3))
    mask = rng.random((T, B)) < 0.7
    mask[0, 0] = True
    scores = rng.normal(size=(T, B, n)) * rng.choice([1.0, 30.0, 3000.0])
    return scores, rng.integers(0, n, size=(T, B)), mask


def series_like(rng):
    lags = [int(lag) for lag in rng.permutation(7)[: rng.integers(1, 4)] + 1]
    y = 10 * rng.random() + rng.normal(size=int(rng.integers(40, 60)))
    n = int(rng.integers(25, 38))
    return y[:n], y[n:], lags


def odds_like(rng):
    scores = rng.normal(size=int(rng.integers(2, 9))) * rng.choice([1.0, 1000.0])
    tau = float(rng.choice([0.01, 0.5, 1.0, 3.0]))
    if rng.random() < 0.2:  # the first letter impossible, and the least u there is
        scores[0] -= 9000.0
        return scores, tau, 0.0
    return scores, tau, float(rng.random())


INPUTS = {
    "rnn_step": steps_like,
    "rnn_states": sequences_like,
    "contributions": histories_like,
    "lstm_step": cells_like,
    "rnn_parameters": layers_like,
    "masked_loss": batches_like,
    "forecast": series_like,
    "next_letter": odds_like,
}

UNSURE = {"next_letter"}
