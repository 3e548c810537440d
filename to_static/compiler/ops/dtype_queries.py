"""Functions that answer questions about dtypes and shapes at once, such as `is_floating_point` and `broadcast_shape`."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.opdef import method
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import shape_rules


@method()
def is_floating_point(x: Tensor) -> bool:
    """True when the dtype of ``x`` is floating (not complex).

    Example:
        >>> paddle.is_floating_point(paddle.ones([1])), paddle.is_floating_point(paddle.ones([1], "int64"))
        (True, False)
    """
    return x.dtype.kind == "f"


@method()
def is_integer(x: Tensor) -> bool:
    """True when the dtype of ``x`` is an integer one.

    Example:
        >>> paddle.is_integer(paddle.ones([1], "int64"))
        True
    """
    return x.dtype.is_integer


@method()
def is_complex(x: Tensor) -> bool:
    """True when the dtype of ``x`` is complex.

    Example:
        >>> paddle.is_complex(paddle.to_tensor([1 + 2j]))
        True
    """
    return x.dtype.kind == "c"


def broadcast_shape(x_shape: Any, y_shape: Any) -> list[int]:
    """The shape that two shapes broadcast to. Raises ShapeError when they do not.

    ``x_shape``, ``y_shape``: lists of sizes; -1 is an unknown size.

    Example:
        >>> paddle.broadcast_shape([2, 1, 3], [4, 1])
        [2, 4, 3]
    """
    return list(shape_rules.broadcast(tuple(x_shape), tuple(y_shape), "broadcast_shape"))


def tolist(x: Tensor) -> Any:
    """The elements of a tensor as nested lists.

    ``x``: a tensor of any shape; a 0-D tensor gives a number. In a traced function this needs numbers that only a run
    knows: a graph break.

    Example:
        >>> paddle.tolist(paddle.ones([2, 1]))
        [[1.0], [1.0]]
    """
    return x.tolist()
