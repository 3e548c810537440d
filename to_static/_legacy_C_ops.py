"""Paddle's operators by the types that its files have: inputs by position, then names and values of attributes."""

from typing import Any

from to_static.compiler.formats.paddle.operators.c_ops_signatures import legacy


def __getattr__(name: str) -> Any:
    function = None if name.startswith("__") else legacy(name)
    if function is None:
        instead = "call it by its function in paddle or paddle.nn.functional"
        raise AttributeError(f"module {__name__!r} has no operator {name!r}: {instead}")
    return function
