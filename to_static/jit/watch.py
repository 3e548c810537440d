"""What a traced Program took from Layers: modes, parameters, hooks, and the plain attributes that their code reads.

Python reads them anew at every call. A Program has them built in, so they are part of its key: a Layer whose ``scale`` was
changed gets another Program, as the dynamic function would get another result.
"""

from __future__ import annotations

import dis
import functools
import operator
import re
import types
from collections.abc import Collection, Iterator
from typing import Any

from to_static.nn.layer import Layer

_PLAIN = (bool, int, float, str, type(None))
_LONGEST = 64  # entries of a tuple or list that is compared by value
_NOTHING = object()


def state_of(
    layers: Collection[Layer], names: frozenset[str] = frozenset(), kept: Collection[tuple[int, str]] = ()
) -> tuple[Any, ...]:
    """A key of everything about these Layers that tracing builds in.

    ``names``: attributes that code outside of their classes mentions. ``kept``: (id, name) of buffers that every call sets anew.
    """
    kinds: set[Any] = {type(layer) for layer in layers}
    names = names.union(*map(names_read, kinds))
    return tuple(
        (
            type(layer),
            layer.training,
            *((name, id(p)) for name, p in layer._parameters.items()),
            *_buffers(layer, kept),
            *((name, id(sub)) for name, sub in layer._sub_layers.items()),
            layer.__dict__.get("forward"),  # one of its own, which nobody mentions: calls of the Layer find it
            *layer._forward_pre_hooks,
            *layer._forward_post_hooks,
            *plain_attributes(layer, names),
        )
        for layer in layers
    )


def _buffers(layer: Layer, kept: Collection[tuple[int, str]]) -> list[Any]:
    """The buffers of a Layer by identity, but those that every call sets anew: of these, which are one tensor."""
    first: dict[int, str] = {}
    return [
        (name, getattr(b, "spec", None), first.setdefault(id(b), name)) if (id(layer), name) in kept else (name, id(b))
        for name, b in layer._buffers.items()
    ]


def plain_attributes(owner: Any, names: frozenset[str]) -> list[Any]:
    """Names and values of those of an object's plain attributes that ``names`` mention."""
    own = getattr(owner, "__dict__", {})
    found = []
    for name in own.keys() & names:
        value = plain(own[name])
        if value is not _NOTHING:
            found.append((name, value))
    return sorted(found, key=lambda item: item[0])


def plain(value: Any) -> Any:
    """A number, string or None (or a short tuple or list of them) in a form that tells 1, 1.0 and True apart."""
    kind = type(value)
    if kind in _PLAIN:
        return (kind, repr(value))
    if kind in (tuple, list) and len(value) <= _LONGEST:
        items = tuple(plain(v) for v in value)
        return _NOTHING if any(item is _NOTHING for item in items) else (kind, items)
    return _NOTHING


@functools.cache
def names_read(owner: type) -> frozenset[str]:
    """Attribute names that the methods of a Layer class mention (its constructor does not count)."""
    names: set[str] = set()
    for base in owner.__mro__:
        if base is Layer:
            break
        for name, member in vars(base).items():
            function = getattr(member, "_function", member)  # of a static method
            if name != "__init__" and isinstance(function, types.FunctionType):
                collect_names(function.__code__, names)
    names.update(getattr(owner, "_settings", ()))  # of the Layers that are a function with settings
    return frozenset(names - {"training", "_parameters", "_buffers", "_sub_layers"})


def is_plain(value: Any) -> bool:
    """Whether a value is a number, a string or None, or a short tuple or list of them."""
    return plain(value) is not _NOTHING


_IN_FORMATS = re.compile(r"(?<=[\w\]]\.)[^\W\d]\w*(?=[^{}]*\})")  # attributes in a format: "{0.rate}", "{state.best.score:.2f}"


def collect_names(code: types.CodeType, names: set[str]) -> None:
    """Add all names that a code object, or one inside of it, looks up, and its strings: attributes may be called so."""
    names.update(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            collect_names(constant, names)
        for text in constant if isinstance(constant, (tuple, frozenset)) else (constant,):
            if isinstance(text, str):
                names.update(text.split(".") if text.replace(".", "_").isidentifier() else _IN_FORMATS.findall(text))


def names_asked(getter: Any) -> frozenset[str]:
    """Names of the attributes that an `attrgetter` or `methodcaller` of `operator` asks for."""
    made, arguments = getter.__reduce__()
    texts = arguments if made is operator.attrgetter else [*getattr(made, "args", ()), *arguments][:1]
    return frozenset(name for text in texts for name in text.split("."))


@functools.cache
def names_of(code: types.CodeType) -> tuple[frozenset[str], tuple[str, ...]]:
    """All names that a code object looks up, and those among them that are globals."""
    names: set[str] = set()
    collect_names(code, names)
    return frozenset(names), tuple(sorted(set(_globals(code))))


def globals_read(space: dict[str, Any], code: types.CodeType) -> list[Any]:
    """The values, in ``space``, of the globals that a code object looks up."""
    return [space[name] for name in names_of(code)[1] if name in space]


@functools.cache
def guards(code: types.CodeType) -> bool:
    """Whether a code object, or one inside of it, has something to do with errors that come to it (``try``, ``with``)."""
    if getattr(code, "co_exceptiontable", b"") or _SETUPS.intersection(code.co_code[::2]):
        return True
    return any(guards(constant) for constant in code.co_consts if isinstance(constant, types.CodeType))


@functools.cache
def imports_of(code: types.CodeType) -> tuple[tuple[str, int], ...]:
    """The modules that a code object, or one inside of it, imports: name, and how many packages up that is from its own."""
    found: list[tuple[str, int]] = []
    if _IMPORT in code.co_code[::2]:
        steps = list(dis.get_instructions(code))
        for place, step in enumerate(steps):
            if step.opcode == _IMPORT:  # the level is the last number before it
                level = next((x.argval for x in reversed(steps[:place]) if type(x.argval) is int and "LOAD" in x.opname), 0)
                found.append((step.argval, level))
    inner = [imports_of(constant) for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return (*found, *(x for part in inner for x in part))


_IMPORT = dis.opmap["IMPORT_NAME"]
_SETUPS = frozenset(dis.opmap[name] for name in ("SETUP_FINALLY", "SETUP_WITH") if name in dis.opmap)  # in Python 3.10


def _globals(code: types.CodeType) -> Iterator[str]:
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL"):
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _globals(constant)
