"""Exercise 3.7: the loss of a batch of texts of different lengths, padded to one length.

J = −Σ mask · log softmax(scores)[y] / Σ mask      both sums over all positions of all texts

The reference answer is a loop over single positions.
"""

import math
from collections.abc import Callable, Iterator

import numpy as np

from firth.checks.claims import Exercise, close

from .relations import agrees_or_fits


def minus_log_probability(row, y):
    """The loss −log p, where p is entry y of the softmax of a row of scores, without overflow."""
    top = max(row)
    return top + math.log(sum(math.exp(score - top) for score in row)) - row[y]


def reference(scores, y, mask):
    """The right masked loss, computed one position at a time."""
    T, B = y.shape
    losses = [
        minus_log_probability(scores[t, n], y[t, n])
        for t in range(T)
        for n in range(B)
        if mask[t, n]
    ]
    return sum(losses) / len(losses)


def log_softmax(scores, axis=-1):
    """The logarithms of the softmax along an axis, computed without overflow."""
    shifted = scores - scores.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def log_of_probabilities(scores):
    """The logarithm log(eˣ / Σ eˣ), as it stands: a mistake, inf or nan for large scores."""
    return np.log(np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True))


def scores_minus_log_sum(scores):
    """x − log Σ eˣ, computed as it stands: a mistake, which is infinite for large scores."""
    return scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True))


def loss_function(
    log: Callable = log_softmax,
    pick: Callable = lambda logs, y: -np.take_along_axis(logs, y[..., None], -1)[..., 0],
    prepare: Callable = lambda scores, mask: scores,
    mean: Callable = lambda losses, mask: (losses * mask).sum() / mask.sum(),
) -> Callable:
    """A function `masked_loss(scores, y, mask)`: the reference answer, or a mistake.

    `log` makes log-probabilities of the result of `prepare`, `pick` the loss of each position, and
    `mean` one number.
    """

    def masked_loss(scores, y, mask):
        return mean(pick(log(prepare(scores, mask)), y), mask)

    return masked_loss


def mistake_mean_of_text_means(losses, mask):
    """The loss of a wrong answer that takes the mean of each text first, then the mean of these.

    A word of a short text then counts more than a word of a long one. `losses` has a loss for each
    position.
    """
    return ((losses * mask).sum(axis=0) / mask.sum(axis=0)).mean()


def mistake_mean_of_step_means(losses, mask):
    """The loss of a wrong answer that takes the mean of each step first, then the mean of these.

    A word at a step with few texts then counts more. `losses` has a loss for each position.
    """
    return ((losses * mask).sum(axis=1) / mask.sum(axis=1)).mean()


def mistake_first_positions(losses, mask):
    """The loss of a wrong answer that takes the first positions of each text.

    It takes as many as the text has words, which is right only if all padding is at the end.
    `losses` has a loss for each position.
    """
    return losses[np.arange(len(mask))[:, None] < mask.sum(axis=0)].mean()


def mistake_masked_scores(scores, mask):
    """The scores with zeros at the padding: a mistake, because a row of zeros still has a loss."""
    return scores * mask[..., None]


def mistake_added_constant(least) -> Callable:
    """A wrong logarithm of the softmax, log(p + least), which limits a loss to −log(least)."""
    return lambda scores: np.log(np.exp(log_softmax(scores)) + least)


def mistake_divided_by_vocabulary(scores):
    """The log-probabilities of a wrong answer that divides them by the size of the vocabulary."""
    return log_softmax(scores) / scores.shape[-1]


def mistake_softmax_over_all_positions(scores):
    """The log-probabilities of a wrong answer with a single softmax over all positions."""
    shifted = scores - scores.max()
    return shifted - np.log(np.exp(shifted).sum())


UNSTABLE = (
    "What is exp(1000), and what is left of exp(−1000)? Subtract from each row its own largest"
    " score first. Does that change the softmax?"
)
LOG_OF_0 = (
    "You subtract the largest score, but then a probability becomes 0, and its log is −∞. Do you"
    " need the probability itself? Write log(eˣ / Σ eˣ) as a difference."
)
MASKED_SCORES = (
    "You set the scores of the padding to 0. A row of equal scores still has a loss, the log of the"
    " number of words. Should you mask the scores, or the losses?"
)
OTHER_COUNT = (
    "You divide by the number of steps, or by the number of texts. How many positions have a word?"
)
WORD_0 = (
    "You take word 0 for padding. A real word can have the number 0, too. Which argument says where"
    " the padding is?"
)
MISTAKES = {
    "mean over all positions": (
        loss_function(mean=lambda losses, mask: losses.mean()),
        "You take the mean over all positions. Should the padding count?"),
    "divided by all positions": (
        loss_function(mean=lambda losses, mask: (losses * mask).mean()),
        "The padding adds nothing to your sum, but you divide by all positions, T × B. How many of"
        " them have a word?"),
    "first positions": (
        loss_function(mean=mistake_first_positions),
        "You take the first positions of each text, as many as it has words. Does the padding"
        " always stand at the end?"),
    "mean of the texts' means": (
        loss_function(mean=mistake_mean_of_text_means),
        "You take the mean of each text, and then the mean of these means. Then a word of a short"
        " text counts more than a word of a long text. Should it?"),
    "mean of the steps' means": (
        loss_function(mean=mistake_mean_of_step_means),
        "You take the mean of each step, and then the mean of these means. Does every word count"
        " the same?"),
    "divided by the steps": (
        loss_function(mean=lambda losses, mask: (losses * mask).sum() / len(mask)), OTHER_COUNT),
    "divided by the texts": (
        loss_function(mean=lambda losses, mask: (losses * mask).sum() / mask.shape[1]),
        OTHER_COUNT),
    "sum": (
        loss_function(mean=lambda losses, mask: (losses * mask).sum()),
        "That is the sum. By what must you divide it to get the mean?"),
    "divided by the vocabulary": (
        loss_function(log=mistake_divided_by_vocabulary),
        "You divide by the number of words in the vocabulary as well, as .mean() over the last axis"
        " does. Is only the true word's loss counted at each position?",
    ),
    "a loss for each position": (
        loss_function(mean=lambda losses, mask: losses * mask),
        "That is the loss of each position. Can you make one number of them?"),
    "padding instead of words": (
        loss_function(mean=lambda losses, mask: (losses * ~mask).sum() / max(1, (~mask).sum())),
        "You use the padding and leave out the words. Where is the mask True?"),
    "word 0 for padding": (
        lambda scores, y, mask: loss_function()(scores, y, y != 0), WORD_0),
    "word 0 and padding": (
        lambda scores, y, mask: loss_function()(scores, y, mask & (y != 0)), WORD_0),
    "padding in the sum": (
        loss_function(mean=lambda losses, mask: losses.sum() / mask.sum()),
        "You divide by the right number. Is the loss of the padding still in your sum?"),
    "scores masked, mean": (
        loss_function(prepare=mistake_masked_scores, mean=lambda losses, mask: losses.mean()),
        MASKED_SCORES),
    "scores masked, divided by the words": (
        loss_function(
            prepare=mistake_masked_scores, mean=lambda losses, mask: losses.sum() / mask.sum()),
        MASKED_SCORES),
    "other sign": (
        loss_function(pick=lambda logs, y: np.take_along_axis(logs, y[..., None], -1)[..., 0]),
        "Your loss has the other sign. Is the log of a probability above or below 0?"),
    "logarithm to base 2": (
        loss_function(log=lambda scores: log_softmax(scores) / np.log(2)),
        "Everything is too large by 1/log 2 = 1.44. Which logarithm is asked for?"),
    "1 − p": (
        loss_function(log=lambda scores: np.exp(log_softmax(scores)) - 1),
        "You add up 1 − p. Where is the logarithm?"),
    "−p": (
        loss_function(log=lambda scores: np.exp(log_softmax(scores))),
        "You add up −p. Where is the logarithm?"),
    "no softmax": (
        loss_function(log=lambda scores: scores),
        "You use the score of y itself. Where is the softmax? A score is high or low only in"
        " comparison with the others."),
    "largest score only": (
        loss_function(log=lambda scores: scores - scores.max(axis=-1, keepdims=True)),
        "You subtract the largest score. Where is the log of the sum of all exponentials?"),
    "softmax over time": (
        loss_function(log=lambda scores: log_softmax(scores, axis=0)),
        "Your probabilities add up to 1 over the steps. Along which axis should they add up to"
        " 1?"),
    "softmax over the texts": (
        loss_function(log=lambda scores: log_softmax(scores, axis=1)),
        "Your probabilities add up to 1 over the texts. Along which axis should they add up to"
        " 1?"),
    "softmax over all positions": (
        loss_function(log=mistake_softmax_over_all_positions),
        "You divide by one sum over all positions. Which probabilities should add up to 1?"),
    "largest score subtracted once": (
        loss_function(log=lambda scores: log_softmax(scores) + scores.max(axis=-1, keepdims=True)),
        "You subtract the largest score inside exp. Do you subtract it from the score of y, too?"),
    **{
        f"probability at least {least}": (
            loss_function(log=mistake_added_constant(least)),
            f"No loss is above {-np.log(least):.0f} in your function, as if every probability had a"
            " smallest value. Should a word that seemed impossible not have a larger loss?")
        for least in (1e-7, 1e-8, 1e-9, 1e-10, 1e-12, 1e-15, 1e-16, 1e-300)
    },
    "one maximum, log of the probability": (
        loss_function(log=lambda scores: log_of_probabilities(scores - scores.max())), UNSTABLE),
    "one maximum, log of the sum": (
        loss_function(log=lambda scores: scores_minus_log_sum(scores - scores.max())), UNSTABLE),
    "log of the probability": (
        loss_function(
            log=lambda scores: log_of_probabilities(scores - scores.max(axis=-1, keepdims=True))),
        LOG_OF_0),
    "no maximum, log of the probability": (loss_function(log=log_of_probabilities), UNSTABLE),
    "no maximum, log of the sum": (loss_function(log=scores_minus_log_sum), UNSTABLE),
}  # fmt: skip
masked_loss = Exercise(
    name="masked_loss",
    chapter="03_rnn",
    number="3.7",
    difficulty=2,
    minutes=12,
    hints=(
        "First calculate the loss of each position, a T × B array, as if there were no padding."
        " Then ask which positions count, and how many there are.",
        "The log-probabilities are x − max − log Σ exp(x − max), along the last axis. At each"
        " position, take the entry of y, with np.take_along_axis or with two loops. Add up −log p"
        " where the mask is True, and divide by the number of these positions.",
        "shifted = scores - scores.max(axis=-1, keepdims=True)\n"
        "logs = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))\n"
        "losses = -np.take_along_axis(logs, y[..., None], axis=-1)[..., 0]\n"
        "return (losses * mask).sum() / …  # how many positions count?",
    ),
    right=reference,
    mistakes=MISTAKES,
    stumbles={
        "math range error": UNSTABLE,
        "broadcast": "Which array has lost its last axis, or never had one? (keepdims=True, or"
        " y[..., None])",
    },
)


def draw_batch(rng, T, B, V, scale=1.5) -> tuple:
    """Random scores (T × B × V), word ids y (T × B) and a mask; the first text has length T.

    The texts have different lengths.
    """
    scores = rng.normal(size=(T, B, V)) * scale
    lengths = np.r_[T, 1 + rng.permutation(T - 1)[: B - 1]]
    mask = np.arange(T)[:, None] < lengths
    return scores, rng.integers(0, V, size=(T, B)), mask


def batches_without_padding(rng) -> Iterator[tuple]:
    """Inputs (scores, y, mask): every position has a word, and T, B and V are all different."""
    for T, B, V in ((4, 3, 5), (6, 2, 3), (3, 4, 7)):
        scores, y, _ = draw_batch(rng, T, B, V) if B < T else draw_batch(rng, 6, B, V)
        yield scores, y, np.ones(y.shape, dtype=bool)


def batches_with_padding(rng) -> Iterator[tuple]:
    """Inputs (scores, y, mask): the padding is at the end, or in one batch at the beginning.

    The padding has large scores, so that an answer that counts its losses is wrong. The texts have
    different lengths, so that a mean of means is wrong, too.
    """
    for T, B, V, way in ((5, 3, 4, 1), (6, 4, 3, -1), (4, 2, 6, 1)):
        scores, y, mask = draw_batch(rng, T, B, V)
        mask = mask[::way]
        scores[~mask] += 5 * rng.normal(size=V)
        yield scores, y, mask


def batches_with_large_scores(rng) -> Iterator[tuple]:
    """Inputs (scores, y, mask): scores in the thousands, and words with nearly no probability.

    They catch exp without a maximum, the log of a probability of 0, and one maximum for all rows,
    because no two rows have nearly the same largest score. All scores are multiples of 1/64, which
    float32 can hold.
    """
    for T, B, V in ((5, 3, 4), (4, 2, 6)):
        scores, y, _ = draw_batch(rng, T, B, V, scale=900)
        scores[..., :2] = 4000 + rng.normal(size=(T, B, 2))
        scores += 2000.0 * rng.permutation(T * B).reshape(T, B, 1)
        y[0, 0] = scores[0, 0].argmin()
        yield np.round(scores * 64) / 64, y, np.ones(y.shape, dtype=bool)
    scores, y, _ = draw_batch(rng, 4, 3, 5)
    scores = np.round(scores * 64) / 64
    yield scores + 2000.0 * (1 + np.arange(3)[:, None]), y, np.ones(y.shape, dtype=bool)


masked_loss.agrees(
    "is, without padding, the mean of −log softmax(scores)[y] over all positions",
    "Take one position with the scores 0 and log 3, and y = 0. What is the softmax, and what is"
    " −log of its first number?",
    batches_without_padding,
)


def padding_changes_nothing(call, case, answer) -> bool:
    """True if the learner's loss is the same for the words alone, without padding; else False.

    So a mistake in the loss itself costs no point in this claim. A loss that does not depend on the
    scores, or that is 0, fails. `call` is the learner's function, and `answer` its loss for `case`.
    """
    scores, y, mask = case
    words, ys = scores[mask][:, None], y[mask][:, None]
    alone, other = (call(s, ys, np.ones(ys.shape, dtype=bool)) for s in (words, 3 * words))
    return bool(answer.any()) and close(answer, alone) and not close(alone, other)


agrees_or_fits(
    masked_loss,
    "leaves the padding out of the sum, and out of the number of positions",
    "Take two texts, of three words and of one word. How many positions have a word, and by what do"
    " you divide?",
    batches_with_padding,
    padding_changes_nothing,
)
masked_loss.agrees(
    "is right for scores in the thousands",
    "Add 2,000 to every score of a position. Should its loss change? And does it?",
    batches_with_large_scores,
)
masked_loss.leaves(
    "leaves scores, y and mask as they were",
    "Does your function write into scores, y or mask? `scores -= …` changes the array that was"
    " given.",
    batches_with_padding,
)
