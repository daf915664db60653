"""What learners write for exercise 3: wrong answers with words of the question each deserves, and
inputs of which the claims know nothing."""

# ruff: noqa: E741, F821, F841 - O is the output matrix, and an answer may use a name that has no value

import math

import numpy as np

tanh = np.tanh


def sigma(a):
    return 1 / (1 + np.exp(-a))


# --- 3.1 -------------------------------------------------------------------------------------


def the_broken_step(x, h, W, U, O):
    s = tanh(np.dot(W, x) + np.dot(U, s))
    y = np.dot(O, h)
    return y


def output_first(x, h, W, U, O):
    h = tanh(W @ x + U @ h)
    y = O @ h
    return y, h


def output_alone(x, h, W, U, O):
    h = tanh(W.dot(x) + U.dot(h))
    return O.dot(h)


def output_from_before(x, h, W, U, O):
    y = O @ h
    h = tanh(W @ x + U @ h)
    return h, y


def tanh_closed_early(x, h, W, U, O):
    h = tanh(W @ x) + U @ h
    return h, O @ h


def row_vectors(x, h, W, U, O):
    h = tanh(x @ W + h @ U)
    return h, h @ O


def forgets(x, h, W, U, O):
    h = tanh(np.dot(W, x) + np.dot(U, np.zeros_like(h)))
    return h, np.dot(O, h)


def exchanged_matrices(x, h, W, U, O):
    h = tanh(np.dot(W, h) + np.dot(U, x))
    return h, np.dot(O, h)


def stars(x, h, W, U, O):
    h = tanh(W * x + U * h)
    return h, O * h


def adds_up(x, h, W, U, O):
    h = h + tanh(W @ x + U @ h)
    return h, O @ h


def writes_into_the_state(x, h, W, U, O):
    h[:] = tanh(W @ x + U @ h)
    return h, O @ h


def the_chapters_mended_step(x, h, W, U, O):
    h = tanh(np.dot(W, h) + np.dot(U, x))
    return np.dot(O, h), h


def hands_back_the_old_state(x, h, W, U, O):
    new = tanh(W @ x + U @ h)
    return h, O @ new


def makes_the_output_too_soon(x, h, W, U, O):
    a = W @ x + U @ h
    return tanh(a), O @ a


def old_output_first(x, h, W, U, O):
    y = O @ h
    return y, tanh(W @ x + U @ h)


def an_array_like_h(x, h, W, U, O):
    new = np.empty(len(h), dtype=h.dtype)
    new[:] = tanh(W @ x + U @ h)
    return new, O @ new


RNN_STEP = [
    (the_chapters_mended_step, "the output stands first"),
    (hands_back_the_old_state, "You return the h that was given"),
    (makes_the_output_too_soon, "before the tanh. Is that the hidden state"),
    (old_output_first, "Your output stands first"),
    (lambda x, h, W, U, O: (tanh(W @ x + U @ h), sigma(O @ tanh(W @ x + U @ h))), "more than O h"),
    (lambda x, h, W, U, O: (tanh(W @ x + U @ h), O * tanh(W @ x + U @ h)), "both vectors"),
    (lambda x, h, W, U, O: (tanh(W.T @ x + U @ h), O @ tanh(W.T @ x + U @ h)), "columns of W"),
    (lambda x, h, W, U, O: (tanh(W @ x + U.T @ h), O @ tanh(W @ x + U.T @ h)), "columns of U"),
    (lambda x, h, W, U, O: (tanh(W @ x + U @ h), tanh(W @ x + U @ h) @ O), "columns of O"),
    (the_broken_step, "Which name does the old hidden state have"),
    (output_first, "In which order are they"),
    (output_alone, "You return the output alone"),
    (output_from_before, "Has that one seen x"),
    (tanh_closed_early, "inside the tanh"),
    (row_vectors, "columns of both matrices"),
    (forgets, "depend on the h that is given"),
    (exchanged_matrices, "exchanged their places"),
    (exchanged_matrices, "as many columns as x has numbers"),
    (stars, "Which sign multiplies a matrix"),
    (adds_up, "add the old hidden state"),
    (writes_into_the_state, "write into h"),
    (an_array_like_h, "whole numbers, too"),
    (lambda x, h, W, U, O: (W @ x + U @ h, O @ (W @ x + U @ h)), "Where is the tanh"),
    (lambda x, h, W, U, O: (sigma(W @ x + U @ h), O @ sigma(W @ x + U @ h)), "never below 0"),
    (lambda x, h, W, U, O: tanh(W @ x + U @ h), "Where is the output"),
]


# --- 3.2 -------------------------------------------------------------------------------------


def reading(keep=lambda states, before, h: states.append(h), whole=np.array, step=None, order=list):
    step = step or (lambda x, h, W, U: tanh(np.dot(W, x) + np.dot(U, h)))

    def rnn_states(X, h, W, U):
        states = []
        for x in order(X):
            before, h = h, step(x, h, W, U)
            keep(states, before, h)
        return whole(states)

    return rnn_states


def successive_outputs(X, h, W, U):
    outputs = []
    for x in X:
        h = tanh(np.dot(W, x) + np.dot(U, h))
        outputs.append(h)
    return np.concatenate(outputs, axis=0)


def never_passed_on(X, h, W, U):
    states = []
    for x in X:
        new = tanh(W @ x + U @ h)
        states.append(new)
    return np.stack(states)


def all_at_once(X, h, W, U):
    return tanh(X @ W.T + U @ h)


def one_array_for_all(X, h, W, U):
    states, now = [], h.copy()
    for x in X:
        now[:] = tanh(W @ x + U @ now)
        states.append(now)
    return np.array(states)


def starts_over(X, h, W, U):
    return reading()(X, np.zeros(len(h)), W, U)


def with_the_start(X, h, W, U):
    return np.vstack([h[None], reading()(X, h, W, U)])


def uses_up_the_start(X, h, W, U):
    states = np.zeros((len(X), len(h)))
    for t in range(len(X)):
        h[:] = tanh(W @ X[t] + U @ h)
        states[t] = h
    return states


def returns_in_the_loop(X, h, W, U):
    states = []
    for x in X:
        h = tanh(W @ x + U @ h)
        states.append(h)
        return np.array(states)


def begins_at_row_1(row_0):
    def rnn_states(X, h, W, U):
        states = np.zeros((len(X), len(h)))
        states[0] = row_0(h)
        for t in range(1, len(X)):
            states[t] = tanh(W @ X[t] + U @ states[t - 1])
        return states

    return rnn_states


def rows_as_long_as_x(X, h, W, U):
    states = np.zeros_like(X)
    for t, x in enumerate(X):
        states[t] = h = tanh(W @ x + U @ h)
    return states


def states_like_h(X, h, W, U):
    states = np.empty((len(X), len(h)), dtype=h.dtype)
    for t, x in enumerate(X):
        states[t] = h = tanh(W @ x + U @ h)
    return states


def states_of_the_type_of_X(X, h, W, U):
    states = np.zeros((len(X), len(h)), dtype=X.dtype)
    for t, x in enumerate(X):
        states[t] = h = tanh(W @ x + U @ h)
    return states


def writes_into_X_where_it_fits(X, h, W, U):
    states = X if X.shape[1] == len(h) and X.dtype == float else np.zeros((len(X), len(h)))
    for t, x in enumerate(X):
        states[t] = h = tanh(W @ x + U @ h)
    return states


RNN_STATES = [
    (returns_in_the_loop, "inside the loop"),
    (begins_at_row_1(lambda h: h), "the first input is never read"),
    (begins_at_row_1(np.zeros_like), "Row 0 holds zeros"),
    (rows_as_long_as_x, "as long as x, or as long as h"),
    (states_like_h, "make like h then holds whole numbers"),
    (states_of_the_type_of_X, "make like X then holds whole numbers"),
    (writes_into_X_where_it_fits, "write into h or X"),
    (lambda X, h, W, U: np.squeeze(reading()(X, h, W, U)), "np.squeeze removes"),
    (lambda X, h, W, U: (reading()(X, h, W, U), h), "something beside it"),
    (reading(whole=lambda states: states[1:]), "as long as the hidden state"),
    (reading(step=lambda x, h, W, U: tanh(W.T @ x + U @ h)), "columns of W"),
    (reading(step=lambda x, h, W, U: tanh(W @ x + U.T @ h)), "columns of U"),
    (reading(step=lambda x, h, W, U: tanh(W @ x) + U @ h), "inside the tanh"),
    (reading(step=lambda x, h, W, U: tanh(U @ h)), "depend on x"),
    (successive_outputs, "one long row"),
    (never_passed_on, "pass the new hidden state on"),
    (all_at_once, "pass the new hidden state on"),
    (one_array_for_all, "append the same array"),
    (starts_over, "Which hidden state was given"),
    (starts_over, "depend on the h that is given"),
    (with_the_start, "one row too many"),
    (reading(keep=lambda states, before, h: states.append(before)), "before you take the step"),
    (reading(whole=lambda states: states[-1]), "those of the earlier steps"),
    (reading(order=lambda X: X[::-1]), "from its end"),
    (reading(whole=lambda states: np.array(states[::-1])), "the last one first"),
    (reading(whole=lambda states: np.stack(states, axis=1)), "in columns"),
    (reading(step=lambda x, h, W, U: W @ x + U @ h), "Where is the tanh"),
    (reading(step=lambda x, h, W, U: tanh(U @ x + W @ h)), "exchanged their places"),
    (uses_up_the_start, "write into h or X"),
]


# --- 3.3 -------------------------------------------------------------------------------------


def going_back(start=None, back=None, own=None, finish=None, pick=None):
    """Backpropagation through time with one line in it wrong."""
    start = start or (lambda g, H: g * (1 - H[-1] ** 2))
    back = back or (lambda g, delta, U, H, t: (g + U.T @ delta) * (1 - H[t] ** 2))
    pick = pick or (lambda G, t: G[t - 1])

    def bptt(H, U, G):
        T = len(H) - 1
        rows = [None] * T
        delta = start(G[-1], H)
        for t in reversed(range(1, T + 1)):
            rows[t - 1] = delta
            if t > 1:
                delta = back(pick(G, t - 1), delta, U, H, t - 1)
        return finish(np.array(rows)) if finish else np.array(rows)

    return bptt


def multiplies_into_G(H, U, G):
    delta = G[-1]
    delta *= 1 - H[-1] ** 2
    rows = [delta.copy()]
    for t in range(len(G) - 1, 0, -1):
        delta = (G[t - 1] + U.T @ delta) * (1 - H[t] ** 2)
        rows.append(delta)
    return np.array(rows[::-1])


def last_first(H, U, G):
    rows, back = [], 0
    for g, h in zip(G[::-1], H[:0:-1], strict=True):
        rows.append((g + back) * (1 - h**2))
        back = rows[-1] @ U
    return np.array(rows)


def by_the_state(H, U, G):
    rows, back = [], 0
    for t in range(len(G), 0, -1):
        rows.insert(0, G[t - 1] + back)
        back = U.T @ (rows[0] * (1 - H[t] ** 2))
    return rows


def one_row_for_all(H, U, G):
    rows, row = [], np.zeros(len(U))
    for right in last_first(H, U, G):
        row[:] = right
        rows.append(row)
    return np.array(rows)


def stops_before_the_first(H, U, G):
    rows = going_back()(H, U, G)
    rows[0] = 0
    return rows


def writes_into_the_states(H, U, G):
    right = going_back()(H, U, G)
    H **= 2
    return right


def rows_like_G(H, U, G):
    rows, back = np.zeros_like(G), np.zeros(len(U))
    for t in range(len(G), 0, -1):
        delta = (G[t - 1] + back) * (1 - H[t] ** 2)
        rows[t - 1], back = delta, U.T @ delta
    return rows


def rows_like_G_read_back(start):
    """What goes back is read from the rows, which hold whole numbers where G does."""

    def bptt(H, U, G):
        rows = start(G)
        for t in range(len(G) - 1, -1, -1):
            back = U.T @ rows[t + 1] if t + 1 < len(G) else 0
            rows[t] = (G[t] + back) * (1 - H[t + 1] ** 2)
        return rows

    return bptt


def copy_of_G_in_two_lines(H, U, G):
    rows = G.copy()
    for t in range(len(G) - 1, -1, -1):
        if t + 1 < len(G):
            rows[t] = rows[t] + U.T @ rows[t + 1]
        rows[t] = rows[t] * (1 - H[t + 1] ** 2)
    return rows


def sends_back_what_has_no_slope(H, U, G):
    rows, back = [], np.zeros(len(U))
    for t in range(len(G), 0, -1):
        total = G[t - 1] + back
        rows.append(total * (1 - H[t] ** 2))
        back = U.T @ total
    return np.array(rows[::-1])


def hears_only_the_last_loss(H, U, G):
    return going_back(back=lambda g, delta, U, H, t: U.T @ delta * (1 - H[t] ** 2))(H, U, G)


def each_step_by_itself(H, U, G):
    return G * (1 - H[1:] ** 2)


def neighbours_only(H, U, G):
    own = G * (1 - H[1:] ** 2)
    late = np.vstack([own[1:] @ U, np.zeros((1, len(U)))])
    return (G + late) * (1 - H[1:] ** 2)


def gradient_of_U(H, U, G):
    return going_back()(H, U, G).T @ H[:-1]


def matrices(H, U, G):
    return [np.outer(d, h) for d, h in zip(going_back()(H, U, G), H, strict=False)]


def star_for_U(H, U, G):
    return going_back(back=lambda g, delta, U, H, t: (g + U * delta) * (1 - H[t] ** 2))(H, U, G)


BPTT = [
    (by_the_state, "with respect to h_t. Between"),
    (one_row_for_all, "append the same array"),
    (stops_before_the_first, "stop before it"),
    (neighbours_only, "the losses of two steps only"),
    (each_step_by_itself, "only the loss of its own step"),
    (sends_back_what_has_no_slope, "before it is multiplied by the slope"),
    (hears_only_the_last_loss, "Only the last row of G"),
    (going_back(pick=lambda G, t: G[-1]), "add the last row of G at every step"),
    (going_back(pick=lambda G, t: G[t]), "row of G of the step after"),
    (
        going_back(
            start=lambda g, H: g,
            back=lambda g, delta, U, H, t: g + U.T @ delta * (1 - H[t] ** 2),
        ),
        "add the row of G after the slope",
    ),
    (
        going_back(back=lambda g, delta, U, H, t: g + U.T @ delta * (1 - H[t] ** 2)),
        "add the row of G after the slope",
    ),
    (
        going_back(back=lambda g, delta, U, H, t: g * (1 - H[t] ** 2) + U.T @ delta),
        "not what comes back",
    ),
    (writes_into_the_states, "write into H, U or G"),
    (multiplies_into_G, "Does your function write into G"),
    (rows_like_G, "make like G then holds whole"),
    (rows_like_G_read_back(np.zeros_like), "make like G then holds whole"),
    (rows_like_G_read_back(np.copy), "make like G then holds whole"),
    (copy_of_G_in_two_lines, "make like G then holds whole"),
    (gradient_of_U, "gradient with respect to U, a sum"),
    (matrices, "a matrix for each step"),
    (star_for_U, "row by column"),
    (going_back(finish=lambda rows: rows / len(rows)), "or their mean"),
    (going_back(finish=lambda rows: rows.sum(axis=0)), "a row for each step"),
    (going_back(finish=lambda rows: -rows), "other sign"),
    (last_first, "the last step first"),
    (
        going_back(
            start=lambda g, H: g * (1 - H[-1]),
            back=lambda g, delta, U, H, t: (g + U.T @ delta) * (1 - H[t]),
        ),
        "1 − h², or 1 − h?",
    ),
    (
        going_back(
            start=lambda g, H: g * (1 - H[-1]) ** 2,
            back=lambda g, delta, U, H, t: (g + U.T @ delta) * (1 - H[t]) ** 2,
        ),
        "1 − h², or (1 − h)²",
    ),
    (
        going_back(back=lambda g, delta, U, H, t: (g + U.T @ delta) * (1 - H[len(H)] ** 2)),
        "Which number has the last row",
    ),
    (
        going_back(back=lambda g, delta, U, H, t: (g + U @ delta) * (1 - H[t] ** 2)),
        "Is it U or Uᵀ on the way back",
    ),
    (going_back(start=lambda g, H: g), "have to pass through a tanh"),
    (going_back(back=lambda g, delta, U, H, t: g + U.T @ delta), "slopes of the earlier ones"),
    (
        going_back(start=lambda g, H: g, back=lambda g, delta, U, H, t: g + U.T @ delta),
        "the slope of the tanh, 1 − h²",
    ),
    (
        going_back(back=lambda g, delta, U, H, t: (g + U.T @ delta) * (1 - H[t + 1] ** 2)),
        "slope of the step after",
    ),
    (
        going_back(
            start=lambda g, H: g * (1 - H[-2] ** 2),
            back=lambda g, delta, U, H, t: (g + U.T @ delta) * (1 - H[t - 1] ** 2),
        ),
        "the hidden state before the step",
    ),
    (
        going_back(back=lambda g, delta, U, H, t: (g + delta) * (1 - H[t] ** 2)),
        "Where is U on the way back",
    ),
    (
        going_back(
            start=lambda g, H: g * H[-1] * (1 - H[-1]),
            back=lambda g, delta, U, H, t: (g + U.T @ delta) * H[t] * (1 - H[t]),
        ),
        "slope of the sigmoid",
    ),
    (
        going_back(
            start=lambda g, H: g * (1 - tanh(H[-1]) ** 2),
            back=lambda g, delta, U, H, t: (g + U.T @ delta) * (1 - tanh(H[t]) ** 2),
        ),
        "tanh of them once more",
    ),
    (
        going_back(
            back=lambda g, delta, U, H, t: g * (1 - H[t] ** 2) + U.T @ (delta * (1 - H[t + 1] ** 2))
        ),
        "first, and then by Uᵀ",
    ),
    (
        going_back(
            back=lambda g, delta, U, H, t: g * (1 - H[t] ** 2) + U.T @ (delta * (1 - H[t] ** 2))
        ),
        "first, and then by Uᵀ",
    ),
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


def on_the_old_cell_state(x, h, c, W, U, b):
    i, f, g, o = np.split(W @ x + U @ h + b, 4)
    c *= sigma(f)
    c += sigma(i) * tanh(g)
    return sigma(o) * tanh(c), c


def adds_1_to_the_forget_gate(x, h, c, W, U, b):
    i, f, g, o = np.split(W @ x + U @ h + b, 4)
    c = sigma(f + 1) * c + sigma(i) * tanh(g)
    return sigma(o) * tanh(c), c


def one_number_without_its_row(x, h, c, W, U, b):
    return [np.squeeze(part) for part in cell()(x, h, c, W, U, b)]


LSTM_STEP = [
    (cell(order="fiog"), "order f, i, o, g"),
    (cell(order="gifo"), "order g, i, f, o"),
    (cell(update=lambda i, f, g, o, c: c + i * g), "Where is the forget gate"),
    (cell(update=lambda i, f, g, o, c: f * c + g), "Where is the input gate"),
    (cell(update=lambda i, f, g, o, c: f * (c + i * g)), "bracket be closed"),
    (cell(update=lambda i, f, g, o, c: f * c + (1 - f) * g), "the new values by 1 − σ(f)"),
    (cell(update=lambda i, f, g, o, c: (1 - i) * c + i * g), "the old c by 1 − σ(i)"),
    (cell(update=lambda i, f, g, o, c: (1 - f) * c + i * g), "What does 1 − σ(f) keep"),
    (adds_1_to_the_forget_gate, "You add 1 to f"),
    (cell(show=lambda o, c, new: np.log(o / (1 - o)) * tanh(new)), "Where is the σ? Look at o"),
    (cell(show=lambda o, c, new: o * new), "Where is the tanh"),
    (cell(show=lambda o, c, new: o * tanh(c)), "from the old cell state"),
    (cell(show=lambda o, c, new: tanh(new)), "Where is the output gate"),
    (cell(give=lambda h, c: (c, h)), "In which order are they"),
    (cell(give=lambda h, c: (c, c)), "Both of your results are the cell"),
    (cell(at=lambda x, h, W, U, b: x @ W + h @ U + b), "as many columns as x"),
    (one_number_without_its_row, "which one is asked for"),
    (cell(order="iofg"), "In which order do they stand"),
    (cell(order="igfo"), "In which order do they stand"),
    (cell(order="ifog"), "In which order do they stand"),
    (cell(order="figo"), "the order in which you read"),
    (cell(update=lambda i, f, g, o, c: i * c + f * g), "Which gate multiplies the old c"),
    (cell(give=lambda h, c: h), "the next step start from"),
    (cell(at=lambda x, h, W, U, b: W @ x + U @ h), "Where is the bias b"),
    (cell(at=lambda x, h, W, U, b: W @ x + b), "depend on h"),
    (cell(at=lambda x, h, W, U, b: U @ h + b), "depend on x"),
    (cell(at=lambda x, h, W, U, b: U @ x + W @ h + b), "exchanged their places"),
    (all_four_are_gates, "σ(g) or tanh(g)"),
    (in_four_columns, "every fourth number"),
    (on_the_old_cell_state, "write into h or c"),
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
    (lambda e, d, k, b, ways, n: adding_up(usual)(e, d, k, b, ways, n + 1), "too many"),
    (adding_up(lambda n, d, k, b: k * (d * n + b * d)), "multiplies the hidden state"),
    (adding_up(lambda n, d, k, b: k * (d * d + b * d)), "multiplies the input"),
    (adding_up(lambda n, d, k, b: k * (d * n + d * d)), "leave out the biases"),
    (adding_up(lambda n, d, k, b: k * (d * n + d * d + d)), "always count one bias"),
    (adding_up(lambda n, d, k, b: k * (d * n + d * d + 2 * d)), "always count two biases"),
    (adding_up(lambda n, d, k, b: k * (d * n + d * d + b)), "A bias is a vector"),
    (adding_up(lambda n, d, k, b: k * (d * n + d * d) + b * d), "biases of one block"),
    (adding_up(lambda n, d, k, b: k * (d * n * d * d + b * d)), "multiply the sizes"),
    (adding_up(lambda n, d, k, b: k * (n * d * d + b * d)), "multiply the sizes"),
    (adding_up(lambda n, d, k, b: d * n + d * d + b * d), "That is one block"),
    (adding_up(lambda n, d, k, b: 4 * (d * n + d * d + b * d)), "always count four blocks"),
    (adding_up(usual, later=lambda e, d, ways: d), "of both directions, side by side"),
    (adding_up(usual, later=lambda e, d, ways: e), "a layer above the first read"),
    (adding_up(usual, later=lambda e, d, ways: e + ways * d), "read the input as well"),
    (lambda e, d, k, b, ways, layers: layers * ways * usual(e, d, k, b), "above the first read"),
    (lambda e, d, k, b, ways, layers: ways * usual(e, d, k, b), "Where are the others"),
    (lambda e, d, k, b, ways, n: adding_up(usual)(e, d, k, b, 1, n), "one direction only"),
    (lambda e, d, k, b, ways, n: adding_up(usual)(e, ways * d, k, b, 1, n), "twice as wide"),
    (adding_up(lambda n, d, k, b: k * (n * (n + d) + b * n)), "How many rows"),
]


# --- 3.6 -------------------------------------------------------------------------------------


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


def fits_from_the_last_lag_on_the_whole_series(past, future, lags):
    y, hours = np.r_[past, future], np.arange(lags[-1], len(past))
    w = np.linalg.lstsq(table_of(y, lags, hours), past[hours])[0]
    return table_of(y, lags, np.arange(len(past), len(y))) @ w


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


def reads_before_the_beginning(joined):
    """Fits from hour 0 on: y[t - lag] is then read from the end of the past, or of the future."""

    def forecast(past, future, lags):
        y, n = np.concatenate([past, future]), len(past)
        known = y if joined else past
        w, *_ = np.linalg.lstsq(table_of(known, lags, np.arange(n)), past)
        return table_of(y, lags, np.arange(n, len(y))) @ w

    return forecast


def forecasts_like_the_future(past, future, lags):
    """The right forecasts, cut to whole numbers where the future holds whole numbers."""
    out, right = np.zeros_like(future), line()(past, future, lags)
    for hour, value in enumerate(right):
        out[hour] = value
    return out


FORECAST = [
    (forecasts_like_the_future, "make like past or future then holds whole"),
    (reads_before_the_beginning(joined=False), "What is y[-1] in Python"),
    (reads_before_the_beginning(joined=True), "What is y[-1] in Python"),
    (fits_anew, "fit a new line"),
    (fits_from(lambda lags: lags[-1]), "always the largest"),
    (fits_from_the_last_lag_on_the_whole_series, "always the largest"),
    (fits_from(lambda lags: max(lags) + 1), "leave out the first hour"),
    (
        lambda past, future, lags: (
            line(constant=False)(past - past.mean(), future - past.mean(), lags) + past.mean()
        ),
        "that same mean",
    ),
    (lambda past, future, lags: line()(past, future, lags) - future, "with the other sign"),
    (lambda past, future, lags: line()(past, future, lags)[::-1], "the last hour first"),
    (lambda past, future, lags: line()(past, future, range(1, max(lags) + 1)), "use every hour"),
    (lambda past, future, lags: line()(past, past, lags)[: len(future)], "stayed the same"),
    (sorts_the_lags, "lags.sort()"),
    (columns_of_any_length, "a row for exactly these"),
    (all_that_lstsq_returns, "Which one is the weights"),
    (line(fit=lambda n, N: N), "fitted on the future"),
    (line(constant=False), "Where is the constant"),
    (line(shift=-1), "the very value"),
    (line(shift=1), "too far back"),
    (lambda past, future, lags: future, "too small to be possible"),
    (
        lambda past, future, lags: np.r_[past, future][len(past) - max(lags) : -max(lags)],
        "max(lags) hours earlier. That is a baseline",
    ),
    (lambda past, future, lags: np.r_[past[-1], future[:-1]], "the value of the hour before. That"),
    (lambda past, future, lags: np.full(len(future), past.mean()), "later forecasts stayed"),
    (lambda past, future, lags: line()(past, future, lags[:1]), "the first lag only"),
    (lambda past, future, lags: future - line()(past, future, lags), "the errors"),
    (feeds_itself, "your own forecasts"),
    (rolls, "np.roll"),
    (begins_with_nothing, "have zeros there"),
    (takes_the_mean_off, "write into past, future or lags"),
    (subtracts_everybodys_mean, "a mean that contains the future"),
    (first_hour_lost, "how many forecasts"),
]


# --- 3.7 -------------------------------------------------------------------------------------


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
    (
        lambda scores, y, mask: place_by_place(usual_cost, over_words)(scores, y, y != 0),
        "take word 0 for padding",
    ),
    (one_sum_for_all, "one sum over all positions"),
    (place_by_place(shifts_inside_exp_alone, over_words), "from the score of y, too"),
    (place_by_place(usual_cost, by_lengths), "always stand at the end"),
    (clipped_at(1e-8), "No loss is above 18"),
    (clipped_at(1e-300), "No loss is above 691"),
    (clears_the_padding, "write into scores, y or mask"),
    (place_by_place(with_math, over_words), "exp(1000)"),
    (without_keepdims, "lost its last axis"),
    (
        place_by_place(lambda row, y: usual_cost(row, y) / len(row), over_words),
        "the number of words in the vocabulary",
    ),
    (place_by_place(usual_cost, lambda c, m: c.mean()), "Should the padding count"),
    (place_by_place(usual_cost, ends_with_zeros), "you divide by all positions"),
    (place_by_place(usual_cost, text_by_text), "the mean of each text"),
    (place_by_place(usual_cost, lambda c, m: c[m].sum()), "That is the sum"),
    (place_by_place(usual_cost, lambda c, m: c[m].sum() / m.shape[1]), "by the number of texts"),
    (place_by_place(usual_cost, lambda c, m: c[m].sum() / len(m)), "by the number of steps"),
    (place_by_place(usual_cost, lambda c, m: c * m), "the loss of each position"),
    (place_by_place(usual_cost, lambda c, m: c[~m].mean() if (~m).any() else 0), "leave out the"),
    (place_by_place(lambda row, y: log_softmax(row)[y], over_words), "other sign"),
    (place_by_place(lambda row, y: -row[y], over_words), "Where is the softmax"),
    (place_by_place(lambda row, y: row.max() - row[y], over_words), "sum of all exponentials"),
    (place_by_place(lambda row, y: -np.exp(log_softmax(row))[y], over_words), "add up −p"),
    (place_by_place(lambda row, y: 1 - np.exp(log_softmax(row))[y], over_words), "add up 1 − p"),
    (place_by_place(lambda row, y: usual_cost(row, y) / np.log(2), over_words), "Which logarithm"),
    (
        place_by_place(lambda row, y: -np.log(np.exp(row[y]) / np.exp(row).sum()), over_words),
        "exp(1000)",
    ),
    (
        place_by_place(lambda row, y: -np.log(np.exp(log_softmax(row))[y] + 1e-12), over_words),
        "seemed impossible",
    ),
    (place_by_place(lambda row, y: -np.log(forms_p(row)[y]), over_words), "need the probability"),
    (place_by_place(usual_cost, lambda c, m: c.sum() / m.sum()), "padding still in your sum"),
    (masks_the_scores, "set the scores of the padding to 0"),
    (masks_the_scores_and_divides, "mask the scores, or the losses"),
    (over_the_texts, "over the texts"),
    (softmax_in_place, "write into scores, y or mask"),
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
    (ends_without_a_letter, "none is"),
    (first_of_none, "none is"),
    (
        walking(lambda x, tau: [math.exp(a / tau) / sum(map(math.exp, x / tau)) for a in x]),
        "exp(1000)",
    ),
    (argmax_of(lambda x, tau: softmax(x) / tau), "before exp, or"),
    (argmax_of(lambda x, tau: np.exp((x - x.max()) / tau)), "do not add up to 1"),
    (argmax_of(lambda x, tau: np.log(softmax(x / tau))), "do your sums rise"),
    (argmax_of(lambda x, tau: softmax(x / max(tau, 0.01))), "a larger number if τ is very small"),
    (argmax_of(lambda x, tau: x / tau), "Where is exp"),
    (lambda scores, tau, u: int(np.argmax(scores / tau)), "always take the most probable"),
    (lambda scores, tau, u: int(u * len(scores)), "Where do you use the scores"),
    (walking(lambda x, tau: softmax(x)), "Nothing changes with τ"),
    (walking(lambda x, tau: softmax(x * tau)), "multiply by τ"),
    (walking(lambda x, tau: softmax(x) / tau), "before exp, or"),
    (walking(lambda x, tau: softmax(x / tau), first=1), "too large by one"),
    (walking(lambda x, tau: softmax(x / tau), less=lambda s, u: s < u), "< or >"),
    (walking(lambda x, tau: np.exp(x / tau) / np.exp(x / tau).sum()), "exp(1000)"),
    (lambda scores, tau, u: softmax(scores / tau), "Which letter does u choose"),
    (walking(lambda x, tau: softmax(x / tau), less=lambda s, u: u <= s), "> or ≥"),
    (lambda scores, tau, u: np.searchsorted(np.cumsum(softmax(scores / tau)), u), "> or ≥"),
    (each_by_itself, "probability of each letter by itself"),
    (sorts_first, "begin with the most probable"),
    (unnormalised, "do not add up to 1"),
    (lambda scores, tau, u: walking(lambda x, t: softmax(x / t))(scores, tau, 1 - u), "the end"),
]

WRONG = {
    "rnn_step": RNN_STEP,
    "rnn_states": RNN_STATES,
    "bptt": BPTT,
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
    return (tanh(rng.normal(size=(T + 1, d))), *matrices_like(rng, (d, d), (T, d)))


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
    "bptt": histories_like,
    "lstm_step": cells_like,
    "rnn_parameters": layers_like,
    "masked_loss": batches_like,
    "forecast": series_like,
    "next_letter": odds_like,
}

UNSURE = {"next_letter"}
