"""Exercise 2.9: explain in words what a bias score shows, and what it does not show."""

from firth.checks.claims import Written

explain_bias = Written(
    name="explain_bias",
    chapter="02_word2vec",
    number="2.9",
    difficulty=2,
    minutes=15,
    rubric=(
        "says what the score measures: near which words the professions stand in the texts that"
        " were read, and not how the world is or what any writer meant",
        "says what the 8 of 252 splits mean, that so large a score seldom comes by chance, and"
        " compares 0.09 with another score or names how few the words are",
        "says that the result depends on the lists: names a list that could be different, and what"
        " that would do to the score",
        "says why a score near 0 does not show that the vectors have no bias, with an example of"
        " where it could be instead",
        "names what should be measured before the vectors are used for this purpose",
    ),
)
