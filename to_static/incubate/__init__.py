"""What Paddle tries out: `autograd`, `nn`, `optimizer`. Loaded when asked for."""

from __future__ import annotations

import importlib
from typing import Any

from to_static.core.missing import of_module

_ROOMS = ("autograd", "nn", "optimizer")
_OPTIMIZERS = ("LookAhead", "ModelAverage")
__all__ = [*_ROOMS, *_OPTIMIZERS]


def __getattr__(name: str) -> Any:
    if name in _OPTIMIZERS:
        return getattr(importlib.import_module(f"{__name__}.optimizer"), name)
    if name not in _ROOMS:
        raise of_module(__name__, name)
    return importlib.import_module(f"{__name__}.{name}")
