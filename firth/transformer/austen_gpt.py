"""A small GPT that has read two novels of Jane Austen's, letter by letter, and writes on.

    J = mean over t of −log p(x_{t+1} | x_1 … x_t)        nats a letter; a fair guess has J = log n

It read Emma and Sense and Sensibility. Persuasion it has never seen: the first half says when to
stop, the second is asked once. Lines within a paragraph are joined, so that "\\n" ends a paragraph;
headings and the marks of italics are left out. n = 75 letters, of which each is a token: a vector.

`experiments/transformer/austen_gpt.py` trains it, n-grams and an LSTM; the page's JavaScript runs
the same weights, a byte each. Here is all that training takes, so that it can be watched as well.
"""

import re
from collections.abc import Iterator
from functools import cache

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray as Array
from torch import Tensor, nn

from firth.runtime.progress import progress
from firth.store import corpora
from firth.store.results import DATA, stored_result
from firth.store.weights import dequantize

from .gpt import GPT, Shape
from .text_generation import continued

FILE = DATA / "transformer/austen_gpt.json"
ALPHABET = "\n !\"'(),-.0123456789:;?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
PLACE = {letter: i for i, letter in enumerate(ALPHABET)}
SHAPE = Shape(n=len(ALPHABET), d=96, blocks=4, heads=4, inner=384, context=128)
SMALL = Shape(n=len(ALPHABET), d=64, blocks=2, heads=4, inner=256, context=64)  # to be watched


def cleaned(book: str) -> str:
    """A book with one line for each paragraph, in the letters of the alphabet.

    >>> cleaned("CHAPTER I\\n\\n\\nShe was _not_\\nhandsome.\\n\\nHe was.")
    'She was not handsome.\\nHe was.\\n'
    """
    book = re.sub(r"^ *((volume|chapter) [ivxlc\d]+|finis|the end) *$", "", book, flags=re.M | re.I)
    book = book.replace("&", "and").translate(str.maketrans("`[]", "'()"))
    book = "".join(letter for letter in book if letter in PLACE)
    paragraphs = (" ".join(piece.split()) for piece in re.split(r"\n\s*\n", book))
    return "".join(paragraph + "\n" for paragraph in paragraphs if paragraph)


@cache
def text() -> tuple[str, str, str]:
    """To learn from: two novels. To stop by, and to be asked: the two halves of a third."""
    emma, persuasion, sense = map(cleaned, corpora.books()[:3])
    half = persuasion.index("\n", len(persuasion) // 2) + 1
    return emma + sense, persuasion[:half], persuasion[half:]


def ids(text: str) -> Int[Tensor, " T"]:
    """Each letter's place in the alphabet.

    >>> ids("Emma")
    tensor([27, 61, 61, 49])
    """
    if strange := next((letter for letter in text if letter not in PLACE), None):
        raise ValueError(
            f"The books have no letter {strange!r}: use those of English, 0-9 and !\"'(),-.:;?"
        )
    return torch.tensor([PLACE[letter] for letter in text], dtype=torch.long)


@cache
def net(dtype: torch.dtype = torch.float32) -> GPT:
    """The network that the course ships: every weight one byte, and a scale for each row."""
    stored = stored_result("transformer/austen_gpt")
    gpt = GPT(Shape(**stored["shape"])).to(dtype)
    weights = {name: torch.tensor(dequantize(part)) for name, part in stored["weights"].items()}
    gpt.load_state_dict(weights)
    return gpt.requires_grad_(False)


def written(
    prompt: str, n: int = 200, tau: float = 1.0, seed: int = 1,
    k: int | None = None, p: float | None = None, gpt: GPT | None = None,
) -> str:  # fmt: skip
    """How the prompt goes on: n letters, each drawn as the odds have it and then read.

    >>> text = written("She was ", n=8, tau=0.5, seed=2)
    >>> len(text), text == written("She was ", n=8, tau=0.5, seed=2)
    (8, True)
    """
    if not prompt:
        raise ValueError("There is nothing to go on from: write one letter or more.")
    gpt = gpt or net(torch.float64)
    read = ids(prompt)[-gpt.shape.context :].tolist()
    return "".join(ALPHABET[x] for x in continued(gpt, read, n, tau, k, p, seed))


@torch.no_grad()
def loss(gpt: GPT, text: str) -> float:
    """The mean of −log p over all letters but the first, each seen after half a context or more.

    The text is read in windows that overlap by half: only a window's second half is counted.
    """
    x, half = ids(text), gpt.shape.context // 2
    if len(x) < 2:
        raise ValueError("A text of one letter leaves none to guess: give two or more.")
    total = 0.0
    starts = range(0, max(len(x) - 1 - half, 1), half)
    for group in (starts[i : i + 64] for i in range(0, len(starts), 64)):
        pieces = [x[s : s + 2 * half + 1] for s in group]
        seen = nn.utils.rnn.pad_sequence(pieces, batch_first=True)[:, :-1]
        asked = nn.utils.rnn.pad_sequence(pieces, batch_first=True, padding_value=-100)[:, 1:]
        asked[group[0] == 0 :, :half] = -100
        scores = gpt(seen).flatten(0, 1)
        J = nn.functional.cross_entropy(scores, asked.flatten(), reduction="sum", ignore_index=-100)
        total += J.item()
    return total / (len(x) - 1)


def looks(text: str, gpt: GPT | None = None) -> Float[Tensor, "blocks heads T T"]:
    """How much each letter looks at each letter before it, in every head of every block."""
    gpt, inputs = gpt or net(torch.float64), []
    if not 0 < len(text) <= gpt.shape.context:
        raise ValueError(f"{len(text)} letters: give 1 to {gpt.shape.context} of them to look at.")
    hooks = [block.norm_1.register_forward_hook(lambda _, __, Y: inputs.append(Y[0]))
             for block in gpt.blocks]  # fmt: skip
    gpt(ids(text)[None])
    for hook in hooks:
        hook.remove()
    A, e = [], gpt.shape.e
    later = torch.ones(len(text), len(text), dtype=torch.bool).triu(1)
    for block, Y in zip(gpt.blocks, inputs, strict=True):
        Q, K = (table(Y).unflatten(1, (-1, e)).transpose(0, 1) for table in (block.Q, block.K))
        A.append((Q @ K.mT / e**0.5).masked_fill(later, -torch.inf).softmax(-1))
    return torch.stack(A).detach()


def targets(text: str) -> dict[str, Int[Array, " T"]]:
    """For each letter the place of one that a head may want to look at; -1 where there is none.

    "word" is the first letter of the letter's own word and "blank" what stands before it, both from
    the third letter on; "again" is what came next when the same two letters stood here before.

    >>> targets("so so")["again"], targets("a tea")["word"]
    (array([-1, -1, -1, -1,  2]), array([-1, -1, -1, -1,  2]))
    """
    T = len(text)
    found = {name: np.full(T, -1) for name in ("word", "blank", "again")}
    found |= {"itself": np.arange(T), "one back": np.arange(T) - 1}
    blank, seen = -1, {}
    for i in range(T):
        if text[i] in " \n":
            blank = i
        elif blank >= 0 and i - blank > 2:
            found["word"][i], found["blank"][i] = blank + 1, blank
        pair = text[i - 1 : i + 1]
        found["again"][i] = seen.get(pair, -1)
        seen[pair] = i + 1
    return found


def habits(text: str, gpt: GPT | None = None) -> dict[str, Float[Array, "blocks heads"]]:
    """The mean weight that each head gives to each of the targets, where there is one."""
    gpt = gpt or net(torch.float64)
    T, sums, counts = gpt.shape.context, {}, {}
    if len(text) < T:
        raise ValueError(f"The text has {len(text)} letters: give {T} or more.")
    for start in range(0, len(text) - T + 1, T):
        piece = text[start : start + T]
        A = looks(piece, gpt).numpy()
        for name, j in targets(piece).items():
            (i,) = np.nonzero(j >= 0)
            sums[name] = sums.get(name, 0) + A[:, :, i, j[i]].sum(axis=-1)
            counts[name] = counts.get(name, 0) + len(i)
    return {name: total / max(counts[name], 1) for name, total in sums.items()}


def copied(text: str, source: str) -> Int[Array, " T"]:
    """From each letter on, how many in a row stand somewhere in the source, just so.

    >>> copied("He was handsome.", "She was handsome, and he was rich.")
    array([ 0, 14, 13, 12, 11, 10,  9,  8,  7,  6,  5,  4,  3,  2,  1,  1])
    """
    lengths, stop = [], 0
    for i in range(len(text)):
        stop = max(stop, i)
        while stop < len(text) and text[i : stop + 1] in source:
            stop += 1
        lengths.append(stop - i)
    return np.array(lengths, int)


def training(
    gpt: GPT, text: str, steps: int, B: int = 32, rate: float = 2e-3, seed: int = 0,
    optimiser: torch.optim.Optimizer | None = None, start: int = 0, fast: bool = False,
) -> Iterator[float]:  # fmt: skip
    """J after each step: B pieces of the text from anywhere, read side by side.

    The rate rises for a fiftieth of the steps, then goes down on a line to 0. A step's pieces hang
    on its number and the seed alone, so that a run may be stopped and gone on with.
    """
    x, T = ids(text), gpt.shape.context
    if len(x) < T + 2:
        raise ValueError(f"The text has {len(x)} letters: training takes more than {T + 1}.")
    optimiser, warm = optimiser or adam(gpt), max(steps // 50, 1)
    for i in range(start, steps):
        for group in optimiser.param_groups:
            group["lr"] = rate * min((i + 1) / warm, (steps - i) / (steps - warm))
        chance = torch.Generator("cpu").manual_seed(seed * 10**6 + i)  # the same everywhere
        first = torch.randint(len(x) - T, (B, 1), generator=chance, device="cpu")
        pieces = x[first.to(x.device) + torch.arange(T + 1)]
        with torch.autocast("cpu", torch.bfloat16, enabled=fast):
            scores = gpt(pieces[:, :-1]).flatten(0, 1)
        J = nn.functional.cross_entropy(scores.float(), pieces[:, 1:].flatten())
        optimiser.zero_grad()
        J.backward()
        nn.utils.clip_grad_norm_(gpt.parameters(), 1.0)
        optimiser.step()
        yield J.item()


def adam(gpt: nn.Module, decay: float = 0.1) -> torch.optim.Optimizer:
    """AdamW, all weights in one pass; tables shrink a little at each step, vectors do not."""
    tables, vectors = [[w for w in gpt.parameters() if (w.dim() > 1) == two] for two in (1, 0)]
    groups = [{"params": tables, "weight_decay": decay}, {"params": vectors, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, betas=(0.9, 0.99), fused=True)


def live(steps: int = 1000) -> tuple[float, float, float]:
    """A smaller GPT trained while you wait: J held out before, after, and that of letter pairs."""
    if steps < 1:
        raise ValueError(f"Training takes 1 step or more, not {steps}.")
    train, held, _ = text()
    held = held[:20_000]
    torch.manual_seed(0)
    gpt = GPT(SMALL)
    before = loss(gpt, held)
    with progress("A small GPT reads Jane Austen …") as say:
        for i, _ in enumerate(training(gpt, train, steps, B=16, rate=4e-3), start=1):
            say(f"A small GPT reads Jane Austen … {i / steps:.0%}")
    return before, loss(gpt, held), pairs(train, held)


def pairs(train: str, held: str) -> float:
    """J of letter pairs alone: how often each letter came after the one before, and once more."""
    n, x, y = len(ALPHABET), ids(train).numpy(), ids(held).numpy()
    counts = np.bincount(x[:-1] * n + x[1:], minlength=n * n).reshape(n, n) + 1
    p = counts / counts.sum(axis=1, keepdims=True)
    return float(-np.log(p[y[:-1], y[1:]]).mean())
