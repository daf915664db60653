"""Short sentences in which a verb has to agree with a noun that may stand far before it.

    dogs near the old station bark at night .

A sentence is a noun, some phrases, a verb, and perhaps an object or an adverbial. The verb has the
number of the first noun. Each noun of a phrase is singular or plural at random, so the nouns nearer
to the verb say nothing about it. The text is random and as long as one likes; its grammar is known.
"""

import numpy as np

NOUNS = {
    "dog": "dogs", "cat": "cats", "man": "men", "girl": "girls", "bird": "birds", "horse": "horses",
}  # fmt: skip
PLACES = {"station": "stations", "house": "houses", "river": "rivers"}
ACTIONS = {"bites": "bite", "sees": "see", "likes": "like", "chases": "chase"}  # with an object
HABITS = {"barks": "bark", "sleeps": "sleep", "runs": "run", "sings": "sing"}  # without
SINGULAR, PLURAL = [*ACTIONS, *HABITS], [*ACTIONS.values(), *HABITS.values()]
SINGULAR_NOUNS, PLURAL_NOUNS = [*NOUNS, *PLACES], [*NOUNS.values(), *PLACES.values()]
OTHERS = ["near", "behind", "the", "old", "at", "night", "today"]
END = "."  # it ends a sentence, and the next one begins after it
WORDS = [END, *SINGULAR_NOUNS, *PLURAL_NOUNS, *SINGULAR, *PLURAL, *OTHERS]


def random_word(random: np.random.Generator, *words: str) -> str:
    """One of the words, chosen at random."""
    return words[random.integers(len(words))]


def random_phrase(random: np.random.Generator) -> list[str]:
    """Three or four words with a random noun, such as ["near", "the", "old", "station"]."""
    nouns = {**NOUNS, **PLACES}
    old = ["old"] if random.random() < 0.3 else []
    return [
        random_word(random, "near", "behind"),
        "the",
        *old,
        random_word(random, *nouns, *nouns.values()),
    ]


def words_before_verb(random: np.random.Generator, phrases: int) -> tuple[list[str], bool]:
    """The words up to the verb, and True if the first noun is plural, else False.

    `phrases` is the number of phrases between the first noun and the verb.

    >>> words_before_verb(np.random.default_rng(0), phrases=1)
    (['girl', 'near', 'the', 'old', 'cat'], False)
    """
    plural = bool(random.random() < 0.5)
    words = [random_word(random, *(NOUNS.values() if plural else NOUNS))]
    for _ in range(phrases):
        words += random_phrase(random)
    return words, plural


def sentence(random: np.random.Generator, most: int = 2) -> list[str]:
    """A list of the words of a random sentence, with 0 to `most` phrases before its verb."""
    words, plural = words_before_verb(random, int(random.integers(most + 1)))
    if random.random() < 0.5:
        verb = random_word(random, *ACTIONS)
        words += [ACTIONS[verb] if plural else verb, random_word(random, *NOUNS, *NOUNS.values())]
    else:
        verb = random_word(random, *HABITS)
        words.append(HABITS[verb] if plural else verb)
        words += [[], ["at", "night"], ["today"]][random.integers(3)]
    return [*words, END]


def text(sentences: int, seed: int = 0, most: int = 2) -> list[str]:
    """A list of the words of many random sentences, one after the other.

    `most` is the largest number of phrases before a verb.

    >>> " ".join(text(2))
    'girls near the old dog behind the houses sing today . girl behind the dog runs .'
    """
    random = np.random.default_rng(seed)
    return [word for _ in range(sentences) for word in sentence(random, most)]
