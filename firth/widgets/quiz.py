"""Questions that answer back: every option, right or wrong, explains itself."""

import re
from hashlib import sha256
from html import escape

import traitlets as t

from firth.widgets.base import Widget

# Options that speak of all the others are read last.
LAST = re.compile(r"(None|Neither|Both|All)( of .*)?|Nothing|Not at all", re.IGNORECASE)
MARKS = [(r"`([^`]+)`", r"<code>\1</code>"), (r"\*([^*]+)\*", r"<em>\1</em>")]


def prose(text: str) -> str:
    """A line of text as HTML, with `code` and *emphasis* as in Markdown.

    >>> prose("is *2 < 3* in `numpy`?")
    'is <em>2 &lt; 3</em> in <code>numpy</code>?'
    """
    text = escape(text)
    for marked, shown in MARKS:
        text = re.sub(marked, shown, text)
    return text


def shuffled(key: str, options: list[str]) -> list[int]:
    """The numbers of the options in the order in which they are shown.

    The order looks random and is the same for everybody, always: it depends on the question's key
    and on the words of the options alone. An option such as *None* stays last.

    >>> shuffled("colours", ["red", "green", "None of them", "blue"])
    [0, 3, 1, 2]
    """

    def place(i: int) -> tuple[bool, bytes]:
        return bool(LAST.fullmatch(options[i])), sha256(f"{key} {options[i]}".encode()).digest()

    return sorted(range(len(options)), key=place)


class Quiz(Widget):
    """One question with options, exactly one of them right; the browser keeps the answer.

    Each option comes with what a reader should hear who takes it: a wrong one is a thought that
    somebody had, so say where it goes astray. `key` names the answer in the browser's storage.

    >>> quiz = Quiz("sum", "What is 1 + 1?", {"2": "Yes.", "11": "That joins them."}, right="2")
    >>> quiz
    Quiz(given=None)
    >>> quiz.given = 1
    >>> quiz.answer()
    {'picked': 1, 'verdict': 'No.', 'says': 'That joins them.'}
    """

    key = t.Unicode().tag(sync=True)
    question = t.Unicode().tag(sync=True)
    options = t.List(t.Unicode()).tag(sync=True)  # as they were given; an answer is their number
    order = t.List(t.Int()).tag(sync=True)  # in which they are shown
    values = t.List(t.Float()).tag(sync=True)  # of a question whose answer is a number
    tolerance = t.Float(0).tag(sync=True)
    feedback = t.List(t.Unicode()).tag(sync=True)
    otherwise = t.Unicode().tag(sync=True)  # to a number that nobody foresaw
    right = t.Int(0).tag(sync=True)
    given = t.Float(None, allow_none=True).tag(sync=True, choice=True)

    def __init__(self, key: str, question: str, options: dict[str, str], right: str, **choices):
        texts = list(options)
        if len(texts) < 2:
            raise ValueError(f"The question {question!r} needs two options or more.")
        if right not in options:
            raise ValueError(f"The right option {right!r} must be one of {texts}.")
        shown = dict(options=texts, order=shuffled(key, texts))
        self.start(key, question, options.values(), right=texts.index(right), **shown, **choices)

    def start(self, key, question, feedback, **state):
        feedback = list(feedback)
        if not re.fullmatch(r"[a-z0-9_-]+", key):
            raise ValueError(f"The key {key!r} may hold small letters, digits, - and _ only.")
        if not question.strip():
            raise ValueError("A question needs words.")
        if not all(words.strip() for words in feedback):
            raise ValueError(f"Each option of {question!r} needs feedback: say why it is so.")
        super().__init__(key=key, question=question, feedback=feedback, **state)

    @t.validate("given")
    def _is_an_option(self, proposal):
        given = proposal["value"]
        if given is not None and not self.values and given not in range(len(self.options)):
            raise t.TraitError(f"An answer is an option's number, below {len(self.options)}.")
        return given

    def answer(self) -> dict:
        if self.given is None:
            return {"picked": None, "verdict": "", "says": ""}
        picked = self.picked()
        return {
            "picked": picked,
            "verdict": "Right." if picked == self.right else "No.",
            "says": self.otherwise if picked < 0 else self.feedback[picked],
        }

    def picked(self) -> int:
        """Which option was taken; −1 for a number that is near none of those foreseen."""
        if not self.values:
            return int(self.given)
        near = (abs(self.given - value) <= self.tolerance for value in self.values)
        return next((i for i, yes in enumerate(near) if yes), -1)

    def fallback(self) -> str:
        mark = ["No."] * len(self.feedback)
        mark[self.right] = "Right."
        items = "\n".join(
            f"<li><details><summary>{prose(self.options[i])}</summary>"
            f"<p><strong>{mark[i]}</strong> {prose(self.feedback[i])}</p></details></li>"
            for i in self.order
        )
        return f"<p>{prose(self.question)}</p>\n<ul>\n{items}\n</ul>"


class NumberQuiz(Quiz):
    """One question whose answer is a number, with a word to those who err as others have erred.

    >>> quiz = NumberQuiz("pairs", "How many pairs have 4 words?", 6, "Each pair once.",
    ...     {12: "You counted each pair twice."}, otherwise="Draw them.", given=12)
    >>> quiz.answer()["says"]
    'You counted each pair twice.'
    """

    def __init__(
        self,
        key: str,
        question: str,
        value: float | int,
        feedback: str,
        foreseen: dict[float | int, str],
        otherwise: str,
        tolerance: float | int = 1e-6,
        **choices,
    ):
        values = [float(value), *map(float, foreseen)]
        if tolerance < 0 or any(abs(v - value) <= 2 * tolerance for v in values[1:]):
            raise ValueError(
                "A wrong number lies too near the right one: make the tolerance smaller."
            )
        if not otherwise.strip():
            raise ValueError(f"Say something to those who answer {question!r} with another number.")
        data = dict(values=values, options=[f"{v:g}" for v in values], otherwise=otherwise)
        said = [feedback, *foreseen.values()]
        self.start(key, question, said, tolerance=float(tolerance), right=0, **data, **choices)

    def fallback(self) -> str:
        said = f"<strong>{self.options[0]}</strong> {prose(self.feedback[0])}"
        details = f"<details><summary>The answer</summary><p>{said}</p></details>"
        return f"<p>{prose(self.question)}</p>\n{details}"
