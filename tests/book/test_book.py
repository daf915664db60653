"""The built book, read in a browser with the network cut, from a folder of some site.

The book is built once a session and served compressed from a sub-path; every page is opened wide,
made narrow, and looked at in light, dark and forced colours; at night it is opened on a phone, too.
What leaves the site, complains, is cut off or cannot be reached by keyboard fails here.
"""

import importlib
import io
import json
import math
import re
from functools import cache
from html.parser import HTMLParser
from urllib.parse import unquote, urljoin, urlsplit

import pdf
import pytest
from course import pages_address
from notebooks import COURSE
from parts import by_day

NAMES = pdf.contents()
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LIMIT = 1_500_000  # bytes of a page, compressed, without its pictures

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

CUT_OFF = """() => [...document.querySelectorAll(".firth-view")].flatMap((view) => {
  const scrolls = (e) => ["auto", "scroll"].includes(getComputedStyle(e).overflowX);
  const reached = (e) => e !== view && (scrolls(e) || reached(e.parentElement));
  const end = view.getBoundingClientRect().right + 1;
  return [...view.querySelectorAll("*:not(svg *)")]
    .filter((e) => e.getBoundingClientRect().right > end && !reached(e.parentElement))
    .map((e) => `${view.className}: ${e.tagName} ${e.className.baseVal ?? e.className}`);
})"""


UNFOLD = """async () => {
  for (const fold of document.querySelectorAll(".bd-article details")) fold.open = true;
  for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
}"""

# Code, output and tables wider than the box that they stand in, and whether that box can be
# scrolled with the keys and throws a shadow where it cuts. A hidden rest counts as cut.
CUT_BOXES = """() => [...document.querySelectorAll(".bd-article :is(pre, table)")].flatMap((e) => {
  for (let box = e; box !== document.body; box = box.parentElement) {
    const { display, overflowX, backgroundImage, backgroundAttachment } = getComputedStyle(box);
    if (!e.offsetWidth || display === "table" || overflowX === "visible") continue;
    const inside = Math.max(e.getBoundingClientRect().width, box === e ? e.scrollWidth : 0);
    if (inside <= box.clientWidth + 1) continue;
    const shaded = backgroundImage.includes("gradient") && backgroundAttachment.includes("local");
    const told = box.getAttribute("aria-label") ?? box.caption;
    const reached = overflowX === "auto" && box.tabIndex === 0 && told && shaded;
    return [[reached ? "scrolls" : "cut", e.tagName, e.textContent.trim().slice(0, 60)]];
  }
  return [];
})"""

# Numbers inside sentences that are a block of their own: WebKit sets such a block above the line.
RAISED = """() => [...document.querySelectorAll(".firth-view output")]
  .filter((e) => [...e.parentElement.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
  .filter((e) => !/flex|grid/.test(getComputedStyle(e.parentElement).display))
  .filter((e) => getComputedStyle(e).display !== "inline")
  .map((e) => e.parentElement.textContent.slice(0, 60))"""

# For everything painted in a view: what it is, and how far its paint is from what lies below it.
PAINTED = """() => {
  const dot = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const over = (below, colours) => {
    dot.globalCompositeOperation = "source-over";
    for (const colour of [`rgb(${below})`, ...colours]) {
      dot.fillStyle = colour;
      dot.fillRect(0, 0, 1, 1);
    }
    return [...dot.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const painted = [];
  const note = (kind, below, colours) => {
    const seen = over(below, colours);
    painted.push([kind, Math.max(...seen.map((value, i) => Math.abs(value - below[i])))]);
    return seen;
  };
  const COLOUR = /(?:rgba?|color|oklab|oklch|lab|lch)\\([^()]*\\)/g;
  const visit = (e, below) => {
    if (e.matches("button, input, select, textarea, .heard")) return;
    for (const part of [null, "::before", "::after"]) {
      const style = getComputedStyle(e, part);
      if (style.display === "none" || (part && style.content === "none")) continue;
      const kind = `${e.tagName}.${e.className.baseVal ?? e.className}${part ?? ""}`;
      for (const colour of style.backgroundImage.match(COLOUR) ?? []) note(kind, below, [colour]);
      for (const name of e instanceof SVGGeometryElement && !part ? ["fill", "stroke"] : [])
        if (style[name] !== "none" && (name === "stroke" || e.tagName !== "line"))
          note(kind, below, [style[name]]);
      const seen = note(kind, below, [style.backgroundColor]);
      if (!part) below = seen;
    }
    for (const child of e.children) visit(child, below);
  };
  for (const view of document.querySelectorAll(".firth-view"))
    visit(view, over([255, 255, 255], [getComputedStyle(document.body).backgroundColor]));
  return painted;
}"""


def refused(page, **options) -> list[str]:
    """What axe finds wrong with a page: each rule that it breaks, with one place."""
    from axe_playwright_python.sync_playwright import Axe

    options["resultTypes"] = ["violations"]  # nothing else is described at length
    violations = Axe().run(page, options=options).response["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html'][:120]}" for v in violations]


every_page = pytest.mark.parametrize("name", [*NAMES, "search"])


def opened(reader, name):
    """A page, read to its end and unfolded, with all that it shows in its place."""
    page = reader.open(name)
    reader.scroll()
    page.evaluate(UNFOLD)
    assert reader.complaints == []
    assert page.locator(".math:not(:has(mjx-container))").count() == 0
    assert page.locator("mjx-merror, [data-mjx-error]").count() == 0
    assert page.locator(".firth-widget[data-model]:not([data-state='live'])").count() == 0
    assert page.evaluate(RAISED) == []
    assert reader.weight <= LIMIT
    return page


def fits(page, scrolling):
    """Nothing is wider than the screen; what has to be scrolled says so, if it may be at all."""
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate(CUT_OFF) == []
    assert [box for box in page.evaluate(CUT_BOXES) if box[0] == "cut" or not scrolling] == []


@every_page
def test_a_page_is_whole_quiet_and_open_to_everyone(visit, name):
    page = opened(visit("light", 1280), name)
    fits(page, scrolling=False)
    dark = {"color-contrast": {"enabled": False}}  # seen in the dark, and at night in the light
    assert refused(page, runOnly={"type": "tag", "values": TAGS}, rules=dark) == []
    for width in (360, 320):  # a phone, and 1280 read at four times its size
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate(UNFOLD)
        fits(page, scrolling=True)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.evaluate(UNFOLD)
    in_other_colours(page)


@pytest.mark.night
@every_page
def test_a_page_that_is_opened_on_a_phone_is_whole_quiet_and_open_to_everyone(visit, name):
    page = opened(visit("light", 360), name)
    fits(page, scrolling=True)
    assert refused(page, runOnly={"type": "tag", "values": TAGS}) == []


def in_other_colours(page):
    """What can differ between colours alone: contrast, and what is told by a shade."""
    light = page.evaluate(PAINTED)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    assert refused(page, runOnly={"type": "rule", "values": ["color-contrast"]}) == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, forced_colors="active")
        forced = page.evaluate(PAINTED)
        assert [kind for kind, _ in forced] == [kind for kind, _ in light]
        pairs = zip(light, forced, strict=True)
        assert [kind for (kind, by), (_, now) in pairs if by >= 8 and now < by / 2] == []


def test_the_first_page_is_as_wide_as_any_phone(visit):
    page = visit(width=320).open("index")
    for width in range(320, 440, 5):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, width


# ---- widgets: what the reader sees is what Python computes ----


@cache
def restored(kind: str):
    """The Python class of a view, from the name that anywidget gives its module."""
    module, _, name = kind.rpartition(".")
    return getattr(importlib.import_module(module), name)


def at(answer, path: str):
    for key in path.split("."):
        answer = answer[int(key)] if isinstance(answer, list | tuple) else answer[key]
    return answer


def agrees(shown: str, value) -> bool:
    """Whether a text says a value, to the digits that it shows.

    >>> agrees("0.33", 1 / 3), agrees("−1.5", -1.46), agrees("0.34", 1 / 3), agrees("fox", "fox")
    (True, True, False, True)
    """
    shown = shown.strip()
    if isinstance(value, str):
        return shown == value
    if isinstance(value, list | tuple):
        return all(str(item) in shown for item in value)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return not re.search(r"\d", shown)
    number = re.search(r"-?\d[\d,]*\.?\d*|-?\.\d+", shown.replace("−", "-"))
    if not number:
        return False
    digits = number[0].replace(",", "")
    places = len(digits.partition(".")[2])
    return abs(float(digits) - float(value)) <= 0.5 * 10**-places + 1e-9


def disagreements(page, widget) -> list[str]:
    """Every output whose text is not what Python answers for the view's present state."""
    said = widget.evaluate(
        """(el) => JSON.stringify([
          { ...el.firthModel.toJSON(), _esm: "", _css: "" },
          [...el.querySelectorAll("output[data-name]")].map((o) => [o.dataset.name, o.textContent]),
        ])"""
    )
    state, shown = json.loads(said)
    python = restored(state["_anywidget_id"]).restored(state)
    try:
        answer = {**python.state(), **python.answer()}
    finally:
        python.close()
    return [
        f"{name}: the page shows {text!r}, Python says {at(answer, name)!r}"
        for name, text in shown
        if not agrees(text, at(answer, name))
    ]


def mouse_over(page, control):
    """Use one control as a hand would; what it is decides how."""
    control.scroll_into_view_if_needed()
    kind = control.evaluate("(e) => e.tagName === 'INPUT' ? e.type : e.tagName.toLowerCase()")
    if kind == "range":
        box = control.bounding_box()
        for share in (0.2, 0.8):
            page.mouse.click(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
    elif kind == "select":
        control.select_option(index=control.evaluate("(e) => e.options.length - 1"))
    elif kind == "number":
        control.fill("2")
        control.press("Enter")
    elif kind in ("text", "textarea"):
        control.fill("star")
        control.press("Enter")
    elif kind == "radio":
        control.check()  # complains where another option is marked than the one that was clicked
    elif kind in ("button", "checkbox"):
        control.click()
    else:  # something drawn, to be dragged
        box = control.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 25, y + 10, steps=3)
        page.mouse.up()


def keys_on(control):
    """Use one control with the keys that its kind answers to."""
    control.focus()
    kind = control.evaluate("(e) => e.tagName === 'INPUT' ? e.type : e.tagName.toLowerCase()")
    for key in {
        "range": ["ArrowRight", "ArrowUp", "Home", "End", "ArrowLeft"],
        "radio": ["Space", "ArrowDown"],
        "checkbox": ["Space"],
        "number": ["ArrowUp", "ArrowDown"],
        "select": ["ArrowUp"],
        "button": ["Enter"],
    }.get(kind, ["ArrowRight", "ArrowDown"]):
        control.press(key)


CONTROLS = ", ".join(
    f"{kind}:visible{on}"
    for kind, on in [
        ("input", ":enabled"),
        ("select", ":enabled"),
        ("button", ":enabled"),
        ("[tabindex='0']", ""),
    ]
)
MOVED_BY_ARROWS = "[tabindex='0']:is([role='slider'], [aria-label*='arrow keys' i])"
WIDGETS = [name for name in NAMES if name.split("/")[0] in ("chapters", "exercises")]


@pytest.mark.parametrize(
    "width, ways",
    by_day([(1280, "in turn"), (1280, "both"), (360, "both")], lambda _, ways: ways == "in turn"),
)
@pytest.mark.parametrize("name", WIDGETS)
def test_every_control_by_mouse_and_by_keys_shows_what_python_computes(visit, name, width, ways):
    """By day each control is used in one of the two ways, so that each view is used in both."""
    reader = visit("light", width)
    page = reader.open(name)
    reader.scroll()
    for place in page.locator(".firth-widget[data-model]").all():
        assert disagreements(page, place) == []
        for control in place.locator(MOVED_BY_ARROWS).all():
            control.press("Shift")  # the first key of all keeps JupyterLab's own keys away
            before = place.inner_html()
            keys_on(control)
            page.wait_for_timeout(30)
            assert place.inner_html() != before, control.get_attribute("aria-label")
        for n, use in enumerate([lambda c: mouse_over(page, c), keys_on]):
            count = place.locator(CONTROLS).count()
            for i in range(n, count, 2) if ways == "in turn" and count > 1 else range(count):
                control = place.locator(CONTROLS).nth(i)
                if control.count() == 0:
                    continue  # the view has drawn itself anew with fewer
                use(control)
                page.wait_for_timeout(30)
                assert disagreements(page, place) == []
    assert reader.complaints == []


def view(visit, chapter, name):
    """A page read to its end, and the first view of this name on it."""
    reader = visit()
    page = reader.open(f"chapters/{chapter}")
    reader.scroll()
    return page, page.locator(f".{name}").first


def test_a_training_that_is_over_is_played_from_its_beginning(visit):
    _, training = view(visit, "02_word2vec", "word2vec-training")
    step = training.locator("input[data-trait='step']")
    step.press("End")
    assert step.input_value() == step.get_attribute("max")
    training.get_by_role("button", name="Play").click()
    assert step.input_value() == "1"
    training.get_by_role("button", name="Pause").click()


@pytest.mark.parametrize(
    "chapter, name, typed",
    [
        ("03_rnn", "rnn-names", "Ω"),
        ("04_attention", "attention-alignment", "1"),
        ("05_transformer", "transformer-austen", "Ω"),
    ],
)
def test_why_a_text_is_refused_is_heard(visit, chapter, name, typed):
    _, asked = view(visit, chapter, name)
    asked.locator("input[type='text']").fill(typed)
    assert asked.locator(".refused[role='status']").text_content()


def test_an_arrow_key_moves_a_handle_and_not_the_page(visit):
    page, lab = view(visit, "04_attention", "attention-lab")
    handle = lab.get_by_role("slider", name="image of (1, 0)").first
    handle.focus()
    top, before = page.evaluate("scrollY"), handle.get_attribute("aria-valuetext")
    for _ in range(3):
        handle.press("ArrowDown")
    page.wait_for_timeout(100)
    assert handle.get_attribute("aria-valuetext") != before
    assert page.evaluate("scrollY") == top


def test_a_slider_through_words_says_the_word(visit):
    _, blanks = view(visit, "06_bert", "bert-blanks")
    slider = blanks.locator(".picture input[type='range']")
    slider.press("ArrowRight")
    said = slider.get_attribute("aria-valuetext")
    assert said != "none" and blanks.get_by_label("Find a word").input_value() == said


def test_of_a_drag_its_end_alone_is_heard(visit):
    page, shown = view(visit, "03_rnn", "rnn-gradient")
    page.clock.install()
    heard, slider = shown.locator(".heard"), shown.locator("input[data-trait='rho']")
    heard.evaluate(
        "(e) => new MutationObserver(() => (e.dataset.times = 1 + Number(e.dataset.times ?? 0)))"
        ".observe(e, { childList: true })"
    )
    for _ in range(4):
        slider.press("ArrowRight")
        page.clock.run_for(100)
    page.clock.run_for(2000)
    assert heard.get_attribute("data-times") == "1"
    assert f"ρ {float(slider.input_value()):.2f}," in heard.text_content()


def test_the_arc_of_an_angle_bends_around_the_corner_of_the_angle(visit):
    reader = visit()
    page = reader.open("chapters/01_lsa_deeper")
    reader.scroll()
    start, middle = page.locator(".firth-view path.arc").first.evaluate(
        """(arc) => [0, arc.getTotalLength() / 2].map((along) => {
          const { x, y } = arc.getPointAtLength(along);
          return Math.hypot(x, y);
        })"""
    )
    assert start > 0 and math.isclose(start, middle, rel_tol=0.01)


def test_a_widget_that_cannot_start_leaves_its_fallback(visit, pages):
    name = next((n for n in WIDGETS if 'class="firth-widget"' in text_of(pages, n)), None)
    if not name:
        pytest.skip("no page has a widget yet")
    reader = visit()
    reader.page.add_init_script("URL.createObjectURL = () => 'blob:nothing'")
    page = reader.open(name)
    reader.scroll()
    place = page.locator(".firth-widget").first
    assert place.get_attribute("data-state") == "failed"
    assert place.locator(".firth-note").count() == 1
    assert place.evaluate("(e) => e.children.length") > 1


# ---- getting about ----


def text_of(pages, name) -> str:
    return (pages / f"{name}.html").read_text(encoding="utf-8")


class Anchors(HTMLParser):
    """The links, ids, title and description of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.ids, self.described, self.title, self.inside = [], set(), "", "", False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if tag == "a" and a.get("href"):
            self.links.append(a["href"])
        if a.get("id"):
            self.ids.add(a["id"])
        if tag == "meta" and a.get("name") == "description":
            self.described = a["content"]
        self.inside = tag == "title"

    def handle_data(self, data):
        self.title += data if self.inside else ""

    def handle_endtag(self, tag):
        self.inside = False


@pytest.fixture(scope="session")
def anchors(pages):
    return {name: Anchors(text_of(pages, name)) for name in [*NAMES, "search"]}


@pytest.mark.parametrize("name", NAMES)
def test_every_link_within_the_book_leads_somewhere(pages, anchors, name):
    base, lost = f"http://book/{name}.html", []
    for link in anchors[name].links:
        target = urlsplit(urljoin(base, link))
        if target.netloc != "book":
            continue
        file = pages / unquote(target.path).lstrip("/")
        fragment = unquote(target.fragment)
        if not file.is_file():
            lost.append(link)
        elif fragment and file.suffix == ".html":
            page = anchors[file.relative_to(pages).with_suffix("").as_posix()]
            lost += [] if fragment in page.ids else [link]
    assert lost == []


def test_no_two_pages_have_one_title_or_one_description(anchors):
    for kind in ("title", "described"):
        said = [getattr(page, kind) for page in anchors.values()]
        assert all(said) and len(set(said)) == len(said), said


def test_no_page_loads_a_script_twice_or_one_that_it_cannot_use(pages):
    for name in NAMES:
        scripts = re.findall(r"<script\b[^>]*\bsrc=\"([^\"?]+)", text_of(pages, name))
        assert len(scripts) == len(set(scripts))
        assert not [s for s in scripts if re.search("thebe|fontawesome|searchindex|require", s)]


@pytest.mark.parametrize("name", WIDGETS)
def test_launch_buttons_lead_to_this_notebook(anchors, name):
    address = book_address()
    owner_and_name = address.removeprefix("https://github.com/")
    links = anchors[name].links
    assert (
        f"https://mybinder.org/v2/gh/{owner_and_name}/main?urlpath=lab/tree/{name}.ipynb" in links
    )
    assert (
        f"https://colab.research.google.com/github/{owner_and_name}/blob/main/{name}.ipynb" in links
    )
    assert f"{address}/edit/main/{name}.ipynb" in links


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("exercises/")])
def test_a_solution_is_linked_from_its_exercise_and_not_rendered(anchors, pages, name):
    solution = name.replace("exercises/", "solutions/")
    assert f"{book_address()}/blob/main/{solution}.ipynb" in anchors[name].links
    assert (COURSE / f"{solution}.ipynb").exists()
    assert not list(pages.glob("**/solutions*"))


def book_address() -> str:
    import tomllib

    project = tomllib.loads((COURSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["urls"]["Repository"]


LONGEST = max(WIDGETS, key=lambda name: (COURSE / f"{name}.ipynb").stat().st_size)
NO_ANCHORS = """addEventListener("DOMContentLoaded", () => {
  document.documentElement.style.overflowAnchor = "none";
})"""
TOP = "(id) => document.getElementById(id).querySelector('h2').getBoundingClientRect().top"


@pytest.mark.parametrize("way", ["by its address", "from the contents"])
@pytest.mark.parametrize("width", [1280, 360])
def test_a_heading_that_was_asked_for_stays_at_the_top(visit, pages, width, way):
    sections = re.findall(r'<section id="([^"]+)">\s*<h2>', text_of(pages, LONGEST))
    wanted = sections[2 * len(sections) // 3]
    reader = visit("light", width, "no-preference")
    page = reader.page
    page.add_init_script(NO_ANCHORS)  # not every browser keeps a page still while it grows above
    if way == "by its address":
        page.goto(f"{reader.site}{LONGEST}.html#{wanted}")
    else:
        reader.open(LONGEST)
        link = f".bd-sidebar-secondary a[href='#{wanted}']"
        page.locator(link).evaluate("(link) => link.click()")
    page.wait_for_timeout(3000)
    assert 0 <= page.evaluate(TOP, wanted) <= 120


def test_who_has_begun_to_read_on_is_not_taken_back(visit, pages):
    wanted = re.findall(r'<section id="([^"]+)">\s*<h2>', text_of(pages, LONGEST))[-1]
    reader = visit()
    page = reader.page
    page.goto(f"{reader.site}{LONGEST}.html#{wanted}")
    page.wait_for_function("scrollY > 0")
    page.mouse.move(600, 400)
    page.mouse.wheel(0, -600)
    page.wait_for_function(f"({TOP})({wanted!r}) > 400")
    page.evaluate("document.querySelector('.bd-article').style.paddingBottom = '50px'")
    page.wait_for_timeout(500)
    assert page.evaluate(TOP, wanted) > 400


def test_a_formula_wider_than_the_screen_opens_at_its_beginning(visit):
    page = visit("light", 360).open(LONGEST)
    page.evaluate("typesetAll()")
    ends = page.evaluate(
        """() => [...document.querySelectorAll("div.math")]
          .filter((box) => box.scrollWidth > box.clientWidth + 1)
          .map((box) => {
            const formula = box.querySelector("mjx-math");
            const past = (side) =>
              formula.getBoundingClientRect()[side] - box.getBoundingClientRect()[side];
            const begins = past("left");
            box.scrollLeft = 1e4;
            return [begins, past("right")];
          })"""
    )
    assert ends
    assert all(begins >= -1 and ended <= 1 for begins, ended in ends), ends


COPIED = """() => {
  const copied = [];
  document.addEventListener("copy", ({ target }) => copied.push(target.value));
  for (const button of document.querySelectorAll(".cell_input .copybtn")) button.click();
  return copied;
}"""
SELECTED = """() => [...document.querySelectorAll(".cell_input pre")].map((code) => {
  getSelection().selectAllChildren(code);
  return getSelection().toString();
})"""

# How far behind its first letter each line of code that wraps goes on, in letters.
HANGING = """() => [...document.querySelectorAll(".cell_input .firth-line")].flatMap((line) => {
  const all = document.createRange();
  all.selectNodeContents(line);
  const rows = Object.groupBy([...all.getClientRects()], ({ bottom }) => Math.round(bottom));
  const [first, second] = Object.values(rows).map((row) => Math.min(...row.map((r) => r.left)));
  const letter = document.createRange();
  letter.setStart(document.createTreeWalker(line, NodeFilter.SHOW_TEXT).nextNode(), 0);
  letter.setEnd(letter.startContainer, 1);
  const { width } = letter.getBoundingClientRect();
  return second === undefined ? [] : [(second - first) / width - line.textContent.search(/[^ ]/)];
})"""


def test_code_that_wraps_hangs_behind_its_indentation_and_is_copied_as_written(visit):
    page = visit(width=1200).open(LONGEST)
    page.evaluate(UNFOLD)
    hanging = page.evaluate(HANGING)
    assert len(hanging) > 20
    assert min(hanging) > 1.5, min(hanging)
    cells = json.loads((COURSE / f"{LONGEST}.ipynb").read_text(encoding="utf-8"))["cells"]
    written = [
        "".join(cell["source"]).rstrip()
        for cell in cells
        if cell["cell_type"] == "code"
        and {"remove-input", "remove-cell"}.isdisjoint(cell["metadata"].get("tags", []))
    ]
    for way in (COPIED, SELECTED):
        assert [code.rstrip() for code in page.evaluate(way)] == written


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_table_wider_than_the_page_shows_that_it_goes_on(visit, scheme):
    from PIL import Image

    reader = visit(scheme, 360)
    page = reader.open(LONGEST)
    reader.scroll()
    page.add_style_tag(content=".bd-article table { color: transparent !important; }")
    wide = page.locator(".bd-article .text_html:has(> table)").filter(visible=True)
    wide = [box for box in wide.all() if box.evaluate("(e) => e.scrollWidth > e.clientWidth + 20")]
    assert wide
    for left, (paper, shaded) in [(0, (2, -3)), (1e4, (-3, 2))]:
        wide[-1].scroll_into_view_if_needed()
        wide[-1].evaluate(
            """async (box, left) => {
              box.scrollLeft = left;
              for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
            }""",
            left,
        )
        with Image.open(io.BytesIO(wide[-1].screenshot())) as shot:
            y = shot.height - 20
            greys = [shot.convert("L").getpixel((x % shot.width, y)) for x in (paper, shaded)]
        assert abs(greys[0] - greys[1]) >= 12, greys


def test_search_finds_a_word_without_a_network(visit):
    reader = visit()
    page = reader.open("index")
    page.keyboard.press("Control+k")
    page.locator("#pst-search-dialog input[name=q]").fill("cosine")
    page.keyboard.press("Enter")
    page.wait_for_selector("#search-results ul.search li a")
    assert page.locator("#search-results ul.search li a").count() >= 1
    assert reader.complaints == []


@pytest.mark.parametrize("wrong", ["nowhere.html", "chapters/deep/down/nowhere.html"])
def test_a_wrong_address_leads_back_into_the_book(visit, site, wrong):
    page = visit().page
    answer = page.goto(site + wrong)
    assert answer.status == 404
    page.wait_for_function("document.links[0].href.includes('/some/course/index.html')")
    page.click("a")
    page.wait_for_load_state()
    assert page.url == f"{site}index.html"


def test_the_first_key_skips_to_the_text_and_every_button_can_be_reached(visit):
    page = visit().open(NAMES[1])
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#main-content"
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.className"))
    for button in ("primary-toggle", "theme-switch-button", "search-button", "dropdown-toggle"):
        assert any(button in name for name in reached), button


def test_what_was_read_to_the_end_is_ticked_and_can_be_forgotten(visit):
    page = visit().open(NAMES[1])
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_selector("a[data-read]", state="attached")
    page.reload()
    assert page.locator("a[data-read]").count() == 1
    page.click(".firth-progress button")
    assert page.locator("a[data-read], .firth-progress").count() == 0


def test_the_contents_beside_a_page_show_every_page_without_a_fold(pages):
    for name in ("index", NAMES[1]):
        [listed] = re.findall(r'(?s)<nav class="bd-links.*?</nav>', text_of(pages, name))
        assert "<details" not in listed and "<summary" not in listed
        links = [urljoin(f"{name}.html", link) for link in re.findall(r'href="([^"]+)"', listed)]
        here = [f"{page}.html" for page in NAMES[1:]]
        assert [link.replace("#", f"{name}.html") for link in links] == here


def test_the_map_of_the_site_lists_its_pages(pages):
    listed = re.findall("<loc>([^<]+)</loc>", (pages / "sitemap.xml").read_text())
    assert len(listed) == len(NAMES)
    assert "sitemap.xml" in (pages / "robots.txt").read_text()
    named = [
        re.search(r'property="og:url" content="([^"]+)"', text_of(pages, name))[1] for name in NAMES
    ]
    assert sorted(named) == sorted(listed)


def test_nothing_in_the_widget_state_can_end_its_script(pages):
    for name in WIDGETS:
        text = text_of(pages, name)
        states = re.findall(r'<script [^>]*id="firth-widgets">(.*?)</script>', text, re.DOTALL)
        assert len(states) == ("data-model=" in text)
        for state in states:
            assert "<" not in state
            assert json.loads(state)


def targets(printed):
    """Each link of a PDF: the text that it leads to in this file, or its address."""
    for page in printed.pages:
        for link in pdf.links([page]):
            if address := link.get("/A", {}).get("/URI"):
                yield address
                continue
            number, _, _, top, _ = link["/Dest"]
            shown = printed.pages[printed.get_page_number(number.get_object())]
            below = []

            def note(text, now, at, *font, top=top, below=below):
                y = now[1] * at[4] + now[3] * at[5] + now[5]
                below += text.split() if y < top else []

            shown.extract_text(visitor_text=note)
            yield below[0]


def test_links_of_the_printed_book_lead_to_their_places_in_it(chromium, tmp_path):
    from pypdf import PdfReader

    far = "<div style='break-before: page'></div>"
    (tmp_path / "chapters").mkdir()
    (tmp_path / "one.html").write_text(
        "<title>One</title><p>first</p><p><a href='chapters/two.html#same'>a</a> "
        "<a href='chapters/two.html'>b</a> <a href='#same'>c</a> <a href='unprinted.html#x'>d</a> "
        f"<a href='chapters/two.html#folded'>e</a></p>{far}<p>before</p><p id='same'>nearby</p>"
    )
    (tmp_path / "chapters" / "two.html").write_text(
        "<title>Two</title><p>second</p><a href='../one.html#same'>f</a> "
        f"<a href='https://example.org/one.html'>g</a> <a href='#two ü'>h</a>{far}<p>before</p>"
        "<p id='same'>elsewhere</p><p id='two ü'>letters</p>"
        "<details><summary>fold</summary><p id='folded'>unseen</p></details>"
    )
    names = ["one", "chapters/two"]
    file = PdfReader(pdf.printed(tmp_path, names, tmp_path / "book.pdf", chromium))
    assert list(targets(file)) == [
        "elsewhere",
        "second",
        "nearby",
        f"{pages_address(book_address())}unprinted.html#x",
        "second",
        "nearby",
        "https://example.org/one.html",
        "letters",
    ]


@pytest.mark.night
def test_the_whole_book_prints_into_one_file(chromium, pages, tmp_path, anchors):
    from pypdf import PdfReader

    printed = PdfReader(pdf.printed(pages, NAMES, tmp_path / "course.pdf", chromium))
    assert len(printed.pages) > len(NAMES)
    text = re.sub(r"\s+", "", "".join(page.extract_text() for page in printed.pages))
    for name in NAMES:
        title = anchors[name].title.rsplit(" — ", 1)[0]
        assert re.sub(r"\s+", "", title) in text
    assert len(printed.outline) >= len(NAMES)
    hosts = [
        urlsplit(link.get("/A", {}).get("/URI", "")).hostname for link in pdf.links(printed.pages)
    ]
    assert hosts.count(None) > len(NAMES)  # links inside the file
    assert not {"127.0.0.1", "localhost"} & {*hosts}
