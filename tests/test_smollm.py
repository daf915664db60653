"""SmolLM2 in our own hands: the scores of the transformers library, and what it says."""

import json

import numpy as np
import pytest
import torch

from benchmarks import few_shot, kv_cache
from firth import smollm
from firth.gpt import GPT, parameters
from firth.store import fetch

PROMPTS = [
    "The capital of France is", "Once upon a time", "Hello", "2 + 2 =", "def fibonacci(n):\n    ",
    "The doctor said that", "I want to buy a", "\n\n", "Zürich liegt in der", "日本の首都は", "🙂",
    "To be, or not to be, that is the", "In 1969, men first walked on the", "a",
    "Q: What is the opposite of hot?\nA:", "The cat sat on the", "E = mc", "<|im_start|>user\nHi",
    "The quick brown fox jumps over the lazy dog. " * 12,
    smollm.chat("Recite the first law of robotics."),
]  # fmt: skip


@pytest.fixture(scope="module")
def peer():
    """The library's model, from the same file by the library's own reader."""
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("gguf")
    from transformers.modeling_gguf_pytorch_utils import load_gguf_checkpoint

    path = fetch("smollm")
    config = transformers.AutoConfig.from_pretrained(path.parent, gguf_file=path.name)
    with torch.device("meta"):
        empty = transformers.LlamaForCausalLM(config)
    net = transformers.LlamaForCausalLM(config).eval()
    read = load_gguf_checkpoint(str(path), return_tensors=True, model_to_load=empty)["tensors"]
    missing, unknown = net.load_state_dict(read, strict=False)
    assert set(missing) <= {"lm_head.weight"} and not unknown  # the same table as the tokens'
    net.tie_weights()
    return net


def test_its_shape_is_that_of_the_file():
    facts = {name.partition(".")[2]: fact for name, fact in smollm.file().facts.items()}
    shape = smollm.SHAPE
    assert (shape.n, shape.d, shape.blocks) == (
        facts["vocab_size"],
        facts["embedding_length"],
        facts["block_count"],
    )
    assert (shape.heads, shape.kv_heads) == (
        facts["attention.head_count"],
        facts["attention.head_count_kv"],
    )
    assert (shape.inner, shape.context) == (facts["feed_forward_length"], facts["context_length"])
    assert shape.base == facts["rope.freq_base"] and shape.e == facts["rope.dimension_count"]
    assert shape.eps == pytest.approx(facts["attention.layer_norm_rms_epsilon"])
    assert parameters(shape) == 134_515_008


@pytest.mark.night
def test_its_scores_are_the_librarys_on_twenty_prompts(peer):
    assert len(PROMPTS) == 20
    for prompt in PROMPTS:
        ids = torch.tensor([smollm.tokenizer().encoded(prompt)])
        with torch.no_grad():
            mine, right = smollm.model()(ids), peer(ids).logits
        torch.testing.assert_close(mine, right, atol=1e-3, rtol=0)


@pytest.mark.night
def test_it_goes_on_as_the_library_does(peer):
    prompt = "The capital of France is"
    ids = smollm.tokenizer().encoded(prompt)
    right = peer.generate(
        torch.tensor([ids]), max_new_tokens=12, do_sample=False, pad_token_id=2,
        attention_mask=torch.ones(1, len(ids)),
    )  # fmt: skip
    text = smollm.tokenizer().decoded(right[0, len(ids) :].tolist())
    assert smollm.continued(prompt, 12) == text
    assert text.startswith(" Paris.")


def test_the_chat_form_is_the_files_own():
    template = smollm.file().facts["tokenizer.chat_template"]
    jinja2 = pytest.importorskip("jinja2")
    filled = jinja2.Template(template).render(
        messages=[{"role": "user", "content": "Why?"}], add_generation_prompt=True
    )
    assert smollm.chat("Why?") == filled


def test_next_tokens_are_ordered_as_the_vocabulary_and_scored_as_by_the_model():
    tokens, scores = smollm.next_tokens("The capital of France is")
    assert len(tokens) == len(scores) == 49152 and np.isfinite(scores).all()
    assert tokens[scores.argmax()] == " Paris"


def test_what_is_written_comes_piece_by_piece_and_no_character_in_halves():
    prompt = "Emoji: 🙂 🙃 🙂 🙃 🙂"
    pieces = list(smollm.continuing(prompt, 8))
    assert "".join(pieces) == smollm.continued(prompt, 8)
    assert not any("�" in piece for piece in pieces)


def test_a_seed_draws_the_same_text_again():
    texts = [smollm.continued("I like", 6, tau=1.0, k=50, seed=seed) for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


def test_an_empty_prompt_is_refused():
    with pytest.raises(ValueError, match="The prompt is empty"):
        smollm.continued("", 3)


def test_nothing_is_learned_and_nothing_is_held_twice():
    net = smollm.model()
    assert isinstance(net, GPT) and net is smollm.model()
    assert not any(weight.requires_grad for weight in net.parameters())
    assert sum(weight.numel() for weight in net.parameters()) == 134_515_008


# What is stored


def stored(benchmark):
    return json.loads(benchmark.FILE.read_text(encoding="utf-8"))["rows"]


def test_stored_answers_are_counted_right_and_no_example_is_a_question():
    rows = stored(few_shot)
    assert len(rows) == len(few_shot.TASKS) * 2 * (1 + 2 * few_shot.SEEDS)
    for row in rows:
        questions, solved = few_shot.material(row["task"], row["seed"])
        wanted = [answer for _, answer in questions]
        assert row["right"] == sum(map(few_shot.begins, row["answers"], wanted))
        assert row["of"] == len(questions) == len(row["answers"]) == 20
        assert all(f"{word}: {answer}\n" in row["head"] for word, answer in solved[: row["shots"]])
        assert not {word for word, _ in solved} & {word for word, _ in questions}


def test_with_a_cache_every_stored_length_is_cheaper_and_the_longer_the_more():
    middle = [
        {way: sorted(seconds)[len(seconds) // 2] for way, seconds in row["seconds"].items()}
        for row in stored(kv_cache)
    ]
    saved = [row["without"] / row["with"] for row in middle]
    assert saved == sorted(saved) and saved[0] > 1
    for row in stored(kv_cache):  # 2 tables × 30 blocks × 3 heads × 64 features × 4 bytes
        assert row["cache_megabytes"] == pytest.approx(row["length"] * 46080 / 1e6, abs=1e-3)
