"""What goes over the wire comes back as it was; what a liar sends does no harm."""

import json
import socket
import threading
import time

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from firth.checks.answers import same_data
from firth.grading.wire import (
    HEADER,
    Ended,
    Late,
    NotPlain,
    decoded,
    encoded,
    numbers,
    received,
    sent,
)

DTYPES = st.one_of(
    hnp.boolean_dtypes(), hnp.integer_dtypes(), hnp.unsigned_integer_dtypes(), hnp.floating_dtypes()
)
ARRAYS = hnp.arrays(DTYPES, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))
LEAVES = st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats() | st.text()
KEYS = st.text() | st.integers()
PLAIN = st.recursive(
    LEAVES | ARRAYS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(KEYS, inner, max_size=4)
    ),
    max_leaves=12,
)
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["tuple", "dict", "array", "number", "tensor", "ref", ""]),
            inner,
            max_size=2,
        )
    ),
    max_leaves=12,
)


def through_json(value):
    return decoded(json.loads(json.dumps(encoded(value))))


def identical(a, b):
    if isinstance(a, np.ndarray):
        same = a.dtype == b.dtype.newbyteorder("=") or a.dtype.newbyteorder("=") == b.dtype
        return same and a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return list(a) == list(b) and all(identical(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(identical, a, b))
    return a == b or (a != a and b != b)


@given(PLAIN)
def test_plain_data_comes_back_as_it_was(value):
    assert identical(value, through_json(value))


@given(ARRAYS.filter(lambda array: array.size))
def test_a_number_of_numpy_keeps_its_kind(array):
    number = array.reshape(-1)[0]
    back = through_json(number)
    assert back.dtype == number.dtype and (back == number or number != number)


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "float16", "int64", "bool"])
def test_a_tensor_comes_back_as_a_tensor(dtype):
    tensor = torch.arange(6).reshape(2, 3).to(getattr(torch, dtype))
    if tensor.is_floating_point():
        tensor.requires_grad_()
    back = through_json(tensor)
    assert back.dtype == tensor.dtype and back.requires_grad == tensor.requires_grad
    assert torch.equal(back, tensor)


def test_an_array_that_is_seen_from_the_side_comes_back_upright():
    array = np.arange(12.0).reshape(3, 4).T[::-1]
    assert same_data(through_json(array), array)


class Sly(float):
    pass


class Slyer(np.ndarray):
    pass


@pytest.mark.parametrize(
    "value",
    [{1}, b"x", 1j, Sly(1), np.zeros(2).view(Slyer), np.array([None]), np.array(["a"]), print],
    ids=repr,
)
def test_what_is_not_plain_is_refused(value):
    with pytest.raises(NotPlain):
        encoded([value])


@given(JUNK)
def test_whatever_is_sent_is_read_or_refused(junk):
    try:
        decoded(junk)
    except NotPlain:
        pass


@pytest.mark.parametrize(
    "lie",
    [
        {"array": ["O", [1], "AAAA"]},
        {"array": ["<f8,<f8", [1], "AAAAAAAACEAAAAAAAAAIQA=="]},
        {"array": ["S1000000000000", [1], ""]},
        {"array": ["<f8", [10**12], "AAAAAAAACEA="]},
        {"array": ["<f8", [1], "not base 64"]},
        {"tensor": ["__class__", False, {"array": ["<f8", [1], "AAAAAAAACEA="]}]},
        {"dict": [[{"array": ["<f8", [1], "AAAAAAAACEA="]}, 1]]},
        {"tuple": 3},
        {"tuple": [], "dict": []},
        {},
    ],
    ids=lambda lie: json.dumps(lie)[:30],
)
def test_a_lie_about_data_is_refused(lie):
    with pytest.raises(NotPlain):
        decoded(lie)


@pytest.fixture
def pair():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def soon(seconds=0.2):
    return time.monotonic() + seconds


@given(st.binary(max_size=200))
def test_noise_on_the_line_ends_the_talk(noise):
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            theirs.sendall(noise)
        try:
            assert isinstance(received(ours, soon()), dict)
        except Ended:
            pass


def test_messages_arrive_whole_however_long(pair):
    message = {"text": "é" * 300_000}
    thread = threading.Thread(target=sent, args=(pair[1], message, soon(5)))
    thread.start()
    assert received(pair[0]) == message
    thread.join()


@pytest.mark.parametrize("value", [{"text": "x" * 100_000}, {"value": [[]] * 50_000}])
def test_a_stranger_sends_nothing_long_but_an_array(pair, value):
    thread = threading.Thread(target=sent, args=(pair[1], value, soon(5)))
    thread.start()
    with pytest.raises(Ended, match="unreadable"):
        received(pair[0], soon(5))
    thread.join()


def test_a_stranger_may_send_a_long_array(pair):
    array = np.arange(100_000).reshape(4, -1)
    message = {"value": encoded(array), "changed": False}
    thread = threading.Thread(target=sent, args=(pair[1], message, soon(5)))
    thread.start()
    assert same_data(numbers(received(pair[0], soon(5))["value"]), array)
    thread.join()
    for other in ({"tensor": ["float32", False, encoded(array)]}, [1.0], {"dict": []}, None):
        with pytest.raises(NotPlain):
            numbers(other)


def test_a_silent_line_is_late(pair):
    with pytest.raises(Late):
        received(pair[0], soon(0.05))


@pytest.mark.parametrize("reads", [0, 2_000], ids=["nothing", "slowly"])
def test_a_peer_that_does_not_read_does_not_hold_the_sender(pair, reads):
    stop = threading.Event()

    def slow_reader():
        while not stop.wait(0.02):
            pair[1].recv(reads)

    thread = threading.Thread(target=slow_reader if reads else stop.wait)
    thread.start()
    pair[0].settimeout(None)
    began = time.monotonic()
    try:
        with pytest.raises(Late):
            sent(pair[0], {"text": "x" * 2_000_000}, soon(0.3))
    finally:
        stop.set()
        thread.join()
    assert time.monotonic() - began < 2


def test_a_message_has_the_time_that_its_own_deadline_leaves_it(pair):
    with pytest.raises(Late):
        received(pair[0], soon(0.05))
    message = {"text": "x" * 2_000_000}
    thread = threading.Timer(0.2, received, (pair[1],))
    thread.start()
    sent(pair[0], message, soon(5))  # not in what was left of the earlier deadline
    thread.join()


def test_a_drip_of_bytes_does_not_move_the_deadline(pair):
    stop = threading.Event()

    def drip():
        pair[1].sendall(HEADER.pack(1000))
        while not stop.wait(0.02):
            pair[1].sendall(b" ")

    thread = threading.Thread(target=drip)
    thread.start()
    began = time.monotonic()
    with pytest.raises(Late):
        received(pair[0], soon(0.3))
    stop.set()
    thread.join()
    assert time.monotonic() - began < 2


@pytest.mark.parametrize(
    "body", [b"{", b"[" * 100_000, b"[1]", b'{"a": 1}x', b"\xff" * 20, b"9" * 10_000]
)
def test_what_cannot_be_read_ends_the_talk(pair, body):
    pair[1].sendall(HEADER.pack(len(body)) + body)
    with pytest.raises(Ended):
        received(pair[0], soon())


def test_what_is_too_long_is_not_read(pair):
    pair[1].sendall(HEADER.pack(2**32 - 1))
    with pytest.raises(Ended, match="too much"):
        received(pair[0], soon())


def test_who_would_send_too_much_is_told(pair):
    with pytest.raises(NotPlain):
        sent(pair[0], {"text": "x" * 100}, soon(), longest=50)


def test_nobody_to_listen_is_the_end(pair):
    pair[1].close()
    with pytest.raises(Ended):
        sent(pair[0], {}, soon())
