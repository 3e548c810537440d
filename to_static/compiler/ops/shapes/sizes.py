"""Sizes as tensors: shape, numel, one dimension, the number of dimensions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from to_static.compiler.ir.opdef import Sample, method, op
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import operands, shape_rules
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import int32, int64

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileWriter


@op("dim_size(X -> Out) axis", file=None, traits="nodiff")
def dim_size(x: Tensor, axis: int) -> Tensor:
    """Size of dimension ``axis``, a 0-D int64 tensor."""
    return dim_size.emit(x, axis=axis)


@dim_size.infer
def _(x: TensorSpec, axis: int) -> TensorSpec:
    shape_rules.axis_index(axis, x.ndim, "dim_size")
    return TensorSpec((), int64)


@dim_size.kernel
def _(xp: ArrayModule, x: Array, axis: int) -> Array:
    return xp.asarray(x.shape[axis], "int64")


@dim_size.to_file
def _(w: FileWriter, op: Op) -> None:
    x, axis = op.inputs[0], op.attrs["axis"] % op.inputs[0].spec.ndim
    sizes, one = w.temp(TensorSpec((x.spec.ndim,), int32)), w.temp(TensorSpec((), int32))
    w.write("shape", {"Input": x}, {"Out": sizes}, {})
    attrs = {"axes": [0], "starts": [axis], "ends": [axis + 1], "decrease_axis": [0], "infer_flags": [1]}
    w.write("slice", {"Input": sizes}, {"Out": one}, {k: ("ints", v) for k, v in attrs.items()})
    w.write("cast", {"X": one}, {"Out": op.out}, {"in_dtype": ("dtype", int32), "out_dtype": ("dtype", int64)})


dim_size.samples(lambda: [Sample(np.ones((2, 3)), axis=1), Sample(np.ones((2, 3)), axis=-2)])


@op("shape(Input -> Out)", traits="nodiff")
def shape(input: Tensor) -> Tensor:
    """The dimensions of ``input`` as a 1-D int32 tensor.

    Example:
        >>> paddle.shape(paddle.ones([2, 3])).tolist()
        [2, 3]
    """
    return shape.emit(input)


@shape.infer
def _(x: TensorSpec) -> TensorSpec:
    return TensorSpec((x.ndim,), int32)


@shape.kernel
def _(xp: ArrayModule, x: Array) -> Array:
    return xp.asarray(x.shape, "int32")


shape.samples(lambda: [Sample(np.ones((2, 3))), Sample(np.ones(()))])


@op("numel(Input -> Out)", file="size", traits="nodiff", method=True)
def numel(x: Tensor, name: str | None = None) -> Tensor:
    """Number of elements, a 0-D int64 tensor.

    ``x``: of any shape and dtype.

    Example:
        >>> paddle.numel(paddle.ones([2, 3])).item()
        6
    """
    return numel.emit(x)


@numel.infer
def _(x: TensorSpec) -> TensorSpec:
    return TensorSpec((), int64)


@numel.kernel
def _(xp: ArrayModule, x: Array) -> Array:
    return xp.asarray(x.size, "int64")


numel.samples(lambda: [Sample(np.ones((2, 3))), Sample(np.ones(()))])


@method()
def rank(input: Tensor) -> Tensor:
    """Number of dimensions, a 0-D int32 tensor.

    ``input``: of any shape and dtype.

    Example:
        >>> paddle.rank(paddle.ones([2, 3])).item()
        2
    """
    return operands.constant(input.ndim, int32)


@method()
def is_empty(x: Tensor, name: str | None = None) -> Tensor:
    """Return True if ``x`` has no elements, as a 0-D boolean tensor.

    Example:
        >>> paddle.is_empty(paddle.zeros([0, 3])).item()
        True
    """
    return numel(x) == 0
