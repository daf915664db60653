"""The texts and tables of the course, each from one row of `firth/data/sources.toml`.

    passage · zorf            ride along: some 250 words and twenty sentences of our own
    deerwester                rides along: nine titles
    scoreboard · titles       what every method trains on: articles of enwik8, cleaned
    word_pairs · news         what every method is scored on
    books                     two million words out of copyright, to train on as well
    analogies                 "man is to king as woman is to …", in 14 categories
    restaurant · reviews      opinions: ten that ride along, and thousands on films
    places · electricity      ride along: names to imitate, and a year to forecast
    personality               rides along: what a questionnaire says, and what people answer

What is large comes through `firth.store.downloads` when it is first asked for, and is kept.
"""

import csv
import json
import re
import tarfile
from hashlib import sha256

import numpy as np
from jaxtyping import Float

from . import downloads, wikipedia
from .results import DATA

LENGTH = 20_000_000  # characters of the scoreboard's corpus

# The ten most frequent labels that name ten subjects. Passed over on the way down: HEALTHY LIVING
# (WELLNESS again), QUEER VOICES and BLACK VOICES (who speaks, not of what) and COMEDY (a tone).
NEWS_LABELS = (
    "POLITICS", "WELLNESS", "ENTERTAINMENT", "TRAVEL", "STYLE & BEAUTY",
    "PARENTING", "FOOD & DRINK", "BUSINESS", "SPORTS", "HOME & LIVING",
)  # fmt: skip
# To learn from and to be scored on, of each label.
NEWS_SIZES, SHORT_SIZES, LONG_SIZES = (500, 200), (3_750, 500), (10_000, 2_000)

Split = tuple[list[str], list, list[str], list]  # texts and labels to learn from, and the others


def passage() -> str:
    """The running example: a pilot's descent, in three paragraphs.

    >>> passage().split(".")[0]
    'The pilot watched the strange stars rise over the dark rim of the planet'
    """
    return (DATA / "passage.txt").read_text(encoding="utf-8")


def zorf() -> list[str]:
    """The running example of chapter 1: twenty sentences, five of them with an invented word.

    >>> zorf()[1]
    'We drank the zorf after dinner.'
    """
    return (DATA / "lsa/zorf.txt").read_text(encoding="utf-8").splitlines()


def deerwester() -> list[str]:
    """The nine titles that first showed latent semantic analysis: five on computers, four on trees.

    >>> deerwester()[-1]
    'Graph minors: A survey'
    """
    return (DATA / "lsa/deerwester.txt").read_text(encoding="utf-8").splitlines()


def restaurant() -> tuple[list[str], list[int]]:
    """Ten reviews of a restaurant and their labels as the slides give them: 1 is bad, 0 good.

    >>> texts, labels = restaurant()
    >>> texts[4], labels[4]
    ('horrible food!', 1)
    """
    rows = (DATA / "word2vec/restaurant.tsv").read_text(encoding="utf-8").splitlines()
    labels, texts = zip(*(row.split("\t") for row in rows), strict=True)
    return list(texts), list(map(int, labels))


def places(folded: bool = False) -> list[str]:
    """Names of 720 places in Catalonia, each once; or of 2,378 without their accents.

    The larger list comes from sources that spell some names without accents, so all of them are
    folded, ç to c and ü to u: fewer letters to learn, and no longer Catalan.

    >>> places()[-1], places(folded=True)[-1]
    ('Òrrius', 'les Roquetes')
    """
    name = "rnn/places_folded.txt" if folded else "rnn/places.txt"
    return (DATA / name).read_text(encoding="utf-8").splitlines()


def electricity() -> dict[str, np.ndarray]:
    """Victoria's demand for electricity in 2014, every half-hour, and what drives it.

    `time` starts each half-hour, in Australian Eastern Standard Time all year (people there get up
    an hour earlier by it in summer), `demand` is in gigawatts, `temperature` in °C at Melbourne,
    `workday` is 1 from Monday to Friday except on public holidays, else 0.

    >>> table = electricity()
    >>> for name, values in table.items():
    ...     print(name, values.shape, values[28])  # 2 in the afternoon of New Year's Day
    time (17520,) 2014-01-01T14:00
    demand (17520,) 3.847
    temperature (17520,) 21.9
    workday (17520,) 0
    """
    rows = np.loadtxt(DATA / "rnn/electricity.csv.gz", delimiter=",", skiprows=1)
    time = np.datetime64("2014-01-01T00:00") + np.arange(len(rows)) * np.timedelta64(30, "m")
    return {
        "time": time,
        "demand": rows[:, 0] / 1000,
        "temperature": rows[:, 1],
        "workday": rows[:, 2].astype(int),
    }


def personality(few: bool = False) -> dict[str, np.ndarray]:
    """A questionnaire's 135 items; or the 18, of another one, that the slides show.

    An item has a `text`, a `facet` and a `key`: −1 if who agrees has less of the facet. It may have
    one of five `factor`s with a `factor_key` of its own, or "" and 0.

    >>> items = personality()
    >>> [str(items[name][88]) for name in ("text", "facet", "key", "factor", "factor_key")]
    ['Neglect my duties.', 'Industry', '-1', 'Conscientiousness', '-1']
    """
    name = "bert/personality_few.tsv" if few else "bert/personality.tsv"
    names, *rows = (DATA / name).read_text(encoding="utf-8").splitlines()
    columns = zip(*(row.split("\t") for row in rows), strict=True)
    items = dict(zip(names.split("\t"), map(np.array, columns), strict=True))
    for key in ("key", "factor_key"):
        items[key] = np.array([int(sign or 0) for sign in items[key]])
    return items


def personality_answers() -> Float[np.ndarray, "135 135"]:
    """How 4,000 people's answers to every two of the 135 items go together: their correlation."""
    R = np.zeros((135, 135))
    R[np.tril_indices(135, -1)] = np.loadtxt(DATA / "bert/personality_correlations.txt.gz") / 1000
    return R + R.T + np.eye(135)


def scoreboard() -> list[str]:
    """The articles of the scoreboard's corpus: with a border of one character, 20,000,000 in all.

    The last one is cut where the count is reached. `titles()` names them, in the same order.
    """
    return [line.partition("\t")[2] for line in scoreboard_lines()]


def titles() -> list[str]:
    """The titles of the scoreboard's articles, in their order, as Wikipedia writes them."""
    return [line.partition("\t")[0] for line in scoreboard_lines()]


def scoreboard_lines() -> list[str]:
    return (
        downloads.made("scoreboard", lambda: wikipedia.articles(downloads.fetch("enwik8"), LENGTH))
        .read_text(encoding="utf-8")
        .rstrip("\n")
        .split("\n")
    )


def books() -> list[str]:
    """Eighteen books that belong to everybody, 2.1 million words, from Emma to Leaves of Grass.

    What Project Gutenberg wrote before and after them is left out.
    """
    with tarfile.open(downloads.fetch("books")) as shelf:
        names = sorted(name for name in shelf.getnames() if name.endswith(".txt"))
        files = [shelf.extractfile(name).read().decode("latin-1") for name in names]
    bodies = (file.partition("]")[2].partition("End of Project Gutenberg")[0] for file in files)
    return [body.replace("\r\n", "\n").strip(" \n\x1a") for body in bodies]


def word_pairs(name: str) -> list[tuple[str, str, float]]:
    """Pairs of words, lower-case, and people's mean rating of how near they are, 0 to 10.

    "wordsim353" asks how related (coffee, cup), "simlex999" how similar (coffee, tea).
    """
    lines = downloads.fetch(name).read_text(encoding="utf-8").splitlines()
    rows = (line.lower().split("\t") for line in lines if line and not line.startswith("#"))
    return [(a, b, float(rating)) for a, b, rating in rows]


def analogies() -> dict[str, list[tuple[str, str, str, str]]]:
    """Questions of the form "a is to b as c is to d", lower-case, in 14 categories.

    Five are about the world (capitals, currencies, family), nine about grammar: their names begin
    with "gram".
    """
    questions: dict[str, list] = {}
    for line in downloads.fetch("questions").read_text(encoding="utf-8").lower().splitlines():
        if line.startswith(": "):
            category = questions.setdefault(line[2:], [])
        else:
            category.append(tuple(line.split()))
    return questions


def news() -> Split:
    """Headlines with their first sentence, and their desk: 5,000 to learn, 2,000 to be scored on.

    Ten labels, 500 and 200 texts of each, so that guessing scores one in ten.
    """
    labels: dict[str, str | None] = {}
    with downloads.fetch("news").open(encoding="utf-8") as rows:
        for row in map(json.loads, rows):
            text = f"{row['headline'].strip()} {row['short_description'].strip()}".strip()
            known = labels.setdefault(text, row["category"])
            labels[text] = known if known == row["category"] else None  # two desks: no label
    return split(labels, NEWS_LABELS, *NEWS_SIZES)


def reviews(long: bool = False) -> Split:
    """Sentences from reviews of films, good (1) or bad (0): 7,500 to learn, 1,000 to be scored on.

    Half of each are good. Of texts with the same words one is kept, before the split: what was
    learned by heart must not be asked. The long ones are whole reviews, 20,000 and 4,000.
    """
    source, sizes = ("imdb", LONG_SIZES) if long else ("rotten_tomatoes", SHORT_SIZES)
    first: dict[tuple[str, ...], tuple[str, int]] = {}
    with downloads.fetch("reviews").open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            if row["source"] == source:
                text = " ".join(row["text"].replace("<br />", " ").split())
                words = tuple(re.findall(r"\w+", text.lower()))
                first.setdefault(words, (text, int(row["label"])))
    return split(dict(first.values()), (0, 1), *sizes)


def split(labels: dict, kinds: tuple, train: int, test: int) -> Split:
    """So many texts of each kind to learn from, and so many others to be scored on.

    They are taken in the order of their SHA-256, a shuffle that is the same in every version of
    every library.

    >>> split({"cold food": 0, "rude waitress": 0, "it rocks": 1, "awesome": 1}, (0, 1), 1, 1)
    (['rude waitress', 'awesome'], [0, 1], ['cold food', 'it rocks'], [0, 1])
    """
    shuffled = sorted(labels, key=lambda text: sha256(text.encode()).digest())
    learned, scored = [], []
    for kind in kinds:
        texts = [text for text in shuffled if labels[text] == kind][: train + test]
        learned += [(text, kind) for text in texts[:train]]
        scored += [(text, kind) for text in texts[train:]]
    return *map(list, zip(*learned, strict=True)), *map(list, zip(*scored, strict=True))
