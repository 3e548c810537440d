"""Values of different kinds side by side: what branches join, and loops carry, as a `Choice`."""

from __future__ import annotations

import dataclasses
import enum
import types
from typing import Any

import numpy as np

from to_static.core.dtypes import DType, int64
from to_static.core.namespace import type_of
from to_static.core.site import is_internal
from to_static.ir import mode
from to_static.ir.number import Number
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import TensorSpec
from to_static.ir.tensor import Tensor
from to_static.ir.variable import Variable
from to_static.jit.contents import held
from to_static.jit.jst.choice import Choice
from to_static.jit.jst.growth import Grows, can_grow
from to_static.jit.jst.objects import is_object
from to_static.jit.jst.stands import Stand
from to_static.jit.jst.text import Text
from to_static.jit.jst.traced import constant, is_number, is_numeric
from to_static.jit.jst.trees import Chosen, parts
from to_static.nn.layer import Layer

_PLAIN = (int, float, str, bytes, type, np.dtype, DType, range, slice, frozenset, enum.Enum)
_LIMIT, _STRINGS = 16, 256  # kinds that one variable may have; strings that it may be
_MISSING = object()


class Differs(Exception):
    """Two values can't be joined into one of their kind."""


def alternatives(value: Any) -> list[Any]:
    """The options of a `Choice`; any other value is its only one."""
    return value.options if type(value) is Choice else [value]


def limit_of(options: list[Any]) -> int:
    """How many options a variable may have that has these."""
    return _STRINGS if all(type(x) is str for x in options) else _LIMIT


def plain(value: Any) -> bool:
    """True for Python values that mean the same wherever they are made."""
    if value is None or is_number(value) or isinstance(value, _PLAIN):
        return True
    if isinstance(value, types.FunctionType):
        return value.__closure__ is None or is_internal(value.__code__.co_filename)
    return isinstance(value, types.BuiltinFunctionType) or value is Ellipsis or value is NotImplemented


def optional(value: Any, merge: Any, side: int, seen: frozenset[int] = frozenset()) -> bool:
    """True when ``value``, which a branch left, may be one option among others: no object that can't be taken apart and holds
    values which only the branch knows.
    """
    if id(value) in seen or plain(value) or isinstance(value, Tensor):
        return type(value) is not Choice or all(optional(x, merge, side, seen) for x in value.options)
    if merge.pairing.from_before(value, side) is not None:
        return True
    seen |= {id(value)}
    if is_object(value):
        return all(optional(x, merge, side, seen) for x in vars(value).values())
    kind = type_of(value)
    if isinstance(value, Stand):
        return all(optional(x, merge, side, seen) for x in value.objects())
    if kind in (list, dict) or isinstance(value, tuple) or (dataclasses.is_dataclass(value) and not isinstance(value, type)):
        return all(optional(x, merge, side, seen) for x in parts(value))
    return settled(value, merge.blocks[side].frame)


def settled(value: Any, frame: Any = None) -> bool:
    """True for an object that can be known outside of a block: neither it nor what it holds is a value of the block ``frame``
    (default: of any Program).
    """
    todo, seen = [value], set()
    while todo:
        item = todo.pop()
        if id(item) in seen or isinstance(item, (type, types.ModuleType, Layer)) or plain(item):
            continue
        seen.add(id(item))
        if isinstance(item, Variable):
            if frame is None or item.frame is frame:
                return False
            continue
        inside = held(item)
        if inside is not None:
            todo += inside[1]
    return True


def choose(merge: Any, a: Any, b: Any, name: str) -> Any:
    """A `Choice` between what the two branches of ``merge`` left; raises when one of them can't be an option."""
    left, right = alternatives(a), alternatives(b)
    fits = all(optional(x, merge, side) for side, found in enumerate((left, right)) for x in found)
    if merge.strict:
        raise Differs
    known = merge.pairing.from_before(a, 0)
    one = known is not None and known is merge.pairing.from_before(b, 1)  # of two structures
    many = len(left) + len(right) > limit_of([*left, *right])
    if many and all(isinstance(x, (str, Text)) for x in (*left, *right)):
        return merge.strings(a, b, name)
    if one or not fits or many:
        for copies, found in zip(merge.copies, (left, right), strict=True):
            for value in found:
                target = copies.original(value)
                if can_grow(target):
                    raise Grows(target)
        raise merge.differ(a, b, name)
    options: list[Any] = []
    places: list[Any] = [None] * len(right)
    for value in left:
        made = _MISSING
        for j, other in enumerate(right):
            if places[j] is None and (made := _alike(merge, value, other, name)) is not _MISSING:
                places[j] = len(options)
                break
        options.append(merge.only(value, 0) if made is _MISSING else made)
    for j, other in enumerate(right):
        if places[j] is None:
            places[j] = len(options)
            options.append(merge.only(other, 1))
    index = []
    for value, place, block in zip((a, b), (list(range(len(left))), places), merge.blocks, strict=True):
        with merge.builder.resume(block):
            index.append(which(value, place))
    return Chosen(merge.pair(*index), options)


def _alike(merge: Any, a: Any, b: Any, name: str) -> Any:
    """Both joined as values of one kind, or _MISSING."""
    if type(a) is type(b) is str:
        return a if a == b else _MISSING
    count, known, merge.strict = len(merge.pairs), (dict(merge.joined), dict(merge.alone)), True
    try:
        return merge.merge(a, b, name)
    except Differs:
        del merge.pairs[count:]
        merge.joined, merge.alone = known
        return _MISSING
    finally:
        merge.strict = False


def which(value: Any, places: list[int]) -> Any:
    """The number (traced) of the option that ``value`` is, when its alternatives are the options ``places``."""
    if type(value) is not Choice:
        return constant(places[0], int64)
    index = Variable(value.which.ssa, value.which.builder)
    if places == list(range(len(places))):
        return index
    return mode.state.mode.constant(np.asarray(places, "int64"))[index]


def as_tensor(choice: Choice) -> Any:
    """A choice between one tensor and Python numbers as a tensor, which is all that a file can hold; else None."""
    tensors = [x for x in choice.options if isinstance(x, Tensor) and not isinstance(x, Number) and isinstance(x.spec, TensorSpec)]
    numbers = [i for i, x in enumerate(choice.options) if is_numeric(x)]
    if len(tensors) != 1 or len(numbers) != len(choice.options) - 1:
        return None
    made = tensors[0]
    for i in numbers:
        option = choice.options[i]
        dtype = made.spec.dtype
        number = constant(option, dtype) if is_number(option) else FUNCTIONS["cast"](option, dtype)
        made = FUNCTIONS["where"](choice._is(i), unnumbered(number), made)
    return made


def unnumbered(value: Any) -> Any:
    """A number of the Program as a tensor of its own dtype."""
    return Variable(value.ssa, value.builder) if isinstance(value, Number) else value
