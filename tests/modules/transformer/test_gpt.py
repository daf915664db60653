"""The decoder alone: the transformers library's numbers, counts by hand, and nothing from later."""

import re
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from firth.transformer.gpt import GPT, GPT_2, Block, Cache, Shape, parameters
from firth.transformer.positional_encoding import positions
from firth.transformer.text_generation import continued

SMALL = Shape(n=23, d=24, blocks=3, heads=4, inner=40, context=17)
LLAMA = replace(
    SMALL, kv_heads=2, norm="rms", position="rotary", feed="swiglu", bias=False, base=500.0
)
KINDS = [
    SMALL,
    LLAMA,
    replace(SMALL, position="sinusoidal", feed="relu", tied=False),
    replace(SMALL, norm="rms", kv_heads=1, position="rotary"),
]


@st.composite
def shapes(draw):
    kv, group, half = (draw(st.integers(1, 3)) for _ in range(3))
    return Shape(
        n=draw(st.integers(1, 30)),
        d=kv * group * 2 * half,
        blocks=draw(st.integers(1, 3)),
        heads=kv * group,
        inner=draw(st.integers(1, 20)),
        context=draw(st.integers(1, 12)),
        kv_heads=draw(st.sampled_from([kv, None])),
        norm=draw(st.sampled_from(["layer", "rms"])),
        position=draw(st.sampled_from(["learned", "sinusoidal", "rotary", "none"])),
        feed=draw(st.sampled_from(["gelu", "relu", "swiglu"])),
        bias=draw(st.booleans()),
        tied=draw(st.booleans()),
    )


def made(shape, seed=0, double=True):
    """A network whose every number is drawn, norms and biases too."""
    torch.manual_seed(seed)
    net = GPT(shape)
    for weight in net.parameters():
        torch.nn.init.normal_(weight, std=0.3)
    return net.double() if double else net


def drawn(shape, B=2, T=9, seed=0):
    return torch.tensor(np.random.default_rng(seed).integers(shape.n, size=(B, T)))


# What it is the same as


WEIGHTS = ("attn.weight", "proj.weight", "fc.weight")  # the library's tables lie on their side


def fill(table, weight):
    with torch.no_grad():
        table.copy_(weight)


def test_gpt2_is_the_librarys_forward_and_backward():
    transformers = pytest.importorskip("transformers")
    net = made(SMALL)
    config = transformers.GPT2Config(
        vocab_size=SMALL.n, n_embd=SMALL.d, n_layer=SMALL.blocks, n_head=SMALL.heads,
        n_inner=SMALL.inner, n_positions=SMALL.context, attn_implementation="eager",
        resid_pdrop=0, embd_pdrop=0, attn_pdrop=0,
    )  # fmt: skip
    peer = transformers.GPT2LMHeadModel(config).double()
    pairs = [("wte.weight", net.tokens.weight), ("wpe.weight", net.places.weight)]
    pairs += [("ln_f.weight", net.norm.weight), ("ln_f.bias", net.norm.bias)]
    for i, b in enumerate(net.blocks):
        for kind in ("weight", "bias"):
            tables = (b.Q, b.K, b.V, b.O, b.up, b.down)
            *QKV, O, up, down = (getattr(table, kind) for table in tables)  # noqa: E741
            tables = {
                "ln_1": getattr(b.norm_1, kind), "ln_2": getattr(b.norm_2, kind),
                "attn.c_attn": torch.cat(QKV), "attn.c_proj": O,
                "mlp.c_fc": up, "mlp.c_proj": down,
            }  # fmt: skip
            pairs += [(f"h.{i}.{name}.{kind}", table) for name, table in tables.items()]
    theirs = dict(peer.transformer.named_parameters())
    assert set(theirs) == {name for name, _ in pairs}
    for name, table in pairs:
        fill(theirs[name], table.T if name.endswith(WEIGHTS) else table)
    ids = drawn(SMALL)
    right = peer(ids).logits
    torch.testing.assert_close(net(ids), right, atol=1e-10, rtol=0)
    for scores in (net(ids), right):
        scores.square().sum().backward()
    for name, table in [("wte.weight", net.tokens), ("wpe.weight", net.places)]:
        torch.testing.assert_close(table.weight.grad, theirs[name].grad, atol=1e-8, rtol=1e-8)
    b = net.blocks[1]
    mixed = torch.cat([b.Q.weight.grad, b.K.weight.grad, b.V.weight.grad]).T
    torch.testing.assert_close(mixed, theirs["h.1.attn.c_attn.weight"].grad, atol=1e-8, rtol=1e-8)
    torch.testing.assert_close(
        b.down.weight.grad.T, theirs["h.1.mlp.c_proj.weight"].grad, atol=1e-8, rtol=1e-8
    )


def in_halves(weight, e):
    """Rows of each head as Llama's library has them: the first of every pair, then the second."""
    rows = weight.unflatten(0, (-1, e // 2, 2)).transpose(1, 2)
    return rows.reshape(weight.shape)


@pytest.mark.parametrize("kv", [1, 2, 4])
@pytest.mark.parametrize("tied", [True, False])
def test_llama_is_the_librarys_forward_and_backward(kv, tied):
    transformers = pytest.importorskip("transformers")
    shape = replace(LLAMA, kv_heads=kv, tied=tied)
    net = made(shape)
    config = transformers.LlamaConfig(
        vocab_size=shape.n, hidden_size=shape.d, num_hidden_layers=shape.blocks,
        num_attention_heads=shape.heads, num_key_value_heads=kv, intermediate_size=shape.inner,
        max_position_embeddings=shape.context, rms_norm_eps=shape.eps, tie_word_embeddings=tied,
        rope_parameters={"rope_theta": shape.base, "rope_type": "default"},
        attn_implementation="eager",
    )  # fmt: skip
    peer = transformers.LlamaForCausalLM(config).double()
    theirs = dict(peer.named_parameters())
    pairs = {"model.embed_tokens.weight": net.tokens.weight, "model.norm.weight": net.norm.weight}
    if not tied:
        pairs["lm_head.weight"] = net.out.weight
    for i, b in enumerate(net.blocks):
        tables = {
            "input_layernorm": b.norm_1, "post_attention_layernorm": b.norm_2,
            "self_attn.q_proj": b.Q, "self_attn.k_proj": b.K, "self_attn.v_proj": b.V,
            "self_attn.o_proj": b.O, "mlp.up_proj": b.up, "mlp.gate_proj": b.gate,
            "mlp.down_proj": b.down,
        }  # fmt: skip
        for name, module in tables.items():
            weight = module.weight
            weight = in_halves(weight, shape.e) if name[-6:] in ("q_proj", "k_proj") else weight
            pairs[f"model.layers.{i}.{name}.weight"] = weight
    assert set(theirs) == set(pairs)
    for name, table in pairs.items():
        fill(theirs[name], table)
    ids = drawn(shape)
    right = peer(ids).logits
    # The library makes its angles in single precision.
    torch.testing.assert_close(net(ids), right, atol=1e-5, rtol=1e-5)
    for scores in (net(ids), right):
        scores.square().mean().backward()
    layer = "model.layers.1."
    for mine, name in [
        (net.tokens.weight.grad, "model.embed_tokens.weight"),
        (in_halves(net.blocks[1].K.weight.grad, shape.e), layer + "self_attn.k_proj.weight"),
        (net.blocks[1].gate.weight.grad, layer + "mlp.gate_proj.weight"),
        (net.blocks[1].norm_2.weight.grad, layer + "post_attention_layernorm.weight"),
    ]:
        torch.testing.assert_close(mine, theirs[name].grad, atol=1e-5, rtol=1e-4)


def test_sinusoidal_places_are_added_to_the_tokens():
    shape = replace(SMALL, position="sinusoidal")
    net, ids = made(shape), drawn(shape)
    learned = made(SMALL)
    learned.load_state_dict(
        {**net.state_dict(), "places.weight": torch.tensor(positions(17, 24))}, strict=True
    )
    torch.testing.assert_close(net(ids), learned(ids))


# A13


@given(shapes())
@settings(max_examples=60, deadline=None, derandomize=True, database=None)
def test_A13_parameters_counted_by_hand_are_those_of_the_module(shape):
    with torch.device("meta"):
        net = GPT(shape)
    assert parameters(shape) == sum(weight.numel() for weight in net.parameters())


@pytest.mark.parametrize(
    ("name", "millions", "deck"),
    [("small", 124.4, 117), ("medium", 354.8, 345), ("large", 774.0, 762), ("XL", 1557.6, 1500)],
)
def test_A13_gpt2s_sizes_from_its_configurations(name, millions, deck):
    shape = GPT_2[name]
    assert round(parameters(shape) / 1e6, 1) == millions != deck
    with torch.device("meta"):
        assert sum(weight.numel() for weight in GPT(shape).parameters()) == parameters(shape)


# A11


@pytest.mark.parametrize("shape", KINDS)
def test_A11_no_place_hears_of_a_later_one(shape):
    net, ids = made(shape), drawn(shape, B=1, T=7)
    X = net.tokens(ids).detach().requires_grad_()
    net.tokens.register_forward_hook(lambda *_: X)
    scores = net(ids)
    for i in range(7):
        (slopes,) = torch.autograd.grad(scores[0, i].square().sum(), X, retain_graph=True)
        assert (slopes[0, i + 1 :] == 0).all()
        assert (slopes[0, : i + 1] != 0).any(-1).all()


# The cache


@given(
    st.sampled_from(KINDS),
    st.lists(st.integers(1, 6), min_size=1, max_size=5),
    st.integers(0, 99),
)
@settings(max_examples=40, deadline=None, derandomize=True, database=None)
def test_with_a_cache_chunks_of_any_size_give_the_scores_of_the_whole(shape, chunks, seed):
    chunks = chunks if sum(chunks) <= shape.context else chunks[:1]
    net, ids, cache = made(shape, seed), drawn(shape, T=sum(chunks), seed=seed), Cache()
    parts = [net(piece, cache) for piece in ids.split(chunks, dim=1)]
    assert len(cache) == ids.shape[1]
    torch.testing.assert_close(torch.cat(parts, dim=1), net(ids), atol=1e-9, rtol=1e-9)


def test_a_cache_of_shared_keys_is_smaller_by_that_factor():
    def kept(shape):
        cache = Cache()
        made(shape)(drawn(shape), cache)
        return sum(K.numel() + V.numel() for K, V in cache.blocks.values())

    assert kept(replace(LLAMA, kv_heads=4)) == 4 * kept(replace(LLAMA, kv_heads=1))


def test_a_gradient_goes_through_a_cache():
    net, ids, cache = made(LLAMA), drawn(LLAMA), Cache()
    net(ids[:, :4], cache)
    net(ids[:, 4:], cache)[:, -1].sum().backward()
    mine = net.blocks[0].V.weight.grad.clone()
    net.zero_grad()
    net(ids)[:, -1].sum().backward()
    torch.testing.assert_close(mine, net.blocks[0].V.weight.grad)


# What each part says it does


def test_rotary_scores_depend_on_the_distance_alone():
    shape = replace(LLAMA, blocks=1)
    block, X = Block(shape).double(), torch.randn(1, 5, 24, dtype=torch.float64)

    def mixed(start):
        turn = torch.tensor(positions(start + 5, shape.e, shape.base)[start:])
        turn = torch.stack([turn[:, 1::2], turn[:, 0::2]])
        mask = torch.full((5, 5), -torch.inf).triu(1).repeat(2, 1).double()
        return block.mixed(X, 0, mask, turn, None)

    torch.testing.assert_close(mixed(0), mixed(7))


def test_a_model_begins_as_gpt2_does():
    torch.manual_seed(0)
    net = GPT(replace(SMALL, d=256, inner=512, n=500))
    assert net.tokens.weight.std().item() == pytest.approx(0.02, rel=0.03)
    for b in net.blocks:
        assert b.up.weight.std().item() == pytest.approx(0.02, rel=0.03)
        for table in (b.O, b.down):
            assert table.weight.std().item() == pytest.approx(0.02 / 6**0.5, rel=0.03)
            assert not table.bias.any()
    ids = drawn(net.shape)
    assert net(ids).std() < 1  # so that no token is favoured at first


@pytest.mark.parametrize("shape", KINDS)
def test_it_learns_a_text_by_heart(shape):
    torch.manual_seed(0)
    net, ids = GPT(shape), drawn(shape, B=1, T=12)
    adam = torch.optim.Adam(net.parameters(), lr=1e-2)
    for _ in range(80):
        scores = net(ids[:, :-1])
        loss = torch.nn.functional.cross_entropy(scores[0], ids[0, 1:])
        adam.zero_grad()
        loss.backward()
        adam.step()
    assert loss < 0.1
    assert list(continued(net, ids[0, :2].tolist(), 10, tau=0)) == ids[0, 2:].tolist()


# Continuing


def slowly(net, ids, n):
    """Greedy, without a cache."""
    ids = list(ids)
    for _ in range(n):
        ids.append(net(torch.tensor([ids]))[0, -1].argmax().item())
    return ids[-n:]


@pytest.mark.parametrize("shape", KINDS)
def test_greedy_continuation_is_the_slow_one(shape):
    net = made(shape)
    assert list(continued(net, [3, 1], 15, tau=0)) == slowly(net, [3, 1], 15)


def test_a_full_context_is_forgotten_by_halves():
    net = made(SMALL)
    ids = list(continued(net, [5], 30, tau=0))
    whole = [5, *ids]
    assert len(ids) == 30
    # 17 places: after them, the last 8 of what was read begin anew.
    assert ids[17:26] == slowly(net, whole[10:18], 9)


def test_a_seed_draws_the_same_and_another_seed_something_else():
    net = made(SMALL)
    texts = [tuple(continued(net, [1], 12, tau=3.0, seed=seed)) for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


# Bad input


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: replace(SMALL, heads=5), "24 features do not divide evenly among 5 heads"),
        (lambda: replace(SMALL, kv_heads=3), "4 heads cannot share 3 heads of keys"),
        (lambda: replace(SMALL, blocks=0), "1 or more"),
        (lambda: replace(SMALL, kv_heads=0), "1 or more"),
        (lambda: replace(LLAMA, d=12, heads=4, kv_heads=4), "pairs"),
        (lambda: made(SMALL)(drawn(SMALL, T=18)), "18 tokens do not fit the context of 17"),
        (lambda: made(SMALL)(drawn(SMALL, T=0)), "prompt is empty"),
        (lambda: list(continued(made(SMALL), [], 3)), "prompt is empty"),
        (lambda: list(continued(made(SMALL), [1] * 18, 3)), "18 tokens do not fit"),
        (lambda: made(SMALL)(torch.tensor([[23]])), "ids are 0 … 22"),
        (lambda: made(SMALL)(torch.tensor([[-1]])), "ids are 0 … 22"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(make, says):
    with pytest.raises(ValueError, match=re.escape(says)) as refused:
        make()
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 120


def test_a_cache_is_for_the_texts_it_has_read():
    net, cache = made(SMALL), Cache()
    net(drawn(SMALL), cache)
    with pytest.raises(ValueError, match="take a fresh one"):
        net(drawn(SMALL, B=1, T=1), cache)
    with pytest.raises(ValueError, match="do not fit"):
        net(drawn(SMALL), cache)


def test_a_full_cache_is_not_written_over():
    net, cache = made(SMALL), Cache()
    net(drawn(SMALL), cache)
    before = cache.blocks[0][0].clone()
    net(drawn(SMALL, T=2), cache)
    torch.testing.assert_close(cache.blocks[0][0][:, :9], before)
