"""Layers that share out a sequence among processes (``fleet.utils.sequence_parallel_utils``): with one process it is whole."""

from __future__ import annotations

from typing import Any

from to_static.distributed.fleet.meta_parallel.layers import ColumnParallelLinear, RowParallelLinear

__all__ = [
    "AllGatherOp", "ColumnSequenceParallelLinear", "GatherOp", "ReduceScatterOp", "RowSequenceParallelLinear", "ScatterOp",
    "mark_as_sequence_parallel_parameter", "register_sequence_parallel_allreduce_hooks",
]  # fmt: skip


class ColumnSequenceParallelLinear(ColumnParallelLinear):
    """`ColumnParallelLinear` after the parts of the sequence are gathered."""


class RowSequenceParallelLinear(RowParallelLinear):
    """`RowParallelLinear` before the sequence is scattered again."""


class _Exchange:
    @staticmethod
    def apply(input: Any) -> Any:
        """The tensor, which this process has whole."""
        return input


class ScatterOp(_Exchange):
    """The part of the sequence of this process."""


class GatherOp(_Exchange):
    """The parts of all processes together."""


class AllGatherOp(_Exchange):
    """The parts of all processes together; gradients are summed and scattered."""


class ReduceScatterOp(_Exchange):
    """The sum over processes, of which each has a part."""


def mark_as_sequence_parallel_parameter(parameter: Any) -> None:
    """Note that processes would have to sum this parameter's gradients."""
    parameter.sequence_parallel = True


def register_sequence_parallel_allreduce_hooks(model: Any, accumulation_steps: int, fuse_sequence_parallel_allreduce: bool) -> None:
    """Sum gradients of marked parameters over processes: there is one, so they are the sums."""
