"""Names without a value: what translated code holds where Python would have no variable."""

from __future__ import annotations

from typing import Any

from to_static.core.errors import UnboundVariableError
from to_static.core.expressions import assigned
from to_static.core.site import capture, report
from to_static.ir.registry import FUNCTIONS


class Unbound:
    """Stands for a variable that no statement on the path taken has assigned; any use goes through `bound`, which raises."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<unbound {self.name}>"


class Maybe:
    """A variable that has a value only when the 0-D boolean tensor ``defined`` is true; ``value`` is filler otherwise."""

    __slots__ = ("defined", "name", "value")
    known_later = True

    def __init__(self, name: str, value: Any, defined: Any) -> None:
        self.name = name
        self.value = value
        self.defined = defined

    def __held__(self) -> Any:
        return None, [self.value]

    def __repr__(self) -> str:
        return f"<{self.name}, if assigned>"


def unbound(name: str = "") -> Unbound:
    """The marker for variable ``name`` before its first assignment; '' for the translator's own variable."""
    return Unbound(name)


def bound(value: Any) -> Any:
    """``value``, unless it is the marker of a variable without value: then UnboundVariableError with the user's line.

    When that depends on tensors, the check is made when the Program runs.
    """
    if type(value) is Unbound:
        from to_static.jit.jst.blocks import raises

        raise raises(UnboundVariableError(_message(value.name)))
    if type(value) is Maybe:
        if value.name:  # our own `result` is read only where it was set
            from to_static.jit.jst.catching import check_uncaught

            check_uncaught(UnboundVariableError)
            FUNCTIONS["assert"](value.defined, (), _message(value.name), "UnboundVariableError")
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


def _lines(numbers: list[int]) -> str:
    return f"line{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers[:3]))}{', ...' if len(numbers) > 3 else ''}"
