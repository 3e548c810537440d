"""Global and nonlocal variables of functions that live on: a branch or loop sets them as it sets attributes of an object."""

from __future__ import annotations

import types
from typing import Any

from to_static.ir import mode

_EMPTY = types.CellType()


class OuterVariables:
    """What holds such variables, as an object holds attributes: the globals of a module, or one cell."""

    def __init__(self, space: Any, what: str) -> None:
        self.space = space
        self.what = what


class _Cell:
    """The one variable of a cell, like the dict that globals are in."""

    def __init__(self, cell: types.CellType) -> None:
        self.cell = cell

    def get(self, name: str, default: Any) -> Any:
        """What it holds."""
        return default if self.cell == _EMPTY else self.cell.cell_contents

    def pop(self, name: str, default: Any) -> None:
        """Take it out."""
        if self.cell != _EMPTY:
            del self.cell.cell_contents

    def __setitem__(self, name: str, value: Any) -> None:
        self.cell.cell_contents = value


def outer(variable: types.FunctionType) -> OuterVariables:
    """What holds the variable that ``variable()`` reads."""
    cells = dict(zip(variable.__code__.co_freevars, variable.__closure__ or (), strict=True))
    cells.pop("_jst", None)
    space: Any = next(iter(cells.values()), variable.__globals__)
    known = getattr(mode.state.mode, "outer_variables", {})
    if id(space) not in known:
        known[id(space)] = OuterVariables(_Cell(space) if cells else space, "nonlocal" if cells else "global")
    return known[id(space)]
