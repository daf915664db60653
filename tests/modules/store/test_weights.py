"""Weights in bytes: back to within half a step, and the same in JavaScript, for every file."""

import base64
import copy
import json

import js
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from firth.store.results import DATA
from firth.store.weights import dequantize, load_npz, quantize, save_npz, to_int8
from firth.widgets import scripts

SCRIPT = scripts.esm(scripts.HERE / "weights.js")
TINY = 127 * np.finfo(float).tiny  # a row whose scale would be no normal float is a row of zeros
tables = array_shapes(min_dims=1, max_dims=3, max_side=5).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.floats(-1e6, 1e6))
)


def stored_tables(value, name=""):
    """The tables in a value read from JSON, each with its place."""
    if isinstance(value, dict) and {"shape", "scale", "bytes"} <= {*value}:
        yield name, value
    elif isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in items:
            yield from stored_tables(part, f"{name} {key}")


def files():
    """The tables of each stored file that has any."""
    read = {path: json.loads(path.read_text(encoding="utf-8")) for path in DATA.rglob("*.json")}
    found = {path.relative_to(DATA).as_posix(): dict(stored_tables(x)) for path, x in read.items()}
    return {name: parts for name, parts in sorted(found.items()) if parts}


FILES = files()


def in_javascript(table):
    """The table as JavaScript reads it, of the shape that it has in Python."""
    rows = js.call(SCRIPT, "dequantize", table)
    values = [row[str(i)] for row in rows for i in range(len(row))]
    return np.array(values, dtype=float).reshape(table["shape"])


def same_bits(x, y):
    return x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()


def scales(x, table):
    """The scale of each number of x."""
    rows = x.reshape(len(table["scale"]), -1)
    return np.broadcast_to(np.array(table["scale"])[:, None], rows.shape).reshape(x.shape)


def test_every_file_that_carries_bytes_is_known_here():
    chapters = {name.split("/")[0] for name in FILES}
    assert chapters == {"attention", "bert", "lsa", "rnn", "transformer", "word2vec"}
    assert {"bert/attention_heads.json", "bert/fill_mask.json", "word2vec/glove.json"} <= {*FILES}


@pytest.mark.parametrize("name", FILES)
def test_javascript_reads_the_same_numbers_to_the_last_bit(name):
    for place, table in FILES[name].items():
        assert same_bits(in_javascript(table), dequantize(table)), place


@pytest.mark.parametrize("name", FILES)
def test_what_is_stored_is_stored_again_in_the_same_bytes(name):
    for place, table in FILES[name].items():
        q = to_int8(dequantize(table), np.array(table["scale"]), table.get("zero", 0))
        assert base64.b64encode(q.tobytes()).decode() == table["bytes"], place


@given(tables)
def test_no_number_moves_by_more_than_half_a_step_of_its_row(x):
    table = quantize(x)
    back = dequantize(table)
    assert (abs(back - x) <= scales(x, table) / 2 * (1 + 1e-9) + TINY).all()
    assert (back[x == 0] == 0).all() and back.shape == x.shape
    assert same_bits(in_javascript(json.loads(json.dumps(table))), back)


def test_half_a_step_is_reached():
    x = np.array([[127.0, 0.5]])
    assert abs(dequantize(quantize(x)) - x).max() == 0.5


def test_a_row_whose_scale_would_be_no_normal_float_is_a_row_of_zeros():
    least = np.nextafter(0, 1)
    assert (dequantize(quantize(np.array([[180 * least, 0], [0, 0]]))) == 0).all()


@pytest.mark.parametrize("scale", [1.0, 2.0, 10.0])
@pytest.mark.parametrize(("zero", "lowest"), [(-128, 0), (0, -128), (27, -155)])
def test_multiples_of_a_known_scale_come_back_as_they_were(scale, zero, lowest):
    x = scale * np.arange(lowest, lowest + 256.0).reshape(4, 64)
    table = quantize(x, scale, zero)
    assert (dequantize(table) == x).all() and same_bits(in_javascript(table), dequantize(table))
    with pytest.raises(ValueError, match="A byte holds −128 … 127"):
        quantize(x + scale, scale, zero)


def test_a_table_with_one_byte_or_scale_changed_is_another_table():
    table = quantize(np.array([[1.0, 2.0], [3.0, 4.0]]))
    other = copy.deepcopy(table)
    other["scale"][1] = float(np.nextafter(other["scale"][1], 1))
    assert not same_bits(in_javascript(other), dequantize(table))


@given(tables.map(np.float32))
def test_an_npz_file_keeps_matrices_to_half_a_step_and_the_rest_as_it_is(tmp_path_factory, x):
    path = tmp_path_factory.mktemp("weights") / "weights.npz"
    save_npz(path, {"a.weight": x, "a.bias": np.float32([0.1, 2])})
    back = load_npz(path)
    assert back.keys() == {"a.weight", "a.bias"}
    assert same_bits(back["a.bias"], np.float32([0.1, 2]))
    assert back["a.weight"].dtype == np.float32 and back["a.weight"].shape == x.shape
    if x.ndim != 2:
        assert same_bits(back["a.weight"], x)
    else:
        step = abs(x).max(axis=1, keepdims=True) / 127
        assert (abs(back["a.weight"] - x) <= 0.5001 * step + 127 * np.finfo(np.float32).tiny).all()
        with np.load(path) as file:
            assert file["a.weight/steps"].dtype == np.int8 and file["a.weight/scale"].size == len(x)


def test_a_scale_that_a_browser_has_written_without_its_point_is_the_same_number():
    stored = {"shape": [2], "scale": [10], "zero": -128, "bytes": "gH8="}
    assert dequantize(stored).tolist() == dequantize(stored | {"scale": [10.0]}).tolist()
