"""``iter``, ``next``, ``map`` and ``filter``: of what tensors decide by index."""

from __future__ import annotations

import builtins
import types
from typing import Any

from to_static.ir import mode
from to_static.ir.number import Number
from to_static.jit.jst import collect
from to_static.jit.jst.blocks import touch
from to_static.jit.jst.branch import if_
from to_static.jit.jst.catching import check
from to_static.jit.jst.counted import Counted
from to_static.jit.jst.iterate import counted_of, view_of, zip_
from to_static.jit.jst.iterating import iterating
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.special import iterated, iterator_of
from to_static.jit.jst.traced import has_open_length, is_tensor


def iter_(*args: Any) -> Any:
    """``iter``"""
    if len(args) == 2:
        from to_static.jit.jst.convert import call

        return builtins.iter(call(args[0]), args[1])
    args = (iterator_of(args[0]),) if len(args) == 1 else args
    if len(args) == 1 and isinstance(args[0], (Counted, TensorList)):
        return args[0] if isinstance(args[0], Counted) and args[0].once else once(args[0])
    if len(args) == 1 and is_tensor(args[0]) and mode.building() and args[0].spec.shape:
        return once(args[0], types.GeneratorType)
    if len(args) == 1 and view_of(args[0]) is not None:
        items = collect.collected(args[0])
        return once(items) if isinstance(items, TensorList) else builtins.iter(items)
    return builtins.iter(*args)


def once(iterable: Any, kind: Any = True) -> Counted:
    """The items of ``iterable``, which goes by index, as an iterator (of a class ``kind``) gives them."""
    found = counted_of(iterable)
    assert found is not None
    return Counted(lambda: found.length, found.item, once=kind)


def next_(iterator: Any, *default: Any) -> Any:
    """``next``, announced where a block of the Program may or may not do it: the iterator moves on."""
    if isinstance(iterator, Counted) and iterator.once:
        return _next(iterator, *default)
    if isinstance(iterator, (Counted, TensorList)):
        raise TypeError(f"{'range' if isinstance(iterator, Counted) else iterator.stands_for.__name__!r} object is not an iterator")
    touch(iterator)
    return builtins.next(iterator, *default)


def _next(iterator: Counted, *default: Any) -> Any:
    place = iterator.next_position()
    more = place < iterator.length
    if not isinstance(more, Number):
        if not more:
            return builtins.next(builtins.iter(()), *default)
        iterator.move(place + 1)
        return iterator.item(place)
    if default:
        iterator.move(if_(more, lambda: place + 1, lambda: place))
        return if_(more, lambda: iterator.item(place), lambda: default[0])
    check(more, StopIteration())
    value = iterator.item(place)  # which may have something to check, too: nothing has happened until then
    iterator.move(place + 1)
    return value


def map_(function: Any, *iterables: Any) -> Any:
    """``map`` with a translated function."""
    from to_static.jit.jst.convert import call

    made = call(function)
    iterables = tuple(builtins.map(iterated, iterables))
    if any(isinstance(x, (Counted, TensorList)) or has_open_length(x) for x in iterables):
        rows = once(zip_(*iterables))
        return Counted(lambda: rows.length, lambda i: made(*rows.item(i)), builtins.map)
    return builtins.map(*iterating(made, *iterables))


def filter_(function: Any, iterable: Any) -> Any:
    """``filter`` with a translated function."""
    from to_static.jit.jst.convert import call

    return builtins.filter(None if function is None else call(function), iterated(iterable))
