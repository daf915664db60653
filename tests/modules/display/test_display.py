"""Source and tables: what they promise a page, a screen reader and a terminal."""

import inspect
from xml.etree import ElementTree as XML

import numpy as np
import pytest

import firth.display
from firth.display import source, table


def test_the_source_on_the_page_is_the_source_in_the_file():
    page = source(table)._repr_markdown_()
    assert inspect.getsource(table).rstrip() in page
    assert "`firth/display/tables.py`" in page


def test_a_whole_module_can_be_shown():
    assert firth.display.__doc__ in source(firth.display)._repr_markdown_()


def test_backticks_in_a_docstring_do_not_end_the_block(tmp_path, monkeypatch):
    (tmp_path / "fenced.py").write_text('"""Say:\n\n```python\n1 + 1\n```\n"""\n')
    monkeypatch.syspath_prepend(tmp_path)
    page = source(__import__("fenced"))._repr_markdown_()
    assert page.count("````") == 2
    assert "`fenced.py`" in page


def test_every_cell_of_a_table_knows_its_column_and_its_row():
    page = XML.fromstring(table([["a", 1], ["b", 2]], ["word", "n"], "Counts")._repr_html_())
    assert page.findtext("caption") == "Counts"
    assert [th.get("scope") for th in page.iter("th")] == ["col", "col", "row", "row"]
    assert [td.text for td in page.iter("td")] == ["1", "2"]


def test_numbers_stand_right_and_words_left():
    shown = table([["cat", 1.0, "3 %"], ["dog", -12.345, "–"]], ["word", "score", "share"], "Pets")
    assert shown.right == [False, True, True]
    assert repr(shown).splitlines() == [
        "Pets",
        "word   score  share",
        "cat     1.00    3 %",
        "dog   -12.35      –",
    ]


def test_numpy_numbers_are_numbers_and_what_was_not_measured_is_a_dash():
    row = [np.int64(12_000), np.float32(0.5), np.nan, None, np.True_]
    assert table([row], list("abcde"), "One of each").rows == [["12,000", "0.50", "–", "–", "True"]]


def test_signs_of_the_page_are_escaped():
    page = table([["<b>", "a & b"]], ["x<y", "&"], "1 < 2")._repr_html_()
    assert "<b>" not in page
    assert XML.fromstring(page).findtext("caption") == "1 < 2"


def test_a_table_without_rows_is_still_a_table():
    assert repr(table([], ["word", "n"], "Nothing yet")) == "Nothing yet\nword  n"


def test_a_table_without_caption_says_what_is_missing():
    with pytest.raises(ValueError, match="needs a caption"):
        table([[1]], ["n"], " ")


def test_a_row_that_is_too_short_is_named():
    with pytest.raises(ValueError, match=r"needs 2 cells.*has 1: \['a'\]"):
        table([["a"]], ["word", "n"], "Counts")


def test_a_column_without_a_name_is_refused():
    with pytest.raises(ValueError, match="A column needs a name"):
        table([["c1", 1]], ["", "count"], "A table with a blank header")
