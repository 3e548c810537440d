"""`saved_tensors_hooks`: what is kept for the backward pass goes through functions of the user's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.compiler.eager import saved_tensor_hooks
from to_static.compiler.ir import mode
from to_static.core.errors import ModeError


class saved_tensors_hooks:
    """Within its ``with`` block ``pack_hook(tensor)`` is kept for the backward pass in place of each tensor that is needed there.

    When it is needed ``unpack_hook(packed)`` gives the tensor back. Neither may change the tensor in place.

    Raises ModeError in a static function: a Program keeps what it needs in memory of its own.

    Example:
        >>> with paddle.autograd.saved_tensors_hooks(lambda x: x.numpy(), paddle.to_tensor):
        ...     z = x * y
    """

    def __init__(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        if mode.building():
            raise ModeError("saved_tensors_hooks: static functions decide what they save; use the hooks outside of them")
        saved_tensor_hooks.hooks.set((*saved_tensor_hooks.hooks.get(), (self.pack_hook, self.unpack_hook)))

    def __exit__(self, *args: Any) -> None:
        saved_tensor_hooks.hooks.set(saved_tensor_hooks.hooks.get()[:-1])
