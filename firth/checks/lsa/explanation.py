"""Exercise 1.9: explain in words how two words become similar that never met the same neighbour."""

from firth.checks.claims import Written

explain_lsa = Written(
    name="explain_lsa",
    chapter="01_lsa",
    number="1.9",
    difficulty=2,
    minutes=20,
    rubric=(
        "says that “zorf” and “coffee” have met no neighbour in common but “the”, so that their"
        " counts alone show no similarity",
        "says what connects them: names “tea”, or the neighbours that “tea” shares with both",
        "says what the first k directions keep: patterns of neighbours that many rows have in"
        " common",
        "says what is lost when the other directions are dropped, with an example",
        "names a limit that no k removes: one vector for all senses of a word, no word order, or a"
        " word that was never seen",
    ),
)
