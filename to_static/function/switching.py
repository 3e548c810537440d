"""How a static function goes back to dynamic mode, and to another training mode."""

from __future__ import annotations

import types
from typing import Any

from to_static.core.errors import ModeError
from to_static.function.shared import Shared
from to_static.nn.layer import Layer


class Switching(Shared):
    """What `StaticFunction` has for that."""

    def rollback(self) -> Any:
        """Undo `to_static`: give the object its dynamic method back; returns it."""
        instance = self._instance
        if instance is None:
            return self._function
        if instance.__dict__.get(self._function.__name__) is self:
            del instance.__dict__[self._function.__name__]
        method = types.MethodType(self._function, instance)
        if isinstance(getattr(type(instance), self._function.__name__, None), Switching):
            instance.__dict__[self._function.__name__] = method
        return method

    def train(self) -> None:
        """Train mode, for functions that are no method of a Layer."""
        self._set_training(True)

    def eval(self) -> None:
        """Eval mode, for functions that are no method of a Layer."""
        self._set_training(False)

    def _set_training(self, value: bool) -> None:
        if isinstance(self._instance, Layer):
            raise ModeError("call train() or eval() of the Layer itself")
        self._training = value
        self._epoch = -1
