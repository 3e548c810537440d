"""Places outside of the arguments whose numbers and tensors become inputs of Programs at their second value.

Such a place belongs to a namespace, to a cell, or to a list, tuple or dict in another place: ``self.options["rate"]``,
``self.state[0]``. A trace puts stand-ins there: symbolic values in place of the numbers and tensors (`standing_in`). `guards.py`
decides which places are inputs.
"""

from __future__ import annotations

import collections
import enum
import functools
import operator
import threading
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

NUMBERS = frozenset((int, float))  # (the two values of a bool make two Programs; a key has the value)
INPUT: Any = type("Input", (), {"__repr__": lambda self: "<an input>"})()  # in keys, in place of a number or tensor
_INT64_LIMIT = 1 << 63
_standing = [0]  # how many traces have stand-ins in places now
_SEQUENCES = (list, tuple, collections.deque)
_DICTS = (dict, collections.OrderedDict, collections.defaultdict, collections.Counter)
_ACCESS = ("__getattr__", "__getattribute__", "__get__")
_NO_RECORDS = (Tensor, Layer, BaseException, enum.Enum, type, *_SEQUENCES, dict, set, frozenset)
_ITEMS = 64  # the most items of a container whose items are inputs
_DEEP = 4  # how deep such containers are nested, at most
_PLAIN = (bool, int, float, str, type(None))


def fits(value: object) -> bool:
    """True if a value can be a number input: a float, or an int of 64 bits."""
    return type(value) is float or (type(value) is int and -_INT64_LIMIT <= value < _INT64_LIMIT)


def can_be_input(source: Any) -> bool:
    """True if a trace can replace the value of a `guards.GuardSource`: in a namespace, a cell or a container."""
    if source.parent is not None:
        return not isinstance(source.parent.value, tuple) or can_be_input(source.parent)
    return type(source.space) is dict or type(source.owner) is types.CellType or isinstance(source.owner, threading.local)


def value_of(source: Any) -> Any:
    """Return the present value of a place."""
    return source.read()


def reader(source: Any) -> Callable[[], Any]:
    """Return a function that reads the number or tensor in a place."""
    if type(source.value) is EagerTensor:
        return functools.partial(_read_tensor, _quick_reader(source))
    return _quick_reader(source)


def _read_tensor(read: Callable[[], Any]) -> Any:
    """Read a tensor. Raises StaleProgramError if the place holds something else."""
    value = read()
    if type(value) is not EagerTensor:  # another thread is tracing, and has put a stand-in there
        raise StaleProgramError(f"a tensor was a {type(value).__name__} for a while")
    return value


def _quick_reader(source: Any) -> Callable[[], Any]:
    """Return a function that reads the value of a place; of a namespace a C function, which is quicker."""
    if source.parent is None and source.space is not None:
        return functools.partial(operator.getitem, source.space, source.name)
    return source.read  # type: ignore[no-any-return]


@contextmanager
def standing_in(stand_ins: list[tuple[Any, Any]]) -> Iterator[None]:
    """Put values into places within this context: pairs of a place and its stand-in. The old values come back at its end."""
    replaced: list[tuple[Any, Any]] = []
    _standing[0] += bool(stand_ins)
    try:
        for source, value in stand_ins:
            _put(source, value, replaced)
        yield
    finally:
        for source, value in reversed(replaced):
            _put(source, value, [])
        _standing[0] -= bool(stand_ins)


def wait_for_values() -> None:
    """Wait until no other thread traces with stand-ins in places that Python may read."""
    if _standing[0]:
        with COMPILE_LOCK:
            pass


def _put(source: Any, value: Any, replaced: list[tuple[Any, Any]]) -> None:
    """Put a value into a place without a notice to watchers, and append the old value to ``replaced``.

    For an item of a tuple, a new tuple is put into the place of the tuple.
    """
    if source.parent is not None:
        container = parts_of(source.parent.value if source.parent.read is None else source.parent.read())
        if isinstance(container, tuple):
            items = [*container[: source.name], value, *container[source.name + 1 :]]
            _put(source.parent, tuple.__new__(type(container), items), replaced)
            return
        replaced.append((source, container[source.name]))
        container[source.name] = value
    elif source.space is not None:
        replaced.append((source, source.space[source.name]))
        source.space[source.name] = value
    elif isinstance(source.owner, threading.local):
        replaced.append((source, source.read()))
        threading.local.__setattr__(source.owner, source.name, value)
    else:
        replaced.append((source, source.owner.cell_contents))
        source.owner.cell_contents = value


# -- containers -----------------------------------------------------------------------------------------------------------


def keys_of_items(value: Any) -> Any:
    """The structure of a container whose items may be inputs: keys, or the length of a sequence; None for other values."""
    cls: Any = type(value)
    if cls in _SEQUENCES or (isinstance(value, tuple) and hasattr(cls, "_fields")):
        return len(value) if len(value) <= _ITEMS else None
    parts = value if cls in _DICTS else parts_of(value) if is_record(value) else None
    return tuple(parts) if parts is not None and len(parts) <= _ITEMS else None


def parts_of(value: Any) -> Any:
    """Return a container itself, and the ``__dict__`` of an object."""
    return object.__getattribute__(value, "__dict__") if is_record(value) else value


class _Receiver:
    """Takes what a mapping proxy compares itself with: the mapping behind it."""

    mapping: Any = None
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, mapping: object) -> bool:
        self.mapping = mapping
        return True


def mapping_of(proxy: types.MappingProxyType[Any, Any]) -> Any:
    """The mapping that a read-only view shows, which changes without the view."""
    receiver = _Receiver()
    _ = proxy == receiver
    return receiver.mapping


def is_record(value: object) -> bool:
    """True for a user's object that consists only of its attributes: settings, a dataclass, a namespace."""
    cls: Any = type(value)
    return _is_record_class(cls)


@functools.lru_cache(maxsize=1000)
def _is_record_class(cls: Any) -> bool:
    """True if objects of a class have a ``__dict__``, and no slots, descriptors or attribute hooks."""
    if cls is types.SimpleNamespace:
        return True
    module = cls.__module__
    if not isinstance(module, str) or not is_user_module(module) or issubclass(cls, _NO_RECORDS) or not cls.__dictoffset__:
        return False
    members = {name: member for base in cls.__mro__[:-1] for name, member in vars(base).items()}
    return members.keys().isdisjoint(_ACCESS) and types.MemberDescriptorType not in set(map(type, members.values()))


def items_of(value: Any) -> list[tuple[Any, Any]]:
    """The items of such a container, with their keys or indices."""
    value = parts_of(value)
    return list(value.items()) if isinstance(value, dict) else list(enumerate(value))


def is_of_data(value: Any, depth: int = 0) -> bool:
    """True for a container or object that holds only numbers, strings, tensors and such containers."""
    if keys_of_items(value) is None or depth > _DEEP:
        return False
    items = [item for _, item in items_of(value)]
    return all(type(item) in _PLAIN or type(item) is EagerTensor or is_of_data(item, depth + 1) for item in items)
