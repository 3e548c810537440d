"""Lists of items of several kinds that a static function returned."""

from __future__ import annotations

from typing import Any

from to_static.jit.jst.kinds import layout, together


def returned_rows(kinds: list[Any], columns: list[list[Any]]) -> list[Any]:
    """The list of items of several kinds that the caller gets: see `jst/rows.py`."""
    which, *leaves = columns
    held = layout(kinds)[0]
    items = []
    for i, kind in enumerate(which):
        values = [column[i].item() if leaf.number else column[i] for column, leaf in zip(leaves, held, strict=True)]
        items.append(together(kinds, values, lambda options: options[int(kind.item())]))  # noqa: B023
    return items
