"""Exercise 4, what attention weights do not tell: asked in words."""

from firth.checks.claims import Written

explain_attention = Written(
    name="explain_attention",
    chapter="04_attention",
    number="4.9",
    difficulty=2,
    minutes=15,
    rubric=(
        "says what a weight is: the share that one value has in one output, in one row, so that a"
        " weight is high only beside the others of its row",
        "says that the value counts as well: a high weight on a value that is small, or like the"
        " others, moves little, with a number from the first table",
        "says that other weights can give the same output, as in the second table, so that the"
        " weights are not the only story that fits it",
        "says that what is looked at is a state, not a word: it has already taken up its"
        " neighbours, and other heads, layers and paths lie between it and the result",
        "says what one may do with a map: take it as a question, then change or leave out the word,"
        " see what comes of it, and compare with leaving out other words",
    ),
)
