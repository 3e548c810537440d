"""`DataParallel`: a Layer whose gradients are averaged over the processes that train together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from to_static.core.importing.paddle_module_aliases import names_around
from to_static.distributed import collective
from to_static.distributed.gradient_average import GradientAverage
from to_static.distributed.groups import Group, group_of
from to_static.distributed.layer_wrapper import LayerWrapper
from to_static.nn.layer import Layer


class DataParallel(LayerWrapper):
    """Calls ``layers``; its parameters and state are those of that Layer, without a further name before them.

    Where several processes train together (`init_parallel_env`), parameters and buffers become those of the first process at once,
    and gradients the averages over all processes after each ``backward()``, in dynamic mode and in static functions. They travel
    in buckets while the backward pass goes on. Running
    statistics of batch norms stay those of each process, as Paddle's do.

    Args:
        layers: the network.
        comm_buffer_size: megabytes of gradients that travel in one message, about. Default 25.
        group: the processes (default: all).
        strategy, last_comm_buffer_size, find_unused_parameters: accepted; parameters without a gradient are always allowed.

    Raises TypeError for what is no Layer, ExecutionError where networks differ between processes.

    Example:
        >>> net = paddle.DataParallel(net)
    """

    def __init__(
        self,
        layers: Layer,
        strategy: Any = None,
        comm_buffer_size: int = 25,
        last_comm_buffer_size: int = 1,
        find_unused_parameters: bool = False,
        group: Group | None = None,
    ) -> None:
        super().__init__(layers.full_name() + "_data_parallel" if isinstance(layers, Layer) else None)
        if not isinstance(layers, Layer):
            raise TypeError(f"DataParallel: layers must be a Layer, got {type(layers).__name__}")
        self._layers = layers
        self.find_unused_parameters = find_unused_parameters
        members = group_of(0) if group is None else group
        if members.world.size > 1:
            for tensor in layers.state_dict().values():
                collective.broadcast(tensor, members.ranks[0], members)
        self._average = GradientAverage(layers.parameters(), members, comm_buffer_size << 20)

    def init_reducer(self) -> None:
        """Get ready to add up gradients of several processes: it is."""

    @contextmanager
    def no_sync(self) -> Iterator[None]:
        """Within its ``with`` block gradients are added up in each process; the next ``backward()`` outside averages the sums."""
        self._average.paused = True
        try:
            yield
        finally:
            self._average.paused = False

    def scale_loss(self, loss: Any) -> Any:
        """The loss as it is: gradients are averaged."""
        return loss

    def apply_collective_grads(self) -> None:
        """Average the gradients over all processes now."""
        if not self._average.paused:
            self._average.average_now()


__getattr__ = names_around(__name__)
