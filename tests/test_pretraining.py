"""BERT's two games: what is hidden, what is asked, who follows whom, and a net that learns."""

import re

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import pretraining as script
from firth import pretraining
from firth.bert import Shape
from firth.pretraining import CLS, MASK, SEP, Library, Pretrained, game, masked, pairs, training
from firth.results import stored_result
from firth.wordpiece import SPECIAL

TINY = Shape(60, 16, heads=2, inner=32, blocks=1, places=2 * pretraining.HALF + 3)


def documents(n=4, size=400, seed=0):
    """Documents with words of their own, so that one can be told from another."""
    chance = np.random.default_rng(seed)
    return [chance.integers(5 + 12 * k, 5 + 12 * (k + 1), size) for k in range(n)]


# The first game


def slow_mask(ids, pieces, seed, share=0.15):
    """The same as `masked`, one place at a time, from the same three draws."""
    chance = np.random.default_rng(seed)
    first, lot = chance.random(ids.shape), chance.random(ids.shape)
    others = chance.integers(len(SPECIAL), pieces, ids.shape)
    given, chosen = ids.copy(), np.zeros(ids.shape, bool)
    for place in np.ndindex(ids.shape):
        if ids[place] >= len(SPECIAL) and first[place] < share:
            chosen[place] = True
            if lot[place] < 0.8:
                given[place] = MASK
            elif lot[place] < 0.9:
                given[place] = others[place]
    return given, chosen


@given(st.integers(0, 10**6), st.floats(0.01, 1))
def test_masking_is_what_a_slow_loop_does(seed, share):
    ids = np.random.default_rng(seed).integers(0, 40, (3, 17))
    ours = masked(ids, 40, np.random.default_rng(seed), share)
    for a, b in zip(ours, slow_mask(ids, 40, seed, share), strict=True):
        np.testing.assert_array_equal(a, b)


def test_B6_fifteen_per_cent_are_chosen_and_of_these_80_10_10():
    ids = np.random.default_rng(0).integers(5, 4005, (400, 500))
    given, chosen = masked(ids, 4005, np.random.default_rng(1))
    hidden, kept = given[chosen] == MASK, given[chosen] == ids[chosen]
    assert chosen.mean() == pytest.approx(0.15, abs=0.002)
    assert hidden.mean() == pytest.approx(0.8, abs=0.01)
    assert kept.mean() == pytest.approx(0.1, abs=0.01)
    others = given[chosen][~hidden & ~kept]
    assert others.min() >= 5 and others.mean() == pytest.approx(2005, rel=0.05)  # any piece
    assert (given[~chosen] == ids[~chosen]).all()


def test_signs_are_never_chosen_and_what_was_given_is_not_changed():
    ids = np.tile(np.arange(len(SPECIAL)), (50, 3))
    before = ids.copy()
    given, chosen = masked(ids, 40, np.random.default_rng(0), share=1.0)
    assert not chosen.any() and (given == before).all() and (ids == before).all()


@pytest.mark.parametrize("share", [0.0, -0.1, 1.1])
def test_a_share_that_is_none_is_refused(share):
    with pytest.raises(ValueError, match="above 0 and up to 1"):
        masked(np.full((1, 4), 9), 40, np.random.default_rng(0), share)


def test_B6_the_loss_is_on_the_chosen_places_alone():
    torch.manual_seed(0)
    net = Pretrained(TINY, np.full(60, 1 / 60)).double()
    now = game(documents(), 60, 8, [0, 0])
    X = net.bert(now.given, now.segments)
    J = [
        -net.scores(X[b, t]).log_softmax(-1)[stood]
        for (b, t), stood in zip(now.chosen.nonzero().tolist(), now.right.tolist(), strict=True)
    ]
    torch.testing.assert_close(net.losses(now)[0], torch.stack(J).mean())


def test_B6_the_scores_are_the_state_compared_with_the_rows_of_the_table_that_is_read():
    net = Pretrained(TINY, np.full(60, 1 / 60)).double()
    x = torch.randn(4, 16).double()
    small = net.norm(torch.nn.functional.gelu(net.dense(x)))
    rows = torch.stack([small @ row for row in net.bert.tokens.weight], dim=1)
    torch.testing.assert_close(net.scores(x), rows + net.bias)


# The second game


@given(st.integers(0, 10**6), st.booleans())
def test_B7_half_of_the_pairs_follow_and_the_others_are_from_elsewhere(seed, same):
    books = documents(seed=seed % 7)
    ids, segments, follows = pairs(books, 12, np.random.default_rng(seed), same, half=10)
    assert (ids[:, 0] == CLS).all() and (ids[:, 11] == SEP).all() and (ids[:, -1] == SEP).all()
    assert (segments[:, :12] == 0).all() and (segments[:, 12:] == 1).all()
    for row, after in zip(ids, follows, strict=True):
        a, b = row[1:11], row[12:22]
        k, other = (a[0] - 5) // 12, (b[0] - 5) // 12
        text = books[k].tolist()
        stood = [i for i in range(len(text)) if text[i : i + 10] == a.tolist()]
        there = [i for i in range(len(text)) if text[i : i + 10] == b.tolist()]
        if after:
            assert any(j == i + 10 for i in stood for j in there)
        else:
            assert (k == other) == same
            if same:
                assert all(abs(i - j) >= 20 for i in stood for j in there)


def test_B7_as_many_follow_as_do_not():
    _, _, follows = pairs(documents(), 4000, np.random.default_rng(0))
    assert follows.mean() == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize("same", [False, True])
def test_B7_those_who_count_are_asked_the_pairs_of_the_network(same):
    ids, follows = pretraining.asked(documents(), 2, same)
    for i in range(2):
        now, rows = game(documents(), 60, 64, [1, i], same), slice(64 * i, 64 * (i + 1))
        assert (now.follows.numpy() == follows[rows]).all()
        assert (now.given.numpy() == ids[rows])[~now.chosen.numpy()].all()


def test_documents_that_are_too_few_or_too_short_are_refused():
    for books in (documents(1), documents(3, size=149)):
        with pytest.raises(ValueError) as refused:
            pairs(books, 2, np.random.default_rng(0))
        assert re.search("two documents or more, of 150 pieces or more", str(refused.value))


def test_B7_where_each_book_has_words_of_its_own_counting_them_tells_every_pair():
    train, held = documents(), documents(seed=1)
    library = Library([*SPECIAL, *(f"w{i}" for i in range(48))], train, held)
    assert pretraining.told_by_words(library) > 0.98
    assert pretraining.told_by_book(library) > 0.98
    assert pretraining.told_by_words(library, same=True) < 0.6


# The texts, and a net


@pytest.mark.night
def test_the_books_are_in_their_most_frequent_pieces_and_the_last_tenth_is_held_out():
    library = pretraining.library()
    assert len(library.pieces) == pretraining.PIECES + 5 == pretraining.SMALL.words
    assert len(library.train) == len(library.held) == 18
    for train, held in zip(library.train, library.held, strict=True):
        assert len(held) == pytest.approx((len(train) + len(held)) / 10, abs=1)
    opening = [library.pieces[i] for i in library.train[0][4:9]]
    assert opening == ["emma", "wood", "##house", ",", "handsome"]
    assert np.mean(np.concatenate(library.train) == pretraining.UNK) < 0.08
    assert 5.5 < library.unigram() < 6.5
    assert library.frequencies().sum() == pytest.approx(1)


def test_it_starts_from_how_frequent_each_piece_is():
    """A net that has learned nothing is no worse than not looking, and hardly better."""
    library = pretraining.library()
    torch.manual_seed(0)
    net = Pretrained(pretraining.SMALL, library.frequencies())
    now = pretraining.measured(net, library.held, batches=4)
    assert now["J"] == pytest.approx(library.unigram(), abs=0.15)
    assert now["J hidden"] == pytest.approx(library.unigram(), abs=0.15)
    assert now["next"] == pytest.approx(0.5, abs=0.12)


def test_training_learns_both_games_where_every_book_has_six_words_of_its_own():
    books = [5 + 6 * k + np.arange(400) % 6 for k in range(4)]
    shape = Shape(29, 32, heads=2, inner=64, blocks=2, places=2 * pretraining.HALF + 3)
    torch.manual_seed(0)
    net = Pretrained(shape, np.full(29, 1 / 29))
    J = list(training(net, books, steps=250, B=16, rate=3e-3))
    assert J[0][0] > 3 and J[0][1] == pytest.approx(np.log(2), abs=0.1)
    now = pretraining.measured(net, books, batches=2)
    assert now["J"] < 2 < np.log(24)  # it knows the book of every half
    assert now["next"] > 0.9


def test_the_same_seed_trains_the_same_net():
    runs = []
    for _ in range(2):
        torch.manual_seed(0)
        net = Pretrained(TINY, np.full(60, 1 / 60))
        runs.append(list(training(net, documents(), steps=3, B=4)))
    assert runs[0] == runs[1]


# What the script has stored


def test_the_stored_runs_began_at_the_baselines_and_left_them():
    """Its first lines again, from a run of a few steps; its baselines, computed anew."""
    stored = stored_result("bert/pretraining")
    least, library = stored["baselines"], pretraining.library()
    assert least["J"] == pytest.approx(library.unigram(), abs=1e-3)
    assert least["book"] == pytest.approx(pretraining.told_by_book(library), abs=1e-3)
    told = [pretraining.told_by_words(library, same) for same in (False, True)]
    assert least["words"] == pytest.approx(told, abs=1e-3)
    short = script.run(False, steps=12, every=6, asked=8)
    assert [row["step"] for row in short["curve"]] == [6, 12]
    assert short["J"] == pytest.approx(least["J"], abs=0.3)
    for form in ("easy", "hard"):
        J = [row["J"] for row in stored[form]["curve"]]
        assert J == sorted(J, reverse=True) and J[-1] < least["J"] - 0.5
