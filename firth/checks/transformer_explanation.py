"""Exercise 5, training reads all tokens at once and writing does not: asked in words."""

from firth.checks.claims import Written

explain_generation = Written(
    name="explain_generation",
    chapter="05_transformer",
    number="5.9",
    difficulty=2,
    minutes=15,
    rubric=(
        "says that in training the whole text is known, so that all places are computed at once,"
        " and that the mask keeps each from seeing what it is to foretell",
        "says that in writing a token must be chosen before the next one can be computed: as many"
        " rounds as tokens, one after the other",
        "says why keys and values may be kept: with the mask, nothing that comes later changes what"
        " an earlier place has computed",
        "says what the cache saves, with a number: one row a step instead of all so far, n instead"
        " of n(n + 1)/2 rows",
        "says what it costs or leaves: memory that grows with the text (two rows a block and"
        " token), or that each new token still looks at all before it",
    ),
)
