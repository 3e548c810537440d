"""``iter``, ``next``, ``map`` and ``filter``: of what tensors decide by index, of generators by running the loop inside of them."""

from __future__ import annotations

import builtins
import sys
import types
from typing import Any

from to_static.ir import mode
from to_static.ir.number import Number
from to_static.jit.contents import ITERATORS
from to_static.jit.jst import collect, generators
from to_static.jit.jst.blocks import touch
from to_static.jit.jst.branch import if_
from to_static.jit.jst.casts import len_
from to_static.jit.jst.counted import Counted
from to_static.jit.jst.items import item
from to_static.jit.jst.iterate import by_index, counted_of, view_of, zip_
from to_static.jit.jst.iterating import iterating
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.special import iterated, iterator_of
from to_static.jit.jst.steps import check
from to_static.jit.jst.traced import has_open_length, is_tensor
from to_static.jit.jst.turns import in_turns, over, steps_of, together


def iter_(*args: Any) -> Any:
    """``iter``"""
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


def walked(iterator: Any) -> Counted:
    """What takes the place of an iterator over a sequence of Python's: the same one, of which tensors may say how far it is."""
    _, (items,), *state = iterator.__reduce__()
    made = Counted(lambda: len_(items), lambda i: item(items, i), type(iterator))
    made.position = (state[0] if state else None) or 0  # a range that begins later has none
    return made


def next_(iterator: Any, *default: Any) -> Any:
    """``next``, announced where a block of the Program may or may not do it: the iterator moves on."""
    references = sys.getrefcount(iterator)
    if isinstance(iterator, Counted) and iterator.once:
        return _next(iterator, *default)
    if generators.pushable(iterator) and not generators.named(references):  # nobody can ask it again
        return collect.first_of(iterator, *default)
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
    plain = builtins.map(made, *iterables)  # or Python's error
    if not mode.building():
        return plain
    if len(iterables) == 1:
        return mapped(made, *iterables)
    steps = together(*iterables)
    pull = lambda: builtins.map(*iterating(made, *iterables))  # noqa: E731
    if steps is None:
        return generators.mapped(lambda row: made(*row), zip_(*iterables))
    return in_turns(builtins.map, pull, over(steps, lambda row: made(*row)))


def mapped(function: Any, iterable: Any, kind: type = builtins.map) -> generators.Pushes:
    """``map(function, iterable)`` while a Program is built."""
    made = generators.mapped(function, iterable, kind)
    steps = steps_of(iterable)
    made.steps = None if steps is None else over(steps, function)

    def indexed() -> Counted | None:
        items = by_index(iterable) if type(iterable) in (list, tuple, range) else counted_of(iterable)
        return None if items is None else Counted(lambda: items.length, lambda i: function(items.item(i)))

    made.indexed = indexed
    return made


def each_(function: Any, iterable: Any) -> Any:
    """``(function(item) for item in iterable)``, whose items may be computed before they are asked for."""
    shared = isinstance(iterable, ITERATORS) and generators.named(sys.getrefcount(iterable))
    iterable = iterated(iterable)
    if isinstance(iterable, (Counted, TensorList)) or has_open_length(iterable):
        return map_(function, iterable)
    lazy = shared or generators.pushable(iterable, True) is not None
    return mapped(function, iterable) if lazy and mode.building() else builtins.map(function, iterable)


def filter_(function: Any, iterable: Any) -> Any:
    """``filter`` with a translated function."""
    from to_static.jit.jst.convert import call

    made = None if function is None else call(function)
    iterable = iterated(iterable)
    return generators.filtered(made, iterable) if mode.building() else builtins.filter(made, iterable)
