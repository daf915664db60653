"""A page with strangers' words on it that can do nothing: no script, no link, no load.

Whatever a student has written is escaped and its unseen characters are shown; no link is made of
it; and the page forbids its own browser to load or run anything but its own style.
"""

import base64
import hashlib
import re
from html import escape
from pathlib import Path

from firth.grading.results.cells import harmless

STYLE = Path(__file__).with_name("inert.css")
LONGEST = 50_000  # characters of a text


def said(text: str, longest: int = LONGEST) -> str:
    """A stranger's words as they may stand on a page.

    >>> said("<b>\\u202e1 in `x / 0`")
    '&lt;b&gt;⟨U+202E⟩1 in <code>x / 0</code>'
    """
    shown = harmless(text[:longest]) + (" … (cut here)" if len(text) > longest else "")
    return re.sub("`([^`\n]+)`", r"<code>\1</code>", escape(shown))


def named(name: str) -> str:
    """A student's or a file's name, isolated: one that runs from right to left turns only itself.

    >>> named("<ada>")
    '<bdi dir="auto">&lt;ada&gt;</bdi>'
    """
    return f'<bdi dir="auto">{said(name, 300)}</bdi>'


def document(title: str, main: str, more_style: str = "") -> str:
    """A whole page around what stands in the middle of it; all of it is HTML already."""
    style = STYLE.read_text(encoding="utf-8") + more_style
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
{main}
</main>
</body>
</html>
"""
