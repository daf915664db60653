"""Exercise 6, BERT: what its questions share, and the one that is answered in words.

sigmoid(x) = 1 / (1 + e⁻ˣ);   unit(x) = x / ‖x‖;   telling: inputs on which nobody is right by luck

The questions themselves have modules of their own, bert_pieces to bert_layer.
"""

from collections.abc import Callable, Iterator

import numpy as np

from firth.checks.answers import plain
from firth.checks.claims import Written, close
from firth.checks.rnn import fitting, sigmoid

__all__ = ["explain_items", "fitting", "sigmoid", "telling", "unit"]


def unit(X):
    """Each row with length 1."""
    return X / np.sqrt((X**2).sum(axis=-1, keepdims=True))


def telling(
    draw: Callable[[], tuple],
    right: Callable,
    rivals: list[Callable],
    view: Callable = lambda answer: answer,
) -> Iterator[tuple]:
    """Drawn inputs: each rival is wrong on one of them at least, and no answer is right on all."""
    left, seen = list(rivals), []

    def shown(answer, case):
        with np.errstate(all="ignore"):
            return view(plain(answer(*case)))

    for _ in range(2000):
        if not left and not all(close(seen[0], other) for other in seen):
            return
        case = draw()
        wanted = shown(right, case)
        alike = [rival for rival in left if close(shown(rival, case), wanted)]
        if not left or len(alike) < len(left):
            left, seen = alike, [*seen, wanted]
            yield case
    raise ValueError("a rival is never wrong on such inputs: draw others")


explain_items = Written(
    name="explain_items",
    chapter="06_bert",
    number="6.9",
    difficulty=2,
    minutes=20,
    rubric=(
        "says what is compared: how alike two items are as texts, and how alike people answer them;"
        " and that the network was given no answer",
        "says what the share of nearest neighbours means beside its chance level, with both numbers"
        " and what the words alone achieve",
        "says what p tells and what it does not: that luck seldom does as well; nothing of how"
        " strong the relation is, which r says",
        "says why r is higher once the sign of the answers is dropped: an item and its opposite"
        " stand near each other as texts, with a pair as example",
        "says what does not follow: for instance, that the items measure what they are called, that"
        " it holds for other items, languages or people, or that answers could be done without",
    ),
)
