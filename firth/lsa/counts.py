"""Co-occurrence counts, and three weightings that reduce the influence of frequent words.

x_wc is how often the word w (a row of X) occurs in the context c (a column). A context is a
document, or a neighbouring word at a distance of at most m. Words that occur everywhere have the
largest counts and say the least, so each weighting asks how informative a count is:

    tf_idf       x_wc · log(D / df_w)                df_w: how many of the D documents have w
    log_entropy  log(1 + x_wc) · (1 + Σ_c p log p / log D)                p = x_wc / n_w
    ppmi         max(0, log[x_wc · Σ_c n_c^α / (n_w n_c^α)] − log k)      n: row or column sum

The first two give a large weight to words that only some documents use. The third compares a count
with the count that chance would give: with α = 1 the bracket is P(w, c) / P(w) P(c). A smoothing
α < 1 lowers the values of rare contexts, and a shift k > 1 demands more than chance.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat

import numpy as np
from jaxtyping import Int, Num
from numpy import ndarray as Array
from scipy.sparse import csr_array, sparray, spmatrix

Table = Num[Array, "n m"] | sparray | spmatrix


def words(text: str) -> list[str]:
    """The words of a text in lower case: letters and digits, with apostrophes only inside.

    >>> words("Don't stop: 'twas the pilots’ 3rd descent.")
    ["don't", 'stop', 'twas', 'the', 'pilots', '3rd', 'descent']
    """
    if not isinstance(text, str):
        raise TypeError(f"A text is a str, not {type(text).__name__}: read or decode it first.")
    return re.findall(r"[^\W_]+(?:'[^\W_]+)*", text.lower().replace("’", "'"))


def vocabulary(words: Iterable[str], min_count: int = 1) -> list[str]:
    """The different words, most frequent first, and in alphabetical order if equally frequent.

    >>> vocabulary(["b", "a", "c", "c"])
    ['c', 'a', 'b']
    """
    if isinstance(words, str):
        raise TypeError("vocabulary takes a list of words: split the text with words(text) first.")
    counted = Counter(words)
    if not counted:
        raise ValueError("The corpus is empty: there is no word in it to list.")
    if max(counted.values()) < min_count:
        raise ValueError(f"No word occurs {min_count} times: lower min_count.")
    return sorted((w for w in counted if counted[w] >= min_count), key=lambda w: (-counted[w], w))


def word_ids(
    words: Iterable[str], vocabulary: Sequence[str] | Mapping[str, int]
) -> Int[Array, " n"]:
    """The index of each word in the vocabulary, and −1 for a word that is not in it.

    For many texts, give a dict from words to indices: it is not built again for each text.

    >>> word_ids(["the", "ship", "yawned"], vocabulary=["the", "ship"])
    array([ 0,  1, -1], dtype=int32)
    """
    if isinstance(words, str):
        raise TypeError("word_ids takes a list of words: split the text with words(text) first.")
    if not isinstance(vocabulary, Mapping):
        vocabulary = {word: i for i, word in enumerate(vocabulary)}
    return np.fromiter(map(vocabulary.get, words, repeat(-1)), dtype=np.int32)


def windows(words: Sequence, m: int) -> Iterator[tuple]:
    """Pairs (word, list of its neighbours): up to m words before it and up to m words after it.

    >>> list(windows(["the", "ship", "sank"], m=1))
    [('the', ['ship']), ('ship', ['the', 'sank']), ('sank', ['ship'])]
    """
    for i, centre in enumerate(words):
        yield centre, [*words[max(0, i - m) : i], *words[i + 1 : i + 1 + m]]


def checked_ids(documents: Sequence, V: int) -> list[Int[Array, " _"]]:
    """A list of the documents as arrays of ids, or a ValueError.

    The error says that there is no word, or that an id is not between −1 and V − 1.
    """
    documents = [np.asarray(ids, dtype=np.int32) for ids in documents]
    if not any(map(len, documents)):
        raise ValueError("The corpus is empty: there is no word in it to count.")
    low = min(ids.min(initial=0) for ids in documents)
    high = max(ids.max(initial=-1) for ids in documents)
    if low < -1 or high >= V:
        raise ValueError(f"Ids must lie in −1 … {V - 1}; these go from {low} to {high}: check V.")
    return documents


def cooccurrence(ids: Int[Array, " n"] | Sequence[Int[Array, " _"]], V: int, m: int) -> csr_array:
    """A sparse V × V table of how often two words occur at a distance of at most m.

    It equals a count over `windows`, but takes one distance at a time for the whole text: the text
    is compared with itself, shifted by 1, 2, … m words. An unknown word (−1) is not counted but
    keeps its position. So m unknown words between two documents keep their windows apart.

    >>> cooccurrence(np.array([0, 1, 0, 2]), V=3, m=1).toarray()
    array([[0, 2, 1],
           [2, 0, 0],
           [1, 0, 0]], dtype=int32)
    """
    if m < 1:
        raise ValueError(f"A window of {m} words contains no neighbour: choose m = 1 or more.")
    gap = np.full(m, -1, dtype=np.int32)
    documents = checked_ids([ids] if isinstance(ids, Array) else ids, V)
    text = np.concatenate([part for document in documents for part in (document, gap)])
    after = csr_array((V, V), dtype=np.int32)
    for distance in range(1, m + 1):
        left, right = text[:-distance], text[distance:]
        known = (left >= 0) & (right >= 0)
        ones = np.ones(known.sum(), dtype=np.int32)
        after += csr_array((ones, (left[known], right[known])), shape=(V, V))  # equal cells add up
    return (after + after.T).tocsr()


def term_document(documents: Sequence[Int[Array, " _"]], V: int) -> csr_array:
    """A sparse table of how often each word (a row) occurs in each document (a column).

    >>> term_document([np.array([0, 1, 0]), np.array([1, -1])], V=2).toarray()
    array([[2, 0],
           [1, 1]], dtype=int32)
    """
    if isinstance(documents, Array):
        raise TypeError("term_document takes a list of documents: put a single one in a list.")
    documents = checked_ids(documents, V)
    word = np.concatenate(documents)
    column = np.repeat(np.arange(len(documents), dtype=np.int32), [len(ids) for ids in documents])
    known = word >= 0
    ones = np.ones(known.sum(), dtype=np.int32)
    return csr_array((ones, (word[known], column[known])), shape=(V, len(documents)))


def sparse_copy(X: Table, fewest_documents: int = 1) -> csr_array:
    """A sparse copy of X that can be weighted in place, with no stored zeros and no cell twice.

    A ValueError says that X has fewer than `fewest_documents` columns, or an entry that is no
    count.
    """
    if X.shape[1] < fewest_documents:
        raise ValueError(f"This weighting compares documents: give two or more, not {X.shape[1]}.")
    tidy = getattr(X, "has_canonical_format", False)  # False if a cell may be stored twice
    X = csr_array(X, dtype=float, copy=True)
    if not tidy:
        X.sum_duplicates()
    low, high = X.data.min(initial=1), X.data.max(initial=1)
    if not (low >= 0 and high < np.inf):  # NaN fails both
        raise ValueError("Counts cannot be negative, NaN or infinite: check the table X.")
    if low == 0:
        X.eliminate_zeros()
    return X


def tf_idf(X: Table) -> csr_array:
    """The table of counts X, each count multiplied by the inverse document frequency of its word.

    A word in one of a hundred documents has the weight log 100, a word in all of them log 1 = 0.

    >>> tf_idf(np.array([[3, 0], [5, 5]])).toarray()  # 3 log 2; the second word is everywhere
    array([[2.08, 0.  ],
           [0.  , 0.  ]])
    """
    X = sparse_copy(X, fewest_documents=2)
    df = np.diff(X.indptr)  # the non-zero cells of each row
    X.data *= np.repeat(np.log(X.shape[1] / np.maximum(df, 1)), df)
    return X


def log_entropy(X: Table) -> csr_array:
    """The table of log(1 + count), each multiplied by a weight from the entropy of its word.

    A word in one document has entropy 0 and weight 1. A word that is spread evenly over all D
    documents has entropy log D and weight 0. Unlike idf, this weight notices a word that occurs in
    every document but nearly always in one.

    >>> log_entropy(np.array([[3, 0], [5, 5]])).toarray()  # log 4; nothing
    array([[1.39, 0.  ],
           [0.  , 0.  ]])
    """
    X = sparse_copy(X, fewest_documents=2)
    n = np.maximum(X.sum(axis=1), np.finfo(float).tiny)  # avoids 0 / 0 for an empty row
    x_log_x = csr_array((X.data * np.log(X.data), X.indices, X.indptr), shape=X.shape)
    p_log_p = x_log_x.sum(axis=1) / n - np.log(n)  # the sum over c, with fewer logarithms
    weight = 1 + p_log_p / np.log(X.shape[1])
    weight[weight < 1e-12] = 0  # rounding leaves tiny numbers of either sign
    np.log1p(X.data, out=X.data)
    X.data *= np.repeat(weight, np.diff(X.indptr))
    return X


def ppmi(X: Table, shift: float = 1.0, smoothing: float = 1.0) -> csr_array:
    """The positive pointwise mutual information: log(count / expected count) where it is above 0.

    Other entries of the table are 0: two words meet as often as expected by chance, or less often.
    In a short text this is mostly bad luck. `shift` is k and `smoothing` is α in the formula above;
    a usual α is 0.75.

    >>> ppmi(np.array([[4, 0], [2, 2]])).toarray()  # log(4·8 / 4·6), 0; 0, log(2·8 / 4·2)
    array([[0.29, 0.  ],
           [0.  , 0.69]])
    """
    if not (shift > 0 and 0 < smoothing <= 1):
        raise ValueError(f"ppmi takes shift > 0 and 0 < smoothing ≤ 1, not {shift}, {smoothing}.")
    X = sparse_copy(X)
    n_w, n_c = X.sum(axis=1), X.sum(axis=0) ** smoothing
    X.data *= n_c.sum() / shift
    X.data /= np.repeat(n_w, np.diff(X.indptr)) * n_c[X.indices]
    np.log(np.maximum(X.data, 1), out=X.data)
    X.eliminate_zeros()
    return X
