"""What every widget shares: one stylesheet, one way to load JavaScript, three ways to be shown.

A widget is a pair of files. Python holds the traits, refuses what makes no sense, and computes
`answer()` with the chapter's own module. JavaScript exports the pure function `answer(state)`,
which gives the same numbers from the same traits, and a `render` that only draws them. So a page
works with no kernel, and a test can hold the two to each other.

To make one: write a module and a script of the same name side by side (`make widget` begins both);
tag a trait `sync=True` if JavaScript needs it, and `choice=True` as well if the reader may change
it; write `answer` and `fallback`; build the view from `controls.js`.
"""

import anywidget
import traitlets as t

from firth.widgets import scripts


def within(reach: dict[str, tuple]) -> t.ValidateHandler:
    """Refuses, in a sentence, what is below its trait's lowest or above its highest."""

    @t.validate(*reach)
    def refuse(self, proposal):
        name, value = proposal["trait"].name, proposal["value"]
        low, high = reach[name]
        if not low <= value <= high:
            raise t.TraitError(f"{name} lies between {low} and {high} here, not {value}.")
        return value

    return refuse


class Widget(anywidget.AnyWidget):
    """Shows itself alive where JavaScript runs, as a table or drawing elsewhere, else as a line."""

    _css = scripts.SHEET
    _ipython_display_ = None  # older ipywidgets would show only the line

    def __init_subclass__(cls, **options):
        """Gives a new class of widgets the script that stands beside its module."""
        path = scripts.script(cls.__module__)
        # A widget with its text as a trait is of a class that anywidget has made for it alone.
        if path.exists() and not isinstance(getattr(cls, "_esm", None), t.TraitType):
            cls._esm = scripts.esm(path)
        super().__init_subclass__(**options)

    def answer(self) -> dict:
        """The numbers that the view shows for the present choices, by the chapter's own code."""
        raise NotImplementedError(f"{type(self).__name__} must say how its numbers are computed.")

    def fallback(self) -> str:
        """The first state as HTML without a script, for a reader whose page runs none."""
        raise NotImplementedError(f"{type(self).__name__} must say what a page without script has.")

    @classmethod
    def own(cls, **tags) -> list[str]:
        """The names of the traits that JavaScript gets, those of every widget left out."""
        inherited = anywidget.AnyWidget.class_trait_names(sync=True)
        names = {*cls.class_trait_names(sync=True, **tags)} - {*inherited}
        return sorted(name for name in names if not name.startswith("_"))

    @classmethod
    def restored(cls, state: dict) -> "Widget":
        """The widget whose view has this state: so a test can ask Python about a page."""
        widget = cls.__new__(cls)
        Widget.__init__(widget, **{name: state[name] for name in cls.own()})
        return widget

    def state(self) -> dict:
        """What `answer(state)` gets in JavaScript: plain numbers, words and lists."""
        return {name: getattr(self, name) for name in self.own()}

    def __repr__(self) -> str:
        choices = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.own(choice=True))
        return f"{type(self).__name__}({choices})"

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        place = f'<div class="firth-widget" data-model="{self.model_id}">'
        return data | {"text/html": f"{place}\n{self.fallback()}\n</div>"}, metadata
