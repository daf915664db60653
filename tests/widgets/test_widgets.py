"""What every widget promises: something to see without a script, and no nonsense let in."""

import json
import re
from xml.etree import ElementTree as XML

import canonical
import js
import pytest
from chapter_pages import CHAPTERS
from hypothesis import given, settings
from traitlets import TraitError

from firth.widgets.ask import Ask
from firth.widgets.base import Widget
from firth.widgets.lsa.best_line import LsaBestLine
from firth.widgets.lsa.context_window import LsaWindow
from firth.widgets.lsa.first_sentences import LsaFirstSentences
from firth.widgets.lsa.low_rank import LsaRank
from firth.widgets.lsa.similarity import LsaSimilarity
from firth.widgets.lsa.weighting import LsaWeighting
from firth.widgets.quiz import NumberQuiz, Quiz
from firth.widgets.scripts import LOCAL_IMPORT, SHEET
from tests.widgets.test_parity import FOLDER, STRATEGIES, each_widget

SCRIPTS = sorted(FOLDER.rglob("*.js"))
each_script = pytest.mark.parametrize(
    "script", SCRIPTS, ids=lambda path: path.relative_to(FOLDER).as_posix()
)
OPTIONS = {"2": "Yes.", "11": "That joins them."}


def some(widget, check):
    """Try a claim on a few random widgets of a class."""

    @given(STRATEGIES[widget])
    @settings(max_examples=8, deadline=None, derandomize=True, database=None)
    def tried(make):
        view = make()
        check(view)
        view.close()

    tried()


@each_widget
def test_a_page_without_script_has_well_formed_html_and_no_script(widget):
    def check(view):
        place = XML.fromstring(view._repr_mimebundle_()[0]["text/html"].replace("\n\n", "\n"))
        assert place.get("class") == "firth-widget" and place.get("data-model") == view.model_id
        assert len(place) and "".join(place.itertext()).strip()
        for node in place.iter():
            assert node.tag not in ("script", "iframe", "img", "link")
            assert not [name for name in node.attrib if name.startswith("on")]

    some(widget, check)


@each_widget
def test_the_same_widget_made_twice_is_shown_alike(widget):
    def check(view):
        again = widget.restored(view.state())
        bundles = [w._repr_mimebundle_()[0] for w in (view, again)]
        ids = (view.model_id, again.model_id)
        shown = [b["text/html"].replace(id, "ID") for b, id in zip(bundles, ids, strict=True)]
        assert shown[0] == shown[1]
        assert bundles[0]["text/plain"] == bundles[1]["text/plain"] == repr(view)
        assert "0x" not in repr(view) and "\n" not in repr(view)
        assert again.answer() == view.answer()
        again.close()

    some(widget, check)


@each_widget
def test_no_name_means_both_a_trait_and_a_part_of_the_answer(widget):
    def check(view):
        assert not {*view.answer()} & {*view.state()}
        written = re.findall(r'output\(["`](\w+)', view._esm)
        assert written and {*written} <= {*view.answer(), *view.state()}

    some(widget, check)


@each_widget
def test_the_text_for_the_browser_imports_nothing(widget):
    assert LOCAL_IMPORT.search(widget._esm) is None
    assert not re.search(r"^\s*import\b|\bimport\(|\brequire\(", widget._esm, re.MULTILINE)
    assert widget._esm.count("export default") == 1


@each_script
def test_a_script_is_short_and_asks_no_other_site(script):
    text = script.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 200
    assert {*re.findall(r"https?://[^\"'\s]+", text)} <= {"http://www.w3.org/2000/svg"}  # a name
    assert not re.search(r"\bfetch\(|XMLHttpRequest|WebSocket|innerHTML|document\.addEvent", text)


@each_script
def test_what_flashes_asks_first_whether_motion_is_welcome(script):
    text = script.read_text(encoding="utf-8")
    for place in re.finditer(r"\.animate\(", text):
        assert "calm()" in text[max(0, place.start() - 60) : place.start()]


def test_the_stylesheet_moves_nothing_for_those_who_ask_for_less_motion():
    sheet = SHEET.read_text(encoding="utf-8")
    welcome = re.compile(r"@media \(prefers-reduced-motion: no-preference\) \{.*?\n\}", re.DOTALL)
    assert welcome.search(sheet)
    assert not re.search(r"\b(transition|animation)\b", welcome.sub("", sheet))
    assert "url(" not in sheet and "@import" not in sheet and "http" not in sheet


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: LsaFirstSentences(reading=1),
            "Sentence 1: zorf stands near poured and cup. "
            "Cosine with tea 0.69, coffee 0.00, violin 0.00, drum 0.19.",
        ),
        (LsaFirstSentences, "No sentence is read, so the row of zorf is empty."),
        (
            lambda: LsaWindow(centre=119),
            "m = 5, after 120 of 120 words, at drum: most similar to zorf is tea, cosine 0.78.",
        ),
        (
            LsaWindow,
            "m = 5, after 1 of 120 words, at she: most similar to zorf is no word yet.",
        ),
        (
            lambda: LsaWeighting(scheme="idf", cell=[0, 6]),
            "Counts × idf: cosine of zorf with tea 0.66, coffee 0.00, violin 0.00, drum 0.07. "
            "zorf – the: 3 × log₂(5 / 5) = 3 × 0.00 = 0.00.",
        ),
        (
            lambda: LsaBestLine(angle=20, best=45),
            "At 20 degrees the line loses zorf 1.05, tea 1.43, coffee 7.95, together 10.43, "
            "and keeps 60 %. Least so far: 9.00 at 45 degrees.",
        ),
        (
            lambda: LsaRank(k=2),
            "k = 2 keeps 88 % of the squares. "
            "Cosine of zorf with tea 1.00, coffee 0.99, violin 0.07, drum 0.11.",
        ),
        (
            lambda: LsaRank(k=5, left_out=True),
            "Without tea, k = 4 keeps 100 % of the squares. "
            "Cosine of zorf with coffee 0.00, violin 0.00, drum 0.07.",
        ),
        (
            lambda: LsaRank("titles", k=2),
            "k = 2 keeps 57 % of the squares. Highest cosine with human, computer: "
            "1.00, c3. The EPS user interface management system",
        ),
        (
            lambda: LsaRank("titles", k=9, query=[]),
            "k = 9 keeps 100 % of the squares. No word is asked for.",
        ),
    ],
)
def test_a_change_is_heard_as_one_sentence(make, sentence):
    view = make()
    assert js.call(view._esm, "spoken", view.answer(), view.state()) == sentence


def number(**changed):
    defaults = dict(value=6, feedback="Yes.", foreseen={12: "Twice."}, otherwise="Draw them.")
    return NumberQuiz("key", "How many?", **defaults | changed)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: LsaFirstSentences(["Tea!"]), "No sentence has the word 'zorf'"),
        (lambda: LsaFirstSentences(reading=6), "5 sentences with 'zorf'"),
        (lambda: LsaWindow(["a b"], ["c"], ["b"]), "never says ['c']"),
        (lambda: LsaWindow(["a b"], ["a", "a"], ["b"]), "must differ"),
        (lambda: LsaWindow(["a b"], ["a"], []), "one or more"),
        (lambda: LsaWindow(["a b", "a"], ["a"], ["b"], centre=3), "below 3"),
        (lambda: LsaWindow(["a b"], ["a"], ["b"], reading="b"), "one of ['a']"),
        (lambda: LsaWindow(["a b"], ["a"], ["b"], m=6), "'m'"),
        (lambda: LsaWeighting([[1]]), "must have names"),
        (lambda: LsaWeighting([[1, 0]], ["a"], ["b", "c"]), "must have met"),
        (lambda: LsaWeighting(cell=[5, 0]), "5 × 7 cells"),
        (lambda: LsaWeighting(scheme="log"), "'log'"),
        (lambda: LsaBestLine({"a": (-1, 2)}), "0 or more"),
        (lambda: LsaBestLine({"a": (0, 0)}), "not all 0"),
        (lambda: LsaBestLine(angle=91), "between 0 and 90"),
        (lambda: LsaRank(dict(rows=["a"], columns=["b"], X=[[1, 2]])), "must have names"),
        (lambda: LsaRank(dict(rows=["a", "a"], columns=["b"], X=[[1], [2]])), "must differ"),
        (lambda: LsaRank(dict(rows=["a"], columns=["b"], X=[[1]], strip=["c"])), "['c'] must be"),
        (lambda: LsaRank(k=6), "5 directions"),
        (lambda: LsaRank("titles", query=["ship"]), "no column ['ship']"),
        (lambda: LsaSimilarity(x=[9, 0]), "between -3 and 5"),
        (lambda: LsaSimilarity(question=5), "5 questions"),
        (lambda: Quiz("key", "What?", {"2": "Yes."}, "2"), "two options"),
        (lambda: Quiz("key", "What?", OPTIONS, "3"), "must be one of"),
        (lambda: Quiz("key", "What?", {"2": " ", "3": "No."}, "2"), "needs feedback"),
        (lambda: Quiz("A key", "What?", OPTIONS, "2"), "small letters"),
        (lambda: Quiz("key", " ", OPTIONS, "2"), "needs words"),
        (lambda: Quiz("key", "What?", OPTIONS, "2", given=2), "below 2"),
        (lambda: number(foreseen={6: "?"}), "too near"),
        (lambda: number(otherwise=""), "another number"),
        (lambda: number(feedback=""), "needs feedback"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(make, says):
    with pytest.raises((ValueError, TraitError)) as refused:
        make()
    message = str(refused.value)
    assert re.search(says.replace("[", r"\["), message)
    assert "\n" not in message and len(message) < 200


def quizzes(chapter):
    """The states of a chapter's questions with options, as they are stored in its notebook."""
    states = canonical.widgets(json.loads(chapter.read_text(encoding="utf-8")))
    return [state for state in states.values() if state.get("order")]


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_the_place_of_an_option_does_not_tell_whether_it_is_right(chapter):
    asked = quizzes(chapter)
    assert asked
    for state in asked:
        assert sorted(state["order"]) == list(range(len(state["options"])))
    assert len({state["order"].index(state["right"]) for state in asked}) > 1


def test_an_option_that_speaks_of_all_the_others_is_read_last():
    asked = [state for chapter in CHAPTERS for state in quizzes(chapter)]
    last = {"None", "Nothing", "Not at all"}
    found = [state for state in asked if last & {*state["options"]}]
    assert found
    assert all(state["options"][state["order"][-1]] in last for state in found)


def test_a_quiz_shows_its_options_in_one_order_and_keeps_an_answer_by_its_number():
    options = {"3": "Too many.", "2": "Yes.", "11": "That joins them.", "None": "No."}
    first, again = (Quiz("sum", "What is 1 + 1?", options, "2", given=2) for _ in range(2))
    assert first.order == again.order != [0, 1, 2, 3]
    assert first.answer()["says"] == "That joins them."
    shown = re.findall("<summary>(.*?)</summary>", first.fallback())
    assert shown == [list(options)[i] for i in first.order]


def test_a_widget_without_numbers_or_fallback_says_so():
    for missing in (Widget().answer, Widget().fallback):
        with pytest.raises(NotImplementedError, match="must say"):
            missing()


def test_the_box_answers_what_is_typed_and_shows_a_refusal_as_a_sentence():
    def shout(word):
        if word == "star":
            return word.upper()
        raise ValueError(f"<{word}> is not known.")

    ask = Ask("A word", "star", shout)
    assert ask.reply.value == "<p>STAR</p>"
    bundle = ask._repr_mimebundle_()
    assert "<p>STAR</p>" in bundle["text/html"] and "kernel" in bundle["text/html"]
    assert bundle["text/plain"] == "Ask('A word', 'star')"
    ask.box.value = "sea"
    assert ask.reply.value == "<p>&lt;sea&gt; is not known.</p>"
    XML.fromstring(bundle["text/html"])
