"""Draw the arc of the course for the landing page: one sentence, seven ways of keeping its company.

python tools/arc.py      writes site/arc.html

Each card shows the ten words of Firth's sentence as dots. What differs from card to card is which
words a word looks at, and where what it saw is kept.
"""

import argparse
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parent.parent
WORDS = "You shall know a word by the company it keeps".split()
WORD, LAST = WORDS.index("word"), len(WORDS) - 1
WIDTH, BASE, STEP = 220, 64, 22


def x(i: float) -> float:
    return 11 + STEP * i


def dot(i: float, y: float = BASE, kind: str = "") -> str:
    return f'<circle class="{kind}" cx="{x(i):g}" cy="{y:g}" r="{5 if kind else 3.5}"/>'


def bow(i: int, j: int, weight: float, y: float = BASE) -> str:
    """An arc over the sentence from word i to word j, as thick as its weight."""
    a, b = sorted((x(i), x(j)))
    height = 0.55 * (b - a) + 6
    path = f"M{a:g} {y - 6:g}Q{(a + b) / 2:g} {y - 6 - height:g} {b:g} {y - 6:g}"
    return f'<path d="{path}" stroke-width="{weight:g}"/>'


def line(x1: float, y1: float, x2: float, y2: float, weight: float) -> str:
    return f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}" stroke-width="{weight:g}"/>'


def sentence(without: int | None = None) -> Iterator[str]:
    return (dot(i) for i in range(len(WORDS)) if i != without)


def counts() -> Iterator[str]:
    """A window of two, and the cells it fills."""
    yield from (bow(WORD, j, 2) for j in (WORD - 2, WORD - 1, WORD + 1, WORD + 2))
    for i in range(len(WORDS)):
        near = 0 < abs(i - WORD) <= 2
        kind = "full" if near else "cell"
        yield f'<rect class="{kind}" x="{x(i) - 7:g}" y="76" width="14" height="9"/>'
    yield from sentence(WORD)
    yield dot(WORD, kind="focus")


def prediction() -> Iterator[str]:
    """The window guesses the word that it hides."""
    yield from (bow(j, WORD, 2) for j in (WORD - 2, WORD - 1, WORD + 1, WORD + 2))
    yield from sentence(WORD)
    yield dot(WORD, kind="hidden")


def memory() -> Iterator[str]:
    """A belt that carries what was read, fainter the longer ago."""
    for i in range(LAST):
        yield line(x(i), 40, x(i + 1), 40, 0.8 + 0.5 * i)
        yield line(x(i), 40, x(i), BASE - 6, 1)
    yield line(x(LAST), 40, x(LAST), BASE - 6, 1)
    yield from sentence(LAST)
    yield dot(LAST, kind="focus")


def looking() -> Iterator[str]:
    """The last word looks back, at some words more than at others."""
    weights = (0.5, 0.5, 3.5, 0.5, 2.5, 0.5, 0.5, 5, 1)
    yield from (bow(j, LAST, weight) for j, weight in enumerate(weights))
    yield from sentence(LAST)
    yield dot(LAST, kind="focus")


def depth() -> Iterator[str]:
    """Looking, stacked: every layer looks at what the layer below has seen."""
    rows = (BASE, 42, 20)
    for low, high in pairwise(rows):
        for i in range(len(WORDS)):
            reach = (j for j in (i, i - 1, i - 3, i - 6) if j >= 0)
            yield from (line(x(j), low - 4, x(i), high + 4, 0.7) for j in reach)
    for y in rows:
        yield from (dot(i, y) for i in range(len(WORDS)))


def context() -> Iterator[str]:
    """A hidden word, guessed from everything on both sides."""
    weights = (0.8, 1, 3, 2, 0, 2.5, 0.8, 4, 1, 2)
    yield from (bow(j, WORD, weight) for j, weight in enumerate(weights) if j != WORD)
    yield from sentence(WORD)
    yield dot(WORD, kind="hidden")


def cost() -> Iterator[str]:
    """All the company summed once into a small table, read by every word."""
    yield from (line(x(i), BASE - 6, WIDTH / 2, 32, 1) for i in range(len(WORDS)))
    yield f'<rect class="full" x="{WIDTH / 2 - 14:g}" y="10" width="28" height="22" rx="3"/>'
    yield from sentence()


CARDS = (
    ("1", "Counts", "LSA", "Neighbours, tallied in a table.", counts, "01_lsa"),
    ("2", "Prediction", "word2vec", "Neighbours that guess a word.", prediction, "02_word2vec"),
    ("3", "Memory", "recurrent networks", "Words, read in their order.", memory, "03_rnn"),
    ("4", "Attention", "attention", "Words that look where they need to.", looking, "04_attention"),
    ("5", "Depth", "transformers", "Looking, stacked.", depth, "05_transformer"),
    ("6", "Context", "BERT", "A new vector in every sentence.", context, "06_bert"),
    ("7", "Length", "linear attention", "All of it, at a price that fits.", cost,
     "07_linear_attention"),
)  # fmt: skip


def card(number: str, noun: str, method: str, answer: str, draw, page: str) -> str:
    drawing = "".join(draw())
    return (
        f'<li><a class="arc-card" href="chapters/{page}.html">'
        f'<svg viewBox="0 0 {WIDTH} 90" aria-hidden="true">{drawing}</svg>'
        f'<span class="arc-noun">{number} · {noun}</span> <span class="arc-method">{method}</span> '
        f'<span class="arc-answer">{answer}</span></a></li>'
    )


def arc() -> str:
    """The whole figure, as HTML that needs no script.

    >>> arc().count("<svg") == len(CARDS)
    True
    """
    label = "The arc of the course in seven drawings of one sentence"
    return (
        f'<ol class="arc" aria-label="{label}">\n'
        + "\n".join(card(*c) for c in CARDS)
        + "\n</ol>\n"
    )


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    (ROOT / "site" / "arc.html").write_text(arc(), encoding="utf-8")
