"""What learners write for exercise 1: wrong answers with words of the question each deserves, and
inputs of which the claims know nothing."""

import math

import numpy as np
from answers import RIGHT

cosine = RIGHT["cosine"]


def slices_without_max(texts, V, m):
    C = np.zeros((V, V))
    for ids in texts:
        for p, centre in enumerate(ids):
            for other in [*ids[p - m : p], *ids[p + 1 : p + m + 1]]:
                if centre >= 0 and other >= 0:
                    C[centre, other] += 1
    return C


def window(first, last, keep=lambda p, q: p != q, prepare=list, known=True, add=1):
    """Counting written with a range, which is where it goes wrong."""

    def cooccurrence(texts, V, m):
        C = np.zeros((V, V))
        for ids in prepare(texts):
            for p in range(len(ids)):
                for q in range(max(0, p + first(m)), min(len(ids), p + last(m))):
                    if keep(p, q) and (not known or (ids[p] >= 0 and ids[q] >= 0)):
                        C[ids[p], ids[q]] += add
        return C

    return cooccurrence


def only_if_words_differ(texts, V, m):
    C = np.zeros((V, V))
    for ids in texts:
        for p, centre in enumerate(ids):
            for other in ids[max(0, p - m) : p + m + 1]:
                if other != centre and centre >= 0 and other >= 0:
                    C[centre, other] += 1
    return C


def seen_or_not(texts, V, m):
    return (RIGHT["cooccurrence"](texts, V, m) > 0) * 1


def window_at_once(own=None):
    """The window as one slice, whose start is negative near the beginning of a text."""

    def cooccurrence(texts, V, m):
        C = np.zeros((V, V))
        for ids in texts:
            for p, centre in enumerate(ids):
                if centre == -1:
                    continue
                for other in ids[p - m : p + m + 1]:
                    if other != -1:
                        C[centre, other] += 1
                if own:
                    C[centre, centre] -= 1
        return C

    return cooccurrence


def positions_for_words(texts, V, m):
    C = np.zeros((V, V))
    for ids in texts:
        for p in range(len(ids)):
            for q in range(max(0, p - m), min(len(ids), p + m + 1)):
                if p != q and p != -1 and q != -1:
                    C[ids[p], ids[q]] += 1
    return C


def both_ways_twice(texts, V, m):
    C = RIGHT["cooccurrence"](texts, V, m)
    return C + C.T


def marks_the_unknown(texts, V, m):
    for ids in texts:
        ids[ids < 0] = V
    return RIGHT["cooccurrence"]([np.where(ids == V, -1, ids) for ids in texts], V, m)


def a_window_at_once(texts, V, m):
    C = np.zeros((V, V))
    for ids in texts:
        for p in range(len(ids)):
            near = [q for q in range(max(0, p - m), min(len(ids), p + m + 1)) if q != p]
            company = ids[near][ids[near] >= 0] if near else []
            if ids[p] >= 0 and len(company):
                C[ids[p], company] += 1
    return C


def a_shift_at_once(texts, V, m):
    C = np.zeros((V + 1, V + 1))
    for ids in texts:
        for d in range(1, m + 1):
            C[ids[:-d], ids[d:]] += 1
            C[ids[d:], ids[:-d]] += 1
    return C[:V, :V]


def known_from_1(texts, V, m):
    C = np.array(RIGHT["cooccurrence"](texts, V, m))
    C[0], C[:, 0] = 0, 0
    return C


def off_the_ends(stop):
    """Places that no text has: below 0 Python counts from the end, above it raises."""

    def cooccurrence(texts, V, m):
        C = np.zeros((V, V))
        for ids in texts:
            for p in range(len(ids)):
                for q in range(p - m, stop(p + m + 1, len(ids))):
                    if q != p and ids[p] >= 0 and ids[q] >= 0:
                        C[ids[p], ids[q]] += 1
        return C

    return cooccurrence


def one_row_v_times(texts, V, m):
    C = [[0] * V] * V
    for i, row in enumerate(RIGHT["cooccurrence"](texts, V, m)):
        for j, count in enumerate(row):
            C[i][j] += int(count)
    return C


BACK, AHEAD = (lambda m: -m), (lambda m: m + 1)
COOCCURRENCE = [
    (window(BACK, AHEAD, keep=lambda p, q: True), "its own neighbour"),
    (window(lambda m: 1, AHEAD), "on the right only"),
    (window(BACK, lambda m: 0), "on the left only"),
    (window(BACK, lambda m: m), "range or slice end"),
    (window(lambda m: 1 - m, lambda m: m), "How far does your window reach"),
    (window(lambda m: -(m // 2), lambda m: m // 2 + 1), "m words in all"),
    (window(BACK, AHEAD, prepare=lambda texts: [np.concatenate(texts)]), "one text and the first"),
    (window(BACK, AHEAD, prepare=lambda ts: [t[t >= 0] for t in ts]), "remove the unknown words"),
    (window(BACK, AHEAD, known=False), "C[-1]"),
    (slices_without_max, "text[a:b] when a is negative"),
    (marks_the_unknown, "write into the texts"),
    (a_window_at_once, "where a pair comes twice"),
    (a_shift_at_once, "where a pair comes twice"),
    (lambda texts, V, m: RIGHT["cooccurrence"](texts[:1], V, m), "the second text"),
    (one_row_v_times, "one list V times"),
    (only_if_words_differ, "or their positions"),
    (seen_or_not, "three times"),
    (both_ways_twice, "twice too large"),
    (known_from_1, "stand for a known word"),
    (off_the_ends(min), "text[-1] in Python"),
    (window_at_once("subtracted"), "text[a:b] when a is negative"),
    (window_at_once(), "text[a:b] when a is negative"),
    (positions_for_words, "compare the position with −1"),
    (off_the_ends(lambda end, length: end), "does your window stop there"),
    (lambda texts, V, m: RIGHT["cooccurrence"](texts[-1:], V, m), "a new table for each text"),
    (lambda texts, V, m: RIGHT["cooccurrence"](texts, V, 1), "Where do you use m"),
]


def rows(C):
    return C.sum(axis=1, keepdims=True)


def columns(C):
    return C.sum(axis=0, keepdims=True)


def chance(C):
    return rows(C) * columns(C) / C.sum()


def safe(formula):
    """An answer that takes care of zeros and is wrong about something else."""

    def ppmi(C):
        C = np.asarray(C, dtype=float)
        return np.where(C > 0, np.nan_to_num(formula(C), posinf=0, neginf=0), 0)

    return ppmi


def into_whole_numbers(C):
    P = np.zeros_like(C)
    P[:] = RIGHT["ppmi"](C)
    return P


def sums_without_keepdims(C):
    return RIGHT["ppmi"](C) + 0 * (C.sum(axis=1) * C.sum(axis=0))


def entry_by_entry(C):
    P = np.zeros(C.shape)
    for i, j in np.ndindex(*C.shape):
        P[i, j] = max(0, math.log(C[i, j] * C.sum() / (C[i].sum() * C[:, j].sum())))
    return P


def as_if_square(C):
    P = np.zeros(C.shape)
    for i in range(len(C)):
        for j in range(len(C)):
            if C[i, j] > 0:
                P[i, j] = max(0, math.log(C[i, j] * C.sum() / (C[i].sum() * C[:, j].sum())))
    return P


def in_place(C):
    C *= 1 / chance(C)
    C[C < 1] = 1
    np.log(C, out=C)
    return C


PPMI = [
    (lambda C: np.log(C / chance(C)), "log 0"),
    (lambda C: np.maximum(np.log(C / chance(C)), 0), "0/0"),
    (safe(lambda C: np.log(C / chance(C))), "stands for positive"),
    (safe(lambda C: np.maximum(np.log2(C / chance(C)), 0)), "which logarithm"),
    (safe(lambda C: np.maximum(np.log10(C / chance(C)), 0)), "which logarithm"),
    (safe(lambda C: np.log1p(C / chance(C))), "log1p"),
    (safe(lambda C: C / chance(C)), "Where is the logarithm"),
    (safe(lambda C: np.log(C / C.sum(axis=1, keepdims=True))), "with its row only"),
    (safe(lambda C: np.maximum(np.log(C / C.sum(axis=0)), 0)), "Everything is 0"),
    (safe(lambda C: np.maximum(np.log(C / chance(C) / C.sum()), 0)), "Everything is 0"),
    (safe(lambda C: np.log(C / chance(C) / C.sum())), "Where is the total"),
    (safe(lambda C: np.abs(np.log(C / chance(C)))), "make a negative logarithm positive"),
    (safe(lambda C: np.maximum(np.log(C * C.shape[1] / rows(C)), 0)), "with its row only"),
    (safe(lambda C: np.maximum(np.log(C * C.sum() / columns(C).T / columns(C)), 0)), "sums twice"),
    (safe(lambda C: np.minimum(np.log(C / chance(C)), 0)), "the maximum or the minimum"),
    (safe(lambda C: np.maximum(C / C.sum() * np.log(C / chance(C)), 0)), "factor too many"),
    (in_place, "write into C"),
    (into_whole_numbers, "cut 0.69 down to 0"),
    (sums_without_keepdims, "every row sum meets every column sum"),
    (safe(lambda C: np.maximum(np.log(C * C.sum() / rows(C) * columns(C)), 0)), "brackets"),
    (safe(lambda C: np.maximum(np.log(chance(C) / C), 0)), "above 1 or below 1"),
    (lambda C: RIGHT["ppmi"](C + 1), "add 1 to each count"),
    (entry_by_entry, "log 0"),
    (as_if_square, "as many columns as rows"),
    (lambda C: max(0, np.log(C / chance(C))), "entry by entry"),
    (lambda C: np.max(0, np.log(C / chance(C))), "entry by entry"),
    (safe(lambda C: np.maximum(np.log(C / chance(C)) - np.log(5), 0)), "none of your ratios"),
    (
        safe(lambda C: np.maximum(np.log(C * C.sum() / 2 / rows(C) / columns(C)), 0)),
        "half of the total",
    ),
]

norm = np.linalg.norm
COSINE = [
    (lambda x, y: x @ y, "dot product"),
    (lambda x, y: x @ y / np.sqrt(len(x)), "√d"),
    (lambda x, y: x @ y / (x @ x * (y @ y) or 1), "root"),
    (lambda x, y: x @ y / (norm(x) or 1), "the length of y"),
    (lambda x, y: x @ y / (norm(y) or 1), "the length of x"),
    (lambda x, y: x @ y / (norm(x) + norm(y) or 1), "add the two lengths"),
    (lambda x, y: x @ y / (norm(x) * norm(y)), "0/0"),
    (lambda x, y: 1 - cosine(x, y) if norm(x) * norm(y) else 0, "a distance"),
    (lambda x, y: abs(cosine(x, y)), "opposite"),
    (lambda x, y: np.degrees(np.arccos(cosine(x, y))) if norm(x) * norm(y) else 0, "degrees"),
    (lambda x, y: x @ y / (norm(x, 1) * norm(y, 1) or 1), "Pythagoras"),
    (lambda x, y: np.array([[cosine(x, y)]]), "shape"),
    (lambda x, y: 0.0 if 0 in x or 0 in y else cosine(x, y), "one number is 0"),
    (lambda x, y: x @ y / (norm(x) or 1) * norm(y), "Where are brackets missing"),
    (lambda x, y: 0.0 if sum(x) == 0 or sum(y) == 0 else cosine(x, y), "add up to 0"),
    (lambda x, y: x @ y / max(norm(x) * norm(y), 1), "the short vectors"),
    (lambda x, y: x @ y / (norm(x) * norm(y) + 1e-3), "small number to the denominator"),
    (lambda x, y: x @ y / (x @ x or 1), "the square of the length of x"),
    (lambda x, y: round(cosine(x, y), 2), "two decimals"),
    (lambda x, y: max(0.0, cosine(x, y)), "with (−2, 0)"),
    (lambda x, y: x @ y / (norm(x) * norm(y) + 1e-9), "small number to the denominator"),
]


def from_svd(place, center=None):
    def word_vectors(X, k):
        if center is not None:
            X = X - X.mean(axis=center, keepdims=True)
        return place(*np.linalg.svd(X, full_matrices=False), k)

    return word_vectors


WORD_VECTORS = [
    (from_svd(lambda U, s, Vt, k: U[:, :k]), "Where is s"),
    (from_svd(lambda U, s, Vt, k: Vt.T[:, :k] * s[:k]), "belong to the columns of X"),
    (from_svd(lambda U, s, Vt, k: Vt[:k]), "directions and not words"),
    (from_svd(lambda U, s, Vt, k: U[:k] * s), "keeps k rows"),
    (from_svd(lambda U, s, Vt, k: U[:, -k:] * s[-k:]), "last k columns"),
    (from_svd(lambda U, s, Vt, k: U[:, 1 : k + 1] * s[1 : k + 1]), "from 0 or from 1"),
    (from_svd(lambda U, s, Vt, k: U @ np.diag(s)), "Where do you use k"),
    (from_svd(lambda U, s, Vt, k: U[:, :k] * s[:k] ** 0.5), "√s"),
    (from_svd(lambda U, s, Vt, k: U[:, :k] / s[:k]), "You divide by s"),
    (from_svd(lambda U, s, Vt, k: U[:, :k] * s[:k], center=0), "principal component analysis"),
    (from_svd(lambda U, s, Vt, k: U[:, :k] * s[:k], center=1), "principal component analysis"),
    (lambda X, k: from_svd(lambda U, s, Vt, k: U[:, :k] * s[:k])(X @ X.T, k), "X Xᵀ"),
    (from_svd(lambda U, s, Vt, k: U[:, :k] * s), "as many columns as numbers"),
    (from_svd(lambda U, s, Vt, k: U[:, :k] * s[:k, None]), "along the columns"),
]


def sorted_by(measure, pick):
    def neighbours(vectors, i, n):
        closeness = np.array([measure(vectors[i], row) for row in vectors])
        return pick(closeness, i, n)

    return neighbours


def unit(x):
    return x / (norm(x) or 1)


def best_others(closeness, i, n):
    return [j for j in np.argsort(-closeness, kind="stable") if j != i][:n]


def unguarded(x, y):
    return x @ y / (norm(x) * norm(y))


def divides_in_place(vectors, i, n):
    vectors /= np.maximum(norm(vectors, axis=1, keepdims=True), 1e-12)
    return best_others(vectors @ vectors[i], i, n)


NEIGHBOURS = [
    (sorted_by(cosine, lambda c, i, n: np.argsort(-c)[:n]), "tells you nothing"),
    (sorted_by(cosine, lambda c, i, n: [j for j in np.argsort(c) if j != i][:n]), "farthest"),
    (sorted_by(cosine, lambda c, i, n: best_others(c, i, n)[::-1]), "best should come first"),
    (sorted_by(cosine, lambda c, i, n: np.argsort(c)[-n:]), "best row should come first"),
    (sorted_by(cosine, lambda c, i, n: np.argsort(-c)[1 : n + 1]), "same direction"),
    (sorted_by(cosine, lambda c, i, n: np.argsort(-c)[1:n]), "n − 1"),
    (sorted_by(lambda x, y: -norm(x - y), best_others), "You rank by distance"),
    (sorted_by(lambda x, y: x @ y, best_others), "long vectors win"),
    (sorted_by(lambda x, y: abs(cosine(x, y)), best_others), "opposite direction"),
    (
        sorted_by(cosine, lambda c, i, n: np.sort(np.delete(c, i))[::-1][:n]),
        "Those are the cosines",
    ),
    (sorted_by(unguarded, best_others), "nan"),
    (
        sorted_by(
            unguarded,
            lambda c, i, n: sorted((j for j in range(len(c)) if j != i), key=lambda j: -c[j])[:n],
        ),
        "Where does sorted put nan",
    ),
    (sorted_by(unguarded, lambda c, i, n: np.argsort(c)[::-1][:n]), "tells you nothing"),
    (divides_in_place, "write into the vectors"),
]


def itself_at_0(closeness, i, n):
    closeness[i] = 0
    return np.argsort(-closeness)[:n]


def empties_the_row(vectors, i, n):
    x = vectors[i].copy()
    vectors[i] = 0
    return best_others(np.array([cosine(x, row) for row in vectors]), i, n)


def itself_at_minus_one(closeness, i, n):
    closeness[i] = -1
    return np.argsort(-closeness)[:n]


def itself_at_minus_one_from_behind(closeness, i, n):
    closeness[i] = -1
    return np.argsort(closeness)[::-1][:n]


NEIGHBOURS += [
    (sorted_by(cosine, itself_at_minus_one), "Which one comes last"),
    (sorted_by(cosine, itself_at_minus_one_from_behind), "Which one comes last"),
    (sorted_by(cosine, lambda c, i, n: np.argsort(-np.delete(c, i))[:n]), "You removed row i"),
    (sorted_by(cosine, lambda c, i, n: np.argsort(c)[1 : n + 1]), "begins with the smallest"),
    (sorted_by(cosine, lambda c, i, n: np.argsort(c)[-n - 1 : -1]), "best should come first"),
    (sorted_by(cosine, itself_at_0), "the cosine 0"),
    (sorted_by(cosine, lambda c, i, n: [j + 1 for j in best_others(c, i, n)]), "too large by one"),
    (sorted_by(cosine, lambda c, i, n: sorted(best_others(c, i, n))), "sorted by their numbers"),
    (sorted_by(lambda x, y: cosine(x, y) if y.any() else -2, best_others), "before or after all"),
    (
        sorted_by(lambda x, y: -norm(unit(x) - unit(y)), best_others),
        "distance of vectors of length 1",
    ),
    (empties_the_row, "or one that it calls"),
]

FOLD_IN = [
    (lambda q, U, s: q @ U, "left to do"),
    (lambda q, U, s: q @ U * s, "from s v to v"),
    (lambda q, U, s: q @ U / np.sqrt(s), "You divide by √s"),
    (lambda q, U, s: q @ U / s / s, "twice"),
    (lambda q, U, s: q @ U / s / (norm(q @ U / s) or 1), "the length 1"),
    (lambda q, U, s: (q > 0) @ U / s, "count once"),
    (lambda q, U, s: q / (q.sum() or 1) @ U / s, "number of words"),
    (lambda q, U, s: q[: len(s)] @ U[: len(s)] / s, "first k words only"),
    (lambda q, U, s: (q @ U / s)[None], "shape"),
    (lambda q, U, s: U @ q / s, "on the left or on the right of U"),
    (lambda q, U, s: np.linalg.solve(U, q) / s, "it has no inverse"),
    (lambda q, U, s: q @ (U / s[:, None]), "a row or a column of U"),
    (lambda q, U, s: q @ U / s.sum(), "its own number in s"),
]


def search(query, texts, measure=cosine, pick=lambda order, n: order[:n]):
    def find_documents(q, U, s, Vt, n):
        place = query(q, U, s)
        closeness = np.array([measure(place, text) for text in texts(s, Vt)])
        return pick(np.argsort(-closeness), n)

    return find_documents


SCALED = (lambda q, U, s: q @ U, lambda s, Vt: Vt.T * s)
FIND_DOCUMENTS = [
    (search(lambda q, U, s: q @ U / s, lambda s, Vt: Vt.T), "the columns of Vt as they are"),
    (search(lambda q, U, s: q @ U, lambda s, Vt: Vt.T), "same scale"),
    (search(lambda q, U, s: q @ U / s, lambda s, Vt: Vt.T * s), "same scale"),
    (search(lambda q, U, s: q @ U, lambda s, Vt: Vt.T * s**2), "once too often"),
    (search(lambda q, U, s: q @ U * s, lambda s, Vt: Vt.T * s**2), "once too often"),
    (search(*SCALED, measure=lambda x, y: x @ y), "long texts win"),
    (search(*SCALED, measure=lambda x, y: -norm(x - y)), "distance"),
    (search(*SCALED, pick=lambda order, n: order[::-1][:n]), "farthest"),
    (search(*SCALED, pick=lambda order, n: order[:n][::-1]), "best should come first"),
    (search(*SCALED, pick=lambda order, n: order[1 : n + 1]), "Is the query one of the texts"),
    (search(*SCALED, pick=lambda order, n: order[:n] + 1), "too large by one"),
    (search(*SCALED, pick=lambda order, n: order), "Where do you use n"),
    (lambda q, U, s, Vt, n: np.argsort([-cosine(q @ U, u * s) for u in U])[:n], "which are words"),
    (search(*SCALED, measure=lambda x, y: abs(cosine(x, y))), "opposite direction"),
    (search(*SCALED, pick=lambda order, n: np.sort(order[:n])), "sorted by their numbers"),
    (search(SCALED[0], lambda s, Vt: Vt), "go through its columns"),
    (search(SCALED[0], lambda s, Vt: (Vt * s).T), "directions the rows or the columns of Vt"),
]


def choice(on=0, report=1, best=max, correlation=None, measure=cosine, order=sorted):
    """Choosing k with the lists as a learner might mix them up: 0 validation, 1 test, 2 both."""

    def choose_k(spaces, validation, test):
        lists = validation, test, [*validation, *test]

        def rho(k, pairs):
            closeness = [measure(spaces[k][i], spaces[k][j]) for i, j, _ in pairs]
            people = [score for _, _, score in pairs]
            if correlation:
                return correlation(closeness, people)
            ranks = [np.argsort(np.argsort(numbers)) for numbers in (closeness, people)]
            return np.corrcoef(*ranks)[0, 1]

        k = best(order(spaces), key=lambda k: round(rho(k, lists[on]), 12))
        return k, rho(k, lists[report])

    return choose_k


def best_from(lowest, first):
    """Begins with best = 0 or −1, and with some k or none."""

    def choose_k(spaces, validation, test):
        k, best = first(spaces), lowest
        for other in sorted(spaces):
            rho = RIGHT["choose_k"]({other: spaces[other]}, validation, validation)[1]
            if rho > best + 1e-9:
                k, best = other, rho
        return k, RIGHT["choose_k"]({k: spaces[k]}, test, test)[1]

    return choose_k


def place_of_k(spaces, validation, test):
    k, rho = RIGHT["choose_k"](spaces, validation, test)
    return sorted(spaces).index(k), rho


def best_on_test(spaces, validation, test):
    k, _ = RIGHT["choose_k"](spaces, validation, test)
    return k, max(RIGHT["choose_k"]({k: spaces[k]}, test, test)[1] for k in spaces)


CHOOSE_K = [
    (best_from(0, min), "every correlation be below 0"),
    (best_from(0, lambda spaces: next(iter(spaces))), "every correlation be below 0"),
    (best_from(0, lambda spaces: None), "every correlation be below 0"),
    (best_from(-1, lambda spaces: next(iter(spaces))), "every correlation be below 0"),
    (best_from(-1, lambda spaces: None), "every correlation be below 0"),
    (choice(on=1), "to choose k"),
    (choice(on=2), "to choose k"),
    (choice(on=2, report=2), "to choose k"),
    (choice(report=0), "on the pairs that chose k"),
    (choice(best=min), "lowest or the highest"),
    (choice(order=list), "comes first in `spaces`"),
    (choice(order=lambda ks: sorted(ks)[::-1]), "agree equally well"),
    (choice(best=lambda ks, key: max(ks)), "You return the largest k"),
    (choice(best=lambda ks, key: max(ks, key=lambda k: abs(key(k)))), "take the absolute value"),
    (choice(correlation=lambda a, b: np.corrcoef(a, b)[0, 1]), "Pearson"),
    (choice(measure=lambda x, y: x @ y), "dot product"),
    (choice(measure=lambda x, y: norm(x - y)), "distance"),
    (lambda *given: choice()(*given)[::-1], "which order"),
    (lambda *given: choice()(*given)[0], "on the test pairs"),
    (choice(measure=lambda x, y: 1 - cosine(x, y)), "distance"),
    (choice(report=2), "With the k that you return"),
    (best_on_test, "largest correlation on the test pairs"),
    (place_of_k, "the place of the best k"),
    (
        lambda spaces, *pairs: choice()({k: spaces[k][:k] for k in spaces}, *pairs),
        "Do you take away rows",
    ),
    (lambda spaces, *pairs: choice(order=lambda ks: range(len(ks)))(spaces, *pairs), "Which keys"),
]

WRONG = {
    "cooccurrence": COOCCURRENCE,
    "ppmi": PPMI,
    "cosine": COSINE,
    "word_vectors": WORD_VECTORS,
    "neighbours": NEIGHBOURS,
    "fold_in": FOLD_IN,
    "find_documents": FIND_DOCUMENTS,
    "choose_k": CHOOSE_K,
}


def texts_like(rng):
    V, m = int(rng.integers(2, 9)), int(rng.integers(1, 6))
    lengths = rng.choice([0, 1, 2, 3, 7, 15], size=int(rng.integers(1, 5)))
    return [rng.integers(-1, V, size=length) for length in lengths], V, m


def counts_like(rng):
    n, m = rng.integers(1, 7, size=2)
    C = rng.poisson(rng.choice([0.3, 1, 5]), size=(n, m)) * (rng.random((n, m)) < 0.8)
    return (C.astype(rng.choice([int, float])),)


def arrows_like(rng):
    x, y = rng.normal(size=(2, int(rng.integers(1, 6)))) * rng.choice([0, 0.1, 1, 30], (2, 1))
    return x, y * rng.choice([1, -1])


def tables_like(rng):
    n, m = rng.integers(3, 9, size=2)
    return rng.gamma(1.0, size=(n, m)), int(rng.integers(1, min(n, m) + 1))


def crowds_like(rng):
    V = int(rng.integers(3, 9))
    vectors = rng.normal(size=(V, int(rng.integers(2, 5))))
    i = int(rng.integers(V))
    if rng.random() < 0.3:
        vectors[(i + 1) % V] = 0
    if rng.random() < 0.3:
        vectors[i - 1] = 3 * vectors[i]
    return vectors, i, int(rng.integers(1, V))


def space_like(rng):
    X, k = rng.gamma(1.0, size=rng.integers(5, 9, size=2)), int(rng.integers(2, 5))
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    return U[:, :k], s[:k], Vt[:k]


def queries_like(rng):
    U, s, _ = space_like(rng)
    return rng.poisson(rng.choice([0, 1, 3]), size=len(U)).astype(float), U, s


def searches_like(rng):
    U, s, Vt = space_like(rng)
    q = rng.poisson(1.0, size=len(U)) + rng.random(len(U))
    return q, U, s, Vt, int(rng.integers(1, Vt.shape[1] + 1))


def pairs_like(rng, V):
    pairs = [(int(i), int(j)) for i in range(V) for j in range(i)]
    chosen = [pairs[n] for n in rng.permutation(len(pairs))[:7]]
    return [(i, j, float(score)) for (i, j), score in zip(chosen, rng.random(7), strict=True)]


def choices_like(rng):
    ks = [int(k) for k in rng.permutation([2, 3, 4, 6])[:3]]
    spaces = {k: rng.normal(size=(7, k)) * rng.gamma(1.0, size=(7, 1)) for k in ks}
    if rng.random() < 0.5:
        k = ks[0]
        spaces = {k + 7: np.pad(spaces[k], ((0, 0), (0, 7))), **spaces}
    return spaces, pairs_like(rng, 7), pairs_like(rng, 7)


INPUTS = {
    "cooccurrence": texts_like,
    "ppmi": counts_like,
    "cosine": arrows_like,
    "word_vectors": tables_like,
    "neighbours": crowds_like,
    "fold_in": queries_like,
    "find_documents": searches_like,
    "choose_k": choices_like,
}

UNSURE = {"neighbours", "find_documents"}
