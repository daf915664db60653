"""What a house loads before the first submission: what the class imports.

A module that a third of the class imports is loaded once for all of them, instead of once for each:
torch takes a second, and a class that does not use it gets a house that is lighter to copy.
"""

import ast
from collections import Counter
from collections.abc import Iterable

LIBRARIES = {"IPython", "firth", "matplotlib", "numpy", "scipy", "sklearn", "torch"}
ALWAYS = ("numpy", "IPython.core.interactiveshell")
SAMPLE = 30  # submissions to look at


def imported(cells: Iterable[str]) -> set[str]:
    """The modules of known libraries that some cells import.

    >>> sorted(imported(["import numpy as np, os", "from torch.nn import functional"]))
    ['numpy', 'torch.nn']
    """
    found: set[str] = set()
    for source in cells:
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module)
    return {name for name in found if name.partition(".")[0] in LIBRARIES}


def common(notebooks: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """What at least a third of these notebooks' code cells import, besides what is always there.

    >>> common([["import torch"], ["import torch"], ["import sklearn"], []])
    ('torch',)
    """
    sample = list(notebooks)
    counts = Counter(name for cells in sample for name in imported(cells))
    return tuple(sorted(name for name, n in counts.items() if 3 * n >= len(sample)))
