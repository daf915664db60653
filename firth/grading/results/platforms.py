"""The tables that Canvas and Moodle read, and the results.json of Gradescope.

Gradescope's has the form of https://gradescope-autograders.readthedocs.io/en/latest/specs/, which
asks for a score of the whole unless each test has one. It was never tried on the platform.
"""

from html import escape

from firth.grading.results.cells import harmless
from firth.grading.results.overrides import sentences
from firth.grading.results.record import key
from firth.grading.results.standing import GRADED, standing

CANVAS = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
MOODLE = ["Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade"]
MOODLE += ["Grade can be changed", "Last modified (submission)", "Last modified (grade)"]
MOODLE += ["Feedback comments"]
SET = "Your teacher has set this to {0.points} points: {0.reason}"


def named(record: dict) -> str:
    return (record.get("ids") or {}).get("name") or record["student"]


def canvas(groups: dict[str, list[dict]], marks: dict, assignment: str) -> list[list]:
    """canvas.csv: Canvas finds a student by ID, and the assignment by its title, best with its id.

    Canvas takes any row whose first cell holds “Points Possible” for the one that sets them.
    """
    possible = max(standing(records[0], marks).possible for records in groups.values())
    rows = [[*CANVAS, assignment], ["    Points Possible", "", "", "", "", possible]]
    for user, (record, *_) in groups.items():
        ids = record["ids"]
        name = harmless(named(record)).replace("Points Possible", "Points-Possible")
        row = [name, user, ids.get("sid", ""), ids.get("login", ""), ids.get("section", "")]
        rows.append([*row, to_hand_over(record, marks)])
    return rows


def to_hand_over(record: dict, marks: dict) -> float | int | str:
    """The points that a platform gets: none, "", while a written answer waits for a reader."""
    found = standing(record, marks)
    return "" if found.due else found.points


def moodle(groups: dict[str, list[dict]], marks: dict, since: str) -> list[list]:
    """moodle.csv: Moodle's worksheet; it leaves alone what was changed there after this date."""
    possible = max(standing(records[0], marks).possible for records in groups.values())
    rows = [MOODLE]
    for user, (record, *_) in groups.items():
        lines = [f"{a['name']}: {a['score']} of {a['points']}" for a in record["answers"]]
        for name, mark in marks.get(key(record["student"], record["file"]), {}).items():
            points = f"{mark.points} of {len(mark.lines)}" if mark.complete else "not marked yet"
            lines.append(f"{name}: {points}. {mark.comment}".strip())
        lines += sentences(record)
        comment = "<br>".join(escape(harmless(line)).replace("\n", "<br>") for line in lines)
        when = max(since, record.get("graded_at", ""))
        row = [f"Participant {user}", named(record), record["ids"].get("email", "")]
        row += ["Submitted for grading", to_hand_over(record, marks), possible, "Yes", "", when]
        rows.append([*row, comment])
    return rows


def gradescope(record: dict, marks: dict) -> dict:
    """results.json of one submission: the claims, and a rubric's lines once marked.

    Gradescope adds up the tests unless there is a score of the whole, so there always is one.
    """
    tests = []
    for answer in record["answers"]:
        for n, claim in enumerate(answer["claims"], start=1):
            test = {"name": f"{answer['name']}.{n}: {claim['claim']}", "score": claim["score"]}
            output = claim["message"]
            if correction := claim.get("correction"):
                output = f"{output}\n{SET.format(correction)}".strip()
            test |= {"max_score": claim["points"], "output": harmless(output)}
            tests.append(test | {"status": "passed" if claim["holds"] else "failed"})
        if correction := answer.get("correction"):
            output = harmless(SET.format(correction))
            tests.append({"name": f"{answer['name']}: set by your teacher", "output": output})
    for name, mark in marks.get(key(record["student"], record["file"]), {}).items():
        for n, (line, given) in enumerate(mark.lines, start=1):
            test = {"name": f"{name}.{n}: {line}", "output": ""}
            tests.append(test if given is None else test | {"score": given, "max_score": 1})
        if mark.correction:
            output = harmless(SET.format(mark.correction))
            tests.append({"name": f"{name}: set by your teacher", "output": output})
        tests += [{"name": f"{name}: the reader says", "output": mark.comment}] * bool(mark.comment)
    result = {
        "output": harmless("\n".join(record["notes"])),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "stdout_visibility": "hidden",
        "tests": [test | {"visibility": "visible", "output_format": "text"} for test in tests],
    }
    if record["status"] in GRADED:
        result["score"] = standing(record, marks).points
    return result
