"""Paddle's inner modules, by which code that tools have written names functions: ``paddle.tensor.manipulation.concat``."""

from __future__ import annotations

import sys
import types
from typing import Any


class Group(types.ModuleType):
    """A module that finds every name in the module ``owner``, and itself under the names of its ``parts``."""

    def __init__(self, name: str, owner: str, parts: str = "") -> None:
        super().__init__(name, f"The names of `{owner}`, by way of a module that Paddle has them in.")
        self._owner, self._parts = owner, frozenset(parts.split())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return self if name in self._parts else getattr(sys.modules[self._owner], name)
