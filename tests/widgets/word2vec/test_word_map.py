"""The map of the word vectors: its first state, its files, and the view in a browser."""

import gzip
import json
import re

import js
import numpy as np
import pytest
from notebooks import COURSE
from strategies.word2vec import random_map
from traitlets import TraitError
from widget_pages import LETTERS, opener, served

from firth.lsa.similarity import unit
from firth.store.results import stored_result
from firth.store.weights import dequantize
from firth.widgets.word2vec import word_map as module
from firth.widgets.word2vec.word_map import EXAMPLES, FIRST, Word2vecMap
from firth.word2vec import word_map
from tests.book.test_book import CUT_OFF, disagreements
from tests.widgets.test_parity import assert_same

FILE = COURSE / "site/_static/word2vec/map/vectors.json"


def published():
    return json.loads(FILE.read_text(encoding="utf-8"))


@pytest.fixture
def shown():
    made = []

    def make(*arguments, **choices):
        made.append(Word2vecMap(*arguments, **choices))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_every_word_has_a_place_and_a_vector_in_the_published_file():
    stored = stored_result("word2vec/map")
    words = word_map.frequent_words()
    assert len(words) == len({*words}) == word_map.SIZE and {*EXAMPLES, FIRST} <= {*words}
    places = np.array(stored["places"]).reshape(-1, 2)
    assert places.shape == (word_map.SIZE, 2)
    assert places.min() == 0 and places.max() == word_map.SIDE
    assert published()["vectors"]["shape"] == [word_map.SIZE, word_map.SETTINGS["d"]]
    assert stored["settings"] == word_map.SETTINGS
    assert FILE.stat().st_size < 700_000


def test_the_bytes_change_hardly_any_neighbour():
    *pairs, same = stored_result("word2vec/map")["rows"]
    assert all(abs(row["exact"] - row["bytes"]) < 0.005 for row in pairs)
    assert same["share"] > 0.97


def test_the_first_state_is_what_all_vectors_answer(shown):
    first = shown()
    whole = shown(space=published())
    assert len(first.space["rows"]) == 11 and "rows" not in whole.space
    assert first.answer() == whole.answer()
    first.word = "star"
    assert first.answer() == whole.answer()  # until the vectors are there


def test_the_nearest_words_are_those_of_the_vectors_and_both_scripts_agree(shown):
    one = shown(space=published())
    words, X = one.words.split(" "), unit(dequantize(published()["vectors"]))
    for one.word in ("red", " Star ", "the"):
        i = words.index(one.word.strip().lower())
        order = np.argsort(-(X @ X[i]))[1:11]
        assert one.answer()["best"] == [words[j] for j in order]
        assert_same(one.answer(), js.call(one._esm, "answer", one.state()))


def test_words_that_are_near_on_the_map_are_similar():
    """Of the ten nearest on the map, many are among the fifty most similar; by chance 1 in 100."""
    places = np.array(stored_result("word2vec/map")["places"]).reshape(-1, 2)
    X = unit(dequantize(published()["vectors"]))
    shares = []
    for i in range(300, 4_900, 92):
        on_map = np.argsort(((places - places[i]) ** 2).sum(axis=1))[1:11]
        shares.append(np.isin(on_map, np.argsort(-(X @ X[i]))[1:51]).mean())
    assert np.mean(shares) > 0.4


@pytest.mark.parametrize(
    ("typed", "suggested", "says"),
    [
        ("Teaa ", ["tea"], "“teaa” is not among the 16 words of this map. Did you mean tea?"),
        ("zzzzzz", [], "“zzzzzz” is not among the 16 words of this map."),
        ("", [], "Type a word."),
    ],
)
def test_an_unknown_word_is_named_with_what_is_spelled_like_it(shown, typed, suggested, says):
    one = shown(*random_map(0, 16), word=typed)
    assert one.answer()["suggested"][:1] == suggested and one.answer()["said"].startswith(says)
    assert one.answer()["best"] == [None] * 10
    assert_same(one.answer(), js.call(one._esm, "answer", one.state()))


def test_a_change_is_heard_as_the_list_is_read(shown):
    one = shown()
    cosines = [f"{value:.2f}" for value in one.answer()["cosines"]]
    best = one.answer()["best"]
    assert js.call(one._esm, "spoken", one.answer(), one.state()) == (
        f"The word nearest to {FIRST} is {best[0]}. Cosine {cosines[0]}; "
        f"then {best[1]} {cosines[1]}, {best[2]} {cosines[2]}, {best[3]} {cosines[3]}."
    )


def test_a_cosine_of_the_page_that_forgets_the_length_is_caught(shown):
    one = shown(*random_map(1, 16), word="tea")
    wrong = one._esm.replace("x.map((value) => value / length)", "x")
    assert wrong != one._esm
    with pytest.raises(AssertionError):
        assert_same(one.answer(), js.call(wrong, "answer", one.state()))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Word2vecMap(["a", "b"], [1, 2, 3], {}), "4 numbers for their places"),
        (
            lambda: Word2vecMap(["a"], [1, 2], word_map.vectors_for_the_page(np.ones((1, 2)))),
            "two words",
        ),
        (lambda: Word2vecMap(word="a" * 41), "at most 40 letters"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(make, says):
    with pytest.raises((ValueError, TraitError), match=says):
        make()


def test_a_kernel_sends_the_vectors_that_it_trains_or_says_why_it_cannot(shown, monkeypatch):
    sent, one = [], shown()
    monkeypatch.setattr(one, "send", sent.append)
    V = np.arange(1.0, 7.0).reshape(3, 2)

    def train(say):
        say("Training …")
        return ["a", "b", "c"], V

    monkeypatch.setattr(module.word_map, "trained_vectors", train)
    one._handle_custom_msg({"file": "f"}, [])
    assert sent == [
        {"file": "f", "says": "Training …"},
        {"file": "f", "content": word_map.vectors_for_the_page(V)},
    ]

    def fails(say):
        raise OSError("There is no network.")

    monkeypatch.setattr(module.word_map, "trained_vectors", fails)
    one._handle_custom_msg({"file": "f"}, [])
    assert sent[-1] == {"file": "f", "problem": "There is no network."}


def test_the_size_that_the_view_names_is_that_of_the_file():
    [size] = re.findall(r'DOWNLOAD = "([\d.]+) MB"', Word2vecMap._esm)
    packed = len(gzip.compress(FILE.read_bytes(), 6))
    assert packed == pytest.approx(float(size) * 1e6, rel=0.15)


# ---- in a browser: each test opens a page of its own, which takes a second or two ----


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address of a page with the map."""
    with served(tmp_path_factory.mktemp("page"), Word2vecMap()) as page:
        yield page


@pytest.fixture
def opened(chromium, address):
    """A function that opens the page; it gives the page, the view, and the files it asked for."""
    with opener(chromium, address, "/word2vec/") as start:

        def opened(**size):
            page, asked = start(**size)
            return page, page.locator(".firth-widget"), asked

        yield opened


def says(view, word):
    view.locator(".said", has_text=f"The word nearest to {word} is").wait_for(timeout=10_000)


def test_the_map_stands_at_once_and_the_vectors_come_when_a_word_is_chosen(opened):
    page, view, asked = opened()
    assert asked == [] and disagreements(page, view) == []
    assert view.locator(".dots").get_attribute("d").count("M") == word_map.SIZE
    view.get_by_role("button", name="star", exact=True).click()
    says(view, "star")
    assert [url.rpartition("/_static/")[2] for url in asked] == ["word2vec/map/vectors.json"]
    assert disagreements(page, view) == []
    nearest = view.locator(".near button").first
    word = nearest.inner_text()
    nearest.press("Enter")
    says(view, word)
    box = view.locator("input[type=text]")
    box.fill("starz")
    box.press("Enter")
    view.locator(".said", has_text="Did you mean star").wait_for()
    view.locator(".hints button", has_text="stars").press("Enter")
    says(view, "stars")
    assert box.input_value() == "stars" and len(asked) == 1
    assert disagreements(page, view) == []
    heard = view.locator(".heard", has_text="The word nearest to stars is")
    heard.wait_for(state="attached", timeout=5000)


def test_a_click_on_a_dot_asks_about_its_word_and_the_zoom_shows_the_neighbours(opened):
    page, view, _ = opened()
    view.get_by_role("button", name="star", exact=True).click()
    says(view, "star")
    few = view.locator(".names .close").count()
    view.get_by_role("checkbox").check()
    view.locator(".map.zoomed").wait_for()
    assert view.locator(".names .close").count() >= max(5, few)
    label = view.locator(".names .close").last
    word = label.inner_html()
    place = page.evaluate(
        """([view, word]) => {
          const state = view.firthModel.toJSON();
          const i = state.words.split(" ").indexOf(word);
          const [x, y] = [state.places[2 * i], -state.places[2 * i + 1]];
          const to = view.querySelector(".map g").getScreenCTM();
          const at = new DOMPoint(x, y).matrixTransform(to);
          return [at.x, at.y];
        }""",
        [view.element_handle(), word],
    )
    page.mouse.move(*place)
    assert view.locator(".pointed").text_content() == word
    page.mouse.click(*place)
    says(view, word)


def test_without_a_connection_the_first_answer_stays_and_the_problem_is_named(opened):
    page, view, _ = opened()
    page.route("**/vectors.json", lambda route: route.abort())
    view.get_by_role("button", name="star", exact=True).click()
    view.locator(".loading.failed").wait_for()
    assert "could not be loaded" in view.locator(".loading").inner_text()
    assert disagreements(page, view) == []
    page.unroute("**/vectors.json")
    view.get_by_role("button", name="Try again").click()
    says(view, "star")


def test_on_a_phone_nothing_is_cut_off_or_too_small_to_read(opened):
    page, view, _ = opened(width=360)
    for word in ("star", "bank"):
        view.get_by_role("button", name=word, exact=True).click()
        says(view, word)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert page.evaluate(CUT_OFF) == []
        assert min(page.evaluate(LETTERS)) >= 11
