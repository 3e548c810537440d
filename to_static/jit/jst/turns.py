"""Iterators whose items are computed in the turn of the loop that asks for them: ``zip(map(f, xs), ys)``, ``enumerate(zip(...))``.

A loop that tensors may have ended runs its turns under a condition; so it does with what computes the items, where that is told
apart from the walk over the sequences that they are made of. An iterator that can, has ``steps``.
"""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Callable, Iterator
from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.expressions import shown
from to_static.core.namespace import type_of
from to_static.ir import mode
from to_static.ir.spec import ListSpec
from to_static.jit.jst.branch import if_
from to_static.jit.jst.counted import Counted
from to_static.jit.jst.generators import Each, Pushes, State
from to_static.jit.jst.loops import pack, unpack
from to_static.jit.jst.owners import has_other_names
from to_static.jit.jst.traced import failure, is_tensor, is_traced
from to_static.jit.jst.unseen import Failed, attempt, refusal

UNROLLED = 100  # iterations under a traced flag that are unrolled at most
ENDED: Any = object()  # what a step gives in place of an item when there are no more
_PURE = (itertools.count, itertools.repeat, itertools.cycle)
Step = Callable[[], Any]


class Turn:
    """A loop at work: ``doubtful`` once tensors may have ended it, ``over`` when Python knows that there are no more items."""

    def __init__(self) -> None:
        self.doubtful = False
        self.over = False
        self.iterators: list[Any] = []

    def __held__(self) -> Any:
        return None, self.iterators


Steps = Callable[[Turn], Iterator[Step]]


def in_turns(kind: type, plain: Callable[[], Any], steps: Steps) -> Pushes:
    """The iterator whose items are what the steps give, one after the other; ``plain()`` gives Python's."""

    def through(each: Each, state: State) -> State:
        turn, count = Turn(), 0
        entered = mode.state.mode.entered
        entered.append(turn)
        try:
            walk = steps(turn)
            while not turn.over:
                flag = each.left(state)
                turn.doubtful = is_traced(flag)
                step = None if not turn.doubtful and flag else next(walk, None)
                if step is None:
                    break
                if not turn.doubtful:
                    state = _one(turn, step, each, *state)
                    continue
                count += 1
                if count > UNROLLED:
                    raise too_many()
                made = if_(flag, None, lambda *now, step=step: pack(_one(turn, step, each, *now)), *state)
                state = unpack(made, len(state))
        finally:
            entered.remove(turn)
        return state

    made = Pushes(through, plain, kind, lazy=True)
    made.steps, made.by_steps = steps, True
    return made


def _one(turn: Turn, step: Step, each: Each, *state: Any) -> State:
    item = step()
    if item is ENDED:
        turn.over = True
        return state
    return each.give(state, item)


def too_many() -> Exception:
    """The refusal of a loop that is unrolled too often."""
    return failure(
        TranslationError,
        f"a loop{shown()} is left by a break or return that depends on a tensor, and has more than {UNROLLED} "
        "Python items: each would be traced by itself",
        "iterate over a tensor, `for v in paddle.to_tensor(items):`, or over a range(), `for i in range(len(items)):`",
    )


def steps_of(iterable: Any) -> Steps | None:
    """How to take the items of ``iterable`` step by step; None where tensors decide how many there are."""
    if type(iterable) is Pushes and iterable.steps is not None and not iterable.begun:
        return iterable.steps
    if isinstance(iterable, Counted):
        return _by_index(lambda: iterable.length, iterable.item, iterable) if iterable.is_known and not iterable.once else None
    if (rows := _rows(iterable)) is not None:
        return _by_index(lambda: rows, iterable.__getitem__, ())
    if is_traced(iterable) or hasattr(type(iterable), "__view__"):
        return None
    if type(iterable) in (list, tuple, range, str):
        return _by_index(lambda: len(iterable), iterable.__getitem__, iterable)
    return lambda turn: _one_by_one(turn, iter(iterable))


def _by_index(length: Callable[[], int], item: Callable[[int], Any], iterable: Any) -> Steps:
    def steps(turn: Turn) -> Iterator[Step]:
        turn.iterators.append(iter(iterable))
        index = 0
        while True:
            yield lambda index=index: item(index) if index < length() else ENDED  # type: ignore[misc]
            index += 1

    return steps


def _one_by_one(turn: Turn, iterator: Any) -> Iterator[Step]:
    turn.iterators.append(iterator)
    while True:
        if not turn.doubtful:
            yield lambda: next(iterator, ENDED)
            continue
        if has_other_names(iterator, apart=turn):
            kind = getattr(iterator, "stands_for", type_of(iterator)).__name__
            raise refusal(f"a {kind} moves on, which others have as well")
        try:
            item = attempt(iterator)
        except StopIteration:
            yield lambda: ENDED
            return
        yield item.again if type(item) is Failed else lambda item=item: item  # type: ignore[misc]


def may_run(iterable: Any) -> bool:
    """Whether taking an item may run a function of the user's, or move on what others have, too."""
    kind = type(iterable)
    return hasattr(kind, "__next__") and not isinstance(iterable, Counted) and kind not in _PURE


def is_short(iterable: Any) -> bool:
    """Whether a loop over it can be unrolled, as far as tensors have a say in it."""
    if isinstance(iterable, Counted):
        return not iterable.once and iterable.is_known and iterable.length <= UNROLLED
    rows = _rows(iterable)
    return not is_traced(iterable) if rows is None else rows <= UNROLLED


def _rows(iterable: Any) -> int | None:
    """How many rows a tensor has, where that is known."""
    if not is_tensor(iterable) or isinstance(iterable.spec, ListSpec) or not iterable.spec.shape:
        return None
    rows = iterable.shape[0]
    return rows if isinstance(rows, int) else None


def zipped(*iterables: Any) -> Pushes | None:
    """``zip`` of these; None where tensors decide how many items one of them has."""
    steps = together(*iterables)
    plain = builtins.zip(*iterables, strict=False)
    return None if steps is None else in_turns(builtins.zip, lambda: plain, steps)


def together(*iterables: Any) -> Steps | None:
    """Steps that take an item of each in turn, as a tuple, until one has no more."""
    members = [steps_of(iterable) for iterable in iterables]
    if None in members:
        return None

    def steps(turn: Turn) -> Iterator[Step]:
        for row in builtins.zip(*(member(turn) for member in members), strict=False):  # type: ignore[misc]
            yield lambda row=row: _tuple(row)  # type: ignore[misc]

    return steps


def _tuple(row: tuple[Step, ...]) -> Any:
    items = []
    for step in row:
        items.append(step())
        if items[-1] is ENDED:
            return ENDED
    return tuple(items)


def over(steps: Steps, function: Callable[[Any], Any]) -> Steps:
    """Steps that give ``function`` of each item."""

    def made(turn: Turn) -> Iterator[Step]:
        for step in steps(turn):
            yield lambda step=step: ENDED if (item := step()) is ENDED else function(item)  # type: ignore[misc]

    return made


def counting(steps: Steps, first: Any) -> Steps:
    """Steps that give each item with its number, as ``enumerate`` does."""

    def made(turn: Turn) -> Iterator[Step]:
        for index, step in builtins.enumerate(steps(turn)):
            yield lambda i=first + index, step=step: ENDED if (item := step()) is ENDED else (i, item)  # type: ignore[misc]

    return made
