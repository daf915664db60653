"""What learners write for exercise 2: wrong answers with words of the question each deserves, and
inputs of which the claims know nothing."""

import itertools

import numpy as np
from answers import RIGHT


def sigmoid(x):
    return (1 + np.tanh(np.asarray(x) / 2)) / 2


# --- pairs -----------------------------------------------------------------------------------


def by_range(first, last, keep=lambda p, q: p != q, known=True, add=lambda c, o: [(c, o)]):
    """Pairs written with a range, which is where it goes wrong."""

    def training_pairs(ids, reach):
        pairs = []
        for p in range(len(ids)):
            for q in range(max(0, p + first(reach[p])), min(len(ids), p + last(reach[p]))):
                if keep(p, q) and (not known or (ids[p] >= 0 and ids[q] >= 0)):
                    pairs += add(ids[p], ids[q])
        return pairs

    return training_pairs


def one_reach_for_all(ids, reach):
    m = max(reach)
    return RIGHT["training_pairs"](ids, [m] * len(ids))


def asks_the_neighbour(ids, reach):
    pairs = []
    for p, centre in enumerate(ids):
        for q, other in enumerate(ids):
            if q != p and abs(q - p) <= reach[q] and centre >= 0 and other >= 0:
                pairs.append([centre, other])
    return pairs


def slices_without_max(ids, reach):
    pairs = []
    for p, centre in enumerate(ids):
        m = reach[p]
        for other in np.concatenate([ids[p - m : p], ids[p + 1 : p + 1 + m]]):
            if centre >= 0 and other >= 0:
                pairs.append((centre, other))
    return pairs


def filters_first(ids, reach):
    return RIGHT["training_pairs"]([w for w in ids if w >= 0], reach[ids >= 0])


def skips_equal_words(ids, reach):
    return [pair for pair in RIGHT["training_pairs"](ids, reach).tolist() if pair[0] != pair[1]]


def in_a_set(ids, reach):
    return sorted({tuple(pair) for pair in RIGHT["training_pairs"](ids, reach).tolist()})


def left_then_right(ids, reach):
    pairs = []
    for p, centre in enumerate(ids):
        for d in range(1, reach[p] + 1):
            for q in (p - d, p + d):
                if 0 <= q < len(ids) and centre >= 0 and ids[q] >= 0:
                    pairs.append((centre, ids[q]))
    return pairs


def zeroes_the_unknown(ids, reach):
    pairs = RIGHT["training_pairs"](ids.copy(), reach)
    ids[ids < 0] = 0
    return pairs


def filters_the_text_alone(ids, reach):
    return RIGHT["training_pairs"](ids[ids >= 0], reach)


def breaks_off(ids, reach):
    pairs = []
    for p, centre in enumerate(ids):
        if centre < 0:
            break
        for q in range(max(0, p - reach[p]), min(len(ids), p + reach[p] + 1)):
            if q != p and ids[q] >= 0:
                pairs.append((centre, ids[q]))
    return pairs


def counts_from_the_end(ids, reach):
    pairs = []
    for p, centre in enumerate(ids):
        for q in range(p - reach[p], p + reach[p] + 1):
            if q != p and q < len(ids) and centre >= 0 and ids[q] >= 0:
                pairs.append((centre, ids[q]))
    return pairs


def above_zero(ids, reach):
    return [pair for pair in RIGHT["training_pairs"](ids, reach).tolist() if min(pair) > 0]


def stops_short(ids, reach):
    pairs = []
    for p, centre in enumerate(ids):
        for q in range(max(0, p - reach[p]), min(len(ids) - 1, p + reach[p] + 1)):
            if q != p and centre >= 0 and ids[q] >= 0:
                pairs.append((centre, ids[q]))
    return pairs


def stops_in_the_window(ids, reach):
    pairs = []
    for p, centre in enumerate(ids):
        for q in range(max(0, p - reach[p]), min(len(ids), p + reach[p] + 1)):
            if centre < 0 or ids[q] < 0:
                break
            if q != p:
                pairs.append((centre, ids[q]))
    return pairs


def reach_of_the_word(ids, reach):
    pairs = []
    for p, centre in enumerate(ids):
        m = reach[centre]
        for q in range(max(0, p - m), min(len(ids), p + m + 1)):
            if q != p and centre >= 0 and ids[q] >= 0:
                pairs.append((centre, ids[q]))
    return pairs


def named_by(pair, keep=lambda ids, p, q: p != q, some=lambda ids: range(len(ids)), both=min):
    """Pairs with `enumerate`, where a place and the word that stands there are easily mixed up."""

    def training_pairs(ids, reach):
        pairs = []
        for p in some(ids):
            for q in range(max(0, p - reach[p]), min(len(ids), p + reach[p] + 1)):
                if keep(ids, p, q) and both(ids[p], ids[q]) >= 0:
                    pairs.append(pair(ids, p, q))
        return pairs

    return training_pairs


def words_of(ids, p, q):
    return ids[p], ids[q]


def full_windows(ids, reach):
    pairs = []
    for p in range(len(ids)):
        if p - reach[p] >= 0 and p + reach[p] < len(ids):
            window = [*range(p - reach[p], p), *range(p + 1, p + reach[p] + 1)]
            pairs += [(ids[p], ids[q]) for q in window if ids[p] >= 0 and ids[q] >= 0]
    return pairs


BACK, AHEAD = (lambda m: -m), (lambda m: m + 1)
PAIRS = [
    (by_range(BACK, AHEAD, keep=lambda p, q: True), "foretell itself"),
    (by_range(lambda m: 1, AHEAD), "to the right only"),
    (by_range(BACK, lambda m: 0), "to the left only"),
    (by_range(BACK, lambda m: m), "range or slice end"),
    (by_range(lambda m: 1 - m, lambda m: m), "with a reach of 1"),
    (by_range(BACK, AHEAD, known=False), "foretell −1"),
    (by_range(BACK, AHEAD, add=lambda c, o: [(o, c)]), "centre is asked for first"),
    (by_range(BACK, AHEAD, add=lambda c, o: [(c, o), (o, c)]), "both ways round"),
    (one_reach_for_all, "longest reach of all"),
    (asks_the_neighbour, "You take the company's"),
    (slices_without_max, "`ids[a:b]` when a is below 0"),
    (filters_first, "take the −1 away before"),
    (skips_equal_words, "tick tick"),
    (in_a_set, "each pair once"),
    (left_then_right, "in another order"),
    (zeroes_the_unknown, "write into ids"),
    (lambda ids, reach: len(RIGHT["training_pairs"](ids, reach)), "shape"),
    (lambda ids, reach: RIGHT["training_pairs"](ids, reach)[:-1], "which are missing"),
    (lambda ids, reach: [*RIGHT["training_pairs"](ids, reach), (0, 0)], "which should not be"),
    (filters_the_text_alone, "take the −1 away before"),
    (breaks_off, "What comes after a −1"),
    (stops_in_the_window, "What comes after a −1"),
    (reach_of_the_word, "by the place or by the word"),
    (full_windows, "goes past an end"),
    (by_range(lambda m: 1 - m, AHEAD), "second word to the left"),
    (by_range(lambda m: -m - 1, lambda m: m + 2), "with a reach of 1"),
    (named_by(lambda ids, p, q: (p, ids[q])), "One number of each pair is a place"),
    (named_by(lambda ids, p, q: (ids[p], q)), "One number of each pair is a place"),
    (named_by(words_of, keep=lambda ids, p, q: q != ids[p]), "with the place p, or with a word"),
    (named_by(words_of, some=lambda ids: range(len(ids) - 1)), "last word is never your centre"),
    (named_by(words_of, some=lambda ids: range(1, len(ids))), "first word is never your centre"),
    (named_by(words_of, both=max), "look at both of them"),
    (lambda ids, reach: RIGHT["training_pairs"](ids, reach)[:1], "where does your `return` stand"),
    (lambda ids, reach: RIGHT["training_pairs"](ids, reach).T, "shape"),
    (counts_from_the_end, "ids[-2]"),
    (above_zero, "is word 0 a word"),
    (stops_short, "one place short"),
    (lambda ids, reach: RIGHT["training_pairs"](np.arange(len(ids)), reach), "list places"),
]

# --- CBOW ------------------------------------------------------------------------------------


def exp_softmax(x):
    return np.exp(x) / np.exp(x).sum()


def safe_softmax(x):
    return exp_softmax(x - np.max(x))


def hidden(V, company):
    return V[[w for w in company if w >= 0]].mean(axis=0)


def first_loop(U, V, company):
    h, n = np.zeros(V.shape[1]), 0
    for w in company:
        h += V[w] * (w >= 0)
        n += 1
    return safe_softmax(U @ (h / n))


def less_a_score(which):
    def cbow_forward(U, V, company):
        x = U @ hidden(V, company)
        return exp_softmax(x - which(x))

    return cbow_forward


CBOW = [
    (less_a_score(lambda x: x[0]), "of some one word"),
    (lambda U, V, c: np.exp(U @ hidden(V, c) - max(U @ hidden(V, c))), "must be divided by"),
    (lambda U, V, c: -np.log(safe_softmax(U @ hidden(V, c))), "Those are losses"),
    (lambda U, V, c: np.exp((x := U @ hidden(V, c)) - max(x)) / sum(np.exp(x)), "the sum below"),
    (lambda U, V, c: exp_softmax(U @ hidden(V, c)), "power of 800"),
    (less_a_score(np.mean), "but not the greatest"),
    (lambda U, V, c: safe_softmax(V @ hidden(U, c)), "the company up in U"),
    (lambda U, V, c: safe_softmax(V @ hidden(V, c)), "one table twice"),
    (lambda U, V, c: safe_softmax(U @ V[c].mean(axis=0)), "V[-1]"),
    (lambda U, V, c: safe_softmax(U @ V[c[c >= 0]].sum(axis=0)), "add the company up"),
    (lambda U, V, c: safe_softmax(U @ hidden(V, set(c.tolist()))), "twice"),
    (lambda U, V, c: U @ hidden(V, c), "Those are scores"),
    (lambda U, V, c: sigmoid(U @ hidden(V, c)), "add up to 1"),
    (lambda U, V, c: np.argmax(U @ hidden(V, c)), "best guess"),
    (lambda U, V, c: np.log(safe_softmax(U @ hidden(V, c))), "logarithms of chances"),
    (lambda U, V, c: np.mean([safe_softmax(U @ V[w]) for w in c if w >= 0], axis=0), "each word"),
    (lambda U, V, c: safe_softmax(-(U @ hidden(V, c))), "least score"),
    (first_loop, "divide by the width"),
    (lambda U, V, c: exp_softmax(U @ hidden(V, c))[None], "shape"),
]

# --- negative sampling -----------------------------------------------------------------------


def a_sum(v, u, noise, sign=-1):
    total = np.log(sigmoid(u @ v))
    for n in noise:
        total += np.log(sigmoid(sign * (n @ v)))
    return -total


def one_by_one(v, u, noise):
    losses = [np.logaddexp(0, -(u @ v))]
    for n in noise:
        losses.append(np.logaddexp(0, n @ v))
    return losses


def keeps_the_last(v, u, noise):
    for n in noise:
        total = np.logaddexp(0, -(u @ v)) + np.logaddexp(0, n @ v)
    return total


def cross_entropy(v, u, noise):
    x = np.array([u @ v, *(noise @ v)])
    return x.max() + np.log(np.exp(x - x.max()).sum()) - x[0]


LOSS = [
    (
        lambda v, u, n: (np.logaddexp(0, -(u @ v)) + np.logaddexp(0, n @ v)).sum(),
        "pay for the pair",
    ),
    (lambda v, u, n: np.logaddexp(0, n @ v).sum() - np.logaddexp(0, -(u @ v)), "A true pair that"),
    (lambda v, u, n: np.logaddexp(0, -u * v).sum() + np.logaddexp(0, n * v).sum(), "add up before"),
    (lambda v, u, n: np.logaddexp(0, -(u @ v)) + np.logaddexp(0, n @ v), "a row of numbers"),
    (lambda v, u, n: np.logaddexp(0, -max(u @ v, -30)) + sum(np.logaddexp(0, n @ v)), "how large"),
    (keeps_the_last, "in your loop"),
    (cross_entropy, "share one chance"),
    (a_sum, "σ(−800)"),
    (lambda v, u, noise: a_sum(v, u, noise, sign=1), "σ(u_i · v) or σ(−u_i · v)"),
    (lambda v, u, noise: -RIGHT["negative_loss"](v, u, noise), "to fall as the guesses get better"),
    (lambda v, u, noise: np.mean(one_by_one(v, u, noise)), "mean over all the answers"),
    (lambda v, u, noise: np.logaddexp(0, -(u @ v)) + np.logaddexp(0, noise @ v).mean(), "in full"),
    (lambda v, u, noise: np.logaddexp(0, -(u @ v)), "Where is the noise"),
    (lambda v, u, noise: np.logaddexp(0, -(u @ v)) + np.logaddexp(0, noise @ u).sum(), "With whom"),
    (lambda v, u, noise: np.logaddexp(0, u @ v) + np.logaddexp(0, noise @ v).sum(), "true one"),
    (lambda v, u, noise: RIGHT["negative_loss"](v, -u, -noise), "for the noise and against"),
    (
        lambda v, u, noise: np.logaddexp(0, -(u @ v)) + np.logaddexp(0, noise.sum(axis=0) @ v),
        "add up the noise vectors",
    ),
    (lambda v, u, noise: RIGHT["negative_loss"](v, u, noise) / np.log(2), "which logarithm"),
    (
        lambda v, u, noise: -np.log(sigmoid(u @ v) + 1e-9) + np.logaddexp(0, noise @ v).sum(),
        "σ(−800)",
    ),
    (lambda v, u, noise: one_by_one(v, u, noise), "shape"),
    (lambda v, u, noise: -(u @ v) + (noise @ v).sum(), "Where is σ"),
]


def rows(v, u, noise, pair=-1.0, others=0.0):
    """The gradient, row by row, with the answers that somebody wants."""
    g = sigmoid(u @ v) + pair
    h = [sigmoid(n @ v) + others for n in noise]
    return [g * u + sum(a * n for a, n in zip(h, noise, strict=True)), g * v, *(a * v for a in h)]


def own_vector(v, u, noise):
    G = rows(v, u, noise)
    G[1] = (sigmoid(u @ v) - 1) * u
    G[2:] = [sigmoid(n @ v) * n for n in noise]
    return G


def with_slopes(v, u, noise):
    def slope(x):
        return sigmoid(x) * (1 - sigmoid(x))

    h = slope(noise @ v)
    return np.vstack([-slope(u @ v) * u + h @ noise, -slope(u @ v) * v, np.outer(h, v)])


def overwrites(v, u, noise):
    G = np.zeros((2 + len(noise), len(v)))
    G[0] = (sigmoid(u @ v) - 1) * u
    G[1] = (sigmoid(u @ v) - 1) * v
    for k, n in enumerate(noise):
        G[2 + k] = sigmoid(n @ v) * v
    return G


def last_noise_only(v, u, noise):
    G = np.array(rows(v, u, noise))
    G[0] = (sigmoid(u @ v) - 1) * u + sigmoid(noise[-1] @ v) * noise[-1]
    return G


def company_first(v, u, noise):
    row_v, row_u, *others = rows(v, u, noise)
    return [row_u, row_v, *others]


def writes_into_u(v, u, noise):
    g, h = sigmoid(u @ v) - 1, sigmoid(noise @ v)
    u *= g
    return np.vstack([u + h @ noise, g * v, np.outer(h, v)])


GRADIENT = [
    (writes_into_u, "write into v, u or noise"),
    (lambda v, u, noise: [-row for row in rows(v, u, noise)], "opposite sign"),
    (lambda v, u, noise: rows(v, u, noise, pair=0.0), "missing from σ(u · v) to 1"),
    (lambda v, u, noise: rows(v, u, noise, others=-1.0), "less the answer wanted"),
    (own_vector, "with respect to u"),
    (with_slopes, "chain rule"),
    (overwrites, "noise's dot products"),
    (last_noise_only, "In which dot products does v stand"),
    (company_first, "in another order"),
    (lambda v, u, noise: rows(v, u, noise)[:2], "Who else"),
    (lambda v, u, noise: rows(v, u, noise)[0], "row of v"),
    (lambda v, u, noise: [*rows(v, u, noise)[:2], sum(rows(v, u, noise)[2:])], "add the noise"),
    (lambda v, u, noise: (*rows(v, u, noise)[:2], rows(v, u, noise)[2:]), "makes no table"),
]

# --- training --------------------------------------------------------------------------------


def gradient(v, u, noise):
    return RIGHT["negative_gradient"](v, u, noise)


def in_place(U, V, pairs, noise, rate):
    new = RIGHT["one_epoch"](U, V, pairs, noise, rate)
    U[:], V[:] = new
    return U, V


def steps(up=-1, late=False, noise_row=lambda noise, p: noise[p], once=False, stop=False):
    """One epoch, written with a loop over p."""

    def one_epoch(U, V, pairs, noise, rate):
        U, V = U.copy(), V.copy()
        for p in range(len(pairs)):
            w, o = pairs[p]
            ks = noise_row(noise, p)
            G = gradient(V[w], U[o], U[ks])
            V[w] += up * rate * G[0]
            if late:
                G = gradient(V[w], U[o], U[ks])
            U[o] += up * rate * G[1]
            if once:
                U[ks] += up * rate * G[2:]
            else:
                for k, g in zip(ks, G[2:], strict=True):
                    U[k] += up * rate * g
            if stop:
                return U, V
        return U, V

    return one_epoch


def forgets_the_noise(U, V, pairs, noise, rate):
    U, V = U.copy(), V.copy()
    for (w, o), ks in zip(pairs, noise, strict=True):
        G = gradient(V[w], U[o], U[ks])
        V[w] -= rate * G[0]
        U[o] -= rate * G[1]
    return U, V


def whole_batch(U, V, pairs, noise, rate):
    dU, dV = np.zeros(U.shape), np.zeros(V.shape)
    for (w, o), ks in zip(pairs, noise, strict=True):
        G = gradient(V[w], U[o], U[ks])
        dV[w] += G[0]
        dU[o] += G[1]
        for k, g in zip(ks, G[2:], strict=True):
            dU[k] += g
    return U - rate * dU, V - rate * dV


def noise_word_by_noise_word(U, V, pairs, noise, rate):
    U, V = U.copy(), V.copy()
    for (w, o), ks in zip(pairs, noise, strict=True):
        for k in ks:
            G = gradient(V[w], U[o], U[[k]])
            V[w] -= rate * G[0]
            U[o] -= rate * G[1]
            U[k] -= rate * G[2]
    return U, V


def one_table_only(U, V, pairs, noise, rate):
    U, V = U.copy(), V.copy()
    for (w, o), ks in zip(pairs, noise, strict=True):
        G = gradient(V[w], V[o], V[ks])
        V[w] -= rate * G[0]
        V[o] -= rate * G[1]
        for k, g in zip(ks, G[2:], strict=True):
            V[k] -= rate * g
    return U, V


def moves_a_copy(U, V, pairs, noise, rate):
    U, V = U.copy(), V.copy()
    for (w, o), ks in zip(pairs, noise, strict=True):
        drawn = U[ks]
        G = gradient(V[w], U[o], drawn)
        V[w] -= rate * G[0]
        U[o] -= rate * G[1]
        drawn -= rate * G[2:]
    return U, V


def learning_rate_decays(U, V, pairs, noise, rate):
    for p in range(len(pairs)):
        now = rate * (1 - p / len(pairs))
        U, V = RIGHT["one_epoch"](U, V, pairs[p : p + 1], noise[p : p + 1], now)
    return U, V


def by_hand(first="v"):
    """The formulas themselves, where u and v are views, so that a move is seen at once."""

    def one_epoch(U, V, pairs, noise, rate):
        U, V = U.copy(), V.copy()
        for (w, o), ks in zip(pairs, noise, strict=True):
            v, u = V[w], U[o]
            g, h = sigmoid(u @ v) - 1, sigmoid(U[ks] @ v)
            for moves in (first, "u" if first == "v" else "v"):
                if moves == "v":
                    v -= rate * (g * u + h @ U[ks])
                else:
                    u -= rate * g * v
                    np.subtract.at(U, ks, rate * np.outer(h, v))
        return U, V

    return one_epoch


def from_gradient(ask=lambda v, u, drawn: (v, u, drawn), take=lambda G: (G[0], G[1], G[2:])):
    """Asks for a gradient and takes its rows, in some order."""

    def one_epoch(U, V, pairs, noise, rate):
        U, V = U.copy(), V.copy()
        for (w, o), ks in zip(pairs, noise, strict=True):
            dv, du, others = take(gradient(*ask(V[w], U[o], U[ks])))
            V[w] -= rate * dv
            U[o] -= rate * du
            for k, g in zip(ks, others, strict=False):
                U[k] -= rate * g
        return U, V

    return one_epoch


EPOCH = [
    (by_hand("v"), "has moved before U's"),
    (by_hand("u"), "has moved before V's"),
    (from_gradient(ask=lambda v, u, drawn: (u, v, drawn)), "which of them is the centre's"),
    (from_gradient(take=lambda G: (G[1], G[0], G[2:])), "which moves V[w]"),
    (from_gradient(take=lambda G: (G[0], G[1], G[1:])), "does the noise begin"),
    (lambda U, V, *rest: RIGHT["one_epoch"](V, U, *rest)[::-1], "which table holds which"),
    (lambda *given: RIGHT["one_epoch"](*given[:-1], 1.0), "what is `rate` for"),
    (steps(noise_row=lambda noise, p: np.unique(noise[p])), "take a noise word once"),
    (steps(up=1), "climb"),
    (steps(late=True), "has moved before"),
    (steps(once=True), "drawn twice"),
    (steps(stop=True), "where does your `return` stand"),
    (steps(noise_row=lambda noise, p: noise[0]), "noise of the first"),
    (steps(noise_row=lambda noise, p: noise[p][:1]), "one noise word from each row"),
    (forgets_the_noise, "noise words do not move"),
    (moves_a_copy, "is a copy"),
    (noise_word_by_noise_word, "how often does u_o move"),
    (one_table_only, "are their vectors in V"),
    (whole_batch, "vectors of the beginning"),
    (in_place, "write into U or V"),
    (learning_rate_decays, "grow smaller"),
    (lambda U, V, pairs, *rest: RIGHT["one_epoch"](U, V, pairs[:, ::-1], *rest), "vector in V"),
    (lambda *given: RIGHT["one_epoch"](*given)[::-1], "in which order"),
    (lambda U, V, *rest: RIGHT["one_epoch"](U, V, *rest)[1], "shape"),
]

# --- what vectors say ------------------------------------------------------------------------

norm = np.linalg.norm


def cosine(x, y):
    return x @ y / (norm(x) * norm(y) or 1)


def directions(vectors):
    return vectors / norm(vectors, axis=1, keepdims=True)


def by_loop(target, measure=cosine, prepare=directions, pick=lambda order, given, n: order[:n]):
    def analogy(vectors, a, b, c, n):
        rows = prepare(vectors)
        aim = target(rows[a], rows[b], rows[c])
        order = np.argsort([-measure(row, aim) for row in rows], kind="stable")
        return pick(order, (a, b, c), n)

    return analogy


def step(a, b, c):
    return b - a + c


def others(order, given, n):
    return [word for word in order if word not in given][:n]


def three_dropped(order, given, n):
    return order[3 : 3 + n]


def not_c(order, given, n):
    return [word for word in order if word != given[2]][:n]


def noughts(vectors, a, b, c, n):
    rows = directions(vectors)
    near = rows @ directions((rows[b] - rows[a] + rows[c])[None])[0]
    near[[a, b, c]] = 0
    return np.argsort(-near)[:n]


def normed_in_place(vectors, *question):
    vectors /= norm(vectors, axis=1, keepdims=True)
    return RIGHT["analogy"](vectors, *question)


def unit_target_only(vectors, a, b, c, n):
    aim = step(*directions(vectors)[[a, b, c]])
    return others(np.argsort(-(vectors @ aim)), (a, b, c), n)


def by_column(vectors):
    return vectors / norm(vectors, axis=0)


ANALOGY = [
    (normed_in_place, "write into vectors"),
    (unit_target_only, "long ones win"),
    (by_loop(step, np.dot, by_column, others), "a row or a column"),
    (by_loop(step, pick=three_dropped), "skip the best"),
    (by_loop(step, pick=lambda order, given, n: order[1 : n + 1]), "skip the best"),
    (by_loop(step, pick=lambda order, given, n: others(order, given[1:2], n)), "leave all three"),
    (by_loop(step, pick=lambda order, given, n: others(order, given[1:], n)), "leave all three"),
    (by_loop(step, pick=lambda order, given, n: sorted({*order} - {*given})[:n]), "did a set"),
    (by_loop(step, pick=lambda order, given, n: sorted(others(order, given, n))), "best should"),
    (by_loop(lambda a, b, c: b + c, pick=others), "add b and c up"),
    (noughts, "0 below every cosine"),
    (by_loop(step), "leave all three out"),
    (by_loop(step, pick=not_c), "leave all three out"),
    (by_loop(step, pick=lambda order, given, n: others(order[:n], given, n)), "how many remain"),
    (by_loop(lambda a, b, c: a - b + c, pick=others), "which of the three has a minus"),
    (by_loop(lambda a, b, c: a + b - c, pick=others), "which of the three has a minus"),
    (by_loop(lambda a, b, c: b - a, pick=others), "from where"),
    (by_loop(step, prepare=lambda rows: rows, pick=others), "length 1 before"),
    (by_loop(step, np.dot, lambda rows: rows, others), "long ones win"),
    (by_loop(step, lambda x, y: -norm(x - y), lambda rows: rows, others), "by distance"),
    (by_loop(step, pick=lambda order, given, n: others(order[::-1], given, n)), "argsort sort"),
    (by_loop(step, pick=lambda order, given, n: others(order, given, n)[::-1]), "best should come"),
    (by_loop(step, pick=lambda order, given, n: others(order, given, 1)[0]), "shape"),
    (by_loop(step, pick=lambda order, given, n: others(order, given, len(order))), "where does n"),
]


def text_places(vectors, texts):
    return [
        vectors[[w for w in text if w >= 0]].mean(axis=0) if max(text) >= 0 else 0 * vectors[0]
        for text in texts
    ]


def weighed(own=True, out=lambda other, own: other - own, near=cosine, gather=np.mean):
    """Doubts with lists; `own` says whether the text itself is left out of its own side."""

    def doubts(vectors, texts, labels):
        X, found = text_places(vectors, texts), []
        for t, label in enumerate(labels):
            same = [s for s in range(len(X)) if labels[s] == label and (not own or s != t)]
            rest = [s for s in range(len(X)) if labels[s] != label]
            sides = [gather([near(X[t], X[s]) for s in some]) for some in (rest, same)]
            found.append(out(*sides))
        return np.array(found)

    return doubts


def to_the_middles(vectors, texts, labels):
    X, found = np.array(text_places(vectors, texts)), []
    for t, label in enumerate(labels):
        own = (np.array(labels) == label) & (np.arange(len(X)) != t)
        other = np.array(labels) != label
        found.append(cosine(X[t], X[other].mean(axis=0)) - cosine(X[t], X[own].mean(axis=0)))
    return found


def the_unknown_has_a_row(vectors, texts, labels):
    means = np.array([vectors[text].mean(axis=0) for text in texts])
    return weighed()(means, [[t] for t in range(len(texts))], labels)


def nowhere(vectors, texts, labels):
    X = np.array([vectors[text[text >= 0]].mean(axis=0) for text in texts])
    near = X @ X.T / np.outer(norm(X, axis=1), norm(X, axis=1))
    found = []
    for t, label in enumerate(labels):
        own = (labels == label) & (np.arange(len(X)) != t)
        found.append(near[t, labels != label].mean() - near[t, own].mean())
    return found


def between_words(vectors, texts, labels):
    """The mean of the cosines of all pairs of words takes the place of a text's own vector."""
    rows = directions(vectors)

    def near(one, other):
        cosines = [rows[w] @ rows[v] for w in one for v in other if min(w, v) >= 0]
        return np.mean(cosines) if cosines else 0.0

    found = []
    for t, label in enumerate(labels):
        rest = [near(texts[t], texts[s]) for s in range(len(texts)) if labels[s] != label]
        own = [near(texts[t], s) for i, s in enumerate(texts) if labels[i] == label and i != t]
        found.append(np.mean(rest) - np.mean(own))
    return found


def label_one_less_label_zero(vectors, texts, labels):
    X, found = text_places(vectors, texts), []
    for t in range(len(X)):
        near = np.array([cosine(X[t], x) for x in X])
        bad, good = ((labels == label) & (np.arange(len(X)) != t) for label in (1, 0))
        found.append(near[bad].mean() - near[good].mean())
    return found


def ignores_the_lost(vectors, texts, labels):
    X = np.array(text_places(vectors, texts))
    found, there = [], X.any(axis=1)
    for t, label in enumerate(labels):
        near = np.array([cosine(X[t], x) for x in X])
        own = (labels == label) & (np.arange(len(X)) != t)
        found.append(near[(labels != label) & there].mean() - near[own & there].mean())
    return found


def in_sets(vectors, texts, labels):
    return RIGHT["doubts"](vectors, [np.array(sorted({*text})) for text in texts], labels)


DOUBTS = [
    (between_words, "words of two texts"),
    (label_one_less_label_zero, "sign is turned round"),
    (lambda *given: -np.array(label_one_less_label_zero(*given)), "sign is turned round"),
    (ignores_the_lost, "whose mean is taken"),
    (in_sets, "twice"),
    (weighed(near=lambda x, y: norm(x - y)), "distances"),
    (lambda *given: np.argsort(weighed()(*given)), "in order"),
    (lambda *given: sorted(weighed()(*given), reverse=True), "sorted"),
    (nowhere, "mean of no vectors"),
    (lambda vectors, *rest: weighed()(directions(vectors), *rest), "before the mean"),
    (weighed(own=False), "A text is always near itself"),
    (weighed(out=lambda other, own: own - other), "label fits best"),
    (weighed(out=lambda other, own: other), "how near is it to its own"),
    (weighed(out=lambda other, own: abs(other - own)), "sign"),
    (weighed(out=lambda other, own: other > own), "how much nearer"),
    (weighed(near=np.dot), "dot product"),
    (weighed(near=lambda x, y: -norm(x - y)), "distances"),
    (weighed(gather=np.sum), "sum of the cosines or their mean"),
    (weighed(gather=np.max), "nearest text of each side"),
    (to_the_middles, "one cosine with the sum"),
    (the_unknown_has_a_row, "vectors[-1]"),
    (lambda *given: np.argmax(weighed()(*given)), "most doubtful text"),
    (lambda *given: np.argsort(-weighed()(*given)), "in order"),
]


def leans(vectors, w, A, B, near=cosine, gather=np.mean):
    a = gather([near(vectors[w], vectors[i]) for i in A])
    return a - gather([near(vectors[w], vectors[i]) for i in B])


def scored(**how):
    gather = how.get("gather", np.mean)

    def bias_score(vectors, X, Y, A, B):
        x = gather([leans(vectors, w, A, B, **how) for w in X])
        return x - gather([leans(vectors, w, A, B, **how) for w in Y])

    return bias_score


def one_cosine_a_list(vectors, X, Y, A, B):
    x, y, a, b = (vectors[some].mean(axis=0) for some in (X, Y, A, B))
    return cosine(x, a) - cosine(x, b) - (cosine(y, a) - cosine(y, b))


def by_its_spread(vectors, X, Y, A, B):
    s = [leans(vectors, w, A, B) for w in X + Y]
    return scored()(vectors, X, Y, A, B) / (np.std(s) or 1)


def between(vectors, one, other, pairs=itertools.product):
    return np.mean([cosine(vectors[w], vectors[v]) for w, v in pairs(one, other)])


def forgets_a_bracket(vectors, X, Y, A, B):
    x = between(vectors, X, A) - between(vectors, X, B)
    return x - between(vectors, Y, A) - between(vectors, Y, B)


def side_by_side(vectors, X, Y, A, B):
    x = between(vectors, X, A, zip) - between(vectors, X, B, zip)
    return x - (between(vectors, Y, A, zip) - between(vectors, Y, B, zip))


def adds_words_up(vectors, X, Y, A, B):
    total = 0
    for w in X:
        total += leans(vectors, w, A, B)
    for w in Y:
        total -= leans(vectors, w, A, B)
    return total


def adds_cosines_up(vectors, X, Y, A, B):
    x, y = ([leans(vectors, w, A, B, gather=np.sum) for w in some] for some in (X, Y))
    return np.mean(x) - np.mean(y)


def on_the_axis(vectors, X, Y, A, B):
    axis = vectors[A].mean(axis=0) - vectors[B].mean(axis=0)
    x, y = (np.mean([cosine(vectors[w], axis) for w in some]) for some in (X, Y))
    return x - y


BIAS = [
    (adds_cosines_up, "should a longer list"),
    (on_the_axis, "difference of two cosines"),
    (lambda vectors, *some: scored(near=np.dot)(by_column(vectors), *some), "a row or a column"),
    (scored(near=lambda x, y: norm(x - y)), "by distance"),
    (scored(near=np.dot), "dot products"),
    (scored(near=lambda x, y: -norm(x - y)), "by distance"),
    (scored(gather=np.sum), "should a longer list"),
    (scored(gather=np.max), "nearest word of each list"),
    (one_cosine_a_list, "cosine of the means"),
    (by_its_spread, "standard deviation"),
    (forgets_a_bracket, "written out"),
    (lambda v, X, Y, A, B: between(v, X, A) - between(v, Y, B), "two of the four"),
    (side_by_side, "three words and four"),
    (adds_words_up, "should a longer list"),
    (lambda vectors, X, Y, A, B: scored()(vectors, Y, X, A, B), "wrong sign"),
    (lambda vectors, X, Y, A, B: abs(scored()(vectors, X, Y, A, B)), "A score has a sign"),
    (lambda vectors, X, Y, A, B: np.mean([leans(vectors, w, A, B) for w in X]), "what does Y do"),
    (lambda vectors, X, Y, A, B: [leans(vectors, w, A, B) for w in X + Y], "shape"),
    (lambda vectors, X, Y, A, B: scored()(vectors, X, Y, A, A), "four cosines"),
]

WRONG = {
    "training_pairs": PAIRS,
    "cbow_forward": CBOW,
    "negative_loss": LOSS,
    "negative_gradient": GRADIENT,
    "one_epoch": EPOCH,
    "analogy": ANALOGY,
    "doubts": DOUBTS,
    "bias_score": BIAS,
}


# --- inputs of which the claims know nothing -------------------------------------------------


def texts_like(rng):
    length = int(rng.integers(2, 12))
    ids = rng.integers(-1 if rng.random() < 0.5 else 0, int(rng.integers(2, 8)), size=length)
    ids[:2] = rng.integers(0, 2, size=2)  # there is a pair
    return ids, rng.integers(1, 6, size=length)


def windows_like(rng):
    n, d = int(rng.integers(3, 9)), int(rng.integers(1, 5))
    U, V = rng.normal(size=(2, n, d)) * rng.choice([0.1, 1, 30])
    company = rng.integers(-1, n, size=int(rng.integers(1, 6)))
    company[0] = rng.integers(n)
    return U, V, company


def noisy_pairs_like(rng):
    d, k = int(rng.integers(1, 5)), int(rng.integers(1, 5))
    size = rng.choice([0.3, 1, 4])
    v, u = rng.normal(size=(2, d)) * size
    return v, u, rng.normal(size=(k, d)) * size


def epochs_like(rng):
    n, d = int(rng.integers(3, 7)), int(rng.integers(1, 4))
    pairs = rng.integers(0, n, size=(int(rng.integers(1, 6)), 2))
    noise = rng.integers(0, n - 1, size=(len(pairs), int(rng.integers(1, 4))))
    noise += noise >= pairs[:, 1:]  # anybody but the company itself
    return *rng.normal(size=(2, n, d)), pairs, noise, float(rng.uniform(0.05, 1))


def questions_like(rng):
    V = int(rng.integers(5, 12))
    vectors = rng.normal(size=(V, int(rng.integers(2, 5)))) * rng.gamma(1.0, size=(V, 1))
    a, b, c = (int(w) for w in rng.permutation(V)[:3])
    return vectors, a, b, c, int(rng.integers(1, V - 2))


def labelled_like(rng):
    V, many = int(rng.integers(3, 9)), int(rng.integers(4, 8))
    vectors = rng.normal(size=(V, int(rng.integers(2, 5)))) * rng.gamma(1.0, size=(V, 1))
    texts = [rng.integers(-1, V, size=int(rng.integers(1, 5))) for _ in range(many)]
    return vectors, texts, rng.permutation([0, 0, 1, 1, *rng.integers(0, 2, size=many - 4)])


def lists_like(rng):
    sizes = rng.integers(1, 4, size=4)
    words = [int(w) for w in rng.permutation(sizes.sum() + 1)]
    ends = np.cumsum(sizes)
    parts = [words[end - size : end] for size, end in zip(sizes, ends, strict=True)]
    return rng.normal(size=(len(words), 3)) * rng.gamma(2.0, size=(len(words), 1)), *parts


INPUTS = {
    "training_pairs": texts_like,
    "cbow_forward": windows_like,
    "negative_loss": noisy_pairs_like,
    "negative_gradient": noisy_pairs_like,
    "one_epoch": epochs_like,
    "analogy": questions_like,
    "doubts": labelled_like,
    "bias_score": lists_like,
}

UNSURE = {"analogy"}
