"""The reader of GGUF files: what the library reads, and one sentence where nothing can be read."""

import re
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firth.store.gguf import GGUF

CHANCE = np.random.default_rng(0)
TABLES = {
    "tokens.weight": (CHANCE.normal(size=(5, 64)), "Q8_0"),
    "blk.0.up.weight": (CHANCE.normal(size=(3, 96)) * 7 + 2, "Q4_1"),
    "norm.weight": (CHANCE.normal(size=7), "F32"),
    "half": (CHANCE.normal(size=(2, 3, 4)), "F16"),
    "empty_row": (np.zeros((1, 32)), "Q4_1"),
}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A small file, written by the library."""
    gguf = pytest.importorskip("gguf")
    path = tmp_path_factory.mktemp("gguf") / "small.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_uint32("a.number", 7)
    writer.add_float32("a.float", 0.5)
    writer.add_float64("a.double", 1 / 3)
    writer.add_int8("a.byte", -3)
    writer.add_uint64("a.long", 2**40)
    writer.add_bool("a.truth", True)
    writer.add_string("a.text", "Ġäß🙂")
    writer.add_array("a.texts", ["x", "", "Ċ"])
    writer.add_array("a.numbers", [3, -1, 2])
    for name, (table, kind) in TABLES.items():
        kind = gguf.GGMLQuantizationType[kind]
        packed = gguf.quants.quantize(table.astype(np.float32), kind)
        writer.add_tensor(name, packed, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def test_the_facts_are_those_that_were_written(written):
    facts = {name: fact for name, fact in GGUF(written).facts.items() if name.startswith("a.")}
    assert facts == {
        "a.number": 7, "a.float": 0.5, "a.double": 1 / 3, "a.byte": -3, "a.long": 2**40,
        "a.truth": True, "a.text": "Ġäß🙂", "a.texts": ["x", "", "Ċ"], "a.numbers": [3, -1, 2],
    }  # fmt: skip


def test_every_table_is_what_the_library_makes_of_it(written):
    gguf = pytest.importorskip("gguf")
    file, reader = GGUF(written), gguf.GGUFReader(written)
    assert list(file) == list(TABLES) == [table.name for table in reader.tensors]
    for table in reader.tensors:
        right = gguf.quants.dequantize(table.data, table.tensor_type)
        mine = file[table.name]
        assert mine.shape == TABLES[table.name][0].shape and mine.dtype == np.float32
        np.testing.assert_array_equal(mine, right.reshape(mine.shape))


@pytest.mark.parametrize("name", TABLES)
def test_rounding_costs_half_a_step_at_most(written, name):
    table, kind = TABLES[name]
    blocks = table.reshape(-1, 32) if kind[0] == "Q" else table.reshape(-1, 1)
    far = {
        "Q8_0": abs(blocks).max(1) / 127 / 2,
        "Q4_1": (blocks.max(1) - blocks.min(1)) / 15 / 2,
        "F16": abs(blocks).max(1) / 2**11,
        "F32": 1e-6 + 0 * blocks[:, 0],
    }[kind]
    wrong = abs(GGUF(written)[name].reshape(blocks.shape) - blocks).max(1)
    slack = abs(blocks).max(1) / 2**9  # the step itself is stored in half precision
    assert (wrong <= far + slack * (kind[0] == "Q") + 1e-9).all()


def test_a_table_is_read_only_when_it_is_asked_for(written, tmp_path):
    damaged = bytearray(written.read_bytes())
    damaged[-8:] = b"\xff" * 8
    path = tmp_path / "damaged.gguf"
    path.write_bytes(damaged)
    np.testing.assert_array_equal(GGUF(path)["norm.weight"], GGUF(written)["norm.weight"])


@given(st.data())
@settings(max_examples=150, deadline=None, derandomize=True, database=None)
def test_a_file_that_ends_too_early_is_refused_in_one_sentence(written, data):
    whole = written.read_bytes()
    path = written.with_name("cut.gguf")
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 40))])
    with pytest.raises(ValueError, match=r"too short|too early") as refused:
        GGUF(path)
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 120


@given(st.data())
@settings(max_examples=300, deadline=None, derandomize=True, database=None)
def test_a_damaged_head_is_read_or_refused_in_one_sentence(written, data):
    damaged = bytearray(written.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, 700))] = data.draw(st.integers(0, 255))
    path = written.with_name("damaged.gguf")
    path.write_bytes(damaged)
    try:
        file = GGUF(path)
        for name in file:
            with np.errstate(all="ignore"):
                file[name]
    except ValueError as refused:
        assert str(refused).startswith("damaged.gguf ") or "is not read here" in str(refused)
        assert "\n" not in str(refused) and len(str(refused)) < 200


def head(version=3, facts=b"", n=0):
    return b"GGUF" + struct.pack("<IQQ", version, 0, n) + facts


@pytest.mark.parametrize(
    ("bytes_", "says"),
    [
        (b"", "too short"),
        (b"PK\x03\x04" + bytes(40), "begins with something else"),
        (head(version=1), "version 1"),
        (head(facts=struct.pack("<Q", 2) + b"\xff\xfe", n=1), "no text"),
        (head(facts=struct.pack("<Q1sI", 1, b"a", 99), n=1), "no fact of kind 99"),
        (head(facts=struct.pack("<Q1sIQ", 1, b"a", 8, 2**60), n=1), "too early"),
    ],
)
def test_what_is_no_gguf_is_refused_in_one_sentence(tmp_path, bytes_, says):
    path = tmp_path / "wrong.gguf"
    path.write_bytes(bytes_)
    with pytest.raises(ValueError, match=says) as refused:
        GGUF(path)
    assert re.fullmatch(r"wrong\.gguf [^\n]+", str(refused.value))


def test_a_table_that_is_not_there_is_named(written):
    with pytest.raises(KeyError, match="no table named nothing"):
        GGUF(written)["nothing"]


def test_a_kind_that_is_not_read_is_named(tmp_path):
    gguf = pytest.importorskip("gguf")
    path = tmp_path / "other.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    kind = gguf.GGMLQuantizationType.Q4_0
    table = gguf.quants.quantize(np.ones((2, 32), np.float32), kind)
    writer.add_tensor("other", table, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    with pytest.raises(ValueError, match="other is rounded in a way that is not read here"):
        GGUF(path)["other"]
