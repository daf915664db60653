"""The widgets of a page: the traits that its notebook stores, and their scripts and stylesheet.

A notebook names the class of each widget and stores no script. The build puts the repository's
present files into the page, and a page is built again when one of these files changes.
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # the build's environment has the package's files, not the package

from firth.widgets import scripts  # noqa: E402

ELEMENT = '<script type="application/json" id="firth-widgets">{}</script>'


def stored(page: Path) -> dict[str, dict]:
    """The traits of each widget that a page's source stores, by the id in its HTML."""
    if page.suffix != ".ipynb":
        return {}
    notebook = json.loads(page.read_text(encoding="utf-8"))
    return notebook["metadata"].get("firth", {}).get("widgets", {})


def script(traits: dict) -> Path:
    """The script of the class that a widget's traits name."""
    return scripts.script(traits["_anywidget_id"].rpartition(".")[0])


def files(page: Path) -> set[Path]:
    """What else a page is built from: the files of its widgets."""
    found = {part for traits in stored(page).values() for part in scripts.parts(script(traits))}
    return found | {scripts.SHEET} if found else found


def element(page: Path) -> str:
    """The script element with what `widgets.js` needs; nothing for a page without widgets."""
    sheet = scripts.SHEET.read_text(encoding="utf-8")
    models = {
        model: traits | {"_esm": scripts.esm(script(traits)), "_css": sheet}
        for model, traits in stored(page).items()
    }
    # "</script>" would end the element, and "<!-- <script>" would swallow the page
    text = json.dumps(lightened(models), ensure_ascii=False).replace("<", "\\u003c")
    return ELEMENT.format(text) if models else ""


def lightened(models: dict[str, dict], long: int = 1000) -> dict[str, dict]:
    """The widgets of a page, in which a long value that several have stands once.

    The others say where: {"firth-same": [model, name]}. The stylesheet is such a value, and so are
    the weights of a network that two views run; `widgets.js` puts them back.

    >>> lightened({"a": {"w": "long"}, "b": {"v": "long"}}, long=4)
    {'a': {'w': 'long'}, 'b': {'v': {'firth-same': ['a', 'w']}}}
    """
    first: dict[str, list[str]] = {}

    def light(model: str, name: str, value: object) -> object:
        text = json.dumps(value)
        where = first.setdefault(text, [model, name]) if len(text) >= long else [model, name]
        return value if where == [model, name] else {"firth-same": where}

    return {
        model: {name: light(model, name, value) for name, value in traits.items()}
        for model, traits in models.items()
    }
