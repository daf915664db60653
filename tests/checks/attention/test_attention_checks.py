"""What exercise 4 takes for right is right: compared with PyTorch, and with what must hold."""

import numpy as np
import pytest
import torch
from answers import EXERCISES, RIGHT, holds, right
from learners.attention import (
    ATTENTION,
    adds_the_mask,
    bracket_too_late,
    by_a_thousandth,
    forgets_the_mask,
    mean_of_all_weights,
    no_root,
    plain_formula,
    rounded,
    shares_out_again,
    spares_one_head,
    squeezed,
    sums_to_one,
    unscaled_variance,
    wrong_reshape,
)
from torch.nn.functional import scaled_dot_product_attention

from firth.checks.attention.claims import LARGE, UNSTABLE
from firth.checks.attention.weights import ADDED, HIDDEN, MASKS, SEEN

rng = np.random.default_rng(0)


def as_torch(*arrays):
    return [torch.as_tensor(array, dtype=torch.float64) for array in arrays]


@pytest.mark.parametrize("shape", [(5,), (3, 4), (2, 3, 4), (2, 1, 3, 2)])
def test_softmax_is_that_of_torch_for_any_number_of_axes(shape):
    scores = 900 * rng.normal(size=shape)
    theirs = torch.softmax(*as_torch(scores), dim=-1).numpy()
    assert np.allclose(right("softmax")(scores), theirs)
    assert np.allclose(RIGHT["softmax"](scores), theirs)


@pytest.mark.parametrize("mask", MASKS, ids=[mask.form for mask in MASKS])
def test_the_weights_of_a_form_are_those_of_torch_for_what_its_mask_means(mask):
    exercise = EXERCISES["attention_weights"]
    asked = {form.form: form for form in (exercise, *exercise.forms)}[mask.form]
    Q, K, seen = rng.normal(size=(4, 6)), rng.normal(size=(5, 6)), rng.random((4, 5)) < 0.5
    seen[:, 2] = True
    q, k = as_torch(Q, K)
    theirs = scaled_dot_product_attention(
        q[None], k[None], torch.eye(5, dtype=q.dtype)[None], torch.as_tensor(seen)
    )
    assert np.allclose(asked.right(Q, K, mask.write(seen)), theirs[0].numpy())


@pytest.mark.parametrize("mask", MASKS, ids=[mask.form for mask in MASKS])
def test_the_last_hint_of_a_form_leads_to_the_weights_of_that_form(mask):
    exercise = EXERCISES["attention_weights"]
    asked = {form.form: form for form in (exercise, *exercise.forms)}[mask.form]
    Q, K, seen = rng.normal(size=(4, 6)), rng.normal(size=(5, 6)), rng.random((4, 5)) < 0.5
    names = {"np": np, "Q": Q, "K": K, "mask": mask.write(seen)}
    filled = asked.hints[2].replace("K.T / …", "K.T / np.sqrt(6)").replace("sums, …)", "sums, 1)")
    exec(filled.replace("return", "weights ="), names)
    assert np.allclose(names["weights"], asked.right(Q, K, mask.write(seen)))


@pytest.mark.parametrize("mask", [HIDDEN, ADDED], ids=["bool", "float"])
def test_the_other_masks_say_to_the_module_of_torch_what_the_notebook_says_they_do(mask):
    seen = np.tri(4, dtype=bool)
    layer = torch.nn.MultiheadAttention(3, 1, bias=False, dtype=torch.float64)
    x = torch.as_tensor(rng.normal(size=(4, 3)))
    given = torch.as_tensor(mask.write(seen))
    _, weights = layer(x, x, x, attn_mask=given)
    assert ((weights > 0).numpy() == seen).all()


def test_the_mask_that_torch_makes_for_reading_from_left_to_right_is_0_or_minus_infinity():
    made = torch.nn.Transformer.generate_square_subsequent_mask(4)
    assert np.array_equal(made.numpy(), ADDED.write(np.tri(4, dtype=bool)))


def test_A5_attention_is_that_of_torch_and_the_loop_over_words():
    for shape in ((), (3,), (2, 3)):
        tables = (rng.normal(size=(*shape, *size)) for size in ((4, 6), (5, 6), (5, 2)))
        Q, K, V = tables
        theirs = scaled_dot_product_attention(*as_torch(Q, K, V)).numpy()
        for answer in (right("attention"), RIGHT["attention"]):
            assert np.allclose(answer(Q, K, V), theirs)


@pytest.mark.parametrize("d, heads", [(6, 1), (6, 3), (64, 8), (4, 4)])
def test_A6_several_heads_are_the_module_of_torch(d, heads):
    X = rng.normal(size=(5, d))
    W_Q, W_K, W_V, W_O = rng.normal(size=(4, d, d)) / d**0.5
    layer = torch.nn.MultiheadAttention(d, heads, bias=False, dtype=torch.float64)
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.as_tensor(np.vstack([W_Q, W_K, W_V])))
        layer.out_proj.weight.copy_(torch.as_tensor(W_O))
        theirs = layer(*as_torch(X, X, X), need_weights=False)[0].numpy()
    for answer in (right("multi_head"), RIGHT["multi_head"]):
        assert np.allclose(answer(X, W_Q, W_K, W_V, W_O, heads), theirs)


def test_the_additive_score_is_a_small_network():
    s, H = rng.normal(size=3), rng.normal(size=(5, 4))
    W, U, v = rng.normal(size=(6, 3)), rng.normal(size=(6, 4)), rng.normal(size=6)
    both = torch.nn.Linear(7, 6, bias=False, dtype=torch.float64)
    end = torch.nn.Linear(6, 1, bias=False, dtype=torch.float64)
    with torch.no_grad():
        both.weight.copy_(torch.as_tensor(np.hstack([W, U])))
        end.weight.copy_(torch.as_tensor(v[None]))
        pairs = torch.as_tensor(np.hstack([np.tile(s, (5, 1)), H]))
        theirs = end(torch.tanh(both(pairs)))[:, 0].numpy()
    assert np.allclose(right("additive_scores")(s, H, W, U, v), theirs)


def test_without_its_tanh_an_additive_score_gives_every_state_the_same_weights():
    H, W, U, v = (rng.normal(size=size) for size in ((5, 4), (6, 3), (6, 4), 6))
    plain = [right("softmax")((W @ s + H @ U.T) @ v) for s in rng.normal(size=(2, 3))]
    bent = [right("softmax")(right("additive_scores")(s, H, W, U, v)) for s in np.eye(2, 3)]
    assert np.allclose(*plain) and not np.allclose(*bent)


def test_A4_scores_of_unit_variance_have_the_variance_d_and_with_the_root_1():
    for d in (16, 64):
        Q, K = rng.normal(size=(2, 1000, d))
        assert np.isclose(RIGHT["sharpness"](Q, K, 1.0)[0], d, rtol=0.05)
        assert np.isclose(RIGHT["sharpness"](Q, K, d**-0.5)[0], 1, rtol=0.05)


def test_the_slope_is_what_a_nudge_of_the_greatest_score_does():
    Q, K = np.ones((1, 1)), np.array([[1.2], [0.3], [-0.5]])
    nudge = np.array([[1e-6], [0], [0]])
    change = RIGHT["sharpness"](Q, K + nudge, 1.0)[1] - RIGHT["sharpness"](Q, K, 1.0)[1]
    assert np.isclose(change / 1e-6, RIGHT["sharpness"](Q, K, 1.0)[2], rtol=1e-4)


def test_A3_without_positions_reordering_reorders_and_with_them_it_does_not():
    X, P = rng.normal(size=(2, 6, 4))
    for _ in range(10):
        order = [int(j) for j in rng.permutation(6)]
        assert RIGHT["order_gap"](X, 0 * P, order) < 1e-12
        assert RIGHT["order_gap"](X, 0 * P + 0.7, order) < 1e-12  # all places alike: no places
    assert RIGHT["order_gap"](X, P, [1, 0, 2, 3, 4, 5]) > 1e-3


def test_the_slopes_of_all_weights_tell_a_sharp_look_from_an_even_one():
    Q, K = rng.normal(size=(200, 1024)), rng.normal(size=(20, 1024))
    sharp, even = (RIGHT["softmax"](scale * Q @ K.T) for scale in (1, 1 / 1024))
    together = [(A * (1 - A)).sum(axis=1).mean() for A in (sharp, even)]
    assert together[0] < 0.1 and np.isclose(together[1], 0.95, atol=0.005)


# --- a claim about one thing does not fail for another ---------------------------------------


def test_hidden_scores_that_are_too_loud_cost_one_point():
    assert holds("attention_weights", shares_out_again) == [True, True, True, False, True]


def test_a_forgotten_root_keeps_no_point_but_that_of_leaving_things_alone():
    assert not any(holds("attention_weights", no_root))


def test_a_wrong_reshape_is_right_for_a_single_word():
    assert holds("split_heads", wrong_reshape) == [True, False, False]


def test_heads_without_their_end_keep_the_points_of_the_heads():
    def multi_head(X, W_Q, W_K, W_V, W_O, heads):
        return RIGHT["multi_head"](X, W_Q, W_K, W_V, np.eye(len(W_O)), heads)

    assert holds("multi_head", multi_head) == [True, True, False, False, False]


def test_a_wrong_variance_leaves_the_points_of_the_weights():
    def sharpness(Q, K, scale):
        _, a, slope = RIGHT["sharpness"](Q, K, scale)
        return 0.0, a, slope

    assert holds("sharpness", sharpness) == [False, True, True, False]


def test_attention_for_one_text_has_the_point_of_one_text():
    def attention(Q, K, V):
        return RIGHT["softmax"](Q @ K.T / np.sqrt(Q.shape[1])) @ V

    assert holds("attention", attention) == [True, False, False]


# --- what a mask is asked about ---------------------------------------------------------------


def asked(answer, mask):
    """The questions of the form in which this is what the mask says."""
    exercise = EXERCISES["attention_weights"]
    form = next(form for form in (exercise, *exercise.forms) if form.form == mask.form)
    return [verdict.message for verdict in form.judge(answer, 1957)]


@pytest.mark.parametrize("mask", MASKS, ids=[mask.form for mask in MASKS])
def test_who_forgets_the_mask_is_not_told_that_it_is_turned_round(mask):
    said = asked(forgets_the_mask, mask)
    assert all("Does the mask change anything" in message for message in said[1:4])


def test_who_adds_true_is_told_so_for_loud_scores_too():
    for mask in (SEEN, HIDDEN):
        assert all("True counts as 1" in message for message in asked(adds_the_mask, mask)[1:4])


@pytest.mark.parametrize(
    "mask, combine, words",
    [
        (HIDDEN, lambda scores, mask: sums_to_one(scores - mask), "a score less 1"),
        (HIDDEN, lambda scores, mask: sums_to_one(scores * mask), "a score of 0 nothing"),
        (HIDDEN, lambda scores, mask: sums_to_one(scores - np.inf * mask), "0 times ∞"),
        (ADDED, lambda scores, mask: sums_to_one(scores * mask), "You multiply by the mask"),
        (ADDED, lambda scores, mask: sums_to_one(scores - mask), "a score less −∞"),
        (ADDED, lambda scores, mask: sums_to_one(scores) + mask, "when the sharing is over"),
        (ADDED, lambda scores, mask: np.where(~mask, scores, 0), "a mask of True and False"),
    ],
)
def test_a_mask_used_as_another_form_says_is_asked_about(mask, combine, words):
    def attention_weights(Q, K, mask):
        return combine(Q @ K.T / np.sqrt(Q.shape[1]), mask)

    assert any(words in message for message in asked(attention_weights, mask))


# --- what the last claims ask ----------------------------------------------------------------


def last(name, answer):
    return EXERCISES[name].judge(answer, 1957)[-1].message


@pytest.mark.parametrize(
    "name, answer",
    [
        ("softmax", by_a_thousandth),
        ("softmax", rounded),
        ("sharpness", mean_of_all_weights),
        ("sharpness", unscaled_variance),
        ("attention", bracket_too_late),
    ],
)
def test_who_is_wrong_for_small_scores_too_is_asked_the_same_about_great_ones(name, answer):
    earlier = [verdict.message for verdict in EXERCISES[name].judge(answer, 1957)[:-1]]
    assert last(name, answer) in earlier and UNSTABLE not in earlier


def test_only_what_overflows_is_asked_about_it():
    assert last("softmax", plain_formula) == UNSTABLE
    capped = last("softmax", lambda scores: RIGHT["softmax"](np.minimum(scores, 1234.5)))
    assert capped == LARGE


@pytest.mark.parametrize(
    "name, answer", [("additive_scores", squeezed), ("split_heads", spares_one_head)]
)
def test_a_special_case_that_fails_alone_is_asked_about_and_not_the_claims_above(name, answer):
    assert holds(name, answer) == [True, True, False]
    assert "shape" in last(name, answer)


def test_attention_gives_away_no_call():
    for answer, _ in ATTENTION:
        said = [verdict.message for verdict in EXERCISES["attention"].judge(answer, 1957)]
        assert not any("np.swapaxes(K, -1, -2))" in message for message in said)
