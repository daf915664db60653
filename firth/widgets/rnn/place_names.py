"""A small trained network draws place names, and shows its hidden state letter by letter."""

import numpy as np
import traitlets as t

from firth.display import table
from firth.rnn import place_names
from firth.rnn.place_names import folded
from firth.store import corpora
from firth.store.results import stored_result
from firth.store.weights import dequantize
from firth.widgets.base import Widget

DRAWN = 10  # names at once, from seeds that follow each other
SHOWN = 9  # letters that could come next
FIRST = 8  # the first draw shown, chosen because some of its names exist: about one in 75 does
MUCH = 0.5  # a unit that moves by more has changed
LONGEST = 20  # letters of a prefix
VERDICTS = {  # said of a name that is not new
    "copy": "already exists",
    "kept": "exists, was never shown",
    "elsewhere": "exists elsewhere",
}
WORDS = {"\n": "end of name", " ": "blank"}  # symbols that cannot be seen


def Names():
    return t.List(t.Unicode()).tag(sync=True)


class RnnNames(Widget):
    """Are these names new, what does the temperature do to them, and what does the network keep?

    One of the ten names is read letter by letter: `chosen` says which, and `read` how many of its
    letters. The hidden states and the next letters are those after these letters.

    >>> names = RnnNames(prefix="Vila", tau=0.5)
    >>> names
    RnnNames(chosen=0, prefix='Vila', read=4, seed=8, tau=0.5)
    >>> all(name.startswith("Vila") for name in names.answer()["names"])
    True
    """

    alphabet = Names()  # its first symbol is the border
    weights = t.Dict().tag(sync=True)  # one byte each, as they are stored
    places = Names()
    held_out = Names()  # of the places: those that the network was never shown
    elsewhere = Names()  # other real places, without their accents
    prefix = t.Unicode("").tag(sync=True, choice=True)
    tau = t.Float(1.0).tag(sync=True, choice=True)
    seed = t.Int(FIRST, min=0, max=100_000_000).tag(sync=True, choice=True)
    chosen = t.Int(0, min=0, max=DRAWN - 1).tag(sync=True, choice=True)
    read = t.Int(4, min=0, max=place_names.LONGEST).tag(sync=True, choice=True)

    def __init__(self, **choices):
        stored = stored_result("rnn/place_names")
        data = {name: stored[name] for name in ("alphabet", "weights", "held_out")}
        places = corpora.places()
        known = set(map(folded, places))
        elsewhere = [name for name in corpora.places(folded=True) if folded(name) not in known]
        super().__init__(places=places, elsewhere=elsewhere, **data | choices)

    @t.validate("prefix")
    def _can_begin_a_name(self, proposal):
        if len(proposal["value"]) > LONGEST:
            raise t.TraitError(f"A beginning may have {LONGEST} letters: shorten it.")
        try:
            place_names.ids(proposal["value"], self.net())
        except ValueError as error:
            raise t.TraitError(str(error)) from None
        return proposal["value"]

    @t.validate("tau")
    def _is_a_temperature(self, proposal):
        if not 0.2 <= proposal["value"] <= 1.5:
            raise t.TraitError("The temperature τ of this view lies between 0.2 and 1.5.")
        return proposal["value"]

    def net(self) -> place_names.Letters:
        """The trained network as `place_names.Letters`, from the weights that the page has."""
        weights = {name: dequantize(table) for name, table in self.weights.items()}
        return place_names.Letters(tuple(self.alphabet), **weights)

    def answer(self) -> dict:
        net = self.net()
        seeds = range(DRAWN * self.seed, DRAWN * (self.seed + 1))
        names = [place_names.sampled(seed, self.tau, self.prefix, net) for seed in seeds]
        near = [place_names.nearest(name, self.places) for name in names]
        kinds = self.kinds_of_names(names)
        after = names[self.chosen][: self.read]
        states = hidden_states(after, net)
        moved = np.abs(states[-1] - states[-2]) if after else np.zeros(1)
        p = place_names.probabilities(net.O @ states[-1] + net.o, self.tau)
        likely = np.argsort(-p, kind="stable")[:SHOWN]
        return {
            "names": names,
            "kinds": kinds,
            "known": [VERDICTS.get(k, real) for k, (real, _) in zip(kinds, near, strict=True)],
            "distances": [
                None if k in VERDICTS else apart for k, (_, apart) in zip(kinds, near, strict=True)
            ],
            "existing": len(names) - kinds.count("new"),
            "different": len(set(names)),
            "name": names[self.chosen],
            "after": after,
            "number": len(after),
            "hidden": states.tolist(),
            "changed": int((moved > MUCH).sum()),
            "letters": [WORDS.get(self.alphabet[i], self.alphabet[i]) for i in likely],
            "shares": (100 * p[likely]).tolist(),
            "rest": float(100 * (1 - p[likely].sum())),
        }

    def kinds_of_names(self, names: list[str]) -> list[str]:
        """A list with the kind of each name: "new", or for real places "kept", "copy", "elsewhere".

        "copy" is a name that the network was trained on, "kept" a held-out name, and "elsewhere"
        the name of a real place that is not in the list.
        """
        lists = {"kept": self.held_out, "copy": self.places, "elsewhere": self.elsewhere}
        forms = {kind: set(map(folded, some)) for kind, some in lists.items()}
        return [
            next((kind for kind, form in forms.items() if folded(name) in form), "new")
            for name in names
        ]

    def fallback(self) -> str:
        shown = self.answer()
        rows = zip(shown["names"], shown["known"], shown["distances"], strict=True)
        header = ["name drawn", "nearest real name", "letters apart"]
        caption = f"Ten names drawn by the network at τ = {self.tau:g}"
        return table(rows, header, caption)._repr_html_()


def hidden_states(text: str, net: place_names.Letters) -> np.ndarray:
    """The hidden states after the border and after each letter, as an array with a row for each."""
    h, rows = np.zeros(net.U.shape[1]), []
    for x in [0, *place_names.ids(text, net)]:
        h = place_names.step(x, h, net)
        rows.append(h)
    return np.array(rows)
