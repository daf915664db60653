"""Whatever is handed in is read as a notebook, or one sentence says why it cannot be."""

import ast
import io
import json
import time
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from notebooks import COURSE

from firth.checks import Exercise, questions
from firth.grading.inbox import notebook as module
from firth.grading.inbox.borrowed import from_checks
from firth.grading.inbox.notebook import Unreadable, notebook
from firth.grading.inbox.replay import repeated, replayed

RELEASED = (COURSE / "exercises" / "01_lsa.ipynb").read_bytes()
NAMES = [name for name, item in questions().items() if isinstance(item, Exercise)]
BLANK = 'def cosine(x, y):\n    """1 for two.\n    """\n    raise NotImplementedError("write me")'
ANSWER = "def cosine(x, y):\n    return x @ y"


def cell(source, kind="code", **more):
    return {"cell_type": kind, "source": source, "metadata": {}, **more}


def packed(*cells, **more):
    return json.dumps({"cells": list(cells), "nbformat": 4, "nbformat_minor": 5, **more}).encode()


MULLER = json.dumps({"cells": [cell("name = 'Müller'")]}, ensure_ascii=False)


def test_the_released_exercise_is_read_whole_and_without_a_note():
    found = notebook(RELEASED)
    cells = json.loads(RELEASED)["cells"]
    for kind, sources in (("code", found.code), ("markdown", found.text)):
        assert sources == ["".join(c["source"]) for c in cells if c["cell_type"] == kind]
    assert found.notes == [] and found.written == {"explain_lsa": ""}


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]
)
def test_an_encoding_that_an_editor_may_choose_changes_no_letter(encoding):
    found = notebook(MULLER.encode(encoding))
    assert found.code == ["name = 'Müller'"]
    assert bool(found.notes) == (not encoding.startswith("utf-8"))


def test_one_byte_of_latin_1_leaves_the_letters_in_utf_8_as_they_are():
    data = MULLER.encode().replace(b"name", "ä".encode("latin-1"))
    assert notebook(data).code == ["ä = 'Müller'"]


def test_notebooks_of_format_3_are_read():
    cells = [
        {"cell_type": "code", "input": ["x = 1\n", "y = 2"], "language": "python"},
        {"cell_type": "heading", "level": 1, "source": "Title"},
    ]
    data = {"nbformat": 3, "metadata": {"name": ""}, "worksheets": [{"cells": cells}, 5, {}]}
    found = notebook(json.dumps(data).encode())
    assert (found.code, found.text) == (["x = 1\ny = 2"], ["Title"])
    assert found.notes == ["The file is in the old notebook format 3; it was read all the same."]


@pytest.mark.parametrize("metadata", [None, 3, [], {"kernelspec": None}, {"language_info": [1]}])
def test_metadata_that_are_lost_or_odd_do_no_harm(metadata):
    assert notebook(packed({"cell_type": "code", "source": "x"}, metadata=metadata)).code == ["x"]


@pytest.mark.parametrize(
    ("metadata", "language"),
    [
        ({"language_info": {"name": "R"}}, "R"),
        ({"kernelspec": {"name": "ir"}}, "R"),
        ({"kernelspec": {"name": "julia-1.10", "language": "julia"}}, "julia"),
        ({"kernelspec": {"name": "julia-1.10"}}, "Julia"),
        ({"kernelspec": {"language": "<script>alert(1)</script>"}}, "another language"),
    ],
)
def test_a_foreign_kernel_is_noted_in_a_word_and_the_cells_are_read(metadata, language):
    found = notebook(packed(cell("x = 1"), metadata=metadata))
    assert found.code == ["x = 1"]
    assert found.notes == [f"The notebook says that it is in {language}; it was read as Python."]


def test_what_colab_adds_and_takes_away_changes_nothing():
    colab = {"colab": {"provenance": []}, "kernelspec": {"name": "python3"}}
    found = notebook(
        packed(cell("x", id="a", outputs=[{"x": 1}], execution_count=7), metadata=colab)
    )
    assert found.code == ["x"] and not found.notes


@pytest.mark.parametrize("odd", [None, 3, {"a": 1}, ["x", 3], [["x"]], True])
def test_a_cell_of_an_odd_make_is_skipped_with_a_note_and_the_others_stay(odd):
    for broken in (cell(odd), odd, cell("x", kind="unknown"), cell("x", kind=[])):
        found = notebook(packed(cell("a"), broken, cell("b")))
        assert found.code == ["a", "b"]
        assert found.notes == ["Cell 2 of the notebook, text included, is damaged; it was skipped."]


def test_nan_control_characters_and_keys_that_are_there_twice_are_read_as_jupyter_does():
    data = b'{"cells": [], "x": NaN, "cells": [{"cell_type": "code", "source": "a\n\tb"}]}'
    assert notebook(data).code == ["a\n\tb"]


def test_lone_surrogates_and_zeros_and_windows_lines_leave_text_that_can_be_written():
    source = notebook(packed(cell("a\r\nb\rc\0 \ud800 😀"))).code[0]
    assert source == "a\nb\nc \ufffd 😀" and source.encode("utf-8")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b"\0" * 4096, "is empty"),
        (b" \r\n", "is empty"),
        (RELEASED[: len(RELEASED) // 2], "breaks off in the middle"),
        (RELEASED[:-3], "breaks off in the middle"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n", "Git LFS"),
        (b"<!DOCTYPE html>\n<html><body>Sign in</body></html>", "web page"),
        (b"%PDF-1.7\n", "PDF"),
        (b'import numpy as np\n\nprint("hello")\n', "Python script"),
        (b'{"cells": [\n<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> theirs\n]}', "Git conflict"),
        (b'{"a": 1}', "no cells"),
        (b'{"cells": 5, "worksheets": {}}', "no cells"),
        (b"[1, 2]", "no cells"),
        (b"42", "no cells"),
        (b"hello", "no notebook"),
        (b'{"cells": [' + b"9" * 5000 + b"]}", "damaged"),
        (b"[" * 200_000, "deeply nested"),
        (b'{"cells": ' + b"[" * 2_000_001, "too many lists"),
        (packed(*[cell("")] * 5001), "more than 5,000 cells"),
        (packed(cell("x" * 1_000_001)), "1,000,000 characters"),
        (b" " * (module.SIZE + 1), "larger than 64 MB"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_notebook_gets_a_sentence_that_says_so_and_what_to_do(data, words):
    with pytest.raises(Unreadable, match=words) as raised:
        notebook(data)
    assert len(str(raised.value)) < 250 and str(raised.value).endswith(".")


def test_a_zip_of_one_notebook_is_read():
    found = notebook(zipped("w/01_lsa.ipynb"))
    assert found.code == ["x"] and "zip" in found.notes[0]


def zipped(*names, data=None):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name in names:
            file.writestr(name, packed(cell("x")) if data is None else data)
    return buffer.getvalue()


def test_a_zip_that_holds_copies_for_a_mac_or_of_checkpoints_holds_one_notebook():
    names = ("01_lsa.ipynb", "__MACOSX/._01_lsa.ipynb", ".ipynb_checkpoints/01_lsa.ipynb")
    assert notebook(zipped(*names)).code == ["x"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (zipped("a.ipynb", "b.ipynb"), "2 notebooks"),
        (zipped("a.txt"), "no notebook"),
        (zipped("a.ipynb")[:-30], "damaged"),
        (zipped("a.ipynb", data=b"\0" * (module.SIZE + 1)), "unpacks to more"),
        (zipped("a.ipynb", data=zipped("b.ipynb")), "no notebook"),
        (zipped(*map(str, range(5001)), data=b""), "too many files"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_any_other_zip_is_refused_before_it_takes_memory(data, words):
    with pytest.raises(Unreadable, match=words):
        notebook(data)


def test_a_zip_that_lies_about_its_size_or_contents_is_refused():
    data = zipped("a.ipynb", data=b"\0" * 1_000_000)
    short = data.replace((1_000_000).to_bytes(4, "little"), (1_000).to_bytes(4, "little"))
    with pytest.raises(Unreadable):
        notebook(short)


# Written answers

MARKER = "**Your answer** (`explain_lsa`)\n\n"
ASK = cell('rubric("explain_lsa")')
END = cell("## Where you stand", "markdown")


def text(source):
    return cell(source, "markdown")


@pytest.mark.parametrize(
    ("cells", "answer"),
    [
        ([ASK, text(MARKER + "*Write your answer here.*"), END], ""),
        ([ASK, text(MARKER + "Mine."), END], "Mine."),
        ([ASK, text(MARKER + "*Write your answer here.*\n\nMine."), END], "Mine."),
        ([ASK, text(MARKER + "*Write your answer here.*"), text("Mine."), END], "Mine."),
        ([ASK, text(MARKER + "One."), text("Two."), END], "One.\n\nTwo."),
        ([ASK, text("One."), text(MARKER + "Two."), END], "One.\n\nTwo."),
        ([ASK, text("Mine."), END], "Mine."),
        ([ASK, cell(""), text("Mine."), END], "Mine."),
        ([ASK, cell("It is so because of the rows."), END], "It is so because of the rows."),
        ([ASK, cell(MARKER + "Mine."), END], "Mine."),
        ([ASK, cell(MARKER + "Mine.", "raw"), END], "Mine."),
        ([ASK, cell("# Mine."), END], "# Mine."),
        ([ASK, text("### My view\n\nMine."), END], "### My view\n\nMine."),
        ([ASK, text(MARKER + "First."), END, text(MARKER + "Second.")], "Second."),
        ([ASK, text(MARKER + "First."), END, text(MARKER + "*Write your answer here.*")], "First."),
        ([text(MARKER + "Mine."), cell("x = 1"), text("The course goes on.")], "Mine."),
        ([ASK, END, text("Not this.")], ""),
        ([text(MARKER + "Mine."), END, ASK, text("The course goes on.")], "Mine."),
    ],
)
def test_a_written_answer_is_found_wherever_students_put_it(cells, answer):
    assert notebook(packed(*cells)).written == {"explain_lsa": answer}


def test_two_questions_keep_their_answers_apart():
    cells = [text("**Your answer** (`a`) One.\n\n**Your answer** (`b`) Two."), text("More.")]
    assert notebook(packed(*cells)).written == {"a": "One.", "b": "Two.\n\nMore."}


# Which cells run


def test_the_released_exercise_is_replayed_as_it_is():
    code = notebook(RELEASED).code
    assert replayed(code, NAMES) == code and repeated(code, NAMES) == []


@pytest.mark.parametrize(
    "answer",
    [
        ANSWER,
        "cosine = lambda x, y: x @ y",
        "%%time\n" + ANSWER,
        "!ls\n" + ANSWER,
        "if True:\n    " + ANSWER.replace("\n", "\n    "),
        "from mine import cosine",
    ],
)
def test_a_released_blank_never_replaces_an_answer_before_or_after_it(answer):
    assert replayed([answer, BLANK], ["cosine"]) == [answer, None]
    assert replayed([BLANK, answer], ["cosine"]) == [None, answer]
    assert replayed(["%%time\n" + BLANK, answer], ["cosine"]) == [None, answer]


def test_a_blank_beside_other_code_is_taken_out_and_the_lines_keep_their_numbers():
    kept = replayed([ANSWER, f"a = 1\n{BLANK}\nb = 2"], ["cosine"])
    assert kept[1].split("\n") == ["a = 1", "", "", "", "", "b = 2"]
    both = replayed([f"{ANSWER}\n{BLANK}"], ["cosine"])[0]
    assert ast.dump(ast.parse(both)) == ast.dump(ast.parse(ANSWER))


def test_a_blank_beside_a_magic_is_taken_out():
    kept = replayed([ANSWER, f"%matplotlib inline\n{BLANK}"], ["cosine"])[1]
    assert "run_line_magic" in kept and "NotImplementedError" not in kept


def test_a_blank_that_is_the_only_one_stays_and_so_does_what_is_no_answer():
    assert replayed([BLANK, BLANK], ["cosine"]) == [BLANK, BLANK]
    assert replayed([ANSWER, BLANK], ["other"]) == [ANSWER, BLANK]
    local = "def helper():\n    cosine = 1"
    assert replayed([local, BLANK], ["cosine"]) == [local, BLANK]


@pytest.mark.parametrize(
    "broken",
    [
        "def cosine(:",
        "cosine" + "(" * 9999,
        "cosine+" + "-" * 99999 + "1",
        "cosine = '\0",
        "%%bash\ncosine",
    ],
)
def test_a_cell_that_does_not_parse_is_kept_as_it_is_and_defines_nothing(broken):
    assert replayed([broken, BLANK], ["cosine"]) == [broken, BLANK]


def test_answers_in_several_cells_are_noted_and_blanks_are_not_counted():
    cells = ["", ANSWER, BLANK, ANSWER, "x", ANSWER]
    assert repeated(cells, ["cosine", "ppmi"]) == [
        "`cosine` is defined in cells 2, 4 and 6: the last one counts."
    ]
    assert replayed(cells, ["cosine"]) == ["", ANSWER, None, ANSWER, "x", ANSWER]


def test_nothing_of_a_cell_is_run(tmp_path):
    trap = f"open({str(tmp_path / 'sprung')!r}, 'w')\n%timeit cosine = 1\n{BLANK}"
    replayed([trap, ANSWER], ["cosine"])
    assert not list(tmp_path.iterdir())


# Anything at all

SOURCES = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0\r"))


@given(
    st.binary()
    | st.binary().map(lambda b: b'{"cells": [' + b)
    | st.binary().map(lambda b: b"PK\3\4" + b)
)
def test_random_bytes_are_a_notebook_or_unreadable(data):
    try:
        notebook(data)
    except Unreadable as error:
        assert str(error).endswith(".")


@given(st.data())
@settings(max_examples=200)
def test_a_damaged_notebook_is_read_or_unreadable(data):
    sound = data.draw(
        st.sampled_from([MULLER.encode(), zipped("a.ipynb"), MULLER.encode("utf-16")])
    )
    broken = bytearray(sound)
    for _ in range(data.draw(st.integers(1, 5))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    try:
        notebook(bytes(broken))
    except Unreadable:
        pass


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.sampled_from(
                ["cells", "source", "cell_type", "metadata", "kernelspec", "name", "worksheets"]
            ),
            inner,
        )
    ),
)


@given(JSON)
def test_json_of_any_shape_is_a_notebook_or_unreadable(value):
    try:
        found = notebook(json.dumps({"cells": [value], "metadata": value}).encode())
    except Unreadable:
        return
    json.dumps([found.code, found.text, found.written, found.notes]).encode()


@given(
    st.lists(st.tuples(st.booleans(), SOURCES)), st.sampled_from(["utf-8", "utf-16", "utf-8-sig"])
)
def test_sources_come_back_as_they_were_written_whole_or_in_lines(sources, encoding):
    cells = [
        cell(
            source.splitlines(keepends=True) if n % 2 else source, "code" if is_code else "markdown"
        )
        for n, (is_code, source) in enumerate(sources)
    ]
    data = json.dumps({"cells": cells}, ensure_ascii=False).encode(encoding)
    found = notebook(data)
    assert found.code == [source for is_code, source in sources if is_code]
    assert found.text == [source for is_code, source in sources if not is_code]


@given(st.lists(st.text(st.sampled_from("def f():\n raise NotImplementedError%!?='\"@;lambda"))))
def test_what_is_replayed_is_a_cell_or_none_for_each_cell(cells):
    kept = replayed(cells, ["f"])
    assert len(kept) == len(cells)
    repeated(cells, ["f"])


@pytest.mark.parametrize(
    "data",
    [
        b"<<<<<<< \n" * 20_000 + b"=======\n" * 20_000 + b"x",
        json.dumps(
            {
                "cells": [
                    {"cell_type": "markdown", "source": "**Your answer** (`why`)" + "\n" * 400_000},
                    {"cell_type": "markdown", "source": "**your answer**" + " " * 400_000},
                    {"cell_type": "code", "source": "rubric(" + " " * 100_000},
                ]
            }
        ).encode(),
    ],
    ids=["marks of a conflict", "blanks"],
)
def test_no_text_takes_long_to_look_through(data):
    began = time.monotonic()
    try:
        notebook(data)
    except Unreadable:
        pass
    assert time.monotonic() - began < 3


def test_many_magics_do_not_take_long_to_spell_out():
    began = time.monotonic()
    cells = ["!ls\n" * 500 + f"x = {n}\n" * 3_000 for n in range(5)]
    assert replayed(cells, ["f"]) == cells and from_checks(cells) == []
    assert time.monotonic() - began < 3
