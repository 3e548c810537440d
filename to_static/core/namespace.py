"""The ``__dict__`` of objects that hold something for us which is none of their attributes.

What belongs to one object and leads back to it has to be held by that object, or neither would ever be freed. It can't be among
the attributes: ``vars(obj)``, copies, comparisons would tell.
"""

from __future__ import annotations

from typing import Any


class Namespace(dict[str, Any]):
    """A dict with something ``beside`` its items, which no copy of it has; in all else it is a plain one."""

    __slots__ = ("beside",)

    def __init__(self, *items: Any) -> None:
        super().__init__(*items)
        self.beside: dict[Any, Any] = {}

    def __reduce_ex__(self, protocol: Any) -> Any:
        return dict, (), None, None, iter(self.items())


def type_of(value: Any) -> type:
    """The type of a value; dict for a `Namespace`, too."""
    kind: type = type(value)
    return dict if kind is Namespace else kind


__all__ = ["Namespace", "type_of"]
