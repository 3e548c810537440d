"""``for_`` and what it iterates over: Python iterables are unrolled, tensors and traced ranges become graph loops."""

from __future__ import annotations

import builtins
import itertools
import re
import sys
from collections.abc import Callable
from types import GeneratorType
from typing import Any

import numpy as np

from to_static.core.errors import TranslationError
from to_static.core.expressions import quoted, shown
from to_static.core.namespace import type_of
from to_static.ir import mode
from to_static.ir.number import Number, number
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import ListSpec
from to_static.ir.tensor import Tensor
from to_static.jit.contents import ITERATORS
from to_static.jit.jst.blocks import touch
from to_static.jit.jst.branch import if_
from to_static.jit.jst.choice import Choice, same_length
from to_static.jit.jst.counted import Counted
from to_static.jit.jst.generators import Pushes, named, numbered, pushable, run_loop
from to_static.jit.jst.growth import WALKED, become, can_grow, grown
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.logic import and_, not_, or_
from to_static.jit.jst.loops import graph_while, pack, unpack, while_
from to_static.jit.jst.names import receivers
from to_static.jit.jst.special import iterated
from to_static.jit.jst.steps import check
from to_static.jit.jst.table_kinds import DICTS
from to_static.jit.jst.traced import DTYPES, failure, is_number, is_traced, python_type, truth
from to_static.jit.jst.turns import UNROLLED, counting, in_turns, is_short, may_run, steps_of, too_many, zipped
from to_static.jit.jst.unseen import Failed, attempt, take
from to_static.jit.jst.zipped import generator_among, handed_over

_ENDLESS = (itertools.count, itertools.cycle, itertools.repeat)


def enumerate_(iterable: Any, start: Any = 0) -> Any:
    """``enumerate``, also over tensors."""
    iterable = iterated(iterable)
    counted = counted_of(iterable)
    if counted is None:
        pushes = numbered(iterable, start)
        if pushes is None:
            return builtins.enumerate(iterable, start)
        steps = steps_of(iterable) if type(iterable) is Pushes and isinstance(start, int) else None
        if steps is not None and iterable.by_steps:
            return in_turns(builtins.enumerate, lambda: builtins.enumerate(iterable, start), counting(steps, start))
        pushes.steps = None if steps is None else counting(steps, start)
        return pushes
    from_0 = isinstance(start, int) and start == 0
    return Counted(lambda: counted.length, lambda i: (i if from_0 else i + start, counted.item(i)), builtins.enumerate)


def zip_(*iterables: Any, strict: bool = False) -> Any:
    """``zip``, also over tensors; the shortest decides, unless ``strict``."""
    iterables = tuple(list(x) if type(x) is Choice and same_length(x) else iterated(x) for x in iterables)
    place = None if strict else generator_among(iterables)
    if place is not None:
        mode.state.mode.pulls = True
        if mode.state.mode.pushes:
            others = [by_index(x) if type(x) in (list, tuple, range) else counted_of(x) for x in iterables]
            return handed_over(iterables, place, others)
    made = None
    turns = any(may_run(x) or isinstance(x, _ENDLESS) for x in iterables)
    if mode.building() and not strict and turns and all(map(is_short, iterables)):
        made = zipped(*iterables)
    if made is not None:
        return made
    if not any(isinstance(x, Counted) or is_traced(x) or view_of(x) is not None for x in iterables):
        return builtins.zip(*iterables, strict=strict)
    iterables = tuple(grown(x) if type(x) in WALKED and can_grow(x) else x for x in iterables)
    counted = _in_turn(iterables)
    members = []
    for c, iterable in builtins.zip(counted, iterables, strict=True):
        if c is None and isinstance(iterable, _ENDLESS):
            raise failure(
                TranslationError,
                f"zip() takes items of an endless iterator and of what tensors make in turn{quoted()}",
                "an index, `for i, v in enumerate(x):`, and what belongs to it",
            )
        if c is None and iterable is iterables[-1] and type(iterable) is Pushes and not iterable.begun:
            c = iterable.indexed()  # of what comes last no item is taken that has no others beside it
        members.append(by_index(_taken(iterable)) if c is None else c)
    lengths = [c.length for c in members]
    if strict and len(set(map(id, lengths))) > 1 and not (all(isinstance(n, int) for n in lengths) and len(set(lengths)) == 1):
        raise failure(
            TranslationError,
            f"zip(strict=True) needs lengths that are known and equal{quoted()}",
            "`zip(a, b)`, after `assert len(a) == len(b)`",
        )
    return Counted(lambda: _shortest([c.length for c in members]), lambda i: tuple(c.item(i) for c in members), builtins.zip)


def by_index(items: Any) -> Counted:
    """A sequence of Python's."""
    return Counted(len(items), _pick(items))


def _taken(iterable: Any) -> list[Any]:
    """All items, before Python would take them."""
    iterator = iter(iterable)
    items: list[Any] = []
    while True:
        try:
            items.append(take(iterator, items))
        except StopIteration:
            return items


def _shortest(lengths: list[Any]) -> Any:
    known = [n for n in lengths if isinstance(n, int)]
    length: Any = min(known) if known else None
    for n in lengths:
        if isinstance(n, Tensor):
            length = n if length is None else number(FUNCTIONS["minimum"](n, length))
    return length


def _in_turn(iterables: tuple[Any, ...]) -> list[Counted | None]:
    """Each of them by index; one iterator that is there several times gives its items in turn."""
    made: list[Counted | None] = []
    for x in iterables:
        times = sum(x is other for other in iterables)
        if times == 1 or not (isinstance(x, Counted) and x.once):
            made.append(counted_of(x))
            continue
        if times < len(iterables):
            raise failure(
                TranslationError,
                f"zip() takes items of one iterator and of something else in turn{quoted()}",
                "a list of the iterator's items, and indices: `items[2 * i], items[2 * i + 1]`",
            )
        return _dealt(x.rest(), times)
    return made


def _dealt(items: Counted, times: int) -> list[Counted | None]:
    """``items`` dealt out to so many, one after the other."""
    return [Counted(items.length // times, lambda i, j=j: items.item(i * times + j)) for j in builtins.range(times)]  # type: ignore[misc]


def reversed_(sequence: Any) -> Any:
    """``reversed``, also over tensors and traced ranges."""
    counted = counted_of(sequence)
    if counted is None:
        return builtins.reversed(sequence)
    length = counted.length
    return Counted(length, lambda i: counted.item(length - 1 - i), builtins.reversed)


def _pick(items: list[Any]) -> Callable[[Any], Any]:
    """Items of a Python list at an index that may be traced; numbers of one type stay numbers."""

    def item(i: Any) -> Any:
        if isinstance(i, int):
            return items[i]
        kinds = {python_type(x) for x in items if is_number(x)}
        if len(kinds) == 1 and all(map(is_number, items)):
            (kind,) = kinds
            return number(mode.state.mode.constant(np.asarray(items, DTYPES[kind].np))[i])
        return TensorList.of(items)[i]

    return item


def counted_of(iterable: Any) -> Counted | None:
    """``iterable`` by index when it is traced, else None."""
    if isinstance(iterable, Counted):
        return iterable.rest()
    view = view_of(iterable)
    if view is not None:
        return view.counted or counted_of(for_(view, _append, []))
    if not is_traced(iterable) or (type(iterable) is Choice and same_length(iterable)):
        return None
    if isinstance(iterable.spec, ListSpec):
        # one without a kind of items is empty, or is traced again when it is known what an enclosing loop puts into it
        empty = lambda: iterable.spec.element is None  # noqa: E731
        return Counted(lambda: 0 if empty() else number(FUNCTIONS["list_len"](iterable.main)), iterable.item)
    if isinstance(iterable, Number):
        return iter(iterable)  # type: ignore[no-any-return]  # raises Python's error
    if not iterable.spec.shape:
        raise TypeError("iteration over a 0-D tensor")
    return Counted(iterable.shape[0], lambda i: iterable[i])


def for_(iterable: Any, body: Callable[..., Any], *values: Any, breaks: bool = False, kept: bool = False) -> Any:
    """Run ``values = body(item, *values)`` for each item; returns the last values.

    With ``breaks`` the first value is a flag that ends the loop once it is true; ``kept``: what is iterated over is used
    afterwards. Over tensors, traced ranges and lists that live in the graph this is a graph loop; a generator of the user's runs
    the body where it yields; other iterables are unrolled, under the flag from where it is traced.
    """
    if type(iterable) is Choice and not same_length(iterable) and not any(isinstance(x, Tensor) for x in iterable.options):
        return _for_each(iterable, 0, body, values, breaks)
    if isinstance(iterable, TensorList) and iterable.spec.element is None:
        return pack(values)  # empty, or traced again when it is known what an enclosing loop puts into it
    view = view_of(iterable)
    if view is not None:
        return view.walk(_loop_in, body, values, breaks)
    references = sys.getrefcount(iterable)
    found = iterated(iterable)
    kept = kept and found is iterable  # an iterator of the user's class knows itself where it is
    iterable = found
    del found
    if isinstance(iterable, Counted) and iterable.once and named(references):
        return _walk(iterable, body, values, breaks)
    counted = counted_of(iterable)
    if counted is not None:
        mine = [i for i, value in enumerate(values) if value is iterable]  # a list that the body changes
        return _graph_for(counted, body, values, breaks, mine[0] if mine and isinstance(iterable, TensorList) else None)
    run = pushable(iterable, breaks)
    count = len(values)
    if run is not None and not kept:
        step = lambda *v: unpack(body(*v), count)  # noqa: E731
        return pack(run_loop(run, step, values, breaks, lambda: receivers(count), named(references)))
    if type(iterable) in WALKED:
        touch(iterable)
        if breaks and is_traced(values[0]) and named(references):
            return _walk(grown(_own(iterable)), body, values, breaks)
    unrolled = 0
    size = len(iterable) if type_of(iterable) in DICTS else 0
    items: Any = iter(iterable)
    index = -1
    try:
        while True:
            try:
                item = attempt(items, values) if breaks and is_traced(values[0]) else next(items)
            except StopIteration:
                break
            index += 1
            if index and type_of(iterable) in DICTS:
                _check_size(iterable, size, values[0] if breaks else False)
            if not (breaks and is_traced(values[0])):
                values = unpack(body(item, *values), count)
                if breaks and not is_traced(values[0]) and values[0]:
                    break
                if breaks and is_traced(values[0]) and type(iterable) in WALKED and named(references):
                    return _walk(grown(_own(iterable)), body, values, breaks)
                continue
            if isinstance(iterable, range) and len(iterable) - index > UNROLLED // 4:
                return _graph_for(_rest(iterable[index:]), body, values, breaks)
            if type(iterable) is itertools.count and not named(references) and (rest := _counting(item, iterable)) is not None:
                return _graph_for(rest, body, values, breaks)
            unrolled += 1
            if unrolled > UNROLLED:
                raise too_many()
            values = unpack(_guarded(item.again if type(item) is Failed else body, item, values), count)
            if type(item) is Failed:
                break
    except BaseException:
        iterable = items = None  # Python's loop lets go of them here, which closes a generator that has no name
        raise
    if type_of(iterable) in DICTS:
        _check_size(iterable, size, values[0] if breaks else False)
    if breaks and is_traced(values[0]) and named(references):
        if isinstance(iterable, Pushes):
            iterable.leave()
        elif isinstance(iterable, (*ITERATORS, GeneratorType)):
            become(_own(iterable), Left(type(iterable)))
    return pack(values)


def _own(iterator: Any) -> Any:
    """An iterator that tensors move on: no call of the function may have to find it where another left it."""
    if mode.state.mode.outlives(iterator):
        raise failure(
            TranslationError,
            f"a loop{shown()} is left where tensors decide, and its {type(iterator).__name__} lives on after the call",
            "take its items as a list before the call, `items = list(it)`, and count how many were used",
        )
    return iterator


class Left:
    """In place of an iterator that a loop left where tensors decide: nobody knows which items it has still."""

    def __init__(self, kind: type) -> None:
        self.stands_for = kind

    def __iter__(self) -> Any:
        raise failure(
            TranslationError,
            f"a {self.stands_for.__name__} was left by a loop that ended early, and is used again{quoted()}",
            "a list and its iterator, `it = iter(list(...))`, or loop over it once",
        )

    __next__ = __iter__


def _check_size(iterable: Any, size: int, left: Any) -> None:
    """What Python finds when it asks a dict for the next key, which tensors may have given new ones since the loop began."""
    made = next((made for value, made in mode.state.mode.lists if value is iterable), None) if mode.building() else None
    same = True if made is None else or_(left, lambda: made.size() == size)
    if is_traced(same):
        check(truth(same), RuntimeError("dictionary changed size during iteration"))


def view_of(iterable: Any) -> Any:
    """What walks through a dict or set whose keys tensors decide; None for anything else."""
    method = getattr(type(iterable), "__view__", None)
    return None if method is None else method(iterable)


def members_of(iterable: Any) -> Any:
    """``iterable`` for one who does not see the order of its items: a set whose members tensors decide may be walked through."""
    method = getattr(type(iterable), "__members__", None)
    return iterable if method is None else method(iterable)


def _loop_in(counted: Counted, body: Callable[..., Any], values: tuple[Any, ...], breaks: bool) -> Any:
    return _graph_for(counted, body, values, breaks)


def _for_each(choice: Choice, index: int, body: Callable[..., Any], values: tuple[Any, ...], breaks: bool) -> Any:
    """The loop over the option that it is."""

    def one(*v: Any) -> Any:
        return for_(choice.options[index], body, *v, breaks=breaks)

    if index == len(choice.options) - 1:
        return one(*values)
    return if_(choice._is(index), one, lambda *v: _for_each(choice, index + 1, body, v, breaks), *values)


def _append(item: Any, made: Any) -> Any:
    made.append(item)
    return made


def _rest(items: range) -> Counted:
    return Counted(len(items), lambda i: items.start + i * items.step)


def _counting(start: Any, items: Any) -> Counted | None:
    """What is left of an `itertools.count` from ``start`` on; None when it does not count ints."""
    step = re.fullmatch(r"count\(-?\d+(?:, (-?\d+))?\)", repr(items))
    return None if step is None else Counted(sys.maxsize, lambda i: start + i * int(step[1] or 1))


def _guarded(body: Callable[..., Any], item: Any, values: tuple[Any, ...]) -> Any:
    return if_(values[0], None, lambda *v: body(item, *v), *values)


def _graph_for(
    counted: Counted, body: Callable[..., Any], values: tuple[Any, ...], breaks: bool, changing: int | None = None
) -> Any:
    """``changing``: the place among ``values`` of the list itself."""
    count = len(values)
    length = counted.length

    def test(index: Any, *rest: Any) -> Any:
        more = index < (length if changing is None else number(FUNCTIONS["list_len"](rest[changing].main)))
        return and_(not_(rest[0]), lambda: more) if breaks else more

    def step(index: Any, *rest: Any) -> tuple[Any, ...]:
        item = (counted if changing is None else rest[changing]).item(index)
        return (index + 1, *unpack(body(item, *rest), count))

    if isinstance(length, int) and length == 0:
        return pack(values)
    return pack(graph_while(test, step, (0, *values), lambda: ["the loop index", *receivers(count)])[1:])


def _walk(iterator: Counted, body: Callable[..., Any], values: tuple[Any, ...], breaks: bool) -> Any:
    """The loop over an iterator that others can see: it moves on item by item."""
    count = len(values)

    def test(*rest: Any) -> Any:
        more = iterator.next_position() < iterator.length
        return and_(not_(rest[0]), lambda: more) if breaks else more

    def step(*rest: Any) -> tuple[Any, ...]:
        place = iterator.next_position()
        iterator.move(place + 1)
        return unpack(body(iterator.item(place), *rest), count)

    return while_(test, lambda *v: pack(step(*v)), *values)
