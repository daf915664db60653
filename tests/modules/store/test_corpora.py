"""Corpora: exactly the texts that the course speaks of, the same on every machine."""

import csv
import re
import unicodedata

import cards
import numpy as np
import pytest

from firth.lsa import counts
from firth.store import corpora, downloads, wikipedia


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
    fresh.write_bytes(wikipedia.articles(downloads.fetch("enwik8"), corpora.LENGTH))
    assert downloads.intact(fresh, downloads.sources("made")["scoreboard"])


def test_titles_stand_beside_their_articles(articles):
    titles = corpora.titles()
    assert len(titles) == len(articles) == len(set(titles))
    opening = dict(zip(titles, articles, strict=True))
    assert opening["Anarchism"].startswith("anarchism originated as a term of abuse")
    assert opening["Arthur Schopenhauer"].startswith("arthur schopenhauer february 22 1788")


def test_articles_are_lower_case_words_with_one_blank_between(articles):
    word = rf"[{wikipedia.LETTERS}]+(?:'[{wikipedia.LETTERS}]+)*"
    article = re.compile(rf"{word}(?: {word})*")
    assert all(article.fullmatch(text) for text in articles)


def test_no_page_but_articles_is_among_them(articles):
    assert not [title for title in corpora.titles() if wikipedia.NOT_ARTICLES.match(title)]
    assert not [text for text in articles if text.startswith("redirect ")]


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


def test_the_analogies_are_the_published_ones():
    questions = corpora.analogies()
    assert len(questions) == 14 and sum(map(len, questions.values())) == 19_544
    assert sum(name.startswith("gram") for name in questions) == 9
    assert ("man", "woman", "king", "queen") in questions["family"]
    assert questions["capital-common-countries"][0] == ("athens", "greece", "baghdad", "iraq")
    for rows in questions.values():
        for row in rows:
            assert len(row) == 4 and row == tuple(word.lower() for word in row)


@pytest.mark.parametrize(("long", "sizes"), [(False, (7500, 1000)), (True, (20_000, 4000))])
def test_reviews_are_half_good_and_no_two_have_the_same_words(long, sizes):
    train, train_labels, test, test_labels = corpora.reviews(long)
    assert (len(train), len(test)) == (len(train_labels), len(test_labels)) == sizes
    assert (sum(train_labels), sum(test_labels)) == (sizes[0] // 2, sizes[1] // 2)
    assert {*train_labels, *test_labels} == {0, 1}
    assert len({tuple(re.findall(r"\w+", text.lower())) for text in train + test}) == sum(sizes)


def test_the_reviews_split_is_the_recorded_one():
    train, labels, test, _ = corpora.reviews()
    assert train[0].startswith("a loud , witless mess") and labels[0] == 0
    assert test[0].startswith("as we have come to learn")


def test_no_words_of_a_review_have_two_labels():
    """Of texts with the same words the first is kept: it must not matter which."""
    known = {}
    with downloads.fetch("reviews").open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            words = tuple(re.findall(r"\w+", row["text"].replace("<br />", " ").lower()))
            assert known.setdefault((row["source"], words), row["label"]) == row["label"]


def test_a_split_does_not_depend_on_the_order_of_the_texts():
    labels = {f"text {n}": n % 3 for n in range(60)}
    turned = dict(reversed(labels.items()))
    train, train_labels, test, test_labels = corpora.split(labels, (0, 2), 12, 8)
    assert (train, train_labels, test, test_labels) == corpora.split(turned, (0, 2), 12, 8)
    assert [labels[text] for text in train + test] == train_labels + test_labels
    assert (train_labels, test_labels) == ([0] * 12 + [2] * 12, [0] * 8 + [2] * 8)
    assert len({*train, *test}) == 40


def test_R9_the_ten_reviews_have_the_labels_of_the_slides():
    texts, labels = corpora.restaurant()
    assert labels == [1] * 5 + [0] * 5
    assert texts == [
        "Never coming back!",
        "horrible service",
        "rude waitress",
        "cold food",
        "horrible food!",
        "awesome",
        "awesome services!",
        "rocks",
        "poor work",
        "couldn't have done better",
    ]


def unaccented(name):
    marked = unicodedata.normalize("NFD", name)
    return "".join(letter for letter in marked if not unicodedata.combining(letter))


def test_places_are_720_with_accents_and_2378_without_each_once():
    accented, folded = corpora.places(), corpora.places(folded=True)
    assert len(accented) == len(set(accented)) == 720 and accented == sorted(accented)
    assert len(folded) == len(set(folded)) == 2378 and folded == sorted(folded)
    assert {unaccented(name) for name in accented} <= {*folded}
    assert all(name.isascii() and name == name.strip() for name in folded)
    assert all(unicodedata.is_normalized("NFC", name) for name in accented)
    assert {letter for letter in "".join(accented) if not letter.isascii()} == {*"ÀÉÒàáçèéíïòóúü"}


def test_a_year_of_electricity_has_every_half_hour():
    table = corpora.electricity()
    assert [len(column) for column in table.values()] == [365 * 48] * 4
    assert table["time"][0] == np.datetime64("2014-01-01T00:00")
    assert set(np.diff(table["time"])) == {np.timedelta64(30, "m")}
    demand, temperature = table["demand"], table["temperature"]
    assert (demand.min(), demand.max()) == (2.858, 9.345)  # as in the published summary
    assert (temperature.min(), temperature.max()) == (1.5, 43.2)


def test_working_days_are_mondays_to_fridays_but_ten_holidays():
    table = corpora.electricity()
    days = table["time"].astype("datetime64[D]")[::48]
    workdays = table["workday"].reshape(365, 48)
    assert np.all(workdays == workdays[:, :1]), "it changes at midnight"
    holidays = days[np.is_busday(days) & (workdays[:, 0] == 0)]
    dates = "01-01 01-27 03-10 04-18 04-21 04-25 06-09 11-04 12-25 12-26".split()
    assert list(map(str, holidays)) == [f"2014-{date}" for date in dates]
    assert not workdays[~np.is_busday(days)].any()


def test_the_clock_of_electricity_does_not_go_over_to_summer_time():
    """The mornings before 6 April, when clocks went back, come an hour early in this table."""
    table = corpora.electricity()
    demand, workday = table["demand"].reshape(365, 48), table["workday"].reshape(365, 48)[:, 0] == 1
    before, after = (demand[first : first + 15][workday[first : first + 15]] for first in (80, 96))
    miss = [
        np.square(np.roll(before, shift, axis=1).mean(0) - after.mean(0))[8:24].mean()
        for shift in range(5)
    ]
    assert np.argmin(miss) == 2  # half-hours


def test_books_are_eighteen_without_what_surrounds_them():
    books = corpora.books()
    assert len(books) == 18 and 2.1e6 < sum(len(book.split()) for book in books) < 2.2e6
    assert books[0].startswith("VOLUME I") and books[-1].endswith("hail! my Fancy.")
    for book in books:
        assert "gutenberg" not in book.lower() and not {*"\r\x1a"} & {*book}
    kings = [counts.words(book).count("king") for book in books]
    assert sum(kings) == 2832 and kings[3] == 2258, "most of them in the Bible"


def test_the_nine_titles_are_five_and_four():
    human, graphs = corpora.deerwester()[:5], corpora.deerwester()[5:]
    assert len(graphs) == 4 and all("graph" in t.lower() or "trees" in t for t in graphs)
    assert not any("graph" in t.lower() for t in human)


def test_the_passage_is_three_paragraphs_of_some_250_words():
    assert (
        len(corpora.passage().split("\n\n")) == 3 and 220 <= len(corpora.passage().split()) <= 280
    )


def test_an_unknown_table_of_pairs_is_refused():
    with pytest.raises(downloads.StoreError, match="no source named 'rg65'"):
        corpora.word_pairs("rg65")


def test_the_data_cards_are_those_of_the_table():
    assert cards.PAGE.read_text(encoding="utf-8") == cards.page(), "run python tools/cards.py"
