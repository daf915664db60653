"""Exercise 1, what it means that two words are near each other: asked in words."""

from firth.checks.claims import Written

explain_lsa = Written(
    name="explain_lsa",
    chapter="01_lsa",
    number="1.9",
    difficulty=2,
    minutes=20,
    rubric=(
        "says that “human” and “user” never stand in one title, so that counting together finds"
        " nothing",
        "says that they share company: names at least one word that stands with both",
        "says what the first k axes keep: what many rows and columns have in common",
        "says what is lost or blurred by dropping the other axes, with an example",
        "names a limit that no k removes (one vector a word, no order, a word never seen)",
    ),
)
