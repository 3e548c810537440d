"""What layers of tensor parallelism exchange. With one process each has all of it, and gives what it was given."""

from __future__ import annotations

from typing import Any

__all__ = ["_c_concat", "_c_identity", "_c_split", "_mp_allreduce"]


def _c_identity(tensor: Any, group: Any = None, *args: Any, **kwargs: Any) -> Any:
    """The tensor; its gradient would be summed over processes."""
    return tensor


def _c_concat(tensor: Any, group: Any = None) -> Any:
    """The parts of all processes along the last dimension."""
    return tensor


def _c_split(tensor: Any, group: Any = None) -> Any:
    """The part of this process along the last dimension."""
    return tensor


def _mp_allreduce(tensor: Any, op: Any = None, group: Any = None, *args: Any, **kwargs: Any) -> Any:
    """The sum over processes."""
    return tensor
