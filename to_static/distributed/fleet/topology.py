"""The arrangement of processes for a training, by Paddle's names: one along every axis."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Callable, Sequence
from typing import Any

from to_static.core.errors import ModeError
from to_static.core.missing_names import of_object
from to_static.distributed.groups import WORLD, Group, ParallelMode

_AXES = ("data", "pipe", "sharding", "sep", "model")
_NAMES = {"data": "data_parallel", "sharding": "sharding_parallel", "sep": "sep_parallel", "model": "model_parallel"}


class CommunicateTopology:
    """The coordinates of processes along named axes.

    Example:
        >>> topology = paddle.distributed.fleet.CommunicateTopology(['data', 'model'], [2, 4])
        >>> topology.get_rank(data=1, model=0)
        4
    """

    def __init__(self, hybrid_group_names: Sequence[str] = _AXES, dims: Sequence[int] = (1, 1, 1, 1, 1)) -> None:
        self._parallel_names, self._dims = list(hybrid_group_names), list(dims)
        namedtuple: Any = collections.namedtuple  # (checkers of types want names that the text has)
        self.coordinate = namedtuple("Coordinate", self._parallel_names)
        coordinates = [self.coordinate(*at) for at in itertools.product(*map(range, self._dims))]
        self._coord2rank = {at: rank for rank, at in enumerate(coordinates)}
        self._rank2coord = dict(enumerate(coordinates))
        self._world_size = len(coordinates)

    def get_hybrid_group_names(self) -> list[str]:
        """The names of the axes."""
        return self._parallel_names

    def get_dim(self, axis_name: str) -> int:
        """Return the number of processes along an axis."""
        return self._dims[self._parallel_names.index(axis_name)]

    get_dim_size = get_dim

    def world_size(self) -> int:
        """Return the number of processes."""
        return self._world_size

    def get_rank(self, **args: int) -> int:
        """The number of the process at these coordinates."""
        return self._coord2rank[self.coordinate(**args)]

    def get_coord(self, rank: int) -> Any:
        """The coordinates of a process."""
        return self._rank2coord[rank]

    def get_axis_list(self, axis_name: str, index: int) -> list[int]:
        """The processes whose coordinate along an axis is ``index``, in order."""
        return [rank for rank, at in self._rank2coord.items() if getattr(at, axis_name) == index]

    def get_comm_list(self, axis_name: str) -> list[list[int]]:
        """The groups of processes that differ in their coordinate along an axis only."""
        return self.get_fused_ranks([axis_name])

    def get_fused_ranks(self, fused_axis: Sequence[str]) -> list[list[int]]:
        """The groups of processes that differ in their coordinates along some axes only."""
        groups: dict[Any, list[int]] = {}
        for rank, at in self._rank2coord.items():
            groups.setdefault(at._replace(**dict.fromkeys(fused_axis, 0)), []).append(rank)
        return list(groups.values())

    def get_rank_from_stage(self, global_rank: int, **kwargs: int) -> int:
        """The process at the coordinates of another but for those given."""
        return self._coord2rank[self.get_coord(global_rank)._replace(**kwargs)]


def _constant(value: Any, words: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return value

    method.__doc__ = words
    return method


class HybridCommunicateGroup:
    """The groups that one process belongs to: along every axis it is number 0 of 1, in a group of its own.

    Raises ModeError for a topology of several processes.

    Example:
        >>> paddle.distributed.fleet.init(is_collective=True).get_hybrid_communicate_group().get_model_parallel_world_size()
        1
    """

    def __init__(self, topology: CommunicateTopology) -> None:
        if topology.world_size() != 1:
            raise ModeError(f"HybridCommunicateGroup: there is a world of one process, not of {topology.world_size()}")
        self._topo = topology
        self.nranks, self.global_rank = 1, 0

    def __getattr__(self, name: str) -> Any:
        raise of_object("HybridCommunicateGroup", self, name)

    def get_parallel_mode(self) -> int:
        """`ParallelMode.DATA_PARALLEL`."""
        return ParallelMode.DATA_PARALLEL

    def topology(self) -> CommunicateTopology:
        """The topology."""
        return self._topo

    def get_p2p_groups(self) -> None:
        """None: no stage sends to another."""

    def create_fuse_group(self, fused_strategy_list: Sequence[str]) -> tuple[list[list[int]], list[Group]]:
        """A group over several axes."""
        return [[0]], [WORLD]


for _axis, _name in _NAMES.items():
    for _part, _value, _words in (
        ("rank", 0, "The number of this process: 0."),
        ("world_size", 1, "How many processes there are: 1."),
        ("group", WORLD, "The group of this process."),
        ("group_src_rank", 0, "The first process of that group: 0."),
    ):
        setattr(HybridCommunicateGroup, f"get_{_name}_{_part}", _constant(_value, _words))
for _method, _value, _words in (
    ("get_global_rank", 0, "The number of this process: 0."),
    ("get_stage_id", 0, "The stage of a pipeline that this process has: 0."),
    ("get_pipe_parallel_rank", 0, "The same."),
    ("get_pipe_parallel_world_size", 1, "How many stages there are: 1."),
    ("get_pipe_parallel_group", WORLD, "The group of this process."),
    ("get_check_parallel_group", WORLD, "The group of this process."),
    ("get_dp_sep_parallel_group", WORLD, "The group of this process."),
    ("get_pp_mp_parallel_group", WORLD, "The group of this process."),
    ("get_rank_from_stage", 0, "The number of this process: 0."),
):
    setattr(HybridCommunicateGroup, _method, _constant(_value, _words))

ALONE = HybridCommunicateGroup(CommunicateTopology())
_HYBRID_PARALLEL_GROUP = ALONE  # as code of model collections asks for it
