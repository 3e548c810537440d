"""Numbers that are spread over several machines (shard_index)."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.core.errors import DTypeError
from to_static.ir.opdef import Sample, op
from to_static.ir.spec import TensorSpec


@op("shard_index(X -> Out) index_num:int nshards:int shard_id:int ignore_value:int", traits="elementwise nodiff")
def shard_index(input: Any, index_num: int, nshards: int, shard_id: int, ignore_value: int = -1) -> Any:
    """The numbers below ``index_num`` counted within the part ``shard_id`` of ``nshards`` equal parts; others ``ignore_value``.

    Raises DTypeError for anything but integers, ValueError when the parts do not fit.

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
    if index_num < 1 or nshards < 1 or not 0 <= shard_id < nshards:
        raise ValueError(f"shard_index: part {shard_id} of {nshards} parts of {index_num} numbers does not exist")
    return x


@shard_index.kernel
def _(xp: Any, x: Any, index_num: int, nshards: int, shard_id: int, ignore_value: int) -> Any:
    size = (index_num + nshards - 1) // nshards
    return xp.where(x // size == shard_id, x % size, xp.asarray(ignore_value).astype(x.dtype))


shard_index.samples(
    lambda: [
        Sample(np.asarray([[1], [12], [19]]), index_num=20, nshards=2, shard_id=0, ignore_value=-1),
        Sample(np.asarray([3, 9], "int32"), index_num=10, nshards=3, shard_id=2, ignore_value=-7),
    ]
)
