"""The view of near and far: what is kept, what it misses, and what either part alone would."""

import js
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from traitlets import TraitError

from firth.bert import minilm
from firth.linear_attention.band_plus_low_rank import band, error, mended
from firth.linear_attention.far_field import inverse
from firth.store.results import stored_result
from firth.widgets.linear_attention.near_far import LinearAttentionFmm, inside
from firth.widgets.scripts import HERE, esm

STORED = stored_result("linear_attention/far_field")
NAMES = [matrix["name"] for matrix in STORED["matrices"]]


def shown(**choices):
    return LinearAttentionFmm(**choices).answer()


@given(st.integers(2, 14), st.integers(0, 99))
@settings(max_examples=30, deadline=None)
def test_javascripts_singular_values_are_lapacks_and_its_vectors_stand_at_right_angles(n, seed):
    A = np.random.default_rng(seed).normal(size=(n, n))
    A[:, 0] = A[:, -1]  # one direction short
    found = js.call(esm(HERE / "svd.js"), "svd", A.tolist())
    U, s, Vt = (np.array(found[name]) for name in ("U", "s", "Vt"))
    np.testing.assert_allclose(s, np.linalg.svd(A, compute_uv=False), atol=1e-12)
    np.testing.assert_allclose(U * s @ Vt, A, atol=1e-12)
    np.testing.assert_allclose(Vt @ Vt.T, np.eye(n), atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("made", ["rest", "whole"])
def test_the_blend_misses_no_more_than_either_of_its_parts_alone(name, made):
    for k, r in [(0, 0), (0, 3), (2, 4), (12, 20)]:
        view = LinearAttentionFmm(name=name, k=k, r=r, made=made)
        answer, A = view.answer(), view.matrix()
        D, L = np.triu(np.tril(A, k), -k), np.array(answer["L"])
        parts = np.stack([D.ravel(), L.ravel()], axis=1)
        for only in ([0], [1]):
            w, *_ = np.linalg.lstsq(parts[:, only], A.ravel(), rcond=None)
            alone = np.linalg.norm(A.ravel() - parts[:, only] @ w) / np.linalg.norm(A)
            assert answer["error"] <= 100 * alone + 1e-9
        assert min(answer["w1"], answer["w2"]) >= 0


def test_rivals_are_given_no_more_numbers_and_could_not_take_one_step_more():
    for k, r in [(0, 0), (1, 2), (5, 9)]:
        answer = shown(k=k, r=r)
        n, numbers = answer["n"], answer["near"] + answer["far"]
        wide, rank = (answer["rivals"][name]["size"] for name in ("band", "rank"))
        assert inside(n, wide) <= numbers < inside(n, wide + 1)
        assert 2 * n * rank <= numbers < 2 * n * (rank + 1)
        assert answer["share"] == pytest.approx(100 * numbers / n**2)


def test_a_head_that_looks_one_back_or_at_the_first_needs_both_parts_and_noise_neither():
    answer = shown(name="one back", k=1, r=2)
    assert answer["error"] < 0.4 * min(answer["rivals"][a]["error"] for a in ("band", "rank"))
    noise = shown(name="noise", k=1, r=2)
    assert noise["error"] > 60 and abs(noise["error"] - noise["rivals"]["rank"]["error"]) < 10


def test_a_band_cut_out_of_forces_leaves_a_step_that_no_few_directions_can_follow():
    answer = shown(name="forces", k=2, r=5)
    assert answer["left"][1] < 0.5 * answer["left"][0]
    assert abs(answer["error"] - answer["rivals"]["band"]["error"]) < 3  # no better than more band
    view = LinearAttentionFmm(name="forces")
    A, L = view.matrix(), mended(view.matrix(), k=2, r=5)
    assert error(A, L + band(A - L, 2)) < 0.1 < 0.18 < answer["error"] / 100


def test_a_far_field_made_of_all_of_the_matrix_cannot_beat_one_made_of_what_is_left():
    rest, whole = (shown(name="one back", k=1, r=2, made=made) for made in ("rest", "whole"))
    assert rest["error"] < 0.7 * whole["error"]
    assert rest["w1"] == pytest.approx(1, abs=0.05) and 0.5 < whole["w1"] < 0.95


def test_what_is_stored_are_the_models_heads_the_forces_and_rows_that_sum_to_one():
    pieces, _, A = minilm.layers(STORED["text"])
    matrices = {m["name"]: np.array(m["rows"]) / 1e4 for m in STORED["matrices"]}
    assert pieces == STORED["pieces"] and len(pieces) == 46
    for name, (block, head) in {"one back": (3, 12), "near": (1, 6), "far": (6, 9)}.items():
        np.testing.assert_allclose(matrices[name], A[block - 1, head - 1], atol=1e-4)
    x = np.arange(46) + np.random.default_rng(0).uniform(-0.3, 0.3, 46)
    forces = inverse(x, x) / inverse(x, x).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(matrices["forces"], forces, atol=1e-4)
    for rows in matrices.values():
        np.testing.assert_allclose(rows.sum(axis=1), 1, atol=46e-4)


def test_the_fallback_is_a_table_of_what_is_kept_and_missed():
    text = LinearAttentionFmm(name="forces", k=2, r=3).fallback()
    assert "1/r between 46 particles in a row" in text and "band 2 and rank 3" in text


def test_a_change_is_heard_as_one_sentence():
    view = LinearAttentionFmm()
    heard = js.call(view._esm, "spoken", view.answer(), view.state())
    assert heard.startswith("A band of 1 and rank 2 miss 18.") and heard.count("misses") == 2


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        ({"k": 13}, "k lies between 0 and 12 here, not 13"),
        ({"r": -1}, "r lies between 0 and 20 here, not -1"),
        ({"name": "salt"}, "This view has the matrices forces, one back"),
        ({"made": "half"}, "made of one of rest, whole"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(choices, says):
    with pytest.raises(TraitError, match=says) as refused:
        LinearAttentionFmm(**choices)
    assert "\n" not in str(refused.value)
