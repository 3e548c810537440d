"""Lists of the Program taken apart: ``a, b = items``, ``a, *b = items``, and where Python's own code iterates over one."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from typing import Any

from to_static.core.errors import TracedValueError
from to_static.core.expressions import quoted
from to_static.jit.jst.blocks import raises
from to_static.jit.jst.branch import if_
from to_static.jit.jst.casts import len_
from to_static.jit.jst.collect import collected
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.text import text
from to_static.jit.jst.traced import failure


def unpacked_by(items: TensorList, frame: Any) -> Iterator[Any]:
    """The elements for ``a, b = items`` in ``frame``, which says how many there have to be; other iterations are refused."""
    code, at = frame.f_code.co_code, frame.f_lasti
    if at >= 0 and dis.opname[code[at]] == "UNPACK_SEQUENCE":
        wanted = code[at + 1]
        _check(items, wanted, exact=True)
        return iter([items.item(i) for i in range(wanted)])
    raise failure(
        TracedValueError,
        f"Python's own code iterates over a list that changes under a tensor condition{quoted()}, and its length is known only "
        "when the Program runs",
        "use a `for` statement in translated code, or stack it: `paddle.stack(items)`",
    )


def unpack(items: Any, before: int, after: int) -> tuple[Any, ...]:
    """What ``a, *b, c = items`` assigns, with one name ``before`` the star and one ``after`` it."""
    items = collected(items)
    wanted = before + after
    if not isinstance(items, TensorList):
        try:
            found = list(items)
        except TypeError:
            if hasattr(type(items), "__iter__"):
                raise
            raise TypeError(f"cannot unpack non-iterable {type(items).__name__} object") from None
        if len(found) < wanted:
            raise ValueError(f"not enough values to unpack (expected at least {wanted}, got {len(found)})")
        return (*found[:before], found[before : len(found) - after], *found[len(found) - after :])
    _check(items, wanted, exact=False)
    length = len_(items)
    last = [items.item(length - after + i) for i in range(after)]
    rest = items.elements()[before : length - after] if after else items.elements()[before:]
    return (*(items.item(i) for i in range(before)), rest, *last)


def _check(items: TensorList, wanted: int, exact: bool) -> None:
    """The Program raises Python's error for a list of another length."""
    length = len_(items)
    least = "" if exact else "at least "

    def few() -> Any:
        raise raises(ValueError(text(f"not enough values to unpack (expected {least}{wanted}, got ", (length, "", ""), ")")))

    def many() -> Any:
        raise raises(ValueError(f"too many values to unpack (expected {wanted})"))

    if_(length < wanted, few, None)
    if exact:
        if_(length > wanted, many, None)
