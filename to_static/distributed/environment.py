"""The rank of this process in a training of several: number 0 of 1."""

from __future__ import annotations

import os
from typing import Any

from to_static.core.errors import ModeError
from to_static.core.missing_names import of_object

_started = [False]


class ParallelEnv:
    """The description of a process: ``rank`` 0, ``world_size`` 1, ``device_id`` 0, and its own addresses.

    Example:
        >>> paddle.distributed.ParallelEnv().rank
        0
    """

    rank = local_rank = device_id = 0
    world_size = nranks = nrings = 1
    device_type = "cpu"
    current_endpoint = ""
    pg_timeout = 1800000

    @property
    def trainer_endpoints(self) -> list[str]:
        """The addresses of all: its own."""
        return [self.current_endpoint]

    @property
    def dev_id(self) -> int:
        """``device_id``."""
        return self.device_id

    def __getattr__(self, name: str) -> Any:
        raise of_object("ParallelEnv", self, name)


def launched_as_many() -> int:
    """Return the number of processes that a launcher announced."""
    count = os.environ.get("PADDLE_TRAINERS_NUM", "1")
    return int(count) if count.isdigit() else 1


def init_parallel_env() -> Any:
    """Be ready to train together with others: there are none, so that this returns at once.

    Raises ModeError where a launcher has started several processes: each would train by itself.
    """
    from to_static.distributed.groups import WORLD  # what those who never ask for groups do not need

    count = launched_as_many()
    if count > 1:
        raise ModeError(
            f"init_parallel_env: {count} processes were launched (PADDLE_TRAINERS_NUM), but they can't exchange gradients here: "
            "launch one"
        )
    _started[0] = True
    return WORLD


def get_rank(group: Any = None) -> int:
    """The number of this process: 0."""
    return 0


def get_world_size(group: Any = None) -> int:
    """Return the number of processes: 1."""
    return 1


def get_backend(group: Any = None) -> str:
    """Return the name of the transport: 'GLOO', as on Paddle's CPUs."""
    return "GLOO"


def is_available() -> bool:
    """Return whether the package is available: True."""
    return True


def is_initialized() -> bool:
    """Return whether `init_parallel_env` was called."""
    return _started[0]


def destroy_process_group(group: Any = None) -> None:
    """Forget that `init_parallel_env` was called."""
    _started[0] = False


def gloo_init_parallel_env(rank_id: int, rank_num: int, server_endpoint: str) -> None:
    """The same as `init_parallel_env`. Raises ModeError for more than one process."""
    if rank_num != 1:
        raise ModeError(f"gloo_init_parallel_env: there is a world of one process only, not of {rank_num}")
    _started[0] = True


def gloo_barrier() -> None:
    """Wait for all: there is nobody to wait for."""


def gloo_release() -> None:
    """The same as `destroy_process_group`."""
    _started[0] = False
