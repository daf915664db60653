"""Wikipedia's markup → the words that a reader of the page sees.

    page  →  templates, links, tags taken off from the inside out  →  lower case  →  words

Cleaning follows Matt Mahoney's wikifil in spirit. Kept: the words a reader of the page sees, links
with their visible text, captions of pictures. Dropped: markup, tables, templates, references,
formulas, addresses, category and language links, redirects and every page that is not an article.
All is lower-case; letters are a–z and the Latin letters with accents (other scripts become
blanks); digits stay as they stand and nothing is spelled out; an apostrophe stays inside a word.
What is left is words with one blank between them, one article after the other.
"""

import gzip
import html
import re
from collections.abc import Iterator
from pathlib import Path

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
QUOTES = re.compile("'{2,}")  # two: slanted; three: bold
SHORT = 60  # characters
LETTERS = "0-9a-zß-öø-ÿā-ſ"
NOT_WORDS = re.compile(rf"(?:[^{LETTERS}']|(?<![{LETTERS}])'|'(?![{LETTERS}]))+")


def articles(dump: Path, length: int) -> bytes:
    """A line an article: title, tab, words; until words and borders make `length` characters."""
    lines, room = [], length
    for title, source in pages(dump):
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
    return NOT_WORDS.sub(" ", unmarked(source).lower().replace("''", " ")).strip()


def prose(source: str) -> list[str]:
    """The paragraphs of a page of Wikipedia as they are read: capitals, commas, full stops.

    Headings, lists and what is left of tables are dropped; so is a line too short to be prose.

    >>> ada = "==Life==\\n*a list\\n'''Ada''' was [[Lord Byron|Byron]]'s daughter.<ref>no</ref>"
    >>> prose(ada + " She wrote of an engine, and what it might do.")
    ["Ada was Byron's daughter. She wrote of an engine, and what it might do."]
    """
    lines = (" ".join(QUOTES.sub("", line).split()) for line in unmarked(source).split("\n"))
    return [line for line in lines if len(line) >= SHORT and line[0] not in "=*#:;|!{}"]


def unmarked(source: str) -> str:
    """A page's text without hidden parts, templates, addresses and tags; links are their labels."""
    text = HIDDEN.sub(" ", source)
    text = innermost_first(TEMPLATE, " ", text)
    text = innermost_first(LINK, visible, text)
    text = ADDRESS.sub(" ", OUTSIDE.sub(" ", text))
    return html.unescape(TAG.sub(" ", text))


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
