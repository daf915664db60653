"""Exercise 3.3: backpropagation through time.

a_t = W x_t + U h_{t−1},   h_t = tanh(a_t),   J = the sum of the losses of all steps
g_t = gradient of step t's own loss with respect to h_t
δ_t = gradient of J with respect to a_t = (g_t + Uᵀ δ_{t+1}) ∘ (1 − h_t²),   δ_T = g_T ∘ (1 − h_T²)

The reference answer follows each loss back by itself and multiplies whole Jacobian matrices.
"""

from collections.abc import Callable, Iterator

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.mistakes import fitting

from .hidden_states import reading_function
from .step import cast_to_dtype_of, draw_weights


def tanh_slope(h):
    """The derivative of tanh at the place where tanh has the value h: 1 − h²."""
    return 1 - h**2


def reference(H, U, G):
    """The right gradients δ, an array of shape (T, d): each is a sum over all later losses.

    Each loss is followed back by itself, by the chain rule.
    """
    deltas = []
    for t in range(1, len(H)):
        total = np.zeros(len(U))
        for loss in range(t, len(H)):
            back = np.asarray(G[loss - 1], dtype=float)
            for later in range(loss, t, -1):
                back = back @ np.diag(tanh_slope(H[later])) @ U
            total += back
        deltas.append(total * tanh_slope(H[t]))
    return np.array(deltas)


def backward_function(
    back: Callable = lambda delta, U: U.T @ delta,
    own: Callable = lambda G, t: G[t - 1],
    bend: Callable = lambda H, t: tanh_slope(H[t]),
    combine: Callable = lambda own, back, bend: (own + back) * bend,
    finish: Callable = lambda deltas: deltas,
) -> Callable:
    """A function `bptt(H, U, G)`: the reference answer, or with another part a mistake.

    `back` carries δ of the next step back through U, `own` is the gradient of the step's own loss,
    `bend` the slope of its tanh, `combine` makes δ from the three, and `finish` makes the result
    from the array of all δ.
    """

    @fitting
    def bptt(H, U, G):
        T = len(H) - 1
        deltas = np.zeros((T, len(U)))
        arrives = np.zeros(len(U))
        for t in range(T, 0, -1):
            deltas[t - 1] = combine(own(G, t), arrives, bend(H, t))
            arrives = back(deltas[t - 1], U)
        return finish(deltas)

    return bptt


def mistake_last_loss_alone(H, U, G):
    """The gradients δ of a wrong answer that uses only the loss of the last step."""
    return backward_function()(H, U, G * (np.arange(len(G)) == len(G) - 1)[:, None])


def mistake_last_loss_at_every_step(H, U, G):
    """The gradients δ of a wrong answer that adds G[−1] at every step instead of G[t − 1]."""
    return backward_function()(H, U, np.zeros(G.shape) + G[-1])


def mistake_first_step_left_out(H, U, G):
    """The gradients δ of a wrong answer whose loop stops before the first step: row 0 stays 0."""
    deltas = backward_function()(H, U, G)
    deltas[0] = 0
    return deltas


def mistake_one_step_back_only(H, U, G):
    """The gradients δ of a wrong answer that truncates after one step.

    Its δ_t contains only the losses of steps t and t + 1.
    """
    near = np.asarray(G, dtype=float) * tanh_slope(H[1:])
    return (G + np.append(near[1:] @ U, np.zeros((1, len(U))), axis=0)) * tanh_slope(H[1:])


def mistake_slope_before_U(later: int) -> Callable:
    """A wrong `bptt` that uses Uᵀ last: δ_t = g_t (1 − h_t²) + Uᵀ (δ_{t+1} (1 − h²)).

    `later` says whose slope the second term has: 0 for that of step t, 1 for that of step t + 1.
    """

    def bptt(H, U, G):
        T, deltas = len(H) - 1, np.zeros(np.shape(G))
        arrives = np.zeros(len(U))
        for t in range(T, 0, -1):
            deltas[t - 1] = G[t - 1] * tanh_slope(H[t]) + arrives
            arrives = U.T @ (deltas[t - 1] * tanh_slope(H[t - 1 + later]))
        return deltas

    return bptt


def mistake_gradient_of_the_state(H, U, G):
    """The gradients with respect to h_t: a wrong answer, because those for a_t are asked for."""
    gradients = np.zeros(np.shape(G))
    arrives = np.zeros(len(U))
    for t in range(len(H) - 1, 0, -1):
        gradients[t - 1] = G[t - 1] + arrives
        arrives = U.T @ (gradients[t - 1] * tanh_slope(H[t]))
    return gradients


def mistake_no_slope_sent_back(H, U, G):
    """The gradients δ of a wrong answer that sends back Uᵀ (g_t + what arrives), without slope."""
    deltas, arrives = np.zeros(np.shape(G)), np.zeros(len(U))
    for t in range(len(H) - 1, 0, -1):
        deltas[t - 1] = (G[t - 1] + arrives) * tanh_slope(H[t])
        arrives = U.T @ (G[t - 1] + arrives)
    return deltas


def mistake_dtype_of_G(H, U, G):
    """The gradients δ with the dtype of G: a wrong answer, which truncates if G holds integers."""
    return cast_to_dtype_of(G, reference(H, U, G))


def mistake_dtype_of_G_carried_back(sums: bool) -> Callable:
    """A wrong `bptt` that stores δ with the dtype of G, and carries back these stored values.

    If G holds integers, fractions are truncated at every step. With `sums`, they are also truncated
    in the sum of g_t and what arrives from the next step.
    """

    def bptt(H, U, G):
        deltas, arrives = np.zeros(np.shape(G), dtype=np.asarray(G).dtype), np.zeros(len(U))
        for t in range(len(H) - 1, 0, -1):
            total = G[t - 1] + arrives
            total = cast_to_dtype_of(G, total) if sums else total
            deltas[t - 1] = total * tanh_slope(H[t])
            arrives = U.T @ deltas[t - 1]
        return deltas

    return bptt


def outer_products(H, deltas):
    """The T matrices δ_t h_{t−1}ᵀ, whose sum is the gradient with respect to U."""
    return deltas[:, :, None] * H[:-1, None, :]


SLOPE_FIRST = (
    "You multiply what comes back from step t + 1 by a slope first, and then by Uᵀ. From a at step"
    " t, you reach h through the tanh, and then the next step through U. Which one comes first on"
    " the way back?"
)
OWN_LOSS_AFTER = (
    "You add the row of G after the slope. G is the gradient with respect to h_t, which comes after"
    " the tanh of step t. Must it not pass through that tanh as well?"
)
WHOLE_NUMBERS = (
    "G may hold whole numbers, such as 0 and 1. An array that you make like G then holds whole"
    " numbers, too. What does it make of 0.36?"
)
MISTAKES = {
    "U, not its transpose": (
        backward_function(back=lambda delta, U: U @ delta),
        "On the way forward, h is multiplied by U. Is it U or Uᵀ on the way back?"),
    "no slope at the last step": (
        backward_function(
            bend=lambda H, t: tanh_slope(H[t]) if t < len(H) - 1 else np.ones(H.shape[1])),
        "Does the gradient of the last step have to pass through a tanh, too?"),
    "no slope": (
        backward_function(bend=lambda H, t: np.ones(H.shape[1])),
        "Where is the slope of the tanh, 1 − h²?"),
    "slope at the last step only": (
        backward_function(
            bend=lambda H, t: tanh_slope(H[t]) if t == len(H) - 1 else np.ones(H.shape[1])),
        "You use the slope of the last tanh. Where are the slopes of the earlier ones?"),
    "gradient with respect to h": (
        mistake_gradient_of_the_state,
        "Those are the gradients with respect to h_t. Between a_t and h_t there is a tanh. What is"
        " its slope?"),
    "slope of the step before": (
        backward_function(bend=lambda H, t: tanh_slope(H[t - 1])),
        "You use the slope at the hidden state before the step. Row 0 of H is h_0, and row t is"
        " h_t. Which row belongs to the tanh of step t?"),
    "slope of the step after": (
        backward_function(bend=lambda H, t: tanh_slope(H[min(t + 1, len(H) - 1)])),
        "You use the slope of the step after. Which row of H belongs to the tanh of step t?"),
    "slope of the sigmoid": (
        backward_function(bend=lambda H, t: H[t] * (1 - H[t])),
        "h (1 − h) is the slope of the sigmoid. What is the slope of tanh?"),
    "slope (1 − h)²": (
        backward_function(bend=lambda H, t: (1 - H[t]) ** 2),
        "Is the slope 1 − h², or (1 − h)²? At h = −1, tanh is flat. What should the slope be"
        " there?"),
    "slope 1 − h": (
        backward_function(bend=lambda H, t: 1 - H[t]),
        "Is the slope 1 − h², or 1 − h? At h = −1, tanh is flat. What should the slope be there?"),
    "tanh twice": (
        backward_function(bend=lambda H, t: 1 - np.tanh(H[t]) ** 2),
        "The rows of H are the values of the tanh. Do you take the tanh of them once more?"),
    "no U": (
        backward_function(back=lambda delta, U: delta),
        "Between two steps, h is multiplied by U. Where is U on the way back?"),
    "last loss only": (
        mistake_last_loss_alone,
        "Only the last row of G has an effect. Each step has a loss of its own. Where do you add"
        " its row of G?"),
    "last loss at every step": (
        mistake_last_loss_at_every_step,
        "You add the last row of G at every step. Which row of G belongs to step t?"),
    "own loss after the slope": (
        backward_function(combine=lambda own, back, bend: own + back * bend), OWN_LOSS_AFTER),
    "own loss after the slope, last step right": (
        backward_function(
            combine=lambda own, back, bend: own + back * bend if back.any() else own * bend),
        OWN_LOSS_AFTER),
    "slope on the own loss only": (
        backward_function(combine=lambda own, back, bend: own * bend + back),
        "You multiply the row of G by the slope, but not what comes back from the next step. Does"
        " it not pass through the same tanh?"),
    "G one row late": (
        backward_function(own=lambda G, t: G[min(t, len(G) - 1)]),
        "At step t you use the row of G of the step after. The first row of G belongs to step 1."
        " Which row belongs to step t?"),
    "slope before U": (mistake_slope_before_U(1), SLOPE_FIRST),
    "slope before U, of the step before": (mistake_slope_before_U(0), SLOPE_FIRST),
    "no slope sent back": (
        mistake_no_slope_sent_back,
        "You send the sum back before it is multiplied by the slope. U h_{t−1} is a part of"
        " a_t. So which gradient should Uᵀ multiply, that for h_t or that for a_t?"),
    "nothing comes back": (
        backward_function(back=lambda delta, U: 0 * delta),
        "Each row uses only the loss of its own step. How does a_t act on the losses of the later"
        " steps?"),
    "one step back only": (
        mistake_one_step_back_only,
        "Each row uses the losses of two steps only. Do you pass δ on, or only the row of G?"),
    "last step first": (
        backward_function(finish=lambda deltas: deltas[::-1]),
        "These are the right rows, the last step first. Which step should come first?"),
    "all rows the first": (
        backward_function(finish=lambda deltas: np.repeat(deltas[:1], len(deltas), axis=0)),
        "All rows are those of the first step. Do you append the same array each time, and then"
        " write into it?"),
    "first step left out": (
        mistake_first_step_left_out,
        "The row of the first step is 0. Does your loop stop before it?"),
    "mean": (
        backward_function(finish=lambda deltas: deltas / len(deltas)),
        "You divide by the number of steps. Is J the sum of the losses, or their mean?"),
    "sum": (
        backward_function(finish=lambda deltas: deltas.sum(axis=0)),
        "You return one row, the sum over all steps. Can you return a row for each step?"),
    "running sum": (
        backward_function(finish=lambda deltas: np.cumsum(deltas[::-1], axis=0)[::-1]),
        "Each of your rows contains the later rows once more. Do you add to one array, and keep"
        " it?"),
    "other sign": (
        backward_function(finish=lambda deltas: -deltas),
        "Everything has the other sign. Is the gradient asked for, or a step against it?"),
    "outer products": (
        lambda H, U, G: outer_products(H, reference(H, U, G)),
        "You return a matrix for each step, δ_t times h_{t−1}. Can you return δ_t alone?"),
    "gradient with respect to U": (
        lambda H, U, G: outer_products(H, reference(H, U, G)).sum(axis=0),
        "That is the gradient with respect to U, a sum over all steps. Can you return δ_t alone, a"
        " row for each step?"),
    "whole numbers": (mistake_dtype_of_G, WHOLE_NUMBERS),
    "whole numbers sent back": (mistake_dtype_of_G_carried_back(sums=False), WHOLE_NUMBERS),
    "whole numbers sent back, sums cut": (
        mistake_dtype_of_G_carried_back(sums=True), WHOLE_NUMBERS),
}  # fmt: skip
bptt = Exercise(
    name="bptt",
    chapter="03_rnn",
    number="3.3",
    difficulty=3,
    minutes=20,
    hints=(
        "Start at the last step. If the number inside its tanh grows a little, how does J change?"
        " Then go one step back. In which two ways does that hidden state act on J?",
        "At the last step, δ is the last row of G times the slope 1 − h². One step earlier, add the"
        " row of G of that step to Uᵀ δ, and multiply the sum by the slope of that step.",
        "T = len(H) - 1\n"
        "deltas = np.zeros((T, len(U)))\n"
        "back = np.zeros(len(U))  # nothing comes back to the last step\n"
        "for t in range(T, 0, -1):\n"
        "    deltas[t - 1] = (G[t - 1] + back) * …  # the slope of the tanh of step t\n"
        "    back = …  # from a_t to h of the step before\n"
        "return deltas",
    ),
    right=reference,
    mistakes=MISTAKES,
    stumbles={
        "out of bounds": "H has T + 1 rows, from h_0 to h_T, and G has T rows. Which number has the"
        " last row of each?",
        "Cannot cast": "`*=` and `+=` write into the array itself, and this one holds whole"
        " numbers. Does your function write into G? `delta = G[-1]` is no copy.",
        "inhomogeneous": "Is it `*`, number by number, or `@`, row by column?",
        "could not be broadcast": "Is the way back through U a product `@` of a matrix and a"
        " vector?",
    },
)


def draw_history(rng, T, d) -> tuple[np.ndarray, np.ndarray]:
    """The hidden states H (T + 1 rows) of a random network with d units, and its matrix U.

    The network has read random inputs for T steps.
    """
    W, U = draw_weights(rng, d, d, 1.5)
    h = rng.uniform(-0.9, 0.9, size=d)
    return np.array([h, *reading_function()(rng.normal(size=(T, d)), h, W, U)]), U


def losses_at_every_step(rng) -> Iterator[tuple]:
    """Inputs (H, U, G): each of several steps has a loss.

    U is not symmetric, and the rows of H differ. This catches U instead of Uᵀ and a wrong row of H.
    """
    for T, d in ((2, 2), (4, 3), (6, 2)):
        H, U = draw_history(rng, T, d)
        yield H, U, rng.normal(size=(T, d)) * 2


def loss_at_the_last_step(rng) -> Iterator[tuple]:
    """Inputs (H, U, G): only the last row of G is not 0.

    They catch U instead of Uᵀ, the slope of another step, and a loop that stops too early. Whether
    the losses of earlier steps are added does not matter here.
    """
    for T, d in ((2, 2), (4, 3), (6, 2)):
        H, U = draw_history(rng, T, d)
        G = np.zeros((T, d))
        G[-1] = rng.normal(size=d) * 2
        yield H, U, G


def losses_without_slopes(rng) -> Iterator[tuple]:
    """Inputs (H, U, G): each step has a loss, all hidden states are 0, and U is symmetric.

    Where h is 0, the slope of tanh is 1. So a forgotten slope, or U instead of Uᵀ, costs no point
    in this claim. Other claims test them.
    """
    for T, d in ((2, 3), (5, 2), (4, 3)):
        _, U = draw_weights(rng, d, d, 1.5)
        yield np.zeros((T + 1, d)), (U + U.T) / 2, rng.normal(size=(T, d)) * 2


def losses_of_all_kinds(rng) -> Iterator[tuple]:
    """Inputs (H, U, G): those of `losses_at_every_step`, a single step, and integers in G.

    They catch an array with the integer dtype of G, and a mistake that matters only where an
    earlier step has both a loss and a slope.
    """
    yield from losses_at_every_step(rng)
    for T in (1, 4):
        H, U = draw_history(rng, T, 3)
        yield H, U, rng.integers(1, 4, size=(T, 3))


bptt.agrees(
    "has as its last row the last row of G times the slope of the last tanh",
    "Take one step on paper, with J = g tanh(a). What is the derivative of J with respect to a?",
    losses_at_every_step,
    view=lambda deltas, right: deltas[-1:],
)
bptt.agrees(
    "carries a loss at the last step back to every earlier step, and has the first step first",
    "Take two steps on paper, with one number for each symbol. How does a_1 change h_1, then a_2,"
    " then h_2?",
    loss_at_the_last_step,
    points=2,
)
bptt.agrees(
    "adds the gradient of each step's own loss, tested with h = 0, where every slope is 1",
    "h_1 acts on the loss of step 1, and through a_2 on all later losses. Do you add both, before"
    " you multiply by the slope of step 1?",
    losses_without_slopes,
)
bptt.agrees(
    "is right for all of this together, also for whole numbers, and does not change H, U or G",
    "An earlier step has a loss of its own, and something comes back from the next step. Do both"
    " pass through the tanh of the step?",
    losses_of_all_kinds,
    untouched="Does your function write into H, U or G? `delta = G[-1]` is no copy: then"
    " `delta *= …` changes G.",
)
