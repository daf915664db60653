"""Corpora: exactly the texts that the course speaks of, the same on every machine."""

import re

import cards
import pytest

from firth import corpora, store


@pytest.fixture(scope="module")
def articles():
    return corpora.scoreboard()


@pytest.fixture(scope="module")
def news():
    return corpora.news()


def test_the_scoreboard_corpus_is_exactly_twenty_million_characters(articles):
    assert len("\n".join(articles)) == 20_000_000


def test_cleaning_again_gives_the_recorded_bytes(tmp_path):
    fresh = tmp_path / "scoreboard"
    fresh.write_bytes(corpora.first_articles())
    assert store.intact(fresh, store.sources("made")["scoreboard"])


def test_titles_stand_beside_their_articles(articles):
    titles = corpora.titles()
    assert len(titles) == len(articles) == len(set(titles))
    opening = dict(zip(titles, articles, strict=True))
    assert opening["Anarchism"].startswith("anarchism originated as a term of abuse")
    assert opening["Arthur Schopenhauer"].startswith("arthur schopenhauer february 22 1788")


def test_articles_are_lower_case_words_with_one_blank_between(articles):
    word = rf"[{corpora.LETTERS}]+(?:'[{corpora.LETTERS}]+)*"
    article = re.compile(rf"{word}(?: {word})*")
    assert all(article.fullmatch(text) for text in articles)


def test_no_page_but_articles_is_among_them(articles):
    assert not [title for title in corpora.titles() if corpora.NOT_ARTICLES.match(title)]
    assert not [text for text in articles if text.startswith("redirect ")]


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
    assert corpora.cleaned(markup) == words


def test_word_pairs_are_all_there_and_can_be_looked_up():
    pairs = corpora.word_pairs("wordsim353")
    assert len(pairs) == 353 and len(corpora.word_pairs("simlex999")) == 999
    assert pairs[0] == ("love", "sex", 6.77)
    for name in ("wordsim353", "simlex999"):
        for a, b, rating in corpora.word_pairs(name):
            assert (a, b) == (a.lower(), b.lower()) and 0 <= rating <= 10


def test_news_has_ten_labels_in_equal_parts(news):
    train, train_labels, test, test_labels = news
    assert len(train) == len(train_labels) == 5000 and len(test) == len(test_labels) == 2000
    for label in corpora.NEWS_LABELS:
        assert (train_labels.count(label), test_labels.count(label)) == (500, 200)


def test_no_text_is_both_learned_from_and_scored_on(news):
    train, _, test, _ = news
    assert len({*train, *test}) == 7000


def test_the_news_split_is_the_recorded_one(news):
    train, labels, test, _ = news
    assert (
        train[0].startswith("For Ted Cruz, Trans People Are What Happens")
        and labels[0] == "POLITICS"
    )
    assert test[0].startswith("Paul Ryan: Donald Trump Does Not Have A 'Blank Check'")


def test_the_nine_titles_are_five_and_four():
    human, graphs = corpora.deerwester()[:5], corpora.deerwester()[5:]
    assert len(graphs) == 4 and all("graph" in t.lower() or "trees" in t for t in graphs)
    assert not any("graph" in t.lower() for t in human)


def test_the_passage_is_three_paragraphs_of_some_250_words():
    assert (
        len(corpora.passage().split("\n\n")) == 3 and 220 <= len(corpora.passage().split()) <= 280
    )


def test_an_unknown_table_of_pairs_is_refused():
    with pytest.raises(store.StoreError, match="no source named 'rg65'"):
        corpora.word_pairs("rg65")


def test_the_data_cards_are_those_of_the_table():
    assert cards.PAGE.read_text(encoding="utf-8") == cards.page(), "run python tools/cards.py"
