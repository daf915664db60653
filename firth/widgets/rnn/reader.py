"""A small trained network reads words that the reader chooses, and predicts the next one.

h_t = tanh(W x_t + U h_{t−1} + b)      s_t = O h_t + o      p_t = softmax(s_t)
"""

import numpy as np
import traitlets as t

from firth.display import table
from firth.rnn import rnn, small_text
from firth.store.results import stored_result
from firth.widgets.base import Widget

LONGEST, SHOWN = 20, 3  # words of a sentence, most probable next words
SENTENCES = tuple(
    tuple(sentence.split())
    for sentence in (
        "dogs near the old station",
        "dog near the old stations",
        "dogs near the cat",
        "dog bites man",
        "man bites dog",
    )
)
PHRASES = ("near the cat", "near the cats", "behind the old house")


def Words():
    return t.List(t.Unicode()).tag(sync=True)


def Table():
    return t.List().tag(sync=True)


class RnnReader(Widget):
    """What does a network expect next, and how much of the first word is left in its hidden state?

    Before the first word the network has read a full stop. `sentence` holds the words that it has
    read since, and `more` is the word or phrase that the next press of a button adds.

    >>> view = RnnReader("dogs near the old station".split())
    >>> shown = view.answer()
    >>> shown["top"], round(shown["plural"]), round(shown["singular"])
    (['near', 'behind', 'bark'], 45, 0)
    """

    vocabulary = Words()
    plural_verbs = Words()
    singular_verbs = Words()
    sentences = t.List().tag(sync=True)
    phrases = Words()
    W = Table()  # 32 units × 42 words
    U = Table()
    b = Table()
    O = Table()  # noqa: E741
    o = Table()
    sentence = t.List(t.Unicode()).tag(sync=True, choice=True)
    more = t.Unicode(PHRASES[0]).tag(sync=True, choice=True)

    def __init__(self, sentence=SENTENCES[0], **choices):
        stored = stored_result("rnn/small_network")
        data = {name: stored[name] for name in ("vocabulary", "W", "U", "b", "O", "o")}
        verbs = dict(plural_verbs=small_text.PLURAL, singular_verbs=small_text.SINGULAR)
        data |= dict(sentences=list(map(list, SENTENCES)), phrases=list(PHRASES))
        super().__init__(**data, **verbs, sentence=list(sentence), **choices)

    @t.validate("sentence")
    def _has_known_words(self, proposal):
        if len(proposal["value"]) > LONGEST:
            raise t.TraitError(f"A sentence has at most {LONGEST} words here: shorten it.")
        for word in proposal["value"]:
            self.check_word(word)
        return proposal["value"]

    @t.validate("more")
    def _has_a_known_word(self, proposal):
        for word in proposal["value"].split(" "):
            self.check_word(word)
        return proposal["value"]

    def check_word(self, word: str) -> None:
        """Raises a TraitError if the network does not know the word."""
        if word not in self.vocabulary:
            raise t.TraitError(f"The network knows {len(self.vocabulary)} words, and not {word!r}.")

    def answer(self) -> dict:
        read = [self.vocabulary[0], *self.sentence]
        ids = [self.vocabulary.index(word) for word in read]
        W, U, b, O, o = (np.array(rows) for rows in (self.W, self.U, self.b, self.O, self.o))  # noqa: E741
        H = rnn.states(np.eye(len(self.vocabulary))[ids], np.zeros(len(b)), W, U, b)
        s = H @ O.T + o
        p = np.exp(s - s.max(axis=1, keepdims=True))
        p = 100 * p / p.sum(axis=1, keepdims=True)
        best = p.argmax(axis=1)
        top = np.argsort(-p[-1], kind="stable")[:SHOWN]
        verbs = (self.plural_verbs, self.singular_verbs)
        shares = [float(p[-1, [self.vocabulary.index(v) for v in form]].sum()) for form in verbs]
        rest = LONGEST - len(self.sentence)
        return {
            "states": H.tolist(),
            "read": read + [""] * rest,
            "likely": [self.vocabulary[i] for i in best] + [""] * rest,
            "likely_shares": p.max(axis=1).tolist() + [None] * rest,
            "top": [self.vocabulary[i] for i in top],
            "top_shares": p[-1, top].tolist(),
            "plural": shares[0],
            "singular": shares[1],
        }

    def fallback(self) -> str:
        shown = self.answer()
        columns = (shown[name] for name in ("read", "likely", "likely_shares"))
        rows = [row for row in zip(*columns, strict=True) if row[0]]
        caption = "What the network expects after each word of a sentence"
        return table(
            rows, ["word read", "most probable next word", "share, %"], caption
        )._repr_html_()
