"""``fleet.util``: what workers do together, for a world of one."""

from __future__ import annotations

from typing import Any

import numpy as np


class UtilBase:
    """Operations of all workers together: there is one."""

    def all_reduce(self, input: Any, mode: str = "sum", comm_world: str = "worker") -> Any:
        """The sum, minimum or maximum of the workers' arrays: ``input``. Raises ValueError for another ``mode``."""
        if mode not in ("sum", "min", "max"):
            raise ValueError(f"all_reduce: mode must be 'sum', 'min' or 'max', got {mode!r}")
        return np.asarray(input)

    def all_gather(self, input: Any, comm_world: str = "worker") -> list[Any]:
        """The workers' values: ``[input]``."""
        return [input]

    def barrier(self, comm_world: str = "worker") -> None:
        """Wait for the others: there are none."""

    def get_file_shard(self, files: list[str]) -> list[str]:
        """The files that this worker reads: all. Raises TypeError unless they are a list."""
        if not isinstance(files, list):
            raise TypeError("files should be a list of file need to be read.")
        return list(files)

    def print_on_rank(self, message: str, rank_id: int) -> None:
        """Print where the rank is ``rank_id``: that of the one worker is 0."""
        if rank_id == 0:
            print(message)
