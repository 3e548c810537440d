"""What an object holds that code may read: items, attributes, those of its class, what a partial or a default argument keeps.

Attributes count where the code mentions their names; all that is found is looked into as well.
"""

from __future__ import annotations

import collections
import functools
import types
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from to_static.core.namespace import type_of
from to_static.ir.tensor import Tensor
from to_static.jit.binding import ready
from to_static.jit.contents import ENUMS_KEEP, in_slot, is_library_holder, is_users, member, of_users
from to_static.jit.entry import CODE, MISSING, Entry, entry_of, kept
from to_static.jit.indirect import reached_by
from to_static.jit.large import is_large
from to_static.jit.watch import collect_names, names_of, names_read, plain
from to_static.nn.layer import Layer

_LIMIT = 5000  # entries that one walk finds, at most
NOTHING = plain(MISSING)
_IMPLICIT = frozenset([
    "__getattr__", "__getattribute__", "__setattr__", "__delattr__", "__hash__", "__index__", "__int__", "__float__", "__get__",
    "__set__", "__class_getitem__", "__instancecheck__", "__subclasscheck__", "__dir__",
])  # fmt: skip
_WHOLE = frozenset(["__dict__", "vars", "asdict", "astuple"])  # who mentions these reads all attributes
_CONTAINERS = (list, tuple, dict, set, frozenset, collections.deque)


class Reads(NamedTuple):
    """What code reads: attributes whose names it mentions, and all attributes of the objects with the ids ``whole``."""

    names: frozenset[str]
    whole: frozenset[int]


def walk(roots: Iterable[Entry], reads: Reads, but: Iterable[int] = ()) -> Iterator[Entry]:
    """The roots, and everything below them that code may read; ``but``: ids of what is not looked into."""
    reads = reads._replace(names=reads.names.difference(ENUMS_KEEP))  # code of the library mentions these
    todo = list(roots)[::-1]
    seen = set(but)
    count = 0
    while todo and count < _LIMIT:
        entry = todo.pop()
        count += 1
        yield entry
        if id(entry.value) not in seen and not _is_fixed(entry.value):
            seen.add(id(entry.value))
            todo.extend(list(_parts(entry.value, entry.label, reads))[::-1])


def _parts(value: Any, label: str, reads: Reads) -> Iterator[Entry]:
    kind, (names, whole) = type(value), reads
    if isinstance(value, Tensor) or value is MISSING:
        return
    found = reached_by(value, label, names, lambda value, label: _parts(value, label, reads))
    if found is not None:
        yield from found
        return
    if isinstance(value, _CONTAINERS):
        for name, item in _items(value):
            if not _is_fixed(item):
                yield kept((id(value), name), f"{label}[{name!r}]", item)
    elif kind is functools.partial:
        yield from (kept((id(value), i), label, part) for i, part in enumerate((value.func, value.args, value.keywords)))
    elif member(kind, "dygraph_function") is not None:  # asked without metaclasses of the user's
        yield from (kept((id(value), i), label, part) for i, part in enumerate(value.__held__()[1]))
    elif kind is types.MethodType:
        yield from (kept((id(value), i), label, part) for i, part in enumerate((value.__func__, value.__self__)))
    if isinstance(value, Layer):
        yield from _of_layer(value, label, names)
    elif kind is types.ModuleType:
        yield from _of_module(value, label, names)
    elif kind is types.FunctionType:
        if of_users(value.__module__):
            yield Entry((id(value), CODE), label, functools.partial(getattr, value, CODE), name=CODE)
            for name in ("__defaults__", "__kwdefaults__") if value.__defaults__ or value.__kwdefaults__ else ():
                yield Entry((id(value), name), f"{label}.{name}", functools.partial(getattr, value, name))
            own: Any = vars(value)
            names |= {"registry"} if "dispatch" in own else frozenset()  # of `functools.singledispatch`
            yield from _named(own, label, names)
            yield _absent(value, own, label, names)
    elif isinstance(value, type):
        yield from _of_class(value, label, names)
    elif is_users(kind):
        yield Entry((id(value), None), label, functools.partial(type, value))
        names |= _implied(kind)  # type: ignore[arg-type]
        ready(value)
        own = getattr(value, "__dict__", None)
        if type_of(own) is dict:
            if names & _WHOLE or id(value) in whole:
                names = names.union(own)
                yield Entry((id(own), "names"), f"the attributes of {label}", functools.partial(" ".join, own))
            yield from _named(own, label, names)
            yield _absent(value, own, label, names)
        yield from _of_slots(value, label, names)


@functools.cache
def _implied(kind: type) -> frozenset[str]:
    """Names that methods of a class mention which Python calls where no text mentions them, or which belong to its library."""
    found: list[Any] = []
    for base in _users(kind):  # type: ignore[arg-type]
        own = vars(base)
        found += [own[name] for name in (own if is_library_holder(base.__module__) else _IMPLICIT & own.keys())]
    return _mentioned(found)


@functools.cache
def _making(kind: type) -> frozenset[str]:
    """Names that ``__new__`` of a class mentions, and the methods and properties of its own class: Python calls them by itself."""
    parts = [vars(base).get("__new__") for base in _users(kind)]  # type: ignore[arg-type]
    parts += [x for meta in _users(type(kind)) for x in vars(meta).values()]  # type: ignore[arg-type]
    return _mentioned(part.fget if isinstance(part, property) else getattr(part, "__func__", part) for part in parts)


def _mentioned(values: Iterable[Any]) -> frozenset[str]:
    """Names that the functions among these mention."""
    names: set[str] = set()
    for value in values:
        function = getattr(value, "__leads_to__", value)  # from what stands in its place while tracing
        if isinstance(function, types.FunctionType):
            collect_names(function.__code__, names)
    return frozenset(names).difference(ENUMS_KEEP)


def _is_fixed(value: Any) -> bool:
    """Whether a plain value is also one that does not change."""
    if type(value) is tuple:
        return all(map(_is_fixed, value))
    return type(value) is not list and plain(value) is not NOTHING


def _named(space: Any, label: str, names: frozenset[str]) -> Iterator[Entry]:
    for name in sorted(names.intersection(space)):
        yield entry_of(space, name, f"{label}.{name}")


def _of_module(module: types.ModuleType, label: str, names: frozenset[str]) -> Iterator[Entry]:
    """What a module holds: of Python's library numbers, texts and lists of them (``sys.argv``)."""
    own = vars(module)
    if not of_users(module.__name__):
        names = frozenset(name for name in names.intersection(own) if plain(own[name]) is not NOTHING)
    elif isinstance(own.get("__getattr__"), types.FunctionType):
        names |= names_of(own["__getattr__"].__code__)[0]
    yield from _named(own, label, names)
    if of_users(module.__name__):
        yield _absent(module, own, label, names)


def _items(value: Any) -> Iterable[tuple[Any, Any]]:
    if is_large(value):
        return ()
    if isinstance(value, dict):
        keys = [("key", key) for key in dict.keys(value)]
        return [*keys, *dict.items(value)]
    kind = next(k for k in _CONTAINERS if isinstance(value, k))
    items = kind.__iter__(value)
    return enumerate(sorted(items, key=id) if kind in (set, frozenset) else items)


def _of_layer(layer: Layer, label: str, names: frozenset[str]) -> Iterator[Entry]:
    """What a Layer holds. (Of its class, its plain attributes, tensors and sublayers `watch.state_of` tells.)"""
    ready(layer)
    own = vars(layer)
    names |= names_read(type(layer))  # type: ignore[arg-type]
    for name in sorted(names.intersection(own)):
        if not _is_fixed(own[name]):
            yield entry_of(own, name, f"attribute {name!r} of a {type(layer).__name__}", layer)
    for name, sub in own["_sub_layers"].items():
        if sub is not None:
            yield kept((id(layer), name), f"{label}.{name}", sub)
    yield kept((id(layer), None), label, type(layer))


@functools.cache
def _users(kind: type) -> tuple[type, ...]:
    """The user's among a class and its bases."""
    return tuple(base for base in kind.__mro__ if is_users(base))


def _of_class(kind: type, label: str, names: frozenset[str]) -> Iterator[Entry]:
    """Attributes of a class and its bases, and methods that Python calls by itself."""
    bases = _users(kind)  # type: ignore[arg-type]
    if is_users(type(kind)):
        yield kept((id(kind), None), label, type(kind))
    names |= _making(kind)  # type: ignore[arg-type]
    names = frozenset(name for name in names if not name.startswith("__"))
    names |= {"forward"} if issubclass(kind, Layer) else set()  # called where no text mentions it
    for base in bases:
        own = vars(base)
        for name in sorted(names.intersection(own).union(_special(own))):
            if not isinstance(own[name], types.MemberDescriptorType):
                entry = entry_of(own, name, f"{label}.{name}", base)
                if isinstance(own[name], property) or name.startswith("__"):
                    entry.write = None  # it is another one while a function is traced
                yield entry
        yield _absent(base, own, label, names)


def _special(own: Any) -> list[str]:
    return [name for name, x in own.items() if name.startswith("__") and type(x) is types.FunctionType and of_users(x.__module__)]


def _absent(owner: Any, space: Any, label: str, names: frozenset[str]) -> Entry:
    """That a namespace has none of these names, but for those that it has now: code may ask, or find them in a class instead."""
    absent = functools.partial(space.keys().isdisjoint, _others(names, tuple(space)))
    entry = Entry((id(owner), "absent", None), label, absent, space=space)
    entry.absent = True
    return entry


@functools.lru_cache(maxsize=1000)
def _others(names: frozenset[str], own: tuple[str, ...]) -> frozenset[str]:
    return names.difference(own)


def _of_slots(value: Any, label: str, names: frozenset[str]) -> Iterator[Entry]:
    for base in _users(type(value)):  # type: ignore[arg-type]
        for name in sorted(names.intersection(vars(base))):
            slot = vars(base)[name]
            if isinstance(slot, types.MemberDescriptorType):
                write = functools.partial(slot.__set__, value)
                yield Entry((id(value), name), f"{label}.{name}", functools.partial(in_slot, slot, value, MISSING), write)
