"""What exercise 7 takes for right is right: compared with the package, PyTorch and SciPy."""

import numpy as np
import pytest
import torch
from answers import EXERCISES, RIGHT, holds, right
from learners.linear_attention import by_the_mask, by_the_triangle, quadratic, rows_of_all_scores
from scipy.optimize import nnls

from firth.checks.answers import Answer, Stopped
from firth.checks.linear_attention.claims import COUNTED, length_beyond, most_held
from firth.checks.linear_attention.feature_map import feature_map
from firth.grading.wire import LONGEST
from firth.linear_attention.banded_attention import banded_attention
from firth.linear_attention.linear_attention import causal_chunks, elu_features, linear_attention

rng = np.random.default_rng(0)


def drawn(*sizes):
    return [torch.tensor(rng.normal(size=size)) for size in sizes]


def featured(n=9, R=4, k=3):
    """Q, K and V of tensors, and the features of the first two."""
    Q, K, V = drawn((n, R), (n, R), (n, k))
    return (Q, K, V), (elu_features(Q).numpy(), elu_features(K).numpy(), V.numpy())


@pytest.mark.parametrize("form", (feature_map, *feature_map.forms), ids=lambda form: form.form)
def test_the_maps_are_those_of_torch_and_above_0(form):
    X = np.append(3 * rng.normal(size=50), [0.0, 900.0])
    theirs = {
        "elu + 1": torch.nn.functional.elu(torch.tensor(X)) + 1,
        "softplus": torch.nn.functional.softplus(torch.tensor(X)),
        "relu + 0.01": torch.tensor(X).relu() + 0.01,
    }[form.form]
    assert np.allclose(form.right(X), theirs) and (form.right(X) > 0).all()


def test_L2_the_order_of_multiplication_is_the_packages():
    tensors, arrays = featured()
    for answer in (right("linear_attention"), RIGHT["linear_attention"]):
        assert np.allclose(answer(*arrays), linear_attention(*tensors))


def test_L4_a_state_and_chunks_are_the_packages_causal_form():
    tensors, (Q, K, V) = featured()
    theirs = causal_chunks(*tensors)
    for answer in (right("linear_rnn"), RIGHT["linear_rnn"]):
        assert np.allclose(answer(Q, K, V), theirs)
    for answer in (right("chunk"), RIGHT["chunk"]):
        before = slice(0, 4)
        S, z = K[before].T @ V[before], K[before].sum(axis=0)
        assert np.allclose(answer(Q[4:], K[4:], V[4:], S, z), theirs[4:])


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("w", [0, 2, 30])
def test_L5_a_band_of_either_form_is_the_packages(causal, w):
    Q, K, V = drawn((9, 4), (9, 4), (9, 3))
    asked = EXERCISES["banded_attention"]
    answer = {form.form: form.right for form in (asked, *asked.forms)}[
        "w before" if causal else "w on either side"
    ]
    theirs = banded_attention(Q, K, V, w, causal)
    assert np.allclose(answer(Q.numpy(), K.numpy(), V.numpy(), w), theirs)


def test_L8_the_estimate_and_its_variance_are_those_of_the_pair_of_features():
    from firth.linear_attention.random_features import (
        frequencies,
        gaussian_kernel,
        paired_features,
        paired_variance,
    )

    x, y, R = np.array([[0.4, -0.3]]), np.array([[-0.2, 0.5]]), 4000
    W = frequencies(R, 2, np.random.default_rng(1))
    (mean,), (variance,) = RIGHT["kernel_estimate"](x, y, W)
    assert np.isclose(mean, (paired_features(x, W) @ paired_features(y, W).T).item())
    k = gaussian_kernel(x, y)
    assert abs(mean - k.item()) < 4 * variance**0.5
    assert np.isclose(variance, paired_variance(k, k**4, 2 * R).item(), rtol=0.1)


def test_L6_the_blend_is_the_least_squares_without_negative_weights():
    for _ in range(200):
        D, L = rng.gamma(1, size=(2, 4, 4))
        A = rng.normal() * D + rng.normal() * L + 0.3 * rng.normal(size=(4, 4))
        theirs = nnls(np.column_stack([D.ravel(), L.ravel()]), A.ravel())[0]
        for answer in (right("blend"), RIGHT["blend"]):
            assert np.allclose(answer(D, L, A), theirs, atol=1e-9)


def least_squares(D, L, A):
    return nnls(np.column_stack([D.ravel(), L.ravel()]), A.ravel())[0]


def with_the_larger_alone(D, L, A):
    """Where the two say the same, all of it is left to the larger one."""
    if np.linalg.matrix_rank(np.stack([D.ravel(), L.ravel()])) < 2:
        larger = np.array([D.sum() > L.sum(), L.sum() >= D.sum()])
        D, L = D * larger[0], L * larger[1]
    return least_squares(D, L, A)


@pytest.mark.parametrize("answer", [least_squares, with_the_larger_alone])
def test_where_several_blends_are_best_any_of_them_will_do(answer):
    for seed in range(20):
        assert all(holds("blend", answer, seed))


def test_a_blend_of_nothing_gives_nothing_its_weight_and_no_other():
    D, L, A = fields = rng.gamma(1, size=(3, 4, 4))
    for answer in (right("blend"), RIGHT["blend"]):
        assert np.allclose(answer(0 * D, L, A), [0, (L * A).sum() / (L * L).sum()])
        assert not np.any(answer(*(0 * fields[:2]), A))

    def generous(D, L, A):
        return least_squares(D, L, A) + np.array([not D.any(), not L.any()])

    assert holds("blend", generous) == [True, True, False, True]


def test_the_crossover_of_two_exact_laws_is_where_they_are_equal():
    n = np.array([2.0, 5.0, 11.0, 30.0])
    for answer in (right("crossover"), RIGHT["crossover"]):
        assert np.isclose(answer(n, 3 * n**2, n[:3], 600 * n[:3]), 200)


# --- the claim about memory ------------------------------------------------------------------

TABLES = [
    ("linear_attention", quadratic),
    ("linear_rnn", by_the_triangle),
    ("banded_attention", by_the_mask()),
]


@pytest.mark.parametrize("name, answer", TABLES, ids=[name for name, _ in TABLES])
def test_a_table_of_all_pairs_costs_one_point_and_no_other(name, answer):
    found = holds(name, answer)
    assert found.count(False) == 1 and not found[-2]


def test_scores_of_a_whole_row_cost_one_point_and_are_asked_about_the_far():
    verdicts = EXERCISES["banded_attention"].judge(rows_of_all_scores, 1957)
    assert [v.holds for v in verdicts] == [True, True, True, False, True]
    assert "What is 0 times ∞" in verdicts[-2].message


class Far(Answer):
    """As a grader has it: in another process, which may take so much memory and no more."""

    open = False

    def __init__(self, function, memory, size):
        super().__init__(function)
        self.memory, self.size = memory, size  # MB, and bytes of a number

    def __call__(self, *inputs):
        table = len(inputs[0]) ** 2 * self.size
        if table > self.memory << 20 and self.function in [answer for _, answer in TABLES]:
            raise Stopped("MemoryError", "MemoryError: Unable to allocate 1.07 GiB for an array")
        return super().__call__(*inputs)


# A table of numbers of 4 bytes, and one that may take as much as the teacher allows.
@pytest.mark.parametrize("memory, size", [(1024, 8), (1024, 4), (1536, 4)])
@pytest.mark.parametrize("name, answer", TABLES, ids=[name for name, _ in TABLES])
def test_where_memory_cannot_be_counted_the_table_does_not_fit(name, answer, memory, size):
    verdicts = EXERCISES[name].judge(Far(answer, memory, size), 1957)
    assert [v.holds for v in verdicts].count(False) == 1
    assert verdicts[-2].message.startswith("MemoryError For a long text you hold a table")
    if size == 8:
        assert all(v.holds for v in EXERCISES[name].judge(Far(RIGHT[name], memory, size), 1957))


def test_the_length_grows_with_the_memory_and_fits_into_a_message():
    assert length_beyond(4096) == 2 * length_beyond(1024)
    assert length_beyond(16 << 10) * 8 * 8 * 4 / 3 < LONGEST


def test_what_is_held_is_counted_to_the_array():
    def doubled(x):
        return (np.ones((COUNTED, COUNTED)) @ x) * 2

    answer, held = most_held(Answer(doubled), (np.ones(COUNTED),))
    assert np.allclose(answer, 2 * COUNTED)
    assert COUNTED**2 * 8 <= held < COUNTED**2 * 8 + 100_000


def test_who_is_wrong_and_large_waits_for_the_numbers_first():
    def wrong(Q, K, V):
        return quadratic(Q, K, V) + 1

    assert "not yet right" in EXERCISES["linear_attention"].judge(wrong, 1)[2].message
