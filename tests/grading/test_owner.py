"""Whose a hand-in is, is never the student's to say, whatever the student names or packs."""

import io
import shutil
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firth.grading.inbox.students import people
from firth.grading.inbox.submissions import METADATA, NothingFound, submissions
from tests.grading.test_command import RIGHT, WRONG, class_of_three, grade, notebook, records, rows
from tests.grading.test_submissions import packed

__all__ = ["class_of_three"]
BLANK = notebook("def double(x):\n    raise NotImplementedError")


def zipped(files):
    """An archive of texts, bytes and archives, in this order."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, zipped(content) if isinstance(content, dict) else content)
    return held.getvalue()


def laid(folder, files):
    """The same, as a folder in which the archives are files."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = zipped(content) if isinstance(content, dict) else content
        path.write_bytes(data.encode() if isinstance(data, str) else data)
    return folder


def owners(found):
    """The bytes of each file that counts, by what tells its owner from all others."""
    whose = {}
    for each in found:
        who = next((each.ids[k] for k in ("canvas", "moodle", "sid") if each.ids.get(k)), "")
        whose.setdefault(who or each.student, []).append("" if each.refused else each.data())
    return whose


# What a student may call a file, put into a folder, or pack: all that ever meant somebody.
FORGED = (
    "ada_1001_99999_01_lsa.ipynb",
    "LATE_anon_1001_99999_01_lsa.ipynb",
    "Ada Lovelace_1001_assignsubmission_file_01_lsa.ipynb",
    "Ada Lovelace_1001_assignsubmission_file_/01_lsa.ipynb",
    "submission_1001/01_lsa.ipynb",
    "submission_1001.ipynb",
    "assignment_7_export/submission_1001/01_lsa.ipynb",
    "submitted/1001/01_lsa/01_lsa.ipynb",
    "1001/01_lsa.ipynb",
    "1001.ipynb",
    "01_lsa/1001.ipynb",
    "\u0661\u0660\u0660\u0661_1001_99999_01_lsa.ipynb",  # digits that are not ours
)
FORGERIES = st.dictionaries(
    st.lists(
        st.sampled_from(
            (*FORGED, METADATA, "submissions.zip", "export", "01_lsa (1)", "__MACOSX", "..", "x")
        ),
        min_size=1,
        max_size=3,
    ).map("/".join),
    st.just("forged"),
    min_size=1,
    max_size=3,
)
UPLOADS = ("loose", "work.zip", "submissions.zip", "1001.zip")
YAML = "submission_{0}:\n  :submitters:\n  - :name: {1}\n    :sid: '{0}'\n"
HONEST = YAML.format(1001, "Ada") + YAML.format(66, "Mallory")
FORGERY = YAML.format(66, "Ada").replace("'66'", "'1001'") + YAML.format(1001, "Eve")
# How each platform hands out what two students have uploaded: a file, or folders and archives.
EXPORTS = {
    "canvas": ("ada_1001_5_01_lsa.ipynb", "mallory_66_9_{}", None),
    "moodle": (
        "Ada Lovelace_1001_assignsubmission_file_/01_lsa.ipynb",
        "Mallory Eve_66_assignsubmission_file_/{}",
        None,
    ),
    "moodle without folders": (
        "Ada Lovelace_1001_assignsubmission_file_01_lsa.ipynb",
        "Mallory Eve_66_assignsubmission_file_{}",
        None,
    ),
    "gradescope": ("x_export/submission_1001/01_lsa.ipynb", "x_export/submission_66/{}", HONEST),
    "folders": ("1001/01_lsa.ipynb", "66/{}", None),
    "nbgrader": ("submitted/1001/01_lsa/01_lsa.ipynb", "submitted/66/01_lsa/{}", None),
}


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "archive"])
@pytest.mark.parametrize("kind", EXPORTS)
@given(
    forged=FORGERIES, upload=st.sampled_from(("loose", "work.zip", "submissions.zip", "1001.zip"))
)
def test_no_name_in_a_submission_makes_it_anybody_elses(
    kind, packed, forged, upload, tmp_path_factory
):
    honest, theirs, yaml = EXPORTS[kind]
    flat = kind in ("canvas", "moodle without folders")  # where folders have to be packed
    files = {honest: "honest"}
    if upload == "loose":
        files |= {
            theirs.format(name.replace("/", "-") if flat else name): "forged" for name in forged
        }
    else:
        files[theirs.format(upload)] = forged
    if yaml:
        files |= {f"x_export/{METADATA}": yaml}
    if yaml and upload == "loose":
        files[theirs.format(METADATA)] = FORGERY
    root = tmp_path_factory.mktemp("class")
    if packed:
        (root / "all.zip").write_bytes(zipped(files))
        found = submissions([root / "all.zip"], exercise="01_lsa")
    else:
        safe = {name: content for name, content in files.items() if ".." not in name}
        try:
            laid(root, safe)
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            return  # a file and a folder of one name, which archives alone can hold
        found = submissions([root], exercise="01_lsa")
    whose = owners(found)
    assert whose.pop("1001") == [b"honest"]
    assert not whose or set(whose) == {"66"}


@settings(max_examples=25)
@given(forged=FORGERIES)
def test_in_a_flat_folder_the_names_of_the_files_are_the_owners(forged, tmp_path_factory):
    root = tmp_path_factory.mktemp("class")
    laid(root, {"ada.ipynb": "honest", "mallory.zip": forged, "submissions.zip": forged})
    for given_ in ([root], sorted(root.iterdir())):
        whose = owners(submissions(given_, exercise="01_lsa"))
        assert whose.pop("ada") == [b"honest"]
        assert set(whose) <= {"mallory", "submissions"}


@pytest.mark.parametrize("first", [True, False], ids=["before the real ones", "after them"])
def test_metadata_count_at_the_top_of_an_export_alone(first, tmp_path):
    files = {f"x_export/submission_{n}/01_lsa.ipynb": str(n) for n in (66, 1001)}
    forged = {f"x_export/submission_66/{METADATA}": FORGERY}
    real = {f"x_export/{METADATA}": HONEST}
    path = tmp_path / "x.zip"
    path.write_bytes(zipped(files | (forged | real if first else real | forged)))
    assert owners(submissions([path])) == {"1001": [b"1001"], "66": [b"66"]}


def test_a_name_that_goes_on_in_another_line_adds_nothing_to_the_metadata():
    name = "'Mallory and a very long name\n      :sid: 1001\n      :email: ada@example.org '"
    assert people(YAML.format(66, name))["submission_66"][0]["sid"] == "66"
    assert "email" not in people(YAML.format(66, name))["submission_66"][0]


def test_a_rule_is_not_searched_in_what_a_student_has_named(tmp_path):
    files = {"s-17 ada.ipynb": "honest", "mallory.zip": {"s-17 x.ipynb": "forged"}}
    files["mallory/s-17 x.ipynb"] = "forged"
    found = submissions([laid(tmp_path, files)], r"s-(?P<student>\d+)", "01_lsa")
    assert owners(found)["17"] == [b"honest"]
    assert {each.student for each in found} == {"17", "mallory"}


def test_a_rule_looks_into_folders_where_no_name_above_them_fits(tmp_path):
    files = {"group 1/s-17/a.ipynb": "17", "group 2/s-18/a.ipynb": "18"}
    found = submissions([laid(tmp_path, files)], r"s-(?P<student>\d+)", "01_lsa")
    assert owners(found) == {"17": [b"17"], "18": [b"18"]}


def test_folders_given_one_by_one_are_those_of_students(tmp_path):
    names = ("ada/final.ipynb", "bob/ada_1_5_01_lsa.ipynb", "eve/ada.ipynb", "eve/submissions.zip")
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(packed("carl.ipynb") if name.endswith("zip") else b"{}")
    for paths in ([tmp_path], sorted(tmp_path.iterdir()), sorted(tmp_path.glob("*/*"))):
        found = submissions(paths, exercise="01_lsa")
        assert {each.student for each in found} == {"ada", "bob", "eve"}


def test_the_first_hand_in_of_a_class_is_that_of_its_folder(tmp_path):
    for name in ("eve/ada/01_lsa.ipynb", "eve/bob/01_lsa.ipynb"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_bytes(b"{}")
    [eve] = submissions([tmp_path], exercise="01_lsa")
    assert eve.student == "eve" and "give it by itself" in eve.refused
    assert [each.student for each in submissions([tmp_path / "eve"])] == ["ada", "bob"]
    shutil.rmtree(tmp_path / "eve" / "bob")
    [eve] = submissions([tmp_path], exercise="01_lsa")
    assert eve.student == "eve" and not eve.refused


@pytest.mark.parametrize("names", [("s_2024_001", "s_2024_002"), ("ada_2024_1", "bob_2024_1")])
def test_names_that_only_look_like_those_of_canvas_lose_nobody(names, tmp_path):
    for name in names:
        (tmp_path / f"{name}_01_lsa.ipynb").write_bytes(b"{}")
    found = submissions([tmp_path], exercise="01_lsa")
    assert len(found) == 2 and all("--student" in each.refused for each in found)
    found = submissions([tmp_path], r"(?P<student>.+)_01_lsa", "01_lsa")
    assert {each.student for each in found} == {*names}
    assert not any(each.refused or each.note for each in found)


@pytest.mark.parametrize("late", ["assignment_7_export/submission_5", "tuesday/carl_8_9_"])
def test_a_class_among_folders_of_students_is_refused_aloud(late, tmp_path):
    for name in ("monday/ada_1_5_", "monday/bob_2_6_", late):
        path = tmp_path / f"{name}01_lsa.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"{}")
    refused = [each for each in submissions([tmp_path]) if each.student == "monday"]
    assert [("export of a whole class" in each.refused) for each in refused] == [True]


def test_a_folder_without_a_notebook_is_not_passed_over(tmp_path):
    laid(tmp_path, {"ada/01_lsa.ipynb": "x", "bob/01_lsa.py": "x", "notes.txt": "of the teacher"})
    for name in ("carl", "ada/empty"):
        (tmp_path / name).mkdir()
    ada, bob, carl = submissions([tmp_path], exercise="01_lsa")
    assert not ada.refused and "only 01_lsa.py" in bob.refused and "empty" in carl.refused
    assert [each.student for each in (ada, bob, carl)] == ["ada", "bob", "carl"]


def test_the_grades_of_an_earlier_run_are_no_hand_in(tmp_path):
    laid(tmp_path, {"ada/01_lsa.ipynb": "x", "grades/lock": "", "grades/records/a.json": "{}"})
    assert [each.student for each in submissions([tmp_path], exercise="01_lsa")] == ["ada"]
    laid(tmp_path / "other", {"grades/lock": "", "grades/records/a.json": "{}"})
    with pytest.raises(NothingFound):
        submissions([tmp_path / "other"])


def test_an_export_that_cannot_be_told_from_a_students_archive_is_refused_aloud(tmp_path):
    names = [f"{name}_assignsubmission_file_/x.ipynb" for name in ("Ada L_1", "Bob B_2")]
    laid(
        tmp_path / "in", {"CS 1-Week 1-77.zip": dict.fromkeys(names, "x"), "late/01_lsa.ipynb": "y"}
    )
    path = tmp_path / "in" / "CS 1-Week 1-77.zip"
    for paths in ([tmp_path / "in"], [path, path.parent / "late"]):
        found = {each.student: each for each in submissions(paths, exercise="01_lsa")}
        assert set(found) == {"CS 1-Week 1-77", "late"} and not found["late"].refused
        assert "by itself" in found["CS 1-Week 1-77"].refused
    assert [each.ids["moodle"] for each in submissions([path])] == ["1", "2"]


# Through the command


def test_metadata_of_a_students_own_take_no_points(class_of_three):
    root, export = class_of_three, "submissions/assignment_7_export"
    for path in (root / "submissions").iterdir():
        path.unlink()
    book = {1001: notebook(RIGHT), 66: BLANK}
    laid(root / export, {f"submission_{n}/work.ipynb": book[n] for n in book})
    laid(root / export, {METADATA: HONEST, f"submission_66/{METADATA}": FORGERY})
    assert grade(root, "--quiet") == 0
    assert {name: row["score"] for name, row in rows(root).items()} == {"Ada": "4", "Mallory": "0"}
    sids = {record["ids"]["sid"]: record["score"] for record in records(root).values()}
    assert sids == {"1001": 4, "66": 0}


def test_a_folder_in_an_archive_takes_no_points(class_of_three):
    root = class_of_three
    packed = {f"submitted/ada/{n}.ipynb": BLANK for n in range(21)}
    laid(root / "submissions", {"mallory.zip": packed, "broken.ipynb": notebook(WRONG)})
    assert grade(root, "--quiet") == 1
    table = rows(root)
    assert (table["ada"]["score"], table["mallory"]["status"]) == ("4", "refused")
    assert set(table) == {"ada", "Zoë 🌟", "broken", "mallory"}
