"""Indices of a table that is split over several machines (shard_index)."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import ArgumentError, DTypeError, ShapeError


@op(
    "shard_index(X -> Out) index_num:int nshards:int shard_id:int ignore_value:int",
    traits="elementwise may_raise nodiff check_shapes",
)
def shard_index(input: Any, index_num: int, nshards: int, shard_id: int, ignore_value: int = -1) -> Tensor:
    """The numbers below ``index_num`` counted within the part ``shard_id`` of ``nshards`` equal parts; others ``ignore_value``.

    ``input``: integers ``[*, 1]``. Raises DTypeError for anything else, ShapeError for other shapes, ValueError when the parts
    do not fit and (when it runs) for a number of ``index_num`` or more.

    Example:
        >>> paddle.shard_index(paddle.to_tensor([[1], [12]]), 20, 2, 0).tolist()
        [[1], [-1]]
    """
    return shard_index.emit(
        input, index_num=int(index_num), nshards=int(nshards), shard_id=int(shard_id), ignore_value=int(ignore_value)
    )


@shard_index.infer
def _(x: TensorSpec, index_num: int, nshards: int, shard_id: int, ignore_value: int) -> TensorSpec:
    if not x.dtype.is_integer:
        raise DTypeError(f"shard_index: expected integers, got {x.dtype.name}")
    if x.ndim < 2 or x.shape[-1] not in (1, UNKNOWN):
        raise ShapeError(f"shard_index: expected the shape [*, 1], got {show(x.shape)}; input.unsqueeze(-1) has it")
    if index_num < 1 or nshards < 1 or not 0 <= shard_id < nshards:
        raise ArgumentError(f"shard_index: part {shard_id} of {nshards} parts of {index_num} numbers does not exist")
    return x


@shard_index.kernel
def _(xp: ArrayModule, x: Array, index_num: int, nshards: int, shard_id: int, ignore_value: int) -> Array:
    if x.size and x.max() >= index_num:
        raise ArgumentError(f"shard_index: expected numbers below index_num={index_num}, got {x.max()}")
    size = (index_num + nshards - 1) // nshards
    return xp.where(x // size == shard_id, x % size, xp.asarray(ignore_value).astype(x.dtype))


shard_index.samples(
    lambda: [
        Sample(np.asarray([[1], [12], [19]]), index_num=20, nshards=2, shard_id=0, ignore_value=-1),
        Sample(np.asarray([[3], [9]], "int32"), index_num=10, nshards=3, shard_id=2, ignore_value=-7),
    ]
)
