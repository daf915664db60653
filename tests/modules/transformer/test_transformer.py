"""The transformer against PyTorch's with the same weights, and what must hold of every block."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from firth.transformer.transformer import (
    Attention,
    Decoder,
    DecoderBlock,
    Encoder,
    EncoderBlock,
    LayerNorm,
    causal_mask,
    parameters,
)

B, N, M, D, HEADS, INNER, BLOCKS = 3, 5, 6, 16, 4, 24, 2
EITHER = pytest.mark.parametrize("pre", [False, True], ids=["post", "pre"])


def drawn(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def paired(ours, theirs):
    """Pairs of parameters (ours, a part of theirs) of a block, an attention or a norm."""
    if isinstance(ours, Attention):
        parts = zip(theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3), strict=True)
        for linear, (W, b) in zip((ours.Q, ours.K, ours.V), parts, strict=True):
            yield from [(linear.weight, W), (linear.bias, b)]
        yield from [
            (ours.O.weight, theirs.out_proj.weight),
            (ours.O.bias, theirs.out_proj.bias),
        ]
    elif isinstance(ours, LayerNorm):
        yield from [(ours.g, theirs.weight), (ours.b, theirs.bias)]
    elif isinstance(ours, nn.Linear):
        yield from [(ours.weight, theirs.weight), (ours.bias, theirs.bias)]
    elif isinstance(ours, EncoderBlock | DecoderBlock):
        yield from paired(ours.attention, theirs.self_attn)
        if isinstance(ours, DecoderBlock):
            yield from paired(ours.cross, theirs.multihead_attn)
        yield from paired(ours.feed[0], theirs.linear1)
        yield from paired(ours.feed[-1], theirs.linear2)
        for k, past in enumerate(ours.past, start=1):
            yield from paired(past.norm, getattr(theirs, f"norm{k}"))
    else:
        for block, layer in zip(ours.blocks, theirs.layers, strict=True):
            yield from paired(block, layer)
        if theirs.norm is not None:
            yield from paired(ours.norm, theirs.norm)


@torch.no_grad()
def copied(theirs, ours):
    """PyTorch's weights, all moved away from where they start (norms from 1 and 0), into ours."""
    for k, p in enumerate(theirs.parameters()):
        p.add_(0.3 * drawn(*p.shape, seed=k))
    pairs = list(paired(ours, theirs))
    assert sum(a.numel() for a, _ in pairs) == sum(p.numel() for p in theirs.parameters())
    for a, b in pairs:
        a.copy_(b)
    return ours


def oracle(kind, pre, dropout=0.0):
    name = f"Transformer{kind}"
    layer = getattr(nn, f"{name}Layer")(D, HEADS, INNER, dropout, batch_first=True, norm_first=pre)
    fast = {"enable_nested_tensor": False} if kind == "Encoder" else {}
    norm = nn.LayerNorm(D) if pre else None
    return getattr(nn, name)(layer, BLOCKS, norm, **fast)


def gradients(ours, theirs):
    """The gradients of the copied weights, paired: PyTorch keeps three tables as one."""
    for p in theirs.parameters():
        p.data, p.grad = p.grad, None  # views of the gradients, where there were weights
    return [(a.grad, b.detach()) for a, b in paired(ours, theirs)]


def agree(ours, theirs, *, y, z, G, inputs):
    torch.testing.assert_close(y, z, atol=1e-5, rtol=1e-5)
    ours_in, theirs_in = inputs
    (y * G).sum().backward()
    (z * G).sum().backward()
    for a, b in zip(ours_in, theirs_in, strict=True):
        torch.testing.assert_close(a.grad, b.grad, atol=1e-4, rtol=1e-5)
    for a, b in gradients(ours, theirs):
        torch.testing.assert_close(a, b, atol=1e-4, rtol=1e-4)


def twice(*shape, seed):
    return (drawn(*shape, seed=seed).requires_grad_() for _ in range(2))


# A9: the norm


@given(st.integers(2, 40), st.integers(0, 1000), st.floats(0.1, 50))
@settings(max_examples=40)
def test_A9_every_token_has_mean_0_and_sd_1_over_its_features(d, seed, scale):
    X = scale * (drawn(4, 7, d, seed=seed).double() + 3)
    Z = LayerNorm(d, eps=0.0).double()(X)
    torch.testing.assert_close(Z.mean(-1), torch.zeros(4, 7).double(), atol=1e-9, rtol=0)
    torch.testing.assert_close(Z.std(-1, correction=0), torch.ones(4, 7).double())


def test_A9_a_feature_over_all_tokens_has_neither_and_no_token_hears_of_another():
    X = drawn(2, 7, D) * torch.linspace(0.1, 3, D)
    norm = LayerNorm(D)
    Z = norm(X)
    assert (Z.mean((0, 1)).abs() > 0.05).any() and (Z.std((0, 1)) - 1).abs().max() > 0.3
    changed = X.clone()
    changed[0, 0] += drawn(D, seed=1)
    torch.testing.assert_close(norm(changed)[:, 1:], Z[:, 1:], atol=0, rtol=0)


def test_A9_the_norm_is_torchs_forward_and_backward():
    ours, theirs = LayerNorm(D), nn.LayerNorm(D)
    copied(theirs, ours)
    X, Y = twice(B, N, D, seed=5)
    agree(ours, theirs, y=ours(X), z=theirs(Y), G=drawn(B, N, D, seed=6), inputs=([X], [Y]))


def test_a_vector_of_equal_numbers_becomes_b():
    assert LayerNorm(4)(torch.full((1, 4), 7.0)).tolist() == [[0, 0, 0, 0]]


# A10: PyTorch with the same weights


PADDING = torch.arange(M) < torch.tensor([6, 4, 1])[:, None]  # True: a token, not padding


@EITHER
@pytest.mark.parametrize("masks", ["none", "causal", "padding"])
def test_A10_the_encoder_is_torchs_forward_and_backward(pre, masks):
    theirs = oracle("Encoder", pre)
    ours = copied(theirs, Encoder(D, HEADS, INNER, BLOCKS, pre=pre))
    X, Y = twice(B, M, D, seed=1)
    mine, torchs = {
        "none": (None, {}),
        "causal": (causal_mask(M), {"mask": ~causal_mask(M)}),
        "padding": (PADDING[:, None], {"src_key_padding_mask": ~PADDING}),
    }[masks]
    y, z = ours(X, mine), theirs(Y, **torchs)
    agree(ours, theirs, y=y, z=z, G=drawn(B, M, D, seed=2), inputs=([X], [Y]))


@EITHER
def test_A10_the_decoder_is_torchs_forward_and_backward(pre):
    theirs = oracle("Decoder", pre)
    ours = copied(theirs, Decoder(D, HEADS, INNER, BLOCKS, pre=pre))
    (X, Z), (Y, W) = twice(B, N, D, seed=1), twice(B, M, D, seed=2)
    y = ours(X, Y, causal_mask(N), PADDING[:, None])
    z = theirs(Z, W, tgt_mask=~causal_mask(N), memory_key_padding_mask=~PADDING)
    agree(ours, theirs, y=y, z=z, G=drawn(B, N, D, seed=3), inputs=([X, Y], [Z, W]))


def test_dropout_falls_where_torchs_does():
    theirs = oracle("Encoder", False, dropout=0.5)
    ours = copied(theirs, Encoder(D, HEADS, INNER, BLOCKS, dropout=0.5))
    X, runs = drawn(B, N, D), 800
    with torch.no_grad():
        torch.manual_seed(0)
        a = torch.stack([ours(X) for _ in range(runs)])
        b = torch.stack([theirs(X) for _ in range(runs)])
        noise = (a.var(0) + b.var(0)).div(runs).sqrt()
        assert ((a.mean(0) - b.mean(0)).abs() / noise).max() < 5  # of 240 numbers
        torch.testing.assert_close(a.std(0), b.std(0), atol=0, rtol=0.2)
        assert a.std(0).min() > 0.1
        torch.testing.assert_close(ours.eval()(X), theirs.eval()(X), atol=1e-5, rtol=1e-5)
        assert torch.equal(ours(X), ours(X))


# What holds of attention


def test_the_weights_kept_are_positive_and_each_row_sums_to_1():
    attention = Attention(D, HEADS)
    attention(drawn(B, N, D), drawn(B, M, D, seed=1))
    assert attention.A.shape == (B, HEADS, N, M) and (attention.A >= 0).all()
    torch.testing.assert_close(attention.A.sum(-1), torch.ones(B, HEADS, N))


def test_a_row_that_may_see_nothing_gets_nothing_and_no_gradient_breaks():
    encoder = Encoder(D, HEADS, INNER, BLOCKS)
    X, mask = drawn(B, N, D).requires_grad_(), torch.ones(B, N, N, dtype=torch.bool)
    mask[1] = False
    mask[2, 0] = False
    Z = encoder(X, mask)
    Z.square().sum().backward()
    A = encoder.blocks[0].attention.A
    assert (A[1] == 0).all() and (A[2, :, 0] == 0).all()
    assert (A[2, :, 1:].sum(-1) > 0.999).all() and (A[0].sum(-1) > 0.999).all()
    assert Z.isfinite().all() and X.grad.isfinite().all()
    assert all(p.grad.isfinite().all() for p in encoder.parameters())
    attention = encoder.blocks[0].attention
    nothing = attention(X, X, mask)[1]
    torch.testing.assert_close(nothing, attention.O.bias.expand(N, D))


def test_what_is_masked_does_not_reach_the_output_however_large_it_is():
    decoder = Decoder(D, HEADS, INNER, BLOCKS)
    X, Y = drawn(B, N, D), drawn(B, M, D, seed=1)
    huge = torch.where(PADDING[..., None], Y, torch.tensor(1e4))
    seen = [decoder(X, Z, causal_mask(N), PADDING[:, None]) for Z in (Y, huge)]
    torch.testing.assert_close(*seen, atol=0, rtol=0)


def test_a_decoder_writes_without_looking_ahead():
    decoder = Decoder(D, HEADS, INNER, BLOCKS)
    X, Y = drawn(1, N, D).requires_grad_(), drawn(1, M, D, seed=1)
    for i in range(N):
        (G,) = torch.autograd.grad(decoder(X, Y, causal_mask(N))[0, i].square().sum(), X)
        felt = G[0].abs().sum(-1)
        assert (felt[: i + 1] > 0).all() and (felt[i + 1 :] == 0).all()


@EITHER
def test_an_encoder_without_positions_cannot_tell_one_order_from_another(pre):
    encoder, X = Encoder(D, HEADS, INNER, BLOCKS, pre=pre), drawn(B, M, D)
    order = torch.randperm(M, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(encoder(X[:, order]), encoder(X)[:, order])


def test_attention_is_chapter_4s():
    numpy = pytest.importorskip("firth.attention.attention")
    attention, X, Y = Attention(D, HEADS).double(), drawn(N, D).double(), drawn(M, D).double()
    with torch.no_grad():
        for bias in (p for name, p in attention.named_parameters() if "bias" in name):
            bias.zero_()
        ours = attention(X[None], Y[None])[0]
    weights = [getattr(attention, name).weight.detach().numpy() for name in "QKVO"]
    theirs = numpy.multi_head(X.numpy(), *weights, HEADS, Y=Y.numpy())
    np.testing.assert_allclose(ours.numpy(), theirs, atol=1e-12)


# Counting


def counted(*modules):
    return sum(p.numel() for module in modules for p in module.parameters())


@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 9), st.integers(1, 3),
       st.integers(1, 3), st.booleans())  # fmt: skip
@settings(max_examples=40)
def test_A10_the_formula_counts_what_the_modules_have(heads, width, inner, blocks, more, pre):
    d = heads * width
    encoder = Encoder(d, heads, inner, blocks, pre=pre)
    decoder = Decoder(d, heads, inner, more, pre=pre)
    assert parameters(d, heads, inner, blocks, pre=pre) == counted(encoder)
    assert parameters(d, heads, inner, 0, more, pre=pre) == counted(decoder)
    assert parameters(d, heads, inner, blocks, more, pre, words=7) == counted(
        encoder, decoder, nn.Embedding(7, d)
    )


def test_A10_six_blocks_of_2017_by_hand_by_formula_by_module_and_by_torch():
    attention = 4 * (512 * 512 + 512)
    feed = 512 * 2048 + 2048 + 2048 * 512 + 512
    by_hand = 6 * (attention + feed + 2 * 2 * 512)
    with torch.device("meta"):
        ours = Encoder(512, 8, 2048, 6)
        theirs = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(512, 8, 2048), 6, enable_nested_tensor=False
        )
    assert by_hand == parameters(512, 8, 2048, 6) == counted(ours) == counted(theirs) == 18_914_304


def test_A10_no_two_blocks_share_weights():
    encoder = Encoder(D, HEADS, INNER, blocks=6)
    places = [p.data_ptr() for p in encoder.parameters()]
    assert len(set(places)) == len(places) == 6 * 16
    before = [p.clone() for block in encoder.blocks[1:] for p in block.parameters()]
    encoder(drawn(B, N, D)).square().sum().backward()
    with torch.no_grad():
        for p in encoder.blocks[0].parameters():
            p -= p.grad
    after = [p for block in encoder.blocks[1:] for p in block.parameters()]
    assert all(map(torch.equal, before, after))


@pytest.mark.parametrize(("d", "heads", "blocks", "total"),
                         [(768, 12, 12, 109_482_240), (1024, 16, 24, 335_141_888)])  # fmt: skip
def test_B4_berts_two_sizes_are_the_encoder_its_embeddings_and_its_pooler(d, heads, blocks, total):
    rows = 30_522 + 512 + 2  # words, positions, and which of two texts: all learned
    norm, pooler = 2 * d, d * d + d
    assert parameters(d, heads, 4 * d, blocks, words=rows) + norm + pooler == total


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Encoder(10, 3, 8, 1), "10 features cannot be shared out among 3 heads"),
        (lambda: Encoder(8, 0, 8, 1), "8 features cannot be shared out among 0 heads"),
        (lambda: Decoder(8, 2, 8, 0), "1 block"),
        (lambda: Encoder(8, 2, 0, 1), "1 inner feature"),
        (lambda: parameters(10, 3, 8, 1), "among 3 heads"),
        (lambda: Encoder(8, 2, 8, 1)(drawn(2, 5, 6)), "has 6 features, and the blocks .* for 8"),
        (lambda: Decoder(8, 2, 8, 1)(drawn(2, 5, 8), drawn(2, 5, 6)), "has 6 features"),
        (lambda: Decoder(8, 2, 8, 1)(drawn(2, 5, 8), drawn(3, 5, 8)), "2 texts .* and 3 to read"),
        (
            lambda: Encoder(8, 2, 8, 1)(drawn(2, 5, 8), causal_mask(4)),
            r"mask of \(4, 4\) says nothing of 5 tokens that look at 5 in 2 texts",
        ),
        (
            lambda: Encoder(8, 2, 8, 1)(drawn(2, 5, 8), causal_mask(5).expand(3, 5, 5)),
            r"mask of \(3, 5, 5\) says nothing",
        ),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(make, says):
    with pytest.raises(ValueError, match=says) as refused:
        make()
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 150
