"""What an object holds right now, in a form that tells whether it changed in place since.

Python code changes objects in more ways than can be listed: items, methods written in C, operators, properties, iteration. So
nobody asks how. Two looks at the objects tell that something changed, and which one.
"""

from __future__ import annotations

import array
import collections
import contextlib
import contextvars
import enum
import functools
import gc
import io
import itertools
import logging
import operator
import random
import sys
import types
import warnings
import weakref
import zlib
from typing import Any

import numpy as np

from to_static.core.libraries import LIBRARIES
from to_static.core.namespace import type_of
from to_static.core.site import is_internal
from to_static.ir.tensor import Tensor
from to_static.nn.layer import Layer

_ATOMS = (
    bool, int, float, complex, str, bytes, type(None), range, slice, np.generic, np.dtype, Tensor, types.ModuleType, types.CodeType,
)  # fmt: skip

LIMIT = 50_000  # objects that are looked at, at most, where what an object holds is followed
_LIBRARIES = frozenset(LIBRARIES) | {"builtins"}
# library modules whose objects are looked into
_OPEN = frozenset([
    "collections", "contextlib", "types", "argparse", "queue", "array", "weakref", "_weakrefset", "_thread", "threading",
    "configparser", "os", "string",
])  # fmt: skip
# and ours whose objects users read and change: schedules, optimizers, metrics, samplers, clips
_OURS = (
    "to_static.optimizer", "to_static.metric", "to_static.io", "to_static.nn.clip", "to_static.nn.initializer",
    "to_static.regularizer", "to_static.vision.transforms", "to_static.ir.input_spec",
)  # fmt: skip


class _Indexed:
    """Has items by index, and no iterator of its own."""

    def __getitem__(self, index: int) -> None: ...


_BY_INDEX: type = type(iter(_Indexed()))  # type: ignore[call-overload]
ITERATORS = tuple(
    type(made)  # type: ignore[var-annotated]
    for made in (
        iter([]), iter(()), iter({}), iter({}.values()), iter({}.items()), iter(set()), iter(range(0)), iter(""), iter("\u00e9"),
        iter(b""), iter(bytearray()), iter(collections.deque()), reversed([]), reversed({}),
        reversed({}.values()), reversed({}.items()),
        iter(range(1 << 70)), iter(int, 0), enumerate(()), zip(), map(int, ()), filter(int, ()), reversed(()), iter(_Indexed()),  # type: ignore[call-overload]
    )
) + tuple(t for t in vars(itertools).values() if isinstance(t, type) and hasattr(t, "__next__"))  # fmt: skip
# objects that Python and NumPy made for being changed, or that change by being used
LIVING = (
    list, dict, set, collections.deque, bytearray, array.array, np.ndarray, random.Random, np.random.Generator,
    np.random.RandomState, io.IOBase, types.GeneratorType, *ITERATORS,
)  # fmt: skip
VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))
ENUMS_KEEP = ("_inverted_", "_value2member_map_", "_hashable_values_")  # what an Enum has made of what it was asked
Held = tuple[Any, list[Any]]


def held(value: Any) -> Held | None:
    """Plain data that describes an object, and the objects that it holds; None for what can't change or can't be looked into.

    Nothing of the user's code runs, and no iterator moves.
    """
    kind = type(value)
    if isinstance(value, _ATOMS):
        return kind.__held__(value) if getattr(kind, "undecided", False) else None  # type: ignore[attr-defined, no-any-return]
    if isinstance(value, tuple):
        return None if not value else (None, list(tuple.__iter__(value)))
    if kind is types.FunctionType:  # most of what is looked at
        found = [cell.cell_contents for cell in value.__closure__ or () if cell != _EMPTY]
        own: Any = attributes_of(value)
        return tuple(own), [*found, *(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values(), *own.values()]
    data: Any = None
    inner: list[Any] = []
    if isinstance(value, list):
        inner = list(list.__iter__(value))
    elif isinstance(value, collections.OrderedDict):
        inner = [x for item in collections.OrderedDict.items(value) for x in item]
    elif isinstance(value, dict):
        factory = [value.default_factory] if isinstance(value, collections.defaultdict) else []
        inner = [*dict.keys(value), *dict.values(value), *factory]
    elif isinstance(value, (set, frozenset)):
        kept: Any = set if isinstance(value, set) else frozenset
        inner = sorted(kept.__iter__(value), key=id)
    elif isinstance(value, collections.deque):
        inner = list(collections.deque.__iter__(value))
    elif isinstance(value, np.ndarray):
        data, inner = _array(value)
    elif isinstance(value, (bytearray, array.array)):
        data = bytes(value)
    elif isinstance(value, ITERATORS):
        data, inner = _iterator(value)
    elif kind is types.GeneratorType:
        data, inner = _suspended(value)
    elif isinstance(value, random.Random):
        data = value.getstate() if type(value).getstate is random.Random.getstate else None
    elif isinstance(value, (np.random.Generator, np.random.RandomState)):
        bits = value.bit_generator if isinstance(value, np.random.Generator) else value._bit_generator  # type: ignore[attr-defined]
        data = repr(bits.state)
    elif isinstance(value, (io.StringIO, io.BytesIO)):
        data = None if value.closed else (value.tell(), value.getvalue())
    elif isinstance(value, logging.Logger):
        data = value.level, value.disabled, value.propagate, len(value.handlers)
    elif isinstance(value, io.IOBase):
        data = _position(value)
    elif kind is functools.partial:
        inner = [value.func, value.args, value.keywords]
    elif kind in (types.MethodType, types.BuiltinMethodType, types.MethodWrapperType):
        inner = [value.__self__, *([value.__func__] if kind is types.MethodType else [])]
    elif kind is types.MappingProxyType:
        inner = gc.get_referents(value)
    elif kind is contextvars.ContextVar:
        inner = [value.get(_EMPTY)]
    elif kind in VIEWS:
        inner = gc.get_referents(value)
    elif isinstance(value, functools._lru_cache_wrapper):
        inner = [value.__wrapped__]
    elif isinstance(value, weakref.ref):
        inner = [value()]
    elif isinstance(value, type):
        if not is_users(value):
            return None
        names = sorted(name for name in vars(value) if is_variable(value, name))
        return names, _of_class(value) + [vars(value)[name] for name in names]
    elif member(kind, "__held__") is not None:  # ours that stand for the user's
        return kind.__held__(value)  # type: ignore[no-any-return]
    elif not is_users(kind) and not isinstance(value, Layer):
        return None
    own = getattr(value, "__dict__", None)
    if type_of(own) is dict:
        names = [name for name in own if name not in ENUMS_KEEP and not isinstance(member(kind, name), functools.cached_property)]
        if isinstance(value, Layer) and not is_users(kind):
            names = ["_sub_layers"]
        data, inner = (data, tuple(names)), inner + [own[name] for name in names if name in own]
    if is_users(kind):
        for base in kind.__mro__:
            slots = vars(base).get("__slots__", ())
            for name in (slots,) if isinstance(slots, str) else slots:
                slot = vars(base).get(name)
                if isinstance(slot, types.MemberDescriptorType):
                    inner.append(in_slot(slot, value))
        inner += [item for base in kind.__mro__ if is_users(base) for item in _of_class(base)]
    return data, inner


def attributes_of(function: types.FunctionType) -> dict[str, Any]:
    """The attributes that code has given a function."""
    return {name: x for name, x in vars(function).items() if not name.startswith("__")}


def changed(before: Held, now: Held | None) -> bool:
    """Whether an object that held ``before`` is another one now."""
    if now is None or before[0] != now[0] or len(before[1]) != len(now[1]):
        return True
    return not all(map(operator.is_, before[1], now[1]))


_EMPTY = types.CellType()


def _array(value: Any) -> Held:
    if value.dtype.hasobject:
        return value.shape, list(value.ravel())
    return (value.shape, value.dtype, zlib.adler32(np.ascontiguousarray(value).tobytes())), []


def _iterator(value: Any) -> Held:
    """Where an iterator is: how much is left, and what it takes its items from."""
    text = repr(value) if type(value) in (itertools.count, itertools.repeat) else None
    state: Any = ()
    if type(value) is _BY_INDEX:
        text = repr(value.__reduce__()[2:])
    left = None if isinstance(value, (enumerate, zip, map, filter, _BY_INDEX)) else operator.length_hint(value, -1)
    if type(value).__module__ == "itertools" and text is None:
        with warnings.catch_warnings(), contextlib.suppress(TypeError):  # some can't be taken apart
            warnings.simplefilter("ignore")
            state = value.__reduce__()
        text = repr([x for x in state if isinstance(x, int)])
    # a tuple of `zip_longest` has nothing where an iterator was that is exhausted: nobody may iterate over it
    parts = [gc.get_referents(part) if type(part) is tuple else [part] for part in gc.get_referents(value)]
    return (text, left), [x for part in parts for x in part]


def _suspended(generator: types.GeneratorType[Any, Any, Any]) -> Held:
    """Where a generator is: its variables, and what it is in the middle of, the iterator of a loop, say."""
    frame = generator.gi_frame
    if frame is None:
        return None, []
    inner = list(frame.f_locals.values())
    within = gc.get_referents(generator if sys.version_info >= (3, 11) else frame)
    return frame.f_lasti, inner + [x for x in within if x is not frame.f_globals and x is not frame.f_builtins]


def _position(file: io.IOBase) -> Any:
    """Where a file is; None for terminals and the like."""
    try:
        return file.closed or (file.seekable() and file.tell())
    except (OSError, ValueError):
        return None


def is_users(kind: type) -> bool:
    """True for classes that are looked into: the user's, and plain holders of Python's library."""
    module = getattr(kind, "__module__", None)
    module = module if isinstance(module, str) else "builtins"  # classes made in C may have anything there
    return of_users(module) or is_library_holder(module) or bool(member(kind, "of_user"))


def is_library_holder(module: str) -> bool:
    """True for modules of libraries whose classes are looked into: their objects hold what users put there or change by calls."""
    return module.split(".")[0] in _OPEN or module.startswith(_OURS)


def of_users(module: str | None) -> bool:
    """True for the names of modules that are no libraries."""
    return module is None or module.split(".")[0] not in _LIBRARIES


def member(kind: type, name: str) -> Any:
    """What a class has under this name for its objects; None for nothing. Nobody's ``__getattr__`` or ``__get__`` runs."""
    return next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)


def in_slot(slot: types.MemberDescriptorType, owner: Any, default: Any = None) -> Any:
    """What an object holds in a slot of its class."""
    try:
        return slot.__get__(owner)
    except AttributeError:
        return default


def is_variable(owner: type, name: str) -> bool:
    """Whether this attribute of a class is a value that code sets, or may set: no method, and nothing that Python keeps."""
    if name.startswith("__") or issubclass(owner, enum.Enum) or type(owner).__setattr__ is not type.__setattr__:
        return False
    return not hasattr(vars(owner).get(name), "__get__")


def kept_by_class(value: Any) -> list[Any]:
    """The class of ``value`` (or ``value``, a class) with its bases and metaclass, and objects that it keeps; of the user's."""
    kind = value if isinstance(value, type) else type(value)
    if not is_users(kind):
        return []
    kept = [x for x in vars(kind).values() if hasattr(x, "__dict__") and (not callable(x) or is_users(type(x)))]
    bases: list[type] = [*kind.__mro__, *type.mro(type(kind))]
    return [base for base in bases if is_users(base)] + kept


def _of_class(kind: type) -> list[Any]:
    """Objects in the namespace of a class that can change in place, and methods that see the function around it."""
    values = [x for name, x in vars(kind).items() if name not in ENUMS_KEEP]
    found: list[Any] = [x for x in values if isinstance(x, LIVING)]
    for value in values:
        for method in (value.fget, value.fset, value.fdel) if type(value) is property else (getattr(value, "__func__", value),):
            method = getattr(method, "__leads_to__", method)  # from what stands in its place while tracing
            if type(method) is types.FunctionType and not is_internal(method.__code__.co_filename):
                cells = [cell for cell in method.__closure__ or () if cell != _EMPTY]
                found += [] if all(isinstance(cell.cell_contents, type) for cell in cells) else [method]
    return found
