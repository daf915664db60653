"""The words of a list that are spelled most like a word, for a reader who has mistyped it."""

from collections.abc import Sequence

SUGGESTED = 3


def spelled_like(word: str, words: Sequence[str], most: int = 99) -> list[str]:
    """At most three of the words, those that need the fewest edits, and at most `most` of them.

    Of words that need equally many, the earlier come first: in a list by frequency, the frequent.

    >>> spelled_like("kign", ["the", "king", "sign"])
    ['king', 'sign', 'the']
    >>> spelled_like("cofee", ["come", "coffee"], most=1)
    ['coffee']
    """
    near = (other for other in words if abs(len(other) - len(word)) <= most)
    counted = [(edits(word, other), other) for other in near]
    counted = [pair for pair in counted if pair[0] <= most]
    return [other for _, other in sorted(counted, key=lambda pair: pair[0])[:SUGGESTED]]


def edits(a: str, b: str) -> int:
    """How many letters must be put in, left out, replaced or swapped with the next to make b of a.

    >>> edits("womman", "woman"), edits("kign", "king"), edits("sea", "ship")
    (1, 1, 3)
    """
    before, row = [], list(range(len(b) + 1))
    for i in range(1, len(a) + 1):
        earlier, before, row = before, row, [i]
        for j in range(1, len(b) + 1):
            same = before[j - 1] + (a[i - 1] != b[j - 1])
            row.append(min(before[j] + 1, row[j - 1] + 1, same))
            if i > 1 and j > 1 and a[i - 2 : i] == b[j - 1] + b[j - 2]:
                row[j] = min(row[j], earlier[j - 2] + 1)
    return row[-1]
