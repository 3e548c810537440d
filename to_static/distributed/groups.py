"""Groups of processes that exchange tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from to_static.core.errors import ModeError
from to_static.core.processes.launched import rank_and_size
from to_static.distributed.world import World, world


class ParallelMode:
    """Ways to train together, as numbers.

    Example:
        >>> paddle.distributed.ParallelMode.DATA_PARALLEL
        0
    """

    DATA_PARALLEL = 0
    TENSOR_PARALLEL = 1
    PIPELINE_PARALLEL = 2
    SHARDING_PARALLEL = 3
    SEGMENT_PARALLEL = 4


class Group:
    """Processes that exchange tensors.

    Attributes: ``ranks`` (their numbers), ``rank`` (of this process in the group, -1 outside of it), ``nranks``, ``id``.
    ``group_id``, ``ranks``, ``part``: for use by `new_group`.

    Example:
        >>> paddle.distributed.new_group([0]).nranks
        1
    """

    def __init__(self, group_id: int = 0, ranks: Sequence[int] | None = None, part: World | None = None) -> None:
        process_rank, size = rank_and_size()
        self.id = group_id
        self.ranks = list(range(size)) if ranks is None else list(ranks)
        self.rank = self.ranks.index(process_rank) if process_rank in self.ranks else -1
        self.nranks = self.world_size = len(self.ranks)
        self.name = f"_default_pg{group_id}"
        self._part = part

    @property
    def world(self) -> World:
        """The world that exchanges arrays between them. Raises ModeError in a process that is not one of them."""
        if self.id == 0:
            return world()
        if self._part is None:
            raise ModeError(f"process {rank_and_size()[0]} is not in the group of {self.ranks}")
        return self._part

    def is_member(self) -> bool:
        """Return whether this process is one of them."""
        return self.rank >= 0

    def get_group_rank(self, rank: int) -> int:
        """The number within the group of a process; -1 for one that is not in it."""
        return self.ranks.index(rank) if rank in self.ranks else -1

    def __repr__(self) -> str:
        ranks = ", ".join(map(str, self.ranks))
        return f"rank: {self.rank}, nranks: {self.nranks}, id: {self.id}, ranks: {ranks}; name: {self.name}"


_groups: dict[int, Group] = {}
_count = [0]  # of groups that were made


def group_of(group_id: int) -> Group:
    """The group with this number; that of all is made when it is first asked for. Raises ValueError when there is none."""
    if group_id == 0 and 0 not in _groups:
        _groups[0] = Group()
    if group_id not in _groups:
        raise ValueError(f"get_group: no group has number {group_id}; there are {len(_groups)}")
    return _groups[group_id]


def new_group(ranks: Sequence[int] | None = None, backend: Any = None, timeout: Any = None) -> Group:
    """A group of these processes (None: all). All processes call this, also those that are not in it.

    Raises ModeError for numbers that no process has.
    ``ranks``: their numbers; ``backend``, ``timeout``: not used.

    Example:
        >>> paddle.distributed.new_group([0]).ranks
        [0]
    """
    all_processes = world()
    members = list(range(all_processes.size)) if ranks is None else sorted(ranks)
    if not members or members[0] < 0 or members[-1] >= all_processes.size or len(set(members)) != len(members):
        world_text = "one process, number 0" if all_processes.size == 1 else f"{all_processes.size} processes"
        raise ModeError(f"new_group: there is a world of {world_text}; {list(ranks or ())} names others")
    group_of(0)
    _count[0] += 1
    group = _groups[_count[0]] = Group(_count[0], members, all_processes.part(members))
    return group


def get_group(id: int = 0) -> Group:
    """A group by its number. Raises ValueError when there is none.

    ``id``: its number; 0 is the group of all.

    Example:
        >>> paddle.distributed.get_group(0).nranks
        1
    """
    return group_of(id)


def forget_groups(group: Group | None = None) -> None:
    """Forget a group, or all."""
    if group is None:
        _groups.clear()
        _count[0] = 0
    else:
        _groups.pop(group.id, None)


def _get_global_group() -> Group:
    """The group of all processes, as code of model collections asks for it."""
    return group_of(0)


def is_member(group: Any = None) -> bool:
    """Return whether this process is in a group (None: that of all).

    Example:
        >>> paddle.distributed.is_member()
        True
    """
    return group is None or bool(group.is_member())
