"""Exercise 3, padding: what a batch of unequal texts costs, where some places hold nothing.

J = −Σ mask · log softmax(scores)[y] / Σ mask      over time and texts together

The right answer is a loop over single places: too plain to be wrong.
"""

import math

import numpy as np

from firth.checks.claims import Exercise


def surprise(row, y):
    """−log of the probability that a row of scores gives to y, safe for any scores."""
    top = max(row)
    return top + math.log(sum(math.exp(score - top) for score in row)) - row[y]


def mean_surprise(scores, y, mask):
    """The right answer, a place at a time."""
    T, B = y.shape
    costs = [surprise(scores[t, n], y[t, n]) for t in range(T) for n in range(B) if mask[t, n]]
    return sum(costs) / len(costs)


def stable(scores, axis=-1):
    """Log-probabilities along an axis."""
    shifted = scores - scores.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def naive(scores):
    return np.log(np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True))


def costed(
    log=stable,
    pick=lambda logs, y: -np.take_along_axis(logs, y[..., None], -1)[..., 0],
    prepare=lambda scores, mask: scores,
    mean=lambda costs, mask: (costs * mask).sum() / mask.sum(),
):
    """A way of reckoning the cost, the right one by default."""

    def masked_loss(scores, y, mask):
        return mean(pick(log(prepare(scores, mask)), y), mask)

    return masked_loss


def each_text(costs, mask):
    return ((costs * mask).sum(axis=0) / mask.sum(axis=0)).mean()


def each_step(costs, mask):
    return ((costs * mask).sum(axis=1) / mask.sum(axis=1)).mean()


def levelled(scores, mask):
    return scores * mask[..., None]


def prefixes(costs, mask):
    """As many places of each text as it has words, from its beginning."""
    return costs[np.arange(len(mask))[:, None] < mask.sum(axis=0)].mean()


def cut_off(least):
    """Log-probabilities that are nowhere below the log of something small."""
    return lambda scores: np.log(np.exp(stable(scores)) + least)


def unshifted(scores):
    return scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True))


UNSTABLE = (
    "What is exp(1000), and what is left of exp(−1000)? Subtract from each row its own greatest"
    " score first: does that change the softmax?"
)
FORMED = (
    "You subtract the greatest, and yet a p has become 0, and its log −∞. Must you form p? What is"
    " log(eˣ/Σeˣ)?"
)
LEVEL = (
    "You set the scores of the padding to 0, and scores of 0 still cost log n: should you mask the"
    " scores, or the costs?"
)
masked_loss = Exercise(
    name="masked_loss",
    chapter="03_rnn",
    number="3.6",
    difficulty=2,
    minutes=12,
    hints=(
        "First a table of what each place costs, T × B, as if there were no padding. Then ask which"
        " of them count, and how many those are.",
        "log softmax(x) = x − max − log Σ exp(x − max), along the last axis. Take the entry of y at"
        " each place (np.take_along_axis, or two loops). Add up −log p where the mask is True, and"
        " divide by the number of those places.",
        "shifted = scores - scores.max(axis=-1, keepdims=True)\n"
        "logs = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))\n"
        "costs = -np.take_along_axis(logs, y[..., None], axis=-1)[..., 0]\n"
        "return (costs * mask).sum() / …  # how many places count?",
    ),
    right=mean_surprise,
    stumbles={
        "math range error": UNSTABLE,
        "broadcast": "Which of these has lost its last axis, or never had it? (keepdims=True, or"
        " y[..., None])",
    },
)
masked_loss.mistakes = [
    (
        costed(mean=lambda costs, mask: costs.mean()),
        "You take the mean over all places: do those without a word count?",
    ),
    (
        costed(mean=lambda costs, mask: (costs * mask).mean()),
        "Padding adds nothing, but you divide by all places, T × B: how many have a word?",
    ),
    (
        costed(mean=prefixes),
        "You take the first places of each text, as many as it has words: does padding always stand"
        " at the end?",
    ),
    (
        costed(mean=each_text),
        "You take each text's mean and then the mean of those: does a word of a short text count"
        " as much as one of a long text?",
    ),
    (
        costed(mean=each_step),
        "You take each step's mean and then the mean of those: does every word count as much?",
    ),
    (
        costed(mean=lambda costs, mask: (costs * mask).sum() / len(mask)),
        "You divide by the number of steps, or of texts: how many places have a word?",
    ),
    (
        costed(mean=lambda costs, mask: (costs * mask).sum() / mask.shape[1]),
        "You divide by the number of steps, or of texts: how many places have a word?",
    ),
    (
        costed(mean=lambda costs, mask: (costs * mask).sum()),
        "That is the sum: what must it be divided by, so that a longer text costs no more?",
    ),
    (
        costed(mean=lambda costs, mask: costs * mask),
        "That is what each place costs: can you make one number of them?",
    ),
    (
        costed(mean=lambda costs, mask: (costs * ~mask).sum() / max(1, (~mask).sum())),
        "You count the padding and leave the words out: where is the mask True?",
    ),
    (
        costed(mean=lambda costs, mask: costs.sum() / mask.sum()),
        "You divide by the right number: is the padding's cost still in the sum?",
    ),
    (costed(prepare=levelled, mean=lambda costs, mask: costs.mean()), LEVEL),
    (costed(prepare=levelled, mean=lambda costs, mask: costs.sum() / mask.sum()), LEVEL),
    (
        costed(pick=lambda logs, y: np.take_along_axis(logs, y[..., None], -1)[..., 0]),
        "Your loss has the other sign: is log p above or below 0?",
    ),
    (
        costed(log=lambda scores: stable(scores) / np.log(2)),
        "Everything is too large by 1/log 2 = 1.44: which logarithm is asked for?",
    ),
    (
        costed(log=lambda scores: np.exp(stable(scores)) - 1),
        "You add up 1 − p: where is the logarithm?",
    ),
    (
        costed(log=lambda scores: np.exp(stable(scores))),
        "You add up −p: where is the logarithm?",
    ),
    (
        costed(log=lambda scores: scores),
        "You take the score itself: where is the softmax? A score is high or low only beside the"
        " others.",
    ),
    (
        costed(log=lambda scores: scores - scores.max(axis=-1, keepdims=True)),
        "You subtract the greatest score; and the log of the sum of all the exponentials?",
    ),
    (
        costed(log=lambda scores: stable(scores, axis=0)),
        "Along which axis do the probabilities add up to 1: the time, or the words?",
    ),
    (
        costed(log=lambda scores: stable(scores, axis=1)),
        "Along which axis do the probabilities add up to 1: the texts, or the words?",
    ),
    (
        costed(
            log=lambda scores: scores - scores.max() - np.log(np.exp(scores - scores.max()).sum())
        ),
        "You divide by a sum over all places: over what do the probabilities of one place add up"
        " to 1?",
    ),
    (
        costed(log=lambda scores: stable(scores) + scores.max(axis=-1, keepdims=True)),
        "You subtract the greatest score before exp: and from the score of y, too?",
    ),
    *(
        (
            costed(log=cut_off(least)),
            f"Nothing costs more than {-np.log(least):.0f} here, as if p had a least value: should"
            " a word that was thought impossible not cost more?",
        )
        for least in (1e-7, 1e-8, 1e-9, 1e-10, 1e-12, 1e-15, 1e-16, 1e-300)
    ),
    (costed(log=lambda scores: naive(scores - scores.max())), UNSTABLE),
    (costed(log=lambda scores: unshifted(scores - scores.max())), UNSTABLE),
    (costed(log=lambda scores: naive(scores - scores.max(axis=-1, keepdims=True))), FORMED),
    (costed(log=naive), UNSTABLE),
    (costed(log=unshifted), UNSTABLE),
]


def batch(rng, T, B, V, scale=1.5):
    """Scores, words and lengths all different: the first text is as long as the batch."""
    scores = rng.normal(size=(T, B, V)) * scale
    lengths = np.r_[T, 1 + rng.permutation(T - 1)[: B - 1]]
    mask = np.arange(T)[:, None] < lengths
    return scores, rng.integers(0, V, size=(T, B)), mask


def full(rng):
    for T, B, V in ((4, 3, 5), (6, 2, 3), (3, 4, 7)):
        scores, y, _ = batch(rng, T, B, V) if B < T else batch(rng, 6, B, V)
        yield scores, y, np.ones(y.shape, dtype=bool)


def padded(rng):
    for T, B, V, way in ((5, 3, 4, 1), (6, 4, 3, -1), (4, 2, 6, 1)):
        scores, y, mask = batch(rng, T, B, V)
        mask = mask[::way]  # −1: the padding comes first
        scores[~mask] += 5 * rng.normal(size=V)  # a net says something at a place that is none
        yield scores, y, mask


def extreme(rng):
    """Scores in the thousands, and words that were thought all but impossible.

    All are multiples of 1/64, which float32 can hold.
    """
    for T, B, V in ((5, 3, 4), (4, 2, 6)):
        scores, y, _ = batch(rng, T, B, V, scale=900)
        scores[..., :2] = 4000 + rng.normal(size=(T, B, 2))  # two that are close to each other
        scores += 2000.0 * rng.permutation(T * B).reshape(T, B, 1)  # no row as high as the next
        y[0, 0] = scores[0, 0].argmin()
        yield np.round(scores * 64) / 64, y, np.ones(y.shape, dtype=bool)
    scores, y, _ = batch(rng, 4, 3, 5)  # high, and none of them unlikely
    scores = np.round(scores * 64) / 64
    yield scores + 2000.0 * (1 + np.arange(3)[:, None]), y, np.ones(y.shape, dtype=bool)


masked_loss.agrees(
    "is, without padding, the mean of −log softmax(scores)[y] over all places",
    "One place, scores 0 and log 3, y = 0: what is the softmax, and what is −log of its entry y?",
    full,
)
masked_loss.agrees(
    "lets a place without a word neither add to the sum nor to the number of places",
    "Two texts, of three words and of one: how many places have a word, and what do you divide by?",
    padded,
)
masked_loss.agrees(
    "stays exact with scores in the thousands",
    "Add 2,000 to every score of a place: should its loss change, and does yours?",
    extreme,
)
masked_loss.leaves(
    "leaves scores, words and mask as they were",
    "Do you write into scores, y or mask? `scores -= …` changes what you were handed.",
    padded,
)
