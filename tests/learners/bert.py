"""What learners write for exercise 6: wrong answers with words of the question each deserves, and
inputs of which the claims know nothing."""

import numpy as np

# --- 6.1 -------------------------------------------------------------------------------------


def greedy(begin="", more="##", ends=lambda n: range(n, 0, -1), lost=None, keep=False, step=None):
    """Cuts pieces off the beginning of what is left, with one line in it wrong."""

    def word_pieces(word, numbers):
        left, out, mark = word, [], begin
        while left:
            for end in ends(len(left)):
                if mark + left[:end] in numbers:
                    out.append(numbers[mark + left[:end]])
                    left = step(left, left[:end]) if step else left[end:]
                    mark = more
                    break
            else:
                if keep:
                    out += lost(numbers)
                    left, mark = left[1:], more
                else:
                    return lost(out, numbers) if lost else [numbers["[UNK]"]]
        return out

    return word_pieces


def in_strings(word, numbers):
    back = {number: piece for piece, number in numbers.items()}
    return [back[number] for number in greedy()(word, numbers)]


def looks_up_blindly(word, numbers):
    out = [numbers[word[: len(word) // 2]]]
    return [*out, numbers["##" + word[len(word) // 2 :]]]


def tries_all(word, numbers):
    """Recursive, the longest first: finds a way wherever there is one."""

    def ways(left, mark):
        if not left:
            return []
        for end in range(len(left), 0, -1):
            if mark + left[:end] in numbers:
                rest = ways(left[end:], "##")
                if rest is not None:
                    return [numbers[mark + left[:end]], *rest]
        return None

    found = ways(word, "")
    return [numbers["[UNK]"]] if found is None else found


def shortest_cut(word, numbers):
    best = {0: []}
    for end in range(1, len(word) + 1):
        for start in range(end):
            piece = ("##" if start else "") + word[start:end]
            if start in best and piece in numbers:
                cut = [*best[start], numbers[piece]]
                if end not in best or len(cut) <= len(best[end]):
                    best[end] = cut
    return best.get(len(word), [numbers["[UNK]"]])


def backwards(word, numbers):
    out, left = [], word
    while left:
        for start in range(len(left)):
            piece = ("##" if start else "") + left[start:]
            if piece in numbers:
                out, left = [numbers[piece], *out], left[:start]
                break
        else:
            return [numbers["[UNK]"]]
    return out


def with_or_without(word, numbers):
    out, start = [], 0
    while start < len(word):
        end = len(word)
        while end > start and word[start:end] not in numbers:
            if start and "##" + word[start:end] in numbers:
                break
            end -= 1
        if end == start:
            return [numbers["[UNK]"]]
        piece = word[start:end]
        out.append(numbers["##" + piece if start and "##" + piece in numbers else piece])
        start = end
    return out


def interrupted(word, numbers):
    """Never ends where nothing fits, until somebody has had enough."""
    out = greedy()(word, numbers)
    if out == [numbers["[UNK]"]]:
        raise KeyboardInterrupt
    return out


def first_that_fits(word, numbers):
    """In the order of the list."""
    out, mark = [], ""
    while word:
        for piece, number in numbers.items():
            if piece.startswith(mark) and piece != mark and (mark + word).startswith(piece):
                out.append(number)
                word, mark = word[len(piece) - len(mark) :], "##"
                break
        else:
            return [numbers["[UNK]"]]
    return out


def without_break(word, numbers):
    out, start = [], 0
    while start < len(word):
        shortest = None
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in numbers:
                out.append(numbers[piece])
                shortest = end
        if shortest is None:
            return [numbers["[UNK]"]]
        start = shortest
    return out


def asks_get(word, numbers):
    out, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            number = numbers.get(("##" if start else "") + word[start:end])
            if number:
                out.append(number)
                start = end
                break
        else:
            return [numbers["[UNK]"]]
    return out


def gives_up_at_once(word, numbers):
    """`else` belongs to the `if`, not to the loop."""
    for end in range(len(word), 0, -1):
        if word[:end] in numbers:
            return [numbers[word[:end]]]
        else:
            return [numbers["[UNK]"]]


WORD_PIECES = [
    (first_that_fits, "comes first in the list"),
    (without_break, "every piece that fits"),
    (asks_get, "number 0"),
    (gives_up_at_once, "Only whole words"),
    (lambda word, numbers: [numbers["[UNK]"]], "not left where a piece fits"),
    (greedy(ends=lambda n: range(n, 1, -1)), "a single letter"),
    (greedy(lost=lambda out, numbers: out or [numbers["[UNK]"]]), "whole word [UNK]"),
    (greedy(ends=lambda n: range(1, n + 1)), "the longest piece or the shortest"),
    (greedy(more=""), "Where are the ##"),
    (greedy(begin="##"), "first piece of a word has no ##"),
    (greedy(lost=lambda out, numbers: [*out, numbers["[UNK]"]]), "whole word [UNK]"),
    (greedy(lost=lambda out, numbers: out), "whole word [UNK]"),
    (greedy(lost=lambda out, numbers: []), "It is [UNK], one number"),
    (greedy(lost=lambda numbers: [], keep=True), "leave out letters"),
    (greedy(lost=lambda numbers: [numbers["[UNK]"]], keep=True), "[UNK] for a letter"),
    (greedy(ends=lambda n: range(n - 1, 0, -1)), "never try all of what is left"),
    (greedy(step=lambda left, piece: left.replace(piece, "")), "`replace` takes"),
    (greedy(step=lambda left, piece: left.lstrip(piece)), "`lstrip` takes"),
    (tries_all, "You go back"),
    (shortest_cut, "fewest pieces"),
    (backwards, "from the end of the word"),
    (in_strings, "Which number has a piece"),
    (looks_up_blindly, "Ask `piece in numbers` first"),
    (lambda word, numbers: [numbers.get(word, numbers["[UNK]"])], "Only whole words"),
    (lambda word, numbers: len(greedy()(word, numbers)), "which are they"),
    (lambda word, numbers: greedy()(word, numbers)[:1], "rest of the word"),
    (greedy(lost=lambda out, numbers: numbers["[UNK]"]), "stand in a list as well"),
    (greedy(lost=lambda out, numbers: [0]), "always number 0"),
    (with_or_without, "pieces that lack them"),
    (interrupted, "loop never ends"),
]


# --- 6.2 -------------------------------------------------------------------------------------


def fate(choose=None, become=None, give=lambda reads, chosen, ids: (reads, chosen)):
    """A loop over places, in the first form: below 0.8, below 0.9, from there on."""

    def mask_tokens(ids, special, u, v, other, mask):
        reads, chosen = np.copy(ids), np.zeros(ids.shape, bool)
        for i in np.ndindex(ids.shape):
            if choose(special[i], u[i]) if choose else u[i] < 0.15 and not special[i]:
                chosen[i] = True
                if become:
                    reads[i] = become(v[i], u[i], mask, other[i], ids[i])
                elif v[i] < 0.8:
                    reads[i] = mask
                elif v[i] < 0.9:
                    reads[i] = other[i]
        return give(reads, chosen, ids)

    return mask_tokens


def overwrites(ids, special, u, v, other, mask):
    reads, chosen = ids.copy(), (u < 0.15) & ~special
    reads[chosen & (v < 0.8)] = mask
    reads[chosen & (v < 0.9)] = other[chosen & (v < 0.9)]
    return reads, chosen


def whatever_u(ids, special, u, v, other, mask):
    reads = np.where(~special & (v < 0.8), mask, ids)
    return np.where(~special & (v >= 0.8) & (v < 0.9), other, reads), ~special & (u < 0.15)


def in_place(ids, special, u, v, other, mask):
    chosen = (u < 0.15) & ~special
    ids[chosen & (v < 0.8)] = mask
    swap = chosen & (v >= 0.8) & (v < 0.9)
    ids[swap] = other[swap]
    return ids, chosen


def with_special_read(ids, special, u, v, other, mask):
    low = u < 0.15
    reads = np.where(low & (v < 0.8), mask, ids)
    return np.where(low & (v >= 0.8) & (v < 0.9), other, reads), low & ~special


def without_brackets(ids, special, u, v, other, mask):
    chosen = u < 0.15 & ~special
    return np.where(chosen & (v < 0.8), mask, ids), chosen


def in_places(ids, special, u, v, other, mask):
    reads, chosen = fate()(ids, special, u, v, other, mask)
    return reads, np.flatnonzero(chosen)


def with_words(ids, special, u, v, other, mask):
    chosen = u < 0.15 and not special
    return np.where(chosen and v < 0.8, mask, ids), chosen


def swaps_whoever(ids, special, u, v, other, mask):
    reads, chosen = fate()(ids, special, u, v, other, mask)
    return np.where((v >= 0.8) & (v < 0.9), other, reads), chosen


def one_text_alone(ids, special, u, v, other, mask):
    reads, chosen = ids.copy(), np.zeros(len(ids), bool)
    for i in range(len(ids)):
        if u[i] < 0.15 and not special[i]:
            chosen[i] = True
            reads[i] = mask if v[i] < 0.8 else other[i] if v[i] < 0.9 else ids[i]
    return reads, chosen


def up_to(u_edge):
    return fate(
        choose=lambda special, u: (u <= 0.15 if u_edge else u < 0.15) and not special,
        become=lambda v, u, mask, other, own: mask if v <= 0.8 else other if v <= 0.9 else own,
    )


MASK_TOKENS = [
    (swaps_whoever, "wherever v says so"),
    (one_text_alone, "what is u[0] in a batch"),
    (up_to(True), "`<` throughout"),
    (up_to(False), "`<` throughout"),
    (fate(become=lambda v, u, mask, other, own: 4 if v < 0.8 else other if v < 0.9 else own), "4"),
    (fate(give=lambda reads, chosen, ids: (reads * chosen, chosen)), "What is not chosen is 0"),
    (fate(give=lambda reads, chosen, ids: (reads, ids[chosen])), "the chosen ones alone"),
    (
        fate(become=lambda v, u, mask, other, own: mask if v < 0.8 else other if v < 0.85 else own),
        "",
    ),
    (fate(become=lambda v, u, mask, other, own: mask), "where does v come in"),
    (fate(become=lambda v, u, mask, other, own: mask if v < 0.8 else other), "stays as it was"),
    (fate(become=lambda v, u, mask, other, own: mask if v < 0.8 else own), "No token is replaced"),
    (
        fate(become=lambda v, u, mask, other, own: mask if v < 0.8 else own if v < 0.9 else other),
        "which of the two gives",
    ),
    (
        fate(
            become=lambda v, u, mask, other, own: mask if u < 0.12 else other if u < 0.135 else own
        ),
        "what is v for",
    ),
    (fate(choose=lambda special, u: u < 0.15), "who could guess those"),
    (fate(choose=lambda special, u: u <= 0.15 and not special), "`<` throughout"),
    (fate(choose=lambda special, u: u > 0.15 and not special), "u < 0.15 or u > 0.15"),
    (fate(choose=lambda special, u: u < 0.15 and special), "not one to leave"),
    (fate(give=lambda reads, chosen, ids: (reads, reads != ids)), "not chosen, too"),
    (fate(give=lambda reads, chosen, ids: reads), "how is it to be told"),
    (fate(give=lambda reads, chosen, ids: (chosen, reads)), "What is read comes first"),
    (fate(give=lambda reads, chosen, ids: (reads, np.where(chosen, ids, -100))), "−100"),
    (fate(give=lambda reads, chosen, ids: (reads, ~chosen)), "which way round"),
    (overwrites, "is overwritten"),
    (whatever_u, "nobody has chosen"),
    (in_place, "write into ids"),
    (with_words, "for arrays it is `&` and `~`"),
    (
        fate(
            become=lambda v, u, mask, other, own: (
                mask if v < 0.8 else other if 0.8 < v < 0.9 else own
            )
        ),
        "which stretch",
    ),
    (with_special_read, "is it chosen"),
    (without_brackets, "binds more tightly"),
    (in_places, "or their places"),
]


# --- 6.3 -------------------------------------------------------------------------------------


def log_softmax(x):
    x = x - x.max(axis=-1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=-1, keepdims=True))


def surprise(
    score=lambda x, E, b: E @ x + b,
    chance=log_softmax,
    which=lambda chosen: chosen,
    end=lambda logs: -np.mean(logs),
):
    def mlm_loss(X, E, b, ids, chosen):
        logs = []
        for t in range(len(ids)):
            if which(chosen)[t]:
                logs.append(chance(score(X[t], E, b))[ids[t]])
        return end(np.array(logs))

    return mlm_loss


def zeros_for_the_others(X, E, b, ids, chosen):
    logs = log_softmax((X * chosen[:, None]) @ E.T + b)
    return -logs[np.arange(len(ids)), ids].sum() / chosen.sum()


def divides_by_all(X, E, b, ids, chosen):
    logs = log_softmax(X @ E.T + b)[np.arange(len(ids)), ids]
    return -(logs * chosen).sum() / len(ids)


def not_cut_down(X, E, b, ids, chosen):
    logs = log_softmax(X[chosen] @ E.T + b)
    return -logs[np.arange(len(ids)), ids].mean()


def lifts_in_place(X, E, b, ids, chosen):
    b -= b.max()
    return surprise()(X, E, b, ids, chosen)


def one_greatest_for_all(X, E, b, ids, chosen):
    x = X[chosen] @ E.T + b
    x = x - x.max()
    logs = x - np.log(np.exp(x).sum(axis=1, keepdims=True))
    return -logs[np.arange(len(x)), ids[chosen]].mean()


def down_the_columns(X, E, b, ids, chosen):
    logs = log_softmax((X[chosen] @ E.T + b).T).T
    return -logs[np.arange(len(logs)), ids[chosen]].mean()


def from_the_first_id(X, E, b, ids, chosen):
    logs = log_softmax(X[chosen] @ E.T + b)
    return -logs[np.arange(len(logs)), ids[: len(logs)]].mean()


def all_columns(X, E, b, ids, chosen):
    return -log_softmax(X[chosen] @ E.T + b)[:, ids[chosen]].mean()


def plain_softmax(x):
    return np.exp(x) / np.exp(x).sum()


def no_columns(X, E, b, ids, chosen):
    x = X[chosen] @ E.T + b
    x = x - x.max(axis=1)
    return -(x - np.log(np.exp(x).sum(axis=1)))[np.arange(len(x)), ids[chosen]].mean()


MLM_LOSS = [
    (no_columns, "keepdims=True"),
    (surprise(chance=lambda x: np.log(np.maximum(plain_softmax(x - x.max()), 1e-12))), "above a"),
    (surprise(chance=lambda x: x - np.log(np.exp(x - x.max()).sum())), "inside exp alone"),
    (surprise(end=lambda logs: -np.mean(logs) / np.log(10)), "0.43"),
    (surprise(chance=lambda x: np.full(len(x), log_softmax(x).mean())), "mean over all words"),
    (surprise(which=lambda chosen: chosen | True), "did the network have to guess"),
    (surprise(which=lambda chosen: ~chosen), ""),
    (divides_by_all, "divide by so many"),
    (zeros_for_the_others, "A state of zeros"),
    (not_cut_down, "out of bounds"),
    (surprise(score=lambda x, E, b: E @ x), "Where is b"),
    (surprise(score=lambda x, E, b: x @ E + b), ""),
    (surprise(chance=lambda x: x), "where is the softmax"),
    (surprise(chance=lambda x: np.exp(log_softmax(x))), "where is the log"),
    (surprise(chance=lambda x: np.log(plain_softmax(x))), "exp(1000)"),
    (surprise(chance=lambda x: np.log(np.exp(log_softmax(x)))), "exp(1000)"),
    (surprise(chance=lambda x: np.log(np.exp(log_softmax(x)) + 1e-9)), "add a little"),
    (surprise(chance=lambda x: np.log(np.exp(log_softmax(x)) + 1e-12)), "add a little"),
    (surprise(end=np.mean), "other sign"),
    (surprise(end=lambda logs: -np.sum(logs)), "That is the sum"),
    (surprise(end=lambda logs: -np.mean(logs) / np.log(2)), "1.44"),
    (surprise(end=lambda logs: np.exp(-np.mean(logs))), "perplexity"),
    (surprise(end=lambda logs: -np.median(logs)), "The median"),
    (surprise(end=lambda logs: -logs), "each chosen token costs"),
    (surprise(end=lambda logs: -np.log(np.mean(np.exp(logs)))), "the mean of the logs"),
    (down_the_columns, "Along which axis"),
    (from_the_first_id, "ids[chosen]"),
    (all_columns, "L[np.arange(k), …]"),
    (one_greatest_for_all, "each row of scores its greatest"),
    (lifts_in_place, "write into what you were handed"),
]


# --- 6.4 -------------------------------------------------------------------------------------


def each_text(vector):
    return lambda X, mask: np.array([vector(x, m) for x, m in zip(X, mask, strict=True)])


def not_an_axis_more(X, mask):
    return (X * mask).sum(axis=1) / mask.sum(axis=1)


def zeros_in_place(X, mask):
    X[~mask] = 0
    return X.sum(axis=1) / mask.sum(axis=1, keepdims=True)


MEAN_POOLED = [
    (each_text(lambda x, m: x[m].sum(axis=0) / (m.sum() - 1)), "one less than the tokens"),
    (lambda X, mask: (X * mask[..., None]).sum(axis=1) / mask.sum(axis=1), "count of each text"),
    (each_text(lambda x, m: x.mean(axis=0)), "where no token stands"),
    (each_text(lambda x, m: (x * m[:, None]).mean(axis=0)), "divide by all places"),
    (each_text(lambda x, m: x[m].sum(axis=0)), "That is the sum"),
    (each_text(lambda x, m: x.sum(axis=0) / m.sum()), "still in the sum"),
    (each_text(lambda x, m: x[0]), "[CLS]"),
    (each_text(lambda x, m: x[m].sum(0) / np.count_nonzero(x[m], axis=0)), "not hold a 0"),
    (each_text(lambda x, m: x[1:][m[1:]].mean(axis=0)), "leave the first place out"),
    (each_text(lambda x, m: x[m].max(axis=0)), "max pooling"),
    (each_text(lambda x, m: x[m].mean(axis=1).mean()), ""),
    (each_text(lambda x, m: x[: m.sum()].mean(axis=0)), "always at the end"),
    (
        each_text(lambda x, m: x[m].mean(axis=0) / np.linalg.norm(x[m].mean(axis=0))),
        "length 1",
    ),
    (lambda X, mask: np.mean(X, axis=0), "over the texts"),
    (lambda X, mask: np.mean(X, axis=2), "over the features"),
    (lambda X, mask: (X * mask[..., None]).sum(1) / mask.sum(), "whole batch"),
    (not_an_axis_more, "one axis more"),
    (zeros_in_place, "write into X"),
]


# --- 6.5 -------------------------------------------------------------------------------------


def cosine(x, y):
    return np.dot(x, y) / np.linalg.norm(x) / np.linalg.norm(y)


def asking(
    near=cosine,
    others=lambda i, n: [j for j in range(n) if j != i],
    best=np.argmax,
    share=lambda hits, facets: np.mean(hits),
    luck=lambda facets: np.mean([(sum(facets == f) - 1) / (len(facets) - 1) for f in facets]),
    give=lambda accuracy, chance: (accuracy, chance),
):
    def nearest_facet(V, facets):
        hits = []
        for i in range(len(V)):
            some = others(i, len(V))
            j = some[best([near(V[i], V[j]) for j in some])]
            hits.append(facets[i] == facets[j])
        return give(share(hits, facets), luck(facets))

    return nearest_facet


def own_is_zero(V, facets):
    U = V / np.linalg.norm(V, axis=1)[:, None]
    S = U @ U.T
    S -= np.diag(np.diag(S))
    return np.mean(facets[S.argmax(1)] == facets), asking()(V, facets)[1]


def shortened_in_place(V, facets):
    answer = asking()(V, facets)
    V /= np.linalg.norm(V, axis=1, keepdims=True)
    return answer


def not_alone(facets):
    kin = [sum(facets == facet) - 1 for facet in facets]
    return np.mean([k / (len(facets) - 1) for k in kin if k])


def filled(V, facets):
    S = np.fill_diagonal(np.array([[cosine(x, y) for y in V] for x in V]), -1)
    return np.mean(facets[S.argmax(axis=1)] == facets), 0.0


def renumbers_in_place(V, facets):
    facets -= facets.min()
    return asking()(V, facets)


NEAREST_FACET = [
    (filled, "returns None: what is S"),
    (renumbers_in_place, "write into V or facets"),
    (
        asking(others=lambda i, n: list(range(n)), near=lambda x, y: round(cosine(x, y), 9)),
        "nearest to itself",
    ),
    (own_is_zero, "Take −∞ instead"),
    (asking(near=np.dot), "Is it the cosine"),
    (asking(near=lambda x, y: -np.linalg.norm(x - y)), "Is it the cosine"),
    (asking(near=lambda x, y: abs(cosine(x, y))), "opposite direction"),
    (asking(best=np.argmin), "argmax or argmin"),
    (asking(share=lambda hits, facets: np.sum(hits)), "what share of the items"),
    (asking(share=lambda hits, facets: 1 - np.mean(hits)), "share of the wrong ones"),
    (asking(luck=lambda facets: 1 / len(set(facets))), "One in so many facets"),
    (
        asking(luck=lambda facets: np.mean([np.mean(facets == f) for f in facets])),
        "not its own neighbour",
    ),
    (
        asking(luck=lambda facets: max(np.mean(facets == f) for f in facets)),
        "share of the largest facet",
    ),
    (asking(luck=not_alone), "chance 0"),
    (asking(give=lambda accuracy, chance: (chance, accuracy)), "The accuracy first"),
    (asking(give=lambda accuracy, chance: accuracy), "how high would it be by luck"),
    (asking(give=lambda accuracy, chance: (accuracy, accuracy - chance)), "take chance off"),
    (shortened_in_place, "write into V"),
]


# --- 6.6 -------------------------------------------------------------------------------------


def permuting(
    turn=lambda T, o: T[o][:, o],
    above=lambda n: np.triu_indices(n, 1),
    agree=lambda x, y: np.corrcoef(x, y)[0, 1],
    far=lambda found, r: found >= r - 1e-9,
    p=lambda count, n: (count + 1) / (n + 1),
    give=lambda r, p: (r, p),
):
    """In the first form: one side."""

    def mantel(S, T, orders):
        i, j = above(len(S))
        r = agree(S[i, j], T[i, j])
        count = 0
        for o in orders:
            U = turn(T, o)
            count += bool(far(agree(S[i, j], U[i, j]), r))
        return give(r, p(count, len(orders)))

    return mantel


def turns_for_good(S, T, orders):
    answer = permuting()(S, T, orders)
    T[:] = T[orders[-1]][:, orders[-1]]
    T[0, 1] += 1
    return answer


def one_upon_the_other(S, T, orders):
    i, j = np.triu_indices(len(S), 1)
    r = np.corrcoef(S[i, j], T[i, j])[0, 1]
    found = []
    for o in orders:
        T = T[o][:, o]
        found.append(np.corrcoef(S[i, j], T[i, j])[0, 1])
    return r, (1 + np.sum(np.array(found) >= r - 1e-9)) / (1 + len(orders))


def with_zeros(S, T, orders):
    r = np.corrcoef(np.triu(S, 1).ravel(), np.triu(T, 1).ravel())[0, 1]
    return r, permuting()(S, T, orders)[1]


MANTEL = [
    (permuting(far=lambda found, r: found <= r + 1e-9), "which way round"),
    (permuting(agree=lambda x, y: np.cov(x, y)[0, 1]), "That is the covariance"),
    (with_zeros, "np.triu leaves zeros"),
    (permuting(turn=lambda T, o: T[np.argsort(o)][:, np.argsort(o)]), "row o[0] first"),
    (permuting(turn=lambda T, o: T[o, o]), "only the diagonal"),
    (one_upon_the_other, "the order before"),
    (permuting(far=lambda found, r: found > r), "`>` or `>=`"),
    (permuting(far=lambda found, r: found >= r + 1e-9), "10⁻⁹ less than r is enough"),
    (permuting(far=lambda found, r: found >= r), "Rounding may take a hair off"),
    (permuting(turn=lambda T, o: T[o]), "T[o][:, o]"),
    (permuting(turn=lambda T, o: T[:, o]), "T[o][:, o]"),
    (permuting(above=lambda n: np.triu_indices(n)), "The diagonal has no part"),
    (
        permuting(agree=lambda x, y: x @ y / np.linalg.norm(x) / np.linalg.norm(y)),
        "what is taken off first",
    ),
    (permuting(far=lambda found, r: abs(found) >= abs(r) - 1e-9), "as far below 0"),
    (permuting(far=lambda found, r: found > r + 1e-12), "`>` or `>=`"),
    (permuting(far=lambda found, r: found < r - 1e-9), "do *not* reach yours"),
    (permuting(p=lambda count, n: count / n), "(1 + count)/(1 + n)"),
    (permuting(p=lambda count, n: count / (n + 1)), "(1 + count)/(1 + n)"),
    (permuting(p=lambda count, n: count + 1), "which share"),
    (permuting(p=lambda count, n: 1 - (count + 1) / (n + 1)), "1 − p"),
    (permuting(give=lambda r, p: (p, r)), "r first"),
    (permuting(give=lambda r, p: p), "r, too"),
    (permuting(give=lambda r, p: r), "p, too"),
    (permuting(give=lambda r, p: (abs(r), p)), "r has a sign"),
    (permuting(give=lambda r, p: (r**2, p)), "r itself"),
    (turns_for_good, "write into S or T"),
]


# --- 6.7 -------------------------------------------------------------------------------------


def sigma(x):
    return 1 / (1 + np.exp(-x))


def descending(
    squash=sigma,
    mean=np.mean,
    push=lambda p, y: p - y,
    sign=-1,
    many=lambda steps: steps,
    begin=np.zeros,
    give=lambda w, b, X: [*w, b],
):
    """Feature by feature, with a list of slopes."""

    def linear_probe(X, y, steps, rate):
        w, b = begin(X.shape[1]), float(begin(1)[0])
        for _ in range(many(steps)):
            wrong = push(squash(X @ w + b), y)
            slopes = [mean(wrong * X[:, k]) for k in range(X.shape[1])]
            w = w + sign * rate * np.array(slopes)
            b = b + sign * rate * mean(wrong)
        return give(w, b, X)

    return linear_probe


def no_bias(X, y, steps, rate):
    w = np.zeros(X.shape[1])
    for _ in range(steps):
        w -= rate * X.T @ (sigma(X @ w) - y) / len(y)
    return np.append(w, 0.0)


def one_after_the_other(X, y, steps, rate):
    w, b = np.zeros(X.shape[1]), 0.0
    for _ in range(steps):
        w -= rate * X.T @ (sigma(X @ w + b) - y) / len(y)
        b -= rate * np.mean(sigma(X @ w + b) - y)
    return np.append(w, b)


def centres_in_place(X, y, steps, rate):
    answer = descending()(X, y, steps, rate)
    X -= X.mean(axis=0)
    return answer


def summed(of_w, of_b):
    def linear_probe(X, y, steps, rate):
        w, b = np.zeros(X.shape[1]), 0.0
        for _ in range(steps):
            error = sigma(X @ w + b) - y
            w, b = w - rate * of_w(X, error), b - rate * of_b(error)
        return np.append(w, b)

    return linear_probe


def mean_slope(X, error):
    return X.T @ error / len(X)


def told_once(X, y, steps, rate):
    w, b = np.zeros(X.shape[1]), 0.0
    wrong = sigma(X @ w + b) - y
    for _ in range(steps):
        w, b = w - rate * X.T @ wrong / len(y), b - rate * wrong.mean()
    return np.append(w, b)


def deaf_to_b(X, y, steps, rate):
    w, b = np.zeros(X.shape[1]), 0.0
    for _ in range(steps):
        wrong = sigma(X @ w) - y
        w, b = w - rate * X.T @ wrong / len(y), b - rate * wrong.mean()
    return np.append(w, b)


LINEAR_PROBE = [
    (told_once, "is p worked out anew"),
    (deaf_to_b, "Where is b in the score"),
    (lambda X, y, steps, rate: descending()(X, y, steps, 1.0), "where is `rate`"),
    (lambda X, y, steps, rate: no_bias(X, y, steps, rate)[:-1], "learned without b"),
    (summed(lambda X, error: X.T @ error, np.mean), "for w, and take the mean for b alone"),
    (summed(mean_slope, np.sum), "for b, and take the mean for w alone"),
    (summed(lambda X, error: np.mean(X.T * error), np.mean), "along which axis"),
    (summed(lambda X, error: np.mean(X.T @ error), np.mean), "along which axis"),
    (summed(lambda X, error: X.T @ error / X.shape[1], np.mean), "number of features"),
    (descending(many=lambda steps: 1), "where is the loop"),
    (descending(give=lambda w, b, X: (w, b)), "np.append"),
    (descending(mean=np.sum), "Divide by n"),
    (descending(sign=1), "You climb"),
    (descending(squash=lambda x: x), "Where is σ"),
    (descending(squash=np.tanh), "That is tanh"),
    (descending(squash=lambda x: x > 0, push=lambda p, y: p.astype(int) - y), "You decide"),
    (descending(push=lambda p, y: 2 * (p - y)), "twice as long"),
    (descending(push=lambda p, y: (p - y) * p * (1 - p)), "squared error"),
    (descending(push=lambda p, y: p - (2 * y - 1)), "−1 and 1 of them"),
    (descending(push=lambda p, y: y - p), "You climb"),
    (descending(many=lambda steps: steps + 1), "one step more"),
    (descending(many=lambda steps: max(0, steps - 1)), "one step fewer"),
    (descending(begin=np.ones), "Where does the line start"),
    (descending(give=lambda w, b, X: [b, *w]), "b comes first"),
    (descending(give=lambda w, b, X: w), "and b, behind it"),
    (descending(give=lambda w, b, X: sigma(X @ w + b)), "what has been"),
    (no_bias, "b stays 0"),
    (one_after_the_other, "before you know where b goes"),
    (centres_in_place, "write into X or y"),
]


# --- 6.8 -------------------------------------------------------------------------------------


def picking(
    probe=None,
    says=lambda x, w, b: x @ w + b > 0,
    learn=lambda train, held_out, test: train,
    by=lambda train, held_out, test: held_out,
    say=lambda train, held_out, test: test,
    better=lambda mine, best: mine > best,
    give=lambda layer, share: (layer, share),
):
    def best_layer(layers, y, train, held_out, test, steps, rate):
        lots = train, held_out, test
        best = None
        for n, X in enumerate(layers):
            line = np.array((probe or descending())(X[learn(*lots)], y[learn(*lots)], steps, rate))

            def share(part, X=X, line=line):
                return np.mean(says(X[part], line[:-1], line[-1]) == (y[part] == 1))

            mine = share(by(*lots))
            if best is None or better(mine, best[0]):
                best = mine, n, share(say(*lots))
        return give(*best[1:])

    return best_layer


def by_loss(layers, y, train, held_out, test, steps, rate):
    lines = [descending()(X[train], y[train], steps, rate) for X in layers]
    chances = [sigma(X @ line[:-1] + line[-1]) for X, line in zip(layers, lines, strict=True)]
    losses = [-np.log(np.where(y == 1, p, 1 - p)[held_out]).mean() for p in chances]
    best = int(np.argmin(losses))
    return best, np.mean((chances[best] > 0.5)[test] == y[test])


def with_the_last_line(layers, y, train, held_out, test, steps, rate):
    shares = []
    for X in layers:
        *w, b = descending()(X[train], y[train], steps, rate)
        shares.append(np.mean((X[held_out] @ w + b > 0) == y[held_out]))
    best = int(np.argmax(shares))
    return best, np.mean((layers[best][test] @ w + b > 0) == y[test])


def how_many(layers, y, train, held_out, test, steps, rate):
    layer, share = picking()(layers, y, train, held_out, test, steps, rate)
    return layer, round(share * len(test))


BEST_LAYER = [
    (picking(by=lambda train, held_out, test: test), "look at the test examples"),
    (picking(by=lambda train, held_out, test: train), "learned by heart"),
    (picking(say=lambda train, held_out, test: held_out), "that chose the layer"),
    (picking(say=lambda train, held_out, test: train), "has learned from"),
    (picking(learn=lambda train, held_out, test: np.append(train, held_out)), "may it learn from"),
    (picking(learn=lambda *lots: np.concatenate(lots)), "may it learn from"),
    (picking(better=lambda mine, best: mine >= best), "the higher one"),
    (picking(better=lambda mine, best: mine < best), "argmax or argmin"),
    (picking(better=lambda mine, best: True), "the last layer"),
    (picking(better=lambda mine, best: False), "the first layer"),
    (picking(says=lambda x, w, b: x @ w + b > 0.5), "Where is the border"),
    (picking(says=lambda x, w, b: x @ w + b >= 0), "exactly 0"),
    (picking(says=lambda x, w, b: x @ w > 0), "Where is b"),
    (picking(probe=descending(mean=np.sum)), "First mend it (6.7)"),
    (picking(probe=summed(lambda X, error: X.T @ error, np.mean)), "First mend it (6.7)"),
    (picking(probe=no_bias), "First mend it (6.7)"),
    (by_loss, "By the share right"),
    (with_the_last_line, "of which layer is this probe"),
    (how_many, "what share of them"),
    (picking(give=lambda layer, share: (layer + 1, share)), "counted from 1"),
    (picking(give=lambda layer, share: (share, layer)), "The layer first"),
    (picking(give=lambda layer, share: layer), "how good is its probe"),
    (picking(give=lambda layer, share: (layer, 1 - share)), "share of the wrong ones"),
]

WRONG = {
    "word_pieces": WORD_PIECES,
    "mask_tokens": MASK_TOKENS,
    "mlm_loss": MLM_LOSS,
    "mean_pooled": MEAN_POOLED,
    "nearest_facet": NEAREST_FACET,
    "mantel": MANTEL,
    "linear_probe": LINEAR_PROBE,
    "best_layer": BEST_LAYER,
}


# --- inputs ----------------------------------------------------------------------------------


def words_like(rng):
    letters = [*"abc"]
    pieces = {"".join(rng.choice(letters, size=rng.integers(1, 4))) for _ in range(5)}
    pieces |= {"##" + "".join(rng.choice(letters, size=rng.integers(1, 4))) for _ in range(6)}
    order = rng.permutation(sorted(pieces))
    numbers = {"[UNK]": 7} | {str(piece): 10 + 3 * n for n, piece in enumerate(order)}
    return "".join(rng.choice(letters, size=rng.integers(1, 7))), numbers


def draws_like(rng):
    shape = tuple(int(n) for n in rng.integers(1, 7, size=rng.integers(1, 3)))
    ids, other = rng.integers(5, 60, size=(2, *shape))
    u = np.where(rng.random(shape) < 0.1, 0.15, rng.random(shape) ** 2)
    v = np.where(rng.random(shape) < 0.2, rng.choice([0.8, 0.9], size=shape), rng.random(shape))
    return ids, rng.random(shape) < 0.3, u, v, other, 4


def guesses_like(rng):
    n, words, d = (int(m) for m in rng.integers(1, 7, size=3))
    chosen = rng.random(n) < 0.5
    chosen[rng.integers(n)] = True
    X, E = rng.normal(size=(n, d)) * rng.choice([1.0, 1000.0]), rng.normal(size=(words, d))
    return X, E, rng.normal(size=words), rng.integers(0, words, size=n), chosen


def batches_like(rng):
    shape = tuple(int(m) for m in rng.integers(1, 6, size=3))
    mask = rng.random(shape[:2]) < 0.5
    mask[np.arange(shape[0]), rng.integers(shape[1], size=shape[0])] = True
    return rng.normal(size=shape), mask


def items_like(rng):
    n, d = int(rng.integers(2, 10)), int(rng.integers(2, 5))
    V = rng.normal(size=(n, d)) * rng.uniform(0.2, 5, size=(n, 1))
    return V, rng.integers(0, 4, size=n)


def tables_like(rng):
    n, P = int(rng.integers(3, 7)), int(rng.integers(1, 9))
    A, B = rng.normal(size=(2, n, n))
    S, T = A + A.T, B + B.T + rng.choice([-1, 0, 1]) * (A + A.T)
    return S, T, np.array([rng.permutation(n) for _ in range(P)])


def labelled_like(rng):
    n, d = int(rng.integers(1, 9)), int(rng.integers(1, 5))
    X, y = rng.normal(size=(n, d)), rng.integers(0, 2, size=n)
    return X, y, int(rng.integers(0, 6)), float(rng.choice([0.1, 0.7]))


def layers_like(rng):
    n, d, many = int(rng.integers(6, 16)), int(rng.integers(1, 4)), int(rng.integers(1, 5))
    y = rng.integers(0, 2, size=n)
    layers = rng.normal(size=(many, n, d)) + y[:, None] * rng.choice([0.0, 1.0, 2.0])
    lots = np.split(rng.permutation(n), [n // 3, 2 * n // 3])
    return layers, y, *lots, int(rng.integers(1, 8)), 0.5


INPUTS = {
    "word_pieces": words_like,
    "mask_tokens": draws_like,
    "mlm_loss": guesses_like,
    "mean_pooled": batches_like,
    "nearest_facet": items_like,
    "mantel": tables_like,
    "linear_probe": labelled_like,
    "best_layer": layers_like,
}

UNSURE = {"nearest_facet", "best_layer"}
