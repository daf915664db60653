"""Exercise 2, meaning from prediction: asked in words."""

from firth.checks.claims import Written

explain_bias = Written(
    name="explain_bias",
    chapter="02_word2vec",
    difficulty=2,
    minutes=15,
    rubric=(
        "says what the score measures: whose company words keep in the texts that were read, not"
        " how the world is, nor what anybody meant",
        "says what the shuffles say (how often a score as great comes by chance), compared with"
        " what 0.09 is little or much, and what so few words leave open",
        "says that the lists decide: names a list that could be chosen otherwise, and what that"
        " might do to the score",
        "says why a score near 0 does not show that the vectors are free of bias, with an example"
        " of where else it may sit",
        "names what would have to be measured instead, or as well, before the vectors are used for"
        " a stated purpose",
    ),
    number="2.9",
)
