"""All parameters as one vector, and back."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from to_static.compiler.ir import mode
from to_static.compiler.ops import functions
from to_static.core.errors import ShapeError


def parameters_to_vector(parameters: Iterable[Any], name: str | None = None) -> Any:
    """The elements of all ``parameters``, one after the other, in a 1-D tensor.

    Example:
        >>> paddle.nn.utils.parameters_to_vector(paddle.nn.Linear(2, 3).parameters()).shape
        [9]
    """
    return functions.concat([p.reshape([-1]) for p in parameters], 0)


def vector_to_parameters(vec: Any, parameters: Iterable[Any], name: str | None = None) -> None:
    """Set ``parameters`` from a vector that `parameters_to_vector` made. Raises ShapeError when its length differs.

    ``vec``: 1-D, with the elements of all ``parameters`` in order.

    Example:
        >>> params = paddle.nn.Linear(2, 3).parameters()
        >>> paddle.nn.utils.vector_to_parameters(paddle.zeros([9]), params)
        >>> params[0].tolist()
        [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    params = list(parameters)
    need = sum(math.prod(p.shape) for p in params)
    if list(vec.shape) != [need]:
        raise ShapeError(f"vector_to_parameters: expected a vector of {need} elements, got shape {list(vec.shape)}")
    start = 0
    with mode.grad_mode(False):
        for p in params:
            size = math.prod(p.shape)
            p.set_value(vec[start : start + size].reshape(list(p.shape)))
            start += size
