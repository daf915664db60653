"""A box for the reader's own words, where a kernel can answer them."""

from collections.abc import Callable
from html import escape

import ipywidgets


class Ask(ipywidgets.VBox):
    """A labelled box; what is typed goes to `answer`, and what it returns is shown below.

    A page without a kernel shows the first answer and says how to ask one's own. What `answer`
    refuses with a ValueError is shown as the sentence of that error.

    >>> ask = Ask("A word", "star", lambda word: f"{word} has {len(word)} letters")
    >>> ask
    Ask('A word', 'star')
    >>> ask.box.value = "captain"
    >>> ask.reply.value
    '<p>captain has 7 letters</p>'
    """

    _ipython_display_ = None  # older ipywidgets would show only the line

    def __init__(self, label: str, value: str, answer: Callable[[str], object]):
        self.label, self.ask = label, answer
        self.box = ipywidgets.Text(value, description=label, continuous_update=False)
        self.box.style.description_width = "initial"
        self.reply = ipywidgets.HTML(self.answered(value))
        self.box.observe(lambda change: self.show(change["new"]), "value")
        super().__init__([self.box, self.reply])

    def answered(self, value: str) -> str:
        """The answer as HTML: its own if it has any, else its text line by line."""
        try:
            answer = self.ask(value)
        except ValueError as error:
            answer = str(error)
        if hasattr(answer, "_repr_html_"):
            return answer._repr_html_()
        return "".join(f"<p>{escape(line)}</p>" for line in str(answer).splitlines())

    def show(self, value: str) -> None:
        self.reply.value = self.answered(value)

    def __repr__(self) -> str:
        return f"Ask({self.label!r}, {self.box.value!r})"

    def _repr_mimebundle_(self, **kwargs):
        asked = f"<p>{escape(self.label)}: <strong>{escape(self.box.value)}</strong></p>"
        how = "<p><em>To ask your own, open this page in a kernel with the launch button.</em></p>"
        html = f'<div class="firth-ask">\n{asked}\n{self.reply.value}\n{how}\n</div>'
        view = {"version_major": 2, "version_minor": 0, "model_id": self.model_id}
        return {
            "text/plain": repr(self),
            "text/html": html,
            "application/vnd.jupyter.widget-view+json": view,
        }
