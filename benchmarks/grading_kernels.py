"""The class executed and not graded: a Jupyter kernel for each notebook, which is what others do.

`python -m benchmarks.grading_kernels FOLDER` runs FOLDER/submissions by nbclient. What grades in a
kernel cannot cost less than this.
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

if __name__ == "__main__":
    for path in sorted((Path(sys.argv[1]) / "submissions").glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        NotebookClient(notebook, timeout=60, allow_errors=True, kernel_name="python3").execute()
