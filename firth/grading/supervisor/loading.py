"""What a fork server loads before the first submission: the libraries that the class uses.

A library that a third of the class imports is loaded once for all of them, instead of once for each
submission. PyTorch takes a second, and a class that does not use it gets a process that is lighter
to copy.

What is loaded stands in the table below. A submission can only make a library of the table count
once more: no module that a submission names is imported, because importing runs it, and whatever
it does (end the process, start a thread, wait for ever) it would do to the whole class.
"""

import re
from collections import Counter
from collections.abc import Iterable

ALWAYS = ("numpy", "IPython.core.interactiveshell")
LIBRARIES = {
    b"firth": (
        "firth.store.corpora",
        "firth.lsa.counts",
        "firth.display",
        "firth.store.pretrained_vectors",
    ),
    b"matplotlib": ("matplotlib.pyplot",),
    b"scipy": ("scipy.sparse", "scipy.stats"),
    b"sklearn": ("sklearn",),
    b"torch": ("torch",),
}
IMPORT = re.compile(rb"\b(?:from|import) (%s)\b" % b"|".join(LIBRARIES))
SAMPLE = 30  # submissions to look at


def imported(file: bytes) -> set[bytes]:
    """The libraries of the table that a file seems to import; the file is only searched, not read.

    >>> sorted(imported(b"import torch.nn, os; from sklearn import svm; import IPython.__main__"))
    [b'sklearn', b'torch']
    """
    return set(IMPORT.findall(file))


def common(files: Iterable[bytes]) -> tuple[str, ...]:
    """The modules to load for a class: those of the libraries that a third of these files import.

    >>> common([b"import torch", b"import torch", b"import sklearn", b""])
    ('torch',)
    """
    sample = list(map(imported, files))
    counts = Counter(name for names in sample for name in names)
    return tuple(
        module
        for name in LIBRARIES
        if 3 * counts[name] >= len(sample) > 0
        for module in LIBRARIES[name]
    )
