"""Functions of each number: what the dense function makes of the values, at the same places. 0 must stay 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.compiler.eager.sparse_tensor import SparseCooTensor
from to_static.compiler.ops.pointwise import logic, power, unary
from to_static.compiler.ops.shapes import create
from to_static.core.dtypes import as_dtype
from to_static.sparse.creation import need_sparse


def valuewise(function: Callable[..., Any], what: str, path: str = "") -> Any:
    """The public function of sparse tensors, that a dense one of the same name leads to; ``path``: from ``paddle.sparse``."""
    public = function.__name__
    path = path or public

    def sparse(x: Any, name: Any = None) -> Any:
        return need_sparse(public, x).with_values(function(x.values()))

    sparse.__name__ = sparse.__qualname__ = public
    sparse.__doc__ = f"""{what} of each number of a sparse tensor.

    Args:
        x: a sparse Tensor, by coordinates or in rows.
        name: not used; there for compatibility.

    Returns:
        A sparse Tensor of the same shape with numbers at the same places; gradients are those of ``paddle.{path}``.

    Raises:
        TypeError: ``x`` is no sparse tensor.

    Example:
        >>> y = paddle.sparse.{path}(paddle.to_tensor([0.0, 0.5]).to_sparse_coo(1))
    """
    return sparse


sin = valuewise(unary.sin, "The sine")
tan = valuewise(unary.tan, "The tangent")
asin = valuewise(unary.asin, "The inverse sine")
atan = valuewise(unary.atan, "The inverse tangent")
sinh = valuewise(unary.sinh, "The hyperbolic sine")
tanh = valuewise(unary.tanh, "The hyperbolic tangent")
asinh = valuewise(unary.asinh, "The inverse hyperbolic sine")
atanh = valuewise(unary.atanh, "The inverse hyperbolic tangent")
sqrt = valuewise(unary.sqrt, "The square root")
square = valuewise(unary.square, "The square")
log1p = valuewise(unary.log1p, "log(1 + x)")
expm1 = valuewise(unary.expm1, "exp(x) - 1")
abs = valuewise(unary.abs, "The absolute value")
neg = valuewise(unary.neg, "The opposite")
deg2rad = valuewise(unary.deg2rad, "Radians, from degrees,")
rad2deg = valuewise(unary.rad2deg, "Degrees, from radians,")
isnan = valuewise(logic.isnan, "Whether it is NaN,")


def pow(x: Any, factor: float, name: Any = None) -> Any:
    """Each number of a sparse tensor to the power ``factor``, at the same places; see `paddle.pow`.

    ``x``: the tensor.

    Example:
        >>> paddle.sparse.pow(paddle.to_tensor([0.0, 3.0]).to_sparse_coo(1), 2).values().tolist()
        [9.0]
    """
    return need_sparse("pow", x).with_values(power.pow(x.values(), float(factor)))


def cast(x: Any, index_dtype: Any = None, value_dtype: Any = None, name: Any = None) -> Any:
    """A sparse tensor with other dtypes of its places and of its numbers; None (default) leaves them.

    ``x``: the tensor; ``index_dtype``, ``value_dtype``: the two dtypes.

    Example:
        >>> paddle.sparse.cast(paddle.to_tensor([0.0, 3.0]).to_sparse_coo(1), 'int32', 'float64').dtype
        paddle.float64
    """
    converted = need_sparse("cast", x).with_values(
        x.values() if value_dtype is None else create.cast(x.values(), as_dtype(value_dtype))
    )
    if index_dtype is None:
        return converted
    attributes = ("_indices",) if isinstance(converted, SparseCooTensor) else ("_crows", "_cols")
    for attribute in attributes:
        setattr(converted, attribute, create.cast(getattr(converted, attribute), as_dtype(index_dtype)))
    return converted
