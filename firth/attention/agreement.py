"""Sentences with two subjects and two verbs, in which each verb has to find its subject.

    while the cat sleeps the dogs bark       cat ↔ sleeps      dogs ↔ bark

One noun is singular and the other is plural, and a verb agrees with its subject. So number alone
says which two words belong together. The positions of all words change from shape to shape. A fifth
of all pairs of a noun and a verb is held out: no sentence to learn from contains such a pair.
"""

from itertools import product

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

NOUNS = [pair.split("/") for pair in """dog/dogs cat/cats bird/birds horse/horses child/children
girl/girls boy/boys man/men woman/women king/kings doctor/doctors player/players friend/friends
farmer/farmers singer/singers wolf/wolves""".split()]  # fmt: skip
VERBS = [pair.split("/") for pair in """barks/bark sleeps/sleep sings/sing eats/eat runs/run
waits/wait works/work plays/play speaks/speak dances/dance laughs/laugh smiles/smile
jumps/jump rests/rest listens/listen falls/fall""".split()]  # fmt: skip
NEW_NOUNS = [pair.split("/") for pair in "teacher/teachers lion/lions soldier/soldiers".split()]
NEW_VERBS = [pair.split("/") for pair in "walks/walk cries/cry arrives/arrive".split()]
ADVERBS = "often today here again now outside".split()
SHAPES = (  # a and b are the nouns, A and B their verbs, and * is any adverb
    "the a * A and the b B *",
    "while the b B * the a * A",
    "* the a while the b * B A",
)
LONGER = ("* while the b * B * the a * * A *",)
WORDS = [word for pair in [*NOUNS, *VERBS] for word in pair]  # each may be the right answer
OTHERS = ["the", "and", "while", *ADVERBS]
NONE = -100  # in place of a partner, for a word that has none


def is_held_out(noun: int, verb: int) -> bool:
    """Whether a pair, given as two indices in NOUNS and VERBS, is one of the held-out fifth.

    >>> sum(is_held_out(i, j) for i in range(16) for j in range(16))
    52
    """
    return (noun + verb) % 5 == 0


def sentences(
    n: int, seed: int, held_out: bool = False, shapes: tuple[str, ...] = SHAPES, new: bool = False
) -> list[tuple[list[str], dict[int, int]]]:
    """Sentences as lists of words, each with a dict from a position to that of its partner.

    Both pairs of a sentence are held out, or none is. With `new`, the nouns and the verbs are
    words that no other sentence contains.

    >>> words, partner = sentences(1, seed=3)[0]
    >>> " ".join(words)
    'the friend today falls and the cats work now'
    >>> {words[i]: words[j] for i, j in partner.items()}
    {'friend': 'falls', 'cats': 'work', 'falls': 'friend', 'work': 'cats'}
    """
    rng = np.random.default_rng(seed)
    nouns, verbs = (NEW_NOUNS, NEW_VERBS) if new else (NOUNS, VERBS)
    indices = product(range(len(nouns)), range(len(verbs)))
    pairs = [pair for pair in indices if new or is_held_out(*pair) == held_out]
    found = []
    while len(found) < n:
        (a, A), (b, B) = rng.choice(pairs, size=2)
        if a == b or A == B:
            continue
        plural = rng.integers(2)  # is a plural? b is the opposite
        roles = {"a": nouns[a][plural], "b": nouns[b][1 - plural]}
        roles |= {"A": verbs[A][plural], "B": verbs[B][1 - plural]}
        shape = shapes[rng.integers(len(shapes))].split()
        words = [
            ADVERBS[rng.integers(len(ADVERBS))] if s == "*" else roles.get(s, s) for s in shape
        ]
        at = {role: shape.index(role) for role in "abAB"}
        partner = {at[role]: at[role.swapcase()] for role in "abAB"}
        found.append((words, partner))
    return found


def vocabulary() -> list[str]:
    """All words of the sentences: first those of WORDS, then the others, then the new ones."""
    new = [word for pair in [*NEW_NOUNS, *NEW_VERBS] for word in pair]
    return [*WORDS, *OTHERS, *new]


def as_indices(
    found: list[tuple[list[str], dict[int, int]]],
) -> tuple[Int[Tensor, "n m"], Int[Tensor, "n m"]]:
    """Two tables with a row for each sentence: the indices of its words and of their partners.

    All sentences have the same number of words. A word without a partner has NONE.

    >>> words, partners = as_indices([("the dogs bark".split(), {1: 2, 2: 1})])
    >>> words.tolist(), partners.tolist()
    ([[64, 1, 33]], [[-100, 33, 1]])
    """
    index = {word: i for i, word in enumerate(vocabulary())}
    words = [[index[word] for word in sentence] for sentence, _ in found]
    partners = [
        [index[sentence[partner[i]]] if i in partner else NONE for i in range(len(sentence))]
        for sentence, partner in found
    ]
    return torch.tensor(words), torch.tensor(partners)
