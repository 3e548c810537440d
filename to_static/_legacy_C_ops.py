"""Paddle's operators by the types that its files have: inputs by position, then names and values of attributes."""

from typing import Any

from to_static.formats.paddle.positions import legacy


def __getattr__(name: str) -> Any:
    found = None if name.startswith("__") else legacy(name)
    if found is None:
        instead = "call it by its function in paddle or paddle.nn.functional"
        raise AttributeError(f"module {__name__!r} has no operator {name!r}: {instead}")
    return found
