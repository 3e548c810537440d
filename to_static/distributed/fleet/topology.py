"""The arrangement of processes for training together, by Paddle's names: they share the data, and nothing else."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Callable, Sequence
from typing import Any

from to_static.core.diagnostics.missing_names import of_object
from to_static.core.errors import ModeError
from to_static.core.processes.launched import rank_and_size
from to_static.distributed.groups import Group, ParallelMode, group_of
from to_static.distributed.world import ALONE as ALONE_WORLD

_AXES = ("data", "pipe", "sharding", "sep", "model")
_NAMES = {"data": "data_parallel", "sharding": "sharding_parallel", "sep": "sep_parallel", "model": "model_parallel"}


class CommunicateTopology:
    """The coordinates of processes along named axes.

    ``hybrid_group_names``: the axes; ``dims``: how many processes along each.

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


def _method(answer: Callable[[], Any], words: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return answer()

    method.__doc__ = words
    return method


def _self() -> Group:
    """The group of this process alone."""
    return Group(0, [rank_and_size()[0]], ALONE_WORLD) if rank_and_size()[1] > 1 else group_of(0)


class HybridCommunicateGroup:
    """The groups that one process belongs to: all processes share the data, and along every other axis it is number 0 of 1.

    Raises ModeError for a topology that divides a model, or one of another number of processes than there are.

    Example:
        >>> paddle.distributed.fleet.init(is_collective=True).get_hybrid_communicate_group().get_model_parallel_world_size()
        1
    """

    def __init__(self, topology: CommunicateTopology) -> None:
        size = rank_and_size()[1]
        if topology.world_size() != size:
            raise ModeError(f"HybridCommunicateGroup: there is a world of {_counted(size)}, not of {topology.world_size()}")
        if topology.world_size() != topology.get_dim("data"):
            raise ModeError("HybridCommunicateGroup: processes share the data; a model is not divided among them")
        self._topo = topology

    def __getattr__(self, name: str) -> Any:
        raise of_object("HybridCommunicateGroup", self, name)

    @property
    def nranks(self) -> int:
        """The number of processes."""
        return rank_and_size()[1]

    @property
    def global_rank(self) -> int:
        """The number of this process."""
        return rank_and_size()[0]

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
        group = group_of(0) if "data" in fused_strategy_list else _self()
        return [group.ranks], [group]


def _counted(size: int) -> str:
    return "one process" if size == 1 else f"{size} processes"


for _axis, _name in _NAMES.items():
    _group: Callable[[], Group] = (lambda: group_of(0)) if _axis == "data" else _self
    for _part, _answer, _words in (
        ("rank", lambda group=_group: group().rank, "The number of this process along this axis."),
        ("world_size", lambda group=_group: group().nranks, "The number of processes along this axis."),
        ("group", _group, "The group of this process along this axis."),
        ("group_src_rank", lambda group=_group: group().ranks[0], "The first process of that group."),
    ):
        setattr(HybridCommunicateGroup, f"get_{_name}_{_part}", _method(_answer, _words))
for _name, _answer, _words in (
    ("get_global_rank", lambda: rank_and_size()[0], "The number of this process."),
    ("get_stage_id", lambda: 0, "The stage of a pipeline that this process has: 0."),
    ("get_pipe_parallel_rank", lambda: 0, "The same."),
    ("get_pipe_parallel_world_size", lambda: 1, "The number of stages: 1."),
    ("get_pipe_parallel_group", _self, "The group of this process alone."),
    ("get_check_parallel_group", _self, "The group of this process alone."),
    ("get_dp_sep_parallel_group", lambda: group_of(0), "The group of all processes."),
    ("get_pp_mp_parallel_group", _self, "The group of this process alone."),
    ("get_rank_from_stage", lambda: rank_and_size()[0], "The number of this process."),
):
    setattr(HybridCommunicateGroup, _name, _method(_answer, _words))


def data_parallel() -> HybridCommunicateGroup:
    """The groups of this process: all processes share the data."""
    return HybridCommunicateGroup(CommunicateTopology(_AXES, (rank_and_size()[1], 1, 1, 1, 1)))


_HYBRID_PARALLEL_GROUP = data_parallel()  # as code of model collections asks for it
