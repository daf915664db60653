"""The texts and tables of the course, each from one row of `firth/data/sources.toml`.

    passage · deerwester      ride along: some 250 words of our own, and nine titles
    scoreboard · titles       what every method trains on: articles of enwik8, cleaned
    word_pairs · news         what every method is scored on

Cleaning follows Matt Mahoney's wikifil in spirit. Kept: the words a reader of the page sees, links
with their visible text, captions of pictures. Dropped: markup, tables, templates, references,
formulas, addresses, category and language links, redirects and every page that is not an article.
All is lower-case; letters are a–z and the Latin letters with accents (other scripts become
blanks); digits stay as they stand and nothing is spelled out; an apostrophe stays inside a word.
What is left is words with one blank between them, one article after the other.
"""

import gzip
import html
import json
import re
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from pathlib import Path

from . import store

DATA = Path(__file__).parent / "data"
LENGTH = 20_000_000  # characters of the scoreboard's corpus

# The ten most frequent labels that name ten subjects. Passed over on the way down: HEALTHY LIVING
# (WELLNESS again), QUEER VOICES and BLACK VOICES (who speaks, not of what) and COMEDY (a tone).
NEWS_LABELS = (
    "POLITICS", "WELLNESS", "ENTERTAINMENT", "TRAVEL", "STYLE & BEAUTY",
    "PARENTING", "FOOD & DRINK", "BUSINESS", "SPORTS", "HOME & LIVING",
)  # fmt: skip
NEWS_TRAIN, NEWS_TEST = 500, 200  # of each label

PAGE = re.compile(r"<title>(.*?)</title>.*?<text[^>]*>(.*?)</text>", re.DOTALL)
NOT_ARTICLES = re.compile(
    r"(Media|Special|User|Wikipedia|Image|MediaWiki|Template|Help|Category|Portal|Talk|\w+ talk):"
)
REDIRECT = re.compile(r"\s*#redirect", re.IGNORECASE)
HIDDEN = re.compile(  # what stands between these tags is not prose
    r"<!--.*?-->|<(ref|math|gallery|timeline|imagemap)\b[^>]*?(?:/>|>.*?</\1>)",
    re.DOTALL | re.IGNORECASE,
)
TEMPLATE = re.compile(r"\{\{[^{}]*\}\}|\{\|[^{}]*\|\}")  # the innermost ones
LINK = re.compile(r"\[\[([^\[\]]*)\]\]")
OUTSIDE = re.compile(r"\[(?:https?|ftp|mailto):\S*")
ADDRESS = re.compile(r"(?:https?|ftp)://[^\s\]]*")
TAG = re.compile(r"<[^<>]*>")
OPTION = re.compile(
    r"thumb|thumbnail|frame|left|right|center|none|\d+\s*px|\d*x\d+\s*px", re.IGNORECASE
)
LETTERS = "0-9a-zß-öø-ÿā-ſ"
NOT_WORDS = re.compile(rf"(?:[^{LETTERS}']|(?<![{LETTERS}])'|'(?![{LETTERS}]))+")


def passage() -> str:
    """The running example: a pilot's descent, in three paragraphs.

    >>> passage().split(".")[0]
    'The pilot watched the strange stars rise over the dark rim of the planet'
    """
    return (DATA / "passage.txt").read_text(encoding="utf-8")


def deerwester() -> list[str]:
    """The nine titles that first showed latent semantic analysis: five on computers, four on trees.

    >>> deerwester()[-1]
    'Graph minors: A survey'
    """
    return (DATA / "deerwester.txt").read_text(encoding="utf-8").splitlines()


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
        store.made("scoreboard", first_articles)
        .read_text(encoding="utf-8")
        .rstrip("\n")
        .split("\n")
    )


def first_articles() -> bytes:
    """A line an article: title, tab, words; until words and borders make LENGTH characters."""
    lines, room = [], LENGTH
    for title, source in pages(store.fetch("enwik8")):
        if text := cleaned(source)[:room]:
            lines.append(f"{title}\t{text}\n")
            room -= len(text) + 1
        if room <= 0:
            break
    return "".join(lines).encode()


def pages(path: Path) -> Iterator[tuple[str, str]]:
    """Title and markup of each article of a Wikipedia dump, read as far as is asked for."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as dump:
        waiting = ""
        while block := dump.read(1 << 20):
            complete, end, waiting = (waiting + block).rpartition("</page>")
            for title, source in PAGE.findall(complete + end):
                if not NOT_ARTICLES.match(title) and not REDIRECT.match(source):
                    yield html.unescape(title), html.unescape(source)


def cleaned(source: str) -> str:
    """The words of a page of Wikipedia, without its markup.

    >>> cleaned("'''Ada''' wasn't [[Lord Byron|Byron]]'s [[son]].{{stub}} [[de:Ada]] Caf&eacute;")
    "ada wasn't byron's son café"
    """
    text = HIDDEN.sub(" ", source)
    text = innermost_first(TEMPLATE, " ", text)
    text = innermost_first(LINK, visible, text)
    text = ADDRESS.sub(" ", OUTSIDE.sub(" ", text))
    text = html.unescape(TAG.sub(" ", text)).lower()
    return NOT_WORDS.sub(" ", text.replace("''", " ")).strip()


def innermost_first(pattern: re.Pattern, replacement, text: str) -> str:
    """Replace until nothing matches: what stood inside another pair of brackets goes before it."""
    found = 1
    while found:
        text, found = pattern.subn(replacement, text)
    return text


def visible(link: re.Match) -> str:
    """What a reader sees of a link: its label, or else its target; of a picture its caption."""
    target, *labels = link[1].split("|")
    space, colon, _ = target.partition(":")
    if colon and space.lower() in ("image", "media", "file"):
        return f" {labels[-1]} " if labels and not OPTION.fullmatch(labels[-1].strip()) else " "
    if colon and (space.lower() == "category" or (space.islower() and not labels)):
        return " "  # a shelf mark, or the same article in another language
    return labels[-1] if labels else target


def word_pairs(name: str) -> list[tuple[str, str, float]]:
    """Pairs of words, lower-case, and people's mean rating of how near they are, 0 to 10.

    "wordsim353" asks how related (coffee, cup), "simlex999" how similar (coffee, tea).
    """
    lines = store.fetch(name).read_text(encoding="utf-8").splitlines()
    rows = (line.lower().split("\t") for line in lines if line and not line.startswith("#"))
    return [(a, b, float(rating)) for a, b, rating in rows]


def news() -> tuple[list[str], list[str], list[str], list[str]]:
    """Headlines with their first sentence, and their desk: 5,000 to learn, 2,000 to be scored on.

    Ten labels, 500 and 200 texts of each, so that guessing scores one in ten. They are taken in
    the order of their SHA-256, a shuffle that is the same in every version of every library.
    """
    labels: dict[str, str | None] = {}
    with store.fetch("news").open(encoding="utf-8") as rows:
        for row in map(json.loads, rows):
            text = f"{row['headline'].strip()} {row['short_description'].strip()}".strip()
            known = labels.setdefault(text, row["category"])
            labels[text] = known if known == row["category"] else None  # two desks: no label
    shuffled = sorted(labels, key=lambda text: sha256(text.encode()).digest())
    train, test = [], []
    for label in NEWS_LABELS:
        chosen = islice(
            (text for text in shuffled if labels[text] == label), NEWS_TRAIN + NEWS_TEST
        )
        pairs = [(text, label) for text in chosen]
        train += pairs[:NEWS_TRAIN]
        test += pairs[NEWS_TRAIN:]
    return *map(list, zip(*train, strict=True)), *map(list, zip(*test, strict=True))
