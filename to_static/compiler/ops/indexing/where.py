"""Selection by a condition: where, nonzero."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir.building.union_values import first_union, substitute
from to_static.compiler.ir.opdef import GradContext, Sample, method, op
from to_static.compiler.ir.program import Var
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks, operands, shape_rules, traced_values
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import float64, int64, promote
from to_static.core.errors import DTypeError


@op("where(Condition, X, Y -> Out)", traits="integral elementwise")
def where(
    condition: Tensor, x: Tensor | float | None = None, y: Tensor | float | None = None, name: str | None = None
) -> Any:
    """``x`` where the boolean ``condition`` holds, else ``y``; the three broadcast.

    A float counts as a float64 tensor, as in Paddle, so the result is one; other numbers take the dtype of the tensor beside
    them. As in Paddle, too, a condition of numbers (in the dtype of ``x``, not 0: true) is taken where shapes differ, and raises
    DTypeError where all three are of one. With only a condition: the tuple of its true positions (see `nonzero`).

    Example:
        >>> paddle.where(x > 0, x, 0.0)
    """
    if x is None and y is None:
        return nonzero(condition, as_tuple=True)
    if x is None or y is None:
        raise TypeError("where: give both x and y, or neither")
    union = first_union((condition, x, y)) if mode.current().building else None
    if union is not None:
        return union.each(lambda option: where(*substitute((condition, x, y), union, option)))
    if not (isinstance(x, Tensor) and isinstance(y, Tensor) and x.python_type is None is y.python_type):
        like = next((v for v in (x, y) if isinstance(v, Tensor) and v.python_type is None), None)
        x, y = _operand(x, like), _operand(y, like)
    if x.dtype is not y.dtype:
        dtype_checks.need_one_dtype("where", x.spec, y.spec, promotable_kinds="fc")
        common_dtype = promote(x.dtype, y.dtype)
        x, y = F.cast(x, common_dtype), F.cast(y, common_dtype)
    if not isinstance(condition, Tensor) or condition.python_type is not None:
        condition = operands.tensor(condition)
    if condition.dtype.kind != "b" and not condition.spec.shape == x.spec.shape == y.spec.shape:
        condition = F.cast(F.cast(condition, x.dtype), "bool")
    return where.emit(condition, x, y)


def _operand(value: Any, like: Any) -> Tensor:
    if type(value) is float:
        return operands.hidden_constant(value, float64)
    if isinstance(value, Tensor) and value.python_type is float:
        return F.cast(value, float64)
    return operands.tensor(value, like)


@where.infer
def _(condition: TensorSpec, x: TensorSpec, y: TensorSpec) -> TensorSpec:
    if condition.dtype.kind != "b":
        raise DTypeError(
            f"where: the condition must be a boolean tensor, got {condition.dtype.name}; compare it with something"
        )
    shape = shape_rules.broadcast(x.shape, y.shape, "where")
    return x.with_shape(shape_rules.broadcast(condition.shape, shape, "where"))


@where.kernel
def _(xp: ArrayModule, condition: Array, x: Array, y: Array, donated: bool = False) -> Array:
    if not donated:
        return xp.where(condition, x, y)
    xp.copyto(y, x, where=condition)
    return y


where.op.donated_input = 2
where.op.reads_no_numbers_of("X", "Y", "Out")


@where.may_raise
def _(condition: Var, x: Var, y: Var) -> bool:
    return any(traced_values.may_not_broadcast(a, b) for a, b in ((x, y), (condition, x), (condition, y)))


@where.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    condition, x, y = ctx.inputs
    zeros = F.zeros_like(g)
    gx = shape_rules.unbroadcast(where.emit(condition, g, zeros), x) if ctx.needs[1] else None
    gy = shape_rules.unbroadcast(where.emit(condition, zeros, g), y) if ctx.needs[2] else None
    return None, gx, gy


where.samples(
    lambda: [
        Sample(np.asarray([[True, False, True]]), f32(2, 3), f32(2, 3, seed=1)),
        Sample(np.asarray([True, False]), f32(2), f32(seed=1)),
    ]
)


method()(where)


@op("nonzero(Condition -> Out)", file="where_index", traits="dynamic nodiff")
def nonzero(x: Tensor, as_tuple: bool = False) -> Any:
    """Positions of the elements that are not zero, [n, ndim] int64; ``as_tuple``: a [n, 1] column per dimension.

    ``x``: of any dtype. The number of positions depends on the data: in a Program it is an unknown size.

    Example:
        >>> paddle.nonzero(paddle.to_tensor([0.0, 2.0, 3.0])).tolist()
        [[1], [2]]
    """
    coordinates = nonzero.emit(x)
    return tuple(F.split(coordinates, x.ndim, 1)) if as_tuple else coordinates


@nonzero.infer
def _(x: TensorSpec) -> TensorSpec:
    return TensorSpec((UNKNOWN, x.ndim), int64)


@nonzero.kernel
def _(xp: ArrayModule, x: Array) -> Array:
    if not x.ndim:
        return xp.zeros((int(bool(x)), 0), "int64")
    indices = xp.nonzero(x)
    if len(indices) == 1:
        return indices[0].reshape(-1, 1).astype("int64", copy=False)
    return xp.array(indices, "int64").T.copy() if xp is np else xp.stack(indices, 1).astype("int64", copy=False)


_FEW = 1 << 12


@nonzero.specialize
def _(out: TensorSpec, x: TensorSpec) -> Any:
    if not 0 < x.size <= _FEW:
        return None
    positions, boolean = _places(x.shape), x.dtype.kind == "b"
    return lambda x: positions.compress(x.reshape(-1) if boolean else x.reshape(-1) != 0, 0)


@functools.lru_cache(64)
def _places(shape: tuple[int, ...]) -> Any:
    """The positions in an array of a shape, one after the other, not to be written to."""
    return np.moveaxis(np.indices(shape), 0, -1).reshape(-1, len(shape)) if shape else np.zeros((1, 0), np.int64)


nonzero.samples(lambda: [Sample(np.asarray([[1, 0], [0, 2]])), Sample(np.asarray([True, False, True]))])
method()(nonzero)
