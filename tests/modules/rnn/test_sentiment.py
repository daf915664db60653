"""The classifier of sentences: packing and dropout do what they say, stored runs are whole."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.rnn import sentiment as training
from firth.lsa import counts, lsa
from firth.rnn.sentiment import (
    Classifier,
    accuracy,
    batch,
    encode,
    glove_vectors,
    interval,
    random_batches,
    train,
    vocabulary,
)
from firth.store.results import stored_result

STORED = stored_result("rnn/sentiment")["rows"]
FULL = max(row["size"] for row in STORED)
sentences = st.lists(st.lists(st.integers(1, 9), min_size=1, max_size=7), min_size=1, max_size=5)


def answers(what):
    """Of each sentence, the share of a method's runs that judged it rightly."""
    mine = [row["right"] for row in STORED if (row["what"], row["size"]) == (what, FULL)]
    return np.mean([[int(mark) for mark in marks] for marks in mine], axis=0)


def lead(one, other):
    """The middle 95 % of by how much one is ahead, on sentences drawn for both."""
    more = answers(one) - answers(other)
    asked = np.random.default_rng(0).integers(len(more), size=(1000, len(more)))
    return np.quantile(more[asked].mean(axis=1), [0.025, 0.975])


def runs(what, size=FULL):
    return [row["test"] for row in STORED if (row["what"], row["size"]) == (what, size)]


@settings(max_examples=20)
@given(
    sentences,
    st.sampled_from([{}, {"directions": 2}, {"layers": 2}, {"recurrent": 0.5}, {"dropout": 0.5}]),
)
def test_R13_a_sentence_gets_the_same_score_alone_and_padded_in_a_batch(texts, options):
    texts = [torch.tensor(ids) for ids in texts]
    net = Classifier(8, 4, 5, **options).eval()
    ids, lengths, _ = batch(texts, [0] * len(texts), range(len(texts)))
    alone = [net(text[:, None], torch.tensor([len(text)])).item() for text in texts]
    np.testing.assert_allclose(net(ids, lengths).tolist(), alone, atol=1e-6)


@settings(max_examples=20)
@given(sentences)
def test_R13_the_loop_for_recurrent_dropout_is_the_lstm_when_nothing_is_dropped(texts):
    texts = [torch.tensor(ids) for ids in texts]
    plain, masked = Classifier(8, 4, 5).eval(), Classifier(8, 4, 5, recurrent=0.5).eval()
    masked.load_state_dict(plain.state_dict())
    ids, lengths, _ = batch(texts, [0] * len(texts), range(len(texts)))
    np.testing.assert_allclose(
        plain(ids, lengths).tolist(), masked(ids, lengths).tolist(), atol=1e-6
    )


def test_R13_recurrent_dropout_drops_the_same_places_at_every_step():
    net = Classifier(8, 4, 64, recurrent=0.5).train()
    net.lstm.weight_ih_l0.data.zero_()
    net.lstm.bias_ih_l0.data.zero_()
    net.lstm.bias_hh_l0.data.zero_()
    seen = []
    net.lstm.weight_hh_l0.register_hook(lambda gradient: seen.append(gradient.abs().sum(0)))
    ids = torch.randint(1, 9, (12, 1))
    net.lstm.bias_hh_l0.data[128:192] = 1.0  # a candidate that is never 0: h is 0 only if dropped
    net(ids, torch.tensor([12])).sum().backward()
    dropped = (seen[0] == 0).sum().item()
    assert 0 < dropped < 64  # anew at every step, no column would stay without a gradient


def test_R13_two_directions_see_the_first_word_as_well_as_the_last():
    net = Classifier(8, 4, 5, directions=2).eval()
    net.E.weight.requires_grad_()
    net(torch.tensor([[3], [4], [5]]), torch.tensor([3])).sum().backward()
    assert (net.E.weight.grad[[3, 4, 5]].abs().sum(dim=1) > 0).all()


def test_R13_frozen_vectors_stay_as_they_are_and_tuned_ones_move():
    vectors = torch.randn(8, 4)
    texts, labels = [torch.tensor([2, 3]), torch.tensor([4])] * 4, [1, 0] * 4
    for frozen in (True, False):
        net = Classifier(8, 4, 5, vectors=vectors, frozen=frozen)
        train(net, texts, labels, (texts, labels), epochs=2)
        assert torch.equal(net.E.weight[2:], vectors) is frozen


def test_the_weights_of_the_best_epoch_are_kept():
    texts, labels = [torch.tensor([2, 3]), torch.tensor([4, 5])] * 8, [1, 0] * 8
    net = Classifier(8, 4, 5)
    held_out = train(net, texts, labels, (texts, labels), epochs=6, rate=0.1)
    assert accuracy(net, texts, labels) == max(held_out) == 1
    flipped = [1 - y for y in labels]  # the better it learns, the worse it does: stop early
    assert len(train(Classifier(8, 4, 5), texts, labels, (texts, flipped), 20, rate=0.1)) < 20
    torch.manual_seed(0)
    net = Classifier(8, 4, 5)
    held_out = train(net, texts, labels, (texts, flipped), 9, rate=0.05, patience=9)
    assert held_out[-1] < max(held_out)
    assert accuracy(net, texts, flipped) == max(held_out)


@given(st.integers(1, 60), st.integers(1, 7))
def test_every_text_is_in_one_batch(n, size):
    texts = [torch.ones(1 + i % 5) for i in range(n)]
    rows = random_batches(texts, size)
    assert sorted(i for cut in rows for i in cut) == list(range(n))
    assert max(map(len, rows)) <= size


@given(st.integers(0, 200), st.integers(1, 200))
def test_the_interval_is_where_the_normal_test_stops_rejecting(right, n):
    share = min(right, n) / n
    low, high = interval(share, n)
    assert -1e-12 <= low <= share + 1e-12 and share - 1e-12 <= high <= 1 + 1e-12
    for edge in (low, high):
        assert (share - edge) ** 2 == pytest.approx(1.96**2 * edge * (1 - edge) / n, abs=1e-9)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: Classifier(8, layers=2, recurrent=0.3), "one layer in one direction"),
        (lambda: interval(1.2, 10), "lies in 0 … 1"),
        (lambda: interval(0.5, 0), "1 text or more"),
    ],
)
def test_bad_input_is_answered_with_what_to_do(wrong, said):
    with pytest.raises(ValueError, match=said):
        wrong()


def test_an_empty_text_and_one_of_unknown_words_are_read_as_unknown():
    assert [ids.tolist() for ids in encode(["", "quasar"], ["fine"])] == [[1], [1]]


def test_R13_every_network_is_stored_three_times_and_none_was_chosen_by_the_test():
    for name in training.NETWORKS:
        assert len(runs(name)) == len(training.SEEDS), name
    for size in training.SIZES:
        for name in training.CURVES:
            assert len(runs(name, size)) == len(training.SEEDS)
    parts = training.material()
    texts = [set(part) for part, _ in parts.values()]
    assert not (texts[0] & texts[1] or texts[0] & texts[2] or texts[1] & texts[2])


def test_R13_the_parameters_stored_are_those_of_the_network():
    known = vocabulary(training.material()["learned"][0])
    for row in STORED:
        if row["what"] in training.NETWORKS and row["size"] == FULL and not row["seed"]:
            net = training.built(row["what"], known, seed=0)
            counted = sum(w.numel() for w in net.parameters() if w.requires_grad)
            assert counted == row["parameters"]


def test_R13_with_learned_vectors_no_lstm_clearly_beats_a_bag_of_words():
    bag = runs("bag of words")[0]
    low, high = interval(bag, 1000)
    for name, (_, vectors) in training.NETWORKS.items():
        if vectors == "learned":
            assert np.mean(runs(name)) < high, name
    assert np.mean(runs("LSTM, dropout, GloVe tuned")) > bag
    assert low < bag < high


def test_R13_of_each_sentence_of_the_test_it_is_stored_who_was_right():
    for row in STORED:
        if row["size"] == FULL:
            assert len(row["right"]) == 1000 and set(row["right"]) == {"0", "1"}
            assert row["right"].count("1") / 1000 == pytest.approx(row["test"])


def test_R13_on_the_same_sentences_tf_idf_is_ahead_of_a_network_and_one_with_glove_ahead_of_it():
    assert lead("tf-idf", "LSTM")[0] > 0 and lead("tf-idf", "LSTM, both directions")[0] > 0
    assert lead("both directions, dropout, GloVe tuned", "tf-idf")[0] > 0


def test_R13_a_tuned_mean_that_knows_no_order_is_level_with_the_network():
    for name in ("LSTM, dropout, GloVe tuned", "both directions, dropout, GloVe tuned"):
        low, high = lead(name, training.UNORDERED)
        assert low < 0 < high
    net = training.built(training.UNORDERED, ["one", "film"], seed=0).eval()
    there, back = (torch.tensor(ids)[:, None] for ids in ([2, 3, 3], [3, 2, 3]))
    one_way, other_way = (net(ids, torch.tensor([3])).item() for ids in (there, back))
    assert one_way == pytest.approx(other_way)


def test_R13_pretrained_vectors_are_worth_more_than_twice_as_many_sentences():
    for size, double in ((1000, 2000), (2000, 4000)):
        learned, tuned = training.CURVES
        assert np.mean(runs(tuned, size)) > np.mean(runs(learned, double))
    for size in training.SIZES:  # where few are to be had, the mean of GloVe's vectors is as good
        assert runs("mean of GloVe", size)[0] > np.mean(runs(training.CURVES[0], size))
    assert runs("mean of GloVe", 500)[0] > np.mean(runs(training.CURVES[1], 500)) + 0.05


def test_R13_baselines_weigh_new_texts_as_the_training_texts_were_weighed():
    parts = training.material(300)
    X = training.features(parts)
    known = vocabulary(parts["learned"][0])
    ids = [counts.word_ids(counts.words(t), known) for t in parts["learned"][0]]
    W = counts.tf_idf(counts.term_document(ids, len(known)))
    _, s, Vt = lsa.svd(W, 50)
    np.testing.assert_allclose(abs(X["LSA, k = 50"]["learned"]), abs(Vt.T * s), atol=1e-2)


@pytest.mark.night
def test_R13_a_short_training_points_the_same_way():
    texts, labels = training.material(600)["learned"]
    test, test_labels = training.material(600)["choice"]
    known = vocabulary(texts)
    scored = (encode(test, known), test_labels)
    told = []
    for vectors in (None, glove_vectors(known)):
        torch.manual_seed(0)
        net = Classifier(len(known), dropout=0.4, vectors=vectors)
        told.append(max(train(net, encode(texts, known), labels, scored, epochs=4)))
    assert told[1] > told[0] + 0.03 and told[1] > 0.6
