"""The questions of exercise 2: what one claim asks, another one does not judge; and its demos."""

import ast

import numpy as np
import pytest
from answers import EXERCISES, RIGHT, SOLUTIONS, code, compiled, defined, definitions, holds
from learners import word2vec as learners

from firth.checks.answers import Answer
from firth.lsa.counts import word_ids, words
from firth.store import pretrained_vectors
from firth.store.corpora import restaurant
from firth.widgets.word2vec.training import TEXT, WORDS

SEEDS = range(10)
WRONG = learners.WRONG
(SOLUTION,) = [path for path in SOLUTIONS if path.stem == "02_word2vec"]


@pytest.mark.parametrize(
    "name, answer, expected",
    [
        ("training_pairs", learners.left_then_right, [1, 0, 1, 1]),
        ("training_pairs", learners.skips_equal_words, [1, 1, 1, 0]),
        ("training_pairs", learners.zeroes_the_unknown, [1, 1, 0, 1]),
        ("training_pairs", learners.breaks_off, [1, 1, 0, 1]),
        ("cbow_forward", lambda U, V, c: RIGHT["cbow_forward"](U, V, np.unique(c)), [1, 1, 1, 0]),
        ("cbow_forward", learners.less_a_score(np.mean), [1, 0, 1, 1]),
        ("cbow_forward", learners.less_a_score(lambda x: x[0]), [1, 0, 1, 1]),
        ("negative_loss", learners.a_sum, [1, 1, 0]),
        ("negative_loss", learners.cross_entropy, [0, 0, 0]),
        ("negative_gradient", learners.overwrites, [0, 1, 1, 1]),
        ("negative_gradient", learners.writes_into_u, [1, 1, 0, 0]),
        ("negative_gradient", learners.rows_of_the_type_of_v, [1, 1, 1, 0]),
        ("one_epoch", learners.steps(once=True), [1, 1, 1, 0, 1]),
        ("one_epoch", learners.whole_batch, [1, 1, 0, 1, 1]),
        ("one_epoch", learners.skips_the_context_word, [1, 1, 1, 0, 1]),
        ("one_epoch", learners.forgets_the_noise, [1, 0, 0, 0, 0]),
        ("analogy", learners.normed_in_place, [1, 1, 0]),
        ("doubts", learners.in_sets, [0, 1, 1, 1]),
        ("doubts", learners.ignores_the_lost, [1, 1, 0, 1]),
        ("doubts", learners.nowhere, [1, 0, 0, 1]),
        ("bias_score", learners.scored(gather=np.sum), [1, 0, 1]),
        ("bias_score", learners.scored(near=np.dot), [1, 1, 0]),
        ("bias_score", learners.side_by_side, [1, 0, 1]),
    ],
)
def test_a_claim_about_one_thing_does_not_fail_for_another(name, answer, expected):
    assert holds(name, answer) == expected


def test_one_slip_costs_some_points_of_a_question_and_not_all():
    """The slips that the text of the exercise warns of, and what they cost of each question."""
    narrow = learners.by_range(lambda m: -m, lambda m: m)
    slips = {
        "training_pairs": (narrow, 1),
        "cbow_forward": (lambda U, V, c: softmax(U @ V[c[c >= 0]].sum(axis=0)), 1),
        "negative_loss": (lambda v, u, noise: learners.a_sum(v, u, noise, sign=1), 2),
        "negative_gradient": (lambda v, u, noise: learners.rows(v, u, noise, pair=0.0), 2),
        "one_epoch": (learners.steps(late=True), 4),
        "analogy": (learners.by_loop(learners.step), 1),
        "doubts": (learners.weighed(own=False), 3),
        "bias_score": (learners.scored(gather=np.sum), 1),
    }
    for name, (answer, cost) in slips.items():
        earned = {sum(v.points for v in EXERCISES[name].judge(answer, seed)) for seed in SEEDS}
        assert earned == {EXERCISES[name].points - cost}, (name, earned)


def softmax(x):
    return np.exp(x - x.max()) / np.exp(x - x.max()).sum()


@pytest.mark.parametrize("name", WRONG)
def test_the_question_names_the_mistake_wherever_a_learner_makes_a_known_one(name):
    """Else it is a question about the shape, the number of pairs, or writing into an input."""
    named = {question for _, question in EXERCISES[name].mistakes}
    others = ("It has the shape", "makes no table", "You list", "write into")
    unnamed = []
    for answer, expected in WRONG[name]:
        said = [v.message for v in EXERCISES[name].judge(answer, 1957) if not v.holds]
        if not any(text in named or any(some in text for some in others) for text in said):
            unnamed.append(expected)
    assert not unnamed


def test_a_list_of_analogies_is_cut_to_n_also_where_a_word_of_the_question_is_far():
    def analogy(vectors, a, b, c, n):
        order = RIGHT["analogy"](vectors, a, b, c, len(vectors))
        return order[: n + 1]

    for seed in SEEDS:
        assert holds("analogy", analogy, seed) == [True, False, True]


def test_a_loss_that_cannot_be_large_is_asked_how_large_it_should_be():
    for lowest in (-20, -500):

        def negative_loss(v, u, noise, lowest=lowest):
            scores = np.array([u @ v, *(-noise @ v)])
            return np.logaddexp(0, -np.maximum(scores, lowest)).sum()

        for seed in SEEDS:
            verdicts = EXERCISES["negative_loss"].judge(negative_loss, seed)
            assert [v.holds for v in verdicts] == [True, True, False]
            assert "costs more than a certain number" in verdicts[2].message


@pytest.mark.parametrize("name", ["negative_gradient", "one_epoch", "doubts", "bias_score"])
def test_single_precision_is_good_enough(name):
    def single(*inputs):
        short = [
            item.astype(np.float32) if getattr(item, "dtype", None) == np.float64 else item
            for item in inputs
        ]
        return RIGHT[name](*short)

    assert all(holds(name, single))


def test_a_gradient_in_three_pieces_is_told_that_it_makes_no_table():
    def pieces(v, u, noise):
        G = RIGHT["negative_gradient"](v, u, noise)
        return G[0], G[1], G[2:]

    said = [verdict.message for verdict in EXERCISES["negative_gradient"].judge(pieces, 3)]
    assert any("makes no table" in message for message in said)


def test_whoever_lists_too_many_pairs_hears_how_many_and_a_grader_gives_no_number_away():
    def twice(ids, sizes):
        return np.repeat(RIGHT["training_pairs"](ids, sizes), 2, axis=0)[1:]

    exercise = EXERCISES["training_pairs"]
    said = exercise.verdict(0, twice, 3).message
    listed, wanted = (int(word.strip(".,")) for word in said.split() if word.strip(".,").isdigit())
    assert listed == 2 * wanted - 1
    secret = Answer(twice)
    secret.open = False
    assert not any(letter.isdigit() for letter in exercise.verdict(0, secret, 3).message)


# --- the demos -------------------------------------------------------------------------------


CONSTANTS = {"SENTENCES", "WORDS", "KINDS", "WORDS_64", "pieces"}


@pytest.fixture(scope="module")
def notebook():
    """The functions of the solution by name, and the constants that its demos use."""
    names = defined(definitions(SOLUTION))
    for node in (node for cell in code(SOLUTION) for node in ast.parse(cell).body):
        if any(getattr(target, "id", "") in CONSTANTS for target in getattr(node, "targets", [])):
            exec(compiled([node]), names)
    return names


def test_the_twelve_sentences_are_those_of_the_chapter(notebook):
    assert sorted(notebook["SENTENCES"].splitlines()) == sorted(TEXT.splitlines())
    assert sorted(notebook["WORDS"]) == sorted(WORDS)


def of_the_same_kind(points, kind):
    """How many points have a point of the same kind nearest."""
    distances = np.linalg.norm(points[:, None] - points, axis=2) + 99 * np.eye(len(points))
    return int((kind[distances.argmin(axis=1)] == kind).sum())


def test_words_of_one_kind_stand_together_in_the_learners_own_space(notebook):
    """What the answers below the last demo say of the 64 words."""
    kind = np.repeat(np.arange(8), 8)
    X = notebook["your_vectors"](notebook["training_pairs"], notebook["one_epoch"])
    assert of_the_same_kind(X, kind) == 59
    three = notebook["your_map"]("football", "song", "moon")
    assert of_the_same_kind(three.shares, kind[:24]) == 24
    every = notebook["your_map"](*notebook["KINDS"])
    assert of_the_same_kind(every.shares, kind) < 35
    number = notebook["WORDS_64"].index
    pieces = [{*piece.tolist()} for piece in notebook["pieces"]]
    assert sum({number("cell"), number("traffic")} <= piece for piece in pieces) == 4
    music = {number(word) for word in notebook["KINDS"]["song"].split()}
    with_tennis = [piece for piece in pieces if number("tennis") in piece]
    assert sum(bool(music & piece) for piece in with_tennis) == 12


def test_the_exercises_vectors_are_those_of_glove_in_hundredths():
    few, vectors = pretrained_vectors.glove_few()
    known, rows = pretrained_vectors.glove()
    place = {word: i for i, word in enumerate(known)}
    assert len(set(few)) == len(few) == len(vectors)
    assert abs(rows[[place[word] for word in few]] - vectors).max() < 0.0051


def reviews(names):
    texts, labels = restaurant()
    return texts, [word_ids(words(text), names) for text in texts], np.array(labels)


def test_R9_the_wrong_label_comes_first_among_the_doubts_with_glove_and_not_without_the_mean():
    names, vectors = pretrained_vectors.glove_few()
    texts, numbers, labels = reviews(names)
    doubts = RIGHT["doubts"](vectors, numbers, labels)
    assert texts[np.argmax(doubts)] == "poor work" and labels[np.argmax(doubts)] == 0
    others = RIGHT["doubts"](vectors - vectors.mean(axis=0), numbers, labels)
    assert texts[np.argmax(others)] == "Never coming back!"


def test_R10_of_five_reviews_the_other_nine_say_nothing():
    names, _ = pretrained_vectors.glove_few()
    texts, numbers, labels = reviews(names)
    doubts = np.array(RIGHT["doubts"](np.eye(len(names)), numbers, labels))
    assert {text for text, doubt in zip(texts, doubts, strict=True) if doubt == 0} == {
        "Never coming back!",
        "rude waitress",
        "rocks",
        "poor work",
        "couldn't have done better",
    }
