"""What an object holds that code may read: items, attributes, those of its class, what a partial or a default argument keeps.

Attributes count where the code mentions their names; all that is found is looked into as well.
"""

from __future__ import annotations

import collections
import functools
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from to_static.ir.tensor import Tensor
from to_static.jit.contents import is_users, of_users
from to_static.jit.large import is_large
from to_static.jit.watch import collect_names, names_read, plain
from to_static.nn.layer import Layer

_LIMIT = 5000  # entries that one walk finds, at most
MISSING = object()
NOTHING = plain(MISSING)
_IMPLICIT = frozenset(["__getattr__", "__getattribute__", "__hash__", "__index__", "__int__", "__float__", "__get__"])
_WHOLE = frozenset(["__dict__", "vars", "asdict", "astuple"])  # who mentions these reads all attributes
_CONTAINERS = (list, tuple, dict, set, frozenset, collections.deque)


class Entry:
    """One place that code may read: how it is read and written, its name for people, and what was found there.

    ``place`` tells it from others; ``space`` is the namespace that has it under ``name``, where there is one. What is ``fixed`` is
    always the same object, of which the contents may change.
    """

    __slots__ = ("fixed", "key", "label", "name", "place", "read", "space", "value", "write")

    def __init__(
        self, place: Any, label: str, read: Callable[[], Any], write: Any = None, space: Any = None, name: str = ""
    ) -> None:
        self.place = place
        self.label = label
        self.read = read
        self.write = write
        self.space = space
        self.name = name
        self.fixed = False
        self.value = read()
        self.key: Any = None


def entry_of(space: Any, name: str, label: str, owner: Any = None) -> Entry:
    """The entry of a name in a namespace (of ``owner``)."""

    def write(value: Any) -> None:
        if isinstance(owner, type):
            setattr(owner, name, value)
        else:
            space[name] = value

    place = id(space if owner is None else owner), name
    return Entry(place, label, functools.partial(space.get, name, MISSING), write, space, name)


def kept(place: Any, label: str, value: Any) -> Entry:
    """The entry of an object that is always the same one."""
    entry = Entry(place, label, lambda: value)
    entry.fixed = True
    return entry


def walk(
    roots: Iterable[Entry], names: frozenset[str], asked: frozenset[str] = frozenset(), but: Iterable[int] = ()
) -> Iterator[Entry]:
    """The roots, and everything below them that code which mentions ``names`` may read; ``asked``: names that may be missing;
    ``but``: ids of what is not looked into.
    """
    todo = list(roots)[::-1]
    seen = set(but)
    count = 0
    while todo and count < _LIMIT:
        entry = todo.pop()
        count += 1
        yield entry
        if id(entry.value) not in seen and not _is_fixed(entry.value):
            seen.add(id(entry.value))
            todo.extend(list(_parts(entry.value, entry.label, names, asked))[::-1])


def _parts(value: Any, label: str, names: frozenset[str], asked: frozenset[str]) -> Iterator[Entry]:
    kind = type(value)
    if isinstance(value, Tensor) or value is MISSING:
        return
    if isinstance(value, _CONTAINERS):
        for name, item in _items(value):
            if not _is_fixed(item):
                yield kept((id(value), name), f"{label}[{name!r}]", item)
    elif kind is functools.partial:
        yield from (kept((id(value), i), label, part) for i, part in enumerate((value.func, value.args, value.keywords)))
    elif kind is types.MethodType:
        yield from (kept((id(value), i), label, part) for i, part in enumerate((value.__func__, value.__self__)))
    if isinstance(value, Layer):
        yield from _of_layer(value, label, names)
    elif kind is types.ModuleType:
        if of_users(value.__name__):
            yield from _named(vars(value), label, names)
    elif kind is types.FunctionType:
        if of_users(value.__module__):
            for name in ("__defaults__", "__kwdefaults__") if value.__defaults__ or value.__kwdefaults__ else ():
                yield Entry((id(value), name), f"{label}.{name}", functools.partial(getattr, value, name))
            yield from _named(vars(value), label, names)
    elif isinstance(value, type):
        yield from _of_class(value, label, names)
    elif is_users(kind):
        yield Entry((id(value), None), label, functools.partial(type, value))
        names |= _implied(kind)  # type: ignore[arg-type]
        own = getattr(value, "__dict__", None)
        if type(own) is dict:
            if names & _WHOLE:
                names = names.union(own)
                yield Entry((id(own), "names"), f"the attributes of {label}", functools.partial(" ".join, own))
            yield from _named(own, label, names)
            yield from _missing(value, own, label, asked | _of_classes(_users(kind), names))  # type: ignore[arg-type]
        yield from _of_slots(value, label, names)


@functools.cache
def _implied(kind: type) -> frozenset[str]:
    """Names that methods of a class mention which Python calls where no text mentions them."""
    names: set[str] = set()
    for base in _users(kind):  # type: ignore[arg-type]
        for name in _IMPLICIT & vars(base).keys():
            if isinstance(vars(base)[name], types.FunctionType):
                collect_names(vars(base)[name].__code__, names)
    return frozenset(names)


def _is_fixed(value: Any) -> bool:
    """Whether a plain value is also one that does not change."""
    if type(value) is tuple:
        return all(map(_is_fixed, value))
    return type(value) is not list and plain(value) is not NOTHING


def _named(space: Any, label: str, names: frozenset[str]) -> Iterator[Entry]:
    for name in sorted(names.intersection(space)):
        yield entry_of(space, name, f"{label}.{name}")


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
    """Attributes of a class and its bases. (Those that Python calls by itself are other ones while a function is traced.)"""
    bases = _users(kind)  # type: ignore[arg-type]
    names = frozenset(name for name in names if not name.startswith("__"))
    names |= {"forward"} if issubclass(kind, Layer) else set()  # called where no text mentions it
    for i, base in enumerate(bases):
        own = vars(base)
        for name in sorted(names.intersection(own)):
            if not isinstance(own[name], types.MemberDescriptorType):
                entry = entry_of(own, name, f"{label}.{name}", base)
                if isinstance(own[name], property):
                    entry.write = None  # it is another one while a function is traced
                yield entry
        yield from _missing(base, own, label, _of_classes(bases[i + 1 :], names))


def _of_classes(bases: tuple[type, ...], names: frozenset[str]) -> frozenset[str]:
    """Which of the names some classes have: an attribute of an object, or of a class that comes before, would hide them."""
    return frozenset().union(*(names.intersection(vars(base)) for base in bases))


def _missing(owner: Any, space: Any, label: str, names: frozenset[str]) -> Iterator[Entry]:
    """That a namespace has none of these names, but for those that it has now."""
    absent = names.difference(space)
    if absent:
        yield Entry((id(owner), absent), label, functools.partial(space.keys().isdisjoint, absent))


def _of_slots(value: Any, label: str, names: frozenset[str]) -> Iterator[Entry]:
    for base in _users(type(value)):  # type: ignore[arg-type]
        for name in sorted(names.intersection(vars(base))):
            member = vars(base)[name]
            if isinstance(member, types.MemberDescriptorType):
                write = functools.partial(member.__set__, value)
                yield Entry((id(value), name), f"{label}.{name}", functools.partial(_slot, member, value), write)


def _slot(member: Any, value: Any) -> Any:
    try:
        return member.__get__(value)
    except AttributeError:
        return MISSING
