"""The refusal of functions that act on the world outside: see `to_static.transpile.world`."""

from __future__ import annotations

import types
from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.expressions import shown
from to_static.ir import mode
from to_static.jit.jst.traced import failure
from to_static.transpile.world import acts

_KINDS = (types.BuiltinFunctionType, types.FunctionType, types.MethodType, type)


def is_refused(target: Any) -> bool:
    """Whether a call of ``target`` is refused here."""
    kind = type(target)
    return mode.building() and (kind in _KINDS or kind.__module__ == "numpy") and acts(target)


def refuse(*args: Any, **kwargs: Any) -> Any:
    """Stands for such a function."""
    raise failure(
        TranslationError,
        f"files, processes or the terminal are used{shown()}: that would happen once, while the Program is built, whichever branch "
        "is taken, and not in the calls after that",
        "do it before the static function is called, and pass what comes of it as an argument; or afterwards, with the result",
    )
