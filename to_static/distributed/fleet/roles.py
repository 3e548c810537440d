"""Roles of processes: this one trains."""

from __future__ import annotations

from typing import Any


class Role:
    """Kinds of processes, as numbers.

    Example:
        >>> paddle.distributed.fleet.Role.WORKER
        1
    """

    WORKER = 1
    SERVER = 2
    HETER_WORKER = 3
    ALL = 4
    COORDINATOR = 5


class PaddleCloudRoleMaker:
    """Reads what a process is for from its environment: it is the one that trains.

    ``is_collective``: whether all processes train.

    Example:
        >>> role = paddle.distributed.fleet.PaddleCloudRoleMaker(is_collective=True)
    """

    def __init__(self, is_collective: bool = False, **kwargs: Any) -> None:
        self._is_collective = is_collective


class UserDefinedRoleMaker(PaddleCloudRoleMaker):
    """Is told what a process is for.

    ``is_collective``: whether all processes train.

    Example:
        >>> role = paddle.distributed.fleet.UserDefinedRoleMaker(is_collective=True)
    """
