"""``at``: items of Python's containers whose index or key is known only when the Program runs.

``items[i]`` with a traced ``i`` is whichever item it is: numbers become a look-up in a table, tensors (and what holds them) a tree
of conditions, anything else a `Choice`. Out of range, or without such a key, the Program raises Python's error.
"""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.core import tree
from to_static.core.errors import TracedValueError, TranslationError
from to_static.core.expressions import quoted
from to_static.core.namespace import type_of
from to_static.eager.tensor import EagerTensor
from to_static.ir import mode
from to_static.ir.number import Number, number
from to_static.ir.registry import FUNCTIONS
from to_static.ir.tensor import Tensor
from to_static.ir.variable import Variable
from to_static.jit.jst.blocks import raises, touch
from to_static.jit.jst.branch import if_
from to_static.jit.jst.catching import check, check_uncaught
from to_static.jit.jst.choice import Choice, select
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.text import pieces_of, template
from to_static.jit.jst.traced import (
    DTYPES,
    NUMBERS,
    as_index,
    constant,
    failure,
    is_number,
    is_numeric,
    is_traced,
    python_type,
)
from to_static.nn.container import LayerDict, LayerList, ParameterList, Sequential

LIMIT = 256  # items of a container, other than strings and numbers, that a traced index may choose from
_SEQUENCES = (list, tuple, str, bytes, range, collections.deque)
_LAYERS = (LayerList, ParameterList, Sequential)


def at(container: Any) -> Any:
    """What ``container[...]`` is asked of in its place; tensors and the user's objects answer themselves."""
    kind = type(container)
    if isinstance(container, (*_SEQUENCES, dict, *_LAYERS, LayerDict)) or kind is Choice:
        return Items(container)
    return container


class Items:
    """``container`` with items that may be asked for, set and deleted by traced indices and keys."""

    __slots__ = ("container",)

    def __init__(self, container: Any) -> None:
        self.container = container

    def __getitem__(self, index: Any) -> Any:
        return item(self.container, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        container = self.container
        if type(container) is list and isinstance(index, slice) and (isinstance(value, TensorList) or _is_traced(index)):
            with_any_key(container)[index] = value
            return
        if type(container) is Choice or not _is_traced(index) or isinstance(index, EagerTensor):
            container[index] = value
            return
        if not hasattr(type(container), "__setitem__"):
            container[0] = value  # which raises Python's error
        if isinstance(container, dict) and not (type(index) is Choice and all(option in container for option in index.options)):
            with_any_key(container)[index] = value
            return
        touch(container)
        unmoved([value, *(container.values() if isinstance(container, dict) else container)])
        said = "list assignment index out of range" if isinstance(container, list) else None
        for place, is_it in places(container, index, said):
            container[place] = either(is_it, value, container[place])

    def __delitem__(self, index: Any) -> None:
        if type(self.container) is list and is_traced(index):
            from to_static.jit.jst.positions import removed

            touch(self.container)
            removed(self.container, index, "list assignment index out of range")
            return
        if (isinstance(self.container, dict) and is_traced(index)) or (type(self.container) is list and _is_traced(index)):
            del with_any_key(self.container)[index]
            return
        if _is_traced(index):
            raise failure(
                TranslationError,
                f"an item of a {type(self.container).__name__} is deleted{quoted()} by an index or key that depends on a tensor, "
                "so what is left depends on it too",
                "build a new list of the items that stay: `[v for k, v in enumerate(items) if k != i]`",
            )
        touch(self.container)
        del self.container[index]


def with_any_key(container: Any) -> Any:
    """What takes the place of a dict or set that is to have a key which tensors decide, or of a list of another length."""
    from to_static.jit.jst.growth import can_grow, grown

    for value, made in mode.state.mode.lists:
        if value is container:  # in the middle of `d[k] += 1`: the item that was read replaced the dict
            return made
    if not can_grow(container):
        raise failure(
            TranslationError,
            f"a {type(container).__name__} gets or loses a key that depends on a tensor{quoted()}, and it has keys that are no "
            "whole numbers and no strings, or values that are no tensors, numbers, strings, None or tuples of these",
            "one dict for those, and another for the keys that tensors decide",
        )
    return grown(container)


def looked_up(container: Any, key: Any, default: Any = None) -> Any:
    """``container.get(key, default)`` of a dict with known keys, one of which a tensor chooses."""
    from to_static.jit.jst.membership import in_

    return if_(in_(key, container), lambda: item(container, key), lambda: default)


def item(container: Any, index: Any) -> Any:
    """``container[index]``"""
    if type(index) is Choice:
        if isinstance(container, dict) and all(option in container for option in index.options):
            return chosen_of(_options(index), [container[option] for option in index.options])
        return select(index, lambda option: item(container, option))
    if type(container) is Choice:
        return select(container, lambda option: item(option, index))
    if isinstance(container, Tensor) or not _is_traced(index):
        return container[index]
    if isinstance(container, _LAYERS) and not (isinstance(container, Sequential) and isinstance(index, slice)):
        container = list(container)
    if isinstance(index, slice):
        return _slice(container, index)
    if isinstance(container, dict):
        if isinstance(index, Tensor) and any(key is index for key in container):
            return container[index]
        if isinstance(index, Number) and hasattr(type(container), "__missing__"):
            return _or_missing(container, index)
        return _entry(container, index)
    return item_at(list(container), position(container, index))


def _or_missing(container: Any, index: Any) -> Any:
    """An item of a dict that makes those that it does not have."""
    from to_static.jit.jst.convert import call
    from to_static.jit.jst.membership import in_
    from to_static.jit.jst.table_kinds import KINDS

    if type_of(container) in KINDS:
        return with_any_key(container)[index]
    missing = call(type(container).__missing__)
    return if_(in_(index, container), lambda: _entry(container, index), lambda: missing(container, index))


def _entry(container: Any, index: Any) -> Any:
    found = _keys(container, index)
    return chosen_of(found, [dict.__getitem__(container, place) for place, _ in found])


def item_at(values: list[Any], place: Any) -> Any:
    """The one of ``values`` at a ``place`` that there is."""
    table = _table(values)
    if table is not None:
        return number(table[plain(place)])
    if len(values) > 1 and all(type(x) is str for x in values):
        return Choice(plain(place), values)
    return chosen_of([(i, place == i) for i in range(len(values))], values)


def chosen_of(found: list[tuple[Any, Any]], values: list[Any]) -> Any:
    """The one of ``values`` whose entry in ``found`` is the one."""
    table = _table(values)
    if table is not None:
        return number(table[_which(found)])
    if any(isinstance(leaf, Tensor) for leaf in tree.flatten(values)[0]) and not any(map(_can_change, values)):
        return _one_of(found, values)
    return values[0] if len(values) == 1 else Choice(_which(found), values)


def _can_change(value: Any) -> bool:
    """True for what conditions would join into a new object, though a change of it must be seen in the container."""
    if isinstance(value, tuple):
        return any(map(_can_change, value))
    return isinstance(value, (list, dict, TensorList)) or (dataclasses.is_dataclass(value) and not isinstance(value, type))


def unmoved(values: list[Any]) -> None:
    """Refuse to join ``values`` at places of a list: one that can change has to stay the object that it is."""
    for value in values:
        if _can_change(value):
            raise failure(
                TranslationError,
                f"the place of a {type(value).__name__} in a container depends on a tensor{quoted()}: a later change of it would "
                "have to be seen wherever it is",
                "tensors or tuples of tensors as items, or one list for each field: `left[i] = a; right[i] = b`",
            )


def _is_traced(index: Any) -> bool:
    if isinstance(index, slice):
        return any(is_traced(x) for x in (index.start, index.stop, index.step))
    return is_traced(index)


def places(container: Any, index: Any, out_of_range: str | None = None) -> list[tuple[Any, Any]]:
    """(index or key, is it the one) for all that it may be; the Program raises when it is none of them."""
    if type(index) is Choice and isinstance(container, dict):
        return _options(index)
    if isinstance(container, dict):
        return _keys(container, index)
    place = position(container, index, out_of_range)
    return [(i, place == i) for i in range(len(container))]


def position(container: Any, index: Any, out_of_range: str | None = None) -> Any:
    """A traced index of a sequence, counted from its start; the Program raises when there is no such item."""
    check_index(container, index)
    size = len(container)
    if size > LIMIT and not all(type(x) in (str, bool, int, float) for x in container):
        raise failure(
            TracedValueError,
            f"a {type(container).__name__} of {size} items is indexed by a tensor{quoted()}, which would make as many conditions",
            "stack the items and index the tensor: `paddle.stack(items)[i]`",
        )
    place: Any = number(index, int)
    kind = "list" if isinstance(container, list) else _noun(container)
    error = IndexError(out_of_range or f"{kind} index out of range")
    if not size:
        raise raises(error)
    check(plain((place >= -size) * (place < size) > 0), error)
    return place + (place < 0) * size


def _options(index: Choice) -> list[tuple[Any, Any]]:
    return [(option, number(index._is(i))) for i, option in enumerate(index.options)]


def check_index(container: Any, index: Any) -> None:
    """Raise Python's error for a traced value that is no index."""
    if isinstance(index, Tensor) and index.python_type is None and index.dtype.kind not in "iub":
        raise TypeError(f"only integer tensors can be used as an index, this one is {index.dtype.name}")
    if not (isinstance(index, Number) and index.python_type is not float) and not _is_index(index):
        raise TypeError(f"{type(container).__name__} indices must be integers or slices, not {_kind(index)}")


def _keys(container: dict[Any, Any], index: Any) -> list[tuple[Any, Any]]:
    """The numbers among the keys; a traced number is equal to one of them, or there is no such key."""
    if not isinstance(index, Number):
        raise TypeError(f"unhashable type: {_kind(index)}") if not isinstance(index, Tensor) else failure(
            TracedValueError,
            f"a tensor is a key{quoted()}, by its identity, and a static Program can't tell which object it is",
            "a number as key: `d[int(key)]`",
        )
    found = [(key, index == key) for key in container if isinstance(key, NUMBERS)]
    if not found:
        raise raises(KeyError(index))
    there = is_one_of(found, index)
    values, words = template(pieces_of(index))
    check_uncaught(KeyError)
    FUNCTIONS["assert"](there, values, f"({words},)", "KeyError()")
    return found


def is_one_of(found: list[tuple[Any, Any]], index: Any) -> Any:
    """Whether a traced number is one of those that it was compared with."""
    known: Any = False
    for _, is_it in found:
        known = is_it + known
    return plain(known > 0) if found else plain(index != index)


def _noun(container: Any) -> str:
    names: dict[type, str] = {str: "string", range: "range object", collections.deque: "deque", bytes: "index"}
    return names.get(type(container), "tuple")


def _is_index(index: Any) -> bool:
    return isinstance(index, Tensor) and index.dtype.kind in "iub" and index.spec.size == 1


def _kind(index: Any) -> str:
    return index.python_type.__name__ if isinstance(index, Number) else type(index).__name__


def plain(value: Any) -> Any:
    """A traced number or truth as the tensor that it is."""
    return Variable(value.ssa, value.builder)


def _which(found: list[tuple[Any, Any]]) -> Variable:
    """The position in ``found`` of the one that it is (the last when it is none of them)."""
    which: Any = len(found) - 1
    for i, (_, is_it) in enumerate(found[:-1]):
        which = which + is_it * (i - len(found) + 1)
    return plain(which) if isinstance(which, Tensor) else mode.state.mode.constant(np.asarray(which, "int64"))


def _table(values: list[Any]) -> Any:
    """A tensor of numbers of one type; None of other values."""
    if not values or not all(map(is_numeric, values)) or len({python_type(v) for v in values}) > 1:
        return None
    dtype = DTYPES[python_type(values[0])]
    try:
        if all(map(is_number, values)):
            return mode.state.mode.constant(np.asarray(values, dtype.np))
        return FUNCTIONS["stack"]([constant(v, dtype) if is_number(v) else plain(v) for v in values])
    except OverflowError:
        return None


def either(test: Any, a: Any, b: Any) -> Any:
    """``a if test else b``"""
    if all(type(x) in (bool, int, float) or isinstance(x, Number) for x in (a, b)) and python_type(a) is python_type(b):
        dtype = DTYPES[python_type(a)]
        return number(FUNCTIONS["where"](plain(test), *(constant(x, dtype) if is_number(x) else plain(x) for x in (a, b))))
    return if_(test, lambda: a, lambda: b)


def _one_of(found: list[tuple[Any, Any]], values: list[Any]) -> Any:
    """The value whose turn it is, by conditions; halves first, so that few of them are nested."""
    if len(values) == 1:
        return values[0]
    half = len(values) // 2
    left: Any = False
    for _, is_it in found[:half]:
        left = is_it + left
    return if_(plain(left > 0), lambda: _one_of(found[:half], values[:half]), lambda: _one_of(found[half:], values[half:]))


def _slice(container: Any, index: slice) -> Any:
    """``container[start:stop:step]`` with traced bounds."""
    if isinstance(container, list) and all(isinstance(x, Tensor) or is_number(x) for x in container):
        return TensorList.of(container)[index]
    size = len(container)
    bounds = [index.start, index.stop]
    if is_traced(index.step) or size > LIMIT or (all(map(is_traced, bounds)) and size > 8):
        raise failure(
            TracedValueError,
            f"a {type(container).__name__} of {size} items is sliced by bounds that depend on a tensor{quoted()}",
            "slice a tensor: `paddle.stack(items)[i:j]`",
        )
    for position, bound in enumerate(bounds):
        if is_traced(bound):
            return _at_bound(as_index(bound), size, lambda b: item(container, _with(index, position, b)))  # noqa: B023
    return container[index]


def _with(index: slice, position: int, bound: int) -> slice:
    return slice(bound, index.stop, index.step) if position == 0 else slice(index.start, bound, index.step)


def _at_bound(bound: Any, size: int, result: Callable[[int], Any]) -> Any:
    """``result(bound)`` for a bound that Python would bring into 0 ... size."""
    bound = within(bound, size)
    values = [result(b) for b in range(size + 1)]
    found = [(b, bound == b) for b in range(size + 1)]
    if any(isinstance(leaf, Tensor) for leaf in tree.flatten(values)[0]):
        return _one_of(found, values)
    return Choice(_which(found), values)


def within(bound: Any, size: int) -> Any:
    """A traced bound as Python brings it into 0 ... size."""
    bound = bound + (bound < 0) * size
    bound = bound * (bound > 0)
    over = bound > size
    return bound * (1 - over) + over * size
