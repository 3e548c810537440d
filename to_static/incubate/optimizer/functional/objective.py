"""A function of a vector whose values and gradients are asked for, counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.eager.tape import grad
from to_static.compiler.ops.shapes.create import to_tensor
from to_static.core.errors import ShapeError
from to_static.optimizer.line_search import Point


class Objective:
    """``function`` of a 1-D tensor, at arrays; ``calls`` says how often it was asked."""

    def __init__(self, function: Callable[[Any], Any], dtype: str) -> None:
        self.function, self.dtype, self.calls = function, dtype, 0

    def at(self, x: np.ndarray, direction: np.ndarray, step_length: float) -> Point:
        """Return value and slope at ``x + step_length * direction``. Raises ShapeError when the value is no scalar."""
        self.calls += 1
        position = to_tensor(x + x.dtype.type(step_length) * direction, self.dtype, stop_gradient=False)
        value = self.function(position)
        if value.size != 1:
            raise ShapeError(f"expected a function with one number as its value, got shape {value.shape}")
        gradient = grad(value, position)[0].numpy()
        return Point(step_length, float(value), gradient, float(gradient @ direction))
