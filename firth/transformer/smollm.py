"""A language model of 135 million weights, on a laptop: SmolLM2, trained by others and run by us.

    weights    → `gpt`:  30 blocks, 576 features; 9 heads of queries ask 3 of keys; SwiGLU
    text ⇄ ids → `bpe`:  49,152 tokens
    question   → <|im_start|>user … <|im_end|> <|im_start|>assistant …         a text like any other

It has read some 2 trillion tokens and was then trained on conversations (Ben Allal and others,
2025). The weights are the published ones, rounded to 4 bits in the blocks and 8 in the table of
tokens, with scales for every 32 of them: some six bits each. What it says here is said by the
rounded model. A chat is no other way of running it: roles and turns are signs in the text, and it
continues that text until it draws the sign that ends a turn.
"""

from collections.abc import Iterator
from functools import cache

import torch
from jaxtyping import Float
from numpy import ndarray as Array

from firth.runtime.progress import progress
from firth.store.downloads import fetch
from firth.store.gguf import GGUF

from .bpe import Tokenizer
from .gpt import GPT, Shape
from .sampling import Number
from .text_generation import continued as drawn_on

SHAPE = Shape(
    n=49152, d=576, blocks=30, heads=9, inner=1536, context=8192, kv_heads=3, norm="rms",
    position="rotary", feed="swiglu", bias=False, tied=True, base=100_000.0, eps=1e-5,
)  # fmt: skip
SPECIAL = 3  # the kind of a token that no text can contain by chance
END = "<|im_end|>"  # of a turn
SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"
NAMES = {  # a file's names for tables, and ours
    "token_embd": "tokens",
    "output_norm": "norm",
    "attn_norm": "norm_1",
    "attn_q": "Q",
    "attn_k": "K",
    "attn_v": "V",
    "attn_output": "O",
    "ffn_norm": "norm_2",
    "ffn_up": "up",
    "ffn_gate": "gate",
    "ffn_down": "down",
}


def renamed(name: str) -> str:
    """Our name for a table of the file.

    >>> renamed("blk.7.attn_q.weight"), renamed("token_embd.weight")
    ('blocks.7.Q.weight', 'tokens.weight')
    """
    *block, table, kind = name.split(".")
    return ".".join([*(["blocks", block[1]] if block else []), NAMES[table], kind])


@cache
def file() -> GGUF:
    """The file of weights, from the store: 98 MB, fetched once."""
    return GGUF(fetch("smollm"))


@cache
def tokenizer() -> Tokenizer:
    """Its vocabulary, its joins and its 17 special signs."""
    tokens, joins, kinds = (
        file().facts[f"tokenizer.ggml.{name}"] for name in ("tokens", "merges", "token_type")
    )
    special = [token for token, kind in zip(tokens, kinds, strict=True) if kind == SPECIAL]
    return Tokenizer(tokens, joins, special)


@cache
def model() -> GPT:
    """The model at 4 bytes a weight, which is 538 MB: some seconds, and once."""
    with torch.device("meta"):  # no numbers yet: those that it would begin with are not wanted
        net = GPT(SHAPE)
    tables = {}
    with progress("Reading SmolLM2 …") as say:
        for i, name in enumerate(file()):
            tables[renamed(name)] = torch.from_numpy(file()[name])
            say(f"Reading SmolLM2 … {(i + 1) / len(file().tables):.0%}")
    net.load_state_dict(tables, assign=True)
    return net.requires_grad_(False).eval()


def continuing(
    prompt: str, n: int,
    tau: Number = 0.0, k: int | None = None, p: Number | None = None, seed: int = 0,
) -> Iterator[str]:  # fmt: skip
    """What the model writes after a prompt, as it comes: n tokens at most, or until it ends."""
    words, ends = tokenizer(), {tokenizer().ids[sign] for sign in (END, "<|endoftext|>")}
    ids, said = [], ""
    for i in drawn_on(model(), words.encoded(prompt), n, tau, k, p, seed):
        if i in ends:
            return
        ids.append(i)
        text = words.decoded(ids)
        if not text.endswith("�"):  # a character may take several tokens
            yield text[len(said) :]
            said = text


def continued(
    prompt: str, n: int,
    tau: Number = 0.0, k: int | None = None, p: Number | None = None, seed: int = 0,
) -> str:  # fmt: skip
    """What the model writes after a prompt: at τ = 0 always the same."""
    return "".join(continuing(prompt, n, tau, k, p, seed))


def next_tokens(prompt: str) -> tuple[list[str], Float[Array, " n"]]:
    """Every token with the score that it has to come next."""
    words = tokenizer()
    with torch.no_grad():
        X = model().states(torch.tensor([words.encoded(prompt)], dtype=torch.long))
        scores = model().scores(X[:, -1:])[0, 0].double().numpy()
    return [words.decoded([i]) for i in range(len(scores))], scores


def chat(question: str, system: str = SYSTEM) -> str:
    """A question as the model was trained to be asked it: the text that an answer continues.

    >>> print(chat("Why?", system="Be brief."))
    <|im_start|>system
    Be brief.<|im_end|>
    <|im_start|>user
    Why?<|im_end|>
    <|im_start|>assistant
    <BLANKLINE>
    """
    turns = [("system", system), ("user", question)]
    told = "".join(f"<|im_start|>{role}\n{said}{END}\n" for role, said in turns)
    return f"{told}<|im_start|>assistant\n"
