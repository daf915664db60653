"""Exercise 3.9: explain in words what becomes of a gradient on its way back through time."""

from firth.checks.claims import Written

explain_memory = Written(
    name="explain_memory",
    chapter="03_rnn",
    number="3.9",
    difficulty=2,
    minutes=15,
    rubric=(
        "says that the gradient of a late loss passes through every step on its way back, and is"
        " multiplied each time by Uᵀ and by a slope 1 − h²",
        "says what a product of many such factors does: it shrinks or grows with a power of the"
        " distance; gives a number as an example",
        "says why training then learns little from words far back, although `bptt` is exact",
        "says what the cell state changes: values are added to it, and at each step it is"
        " multiplied by the forget gate alone, without U and without tanh; a forget gate near 1"
        " keeps it",
        "names a limit: a forget gate below 1 still forgets, the gradient through the gates still"
        " vanishes, a growing gradient still needs clipping, or one vector has to hold everything",
    ),
)
