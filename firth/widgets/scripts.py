"""The files of a widget and the text that the browser gets of them, read anew at each call.

A kernel sends this text, and the book's build puts the same text on a page. So this module imports
nothing but Python's own library: the build has no other.
"""

import re
from pathlib import Path

HERE = Path(__file__).parent
SHEET = HERE / "widgets.css"
LOCAL_IMPORT = re.compile(r'^import \{[^}]*\} from "(\.\.?/[\w./]+\.js)";\n', re.MULTILINE)


def script(module: str) -> Path:
    """The script of the widgets of a module: it stands beside it and has its name.

    >>> script("firth.widgets.lsa.low_rank").relative_to(HERE).as_posix()
    'lsa/low_rank.js'
    """
    return HERE.parents[1].joinpath(*module.split(".")).with_suffix(".js")


def parts(path: Path) -> list[Path]:
    """A script and the files that it imports, each once and after those that it needs itself.

    >>> [part.name for part in parts(script("firth.widgets.lsa.context_window"))]
    ['controls.js', 'tensor.js', 'windows.js', 'context_window.js']
    """
    found: list[Path] = []

    def visit(path: Path) -> None:
        for name in LOCAL_IMPORT.findall(path.read_text(encoding="utf-8")):
            visit((path.parent / name).resolve())
        if path not in found:
            found.append(path)

    visit(path.resolve())
    return found


def esm(path: Path) -> str:
    """A widget's ES module with the files that it imports pasted in before it.

    The browser loads the text from a blob: address, from which "./tensor.js" leads nowhere.
    Pasting keeps plain files and needs no bundler; names at the top of a file must differ.

    >>> text = esm(script("firth.widgets.lsa.low_rank"))
    >>> text.count("export function cosine"), LOCAL_IMPORT.search(text)
    (1, None)
    """
    texts = (part.read_text(encoding="utf-8") for part in parts(path))
    return "".join(LOCAL_IMPORT.sub("", text) for text in texts)
