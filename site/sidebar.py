"""The table of contents beside a page shows every page, also those that stand under a chapter.

A local Sphinx extension. The theme folds the pages below another page under a button that has an
icon and no name, which a screen reader cannot say; so the folds are taken out.
"""

import re


def unfolded(contents: str) -> str:
    """A table of contents without its folds.

    >>> unfolded('<li>A<details open=""><summary><i></i></summary><ul>B</ul></details></li>')
    '<li>A<ul>B</ul></li>'
    """
    return re.sub(r"(?s)</?details[^>]*>|<summary>.*?</summary>", "", contents)


def unfold(app, page, template, context, doctree):
    """Let the theme's table of contents be unfolded on every page."""
    if made := context.get("generate_toctree_html"):
        context["generate_toctree_html"] = lambda **options: unfolded(str(made(**options)))


def setup(app):
    app.connect("html-page-context", unfold, priority=860)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
