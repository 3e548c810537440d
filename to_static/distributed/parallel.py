"""`DataParallel`: a Layer whose gradients are averaged over all processes, of which there is one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from to_static.core.paddle_module_aliases import names_around
from to_static.distributed.layer_wrapper import LayerWrapper
from to_static.nn.layer import Layer


class DataParallel(LayerWrapper):
    """Calls ``layers``; its parameters and state are those of that Layer, without a further name before them.

    Args:
        layers: the network.
        strategy, comm_buffer_size, last_comm_buffer_size, find_unused_parameters, group: how to exchange, which nobody does.

    Raises TypeError for what is no Layer.

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
        group: Any = None,
    ) -> None:
        super().__init__(layers.full_name() + "_data_parallel" if isinstance(layers, Layer) else None)
        if not isinstance(layers, Layer):
            raise TypeError(f"DataParallel: layers must be a Layer, got {type(layers).__name__}")
        self._layers = layers
        self.find_unused_parameters = find_unused_parameters

    def init_reducer(self) -> None:
        """Get ready to add up gradients of several processes: there is one."""

    @contextmanager
    def no_sync(self) -> Iterator[None]:
        """Within its ``with`` block gradients are not averaged, only added up: as always here."""
        yield

    def scale_loss(self, loss: Any) -> Any:
        """The loss as it is."""
        return loss

    def apply_collective_grads(self) -> None:
        """Average the gradients over all processes: they are."""


__getattr__ = names_around(__name__)
