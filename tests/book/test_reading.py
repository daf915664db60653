"""A page is read without effort: its code is nearly as large as its text, and a control
stands at the beginning of each chapter.

The pages are measured in a browser, at the width of a laptop and of a phone.
"""

import pdf
import prose
import pytest

CHAPTERS = [
    name for name in pdf.contents() if name.startswith("chapters/") and not name.endswith("_deeper")
]
CODE = [name for name in pdf.contents() if name.startswith(("chapters/", "exercises/"))]
REWRITTEN = [f"chapters/{page.stem}" for page in prose.rewritten()]
WRITTEN = 88  # characters: what a notebook's formatter makes of a line
HIGHEST = {1280: 600, 360: 900}  # pixels from the top of the page to the first control

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

CONTROL = "() => document.querySelector('.firth-live :is(button, input, select)') !== null"
TOP = """() => {
  const control = document.querySelector(".firth-live :is(button, input, select)");
  return control.getBoundingClientRect().top + scrollY;
}"""

# The pieces of code above a place on the page that are not folded.
CODE_ABOVE = """(top) => {
  const above = (e) => e.getBoundingClientRect().top + scrollY < top;
  const code = [...document.querySelectorAll(".cell_input pre")];
  return code.filter((pre) => pre.checkVisibility() && above(pre)).map((pre) => pre.textContent);
}"""

# The size of the smallest letters of each picture, as they are seen.
SMALLEST_LETTERS = """() => {
  const smallest = (svg) => {
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    const sizes = [...svg.querySelectorAll("text")].map((t) => getComputedStyle(t).fontSize);
    return scale * Math.min(...sizes.map(parseFloat));
  };
  return [...document.querySelectorAll("figure.firth-picture > svg")].map(smallest);
}"""

# Of each piece of code and output: its size beside the text's, how far its lines stand apart, and
# how many of its lines that are no longer than `written` take more than one row.
CODE_SIZES = """(written) => {
  for (const fold of document.querySelectorAll(".bd-article details")) fold.open = true;
  const size = (e, name) => parseFloat(getComputedStyle(e)[name]);
  const text = size(document.querySelector(".bd-article p"), "fontSize");
  return [...document.querySelectorAll(".bd-article .highlight pre")].map((pre) => ({
    size: size(pre, "fontSize") / text,
    apart: size(pre, "lineHeight") / size(pre, "fontSize"),
    broken: [...pre.querySelectorAll(".firth-line")].filter(
      (line) => line.textContent.trimEnd().length <= written
        && line.offsetHeight > 1.5 * size(pre, "lineHeight"),
    ).length,
  }));
}"""

# Of each piece of code that is wider than its box, on a phone: whether it can be scrolled, and
# whether it says so by its shadow.
SCROLLED = """async () => {
  for (const fold of document.querySelectorAll(".bd-article details")) fold.open = true;
  for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
  return [...document.querySelectorAll(".bd-article .highlight pre")]
    .filter((pre) => pre.scrollWidth > pre.clientWidth)
    .map((pre) => {
      const { overflowX, backgroundImage } = getComputedStyle(pre);
      return overflowX === "auto" && pre.tabIndex === 0 && backgroundImage.includes("gradient");
    });
}"""


@pytest.mark.parametrize("width", HIGHEST)
@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_opens_with_something_to_try(visit, name, width):
    page = visit("light", width).open(name)
    page.wait_for_function(CONTROL)
    top = page.evaluate(TOP)
    assert top < HIGHEST[width]
    assert not page.evaluate(CODE_ABOVE, top)


@pytest.mark.parametrize("name", CODE)
def test_code_is_nearly_as_large_as_the_text_and_fits_its_box(visit, name):
    reader = visit()
    page = reader.open(name)
    sizes = page.evaluate(CODE_SIZES, WRITTEN)
    assert sizes
    assert min(one["size"] for one in sizes) >= 0.85
    assert min(one["apart"] for one in sizes) >= 1.4
    assert sum(one["broken"] for one in sizes) == 0
    page.set_viewport_size({"width": 360, "height": 800})
    scrolled = page.evaluate(SCROLLED)
    assert scrolled and all(scrolled)
    assert min(one["size"] for one in page.evaluate(CODE_SIZES, WRITTEN)) >= 0.85


@pytest.mark.parametrize("name", REWRITTEN)
def test_no_letter_of_a_picture_is_below_eleven_pixels_on_a_phone(visit, name):
    page = visit("light", 360).open(name)
    sizes = page.evaluate(SMALLEST_LETTERS)
    assert (sizes or name.endswith("_deeper")) and min(sizes, default=11) >= 11
