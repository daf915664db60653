"""Train a tiny translator from French to English, and store how it translates one sentence.

    python -m experiments.attention.french

    je suis étudiant  →  I am a student

The network is the translator of the telephone numbers with other words: an encoder that reads in
both directions, a decoder, and attention with dot products. Its sentences are made from a small
grammar: a subject, a form of être, perhaps a negation, and a profession or an adjective, which in
French stands after its noun. The sentence that is stored is held out. So are a fifth of the others.
"""

import argparse
import json
import re
from itertools import product
from zlib import crc32

import torch
from torch import nn

from experiments.conditions import conditions
from firth.attention.seq2seq import NOTHING, Translator
from firth.store.results import DATA

FILE = DATA / "attention/french.json"
SHOWN = "je suis étudiant"
SEED, STEPS, BATCH, RATE, D = 0, 600, 64, 5e-3, 32
SUBJECTS = {  # French → English with a form of "to be"
    "je suis": "I am", "tu es": "you are", "il est": "he is", "mon ami est": "my friend is",
    "le voisin est": "the neighbour is", "Paul est": "Paul is",
}  # fmt: skip
PROFESSIONS = {
    "étudiant": "student", "professeur": "teacher", "médecin": "doctor", "boulanger": "baker",
    "avocat": "lawyer", "peintre": "painter", "chanteur": "singer", "soldat": "soldier",
    "acteur": "actor", "ingénieur": "engineer",
}  # fmt: skip
ADJECTIVES = {
    "fatigué": "tired", "content": "happy", "célèbre": "famous", "malade": "sick",
    "riche": "rich", "pauvre": "poor",
}  # fmt: skip


def article(word: str) -> str:
    """The word after its article, a or an.

    >>> article("actor")
    'an actor'
    """
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def negated(french: str, english: str) -> tuple[str, str]:
    """A subject and its verb with a negation in both languages.

    >>> negated("mon ami est", "my friend is")
    ("mon ami n' est pas", 'my friend is not')
    """
    *subject, verb = french.split()
    ne = "n'" if verb[0] == "e" else "ne"
    return " ".join([*subject, ne, verb, "pas"]), f"{english} not"


def pairs() -> list[tuple[str, str]]:
    """All French sentences of the grammar with their translations."""
    subjects = [*SUBJECTS.items(), *(negated(*subject) for subject in SUBJECTS.items())]
    nouns, adjectives = PROFESSIONS.items(), ADJECTIVES.items()
    ends = [(french, article(english)) for french, english in nouns]
    ends += adjectives
    ends += [
        (f"un {noun[0]} {adjective[0]}", article(f"{adjective[1]} {noun[1]}"))
        for noun, adjective in product(nouns, adjectives)
    ]
    return [(f"{s[0]} {end[0]}", f"{s[1]} {end[1]}") for s, end in product(subjects, ends)]


def is_held_out(french: str) -> bool:
    """Whether no network learns from a sentence: the shown one, and a fifth of the others."""
    return french == SHOWN or crc32(french.encode()) % 5 == 0


def indices(texts: list[str], words: list[str], fill: int) -> torch.Tensor:
    """The indices of several texts, one in each row; `fill` stands after the end of a text."""
    rows = [torch.tensor([words.index(word) for word in text.split()]) for text in texts]
    return nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=fill)


class French(Translator):
    """The translator with attention for the words of this grammar."""

    def __init__(self, source: list[str], target: list[str]):
        super().__init__(e=16, d=D)
        self.E, self.D = nn.Embedding(len(source), 16), nn.Embedding(len(target), 16)
        self.O = nn.Linear(D, len(target))


def train(source: list[str], target: list[str]) -> French:
    """A network that has learned from the sentences that are not held out."""
    torch.manual_seed(SEED)
    net = French(source, target)
    learned = [pair for pair in pairs() if not is_held_out(pair[0])]
    X = indices([french for french, _ in learned], source, 0)
    Y = indices([f"{english} <end>" for _, english in learned], target, NOTHING)
    before = nn.functional.pad(Y[:, :-1].clamp(min=0), (1, 0))
    adam = torch.optim.Adam(net.parameters(), lr=RATE)
    for _ in range(STEPS):
        rows = torch.randint(len(X), (BATCH,))
        scores, _ = net(X[rows], before[rows])
        loss = nn.functional.cross_entropy(scores.mT, Y[rows], ignore_index=NOTHING)
        adam.zero_grad()
        loss.backward()
        adam.step()
    return net


@torch.no_grad()
def translate(net: French, french: str, source: list[str], target: list[str]) -> list[dict]:
    """The steps of the decoder for one sentence: word, scores, weights, vectors, probabilities."""
    H, last = net.encode(indices([french], source, 0))
    s, y, steps = last[None], 0, []
    while len(steps) < 12:
        S, s = net.decoder(net.D(torch.tensor([[y]])), s)
        scores = net.scores(S, H)
        a = scores.softmax(dim=-1)
        C = a @ H
        p = net.word_scores(S, C).softmax(dim=-1)[0, 0]
        y = int(p.argmax())
        best = p.topk(3)
        steps.append({
            "word": target[y],
            "scores": rounded(scores), "weights": rounded(a),
            "state": rounded(S), "context": rounded(C),
            "probabilities": {target[i]: round(float(v), 3) for v, i in zip(*best, strict=True)},
        })  # fmt: skip
        if target[y] == "<end>":
            break
    return steps


def rounded(x: torch.Tensor) -> list[float]:
    """The numbers of a tensor with one row, to three decimals."""
    return [round(value, 3) for value in x.flatten().tolist()]


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    everything = pairs()
    source = ["", *sorted({word for french, _ in everything for word in french.split()})]
    target = ["", "<end>", *sorted({word for _, text in everything for word in text.split()})]
    net = train(source, target)
    held = [pair for pair in everything if is_held_out(pair[0])]
    right = sum(
        [step["word"] for step in translate(net, french, source, target)][:-1] == english.split()
        for french, english in held
    )
    result = conditions() | {
        "command": "python -m experiments.attention.french",
        "settings": {"seed": SEED, "steps": STEPS, "batch": BATCH, "rate": RATE, "d": D},
        "learned": len(everything) - len(held), "held out": len(held), "right": right,
        "source": SHOWN.split(), "steps": translate(net, SHOWN, source, target),
    }  # fmt: skip
    text = json.dumps(result, ensure_ascii=False, indent=1)
    text = re.sub(r"\n {3,}|\n {2}(?=[\]}])", " ", text)
    FILE.write_text(text + "\n", encoding="utf-8")
    print(right, "of", len(held), "held-out sentences are right")
    for step in result["steps"]:
        print(step["word"], step["weights"], step["probabilities"])


if __name__ == "__main__":
    main()
