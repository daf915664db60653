"""Telephone numbers in two languages, and the shipped network that turns the one into the other."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.attention import telephone_numbers as training
from firth.attention import telephone_numbers
from firth.attention.telephone_numbers import (
    ENGLISH,
    GERMAN,
    correct_words,
    decoder_step,
    digit_pairs,
    encode,
    english_words,
    german_words,
    is_held_out,
    kind_of_error,
    random_numbers,
    stored_network,
    translation,
    word_indices,
)
from firth.store.results import stored_result

numbers = st.lists(st.integers(0, 99).map("{:02}".format), min_size=1, max_size=12).map("".join)
words = st.lists(st.sampled_from("abc"), max_size=7)
few = settings(max_examples=20, deadline=None, derandomize=True, database=None)
HUNDRED = [f"{n:02}" for n in range(100)]


def heard(text, language):
    """The digits that a text stands for: words are taken off pair by pair, the longest first."""
    known = {tuple(language(pair)): pair for pair in HUNDRED}
    digits = ""
    while text:
        n = next(n for n in (3, 2, 1) if tuple(text[:n]) in known)
        digits, text = digits + known[tuple(text[:n])], text[n:]
    return digits


@given(numbers)
def test_from_either_text_the_number_can_be_written_down_again(number):
    assert (
        heard(english_words(number), english_words)
        == heard(german_words(number), german_words)
        == number
    )


def test_every_pair_has_a_reading_of_its_own_in_both_languages():
    for language, vocabulary in ((english_words, ENGLISH), (german_words, GERMAN)):
        assert len({tuple(language(pair)) for pair in HUNDRED}) == 100
        assert {word for pair in HUNDRED for word in language(pair)} == {*vocabulary} - {""}
        assert len(set(vocabulary)) == len(vocabulary) and vocabulary[0] == ""


@pytest.mark.parametrize(
    ("pair", "english", "deutsch"),
    [
        ("00", "oh oh", "null null"),
        ("01", "oh one", "null eins"),
        ("10", "ten", "zehn"),
        ("11", "eleven", "elf"),
        ("16", "sixteen", "sechzehn"),
        ("17", "seventeen", "siebzehn"),
        ("20", "twenty", "zwanzig"),
        ("21", "twenty one", "ein und zwanzig"),
        ("30", "thirty", "dreißig"),
        ("42", "forty two", "zwei und vierzig"),
        ("67", "sixty seven", "sieben und sechzig"),
        ("76", "seventy six", "sechs und siebzig"),
        ("99", "ninety nine", "neun und neunzig"),
    ],
)
def test_pairs_are_read_as_people_read_them(pair, english, deutsch):
    assert (" ".join(english_words(pair)), " ".join(german_words(pair))) == (english, deutsch)


def test_blanks_do_not_count():
    assert english_words(" 4 217 05") == english_words("421705") and digit_pairs("4 2 1\t7") == [
        "42",
        "17",
    ]


@given(numbers)
def test_indices_lead_back_to_the_words(number):
    assert [ENGLISH[i] for i in word_indices(english_words(number), ENGLISH)] == english_words(
        number
    )
    assert 0 not in word_indices(german_words(number), GERMAN)


@given(st.integers(1, 6), st.integers(0, 999), st.booleans())
def test_random_numbers_have_their_length_their_side_and_their_seed(n, seed, held_out):
    found = random_numbers(n, 5, seed, held_out)
    assert found == random_numbers(n, 5, seed, held_out) and len(found) == 5
    assert {len(number) for number in found} == {2 * n}
    assert {is_held_out(number) for number in found} == {held_out}


def test_a_range_draws_every_length_equally_often_and_a_fifth_is_held_out():
    lengths = Counter(len(number) // 2 for number in random_numbers(range(1, 7), 6000, seed=0))
    assert set(lengths) == set(range(1, 7)) and max(abs(n - 1000) for n in lengths.values()) < 150
    share = np.mean([is_held_out(f"{n:06}") for n in range(20_000)])
    assert share == pytest.approx(0.2, abs=0.02)


def slow_common(a, b):
    """The length of the longest common subsequence, by trying all that a has."""
    subsequences = (part for n in range(len(a), -1, -1) for part in combinations(a, n))

    def inside(part):
        rest = iter(b)
        return all(word in rest for word in part)

    return len(next(part for part in subsequences if inside(part)))


@given(words, words)
def test_the_correct_words_are_a_longest_text_common_to_both(said, right):
    marks = correct_words(said, right)
    rest = iter(right)
    assert all(word in rest for word, mark in zip(said, marks, strict=True) if mark)
    assert sum(marks) == slow_common(said, right) and len(marks) == len(said)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("a b c d", "none"),
        ("a b", "stops early"),
        ("", "stops early"),
        ("a c d", "leaves out"),
        ("a b b c d", "adds"),
        ("a b c d d", "adds"),
        ("a b c x", "others"),
        ("b a c d", "others"),
    ],
)
def test_what_is_wrong_with_a_text_has_one_name(said, name):
    assert kind_of_error(said.split(), "a b c d".split()) == name


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: english_words(""), "There is no number: type digits"),
        (lambda: german_words("  "), "There is no number: type digits"),
        (lambda: english_words("42-17"), "made of digits, and “-” is none"),
        (lambda: english_words("²2"), "made of digits, and “²” is none"),
        (lambda: german_words("421"), "read in pairs, and 3 is odd"),
        (lambda: translation("four two"), "made of digits, and “f” is none"),
        (lambda: random_numbers(0, 1, seed=0), "one pair or more"),
        (lambda: random_numbers(range(3, 3), 1, seed=0), "one pair or more"),
        (lambda: random_numbers(1, 0, seed=0), "one number or more"),
        (lambda: word_indices(["hundred"], ENGLISH), "No telephone number has the word “hundred”"),
        (lambda: word_indices([""], GERMAN), "No telephone number has the word “”"),
    ],
)
def test_bad_input_is_answered_with_one_sentence(wrong, said):
    with pytest.raises(ValueError, match=said) as refused:
        wrong()
    assert "\n" not in str(refused.value)


# The network


def test_A2_a_step_is_the_six_of_the_page_written_out_in_loops():
    net, d = stored_network(), len(stored_network().f)
    H, s = encode(english_words("42 17"), net)
    assert H.shape == (3, d) and s.shape == (d,)
    y = GERMAN.index("zwei")
    W, U, b, c = net.decoder
    a, u = W @ net.D[y] + b, U @ s + c

    def sigma(z):
        return 1 / (1 + np.exp(-z))

    s_t = []
    for k in range(d):
        r, z = sigma(a[k] + u[k]), sigma(a[k + d] + u[k + d])
        s_t.append((1 - z) * np.tanh(a[k + 2 * d] + r * u[k + 2 * d]) + z * s[k])
    scores = [sum(p * q for p, q in zip(s_t, h, strict=True)) for h in H]
    odds = [np.exp(score - max(scores)) for score in scores]
    A = [weight / sum(odds) for weight in odds]
    C = [sum(A[j] * H[j][k] for j in range(3)) for k in range(d)]
    joint = [*s_t, *C]
    o = [
        np.tanh(sum(map(np.multiply, row, joint)) + f) for row, f in zip(net.F, net.f, strict=True)
    ]
    p = [sum(map(np.multiply, row, o)) + bias for row, bias in zip(net.O, net.o, strict=True)]
    for found, expected in zip(decoder_step(y, s, H, net), (s_t, A, p), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-10)


def test_an_encoded_word_knows_both_sides():
    net = stored_network()
    half = len(net.f) // 2
    one, other = (encode(english_words(number), net)[0] for number in ("421733", "421799"))
    assert np.array_equal(one[:3, :half], other[:3, :half])  # read to the right: what is to come
    assert (one[:3, half:] != other[:3, half:]).any(axis=1).all()


@given(numbers)
@few
def test_the_weights_of_every_word_sum_to_1_and_a_text_ends(number):
    text, A = translation(number)
    assert A.shape == (len(text), len(english_words(number))) and "" not in text
    np.testing.assert_allclose(A.sum(axis=1), 1)
    assert len(text) <= 2 * len(english_words(number)) + 4


def test_A2_at_vier_in_vierundzwanzig_it_looks_at_four_and_und_comes_before_the_tens():
    text, A = translation("42 17 24 05")
    assert text == german_words("42 17 24 05")
    assert english_words("42 17 24 05")[A[text.index("vier")].argmax()] == "four"


def test_A1_the_shipped_network_knows_the_lengths_it_was_taught_and_not_twice_as_long():
    asked = {n: random_numbers(n, 60, seed=5, held_out=True) for n in (2, 4, 6, 12)}
    right = {n: [translation(x)[0] == german_words(x) for x in some] for n, some in asked.items()}
    assert min(np.mean(right[n]) for n in (2, 4, 6)) > 0.9
    assert np.mean(right[12]) < 0.1


def test_the_shipped_network_is_small_and_loses_little_by_being_packed():
    assert telephone_numbers.FILE.stat().st_size < 150_000
    stored = stored_result("attention/telephone_numbers")
    for before, after in stored["right"].values():
        assert abs(before - after) <= 0.02 * stored["asked"]


def test_how_many_pairs_come_before_a_fault_is_counted_on_the_words():
    assert training.begun(german_words("421211"), "421211") == 3
    assert training.begun(german_words("421211")[:-1], "421211") == 2
    assert training.begun([], "42") == 0 and training.begun(german_words("4211"), "42") == 1


def test_A1_the_store_has_every_run_with_equal_parameters_and_every_length():
    runs = stored_result("attention/accuracy_by_length")
    ours = [row for row in runs["rows"] if row["kind"] in ("dot", "none", "general", "additive")]
    assert {(row["kind"], row["seed"]) for row in ours} == set(training.wanted())
    assert len(ours) == len(training.wanted())
    assert len({row["parameters"] for row in ours if row["kind"] in ("dot", "none")}) == 1
    for row in ours:
        assert [at["pairs"] for at in row["lengths"]] == list(range(1, 13))
        for at in row["lengths"]:
            wrong = sum(at["faults"].values()) / runs["settings"]["asked"]
            assert at["numbers"] + wrong == pytest.approx(1)
