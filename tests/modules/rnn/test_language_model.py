"""The language model: what it reads, what it guesses, and that it never looks ahead."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from firth.rnn import gated_cells
from firth.rnn.language_model import NextWord, streams, train
from firth.word2vec.word2vec import noise


@pytest.fixture
def net():
    torch.manual_seed(0)
    model = NextWord(n=7, e=4, d=5)
    torch.nn.init.normal_(model.U.weight)
    return model


@pytest.fixture
def ids():
    return torch.tensor(np.random.default_rng(0).integers(8, size=(12, 3)))


@given(
    st.lists(st.lists(st.integers(-1, 4), min_size=1, max_size=9), min_size=1), st.integers(1, 4)
)
def test_columns_hold_the_text_in_order_with_one_mark_after_each_document(documents, B):
    row = [w if w >= 0 else 5 for ids in documents for w in [*ids, -1]]
    if set(row) == {5} or len(row) // B < 2:
        return
    columns = streams([np.array(ids) for ids in documents], n=5, B=B)
    read = columns.T.flatten().tolist()
    assert columns.shape[1] == B and read == row[: len(read)] and len(row) - len(read) < B


@pytest.mark.parametrize("k", [1, 20])
def test_before_training_the_loss_is_that_of_a_guess_among_k_and_one(ids, k):
    fresh = NextWord(n=7)
    H, _ = fresh(ids[:-1])
    assert fresh.loss(H, ids[1:], torch.zeros(k, dtype=int)).item() == pytest.approx(
        math.log(1 + k)
    )


def test_before_training_every_word_is_as_likely_as_noise(ids):
    fresh, chance = NextWord(n=7), torch.arange(1.0, 8) / 28
    logs = fresh.log_probabilities(fresh(ids)[0], chance)
    torch.testing.assert_close(logs.exp(), chance.expand_as(logs))


def test_the_states_are_those_of_the_readable_lstm(net, ids):
    W, U, b, b_h = (p.detach().numpy().astype(float) for p in net.lstm.parameters())
    X = net.E(ids).detach().numpy().astype(float)
    zero = np.zeros((3, 5))
    H = gated_cells.lstm(X, zero, zero, W, U, b + b_h)[0]
    np.testing.assert_allclose(net(ids)[0].detach().numpy(), H, atol=1e-6)


def test_the_loss_is_a_slow_loops_and_leaves_out_what_is_not_known(net, ids):
    H, _ = net(ids[:-1])
    drawn = torch.tensor([3, 0, 3])
    each = []
    for h, o in zip(H.flatten(0, 1), ids[1:].flatten().tolist(), strict=True):
        if o < 7:
            scores = [(net.U.weight[j] @ h).item() for j in (o, 3, 0, 3)]
            each.append(math.log(sum(map(math.exp, scores))) - scores[0])
    assert 0 < len(each) < 33
    assert net.loss(H, ids[1:], drawn).item() == pytest.approx(np.mean(each), rel=1e-5)


def test_where_nothing_is_known_there_is_nothing_to_lose(net):
    unknown = torch.full((2, 1), 7)
    J = net.loss(net(unknown)[0], unknown, torch.tensor([0]))
    J.backward()
    assert J.item() == 0


def test_words_to_come_change_no_state_before_them(net, ids):
    other = ids.clone()
    other[6:] = (other[6:] + 1) % 8
    H, G = net(ids)[0], net(other)[0]
    assert torch.equal(H[:6], G[:6]) and (H[6:] != G[6:]).any(dim=-1).all()


@given(st.integers(1, 11))
def test_a_text_in_two_parts_is_read_as_the_whole(cut):
    torch.manual_seed(0)
    net, ids = NextWord(n=7, e=4, d=5), torch.arange(36).reshape(12, 3) % 8
    whole, (h, c) = net(ids)
    first, state = net(ids[:cut])
    second, (h_2, c_2) = net(ids[cut:], state)
    torch.testing.assert_close(torch.cat([first, second]), whole)
    torch.testing.assert_close(h_2, h)
    torch.testing.assert_close(c_2, c)


def test_it_learns_a_cycle_that_one_word_of_memory_does_not_tell():
    torch.manual_seed(0)
    cycle = [0, 1, 2, 0, 3, 4]  # whether 1 or 3 comes after 0, only what stood before it tells
    model, chance = NextWord(n=5, e=8, d=16), noise(np.bincount(cycle))
    columns = streams([np.array(cycle * 100)], n=5, B=10)
    losses = train(model, columns, chance, k=20, T=13, epochs=40, first=0.03, last=0.01)
    assert losses[-1] < losses[0] and len(losses) == 40
    ids = torch.tensor(cycle * 3)[:, None]
    logs = model.log_probabilities(model(ids[:-1])[0], torch.tensor(chance).float())
    told = logs.gather(-1, ids[1:, :, None]).exp()
    assert told[3:].min() > 0.9


@pytest.mark.parametrize("power", [0.0, 0.75, 1.0])
def test_scores_are_how_much_likelier_than_noise_so_any_noise_gives_the_same_probabilities(power):
    torch.manual_seed(0)
    shares = np.array([0.6, 0.3, 0.1])
    ids = np.random.default_rng(0).permutation(np.repeat([0, 1, 2], (2400, 1200, 400)))
    model, chance = NextWord(n=3, e=1, d=1), noise(shares, power)
    columns = streams([ids], 3, B=40)
    train(model, columns, chance, k=100, T=20, epochs=20, first=0.1, last=0.003)
    H, q = model(columns)[0], torch.tensor(chance).float()
    found = model.log_probabilities(H, q).exp().mean(dim=(0, 1)).detach().numpy()
    np.testing.assert_allclose(found, shares, atol=0.03)


def test_a_word_neither_read_nor_drawn_keeps_its_vectors():
    torch.manual_seed(0)
    model = NextWord(n=4)
    E, U = (table.weight.detach().clone() for table in (model.E, model.U))
    train(model, streams([np.array([0, 1, 2] * 9)], 4), np.array([0.5, 0.3, 0.2, 0.0]), k=3)
    moved = [(table.weight != old).any(dim=1) for table, old in ((model.E, E), (model.U, U))]
    assert moved[0].tolist() == [True, True, True, False, False]  # the mark comes last
    assert moved[1].tolist() == [True, True, True, False]


def test_the_same_seed_gives_the_same_vectors():
    def run(seed):
        torch.manual_seed(seed)
        model = NextWord(n=3)
        train(model, streams([np.array([0, 1, 2] * 9)], 3), np.full(3, 1 / 3), k=3)
        return model.E.weight

    assert torch.equal(run(1), run(1)) and not torch.equal(run(1), run(2))


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (
            lambda net: streams([np.array([0])], 7, B=2),
            "2 words in 2 columns leave none to predict",
        ),
        (lambda net: streams([np.array([-1, -1])], 7), "The text is empty"),
        (lambda net: streams([np.array([0, 7])], 7), "Ids lie in"),
        (lambda net: net(torch.tensor([[8]])), "Ids lie in 0 … 7"),
        (lambda net: net(torch.tensor([[-1]])), "Ids lie in 0 … 7"),
        (lambda net: net(torch.zeros(0, 3, dtype=int)), "there is one or more"),
        (
            lambda net: net.loss(torch.zeros(1, 1, 5), torch.tensor([[0]]), torch.tensor([]).int()),
            "draw one or more",
        ),
        (lambda net: train(net, torch.tensor([[0]]), np.ones(7) / 7), "none to predict"),
        (lambda net: train(net, torch.tensor([[0], [1]]), np.ones(7) / 7, k=0), "1 or more of k"),
        (
            lambda net: train(net, torch.tensor([[0], [1]]), np.ones(6) / 6),
            "6 noise probabilities and 7",
        ),
    ],
)
def test_what_cannot_be_learned_from_is_refused(net, call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call(net)
