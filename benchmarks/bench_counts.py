"""tf_idf and log_entropy against gensim's models and scikit-learn's transformer.

gensim is given the lists of pairs it works on, scikit-learn its own layout, documents as rows;
turning the data round is nobody's time. Both are told to leave vectors at their own length.
"""

import math

from gensim.models import LogEntropyModel, TfidfModel
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import TfidfTransformer

from benchmarks.timing import Row, fingerprint, interleaved, main
from benchmarks.topics import topic_counts
from firth.lsa.counts import log_entropy, tf_idf


def pairs(X) -> list[list[tuple[int, float]]]:
    """Each document as gensim has it: a list of (term, number)."""
    X = X.tocsc()
    starts = zip(X.indptr[:-1], X.indptr[1:], strict=True)
    return [
        list(zip(X.indices[a:b].tolist(), X.data[a:b].tolist(), strict=True)) for a, b in starts
    ]


def furthest(theirs: list[list[tuple[int, float]]], ours) -> float:
    """The largest difference between the answers, over all cells; gensim leaves out tiny ones."""
    apart = 0.0
    for mine, other in zip(pairs(ours), map(dict, theirs), strict=True):
        apart = max(apart, *(abs(value - other.get(term, 0.0)) for term, value in mine))
    return apart


SMALL = {"documents": 2_000, "terms": 8_000, "repeats": 2}  # what a test runs


def rows(documents: int = 20_000, terms: int = 40_000, repeats: int = 7) -> list[Row]:
    X = topic_counts(documents, terms, topics=150).astype(float)
    by_document, lists, D = csr_matrix(X.T), pairs(X), X.shape[1]
    answer = {}

    def gensim_tf_idf():
        model = TfidfModel(lists, normalize=False, wglobal=lambda df, D: math.log(D / df))
        answer["tf_idf"] = [model[document] for document in lists]

    def gensim_log_entropy():
        model = LogEntropyModel(lists, normalize=False)
        answer["entropy"] = model.entr
        answer["log_entropy"] = [model[document] for document in lists]

    def sklearn():
        model = TfidfTransformer(norm=None, smooth_idf=False)
        answer["sklearn"] = model.fit_transform(by_document)

    seconds = interleaved(
        {
            "tf_idf": lambda: tf_idf(X),
            "log_entropy": lambda: log_entropy(X),
            "gensim TfidfModel": gensim_tf_idf,
            "gensim LogEntropyModel": gensim_log_entropy,
            "sklearn TfidfTransformer": sklearn,
        },
        repeats,
    )
    # gensim divides the entropy by log(D + 1), not log D; scikit-learn adds 1 to the logarithm
    for term, weight in answer["entropy"].items():
        answer["entropy"][term] = (1 + (weight - 1) * math.log(D + 1) / math.log(D)) / weight
    log_entropies = [[(t, v * answer["entropy"][t]) for t, v in d] for d in answer["log_entropy"]]
    apart = {
        "gensim TfidfModel": furthest(answer["tf_idf"], tf_idf(X)),
        "gensim LogEntropyModel": furthest(log_entropies, log_entropy(X)),
        "sklearn TfidfTransformer": abs(answer["sklearn"].T - X - tf_idf(X)).max(),
    }
    assert max(apart.values()) < 1e-6, apart
    claims = [
        ("tf_idf", "gensim TfidfModel", 300),
        ("tf_idf", "sklearn TfidfTransformer", 2),
        ("log_entropy", "gensim LogEntropyModel", 100),
    ]
    return [
        Row(
            f"{what}, {terms:,} × {documents:,}",
            peer,
            goal,
            seconds[what],
            seconds[peer],
            f"at most {apart[peer]:.0e} apart in any cell",
            fingerprint(X.data, X.indices, X.indptr),
        )
        for what, peer, goal in claims
    ]


if __name__ == "__main__":
    main(rows)
