"""`make chapter` begins a chapter in the shape of a rewritten one, with a deeper page below it."""

import json
import os
import subprocess
import sys
import tomllib

import chapter
import pdf
import pytest
from notebooks import COURSE
from tree import copy_of_course

STEM = f"{len(chapter.chapters_among((COURSE / 'chapters').glob('*.ipynb'))) + 1:02}_mamba"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A copy of the course in which a new chapter has been begun."""
    root = copy_of_course(tmp_path_factory.mktemp("course"))
    chapter.main(["mamba"], root)
    return root


def ran_pytest(course, *options):
    """How a run of pytest in the copy ended, and what it printed."""
    run = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "0", "-q", *options]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    kept["PYTHONPATH"] = str(course)
    done = subprocess.run(run, cwd=course, env=kept, capture_output=True, text=True)
    return done.returncode, done.stdout


def test_the_pages_of_a_new_chapter_have_their_shape_and_the_tests_say_what_is_missing(course):
    files = ("test_shape", "test_site", "test_layout")
    kept = f"{STEM} and shape or deeper_page or folder_at_every_level"
    returncode, said = ran_pytest(course, *(f"tests/book/{name}.py" for name in files), "-k", kept)
    failed = [line for line in said.splitlines() if line.startswith("FAILED")]
    assert returncode == 1 and len(failed) == 1, said
    assert "folder_at_every_level[mamba]" in failed[0]
    assert f"solutions/{STEM}.ipynb" in said


def test_a_new_chapter_is_the_last_one_and_its_code_runs(course):
    pages = [name for name in pdf.contents(course) if name.startswith("chapters/")]
    assert pages[-2:] == [f"chapters/{STEM}", f"chapters/{STEM}_deeper"]
    words = tomllib.loads((course / "tools" / "prose_words.toml").read_text(encoding="utf-8"))
    assert words["rewritten"][-2:] == [f"{page}.ipynb" for page in pages[-2:]]
    assert [*words["terms"]][-1] == "mamba"
    for page in pages[-2:]:
        cells = json.loads((course / f"{page}.ipynb").read_text(encoding="utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        assert "FIRTH_SOURCE" in code[0] and len(code) == 2
        exec(code[1], {})


@pytest.mark.parametrize("name", ["Mamba", "mamba-2", "mamba_deeper", "../mamba", "plots", "lsa"])
def test_a_name_that_is_no_noun_or_is_taken_is_refused(name):
    with pytest.raises(SystemExit, match="noun"):
        chapter.main([name])


def test_a_second_chapter_has_the_next_number(course):
    chapter.main(["hyena"], course)
    number = int(STEM[:2]) + 1
    assert (course / "chapters" / f"{number:02}_hyena_deeper.ipynb").exists()
    assert [
        name for name in pdf.contents(course) if "hyena" in name and "exercises" not in name
    ] == [
        f"chapters/{number:02}_hyena",
        f"chapters/{number:02}_hyena_deeper",
    ]
