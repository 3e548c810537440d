"""Names without a value: what translated code holds where Python would have no variable."""

from __future__ import annotations

from typing import Any

from to_static.core.errors import UnboundVariableError
from to_static.core.site import Site, capture, describe


class Unbound:
    """Stands for a variable that no statement on the path taken has assigned; any use goes through `bound`, which raises."""

    __slots__ = ("name", "why")

    def __init__(self, name: str, why: str = "") -> None:
        self.name = name
        self.why = why

    def error(self, site: Site | None) -> UnboundVariableError:
        """The error for a use at ``site``."""
        why = self.why or "no statement on the path taken assigns it"
        where = f"\n{describe(site)}" if site else ""
        return UnboundVariableError(f"local variable {self.name!r} is used before it has a value: {why}{where}")

    def __repr__(self) -> str:
        return f"<unbound {self.name}>"


def unbound(name: str = "") -> Unbound:
    """The marker for variable ``name`` before its first assignment; '' for the translator's own variable."""
    return Unbound(name)


def bound(value: Any) -> Any:
    """``value``, unless it is the marker of a variable without value: then UnboundVariableError with the user's line."""
    if type(value) is Unbound:
        raise value.error(capture(2))
    return value
