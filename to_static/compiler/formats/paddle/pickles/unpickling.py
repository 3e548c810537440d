"""A safe reader of the pickles that Paddle writes: numbers, text, containers and NumPy arrays.

It interprets pickle opcodes and never imports or calls what a file names: the few known constructors (`CALLS`) are matched by name.
For anything else it raises FormatError with the byte offset. For classes to which the caller consents (`consent`), it reports where
their objects are, and makes none. Each length is compared with the rest of the file before memory is allocated.
"""

from __future__ import annotations

import io
import os
import re
import struct
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import IO, Any, Literal, NamedTuple

import numpy as np

from to_static.compiler.formats.paddle.weights.params_reader import widen_bfloat16
from to_static.core.backend import host_memory
from to_static.core.errors import FormatError
from to_static.core.tree import graph_leaves, map_graph

EXPECTED = "a pickle of numbers, text, containers and NumPy arrays"
MAX_DIGITS = 1024  # bytes of one integer
MAX_ODD_KEYS = 1000  # keys of dicts in a file that are no text, bytes or plain numbers: one can choose them so that all collide
PLAIN_KEY = (1 << 61) - 1  # Python's hash of an integer below this (without its sign) is the integer
LAST_LETTER = 0x10FFFF
_DTYPE = re.compile(r"[<>|=]?(b1|[iuf][1248]|c8|c16|[US][0-9]{1,6}|O8?)")
_LARGE = 1 << 16  # bytes in one piece that are read to where an array will have them
_MARK = object()


class NamedArray(NamedTuple):
    """A tensor as `paddle.save` stores it outside of a state dict: its name and its values."""

    name: str
    array: np.ndarray


class _Bad(Exception):
    """Something that is not allowed; becomes a FormatError with the offset."""


class _Global(NamedTuple):
    name: str


class _Opaque:
    """Placeholder for a class that a file names, or for an object of it; the class is not imported."""

    def __init__(self, name: str = "") -> None:
        self.name = name  # of a class


OBJECTS = _Opaque()  # what is read of a pickle with objects of the classes that are allowed


class _Array:
    """An array under construction: made by ``_reconstruct``, filled by BUILD."""

    def __init__(self) -> None:
        self.value: Any = None  # an array, or `_Objects` of one


class _Objects:
    """The items of an array of Python's objects, row by row."""

    def __init__(self, shape: tuple[int, ...], items: list[Any]) -> None:
        self.shape, self.items, self.open = shape, items, False

    def array(self) -> np.ndarray:
        """The array; of arrays in it, too. Raises _Bad for one that is in itself."""
        if self.open:
            raise _Bad("an array that contains itself")
        self.open = True
        result = np.empty(len(self.items), object)
        for i, item in enumerate(self.items):
            result[i] = map_graph(item, _resolved)
        self.open = False
        return result.reshape(self.shape)


class _Bytes:
    """Many bytes, read into memory that the first array of them takes."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        self.is_taken = False
        self._python_bytes: bytes | None = None

    def __len__(self) -> int:
        return len(self.array)

    def take(self) -> np.ndarray:
        """Return the bytes as an array that nothing else refers to."""
        was_taken, self.is_taken = self.is_taken, True
        return self.array.copy() if was_taken else self.array

    def as_python(self) -> bytes:
        """The bytes as Python's; those of all who ask are the same object."""
        if self._python_bytes is None:
            self._python_bytes = self.array.tobytes()
        return self._python_bytes


class _DType:
    """A dtype, whose byte order comes later by BUILD."""

    def __init__(self, value: np.dtype[Any]) -> None:
        self.value = value


# constructors ------------------------------------------------------------------------------------------------------------


def _words(value: Any) -> Any:
    """Text, which Python 2 wrote as bytes."""
    return value.decode("latin1") if isinstance(value, bytes) else value


def _dtype(args: tuple[Any, ...]) -> _DType:
    name = _words(args[0]) if args else None
    if not isinstance(name, str) or not _DTYPE.fullmatch(name):
        raise _Bad(f"the dtype {name[:40]!r}" if isinstance(name, str) else "a dtype without a name")
    if args[1:] not in ((), (False, True)):  # without a copy a state would be that of NumPy's own dtype
        raise _Bad("a malformed dtype")
    return _DType(np.dtype(name))


def _reconstruct(args: tuple[Any, ...]) -> _Array:
    if len(args) != 3 or not isinstance(args[0], _Global) or args[0].name != "numpy.ndarray":
        raise _Bad("an array of an unknown class")
    if args[1] != (0,) or _words(args[2]) != "b":  # NumPy would make room for more
        raise _Bad("a malformed array")
    return _Array()


def _scalar(args: tuple[Any, ...]) -> Any:
    if len(args) != 2 or not isinstance(args[0], _DType) or not isinstance(args[1], bytes):
        raise _Bad("a malformed NumPy number")
    dtype = args[0].value
    if len(args[1]) != dtype.itemsize:
        raise _Bad(f"a NumPy number of {len(args[1])} bytes where {dtype} has {dtype.itemsize}")
    return np.frombuffer(args[1], dtype)[0]


def _encode(args: tuple[Any, ...]) -> bytes:  # how protocol 2 spells bytes
    if len(args) != 2 or not isinstance(args[0], str) or args[1] not in ("latin1", "latin-1"):
        raise _Bad("text to encode in other than latin1")
    return args[0].encode("latin1")


def _tuple(args: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(args) != 1 or type(args[0]) is not tuple:
        raise _Bad("a malformed tuple")
    items = args[0]
    if len(items) == 2 and isinstance(items[0], str) and isinstance(items[1], _Array):
        return NamedArray(*items)  # type: ignore[arg-type]
    return items


def _empty(cls: type) -> Callable[[tuple[Any, ...]], Any]:
    def make(args: tuple[Any, ...]) -> Any:
        if args:
            raise _Bad(f"a {cls.__name__} with arguments")
        return cls()

    return make


def _collection(cls: type) -> Callable[[tuple[Any, ...]], Any]:
    def make(args: tuple[Any, ...]) -> Any:
        if len(args) > 1 or type(args[0] if args else []) is not list:
            raise _Bad(f"a malformed {cls.__name__}")
        return cls(*args)

    return make


CALLS: dict[str, Callable[[tuple[Any, ...]], Any]] = {
    "numpy.dtype": _dtype,
    "collections.OrderedDict": _empty(OrderedDict),
    "_codecs.encode": _encode,
}
for _module in ("numpy.core.multiarray", "numpy._core.multiarray"):
    CALLS[f"{_module}._reconstruct"] = _reconstruct
    CALLS[f"{_module}.scalar"] = _scalar
for _module in ("builtins", "__builtin__"):
    CALLS[f"{_module}.tuple"] = _tuple
    CALLS[f"{_module}.bytes"] = _empty(bytes)  # how protocol 2 spells empty bytes
    CALLS[f"{_module}.set"] = _collection(set)
    CALLS[f"{_module}.frozenset"] = _collection(frozenset)
_HELPERS = ("copyreg.__newobj_ex__", "builtins.getattr")  # by what protocols 2 and 3 make objects, and name classes in classes
PYTHON_2 = {"__builtin__": "builtins", "copy_reg": "copyreg"}  # how protocol 2 calls modules
NAMES = {*CALLS, "numpy.ndarray"}


def _array(state: Any) -> Any:
    """The array, or what is in one of objects, of ``(version, shape, dtype, fortran, bytes)``."""
    if type(state) is not tuple or len(state) != 5 or not isinstance(state[2], _DType):
        raise _Bad("a malformed array state")
    objects = state[2].value.kind == "O"
    if type(state[4]) not in ((list,) if objects else (bytes, _Bytes)):
        raise _Bad("a malformed array state")
    version, shape, array_dtype, fortran, data = state
    if type(version) is not int or type(fortran) not in (bool, int):
        raise _Bad("a malformed array state")
    if type(shape) is not tuple or len(shape) > 32 or any(type(d) is not int or d < 0 for d in shape):
        raise _Bad("an array of a malformed shape")
    dtype, count = array_dtype.value, 1
    for dim in shape:
        count *= dim
    if objects and count == len(data):
        return _Objects(shape, data)
    if objects or count * dtype.itemsize != len(data):
        raise _Bad(f"{len(data)} bytes of data for an array of shape {shape} and dtype {dtype}")
    raw = data.take() if isinstance(data, _Bytes) else np.frombuffer(data, np.uint8)
    if dtype.kind == "b" and count and raw.max() > 1:
        raise _Bad("booleans other than 0 and 1")
    if dtype.kind == "U" and len(data) and raw.view(dtype.str[0] + "u4").max() > LAST_LETTER:
        raise _Bad("a letter that there is not")
    array = raw.view(dtype).reshape(shape, order="F" if fortran is True else "C")
    if dtype.kind == "u" and dtype.itemsize == 2:  # no dtype of Paddle's own: this is how it stores bfloat16
        return widen_bfloat16(array)
    convert = np.asarray if isinstance(data, _Bytes) else np.array  # a copy of what is Python's
    return convert(array, dtype.newbyteorder("="), order="C")


# the machine -------------------------------------------------------------------------------------------------------------


def unpickle(data: bytes, path: object, calls: bool = True) -> Any:
    """The object that ``data`` (a pickle of protocol 2 to 5) holds; bare tensors become `NamedArray`.

    With ``calls=False`` only builtin types are allowed. Raises FormatError naming ``path`` and the offset.
    """
    return unpickle_opened(io.BytesIO(data), path, calls)


def unpickle_opened(file: IO[bytes], path: object, calls: bool = True, allowed: frozenset[str] = frozenset()) -> Any:
    """`unpickle` of an open file, from its current position; afterwards the file is at the end of the pickle.

    Large arrays are read to where they stay. Where it has objects of the classes that ``allowed`` names, and of no others, the
    result is `OBJECTS`.
    """
    machine = _Machine(file, calls, allowed)
    try:
        value = machine.run()
        if not machine.refused:
            if machine.opaque:
                for leaf in graph_leaves(value):
                    _resolved(leaf)
                return OBJECTS
            return map_graph(value, _resolved)
        problem = None
    except _Bad as error:
        problem = str(error)
    except (IndexError, ValueError, TypeError, OverflowError, struct.error) as error:
        problem = f"damaged data ({error})"
    if machine.refused:
        raise FormatError(path, EXPECTED, _refusal(machine.refused, allowed), next(iter(machine.refused.values())))
    raise FormatError(path, EXPECTED, str(problem), machine.start)


def _refusal(refused: dict[str, int], allowed: frozenset[str]) -> str:
    """The error for unknown names. It says how to consent to those that may be classes."""
    names = [name[:80] for name in list(refused)[:8]]
    more = f" and {len(refused) - len(names)} more" if len(refused) > len(names) else ""
    problem = f"a reference to {', '.join(map(repr, names))}{more}, which is never loaded (a file must not run code)"
    if not all(map(_may_be_class, refused)):
        return problem
    listed = ", ".join(name.rpartition(".")[2] for name in [*sorted(allowed), *names])
    return f"{problem}, unless you know the class, trust the file and say so: load(path, allow=[{listed}])"


# of Python's own classes those that only hold data: others start processes, open files or call what they get
_OF_DATA = frozenset(
    ("__main__", "argparse.Namespace", "array", "collections", "datetime", "decimal", "fractions", "ipaddress", "pathlib",
     "types.SimpleNamespace", "uuid", "zoneinfo"),
)  # fmt: skip


def _may_be_class(full: str) -> bool:
    """True if a name that a file has may be that of a class; nothing is imported to see."""
    module, _, name = full.rpartition(".")
    if module.partition(".")[0] in sys.stdlib_module_names and not (module in _OF_DATA or full in _OF_DATA):
        return False
    member = vars(sys.modules[module]).get(name) if module in sys.modules else None
    return name.isidentifier() and not name.startswith("__") and (member is None or isinstance(member, type))


class _Machine:
    def __init__(self, file: IO[bytes], calls: bool, allowed: frozenset[str]) -> None:
        self.file = file
        self.calls = calls
        self.allowed = allowed
        self.refused: dict[str, int] = {}  # names that are not known, and where
        self.opaque = False  # whether an allowed class was met
        begin = file.tell()
        self.size = file.seek(0, os.SEEK_END) - begin
        file.seek(begin)
        self.at = 0
        self.start = 0  # where the current opcode begins
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}
        self.odd_keys = 0
        self.with_constructors: dict[int, tuple[Any, ...]] = {}  # tuples, by their ids

    def run(self) -> Any:
        while True:
            self.start = self.at
            code = self.take(1)
            if code == b".":
                result = self.pop()
                if self.stack:
                    raise _Bad("more than one object")
                return result
            value = _VALUES.get(code)
            if value is not None:
                self.stack.append(value(self))
                continue
            action = _ACTIONS.get(code)
            if action is None:
                raise _Bad(f"opcode {code!r}, which such a pickle does not need")
            action(self)

    def need(self, count: int) -> None:
        if count < 0 or count > self.size - self.at:
            raise _Bad(f"{self.size - self.at} bytes before the end where {count} are announced")
        self.at += count

    def take(self, count: int) -> bytes:
        self.need(count)
        data = self.file.read(count)
        if len(data) < count:
            raise _Bad("a file that got shorter meanwhile")
        return data

    def bytes(self, form: str) -> bytes | _Bytes:
        count = self.unpack(form)
        if count < _LARGE:
            return self.take(count)
        self.need(count)
        array = host_memory((count,), np.uint8)
        if self.file.readinto(array.data) < count:  # type: ignore[attr-defined]
            raise _Bad("a file that got shorter meanwhile")
        return _Bytes(array)

    def unpack(self, form: str) -> Any:
        return struct.unpack("<" + form, self.take(struct.calcsize(form)))[0]

    def line(self) -> str:
        text = self.file.readline()
        self.at += len(text)
        if not text.endswith(b"\n"):
            raise _Bad("a name without an end")
        return text[:-1].decode("ascii", "replace")

    def text(self, form: str) -> str:
        return self.take(self.unpack(form)).decode("utf-8", "surrogatepass")

    def integer(self, form: str) -> int:
        count = self.unpack(form)
        if not 0 <= count <= MAX_DIGITS:
            raise _Bad(f"an integer of {count} bytes")
        return int.from_bytes(self.take(count), "little", signed=True)

    def pop(self) -> Any:
        value = self.stack.pop()
        if value is _MARK:
            raise _Bad("a mark where a value is expected")
        return value

    def last(self, count: int) -> tuple[Any, ...]:
        return tuple([self.pop() for _ in range(count)][::-1])

    def marked(self) -> list[Any]:
        items = []
        while (value := self.stack.pop()) is not _MARK:
            items.append(value)
        return items[::-1]

    def set_items(self, items: Any) -> None:
        target = self.stack[-1]
        if len(items) % 2 or not (isinstance(target, dict) or _is_object(target)):
            raise _Bad("items for something that is no dict")
        self.need_values(items)
        keys = [self.key(key) for key in items[::2]]
        if isinstance(target, dict):
            target.update(zip(keys, items[1::2], strict=True))

    def key(self, value: Any) -> Any:
        """A key of a dict, or what a set has."""
        key = value.as_python() if type(value) is _Bytes else value
        if type(key) is not str and not _is_plain(key):
            if not _is_key(key):
                raise _Bad(f"a dict key of type {type(key).__name__}")
            self.odd_keys += 1
            if self.odd_keys > MAX_ODD_KEYS:
                raise _Bad(f"more than {MAX_ODD_KEYS} dict keys that are large integers or tuples")
        return key

    def add(self, items: Any) -> None:
        if not isinstance(self.stack[-1], set):
            raise _Bad("items for something that is no set")
        self.stack[-1].update(map(self.key, items))

    def noted(self, items: Iterable[Any]) -> tuple[Any, ...]:
        """A tuple, about which it is noted where it has a constructor."""
        result = (*items,)
        if any(type(item) is _Global or id(item) in self.with_constructors for item in result):
            self.with_constructors[id(result)] = result
        return result

    def need_values(self, items: Iterable[Any]) -> None:
        """Raise _Bad for a constructor among what lists, dicts and objects get: only calls take one."""
        for item in items:
            if type(item) is _Global or id(item) in self.with_constructors:
                first = next(leaf for leaf in graph_leaves(item) if isinstance(leaf, _Global)) if type(item) is tuple else item
                raise _Bad(f"a bare reference to {first.name!r}")

    def freeze(self) -> None:
        self.stack.append(frozenset(map(self.key, self.marked())))

    def extend(self, items: Any) -> None:
        self.need_values(items)
        if _is_object(self.stack[-1]):
            return
        if type(self.stack[-1]) is not list:
            raise _Bad("items for something that is no list")
        self.stack[-1].extend(items)

    def find(self, module: object, name: object) -> None:
        full = f"{module}.{name}" if isinstance(module, str) and isinstance(name, str) else "something without a name"
        if self.calls and full in NAMES:
            self.stack.append(_Global(full))
            return
        if isinstance(module, str):
            full = f"{PYTHON_2.get(module, module)}.{name}"
        if self.calls and full in self.allowed:
            self.opaque = True
            self.stack.append(_Opaque(full))
        elif self.calls and full in _HELPERS:
            self.stack.append(_Global(full))
        else:
            self.refuse(full)

    def refuse(self, full: str) -> None:
        """Go on with something in place of what has a name that is not known: so one error tells all such names."""
        self.refused.setdefault(full, self.start)
        self.stack.append(_Opaque(full))

    def reduce(self) -> None:
        function, args = self.last(2)
        if isinstance(function, _Opaque) and function.name and type(args) is tuple:
            self.need_values(args)
            self.stack.append(_Opaque())
        elif isinstance(function, _Global) and function.name in _HELPERS and type(args) is tuple:
            self.help(function.name, args)
        elif not isinstance(function, _Global) or type(args) is not tuple or function.name not in CALLS:
            raise _Bad("a call of something that is no known constructor")
        else:
            if args and type(args[0]) is list and function.name.endswith("set"):
                args = (list(map(self.key, args[0])), *args[1:])
            self.stack.append(CALLS[function.name](args))

    def help(self, helper: str, args: tuple[Any, ...]) -> None:
        if not args or not isinstance(args[0], _Opaque) or not args[0].name:
            raise _Bad("a call of something that is no known constructor")
        if helper == "copyreg.__newobj_ex__":
            self.need_values(args)
            self.stack.append(_Opaque())
        elif len(args) == 2 and isinstance(args[1], str):
            self.find(args[0].name, args[1])
        else:
            raise _Bad("a call of something that is no known constructor")

    def new(self, count: int) -> None:
        """Stand for an object that a class makes of ``count`` values."""
        items = self.last(count + 1)
        if not isinstance(items[0], _Opaque) or not items[0].name:
            raise _Bad("an object of something that is no class")
        self.need_values(items[1:])
        self.stack.append(_Opaque())

    def build(self) -> None:
        state = self.pop()
        target = self.stack[-1]
        if isinstance(target, _DType) and (order := _order(state, target.value)) is not None:
            if order in "<>":
                target.value = target.value.newbyteorder(order)
        elif isinstance(target, _Array) and target.value is None:
            target.value = _array(state)
        elif _is_object(target) or (isinstance(target, _Opaque) and target.name in self.refused):
            self.need_values((state,))
        else:
            raise _Bad("a state for something that has none")

    def remember(self, index: int) -> None:
        if self.stack[-1] is _MARK:
            raise _Bad("a mark where a value is expected")
        self.memo[index] = self.stack[-1]

    def recall(self, index: int) -> Any:
        if index not in self.memo:
            raise _Bad(f"a reference to object {index}, which is not there")
        return self.memo[index]


def _is_object(value: object) -> bool:
    """True if it stands for an object, and not for its class."""
    return isinstance(value, _Opaque) and not value.name


_ORDERS: tuple[Literal["<", ">", "|", "="], ...] = ("<", ">", "|", "=")


def dtype_state(value: np.dtype[Any]) -> tuple[int, int, int]:
    """The end of the state of a dtype: sizes that its name does not tell, and flags."""
    expected = {"U": (value.itemsize, 4, 8), "S": (value.itemsize, 1, 0), "O": (-1, -1, 63)}
    return expected.get(value.kind, (-1, -1, 0))


def _order(state: Any, dtype: np.dtype[Any]) -> Literal["<", ">", "|", "="] | None:
    """The byte order of ``(version, order, None, None, None, size, alignment, flags)``, the state of a dtype; None for another one.

    NumPy itself would believe what is said there of the size and of Python's objects in it.
    """
    if type(state) is not tuple or len(state) != 8 or type(state[0]) is not int:
        return None
    if state[2:] != (None, None, None, *dtype_state(dtype)):
        return None
    word = _words(state[1])
    return next((order for order in _ORDERS if order == word), None)


def _is_plain(key: object) -> bool:
    """True if a key is of a kind of which no file can hold many that collide."""
    return key is None or type(key) in (bytes, bool, float) or (type(key) is int and -PLAIN_KEY < key < PLAIN_KEY)


def _is_key(key: object) -> bool:
    # tuples of tuples are left out: a few bytes can make one whose hash takes for ever
    if type(key) is tuple:
        return all(isinstance(k, (str, int, float, bytes, type(None), _Opaque)) for k in key)
    return isinstance(key, (str, int, float, bytes, type(None), _Opaque))


_VALUES: dict[bytes, Callable[[_Machine], Any]] = {
    b"N": lambda m: None,
    b"\x88": lambda m: True,
    b"\x89": lambda m: False,
    b"J": lambda m: m.unpack("i"),
    b"K": lambda m: m.unpack("B"),
    b"M": lambda m: m.unpack("H"),
    b"\x8a": lambda m: m.integer("B"),
    b"\x8b": lambda m: m.integer("i"),
    b"G": lambda m: struct.unpack(">d", m.take(8))[0],
    b"X": lambda m: m.text("I"),
    b"\x8c": lambda m: m.text("B"),
    b"\x8d": lambda m: m.text("Q"),
    b"B": lambda m: m.bytes("I"),
    b"C": lambda m: m.take(m.unpack("B")),
    b"\x8e": lambda m: m.bytes("Q"),
    b"U": lambda m: m.take(m.unpack("B")),  # what Python 2 called str
    b"T": lambda m: m.bytes("i"),
    b"]": lambda m: [],
    b"}": lambda m: {},
    b")": lambda m: (),
    b"(": lambda m: _MARK,
    b"t": lambda m: m.noted(m.marked()),
    b"\x8f": lambda m: set(),
    b"\x85": lambda m: m.noted(m.last(1)),
    b"\x86": lambda m: m.noted(m.last(2)),
    b"\x87": lambda m: m.noted(m.last(3)),
    b"h": lambda m: m.recall(m.unpack("B")),
    b"j": lambda m: m.recall(m.unpack("I")),
}
_ACTIONS: dict[bytes, Callable[[_Machine], Any]] = {
    b"\x80": lambda m: m.unpack("B"),  # protocol number and frame length say nothing that is needed
    b"\x95": lambda m: m.unpack("Q"),
    b"0": lambda m: m.pop(),
    b"1": lambda m: m.marked(),
    b"q": lambda m: m.remember(m.unpack("B")),
    b"r": lambda m: m.remember(m.unpack("I")),
    b"\x94": lambda m: m.remember(len(m.memo)),
    b"a": lambda m: m.extend(m.last(1)),
    b"e": lambda m: m.extend(m.marked()),
    b"s": lambda m: m.set_items(m.last(2)),
    b"u": lambda m: m.set_items(m.marked()),
    b"c": lambda m: m.find(m.line(), m.line()),
    b"\x93": lambda m: m.find(*m.last(2)),
    b"R": lambda m: m.reduce(),
    b"b": lambda m: m.build(),
    b"\x81": lambda m: m.new(1),
    b"\x92": lambda m: m.new(2),
    b"\x90": lambda m: m.add(m.marked()),
    b"\x91": lambda m: m.freeze(),
}


def _resolved(value: object) -> Any:
    """A leaf, with an array in place of an array under construction."""
    if isinstance(value, _Global):
        raise _Bad(f"a bare reference to {value.name!r}")
    if isinstance(value, _Bytes):
        return value.as_python()
    if isinstance(value, NamedArray):
        return NamedArray(value.name, _resolved(value.array))
    if isinstance(value, (_Array, _DType)):
        if value.value is None:
            raise _Bad("an array without data")
        if isinstance(value.value, _Objects):
            value.value = value.value.array()
        return value.value
    return value
