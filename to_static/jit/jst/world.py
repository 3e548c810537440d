"""Functions of the world outside: the refusal of those that act on it, and what those that ask it mean. See `transpile.world`."""

from __future__ import annotations

import types
from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.expressions import shown
from to_static.ir import mode
from to_static.jit import recording
from to_static.jit.jst.blocks import inside_block
from to_static.jit.jst.traced import failure
from to_static.transpile.world import acts, asks

_KINDS = (types.BuiltinFunctionType, types.FunctionType, types.MethodType, type)


def is_refused(target: Any) -> bool:
    """Whether a call of ``target`` is refused here."""
    kind = type(target)
    return mode.building() and (kind in _KINDS or kind.__module__ == "numpy") and acts(target)


def is_asked(target: Any) -> bool:
    """Whether ``target`` asks the clock or the system."""
    return mode.building() and type(target) in _KINDS[:3] and asks(target)


def asking(function: Any) -> Any:
    """``function``, one of these: what is traced with its answer is good for one call."""

    def run(*args: Any, **kwargs: Any) -> Any:
        if inside_block():
            raise failure(
                TranslationError,
                f"{function.__name__}() is called under a tensor condition or in a tensor loop{shown()}: that happens while the "
                "Program is built, not when it runs",
                "call it before the condition or loop, and keep what it gives in a variable",
            )
        recording.asks_world(f"{function.__name__}()")
        return function(*args, **kwargs)

    return run


def refuse(*args: Any, **kwargs: Any) -> Any:
    """Stands for such a function."""
    raise failure(
        TranslationError,
        f"files, processes or the terminal are used{shown()}: that would happen once, while the Program is built, whichever branch "
        "is taken, and not in the calls after that",
        "do it before the static function is called, and pass what comes of it as an argument; or afterwards, with the result",
    )
