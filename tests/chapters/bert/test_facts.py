"""What chapter 6 owes its facts, looked for where the reader will look: among the outputs."""

import json
import re

import pytest
from notebooks import COURSE
from pages import drawn, page, shows

CHAPTER = "06_bert"
PATH = COURSE / "chapters" / f"{CHAPTER}.ipynb"


def prose() -> str:
    cells = json.loads(PATH.read_text(encoding="utf-8"))["cells"]
    text = " ".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    return re.sub(r"\s+", " ", text)


def row(name: str, numbers: int) -> list[float]:
    """The numbers that follow a name in some table of the page."""
    found = re.search(rf"{re.escape(name)}" + r" +(-?[\d.,]+)" * numbers, page(CHAPTER))
    assert found, name
    return [float(number.replace(",", "")) for number in found.groups()]


def test_S7_one_word_has_another_vector_in_each_sense():
    before = {word: row(f"{word} 0", 3) for word in ("bank", "apple")}
    after = {word: row(f"{word} 6", 3) for word in ("bank", "apple")}
    for word in ("bank", "apple"):
        same, other, _ = before[word]
        assert abs(same - other) < 0.02  # only the place differs
        same, other, nearest = after[word]
        assert same - other > 0.05 and nearest >= 8


def test_B1_the_tokens_of_a_sentence():
    shows(CHAPTER, "[CLS] this was it , the descent . [SEP]")


def test_B2_the_tokens_of_a_quotation_without_its_dots_and_with_them():
    tokens = "merging into a vague , pu ##rp ##lish g ##lim ##mer"
    shows(CHAPTER, f" {tokens} ", f". . . {tokens} . . .")


def test_B3_the_tokens_of_a_prize():
    shows(CHAPTER, "[CLS] you ' ve won 2020 ##00 eu ##r [SEP]")


def test_B4_the_sizes_of_bert_counted():
    shows(CHAPTER, "base 12 768 12 110M 109.5 M", "large 24 1,024 16 340M 335.1 M")
    shows(CHAPTER, "MiniLM, counted 6 384 12 – 22.7 M")


def test_B5_what_goes_in_is_the_normed_sum_of_three_rows():
    shows(CHAPTER, "the sum of the three, normed, is what goes in: True")
    shows(CHAPTER, "0 [CLS] 101 0", "6 water 2,300 1", "5 [SEP] 102 0")


def test_B6_masking_is_80_10_10_of_fifteen_and_a_loss_on_the_chosen():
    chosen, hidden, kept = re.search(
        r"of all the books, chosen (\S+)%; hidden (\S+)% of them, kept (\S+)%", page(CHAPTER)
    ).groups()
    assert abs(float(chosen) - 15) < 0.2
    assert abs(float(hidden) - 80) < 0.5 and abs(float(kept) - 10) < 0.5
    shows(CHAPTER, "loss on the chosen: 1.40", "probabilities: [0.67 0.24 0.09]")
    shows(CHAPTER, "better than without looking by a fifth of a nat: True")


def test_B6_the_mini_bert_s_blanks_against_their_baseline():
    least, _ = row("without looking", 2)
    for form in ("another book", "the same"):
        J, right = row(f"mini BERT, B from {form}", 2)
        assert J < least - 0.5 and right > 0.12


def test_B7_the_second_game_with_its_baselines_and_in_its_harder_form():
    _, _, easy, hard = row("mini BERT, B from another book", 4)
    words = row("pieces in common – –", 2)
    (book,) = row("a guess at the book – –", 1)
    assert easy > 0.7 and easy > words[0] - 0.05 and book > 0.8
    assert hard < words[1] + 0.03 < easy
    assert "it is easily won by knowing topics" in prose()
    shows(CHAPTER, "pairs told, B from another book, at least 65 of 100: True")  # live


def test_B8_three_letters_and_thousands():
    for letter, called in (
        ("Get your free money now", "spam"),
        ("the minutes of our meeting are attached.", "not spam"),
    ):
        (p,) = row(f"{letter} {called}", 1)
        assert (p > 0.5) == (called == "spam")
    right, never = re.search(r"right: (\S+); never saying spam: (\S+)", page(CHAPTER)).groups()
    assert float(right) > float(never) + 0.1


def test_B9_six_choices_of_layer_beside_the_deck_s_and_apart_from_them():
    for cited in ("first 91.0", "last 94.9", "sum of last four 95.9", "last four, joined 96.1"):
        shows(CHAPTER, cited)
    shows(CHAPTER, "sum of all 95.5", "second to last 95.6")
    assert "Cited, not ours" in page(CHAPTER)
    assert re.search(r"last four, joined 0\.10? \S+ (\S+ to \S+ ){2}\+?-?\d", page(CHAPTER))


def test_B10_a_mean_under_a_mask():
    shows(CHAPTER, "under the mask: [[2.]] without: [[34.33]]")
    shows(CHAPTER, "not masked as when it is read alone: False")
    shows(CHAPTER, " masked as when it is read alone: True")


def test_B11_items_of_one_facet_lie_together_beyond_luck_and_their_sign_is_lost():
    found, luck, p = re.search(
        r"nearest of the same facet: (\d+) of 135, by luck (\d+), p = (\S+)", page(CHAPTER)
    ).groups()
    assert int(found) > 70 and int(luck) < 6 and float(p) < 0.01
    same, opposite = (row(f"one facet, {kind}", 3) for kind in ("same key", "opposite keys"))
    assert abs(same[1] - opposite[1]) < 0.05 and same[2] > 0.4 and opposite[2] < -0.4


def test_B12_pairs_with_controls_and_whether_the_model_knows_anything_at_all():
    pairs, apart = row("Texas and its like", 2)
    assert pairs >= 20 and apart > 0.1
    assert row("controls", 1)[0] >= 4 and row("he and she", 1)[0] >= 3
    (mean,), (luck,) = row("mean", 1), row("mean, on another's list", 1)
    assert mean > luck + 1
    own, other = row("its own country", 3), row("another country", 3)
    assert own[1] > other[1] and own[2] < other[2]


def test_B12_what_parts_he_from_she_parts_john_from_mary():
    """The two pairs that share no sentence; with an interval that lies above luck."""
    *_, r, low, high = row("gender: He less She with John less Mary", 5)
    luck = float(re.search(r"within luck, 19 times of 20: (\S+) either way", page(CHAPTER))[1])
    assert luck < low < r < high
    *_, other, below, _ = row("name or pronoun: He less John with She less Mary", 5)
    assert below < 0.2 < other < r


def test_B13_spans_votes_and_nine_tasks():
    for answer in ("gravity", "graupel", "within a cloud"):
        shows(CHAPTER, answer)
    shows(CHAPTER, "CCCCC C", "NNENN N", "EEEEE E", "NNECN N", "two, two and one: -")
    for name in ("CoLA", "SST-2", "MRPC", "STS-B", "QQP", "MNLI", "QNLI", "RTE", "WNLI"):
        assert re.search(rf" {name} ", page(CHAPTER)), name


def test_B14_what_99_per_cent_hides():
    shows(CHAPTER, "1.0% 50% 99.0%", "severely toxic never said, right in 99.0%", "ECE 0.25")


def test_what_must_break_breaks():
    hidden, seen = (
        int(re.search(rf"{name} +right in +(\d+) of 20", page(CHAPTER))[1])
        for name in ("hidden", "as it is")
    )
    assert seen > hidden + 5
    again = r" +right in +0 of 20; says what stands there in +(\d+)"
    the, house = (int(re.search(name + again, page(CHAPTER))[1]) for name in ("the", "house"))
    assert the < 15 < house  # it doubts what breaks the sentence, not what changes it
    shows(CHAPTER, "without cosine 1.00, the same: True")
    shows(CHAPTER, "not masked as when it is read alone: False")


@pytest.mark.parametrize("model", ["MiniLM", "restored model", "mini BERT"])
def test_the_page_says_which_network_a_figure_is_from(model):
    assert f"**{model}**" in prose()


def test_the_curves_of_pretraining_fall():
    losses = [float(x) for x in re.findall(r"easy [\d,]+ (\d\.\d\d) ", drawn(CHAPTER))]
    assert len(losses) > 5 and losses[-1] < losses[0] - 0.3
