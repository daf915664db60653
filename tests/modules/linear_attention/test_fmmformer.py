"""Near and far blended: against the dense matrices, a loop, and what either part is alone."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from benchmarks import bench_linear_attention_blend
from experiments.linear_attention import copy_task as runs
from firth.linear_attention import head_approximation
from firth.linear_attention.band_plus_low_rank import band, error, low_rank, mended, weights
from firth.linear_attention.banded_attention import band_mask
from firth.linear_attention.copy_task import copy, examined, live, shape, training
from firth.linear_attention.fmmformer import FMM, KINDS, Mixing, reader
from firth.store.results import stored_result
from firth.transformer import austen_gpt
from firth.transformer.gpt import GPT, Cache, Shape


def drawn(n, heads=3, d=8, seed=0):
    return torch.randn(3, 2, heads, n, d, generator=torch.Generator().manual_seed(seed))


def dense(Q, K, blend, causal):
    """(w₁D + w₂L), as n × n matrices."""
    n = Q.shape[-2]
    seen = band_mask(n, blend.band, causal)
    D = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(~seen, -torch.inf).softmax(-1)
    L = blend.phi(Q) @ blend.phi(K).mT
    L = L.tril() if causal else L
    w1, w2 = blend.w[..., None, None]
    return w1 * D + w2 * L / L.sum(-1, keepdim=True)


@given(st.integers(1, 70), st.integers(0, 80), st.integers(1, 3), st.booleans())
@settings(max_examples=25, deadline=None)
def test_the_blend_is_that_of_the_dense_matrices_whatever_the_band(n, width, maps, causal):
    Q, K, V = drawn(n)
    blend = FMM(3, width, maps)
    nn.init.normal_(blend.raw)
    expected = dense(Q, K, blend, causal) @ V
    torch.testing.assert_close(blend(Q, K, V, causal), expected, atol=1e-5, rtol=1e-4)


def test_gradients_are_those_of_the_dense_form_and_reach_the_weights():
    Q, K, V = drawn(40)
    found = []
    for way in (lambda b: b(Q, K, V, True), lambda b: dense(Q, K, b, True) @ V):
        blend = FMM(3, 5)
        way(blend).square().sum().backward()
        found.append(blend.raw.grad)
    torch.testing.assert_close(*found, atol=1e-3, rtol=1e-3)
    assert (found[0].abs() > 0).all()


def test_rows_sum_to_both_weights_and_the_weights_stay_above_zero():
    Q, K, V = drawn(30)
    blend = FMM(3, 4)
    with torch.no_grad():
        blend.raw -= 9
    Y = blend(Q, K, torch.ones_like(V))
    torch.testing.assert_close(Y[0, :, 0, 0], blend.w.sum(0))
    assert (blend.w > 0).all()


def test_l5_the_near_field_alone_is_a_band_and_a_band_over_all_is_softmax():
    Q, K, V = drawn(50)
    blend = FMM(3, 50)
    with torch.no_grad():
        blend.raw[1] = -99  # w₂ = 0
        blend.raw[0] = 20.0
    softmax = nn.functional.scaled_dot_product_attention(Q, K, V)
    torch.testing.assert_close(blend(Q, K, V) / 20, softmax, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("position", ["learned", "rotary"])
def test_no_kind_sees_what_comes_later_and_all_start_from_the_same_weights(kind, position):
    form = Shape(n=11, d=16, blocks=2, heads=2, inner=32, context=70, position=position)
    net = reader(form, kind, band=7, maps=2)
    ids = torch.randint(11, (2, 70), generator=torch.Generator().manual_seed(1))
    other = ids.clone()
    other[:, 50:] = 0
    torch.testing.assert_close(net(ids)[:, :50], net(other)[:, :50])
    plain = reader(form, "softmax")
    for name, weight in plain.named_parameters():
        assert torch.equal(weight, net.get_parameter(name))


@pytest.mark.parametrize("kind", KINDS)
def test_all_kinds_start_from_the_weights_of_chapter_5s_gpt(kind):
    form = Shape(n=11, d=16, blocks=2, heads=2, inner=32, context=9)
    net = reader(form, kind, seed=3)
    torch.manual_seed(3)
    for name, weight in GPT(form).named_parameters():
        assert torch.equal(weight, net.get_parameter(name))


def test_chapter_5s_block_is_what_softmax_is():
    form = Shape(n=11, d=16, blocks=1, heads=2, inner=32, context=9)
    net, ids = reader(form, "softmax"), torch.randint(11, (1, 9))
    assert torch.equal(net(ids[:, :4]), torch.cat([net(ids[:, :4], Cache())], dim=1))
    with pytest.raises(ValueError, match="Only softmax keeps all keys"):
        reader(form, "linear")(ids, Cache())


# What it can imitate


def test_l6_blend_of_fixed_matrices_beats_both_parts_and_finds_the_best_weights():
    rng = np.random.default_rng(0)
    for k, r in [(0, 1), (2, 3), (5, 0)]:
        A = rng.uniform(size=(12, 12))
        D, L = band(A, k), low_rank(A - band(A, k), r)
        w = np.array(weights(A, D, L))
        best = error(A, w[0] * D + w[1] * L)
        for step in np.eye(2) * 0.01:
            for sign in (1, -1):
                v = np.maximum(w + sign * step, 0)
                assert best <= error(A, v[0] * D + v[1] * L) + 1e-12
        C = mended(A, k, r, rounds=20)
        assert error(A, C + band(A - C, k)) <= error(A, D + L) + 1e-9


@given(st.integers(0, 999))
@settings(max_examples=40, deadline=None)
def test_two_weights_are_scipys_non_negative_least_squares(seed):
    from scipy.optimize import nnls

    rng = np.random.default_rng(seed)
    A, D, L = rng.normal(size=(3, 5, 5))
    expected, _ = nnls(np.stack([D.ravel(), L.ravel()], axis=1), A.ravel())
    np.testing.assert_allclose(weights(A, D, L), expected, atol=1e-9)


def test_L6_near_and_far_imitate_a_trained_block_better_than_either_on_texts_not_learned_from():
    Q, K, A = head_approximation.observed(n=48, texts=8, block=2)
    scores = (Q @ K.mT / Q.shape[-1] ** 0.5).softmax(-1)
    torch.testing.assert_close(scores, A, atol=1e-5, rtol=1e-4)  # these queries made these weights
    missed, learned = {}, {}
    for way in head_approximation.BANDS:
        net = head_approximation.imitated(way, Q[:4], K[:4], A[:4], budget=25, steps=60)
        missed[way] = head_approximation.missed(A[4:], net(Q[4:], K[4:])).mean().item()
        learned[way] = sum(w.numel() for w in net.parameters())
        assert 2 * max(net.band, -0.5) + 1 + 2 * net.r <= 25
    assert missed["both"] < 0.9 * min(missed["near"], missed["far"])
    assert learned["both"] < learned["far"]


def test_L6_stored_over_all_blocks_the_blend_misses_least_and_where_it_does_not_is_known():
    stored = stored_result("linear_attention/head_approximation")["imitations"]
    held = {way: np.array([r["held"] for r in stored["rows"] if r["way"] == way])
            for way in head_approximation.BANDS}  # fmt: skip
    assert all(of.shape == (6, 12) for of in held.values())
    assert held["both"].mean() < 0.9 * min(held["near"].mean(), held["far"].mean())
    wins = (held["both"] < np.minimum(held["near"], held["far"])).mean()
    assert 0.3 < wins < 1  # not everywhere: the page says where


# What it learns


def test_a_text_is_said_twice_and_asked_for_once():
    ids, asked = copy(B=5, n=7, S=3, chance=torch.Generator().manual_seed(0))
    assert ids.shape == asked.shape == (5, 16) and ids.max() <= 3
    said = ids[:, 1:8]
    torch.testing.assert_close(ids[:, 1:][asked[:, :-1]].view(5, 7), said)
    assert (ids[:, [0, 8]] == 0).all() and (said > 0).all()


def test_texts_to_learn_from_never_come_again_and_are_the_same_for_all():
    def losses(seed):
        net = reader(shape(n=4, S=5, d=8, heads=2), "softmax", seed=0)
        return [J for J, _ in training(net, n=4, S=5, steps=6, rate=0.0, seed=seed)]

    assert len(set(losses(0))) == 6 and losses(0) == losses(0) and losses(0) != losses(1)


def test_who_has_learned_nothing_is_right_by_chance():
    J, right = examined(reader(shape(8, 10), "linear"), 8, 10)
    assert J == pytest.approx(np.log(10), abs=0.3) and right < 0.25


@pytest.fixture(scope="module")
def short():
    torch.manual_seed(0)
    return live(steps=250)


@pytest.mark.night
def test_softmax_repeats_exactly_and_soon_and_linear_attention_does_not(short):
    J, right = (
        {kind: curve[-1][1] for kind, curve in short.items()},
        {kind: curve[-1][2] for kind, curve in short.items()},
    )
    assert right["softmax"] > 0.95
    assert 0.12 < right["linear"] < 0.8 and J["linear"] > 1  # better than chance, and not exact


@pytest.mark.night
def test_a_band_never_repeats_what_it_cannot_reach(short):
    assert abs(short["band"][-1][1] - np.log(16)) < 0.1 and short["band"][-1][2] < 0.12


def test_stored_runs_say_what_fails_and_what_does_not():
    rows = runs.stored()
    assert {(r["task"], r["kind"], r["seed"]) for r in rows} >= {
        (task, kind, 0) for task in runs.RUNS for kind in KINDS
    }
    end = {(r["task"], r["kind"]): r["curve"][-1] for r in rows if r["seed"] == 0}
    assert end["copy", "softmax"][3] > 0.99 > 0.95 > end["copy", "linear"][3] > 0.2
    assert end["copy", "band"][3] < 0.1
    assert all(r["curve"][0][2] > r["curve"][-1][2] for r in rows if r["kind"] != "band")


def test_a_reduced_run_of_each_task_gives_steps_seconds_and_what_they_are_worth():
    rows = [*runs.copying("fmm", 0, runs.COPY | {"n": 4, "steps": 10, "B": 2})]
    assert [row[0] for row in rows] == [*range(1, 11)] and len(rows[0][2]) == 2
    few = runs.TEXT | {"context": 16, "steps": 10, "B": 2, "held": 200}
    rows = [*runs.reading("linear", 0, few)]
    assert rows[-1][2][0] < np.log(len(austen_gpt.ALPHABET)) + 0.2
    assert [row[1] for row in rows] == sorted(row[1] for row in rows)


def test_the_blend_is_faster_than_fused_softmax_already_at_4096():
    (row,) = bench_linear_attention_blend.rows(**bench_linear_attention_blend.SMALL)
    assert row.holds, row.ratio


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (lambda: FMM(2, -1), "a half-width of 0 or more"),
        (lambda: FMM(2, 3)(*drawn(4)), "3 heads came to a blend of 2"),
        (lambda: Mixing(shape(4, 4), "fast", 3), "one of softmax, linear, band, fmm, not 'fast'"),
        (lambda: shape(0, 4), "0 signs to say again, of 4"),
        (lambda: live(steps=3), "10 steps or more, not 3"),
        (lambda: head_approximation.sizes("all", 33), "one of near, far, both, not 'all'"),
        (lambda: head_approximation.sizes("both", 4), "too few for a band and a rank"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(asked, says):
    with pytest.raises(ValueError, match=says) as refused:
        asked()
    assert "\n" not in str(refused.value)
