"""`DataFeeder`: samples of a reader become what an Executor is fed with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from to_static.core.errors import ShapeError
from to_static.framework.lod_tensor import LoDTensor, create_lod_tensor
from to_static.static.program import default_main_program


class DataFeeder:
    """Makes a batch of samples.

    Args:
        feed_list: tensors of `static.data`, or their names: what the items of a sample are, in order.
        place: not used.
        program: where names are looked up; default: the default main Program.

    Example:
        >>> feeder = paddle.base.DataFeeder([x, y], paddle.CPUPlace())
        >>> exe.run(main, feed=feeder.feed([(image, label), ...]), fetch_list=[loss])
    """

    def __init__(self, feed_list: Any, place: Any = None, program: Any = None) -> None:
        block = (program or default_main_program()).global_block()
        self.feed_list = [block.var(item) if isinstance(item, str) else item for item in feed_list]
        self.place = place

    def feed(self, iterable: Iterable[Any]) -> dict[str, LoDTensor]:
        """The batch of these samples: {name: tensor}. Raises ShapeError for samples of another number of items."""
        samples = [list(sample) for sample in iterable]
        for sample in samples:
            if len(sample) != len(self.feed_list):
                expected = f"feed_list has {len(self.feed_list)} entries; expected as many items of a sample"
                raise ShapeError(f"DataFeeder: {expected}, got {len(sample)}")
        return {var.name: batch_of(var, [sample[k] for sample in samples]) for k, var in enumerate(self.feed_list)}


def batch_of(var: Any, items: list[Any]) -> LoDTensor:
    """One item of all samples for an input: stacked, or one after the other where that has offsets of sequences."""
    dtype, dims = var.dtype.np, list(var.spec.shape)
    if not var.lod_level:
        arrays = [np.asarray(item, dtype) for item in items]
        if -1 not in dims[1:]:
            arrays = [array.reshape(dims[1:]) for array in arrays]
        return LoDTensor(np.stack(arrays))
    lengths: list[list[int]] = [[] for _ in range(var.lod_level)]
    rows: list[Any] = []

    def walk(value: Any, level: int) -> None:
        if level == var.lod_level:
            rows.append(value)
            return
        lengths[level].append(len(value))
        for part in value:
            walk(part, level + 1)

    for item in items:
        walk(item, 0)
    data = np.asarray(rows, dtype)
    return create_lod_tensor(data.reshape([-1, *dims[1:]]) if -1 not in dims[1:] else data, lengths)

