"""Low precisions that operators compute in: none. A message says so once for each function that asks for them."""

from __future__ import annotations

from typing import Any

from to_static.core import backend
from to_static.core.log import warn_here

_warned: set[str] = set()


def say(what: str) -> None:
    """Warn, the first time, that ``what`` makes no effect."""
    if what not in _warned:
        _warned.add(what)
        device = backend.current().place
        warn_here(f"{what} makes no effect on {device}: everything is computed in float32")


def is_float16_supported(device: Any = None) -> bool:
    """Return whether `auto_cast` computes in float16 on a device: False.

    ``device``: not used.

    Example:
        >>> paddle.amp.is_float16_supported()
        False
    """
    return False


def is_bfloat16_supported(device: Any = None) -> bool:
    """Return whether `auto_cast` computes in bfloat16 on a device: False.

    ``device``: not used.

    Example:
        >>> paddle.amp.is_bfloat16_supported()
        False
    """
    return False
