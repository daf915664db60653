"""Choose the Wikipedia extracts on which exercise 1 ends, and store them with their rated pairs.

    python -m experiments.lsa.extracts

600 words are kept. 250 or so are the words of WordSim-353 that stand in a pair whose two words
both occur 100 times or more in the scoreboard's corpus. Four are words of the exercise's first
part: *tea*, *coffee*, *violin*, *drum*. The others have the largest residual inverse document
frequency (Church and Gale, 1995), which compares the texts that hold a word with the texts that
would hold it if its occurrences were spread by chance:

    residual idf = log2(texts / texts with the word) + log2(1 − e^(−occurrences / texts))

Function words have a value near 0 and topic words a large one. A text is here a piece of 500
words. Pronouns and first names come in clusters, too, and are left out by a list.

An extract is a piece of 60 words of an article. Each word that is kept counts 1 / √occurrences.
The extracts with the largest sums are taken until the file has 148 kB. An extract is passed over
if more than half of its sum comes from words that have been taken 150 times. The choice looks at no
rating of a pair. In the file, a line is an extract, and a number says how many words were left out
at that place: no more than 10 of a longer gap, which a window of 10 words cannot cross.
"""

import argparse
import gzip
import re
from collections import Counter

import numpy as np

from firth.lsa import counts
from firth.store import corpora
from firth.store.results import DATA

EXTRACTS, PAIRS = DATA / "lsa/extracts.txt.gz", DATA / "lsa/extract_pairs.tsv"
WORDS, TEXT, WIDTH, GAP, OFTEN, BYTES = 600, 500, 60, 10, 150, 148_000
RATED, LEAST, ARTICLES = 100, 200, 60  # occurrences of a rated word, of another, articles with it
STORY = {"tea", "coffee", "violin", "drum"}  # of the exercise's first part
LEFT_OUT = set(
    """he she him his her hers you your our shall com isbn est iii non anti von san
    john george henry william robert charles james david michael paul thomas richard martin peter
    mary edward joseph louis alexander frank albert alfred smith jack bob philip daniel arthur
    francis anne elizabeth andrew anthony walter adam simon ben tom jim joe bill mark lewis johnson
    jones brown wilson jackson lee marx franklin samuel bruce abraham alan benjamin scott howard
    bush""".split()
)


def residual_idf(articles: list[list[str]]) -> dict[str, float]:
    """The residual inverse document frequency of each word, by texts of `TEXT` words."""
    pieces = [part for words in articles for part in cut(words, TEXT) if len(part) > TEXT / 2]
    holding = Counter(word for piece in pieces for word in set(piece))
    occurrences = Counter(word for words in articles for word in words)
    n = len(pieces)
    return {
        word: float(np.log2(n / k) + np.log2(1 - np.exp(-occurrences[word] / n)))
        for word, k in holding.items()
    }


def cut(words: list, width: int) -> list[list]:
    """Consecutive pieces of a text, the last of which may be shorter."""
    return [words[start : start + width] for start in range(0, len(words), width)]


def chosen_vocabulary(articles: list[list[str]], pairs: list[tuple]) -> list[str]:
    """The words that are kept, the most frequent first."""
    occurrences = Counter(word for words in articles for word in words)
    spread = Counter(word for words in articles for word in set(words))
    rated = {word for pair in pairs for word in pair[:2]}
    kept = rated | STORY
    residual = residual_idf(articles)
    others = [
        word
        for word in residual.keys() - kept - LEFT_OUT
        if occurrences[word] >= LEAST and spread[word] >= ARTICLES
        and re.fullmatch("[a-z]{3,}", word)
    ]  # fmt: skip
    others.sort(key=lambda word: (-residual[word], word))
    chosen = kept | set(others[: WORDS - len(kept)])
    return sorted(chosen, key=lambda word: (-occurrences[word], word))


def with_gaps(ids: list[int], vocabulary: list[str]) -> str:
    """An extract as a line: its words, and a number for the words that were left out between.

    >>> with_gaps([1, -1, -1, 0], ["ship", "sea"])
    'sea 2 ship'
    """
    parts, gap = [], 0
    for i in [*ids, 0]:
        if i < 0:
            gap += 1
            continue
        parts += [str(min(gap, GAP))] * (gap > 0) + [vocabulary[i]]
        gap = 0
    return " ".join(parts[:-1])


def chosen_extracts(articles: list[list[str]], vocabulary: list[str]) -> list[str]:
    """Lines of the file, in the order of the articles."""
    numbers = [counts.word_ids(words, vocabulary) for words in articles]
    value = 1 / np.sqrt(np.bincount(np.concatenate([ids[ids >= 0] for ids in numbers])))
    pieces = [piece for ids in numbers for piece in cut(ids, WIDTH)]
    known = [piece[piece >= 0] for piece in pieces]
    taken, times, size = [], np.zeros(len(vocabulary)), 0
    for n in sorted(range(len(pieces)), key=lambda n: (-value[known[n]].sum(), n)):
        rare = value[known[n]] * (times[known[n]] < OFTEN)
        if rare.sum() < value[known[n]].sum() / 2:
            continue
        np.add.at(times, known[n], 1)
        taken.append(n)
        if len(taken) % 50 == 0 and (size := len(packed(pieces, taken, vocabulary))) > BYTES:
            return [with_gaps(pieces[n], vocabulary) for n in sorted(taken[:-50])]
    raise ValueError(f"All pieces together have {size} bytes: ask for fewer.")


def packed(pieces: list, taken: list[int], vocabulary: list[str]) -> bytes:
    """The file's bytes, which are the same in every run."""
    text = "\n".join(with_gaps(pieces[n], vocabulary) for n in sorted(taken)) + "\n"
    return gzip.compress(text.encode(), 9, mtime=0)


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    articles = [counts.words(article) for article in corpora.scoreboard()]
    occurrences = Counter(word for words in articles for word in words)
    pairs = [
        pair
        for pair in corpora.word_pairs("wordsim353")
        if min(occurrences[pair[0]], occurrences[pair[1]]) >= RATED
    ]
    vocabulary = chosen_vocabulary(articles, pairs)
    lines = chosen_extracts(articles, vocabulary)
    EXTRACTS.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode(), 9, mtime=0))
    rows = "".join(f"{a}\t{b}\t{rating:g}\n" for a, b, rating in pairs)
    PAIRS.write_text(rows, encoding="utf-8")
    print(f"{len(lines)} extracts, {EXTRACTS.stat().st_size} bytes; {len(pairs)} pairs")


if __name__ == "__main__":
    main()
