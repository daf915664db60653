"""Exercise 6, what the vectors of a questionnaire's items know: asked in words."""

from firth.checks.claims import Written

explain_items = Written(
    name="explain_items",
    chapter="06_bert",
    number="6.9",
    difficulty=2,
    minutes=20,
    rubric=(
        "says what is compared: how alike two items are as texts, and how alike people answer them;"
        " and that the network was given no answer",
        "says what the share of nearest neighbours means beside its chance level, with both numbers"
        " and what the words alone achieve",
        "says what p tells and what it does not: that luck seldom does as well; nothing of how"
        " strong the relation is, which r says",
        "says why r is higher once the sign of the answers is dropped: an item and its opposite"
        " stand near each other as texts, with a pair as example",
        "says what does not follow: for instance, that the items measure what they are called, that"
        " it holds for other items, languages or people, or that answers could be done without",
    ),
)
