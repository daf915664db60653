"""A class through otter's documented interface: one process, and the kernels that it starts.

`python -m benchmarks.grading_otter FOLDER` grades FOLDER/submissions by FOLDER/autograder.zip, and
writes what became of each claim to FOLDER/otter-grader.json. Otter's command would start anew for
each notebook, its containers for each as well.
"""

import json
import sys
from pathlib import Path

from otter.api import grade_submission

if __name__ == "__main__":
    folder, said = Path(sys.argv[1]), {}
    for path in sorted((folder / "submissions").glob("*.ipynb")):
        results = grade_submission(str(path), str(folder / "autograder.zip"), quiet=True)
        cases = [case for test in results.results.values() for case in test.test_case_results]
        said[path.stem] = {case.test_case.name: case.passed for case in cases}
    (folder / "otter-grader.json").write_text(json.dumps(said), encoding="utf-8")
