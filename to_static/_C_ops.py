"""Paddle's operators by the names of its core: inputs and attributes by position."""

from typing import Any

from to_static.compiler.formats.paddle.operators.c_ops_signatures import modern


def __getattr__(name: str) -> Any:
    function = None if name.startswith("__") else modern(name)
    if function is None:
        instead = "call it by its function in paddle or paddle.nn.functional"
        raise AttributeError(f"module {__name__!r} has no operator {name!r}: {instead}")
    return function
