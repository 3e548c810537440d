"""``Kind(number)``: the member of an Enum whose value is known only when the Program runs."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

from to_static.ir.number import Number
from to_static.jit.jst.catching import check
from to_static.jit.jst.chosen import over
from to_static.jit.jst.items import chosen_of, is_one_of
from to_static.jit.jst.text import Text, pieces_of
from to_static.jit.jst.traced import NUMBERS


def looked_up(kind: Any) -> Callable[..., Any]:
    """``kind``, which may be asked for the member of a traced value, unless its class finds members in a way of its own."""
    if type(kind).__call__ is not enum.EnumMeta.__call__ or kind._missing_.__func__ is not enum.Enum._missing_.__func__:  # type: ignore[attr-defined]
        return kind  # type: ignore[no-any-return]

    def called(*args: Any, **kwargs: Any) -> Any:
        if len(args) != 1 or kwargs or not isinstance(args[0], Number):
            return kind(*args, **kwargs)
        found = [(member, args[0] == member.value) for member in kind if isinstance(member.value, NUMBERS)]
        words = f" is not a valid {kind.__qualname__}"
        check(is_one_of(found, args[0]), ValueError(Text([*pieces_of(args[0], "r"), words])))
        return chosen_of(found, [member for member, _ in found])

    return over(called)
