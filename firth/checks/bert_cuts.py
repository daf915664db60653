"""Exercise 6, ways of cutting a word: the right one, and what goes wrong.

piece = the longest beginning of what is left that is in the list;   [UNK] where there is none
"""

UNK, MARK = "[UNK]", "##"


def one_by_one(word, numbers):
    """The right answer: of all pieces that fit here, the longest; then the same for the rest."""
    found, mark = [], ""
    while word:
        fit = [piece for piece in numbers if piece.startswith(mark)]
        fit = [piece[len(mark) :] for piece in fit if word.startswith(piece[len(mark) :])]
        if not (best := max(fit, key=len, default="")):
            return [numbers[UNK]]
        found.append(numbers[mark + best])
        word, mark = word[len(best) :], MARK
    return found


def cut(
    mark=lambda start: MARK * (start > 0),
    ends=lambda start, n: range(n, start, -1),
    stuck=lambda found, numbers: [numbers[UNK]],
    goes_on=None,
    rest=lambda word, piece: word[len(piece) :],
):
    """A way of cutting, the right one by default: what is tried, and what if nothing fits."""

    def word_pieces(word, numbers):
        found, start = [], 0
        while word:
            for end in ends(0, len(word)):
                if 0 < end <= len(word) and mark(start) + word[:end] in numbers:
                    found.append(numbers[mark(start) + word[:end]])
                    word, start = rest(word, word[:end]), start + end
                    break
            else:
                if goes_on is None:
                    return stuck(found, numbers)
                found += goes_on(numbers)
                word, start = word[1:], start + 1
        return found

    return word_pieces


def every_way(word, numbers, mark=""):
    """All cuts of a word into pieces of the list."""
    if not word:
        yield []
    for end in range(len(word), 0, -1):
        if (piece := mark + word[:end]) in numbers:
            for others in every_way(word[end:], numbers, MARK):
                yield [numbers[piece], *others]


def with_steps_back(word, numbers):
    return next(every_way(word, numbers), [numbers[UNK]])


def fewest(word, numbers):
    return min(every_way(word, numbers), key=len, default=[numbers[UNK]])


def from_the_end(word, numbers):
    found, end = [], len(word)
    while end:
        for start in range(end):
            if (piece := MARK * (start > 0) + word[start:end]) in numbers:
                found.insert(0, numbers[piece])
                end = start
                break
        else:
            return [numbers[UNK]]
    return found


def whole_or_nothing(word, numbers):
    return [numbers.get(word, numbers[UNK])]


def counted(word, numbers):
    return len(one_by_one(word, numbers))


def by_truth(word, numbers):
    """Takes a piece with the number 0 for one that is not there."""
    return one_by_one(word, {p: n for p, n in numbers.items() if n or p == UNK})


def all_that_fit(word, numbers):
    """Notes every piece that fits, and goes on behind the shortest of them."""
    found, start = [], 0
    while start < len(word):
        ends = range(len(word), start, -1)
        fits = [end for end in ends if MARK * (start > 0) + word[start:end] in numbers]
        if not fits:
            return [numbers[UNK]]
        found += [numbers[MARK * (start > 0) + word[start:end]] for end in fits]
        start = fits[-1]
    return found


def first_in_the_list(word, numbers):
    """Goes through the list in its own order, and takes the first piece that fits."""
    found, mark = [], ""
    while word:
        fit = (p for p in numbers if len(p) > len(mark) and (mark + word).startswith(p))
        if (piece := next((p for p in fit if p.startswith(mark)), None)) is None:
            return [numbers[UNK]]
        found.append(numbers[piece])
        word, mark = word[len(piece) - len(mark) :], MARK
    return found


def first_alone(word, numbers):
    return one_by_one(word, numbers)[:1]


def either(word, numbers):
    """At each place the longest piece, marked or not."""
    found = []
    while word:
        fits = [p for p in numbers if word.startswith(p.removeprefix(MARK)) and p != MARK]
        if not (best := max(fits, key=lambda p: len(p.removeprefix(MARK)), default="")):
            return [numbers[UNK]]
        found.append(numbers[best])
        word = word[len(best.removeprefix(MARK)) :]
    return found


def also_without(word, numbers):
    """Goes on with pieces that are not marked as well, the longest of either kind."""
    found, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            kinds = [MARK + word[start:end]] if start else []
            fits = [numbers[p] for p in [*kinds, word[start:end]] if p in numbers]
            if fits:
                found, start = [*found, fits[0]], end
                break
        else:
            return [numbers[UNK]]
    return found
