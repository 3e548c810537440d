"""`Fleet`: the one object that tells who takes part, and makes models and optimizers that train together."""

from __future__ import annotations

from typing import Any

from to_static.core.diagnostics.missing_names import of_object
from to_static.core.errors import ModeError
from to_static.core.processes.launched import local_rank, rank_and_size
from to_static.distributed.environment import gloo_barrier, init_parallel_env
from to_static.distributed.fleet.strategy import DistributedStrategy
from to_static.distributed.fleet.topology import CommunicateTopology, HybridCommunicateGroup, data_parallel
from to_static.distributed.fleet.util import UtilBase
from to_static.distributed.parallel import DataParallel
from to_static.nn.layer import Layer

_SPLIT = ("mp_degree", "pp_degree", "sharding_degree", "sep_degree")


class Fleet:
    """The processes that train together: each has the whole model and a part of the data.

    Example:
        >>> fleet.init(is_collective=True)
        >>> net = fleet.distributed_model(net)
        >>> opt = fleet.distributed_optimizer(opt)
    """

    def __init__(self) -> None:
        self.util = UtilBase()
        self._strategy: DistributedStrategy | None = None
        self._optimizer: Any = None

    def __getattr__(self, name: str) -> Any:
        raise of_object("Fleet", self, name)

    def init(self, role_maker: Any = None, is_collective: bool = False, strategy: Any = None, log_level: Any = "INFO") -> Fleet:
        """Get ready. Raises ModeError for a strategy that divides a model among processes.

        ``role_maker``, ``is_collective``: accepted, without an effect; ``log_level``: of the log.

        Example:
            >>> fleet = paddle.distributed.fleet.init(is_collective=True)
        """
        if strategy is not None:
            for name in _SPLIT:
                if strategy.hybrid_configs.get(name, 1) > 1:
                    raise ModeError(f"fleet.init: processes share the data, not the model, so {name} must be 1")
        init_parallel_env()
        self._strategy = strategy or DistributedStrategy()
        return self

    def get_hybrid_communicate_group(self) -> HybridCommunicateGroup:
        """The groups of this process. Raises AssertionError before `init`.

        Example:
            >>> fleet = paddle.distributed.fleet.init(is_collective=True)
            >>> group = paddle.distributed.fleet.get_hybrid_communicate_group()
        """
        if self._strategy is None:
            raise AssertionError("get_hybrid_communicate_group: call fleet.init() first")
        return data_parallel()

    def get_hybrid_parallel_topology(self) -> CommunicateTopology:
        """Return the arrangement of the processes. Raises AssertionError before `init`.

        Example:
            >>> fleet = paddle.distributed.fleet.init(is_collective=True)
            >>> topology = paddle.distributed.fleet.get_hybrid_parallel_topology()
        """
        return self.get_hybrid_communicate_group().topology()

    def is_first_worker(self) -> bool:
        """Return whether this is process 0.

        Example:
            >>> paddle.distributed.fleet.is_first_worker()
            True
        """
        return rank_and_size()[0] == 0

    def is_worker(self) -> bool:
        """Return whether this process trains: True.

        Example:
            >>> paddle.distributed.fleet.is_worker()
            True
        """
        return True

    def is_server(self) -> bool:
        """Return whether this process keeps parameters for others: False.

        Example:
            >>> paddle.distributed.fleet.is_server()
            False
        """
        return False

    def worker_index(self) -> int:
        """The number of this process.

        Example:
            >>> paddle.distributed.fleet.worker_index()
            0
        """
        return rank_and_size()[0]

    def worker_num(self) -> int:
        """The number of processes that train.

        Example:
            >>> paddle.distributed.fleet.worker_num()
            1
        """
        return rank_and_size()[1]

    def node_num(self) -> int:
        """Return the number of machines: 1."""
        return 1

    def local_rank(self) -> int:
        """The number of this process on its machine."""
        return local_rank()

    def local_device_ids(self) -> list[int]:
        """The devices of this process: the first."""
        return [0]

    def world_device_ids(self) -> list[list[int]]:
        """The devices of each process."""
        return [[0] for _ in range(rank_and_size()[1])]

    def is_coordinator(self) -> bool:
        """Return whether this process leads others that keep their data to themselves: False."""
        return False

    def all_reduce(self, input: Any, mode: str = "sum") -> Any:
        """The sum (``mode`` 'max' or 'min': the largest, the least) over all processes: an array of what is given."""
        return self.util.all_reduce(input, mode)

    def worker_endpoints(self, to_string: bool = False) -> Any:
        """The addresses of the processes that train.

        ``to_string``: one string instead of a list.

        Example:
            >>> addresses = paddle.distributed.fleet.worker_endpoints()
        """
        return "," * (rank_and_size()[1] - 1) if to_string else [""] * rank_and_size()[1]

    def server_num(self) -> int:
        """Return the number of processes that keep parameters for others: 0.

        Example:
            >>> paddle.distributed.fleet.server_num()
            0
        """
        return 0

    def server_index(self) -> int:
        """The number of this process among those: 0, as Paddle's where it is none.

        Example:
            >>> paddle.distributed.fleet.server_index()
            0
        """
        return 0

    def server_endpoints(self, to_string: bool = False) -> Any:
        """The addresses of the processes that keep parameters for others: there are none.

        ``to_string``: one string instead of a list.

        Example:
            >>> paddle.distributed.fleet.server_endpoints()
            []
        """
        return "" if to_string else []

    def barrier_worker(self) -> None:
        """Wait for all.

        Example:
            >>> paddle.distributed.fleet.barrier_worker()
        """
        gloo_barrier()

    def init_worker(self, scopes: Any = None) -> None:
        """Get ready to train: done.

        ``scopes``: not used.

        Example:
            >>> paddle.distributed.fleet.init_worker()
        """

    def stop_worker(self) -> None:
        """End training: done.

        Example:
            >>> paddle.distributed.fleet.stop_worker()
        """

    def distributed_model(self, model: Any) -> Any:
        """The model, as `DataParallel`. Raises TypeError for what is no Layer.

        Example:
            >>> fleet = paddle.distributed.fleet.init(is_collective=True)
            >>> net = paddle.distributed.fleet.distributed_model(nn.Linear(2, 3))
        """
        if not isinstance(model, Layer):
            raise TypeError(f"distributed_model: expected a Layer, got {type(model).__name__}")
        return DataParallel(model)

    def distributed_optimizer(self, optimizer: Any, strategy: Any = None) -> Any:
        """The optimizer.

        ``strategy``: a `DistributedStrategy`, or None.

        Example:
            >>> opt = paddle.distributed.fleet.distributed_optimizer(opt)
        """
        self._optimizer = optimizer
        return optimizer

    def minimize(self, loss: Any, startup_program: Any = None, parameter_list: Any = None, no_grad_set: Any = None) -> Any:
        """``minimize`` of the last `distributed_optimizer`. Raises ModeError where there was none."""
        if self._optimizer is None:
            raise ModeError("fleet.minimize: call fleet.distributed_optimizer(optimizer) first")
        return self._optimizer.minimize(loss, startup_program, parameter_list, no_grad_set)

    def distributed_scaler(self, scaler: Any) -> Any:
        """The `amp.GradScaler`.

        ``scaler``: it.

        Example:
            >>> scaler = paddle.distributed.fleet.distributed_scaler(paddle.amp.GradScaler())
        """
        return scaler


fleet = Fleet()
