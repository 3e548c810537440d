"""Paddle's operators by the names of its core: inputs and attributes by position."""

from typing import Any

from to_static.formats.paddle.positions import modern


def __getattr__(name: str) -> Any:
    found = None if name.startswith("__") else modern(name)
    if found is None:
        instead = "call it by its function in paddle or paddle.nn.functional"
        raise AttributeError(f"module {__name__!r} has no operator {name!r}: {instead}")
    return found
