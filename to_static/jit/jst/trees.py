"""Trees of values: containers, tensors, Python values and names without value, taken apart and put together again."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from to_static.core.namespace import type_of
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import ListSpec
from to_static.ir.tensor import Tensor
from to_static.jit.fields import set_field
from to_static.jit.jst.choice import Choice
from to_static.jit.jst.joined import joined
from to_static.jit.jst.joined_tables import QueueTree, TableTree
from to_static.jit.jst.lists import wrap
from to_static.jit.jst.objects import Object
from to_static.jit.jst.rows import Rows, RowsTree
from to_static.jit.jst.text import Piece, Text
from to_static.jit.jst.traced import DTYPES, as_number, constant, is_number, python_type
from to_static.jit.jst.unbound import Maybe, Unbound


class Slot:
    """The place of one tensor in a tree.

    ``number``: it stands for a Python number; ``holds``: what a list holds (see `TensorList`); ``may``: the numbers of the tensors
    that it may be (see `Joined`), None where that does not matter; ``which``: the index of the value that says which one.
    """

    __slots__ = ("holds", "index", "may", "number", "which")

    def __init__(self, index: int, number: bool = False) -> None:
        self.holds: Any = None
        self.index = index
        self.number = number
        self.may: Any = None
        self.which: int | None = None


class Into:
    """A list or dict whose new contents go into the object that the branches got copies of."""

    __slots__ = ("content", "target")

    def __init__(self, target: Any, content: Any) -> None:
        self.target = target
        self.content = content


class Chosen:
    """A `Choice` to be: the slot of its number, and the trees of its options."""

    __slots__ = ("options", "which")

    def __init__(self, which: Slot, options: list[Any]) -> None:
        self.which = which
        self.options = options


def fill(tree: Any, tensors: list[Any], done: dict[int, Any] | None = None) -> Any:
    """The tree with tensors in its slots. A part that occurs twice gives one object (``done`` remembers them by id)."""
    done = {} if done is None else done
    if id(tree) not in done:
        done[id(tree)] = _filled(tree, tensors, done)
    return done[id(tree)]


def _filled(tree: Any, tensors: list[Any], done: dict[int, Any]) -> Any:
    kind = type(tree)
    if kind is Slot:
        tensor = wrap(tensors[tree.index], tree.holds)
        if tree.number or tree.may is None:
            return as_number(tensor) if tree.number else tensor
        return joined(tensor, tree.may, None if tree.which is None else tensors[tree.which])
    if kind is Into:
        put(tree.target, fill(tree.content, tensors, done))
        return tree.target
    if kind is Object:
        made = done[id(tree)] = object.__new__(tree.kind)  # its attributes may lead back to it
        vars(made).update((name, fill(x, tensors, done)) for name, x in tree.content.items())
        return made
    if kind is Chosen:
        return Choice(tensors[tree.which.index], [fill(x, tensors, done) for x in tree.options])
    if kind is Maybe:
        return Maybe(tree.name, fill(tree.value, tensors, done), fill(tree.defined, tensors, done))
    if kind is TableTree or kind is QueueTree:
        return tree.filled(lambda x: fill(x, tensors, done))
    if kind is RowsTree:
        return Rows.made(tree.kinds, [fill(x, tensors, done) for x in tree.columns])
    items = parts(tree)
    filled = [fill(x, tensors, done) for x in items]
    if all(x is y for x, y in zip(items, filled, strict=True)):
        return tree  # an object without tensors of the block's stays the one that it is
    return rebuild(tree, filled)


def put(container: Any, content: Any) -> None:
    """Make a list or dict hold ``content``."""
    container.clear()
    if type(container) is list:
        container.extend(content)
    else:
        container.update(content)


def targets(tree: Any) -> list[Any]:
    """The objects that `fill` will give new contents."""
    found: list[Any] = []
    todo, seen = [tree], set()
    while todo:
        item = todo.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        kind = type(item)
        if kind is Into:
            found.append(item.target)
        inside = item.content if kind is Into else item.value if kind is Maybe else None
        todo += [inside] if inside is not None else item.options if kind is Chosen else (
            item.content.values() if kind is Object else parts(item)
        )
    return found


def parts(value: Any) -> list[Any]:
    """The items of a container that is looked into: list, tuple, namedtuple, dict, dataclass; empty for leaves."""
    kind = type_of(value)
    if kind is list or is_tuple(value):
        return list(value)
    if kind is dict:
        return list(value.values())
    if kind is Text:
        return [piece.carried for piece in value.pieces if isinstance(piece, Piece)]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, f.name) for f in dataclasses.fields(value)]
    return []


def is_tuple(value: Any) -> bool:
    """True for tuples, of classes made from them too, that are nothing more than their items."""
    return isinstance(value, tuple) and not getattr(value, "__dict__", None)


def shape_of(value: Any) -> Any:
    """What must agree for two containers to be joined item by item; None for leaves."""
    kind = type_of(value)
    if kind is list or is_tuple(value):
        return kind, len(value)
    if kind is dict:
        return kind, tuple(value)
    if kind is Text:
        return kind, tuple(x if isinstance(x, str) else (x.form, x.carried.python_type) for x in value.pieces)
    return kind if dataclasses.is_dataclass(value) and not isinstance(value, type) else None


def rebuild(like: Any, items: list[Any]) -> Any:
    """A container like ``like`` of other items; leaves come back as they are, and so does one whose items are the same."""
    kind: Any = type_of(like)
    if kind is list:
        return items
    if is_tuple(like):
        return tuple.__new__(kind, items)
    if kind is dict:
        return dict(zip(like, items, strict=True))
    if kind is Text:
        rest = iter([as_number(constant(x, DTYPES[python_type(x)])) if is_number(x) else x for x in items])
        return Text([x if isinstance(x, str) else x.holding(next(rest)) for x in like.pieces])
    if dataclasses.is_dataclass(like) and not isinstance(like, type):
        made = object.__new__(kind)
        for field, item in zip(dataclasses.fields(like), items, strict=True):
            set_field(made, field.name, item)
        return made
    return like


def same(a: Any, b: Any) -> bool:
    """True for Python values that may stand for each other: the same object, or equal values of one plain type."""
    if a is b:
        return True
    if type(a) is not type(b) or isinstance(a, Tensor):
        return False
    if isinstance(a, (float, np.floating)):
        return bool(a == b or (a != a and b != b)) and str(a) == str(b)  # -0.0 is not 0.0
    if isinstance(a, (bool, int, str, bytes, complex, np.generic, range, slice)):
        return bool(a == b)
    if is_tuple(a):
        return len(a) == len(b) and all(map(same, a, b))
    return isinstance(a, (np.dtype, frozenset)) and a == b


def filler(spec: Any) -> Any:
    """Zeros of a spec (an empty list for a list), for places that are never read."""
    if isinstance(spec, ListSpec):
        return FUNCTIONS["list_new"]([])
    return constant(0, spec.dtype, spec.shape)


def alternatives_text(options: list[Any]) -> str:
    """What a value may be, in words: the first few."""
    words = list(dict.fromkeys(map(describe, options)))
    few = words if len(words) <= 4 else words[:3]
    return " or ".join(few) + (f" or one of {len(words) - 3} others" if len(words) > 4 else "")


LONGEST = 40  # characters of a string that a message shows


def describe(value: Any) -> str:
    """A value in a few words, for messages."""
    if type(value) is Unbound:
        return "not assigned"
    if type(value) is Choice:
        return alternatives_text(value.options)
    if isinstance(value, Tensor):
        if isinstance(value.spec, ListSpec):
            return f"a {getattr(type(value), 'stands_for', list).__name__} whose length tensors decide"
        return f"a tensor {value.spec}"
    if value is None or is_number(value) or isinstance(value, str):
        text = repr(value)
        return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]}...{text[-1]}"
    if hasattr(type(value), "recipe"):
        return value.describe()  # type: ignore[no-any-return]
    size = f" of {len(value)}" if isinstance(value, (list, tuple, dict)) else ""
    return f"a {getattr(type(value), 'stands_for', type_of(value)).__name__}{size}"
