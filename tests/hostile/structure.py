"""Notebooks whose cells were lost, copied, merged, moved or renamed, by accident or on purpose."""

from hostile import (
    BLANK,
    EITHER,
    GRADED,
    RIGHT,
    SETUP,
    TURNED_AWAY,
    WRONG,
    Hostile,
    cell,
    cells,
    data,
    honest,
    made,
    notebook,
)

ATTACKED = cells(q3=WRONG, q4="", look=False)


def book(name: str, tries: str, found: list, low: int = 10, high: int = 10, **more) -> Hostile:
    whole = more.pop("whole", {})
    status = more.pop("status", GRADED)
    return Hostile(
        name, "structure", tries, data(notebook(found, **whole)), low, high, status, **more
    )


def lost(name: str, tries: str, q3: str, low: int = 7, **more) -> Hostile:
    """q3 is not there for whoever looks for a function of that name."""
    found = {"status": EITHER, "answers": {"q3": "missing"}} | more
    return Hostile(name, "structure", tries, made(q3=q3, look=False), low, 7, **found)


CLASS = [
    book(
        "points-in-the-metadata",
        "gives itself a hundred points in the notebook's metadata, with tests of its own",
        [
            one
            | {
                "metadata": {
                    "nbgrader": {"grade": True, "points": 100, "grade_id": "q3", "locked": False},
                    "otter": {"tests": ["q3"], "points": 100},
                    "tags": ["graded", "score:10"],
                }
            }
            for one in ATTACKED
        ],
        4,
        4,
        whole={
            "metadata": {
                "firth": {"score": 10, "answers": [{"name": "q3", "score": 3, "holds": True}]},
                "otter": {"OK_FORMAT": True, "tests": {"q3": {"points": 100, "suites": []}}},
            }
        },
    ),
    book("no-check-cells", "every example is deleted", cells(look=False)),
    book("only-checks", "the examples are there, the answers are gone", cells(q3="", q4=""), 4, 4),
    Hostile(
        "second-try",
        "structure",
        "q3's cell twice: the first try wrong, the second right",
        made(q3=f"{WRONG}\nq3(2, 2)", q4=RIGHT["q4"], after=RIGHT["q3"]),
        10,
        10,
    ),
    Hostile(
        "second-thoughts",
        "structure",
        "q3's cell twice: the first try right, the second wrong; the last word counts",
        made(after="def q3(n, m):\n    return 0"),
        7,
        7,
    ),
    honest(
        "blank-at-the-end",
        "the cell as it was handed out once more, below the answer",
        kind="structure",
        after=BLANK["q3"],
    ),
    lost("deleted", "q3's cell is deleted", ""),
    lost("renamed", "the function has another name", RIGHT["q3"].replace("q3", "table")),
    honest(
        "renamed-and-named",
        "the function has another name, and then its own",
        kind="structure",
        q3=RIGHT["q3"].replace("q3", "table") + "\n\n\nq3 = table",
    ),
    lost("switched-off", "the answer stands under if False", f"if False:\n    {SETUP}\n    q3 = 1"),
    lost("commented-out", "the answer is a comment", "# " + RIGHT["q3"].replace("\n", "\n# ")),
    lost("in-a-string", "the answer is a text", f'answer = """\n{RIGHT["q3"]}\n"""'),
    lost("a-number", "q3 is a number", "q3 = 3", answers={}, low=7),
    book(
        "in-markdown",
        "q3's answer stands in a markdown cell, q4's in a raw one",
        [
            *cells(q3="", q4="", look=False),
            cell("```python\n" + RIGHT["q3"] + "\n```", "markdown"),
            cell(RIGHT["q4"], "raw"),
        ],
        4,
        4,
        answers={"q3": "missing", "q4": "missing"},
    ),
    Hostile(
        "overwritten-by-its-value",
        "structure",
        "q3 = q3(2, 3), below the answer",
        made(after="q3 = q3(2, 3)"),
        7,
        10,
    ),
    book("one-cell", "all in one cell", [cell("\n\n\n".join([SETUP, *RIGHT.values()]))]),
    book(
        "one-cell-with-an-error",
        "all in one cell, which ends in an error",
        [cell("\n\n\n".join([SETUP, *RIGHT.values(), "q3(1)"]))],
    ),
    book("backwards", "all cells in reverse order, the import at the end", cells(look=False)[::-1]),
    book("twice", "the whole notebook twice", cells() * 2),
    book(
        "used-before-written",
        "the examples stand above the answers",
        [cell(SETUP), cell("q1(q2(q3(1, 2)))"), *cells()[2:]],
    ),
    book(
        "helper-below",
        "an answer needs a function that a later cell defines",
        cells(
            q3="def q3(n, m):\n    return helper(n, m)",
            after="def helper(n, m):\n    return np.subtract.outer(np.arange(n), np.arange(m))",
            look=False,
        ),
    ),
    book(
        "bare",
        "cells without ids, outputs, metadata or execution counts, sources in one piece",
        [{"cell_type": one["cell_type"], "source": "".join(one["source"])} for one in cells()],
        whole={"metadata": {}},
    ),
    book(
        "unknown-parts",
        "cells of unknown kinds, keys of unknown meaning, a version from the future",
        [{"cell_type": "hologram", "source": []}, cell("", soul=None), *cells()],
        whole={"nbformat_minor": 99, "future": {"cells": 7}, "signature": "sha256:0"},
    ),
    book(
        "malformed-cells",
        "among good cells, some that are no cells: null, a number, a source that is a number",
        [*cells(), None, 7, [], {}, {"cell_type": "code"}, {"cell_type": "code", "source": 7}],
        0,
        10,
        status=GRADED | TURNED_AWAY,
    ),
    book(
        "foreign-kernel",
        "saved with a kernel that nobody else has",
        cells(),
        whole={"metadata": {"kernelspec": {"name": "conda-env-lsa-py", "language": "julia"}}},
    ),
    book(
        "colab",
        "saved by Colab: ids moved, tags dropped, forms, outputs and a badge added",
        [
            cell('<a href="https://colab.example/"><img src="badge.svg"></a>', "markdown"),
            *(
                one | {"metadata": {"id": f"Xy{n}_-", "cellView": "form", "outputId": "a-b"}}
                for n, one in enumerate(cells())
            ),
        ],
        whole={
            "nbformat_minor": 0,
            "metadata": {
                "colab": {"provenance": [], "gpuType": "T4", "toc_visible": True},
                "accelerator": "GPU",
                "kernelspec": {"name": "python3", "display_name": "Python 3"},
                "language_info": {"name": "python"},
            },
        },
    ),
    book(
        "empty-cells",
        "cells with nothing, or nothing but a comment, between the others",
        [part for one in cells() for part in (one, cell(""), cell("# nothing"))],
    ),
    book(
        "thousand-cells",
        "a thousand cells of exploration",
        cells() + [cell(f"step_{n} = {n}") for n in range(1000)],
    ),
]
