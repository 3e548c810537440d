"""The tables that declarations fill: operators by name, by file type, and public functions by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from to_static.core.errors import ProgramError

if TYPE_CHECKING:
    from to_static.ir.opdef import OpDef

REGISTRY: dict[str, OpDef] = {}
FILE_TYPES: dict[str, OpDef] = {}  # op type in Paddle files -> the operator that reads it
FUNCTIONS: dict[str, Callable[..., Any]] = {}  # public functions that `Tensor` needs by name


def get(name: str) -> OpDef:
    """The operator of that name; raises ProgramError when there is none."""
    found = REGISTRY.get(name)
    if found is None:
        raise ProgramError(f"unknown operator {name!r}")
    return found
