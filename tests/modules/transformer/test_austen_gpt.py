"""The letter model on Jane Austen: against slow loops, and against what its script has stored."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.transformer import baselines
from firth.store.results import stored_result
from firth.transformer import austen_gpt
from firth.transformer.austen_gpt import (
    ALPHABET,
    copied,
    habits,
    ids,
    live,
    looks,
    loss,
    net,
    targets,
    written,
)
from firth.transformer.gpt import GPT, Shape, parameters

TINY = Shape(n=len(ALPHABET), d=8, blocks=2, heads=2, inner=16, context=8)
letters = st.text(alphabet=ALPHABET, min_size=1, max_size=40)
few = st.text(alphabet="ab c", max_size=25)


def tiny(seed=0):
    torch.manual_seed(seed)
    gpt = GPT(TINY).double()
    for weight in gpt.parameters():  # larger, so that no two letters are alike
        torch.nn.init.normal_(weight, std=0.5)
    return gpt.requires_grad_(False)


# The text


def test_the_three_parts_are_the_novels_in_the_letters_of_the_alphabet():
    train, held, test = austen_gpt.text()
    assert train.startswith("Emma Woodhouse, handsome, clever, and rich, with a comfortable home")
    assert held.startswith("Sir Walter Elliot, of Kellynch Hall, in Somersetshire")
    assert test.endswith("than in its national importance.\n")
    assert set(train + held + test) <= set(ALPHABET) and len(set(ALPHABET)) == len(ALPHABET)
    assert abs(len(held) - len(test)) < 0.02 * len(test) and len(train) > 1_500_000


def test_no_heading_is_left_and_no_line_that_only_looks_like_one_is_lost():
    train, held, test = austen_gpt.text()
    assert not [line for line in (train + held + test).split("\n") if line.startswith("CHAPTER")]
    assert (
        austen_gpt.cleaned("until\nthe end of\nthe chapter\n") == "until the end of the chapter\n"
    )


def test_no_long_stretch_of_the_test_stands_in_what_was_learned_from():
    train, _, test = austen_gpt.text()
    assert not [i for i in range(0, len(test) - 100, 500) if test[i : i + 100] in train]


# The network


def test_the_shipped_network_has_the_parameters_that_its_shape_counts():
    assert sum(w.numel() for w in net().parameters()) == parameters(net().shape)
    assert stored_result("transformer/austen_gpt")["alphabet"] == list(ALPHABET)
    assert net().shape.n == len(ALPHABET) and austen_gpt.FILE.stat().st_size < 900_000


@given(letters)
@settings(max_examples=20, deadline=None)
def test_single_precision_scores_as_double_does(text):
    x = ids(text)[None]
    apart = net()(x).double() - net(torch.float64)(x)
    assert apart.abs().max() < 1e-3


@given(st.text(alphabet=ALPHABET, min_size=2, max_size=40))
@settings(deadline=None, max_examples=15)
def test_the_loss_is_the_mean_surprise_of_a_slow_loop(text):
    gpt, x, half, surprises = tiny(), ids(text), TINY.context // 2, []
    for i in range(1, len(x)):
        start = 0 if i <= TINY.context else (i - 1 - half) // half * half
        seen = gpt(x[None, start:i])[0, -1].log_softmax(-1)
        surprises.append(-seen[x[i]].item())
    assert loss(gpt, text) == pytest.approx(np.mean(surprises), rel=1e-9)


def test_the_loss_of_many_windows_is_that_of_few():
    gpt, text = tiny(), austen_gpt.text()[1][:700]  # more windows than one batch takes
    whole = loss(gpt, text) * (len(text) - 1)
    half, cut = TINY.context // 2, 352
    first = loss(gpt, text[: cut + 1]) * cut
    rest = text[cut - half :]  # begins with half a context that is read, and not counted
    slow = sum(
        -gpt(ids(rest[s : s + i])[None])[0, -1].log_softmax(-1)[ids(rest[s + i])[0]].item()
        for s in range(0, len(rest) - half - 1, half)
        for i in range(half + 1, min(2 * half, len(rest) - 1 - s) + 1)
    )
    assert whole == pytest.approx(first + slow, rel=1e-9)


# Writing


@given(letters, st.integers(0, 30), st.sampled_from([0.0, 0.7, 1.3]), st.integers(1, 99))
@settings(deadline=None, max_examples=12)
def test_a_continuation_has_n_letters_and_is_the_same_each_time(prompt, n, tau, seed):
    gpt = tiny()
    text = written(prompt, n, tau, seed, gpt=gpt)
    assert len(text) == n and set(text) <= set(ALPHABET)
    assert text == written(prompt, n, tau, seed, gpt=gpt)


@given(st.text(alphabet=ALPHABET, min_size=1, max_size=20))
@settings(deadline=None, max_examples=12)
def test_without_chance_each_letter_is_the_likeliest_of_what_is_still_in_view(prompt):
    gpt, read = tiny(), ids(prompt)[-TINY.context :].tolist()
    view = list(read)
    for letter in written(prompt, 20, tau=0.0, gpt=gpt):
        if len(view) > TINY.context:
            view = view[-(TINY.context // 2) :]
        x = int(gpt(torch.tensor([view]))[0, -1].argmax())
        assert ALPHABET[x] == letter
        view.append(x)


def test_the_shipped_network_writes_english_words():
    text = written("She was ", n=400, tau=0.5, seed=1)
    known = set(austen_gpt.text()[0].lower().replace(",", " ").replace(".", " ").split())
    words = text.lower().replace(",", " ").replace(".", " ").split()[:-1]
    assert np.mean([word in known for word in words]) > 0.7


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: ids("Straße"), "The books have no letter 'ß'"),
        (lambda: written("naïve"), "The books have no letter 'ï'"),
        (lambda: written(""), "nothing to go on from"),
        (lambda: written("A", tau=-1.0), "temperature"),
        (lambda: written("A", tau=math.nan), "temperature"),
        (lambda: written("A", k=0), "Top k"),
        (lambda: written("A", p=0.0), "Top p"),
        (lambda: loss(tiny(), "A"), "leaves none to guess"),
        (lambda: looks(""), "0 letters: give 1 to"),
        (lambda: looks("a" * 9, tiny()), "give 1 to 8"),
        (lambda: habits("a" * 7, tiny()), "7 letters"),
        (lambda: next(austen_gpt.training(tiny(), "too short", 3)), "takes more than 9"),
        (lambda: live(steps=0), "1 step or more"),
    ],
)
def test_bad_input_is_answered_with_what_to_do(wrong, said):
    with pytest.raises(ValueError, match=said) as error:
        wrong()
    assert "\n" not in str(error.value)


# Looking


@given(st.text(alphabet=ALPHABET, min_size=1, max_size=8))
@settings(deadline=None)
def test_looks_are_the_weights_that_the_network_itself_mixes_with(text):
    gpt, kept = tiny(), []
    hooks = [block.O.register_forward_pre_hook(lambda _, x: kept.append(x[0][0]))
             for block in gpt.blocks]  # fmt: skip
    values = [block.V.register_forward_hook(lambda _, __, Y: kept.append(Y[0]))
              for block in gpt.blocks]  # fmt: skip
    gpt(ids(text)[None])
    for hook in hooks + values:
        hook.remove()
    A = looks(text, gpt)
    np.testing.assert_allclose(A.sum(-1), 1, atol=1e-12)
    assert not A.triu(1).any()
    for b in range(TINY.blocks):
        V, Z = kept[2 * b], kept[2 * b + 1]
        mixed = torch.einsum("hij,jhe->ihe", A[b], V.unflatten(1, (TINY.heads, -1))).flatten(1)
        np.testing.assert_allclose(mixed, Z, atol=1e-10)


@given(few)
def test_targets_are_those_of_a_slow_search(text):
    found = targets(text)
    for i in range(len(text)):
        assert found["itself"][i] == i and found["one back"][i] == i - 1
        earlier = [j for j in range(1, i) if i and text[j - 1 : j + 1] == text[i - 1 : i + 1]]
        assert found["again"][i] == (earlier[-1] + 1 if earlier else -1)
        blank = max((j for j in range(i + 1) if text[j] in " \n"), default=-1)
        inside = blank >= 0 and i - blank > 2
        assert found["blank"][i] == (blank if inside else -1)
        assert found["word"][i] == (blank + 1 if inside else -1)


def test_habits_are_means_of_looks():
    gpt, text = tiny(), "so so it is so so it"
    A = torch.stack([looks(text[:8], gpt), looks(text[8:16], gpt)]).numpy()
    found = habits(text, gpt)
    own = np.diagonal(A, axis1=-2, axis2=-1).mean(axis=(0, -1))
    np.testing.assert_allclose(found["itself"], own, atol=1e-12)
    back = np.diagonal(A, offset=-1, axis1=-2, axis2=-1).mean(axis=(0, -1))
    np.testing.assert_allclose(found["one back"], back, atol=1e-12)


@given(few, few)
def test_copied_counts_as_a_slow_search_does(text, source):
    slow = [
        max(l for l in range(len(text) - i + 1) if text[i : i + l] in source)  # noqa: E741
        for i in range(len(text))
    ]
    assert copied(text, source).tolist() == slow


# Training


def test_training_goes_on_where_it_was_stopped():
    text, results = austen_gpt.text()[1][:3000], []
    for stop in (None, 3):
        torch.manual_seed(0)
        gpt = GPT(TINY)
        optimiser = austen_gpt.adam(gpt)
        run = austen_gpt.training(gpt, text, 6, B=2, optimiser=optimiser)
        if stop:
            for _ in range(stop):
                next(run)
            run.close()
            list(austen_gpt.training(gpt, text, 6, B=2, optimiser=optimiser, start=stop))
        else:
            list(run)
        results.append(gpt.tokens.weight.detach().clone())
    torch.testing.assert_close(*results)


def test_a_few_live_steps_bring_the_loss_down_from_even_odds():
    before, after, pairs = live(steps=30)
    assert before == pytest.approx(math.log(len(ALPHABET)), abs=0.1)
    assert pairs < after < before - 0.5  # thirty steps do not reach what pairs know


@given(st.integers(2, 4), st.integers(0, 99))
@settings(deadline=None, max_examples=25)
def test_kneser_ney_is_a_distribution(n, seed):
    """Over all letters that could come next, the n-gram's chances sum to one."""
    rng, V = np.random.default_rng(seed), 5
    train, context = rng.integers(4, size=60), rng.integers(V, size=n - 1)
    total = 0.0
    for x in range(V):
        one = np.append(context, x)
        others = baselines.kneser_ney(train, one[:-1], n, V) * (len(one) - 2) if len(one) > 2 else 0
        total += math.exp(-(baselines.kneser_ney(train, one, n, V) * (len(one) - 1) - others))
    assert total == pytest.approx(1, abs=1e-9)


def test_pairs_alone_are_about_as_good_as_kneser_neys():
    train, held = (part[:100_000] for part in austen_gpt.text()[:2])
    smoothed = baselines.kneser_ney(ids(train).numpy(), ids(held).numpy(), 2, len(ALPHABET))
    assert austen_gpt.pairs(train, held) == pytest.approx(smoothed, abs=0.05)
