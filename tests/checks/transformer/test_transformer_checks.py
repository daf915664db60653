"""What exercise 5 takes for right is right: compared with PyTorch, transformers and slow counts."""

import numpy as np
import pytest
import torch
from answers import EXERCISES, RIGHT, holds, right
from learners.transformer import (
    NEXT_PROBABILITIES,
    block,
    hesitating,
    into_the_scores,
    keeping,
    sums,
    waves,
)
from transformers import GPT2Config, GPT2LMHeadModel
from transformers.generation import TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

from firth.attention.attention import attention, causal_mask
from firth.checks.transformer.encoder_block import weights
from firth.checks.transformer.kv_cache import ALONE, read, whole
from firth.checks.transformer.positional_encoding import LAYOUTS
from firth.transformer.positional_encoding import positions
from firth.transformer.sampling import probabilities

rng = np.random.default_rng(0)


def as_torch(*arrays):
    return [torch.as_tensor(array, dtype=torch.float64) for array in arrays]


def torch_block(w, d, heads, inner):
    layer = torch.nn.TransformerEncoderLayer(
        d, heads, inner, dropout=0.0, batch_first=True, dtype=torch.float64
    )
    own = {
        "self_attn.in_proj_weight": np.concatenate([w[name] for name in "QKV"]),
        "self_attn.in_proj_bias": np.concatenate([w[f"b_{name}"] for name in "QKV"]),
        "self_attn.out_proj.weight": w["O"],
        "self_attn.out_proj.bias": w["b_O"],
    }
    for n in "12":
        own |= {f"linear{n}.weight": w[n], f"linear{n}.bias": w[f"b_{n}"]}
        own |= {f"norm{n}.weight": w[f"gain_{n}"], f"norm{n}.bias": w[f"shift_{n}"]}
    layer.load_state_dict({name: torch.as_tensor(array) for name, array in own.items()})
    return layer.eval()


@pytest.mark.parametrize("n, d, heads, inner", [(5, 12, 3, 20), (1, 8, 8, 5), (7, 16, 1, 64)])
@pytest.mark.parametrize("answers", [RIGHT, {"encoder_block": EXERCISES["encoder_block"].right}])
def test_A10_the_block_is_that_of_torch(n, d, heads, inner, answers):
    w, X = weights(rng, d, inner), rng.normal(size=(n, d))
    theirs = torch_block(w, d, heads, inner)(torch.as_tensor(X)[None])[0].detach().numpy()
    assert np.allclose(answers["encoder_block"](X, w, heads), theirs, atol=1e-10)


@pytest.mark.parametrize("columns", LAYOUTS, ids=[columns.form for columns in LAYOUTS])
def test_A8_positions_are_those_of_the_chapter_once_their_columns_are_in_its_order(columns):
    n, d = 50, 128
    asked = EXERCISES["positional_encoding"]
    form = {form.form: form for form in (asked, *asked.forms)}[columns.form]
    P = form.right(n, d)
    pairs = [[columns.sine(i, d), columns.cosine(i, d)] for i in range(d // 2)]
    assert np.allclose(P[:, np.ravel(pairs)], positions(n, d))


@pytest.mark.parametrize("shape", [(6,), (4, 6), (2, 3, 5)])
def test_A9_the_norm_is_that_of_torch_for_a_token_a_text_and_a_batch(shape):
    X, gain, shift = rng.normal(size=shape), *rng.normal(size=(2, shape[-1]))
    X *= 10.0 ** rng.integers(-4, 3, size=(*shape[:-1], 1))  # 1e-5 counts in some, in others not
    theirs = torch.nn.functional.layer_norm(*as_torch(X), shape[-1:], *as_torch(gain, shift))
    assert np.allclose(right("layer_norm")(X, gain, shift), theirs.numpy())


def test_A11_the_mask_is_that_of_torch_and_no_gradient_comes_from_later_tokens():
    X = rng.normal(size=(3, 5, 4))
    (Y,) = as_torch(X)
    theirs = torch.nn.functional.scaled_dot_product_attention(Y, Y, Y, is_causal=True).numpy()
    scores = X @ X.swapaxes(1, 2) / 2
    assert np.allclose(right("causal_weights")(scores) @ X, theirs)
    nudged = scores.copy()
    nudged[:, :, 3:] += 1.0
    moved = right("causal_weights")(nudged) - right("causal_weights")(scores)
    assert not moved[:, :3].any() and moved[:, 3:].any()


@pytest.mark.parametrize("tied", [True, False])
def test_A13_the_count_is_that_of_a_real_GPT_2_and_of_its_published_sizes(tied):
    sizes = {"vocab_size": 37, "n_embd": 12, "n_head": 3, "n_inner": 20, "n_layer": 2}
    model = GPT2LMHeadModel(GPT2Config(**sizes, n_positions=11, tie_word_embeddings=tied))
    count = right("transformer_parameters")
    assert count(37, 12, 3, 20, 2, 11, tied) == sum(p.numel() for p in model.parameters())
    for d, heads, blocks, millions in (
        (768, 12, 12, 124.4),
        (1024, 16, 24, 354.8),
        (1280, 20, 36, 774.0),
        (1600, 25, 48, 1557.6),
    ):
        assert round(count(50_257, d, heads, 4 * d, blocks, 1024, True) / 1e6, 1) == millions


@pytest.mark.parametrize("tau, k, p", [(1.0, 20, 1.0), (0.7, 5, 0.8), (1.4, 20, 0.5), (2.0, 3, 1)])
def test_A14_choosing_is_that_of_transformers_and_of_the_chapter(tau, k, p):
    scores = 2 * rng.normal(size=20)
    steps = TemperatureLogitsWarper(tau), TopKLogitsWarper(k), TopPLogitsWarper(float(p))
    (theirs,) = as_torch(scores[None])
    for step in steps:
        theirs = step(None, theirs)
    mine = right("next_probabilities")(scores, tau, k, p)
    assert np.allclose(mine, theirs.softmax(-1)[0].numpy())
    assert np.allclose(mine, probabilities(scores, tau, k, p))


def test_the_perplexity_is_that_of_a_language_models_own_loss():
    torch.manual_seed(0)
    config = GPT2Config(vocab_size=9, n_embd=8, n_head=2, n_layer=1, n_positions=12)
    model = GPT2LMHeadModel(config).double().eval()
    ids = rng.integers(0, 9, size=12)
    with torch.no_grad():
        out = model(torch.as_tensor(ids)[None], labels=torch.as_tensor(ids)[None])
    mine = right("perplexity")(out.logits[0].numpy(), ids)
    assert np.isclose(np.log(mine), out.loss.item())


def test_steps_with_a_cache_give_the_causal_attention_of_the_chapter():
    X, W = rng.normal(size=(7, 5)), rng.normal(size=(3, 4, 5))
    Q, K, V = (X @ w.T for w in W)
    rows = attention(Q, K, V, causal_mask(7))
    assert np.allclose(read(right("cached_step"), X, *W), rows)
    assert np.allclose(whole(X, *W), rows)


# --- a claim about one thing does not fail for another ---------------------------------------


def test_the_right_numbers_in_other_columns_keep_the_point_of_the_angles():
    assert holds("positional_encoding", waves(even=np.cos, odd=np.sin)) == [True, False, False]


def test_a_slip_in_one_half_of_the_block_leaves_the_points_of_the_other():
    half = block(think=lambda X, w: 0 * X)
    assert holds("encoder_block", half) == [True, True, False, False, False]
    deaf = block(look=lambda X, w, heads: 0 * X)
    assert holds("encoder_block", deaf) == [False, False, True, False, False]


def test_forgotten_tables_leave_the_points_of_blocks_and_scores():
    count = sums(tables=lambda n, d, context: n * d)
    assert holds("transformer_parameters", count) == [False, True, True, False]


def test_writing_into_the_scores_costs_one_point():
    assert holds("causal_weights", into_the_scores) == [True, True, False]


def test_whoever_cuts_by_p_wrongly_has_temperature_and_k():
    below = keeping(enough=lambda so_far, share, p: so_far + share > p + 1e-9)
    assert holds("next_probabilities", below)[:3] == [True, True, False]
    assert len(NEXT_PROBABILITIES) > 10


def test_whoever_judges_a_row_by_its_own_token_still_takes_the_mean_rightly():
    own = hesitating(lambda T: [(t, t) for t in range(T)])
    assert holds("perplexity", own) == [True, False, False]


def test_a_cache_that_does_not_hold_the_token_itself_keeps_the_point_of_what_is_kept():
    def cached_step(x, K, V, W_Q, W_K, W_V):
        k, v = W_K @ x, W_V @ x
        if not len(K):
            return 0 * k, k, v
        return right("cached_step")(x, K[:-1], V[:-1], W_Q, W_K, W_V)[0], k, v

    assert holds("cached_step", cached_step) == [True, False, False, False]


def test_whoever_returns_z_alone_is_asked_what_the_next_step_wants_by_each_claim_on_numbers():
    said = EXERCISES["cached_step"].judge(lambda *given: right("cached_step")(*given)[0], seed=0)
    assert [verdict.message for verdict in said[:3]] == [ALONE] * 3


# --- what is asked is true of the answer -----------------------------------------------------


def asked_of(name, answer):
    return " ".join(verdict.message for verdict in EXERCISES[name].judge(answer, 1957))


def test_whoever_has_no_table_for_the_scores_is_not_told_of_one():
    never = sums(head=lambda n, d, tied: 0)
    assert "what do they need" in asked_of("transformer_parameters", never)
    assert "where they are tied" not in asked_of("transformer_parameters", never)
    neither = sums(bias=0, head=lambda n, d, tied: 0)
    assert "where they are tied" not in asked_of("transformer_parameters", neither)


def test_whoever_forgets_the_last_norm_is_not_asked_for_those_of_the_blocks():
    assert "two a block" not in asked_of("transformer_parameters", sums(last=0))


def test_argmax_is_not_spoken_of_where_one_is_left_for_another_reason():
    steep_only = keeping(heat=lambda x, tau: probabilities(np.float32(x), tau))
    assert not holds("next_probabilities", steep_only)[0]
    assert "argmax" not in asked_of("next_probabilities", steep_only)
