"""Counting and weighting, against slow loops, gensim and scikit-learn."""

import math
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from gensim.models import LogEntropyModel, TfidfModel
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import coo_array, csc_matrix, csr_array
from sklearn.feature_extraction.text import TfidfTransformer

from firth.lsa.counts import (
    cooccurrence,
    log_entropy,
    ppmi,
    term_document,
    tf_idf,
    vocabulary,
    windows,
    word_ids,
    words,
)

V = 6
texts = st.lists(st.integers(-1, V - 1), min_size=1, max_size=30).map(np.array)
corpora = st.lists(texts, min_size=1, max_size=5)
tables = arrays(
    np.int64, st.tuples(st.integers(1, 7), st.integers(2, 7)), elements=st.integers(0, 9)
)


def gensim_lists(X):
    return [[(t, int(x)) for t, x in enumerate(column) if x] for column in X.T]


def as_table(lists, shape):
    table = np.zeros(shape)
    for column, pairs in enumerate(lists):
        for term, value in pairs:
            table[term, column] = value
    return table


def test_words_are_lower_case_and_keep_inner_apostrophes_and_digits():
    assert words("The ship's hull -- 'cold' -- glowed.") == "the ship's hull cold glowed".split()
    assert words("It’s rock'n'roll at 20:15, naïve_Zoë!") == (
        "it's rock'n'roll at 20 15 naïve zoë".split()
    )
    assert words(" \n…'") == []


@given(st.text())
def test_words_are_found_again_in_their_own_text(text):
    assert words(" ".join(words(text))) == words(text)


@given(st.lists(st.sampled_from("abcdef"), min_size=1))
def test_the_vocabulary_is_in_order_of_frequency_then_alphabet(seen):
    counted = Counter(seen)
    listed = vocabulary(seen)
    assert set(listed) == set(counted)
    assert listed == sorted(listed, key=lambda word: (-counted[word], word))
    most = max(counted.values())
    assert vocabulary(seen, most) == [word for word in listed if counted[word] == most]


@given(st.lists(st.sampled_from("abcdef"), min_size=1))
def test_ids_give_the_words_back(seen):
    listed = vocabulary(seen)
    assert [listed[i] for i in word_ids(seen, listed)] == seen
    assert word_ids(["nowhere"], listed).tolist() == [-1]


def test_the_window_around_fox_holds_two_words_on_either_side():
    sentence = words("The quick brown fox jumped over the lazy dog")
    [company] = [company for centre, company in windows(sentence, 2) if centre == "fox"]
    assert company == ["quick", "brown", "jumped", "over"]


@given(corpora, st.integers(1, 8))
def test_cooccurrence_counts_what_the_windows_show(corpus, m):
    slow = np.zeros((V, V), dtype=int)
    for text in corpus:
        for centre, company in windows(text.tolist(), m):
            for word in company:
                if centre >= 0 and word >= 0:
                    slow[centre, word] += 1
    fast = cooccurrence(corpus, V, m)
    np.testing.assert_array_equal(fast.toarray(), slow)
    np.testing.assert_array_equal(fast.toarray(), fast.T.toarray())


@given(texts, st.integers(1, 8))
def test_one_document_may_be_given_without_a_list(text, m):
    alone, listed = cooccurrence(text, V, m), cooccurrence([text], V, m)
    np.testing.assert_array_equal(alone.toarray(), listed.toarray())


def test_row_sums_of_cooccurrence_are_the_neighbours_a_word_had():
    text = np.array([0, 1, 2, 0, 1])
    assert cooccurrence(text, 3, 2).sum(axis=1).tolist() == [2 + 4 - 1, 3 + 2, 4]


@given(corpora)
def test_a_term_document_table_counts_each_document(corpus):
    X = term_document(corpus, V).toarray()
    for text, column in zip(corpus, X.T, strict=True):
        assert column.tolist() == [int((text == word).sum()) for word in range(V)]


@given(tables)
def test_tf_idf_agrees_with_gensim(X):
    lists = gensim_lists(X)
    model = TfidfModel(lists, normalize=False, wglobal=lambda df, D: math.log(D / df))
    theirs = as_table([model[pairs] for pairs in lists], X.shape)
    np.testing.assert_allclose(tf_idf(X).toarray(), theirs, atol=1e-12)


def test_tf_idf_agrees_with_sklearn_which_adds_1_to_the_logarithm():
    X = np.random.default_rng(0).poisson(0.7, (30, 20)) + np.eye(30, 20, dtype=int)
    X = X[X.sum(axis=1) > 0]
    theirs = TfidfTransformer(norm=None, smooth_idf=False).fit_transform(csr_array(X.T)).T
    np.testing.assert_allclose(tf_idf(X).toarray() + X, theirs.toarray())


@given(tables)
def test_log_entropy_agrees_with_gensim_which_divides_by_log_of_D_plus_1(X):
    lists, D = gensim_lists(X), X.shape[1]
    model = LogEntropyModel(lists, normalize=False)
    weight = {t: 1 + (w - 1) * math.log(D + 1) / math.log(D) for t, w in model.entr.items()}
    theirs = as_table([[(t, math.log(1 + x) * weight[t]) for t, x in p] for p in lists], X.shape)
    np.testing.assert_allclose(log_entropy(X).toarray(), theirs, atol=1e-12)


def test_a_word_that_all_documents_use_alike_weighs_nothing():
    X = np.array([[3, 3, 3], [9, 0, 0]])
    assert tf_idf(X).toarray()[0].tolist() == [0, 0, 0]
    assert log_entropy(X).toarray()[0].tolist() == [0, 0, 0]
    assert log_entropy(X).toarray()[1, 0] == pytest.approx(np.log(10))


@given(tables, st.floats(0.2, 20), st.floats(0.1, 1))
def test_ppmi_is_the_definition_cell_by_cell(X, shift, smoothing):
    n_w, n_c = X.sum(axis=1), X.sum(axis=0).astype(float)
    chance = np.where(n_c > 0, n_c**smoothing, 0)
    expected = np.zeros(X.shape)
    for w, c in np.argwhere(X):
        joint, alone = X[w, c] / n_w.sum(), n_w[w] / n_w.sum() * chance[c] / chance.sum()
        expected[w, c] = max(0, math.log(joint / alone) - math.log(shift))
    np.testing.assert_allclose(ppmi(X, shift, smoothing).toarray(), expected, atol=1e-12)


@given(texts, st.integers(1, 5))
def test_ppmi_of_a_cooccurrence_table_is_symmetric_without_smoothing(text, m):
    table = ppmi(cooccurrence(text, V, m)).toarray()
    np.testing.assert_allclose(table, table.T, atol=1e-12)


def test_ppmi_of_independent_words_is_nothing_at_all():
    assert ppmi(np.outer([1, 2, 3], [7, 5])).nnz == 0


@given(tables, st.floats(1.5, 20))
def test_a_larger_shift_leaves_fewer_and_smaller_cells(X, shift):
    plain, shifted = ppmi(X).toarray(), ppmi(X, shift=shift).toarray()
    np.testing.assert_allclose(shifted, np.maximum(plain - math.log(shift), 0), atol=1e-12)


def test_smoothing_makes_rare_contexts_less_telling():
    X = np.array([[50, 1], [50, 0]])
    assert ppmi(X, smoothing=0.75).toarray()[0, 1] < ppmi(X).toarray()[0, 1]


@pytest.mark.parametrize("weighting", [tf_idf, log_entropy, ppmi])
@pytest.mark.parametrize("layout", [csr_array, csc_matrix, coo_array])
def test_weightings_take_any_layout_and_leave_the_counts_alone(weighting, layout):
    counts = np.random.default_rng(1).poisson(1.0, (8, 5))
    X = layout(counts)
    weighted = weighting(X)
    np.testing.assert_array_equal(X.toarray(), counts)
    np.testing.assert_array_equal(weighted.toarray(), weighting(counts).toarray())
    assert isinstance(weighted, csr_array) and weighted.shape == X.shape


@pytest.mark.parametrize("weighting", [tf_idf, log_entropy, ppmi])
def test_cells_stored_twice_or_stored_as_0_count_for_what_they_are(weighting):
    twice = csr_array((np.array([1, 2, 0, 4]), np.array([0, 0, 1, 1]), np.array([0, 3, 4])))
    plain = weighting(np.array([[3, 0], [0, 4]])).toarray()
    np.testing.assert_array_equal(weighting(twice).toarray(), plain)
    assert twice.nnz == 4


@pytest.mark.parametrize("weighting", [tf_idf, log_entropy, ppmi])
@pytest.mark.parametrize("wrong", [-1.0, np.nan, np.inf])
def test_what_is_not_a_count_is_refused(weighting, wrong):
    with pytest.raises(ValueError, match="cannot be negative, NaN or infinite"):
        weighting(np.array([[1.0, wrong], [2.0, 3.0]]))


@pytest.mark.parametrize("weighting", [tf_idf, log_entropy])
def test_one_document_cannot_be_compared(weighting):
    with pytest.raises(ValueError, match="two or more, not 1"):
        weighting(np.array([[1], [2]]))


@pytest.mark.parametrize("wrong", [{"shift": 0.0}, {"smoothing": 0.0}, {"smoothing": 1.5}])
def test_ppmi_says_which_shift_and_smoothing_it_takes(wrong):
    with pytest.raises(ValueError, match="shift > 0 and 0 < smoothing ≤ 1"):
        ppmi(np.eye(2), **wrong)


@pytest.mark.parametrize("corpus", [[], [np.array([], dtype=int)]])
def test_an_empty_corpus_is_refused(corpus):
    for count in (lambda: cooccurrence(corpus, V, 2), lambda: term_document(corpus, V)):
        with pytest.raises(ValueError, match="corpus is empty"):
            count()
    with pytest.raises(ValueError, match="corpus is empty"):
        vocabulary([])


def test_a_vocabulary_with_nothing_frequent_enough_says_what_to_change():
    with pytest.raises(ValueError, match="No word occurs 3 times: lower min_count"):
        vocabulary(["ship", "sea"], min_count=3)


def test_ids_outside_the_vocabulary_and_empty_windows_are_refused():
    for wrong in ([0, V], [-2, 0]):
        with pytest.raises(ValueError, match="check V"):
            cooccurrence(np.array(wrong), V, 1)
    with pytest.raises(ValueError, match="choose m = 1 or more"):
        cooccurrence(np.array([0]), V, 0)


def test_what_is_not_text_gets_one_sentence_that_says_what_to_do():
    """In a process of its own: in the tests, shapes and types are checked before the function."""
    script = """
from firth.lsa.counts import *
import numpy as np
for wrong in (lambda: words(b"bytes"), lambda: words(None), lambda: vocabulary("a text"),
              lambda: word_ids("a text", ["a"]), lambda: term_document(np.array([1, 2]), 3)):
    try:
        wrong()
    except TypeError as error:
        print(error)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    said = run.stdout.splitlines()
    assert len(said) == 5
    assert "not bytes: read or decode it first" in said[0] and "not NoneType" in said[1]
    assert all("split the text with words(text) first" in line for line in said[2:4])
    assert "put a single one in a list" in said[4]


def test_three_million_words_are_counted_in_seconds_and_under_700_MB():
    script = """
import re, time
import numpy as np
from firth.lsa.counts import cooccurrence
rng = np.random.default_rng(0)
ids = (30_001 ** rng.random(3_400_000)).astype(np.int32) - 1  # Zipf's law: log-uniform ranks
start = time.process_time()
pairs = cooccurrence(ids, 30_000, 5).sum(dtype=np.int64)
seconds = time.process_time() - start
# Not ru_maxrss, which begins with what the process had that started this one.
peak = int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024
print(seconds, peak, pairs)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    seconds, megabytes, pairs = map(float, run.stdout.split())
    assert pairs == 2 * sum(3_400_000 - distance for distance in range(1, 6))
    assert megabytes < 700
    assert seconds < 10


def test_a_dict_of_indices_gives_the_ids_that_a_list_of_words_gives():
    words, vocabulary = ["b", "x", "a", "b"], ["a", "b"]
    place = {word: i for i, word in enumerate(vocabulary)}
    np.testing.assert_array_equal(word_ids(words, place), word_ids(words, vocabulary))
