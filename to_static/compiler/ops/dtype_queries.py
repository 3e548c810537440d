"""Questions about a tensor that are answered at once: its kind of dtype, the shape two tensors broadcast to."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.opdef import method
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import shape_rules


@method()
def is_floating_point(x: Tensor) -> bool:
    """True when the dtype of ``x`` is floating (not complex)."""
    return x.dtype.kind == "f"


@method()
def is_integer(x: Tensor) -> bool:
    """True when the dtype of ``x`` is an integer one."""
    return x.dtype.is_integer


@method()
def is_complex(x: Tensor) -> bool:
    """True when the dtype of ``x`` is complex."""
    return x.dtype.kind == "c"


def broadcast_shape(x_shape: Any, y_shape: Any) -> list[int]:
    """The shape that two shapes broadcast to. Raises ShapeError when they do not."""
    return list(shape_rules.broadcast(tuple(x_shape), tuple(y_shape), "broadcast_shape"))


def tolist(x: Tensor) -> Any:
    """The elements of a tensor as nested lists."""
    return x.tolist()
