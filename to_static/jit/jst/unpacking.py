"""Lists of the Program taken apart: ``a, b = items``, ``a, *b = items``, and where Python's own code iterates over one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from to_static.core.errors import TracedValueError
from to_static.core.expressions import quoted
from to_static.core.instructions import instruction
from to_static.jit.jst.blocks import raises
from to_static.jit.jst.branch import if_
from to_static.jit.jst.casts import len_
from to_static.jit.jst.choice import Choice, select
from to_static.jit.jst.collect import collected
from to_static.jit.jst.counted import Counted
from to_static.jit.jst.levels import ask
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.text import text
from to_static.jit.jst.traced import failure, is_tensor


def unpacked_by(items: Any, frame: Any) -> Iterator[Any]:
    """The elements for ``a, b = items`` in ``frame``, which says how many there have to be; other iterations are refused.

    ``items`` is a list of the Program, or a tensor whose first dimension is not known.
    """
    wanted = wanted_by(frame)
    if wanted is not None:
        return unpacked(items, wanted)
    ask()
    if not isinstance(items, TensorList):
        raise failure(
            TracedValueError,
            f"Python's own code iterates over a tensor ({items.spec}){quoted()}, whose length is known only when the Program runs",
            "use a `for` statement in translated code, or a known length: `InputSpec([8, 3])`",
        )
    raise failure(
        TracedValueError,
        f"Python's own code iterates over a list that changes under a tensor condition{quoted()}, and its length is known only "
        "when the Program runs",
        "use a `for` statement in translated code, or stack it: `paddle.stack(items)`",
    )


def unpacked(items: Any, wanted: int) -> Iterator[Any]:
    """The elements of what has to have as many."""
    _check(items, wanted, exact=True)
    return iter([items.item(i) if isinstance(items, (TensorList, Counted)) else items[i] for i in range(wanted)])


def taken_apart_by(choice: Choice, frame: Any) -> Iterator[Any]:
    """The items for ``a, b = value`` in ``frame`` where the value is one of several: those that don't fit raise Python's error."""
    wanted = wanted_by(frame)
    if wanted is None or any(hasattr(type(option), "__next__") for option in choice.options):
        raise choice._undecided("Python iterates over a value")
    return iter(_each_apart(choice, wanted))


def taken(items: Any, wanted: int) -> Any:
    """What the variables get in ``for a, b in ...`` of a comprehension, where the item is ``items``."""
    if type(items) is Choice:
        return _each_apart(items, wanted)
    return unpacked(items, wanted) if isinstance(items, Counted) or is_tensor(items) else _apart(items, wanted)


def _each_apart(choice: Choice, wanted: int) -> list[Any]:
    return [select(choice, lambda option, i=i: _apart(option, wanted)[i]) for i in range(wanted)]  # type: ignore[misc]


def _apart(value: Any, wanted: int) -> Any:
    if isinstance(value, TensorList):
        _check(value, wanted, exact=True)
        return [value.item(i) for i in range(wanted)]
    items = _listed(value)
    if len(items) < wanted:
        raise ValueError(f"not enough values to unpack (expected {wanted}, got {len(items)})")
    if len(items) > wanted:
        raise ValueError(f"too many values to unpack (expected {wanted})")
    return items


def _listed(items: Any) -> list[Any]:
    try:
        return list(items)
    except TypeError:
        if hasattr(type(items), "__iter__"):
            raise
        raise TypeError(f"cannot unpack non-iterable {type(items).__name__} object") from None


def wanted_by(frame: Any) -> int | None:
    """How many names a statement takes a value apart for, where that is what ``frame`` does."""
    name, count = instruction(frame.f_code, frame.f_lasti) if frame.f_lasti >= 0 else ("", 0)
    return count if name == "UNPACK_SEQUENCE" else None


def unpack(items: Any, before: int, after: int) -> tuple[Any, ...]:
    """What ``a, *b, c = items`` assigns, with one name ``before`` the star and one ``after`` it."""
    if type(items) is Choice and not any(hasattr(type(option), "__next__") for option in items.options):
        apart = lambda option: unpack(option, before, after)  # noqa: E731
        return tuple(select(items, lambda option, i=i: apart(option)[i]) for i in range(before + 1 + after))  # type: ignore[misc]
    items = collected(items)
    wanted = before + after
    if not isinstance(items, TensorList):
        found = _listed(items)
        if len(found) < wanted:
            raise ValueError(f"not enough values to unpack (expected at least {wanted}, got {len(found)})")
        return (*found[:before], found[before : len(found) - after], *found[len(found) - after :])
    _check(items, wanted, exact=False)
    length = len_(items)
    last = [items.item(length - after + i) for i in range(after)]
    rest = items.elements()[before : length - after] if after else items.elements()[before:]
    return (*(items.item(i) for i in range(before)), rest, *last)


def _check(items: Any, wanted: int, exact: bool) -> None:
    """The Program raises Python's error for a list of another length."""
    length = items.size if isinstance(items, Counted) else len_(items)
    least = "" if exact else "at least "

    def few() -> Any:
        raise raises(ValueError(text(f"not enough values to unpack (expected {least}{wanted}, got ", (length, "", ""), ")")))

    def many() -> Any:
        raise raises(ValueError(f"too many values to unpack (expected {wanted})"))

    if_(length < wanted, few, None)
    if exact:
        if_(length > wanted, many, None)
