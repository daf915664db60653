"""Plain data between two processes, one of which may lie: JSON with tags, in frames with a length.

    frame  = 4 bytes, the length of what follows, and then JSON
    None, bool, int, float, str, list          as they are in JSON
    tuple, dict, array, tensor, NumPy number   {"tag": …}

Never a pickle: nothing that arrives here can run. What arrives is at most as long as agreed, at
most as deep as JSON's reader allows. Sending and reading both keep a deadline, because the other
side may do neither: a message longer than the system's buffer waits for its reader.
"""

import base64
import json
import re
import socket
import struct
import sys
import time
from typing import Any

import numpy as np

LONGEST = 16 << 20  # bytes of one frame
SHORT = 64 << 10  # a longer one from a stranger is one array and nothing else: that is soon read
LARGE = re.compile(
    rb'\{"value": \{"array": \["[<>|=]\w+", \[[\d, ]*\], "[A-Za-z0-9+/=]*"\]\}, "changed": \w+\}'
)
HEADER = struct.Struct(">I")
NUMBERS = "biuf"  # kinds of dtype that hold plain numbers


class Ended(Exception):
    """The other side is gone, or does not keep to the rules."""


class Late(Exception):
    """The other side did not read, or did not answer, in time."""


class NotPlain(ValueError):
    """A value that is not plain data."""


def encoded(value: Any) -> Any:
    """A value as JSON can hold it; asked of the exact type, so that no subclass has a say.

    >>> encoded((1, np.array([1.5])))
    {'tuple': [1, {'array': ['<f8', [1], 'AAAAAAAA+D8=']}]}
    """
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    if kind is list:
        return [encoded(item) for item in value]
    if kind is tuple:
        return {"tuple": [encoded(item) for item in value]}
    if kind is dict:
        return {"dict": [[encoded(key), encoded(item)] for key, item in value.items()]}
    if kind is np.ndarray and value.dtype.kind in NUMBERS:
        little = np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("<"))
        data = base64.b64encode(little.tobytes()).decode("ascii")
        return {"array": [little.dtype.str, list(value.shape), data]}
    if isinstance(value, np.generic) and value.dtype.kind in NUMBERS:
        return {"number": encoded(np.asarray(value))}
    torch = sys.modules.get("torch")
    if torch is not None and kind is torch.Tensor:
        name = str(value.dtype).removeprefix("torch.")
        dense = value.detach().cpu().resolve_conj().resolve_neg()
        exact = dense.float() if name in ("bfloat16", "float16") else dense
        return {"tensor": [name, bool(value.requires_grad), encoded(exact.numpy())]}
    raise NotPlain(f"a {kind.__name__} is not plain data")


def decoded(value: Any) -> Any:
    """The value that was encoded, or NotPlain.

    >>> decoded(encoded({"a": (1, 2.5)}))
    {'a': (1, 2.5)}
    """
    if isinstance(value, list):
        return [decoded(item) for item in value]
    if not isinstance(value, dict):
        return value
    try:
        ((tag, inner),) = value.items()
        if tag == "tuple":
            return tuple(decoded(item) for item in inner)
        if tag == "dict":
            return {decoded(key): decoded(item) for key, item in inner}
        if tag == "array":
            return array(*inner)
        if tag == "number":
            return decoded(inner)[()]
        if tag == "tensor":
            return tensor(*inner)
    except NotPlain:
        raise
    except Exception as error:  # whatever else a liar can think of
        raise NotPlain(f"not plain data: {type(error).__name__}") from None
    raise NotPlain("not plain data: an unknown tag")


def numbers(value: Any) -> np.ndarray:
    """The array that a stranger has sent, or NotPlain; other data would take longer to read."""
    try:
        return array(*value["array"])
    except Exception as error:
        raise NotPlain(f"not an array: {type(error).__name__}") from None


def array(dtype: str, shape: list[int], data: str) -> np.ndarray:
    """An array of its own memory; shape and bytes must agree."""
    kind = np.dtype(dtype)
    if kind.kind not in NUMBERS or kind.subdtype or kind.names:
        raise NotPlain("not plain data: an array of something else than numbers")
    flat = np.frombuffer(base64.b64decode(data, validate=True), dtype=kind)
    return flat.reshape([int(n) for n in shape]).astype(kind.newbyteorder("="))


def tensor(dtype: str, requires_grad: bool, data: dict):
    """A tensor of its own memory."""
    import torch  # only where the other side has sent one, and this side expects them

    kind = getattr(torch, dtype)
    if not isinstance(kind, torch.dtype):
        raise NotPlain("not plain data: an unknown kind of tensor")
    made = torch.from_numpy(decoded(data)).to(kind)
    return made.requires_grad_(bool(requires_grad) and made.is_floating_point())


def sent(to: socket.socket, message: dict, deadline: float | None, longest: int = LONGEST) -> None:
    """Sends one message, whole, before the deadline (of time.monotonic), or Ended, or Late.

    NotPlain if the message is too long, so that the sender can say so. The side that is not trusted
    sends without a deadline.
    """
    body = json.dumps(message).encode("utf-8", "surrogatepass")
    if len(body) > longest:
        raise NotPlain("too much data")
    try:
        to.settimeout(remaining(deadline))
        to.sendall(HEADER.pack(len(body)) + body)  # the timeout is for all of it together
    except TimeoutError:
        raise Late from None
    except OSError:
        raise Ended("nobody is there to listen") from None


def remaining(deadline: float | None) -> float | None:
    """Seconds until the deadline, or None if there is none; Late if it is over."""
    if deadline is None:
        return None
    left = deadline - time.monotonic()
    if left <= 0:
        raise Late
    return left


def received(source: socket.socket, deadline: float | None = None) -> dict:
    """One message, before the deadline (of time.monotonic), or Ended, or Late.

    Who sets a deadline listens to a stranger.
    """
    (length,) = HEADER.unpack(exactly(source, HEADER.size, deadline))
    if length > LONGEST:
        raise Ended("it sent too much")
    body = exactly(source, length, deadline)
    if deadline is not None and length > SHORT and not LARGE.fullmatch(body):
        raise Ended("it sent something unreadable")
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        raise Ended("it sent something unreadable") from None
    if not isinstance(message, dict):
        raise Ended("it sent something unreadable")
    return message


def exactly(source: socket.socket, length: int, deadline: float | None) -> bytes:
    """So many bytes; a drip of them does not move the deadline."""
    data = bytearray()
    while len(data) < length:
        try:
            source.settimeout(remaining(deadline))
            piece = source.recv(min(length - len(data), 1 << 20))
        except TimeoutError:
            raise Late from None
        except OSError:
            piece = b""
        if not piece:
            raise Ended("it ended")
        data += piece
    return bytes(data)
