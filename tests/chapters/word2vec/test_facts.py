"""What chapter 2 owes its facts, looked for where the reader will look: among the outputs."""

import re

import numpy as np
import pytest
from pages import page, shows

from firth.store import corpora

CHAPTER = "02_word2vec"


def numbers_after(words: str) -> list[float]:
    """The numbers of the table row that begins with these words."""
    row = re.search(re.escape(words) + r"((?: +[−+-]?\d[\d,.]*%?)+)", page(CHAPTER))
    assert row, f"no row {words!r}"
    return [float(x.replace(",", "").rstrip("%")) for x in row[1].split()]


def test_S2_a_one_hot_row_looks_a_row_up_and_not_a_column():
    shows(CHAPTER, "e₃ V = [0.12386669 0.74266196 0.91580261] the third row")
    shows(CHAPTER, "V e₃ = [0.21831979 0.22703532 0.91580261] the third column")


def test_S14_the_page_shows_the_company_of_fox():
    shows(CHAPTER, "the company of fox: quick, brown, jumped, over")


def test_S15_the_page_shows_the_four_pairs_of_swing():
    pairs = [("swing", other) for other in ("sentence", "should", "the", "sword")]
    shows(CHAPTER, str(pairs))


def test_S16_a_matrix_of_columns_looks_a_column_up():
    shows(CHAPTER, "[10 12 19]")


@pytest.mark.parametrize("objective", ["CBOW", "skip-gram", "negative sampling"])
def test_S18_the_gradient_of_each_objective_is_tried_on_the_page(objective):
    shows(CHAPTER, f"{objective} derived and tried agree to six digits: True")


def test_S13_queen_is_the_answer_if_the_three_words_are_left_out_and_king_if_they_are_not():
    assert re.search(r"left out: queen 0\.\d\d, ", page(CHAPTER))
    assert re.search(r"allowed: king 0\.\d\d, queen 0\.\d\d", page(CHAPTER))


def test_S13_the_neighbours_of_king_and_queen_are_shown():
    near = {w: re.search(rf" {w} ((?:\w+, ){{5}}\w+)", page(CHAPTER))[1] for w in ("king", "queen")}
    assert {"prince", "queen"} <= set(near["king"].split(", "))
    assert {"princess", "king"} <= set(near["queen"].split(", "))


def test_S13_the_slides_experiment_stands_beside_ours_with_what_any_two_words_have():
    shows(CHAPTER, "king kings 0.90, baratheon 0.81, son 0.76", "queen cersei 0.94, joffrey 0.93")
    early = re.search(r"skip-gram, 1 king .*? (0\.\d\d) skip-gram, 1 queen", page(CHAPTER))
    late = re.search(r"skip-gram, 20 king .*? (0\.\d\d) skip-gram, 20 queen", page(CHAPTER))
    assert float(early[1]) > 0.9 > 0.5 > float(late[1])


def test_S13_the_tenth_neighbours_stand_in_the_table():
    king, queen = (
        re.search(rf"CBOW, 5 {word} .*? (0\.\d\d) 0\.88", page(CHAPTER))
        for word in ("king", "queen")
    )
    assert float(queen[1]) >= 0.95 and float(king[1]) < 0.8


def test_S13_rare_words_point_one_way_after_five_epochs_and_frequent_ones_do_not():
    shows(CHAPTER, "king 2,832 times, queen 191")
    _, frequent, _, _ = numbers_after(" 1,000 times or more")
    share, rare, king, queen = numbers_after(" fewer than 50 times")
    assert share > 50 and rare > 0.8 > 0.5 > max(frequent, king) and queen > king


def test_R9_ten_reviews_are_padded_to_four_places_and_two_words_share_one():
    rows = re.findall(r"\[(\d+(?:, \d+){3})\] [01] [01] [01]", page(CHAPTER))
    assert len(rows) == 10
    assert rows[5].endswith(", 0, 0, 0"), "awesome is one word, padded behind"
    assert re.search(r"share of one row each: \['\w+", page(CHAPTER)) or re.search(
        r"share one row: ", page(CHAPTER)
    )


def test_R9_the_wrong_label_is_poor_work():
    texts, labels = corpora.restaurant()
    assert dict(zip(texts, labels, strict=True))["poor work"] == 0
    shows(CHAPTER, "poor work [")
    row = re.search(r"poor work \[[\d, ]+\] (\d) (\d) (\d)", page(CHAPTER))
    assert row.groups() == ("0", "0", "1"), "learned by heart as good, told as bad when left out"


def test_R9_any_two_words_never_met_are_called_bad_and_no_single_one():
    shows(CHAPTER, "reviews of two words but for poor work: 4 of 5 are bad")
    shows(CHAPTER, "two words it never met, called bad: 100% to 100%")
    shows(CHAPTER, "one word it never met, called bad: 0% to 0%")


def test_R10_the_ten_are_told_and_unseen_ones_are_not():
    shows(CHAPTER, "right on the ten it was shown: 100%")
    unseen = re.search(r"right on each when it was left out: (\d+)%", page(CHAPTER))
    assert int(unseen[1]) < 100
    shows(CHAPTER, "called bad if it has two words: right on 7 of ten")


def test_the_analogies_are_answered_worse_if_the_three_words_are_allowed():
    for category in ("family", "gram8-plural", "all"):
        with_rule, without, alone, asked, given = numbers_after(f" {category}")[:5]
        assert with_rule > without and with_rule > alone and asked <= given


def test_counting_and_predicting_stand_in_one_table_with_gensim_close_to_ours():
    rows = {
        name: re.search(re.escape(name) + r" (0\.\d\d)", page(CHAPTER))
        for name in ("PPMI + SVD, shift 5", "skip-gram in expectation", "gensim skip-gram")
    }
    assert all(rows.values()), rows
    scores = np.array([float(match[1]) for match in rows.values()])
    assert (scores > 0.4).all()


def test_counting_leads_on_headlines_and_over_cbow_and_gensims_is_level_with_ours():
    def leads(one, other):
        span = r" ([+-]0\.\d{3}) to ([+-]0\.\d{3})"
        row = f"{re.escape(one)} {re.escape(other)}{3 * span}"
        found = np.array(re.search(row, page(CHAPTER)).groups(), dtype=float).reshape(3, 2)
        return dict(zip(("wordsim353", "simlex999", "news"), found, strict=True))

    counted, guessers = "PPMI + SVD, shift 1", ("skip-gram", "skip-gram in expectation")
    assert all(leads(counted, name)["news"][0] > 0 for name in (*guessers, "CBOW"))
    assert leads(counted, "CBOW")["wordsim353"][0] > 0
    assert all(np.prod(leads(counted, name)["wordsim353"]) < 0 for name in guessers)
    assert leads(counted, "skip-gram in expectation")["simlex999"][1] < 0
    assert leads("skip-gram", "gensim skip-gram")["wordsim353"][0] > -0.03
    on_average = leads("skip-gram in expectation", "skip-gram")
    assert on_average["news"][0] > 0 > on_average["simlex999"][0]
    assert 0 <= on_average["wordsim353"][0] < 0.001


def test_pairs_far_above_chance_end_below_the_theory():
    found = re.search(r"above 2: \d+ pairs, mean difference (-\d\.\d)", page(CHAPTER))
    assert -1.5 < float(found[1]) < -0.5
    shows(CHAPTER, "in expectation, of the 400 drawn: above 2: 20 pairs, mean difference -1.8")
    shows(CHAPTER, "e to the spread 0.46 is 1.6", "e to the middle size 0.17 is 1.2")


def test_no_difference_is_printed_as_minus_nothing():
    assert not re.search(r"[-−]0\.0+(?!\d)", page(CHAPTER))
