"""What the tape keeps for the backward pass, as hooks of the user's want it (`autograd.saved_tensors_hooks`)."""

from __future__ import annotations

import threading
from typing import Any


class _State(threading.local):
    def __init__(self) -> None:
        self.hooks: list[tuple[Any, Any]] = []  # pairs (pack, unpack), of which the last one works


state = _State()


class Packed:
    """What a hook made of something that is kept."""

    __slots__ = ("unpack", "value")

    def __init__(self, tensor: Any) -> None:
        pack, self.unpack = state.hooks[-1]
        hooks, state.hooks = state.hooks, []  # what a hook computes is kept as it is
        try:
            self.value = pack(tensor)
        finally:
            state.hooks = hooks

    def tensor(self) -> Any:
        """The tensor again."""
        return self.unpack(self.value)


def unpacked(kept: Any) -> Any:
    """The tensor that was kept, or what a hook makes of it."""
    return kept.tensor() if type(kept) is Packed else kept
