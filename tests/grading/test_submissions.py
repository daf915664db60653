"""A class is found in whatever folder or archive it came in, and nothing in it leads elsewhere."""

import io
import os
import pickle
import random
import stat
import time
import unicodedata
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firth.grading.inbox import submissions as module
from firth.grading.inbox.submissions import NothingFound, Refused, people, submissions

NOTEBOOK = b'{"cells": []}'


def folder(root, *names, data=None):
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode() if data is None else data)
    return root


def packed(*names, data=None):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name in names:
            key = name if isinstance(name, str) else name.filename
            file.writestr(name, key.encode() if data is None else data)
    return buffer.getvalue()


def archive(root, *names, data=None):
    path = root / "export.zip"
    path.write_bytes(packed(*names, data=data))
    return path


def students(found):
    return [each.student for each in found]


EXPORTS = {
    "canvas": (
        [
            "lovelaceada_12345_67890_01_lsa.ipynb",
            "hoppergrace_LATE_12346_67891_work.ipynb",
            "mülleränne_12347_67892_01_lsa-2.ipynb",
            "LATE_anon_x7Kq2_67893_01_lsa.ipynb",
        ],
        {
            "lovelaceada": {"canvas": "12345"},
            "hoppergrace": {"canvas": "12346"},
            "mülleränne": {"canvas": "12347"},
            "x7Kq2": {"anonymous": "x7Kq2"},
        },
    ),
    "moodle": (
        [
            "Ada Lovelace_12345_assignsubmission_file_/01_lsa.ipynb",
            "Grace Hopper_12346_assignsubmission_file/deep/01_lsa.ipynb",
            "王 小明_12347_assignsubmission_file_01_lsa.ipynb",
            "Participant_12348_assignsubmission_file_/01_lsa.ipynb",
        ],
        {
            "Ada Lovelace": {"moodle": "12345", "name": "Ada Lovelace"},
            "Grace Hopper": {"moodle": "12346", "name": "Grace Hopper"},
            "王 小明": {"moodle": "12347", "name": "王 小明"},
            "Participant 12348": {"moodle": "12348", "name": "Participant"},
        },
    ),
    "plain": (["ada.ipynb", "王小明 🦊.ipynb"], {"ada": {}, "王小明 🦊": {}}),
    "renamed": (["ada_01_lsa.ipynb", "01_lsa-bob.ipynb"], {"ada": {}, "bob": {}}),
    "folders": (
        ["ada/01_lsa.ipynb", "bob/deep/01_lsa (1).ipynb"],
        {"ada": {}, "bob": {}},
    ),
    "exercise": (["01_lsa/ada/x.ipynb", "01_lsa/bob/x.ipynb"], {"ada": {}, "bob": {}}),
    "nbgrader": (
        ["submitted/ada/01_lsa/x.ipynb", "submitted/bob/01_lsa/x.ipynb"],
        {"ada": {}, "bob": {}},
    ),
    "browser": (["ada/01_lsa.ipynb.txt", "bob/01_lsa.ipynb.json"], {"ada": {}, "bob": {}}),
}


@pytest.mark.parametrize("kind", EXPORTS)
@pytest.mark.parametrize("place", [folder, archive])
def test_the_names_that_systems_give_say_who_handed_in_what(kind, place, tmp_path):
    names, expected = EXPORTS[kind]
    found = submissions([place(tmp_path, *names)], exercise="01_lsa")
    assert {each.student: each.ids for each in found} == expected
    assert {each.data().decode() for each in found} == set(names)
    assert not any(each.refused or each.note for each in found)


METADATA = """---
submission_4567:
  :submitters:
  - :name: "Ada L\\xF6velace"
    :sid: '0012'
    :email: ada@example.edu
  :created_at: 2024-01-01 10:00:00 Z
  :score: 3.0
  :results:
    tests:
    - :name: not a person
  :history:
  - :submitters:
    - :name: nor this
submission_4568:
  :submitters:
  - :name: Grace O'Hopper
    :sid: '0013'
    :email:
  - :name: 'Bob ''B'' Best'
    :sid:
    :email: bob@example.edu
"""


@pytest.mark.parametrize("place", [folder, archive])
def test_gradescope_names_the_submitters_in_a_file_beside_the_folders(place, tmp_path):
    root = "assignment_123_export/"
    names = [f"{root}submission_{n}/01_lsa.ipynb" for n in (4567, 4568, 4569)]
    (tmp_path / "in").mkdir()
    if place is folder:
        given = folder(tmp_path / "in", *names)
        (given / root / module.METADATA).write_text(METADATA, encoding="utf-8")
    else:
        given = archive(tmp_path, *names)
        with zipfile.ZipFile(given, "a") as file:
            file.writestr(root + module.METADATA, METADATA)
    found = {each.ids["gradescope"]: each for each in submissions([given])}
    assert found["4567"].student == "Ada Lövelace"
    assert found["4567"].ids["sid"] == "0012" and found["4567"].ids["email"] == "ada@example.edu"
    assert found["4568"].student == "Grace O'Hopper & Bob 'B' Best"
    assert [person["name"] for person in found["4568"].ids["submitters"]] == [
        "Grace O'Hopper",
        "Bob 'B' Best",
    ]
    assert found["4569"].student == "submission_4569"


@given(st.text(st.sampled_from("submission_4:\n -ames'\"\\x{}[]&*!|")))
def test_metadata_of_any_shape_do_no_harm(text):
    people(METADATA + text)


def test_archives_of_students_within_the_export_are_looked_into(tmp_path):
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("lovelaceada_1_2_work.zip", packed("my work/01_lsa.ipynb"))
        file.writestr("hoppergrace_3_4_deep.zip", packed("x.zip", data=packed("01_lsa.ipynb")))
        file.writestr("bestbob_5_6_bad.zip", b"PK no more")
    ada, grace, bob = sorted(submissions([path]), key=lambda s: s.ids["canvas"])
    assert (ada.student, ada.data()) == ("lovelaceada", b"my work/01_lsa.ipynb")
    assert ada.member == "lovelaceada_1_2_work.zip/my work/01_lsa.ipynb" and ada.path == path
    assert "archive in an archive" in grace.refused and "damaged" in bob.refused
    alone = submissions([folder(tmp_path / "in", "x/export.zip", data=path.read_bytes())])
    assert sorted(map(lambda s: s.refused, alone)) == sorted(
        (ada.refused, grace.refused, bob.refused)
    )


def test_nobody_becomes_another_student_by_the_names_inside_an_archive(tmp_path):
    inner = packed("hoppergrace_3_4_01_lsa.ipynb", "submission_9/01_lsa.ipynb")
    root = folder(tmp_path, "lovelaceada_1_2_work.zip", data=inner)
    assert {each.ids["canvas"] for each in submissions([root])} == {"1"}


def test_the_name_of_an_export_is_nobodys(tmp_path):
    path = tmp_path / "cs_101_2024_submissions (1).zip"
    path.write_bytes(packed("ada.ipynb", "bob.ipynb"))
    assert students(submissions([path])) == ["ada", "bob"]
    [beside] = submissions([tmp_path])  # it may be what one student has called so
    assert "give it to the command by itself" in beside.refused


def test_files_given_one_by_one_are_told_apart_by_their_folders(tmp_path):
    root = folder(tmp_path, "ada/01_lsa.ipynb", "bob/01_lsa.ipynb")
    for exercise in ("01_lsa", None):
        assert students(submissions(sorted(root.glob("*/*")), exercise=exercise)) == ["ada", "bob"]
    assert students(submissions([root / "ada" / "01_lsa.ipynb"], exercise="01_lsa")) == ["ada"]
    assert students(submissions([root / "ada", root / "bob"], exercise="01_lsa")) == ["ada", "bob"]


def test_what_editors_and_systems_leave_behind_is_passed_over(tmp_path):
    names = [
        "ada.ipynb",
        ".ipynb_checkpoints/ada.ipynb",
        "__MACOSX/._ada.ipynb",
        ".x.ipynb",
        "r.txt",
    ]
    for place in (folder, archive):
        base = tmp_path / place.__name__
        base.mkdir()
        assert students(submissions([place(base, *names)])) == ["ada"]


def test_of_the_uploads_to_canvas_the_latest_counts(tmp_path):
    names = [
        f"lovelaceada_1_{n}_01_lsa{suffix}.ipynb" for n, suffix in ((9, ""), (10, "-1"), (8, "-2"))
    ]
    (only,) = submissions([folder(tmp_path, *names)])
    assert only.name == "lovelaceada_1_10_01_lsa-1.ipynb" and not only.note


def test_of_several_notebooks_the_one_named_after_the_exercise_counts(tmp_path):
    names = ["ada/scratch.ipynb", "ada/my 01_LSA final.ipynb", "bob/a.ipynb", "bob/b.ipynb"]
    ada, *bobs = submissions([folder(tmp_path, *names)], exercise="01_lsa")
    assert ada.name == "ada/my 01_LSA final.ipynb" and not ada.note
    assert [bob.name for bob in bobs] == ["bob/a.ipynb", "bob/b.ipynb"]
    assert {bob.note for bob in bobs} == {
        "2 files of bob count, for nothing says which is the latest."
    }


def test_a_student_cannot_hand_in_a_thousand_notebooks(tmp_path):
    names = [f"ada/{n}.ipynb" for n in range(100)]
    ada, bob = submissions([archive(tmp_path, *names, "bob/x.ipynb")])
    assert "100 notebooks" in ada.refused and not bob.refused


def test_a_student_who_handed_in_something_else_is_not_forgotten(tmp_path):
    names = ["lovelaceada_1_2_essay.pdf", "hoppergrace_3_4_01_lsa.ipynb", "hoppergrace_3_5_x.pdf"]
    grace, ada = submissions([folder(tmp_path, *names)])
    assert grace.name == names[1] and not grace.refused
    assert "only lovelaceada_1_2_essay.pdf" in ada.refused


def test_two_students_of_one_name_stay_two(tmp_path):
    names = ["lovelaceada_1_2_01_lsa.ipynb", "lovelaceada_3_4_01_lsa.ipynb"]
    found = submissions([folder(tmp_path, *names)])
    assert students(found) == ["lovelaceada (1)", "lovelaceada (3)"]
    assert len({each.name for each in found}) == 2


def test_every_submission_has_a_name_of_its_own(tmp_path):
    for group in "xy":
        folder(tmp_path / group, "ada.ipynb", data=group.encode())
    found = submissions([tmp_path / "x", tmp_path / "y"], rule=r"(?P<student>a)da")
    assert students(found) == ["a", "a"] and all(each.note for each in found)
    assert [each.name for each in found] == ["x/ada.ipynb", "y/ada.ipynb"]


def test_a_rule_names_the_student_and_says_where_it_finds_none(tmp_path):
    root = folder(tmp_path, "week 1/s-17 x.ipynb", "week 1/other.ipynb")
    ada, other = submissions([root / "week 1"], rule=r"^s-(?P<student>\d+)")
    assert (ada.student, ada.note) == ("17", "")
    assert other.student == "other" and "rule" in other.note


@pytest.mark.parametrize(("rule", "words"), [("(", "no regular expression"), ("(a)", "no group")])
def test_a_rule_that_cannot_work_is_refused_in_a_sentence(rule, words, tmp_path):
    with pytest.raises(ValueError, match=words):
        submissions([tmp_path], rule=rule)


def test_nothing_is_said_to_be_found_where_nothing_is(tmp_path):
    empty = folder(tmp_path / "a", "x.txt")
    for paths in ([], [tmp_path / "missing"], [empty]):
        with pytest.raises(NothingFound) as raised:
            submissions(paths)
        assert str(raised.value).endswith(".")


def test_names_are_one_spelling_of_unicode_and_hold_nothing_that_cannot_be_shown(tmp_path):
    name = unicodedata.normalize("NFD", "Zoë") + "\u202e\x1b[31m"
    (zoe,) = submissions(
        [folder(tmp_path, f"{name}/x.ipynb", f"{name}/y.txt")], rule="^(?P<student>[^/]+)"
    )
    assert zoe.student == "Zoë[31m" and zoe.data()


def test_a_name_that_is_no_utf_8_can_be_written_all_the_same(tmp_path):
    path = os.fsencode(tmp_path) + b"/m\xfcller.ipynb"
    try:
        Path(os.fsdecode(path)).write_bytes(NOTEBOOK)
    except OSError:
        pytest.skip("This file system takes UTF-8 only.")
    (only,) = submissions([tmp_path])
    assert only.student.encode() == b"m?ller" and only.data() == NOTEBOOK


# What leads elsewhere


def test_links_pipes_and_devices_are_refused_and_the_others_graded(tmp_path):
    secret = folder(tmp_path / "secret", "ada.ipynb")
    root = folder(tmp_path / "in", "zoe.ipynb")
    (root / "bob.ipynb").symlink_to(secret / "ada.ipynb")
    (root / "eve").symlink_to(secret)
    (root / "fay.zip").symlink_to(secret)
    (root / "gone.ipynb").symlink_to(tmp_path / "nowhere")
    (root / "loop").symlink_to(root)
    os.mkfifo(root / "pipe.ipynb")
    found = {each.student: each for each in submissions([root])}
    assert set(found) == {"bob", "eve", "fay", "gone", "loop", "pipe", "zoe"}
    for student, each in found.items():
        assert bool(each.refused) == (student != "zoe"), student
        if each.refused:
            with pytest.raises(Refused, match=r"\.$"):
                each.data()
    (direct,) = submissions([root / "bob.ipynb"])
    assert "link" in direct.refused


def test_a_file_that_becomes_a_link_or_a_pipe_after_the_listing_is_not_followed(tmp_path):
    ada, bob = submissions([folder(tmp_path / "in", "ada.ipynb", "bob.ipynb")])
    for each in (ada, bob):
        each.path.unlink()
    ada.path.symlink_to(folder(tmp_path, "secret.ipynb") / "secret.ipynb")
    os.mkfifo(bob.path)
    for each in (ada, bob):
        with pytest.raises(Refused):
            each.data()


def test_a_file_that_may_not_be_read_or_is_too_large_is_refused(tmp_path, monkeypatch):
    root = folder(tmp_path, "ada.ipynb", "bob.ipynb")
    with (root / "big.ipynb").open("wb") as file:
        file.truncate(module.SIZE + 1)
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).endswith("ada.ipynb"))
    ada, big, bob = submissions([root])
    assert "may not be read" in ada.refused and "larger than" in big.refused and not bob.refused


def test_a_file_that_has_gone_is_refused_when_it_is_read(tmp_path):
    root, export = folder(tmp_path / "in", "ada.ipynb"), archive(tmp_path, "bob.ipynb")
    found = submissions([root, export])
    (root / "ada.ipynb").unlink()
    export.unlink()
    for each in found:
        with pytest.raises(Refused):
            each.data()


def entry(name, mode=0):
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    return info


@pytest.mark.parametrize(
    ("name", "mode", "words"),
    [
        ("../ada.ipynb", 0, "leads out"),
        ("a/../../ada.ipynb", 0, "leads out"),
        ("..\\ada.ipynb", 0, "leads out"),
        ("/etc/ada.ipynb", 0, "leads out"),
        ("C:\\ada.ipynb", 0, "leads out"),
        ("ada.ipynb", stat.S_IFLNK | 0o777, "link"),
        ("ada.ipynb", stat.S_IFIFO | 0o777, "link"),
    ],
)
def test_an_entry_that_leads_elsewhere_is_refused_and_the_class_goes_on(
    name, mode, words, tmp_path
):
    bad, good = submissions([archive(tmp_path, entry(name, mode), "zoe.ipynb")])
    assert words in bad.refused and ".." not in bad.name and not bad.name.startswith("/")
    assert good.data() == b"zoe.ipynb"


def patched(path, offset, value):
    """The archive with a field of its first entry changed, in both places where it stands."""
    data = bytearray(path.read_bytes())
    central = data.index(b"PK\1\2")
    for place in (offset, central + offset + 2):
        data[place : place + len(value)] = value
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("offset", "value", "words"),
    [
        (6, b"\1", "encrypted"),
        (22, (1 << 31).to_bytes(4, "little"), "more than 64 MB"),
        (14, b"\1\2\3\4", "damaged"),
        (8, b"\x0e", "unusual"),
    ],
)
def test_an_entry_that_lies_or_cannot_be_unpacked_is_refused(offset, value, words, tmp_path):
    path = archive(tmp_path, "ada.ipynb", "zoe.ipynb")
    patched(path, offset, value)
    ada, zoe = submissions([path])
    with pytest.raises(Refused, match=words):
        ada.data()
    assert zoe.data() == b"zoe.ipynb"


def test_an_export_that_is_no_archive_is_refused(tmp_path):
    root = folder(tmp_path, "export.zip", "ada.ipynb", data=b"half")
    ada, export = submissions([root])
    assert not ada.refused and "damaged" in export.refused


@pytest.mark.parametrize("said", [True, False])
def test_names_in_an_archive_are_read_in_the_encoding_that_they_are_in(said, tmp_path):
    path = archive(tmp_path, "Zoë 🦊.ipynb")
    if not said:  # as packers on a Mac do
        patched(path, 6, b"\0\0")
    assert students(submissions([path])) == ["Zoë 🦊"]
    old = packed("Zo_.ipynb").replace(b"Zo_", "Zoë".encode("cp437"))
    (tmp_path / "old.zip").write_bytes(old)
    assert students(submissions([tmp_path / "old.zip"])) == ["Zoë"]


def test_two_entries_of_one_name_are_read_each_as_its_own(tmp_path):
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as file, pytest.warns(UserWarning, match="Duplicate"):
        file.writestr("ada.ipynb", b"1")
        file.writestr("ada.ipynb", b"2")
    found = submissions([path])
    assert [(each.name, each.data()) for each in found] == [
        ("ada.ipynb", b"1"),
        ("ada.ipynb (2)", b"2"),
    ]


# The list as a whole


def test_the_order_does_not_hang_on_how_the_files_lie(tmp_path):
    names = [f"s{n}/x.ipynb" for n in range(20)]
    shuffled = random.Random(0).sample(names, len(names))
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, two = (
        submissions([archive(tmp_path / "a", *names)]),
        submissions([archive(tmp_path / "b", *shuffled)]),
    )
    assert [(s.student, s.name) for s in one] == [(s.student, s.name) for s in two]


def test_a_submission_can_be_sent_to_another_process(tmp_path):
    (only,) = submissions([archive(tmp_path, "ada.ipynb")])
    assert pickle.loads(pickle.dumps(only)) == only


def test_listing_and_reading_write_nothing(tmp_path):
    path = archive(tmp_path, "../../ada.ipynb", "b/bob.ipynb")
    for each in submissions([path]):
        each.refused or each.data()
    assert list(tmp_path.rglob("*")) == [path]


STEPS = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
PATHS = st.lists(
    STEPS | st.sampled_from(["..", ".", "", "C:", "submitted"]), min_size=1, max_size=4
)


@given(
    st.lists(PATHS.map("/".join), min_size=1, max_size=5, unique=True),
    st.sampled_from(["01_lsa", None]),
)
def test_names_of_any_kind_never_lead_out_and_never_meet(tmp_path_factory, names, exercise):
    path = tmp_path_factory.mktemp("in") / "export.zip"
    with zipfile.ZipFile(path, "w") as file:
        for name in {name.replace("\0", "") + ".ipynb" for name in names}:
            file.writestr(name, NOTEBOOK)
    try:
        found = submissions([path], exercise=exercise)
    except NothingFound:
        return
    assert len({each.name for each in found}) == len(found)
    for each in found:
        shown = each.student.replace("\u200c", "").replace("\u200d", "")
        assert each.student and (shown.isprintable() or not shown)
        assert ".." not in each.name.split("/") and not each.name.startswith("/")
        assert each.name.encode() and (each.refused or each.data() == NOTEBOOK)


def test_an_archive_of_too_many_files_is_refused_and_one_of_many_is_soon_listed(tmp_path):
    for name, number in (("ada", 20_001), ("bob", 8_000)):
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w") as archive:
            for n in range(number):
                archive.writestr(f"{n}.ipynb", "")
    began = time.thread_time()
    found = submissions([tmp_path], exercise="01_lsa")
    assert time.thread_time() - began < 10
    assert [item for item in found if "20,000 files" in item.refused]


def test_nobody_takes_anothers_name_in_a_folder_of_their_own(tmp_path):
    for name in ("bob/george_77_88_01_lsa.ipynb", "george/01_lsa.ipynb"):
        (tmp_path / "class" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "class" / name).write_text("{}")
    found = submissions([tmp_path / "class"], exercise="01_lsa")
    assert sorted(item.student for item in found) == ["bob", "george"]
    assert not any(item.ids for item in found)


def test_a_path_too_long_for_any_disk_is_refused_and_holds_nobody_up(tmp_path):
    name = "-" * 1_500 + "x.ipynb"  # where three repeats in a row would take its third power
    given = archive(tmp_path, "ada.ipynb", name)
    began = time.thread_time()
    eve, ada = submissions([given], exercise="01_lsa")
    assert time.thread_time() - began < 2
    assert (ada.student, ada.refused) == ("ada", "")
    assert "more than 1,000 characters" in eve.refused and len(eve.name) < 1_100
