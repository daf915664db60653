"""The one way to write a notebook down, and the proof that its outputs are those of its code.

What Jupyter leaves to chance (ids of cells and widgets, times, versions, the order of keys) is
replaced by what follows from the content; so a difference between two versions is a difference in
what they say. The notebook's own metadata hold two things:

metadata.firth.ran       a digest of the code, outputs and widgets that one run has left, in order
metadata.firth.widgets   the traits of each widget on the page, without its script and stylesheet

While the digest holds, prose may change without a run. A notebook stores no widget view and no
widget state in Jupyter's own form: a program without a kernel could only fail to show them, and
shows the HTML instead.
"""

import hashlib
import json
import re

import nbformat
from anywidget import AnyWidget

STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
KEPT = ("tags", "mystnb")  # of a cell's metadata; the rest is the editor's
# A quiz's source holds its answer: Jupyter and Colab open the notebook with that source hidden.
QUIZ = re.compile(r"^(?:Number)?Quiz\(", re.MULTILINE)
HIDDEN = {"jupyter": {"source_hidden": True}, "cellView": "form"}
MODEL = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
SHOWN = re.compile(r'data-model="([0-9a-f]{32})"')
CLASS = "_anywidget_id"  # the trait in which anywidget names a widget's class


def parsed(text: str) -> dict:
    """A notebook's text as nested dicts, with each text whole and not cut into lines."""
    notebook = json.loads(text)
    if notebook.get("nbformat") != 4:
        raise ValueError("not a notebook of format 4: save it once with a current Jupyter.")
    return nbformat.v4.rwbase.rejoin_lines(nbformat.from_dict(notebook))


def canonical(text: str) -> str:
    """The canonical text of a notebook; applied twice, it changes nothing more."""
    notebook = parsed(text)
    cells, own = notebook["cells"], notebook["metadata"].get("firth", {})
    states = widgets(notebook) | live(notebook)
    names = [f"{c['cell_type']}-{digest(c['cell_type'] + c['source'])[:8]}" for c in cells]
    for n, cell in enumerate(cells):
        twin = names[:n].count(names[n])
        cell["id"] = names[n] + (f"-{twin + 1}" if twin else "")
        cell["metadata"] = {k: v for k, v in cell["metadata"].items() if k in KEPT and v}
        if cell["cell_type"] == "code" and QUIZ.search(cell["source"]):
            cell["metadata"] |= HIDDEN
    ran = [cell for cell in cells if cell.get("execution_count") is not None]
    for n, cell in enumerate(ran, start=1):
        cell["execution_count"] = n
        cell["outputs"] = [tidy(output, n) for output in joined(cell["outputs"])]
    models = [model for model in shown_models(cells) if model in states]
    kept = {"widgets": {model: states[model] for model in models}, "ran": own.get("ran")}
    kept = {name: value for name, value in kept.items() if value}
    notebook["metadata"] = METADATA | ({"firth": kept} if kept else {})
    notebook.update(nbformat=4, nbformat_minor=5)
    notebook = nbformat.from_dict(notebook)
    nbformat.validate(notebook)
    stable = {model: digest(f"model {n}")[:32] for n, model in enumerate(models)}
    text = MODEL.sub(lambda match: stable.get(match[0], match[0]), nbformat.writes(notebook))
    # The order of keys may follow the old ids, so it is settled once the new ones stand.
    return written(json.loads(text))


def written(notebook: dict) -> str:
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def joined(outputs: list[dict]) -> list[dict]:
    """Outputs with neighbouring pieces of one stream in one: how it was cut is chance."""
    whole: list[dict] = []
    for output in outputs:
        stream = output["output_type"] == "stream" and output["name"]
        if whole and stream and whole[-1].get("name") == stream:
            whole[-1]["text"] += output["text"]
        else:
            whole.append(output)
    return whole


def tidy(output: dict, count: int) -> dict:
    """An output without the traces of one run, and without what only its kernel could show."""
    if output["output_type"] == "execute_result":
        output["execution_count"] = count
    elif output["output_type"] == "stream":
        output["text"] = re.sub(r"(?m)^.*\r(?=[^\n])", "", output["text"])  # a line written over
    elif output["output_type"] == "error":  # a traceback names the files of this machine
        output["traceback"] = [f"{output['ename']}: {output['evalue']}"]
    output.get("data", {}).pop(VIEW, None)
    return output


# Widgets


def widgets(notebook: dict) -> dict[str, dict]:
    """The traits of each stored widget, by the id that the page's HTML gives it."""
    return notebook["metadata"].get("firth", {}).get("widgets", {})


def live(notebook: dict) -> dict[str, dict]:
    """The traits of the course's widgets as a kernel or an editor has just left them.

    What every widget has is left out, and so are script and stylesheet: a widget's class names its
    module, and `firth.widgets.scripts` knows where the files of a module stand.
    """
    inherited = {"_esm", "_css", *AnyWidget.class_trait_names(sync=True)}
    models = notebook["metadata"].get("widgets", {}).get(STATE, {}).get("state", {})
    return {
        model: {name: value for name, value in kept["state"].items() if name not in inherited}
        for model, kept in models.items()
        if kept["state"].get(CLASS, "").startswith("firth.widgets.")
    }


def shown_models(cells: list[dict]) -> list[str]:
    """The ids of the widgets on the page, in the order in which a reader meets them."""
    outputs = (output for cell in cells for output in cell.get("outputs", []))
    pages = (output.get("data", {}).get("text/html", "") for output in outputs)
    return list(dict.fromkeys(model for page in pages for model in SHOWN.findall(page)))


# The proof


def fingerprint(text: str) -> str:
    """A digest of a canonical notebook without its prose: code in order, outputs and widgets."""
    notebook = json.loads(text)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return digest(json.dumps([code, widgets(notebook)], sort_keys=True))


def sealed(text: str) -> str:
    """The canonical text of a notebook that a run has just left, with the proof of it."""
    notebook = json.loads(canonical(text))
    notebook["metadata"].setdefault("firth", {})["ran"] = fingerprint(json.dumps(notebook))
    return written(notebook)


def proven(text: str) -> bool:
    """Whether a canonical notebook's outputs are those that a run of just this code has left."""
    ran = json.loads(text)["metadata"].get("firth", {}).get("ran")
    return ran == fingerprint(text)
