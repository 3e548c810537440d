"""Paddle's ``distributed.sharding``: optimizer states that processes share out among them. One process keeps them all."""

from __future__ import annotations

import os
from typing import Any

from to_static.core.importing.paddle_module_aliases import names_around
from to_static.framework.io import save

__all__ = ["group_sharded_parallel", "save_group_sharded_model"]

_LEVELS = ("os", "os_g", "p_g_os")


def group_sharded_parallel(
    model: Any,
    optimizer: Any,
    level: str,
    scaler: Any = None,
    group: Any = None,
    offload: bool = False,
    sync_buffers: bool = False,
    buffer_max_size: int = 2**23,
    segment_size: int = 2**20,
    sync_comm: bool = False,
    dp_group: Any = None,
    exclude_layer: Any = None,
) -> tuple[Any, Any, Any]:
    """The model, optimizer and scaler as they are: this process has all of their states. ``level``: 'os', 'os_g' or 'p_g_os'.

    Raises ValueError for another level.

    Example:
        >>> model, optimizer, scaler = group_sharded_parallel(model, optimizer, 'os_g')
    """
    if level not in _LEVELS:
        raise ValueError(f"group_sharded_parallel: level must be one of {', '.join(_LEVELS)}, got {level!r}")
    return model, optimizer, scaler


def save_group_sharded_model(model: Any, output: str, optimizer: Any = None) -> None:
    """Save the states in the folder ``output``: ``model.pdmodel`` and ``model.pdopt``, as Paddle calls these files."""
    os.makedirs(output, exist_ok=True)
    save(model.state_dict(), os.path.join(output, "model.pdmodel"))
    if optimizer is not None:
        save(optimizer.state_dict(), os.path.join(output, "model.pdopt"))


__getattr__ = names_around(__name__)
