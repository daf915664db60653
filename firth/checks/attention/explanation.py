"""Exercise 4.9: explain in words what an attention weight says, and what it does not say."""

from firth.checks.claims import Written

explain_attention = Written(
    name="explain_attention",
    chapter="04_attention",
    number="4.9",
    difficulty=2,
    minutes=15,
    rubric=(
        "says what a weight is: the share of one value in one output; the weights of a row add up"
        " to 1, so a weight is large only in comparison with the others of its row",
        "says that the value counts as well: a large weight on a value that is small, or like the"
        " others, changes little; with a number from the first table",
        "says that other weights can give the same output, as in the second table, so the weights"
        " are not the only explanation that fits",
        "says that a real network attends to hidden states, not to words: a hidden state has taken"
        " up the words around it, and other heads, layers and connections lie between it and the"
        " result",
        "says how to find out: take the weights as a hypothesis, change or remove the word, see"
        " what happens, and compare with the removal of other words",
    ),
)
