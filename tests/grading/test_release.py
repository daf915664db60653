"""What students are given: a course that reads, runs and builds, and holds no solution."""

import argparse
import csv
import json
import os
import re
import shutil
import subprocess
import sys
from urllib.parse import unquote

import nbformat
import pytest
from answers import SOLUTIONS, code
from notebooks import COURSE
from pdf import contents
from tree import copy_of_course

from firth.checks.variants import variant_of
from firth.grading.release import release as command
from firth.grading.release.clone import NEEDED, within
from firth.grading.release.handouts import (
    FORMS,
    Refused,
    exercises_of,
    folder,
    id_columns,
    owner,
    owners,
    roster,
)
from firth.grading.release.leaks import leaks, secrets
from firth.grading.release.pages import bare, page
from firth.grading.release.release import release

CHAPTERS = [path.stem for path in SOLUTIONS]
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:href|src)=\"([^\"]+)\"")


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return copy_of_course(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="module")
def released(course, tmp_path_factory):
    out = tmp_path_factory.mktemp("released") / "student"
    said = release(course, out)
    return out, said


@pytest.fixture
def small(tmp_path):
    """A course of a few files, to change and to break."""
    root = tmp_path / "course"
    pages = {
        "_toc.yml": "root: index\nchapters:\n  - file: exercises/01_lsa\n",
        "pyproject.toml": '[project.urls]\nRepository = "https://github.com/a/b"\n',
        "firth/__init__.py": '"""The package."""\n',
        "index.md": "# Small\n\n[Exercise](exercises/01_lsa.ipynb), see [two](exercises/02.ipynb).",
        ".gitignore": "_build/\n.venv*/\n*.egg-info/\n",
        "grades/ada.json": "{}",
        "firth/_build/old.py": "x = 1\n",
        "solutions/slides.md": "",
        "exercises/data.txt": "1 2 3",
    }
    for name, text in pages.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    for kind in ("exercises", "solutions"):
        shutil.copy(COURSE / kind / "01_lsa.ipynb", root / kind / "01_lsa.ipynb")
    shutil.copy(COURSE / "exercises" / "01_lsa.ipynb", root / "exercises" / "02.ipynb")
    return root


def listed(tree):
    return {path.relative_to(tree).as_posix() for path in tree.rglob("*") if path.is_file()}


def sheet(path, *lines, encoding="utf-8"):
    path.write_bytes("\n".join(lines).encode(encoding))
    return path


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def git(root, *arguments):
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


# --- no solution -----------------------------------------------------------------------------


def test_the_students_repository_has_no_solutions_and_no_tests(released):
    out, _ = released
    names = listed(out)
    assert not [name for name in names if name.startswith(("solutions/", "tests/", "conftest"))]
    for path in (out / name for name in names):
        assert b"BEGIN SOLUTION" not in path.read_bytes(), path
    assert {f"exercises/{name}.ipynb" for name in CHAPTERS} <= names
    assert {f"chapters/{name}.ipynb" for name in CHAPTERS} <= names
    assert {
        "README.md",
        "_toc.yml",
        "index.md",
        "pyproject.toml",
        "firth/checks/lsa/counts.py",
    } <= names


def test_everything_that_students_need_is_there_under_its_name(released):
    names = listed(released[0])
    assert not [pattern for pattern in NEEDED if not any(within(n, [pattern]) for n in names)]


def test_the_search_knows_every_answer_of_every_solution():
    bodies, words = secrets(COURSE / "solutions")
    marks = sum(cell.count("# BEGIN SOLUTION") for path in SOLUTIONS for cell in code(path))
    assert len(bodies) == marks > 0
    assert len(words) >= 2


def solution_of(function):
    for path in SOLUTIONS:
        for cell in code(path):
            if f"def {function}(" in cell:
                return cell
    raise AssertionError(function)


UNMARKED = re.sub(r" *# (BEGIN|END) SOLUTION\n?", "", solution_of("ppmi"))
ONE_LINE = re.sub(r" *# (BEGIN|END) SOLUTION\n?", "", solution_of("fold_in"))
PROSE = next(p for p in secrets(COURSE / "solutions")[1] if p.startswith("The price is detail"))


@pytest.mark.parametrize(
    "name, text, told",
    [
        ("chapters/notes.md", "# BEGIN SOLUTION", "a mark"),
        ("firth/old.py", UNMARKED, "ppmi"),
        ("firth/old.py", UNMARKED.replace("ppmi", "weigh").replace("  #", "   # why"), "ppmi"),
        ("reference/words.md", "# Answer\n\n" + PROSE.replace(" ", "\n", 9), "The price is detail"),
    ],
)
def test_a_solution_that_has_slipped_in_stops_the_release(small, tmp_path, name, text, told):
    (small / name).parent.mkdir(exist_ok=True)
    (small / name).write_text(text, encoding="utf-8")
    with pytest.raises(Refused, match="Nothing is released") as problem:
        release(small, tmp_path / "out")
    assert name in str(problem.value) and told in str(problem.value)
    assert not (tmp_path / "out").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["course"]


def test_a_solution_of_one_line_may_stand_in_the_package_and_in_no_notebook(small, tmp_path):
    (small / "firth" / "old.py").write_text(ONE_LINE, encoding="utf-8")
    assert release(small, tmp_path / "out").files
    path = small / "exercises" / "01_lsa.ipynb"
    notebook = nbformat.read(path, 4)
    next(c for c in notebook.cells if "def fold_in" in c.source).source = ONE_LINE
    nbformat.write(notebook, path)
    with pytest.raises(Refused, match="fold_in"):
        release(small, tmp_path / "other")


def test_a_written_answer_in_what_a_cell_has_shown_is_found(small, tmp_path):
    path = small / "exercises" / "01_lsa.ipynb"
    notebook = nbformat.read(path, 4)
    cell = next(cell for cell in notebook.cells if cell.cell_type == "code")
    cell.outputs = [nbformat.v4.new_output("stream", text=PROSE)]
    nbformat.write(notebook, path)
    with pytest.raises(Refused, match="The price is detail"):
        release(small, tmp_path / "out")


def test_the_solutions_themselves_would_be_found(tmp_path):
    shutil.copytree(COURSE / "solutions", tmp_path / "solutions")
    assert leaks(tmp_path, COURSE / "solutions")


# --- nothing dangles -------------------------------------------------------------------------


def links(path):
    """What a page links to, within the repository."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        text = "\n".join("".join(c["source"]) for c in json.loads(text)["cells"])
    for match in LINK.finditer(text):
        target = unquote((match[1] or match[2]).partition("#")[0])
        if target and not re.match(r"[a-z]+:|\{", target):
            yield target


def test_every_link_of_a_page_leads_to_a_file(released):
    out, _ = released
    pages = [*out.glob("*.md"), *out.glob("*/*.md"), *out.glob("*/*.ipynb")]
    targets = [(path, target) for path in pages for target in links(path)]
    assert len(targets) > 10
    assert not [(path, t) for path, t in targets if not (path.parent / t).exists()]


def test_the_contents_list_the_pages_that_there_are(released):
    out, _ = released
    text = (out / "_toc.yml").read_text(encoding="utf-8")
    pages = contents(out)
    assert all(list(out.glob(f"{name}.*")) for name in pages)
    assert len(pages) == text.count("- file:") + 1 > 5 and "reference/instructors" not in pages


def test_what_was_left_out_is_said_and_the_heading_goes_with_it(released):
    out, said = released
    changes = "\n".join(said.changes)
    assert "index.md: left out: [For instructors]" in changes
    index = (out / "index.md").read_text(encoding="utf-8")
    assert "If you teach" not in index and "## How a chapter goes" in index
    assert "solutions/" not in (out / "reference" / "timings.md").read_text(encoding="utf-8")
    readme = (out / "README.md").read_text(encoding="utf-8")
    assert "## Read, run, hand in" in readme and "CONTRIBUTING" not in readme
    assert readme.startswith("# The Company Words Keep") and readme.count("## Licences") == 1


def test_make_has_the_commands_that_work(released):
    out, _ = released
    listing = subprocess.run(["make"], cwd=out, capture_output=True, text=True, check=True).stdout
    assert "serve" in listing and "book" in listing
    for word in ("test", "bench", "exercises", "vendor"):
        assert f"{word} " not in listing
    assert "TEST" not in (out / "Makefile").read_text(encoding="utf-8")


def test_a_page_of_an_exercise_links_to_no_solution(released):
    out, _ = released
    assert "solution.exists()" in (out / "site" / "course.py").read_text(encoding="utf-8")


def test_an_exercise_that_is_not_released_is_no_longer_linked(small, tmp_path):
    said = release(small, tmp_path / "out", ["01_lsa"])
    names = listed(tmp_path / "out")
    assert "exercises/01_lsa.ipynb" in names and "exercises/02.ipynb" not in names
    text = (tmp_path / "out" / "index.md").read_text()
    assert text.endswith("[Exercise](exercises/01_lsa.ipynb), see two.")
    assert any("exercises/02.ipynb is not released" in change for change in said.changes)


def test_a_sentence_for_teachers_goes_and_its_neighbours_stay():
    text = "# A\n\nOne. Teachers: see [here](t.md). Two.\n\n## B\n\n[T](t.md).\n"
    new, said = page(text, "index.md", {"t.md"}, set())
    assert new == "# A\n\nOne. Two.\n\n" and len(said) == 2
    assert page(text, "index.md", {"t.md"}, {"t.md"}) == (text, [])
    assert bare("# A\n\n## B\n\nx\n") == "# A\n\n## B\n\nx\n"


def test_the_package_of_the_repository_works_without_the_course(released, tmp_path):
    out, _ = released
    script = "from firth.checks import check, questions; print(len(questions()))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"PYTHONPATH": str(out)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and int(done.stdout) >= 9, done.stderr


@pytest.mark.night
def test_the_book_builds_from_the_students_repository(released, tmp_path):
    out, _ = released
    pytest.importorskip("jupyter_book")
    shutil.copytree(out, tmp_path / "student")
    tool = [sys.executable, tmp_path / "student" / "tools" / "book.py"]
    done = subprocess.run(tool, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for name in CHAPTERS:
        html = tmp_path / "student" / "_build" / "html" / "exercises" / f"{name}.html"
        assert "/solutions/" not in html.read_text(encoding="utf-8")


# --- what is copied from where ---------------------------------------------------------------


def test_only_what_students_need_is_copied(small, tmp_path):
    release(small, tmp_path / "out")
    names = listed(tmp_path / "out")
    assert "firth/__init__.py" in names
    assert not [n for n in names if "grades" in n or "_build" in n or "solutions" in n]


def test_what_git_does_not_know_stays_and_is_named(small, tmp_path):
    git(small, "init")
    git(small, "add", "--all")
    git(small, "commit", "-m", "course")
    (small / "chapters").mkdir()
    (small / "chapters" / "draft.md").write_text("# Draft")
    (small / "index.md").unlink()  # still in git
    said = release(small, tmp_path / "out")
    names = listed(tmp_path / "out")
    assert "chapters/draft.md" not in names and "index.md" not in names
    assert "firth/__init__.py" in names
    assert "chapters/draft.md is left out: git does not know it (git add)." in said.changes


@pytest.mark.parametrize("missing", ["solutions", "_toc.yml", "firth"])
def test_a_folder_that_is_no_clone_is_refused_in_a_sentence(small, tmp_path, missing):
    shutil.move(small / missing, tmp_path / "elsewhere")
    with pytest.raises(Refused, match="is not a clone of the course"):
        release(small, tmp_path / "out")


def test_an_unknown_exercise_is_refused_with_those_that_there_are(small, tmp_path):
    with pytest.raises(Refused, match=r"no exercise '03': there is 01_lsa, 02\."):
        release(small, tmp_path / "out", ["03"])


@pytest.mark.night
def test_the_address_of_the_students_repository_is_stamped(released, course, tmp_path):
    url = "https://github.com/school/course-2027"
    release(course, tmp_path / "out", url=url)
    text = (tmp_path / "out" / "exercises" / f"{CHAPTERS[0]}.ipynb").read_text(encoding="utf-8")
    old, new = released[0] / "pyproject.toml", tmp_path / "out" / "pyproject.toml"
    assert url in text and url in new.read_text() and url not in old.read_text()
    with pytest.raises(Refused, match="is not the address of a GitHub repository"):
        release(course, tmp_path / "other", url="https://example.org/x")


# --- where it is written ---------------------------------------------------------------------


def test_a_folder_that_holds_something_is_left_alone(small, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "thesis.md").write_text("years of work")
    for force in (False, True):
        with pytest.raises(Refused, match=r"is not (empty|an earlier release)"):
            release(small, out, force=force)
    assert listed(out) == {"thesis.md"}
    with pytest.raises(Refused, match="is a file"):
        release(small, out / "thesis.md")
    with pytest.raises(Refused, match="is not an earlier release"):
        release(small, shutil.copytree(small, tmp_path / "clone"), force=True)
    for place in (small, small / "firth" / "out", tmp_path):
        with pytest.raises(Refused, match="belongs to the course"):
            release(small, place, force=True)


def test_an_earlier_release_is_renewed_and_keeps_what_was_added(small, tmp_path):
    out = tmp_path / "out"
    release(small, out)
    git(out, "init")
    (out / "syllabus.md").write_text("Mondays")
    (out / "exercises" / "old.ipynb").write_text("{}")
    with pytest.raises(Refused, match="add --force"):
        release(small, out)
    (small / "firth" / "new.py").write_text("y = 2\n")
    release(small, out, force=True)
    names = listed(out)
    assert {"syllabus.md", ".git/HEAD", "firth/new.py"} <= names
    assert "exercises/old.ipynb" not in names
    assert sorted(path.name for path in tmp_path.iterdir()) == ["course", "out"]


def test_an_interrupted_release_leaves_nothing(small, tmp_path, monkeypatch):
    def killed(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "leaks", killed)
    with pytest.raises(KeyboardInterrupt):
        release(small, tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["course"]


def test_a_release_that_cannot_take_its_place_leaves_the_last_one(small, tmp_path, monkeypatch):
    out = tmp_path / "out"
    release(small, out)
    (out / "syllabus.md").write_text("Mondays")
    before, replace = listed(out), os.replace

    def full(source, target):
        if source.name == "tree":
            raise OSError("no space left")
        replace(source, target)

    monkeypatch.setattr(command.os, "replace", full)
    with pytest.raises(OSError, match="no space"):
        release(small, out, force=True)
    assert listed(out) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["course", "out"]


# --- a roster and its notebooks --------------------------------------------------------------

CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Lab (12)",
    "    Points Possible,,,,,10",
    '"Lovelace, Ada",17,s1,ada,A,3',
    '"Noether, Emmy",18,s2,emmy,A,17',
    '"Student, Test",99,,,A,',
)
MOODLE = (
    "Identifier,Full name,Email address,Status,Grade",
    "Participant 501,Ada Lovelace,ada@example.org,Submitted,",
    "Participant 502,Emmy Noether,emmy@example.org,Submitted,",
)


@pytest.fixture(scope="module")
def handed_out(course, tmp_path_factory):
    place = tmp_path_factory.mktemp("class")
    students = sheet(place / "roster.csv", *CANVAS)
    said = release(course, place / "student", students=students)
    return place, said


def test_each_student_gets_a_notebook_in_their_own_form(handed_out):
    place, said = handed_out
    sheets = place / "student-handouts"
    assert said.students == 2
    assert listed(sheets) == {
        FORMS,
        *(f"{student}/{name}.ipynb" for student in ("ada", "emmy") for name in CHAPTERS),
    }
    for student, name in ((s, n) for s in ("ada", "emmy") for n in CHAPTERS):
        notebook = nbformat.read(sheets / student / f"{name}.ipynb", 4)
        nbformat.validate(notebook)
        text = "\n".join(cell.source for cell in notebook.cells)
        assert f'whose("{student}")' in text
        for exercise in exercises_of(name):
            for passage in variant_of(exercise, student).passages:
                assert passage in text
        assert not [cell for cell in notebook.cells if cell.get("outputs")]
    assert not [name for name in listed(place / "student") if "ada" in name.split("/")]


def test_the_instructor_learns_who_has_which(handed_out):
    rows = rows_of(handed_out[0] / "student-handouts" / FORMS)
    assert [row["student"] for row in rows] == ["ada", "emmy"]
    for row in rows:
        for exercise in (item for name in CHAPTERS for item in exercises_of(name) if item.forms):
            assert row[exercise.name] == variant_of(exercise, row["student"]).form


def test_a_submission_leads_back_to_the_roster(handed_out, tmp_path, course):
    known = owners(handed_out[0] / "student-handouts" / FORMS)
    assert owner(known, "lovelaceada", {}) == owner(known, "x", {"canvas": "17"}) == "ada"
    assert owner(known, "ADA ", {}) == "ada" and owner(known, "alan", {"canvas": "7"}) == ""
    assert owner(known, "3", {}) == ""  # a grade is nobody's name
    students = sheet(tmp_path / "roster.csv", *MOODLE)
    release(course, tmp_path / "out", students=students)
    known = owners(tmp_path / "out-handouts" / FORMS)
    assert owner(known, "Ada Lovelace", {"moodle": "501"}) == "ada@example.org"
    assert owner(known, "somebody", {"moodle": "502"}) == "emmy@example.org"
    with pytest.raises(Refused, match="was not written by firth release"):
        owners(students)


def test_a_name_of_two_students_is_neithers(tmp_path):
    path = sheet(tmp_path / FORMS, "student,folder,roster: Full name", "a,a,Kim Lee", "b,b,Kim Lee")
    assert owners(path) == {"a": "a", "b": "b"}


@pytest.mark.parametrize(
    "lines, column, ids",
    [
        (["student", "ada", "emmy"], "student", ["ada", "emmy"]),
        (["Name;Login", "Ada;ada", "Emmy;emmy"], "Login", ["ada", "emmy"]),
        (["ID\tname", "007\tAda"], "ID", ["007"]),
        (["name,E-Mail", "Ada,a@b.c"], "E-Mail", ["a@b.c"]),
        (['student,"note"', 'ada,"two\nlines"', ",", "emmy,"], "student", ["ada", "emmy"]),
        (CANVAS, "SIS Login ID", ["ada", "emmy"]),
        (["Student,ID,SIS User ID,SIS Login ID", "A,1,,", "B,2,,"], "ID", ["1", "2"]),
        (MOODLE, "Email address", ["ada@example.org", "emmy@example.org"]),
        (["First name,ID number,Email address", "Ada,,a@b.c"], "Email address", ["a@b.c"]),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_roster_is_read_as_platforms_and_spreadsheets_write_it(
    tmp_path, lines, column, ids, encoding
):
    found = roster(sheet(tmp_path / "roster.csv", *lines, encoding=encoding))
    assert (found.column, list(found.rows)) == (column, ids)


@pytest.mark.parametrize(
    "lines, sentence",
    [
        (["student", "ada", "emmy", "Ada"], "'Ada' stands in line 2 and in line 4"),
        (["student", "\u00c5sa", "A\u030asa"], "stands in line 2 and in line 3"),
        (["student,name", "ada,Ada", ",Emmy"], "line 3: student is empty"),
        (["surname,given", "Lovelace,Ada"], "no column that is a student's id"),
        (["student"], "lists nobody"),
        ([""], "no column that is a student's id (it has none)"),
    ],
)
def test_a_roster_with_a_fault_is_refused_in_a_sentence(tmp_path, lines, sentence):
    with pytest.raises(Refused, match=re.escape(sentence)):
        roster(sheet(tmp_path / "roster.csv", *lines))


def test_a_column_may_be_named(tmp_path):
    path = sheet(tmp_path / "roster.csv", "student,matriculation", "ada,77")
    assert list(roster(path, "matriculation").rows) == ["77"]
    with pytest.raises(Refused, match="no column 'id': it has student, matriculation"):
        roster(path, "id")
    assert id_columns(["x"]) == []


def test_a_file_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "roster.csv").write_bytes(b"student\n\xff\xe9\n")
    with pytest.raises(Refused, match="save it once more"):
        roster(tmp_path / "roster.csv")
    with pytest.raises(Refused, match="which file is it"):
        roster(tmp_path / "nothing.csv")


@pytest.mark.parametrize(
    "name", ["../../etc", "a/b", ".", "..", "", "a" * 300, "x\0y", "C:\\x", "‮"]
)
def test_no_id_leads_out_of_the_folder(name, tmp_path):
    place = (tmp_path / folder(name)).resolve()
    assert place.parent == tmp_path.resolve()
    place.mkdir()


def test_an_id_in_quotes_of_its_own_stays_text(small, tmp_path):
    name = 'a"); print("caught'
    students = sheet(tmp_path / "roster.csv", "student", '"' + name.replace('"', '""') + '"')
    release(small, tmp_path / "out", ["01_lsa"], students)
    place = tmp_path / "out-handouts" / folder(name)
    cells = nbformat.read(place / "01_lsa.ipynb", 4).cells
    line = next(cell.source for cell in cells if "whose(" in cell.source).splitlines()[-1]
    assert eval(line, {"whose": str}) == name


def test_handouts_lie_outside_the_students_repository(small, tmp_path):
    students = sheet(tmp_path / "roster.csv", "student", "ada")
    with pytest.raises(Refused, match="is for the instructor"):
        release(small, tmp_path / "out", (), students, tmp_path / "out" / "handouts")


def test_handouts_are_renewed_when_somebody_joins(small, tmp_path):
    students = sheet(tmp_path / "roster.csv", "student", "ada")
    release(small, tmp_path / "out", ["01_lsa"], students)
    path = tmp_path / "out-handouts" / "ada" / "01_lsa.ipynb"
    before = path.read_bytes()
    sheet(students, "student", "emmy", "ada")
    release(small, tmp_path / "out", ["01_lsa"], students, force=True)
    assert path.read_bytes() == before
    assert (tmp_path / "out-handouts" / "emmy").is_dir()


def test_a_notebook_that_no_longer_says_what_a_form_replaces_is_not_handed_out(small, tmp_path):
    path = small / "exercises" / "01_lsa.ipynb"
    path.write_text(path.read_text("utf-8").replace("**natural**", "usual"), encoding="utf-8")
    students = sheet(tmp_path / "roster.csv", "student", "ada")
    with pytest.raises(Refused, match=r"exercises/01_lsa.ipynb: .*0 times instead of once"):
        release(small, tmp_path / "out", ["01_lsa"], students)
    assert not (tmp_path / "out").exists()


# --- the command -----------------------------------------------------------------------------


def run(*arguments):
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.main(parser.parse_args([str(argument) for argument in arguments]))


def test_the_command_says_what_it_wrote_and_what_was_wrong(small, tmp_path, capsys):
    students = sheet(tmp_path / "roster.csv", "student", "ada", "emmy")
    out = tmp_path / "out"
    asked = ["--course", small, "--out", out, "--exercise", "01_lsa", "--students", students]
    assert run(*asked) == 0
    said = capsys.readouterr()
    assert "files, no solutions." in said.out and "notebooks for 2 students" in said.out
    assert run(*asked) == 2
    assert "is not empty" in capsys.readouterr().err
    assert run(*asked, "--force") == 0
