"""The user's variables: those that may have no value, those that closures share, globals and nonlocals."""

from __future__ import annotations

import types
from typing import Any

from to_static.compiler.frontend.jst.control.raising import raises
from to_static.compiler.frontend.jst.values.undefined import MaybeUndefined, Undefined, unbound
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.trace_context import current
from to_static.compiler.ops import functions as F
from to_static.core.diagnostics.source_expressions import assigned
from to_static.core.diagnostics.source_location import capture, report
from to_static.core.errors import UnboundVariableError


def bound(value: object) -> Any:
    """``value``, unless it is the marker of a variable without value: then Python's error, with the user's line.

    Where tensors decide that, the Program checks it.
    """
    if type(value) is Undefined:
        raise raises(UnboundVariableError(_message(value.name)))
    if type(value) is MaybeUndefined:
        if value.name:  # our own `result` is read only where it was set
            for error_types, _ in current().catching:
                if any(issubclass(UnboundVariableError, error_type) for error_type in error_types):
                    raise broken(
                        f"whether {value.name!r} has a value depends on a tensor, and an `except` would catch the error",
                        f"give it a value on every path: `{value.name} = None` before",
                    )
            F.assert_(value.defined, (), _message(value.name), "UnboundVariableError")
        return value.value
    return value


def _message(name: str) -> str:
    where = capture(2)
    gives, deletes = ([], []) if where is None else assigned(name, where)
    text = f"local variable {name!r} is used before it has a value: nothing on the path taken assigns it"
    if deletes:
        text = f"local variable {name!r} is used without a value: the path taken deletes it ({_lines(deletes)}) or never assigns it"
    elif gives:
        text += f" ({_lines(gives)} would)"
    rewrite = f"give it a value on every path, `{name} = paddle.zeros([1])` before the condition or loop, or an `else`"
    return report(text, where, rewrite)


def _lines(line_numbers: list[int]) -> str:
    lines_text = ", ".join(map(str, line_numbers[:3])) + (", ..." if len(line_numbers) > 3 else "")
    return f"line{'s' if len(line_numbers) > 1 else ''} {lines_text}"


class Cells:
    """Variables that closures share, as attributes of one object. Reading one without a value raises Python's error."""

    def __getattribute__(self, name: str) -> Any:
        return bound(object.__getattribute__(self, name))


def cells(*names: str) -> Cells:
    """Return the shared variables ``names`` of a call of a function."""
    boxes = Cells()
    vars(boxes).update((name, unbound(name)) for name in names)
    return boxes


class Outer:
    """The holder of a global or nonlocal variable: the cell, or the namespace of the module."""

    __slots__ = ("cell", "space")

    def __init__(self, cell: types.CellType | None, space: dict[str, Any]) -> None:
        self.cell = cell
        self.space = space


def outer(variable: types.FunctionType) -> Outer:
    """Return the holder of the variable that ``variable()`` reads."""
    cells = dict(zip(variable.__code__.co_freevars, variable.__closure__ or (), strict=True))
    cells.pop("_jst", None)
    return Outer(next(iter(cells.values()), None), variable.__globals__)
