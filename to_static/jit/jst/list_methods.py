"""Lists of the Program compared, repeated, searched and sorted; items and slices of them deleted and replaced."""

from __future__ import annotations

import collections
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.core.dtypes import as_dtype, default_dtype
from to_static.core.errors import TracedValueError
from to_static.core.expressions import quoted
from to_static.ir import mode
from to_static.ir.number import Number
from to_static.ir.registry import FUNCTIONS
from to_static.ir.tensor import Tensor
from to_static.jit.jst.blocks import touch
from to_static.jit.jst.branch import if_
from to_static.jit.jst.casts import bool_, len_
from to_static.jit.jst.collect import collected
from to_static.jit.jst.folds import max_, min_
from to_static.jit.jst.iterate import for_, members_of
from to_static.jit.jst.lists import TensorList, wrap
from to_static.jit.jst.logic import and_, not_
from to_static.jit.jst.loops import while_
from to_static.jit.jst.positions import missing
from to_static.jit.jst.ranges import range_
from to_static.jit.jst.rows import Rows, widen
from to_static.jit.jst.special import iterated
from to_static.jit.jst.traced import as_index, constant, failure
from to_static.jit.jst.updates import updated, updates


def empty(like: TensorList) -> TensorList:
    """A list without elements, for elements of the kind that ``like`` has."""
    return Rows.empty(like.kinds) if isinstance(like, Rows) else wrap(FUNCTIONS["list_new"]([]), like.holds)


def stacked(items: TensorList, dtype: Any = None) -> Any:
    """The tensor that `to_tensor` makes of a list: without gradients, and of no elements an empty one."""
    dtype = default_dtype() if dtype is None and items.holds is float else dtype

    def made() -> Any:
        found = FUNCTIONS["list_stack"](items).detach()
        return found if dtype is None else FUNCTIONS["cast"](found, dtype)

    def nothing() -> Any:
        return mode.state.mode.constant(np.zeros([0], (default_dtype() if dtype is None else as_dtype(dtype)).np))

    return if_(len_(items) > 0, made, nothing)


def positions(items: TensorList) -> Any:
    """The tensor that a list of whole numbers is as an index; of no elements an empty one."""
    element = items.spec.element
    if element is None:
        return mode.state.mode.constant(np.zeros([0], "int64"))
    if isinstance(items, Rows) or element.shape or not element.dtype.is_integer:
        raise failure(
            TracedValueError,
            f"a list that changes under a tensor condition or in a tensor loop is used as an index{quoted()}, and holds something "
            "other than whole numbers",
            "whole numbers, `items.append(int(i))`; or a tensor, `x[paddle.stack(items)]`",
        )
    longer = FUNCTIONS["list_append"](items, constant(0, element.dtype))
    return FUNCTIONS["list_stack"](longer, 0)[:-1]


def equal(items: TensorList, other: Any) -> Any:
    """``items == other``"""
    if _is_tensor(other):
        raise _beside_tensor("compared with", "==")
    if not isinstance(other, (list, TensorList)):
        return False
    if not isinstance(other, TensorList):
        other = TensorList.of(other)

    def alike() -> Any:
        length = len_(items)
        _, same = while_(
            lambda i, same: and_(i < length, lambda: same), lambda i, same: (i + 1, bool_(items.item(i) == other.item(i))), 0, True
        )
        return same

    return and_(len_(items) == len_(other), alike)


def added(items: Any, more: TensorList, frame: Any) -> Any:
    """``items + more``, or ``items += more`` where that is what ``frame`` does, which changes the list."""
    if type(items) in (list, collections.deque) and updates(frame, "+="):
        return updated(items, "+=", more)
    if not isinstance(items, list):
        kind = type(items).__name__
        if isinstance(items, (tuple, str, collections.deque)):
            raise TypeError(f'can only concatenate {kind} (not "list") to {kind}')
        raise TypeError(f"unsupported operand type(s) for +: {kind!r} and 'list'")
    return TensorList.of(items) + more


def taken(items: Any) -> Any:
    """``items``, or a list of the Program where tensors decide how many there are."""
    return collected(iterated(members_of(items)))


def extend(items: list[Any]) -> Callable[[Any], None]:
    """``items.extend``"""

    def extends(more: Any) -> None:
        found = taken(more)
        if isinstance(found, TensorList):
            updated(items, "+=", found)
            return
        touch(items)
        items.extend(found)

    return extends


def repeated(items: TensorList, times: Any) -> TensorList:
    """``items * times``"""
    if _is_tensor(times):
        raise _beside_tensor("multiplied by", "*")
    if isinstance(times, float) or (isinstance(times, Number) and times.python_type is float):
        raise TypeError("can't multiply sequence by non-int of type 'float'")

    def add(_: Any, made: Any) -> Any:
        made.extend(items)
        return made

    times = times * 1 if isinstance(times, Number) and times.python_type is bool else times
    return for_(range_(times), add, empty(items))


def _is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor) and not isinstance(value, (Number, TensorList))


def _beside_tensor(what: str, operator: str) -> Exception:
    return failure(
        TracedValueError,
        f"a list that changes where tensors decide is {what} a tensor{quoted()}, which makes a tensor of it",
        f"say so, `paddle.stack(items) {operator} x`, or use a number: `items {operator} int(x)`",
    )


def counted(items: TensorList, value: Any) -> Any:
    """``items.count(value)``"""
    return for_(items, lambda item, total: total + bool_(item == value), 0)


def position(items: TensorList, value: Any, message: str = "{} is not in list") -> Any:
    """``items.index(value)``; Python's error, with this message, when it is not there."""
    length = len_(items)
    place = while_(lambda i: and_(i < length, lambda: not_(bool_(items.item(i) == value))), lambda i: i + 1, 0)
    missing(value, place < length, message)
    return place


def in_order(items: TensorList, key: Callable[[Any], Any] | None, reverse: bool) -> TensorList:
    """``sorted(items, key=key, reverse=reverse)``: equal elements keep their order."""

    def add_key(item: Any, made: Any) -> Any:
        made.append(item if key is None else key(item))
        return made

    def sort() -> Any:
        keys = for_(items, add_key, TensorList.of([]))
        columns = keys.compared() if isinstance(keys, Rows) else [keys]
        if columns is None:
            raise failure(
                TracedValueError,
                f"the keys of sorted() or sort(){quoted()} are of several kinds, and a list that changes under a tensor condition "
                "is brought in order by numbers, or tuples of numbers, of one kind",
                "a number or tensor of one element as key: `sorted(items, key=lambda item: item[0])`",
            )
        if any(column.spec.element is None for column in columns):
            return empty(items)  # nothing was ever put in
        for column in columns:
            if column.spec.element.size != 1:
                raise failure(
                    TracedValueError,
                    f"the keys of sorted() or sort(){quoted()} are tensors {column.spec.element}: comparing these gives no truth",
                    "a key of one element: `sorted(items, key=lambda v: v.sum())`",
                )
        flat = [FUNCTIONS["reshape"](FUNCTIONS["list_stack"](column), [-1]) for column in columns]
        if len(flat) > 1 or flat[0].dtype.is_floating:  # beside a NaN the order is what Python's own algorithm makes of it
            order = FUNCTIONS["python_order"](flat, reverse)
        else:
            order = FUNCTIONS["argsort"](flat[0], descending=reverse)

        def add(i: Any, made: Any) -> Any:
            made.append(items.item(i))
            return made

        return for_(order, add, empty(items))

    return if_(len_(items) > 0, sort, lambda: empty(items))


def put(items: TensorList, index: slice, new: Any) -> None:
    """``items[index] = new``"""
    before, behind = cut(items, index)
    before.extend(new)
    made = before + behind
    if isinstance(made, Rows):  # of more kinds, it may be
        widen(items, made.kinds)
    items._become(made)


def cut(items: TensorList, index: slice) -> tuple[TensorList, TensorList]:
    """What stands before and behind the slice ``index``; raises for slices with a step."""
    if index.step not in (None, 1):
        raise failure(
            TracedValueError,
            f"a slice with a step of a list that changes under a tensor condition can't be deleted or assigned to{quoted()}",
            "assign items one by one: `for i in range(0, len(items), 2): items[i] = new[i]`",
        )
    length = len_(items)

    def bound(value: Any, otherwise: Any) -> Any:
        if value is None:
            return otherwise
        value = as_index(value)
        return if_(value >= 0, lambda: min_(value, length), lambda: max_(length + value, 0))

    first = bound(index.start, 0)
    last = max_(first, bound(index.stop, length))
    return items[:first], items[last:]


def bounded(items: TensorList, index: Any) -> Any:
    """A position for ``insert`` that may be any int, as an index from 0."""
    if not isinstance(index, Tensor) and index == 0:
        return index
    if not isinstance(index, Tensor):
        index = operator.index(index)
    length = len_(items)
    index = as_index(index, "'float' object cannot be interpreted as an integer")
    return if_(index >= 0, lambda: min_(index, length), lambda: max_(length + index, 0))
