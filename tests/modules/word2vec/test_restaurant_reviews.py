"""Ten reviews, learned by heart: against what the slides print, PyTorch's gradients, luck."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from firth.lsa.counts import words
from firth.store import corpora
from firth.store.results import DATA
from firth.word2vec import restaurant_reviews
from firth.word2vec.restaurant_reviews import (
    collisions,
    gradients,
    hashed,
    padded,
    predict_left_out,
    probabilities,
    train,
)

ROWS, T = 50, 4
TEXTS, LABELS = corpora.restaurant()
WORDS = [words(text) for text in TEXTS]
IDS = padded([[hashed(word, ROWS) for word in text] for text in WORDS], T)
Y = np.array(LABELS)
# What the slides print: horrible = service, and more of the kind.
SLIDES = [[18, 39, 17], [27, 27], [5, 19], [41, 29], [27, 29]]
SLIDES += [[2], [2, 1], [49], [26, 9], [6, 9, 11, 21]]


def fits(ids, y, seed=0):
    return np.mean((probabilities(ids, *train(ids, y, seed=seed)) > 0.5) == y)


def test_R9_ten_reviews_are_padded_after_their_words_to_length_four():
    assert IDS.shape == (10, 4)
    for row, text in zip(IDS, WORDS, strict=True):
        assert (row[: len(text)] > 0).all() and (row[len(text) :] == 0).all()
    assert padded(SLIDES, T)[1].tolist() == [27, 27, 0, 0]


def test_R9_keras_pads_and_cuts_before_unless_told_otherwise():
    assert padded(SLIDES, T, before=True)[1].tolist() == [0, 0, 27, 27]
    assert padded([[1, 2, 3, 4, 5]], T, before=True).tolist() == [[2, 3, 4, 5]]


def test_R9_two_words_share_a_row_here_and_on_the_slides():
    flat = [word for text in WORDS for word in text]
    groups = collisions(flat, ROWS)
    assert ["service", "couldn't"] in groups and ["rude", "services", "have"] in groups
    for group in groups:
        assert len({hashed(word, ROWS) for word in group}) == 1
    place = {}
    for text, ids in zip(WORDS, SLIDES, strict=True):
        for word, i in zip(text, ids, strict=True):
            assert place.setdefault(word, i) == i  # one word, one row: the slides keep to that
    assert place["horrible"] == place["service"] == 27 and place["work"] == place["have"] == 9


def test_R9_one_label_as_given_is_wrong():
    assert LABELS == [1] * 5 + [0] * 5
    assert TEXTS[8] == "poor work" and LABELS[8] == 0  # 0 is good


def test_R9_the_hash_is_the_same_in_every_process_and_that_of_python_is_not():
    code = (
        "from firth.word2vec.restaurant_reviews import hashed\n"
        "print(hashed('horrible', 50), hash('horrible'))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": str(seed), "PATH": ""},
            cwd=DATA.parent.parent,
        ).stdout.split()
        for seed in (1, 2)
    ]
    assert runs[0][0] == runs[1][0] == str(hashed("horrible", 50))
    assert runs[0][1] != runs[1][1]


@pytest.mark.parametrize("seed", range(3))
def test_R10_all_ten_are_learned_by_heart_and_so_is_any_other_labelling(seed):
    assert fits(IDS, Y, seed) == 1
    rng = np.random.default_rng(seed)
    assert fits(IDS, rng.permutation(Y), seed) == 1


def test_R10_left_out_reviews_are_told_worse_and_with_random_labels_no_better_than_by_luck():
    told = [np.mean(predict_left_out(IDS, Y, seed, steps=200) == Y) for seed in range(2)]
    assert 0.5 < np.mean(told) < 1
    rng = np.random.default_rng(0)
    shuffled = [rng.permutation(Y) for _ in range(6)]
    assert np.mean([np.mean(predict_left_out(IDS, y, steps=100) == y) for y in shuffled]) < 0.55


def test_a_seed_draws_the_networks_that_tell_what_was_left_out():
    y, rest = np.random.default_rng(0).permutation(Y), np.arange(1, len(Y))
    told = [predict_left_out(IDS, y, seed, steps=20) for seed in range(6)]
    assert len({tuple(labels) for labels in told}) > 1
    for seed, labels in enumerate(told):
        p = probabilities(IDS[:1], *train(IDS[rest], y[rest], steps=20, seed=seed))
        assert labels[0] == (p[0] > 0.5)


def test_R10_the_network_has_433_numbers_for_ten_labels():
    assert sum(np.size(part) for part in train(IDS, Y, ROWS, 8, steps=1)) == 50 * 8 + 4 * 8 + 1


@given(st.integers(0, 99), st.integers(1, 6), st.integers(1, 5))
def test_gradients_are_those_of_pytorch(seed, m, T):
    rng = np.random.default_rng(seed)
    ids, y = rng.integers(0, 7, (m, T)), rng.integers(0, 2, m)
    E, w, b = rng.normal(size=(7, 3)), rng.normal(size=T * 3), float(rng.normal())
    tensors = [torch.tensor(part, requires_grad=True) for part in (E, w, b)]
    score = tensors[0][torch.tensor(ids)].reshape(m, -1) @ tensors[1] + tensors[2]
    torch.nn.functional.binary_cross_entropy_with_logits(score, torch.tensor(y * 1.0)).backward()
    for ours, tensor in zip(gradients(ids, y, E, w, b), tensors, strict=True):
        np.testing.assert_allclose(ours, tensor.grad.numpy(), atol=1e-6)


@given(st.lists(st.lists(st.integers(1, 9), max_size=8), min_size=1, max_size=5), st.integers(1, 6))
def test_padding_keeps_the_words_that_fit_and_their_order(texts, T):
    after, before = padded(texts, T), padded(texts, T, before=True)
    for text, a, b in zip(texts, after, before, strict=True):
        assert a[a > 0].tolist() == text[:T]
        assert b[b > 0].tolist() == text[-T:]


@given(st.text(min_size=1), st.integers(2, 1000))
def test_a_word_never_gets_the_row_of_padding(word, n):
    assert 1 <= hashed(word, n) < n


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: hashed("word", 1), "n ≥ 2"),
        (lambda: padded([[1]], 0), "one position or more"),
        (lambda: train(np.array([[50]]), np.array([1])), "0 … 49"),
    ],
)
def test_bad_input_is_answered_with_what_to_do(wrong, said):
    with pytest.raises(ValueError, match=said):
        wrong()


def test_chapter_two_needs_no_pytorch():
    code = "import sys, firth.word2vec.restaurant_reviews; print('torch' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
    assert restaurant_reviews.__doc__
