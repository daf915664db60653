"""sampled and expected against gensim's Word2Vec: the same text, epochs, settings and start.

Speed is worth nothing unless the vectors are as good: over three seeds, the mean rank correlation
with WordSim-353 must be at least gensim's less 0.02, for skip-gram and for CBOW. Both programs
get the known words alone and begin with the same vectors, which gensim draws.

gensim's worker routine is called here as its worker thread would call it, on jobs of 10,000 words
and with its learning rate: the threads that feed the worker cost CPU time of their own, which is
not counted. Its vocabulary is not counted either; ours is given ids, so both begin at the same
point.
"""

import sys
from collections.abc import Iterator
from statistics import mean

import numpy as np
from gensim.models import Word2Vec
from gensim.models.keyedvectors import prep_vectors

from benchmarks.timing import Row, fingerprint, interleaved, main
from firth.lsa import counts
from firth.lsa.similarity import cosine, spearman
from firth.store import corpora
from firth.word2vec.skipgram import expected, sampled
from firth.word2vec.word2vec import learning_rate

MIN_COUNT, D, JOB = 5, 100, 10_000
SMALL = {"articles": 60, "epochs": 1, "repeats": 1}


def jobs(articles: list[list[str]]) -> Iterator[list[list[str]]]:
    """Sentences of at most 10,000 words, as many to a job as have together no more than that."""
    job, size = [], 0
    for words in articles:
        for begin in range(0, len(words), JOB):
            piece = words[begin : begin + JOB]
            if job and size + len(piece) > JOB:
                yield job
                job, size = [], 0
            job.append(piece)
            size += len(piece)
    yield job


def gensims(articles: list[list[str]], frequency: dict[str, int], sg: int, epochs: int, seed: int):
    """gensim's vectors, one row a word in the order of `frequency`."""
    model = Word2Vec(vector_size=D, window=5, min_count=1, negative=5, sg=sg, workers=1, seed=seed)
    model.build_vocab_from_freq(frequency)
    memory, todo = model._get_thread_working_mem(), list(jobs(articles))
    for step in range(epochs * len(todo)):
        model._do_train_job(
            todo[step % len(todo)], learning_rate(step / (epochs * len(todo))), memory
        )
    return model.wv[list(frequency)]


def related(vocabulary: list[str], vectors) -> float:
    """Spearman's ρ with WordSim-353, over the pairs that are known."""
    place = {word: i for i, word in enumerate(vocabulary)}
    known = [p for p in corpora.word_pairs("wordsim353") if {*p[:2]} <= place.keys()]
    a, b, ratings = zip(*known, strict=True)
    x, y = (vectors[[place[word] for word in side]] for side in (a, b))
    return spearman(cosine(x, y), np.array(ratings))


def rows(articles: int = sys.maxsize, epochs: int = 5, repeats: int = 3) -> list[Row]:
    texts = [counts.words(article) for article in corpora.scoreboard()[:articles]]
    vocabulary = counts.vocabulary((word for text in texts for word in text), MIN_COUNT)
    n, ids = len(vocabulary), [counts.word_ids(text, vocabulary) for text in texts]
    known = [[vocabulary[i] for i in text if i >= 0] for text in ids]
    frequency = np.bincount(np.concatenate([text[text >= 0] for text in ids]), minlength=n)
    frequency = dict(zip(vocabulary, frequency.tolist(), strict=True))
    ids = [text[text >= 0] for text in ids]

    def ours(train, ids, seed, **method):
        start = prep_vectors((n, D), seed=seed), np.zeros((n, D), np.float32)  # as gensim begins
        return train(ids, n, D, **method, epochs=epochs, seed=seed, start=start)[0]

    programs = {
        "skip-gram": lambda ids, known, seed: ours(sampled, ids, seed),
        "CBOW": lambda ids, known, seed: ours(sampled, ids, seed, method="CBOW"),
        "expected": lambda ids, known, seed: ours(expected, ids, seed),
        "gensim sg": lambda ids, known, seed: gensims(known, frequency, 1, epochs, seed),
        "gensim cbow": lambda ids, known, seed: gensims(known, frequency, 0, epochs, seed),
    }
    scores = {name: [] for name in programs}

    def turn(name):
        """The first turn warms up, on ten articles; after it, each has a seed of its own."""
        seed = len(scores[name])
        some = slice(None if seed else 10)
        vectors = programs[name](ids[some], known[some], seed)
        scores[name].append(related(vocabulary, vectors))

    seconds = interleaved({name: lambda name=name: turn(name) for name in programs}, repeats)
    score = {name: mean(found[1:]) for name, found in scores.items()}
    claims = [
        ("word2vec skip-gram, sampled", "skip-gram", "gensim sg", 2.0),
        ("word2vec CBOW, sampled", "CBOW", "gensim cbow", 1.5),
        ("word2vec skip-gram, expected", "expected", "gensim sg", 2.0),
    ]
    if articles >= len(corpora.scoreboard()):
        for _, name, peer, _ in claims:
            assert score[name] >= score[peer] - 0.02, scores
    return [
        Row(
            what,
            f"gensim Word2Vec, {peer.split()[1]}",
            goal,
            seconds[name],
            seconds[peer],
            f"WordSim-353 {score[name]:.3f} against {score[peer]:.3f}",
            fingerprint(*ids),
        )
        for what, name, peer, goal in claims
    ]


if __name__ == "__main__":
    main(rows)
