"""The number of this process among those that train together: 0 of 1 unless a launcher has started several."""

from __future__ import annotations

from typing import Any

from to_static.core.diagnostics.missing_names import of_object
from to_static.core.errors import ModeError
from to_static.core.processes.launched import local_rank, rank_and_size
from to_static.distributed.groups import Group, forget_groups, group_of
from to_static.distributed.world import connect, world

_started = [False]


class ParallelEnv:
    """The description of a process: ``rank``, ``world_size`` and ``local_rank`` as the launcher says, and addresses, all empty.

    Example:
        >>> paddle.distributed.ParallelEnv().rank
        0
    """

    device_id = 0
    nrings = 1
    device_type = "cpu"
    current_endpoint = ""
    pg_timeout = 1800000

    @property
    def rank(self) -> int:
        """The number of this process."""
        return rank_and_size()[0]

    @property
    def local_rank(self) -> int:
        """The number of this process among those of its machine."""
        return local_rank()

    @property
    def world_size(self) -> int:
        """The number of processes."""
        return rank_and_size()[1]

    @property
    def nranks(self) -> int:
        """``world_size``."""
        return self.world_size

    @property
    def trainer_endpoints(self) -> list[str]:
        """The addresses of all."""
        return [self.current_endpoint] * self.world_size

    @property
    def dev_id(self) -> int:
        """``device_id``."""
        return self.device_id

    def __getattr__(self, name: str) -> Any:
        raise of_object("ParallelEnv", self, name)


def init_parallel_env() -> Group:
    """Meet the processes that train together; returns the group of all. Alone it returns at once.

    Raises ModeError where a launcher other than ``mpiexec`` has started several processes, ImportError, with the pip line, where
    mpi4py is missing (extra ``mpi``).

    Example:
        >>> group = paddle.distributed.init_parallel_env()
        >>> group.nranks
        1
    """
    connect()
    _started[0] = True
    return group_of(0)


def get_rank(group: Any = None) -> int:
    """The number of this process, in the group where one is given; -1 outside of it.

    Example:
        >>> paddle.distributed.get_rank()
        0
    """
    return rank_and_size()[0] if group is None else int(group.rank)


def get_world_size(group: Any = None) -> int:
    """The number of processes, of the group where one is given.

    Example:
        >>> paddle.distributed.get_world_size()
        1
    """
    return rank_and_size()[1] if group is None else int(group.nranks)


def get_backend(group: Any = None) -> str:
    """Return the name of the transport: 'GLOO', as on Paddle's CPUs (here it is MPI).

    ``group``: not used.

    Example:
        >>> paddle.distributed.get_backend()
        'GLOO'
    """
    return "GLOO"


def is_available() -> bool:
    """Return whether this package is there: True.

    Example:
        >>> paddle.distributed.is_available()
        True
    """
    return True


def is_initialized() -> bool:
    """Return whether `init_parallel_env` was called.

    Example:
        >>> initialized = paddle.distributed.is_initialized()
    """
    return _started[0]


def destroy_process_group(group: Any = None) -> None:
    """Forget a group, or all groups and that `init_parallel_env` was called.

    Example:
        >>> paddle.distributed.destroy_process_group()
    """
    forget_groups(group)
    if group is None:
        _started[0] = False


def gloo_init_parallel_env(rank_id: int, rank_num: int, server_endpoint: str) -> None:
    """The same as `init_parallel_env`. Raises ModeError for another number of processes than there are.

    ``rank_id``, ``rank_num``: the number of this process, and how many there are; ``server_endpoint``: not used.

    Example:
        >>> paddle.distributed.gloo_init_parallel_env(0, 1, "127.0.0.1:8000")
    """
    if rank_num != rank_and_size()[1]:
        raise ModeError(f"gloo_init_parallel_env: expected rank_num={rank_and_size()[1]}, the number of processes, got {rank_num}")
    init_parallel_env()


def gloo_barrier() -> None:
    """Wait for all.

    Example:
        >>> paddle.distributed.gloo_barrier()
    """
    world().agree("barrier")


def gloo_release() -> None:
    """The same as `destroy_process_group`.

    Example:
        >>> paddle.distributed.gloo_release()
    """
    destroy_process_group()
