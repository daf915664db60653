"""The page for instructors, lived through: what it shows is what happens, from roster to grades.

The page is run from top to bottom in one folder. Its files are written there as they stand, its
commands are given, and what they print is compared line by line; `…` stands for anything.
"""

import argparse
import csv
import io
import json
import os
import re
import shlex
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from html.parser import HTMLParser

import pytest
from grading_hands import HANDS
from notebooks import COURSE

from firth.grading import command
from firth.grading.limits import ANSWER, DISK, FILES, MB, PROCESSES
from firth.grading.release import release
from firth.grading.release.handouts import handout
from firth.grading.results.feedback import TITLES
from firth.grading.results.standing import GRADED
from firth.grading.run.judging import IMPATIENCE
from firth.grading.run.plan import Plan

PAGE = COURSE / "reference" / "instructors.md"
EXERCISE = "01_lsa"


# The class


def functions(source):
    """The functions of a source, in their order, each by its name."""
    texts = re.findall(r"(?ms)^def \w+\(.*?(?=^\S|\Z)", source)
    return {re.match(r"def (\w+)", text)[1]: text.strip() for text in texts}


def published():
    """The answers of the solution notebook."""
    book = json.loads((COURSE / "solutions" / f"{EXERCISE}.ipynb").read_text("utf-8"))
    cells = ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]
    marked = [cell for cell in cells if "BEGIN SOLUTION" in cell]
    return re.sub(r"(?m)^ *# (BEGIN|END) SOLUTION$\n?", "", "\n\n\n".join(marked))


def rewritten(source, **changes):
    """A student's answers: somebody's, with other lines here and there."""
    answers = functions(source)
    for name, (old, new) in changes.items():
        assert answers[name].count(old) == 1, f"{name} holds {old!r} {answers[name].count(old)}×"
        answers[name] = answers[name].replace(old, new)
    return answers


def answers_of_the_class():
    """Who answers what, each in their own form of the questions."""
    found = {}
    found["ada"] = rewritten(HANDS["ada"], ppmi=("np.log(", "np.log10("))
    found["emmy"] = rewritten(
        HANDS["bob"],
        cooccurrence=("+= 1", "+= 1 / abs(i - j)"),
        ppmi=("np.log(", "np.log10("),
    )
    # Another logarithm than hers is asked of George, and his cosine is none.
    found["george"] = rewritten(HANDS["dora"], cosine=("lengths if lengths else 0.0", "1"))
    whole = rewritten(published(), cooccurrence=("+= 1", "+= 1 / abs(p - q)"))
    found["grace"] = {name: whole[name] for name in list(whole)[:4]}  # half-finished
    # Emmy's, with other names and remarks, and a loop without end of his own.
    copied = re.sub(r"\bwords_\b", "text", "\n\n\n".join(found["emmy"].values()))
    copied = re.sub(r"\bcounts\b", "table", copied).replace("# look both ways", "# left and right")
    found["alan"] = rewritten(
        copied, choose_k=("results = {}\n", "results = {}\n    while not results:\n        pass\n")
    )
    return found


WORDS = {
    "ada": "They never meet the same word, but tea has met the neighbours of both, which connects"
    " them. Two directions keep what many rows share. What is lost: tea and coffee can hardly"
    " be told apart. And a word with two senses still gets one vector, whatever k is.",
    "emmy": "The SVD removes the noise, and afterwards they are similar.",
    "alan": "After the SVD the noise is gone and so they are similar.",
}
NAMES = {
    "george": "boolegeorge_1001_9001",
    "carl": "gausscarl_1002_9002",
    "grace": "hoppergrace_LATE_1003_9003",
    "ada": "lovelaceada_1004_9004",
    "emmy": "noetheremmy_1005_9005",
    "alan": "turingalan_1006_9006",
}


def handed_in(student):
    """A student's notebook: the one they were given, with their answers in its blanks."""
    blank = json.loads((COURSE / "exercises" / f"{EXERCISE}.ipynb").read_text("utf-8"))
    book = handout(blank, EXERCISE, student)
    answers = answers_of_the_class().get(student, {})
    for cell in book["cells"]:
        source = "".join(cell["source"])
        for name, answer in answers.items():
            if source.startswith(f"def {name}("):
                cell["source"] = answer
        if "*Write your answer here.*" in source and student in WORDS:
            cell["source"] = source.replace("*Write your answer here.*", WORDS[student])
    return json.dumps(book, ensure_ascii=False).encode()


def class_of_six(folder):
    """What Canvas exports of a class of six, one of whom has sent half a file."""
    with zipfile.ZipFile(folder / "submissions.zip", "w") as export:
        for student, name in NAMES.items():
            data = handed_in(student)
            cut = len(data) // 2 if student == "carl" else len(data)
            export.writestr(f"{name}_{EXERCISE}.ipynb", data[:cut])


MINE = {
    "ada": "def farthest(vectors, i):\n"
    "    return min(range(len(vectors)), key=lambda j: cosine(vectors[i], vectors[j]))",
    "emmy": "def farthest(vectors, i):\n    return neighbours(vectors, i, 1)[0]",
}


def two_by_mail(folder):
    """Two who have answered a question of the instructor's own in a cell of their own."""
    (folder / "emailed").mkdir()
    for student, answer in MINE.items():
        book = json.loads(handed_in(student))
        book["cells"].append({**book["cells"][1], "id": "mine", "source": answer})
        path = folder / "emailed" / f"week 3 - {student}.ipynb"
        path.write_text(json.dumps(book, ensure_ascii=False), encoding="utf-8")


# The page


@dataclass(frozen=True)
class Fence:
    """A block of the page: its kind, its caption, and its lines."""

    kind: str
    caption: str
    text: str


def fences():
    """The blocks of the page, in their order."""
    found = re.findall(r"(?ms)^```(\S[^\n]*)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"))
    for kind, text in found:
        caption = re.match(r":caption: (.*)\n\n?", text)
        yield Fence(kind, caption[1] if caption else "", text[caption.end() if caption else 0 :])


def commands(fence):
    """Each command of a block, and what it prints there."""
    for part in re.split(r"(?m)^\$ ", fence.text)[1:]:
        yield re.split(r"(?<!\\)\n", part, maxsplit=1)  # a command may go on after a backslash


def fits(expected, said):
    """Whether a text is what the page shows of it; `…` stands for anything, alone for lines."""
    lines = [
        r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + r" *\n"
        for line in expected.splitlines()
    ]
    return re.fullmatch("".join(lines), said)


# What a terminal writes over again and again is not there in the end.
PASSING = re.compile(r"^(Grading: |Comparing |Reading the course).*\n", re.MULTILINE)


class Instructor:
    """Somebody with a folder and a shell, who has installed the course."""

    def __init__(self, folder, tools):
        self.folder, self.status = folder, 0
        tools.mkdir()
        for name, module in (("firth", " -m firth"), ("python", "")):
            tool = tools / name
            tool.write_text(f'#!/bin/sh\nexec "{sys.executable}"{module} "$@"\n')
            tool.chmod(0o755)
        path = f"{tools}{os.pathsep}{os.environ['PATH']}"
        self.environment = os.environ | {"PATH": path, "LC_ALL": "C.UTF-8"}

    def says(self, command):
        done = subprocess.run(
            ["bash", "-c", f"(exit {self.status}); {command}"],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.status = done.returncode
        return PASSING.sub("", done.stdout.removeprefix("\ufeff"))

    def fills_in(self, path, table):
        """Types a small table into the sheet of the same codes, as one does in a spreadsheet."""
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
        for given in csv.DictReader(io.StringIO(table)):
            (row,) = [row for row in rows if row["code"] == given["code"]]
            for name, value in given.items():
                (column,) = [c for c in row if c == name or c.startswith(f"{name}: ")]
                row[column] = value
        with path.open("w", encoding="utf-8-sig", newline="") as file:
            sheet = csv.DictWriter(file, rows[0])
            sheet.writeheader()
            sheet.writerows(rows)


class Shown(HTMLParser):
    """A page of HTML as a browser shows it, a line for each of its blocks."""

    BLOCKS = ("p", "li", "h1", "h2", "section", "ol", "ul", "main", "blockquote")

    def __init__(self, page):
        super().__init__()
        self.parts = []
        self.feed(page[page.index("<body>") :])
        lines = "".join(self.parts).splitlines()
        self.text = "".join(f"{' '.join(line.split())}\n" for line in lines if line.strip())

    def handle_starttag(self, tag, attributes):
        self.parts.append("\n" if tag in self.BLOCKS else " " * (tag == "span"))

    def handle_endtag(self, tag):
        self.handle_starttag(tag, [])

    def handle_data(self, data):
        self.parts.append(data.replace("\n", " "))


@pytest.mark.night
@pytest.mark.skipif(sys.platform != "linux", reason="Grading needs Linux.")
def test_a_term_goes_as_the_page_says(tmp_path):
    folder = tmp_path / "term"
    folder.mkdir()
    (folder / "course").symlink_to(COURSE)
    class_of_six(folder)
    two_by_mail(folder)
    instructor, grades = Instructor(folder, tmp_path / "tools"), folder / "grades"
    for fence in fences():
        path = folder / re.split("[:,] ", fence.caption)[0]
        if fence.kind == "console":
            for command, printed in commands(fence):
                if command.startswith("firth grade") and not grades.exists():
                    grades.mkdir()  # with another seed a wrong answer may be lucky once
                    (grades / "seed").write_text("the seed of this page")
                said = instructor.says(command)
                assert fits(printed, said), f"$ {command}\n{said}\nbut the page says\n{printed}"
        elif path.suffix == ".html":
            shown = Shown(path.read_text(encoding="utf-8")).text
            assert fits(fence.text, shown), shown
        elif path.name == "marking.csv":
            instructor.fills_in(path, fence.text)
        elif fence.caption:
            path.parent.mkdir(exist_ok=True)
            path.write_text(fence.text, encoding="utf-8")
    with (grades / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    # What the page tells of them in words.
    assert rows["turingalan"]["status"] == "partly graded, reader due"
    assert rows["hoppergrace"]["notes"] == "Handed in late."
    assert rows["gausscarl"]["status"] == "unreadable"
    assert "breaks off in the middle" in rows["gausscarl"]["notes"]


def test_what_cannot_be_run_here_is_little_and_rightly_spelt():
    others = [fence for fence in fences() if fence.kind != "console" and not fence.caption]
    assert {fence.kind for fence in others} == {"bash"} and len(others) <= 2
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    for line in "\n".join(fence.text for fence in others).splitlines():
        if line.startswith("firth grade "):
            parser.parse_args(shlex.split(line, comments=True)[2:])


# What the page says of the code


def options(module):
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    return {name for action in parser._actions for name in action.option_strings}


def test_the_page_names_options_that_there_are_and_all_of_those_for_grading():
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE.read_text(encoding="utf-8")))
    assert named <= options(command) | options(release) | {"--nthreads"}
    assert options(command) - named <= {"-h", "--help"}


def table(heading):
    """The first column of a table of the page, found by its heading."""
    (found,) = re.findall(
        rf"(?m)^{re.escape(heading)}\n\|[-|]+\n((?:\|.*\n)+)", PAGE.read_text(encoding="utf-8")
    )
    return {row.split("|")[1].strip(): row for row in found.splitlines()}


def test_the_statuses_of_the_page_are_those_of_the_grader():
    assert set(table("| status | what happened | what to do |")) == {*GRADED, *TITLES}
    source = "".join(
        (COURSE / "firth" / "grading" / name).read_text("utf-8")
        for name in ("supervisor/remote.py", "run/grade.py")
    )
    given = set(re.findall(r'stopped\(\s*"([a-z ]+)"', source)) | {"died"}
    assert set(table("| status | what happened |")) == given
    assert f"at most {IMPATIENCE:g}" == "at most 2" and "at most two" in PAGE.read_text("utf-8")


WALLS = {
    "network": ["there_is_no_network", "sockets_of_others_cannot_be_reached_by_name"],
    "files": [
        "nothing_of_the_machine_can_be_read",
        "nothing_can_be_written_outside",
        "a_sandbox_does_not_show_the_solutions",
    ],
    "disk": [
        "its_own_folder_can_be_written_and_is_empty_for_the_next",
        "a_file_cannot_be_larger_than_agreed",
    ],
    "memory": [
        "memory_is_counted_for_all_processes_together",
        "one_process_cannot_take_more_than_its_memory",
    ],
    "processes": [
        "the_number_of_processes_is_limited",
        "processes_outside_are_not_seen_or_signalled",
        "nobody_outlives_a_submission",
    ],
    "time": ["many_slow_cells_do_not_take_all_day"],
    "answers": ["whatever_is_returned_is_answered_alike"],
}


def test_each_wall_of_the_page_is_held_by_a_test_and_as_high_as_it_says():
    rows = table("| as to | it can | it cannot |")
    assert list(rows) == list(WALLS)
    tests = "".join(
        path.read_text("utf-8") for path in (COURSE / "tests/grading").glob("test_*.py")
    )
    assert not [n for names in WALLS.values() for n in names if f"def test_{n}(" not in tests]
    assert f" {DISK} MB and {FILES:,} files " in rows["disk"]
    assert f" start {PROCESSES} " in rows["processes"]
    assert f"up to {ANSWER // MB} MB " in rows["answers"]
    plan = Plan(EXERCISE, b"")
    assert f"MB, {plan.memory} by default" in PAGE.read_text("utf-8") and plan.timeout == 10
