"""The cards of the chapters on the first page: Firth's sentence, drawn as each method reads it.

Each card shows the ten words of the sentence as dots. What differs from card to card is which words
the method uses, and where it stores what it finds.
"""

from collections.abc import Iterator
from itertools import pairwise

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
    """A window of two, and the cells of the table that it fills."""
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
    """The hidden state passes from word to word; what was read long ago is fainter."""
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
    """Many layers of attention: every layer looks at what the layer below has stored."""
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
    """All words are summed once into a small table, which every word reads."""
    yield from (line(x(i), BASE - 6, WIDTH / 2, 32, 1) for i in range(len(WORDS)))
    yield f'<rect class="full" x="{WIDTH / 2 - 14:g}" y="10" width="28" height="22" rx="3"/>'
    yield from sentence()


CARDS = {
    "01_lsa": ("LSA", "Can a table of counts learn the meaning of a new word?",
               "Count the neighbours of each word in a table.", counts),
    "02_word2vec": ("word2vec", "Is it better to count or to predict, and how would we know?",
                    "Let the neighbours predict the word.", prediction),
    "03_rnn": ("Recurrent networks", "How much of the first word is left at the end of a sentence?",
               "Read the words in their order.", memory),
    "04_attention": ("Attention", "How does a decoder find the word it needs?",
                     "Look back at the words that matter now.", looking),
    "05_transformer": ("Transformers", "What can a transformer do that a recurrent network cannot?",
                       "Many layers of attention: build a GPT.", depth),
    "06_bert": ("BERT", "What does a model learn by reading in both directions, "
                "and what is it good for?",
                "A word gets a new vector in every sentence.", context),
    "07_linear_attention": ("Linear attention",
                            "Can attention work without comparing every pair of words?",
                            "Attention for long texts, at lower cost.", cost),
}  # fmt: skip

LEGEND = (
    ('<circle class="focus" cx="8" cy="8" r="5"/>', "the word that is read or described"),
    ('<circle class="hidden" cx="8" cy="8" r="5"/>', "a word to be predicted"),
    ('<path d="M1 12Q8 -2 15 12" stroke-width="2.5"/>', "what the method uses or stores"),
    ('<circle class="" cx="8" cy="8" r="3.5"/>', "the other words"),
)


def card(page: str, times: str) -> str:
    """One chapter as a list item, with a sentence on how long it takes."""
    method, question, answer, draw = CARDS[page]
    drawing = "".join(draw())
    return (
        f'<li><a class="arc-card" href="chapters/{page}.html">'
        f'<svg viewBox="0 0 {WIDTH} 90" aria-hidden="true">{drawing}</svg>'
        f'<span class="arc-noun">{int(page[:2])} · {method}</span> '
        f'<span class="arc-question">{question}</span> '
        f'<span class="arc-answer">{answer}</span> '
        f'<span class="arc-times">{times}</span></a></li>'
    )


def legend() -> str:
    """What the marks of the drawings mean, as a paragraph.

    >>> legend().count("<svg") == len(LEGEND)
    True
    """
    marks = (
        f'<span><svg viewBox="0 0 16 16" aria-hidden="true">{mark}</svg> {meaning}</span>'
        for mark, meaning in LEGEND
    )
    return f'<p class="arc-legend">{" ".join(marks)}</p>'


def arc(times: dict[str, str]) -> str:
    """The legend and the cards, as HTML that needs no script; `times` says how long each takes.

    >>> arc({"01_lsa": "50 minutes"}).count("arc-card")
    1
    """
    label = "The seven chapters, each with a drawing of how its method reads one sentence"
    cards = "\n".join(card(page, text) for page, text in times.items())
    return f'{legend()}\n<ol class="arc" aria-label="{label}">\n{cards}\n</ol>\n'
