"""The seed of all random operators."""

from __future__ import annotations

from to_static.core import backend, site
from to_static.core.errors import ModeError
from to_static.ir import mode


def seed(value: int) -> None:
    """Seed the random numbers of every device, of the next operators and of Programs that run later.

    Raises ModeError inside a static function: the seed would be set once, while it is traced, and not at every call.

    Example:
        >>> paddle.seed(0)
    """
    if mode.building():
        where = site.capture()
        raise ModeError(
            "seed() inside a static function would run only once, while it is traced: call it before the function"
            + (f"\n{site.describe(where)}" if where else "")
        )
    backend.seed(value)
