"""``fleet.util``: what workers do together."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.distributed.world import world


class UtilBase:
    """The work that workers do together.

    Example:
        >>> util = paddle.distributed.fleet.UtilBase()
    """

    def all_reduce(self, input: Any, mode: str = "sum", comm_world: str = "worker") -> Any:
        """The sum, minimum or maximum of the workers' arrays. Raises ValueError for another ``mode``."""
        if mode not in ("sum", "min", "max"):
            raise ValueError(f"all_reduce: mode must be 'sum', 'min' or 'max', got {mode!r}")
        return world().all_reduce([np.asarray(input)], mode)[0]

    def all_gather(self, input: Any, comm_world: str = "worker") -> list[Any]:
        """The workers' values."""
        return world().objects(input)

    def barrier(self, comm_world: str = "worker") -> None:
        """Wait for the others."""
        world().agree("barrier")

    def get_file_shard(self, files: list[str]) -> list[str]:
        """The files that this worker reads; where they do not share out, the first workers read one more. Raises TypeError."""
        if not isinstance(files, list):
            raise TypeError("files should be a list of file need to be read.")
        workers = world()
        each, more = divmod(len(files), workers.size)
        start = workers.rank * each + min(workers.rank, more)
        return files[start : start + each + (workers.rank < more)]

    def print_on_rank(self, message: str, rank_id: int) -> None:
        """Print where the number of this process is ``rank_id``."""
        if rank_id == world().rank:
            print(message)
