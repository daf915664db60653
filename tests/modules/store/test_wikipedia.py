"""Wikipedia: markup goes, and what a reader of the page sees stays."""

import gzip

import pytest

from firth.store import wikipedia


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        ("[[Lord Byron|Byron]] and [[Ada]]", "byron and ada"),
        ("[[plant]]s", "plants"),
        ("[[Image:a.jpg|thumb|100px|The [[red]] [[star|stars]]]] rose", "the red stars rose"),
        ("[[Image:a.jpg|thumb|right]] alone", "alone"),
        ("[[de:Stern]] [[zh-min-nan:A]] [[Category:Stars|*]] [[category:Light]] end", "end"),
        ("[[Wiktionary:logos|logos]]", "logos"),
        ("{{a|{{b}} c}} kept {| class=x\n| {{d}} cell\n|} kept", "kept kept"),
        ("a<ref name=x>not {{this}}</ref> b<ref name=x/> c <!-- nor this --> d", "a b c d"),
        ("E <math>mc^2</math> m<sup>2</sup><br/>n", "e m 2 n"),
        ("[http://a.org/b?c the page] http://a.org/d", "the page"),
        ("'''bold''' ''wasn't'' the 'dogs' rock'n'roll", "bold wasn't the dogs rock'n'roll"),
        (
            "Caf&eacute; &mdash; M&uuml;nchen &#945;&#946; 1984, 3.5 self-made",
            "café münchen 1984 3 5 self made",
        ),
        ("== Heading ==\n* item\n# item", "heading item item"),
        ("{{never closed [[nor this", "never closed nor this"),
        ("", ""),
    ],
)
def test_markup_goes_and_what_a_reader_sees_stays(markup, words):
    assert wikipedia.cleaned(markup) == words


PAGE = "<page><title>{}</title><id>1</id><text xml:space='preserve'>{}</text></page>\n"


@pytest.fixture
def dump(tmp_path):
    """Two articles with words among pages that are none, compressed as a dump is."""
    path = tmp_path / "dump.gz"
    pages = [
        PAGE.format("Ada &amp; Byron", "[[Ada]] &amp;c."),
        PAGE.format("Ada", "#REDIRECT [[Ada &amp; Byron]]"),
        PAGE.format("Talk:Ada", "never"),
        PAGE.format("Nothing", "{{stub}}"),
        PAGE.format("Star", "A '''star''' [[shine]]s."),
    ]
    path.write_bytes(gzip.compress("".join(pages).encode()))
    return path


def test_pages_are_articles_with_their_title_and_markup(dump):
    assert list(wikipedia.pages(dump)) == [
        ("Ada & Byron", "[[Ada]] &c."),
        ("Nothing", "{{stub}}"),
        ("Star", "A '''star''' [[shine]]s."),
    ]


@pytest.mark.parametrize(
    ("length", "lines"),
    [
        (1000, "Ada & Byron\tada c\nStar\ta star shines\n"),
        (12, "Ada & Byron\tada c\nStar\ta star\n"),
        (3, "Ada & Byron\tada\n"),
    ],
)
def test_articles_are_cut_where_words_and_borders_make_the_length(dump, length, lines):
    assert wikipedia.articles(dump, length).decode() == lines
