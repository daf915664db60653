"""Counts as a corpus would have them, from a seed: words by Zipf's law, documents by topic."""

import numpy as np
from scipy.sparse import csr_array

from firth.lsa.counts import term_document


def topic_counts(documents: int, terms: int, topics: int, seed: int = 0) -> csr_array:
    """Terms × documents: each document draws about 120 words from a few of the topics.

    A topic is Zipf's distribution of words (the r-th in frequency ∝ r^−1.07) with a few words
    made much more frequent. Words that no document drew are left out.
    """
    rng = np.random.default_rng(seed)
    zipf = np.arange(1, terms + 1) ** -1.07
    word_given_topic = zipf * (0.3 + 20 * rng.gamma(0.05, 1.0, (topics, terms)))
    word_given_topic /= word_given_topic.sum(axis=1, keepdims=True)
    topic_given_document = rng.dirichlet(np.full(topics, 0.08), documents)
    lengths = rng.poisson(120, documents) + 5
    topic = np.concatenate(
        [rng.choice(topics, n, p=p) for n, p in zip(lengths, topic_given_document, strict=True)]
    )
    word = np.empty(topic.size, dtype=np.int32)
    for t in range(topics):
        of_topic = topic == t
        word[of_topic] = rng.choice(terms, of_topic.sum(), p=word_given_topic[t])
    X = term_document(np.split(word, lengths.cumsum()[:-1]), terms)
    return X[np.diff(X.indptr) > 0]
