"""The small tables and stored results that come with the package, and the one way to read a result.

    stored_result("rnn/recall_task")  =  the value of firth/data/rnn/recall_task.json

What takes long is made once by a script, stored there with its settings and every repeat, and read
by the pages and widgets that show it.
"""

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data"


def stored_result(name: str, missing: Any = None) -> Any:
    """The value of the JSON file `firth/data/<name>.json`, where `name` is "chapter/result".

    A script that has not stored anything yet gives `missing`, the value to start from.

    >>> stored_result("rnn/recall_task")["command"]
    'python -m experiments.rnn.recall_task'
    """
    file = DATA / f"{name}.json"
    if file.is_file():
        return json.loads(file.read_text(encoding="utf-8"))
    if missing is not None:
        return missing
    known = sorted(str(path.relative_to(DATA).with_suffix("")) for path in DATA.rglob("*.json"))
    raise ValueError(f"There is no stored result {name!r}: choose one of {', '.join(known)}.")
