"""The tables that declarations fill: operators by name, by file type, and public functions by name.

A program that uses few operators should not pay for all of them at start-up: importing `to_static.ops` loads the families that
nearly every program needs, and the tables load the others when something is asked for that they don't have yet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from to_static.core.errors import ProgramError

if TYPE_CHECKING:
    from to_static.ir.opdef import OpDef

_loader: Callable[[], None] | None = None  # imports the families that are not loaded yet


def set_loader(loader: Callable[[], None]) -> None:
    """Say how all operators are loaded (called once, by the ops package)."""
    global _loader
    _loader = loader


def load_all() -> bool:
    """Load all operators; False when that was done before."""
    global _loader
    if _loader is None:
        return False
    loader, _loader = _loader, None
    loader()
    return True


class Table(dict):  # type: ignore[type-arg]
    """A dict that loads all operators before it says that it does not have a key, or is iterated."""

    def __missing__(self, key: str) -> Any:
        if load_all():
            return self[key]
        raise KeyError(key)

    def get(self, key: str, default: Any = None) -> Any:
        """The entry of ``key``, or ``default``."""
        return dict.get(self, key, default) if key in self else default

    def __contains__(self, key: object) -> bool:
        return dict.__contains__(self, key) or (load_all() and dict.__contains__(self, key))

    def __iter__(self) -> Any:
        load_all()
        return dict.__iter__(self)

    def __len__(self) -> int:
        load_all()
        return dict.__len__(self)

    def keys(self) -> Any:
        """All names."""
        load_all()
        return dict.keys(self)

    def values(self) -> Any:
        """All entries."""
        load_all()
        return dict.values(self)

    def items(self) -> Any:
        """All pairs of name and entry."""
        load_all()
        return dict.items(self)

    def declared(self, key: str) -> bool:
        """Whether ``key`` is there already, without loading anything."""
        return dict.__contains__(self, key)


REGISTRY: Table = Table()
FILE_TYPES: Table = Table()  # op type in Paddle files -> the operator that reads it
FUNCTIONS: Table = Table()  # public functions that `Tensor` needs by name


def get(name: str) -> OpDef:
    """The operator of that name; raises ProgramError when there is none."""
    found = REGISTRY.get(name)
    if found is None:
        raise ProgramError(f"unknown operator {name!r}")
    return found
