"""The answers of chapter 1 in the hands of several students, each right in a way of its own."""

HANDS = {}
HANDS["ada"] = '''
def cooccurrence(texts, V, m):
    """How often word j stands within m places of word i."""
    table = np.zeros((V, V))
    for text in texts:
        for distance in range(1, m + 1):
            for left, right in zip(text[:-distance], text[distance:]):
                if left < 0 or right < 0:
                    continue
                table[left, right] += 1
                table[right, left] += 1
    return table


def ppmi(C):
    total = C.sum()
    expected = np.outer(C.sum(axis=1), C.sum(axis=0)) / total
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = np.log(C / expected)
    weights[~np.isfinite(weights)] = 0
    return np.where(weights > 0, weights, 0)


def cosine(x, y):
    if not x.any() or not y.any():
        return 0.0
    return np.dot(x, y) / np.sqrt(np.dot(x, x) * np.dot(y, y))


def word_vectors(X, k):
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    return U[:, :k] * s[:k]


def neighbours(vectors, i, n):
    scores = [(-cosine(vectors[i], v), j) for j, v in enumerate(vectors) if j != i]
    return [j for score, j in sorted(scores)][:n]


def fold_in(q, U, s):
    return q @ U / s


def find_documents(q, U, s, Vt, n):
    here = fold_in(q, U, s)
    scores = []
    for j in range(Vt.shape[1]):
        scores.append((cosine(here * s, Vt[:, j] * s), -j))
    scores.sort(reverse=True)
    return [-j for score, j in scores[:n]]


def choose_k(spaces, validation, test):
    def quality(space, pairs):
        mine = np.array([cosine(space[i], space[j]) for i, j, score in pairs])
        theirs = np.array([score for i, j, score in pairs])
        return spearman(mine, theirs)

    best = None
    for k in sorted(spaces):
        q = quality(spaces[k], validation)
        if best is None or q > best[1]:
            best = k, q
    return best[0], quality(spaces[best[0]], test)
'''
HANDS["bob"] = """
def cooccurrence(texts, V, m):
    counts = np.zeros((V, V))
    for words_ in texts:
        n = len(words_)
        for i in range(n):
            if words_[i] == -1:
                continue
            # look both ways
            for j in list(range(i - m, i)) + list(range(i + 1, i + m + 1)):
                if 0 <= j < n and words_[j] != -1:
                    counts[words_[i]][words_[j]] += 1
    return counts


def ppmi(C):
    C = np.array(C, dtype=float)
    out = np.zeros_like(C)
    row = C.sum(1)
    col = C.sum(0)
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            if C[i, j] > 0:
                value = np.log(C[i, j] * C.sum() / row[i] / col[j])
                if value > 0:
                    out[i, j] = value
    return out


def cosine(x, y):
    a = np.linalg.norm(x)
    b = np.linalg.norm(y)
    if a == 0 or b == 0:
        return 0.0
    return x @ y / (a * b)


def word_vectors(X, k):
    left, strengths, right = np.linalg.svd(X)
    return left[:, :k] @ np.diag(strengths[:k])


def neighbours(vectors, i, n):
    similarity = np.zeros(len(vectors))
    for j in range(len(vectors)):
        similarity[j] = cosine(vectors[i], vectors[j])
    similarity[i] = -np.inf
    return similarity.argsort()[::-1][:n]


def fold_in(q, U, s):
    projected = U.T @ q
    return projected / s


def find_documents(q, U, s, Vt, n):
    q_hat = fold_in(q, U, s)
    docs = (np.diag(s) @ Vt).T
    sims = np.array([cosine(q_hat * s, d) for d in docs])
    return np.argsort(-sims, kind="stable")[:n]


def choose_k(spaces, validation, test):
    results = {}
    for k, space in spaces.items():
        ours = []
        gold = []
        for a, b, s in validation:
            ours.append(cosine(space[a], space[b]))
            gold.append(s)
        results[k] = spearman(np.array(ours), np.array(gold))
    top = max(results.values())
    k = min(k for k in results if results[k] == top)
    ours, gold = [], []
    for a, b, s in test:
        ours.append(cosine(spaces[k][a], spaces[k][b]))
        gold.append(s)
    return k, spearman(np.array(ours), np.array(gold))
"""
HANDS["chen"] = """
def pairs_of(text, m):
    return [(a, b) for p, a in enumerate(text) for b in text[max(p - m, 0) : p] if min(a, b) >= 0]


def cooccurrence(texts, V, m):
    C = np.zeros((V, V))
    for text in texts:
        for a, b in pairs_of(list(text), m):
            C[a, b] += 1
            C[b, a] += 1
    return C


def ppmi(C):
    P = C / C.sum()
    independent = P.sum(axis=1)[:, None] * P.sum(axis=0)[None, :]
    ratio = np.divide(P, independent, out=np.ones_like(P), where=P > 0)
    return np.log(np.maximum(ratio, 1))


def cosine(x, y):
    norm = (x**2).sum() ** 0.5 * (y**2).sum() ** 0.5
    if norm > 0:
        return (x * y).sum() / norm
    return 0


def word_vectors(X, k):
    eigenvalues, V = np.linalg.eigh(X.T @ X)
    order = eigenvalues.argsort()[::-1][:k]
    return X @ V[:, order]


def neighbours(vectors, i, n):
    others = [j for j in range(len(vectors)) if j != i]
    others.sort(key=lambda j: cosine(vectors[i], vectors[j]), reverse=True)
    return np.array(others[:n])


def fold_in(q, U, s):
    return np.array([q @ U[:, a] / s[a] for a in range(len(s))])


def find_documents(q, U, s, Vt, n):
    point = fold_in(q, U, s) * s
    near = sorted(range(Vt.shape[1]), key=lambda j: -cosine(point, Vt[:, j] * s))
    return np.array(near[:n])


def agreement(vectors, pairs):
    i, j, gold = (np.array(column) for column in zip(*pairs))
    return spearman(np.array([cosine(vectors[a], vectors[b]) for a, b in zip(i, j)]), gold)


def choose_k(spaces, validation, test):
    scores = [(agreement(spaces[k], validation), -k) for k in spaces]
    k = -max(scores)[1]
    return k, agreement(spaces[k], test)
"""
HANDS["dora"] = """
def cooccurrence(texts, V, m):
    from collections import Counter
    c = Counter()
    for t in texts:
        for i, w in enumerate(t):
            window = np.concatenate([t[max(0, i - m) : i], t[i + 1 : i + 1 + m]])
            for u in window:
                if w >= 0 and u >= 0:
                    c[int(w), int(u)] += 1
    M = np.zeros((V, V))
    for (a, b), times in c.items():
        M[a, b] = times
    return M


def ppmi(C):
    rows = np.sum(C, axis=1).reshape(-1, 1)
    columns = np.sum(C, axis=0).reshape(1, -1)
    N = np.sum(C)
    result = np.zeros(C.shape)
    mask = C > 0
    result[mask] = np.log((C * N)[mask]) - np.log((rows * columns)[mask])
    result[result < 0] = 0
    return result


def cosine(x, y):
    lengths = np.linalg.norm(x) * np.linalg.norm(y)
    return np.dot(x, y) / lengths if lengths else 0.0


def word_vectors(X, k):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    U = U[:, 0:k]
    s = s[0:k]
    return U * s


def neighbours(vectors, i, n):
    unit = np.array([cosine(vectors[i], row) for row in vectors])
    ranking = np.argsort(-unit)
    ranking = ranking[ranking != i]
    return ranking[:n]


def fold_in(q, U, s):
    return np.dot(q, U) / s


def find_documents(q, U, s, Vt, n):
    D = Vt.T * s
    p = fold_in(q, U, s) * s
    c = [cosine(p, row) for row in D]
    order = list(np.argsort(c))
    order.reverse()
    return order[:n]


def choose_k(spaces, validation, test):
    def evaluate(vectors, pairs):
        predicted, actual = [], []
        for i, j, rating in pairs:
            predicted.append(cosine(vectors[i], vectors[j]))
            actual.append(rating)
        return spearman(np.array(predicted), np.array(actual))

    ks = sorted(spaces)
    rhos = [evaluate(spaces[k], validation) for k in ks]
    k = ks[int(np.argmax(rhos))]
    return k, evaluate(spaces[k], test)
"""
