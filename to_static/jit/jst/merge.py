"""Joining what two branches left: trees of tensors, Python values and names without value become one tree."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from to_static.core.dtypes import bool_
from to_static.core.errors import TranslationError
from to_static.ir.number import Number
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import ListSpec
from to_static.ir.tensor import Tensor
from to_static.ir.variable import Variable
from to_static.jit.jst.blocks import Copies, Raised
from to_static.jit.jst.joined import joined
from to_static.jit.jst.lists import TensorList, wrap
from to_static.jit.jst.traced import (
    DTYPES,
    as_number,
    common_type,
    constant,
    dtype_beside,
    failure,
    is_number,
    is_numeric,
    python_type,
)
from to_static.jit.jst.unbound import Maybe, Unbound


class Slot:
    """The place of one tensor in a tree.

    ``sources``: tensors from before that it may be, on some path; ``number``: it stands for a Python number.
    """

    __slots__ = ("index", "number", "sources")

    def __init__(self, index: int, sources: list[Any], number: bool = False) -> None:
        self.index = index
        self.sources = sources
        self.number = number


class Into:
    """A list or dict whose new contents go into the object that the branches got copies of."""

    __slots__ = ("content", "target")

    def __init__(self, target: Any, content: Any) -> None:
        self.target = target
        self.content = content


def fill(tree: Any, tensors: list[Any]) -> Any:
    """The tree with tensors in its slots."""
    kind = type(tree)
    if kind is Slot:
        tensor = wrap(tensors[tree.index])
        return as_number(tensor) if tree.number else joined(tensor, tree.sources)
    if kind is Into:
        content = fill(tree.content, tensors)
        if type(content) is list:
            tree.target[:] = content
        else:
            tree.target.clear()
            tree.target.update(content)
        return tree.target
    if kind is Maybe:
        return Maybe(tree.name, fill(tree.value, tensors), fill(tree.defined, tensors))
    return rebuild(tree, [fill(x, tensors) for x in parts(tree)])


def targets(tree: Any) -> list[Any]:
    """The objects that `fill` will give new contents."""
    here = [tree.target] if type(tree) is Into else []
    items = [tree.content] if type(tree) is Into else [tree.value] if type(tree) is Maybe else parts(tree)
    return here + [target for item in items for target in targets(item)]


def parts(value: Any) -> list[Any]:
    """The items of a container that is looked into: list, tuple, namedtuple, dict, dataclass; empty for leaves."""
    kind = type(value)
    if kind is list or isinstance(value, tuple):
        return list(value)
    if kind is dict:
        return list(value.values())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, f.name) for f in dataclasses.fields(value)]
    return []


def shape_of(value: Any) -> Any:
    """What must agree for two containers to be joined item by item; None for leaves."""
    kind = type(value)
    if kind is list or isinstance(value, tuple):
        return kind, len(value)
    if kind is dict:
        return kind, tuple(value)
    return kind if dataclasses.is_dataclass(value) and not isinstance(value, type) else None


def rebuild(like: Any, items: list[Any]) -> Any:
    """A container like ``like`` of other items; leaves come back as they are, and so does one whose items are the same."""
    kind = type(like)
    if kind is list:
        return items
    if isinstance(like, tuple):
        return tuple(items) if kind is tuple else kind(*items)
    if kind is dict:
        return dict(zip(like, items, strict=True))
    if dataclasses.is_dataclass(like) and not isinstance(like, type):
        made = object.__new__(kind)
        for field, item in zip(dataclasses.fields(like), items, strict=True):
            object.__setattr__(made, field.name, item)
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
    return isinstance(a, (np.dtype, frozenset)) and a == b


class Merge:
    """Pairs the values of two traced branches. ``true`` and ``false`` are `Traced`; ``copies`` their `Copies`."""

    def __init__(self, builder: Any, true: Any, false: Any, copies: tuple[Copies, Copies]) -> None:
        self.builder = builder
        self.blocks = (true, false)
        self.copies = copies
        self.pairs: list[tuple[Any, Any]] = []

    def pair(self, a: Any, b: Any, number: bool = False) -> Slot:
        """A result of the ``cond``."""
        self.pairs.append((a, b))
        sources = [x for x, t in zip((a, b), self.blocks, strict=True) if not isinstance(x, Variable) or x.frame is not t.frame]
        return Slot(len(self.pairs) - 1, sources, number)

    def merge(self, a: Any, b: Any, name: str) -> Any:
        """One tree from two; ``name`` is the variable's, for errors."""
        if a is b:
            return a
        if type(a) is Raised:
            return self.only(b, 1)
        if type(b) is Raised:
            return self.only(a, 0)
        if type(a) in (Unbound, Maybe) or type(b) in (Unbound, Maybe):
            return self.maybe(a, b, name)
        if isinstance(a, Tensor) or isinstance(b, Tensor) or (is_numeric(a) and is_numeric(b)):
            return self.tensors(a, b, name)
        shape = shape_of(a)
        if shape is not None and shape == shape_of(b):
            items = [self.merge(x, y, f"{name}{_item(a, i)}") for i, (x, y) in enumerate(zip(parts(a), parts(b), strict=True))]
            target = self.copies[0].original(a)
            made = rebuild(a, items)
            return Into(target, made) if target is not None and target is self.copies[1].original(b) else made
        if type(a) is list and type(b) is list:
            return self.pair(self.as_list(a, 0), self.as_list(b, 1))
        if same(a, b):
            return a
        raise self.differ(a, b, name)

    def tensors(self, a: Any, b: Any, name: str) -> Any:
        if same(a, b):
            return a
        for value in (a, b):
            if isinstance(value, Tensor) and isinstance(value.spec, ListSpec):
                if not all(type(x) is list or isinstance(x, Tensor) for x in (a, b)):
                    raise self.differ(a, b, name)
                return self.pair(self.as_list(a, 0), self.as_list(b, 1))
        if not all(isinstance(x, Tensor) or is_number(x) for x in (a, b)):
            raise self.differ(a, b, name)
        if is_numeric(a) and is_numeric(b):
            dtype = DTYPES[common_type(python_type(a), python_type(b))]
            return self.pair(self.as_tensor(a, dtype, (), 0), self.as_tensor(b, dtype, (), 1), number=True)
        if is_numeric(a) or is_numeric(b):
            number, tensor = (a, b) if is_numeric(a) else (b, a)
            if isinstance(number, Number) and tensor.spec.shape != ():
                raise self.differ(a, b, name)
            dtype = dtype_beside(python_type(number), tensor.spec.dtype)
            shape = tensor.spec.shape
            return self.pair(self.as_tensor(a, dtype, shape, 0), self.as_tensor(b, dtype, shape, 1))
        if a.spec.dtype is not b.spec.dtype or a.spec.ndim != b.spec.ndim:
            raise self.differ(a, b, name)
        return self.pair(a, b)

    def as_tensor(self, value: Any, dtype: Any, shape: Any, side: int) -> Any:
        with self.builder.resume(self.blocks[side]):
            if is_number(value):
                return constant(value, dtype, shape)
            return value if value.spec.dtype is dtype else FUNCTIONS["cast"](value, dtype)

    def as_list(self, value: Any, side: int) -> Any:
        if isinstance(value, Tensor):
            return value
        with self.builder.resume(self.blocks[side]):
            return TensorList.of(value)

    def maybe(self, a: Any, b: Any, name: str) -> Any:
        """A name that one of the branches may leave without value."""
        known = next(x.name for x in (a, b) if type(x) in (Unbound, Maybe))
        if type(a) is Unbound and type(b) is Unbound:
            return a
        if type(a) is Unbound:
            value = self.only(b.value if type(b) is Maybe else b, 1)
        elif type(b) is Unbound:
            value = self.only(a.value if type(a) is Maybe else a, 0)
        else:
            value = self.merge(a.value if type(a) is Maybe else a, b.value if type(b) is Maybe else b, name)
        return Maybe(known, value, self.pair(self.defined(a, 0), self.defined(b, 1)))

    def defined(self, value: Any, side: int) -> Any:
        if type(value) is Maybe:
            return value.defined
        with self.builder.resume(self.blocks[side]):
            return constant(type(value) is not Unbound, bool_)

    def only(self, value: Any, side: int) -> Any:
        """A value that exists in one branch; the other branch gives filler that nothing will read."""
        if type(value) is Maybe:
            return Maybe(value.name, self.only(value.value, side), self.only(value.defined, side))
        if isinstance(value, Variable) and value.frame is self.blocks[side].frame:
            with self.builder.resume(self.blocks[1 - side]):
                other = filler(value.spec)
            first, second = (value, other) if side == 0 else (other, value)
            return self.pair(first, second, number=isinstance(value, Number))
        target = self.copies[side].original(value)
        items = parts(value)
        if target is None and not items:
            return value
        made = rebuild(value, [self.only(x, side) for x in items])
        return made if target is None else Into(target, made)

    @staticmethod
    def differ(a: Any, b: Any, name: str) -> Exception:
        return failure(
            TranslationError,
            f"{name} is {describe(a)} when the condition is true and {describe(b)} when it is false: under a tensor condition "
            f"both must be tensors of one dtype and number of dimensions, or the same Python value. {_advice(a, b)}",
        )


def filler(spec: Any) -> Any:
    """Zeros of a spec (an empty list for a list), for places that are never read."""
    if isinstance(spec, ListSpec):
        return FUNCTIONS["list_new"]([])
    return constant(0, spec.dtype, spec.shape)


def describe(value: Any) -> str:
    """A value in a few words, for messages."""
    if type(value) is Unbound:
        return "not assigned"
    if isinstance(value, Tensor):
        return f"a tensor {value.spec}"
    if value is None or is_number(value) or isinstance(value, str):
        return repr(value)
    size = f" of {len(value)}" if isinstance(value, (list, tuple, dict)) else ""
    return f"a {type(value).__name__}{size}"


def _advice(a: Any, b: Any) -> str:
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        if a.spec.dtype is not b.spec.dtype:
            return "Convert one of them with astype()"
        return "Bring both to one rank with reshape() or unsqueeze()"
    if a is None or b is None:
        return "Give the variable a tensor (for instance zeros) where it is None"
    if isinstance(a, str) or isinstance(b, str):
        return "Strings can't depend on tensors: use a number or a tensor in its place"
    return "Make the two branches agree"


def _item(container: Any, index: int) -> str:
    if type(container) is dict:
        return f"[{list(container)[index]!r}]"
    if dataclasses.is_dataclass(container):
        return f".{dataclasses.fields(container)[index].name}"
    return f"[{index}]"
