"""Attributes that a call sets or deletes: `setattr`, `delattr`, ``object.__setattr__``, ``super().__setattr__``."""

from __future__ import annotations

import types
from typing import Any

from to_static.ir import mode
from to_static.jit.jst.blocks import touch, touch_plainly
from to_static.jit.jst.chosen import over
from to_static.nn.layer import Layer

_PLAIN = (object.__setattr__, object.__delattr__, Layer.__setattr__, Layer.__delattr__)
_KINDS = (types.FunctionType, types.MethodType, types.WrapperDescriptorType, types.MethodWrapperType)
_NAMES = frozenset(function.__name__ for function in _PLAIN)


@over
def setattr_(owner: Any, name: str, value: Any) -> None:
    """``setattr``, announced where a block of the Program may or may not do it."""
    touch(owner, name)
    setattr(owner, name, value)


@over
def delattr_(owner: Any, name: str) -> None:
    """``delattr``, announced in the same way."""
    touch(owner, name)
    delattr(owner, name)


def plainly(target: Any) -> Any:
    """``object.__setattr__``, ``super().__setattr__`` and the like, announced; None for others."""
    if type(target) not in _KINDS or target.__name__ not in _NAMES or not mode.building():
        return None
    owner, function = [], target
    if type(target) is types.MethodWrapperType:
        owner, function = [target.__self__], getattr(target.__objclass__, target.__name__)  # type: ignore[attr-defined]
    elif type(target) is types.MethodType:
        owner, function = [target.__self__], target.__func__
    if function not in _PLAIN:
        return None

    @over
    def run(*args: Any) -> None:
        touch_plainly(*[*owner, *args][:2])
        target(*args)

    return run
