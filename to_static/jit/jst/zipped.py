"""``zip`` of one generator and of what goes by index: the generator is handed the loop, where taking its items one by one won't do.

A trace takes them one by one first, which leaves what Python knows to Python. The next one hands over the loop: `levels.Pushed`.
"""

from __future__ import annotations

import builtins
from typing import Any

from to_static.ir import mode
from to_static.ir.spec import ListSpec
from to_static.jit.jst.branch import if_
from to_static.jit.jst.counted import Counted
from to_static.jit.jst.generators import Each, Pushes, State, pushable, run_over
from to_static.jit.jst.logic import and_, not_, or_
from to_static.jit.jst.loops import pack, unpack
from to_static.jit.jst.traced import is_tensor


def generator_among(iterables: tuple[Any, ...]) -> int | None:
    """The place of the only generator, the others being tensors and sequences; None for anything else."""
    places = [i for i, x in enumerate(iterables) if not _by_index(x)]
    one = len(places) == 1 and mode.building() and pushable(iterables[places[0]]) is not None
    return places[0] if one else None


def _by_index(iterable: Any) -> bool:
    if isinstance(iterable, Counted):
        return not iterable.once
    if is_tensor(iterable):
        return isinstance(iterable.spec, ListSpec) or bool(iterable.spec.shape)
    return type(iterable) in (list, tuple, range)


def handed_over(iterables: tuple[Any, ...], place: int, members: list[Any]) -> Pushes:
    """``zip(*iterables)``, run by the generator at ``place``; ``members`` are the others by index."""
    before, after = members[:place], members[place + 1 :]

    def through(each: Each, state: State) -> State:
        def give(state: State, item: Any) -> State:
            _, index, *rest = state

            def goes_on(*now: Any) -> Any:
                row = (*(m.item(index) for m in before), item, *(m.item(index) for m in after))
                return pack((not_(_have(before, index + 1)), index + 1, *each.give(now, row)))

            return unpack(if_(_have(after, index), goes_on, lambda *now: pack((True, index, *now)), *rest), len(state))

        left = lambda state: or_(state[0], lambda: each.left(state[2:]))  # noqa: E731
        start = (False, 0, *state)
        run = lambda *now: pack(run_over(iterables[place], Each(give, left, each.named), now))  # noqa: E731
        return unpack(if_(_have(before, 0), run, None, *start), len(start))[2:]

    return Pushes(through, lambda: builtins.zip(*iterables, strict=False), builtins.zip)


def _have(members: list[Any], index: Any) -> Any:
    """Whether all of them have an item at this place."""
    return and_(True, *(lambda m=m: index < m.length for m in members))
