"""Objects of the user's classes as trees: what two branches make of one class is joined attribute by attribute."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable
from typing import Any

from to_static.core.namespace import type_of
from to_static.ir.spec import ListSpec
from to_static.ir.tensor import Tensor
from to_static.jit.contents import is_users
from to_static.jit.handback import is_plain_class
from to_static.jit.jst.stands import Stand
from to_static.jit.jst.table_kinds import KINDS
from to_static.nn.layer import Layer


class Object:
    """An object to be: its class, and the trees of its attributes."""

    __slots__ = ("content", "kind")

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.content: dict[str, Any] = {}


def is_object(value: Any) -> bool:
    """True for an object that is what its attributes say, and lets them be set."""
    kind: Any = type(value)
    if not (is_users(kind) or dataclasses.is_dataclass(kind)) or kind.__setattr__ is not object.__setattr__:
        return False
    if isinstance(value, (type, Layer, Tensor, enum.Enum)) or hasattr(kind, "of_user") or not is_plain_class(kind):
        return False
    return type_of(getattr(value, "__dict__", None)) is dict and not any(vars(base).get("__slots__") for base in kind.__mro__)


def remade(like: Any, change: Callable[[Any], Any]) -> Any:
    """Another object like this one, with ``change(value)`` for each of its attributes."""
    made = object.__new__(type(like))
    vars(made).update((name, change(x)) for name, x in vars(like).items())
    return made


def can_be_shared(value: Any) -> bool:
    """True for what has an identity: it can change, and all its names see that."""
    kind: Any = type_of(value)
    if isinstance(value, Stand) or kind in KINDS:
        return True
    if isinstance(value, Tensor):
        return not getattr(value, "undecided", False) and isinstance(value.spec, ListSpec)
    return kind is list or kind is dict or is_object(value) or (dataclasses.is_dataclass(value) and not isinstance(value, type))
