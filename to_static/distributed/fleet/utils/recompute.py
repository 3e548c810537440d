"""`recompute`: a part of a network that need not keep its values for the backward pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def recompute(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """``function(*args, **kwargs)``. Paddle keeps none of its values and computes them again in the backward pass.

    Here they are kept. Results and gradients are the same, also with dropout. ``preserve_rng_state`` and ``use_reentrant`` are
    not handed on.

    Example:
        >>> y = paddle.distributed.fleet.utils.recompute(block, x)
    """
    for name in ("preserve_rng_state", "use_reentrant"):
        kwargs.pop(name, None)
    return function(*args, **kwargs)
