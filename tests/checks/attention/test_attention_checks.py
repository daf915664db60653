"""The questions of exercise 4: right answers are those of PyTorch, what a slip costs, the demos."""

import ast

import numpy as np
import pytest
import torch
from answers import EXERCISES, RIGHT, SOLUTIONS, code, compiled, defined, definitions, holds, right
from learners import attention as learners
from learners.attention import (
    ATTENTION,
    WRONG,
    a_billion_below_then_zeros,
    a_little_in_the_sum,
    adds_the_mask,
    adds_to_X,
    bracket_too_late,
    by_a_thousandth,
    erases_weights,
    forgets_the_mask,
    gap,
    headed,
    in_place,
    mean_of_all_weights,
    mixing,
    new,
    no_copy,
    no_root,
    old,
    one_by_one,
    plain_formula,
    root_of_d,
    rounded,
    scales_the_keys,
    shares_out_again,
    spares_one_head,
    squeezed,
    sums_to_one,
    turned,
    unscaled_variance,
    writes_over_Q,
    wrong_reshape,
)
from torch.nn.functional import scaled_dot_product_attention

from firth.checks import check
from firth.checks.attention.claims import LARGE, OVERFLOW, ROUNDED
from firth.checks.attention.masks import ADDED, HIDDEN, MASKS, SEEN
from firth.checks.claims import WAITS
from tests.checks.test_checks import call_it, messages

(SOLUTION,) = [path for path in SOLUTIONS if path.stem == "04_attention"]
SEEDS = range(3)
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


def without_the_end(X, W_Q, W_K, W_V, W_O, heads):
    return RIGHT["multi_head"](X, W_Q, W_K, W_V, np.eye(len(W_O)), heads)


def wrong_variance(Q, K, scale):
    return 0.0, *RIGHT["sharpness"](Q, K, scale)[1:]


def for_one_text(Q, K, V):
    return RIGHT["softmax"](Q @ K.T / np.sqrt(Q.shape[1])) @ V


def list_of_heads(X, heads):
    return np.split(X, heads, axis=1)


SLIPS = {
    "softmax": [
        (plain_formula, [True, True, False]),
        (a_little_in_the_sum, [True, True, False]),
        (learners.writes_into_the_scores, [True, False, True]),
    ],
    "attention_weights": [
        (no_root, [False, True, True, True, True]),
        (shares_out_again, [True, True, True, False, True]),
        (a_billion_below_then_zeros, [True, True, True, False, True]),
        (learners.blind_rows_are_nan, [True, True, False, True, True]),
        (erases_weights, [True, False, False, False, False]),
        (writes_over_Q, [True, True, True, True, False]),
    ],
    "attention": [
        (mixing(lambda Q, K, V: Q @ turned(K)), [False, True, True]),
        (mixing(lambda Q, K, V: Q @ turned(K) / Q.shape[-1]), [False, True, True]),
        (mixing(weights=plain_formula), [True, True, False]),
        (for_one_text, [True, False, False]),
        (scales_the_keys, [True, True, False]),
    ],
    "additive_scores": [
        (one_by_one(lambda s, h, W, U, v: v @ (W @ s + U @ h)), [False, True, False]),
        (squeezed, [True, True, False]),
        (in_place, [True, True, False]),
    ],
    "split_heads": [
        (wrong_reshape, [True, False, False]),
        (spares_one_head, [True, True, False]),
        (list_of_heads, [True, True, True]),
    ],
    "multi_head": [
        (without_the_end, [True, True, False, True, False]),
        (root_of_d, [True, False, True, True, False]),
        (headed(cut=wrong_reshape), [True, False, True, False, False]),
        (headed(matrices=lambda X, W: X @ W), [False, False, True, True, False]),
        (learners.writes_over_X, [True, True, True, True, False]),
    ],
    "sharpness": [
        (wrong_variance, [False, True, True, False]),
        (unscaled_variance, [False, True, True, False]),
        (learners.scales_Q_itself, [True, True, True, False]),
    ],
    "order_gap": [
        (gap(new, old, lambda x: np.abs(x).mean()), [True, False, False]),
        (no_copy, [True, False, False]),
        (adds_to_X, [True, True, False]),
    ],
}


@pytest.mark.parametrize("name", SLIPS)
def test_one_slip_does_not_cost_a_whole_question(name):
    for answer, held in SLIPS[name]:
        for seed in SEEDS:
            assert holds(name, answer, seed) == held, answer


def test_numbers_that_fit_each_other_are_not_enough():
    """Claims that forgive a slip elsewhere accept no constants, and nothing that was given."""
    for seed in SEEDS:
        assert not any(holds("multi_head", lambda X, *rest: X, seed))
        assert not any(holds("multi_head", lambda X, *rest: 0 * X, seed))
        assert not any(holds("additive_scores", lambda s, H, W, U, v: 0 * H[:, 0], seed))
        assert not any(holds("attention", lambda Q, K, V: 0 * (Q @ turned(K) @ V), seed))


def test_W_O_is_judged_with_the_heads_that_the_learner_has():
    """Wrong heads keep its point, and heads without it never have it."""
    for seed in SEEDS:
        for answer in (headed(weights=lambda x: x), headed(cut=wrong_reshape)):
            assert holds("multi_head", answer, seed)[2]
        for answer in (headed(last=lambda Z, W: Z), headed(last=np.matmul)):
            assert not holds("multi_head", answer, seed)[2]


@pytest.mark.parametrize("name", WRONG)
def test_single_precision_is_good_enough(name):
    def single(*inputs):
        return RIGHT[name](
            *(
                item.astype(np.float32) if getattr(item, "dtype", None) == np.float64 else item
                for item in inputs
            )
        )

    for seed in range(12):
        assert all(holds(name, single, seed)), seed


def test_a_list_of_heads_is_an_array_for_the_check_and_is_asked_about_where_it_is_none():
    def multi_head(X, W_Q, W_K, W_V, W_O, heads):
        Q, K, V = (list_of_heads(X @ W.T, heads) for W in (W_Q, W_K, W_V))
        return np.hstack(RIGHT["attention"](Q, K, V)) @ W_O.T

    assert all(holds("split_heads", list_of_heads))
    assert all(
        "What does np.array make of it?" in said for said in messages("multi_head", multi_head)
    )


@pytest.mark.parametrize("name", WRONG)
def test_the_question_names_the_mistake_wherever_a_learner_makes_a_known_one(name):
    """Else it is a question about an error, about what was returned, or about changed inputs."""
    named = {question for _, question in EXERCISES[name].mistakes}
    others = ("in your line", "It returned", "write into", "changes the array", "(1,) or ()",
              "six words or more")  # fmt: skip
    unnamed = []
    for answer, words in WRONG[name]:
        said = messages(name, answer)
        if not any(text in named or any(some in text for some in others) for text in said):
            unnamed.append(words)
    assert not unnamed


def test_a_report_says_each_question_once():
    for name, wrong in WRONG.items():
        for answer, _ in wrong:
            report = repr(check(call_it(name, answer))).splitlines()
            lines = [line for line in report if "→" in line and " — in your line" not in line]
            assert len(lines) == len(set(lines)), lines


# --- what a mask is asked about ---------------------------------------------------------------


def asked(answer, mask):
    """The questions of the form in which this is what the mask says."""
    exercise = EXERCISES["attention_weights"]
    form = next(form for form in (exercise, *exercise.forms) if form.form == mask.form)
    return [verdict.message for verdict in form.judge(answer, 1957)]


@pytest.mark.parametrize("mask", MASKS, ids=[mask.form for mask in MASKS])
def test_who_forgets_the_mask_is_not_told_that_it_is_turned_round(mask):
    said = asked(forgets_the_mask, mask)
    assert all("the same with every mask" in message for message in said[1:4])


def test_who_adds_true_is_told_so_for_loud_scores_too():
    for mask in (SEEN, HIDDEN):
        assert all("True counts as 1" in message for message in asked(adds_the_mask, mask)[1:4])


@pytest.mark.parametrize(
    "mask, combine, words",
    [
        (HIDDEN, lambda scores, mask: sums_to_one(scores - mask), "if its score is lower by 1"),
        (HIDDEN, lambda scores, mask: sums_to_one(scores * mask), "so many scores become 0"),
        (HIDDEN, lambda scores, mask: sums_to_one(scores - np.inf * mask), "0 times ∞"),
        (ADDED, lambda scores, mask: sums_to_one(scores * mask), "multiply the scores by the mask"),
        (ADDED, lambda scores, mask: sums_to_one(scores - mask), "a score minus −∞"),
        (ADDED, lambda scores, mask: sums_to_one(scores) + mask, "add the mask to the weights"),
        (ADDED, lambda scores, mask: np.where(~mask, scores, 0), "needs True and False"),
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
    assert last(name, answer) in earlier and OVERFLOW not in earlier


def test_only_what_overflows_is_asked_about_it():
    assert last("softmax", plain_formula) == OVERFLOW
    capped = last("softmax", lambda scores: RIGHT["softmax"](np.minimum(scores, 1234.5)))
    assert capped == LARGE


@pytest.mark.parametrize(
    "name, answer", [("additive_scores", squeezed), ("split_heads", spares_one_head)]
)
def test_a_special_case_that_fails_alone_is_asked_about_and_not_the_claims_above(name, answer):
    assert holds(name, answer) == [True, True, False]
    assert "shape" in last(name, answer)


def test_inputs_that_are_left_as_they_were_wait_where_a_known_mistake_has_been_asked_about():
    for name, answer in (("attention_weights", erases_weights), ("multi_head", stacked_heads)):
        assert last(name, answer) == WAITS
    assert "write into Q" in last("attention_weights", writes_over_Q)


@pytest.mark.parametrize("name", [name for name in WRONG if name != "split_heads"])
def test_who_rounds_as_the_example_does_is_told_so(name):
    for decimals in (2, 3):
        said = messages(name, lambda *given, n=decimals: np.round(RIGHT[name](*given), n))
        assert ROUNDED in said and set(said) <= {ROUNDED, WAITS}


def joined_by(join, project=lambda X, W: X @ W.T):
    def multi_head(X, W_Q, W_K, W_V, W_O, heads):
        Q, K, V = (RIGHT["split_heads"](project(X, W), heads) for W in (W_Q, W_K, W_V))
        return join(RIGHT["attention"](Q, K, V)) @ W_O.T

    return multi_head


stacked_heads = joined_by(lambda Z: Z)


@pytest.mark.parametrize(
    "answer, words",
    [
        (joined_by(np.vstack), "below each other"),
        (stacked_heads, "the stack of the heads"),
        (joined_by(sum), "the mean or the sum"),
        (joined_by(lambda Z: Z.mean(axis=0)), "the mean or the sum"),
        (joined_by(np.hstack, lambda X, W: W @ X.T), "each word is a column"),
    ],
)
def test_heads_that_do_not_fit_W_O_are_told_from_each_other(answer, words):
    for seed in SEEDS:
        assert any(words in said for said in messages("multi_head", answer, seed))


def test_a_gap_between_mixtures_of_the_old_words_is_asked_about_in_every_claim():
    def order_gap(X, P, order):
        new, old = (sums_to_one(Z @ Z.T) @ X for Z in (X[order] + P, X + P))
        return np.abs(new - old[order]).max()

    first, second, third = messages("order_gap", order_gap)
    assert "Which table does f mix?" in first and first == second and third == WAITS


def test_attention_gives_away_no_call():
    for answer, _ in ATTENTION:
        said = [verdict.message for verdict in EXERCISES["attention"].judge(answer, 1957)]
        assert not any("np.swapaxes(K, -1, -2))" in message for message in said)


# --- the demos -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def notebook():
    """The functions of the solution by name, and the constants that its demos use."""
    names = defined(definitions(SOLUTION))
    for node in (node for cell in code(SOLUTION) for node in ast.parse(cell).body):
        if isinstance(node, ast.Assign | ast.AugAssign):
            exec(compiled([node]), names)
    return names


def test_the_dictionary_answers_with_the_word_that_the_page_names(notebook):
    told = [row.split() for row in repr(notebook["soft_dictionary"]()).splitlines()[2:]]
    assert {row[-1] for row in told[:3]} == {"mother"} and told[-1][-1] == "sister"
    assert float(told[0][2]) < 0.27 and [row[2] for row in told[6:8]] == ["1.00", "0.94"]


@pytest.mark.parametrize(
    "demo, text, missing",
    [
        ("read_so_far", "an orange eats an apple", "eats"),
        ("soft_dictionary", "king nephew", "nephew"),
        ("gaps", "king loves dog", "dog loves"),
        ("your_weights", "the dogs bark loudly", "loudly"),
    ],
)
def test_a_text_of_the_learner_names_the_words_that_are_not_known(
    notebook, capsys, demo, text, missing
):
    assert notebook[demo](text) is None
    assert capsys.readouterr().out == f"Not in the vocabulary: {missing}\n"


def test_a_text_of_any_length_has_its_gaps_and_those_of_position_embeddings_need_no_words(notebook):
    def shown(text):
        lines = repr(notebook["gaps"](text)).splitlines()
        return lines[0], [row.split()[-1] for row in lines[2:]]

    assert shown("king queen")[0] == "King queen, queen king"
    saw, same = shown("king saw queen")[1], shown("king king king")[1]
    assert (saw[-1], same[-1]) == ("0.20", "0.00") and saw[-2] == same[-2] == "4.70"


def test_two_heads_answer_two_questions_and_one_head_mixes_them(notebook):
    maps = notebook["hand_made_heads"]().maps
    assert np.allclose(maps["head 0"][4], [0, 0.5, 0, 0, 0.5], atol=1e-6)
    assert np.allclose(maps["head 1"][4], [0, 0, 0, 1, 0], atol=1e-6)
    assert np.allclose(maps["head 1"][0], 0.2)
    assert np.allclose(maps["one head"][4], [0, 1 / 3, 0, 1 / 3, 1 / 3], atol=1e-4)


def test_the_learners_layer_finds_partners_that_it_never_saw_together(notebook):
    shares = [share for _, share, _ in notebook["trained"](notebook["attention_weights"])]
    assert shares[0] < 0.2 and shares[-1] == 1
    rng, pairs = np.random.default_rng(0), set()
    for _ in range(1000):
        text, partner = notebook["sentence"](rng, held_out=False)
        pairs |= {(text[i], text[j]) for i, j in partner.items()}
    assert ("dogs", "barks") not in pairs and ("cat", "sleeps") in pairs
    assert not {("dogs", "bark"), ("bark", "dogs"), ("dog", "barks")} & pairs


def test_the_map_after_the_training_shows_what_the_page_says(notebook):
    text = "while the cat sleeps today the dogs bark here"
    after = notebook["your_weights"](text).maps["after"]
    for noun, verb in ((2, 3), (6, 7)):
        assert after[noun].argmax() == verb and after[verb].argmax() == noun
        assert min(after[noun, verb], after[verb, noun]) > 0.8
    both = notebook["your_weights"]("the dogs bark and the cats sleep").maps["after"]
    assert both[1].round(2)[[2, 6]].tolist() == [0.52, 0.48]


def test_the_keys_of_the_learners_layer_form_four_groups(notebook):
    shares = notebook["your_keys"]().shares.reshape(2, 4, 2, 2)  # kind, word, number
    groups = shares.transpose(0, 2, 1, 3).reshape(4, 4, 2)
    spread = max(np.linalg.norm(group - group.mean(axis=0), axis=1).max() for group in groups)
    centres = groups.mean(axis=1)
    apart = np.linalg.norm(centres[:, None] - centres, axis=2)[np.triu_indices(4, 1)].min()
    assert apart > 4 * spread
    net = notebook["trained"](notebook["attention_weights"])[-1][2]
    words = notebook["VOCABULARY"]
    scores = net["W_Q"][:, words.index("bark")] @ net["W_K"]
    assert {words[i] for i in np.argsort(-scores)[:8]} == {f"{n}s" for n in notebook["NOUNS"]}


def test_a_removed_word_changes_what_the_page_says(notebook):
    every = list(range(6))
    assert round(notebook["verdict"](every), 2) == -0.28
    without = {word: [k for k in every if k != n] for n, word in enumerate(notebook["REVIEW"])}
    assert round(notebook["verdict"](without["."]), 2) == -0.26
    assert round(notebook["verdict"](without["not"]), 2) == 0.38
