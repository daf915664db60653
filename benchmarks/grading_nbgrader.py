"""What nbgrader's gradebook says of a class, claim by claim.

`python -m benchmarks.grading_nbgrader FOLDER EXERCISE` writes it to FOLDER/nbgrader.json.
"""

import json
import sys
from pathlib import Path

from nbgrader.api import Gradebook

if __name__ == "__main__":
    folder, exercise = Path(sys.argv[1]), sys.argv[2]
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as book:
        said = {
            submission.student.id: {
                grade.name: grade.auto_score == 1
                for notebook in submission.notebooks
                for grade in notebook.grades
            }
            for submission in book.assignment_submissions(exercise)
        }
    (folder / "nbgrader.json").write_text(json.dumps(said), encoding="utf-8")
