"""Groups of processes: all of them have one member."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from to_static.core.errors import ModeError


class ParallelMode:
    """Ways to train together, as numbers."""

    DATA_PARALLEL = 0
    TENSOR_PARALLEL = 1
    PIPELINE_PARALLEL = 2
    SHARDING_PARALLEL = 3
    SEGMENT_PARALLEL = 4


class Group:
    """Processes that exchange tensors: ``ranks`` [0], ``rank`` 0, ``nranks`` 1, and a number of its own, ``id``."""

    def __init__(self, number: int = 0) -> None:
        self.id = number
        self.ranks = [0]
        self.rank = 0
        self.nranks = self.world_size = 1
        self.name = f"_default_pg{number}"

    def is_member(self) -> bool:
        """Return whether this process is in the group: True."""
        return True

    def get_group_rank(self, rank: int) -> int:
        """The number within the group of a process; -1 for one that is not in it."""
        return 0 if rank == 0 else -1

    def __repr__(self) -> str:
        return f"rank: 0, nranks: 1, id: {self.id}, ranks: 0; name: {self.name}"


WORLD = Group()
_groups = {0: WORLD}


def new_group(ranks: Sequence[int] | None = None, backend: Any = None, timeout: Any = None) -> Group:
    """A group of these processes (None: all). Raises ModeError for others than number 0."""
    if ranks is not None and list(ranks) != [0]:
        raise ModeError(f"new_group: there is a world of one process, number 0; {list(ranks)} names others")
    group = _groups[len(_groups)] = Group(len(_groups))
    return group


def get_group(id: int = 0) -> Group:
    """A group by its number. Raises ValueError when there is none."""
    if id not in _groups:
        raise ValueError(f"get_group: no group has number {id}; there are {len(_groups)}")
    return _groups[id]


def _get_global_group() -> Group:
    """The group of all processes, as code of model collections asks for it."""
    return WORLD


def is_member(group: Any = None) -> bool:
    """Return whether this process is in the group: True."""
    return True
