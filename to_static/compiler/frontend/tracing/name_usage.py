"""Names that code mentions, and the state of the Layers whose attributes have these names.

A function can read a global, attribute or item only by a name in its code. `guards.py` follows these names. `state_of` makes the
part of a key that describes Layers.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib.util
import re
import types
from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

from to_static.compiler.frontend.tracing.input_places import INPUT, fits, keys_of_items
from to_static.compiler.frontend.transpile.pyct import visiting
from to_static.compiler.frontend.transpile.source_code.source import source_of
from to_static.core.errors import TranslationError
from to_static.core.importing.skiplist import is_user_module
from to_static.nn.layer import Layer

_PLAIN = (bool, int, float, str, type(None))
_LONGEST = 64  # the most entries of a tuple or list that is compared by value
NOTHING = object()
_EVERY_BUFFER = frozenset(("buffers", "named_buffers", "state_dict", "_buffers", "__dict__", "vars", "getattr"))
_IN_FORMATS = re.compile(r"(?<=[\w\]]\.)[^\W\d]\w*(?=[^{}]*\})")  # attributes in a format: "{0.rate}", "{state.best.score:.2f}"


class Mentioned(NamedTuple):
    """The names in one function: all names and strings (`getattr` takes them), names that it reads, globals, imported modules."""

    names: frozenset[str]
    read: frozenset[str]
    variables: frozenset[str]
    modules: frozenset[str]


def mentioned(function: types.FunctionType) -> Mentioned:
    """Return the names that the source of a function mentions. Without source, every name counts as a global variable."""
    return _mentioned(function.__code__, function)


_by_code: dict[types.CodeType, Mentioned] = {}


def _mentioned(code: types.CodeType, function: types.FunctionType) -> Mentioned:
    """The names of a code object, computed once; ``function``: any function that has this code."""
    usage = _by_code.get(code)
    if usage is None:
        code_names: set[str] = set()
        collect_names(code, code_names)
        names = frozenset(code_names)
        try:
            node = source_of(function).node
        except TranslationError:
            usage = Mentioned(names, names, names, frozenset())
        else:
            parts = list(visiting.walk(node))
            if any(isinstance(part, ast.MatchClass) and part.patterns for part in parts):
                names |= {"__match_args__"}  # which has the names of the attributes that such a pattern reads
            variables: Any = {part.id for part in parts if isinstance(part, ast.Name)}
            read = names - _only_assigned(parts, code)
            may_read_any = "globals" in variables
            modules: set[str] = set()
            for part in parts:
                modules.update(_imported(part, function.__globals__.get("__package__")))
            variables = frozenset(names if may_read_any else variables.intersection(_nonlocal_names(code)))
            usage = Mentioned(names, read, variables, frozenset(modules))
        _by_code[code] = usage
    return usage


def _imported(node: ast.AST, package: Any) -> list[str]:
    """The user's modules that an import statement names, and the packages around them."""
    names: list[str] = []
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        with contextlib.suppress(ImportError):  # Python raises it when the statement runs
            base = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return [part for name in names if is_user_module(name) for part in [name.rsplit(".", k)[0] for k in range(name.count(".") + 1)]]


def _nonlocal_names(code: types.CodeType) -> Iterator[str]:
    """The names that a code object, or one inside of it, looks up, except those of its own variables."""
    yield from set(code.co_names).difference(code.co_varnames, code.co_cellvars, code.co_freevars)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _nonlocal_names(constant)


def _only_assigned(parts: list[ast.AST], code: types.CodeType) -> set[str]:
    """The names of attributes that a function sets and never reads."""
    written: set[str] = set()
    read: set[str] = set()
    for part in parts:
        if isinstance(part, ast.Attribute):
            (written if isinstance(part.ctx, ast.Store) else read).add(part.attr)
        elif isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Attribute):
            read.add(part.target.attr)
        elif isinstance(part, ast.Name):
            read.add(part.id)
    texts: set[str] = set()
    _collect_texts(code, texts)
    return written - read - texts


def collect_names(code: types.CodeType, names: set[str]) -> None:
    """Add to ``names`` the names that a code object, or one inside of it, looks up, and the names in its strings."""
    names.update(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            collect_names(constant, names)
    _add_texts(code, names)


def _collect_texts(code: types.CodeType, names: set[str]) -> None:
    """Add to ``names`` the names in the strings of a code object and of those inside of it."""
    _add_texts(code, names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            _collect_texts(constant, names)


def _add_texts(code: types.CodeType, names: set[str]) -> None:
    """Add to ``names`` the names in the strings of one code object: dotted names, and attributes in formats."""
    for constant in code.co_consts:
        for text in constant if isinstance(constant, (tuple, frozenset)) else (constant,):
            if isinstance(text, str):
                names.update(text.split(".") if text.replace(".", "_").isidentifier() else _IN_FORMATS.findall(text))


@functools.lru_cache(maxsize=1000)
def names_read(owner: type, names: frozenset[str]) -> frozenset[str]:
    """Return the attribute names that methods of a Layer class read; ``names``: those that code outside of the class mentions.

    A method of the user counts if its name is among ``names`` or is read by such a method, or if Python calls it (a special
    method). The constructor does not count. Methods that a trace calls add their names themselves (`Guards.track_function`).
    """
    read_names: set[str] = set()
    methods: dict[str, list[types.FunctionType]] = {}
    for base in owner.__mro__:
        if base is Layer:
            break
        for name, member in vars(base).items():
            function = getattr(member, "_function", member)  # of a static method
            function = getattr(function, "fget", getattr(function, "func", function))  # of a property
            if name == "__init__" or not isinstance(function, types.FunctionType):
                continue
            if is_user_module(function.__module__):
                methods.setdefault(name, []).append(function)
            else:
                collect_names(function.__code__, read_names)
    todo = [name for name in methods if name in names or name.startswith("__")]
    while todo:
        read = {name for function in methods.pop(todo.pop()) for name in mentioned(function).read}
        read_names |= read
        todo = [name for name in methods if name in read_names or name in todo]
    read_names.update(getattr(owner, "_settings", ()))  # (Layers that wrap a function, such as activations)
    return frozenset(read_names - {"training", "_parameters", "_buffers", "_sub_layers"})


def plain_key(value: Any) -> Any:
    """Return a key of a plain value, which tells 1, 1.0 and True apart; `NOTHING` for other values.

    Plain values are numbers, strings and None, and short tuples and lists of them.
    """
    cls = type(value)
    if cls in _PLAIN:
        return (cls, repr(value))
    if cls in (tuple, list) and len(value) <= _LONGEST:
        items = tuple(plain_key(v) for v in value)
        return NOTHING if any(item is NOTHING for item in items) else (cls, items)
    return NOTHING


def is_plain(value: object) -> bool:
    """True if a value is a number, a string or None, or a short tuple or list of them."""
    return plain_key(value) is not NOTHING


class _Hook:
    """A hook as part of a key. It compares by identity, so a hook that is registered again has the same key."""

    __slots__ = ("hook",)

    def __init__(self, hook: object) -> None:
        self.hook = hook

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Hook) and other.hook is self.hook

    def __hash__(self) -> int:
        return id(self.hook)


def state_of(
    layers: Collection[Layer],
    names: frozenset[str] = frozenset(),
    reset_buffers: Collection[tuple[int, str]] = (),
    unread: Collection[tuple[int, str]] = (),
    inputs: Collection[tuple[int, str]] = (),
    outside: Collection[int] = (),
    build_of: Callable[[Layer, str, Any], Any] = lambda layer, name, thing: id(thing),
    rewritten: Collection[tuple[int, str]] = (),
) -> tuple[Any, ...]:
    """Return a key of the facts about Layers that a trace makes constant: modes, parameters, hooks, plain attributes.

    names: the attributes that code outside of their classes mentions.
    reset_buffers: (id of a Layer, name) of the buffers that every call assigns.
    unread: the same of the buffers whose values no Program reads.
    inputs: the same of the attributes that guards compare, because they hold inputs.
    rewritten: the same of the attributes that every call assigns before it reads them.
    outside: ids of the tensors that have a name outside of the Layers, too.
    build_of: returns the part of the key for a parameter or sublayer, from the Layer, the name and the object.
    """
    layer_classes: set[Any] = {type(layer) for layer in layers}
    buffers = [(id(layer), name, b) for layer in layers if reset_buffers for name, b in layer._buffers.items() if b is not None]
    first: dict[int, tuple[int, str]] = {}
    fixed = {id(buffer) for _, _, buffer in buffers}.intersection(outside)
    for owner, name, buffer in sorted(buffers, key=lambda item: item[:2] in reset_buffers):  # if fixed and reset: a fixed name
        first.setdefault(id(buffer), (owner, name))
    names = names.union(*(names_read(layer_class, names) for layer_class in layer_classes))
    return tuple(
        (
            type(layer),
            layer.training,
            *((name, build_of(layer, name, p)) for name, p in layer._parameters.items()),
            *_buffers(layer, reset_buffers, unread, first, fixed, names),
            *((name, build_of(layer, name, sub)) for name, sub in layer._sub_layers.items()),
            layer.__dict__.get("forward"),  # (calls of the Layer use it, though code does not mention its name)
            *map(_Hook, layer._forward_pre_hooks.values()),
            len(layer._forward_pre_hooks),
            *map(_Hook, layer._forward_post_hooks.values()),
            *plain_attributes(layer, names, inputs, rewritten),
        )
        for layer in layers
    )


def reads_buffer(name: str, names: frozenset[str]) -> bool:
    """True if code with these names may read a buffer."""
    return name in names or not _EVERY_BUFFER.isdisjoint(names)


def _buffers(
    layer: Layer,
    reset_buffers: Collection[tuple[int, str]],
    unread: Collection[tuple[int, str]],
    first: dict[int, tuple[int, str]],
    fixed: Collection[int],
    names: frozenset[str],
) -> list[Any]:
    """Return the part of a key for the buffers of a Layer that code reads: by identity, if not every call assigns them.

    Of a buffer that every call assigns, the spec and ``stop_gradient`` count, and, if a Program reads it, which name the same
    tensor has ``first``. ``fixed``: ids of tensors that have a name outside of the Layers, too, and count by identity.
    """
    return [
        (name, getattr(b, "spec", None), getattr(b, "stop_gradient", None))  # (calls of another kind may read its values)
        if (id(layer), name) in unread
        else (name, getattr(b, "spec", None), getattr(b, "stop_gradient", None), id(b) if id(b) in fixed else first.get(id(b)))
        if (id(layer), name) in reset_buffers
        else (name, id(b))
        for name, b in layer._buffers.items()
        if (id(layer), name) in reset_buffers or reads_buffer(name, names)
    ]


def plain_attributes(
    layer: Layer, names: Collection[str], inputs: Collection[tuple[int, str]], rewritten: Collection[tuple[int, str]] = ()
) -> list[Any]:
    """Return the keys of the plain attributes of a Layer that have one of these names.

    ``inputs``: the attributes whose numbers are inputs; ``rewritten``: those that every call assigns before it reads them, which
    are left out.
    """
    return [
        item
        for item in _attributes(layer, names, inputs)
        if item[1] is not NOTHING and (not rewritten or (id(layer), item[0]) not in rewritten)
    ]


def only_plain_attributes(layer: Layer, names: Collection[str], inputs: Collection[tuple[int, str]]) -> list[Any] | None:
    """Return the same; None if an attribute with one of these names is not plain, or is a list in a user's Layer."""
    items = _attributes(layer, names, inputs)
    attributes = layer.__dict__
    cls: Any = type(layer)
    for name, value in items:
        if value is NOTHING or (
            type(attributes[name]) in (list, tuple) and not _is_constant(attributes[name]) and _is_of_user(cls)
        ):
            return None
    return items


def _attributes(layer: Layer, names: Collection[str], inputs: Collection[tuple[int, str]]) -> list[Any]:
    """The attributes of a Layer with these names, each with its `plain_key`, or as an input."""
    attributes = layer.__dict__
    return [
        (
            name,
            (type(attributes[name]), INPUT)
            if inputs and (id(layer), name) in inputs and _is_guarded(attributes[name])
            else plain_key(attributes[name]),
        )
        for name in sorted([name for name in attributes if name in names])
    ]


def _is_guarded(value: object) -> bool:
    """True if guards compare the value of such an attribute: a number that is an input, or a container by its items."""
    return fits(value) or keys_of_items(value) is not None


def _is_constant(value: object) -> bool:
    """True if a plain value holds no list."""
    return all(map(_is_constant, value)) if type(value) is tuple else type(value) is not list


@functools.lru_cache(maxsize=1000)
def _is_of_user(cls: Any) -> bool:
    """True for a class of the user."""
    return is_user_module(cls.__module__)
