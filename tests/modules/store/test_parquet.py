"""Parquet: what a small writer writes, the small reader reads; what it cannot read, it refuses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firth.store import parquet


def varint(number):
    groups = [number >> shift & 127 for shift in range(0, max(1, number.bit_length()), 7)]
    return bytes([group | 128 for group in groups[:-1]] + groups[-1:])


def literal(piece):
    """A tag of Snappy for bytes as they are, with the fewest bytes of length."""
    last = len(piece) - 1
    if last < 60:
        return bytes([last << 2]) + piece
    width = (last.bit_length() + 7) // 8
    return bytes([59 + width << 2]) + last.to_bytes(width, "little") + piece


def copy(kind, back, length):
    """A tag of Snappy for a copy, in one of its three forms."""
    if kind == 1:
        return bytes([back >> 8 << 5 | length - 4 << 2 | 1, back & 255])
    return bytes([length - 1 << 2 | kind]) + back.to_bytes(2 if kind == 2 else 4, "little")


@st.composite
def blocks(draw):
    """A block of literals and copies, and what it holds by a loop that takes a byte at a time."""
    whole = bytearray(draw(st.binary(min_size=1, max_size=300)))
    tags = literal(bytes(whole))
    for _ in range(draw(st.integers(0, 6))):
        kind = draw(st.integers(0, 3))
        if kind == 0:
            piece = draw(st.binary(min_size=1, max_size=70))
            tags += literal(piece)
            whole += piece
            continue
        back = draw(st.integers(1, min(len(whole), 2047)))
        length = draw(st.integers(4, 11) if kind == 1 else st.integers(1, 64))
        tags += copy(kind, back, length)
        for _ in range(length):
            whole.append(whole[-back])
    return varint(len(whole)) + tags, bytes(whole)


@given(blocks())
def test_snappy_is_undone(pair):
    block, whole = pair
    assert parquet.snappy(block) == whole


@pytest.mark.parametrize("length", [1, 60, 61, 256, 257, 70_000])
def test_literals_of_every_size_of_length_are_read(length):
    piece = bytes(n % 251 for n in range(length))
    assert parquet.snappy(varint(length) + literal(piece)) == piece


@given(st.integers(0, 2**40))
def test_whole_numbers_come_back_and_end_where_they_end(number):
    written = varint(number)
    assert parquet.varint(b"?" + written + b"?", 1) == (number, 1 + len(written))


def field(step, kind, body=b""):
    return bytes([step << 4 | kind]) + body


def number(value):
    return varint(value << 1 if value >= 0 else (-value << 1) - 1)


@given(st.integers(-(2**31), 2**31), st.booleans(), st.binary(max_size=200))
def test_headers_hold_numbers_truths_and_bytes_by_field(value, truth, name):
    header = field(2, 5, number(value)) + field(1, 1 if truth else 2)
    header += field(4, 8, varint(len(name)) + name) + b"\0"
    assert parquet.fields(header, 0) == ({2: value, 3: truth, 7: name}, len(header))


def page(kind, inner, body):
    """A page with its header; `inner` is the field of the kind's own header, and its fields."""
    packed = varint(len(body)) + literal(body)
    header = b"".join(field(1, 5, number(n)) for n in (kind, len(body), len(packed)))
    own, numbers = inner
    header += field(own - 3, 12, b"".join(field(1, 5, number(n)) for n in numbers) + b"\0")
    return header + b"\0" + packed


def written(texts):
    return b"".join(len(t.encode()).to_bytes(4, "little") + t.encode() for t in texts)


def table(folder, dictionary, rest, numbered=None):
    """A file that begins with a dictionary, refers to it, and goes on plainly."""
    levels = (2).to_bytes(4, "little") + b"\x02\x01"
    numbered = len(dictionary) if numbered is None else numbered
    path = folder / "table.parquet"
    pages = [
        page(2, (7, (len(dictionary), 0)), written(dictionary)),
        page(0, (5, (numbered, 8)), levels + b"numbers"),
        page(0, (5, (len(rest), 0)), levels + written(rest)),
    ]
    path.write_bytes(b"PAR1" + b"".join(pages) + b"foot" + (4).to_bytes(4, "little") + b"PAR1")
    return path


def test_a_column_is_its_dictionary_and_what_comes_after(tmp_path):
    path = table(tmp_path, ["king", "königin"], ["naïve", "", "x" * 300])
    assert parquet.column(path) == ["king", "königin", "naïve", "", "x" * 300]


@pytest.mark.parametrize(("rest", "numbered"), [(["king"], 2), (["man"], 3)])
def test_a_column_that_repeats_a_text_is_refused(tmp_path, rest, numbered):
    path = table(tmp_path, ["king", "queen"], rest, numbered)
    with pytest.raises(ValueError, match=r"table\.parquet repeats a text"):
        parquet.column(path)


def test_a_page_of_another_size_than_announced_is_refused(tmp_path):
    path = table(tmp_path, ["king", "queen"], ["man"])
    whole = path.read_bytes()
    path.write_bytes(whole.replace(field(1, 5, number(17)), field(1, 5, number(16)), 1))
    with pytest.raises(ValueError, match="A page has 17 bytes where 16 are announced"):
        parquet.column(path)


def test_a_header_with_a_list_is_refused():
    with pytest.raises(ValueError, match="field of kind 9"):
        parquet.fields(b"\x19\x15\0", 0)
