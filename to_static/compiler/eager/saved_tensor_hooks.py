"""Saved-tensor hooks: user functions that pack what the tape saves for the backward pass (`autograd.saved_tensors_hooks`)."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from to_static.compiler.ir.tensor import Tensor

hooks: ContextVar[tuple[tuple[Any, Any], ...]] = ContextVar("hooks", default=())  # pairs (pack, unpack), of which the last works


class Packed:
    """The result of a pack hook for a saved tensor, and the hook that unpacks it."""

    __slots__ = ("unpack", "value")

    def __init__(self, tensor: Tensor) -> None:
        outer_hooks = hooks.get()
        pack, self.unpack = outer_hooks[-1]
        hooks.set(())  # what a hook computes is kept as it is
        try:
            self.value = pack(tensor)
        finally:
            hooks.set(outer_hooks)

    def tensor(self) -> Any:
        """The tensor again."""
        return self.unpack(self.value)


def unpacked(packed: object) -> Any:
    """Return the saved tensor, or the result of the unpack hook."""
    return packed.tensor() if type(packed) is Packed else packed
