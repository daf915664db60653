"""Exercise 3, memory: what becomes of a gradient on the way, asked in words."""

from firth.checks.claims import Written

explain_memory = Written(
    name="explain_memory",
    chapter="03_rnn",
    number="3.9",
    difficulty=2,
    minutes=15,
    rubric=(
        "says that what step t adds to the gradient has passed through every later step, each time"
        " multiplied by Uᵀ and by a slope 1 − s²",
        "says what a product of many such factors does: it shrinks or grows by a power of the"
        " distance, with a number as an example",
        "says why training then learns little from far away, although the sum is exact",
        "says what the belt changes: c is added to, and passes each step times f alone, without U"
        " and without a tanh; f near 1 keeps it",
        "names a limit: f below 1 still fades, the way through the gates is still there, growth"
        " still needs clipping, or all of the past must fit into one vector",
    ),
)
