"""Functions of ``itertools``, and ``iter(f, end)``, whose items are computed where a loop asks for them.

Sequences of Python's need nothing of this: where no function of the user's runs between the items, Python's own do.
"""

from __future__ import annotations

import builtins
import itertools
import sys
from collections.abc import Callable, Iterator
from typing import Any

from to_static.ir import mode
from to_static.jit.jst import iterators
from to_static.jit.jst.branch import if_
from to_static.jit.jst.casts import bool_
from to_static.jit.jst.counted import Counted
from to_static.jit.jst.generators import Each, Pushes, State, filtered, named, pushable, run_over
from to_static.jit.jst.iterate import members_of, zip_
from to_static.jit.jst.iterators import mapped
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.logic import and_, not_, or_
from to_static.jit.jst.loops import pack, unpack, while_
from to_static.jit.jst.sequences import equal
from to_static.jit.jst.special import iterated
from to_static.jit.jst.traced import is_tensor, is_traced
from to_static.jit.jst.turns import ENDED, Step, Steps, Turn, in_turns, is_short, may_run, steps_of


def starmap(function: Any, iterable: Any) -> Any:
    """``itertools.starmap``"""
    from to_static.jit.jst.convert import call

    made = call(function)
    return mapped(lambda row: made(*row), iterated(iterable), itertools.starmap)


def chain(iterables: Any) -> Pushes:
    """``itertools.chain`` over an iterable of iterables."""

    def through(each: Each, state: State) -> State:
        def give(state: State, items: Any) -> State:
            flag = each.left(state)
            items = iterated(items)
            if not is_traced(flag):
                return state if flag else run_over(items, each, state)
            run = items.begin() if type(items) is Pushes and not items.begun else pushable(items, True)
            if run is None:
                return run_over(items, each, state)
            return unpack(if_(flag, None, lambda *now: pack(run(each, now)), *state), len(state))

        if not isinstance(iterables, tuple):
            return run_over(iterables, Each(give, each.left, each.named), state)
        for items in iterables:
            state = give(state, items)
        return state

    return Pushes(through, lambda: itertools.chain.from_iterable(map(iterated, iterables)), itertools.chain, _is_lazy(iterables))


def _is_lazy(iterables: Any) -> bool:
    """Whether tensors decide nothing about which items there are."""
    return pushable(iterables) is None and not (isinstance(iterables, tuple) and any(map(pushable, iterables)))


def islice(iterable: Any, shared: bool, *bounds: Any) -> Pushes:
    """``itertools.islice`` with bounds that Python knows; ``shared``: others go on with what it leaves."""
    itertools.islice((), *bounds)  # or Python's error
    part = slice(*bounds)
    first, end, step = part.start or 0, part.stop, part.step or 1
    last = None if end is None else max(first, end)  # so many are taken at most
    plain = lambda: itertools.islice(iterable, *bounds)  # noqa: E731
    steps = steps_of(iterable)
    if steps is not None and (shared or pushable(iterable) is None):
        return in_turns(itertools.islice, plain, _sliced(steps, first, end, step))

    def through(each: Each, state: State) -> State:
        def give(state: State, item: Any) -> State:
            index, *rest = state
            wanted = and_(index >= first, lambda: (index - first) % step == 0, lambda: end is None or index < end)
            return index + 1, *unpack(if_(wanted, lambda *now: pack(each.give(now, item)), None, *rest), len(rest))

        def left(state: State) -> Any:
            return or_(each.left(state[1:]), lambda: last is not None and state[0] >= last)

        return state if last == 0 else run_over(iterable, Each(give, left, each.named), (0, *state))[1:]

    return Pushes(through, plain, itertools.islice, pushable(iterable) is None)


def _sliced(steps: Steps, first: int, end: int | None, step: int) -> Steps:
    def made(turn: Turn) -> Iterator[Step]:
        walk, index, wanted = steps(turn), 0, first
        while True:
            is_item = end is None or wanted < end
            upto = wanted + 1 if is_item else max(index, first if index == 0 else end or 0)
            yield _last_of([one for _, one in zip(range(upto - index), walk, strict=False)], is_item)
            if not is_item:
                return
            index, wanted = upto, wanted + step

    return made


def _last_of(steps: list[Step], is_item: bool) -> Step:
    def step() -> Any:
        item = ENDED
        for one in steps:
            item = one()
            if item is ENDED:
                return ENDED
        return item if is_item else ENDED

    return step


def accumulate(iterable: Any, function: Any, initial: Any) -> Pushes:
    """``itertools.accumulate`` with a translated function."""
    from to_static.jit.jst.convert import call

    step = (lambda a, b: a + b) if function is None else call(function)
    items = list(iterable) if is_tensor(iterable) and is_short(iterable) else iterable

    def through(each: Each, state: State) -> State:
        def give(state: State, item: Any) -> State:
            total = item if state[0] is ENDED else step(state[0], item)
            return total, *each.give(state[1:], total)

        first = ENDED if initial is None else initial
        state = state if initial is None else each.give(state, initial)
        return run_over(items, Each(give, lambda state: each.left(state[1:]), each.named), (first, *state))[1:]

    plain = lambda: itertools.accumulate(items, step, initial=initial)  # noqa: E731
    return Pushes(through, plain, itertools.accumulate, pushable(items) is None)


def takewhile(predicate: Any, iterable: Any) -> Pushes:
    """``itertools.takewhile``"""
    from to_static.jit.jst.convert import call

    test, items = call(predicate), iterated(iterable)

    def through(each: Each, state: State) -> State:
        def give(state: State, item: Any) -> State:
            goes_on = lambda *now: pack((False, *each.give(now, item)))  # noqa: E731
            ends = lambda *now: pack((True, *now))  # noqa: E731
            return unpack(if_(test(item), goes_on, ends, *state[1:]), len(state))

        left = lambda state: or_(state[0], lambda: each.left(state[1:]))  # noqa: E731
        return run_over(items, Each(give, left, each.named), (False, *state))[1:]

    return Pushes(through, lambda: itertools.takewhile(test, items), itertools.takewhile)


def dropwhile(predicate: Any, iterable: Any) -> Pushes:
    """``itertools.dropwhile``"""
    from to_static.jit.jst.convert import call

    test, items = call(predicate), iterated(iterable)

    def through(each: Each, state: State) -> State:
        def give(state: State, item: Any) -> State:
            drops = and_(state[0], lambda: bool_(test(item)))
            keeps = lambda *now: pack((False, *each.give(now, item)))  # noqa: E731
            return unpack(if_(drops, lambda *now: pack((True, *now)), keeps, *state[1:]), len(state))

        left = lambda state: each.left(state[1:])  # noqa: E731
        return run_over(items, Each(give, left, each.named), (True, *state))[1:]

    return Pushes(through, lambda: itertools.dropwhile(test, items), itertools.dropwhile)


def filterfalse(predicate: Any, iterable: Any) -> Pushes:
    """``itertools.filterfalse``"""
    from to_static.jit.jst.convert import call

    test = (lambda item: item) if predicate is None else call(predicate)
    return filtered(lambda item: not_(bool_(test(item))), iterated(iterable))


def compress(data: Any, selectors: Any) -> Any:
    """``itertools.compress``"""
    return mapped(lambda row: row[0], filtered(lambda row: row[1], zip_(data, selectors)), itertools.compress)


def until(function: Any, end: Any) -> Pushes:
    """``iter(function, end)``"""
    from to_static.jit.jst.convert import call

    step = call(function)

    def through(each: Each, state: State) -> State:
        def body(_: Any, *now: Any) -> Any:
            item = step()
            if_ended = lambda *values: pack((True, *values))  # noqa: E731
            return if_(True if item is end else equal(item, end), if_ended, lambda *v: _given(each, v, item), *now)

        entered = mode.state.mode.entered
        entered.append(body)  # which holds the function, and so what a method is of
        try:
            made = while_(lambda over, *now: not_(or_(over, lambda: each.left(now))), body, False, *state)
        finally:
            entered.remove(body)
        return unpack(made, len(state) + 1)[1:]

    return Pushes(through, lambda: iter(step, end), type(iter(int, 1)))


def _given(each: Each, state: State, item: Any) -> Any:
    return pack((False, *each.give(state, item)))


def iter_(*args: Any) -> Any:
    """``iter``"""
    return until(*args) if len(args) == 2 and mode.building() else iterators.iter_(*args)


def _runs(iterable: Any) -> bool:
    return may_run(iterable) or pushable(iterable, True) is not None


def chain_(of_lists: Callable[..., Any]) -> Callable[..., Any]:
    """``itertools.chain``; ``of_lists`` where nothing of the user's runs between the items."""

    def made(*iterables: Any) -> Any:
        found = tuple(map(iterated, iterables))
        return chain(found) if mode.building() and any(map(_runs, found)) else of_lists(*found)

    return made


def from_iterable(of_lists: Callable[..., Any]) -> Callable[..., Any]:
    """``itertools.chain.from_iterable``"""

    def made(iterables: Any) -> Any:
        found = iterated(members_of(iterables))
        runs = _runs(found) or (isinstance(found, (list, tuple)) and any(_runs(iterated(x)) for x in found))
        return chain(found) if mode.building() and runs else of_lists(*found)

    return made


def accumulate_(of_lists: Callable[..., Any]) -> Callable[..., Any]:
    """``itertools.accumulate``; ``of_lists`` for a list of the Program."""

    def made(iterable: Any, func: Any = None, *, initial: Any = None) -> Any:
        found = iterated(members_of(iterable))
        in_program = isinstance(found, (Counted, TensorList)) or (is_tensor(found) and not is_short(found))
        if mode.building() and not in_program:
            return accumulate(found, func, initial)
        return of_lists(found, func, initial=initial)

    return made


def islice_(of_lists: Callable[..., Any]) -> Callable[..., Any]:
    """``itertools.islice``"""

    def made(iterable: Any, *bounds: Any) -> Any:
        shared = named(sys.getrefcount(iterable))
        found = iterated(iterable)
        runs = mode.building() and _runs(found) and not any(map(is_traced, bounds))
        return islice(found, shared, *bounds) if runs else of_lists(found, *bounds)

    return made


def while_building(function: Callable[..., Any], plain: Callable[..., Any]) -> Callable[..., Any]:
    """``function`` while a Program is built, else ``plain``."""
    return lambda *args, **kwargs: (function if mode.building() else plain)(*args, **kwargs)


TWINS: dict[Any, Any] = {
    builtins.iter: iter_,
    **{
        plain: while_building(function, plain)
        for plain, function in (
            (itertools.starmap, starmap), (itertools.takewhile, takewhile), (itertools.dropwhile, dropwhile),
            (itertools.filterfalse, filterfalse), (itertools.compress, compress),
        )
    },
}  # fmt: skip
