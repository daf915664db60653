"""What an encoder is asked to do, and by whom it was done first: mail, names, questions, pairs.

    mail        a letter                        spam or not
    names       a sentence                      which words are a name, and whose
    questions   a question and a passage        the stretch of the passage that answers
    gold        five people's votes on a pair   their majority, or "-" where there is none
    GLUE        nine such tasks                 one score: the mean of nine different measures

The large sets come through `firth.store.downloads` when they are first asked for. The letters keep
their subject and body: the lines above tell who sent a letter along which way, and with them spam
could be told without reading.
"""

import email
import html
import json
import re
import tarfile
from collections import Counter
from collections.abc import Sequence
from email.message import Message
from functools import cache
from hashlib import sha256
from typing import Literal, NamedTuple

from firth.store.downloads import fetch

Part = Literal["train", "dev"]
ANSWERS = re.compile(r"(?i)^\s*((re|fwd?):\s*|\[[^\]]*\]\s*)+")


class Question(NamedTuple):
    """A question, and the stretches of its passage that people gave: where each starts, and it."""

    question: str
    passage: str
    answers: tuple[tuple[int, str], ...]
    title: str


class Task(NamedTuple):
    """One of the nine tasks of GLUE; `examples` to learn from, in thousands."""

    name: str
    asks: str
    examples: float
    measure: str
    first: str
    second: str
    answer: str


# Wang and others (2018), table 1: sizes and measures. The pairs are made up in the tasks' manner;
# those on radio waves and on tourists are worded after the slides.
GLUE = (
    Task("CoLA", "is it English?", 8.5, "Matthews correlation",
         "The book was read the child by.", "", "not acceptable"),
    Task("SST-2", "does the reviewer like it?", 67, "accuracy",
         "a warm and funny film", "", "positive"),
    Task("MRPC", "do both say the same?", 3.7, "accuracy and F1",
         "The bank raised its rate on Monday.", "On Monday the bank put its rate up.",
         "paraphrase"),
    Task("STS-B", "how alike are they, 0 to 5?", 7, "Pearson and Spearman correlation",
         "Elephants walk down a trail.", "A herd of elephants is walking along a trail.", "4.6"),
    Task("QQP", "is it the same question?", 364, "accuracy and F1",
         "How do I learn to swim?", "What is the best way to learn swimming?", "duplicate"),
    Task("MNLI", "does the second follow from the first?", 393, "accuracy",
         "Tourist offices can be very helpful.", "Tourist offices are never of any help.",
         "contradiction"),
    Task("QNLI", "does the second answer the first?", 108, "accuracy",
         "What creates radio waves?", "Antennas turn currents into radio waves.", "answers"),
    Task("RTE", "does the second follow from the first?", 2.5, "accuracy",
         "Small loans have helped many women to open shops.", "Women have opened shops.",
         "entailment"),
    Task("WNLI", "is the pronoun filled in rightly?", 0.634, "accuracy",
         "Lily spoke to Donna and broke her silence.", "Lily broke Donna's silence.",
         "not entailment"),
)  # fmt: skip

# The passage and the questions that Rajpurkar and others (2016) open with, after Wikipedia; neither
# is among the questions of SQuAD. Each answer is a stretch of the passage.
RAIN = (
    "In meteorology, precipitation is any product of the condensation of atmospheric water vapor "
    "that falls under gravity. The main forms of precipitation include drizzle, rain, sleet, snow, "
    "graupel and hail. Precipitation forms as smaller droplets coalesce via collision with other "
    "rain drops or ice crystals within a cloud. Short, intense periods of rain in scattered "
    "locations are called showers."
)
RAIN_ANSWERS = {
    "What causes precipitation to fall?": "gravity",
    "What is another main form of precipitation besides drizzle, rain, snow, sleet and hail?":
        "graupel",
    "Where do water droplets collide with ice crystals to form precipitation?": "within a cloud",
}  # fmt: skip

# Five people's votes on the slides' five pairs: entailment, neutral, contradiction.
SNLI = (
    ("A man inspects a uniform.", "The man is sleeping.", "CCCCC"),
    ("An older and a younger man are smiling.", "Two men laugh at cats playing.", "NNENN"),
    ("A black race car starts in front of a crowd.", "A man drives down a lonely road.", "CCCCC"),
    ("A soccer game with several males playing.", "Some men are playing a sport.", "EEEEE"),
    ("A smiling woman in costume holds an umbrella.", "A happy woman in a fairy costume.", "NNECN"),
)


def gold(votes: Sequence[str]) -> str:
    """What more than half of the votes say; "-" where no label has so many.

    >>> gold("NNECN"), gold("EENNC")
    ('N', '-')
    """
    if not votes:
        raise ValueError("Nobody has voted: give one label or more.")
    label, count = Counter(votes).most_common(1)[0]
    return label if 2 * count > len(votes) else "-"


@cache
def questions(part: Part) -> tuple[Question, ...]:
    """SQuAD's questions, in its order: 87,599 to learn from ("train"), 10,570 others ("dev").

    No article is in both parts.
    """
    stored = json.loads(fetch(f"squad_{part}").read_text(encoding="utf-8"))
    return tuple(
        Question(
            asked["question"],
            paragraph["context"],
            tuple((answer["answer_start"], answer["text"]) for answer in asked["answers"]),
            article["title"],
        )
        for article in stored["data"]
        for paragraph in article["paragraphs"]
        for asked in paragraph["qas"]
    )


@cache
def names(part: Part) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Sentences of news and a tag for each word: 14,041 to learn from, 3,250 others.

    B- begins a name and I- goes on with it, of a person (PER), an organisation (ORG), a place
    (LOC) or something else (MISC); O is none.
    """
    sentences = []
    for block in fetch(f"names_{part}").read_text(encoding="utf-8").split("\n\n"):
        rows = [line.split() for line in block.splitlines()]
        if rows and rows[0][0] != "-DOCSTART-":
            sentences.append((tuple(row[0] for row in rows), tuple(row[-1] for row in rows)))
    return tuple(sentences)


def written(message: Message) -> str:
    """What a letter says: its plain text, or else what its web page shows."""
    parts = [part for part in message.walk() if part.get_content_maintype() == "text"]
    plain = [part for part in parts if part.get_content_subtype() == "plain"]
    for part in plain or parts:
        text = (part.get_payload(decode=True) or b"").decode("latin-1")
        if part.get_content_subtype() != "plain" or "<html" in text.lower():
            text = re.sub(r"(?is)<(style|script|head).*?</\1>|<!--.*?-->|<[^>]*>", " ", text)
            text = html.unescape(text)
        if text.strip():
            return text
    return ""


class Letter(NamedTuple):
    """A letter as "subject. body", and what its collectors called it."""

    text: str
    kind: Literal["easy", "hard", "spam"]  # of those that are no spam, hard ones look like it


@cache
def mail() -> tuple[Letter, ...]:
    """Letters of 2002, shuffled: in the order of their SHA-256, the same everywhere.

    Of letters with the same beginning one is kept, and none of which there are two opinions.
    """
    found: dict[str, tuple[str, set]] = {}
    with tarfile.open(fetch("mail")) as shelf:
        for member in shelf:
            if group := re.fullmatch(r"package/data/(easy|hard|spam)-.*\.txt", member.name):
                message = email.message_from_bytes(shelf.extractfile(member).read())
                subject = ANSWERS.sub("", str(message["Subject"]))  # "Re: [list]": a reply, no spam
                text = " ".join(f"{subject}. {written(message)}".split())
                opening = " ".join(re.findall(r"\w+", text.lower())[:30])
                found.setdefault(opening, (text, set()))[1].add(group[1])
    kept = [Letter(text, *kinds) for text, kinds in found.values() if len(kinds) == 1]
    return tuple(sorted(kept, key=lambda letter: sha256(letter.text.encode()).digest()))
