"""A writer of the plain pickles that `paddle.load` reads, the counterpart of `unpickling`.

Arrays name ``numpy.core.multiarray``, which every NumPy that Paddle 2.6 runs on has; Python's own pickle module would name
the module of the NumPy that happens to be installed here. Same object, same bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np

from to_static.core.dtypes import as_dtype
from to_static.core.nesting import CONTAINERS, met_twice
from to_static.formats.paddle.unpickling import NamedArray

PROTOCOLS = (2, 3, 4)


def pickled(value: Any, protocol: int = 4) -> bytes:
    """``value`` (numbers, text, bytes, None, lists, tuples, dicts, arrays, `NamedArray`) as a pickle.

    An array or a container that is met twice is stored once. Raises ValueError for a protocol that Paddle does not read and for
    containers that contain themselves, TypeError for anything else.

    Example:
        >>> import pickle
        >>> pickle.loads(pickled({"a": [1, 2.5]}))
        {'a': [1, 2.5]}
    """
    if protocol not in PROTOCOLS:
        raise ValueError(f"pickle protocol must be one of {PROTOCOLS}, got {protocol!r}")
    writer = _Writer(protocol, met_twice(value))
    writer.put(value)
    return b"".join([b"\x80", bytes([protocol]), *writer.parts, b"."])


class _Writer:
    def __init__(self, protocol: int, shared: set[int]) -> None:
        self.protocol = protocol
        self.shared = shared  # ids of the containers that are met again
        self.parts: list[bytes] = []
        self.memo: dict[int, int] = {}
        self.open: set[int] = set()  # containers being written

    def put(self, value: Any) -> None:
        """Write a value; what is in its containers is written by the same call, however deep they are."""
        work = [iter([value])]
        while work:
            for item in work[-1]:
                if type(item) in CONTAINERS:
                    if id(item) in self.memo:
                        self.recall(item)
                        continue
                    work.append(self.container(item))
                    break
                self.leaf(item)
            else:
                work.pop()

    def leaf(self, value: Any) -> None:
        kind = type(value)
        if value is None:
            self.parts.append(b"N")
        elif kind is bool:
            self.parts.append(b"\x88" if value else b"\x89")
        elif kind is int:
            self.integer(value)
        elif kind is float:
            self.parts.append(b"G" + struct.pack(">d", value))
        elif kind is str:
            data = value.encode("utf-8", "surrogatepass")
            self.parts.append(b"X" + struct.pack("<I", len(data)) + data)
        elif kind is bytes:
            self.bytes(value)
        elif kind is NamedArray:
            self.call("builtins" if self.protocol > 2 else "__builtin__", "tuple", ((value.name, np.asarray(value.array)),))
        elif isinstance(value, np.ndarray):
            self.array(value)
        elif isinstance(value, np.generic):
            self.call("numpy.core.multiarray", "scalar", (value.dtype, value.tobytes()))
        elif isinstance(value, np.dtype):
            self.dtype(value)
        else:
            self.refuse(value)

    def container(self, value: Any) -> Iterator[Any]:
        """Write a container around its items, which it gives."""
        if type(value) is set:
            self.refuse(value)
        if id(value) in self.open:
            raise ValueError(f"a {type(value).__name__} that contains itself can't be saved")
        self.open.add(id(value))
        if isinstance(value, dict):
            if type(value) is dict:
                self.parts.append(b"}")
            else:
                self.call("collections", "OrderedDict", ())
            self.remember_shared(value)
            self.parts.append(b"(")
            for pair in value.items():
                yield from pair
            self.parts.append(b"u")
        else:
            if isinstance(value, list):
                self.parts.append(b"]")
                self.remember_shared(value)
            self.parts.append(b"(")
            yield from value
            self.parts.append(b"e" if isinstance(value, list) else b"t")
            if isinstance(value, tuple):
                self.remember_shared(value)
        self.open.discard(id(value))

    def remember(self, value: Any) -> None:
        self.memo[id(value)] = len(self.memo)
        self.parts.append(b"r" + struct.pack("<I", self.memo[id(value)]))

    def remember_shared(self, value: Any) -> None:
        if id(value) in self.shared:
            self.remember(value)

    def recall(self, value: Any) -> None:
        if id(value) in self.open:
            raise ValueError(f"a {type(value).__name__} that contains itself can't be saved")
        self.parts.append(b"j" + struct.pack("<I", self.memo[id(value)]))

    def refuse(self, value: Any) -> NoReturn:
        raise TypeError(
            f"expected numbers, text, lists, tuples, dicts, arrays and tensors to save, got {type(value).__name__}: {value!r:.80}"
        )

    def integer(self, value: int) -> None:
        if -(1 << 31) <= value < 1 << 31:
            self.parts.append(b"J" + struct.pack("<i", value))
            return
        data = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
        head = b"\x8a" + bytes([len(data)]) if len(data) < 256 else b"\x8b" + struct.pack("<i", len(data))
        self.parts.append(head + data)

    def bytes(self, value: bytes) -> None:
        if self.protocol == 2:
            self.call("_codecs", "encode", (value.decode("latin1"), "latin1"))
        elif len(value) < 1 << 32:
            self.parts += [b"B" + struct.pack("<I", len(value)), value]
        elif self.protocol == 4:
            self.parts += [b"\x8e" + struct.pack("<Q", len(value)), value]
        else:
            raise ValueError(f"an array of {len(value)} bytes needs pickle protocol 4")

    def array(self, value: np.ndarray) -> None:
        if id(value) in self.memo:
            self.recall(value)
            return
        dtype = as_dtype(value.dtype).np
        self.name("numpy.core.multiarray", "_reconstruct")
        self.name("numpy", "ndarray")
        self.parts.append(b"J\0\0\0\0\x85")
        self.bytes(b"b")
        self.parts.append(b"\x87R")
        self.remember(value)
        data = np.ascontiguousarray(value, dtype.newbyteorder("<"))
        self.state((1, tuple(map(int, value.shape)), dtype, False, data.tobytes()))

    def dtype(self, value: np.dtype[Any]) -> None:
        order = "<" if value.itemsize > 1 else "|"
        self.call("numpy", "dtype", (f"{value.kind}{value.itemsize}", False, True))
        self.state((3, order, None, None, None, -1, -1, 0))

    def state(self, state: tuple[Any, ...]) -> None:
        self.put(state)
        self.parts.append(b"b")

    def call(self, module: str, name: str, args: tuple[Any, ...]) -> None:
        self.name(module, name)
        self.put(args)
        self.parts.append(b"R")

    def name(self, module: str, name: str) -> None:
        self.parts.append(f"c{module}\n{name}\n".encode())
