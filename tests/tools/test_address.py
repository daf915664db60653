"""The repository's address stands in one place, and one command moves the course to a fork."""

import json
import shutil

import pytest
from address import address, files, forms, stamp, text_of
from first_cell import needed, setup_source
from notebooks import COURSE, is_canonical
from tree import copy_of_course

# In two pieces, so that stamping this file forth and back changes nothing.
FORK = "https://github.com/" + "ada-lovelace/analytical-notes"


@pytest.fixture(scope="module")
def fork(tmp_path_factory):
    """The course's files as a teacher has them after stamping a fork's address."""
    root = copy_of_course(tmp_path_factory.mktemp("fork"))
    return root, stamp(FORK, root)


def test_a_stamped_fork_holds_no_trace_of_the_old_address(fork):
    root, _ = fork
    owner, name = address().removeprefix("https://github.com/").split("/")
    left = {
        f"{path.relative_to(root)}: {line.strip()[:120]}"
        for path in files(root)
        for line in (text_of(path) or "").splitlines()
        if owner in line or ("github" in line and f"/{name}/" in line)
    }
    assert not left


def test_the_stamped_place_is_the_one_that_everything_is_derived_from(fork):
    root, changed = fork
    assert address(root) == FORK
    assert root / "pyproject.toml" in changed


def test_a_stamped_notebook_installs_the_fork_and_stays_canonical(fork):
    root, changed = fork
    copies = [path for path in changed if path.suffix == ".ipynb"]
    assert len(copies) == len([path for path in files(COURSE) if path.suffix == ".ipynb"])
    for path in copies:
        cells = [c for c in json.loads(path.read_text())["cells"] if c["cell_type"] == "code"]
        sources = ["".join(cell["source"]) for cell in cells]
        assert sources[0] == setup_source(needed(sources), root=root)
        assert is_canonical(path)


def test_stamping_back_gives_the_same_bytes(fork, tmp_path):
    root, _ = fork
    back = shutil.copytree(root, tmp_path / "back")
    stamp(address(), back)
    for path in files(COURSE):
        assert (back / path.relative_to(COURSE)).read_bytes() == path.read_bytes(), path


def test_every_form_of_an_address_is_found_and_words_like_it_are_left_alone(tmp_path):
    old, new = "https://github.com/a/notes", "https://github.com/B-c/b-c.github.io"
    (tmp_path / "pyproject.toml").write_text(f'[project.urls]\nRepository = "{old}"\n')
    page = tmp_path / "page.md"
    page.write_text(
        "".join(f"https://{form}/x\n" for form in forms(old)) + "a/notes and a.github\n"
    )
    stamp(new, tmp_path)
    expected = "".join(f"https://{form}/x\n" for form in forms(new)) + "a/notes and a.github\n"
    assert page.read_text() == expected


@pytest.mark.parametrize("url", ["", "a/b", "http://github.com/a/b", "https://example.org/a/b"])
def test_an_address_that_is_none_is_refused_before_anything_is_written(url):
    with pytest.raises(SystemExit, match="not the address of a GitHub repository"):
        forms(url)
