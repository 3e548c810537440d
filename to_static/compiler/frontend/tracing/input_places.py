"""Places outside of the arguments whose numbers and tensors are inputs of Programs once they have varied.

Such a place belongs to a namespace, to a cell, or to a list, tuple or dict in another place: ``self.options["rate"]``,
``self.state[0]``. While a function is traced, stand-ins are there.
"""

from __future__ import annotations

import collections
import enum
import functools
import operator
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.runtime.diagnostics.failure import StaleProgramError
from to_static.core.importing.skiplist import is_user_module
from to_static.core.processes.compile_lock import COMPILE_LOCK
from to_static.nn.layer import Layer

NUMBERS = frozenset((int, float))  # (two values of a bool make two Programs, which are found by them)
INPUT: Any = type("Input", (), {"__repr__": lambda self: "<an input>"})()  # in keys, in place of a number or tensor
_MOST = 1 << 63
_standing = [0]  # traces that have stand-ins somewhere now
_SEQUENCES = (list, tuple, collections.deque)
_DICTS = (dict, collections.OrderedDict, collections.defaultdict, collections.Counter)
_ACCESS = ("__getattr__", "__getattribute__", "__get__")
_NO_RECORDS = (Tensor, Layer, BaseException, enum.Enum, type, *_SEQUENCES, dict, set, frozenset)
_ITEMS = 64  # of a container whose items are inputs
_DEEP = 4  # such containers in one another
_PLAIN = (bool, int, float, str, type(None))


def fits(value: object) -> bool:
    """True if a value can be a number input: a float, or an int of 64 bits."""
    return type(value) is float or (type(value) is int and -_MOST <= value < _MOST)


def can_be_input(source: Any) -> bool:
    """True if what a `guards.GuardSource` has may be replaced while a function is traced: in a namespace, a cell or a container."""
    if source.parent is not None:
        return not isinstance(source.parent.value, tuple) or can_be_input(source.parent)
    return type(source.space) is dict or type(source.owner) is types.CellType


def value_of(source: Any) -> Any:
    """Return the value that is there now."""
    return source.read()


def reader(source: Any) -> Callable[[], Any]:
    """A function that reads the number of a place, or its tensor."""
    if type(source.value) is EagerTensor:
        return functools.partial(_tensor, _quick_reader(source))
    return _quick_reader(source)


def _tensor(read: Callable[[], Any]) -> Any:
    value = read()
    if type(value) is not EagerTensor:  # another thread traces, and has something else there meanwhile
        raise StaleProgramError(f"a tensor was a {type(value).__name__} for a while")
    return value


def _quick_reader(source: Any) -> Callable[[], Any]:
    if source.parent is None and source.space is not None:
        return functools.partial(operator.getitem, source.space, source.name)
    return source.read  # type: ignore[no-any-return]


@contextmanager
def standing_in(stand_ins: list[tuple[Any, Any]]) -> Iterator[None]:
    """Other values in such places while a function is traced: (place, value) of each."""
    before: list[tuple[Any, Any]] = []
    _standing[0] += bool(stand_ins)
    try:
        for source, value in stand_ins:
            _put(source, value, before)
        yield
    finally:
        for source, value in reversed(before):
            _put(source, value, [])
        _standing[0] -= bool(stand_ins)


def wait_for_values() -> None:
    """Wait while another thread traces with stand-ins in the places that Python is going to read."""
    if _standing[0]:
        with COMPILE_LOCK:
            pass


def _put(source: Any, value: Any, before: list[tuple[Any, Any]]) -> None:
    """Replace the value without notifying watchers; ``before`` gets the old value. A tuple is replaced by a new one."""
    if source.parent is not None:
        container = parts_of(source.parent.value if source.parent.read is None else source.parent.read())
        if isinstance(container, tuple):
            items = [*container[: source.name], value, *container[source.name + 1 :]]
            _put(source.parent, tuple.__new__(type(container), items), before)
            return
        before.append((source, container[source.name]))
        container[source.name] = value
    elif source.space is not None:
        before.append((source, source.space[source.name]))
        source.space[source.name] = value
    else:
        before.append((source, source.owner.cell_contents))
        source.owner.cell_contents = value


# -- containers -----------------------------------------------------------------------------------------------------------


def keys_of_items(value: Any) -> Any:
    """The keys of a container whose items may be inputs, the length of one that has none; None for anything else."""
    cls: Any = type(value)
    if cls in _SEQUENCES or (isinstance(value, tuple) and hasattr(cls, "_fields")):
        return len(value) if len(value) <= _ITEMS else None
    parts = value if cls in _DICTS else parts_of(value) if is_record(value) else None
    return tuple(parts) if parts is not None and len(parts) <= _ITEMS else None


def parts_of(value: Any) -> Any:
    """The container itself; of an object its attributes."""
    return object.__getattribute__(value, "__dict__") if is_record(value) else value


def is_record(value: object) -> bool:
    """True for an object of the user's that is no more than its attributes: settings, a dataclass, a namespace."""
    cls: Any = type(value)
    return _has_records(cls)


@functools.lru_cache(maxsize=1000)
def _has_records(cls: Any) -> bool:
    if cls is types.SimpleNamespace:
        return True
    module = cls.__module__
    if not isinstance(module, str) or not is_user_module(module) or issubclass(cls, _NO_RECORDS) or not cls.__dictoffset__:
        return False
    members = {name: member for base in cls.__mro__[:-1] for name, member in vars(base).items()}
    return members.keys().isdisjoint(_ACCESS) and types.MemberDescriptorType not in set(map(type, members.values()))


def items_of(value: Any) -> list[tuple[Any, Any]]:
    """The items of such a container, with their keys or numbers."""
    value = parts_of(value)
    return list(value.items()) if isinstance(value, dict) else list(enumerate(value))


def is_of_data(value: Any, depth: int = 0) -> bool:
    """True for a container, or an object, that holds numbers, texts, tensors and such containers only."""
    if keys_of_items(value) is None or depth > _DEEP:
        return False
    items = [item for _, item in items_of(value)]
    return all(type(item) in _PLAIN or type(item) is EagerTensor or is_of_data(item, depth + 1) for item in items)
