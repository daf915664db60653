"""BERT in our own hands: the library's states and attentions, from random and from real weights."""

import json

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from parts import by_day

from firth.bert import bert, minilm
from firth.store import corpora
from firth.store.downloads import fetch
from firth.transformer import transformer

SMALL = bert.Shape(words=50, d=16, heads=4, inner=24, blocks=3, places=12)


def library(shape: bert.Shape, kind: str = "BertModel"):
    """The library's model of that shape, with random weights."""
    transformers = pytest.importorskip("transformers")
    config = transformers.BertConfig(
        vocab_size=shape.words, hidden_size=shape.d, num_attention_heads=shape.heads,
        intermediate_size=shape.inner, num_hidden_layers=shape.blocks,
        max_position_embeddings=shape.places, type_vocab_size=shape.segments,
        layer_norm_eps=shape.eps, attn_implementation="eager",
    )  # fmt: skip
    torch.manual_seed(0)
    return getattr(transformers, kind)(config).eval()


def tables(net) -> dict:
    """The weights of a library's encoder by our names."""
    state = {name.removeprefix("bert."): w for name, w in net.state_dict().items()}
    wanted = ("embeddings", "encoder", "pooler")
    return {
        minilm.renamed(name): w
        for name, w in state.items()
        if name.startswith(wanted) and not name.endswith("position_ids")
    }


@pytest.fixture(scope="module")
def peer():
    """The library's encoder with MiniLM's weights."""
    net = library(bert.MINILM)
    ours = minilm.weights(fetch("minilm"))
    names = {minilm.renamed(n): n for n in net.state_dict() if not n.endswith("position_ids")}
    net.load_state_dict({names[name]: w for name, w in ours.items()}, strict=False)
    assert set(names) == set(ours)
    return net


def sentences(n: int) -> list[str]:
    """Questions that people have asked about passages of Wikipedia, and some that nobody would."""
    data = json.loads(fetch("squad_dev").read_text(encoding="utf-8"))["data"]
    asked = [q["question"] for a in data for p in a["paragraphs"] for q in p["qas"]]
    strange = ["a", "", "🙂 naïve café", "日本の首都", "word " * 300, corpora.passage()]
    return asked[:: len(asked) // n][: n - len(strange)] + strange


@pytest.mark.parametrize("n", by_day([20, 100], lambda n: n == 20))
def test_states_and_attentions_of_a_hundred_sentences_are_the_librarys(peer, n):
    texts = sentences(n)
    assert len(texts) == n
    for few in (texts[i : i + 20] for i in range(0, n, 20)):  # unequal lengths: padded batches
        ids, segments, mask = minilm.batch(few)
        with torch.no_grad():
            right = peer(
                ids, token_type_ids=segments, attention_mask=mask.long(),
                output_hidden_states=True, output_attentions=True,
            )  # fmt: skip
        mine = minilm.model().layers(ids, segments, mask)
        for X, Y in zip(mine, right.hidden_states, strict=True):
            torch.testing.assert_close(X[mask], Y[mask], atol=1e-5, rtol=0)
        for A, Y in zip(minilm.model().attentions(), right.attentions, strict=True):
            A, Y = (heads.transpose(1, 2)[mask] for heads in (A, Y))  # rows of tokens, not padding
            torch.testing.assert_close(A, Y, atol=1e-5, rtol=0)
        pooled = minilm.model().pooled(mine[-1])
        torch.testing.assert_close(pooled, right.pooler_output, atol=1e-5, rtol=0)


def test_two_texts_with_their_segments_are_read_as_by_the_library(peer):
    ids, segments = map(torch.tensor, minilm.words().encoded("Who wrote it?", "Ada wrote it."))
    ids, segments = ids[None], segments[None]
    assert segments.sum() > 3
    with torch.no_grad():
        right = peer(ids, token_type_ids=segments).last_hidden_state
    torch.testing.assert_close(minilm.model()(ids, segments), right, atol=1e-5, rtol=0)
    assert not torch.allclose(minilm.model()(ids), right, atol=1e-2)  # segments matter


def test_a_text_is_the_same_alone_and_in_a_padded_batch():
    ids, segments, mask = minilm.batch(["short", "a text that is somewhat longer than the other"])
    X = minilm.model()(ids, segments, mask)
    alone = minilm.model()(ids[:1, :3])
    torch.testing.assert_close(X[0, :3], alone[0], atol=1e-5, rtol=0)
    assert (minilm.model().attentions()[:, 0, :, :, 3:] == 0).all()  # nobody looks at padding


def test_the_head_gives_the_librarys_scores():
    net = library(SMALL, "BertForMaskedLM")
    mine = bert.Blanks(SMALL).eval()
    head = {
        "dense.weight": "cls.predictions.transform.dense.weight",
        "dense.bias": "cls.predictions.transform.dense.bias",
        "norm.g": "cls.predictions.transform.LayerNorm.weight",
        "norm.b": "cls.predictions.transform.LayerNorm.bias",
        "bias": "cls.predictions.bias",
    }
    state = net.state_dict()
    with torch.no_grad():
        state[head["bias"]].normal_()
        state[head["norm.b"]].normal_()
    ours = {name: state[theirs] for name, theirs in head.items()}
    ours |= {f"bert.{name}": w for name, w in tables(net).items()}
    missing, unknown = mine.load_state_dict(ours, strict=False)
    assert not unknown and set(missing) == {"bert.pool.weight", "bert.pool.bias"}
    ids = torch.randint(0, SMALL.words, (3, 9))
    with torch.no_grad():
        torch.testing.assert_close(mine.scores(mine.bert(ids)), net(ids).logits)


@pytest.mark.parametrize("shape", [SMALL, bert.MINILM, bert.BASE, bert.LARGE])
def test_parameters_are_those_of_the_module_and_of_the_library(shape):
    with torch.device("meta"):
        ours, theirs = bert.BERT(shape), library(shape)
    count = lambda net: sum(w.numel() for w in net.parameters())  # noqa: E731
    assert bert.parameters(shape) == count(ours) == count(theirs)


def test_its_blocks_are_those_of_chapter_5_with_a_softer_bend():
    net = bert.BERT(SMALL)
    assert isinstance(net.encoder, transformer.Encoder)
    assert all(isinstance(block.feed[1], torch.nn.GELU) for block in net.encoder.blocks)
    norms = [part for part in net.modules() if isinstance(part, transformer.LayerNorm)]
    assert len(norms) == 1 + 2 * SMALL.blocks and all(norm.eps == 1e-12 for norm in norms)


@settings(max_examples=20)
@given(st.integers(1, 12), st.integers(0, 11), st.integers(0, 49))
def test_every_token_sees_every_other(n, i, word):
    net = bert.BERT(SMALL).eval()
    ids = torch.randint(0, 50, (1, n), generator=torch.Generator().manual_seed(n))
    other = ids.clone()
    other[0, i % n] = (ids[0, i % n] + 1 + word % 49) % 50
    with torch.no_grad():
        changed = (net(ids) - net(other)).abs().amax(dim=-1)
    assert (changed > 0).all()


@pytest.mark.parametrize(
    ("ids", "sentence"),
    [
        (torch.zeros(1, 13, dtype=torch.long), "13 tokens do not fit 12 places"),
        (torch.tensor([[50]]), "An id lies outside of the vocabulary: ids are 0 … 49"),
        (torch.zeros(1, 0, dtype=torch.long), "There is no token to read"),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(ids, sentence):
    with pytest.raises(ValueError, match=sentence):
        bert.BERT(SMALL)(ids)


def test_a_mask_of_another_shape_is_refused():
    with pytest.raises(ValueError, match="A mask of"):
        bert.BERT(SMALL)(torch.zeros(2, 5, dtype=torch.long), None, torch.ones(2, 4) > 0)


def test_no_text_and_an_unknown_pooling_are_refused():
    with pytest.raises(ValueError, match="There is no text to read"):
        minilm.batch([])
    with pytest.raises(ValueError, match="mean, max or cls"):
        minilm.pooled(torch.zeros(1, 2, 3), torch.ones(1, 2) > 0, "sum")


@pytest.mark.parametrize("pooling", ["mean", "cls", "max"])
def test_vectors_do_not_hang_on_what_else_is_read(pooling):
    texts = ["Rain.", "It rained all day in the north.", "Snow.", "A cat sat there."]
    together = minilm.vectors(texts, pooling)
    alone = np.concatenate([minilm.vectors([text], pooling) for text in texts])
    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_mean_pooling_is_the_mean_of_a_texts_own_tokens():
    pieces, states, _ = minilm.layers("Never coming back!")
    assert pieces == ["[CLS]", "never", "coming", "back", "!", "[SEP]"]
    V = minilm.vectors(["Never coming back!", "a much longer text than the first one was"])
    np.testing.assert_allclose(V[0], states[-1].mean(axis=0), atol=1e-5)


def test_layers_give_states_and_heads_of_every_block():
    pieces, states, heads = minilm.layers("the bank", "of the river")
    assert states.shape == (7, 8, 384) and heads.shape == (6, 12, 8, 8)
    assert pieces.count("[SEP]") == 2
    np.testing.assert_allclose(heads.sum(axis=-1), 1, atol=1e-6)
