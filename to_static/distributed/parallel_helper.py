"""Paddle's module of this name: whether several processes train together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from to_static.distributed.environment import is_initialized


def _is_data_parallel_mode() -> bool:
    """False: there is one process."""
    return False


def _is_parallel_ctx_initialized() -> bool:
    """Return whether `init_parallel_env` was called."""
    return is_initialized()


def _broadcast_parameters(parameters: Iterable[Any]) -> None:
    """Make parameters those of process 0: they are."""
