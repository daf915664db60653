"""One column of a Parquet file, as far as a list of distinct words needs it.

    file   =  PAR1 · page · page · … · footer
    page   =  header (Thrift) · body (Snappy)
    body   =  length of what follows · bytes · length · bytes · …

Tables are published as Parquet, and the libraries that read it are larger than this course. A
column of text takes three small decoders: integers of as many bytes as they need, headers that
name their fields by number, and a compression whose only idea is "copy what stood there before".
"""

from collections.abc import Iterator
from pathlib import Path

DICTIONARY_PAGE, PLAIN = 2, 0
TYPE, WHOLE, PACKED, DATA, DICTIONARY = 1, 2, 3, 5, 7  # fields of a page's header
COUNT, ENCODING = 1, 2  # fields of the header in it


def column(path: Path) -> list[str]:
    """The texts of a file with a single column, no two alike and none missing.

    A writer puts the first texts into a dictionary, in the order in which they come up, and then
    refers to them by number; once that grows too large the rest is written plainly. Where no text
    comes twice, the dictionary is the beginning of the column.
    """
    texts, dictionary, numbered = [], 0, 0
    for header, body in pages(path.read_bytes()):
        if header[TYPE] == DICTIONARY_PAGE:
            texts += plain(body)
            dictionary = len(texts)
        elif header[DATA][ENCODING] == PLAIN:
            levels = int.from_bytes(body[:4], "little")  # which are missing: none
            texts += plain(body[4 + levels :])
        else:
            numbered += header[DATA][COUNT]
    if numbered != dictionary or len(set(texts)) < len(texts):
        raise ValueError(f"The column in {path.name} repeats a text: it needs a real reader.")
    return texts


def pages(file: bytes) -> Iterator[tuple[dict, bytes]]:
    """Header and body of each page, in order."""
    at, end = 4, len(file) - 8 - int.from_bytes(file[-8:-4], "little")
    while at < end:
        header, at = fields(file, at)
        body = snappy(file[at : at + header[PACKED]])
        if len(body) != header[WHOLE]:
            raise ValueError(f"A page has {len(body)} bytes where {header[WHOLE]} are announced.")
        at += header[PACKED]
        yield header, body


def plain(body: bytes) -> Iterator[str]:
    r"""Texts that stand one after the other, each behind its length.

    >>> list(plain(b"\x04\0\0\0king\x05\0\0\0queen"))
    ['king', 'queen']
    """
    at = 0
    while at < len(body):
        start = at + 4
        at = start + int.from_bytes(body[at:start], "little")
        yield body[start:at].decode()


def snappy(block: bytes) -> bytes:
    r"""What a Snappy block holds: bytes as they are, and copies of what is already there.

    The last two bits of a tag say which it is, and how many bytes say how far back to look. A copy
    may reach into itself: from one back, a length of 5 writes the same byte five times.

    >>> snappy(b"\x08" + b"\x08abc" + b"\x05\x01")
    b'abcccccc'
    """
    _, at = varint(block, 0)
    whole = bytearray()
    while at < len(block):
        kind, length = block[at] & 3, block[at] >> 2
        at += 1
        if kind == 0:
            if length >= 60:
                more = length - 59
                length = int.from_bytes(block[at : at + more], "little")
                at += more
            whole += block[at : at + length + 1]
            at += length + 1
            continue
        width = (1, 2, 4)[kind - 1]
        back = int.from_bytes(block[at : at + width], "little")
        at += width
        if kind == 1:
            back, length = (length >> 3) << 8 | back, (length & 7) + 3
        source = whole[len(whole) - back :][: length + 1]
        whole += (source * (length // back + 1))[: length + 1]
    return bytes(whole)


def varint(file: bytes, at: int) -> tuple[int, int]:
    r"""A whole number in groups of seven bits, the lowest first, and where it ends.

    >>> varint(b"\x96\x01", 0)
    (150, 2)
    """
    number = shift = 0
    while True:
        number |= (file[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if file[at - 1] < 128:
            return number, at


def fields(file: bytes, at: int) -> tuple[dict, int]:
    r"""A Thrift record in its compact form, by field number, and where it ends.

    A byte holds the step to the next number and the kind; 0 ends the record. Numbers are folded:
    0, −1, 1, −2 … become 0, 1, 2, 3 ….

    >>> fields(b"\x15\x04\x4c\x15\x06\0\0", 0)  # field 1 is 2; field 5 holds field 1, which is 3
    ({1: 2, 5: {1: 3}}, 7)
    """
    record, number = {}, 0
    while file[at]:
        number, kind, at = number + (file[at] >> 4), file[at] & 15, at + 1
        if kind in (1, 2):
            record[number] = kind == 1
        elif kind in (4, 5, 6):
            folded, at = varint(file, at)
            record[number] = folded >> 1 ^ -(folded & 1)
        elif kind == 8:
            length, at = varint(file, at)
            record[number] = file[at : at + length]
            at += length
        elif kind == 12:
            record[number], at = fields(file, at)
        else:
            raise ValueError(f"A header holds a field of kind {kind}: it needs a real reader.")
    return record, at + 1
