"""Measure how well word vectors agree with people, by window, weighting and number of directions.

    python -m experiments.lsa.dimensions

The vectors are rows of U sᵖ from the SVD of a table of the Wikipedia articles. The agreement is
Spearman's correlation between their cosines and people's ratings of word pairs, WordSim-353 for
relatedness and SimLex-999 for similarity. Its interval is the middle 95 % of a thousand draws of
pairs with replacement. All directions together are the table itself, without any compression.

    counts            as they are
    PPMI              log of the ratio to chance, if above 0
    PPMI, smoothed    the same with shift 5 and smoothing 0.75, which lower the weight of rare words
"""

import argparse
import json
from itertools import product

import numpy as np
from jaxtyping import Float
from numpy import ndarray as Array
from scipy.sparse import csr_array

from experiments.conditions import conditions
from firth.lsa import counts, lsa
from firth.lsa.similarity import cosine, spearman
from firth.store import corpora
from firth.store.results import DATA

FILE = DATA / "lsa/dimensions.json"
WINDOWS = (1, 2, 5, 10)
WEIGHTINGS = {
    "counts": lambda C: C,
    "PPMI": counts.ppmi,
    "PPMI, smoothed": lambda C: counts.ppmi(C, shift=5, smoothing=0.75),
}
SIZES = (2, 5, 10, 20, 50, 100, 200, 300)
POWERS = (0.0, 0.5, 1.0)
MIN_COUNT, DRAWS = 5, 1000


class Ratings:
    """Word pairs whose two words are known, people's ratings of them, and draws of the pairs."""

    def __init__(self, name: str, place: dict[str, int]):
        known = [(a, b, r) for a, b, r in corpora.word_pairs(name) if a in place and b in place]
        self.name, self.ratings = name, np.array([rating for _, _, rating in known])
        self.first, self.second = (
            np.array([place[pair[side]] for pair in known]) for side in (0, 1)
        )
        rng = np.random.default_rng(0)
        self.draws = rng.integers(len(known), size=(DRAWS, len(known)))

    def agreement(self, X: Float[Array, "V k"] | csr_array) -> dict:
        """The correlation with people's ratings of cosines between rows of X, and its interval."""
        sides = (X[side] for side in (self.first, self.second))
        x, y = (side.toarray() if isinstance(side, csr_array) else side for side in sides)
        cosines = cosine(x.astype(float), y.astype(float))
        drawn = [spearman(cosines[draw], self.ratings[draw]) for draw in self.draws]
        low, high = np.quantile(drawn, [0.025, 0.975])
        found = (spearman(cosines, self.ratings), low, high)
        return dict(zip(("rho", "low", "high"), (round(float(x), 4) for x in found), strict=True))


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    articles = [counts.words(article) for article in corpora.scoreboard()]
    vocabulary = counts.vocabulary((word for words in articles for word in words), MIN_COUNT)
    place = {word: i for i, word in enumerate(vocabulary)}
    ids = [counts.word_ids(words, vocabulary) for words in articles]
    questions = [Ratings(name, place) for name in ("wordsim353", "simlex999")]
    rows = []
    for m, (name, weighted) in product(WINDOWS, WEIGHTINGS.items()):
        X = csr_array(weighted(counts.cooccurrence(ids, len(place), m)).astype(np.float32))
        U, s, _ = lsa.svd(X, max(SIZES))
        about = {"window": m, "weighting": name}
        spaces = {(k, p): U[:, :k] * s[:k] ** p for k, p in product(SIZES, POWERS)}
        for (k, p), Z in (spaces | {(None, None): X}).items():
            for asked in questions:
                row = about | {"k": k, "power": p, "pairs": asked.name} | asked.agreement(Z)
                rows.append(row)
        print(f"window {m}, {name}: done", flush=True)
    about = {
        "command": "python -m experiments.lsa.dimensions",
        "vocabulary": len(place),
        "pairs": {asked.name: len(asked.ratings) for asked in questions},
    }
    text = json.dumps(conditions() | about, indent=1, ensure_ascii=False)
    lines = ",\n".join(json.dumps(row) for row in rows)
    FILE.write_text(f'{text[:-2]},\n "rows": [\n{lines}\n]}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
