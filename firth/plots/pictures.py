"""A finished figure as a part of the page.

A picture is text inside the page, not an image beside it: it takes the page's colours in light and
in dark, its letters are letters, and the same numbers give the same bytes. `panels` hands out Axes
in the house's style.
"""

import re
from hashlib import sha1
from html import escape
from io import BytesIO
from xml.etree import ElementTree as XML

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

# Told apart by colour-blind eyes, and at least 3 : 1 against white and against #121212.
COLOURS = {
    "blue": "#0072b2",
    "orange": "#d55e00",
    "green": "#009e73",
    "purple": "#b880a8",
    "gold": "#a07800",
    "grey": "#767676",
}
STYLE = {
    "axes.axisbelow": True,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.prop_cycle": plt.cycler(color=list(COLOURS.values())),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 12,
    "figure.constrained_layout.use": True,
    "figure.facecolor": "none",
    "font.size": 12,  # 11 px and more where the page is 360 px wide
    "grid.alpha": 0.15,
    "grid.color": "black",
    "image.interpolation": "none",
    "legend.fontsize": 12,
    "legend.frameon": False,
    "xtick.labelsize": 12,
    "ytick.labelsize": 12,
    "path.simplify": False,  # which points it drops may depend on the last bit
    "svg.fonttype": "none",
    "svg.hashsalt": "firth",
}
ON_PAGE = {"#000000": "currentColor"} | {
    colour: f"var(--firth-{name}, {colour})" for name, colour in COLOURS.items()
}


def panels(rows: int = 1, columns: int = 1, height: float = 3.0, **options):
    """A figure as wide as a phone, and its Axes, in the house's style (which stays switched on).

    >>> figure, axes = panels()
    >>> print(figure.get_figwidth())
    4.8
    >>> plt.close(figure)
    """
    plt.rcParams.update(STYLE)
    return plt.subplots(rows, columns, figsize=(4.8, height), **options)


class Picture:
    """A finished figure as HTML with inline SVG; where there is no page, its alt text."""

    def __init__(self, svg: str, alt: str, table: object, caption: str):
        self.svg, self.alt, self.table, self.caption = svg, alt, table, caption

    def _repr_html_(self) -> str:
        parts = ['<figure class="firth-picture">', self.svg]
        if self.caption:
            parts.append(f"<figcaption>{escape(self.caption)}</figcaption>")
        if self.table is not None:
            parts.append("<details><summary>Numbers behind the picture</summary>")
            parts += [self.table._repr_html_(), "</details>"]
        return "\n".join([*parts, "</figure>"])

    def __repr__(self) -> str:
        return f"Picture: {self.alt}"


def picture(figure: Figure, alt: str, table: object = None, caption: str = "") -> Picture:
    """A figure for every reader: drawn for those who see it, said for those who do not.

    `alt` says what the picture shows, `table` (from `display.table`) holds its numbers. The figure
    is closed, so that a notebook does not show it a second time.

    >>> figure, axes = panels()
    >>> line = axes.plot([1, 2, 3])
    >>> picture(figure, "A straight line that rises from one to three.")
    Picture: A straight line that rises from one to three.
    """
    if len(alt.strip()) < 20:
        raise ValueError(
            f"The alt text {alt!r} is too short: say in 20 characters or more what a reader would "
            "see in the picture."
        )
    file = BytesIO()
    with plt.rc_context(STYLE):
        figure.savefig(file, format="svg", transparent=True)
    plt.close(figure)
    return Picture(inline(file.getvalue().decode(), alt), alt, table, caption)


def inline(file: str, alt: str) -> str:
    """matplotlib's SVG file as a part of a page: small, in the page's colours, with its own ids."""
    svg, used, names = XML.fromstring(file), set(re.findall(r"#([\w.-]+)", file)), {}
    slug = "p" + sha1(alt.encode()).hexdigest()[:8]  # two pictures on a page must not share an id
    for element in svg.iter():
        element.tag = element.tag.rpartition("}")[2]  # a page needs no name spaces
        element.attrib = {name.rpartition("}")[2]: value for name, value in element.attrib.items()}
        if (name := element.attrib.pop("id", None)) in used:
            names[name] = element.attrib["id"] = f"{slug}-{len(names)}"
    for element in reversed(list(svg.iter())):
        element.attrib = dict(attributes(element, names))
        element[:] = worth_drawing(element)
        if not (element.text or "").strip() and element.tag != "tspan":
            element.text = None  # matplotlib's indentation
        element.tail = None if element.tag == "tspan" else "\n"
    box = svg.get("viewBox")
    svg.attrib = {
        "viewBox": box,
        "role": "img",
        "aria-label": alt,
        "fill": "currentColor",
        "stroke-linejoin": "round",
        "style": f"width:100%;max-width:{1.35 * float(box.split()[2]):.0f}px;overflow:visible",
    }
    return XML.tostring(svg, encoding="unicode").strip()


def attributes(element: XML.Element, names: dict[str, str]):
    """Numbers to a hundredth of a pixel, the page's colours and letters, this picture's ids."""
    for name, value in element.items():
        if name == "href" and value.startswith("data:"):
            yield name, "".join(value.split())
            continue
        value = re.sub(r"#([\w.-]+)", lambda m: "#" + names.get(m[1], m[1]), value)
        value = rounded(value, 4 if "matrix" in value else 2)  # a matrix multiplies its error
        if name == "style":
            value = re.sub(r"font-family: [^;]*(; )?", "", value)  # matplotlib from 3.11
            value = re.sub(r"(font: [^';]*)'[^;]*", r"\1sans-serif", value)  # matplotlib before
            value = re.sub(r"#[0-9a-f]{6}", lambda m: ON_PAGE.get(m[0], m[0]), value)
        if not value.startswith("rotate(0 "):
            yield name, " ".join(value.split())


def rounded(text: str, digits: int) -> str:
    """A text with its fractions cut short, for nobody sees a thousandth of a pixel.

    >>> rounded("M 1.006 -0.001 L 12 -0", 2)
    'M 1.01 0 L 12 0'
    """
    fraction = r"-?\d+\.\d+|(?<![\w.])-0(?![\d.])"
    return re.sub(fraction, lambda m: f"{round(float(m[0]), digits) + 0:.15g}", text)


def worth_drawing(parent: XML.Element):
    """What is left of an element's children without empty groups, paint and metadata."""
    for child in parent:
        if child.tag == "g" and not child.attrib:
            yield from child
        elif child.tag == "defs" and not len(child):
            continue
        elif child.tag not in ("metadata", "style") and child.get("style") != "fill: none":
            yield child
