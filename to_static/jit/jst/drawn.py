"""Loops over iterators of the user's classes, whose ``__next__`` may end them where tensors say so.

A trace that meets such an end begins again and asks: then ``__next__`` is called in the form that tells of its errors (see `told`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType, MethodType
from typing import Any

from to_static.ir import mode
from to_static.jit.jst.generators import Each, Pushes


def drawn(iterator: Any) -> Any:
    """What an iterator that was asked for itself already gives, for a loop."""
    form = step_of(iterator)
    if form is None:
        return _one_by_one(iterator)
    return Pushes(lambda each, state: _run(form, each, state), lambda: _one_by_one(iterator), type(iterator))


def step_of(iterator: Any) -> Callable[[], Any] | None:
    """``iterator.__next__``, so that it tells whether it raised; None where it has no such form."""
    method = getattr(type(iterator), "__next__", None)
    if not (mode.building() and isinstance(method, FunctionType)):
        return None
    from to_static.jit.jst.told import form_that_tells

    return form_that_tells(MethodType(method, iterator))


def _one_by_one(iterator: Any) -> Iterator[Any]:
    while True:
        try:
            item = next(iterator)
        except StopIteration:
            return
        yield item


def _run(form: Callable[[], Any], each: Each, state: tuple[Any, ...]) -> tuple[Any, ...]:
    """The state of the loop after its body ran for all items."""
    from to_static.jit.jst.blocks import raises
    from to_static.jit.jst.branch import if_
    from to_static.jit.jst.failures import again, catches
    from to_static.jit.jst.logic import not_
    from to_static.jit.jst.loops import pack, unpack, while_
    from to_static.jit.jst.told import finished

    def step(_: Any, *now: Any) -> Any:
        try:
            raised, error, item = finished(form)
        except StopIteration:
            return pack((True, *now))

        def given(*before: Any) -> Any:
            after = each.give(before, item)
            return pack((each.left(after), *after))

        def another(*before: Any) -> Any:
            raise raises(again(error))

        def ended(*before: Any) -> Any:
            return if_(catches(error, StopIteration), lambda *values: pack((True, *values)), another, *before)

        return if_(raised, ended, given, *now)

    return unpack(while_(lambda over, *_: not_(over), step, False, *state), len(state) + 1)[1:]
