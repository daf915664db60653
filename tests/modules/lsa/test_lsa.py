"""The singular value decomposition and what stands on it, against NumPy, SciPy and others."""

import subprocess
import sys

import numpy as np
import pytest
from gensim.models import LsiModel
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import coo_array, csc_array, csr_array, csr_matrix
from scipy.sparse.linalg import svds
from sklearn.decomposition import TruncatedSVD

from firth.lsa import lsa
from firth.lsa.lsa import error, fold_in, lost_energy, low_rank, signs, svd
from firth.lsa.similarity import cosine_table

tables = arrays(
    float, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.integers(-9, 9).map(float)
)


@pytest.fixture
def sketched(monkeypatch):
    """Every table counts as large, so that svd takes the way of the sketch."""
    monkeypatch.setattr(lsa, "SMALL", 0)


def with_spectrum(s, n, m, seed=0):
    """A dense table whose singular values are s, and nothing besides."""
    rng = np.random.default_rng(seed)
    U = np.linalg.qr(rng.normal(size=(n, len(s))))[0]
    V = np.linalg.qr(rng.normal(size=(m, len(s))))[0]
    return (U * s) @ V.T


def assert_orthonormal(U, s, Vt, atol):
    k = len(s)
    np.testing.assert_allclose(U.T @ U, np.eye(k), atol=atol)
    np.testing.assert_allclose(Vt @ Vt.T, np.eye(k), atol=atol)
    assert (np.diff(s) <= 0).all() and (s >= 0).all()


@given(tables, st.data())
def test_a_small_table_is_decomposed_as_numpy_does_it(X, data):
    k = data.draw(st.integers(1, min(X.shape)))
    U, s, Vt = svd(X, k)
    assert_orthonormal(U, s, Vt, atol=1e-9)
    np.testing.assert_allclose(s, np.linalg.svd(X, compute_uv=False)[:k], atol=1e-9)
    np.testing.assert_allclose(X @ Vt.T, U * s, atol=1e-9)


@given(tables, st.data())
def test_eckart_and_young_say_exactly_how_far_the_picture_is_off(X, data):
    k = data.draw(st.integers(1, min(X.shape)))
    U, s, Vt = svd(X, k)
    every = np.linalg.svd(X, compute_uv=False)
    assert np.linalg.norm(X - low_rank(U, s, Vt)) == pytest.approx(error(every, k), abs=1e-9)
    assert lost_energy(X, Vt) * (X**2).sum() == pytest.approx(error(every, k) ** 2, abs=1e-9)


@given(tables, st.data())
def test_no_other_picture_of_the_same_rank_comes_nearer(X, data):
    k = data.draw(st.integers(1, min(X.shape)))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    U, s, Vt = svd(X, k)
    best = np.linalg.norm(X - low_rank(U, s, Vt))
    for size in (1e-3, 0.1, 10):
        moved = (U + size * rng.normal(size=U.shape)) * s
        assert np.linalg.norm(X - moved @ Vt) >= best - 1e-9
        other = np.linalg.qr((Vt + size * rng.normal(size=Vt.shape)).T)[0]
        assert np.linalg.norm(X - X @ other @ other.T) >= best - 1e-9


@given(tables)
def test_folding_in_a_training_column_gives_its_own_coordinates(X):
    U, s, Vt = svd(X, min(X.shape))
    real = s > 1e-9 * max(s[0], 1)
    U, s, Vt = U[:, real], s[real], Vt[real]
    np.testing.assert_allclose(fold_in(X.T, U, s), Vt.T, atol=1e-6)
    for column, row in zip(X.T, Vt.T, strict=True):
        if column.any():
            np.testing.assert_allclose(fold_in(column, U, s), row, atol=1e-6)


def test_queries_fold_in_one_at_a_time_stacked_or_sparse():
    X = np.random.default_rng(0).poisson(1.0, (9, 7)).astype(float)
    U, s, _ = svd(X, 3)
    Q = np.random.default_rng(1).poisson(1.0, (4, 9))
    Q[2] = 0
    stacked = fold_in(Q, U, s)
    np.testing.assert_allclose(stacked[3], fold_in(Q[3], U, s))
    np.testing.assert_allclose(fold_in(csr_array(Q), U, s), stacked)
    assert stacked[2].tolist() == [0, 0, 0]


def test_folding_in_leaves_a_direction_without_weight_at_0():
    U, s, _ = svd(np.array([[1.0, 1.0], [1.0, 1.0]]), 2)
    assert fold_in(np.array([1.0, 0.0]), U, s * (s > 1e-9))[1] == 0


@given(tables)
def test_the_largest_entry_of_each_direction_is_positive(X):
    U, _, _ = svd(X, min(X.shape))
    size = abs(U)
    leading = [column[big >= 0.999 * big.max()][0] for column, big in zip(U.T, size.T, strict=True)]
    assert min(leading) > 0


def test_turning_the_table_round_turns_the_directions_not_the_picture(sketched):
    X = with_spectrum(np.array([5.0, 3.0, 1.0]), 40, 30)
    for table in (X, X.T):
        there, back = svd(table, 2), svd(-table, 2)
        np.testing.assert_allclose(low_rank(*there), -low_rank(*back), atol=1e-5)
        np.testing.assert_allclose(there[0], back[0], atol=1e-5)


@pytest.mark.parametrize("shape", [(120, 90), (90, 120), (200, 12), (12, 200), (300, 1), (1, 300)])
def test_the_sketch_finds_what_numpy_finds_whatever_the_shape(sketched, shape):
    s = 0.8 ** np.arange(min(shape))
    X = with_spectrum(s, *shape)
    k = min(5, *shape)
    U, found, Vt = svd(X, k)
    assert U.shape == (shape[0], k) and Vt.shape == (k, shape[1]) and U.dtype == np.float32
    assert_orthonormal(U, found, Vt, atol=1e-5)
    np.testing.assert_allclose(found, s[:k], rtol=1e-5)
    assert np.linalg.norm(X - low_rank(U, found, Vt)) == pytest.approx(
        error(s, k), rel=1e-4, abs=1e-5
    )


@pytest.mark.parametrize("last", [1e-2, 1e-3, 1e-4, 1e-5])
def test_the_sketch_is_right_however_steeply_singular_values_fall(sketched, last):
    s = last ** (np.arange(120) / 30)  # `last` is the thirtieth, as a share of the first
    X = with_spectrum(s, 200, 150)
    U, found, Vt = svd(X, 30)
    assert_orthonormal(U, found, Vt, atol=1e-5)
    np.testing.assert_allclose(found, s[:30], rtol=1e-3)
    assert np.linalg.norm(X - low_rank(U, found, Vt)) <= 1.1 * error(s, 30) + 1e-6


@pytest.mark.parametrize("rank", [0, 1, 3])
def test_a_table_of_lower_rank_has_zeros_in_s_and_still_orthonormal_directions(sketched, rank):
    X = with_spectrum(np.arange(rank, 0.0, -1), 60, 50)
    U, s, Vt = svd(X, 8)
    assert (s[rank:] == 0).all()
    assert_orthonormal(U, s, Vt, atol=1e-5)
    np.testing.assert_allclose(low_rank(U, s, Vt), X, atol=1e-5)


@settings(max_examples=30)
@given(st.integers(1, 30), st.integers(1, 30), st.floats(0, 1), st.integers(0, 99))
def test_the_sketch_agrees_with_numpy_on_sparse_tables(n, m, density, seed):
    rng = np.random.default_rng(seed)
    X = csr_array(rng.random((n, m)) * (rng.random((n, m)) < density))
    k = max(1, min(n, m) // 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lsa, "SMALL", 0)
        U, s, Vt = svd(X, k)
    assert_orthonormal(U, s, Vt, atol=1e-4)
    np.testing.assert_allclose(s, np.linalg.svd(X.toarray())[1][:k], atol=1e-4)


@pytest.mark.parametrize("scale", [1e-30, 1e-12, 1e12, 1e30])
def test_the_size_of_the_numbers_does_not_matter(sketched, scale):
    X = with_spectrum(0.5 ** np.arange(20), 50, 40)
    np.testing.assert_allclose(svd(scale * X, 3)[1], scale * svd(X, 3)[1], rtol=1e-5)


@pytest.mark.parametrize("small", [0, lsa.SMALL])
@pytest.mark.parametrize("layout", [csr_array, csc_array, coo_array, csr_matrix, np.asarray])
def test_dense_sparse_and_whole_number_tables_give_the_same(monkeypatch, layout, small):
    monkeypatch.setattr(lsa, "SMALL", small)
    X = np.random.default_rng(0).poisson(0.5, (40, 30))
    for theirs, ours in zip(svd(X.astype(float), 4), svd(layout(X), 4), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-4)


def test_the_same_seed_gives_the_same_bytes_and_another_seed_nearly_the_same(sketched):
    X = with_spectrum(0.7 ** np.arange(40), 80, 60)
    once, again, other = svd(X, 4), svd(X, 4), svd(X, 4, seed=1)
    for a, b, c in zip(once, again, other, strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_allclose(a, c, atol=1e-4)


@pytest.fixture(scope="module")
def corpus():
    """A table too large for the exact way, with a slow fall of singular values like a text's."""
    rng = np.random.default_rng(0)
    topics = rng.gamma(0.1, size=(1500, 30)) / np.arange(1, 1501)[:, None] ** 0.8
    X = csr_array(np.log1p(rng.poisson(60 * topics @ rng.dirichlet(np.full(30, 0.1), 1200).T)))
    assert np.prod(X.shape) > lsa.SMALL
    return X


def test_a_large_table_loses_next_to_nothing_of_the_best_pictures_energy(corpus):
    U, s, Vt = svd(corpus, 30)
    best = svds(corpus, 30, tol=0, random_state=0)[1]
    assert_orthonormal(U, s, Vt, atol=1e-5)
    assert 1 - (s.astype(float) ** 2).sum() / (best**2).sum() <= 5e-3
    assert 1 - lost_energy(corpus, Vt) == pytest.approx(
        (s.astype(float) ** 2).sum() / corpus.power(2).sum(), rel=1e-5
    )


def test_where_singular_values_hardly_fall_the_sketch_still_loses_no_more_than_sklearn(sketched):
    s = np.arange(1, 401) ** -0.4
    X = with_spectrum(s, 500, 400)
    theirs = TruncatedSVD(30, random_state=0).fit(X).components_
    best, ours = error(s, 30) ** 2 / (s**2).sum(), lost_energy(X, svd(X, 30)[2])
    assert best < ours < lost_energy(X, theirs)
    assert ours - best < 0.01


def test_documents_lie_as_sklearn_puts_them(corpus):
    _, s, Vt = svd(corpus, 10)
    theirs = TruncatedSVD(10, n_iter=10, random_state=0).fit_transform(csr_matrix(corpus.T))
    ours = (Vt * s[:, None]).T
    np.testing.assert_allclose(abs((ours * theirs).sum(0)), (theirs**2).sum(0), rtol=2e-2)
    some = slice(0, 60)
    apart = cosine_table(ours[some], ours[some]) - cosine_table(theirs[some], theirs[some])
    assert abs(apart).max() < 0.05


def test_singular_values_are_those_of_gensim(corpus):
    columns = csr_matrix(corpus).tocsc()
    name = {i: str(i) for i in range(corpus.shape[0])}
    lsi = LsiModel(columns, id2word=name, num_topics=10, power_iters=6, random_seed=0)
    np.testing.assert_allclose(svd(corpus, 10)[1], lsi.projection.s[:10], rtol=1e-2)


def test_nothing_is_lost_of_a_table_without_energy():
    assert lost_energy(np.zeros((3, 2)), np.eye(2)) == 0


@given(tables)
def test_lost_energy_is_a_share(X):
    assert 0 <= lost_energy(X, svd(X, 1)[2]) <= 1
    assert lost_energy(csr_array(X), svd(X, 1)[2]) == pytest.approx(lost_energy(X, svd(X, 1)[2]))


@pytest.mark.parametrize("k", [-1, 0, 4])
def test_a_rank_that_the_table_cannot_have_is_refused(k):
    with pytest.raises(ValueError, match=f"1 to 3 directions, not {k}: change k"):
        svd(np.ones((5, 3)), k)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_an_empty_table_is_refused(shape):
    with pytest.raises(ValueError, match="needs a table with rows and columns"):
        svd(np.ones(shape), 1)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("layout", [csr_array, np.asarray])
def test_a_table_with_numbers_that_are_none_is_refused(layout, wrong):
    X = np.eye(3)
    X[1, 1] = wrong
    with pytest.raises(ValueError, match="NaN or infinity"):
        svd(layout(X), 1)


def test_a_query_of_unknown_words_says_what_to_do():
    U, s, _ = svd(np.eye(3), 2)
    with pytest.raises(ValueError, match="No word of the query is in the vocabulary"):
        fold_in(np.zeros(3), U, s)


def test_a_negative_rank_has_no_error():
    with pytest.raises(ValueError, match="0 or more, not -1"):
        error(np.array([1.0]), -1)


def test_importing_the_chapter_loads_no_scipy_and_costs_little():
    """The goal is 0.15 s; beside other work a processor has needed half as much again."""
    script = """
import sys, time
start = time.process_time()
import firth.lsa.lsa
print(time.process_time() - start, any(name.split(".")[0] == "scipy" for name in sys.modules))
"""
    cost, with_scipy = [], set()
    for _ in range(5):
        run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        seconds, scipy = run.stdout.split()
        cost.append(float(seconds))
        with_scipy.add(scipy)
    assert with_scipy == {"False"}
    assert min(cost) < 0.22


def test_rounding_does_not_decide_the_sign_of_a_direction():
    directions = np.array([[0.7, -0.7], [-0.7, 0.7]])
    assert signs(directions).tolist() == [1, -1]
    for nudge in (1 - 1e-6, 1 + 1e-6):
        assert signs(directions * [[1], [nudge]]).tolist() == [1, -1]
