"""The pages of the chapters: `01_lsa.ipynb` is a chapter, `01_lsa_deeper.ipynb` its deeper page.

A deeper page holds what is worth knowing and does not serve the question of its chapter. The rules
for a chapter's notebook hold for it as well. It shares the chapter's noun, and so its package; it
has no exercise, no quiz and no card of its own.
"""

from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "chapters"
DEEPER = "_deeper"


def is_deeper(path: Path) -> bool:
    """Whether a notebook is the deeper page of a chapter.

    >>> is_deeper(Path("chapters/01_lsa_deeper.ipynb")), is_deeper(Path("chapters/01_lsa.ipynb"))
    (True, False)
    """
    return path.stem.endswith(DEEPER)


def chapter_of(path: Path) -> Path:
    """The notebook of the chapter that a page belongs to, which may be the page itself.

    >>> chapter_of(Path("chapters/01_lsa_deeper.ipynb")).name
    '01_lsa.ipynb'
    """
    return path.with_stem(path.stem.removesuffix(DEEPER))


def deeper_page_of(chapter: Path) -> Path:
    """The notebook of a chapter's deeper page, whether or not it has been written.

    >>> deeper_page_of(Path("chapters/01_lsa.ipynb")).name
    '01_lsa_deeper.ipynb'
    """
    return chapter.with_stem(chapter.stem + DEEPER)


def noun(path: Path) -> str:
    """What a chapter is called everywhere; a deeper page has the noun of its chapter.

    >>> noun(Path("chapters/01_lsa.ipynb")), noun(Path("chapters/01_lsa_deeper.ipynb"))
    ('lsa', 'lsa')
    """
    return chapter_of(path).stem.partition("_")[2]


def chapters_among(pages: Iterable[Path]) -> list[Path]:
    """The chapters among some pages, in their order, without the deeper pages."""
    return [path for path in pages if not is_deeper(path)]


PAGES = sorted(FOLDER.glob("*.ipynb"))
CHAPTERS = chapters_among(PAGES)
