"""Models as a list of layers, of which each process of a pipeline would have a part: with one process it has all of them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from to_static.core.errors import ModeError
from to_static.distributed.layer_wrapper import LayerWrapper
from to_static.nn.container import LayerDict
from to_static.nn.layer import Layer


class LayerDesc:
    """A layer that is still to be made: its class and the arguments. Raises TypeError for what is no class of Layers.

    Example:
        >>> fleet.meta_parallel.LayerDesc(paddle.nn.Linear, 4, 3).build_layer()
        Linear(in_features=4, out_features=3, dtype=float32)
    """

    def __init__(self, layer_func: type[Layer], *inputs: Any, **kwargs: Any) -> None:
        self.layer_func = layer_func
        self.inputs = inputs
        self.kwargs = kwargs
        if not issubclass(layer_func, Layer):
            raise TypeError("The input(layer_func) should be a derived class of Layer.")

    def build_layer(self) -> Layer:
        """The layer, made now."""
        return self.layer_func(*self.inputs, **self.kwargs)

    def __repr__(self) -> str:
        arguments = [repr(value) for value in self.inputs] + [f"{name}={value!r}" for name, value in self.kwargs.items()]
        return f"{self.layer_func.__name__}({', '.join(arguments)})"


class SharedLayerDesc(LayerDesc):
    """A layer that stands in several places of the list: those of one ``key`` are one layer, run by ``forward_func(layer, x)``."""

    def __init__(
        self,
        key: str,
        layer_func: type[Layer],
        forward_func: Callable[..., Any] | None = None,
        shared_weight_attr: str = "weight",
        *inputs: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(layer_func, *inputs, **kwargs)
        self.layer_name = key
        self.forward_func = forward_func
        self.shared_weight_attr = shared_weight_attr


class PipelineLayer(Layer):
    """Layers one after the other, each given what the one before it returned.

    Args:
        layers: Layers, `LayerDesc`, `SharedLayerDesc` and functions.
        num_stages: 1 (or a topology of one process).
        loss_fn: what `PipelineParallel` would call at the end.
        seg_method, recompute_interval, recompute_ctx, num_virtual_pipeline_stages: taken, of no effect on numbers.

    Raises ValueError without ``num_stages`` and ``topology``, ModeError for several stages.

    Example:
        >>> LayerDesc, PipelineLayer = fleet.meta_parallel.LayerDesc, fleet.meta_parallel.PipelineLayer
        >>> PipelineLayer([LayerDesc(paddle.nn.Linear, 4, 3), paddle.nn.functional.relu], num_stages=1)(paddle.ones([2, 4])).shape
        [2, 3]
    """

    def __init__(
        self,
        layers: Iterable[Any],
        num_stages: int | None = None,
        topology: Any = None,
        loss_fn: Any = None,
        seg_method: Any = "uniform",
        recompute_interval: int = 0,
        recompute_ctx: dict[str, Any] | None = None,
        num_virtual_pipeline_stages: int | None = None,
    ) -> None:
        super().__init__()
        if num_stages is None and topology is None:
            raise ValueError("should provide num_stages or topology")
        if (num_stages or 1) > 1 or (num_virtual_pipeline_stages or 1) > 1:
            raise ModeError(f"PipelineLayer: there is a world of one process, so that num_stages must be 1, got {num_stages}")
        self.layers = layers
        self._loss_fn = loss_fn
        self._layers_desc = list(layers)
        self.shared_layers = LayerDict()
        self.run_function = [self._built(str(index), layer) for index, layer in enumerate(self._layers_desc)]

    def _built(self, index: str, layer: Any) -> Any:
        if isinstance(layer, SharedLayerDesc):
            if layer.layer_name not in self.shared_layers:
                self.shared_layers[layer.layer_name] = layer.build_layer()
            shared_layer = self.shared_layers[layer.layer_name]
            return shared_layer if layer.forward_func is None else functools.partial(layer.forward_func, shared_layer)
        if isinstance(layer, LayerDesc):
            layer = layer.build_layer()
        if isinstance(layer, Layer):
            self.add_sublayer(index, layer)
        return layer

    def forward(self, input: Any, chunk_id: int | None = None) -> Any:
        """Return the output of the last layer."""
        for layer in self.run_function:
            input = layer(input)
        return input


class TensorParallel(LayerWrapper):
    """A model of whose layers processes have parts: with one it is the model itself, which is called.

    Args:
        layers: the network.
        hcg, strategy: how processes are arranged; not used.
    """

    def __init__(self, layers: Any, hcg: Any = None, strategy: Any = None) -> None:
        super().__init__(layers.full_name() + "_tensor_parallel")
        self._layers, self._hcg = layers, hcg


class PipelineParallel(Layer):
    """A model that a pipeline of processes trains: programs only test for it. Raises ModeError: with one there is no pipeline."""

    def __init__(self, layers: Any, hcg: Any = None, strategy: Any = None) -> None:
        raise ModeError("PipelineParallel: there is a world of one process, which has no pipeline; use the layers themselves")
