"""`make prose` counts what it says it counts, and a rewritten page keeps its limits."""

import json
import re

import prose
import pytest
from chapter_pages import CHAPTERS, noun
from prose_counts import SLIDES, WORDS, count, places

SENTENCE = "A short sentence has about twelve words so that nobody gets lost. "
WIDGET = '<div class="firth-widget" data-model="{}"><table></table><svg></svg></div>'
PICTURE = "<figure><svg></svg><details><table></table></details></figure>"


def cell(source, *shown, tags=(), printed=""):
    """A cell of code with the HTML that it shows and what it prints."""
    data = [{"text/html": html} for html in shown]
    outputs = [{"output_type": "display_data", "data": d, "metadata": {}} for d in data]
    if printed:
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed})
    return {
        "cell_type": "code",
        "metadata": {"tags": [*tags]},
        "source": source,
        "outputs": outputs,
        "execution_count": 1,
    }


def text(source):
    return {"cell_type": "markdown", "metadata": {}, "source": source}


@pytest.fixture
def page(tmp_path):
    """Writes a notebook of these cells under a name, and gives its path."""

    def made(*cells, name="08_made_up"):
        notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [*cells]}
        path = tmp_path / f"{name}.ipynb"
        path.write_text(json.dumps(notebook), encoding="utf-8")
        return path

    return made


@pytest.fixture
def good(page, monkeypatch):
    """A made-up chapter that keeps all limits, with other cells after its own."""
    monkeypatch.setitem(WORDS["terms"], "made_up", ["residual connection"])
    sections = [
        [text(f"## Section {n}\n\n" + SENTENCE * 65), cell("plot()", PICTURE)] for n in range(8)
    ]
    own = [text("There is a residual connection here."), *(c for pair in sections for c in pair)]
    return lambda *more, name="08_made_up": page(*own, *more, name=name)


def limits(path):
    """The names of the limits that a page breaks."""
    return {line.partition(": ")[0].partition(" ")[2] for line in prose.broken(path, count(path))}


# Patterns


@pytest.mark.parametrize("word", WORDS["private"], ids=lambda word: word["caught"])
def test_a_private_word_is_caught_and_its_neighbour_passes(word, page):
    assert places(word["pattern"], word["caught"])
    assert places(word["pattern"], word["caught"].capitalize())
    assert not places(word["pattern"], word["passed"])
    [(n, found, instead)] = count(page(text("Fine."), text(word["caught"]))).private
    assert (n, found, instead) == (2, word["caught"], word["instead"])


@pytest.mark.parametrize(
    ("caught", "passed"),
    [
        ("The slide says so.", "A slider moves the point."),
        ("It is on one of our slides.", "It slides the window along."),
        ("A slide of ours has it.", "The slide of the window by one word"),
        ("as the deck has it", "one of the decks of cards"),
    ],
)
def test_a_mention_of_slides_is_caught(caught, passed):
    assert places(SLIDES, caught)
    assert not places(SLIDES, passed)


@pytest.mark.parametrize("name", WORDS["terms"])
def test_a_term_is_missing_until_the_prose_has_it(name, page):
    terms = WORDS["terms"][name]
    path = page(text("`" + "` `".join(terms) + "`"), name=f"09_{name}")
    assert count(path).missing == terms  # code is not prose
    assert not count(page(text(", ".join(terms).upper()), name=f"09_{name}")).missing


def test_terms_are_listed_for_every_chapter_and_for_nothing_else():
    assert list(WORDS["terms"]) == [noun(path) for path in CHAPTERS]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("Four words stand here.", 4),
        ("Here is $x = a b c$ and\n\n$$\nx = y\n$$\n\nand `a = b + c`.", 5),
        ("```python\nx = 1\n```\n", 0),
        ("| a | table |\n|---|---|\n| of | words |\n", 0),
        ("See [this page](../chapters/01_lsa.ipynb) now.", 4),
    ],
)
def test_words_are_those_of_the_prose(page, source, words):
    assert count(page(text(source))).words == words


def test_parentheses_are_a_share_of_the_words(page):
    counts = count(page(text("Ten words (of which four stand in parentheses) are here.")))
    assert counts.share == 0.6
    assert count(page(text("The function f(x) is one, and the set (a, b) another."))).share == 0


def test_a_long_sentence_is_one_of_more_than_thirty_words(page):
    long, short = "word " * 30 + "end.", "Word " * 29 + "end."
    counts = count(page(text(f"{long} {short}")))
    assert counts.lengths == [31, 30]
    assert [line for line in prose.details(counts) if "long" in line] == [
        f"cell 1: long sentence: {long[:160]}"
    ]


def test_headings_and_lists_are_no_sentences(page):
    assert not count(page(text("# A heading of five words\n\n- an item of five words"))).lengths


# Cells


@pytest.mark.parametrize(
    ("printed", "caught"), [("the two agree: True", 1), ("Truest and False", 1), ("true", 0)]
)
def test_a_printed_true_is_caught(page, printed, caught):
    assert len(count(page(cell("f()", printed=printed))).printed) == caught


def test_code_counts_where_a_reader_sees_it(page):
    source = cell("source(f)", tags=["remove-input"])
    shown = {"text/markdown": "*From* `f.py`*:*\n\n```python\ndef f():\n    return 1\n```\n"}
    source["outputs"] = [{"output_type": "display_data", "data": shown, "metadata": {}}]
    folded = cell("a\nb", tags=["hide-input"])
    counts = count(page(text("```python\nx = 1\n```"), cell("x\ny\nz"), folded, source))
    assert len(counts.cells) == 2
    assert counts.lines == 1 + 3 + 2


def test_tables_count_in_markdown_and_among_outputs(page):
    table, view = cell("show()", "<table></table>"), cell("x", WIDGET.format("0" * 32))
    counts = count(page(text("| a | b |\n|---|:-:|\n| 1 | 2 |"), table, view))
    assert [n for n, _ in counts.tables] == [1, 2]


def test_the_numbers_folded_beside_a_picture_are_no_table(page):
    counts = count(page(cell("plot()", PICTURE)))
    assert (len(counts.pictures), counts.tables) == (1, [])


def test_a_picture_may_stand_in_markdown(page):
    assert len(count(page(text("![Two networks](a.svg)"), text("[A link](a.svg)"))).pictures) == 1


def test_a_widget_counts_once_and_a_quiz_never(page):
    counts = count(
        page(
            cell("LsaWindow()", WIDGET.format("0" * 32)),
            cell("# @title A question\nQuiz(\n)", WIDGET.format("1" * 32)),
            cell("NumberQuiz()", WIDGET.format("2" * 32)),
        )
    )
    assert (len(counts.widgets), counts.pictures, counts.tables) == (1, [], [])


def test_a_section_without_a_picture_is_named_unless_it_closes_the_chapter(page):
    counts = count(
        page(
            text("# A title\n\n## First"),
            cell("plot()", PICTURE),
            text("## Second\n\n```python\n## a comment\n```"),
            text("## Third\n\n![A network](a.svg)"),
            text("## With the library"),
        )
    )
    assert counts.bare == [(3, "Second")]


def test_widgets_of_the_chapters_are_found():
    for path in CHAPTERS:
        kept = json.loads(path.read_text(encoding="utf-8"))["metadata"]["firth"]["widgets"]
        kinds = [state["_anywidget_id"].rpartition(".")[2] for state in kept.values()]
        views = [kind for kind in kinds if not kind.endswith("Quiz")]
        assert len(count(path).widgets) == len(views) > 0


# Limits


def test_a_page_that_keeps_its_limits_breaks_none(good):
    assert limits(good()) == set()


@pytest.mark.parametrize(
    ("more", "broken"),
    [
        ([text(SENTENCE * 110)], "words of prose"),
        ([text("(a rather long remark in parentheses) " * 34)], "% of the words in parentheses"),
        ([text("This is told by reckoning.")], "private words"),
        ([text("The slide is wrong.")], "mentions of slides"),
        ([cell("f()", printed="True")], "printed True or False"),
        ([cell("x = 1")] * 18, "visible code cells"),
        ([cell("x = 1\n" * 251)], "visible lines of code"),
        ([text("| a |\n|---|\n| 1 |")] * 9, "tables"),
        ([text("## A section without a picture")], "sections without a picture or widget"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_page_breaks_the_limit_that_it_breaks(good, more, broken):
    assert limits(good(*more)) == {broken}


def test_a_page_with_little_on_it_says_all_that_it_lacks(page, monkeypatch):
    monkeypatch.setitem(WORDS["terms"], "made_up", ["residual connection"])
    assert limits(page(text("Short."))) == {
        "words of prose",
        "pictures and widgets",
        "missing terms",
    }


def test_a_deeper_page_is_short_and_obeys_the_language(good):
    fine = good(cell("x = 1\n" * 300), name="08_made_up_deeper")
    assert limits(fine) == {"words of prose"}  # 6,000 of 5,000
    small = good(name="08_made_up_deeper")
    small.write_text(small.read_text(encoding="utf-8").replace(SENTENCE * 2, SENTENCE + "Nor is. "))
    assert limits(small) == {"private words"}


def test_the_rewritten_pages_are_there():
    assert [page for page in prose.rewritten() if not page.is_file()] == []
    assert len({*WORDS["rewritten"]}) == len(WORDS["rewritten"])
    assert all(re.fullmatch(r"chapters/\w+\.ipynb", page) for page in WORDS["rewritten"])


def beyond():
    """What the rewritten pages break, by page."""
    found = {path.name: prose.broken(path, count(path)) for path in prose.rewritten()}
    return {name: lines for name, lines in found.items() if lines}


def test_the_rewritten_pages_keep_their_limits():
    assert beyond() == {}


def test_a_rewritten_page_that_does_not_keep_them_is_told(good, monkeypatch, capsys):
    fine, bad = good(name="08_made_up"), good(text("By reckoning."), name="09_made_up")
    monkeypatch.setitem(WORDS, "rewritten", [str(fine), str(bad)])
    assert beyond() == {"09_made_up.ipynb": ["1 private words: 0 to 0"]}
    prose.main([str(fine), str(bad)])
    assert capsys.readouterr().out.count("beyond its limits: 1 private words: 0 to 0") == 1


def test_a_page_that_is_gone_is_found_missing(monkeypatch):
    monkeypatch.setitem(WORDS, "rewritten", ["chapters/99_gone.ipynb"])
    with pytest.raises(AssertionError):
        test_the_rewritten_pages_are_there()


def test_the_command_prints_a_line_a_page_and_with_details_the_places(page, capsys):
    path = page(text("Far away by reckoning."), cell("x = 1\ny = 2"))
    prose.main([str(path)])
    [head, row] = capsys.readouterr().out.splitlines()
    numbers = dict(zip(prose.HEAD, row.split()[1:], strict=True))
    assert head.split()[0] == "page"
    assert numbers["private"] == numbers["cells"] == "1" and numbers["lines"] == "2"
    prose.main(["--details", str(path)])
    told = capsys.readouterr().out
    assert "cell 1: private: … Far away by reckoning. … → estimate, extrapolate" in told
    assert "cell 2: 2 lines of code: x = 1" in told
