"""BERT's tokenizer in the page, with all of its 30,522 pieces: any text, step by step."""

from functools import lru_cache

import traitlets as t

from firth.bert.wordpiece import LONGEST, SPECIAL, WordPiece, beginnings, normalised, pretokens
from firth.display import table
from firth.store.downloads import fetch
from firth.widgets.base import Widget

MOST = 200  # letters of a text
FIRST = "merging into a vague, purplish glimmer"
EXAMPLES = (
    "This was it, the descent.",
    FIRST,
    "you've won 202000 Eur",
    "antidisestablishmentarianism",
    "Renée Müller-Sørensen",
    "L'Hospitalet de Llobregat",
    "The US told us: polish the Polish.",
    "So happy 🙂 日本語",
)


@lru_cache(maxsize=4)
def tokenizer(words: str) -> WordPiece:
    """The tokenizer of a list of pieces, a line each."""
    return WordPiece(words.split("\n"))


class BertTokens(Widget):
    """What does BERT see of a word that it has never seen?

    >>> view = BertTokens("The glimmer", word=1)
    >>> view
    BertTokens(text='The glimmer', word=1)
    >>> view.answer()["said"]
    '“glimmer” is no piece of the list: it is written g ##lim ##mer.'
    >>> view.answer()["steps"][-1]
    {'failed': [], 'found': '##mer'}
    """

    words = t.Unicode().tag(sync=True)  # all pieces, a line each; a piece's number is its place
    examples = t.List(t.Unicode()).tag(sync=True)
    text = t.Unicode().tag(sync=True, choice=True)
    word = t.Int(-1, min=-1).tag(sync=True, choice=True)  # −1: the first of most pieces

    def __init__(self, text: str = FIRST, words: str | None = None, **choices):
        if words is None:
            words = fetch("minilm_words").read_text(encoding="utf-8").removesuffix("\n")
        super().__init__(**{"words": words, "examples": [*EXAMPLES], "text": text} | choices)

    @t.validate("text")
    def _is_short(self, proposal):
        if len(proposal["value"]) > MOST:
            raise t.TraitError(f"This view reads up to {MOST} letters: shorten the text.")
        return proposal["value"]

    def answer(self) -> dict:
        wordpiece, names = tokenizer(self.words), pretokens(self.text)
        parts = [wordpiece.word(name) for name in names]
        lengths = [len(pieces) for pieces in parts]
        at = min(self.word, len(names) - 1)
        if self.word < 0 and names:
            at = lengths.index(max(lengths))
        pieces = ["[CLS]", *(piece for some in parts for piece in some), "[SEP]"]
        chosen = names[at] if names else ""
        return {
            "read": " ".join(normalised(self.text).split()),
            "names": names,
            "lengths": lengths,
            "pieces": pieces,
            "ids": [wordpiece.numbers[piece] for piece in pieces],
            "tokens": len(pieces),
            "count": len(names),
            "share": sum(lengths) / len(names) if names else 0.0,
            "unknown": pieces.count("[UNK]"),
            "at": at,
            "chosen": chosen,
            "steps": steps(chosen, wordpiece),
            "said": said(chosen, parts[at] if names else []),
        }

    def fallback(self) -> str:
        wordpiece = tokenizer(self.words)
        rows = []
        for name in pretokens(self.text):
            pieces = wordpiece.word(name)
            ids = " ".join(str(wordpiece.numbers[piece]) for piece in pieces)
            rows.append([name, " ".join(pieces), ids])
        caption = f"What BERT reads: {self.answer()['read']}"
        return table(rows, ["word or sign", "pieces", "their numbers"], caption)._repr_html_()


def steps(word: str, wordpiece: WordPiece) -> list[dict]:
    """Each place of a word at which a piece was sought: what was tried in vain, what was found."""
    steps, start = [], 0
    while start < len(word) <= LONGEST:
        tried = list(beginnings(word, start))
        found = next((part for part in tried if part in wordpiece.numbers), None)
        steps.append({"failed": tried[: tried.index(found)] if found else tried, "found": found})
        if found is None:
            break
        start = len(word) - len(tried) + len(found) - 2 * (start > 0)
    return steps


def said(word: str, pieces: list[str]) -> str:
    """What became of a word, in one sentence."""
    if not word:
        return "There is nothing to read: write a word."
    if word in SPECIAL:
        return f"{word} is a special sign: a token as it stands."
    if len(word) > LONGEST:
        return f"A word of over {LONGEST} letters is not tried at all: [UNK]."
    if pieces == [word]:
        return f"“{word}” is a piece of the list as it is: one token."
    if pieces == ["[UNK]"]:
        return f"“{word}” cannot be written in pieces of the list: all of it is [UNK]."
    return f"“{word}” is no piece of the list: it is written {' '.join(pieces)}."
