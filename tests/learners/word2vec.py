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

    def training_pairs(ids, sizes):
        pairs = []
        for p in range(len(ids)):
            for q in range(max(0, p + first(sizes[p])), min(len(ids), p + last(sizes[p]))):
                if keep(p, q) and (not known or (ids[p] >= 0 and ids[q] >= 0)):
                    pairs += add(ids[p], ids[q])
        return pairs

    return training_pairs


def one_size_for_all(ids, sizes):
    m = max(sizes)
    return RIGHT["training_pairs"](ids, [m] * len(ids))


def size_of_the_neighbour(ids, sizes):
    pairs = []
    for p, centre in enumerate(ids):
        for q, other in enumerate(ids):
            if q != p and abs(q - p) <= sizes[q] and centre >= 0 and other >= 0:
                pairs.append([centre, other])
    return pairs


def slices_without_max(ids, sizes):
    pairs = []
    for p, centre in enumerate(ids):
        m = sizes[p]
        for other in np.concatenate([ids[p - m : p], ids[p + 1 : p + 1 + m]]):
            if centre >= 0 and other >= 0:
                pairs.append((centre, other))
    return pairs


def filters_first(ids, sizes):
    return RIGHT["training_pairs"]([w for w in ids if w >= 0], sizes[ids >= 0])


def skips_equal_words(ids, sizes):
    return [pair for pair in RIGHT["training_pairs"](ids, sizes).tolist() if pair[0] != pair[1]]


def in_a_set(ids, sizes):
    return sorted({tuple(pair) for pair in RIGHT["training_pairs"](ids, sizes).tolist()})


def left_then_right(ids, sizes):
    pairs = []
    for p, centre in enumerate(ids):
        for d in range(1, sizes[p] + 1):
            for q in (p - d, p + d):
                if 0 <= q < len(ids) and centre >= 0 and ids[q] >= 0:
                    pairs.append((centre, ids[q]))
    return pairs


def zeroes_the_unknown(ids, sizes):
    pairs = RIGHT["training_pairs"](ids.copy(), sizes)
    ids[ids < 0] = 0
    return pairs


def filters_the_text_alone(ids, sizes):
    return RIGHT["training_pairs"](ids[ids >= 0], sizes)


def breaks_off(ids, sizes):
    pairs = []
    for p, centre in enumerate(ids):
        if centre < 0:
            break
        for q in range(max(0, p - sizes[p]), min(len(ids), p + sizes[p] + 1)):
            if q != p and ids[q] >= 0:
                pairs.append((centre, ids[q]))
    return pairs


def counts_from_the_end(ids, sizes):
    pairs = []
    for p, centre in enumerate(ids):
        for q in range(p - sizes[p], p + sizes[p] + 1):
            if q != p and q < len(ids) and centre >= 0 and ids[q] >= 0:
                pairs.append((centre, ids[q]))
    return pairs


def above_zero(ids, sizes):
    return [pair for pair in RIGHT["training_pairs"](ids, sizes).tolist() if min(pair) > 0]


def stops_short(ids, sizes):
    pairs = []
    for p, centre in enumerate(ids):
        for q in range(max(0, p - sizes[p]), min(len(ids) - 1, p + sizes[p] + 1)):
            if q != p and centre >= 0 and ids[q] >= 0:
                pairs.append((centre, ids[q]))
    return pairs


def stops_in_the_window(ids, sizes):
    pairs = []
    for p, centre in enumerate(ids):
        for q in range(max(0, p - sizes[p]), min(len(ids), p + sizes[p] + 1)):
            if centre < 0 or ids[q] < 0:
                break
            if q != p:
                pairs.append((centre, ids[q]))
    return pairs


def size_of_the_word(ids, sizes):
    pairs = []
    for p, centre in enumerate(ids):
        m = sizes[centre]
        for q in range(max(0, p - m), min(len(ids), p + m + 1)):
            if q != p and centre >= 0 and ids[q] >= 0:
                pairs.append((centre, ids[q]))
    return pairs


def named_by(pair, keep=lambda ids, p, q: p != q, some=lambda ids: range(len(ids)), both=min):
    """Pairs with `enumerate`, where a position and the word at it are easily mixed up."""

    def training_pairs(ids, sizes):
        pairs = []
        for p in some(ids):
            for q in range(max(0, p - sizes[p]), min(len(ids), p + sizes[p] + 1)):
                if keep(ids, p, q) and both(ids[p], ids[q]) >= 0:
                    pairs.append(pair(ids, p, q))
        return pairs

    return training_pairs


def words_of(ids, p, q):
    return ids[p], ids[q]


def full_windows(ids, sizes):
    pairs = []
    for p in range(len(ids)):
        if p - sizes[p] >= 0 and p + sizes[p] < len(ids):
            window = [*range(p - sizes[p], p), *range(p + 1, p + sizes[p] + 1)]
            pairs += [(ids[p], ids[q]) for q in window if ids[p] >= 0 and ids[q] >= 0]
    return pairs


BACK, AHEAD = (lambda m: -m), (lambda m: m + 1)
PAIRS = [
    (by_range(BACK, AHEAD, keep=lambda p, q: True), "pair each word with itself"),
    (by_range(lambda m: 1, AHEAD), "on the right only"),
    (by_range(BACK, lambda m: 0), "on the left only"),
    (by_range(BACK, lambda m: m), "range or slice end"),
    (by_range(lambda m: 1 - m, lambda m: m), "if its size is 1"),
    (by_range(BACK, AHEAD, known=False), "predict −1"),
    (by_range(BACK, AHEAD, add=lambda c, o: [(o, c)]), "context word comes first"),
    (by_range(BACK, AHEAD, add=lambda c, o: [(c, o), (o, c)]), "in both directions"),
    (one_size_for_all, "largest window size"),
    (size_of_the_neighbour, "size of the context word"),
    (slices_without_max, "`ids[a:b]` when a is negative"),
    (filters_first, "remove the unknown words first"),
    (skips_equal_words, "tick tick"),
    (in_a_set, "How often should the pair"),
    (left_then_right, "in another order"),
    (zeroes_the_unknown, "write into ids"),
    (lambda ids, sizes: len(RIGHT["training_pairs"](ids, sizes)), "shape"),
    (lambda ids, sizes: RIGHT["training_pairs"](ids, sizes)[:-1], "Which are missing"),
    (lambda ids, sizes: [*RIGHT["training_pairs"](ids, sizes), (0, 0)], "Which should not be"),
    (filters_the_text_alone, "remove the unknown words first"),
    (breaks_off, "After a −1 you stop"),
    (stops_in_the_window, "After a −1 you stop"),
    (size_of_the_word, "by the number of the word"),
    (full_windows, "reaches beyond an end"),
    (by_range(lambda m: 1 - m, AHEAD), "second word on the left"),
    (by_range(lambda m: -m - 1, lambda m: m + 2), "if its size is 1"),
    (named_by(lambda ids, p, q: (p, ids[q])), "One number of each pair is a position"),
    (named_by(lambda ids, p, q: (ids[p], q)), "One number of each pair is a position"),
    (named_by(words_of, keep=lambda ids, p, q: q != ids[p]), "with the position p, or with"),
    (
        named_by(words_of, some=lambda ids: range(len(ids) - 1)),
        "last word of the text is never a centre",
    ),
    (
        named_by(words_of, some=lambda ids: range(1, len(ids))),
        "first word of the text is never a centre",
    ),
    (named_by(words_of, both=max), "look at both"),
    (lambda ids, sizes: RIGHT["training_pairs"](ids, sizes)[:1], "`return` inside"),
    (lambda ids, sizes: RIGHT["training_pairs"](ids, sizes).T, "shape"),
    (counts_from_the_end, "ids[-2]"),
    (above_zero, "Word 0 is in none"),
    (stops_short, "last word of the text is never a context"),
    (
        lambda ids, sizes: RIGHT["training_pairs"](np.arange(len(ids)), sizes),
        "pairs hold positions",
    ),
]

# --- CBOW ------------------------------------------------------------------------------------


def exp_softmax(x):
    return np.exp(x) / np.exp(x).sum()


def safe_softmax(x):
    return exp_softmax(x - np.max(x))


def hidden(V, context):
    return V[[w for w in context if w >= 0]].mean(axis=0)


def first_loop(U, V, context):
    h, n = np.zeros(V.shape[1]), 0
    for w in context:
        h += V[w] * (w >= 0)
        n += 1
    return safe_softmax(U @ (h / n))


def less_a_score(which):
    def cbow_forward(U, V, context):
        x = U @ hidden(V, context)
        return exp_softmax(x - which(x))

    return cbow_forward


CBOW = [
    (less_a_score(lambda x: x[0]), "subtract the first score"),
    (lambda U, V, c: np.exp(U @ hidden(V, c) - max(U @ hidden(V, c))), "must you divide them"),
    (lambda U, V, c: -np.log(safe_softmax(U @ hidden(V, c))), "Those are losses"),
    (
        lambda U, V, c: np.exp((x := U @ hidden(V, c)) - max(x)) / sum(np.exp(x)),
        "subtract it in the sum",
    ),
    (lambda U, V, c: exp_softmax(U @ hidden(V, c)), "power of 800"),
    (less_a_score(np.mean), "subtract the mean of the scores"),
    (lambda U, V, c: safe_softmax(V @ hidden(U, c)), "context words' rows of U"),
    (lambda U, V, c: safe_softmax(V @ hidden(V, c)), "one matrix for everything"),
    (lambda U, V, c: safe_softmax(U @ V[c].mean(axis=0)), "V[-1]"),
    (
        lambda U, V, c: safe_softmax(U @ V[c[c >= 0]].sum(axis=0)),
        "add up the vectors of the context",
    ),
    (lambda U, V, c: safe_softmax(U @ hidden(V, set(c.tolist()))), "twice"),
    (lambda U, V, c: U @ hidden(V, c), "Those are the scores"),
    (lambda U, V, c: sigmoid(U @ hidden(V, c)), "add up to 1"),
    (lambda U, V, c: np.argmax(U @ hidden(V, c)), "most probable word"),
    (lambda U, V, c: np.log(safe_softmax(U @ hidden(V, c))), "logarithms of the probabilities"),
    (
        lambda U, V, c: np.mean([safe_softmax(U @ V[w]) for w in c if w >= 0], axis=0),
        "each context word by itself",
    ),
    (lambda U, V, c: safe_softmax(-(U @ hidden(V, c))), "smallest score gets"),
    (first_loop, "number of all context words"),
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
        "once for each noise word",
    ),
    (
        lambda v, u, n: np.logaddexp(0, n @ v).sum() - np.logaddexp(0, -(u @ v)),
        "about the positive pair lowers",
    ),
    (lambda v, u, n: np.logaddexp(0, -u * v).sum() + np.logaddexp(0, n * v).sum(), "add up before"),
    (lambda v, u, n: np.logaddexp(0, -(u @ v)) + np.logaddexp(0, n @ v), "a row of numbers"),
    (
        lambda v, u, n: np.logaddexp(0, -max(u @ v, -30)) + sum(np.logaddexp(0, n @ v)),
        "costs more than a certain number",
    ),
    (keeps_the_last, "last noise word only"),
    (cross_entropy, "a σ of its own"),
    (a_sum, "σ(−800)"),
    (lambda v, u, noise: a_sum(v, u, noise, sign=1), "probability of “no”"),
    (lambda v, u, noise: -RIGHT["negative_loss"](v, u, noise), "rises as the model gets better"),
    (lambda v, u, noise: np.mean(one_by_one(v, u, noise)), "number of all terms"),
    (
        lambda v, u, noise: np.logaddexp(0, -(u @ v)) + np.logaddexp(0, noise @ v).mean(),
        "mean over the noise words",
    ),
    (lambda v, u, noise: np.logaddexp(0, -(u @ v)), "Where are the noise words"),
    (
        lambda v, u, noise: np.logaddexp(0, -(u @ v)) + np.logaddexp(0, noise @ u).sum(),
        "multiplied by v or by u",
    ),
    (
        lambda v, u, noise: np.logaddexp(0, u @ v) + np.logaddexp(0, noise @ v).sum(),
        "right one for this pair",
    ),
    (
        lambda v, u, noise: RIGHT["negative_loss"](v, -u, -noise),
        "for the positive pair and “yes” for",
    ),
    (
        lambda v, u, noise: np.logaddexp(0, -(u @ v)) + np.logaddexp(0, noise.sum(axis=0) @ v),
        "add up the vectors of the noise",
    ),
    (lambda v, u, noise: RIGHT["negative_loss"](v, u, noise) / np.log(2), "Which logarithm"),
    (
        lambda v, u, noise: -np.log(sigmoid(u @ v) + 1e-9) + np.logaddexp(0, noise @ v).sum(),
        "costs more than a certain number",
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


def rows_of_the_type_of_v(v, u, noise):
    G = np.empty((2 + len(noise), len(v)), dtype=v.dtype)
    G[:] = rows(v, u, noise)
    return G


GRADIENT = [
    (rows_of_the_type_of_v, "cut −1/2 down to 0"),
    (writes_into_u, "write into v, u or noise"),
    (lambda v, u, noise: [-row for row in rows(v, u, noise)], "opposite sign"),
    (lambda v, u, noise: rows(v, u, noise, pair=0.0), "Its label is 1"),
    (lambda v, u, noise: rows(v, u, noise, others=-1.0), "Its label is 0"),
    (own_vector, "with respect to u"),
    (with_slopes, "chain rule"),
    (overwrites, "the noise words are missing"),
    (last_noise_only, "only the last noise word"),
    (company_first, "in another order"),
    (lambda v, u, noise: rows(v, u, noise)[:2], "You return two rows"),
    (lambda v, u, noise: rows(v, u, noise)[0], "row of v"),
    (
        lambda v, u, noise: [*rows(v, u, noise)[:2], sum(rows(v, u, noise)[2:])],
        "add up the rows of the noise",
    ),
    (lambda v, u, noise: (*rows(v, u, noise)[:2], rows(v, u, noise)[2:]), "makes no table"),
]

# --- training --------------------------------------------------------------------------------


def gradient(v, u, noise):
    return RIGHT["negative_gradient"](v, u, noise)


def in_place(U, V, pairs, noise, eta):
    new = RIGHT["one_epoch"](U, V, pairs, noise, eta)
    U[:], V[:] = new
    return U, V


def steps(up=-1, late=False, noise_row=lambda noise, p: noise[p], once=False, stop=False):
    """One epoch, written with a loop over p."""

    def one_epoch(U, V, pairs, noise, eta):
        U, V = U.copy(), V.copy()
        for p in range(len(pairs)):
            w, o = pairs[p]
            ks = noise_row(noise, p)
            G = gradient(V[w], U[o], U[ks])
            V[w] += up * eta * G[0]
            if late:
                G = gradient(V[w], U[o], U[ks])
            U[o] += up * eta * G[1]
            if once:
                U[ks] += up * eta * G[2:]
            else:
                for k, g in zip(ks, G[2:], strict=True):
                    U[k] += up * eta * g
            if stop:
                return U, V
        return U, V

    return one_epoch


def forgets_the_noise(U, V, pairs, noise, eta):
    U, V = U.copy(), V.copy()
    for (w, o), ks in zip(pairs, noise, strict=True):
        G = gradient(V[w], U[o], U[ks])
        V[w] -= eta * G[0]
        U[o] -= eta * G[1]
    return U, V


def whole_batch(U, V, pairs, noise, eta):
    dU, dV = np.zeros(U.shape), np.zeros(V.shape)
    for (w, o), ks in zip(pairs, noise, strict=True):
        G = gradient(V[w], U[o], U[ks])
        dV[w] += G[0]
        dU[o] += G[1]
        for k, g in zip(ks, G[2:], strict=True):
            dU[k] += g
    return U - eta * dU, V - eta * dV


def noise_word_by_noise_word(U, V, pairs, noise, eta):
    U, V = U.copy(), V.copy()
    for (w, o), ks in zip(pairs, noise, strict=True):
        for k in ks:
            G = gradient(V[w], U[o], U[[k]])
            V[w] -= eta * G[0]
            U[o] -= eta * G[1]
            U[k] -= eta * G[2]
    return U, V


def one_table_only(U, V, pairs, noise, eta):
    U, V = U.copy(), V.copy()
    for (w, o), ks in zip(pairs, noise, strict=True):
        G = gradient(V[w], V[o], V[ks])
        V[w] -= eta * G[0]
        V[o] -= eta * G[1]
        for k, g in zip(ks, G[2:], strict=True):
            V[k] -= eta * g
    return U, V


def moves_a_copy(U, V, pairs, noise, eta):
    U, V = U.copy(), V.copy()
    for (w, o), ks in zip(pairs, noise, strict=True):
        drawn = U[ks]
        G = gradient(V[w], U[o], drawn)
        V[w] -= eta * G[0]
        U[o] -= eta * G[1]
        drawn -= eta * G[2:]
    return U, V


def learning_rate_decays(U, V, pairs, noise, eta):
    for p in range(len(pairs)):
        now = eta * (1 - p / len(pairs))
        U, V = RIGHT["one_epoch"](U, V, pairs[p : p + 1], noise[p : p + 1], now)
    return U, V


def by_hand(first="v"):
    """The formulas themselves, where u and v are views, so that a move is seen at once."""

    def one_epoch(U, V, pairs, noise, eta):
        U, V = U.copy(), V.copy()
        for (w, o), ks in zip(pairs, noise, strict=True):
            v, u = V[w], U[o]
            g, h = sigmoid(u @ v) - 1, sigmoid(U[ks] @ v)
            for moves in (first, "u" if first == "v" else "v"):
                if moves == "v":
                    v -= eta * (g * u + h @ U[ks])
                else:
                    u -= eta * g * v
                    np.subtract.at(U, ks, eta * np.outer(h, v))
        return U, V

    return one_epoch


def from_gradient(ask=lambda v, u, drawn: (v, u, drawn), take=lambda G: (G[0], G[1], G[2:])):
    """Asks for a gradient and takes its rows, in some order."""

    def one_epoch(U, V, pairs, noise, eta):
        U, V = U.copy(), V.copy()
        for (w, o), ks in zip(pairs, noise, strict=True):
            dv, du, others = take(gradient(*ask(V[w], U[o], U[ks])))
            V[w] -= eta * dv
            U[o] -= eta * du
            for k, g in zip(ks, others, strict=False):
                U[k] -= eta * g
        return U, V

    return one_epoch


def skips_the_context_word(U, V, pairs, noise, eta):
    U, V = U.copy(), V.copy()
    for (w, o), words in zip(pairs, noise, strict=True):
        G = gradient(V[w], U[o], U[words])
        V[w] -= eta * G[0]
        U[o] -= eta * G[1]
        for k, g in zip(words, G[2:], strict=True):
            if k != o:
                U[k] -= eta * g
    return U, V


def drops_the_context_word(U, V, pairs, noise, eta):
    U, V = U.copy(), V.copy()
    for (w, o), words in zip(pairs, noise, strict=True):
        one = np.array([[w, o]]), words[words != o][None]
        U, V = RIGHT["one_epoch"](U, V, *one, eta)
    return U, V


def assigns_to_each_row(U, V, pairs, noise, eta):
    U, V = U.copy(), V.copy()
    for (w, o), words in zip(pairs, noise, strict=True):
        v, u, drawn = V[w].copy(), U[o].copy(), U[words]
        G = gradient(v, u, drawn)
        V[w], U[o] = v - eta * G[0], u - eta * G[1]
        U[words] = drawn - eta * G[2:]
    return U, V


EPOCH = [
    (skips_the_context_word, "one as context word and one as noise word"),
    (drops_the_context_word, "You leave out a noise word"),
    (assigns_to_each_row, "writes over the first"),
    (by_hand("v"), "before the rows of U use it"),
    (by_hand("u"), "before the row of v uses it"),
    (from_gradient(ask=lambda v, u, drawn: (u, v, drawn)), "in the wrong order"),
    (from_gradient(take=lambda G: (G[1], G[0], G[2:])), "Which of them moves V[w]"),
    (from_gradient(take=lambda G: (G[0], G[1], G[1:])), "do the noise words begin"),
    (lambda U, V, *rest: RIGHT["one_epoch"](V, U, *rest)[::-1], "Which matrix belongs to which"),
    (lambda *given: RIGHT["one_epoch"](*given[:-1], 1.0), "Where is η"),
    (steps(noise_row=lambda noise, p: np.unique(noise[p])), "use each noise word once"),
    (steps(up=1), "to where the loss grows"),
    (steps(late=True), "before the gradients of U are taken"),
    (steps(once=True), "drawn twice moves once"),
    (steps(stop=True), "`return` inside"),
    (steps(noise_row=lambda noise, p: noise[0]), "noise words of the first one"),
    (steps(noise_row=lambda noise, p: noise[p][:1]), "first noise word of each row"),
    (forgets_the_noise, "noise words do not move"),
    (moves_a_copy, "is a copy"),
    (noise_word_by_noise_word, "how often does u_o move"),
    (one_table_only, "all vectors from V"),
    (whole_batch, "at the first vectors"),
    (in_place, "write into U or V"),
    (learning_rate_decays, "get smaller from pair to pair"),
    (lambda U, V, pairs, *rest: RIGHT["one_epoch"](U, V, pairs[:, ::-1], *rest), "vector in V"),
    (lambda *given: RIGHT["one_epoch"](*given)[::-1], "In which order are they asked"),
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
    (
        by_loop(step, pick=lambda order, given, n: others(order[: n + 3], given, n + 3)),
        "more than n words",
    ),
    (normed_in_place, "write into `vectors`"),
    (unit_target_only, "long ones win"),
    (by_loop(step, np.dot, by_column, others), "a row or a column"),
    (by_loop(step, pick=three_dropped), "leave out the first words"),
    (by_loop(step, pick=lambda order, given, n: order[1 : n + 1]), "leave out the first words"),
    (
        by_loop(step, pick=lambda order, given, n: others(order, given[1:2], n)),
        "leave out all three",
    ),
    (
        by_loop(step, pick=lambda order, given, n: others(order, given[1:], n)),
        "leave out all three",
    ),
    (
        by_loop(step, pick=lambda order, given, n: sorted({*order} - {*given})[:n]),
        "Does a set keep",
    ),
    (by_loop(step, pick=lambda order, given, n: sorted(others(order, given, n))), "best should"),
    (by_loop(lambda a, b, c: b + c, pick=others), "add b and c"),
    (noughts, "the cosine 0"),
    (by_loop(step), "leave out all three"),
    (by_loop(step, pick=not_c), "leave out all three"),
    (
        by_loop(step, pick=lambda order, given, n: others(order[:n], given, n)),
        "How many words remain",
    ),
    (by_loop(lambda a, b, c: a - b + c, pick=others), "Which of the three has a minus"),
    (by_loop(lambda a, b, c: a + b - c, pick=others), "Which of the three has a minus"),
    (by_loop(lambda a, b, c: b - a, pick=others), "From which word"),
    (by_loop(step, prepare=lambda rows: rows, pick=others), "the length 1"),
    (by_loop(step, np.dot, lambda rows: rows, others), "long ones win"),
    (by_loop(step, lambda x, y: -norm(x - y), lambda rows: rows, others), "by distance"),
    (by_loop(step, pick=lambda order, given, n: others(order[::-1], given, n)), "argsort sort"),
    (by_loop(step, pick=lambda order, given, n: others(order, given, n)[::-1]), "best should come"),
    (by_loop(step, pick=lambda order, given, n: others(order, given, 1)[0]), "shape"),
    (
        by_loop(step, pick=lambda order, given, n: others(order, given, len(order))),
        "Where do you use n",
    ),
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
    (between_words, "all pairs of words"),
    (label_one_less_label_zero, "the wrong sign"),
    (lambda *given: -np.array(label_one_less_label_zero(*given)), "the wrong sign"),
    (ignores_the_lost, "count as one of the texts"),
    (in_sets, "twice"),
    (weighed(near=lambda x, y: norm(x - y)), "by distance"),
    (lambda *given: np.argsort(weighed()(*given)), "in an order"),
    (lambda *given: sorted(weighed()(*given), reverse=True), "sorted"),
    (nowhere, "mean of nothing"),
    (lambda vectors, *rest: weighed()(directions(vectors), *rest), "before you take the mean"),
    (weighed(own=False), "cosine 1 with itself"),
    (weighed(out=lambda other, own: own - other), "label fits best"),
    (weighed(out=lambda other, own: other), "over the text's own class"),
    (weighed(out=lambda other, own: abs(other - own)), "absolute value"),
    (weighed(out=lambda other, own: other > own), "1 or 0 for each text"),
    (weighed(near=np.dot), "dot product"),
    (weighed(near=lambda x, y: -norm(x - y)), "by distance"),
    (weighed(gather=np.sum), "sum or the mean"),
    (weighed(gather=np.max), "nearest text of each class"),
    (to_the_middles, "mean vector of a class"),
    (the_unknown_has_a_row, "vectors[-1]"),
    (lambda *given: np.argmax(weighed()(*given)), "number of one text"),
    (lambda *given: np.argsort(-weighed()(*given)), "in an order"),
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
    (adds_cosines_up, "Should a longer list"),
    (on_the_axis, "difference of two cosines"),
    (lambda vectors, *some: scored(near=np.dot)(by_column(vectors), *some), "a row or a column"),
    (scored(near=lambda x, y: norm(x - y)), "by distance"),
    (scored(near=np.dot), "by the dot product"),
    (scored(near=lambda x, y: -norm(x - y)), "by distance"),
    (scored(gather=np.sum), "Should a longer list"),
    (scored(gather=np.max), "largest number of each list"),
    (one_cosine_a_list, "mean of the vectors before"),
    (by_its_spread, "standard deviation"),
    (forgets_a_bracket, "without brackets"),
    (lambda v, X, Y, A, B: between(v, X, A) - between(v, Y, B), "two of the four"),
    (side_by_side, "three and four words"),
    (adds_words_up, "Should a longer list"),
    (lambda vectors, X, Y, A, B: scored()(vectors, Y, X, A, B), "wrong sign"),
    (lambda vectors, X, Y, A, B: abs(scored()(vectors, X, Y, A, B)), "score is never negative"),
    (lambda vectors, X, Y, A, B: np.mean([leans(vectors, w, A, B) for w in X]), "You use X only"),
    (lambda vectors, X, Y, A, B: [leans(vectors, w, A, B) for w in X + Y], "shape"),
    (lambda vectors, X, Y, A, B: scored()(vectors, X, Y, A, A), "always 0"),
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
    context = rng.integers(-1, n, size=int(rng.integers(1, 6)))
    context[0] = rng.integers(n)
    return U, V, context


def noisy_pairs_like(rng):
    d, k = int(rng.integers(1, 5)), int(rng.integers(1, 5))
    size = rng.choice([0.3, 1, 4])
    v, u = rng.normal(size=(2, d)) * size
    return v, u, rng.normal(size=(k, d)) * size


def epochs_like(rng):
    n, d = int(rng.integers(3, 7)), int(rng.integers(1, 4))
    pairs = rng.integers(0, n, size=(int(rng.integers(1, 6)), 2))
    noise = rng.integers(0, n, size=(len(pairs), int(rng.integers(1, 4))))
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
