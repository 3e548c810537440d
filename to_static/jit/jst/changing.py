"""Changing the one of several lists, dicts or objects that a `Choice` is, in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.core.namespace import type_of


def change(choice: Any, function: Callable[[Any], Any], resizes: bool = False) -> Any:
    """``function(option)`` that changes the option in place, for the one that it is: lists and dicts stay the objects they are.

    ``resizes``: a list may become longer or shorter.
    """
    from to_static.jit.jst.blocks import touch
    from to_static.jit.jst.branch import if_
    from to_static.jit.jst.growth import can_grow, grown

    if resizes:
        choice.options[:] = [grown(x) if can_grow(x) else x for x in choice.options]
    held = [option for option in choice.options if type_of(option) in (list, dict)]
    for option in held:
        touch(option)

    def arm(index: int, now: tuple[Any, ...]) -> tuple[Any, ...]:
        option = choice.options[index]
        mine = [copy for kept, copy in zip(held, now, strict=True) if kept is option]
        return function(mine[0] if mine else option), *now

    def arms(index: int, now: tuple[Any, ...]) -> tuple[Any, ...]:
        if index == len(choice.options) - 1:
            return arm(index, now)
        return if_(choice._is(index), lambda *n: arm(index, n), lambda *n: arms(index + 1, n), *now)

    result, *after = arms(0, tuple(held))
    if any(a is not b for a, b in zip(held, after, strict=True)):
        raise choice._undecided("a list or dict is made longer or shorter")
    return result
