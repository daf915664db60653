"""svd against gensim's LsiModel and scikit-learn's TruncatedSVD: 100 directions of a large table.

All are approximate, so speed alone would prove nothing: ours must hold 99.5 % of the energy that
the best 100 directions hold, and lose no more of it than any peer.
"""

import numpy as np
from gensim.models import LsiModel
from scipy.sparse import csr_matrix, diags
from scipy.sparse.linalg import svds
from sklearn.decomposition import TruncatedSVD

from benchmarks.timing import Row, fingerprint, interleaved, main
from benchmarks.topics import topic_counts
from firth.lsa.counts import tf_idf
from firth.lsa.lsa import svd

SMALL = {"documents": 8_000, "terms": 16_000, "k": 100, "repeats": 2}  # what a test runs


def rows(documents: int = 20_000, terms: int = 40_000, k: int = 100, repeats: int = 5) -> list[Row]:
    counts = topic_counts(documents, terms, topics=150)
    X = counts + tf_idf(counts)  # scikit-learn's weighting: x (1 + log(D / df)),
    X = csr_matrix(X @ diags(1 / np.sqrt(X.power(2).sum(axis=0))))  # and documents of length 1
    by_document, by_document_32, columns = X.T.tocsr(), X.T.tocsr().astype(np.float32), X.tocsc()
    name = {i: str(i) for i in range(X.shape[0])}
    space = {}  # the k directions on which each program's picture of X is drawn

    def ours():
        space["ours"] = svd(X, k)[2].T

    def gensim():
        lsi = LsiModel(columns, id2word=name, num_topics=k, random_seed=0)
        space["gensim LsiModel"] = lsi.projection.u

    def sklearn(table, peer):
        model = TruncatedSVD(k, random_state=0)
        model.fit_transform(table)
        space[peer] = model.components_.T

    peers = {"gensim LsiModel": 4.0, "sklearn TruncatedSVD": 2.5, "sklearn fed float32": 1.6}
    double, single = list(peers)[1:]
    seconds = interleaved(
        {
            "ours": ours,
            "gensim LsiModel": gensim,
            double: lambda: sklearn(by_document, double),
            single: lambda: sklearn(by_document_32, single),
        },
        repeats,
    )
    best = np.square(svds(X, k, tol=0, random_state=1)[1]).sum()
    lost = {}
    for program, directions in space.items():
        Q = np.linalg.qr(directions.astype(float))[0]
        lost[program] = 1 - np.square((X if program == "ours" else X.T) @ Q).sum() / best
    assert lost["ours"] <= min(5e-3, *lost.values()), lost
    return [
        Row(
            f"svd, {k} directions of {terms:,} × {documents:,}",
            peer,
            goal,
            seconds["ours"],
            seconds[peer],
            f"lost energy {lost['ours']:.1e} against {lost[peer]:.1e}",
            fingerprint(X.data, X.indices, X.indptr),
        )
        for peer, goal in peers.items()
    ]


if __name__ == "__main__":
    main(rows)
