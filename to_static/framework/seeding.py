"""The seed of all random operators."""

from __future__ import annotations

from to_static.core import backend
from to_static.ir import mode
from to_static.ops.random import set_seed


def seed(seed: int) -> None:
    """Seed the random numbers of every device, of the next operators and of Programs that run later.

    Inside a static function it takes effect in every call, at that place, as it does in dynamic mode; a file that `jit.save` makes
    does not hold it. While a Program is built by hand (`enable_static`) it takes effect at once.

    Example:
        >>> paddle.seed(0)
    """
    if mode.tracing():
        set_seed(seed)
    else:
        backend.seed(seed)
