"""``fleet.auto``: marks of how tensors and operators would be shared out. One process has all of them."""

from __future__ import annotations

import math
from typing import Any

from to_static.core.errors import ModeError
from to_static.distributed.auto_parallel import ProcessMesh, Strategy

__all__ = [
    "Engine", "ProcessMesh", "Strategy", "create_mesh", "exclude_ops_in_recompute", "fetch", "get_mesh", "recompute", "set_mesh",
    "shard_op", "shard_tensor",
]  # fmt: skip

_mesh: list[Any] = [None]


def set_mesh(mesh: ProcessMesh) -> None:
    """Set the mesh that `get_mesh` returns."""
    _mesh[0] = mesh


def get_mesh() -> ProcessMesh | None:
    """The mesh that was set last; None: none was.

    Example:
        >>> fleet.auto.set_mesh(fleet.auto.create_mesh([('dp', 1), ('mp', 1)]))
        >>> fleet.auto.get_mesh().shape
        [1, 1]
    """
    return _mesh[0]  # type: ignore[no-any-return]


def create_mesh(mesh_dims: Any) -> ProcessMesh:
    """A mesh of ``[(name, size), ...]``, which is set, too. Raises what `ProcessMesh` raises."""
    names, sizes = [name for name, _ in mesh_dims], [size for _, size in mesh_dims]
    mesh = ProcessMesh(shape=sizes, process_ids=list(range(math.prod(sizes))), dim_names=names)
    set_mesh(mesh)
    return mesh


def shard_tensor(x: Any, process_mesh: Any = None, shard_spec: Any = None) -> Any:
    """``x`` as it is."""
    return x


def shard_op(op: Any, process_mesh: Any = None, in_shard_specs: Any = None, out_shard_specs: Any = None, **kwargs: Any) -> Any:
    """The function ``op`` as it is."""
    return op


def recompute(op: Any) -> Any:
    """The function ``op`` as it is: what it computes is kept for gradients."""
    return op


def exclude_ops_in_recompute(run_function: Any) -> Any:
    """The function as it is."""
    return run_function


def fetch(tensor: Any, name: str | None = None, logging: bool = False) -> Any:
    """``tensor`` as it is."""
    return tensor


class Engine:
    """Raises ModeError: it shares a model out among processes, of which there is one; `paddle.Model` trains it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise ModeError("fleet.auto.Engine shares a model out among processes; there is one: use paddle.Model")
