"""A pickle writer, the counterpart of `unpickling`, for plain data and for objects by their ``__reduce_ex__``.

Arrays are written with the module name ``numpy.core.multiarray``, which exists in every NumPy that Paddle 2.6 supports; Python's
pickle module would write the name in the installed NumPy. Equal objects give equal bytes.
"""

from __future__ import annotations

import copyreg
import pickle
import struct
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from to_static.compiler.formats.paddle.pickles.unpickling import NamedArray, dtype_state
from to_static.core.dtypes import as_dtype
from to_static.core.tree import CONTAINERS, graph_leaves, shared_containers

PROTOCOLS = (2, 3, 4)
MAX_DEPTH = 100_000  # objects in one another: one whose parts are made anew whenever it is asked for them would never end
MAX_AGAIN = 3  # how often an object may be met while it is written, before what it is made of is known to contain it
_PLAIN = (type(None), bool, int, float, str, bytes, NamedArray)  # these very types
_OF_NUMPY = ("uint32", "uint64")  # no dtypes of tensors: arrays have them, such as the state of NumPy's random numbers
_NUMPY = (np.ndarray, np.generic, np.dtype)
Converter = Callable[[Any], Any]


def identity(value: Any) -> Any:
    """``value``: what is written in its place where nothing else is."""
    return value


def pickled(value: Any, protocol: int = 4, convert: Converter = identity) -> bytes:
    """``value`` as a pickle: numbers, text, bytes, None, lists, tuples, dicts, arrays, `NamedArray`, and what pickle takes.

    An array or a container that is met twice is stored once, and so is any object. Classes and functions are stored by their names.

    Args:
        value: what to write.
        protocol: 2, 3 or 4.
        convert: called with whatever is in no container of Python's, also within objects: what is written in its place.

    Raises ValueError for a protocol that Paddle does not read, for containers that contain themselves and for objects that are
    made of themselves; TypeError for what pickle does not take: lambdas, open files, locks.

    Example:
        >>> import pickle
        >>> pickle.loads(pickled({"a": [1, 2.5]}))
        {'a': [1, 2.5]}
    """
    if protocol not in PROTOCOLS:
        raise ValueError(f"pickle protocol must be one of {PROTOCOLS}, got {protocol!r}")
    writer = _PickleWriter(
        protocol, None if any(_is_object(leaf) for leaf in graph_leaves(value)) else shared_containers(value), convert
    )
    writer.put(value)
    return b"".join([b"\x80", bytes([protocol]), *writer.parts, b"."])


def _is_object(value: Any) -> bool:
    return type(value) not in _PLAIN and type(value) not in CONTAINERS and not isinstance(value, _NUMPY)


class _PickleWriter:
    def __init__(self, protocol: int, shared_ids: set[int] | None, convert: Converter) -> None:
        self.protocol = protocol
        self.shared_ids = shared_ids  # ids of the containers that are met again; None where objects may have any of them
        self.convert = convert
        self.parts: list[bytes] = []
        self.memo: dict[int, int] = {}
        self.memo_owners: list[Any] = []  # what `memo` has the ids of
        self.open: dict[int, int] = {}  # how often containers and objects are being written
        self.owners: list[str] = []  # the classes of the objects being written

    def put(self, value: Any) -> None:
        """Write a value; what is in its containers and objects is written by the same call, however deep they are."""
        work = [iter([value])]
        while work:
            for item in work[-1]:
                if type(item) not in CONTAINERS:
                    item = self.convert(item)
                if _is_object(item) or type(item) in CONTAINERS:
                    if id(item) in self.memo:
                        self.recall(item)
                        continue
                    work.append(self.container(item) if type(item) in CONTAINERS else self.object(item))
                    break
                self.leaf(item)
            else:
                work.pop()

    def leaf(self, value: Any) -> None:
        cls = type(value)
        if value is None:
            self.parts.append(b"N")
        elif cls is bool:
            self.parts.append(b"\x88" if value else b"\x89")
        elif cls is int:
            self.integer(value)
        elif cls is float:
            self.parts.append(b"G" + struct.pack(">d", value))
        elif cls is str:
            data = value.encode("utf-8", "surrogatepass")
            self.parts.append(b"X" + struct.pack("<I", len(data)) + data)
        elif cls is bytes:
            self.bytes(value)
        elif cls is NamedArray:
            self.call("builtins", "tuple", ((value.name, np.asarray(value.array)),))
        elif isinstance(value, np.ndarray):
            self.array(value)
        elif isinstance(value, np.generic):
            self.call("numpy.core.multiarray", "scalar", (value.dtype, value.tobytes()))
        else:
            self.dtype(value)

    def container(self, value: Any) -> Iterator[Any]:
        """Write a container around its items, which it gives."""
        self.enter(value)
        if isinstance(value, set):
            self.name("builtins", "set")
            self.parts.append(b"(")
            yield list(value)
            self.parts.append(b"tR")
            self.remember_shared(value)
        elif isinstance(value, dict):
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
            if isinstance(value, list):
                self.parts.append(b"e")
            elif id(value) in self.memo:  # something in it has it, and was written with it
                self.parts.append(b"1")
                self.recall(value)
            else:
                self.parts.append(b"t")
                self.remember_shared(value)
        self.leave(value)

    def object(self, value: Any) -> Iterator[Any]:
        """Write an object around the parts that it says it is made of, which it gives."""
        if isinstance(value, (type, types.FunctionType)):
            yield from self.named(value, value.__qualname__)
            return
        reduced = self.reduced(value)
        if isinstance(reduced, str):
            yield from self.named(value, reduced)
            return
        self.enter(value)
        self.owners.append(type(value).__qualname__)
        make, args = reduced[:2]
        state, items, pairs, setter = [*reduced[2:], None, None, None, None][:4]
        constructor = getattr(make, "__name__", "")
        if constructor == "__newobj__":
            yield args[0]
            yield tuple(args[1:])
            self.parts.append(b"\x81")
        elif constructor == "__newobj_ex__" and self.protocol > 3:
            yield from args
            self.parts.append(b"\x92")
        else:
            yield make
            yield args
            self.parts.append(b"R")
        if id(value) in self.memo:  # its arguments have it, and were written with it
            self.parts.append(b"0")
            self.recall(value)
        else:
            self.remember(value)
            if items is not None:
                self.parts.append(b"(")
                yield from items
                self.parts.append(b"e")
            if pairs is not None:
                self.parts.append(b"(")
                for pair in pairs:
                    yield from pair
                self.parts.append(b"u")
            if setter is not None:
                yield setter
                yield (value, state)
                self.parts.append(b"R0")
            elif state is not None:
                yield state
                self.parts.append(b"b")
        self.owners.pop()
        self.leave(value)

    def reduced(self, value: Any) -> str | tuple[Any, ...]:
        """The parts of ``value``, as `object.__reduce_ex__` returns them."""
        reduce = copyreg.dispatch_table.get(type(value))
        try:
            result = reduce(value) if reduce is not None else value.__reduce_ex__(self.protocol)
        except (TypeError, AttributeError, pickle.PicklingError) as error:
            raise self.refused(value, str(error)) from error
        if not isinstance(result, str) and not (isinstance(result, tuple) and 2 <= len(result) <= 6 and type(result[1]) is tuple):
            raise self.refused(value, "its __reduce__ gives neither a name nor a tuple of two to six")
        return result

    def named(self, value: Any, name: str) -> Iterator[Any]:
        """Write a class, a function or one object of a module by its name."""
        for only in (None, ..., NotImplemented):
            if value is type(only):
                yield from self.made_by(type, (only,))
                return
        module = getattr(value, "__module__", None) or type(value).__module__
        resolved: Any = sys.modules.get(module)
        for part in name.split("."):
            resolved = getattr(resolved, part, None)
        if resolved is not value or not (module + name).isprintable():
            raise self.refused(value, f"it is not found as {module}.{name}, by which a file would name it")
        if "." in name and self.protocol < 4:
            yield from self.made_by(getattr, (_parent(module, name), name.rpartition(".")[2]))
        else:
            self.name(module, name)
        self.remember(value)

    def made_by(self, make: Any, args: tuple[Any, ...]) -> Iterator[Any]:
        self.name("builtins", make.__name__)
        yield args
        self.parts.append(b"R")

    def enter(self, value: Any) -> None:
        again = self.open.get(id(value), 0)
        if again and (self.shared_ids is not None or again > MAX_AGAIN):
            raise ValueError(f"a {type(value).__name__} that contains itself can't be saved")
        if len(self.owners) > MAX_DEPTH:
            raise ValueError(f"more than {MAX_DEPTH} objects in one another can't be saved ({self.within()})")
        self.open[id(value)] = again + 1

    def leave(self, value: Any) -> None:
        again = self.open.pop(id(value)) - 1
        if again:
            self.open[id(value)] = again

    def remember(self, value: Any) -> None:
        self.memo[id(value)] = len(self.memo)
        self.memo_owners.append(value)
        self.parts.append(b"r" + struct.pack("<I", self.memo[id(value)]))

    def remember_shared(self, value: Any) -> None:
        if self.shared_ids is None or id(value) in self.shared_ids:
            self.remember(value)

    def recall(self, value: Any) -> None:
        if self.shared_ids is not None and id(value) in self.open:
            raise ValueError(f"a {type(value).__name__} that contains itself can't be saved")
        self.parts.append(b"j" + struct.pack("<I", self.memo[id(value)]))

    def refused(self, value: Any, why: str) -> TypeError:
        within = f" in {self.within()}" if self.owners else ""
        return TypeError(
            "expected numbers, text, lists, tuples, dicts, arrays, tensors and objects that pickle takes to save, "
            f"got {type(value).__name__}: {value!r:.80}{within} ({why})"
        )

    def within(self) -> str:
        return " of ".join(f"a {name}" for name in self.owners[:-4:-1])

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
        if id(value) in self.open:
            raise ValueError("an array that contains itself can't be saved")
        if id(value) in self.memo:
            self.recall(value)
            return
        dtype = value.dtype if value.dtype.kind in "USO" or value.dtype.name in _OF_NUMPY else as_dtype(value.dtype).np
        self.name("numpy.core.multiarray", "_reconstruct")
        self.name("numpy", "ndarray")
        self.parts.append(b"J\0\0\0\0\x85")
        self.bytes(b"b")
        self.parts.append(b"\x87R")
        self.remember(value)
        if dtype.kind == "O":  # Python's objects, row by row
            self.enter(value)
            self.state((1, tuple(map(int, value.shape)), dtype, False, list(value.reshape(-1))))
            self.leave(value)
            return
        data = np.ascontiguousarray(value, dtype.newbyteorder("<"))
        self.state((1, tuple(map(int, value.shape)), dtype, False, data.tobytes()))

    def dtype(self, value: np.dtype[Any]) -> None:
        order = "<" if value.itemsize > 1 and value.kind not in "SO" else "|"
        size = value.itemsize // 4 if value.kind == "U" else value.itemsize
        self.call("numpy", "dtype", (f"{value.kind}{size}", False, True))
        self.state((3, order, None, None, None, *dtype_state(value)))

    def state(self, state: tuple[Any, ...]) -> None:
        self.put(state)
        self.parts.append(b"b")

    def call(self, module: str, name: str, args: tuple[Any, ...]) -> None:
        self.name(module, name)
        self.put(args)
        self.parts.append(b"R")

    def name(self, module: str, name: str) -> None:
        if module == "builtins" and self.protocol == 2:
            module = "__builtin__"
        if module.partition(".")[0] == "numpy":  # the name that every NumPy knows
            module = module.replace("numpy._core", "numpy.core")
        self.parts.append(f"c{module}\n{name}\n".encode())


def _parent(module: str, name: str) -> Any:
    parent: Any = sys.modules[module]
    for part in name.split(".")[:-1]:
        parent = getattr(parent, part)
    return parent
