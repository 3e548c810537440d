"""``a, b = items`` if the number of items depends on tensors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from to_static.compiler.frontend.jst.calls.containers import list_
from to_static.compiler.frontend.jst.control.branch import if_
from to_static.compiler.frontend.jst.control.raising import raises
from to_static.compiler.frontend.jst.iteration.indexed import IndexedIterable
from to_static.compiler.frontend.jst.objects.tensor_list import TensorList
from to_static.compiler.frontend.jst.values.number import len_
from to_static.compiler.frontend.jst.values.text import text


def item_values(items: Iterable[Any], wanted: int) -> Any:
    """Return the values of the variables in ``for a, b in ...`` of a comprehension, from one item."""
    values = list(iter(items))
    if len(values) < wanted:
        raise ValueError(f"not enough values to unpack (expected {wanted}, got {len(values)})")
    if len(values) > wanted:
        raise ValueError(f"too many values to unpack (expected {wanted})")
    return values


def unpack(items: Iterable[Any], names_before: int, names_after: int) -> tuple[Any, ...]:
    """Return the values that ``a, *b, c = items`` assigns: ``names_before`` names come before the star."""
    least = names_before + names_after
    items = list_(items) if isinstance(items, (TensorList, IndexedIterable)) or type(items) is list else items
    if not isinstance(items, TensorList):
        values = list(iter(items))
        if len(values) < least:
            raise ValueError(f"not enough values to unpack (expected at least {least}, got {len(values)})")
        return (*values[:names_before], values[names_before : len(values) - names_after], *values[len(values) - names_after :])
    length = len_(items)

    def raise_too_few() -> Any:
        raise raises(ValueError(text(f"not enough values to unpack (expected at least {least}, got ", (length, "", ""), ")")))

    if_(length < least, raise_too_few, None)
    starred = items[names_before : length - names_after] if names_after else items[names_before:]
    return (
        *(items.get(i) for i in range(names_before)),
        starred,
        *(items.get(length - names_after + i) for i in range(names_after)),
    )
