"""What exercise 6 takes for right is right: against PyTorch, the tokenizer and the chapter's code;
and the handful of a network that it works with is what it is said to be."""

import numpy as np
import pytest
import torch
from answers import EXERCISES, RIGHT, holds, right
from learners.bert import (
    asking,
    descending,
    down_the_columns,
    each_text,
    fate,
    greedy,
    interrupted,
    permuting,
    picking,
    summed,
    tries_all,
    words_like,
)

from experiments.bert import exercise
from firth.bert import minilm, personality_survey
from firth.bert.wordpiece import WordPiece, pretokens
from firth.checks.bert.best_layer import MEND
from firth.checks.bert.mantel import BOTH_SIDES, ONE_SIDE
from firth.checks.bert.mantel import EXAMPLE as HAND
from firth.checks.bert.mantel import tested as quickly
from firth.checks.bert.masking import ORDERS
from firth.store import corpora
from firth.store.results import stored_result
from firth.store.weights import dequantize

rng = np.random.default_rng(0)
THROUGHOUT = [
    ("mlm_loss", down_the_columns, "Along which axis"),
    ("mantel", permuting(p=lambda count, n: count / (n + 1)), "(1 + count)/(1 + n)"),
    ("linear_probe", summed(lambda X, error: X.T @ error, np.mean), "for b alone"),
    ("linear_probe", descending(many=lambda steps: 1), "where is the loop"),
]
STORED = stored_result("bert/exercise")


def form(name, spoken):
    asked = EXERCISES[name]
    return {one.form: one for one in (asked, *asked.forms)}[spoken]


# --- against others --------------------------------------------------------------------------


def test_words_come_apart_as_in_the_chapter():
    draw = np.random.default_rng(5)
    for _ in range(500):
        word, numbers = words_like(draw)
        signs = ["[UNK]", "[CLS]", "[SEP]"]
        words = WordPiece([*signs, *(piece for piece in numbers if piece not in signs)])
        theirs = [numbers[piece] for piece in words.matched(word)]
        assert right("word_pieces")(word, numbers) == theirs == RIGHT["word_pieces"](word, numbers)


@pytest.mark.parametrize("text", exercise.TEXTS)
def test_B1_B2_B3_the_handful_cuts_its_lines_as_the_whole_list_does(text):
    numbers, whole = STORED["numbers"], minilm.words()
    found = [n for word in pretokens(text) for n in RIGHT["word_pieces"](word, numbers)]
    assert [whole.tokens[n] for n in found] == whole.pieces(text)


@pytest.mark.parametrize("order", ORDERS, ids=[order.form for order in ORDERS])
def test_B6_masking_leaves_85_and_splits_15_into_80_10_10(order):
    n = 200_000
    special = rng.random(n) < 0.1
    u, v = rng.random((2, n))
    ids, other = np.full(n, 7), np.full(n, 9)
    reads, chosen = form("mask_tokens", order.form).right(ids, special, u, v, other, 4)
    assert not chosen[special].any() and (reads[~chosen.astype(bool)] == 7).all()
    shares = [chosen[~special].mean(), *((reads[chosen == 1] == token).mean() for token in (4, 9))]
    assert np.allclose(shares, [0.15, 0.8, 0.1], atol=0.01)


def test_B6_the_loss_is_that_of_torch_with_what_is_not_chosen_ignored():
    X, E, b = rng.normal(size=(9, 4)), rng.normal(size=(6, 4)), rng.normal(size=6)
    ids, chosen = rng.integers(0, 6, size=9), np.arange(9) % 2 == 0
    labels = torch.as_tensor(np.where(chosen, ids, -100))
    theirs = torch.nn.functional.cross_entropy(torch.as_tensor(X @ E.T + b), labels)
    assert np.isclose(right("mlm_loss")(X, E, b, ids, chosen), theirs.item())


def test_B10_pooling_is_that_of_the_chapter():
    X, mask = rng.normal(size=(4, 6, 5)), np.arange(6) < np.array([[3], [6], [1], [4]])
    theirs = minilm.pooled(torch.as_tensor(X), torch.as_tensor(mask))
    assert np.allclose(right("mean_pooled")(X, mask), theirs.numpy())


def test_B11_facets_and_chance_are_those_of_the_chapter():
    V, facets = rng.normal(size=(30, 5)), rng.integers(0, 6, size=30)
    U = V / np.linalg.norm(V, axis=1, keepdims=True)
    theirs = personality_survey.told(U @ U.T, facets), personality_survey.chance(facets)
    assert np.allclose(right("nearest_facet")(V, facets), theirs)


@pytest.mark.parametrize("side, n", [(ONE_SIDE, 0), (BOTH_SIDES, 1)], ids=["one", "both"])
def test_B11_mantels_test_is_that_of_the_chapter(side, n):
    A, B = rng.normal(size=(2, 8, 8))
    S, T = A + A.T, B + B.T - 0.3 * A - 0.3 * A.T
    orders = np.array([rng.permutation(8) for _ in range(60)])
    r = personality_survey.agreement(S, T)
    found = np.array([personality_survey.agreement(S, T[o][:, o]) for o in orders])
    theirs = r, personality_survey.p_values(r, found)[n]
    assert np.allclose(form("mantel", side.form).right(S, T, orders), theirs)
    assert np.allclose(quickly(side)(S, T, orders), theirs)


def test_the_probe_descends_as_autograd_does():
    X, y = rng.normal(size=(9, 3)), rng.integers(0, 2, size=9)
    line = torch.zeros(4, dtype=torch.float64, requires_grad=True)
    for _ in range(7):
        scores = torch.as_tensor(X) @ line[:3] + line[3]
        loss = torch.nn.functional.binary_cross_entropy_with_logits(
            scores, torch.as_tensor(y * 1.0)
        )
        (slope,) = torch.autograd.grad(loss, line)
        line = (line - 0.6 * slope).detach().requires_grad_()
    assert np.allclose(right("linear_probe")(X, y, 7, 0.6), line.detach().numpy())


# --- the handful -----------------------------------------------------------------------------


def test_the_states_that_ride_along_are_those_of_the_network():
    lengths, X = exercise.batch()
    assert STORED["batch"]["lengths"] == lengths and STORED["batch"]["texts"] == [*exercise.BATCH]
    mine = dequantize(STORED["batch"]["states"])
    assert abs(mine - X).max() < 0.03  # half a step of the largest row
    mask = np.arange(X.shape[1]) < np.array(lengths)[:, None]
    theirs = minilm.vectors(exercise.BATCH)
    assert np.allclose(RIGHT["mean_pooled"](mine, mask), theirs, atol=0.01)


def test_the_items_that_ride_along_are_those_of_the_questionnaire():
    texts = [str(text) for text in corpora.personality()["text"]]
    few = [3, 18, 55, 134]
    theirs = minilm.vectors([texts[i] for i in few])
    assert np.allclose(dequantize(STORED["items"])[few], theirs, atol=0.005)


def test_96_sentences_of_two_kinds_say_apple_once_and_layer_0_knows_its_place_alone():
    texts = STORED["apple"]["texts"]
    assert len(texts) == len(set(texts)) == 96
    places = [minilm.words().pieces(text).index("apple") for text in texts]
    assert all(pretokens(text).count("apple") == 1 for text in texts)
    layers = dequantize(STORED["apple"]["layers"])
    assert layers.shape == (7, 96, exercise.AXES)
    pairs = [(i, j) for i in range(96) for j in range(i)]
    same = [np.allclose(layers[0, i], layers[0, j], atol=0.05) for i, j in pairs]
    assert same == [places[i] == places[j] for i, j in pairs]


def test_the_axes_keep_how_far_the_states_are_apart():
    X = rng.normal(size=(20, 50)) @ np.diag(0.8 ** np.arange(50))
    Z = exercise.turned(X, 19)
    assert np.allclose(Z @ Z.T, (X - X.mean(axis=0)) @ (X - X.mean(axis=0)).T)
    assert np.allclose(exercise.turned(X, 3), Z[:, :3])


# --- a claim about one thing does not fail for another ---------------------------------------


def test_whoever_goes_back_still_begins_and_goes_on_rightly():
    assert holds("word_pieces", tries_all) == [True, True, True, False]
    assert holds("word_pieces", greedy(more=""))[0]


def test_whoever_never_swaps_a_token_still_chooses_rightly_and_spares_the_special_ones():
    never = fate(become=lambda v, u, mask, other, own: mask if v < 0.8 else own)
    assert holds("mask_tokens", never) == [True, False, True, False]


def test_a_chance_level_that_counts_the_item_itself_leaves_the_accuracy():
    luck = asking(luck=lambda facets: np.mean([np.mean(facets == f) for f in facets]))
    assert holds("nearest_facet", luck)[:3] == [True, True, False]


def test_whoever_turns_rows_alone_has_r_and_that_p_is_never_0():
    assert holds("mantel", permuting(turn=lambda T, o: T[o])) == [True, False, True, False]


def test_whoever_reports_the_held_out_share_has_chosen_the_right_layer():
    said = picking(say=lambda train, held_out, test: held_out)
    assert holds("best_layer", said)[:2] == [True, False]


def test_a_loop_that_is_interrupted_keeps_what_held_and_is_asked_what_it_waited_for():
    verdicts = EXERCISES["word_pieces"].judge(interrupted, 1957)
    assert [verdict.holds for verdict in verdicts] == [True, True, False, False]
    assert {verdict.message for verdict in verdicts[2:]} == {EXERCISES["word_pieces"].endless}


def test_orders_as_they_are_given_and_their_inverses_differ_in_the_case_worked_by_hand():
    S, T, orders = HAND
    for asked, p in ((ONE_SIDE, 2 / 4), (BOTH_SIDES, 3 / 4)):
        mine = form("mantel", asked.form).right(S, T, orders)
        assert np.allclose(mine, [np.sqrt(0.3), p])
        assert quickly(asked)(S, T, np.argsort(orders, axis=1))[1] != p


def test_whoever_allows_for_no_rounding_loses_one_claim_alone():
    strict = permuting(far=lambda found, r: found >= r)
    assert holds("mantel", strict) == [True, True, True, False]


def test_whoever_leaves_out_the_first_place_holds_no_claim():
    out = each_text(lambda x, m: x[1:][m[1:]].mean(axis=0))
    assert holds("mean_pooled", out) == [False, False, False]


def test_a_score_of_0_counted_as_1_still_chooses_and_reports_rightly_elsewhere():
    level = picking(says=lambda x, w, b: x @ w + b >= 0)
    assert holds("best_layer", level) == [True, True, False]


@pytest.mark.parametrize("seed", [1957, 1, 2])
def test_whoever_stands_on_a_wrong_probe_is_not_accused_of_looking(seed):
    summing = picking(probe=descending(mean=np.sum))
    said = {v.message for v in EXERCISES["best_layer"].judge(summing, seed) if not v.holds}
    assert said == {MEND}


@pytest.mark.parametrize("seed", [1957, 1, 2])
@pytest.mark.parametrize("name, answer, words", THROUGHOUT, ids=[case[2] for case in THROUGHOUT])
def test_a_mistake_is_asked_about_in_the_same_words_in_every_claim(name, answer, words, seed):
    said = [v.message for v in EXERCISES[name].judge(answer, seed) if not v.holds]
    assert said and all(words in message for message in said)
