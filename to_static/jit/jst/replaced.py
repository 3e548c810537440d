"""Buffers that get another tensor in a branch or loop: the Program gives theirs its value, so nobody else may hold the old one."""

from __future__ import annotations

from typing import Any

from to_static.core.errors import TranslationError
from to_static.ir import mode
from to_static.jit.jst.joined import handle_of, numbers
from to_static.jit.jst.owners import has_other_names
from to_static.jit.jst.traced import failure


def let_go(owner: dict[str, Any], name: str, new: Any) -> None:
    """Called before the tensor of the buffer ``owner[name]`` gets the value of ``new``."""
    gone = mode.state.mode.gone
    chosen = numbers().others(handle_of(owner[name]))  # what conditions chose, perhaps the old one
    if chosen or has_other_names(owner[name], apart=owner) or any(new is tensor for tensor in gone):
        raise failure(
            TranslationError,
            f"buffer {name!r} gets another tensor under a tensor condition or in a tensor loop, while a variable holds the old one",
            f"copy it first: `old = self.{name}.clone()`",
        )
    gone.append(owner[name])
