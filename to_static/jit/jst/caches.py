"""Functions under `functools.lru_cache`, which keep what they return."""

from __future__ import annotations

import functools
from typing import Any

from to_static.core import tree
from to_static.core.errors import TranslationError
from to_static.ir import mode
from to_static.ir.tensor import Tensor
from to_static.jit.jst.traced import failure

KIND = type(functools.lru_cache(len))


def cached(function: Any) -> Any:
    """``function`` for a Program: Python runs it, once for each value of its arguments, and the Program takes what it keeps.

    What it would keep for a tensor exists only when the Program runs, so the call is refused then.
    """

    @functools.wraps(function)
    def keeping(*args: Any, **kwargs: Any) -> Any:
        if not mode.building():
            return function(*args, **kwargs)
        leaves, _ = tree.flatten((args, kwargs))
        if any(isinstance(leaf, Tensor) for leaf in leaves):
            name = getattr(function, "__name__", "the function")
            raise failure(
                TranslationError,
                f"cannot translate `{name}()`, which functools.lru_cache lets keep its results: those for tensors are known only "
                "when the Program runs",
                f"call the function without its cache, `{name}.__wrapped__(...)`, or pass the numbers it needs, `x.shape[0]`",
            )
        with mode.default_mode():
            return function(*args, **kwargs)

    return keeping
