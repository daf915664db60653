"""The neighbour explorer on a page: it loads when it is used, and says so when it cannot.

Each test opens a page of its own, which takes a second or two.
"""

import pytest
from widget_pages import LETTERS, opener, served

from firth.widgets.lsa.explorer import MODES, LsaExplorer
from tests.book.test_book import CUT_OFF, disagreements


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address of a page with both modes."""
    with served(tmp_path_factory.mktemp("page"), *map(LsaExplorer, MODES)) as page:
        yield page


@pytest.fixture
def opened(chromium, address):
    """A function that opens the page; it gives the page and the files that it has asked for."""
    with opener(chromium, address, "/lsa/") as opened:
        yield opened


def place(page, n):
    return page.locator(".firth-widget").nth(n)


def says(page, n, text):
    """Wait until the n-th view says a text."""
    place(page, n).locator(".said", has_text=text).wait_for(timeout=10_000)


def test_nothing_is_loaded_until_the_reader_types_and_then_each_file_once(opened):
    page, asked = opened()
    first, second = place(page, 0), place(page, 1)
    assert asked == [] and disagreements(page, first) == disagreements(page, second) == []
    says(page, 0, "The word nearest to coffee is tobacco.")
    first.locator("input[type=text]").fill("bank")
    says(page, 0, "The word nearest to bank is")
    second.locator("textarea").fill("They went to the zorf and put their money into it.")
    second.locator(".arrows tr", has_text="money").wait_for()
    assert [url.rpartition("/_static/")[2] for url in asked] == ["lsa/explorer/PPMI_5.json"]
    assert disagreements(page, first) == disagreements(page, second) == []
    assert first.locator(".loading").inner_text().strip() == ""


def test_the_keys_alone_move_every_control_and_a_result_is_read_out(opened):
    page, asked = opened()
    first = place(page, 0)
    box = first.locator("input[type=text]")
    box.focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("bamk")
    page.keyboard.press("Enter")
    says(page, 0, "“bamk” is not among the 15,000 most frequent words. Did you mean")
    assert first.locator(".near").is_hidden()
    first.locator(".hints button", has_text="bank").press("Enter")
    says(page, 0, "The word nearest to bank is")
    assert box.input_value() == "bank"
    first.get_by_role("radio", name="5", exact=True).press("ArrowRight")
    first.locator("output[data-name=settings]", has_text="10 words").wait_for()
    first.locator("input[type=range]").press("ArrowLeft")
    first.locator("output[data-name=settings]", has_text="k = 59").wait_for()
    first.get_by_role("radio", name="PPMI").press("ArrowLeft")
    first.locator("output[data-name=settings]", has_text="counts").wait_for()
    nearest = first.locator(".near button").first
    word = nearest.inner_text()
    nearest.press("Enter")
    says(page, 0, f"The word nearest to {word} is")
    assert disagreements(page, first) == []
    heard = first.locator(".heard", has_text=f"The word nearest to {word} is")
    heard.wait_for(state="attached", timeout=5000)
    files = ["PPMI_5.json", "PPMI_10.json", "counts_10.json"]
    assert [url.rpartition("/")[2] for url in asked] == files


def test_a_file_that_cannot_be_had_is_named_in_a_sentence_and_asked_for_again(opened):
    page, asked = opened()
    first = place(page, 0)
    page.route("**/*_5.json", lambda route: route.abort())
    first.get_by_role("button", name="london").click()
    line = first.locator(".loading.failed")
    line.wait_for()
    assert "could not be loaded. Are you connected" in line.inner_text()
    assert disagreements(page, first) == []  # what stands there is still the answer for coffee
    page.unroute("**/*_5.json")
    page.route("**/*_5.json", lambda route: route.fulfill(status=404))
    first.get_by_role("button", name="Try again").click()
    first.locator(".loading.failed", has_text="The server answered 404.").wait_for()
    page.unroute("**/*_5.json")
    first.get_by_role("button", name="Try again").click()
    says(page, 0, "The word nearest to london is")
    assert first.get_by_role("button", name="Try again").is_hidden()
    assert len(asked) == 3


def test_a_file_that_comes_late_does_not_replace_what_was_wanted_after_it(opened):
    page, asked = opened()
    first, late = place(page, 0), []
    page.route("**/PPMI_1.json", lambda route: late.append(route))
    first.get_by_role("radio", name="1", exact=True).check()
    first.get_by_role("radio", name="2", exact=True).check()
    first.locator("output[data-name=settings]", has_text="2 words").wait_for()
    late[0].continue_()
    page.wait_for_timeout(600)
    assert "2 words" in first.locator("output[data-name=settings]").inner_text()
    first.get_by_role("radio", name="1", exact=True).check()
    first.locator("output[data-name=settings]", has_text="1 word").wait_for()
    assert len(asked) == 2


def test_on_a_phone_nothing_is_cut_off_or_too_small_to_read(opened):
    page, _ = opened(width=360)
    for word in ("london", "violin"):
        place(page, 0).get_by_role("button", name=word).click()
        says(page, 0, f"The word nearest to {word} is")
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert page.evaluate(CUT_OFF) == []
        assert min(page.evaluate(LETTERS)) >= 11


def test_words_glide_only_for_readers_who_welcome_motion(opened):
    duration = "getComputedStyle(document.querySelector('.map .word')).transitionDuration"
    for motion, seconds in (("reduce", "0s"), ("no-preference", "0.6s, 0.4s")):
        page, _ = opened(motion=motion)
        assert page.evaluate(duration) == seconds
