"""What chapter 2 owes its facts, looked for where the reader will look: among the outputs."""

import re

import numpy as np
import pytest
from pages import page, shows

from firth.lsa import counts
from firth.store import corpora
from firth.store.results import stored_result
from firth.widgets.word2vec.training import TEXT
from firth.word2vec import word2vec

CHAPTER, DEEPER = "02_word2vec", "02_word2vec_deeper"


def test_S2_a_one_hot_row_looks_a_row_up_and_not_a_column():
    shows(DEEPER, "e M = [0.12386669 0.74266196 0.91580261] the third row")
    shows(DEEPER, "M e = [0.21831979 0.22703532 0.91580261] the third column")


def test_S14_the_page_shows_the_context_of_fox():
    shows(DEEPER, "context of fox: quick brown jumped over")


def test_S15_the_page_shows_the_four_pairs_of_swing():
    pairs = [("swing", other) for other in ("sentence", "should", "the", "sword")]
    shows(DEEPER, str(pairs))


def test_S16_a_matrix_of_columns_looks_a_column_up():
    shows(DEEPER, "column 4: [10 12 19]")


@pytest.mark.parametrize("objective", ["CBOW", "skip-gram", "negative sampling"])
def test_S18_the_gradient_of_each_objective_is_checked_on_the_page(objective):
    row = re.search(rf"{objective} (\d+\.\d\d) (\d)e-(\d+)", page(DEEPER))
    assert row and int(row[3]) >= 8, "formula and small changes differ by rounding alone"


def test_S19_the_windows_of_a_sentence_are_the_examples_of_cbow():
    shows(DEEPER, "the, cat, over, the jumped", "over, the puddle")


def test_S19_an_embedding_layer_looks_rows_up_and_pads_with_zeros():
    import torch  # takes a second, and only this test asks it

    E = np.array([[0.0, 0.0], [0.5, -1.0], [2.0, 0.3]])
    layer = torch.nn.Embedding.from_pretrained(torch.tensor(E), padding_idx=0)
    assert np.array_equal(layer(torch.tensor([2, 1, 0])).numpy(), E[[2, 1, 0]])
    shows(DEEPER, "product: [2. 0.3] [ 0.5 -1. ] [0. 0.]", "layer: [2. 0.3] [ 0.5 -1. ] [0. 0.]")
    looked_up, multiplied = (
        re.search(rf"{way}: +\[([^\]]+)\]", page(CHAPTER))[1] for way in ("looked up", "multiplied")
    )
    assert looked_up == multiplied and np.any(np.fromstring(looked_up, sep=" "))


def test_S13_queen_is_the_answer_if_the_three_words_are_left_out_and_king_if_they_are_not():
    assert re.search(r"left out: queen 0\.\d\d, ", page(CHAPTER))
    assert re.search(r"allowed: king 0\.\d\d, queen 0\.\d\d", page(CHAPTER))


def test_S13_both_top_tens_of_king_and_queen_stand_beside_the_printed_ones():
    books = stored_result("word2vec/books")
    run = next(r for r in books["rows"] if (r["method"], r["epochs"], r["seed"]) == ("CBOW", 5, 1))
    for ten in (*books["deck"].values(), run["king"], run["queen"]):
        assert len(ten) == 10
        shows(DEEPER, *(f"{word} {cosine:.2f}" for word, cosine in ten))


def test_S13_a_high_cosine_says_nothing_while_random_words_have_one():
    rows = stored_result("word2vec/books")["rows"]
    for method in ("CBOW", "skip-gram"):
        runs = [r for r in rows if r["method"] == method]
        early = [r for r in runs if r["epochs"] == 5]
        late = [r["random"] for r in runs if r["epochs"] == 20]
        assert len(early) == len(late) == 3, "three seeds"
        assert min(r["random"] for r in early) > 0.75 > 0.4 > max(late)
        assert all(r["queen"][9][1] > r["king"][0][1] for r in early)


def test_R9_ten_reviews_are_padded_to_length_four_and_two_words_share_a_row():
    rows = re.findall(r"\[(\d+(?:, \d+){3})\] [01] [01] [01]", page(DEEPER))
    assert len(rows) == 10
    assert rows[5].endswith(", 0, 0, 0"), "awesome is one word, padded behind"
    shows(DEEPER, "words with the same row: ['service', \"couldn't\"] ['rude', 'services', 'have']")


def test_R9_the_wrong_label_is_poor_work():
    texts, labels = corpora.restaurant()
    assert dict(zip(texts, labels, strict=True))["poor work"] == 0
    row = re.search(r"poor work \[[\d, ]+\] (\d) (\d) (\d)", page(DEEPER))
    assert row.groups() == ("0", "0", "1"), "learned as good, predicted as bad when left out"


def test_R9_any_two_unknown_words_are_called_bad_and_no_single_one():
    shows(DEEPER, "two unknown words: called bad in 100% to 100% of the cases")
    shows(DEEPER, "one unknown word: called bad in 0% to 0% of the cases")


def test_R10_the_ten_are_learned_by_heart_and_others_are_not_predicted():
    shows(DEEPER, "parameters: 400 + 32 + 1")
    shows(DEEPER, "right on the ten reviews of the training: 100%")
    held_out = re.search(r"right on each review when it was left out: (\d+)%", page(DEEPER))
    assert int(held_out[1]) < 100


def test_one_step_on_paper_is_the_step_of_the_page_and_of_the_package():
    shows(CHAPTER, "captain [0.73 0.71] spoke [0.69 0.5 ] red [ 0.63 -1. ] sea [-0.25 -1. ]")
    V, U = np.zeros((4, 2)), np.array([[0, 0], [0.5, 0.5], [1, -1], [0, -1]])
    V[0] = 1, 0
    _, dU, dV = word2vec.negative_sampling(U, V, 0, 1, np.array([2, 3]))
    assert np.allclose((V - 0.5 * dV)[0], [0.73, 0.71], atol=0.005)
    assert np.allclose((U - 0.5 * dU)[1:], [[0.69, 0.5], [0.63, -1], [-0.25, -1]], atol=0.006)


def test_without_noise_words_nearly_everything_points_in_one_direction():
    lines = re.findall(r"k = (\d): pilot, captain (\S+) pilot, red (\S+) mean (\S+)", page(CHAPTER))
    (_, *without), (_, *with_noise) = sorted(lines)
    without, with_noise = (np.array(line, dtype=float) for line in (without, with_noise))
    assert min(without) > 0.6 and with_noise[0] > 0.9 > 0.4 > max(with_noise[1:])


def test_the_scores_of_the_twelve_sentences_come_to_rest_at_pmi_less_log_k():
    texts = [counts.words(line) for line in TEXT.splitlines()]
    words = counts.vocabulary(word for text in texts for word in text)
    pairs = word2vec.pairs([counts.word_ids(text, words) for text in texts], m=2)
    shows(CHAPTER, f"{len(words)} words, {len(pairs)} pairs")
    spoke = (pairs[:, 1] == words.index("spoke")).sum()
    assert (len(words), len(pairs), spoke) == (22, 232, 8), "as the text reckons"
    table = page(CHAPTER).partition("score after training")[2]
    for other in ("the", "answered", "spoke", "to"):
        row = re.search(rf" {other} (\S+) (\S+) (\S+)", table).groups()
        count, theory, score = map(float, row)
        w, o = words.index("captain"), words.index(other)
        met = (pairs == (w, o)).all(axis=1).sum()
        chance = (pairs[:, 0] == w).sum() * (pairs[:, 1] == o).sum() / len(pairs)
        assert met == count and abs(np.log(met / chance / 5) - theory) < 0.006
        assert abs(score - theory) <= 0.02


def test_the_loss_goes_on_falling_only_with_a_falling_rate_and_five_epochs_are_enough():
    rows = [r for r in stored_result("word2vec/epochs")["rows"] if r["method"] == "skip-gram"]
    losses = {(row["schedule"], row["epochs"]): row["held out"] for row in rows}
    falling, constant = losses["falling", 5], losses["constant", 10]
    assert falling[0] > 4.1 > 3 > falling[1] > falling[2] > falling[-1]
    assert min(constant[2:]) >= constant[1]
    assert abs(losses["falling", 10][-1] - falling[-1]) < 0.02


def test_the_analogies_are_answered_worse_if_the_three_words_are_allowed():
    from firth.store import pretrained_vectors
    from firth.word2vec import analogies

    words, X = pretrained_vectors.glove(30_000)
    questions = corpora.analogies()
    result = {
        rule: analogies.accuracy(words, X, questions, exclude=rule)["all"][:2]
        for rule in (True, False)
    }
    (with_rule, asked), (without, _) = result[True], result[False]
    assert abs(with_rule / asked - 1 / 2) < 0.02 and abs(without / asked - 1 / 3) < 0.02


def test_no_other_split_separates_the_words_of_the_two_association_tests_as_clearly():
    for groups in ("flowers – insects", "science – arts"):
        assert re.search(rf"{groups} 1\.\d\d 1 of 924", page(DEEPER))
    assert re.search(r"other sciences – other arts 1\.\d\d 8 of 924", page(DEEPER))


def test_pairs_far_above_chance_end_below_the_theory_unless_there_are_more_numbers():
    rows = [r for r in stored_result("word2vec/pmi")["rows"] if r["text"] == "Wikipedia"]
    gaps = {(r["d"], r["times"]): r["mean difference above 2"] for r in rows}
    assert rows[0]["pairs"] == 59_602 and rows[0]["correlation"] > 0.85
    assert gaps[100, 1] < -0.9 < -0.5 < gaps[100, 3] < 0 and gaps[100, 1] < gaps[300, 1] < 0


def difference(first: str, second: str) -> dict:
    """The difference of two methods on each question, with its 95 % interval."""
    rows = stored_result("word2vec/comparison")["differences"]
    return next(r for r in rows if (r["first"], r["second"]) == (first, second))


def test_counting_and_predicting_are_level():
    found = difference("PPMI + SVD", "skip-gram")
    for question in ("wordsim353", "simlex999", "news"):
        value, low, high = found[question]
        assert low < 0.001 and high > -0.001 and abs(value) < 0.04


def test_settings_matter_more_than_the_method():
    method = difference("PPMI + SVD", "skip-gram")
    settings = difference("skip-gram", "skip-gram, default settings")
    for question in ("wordsim353", "news"):
        assert settings[question][1] > 0 and settings[question][0] > 2 * abs(method[question][0])


def test_cbow_is_behind_skip_gram_and_its_correction_changes_its_rate_alone():
    for name in ("CBOW", "corrected CBOW"):
        found = difference(name, "skip-gram")
        assert all(found[question][2] < 0 for question in ("wordsim353", "simlex999", "news"))
    level = difference("CBOW", "corrected CBOW")
    assert level["wordsim353"][1] < 0 < level["wordsim353"][2] and level["news"][0] < 0.02
    rows = [r for r in stored_result("word2vec/tuning")["rows"] if "rate" in r]
    best = {
        name: max(
            (r["accuracy"], r["rate"])
            for r in rows
            if r["method"] == name and r["window"] == r["epochs"] == 5
        )
        for name in ("CBOW", "corrected CBOW")
    }
    assert best["corrected CBOW"][1] > best["CBOW"][1]
    assert abs(best["corrected CBOW"][0] - best["CBOW"][0]) < 0.02


def test_only_the_window_matters_much_among_the_other_settings():
    rows = stored_result("word2vec/knobs")["rows"]
    one = {str(r["change"]): r["accuracy"] for r in rows if len(r["change"]) <= 1}
    usual = one.pop("{}")
    lost = {change: usual - accuracy for change, accuracy in one.items()}
    assert max(lost, key=lost.get) == "{'window': 2}" and lost["{'window': 2}"] > 0.04
    others = [value for change, value in lost.items() if "window" not in change]
    assert max(others) < 0.02


def test_gensim_and_the_package_are_equally_good_at_equal_settings():
    rows = stored_result("word2vec/gensim")["rows"]
    scores = {row["program"]: np.array([row["wordsim353"], row["news"]]) for row in rows}
    assert scores["gensim"].shape == scores["firth"].shape == (2, 3), "three seeds"
    gap = scores["gensim"].mean(axis=1) - scores["firth"].mean(axis=1)
    assert abs(gap).max() <= 0.02
    for name in scores:
        assert re.search(rf"{name} +WordSim-353 (0\.\d\d, ){{3}}mean 0\.\d\d", page(CHAPTER))


def test_no_difference_is_printed_as_minus_nothing():
    for chapter in (CHAPTER, DEEPER):
        assert not re.search(r"[-−]0\.0+(?!\d)", page(chapter))
