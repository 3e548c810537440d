"""`TracedLayer`: a Layer as one Program, traced with example inputs (Paddle's older way to `to_static`)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.frontend.function.static_function import StaticFunction
from to_static.compiler.ir.input_spec import InputSpec
from to_static.compiler.ir.program import Program
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.saved.save import save
from to_static.core import tree
from to_static.nn.layer import Layer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class TracedLayer:
    """The result of `TracedLayer.trace`: a Program for inputs of the shapes of the trace.

    It shares the parameters with the Layer. Conditions on tensors are part of the Program here, as with `to_static`.
    ``layer``, ``specs``: for use by `TracedLayer.trace`.

    Example:
        >>> outputs, traced = paddle.jit.TracedLayer.trace(net, [x])
        >>> traced([x])[0].shape
        (4, 4)
    """

    def __init__(self, layer: Layer, specs: list[InputSpec]) -> None:
        self._layer = layer
        self._static = StaticFunction(getattr(layer.forward, "dygraph_function", layer.forward), specs)
        self._concrete, _ = self._static.get_concrete_program(*specs, as_called=True)

    @staticmethod
    def trace(layer: Layer, inputs: Sequence[object]) -> tuple[Any, TracedLayer]:
        """Return ``layer(*inputs)`` and the `TracedLayer`. Raises TypeError for other objects than a Layer and tensors."""
        if not isinstance(layer, Layer):
            raise TypeError(f"TracedLayer.trace expects a Layer, got {type(layer).__name__}: {layer!r}")
        tensors: list[Any] = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
        wrong = [x for x in tensors if not isinstance(x, Tensor)]
        if wrong:
            raise TypeError(f"TracedLayer.trace expects tensors as inputs, got {wrong[0]!r}")
        specs = [InputSpec.from_tensor(x, name=f"input_{i}") for i, x in enumerate(tensors)]
        return layer(*tensors), TracedLayer(layer, specs)

    @property
    def program(self) -> Program:
        """The Program as traced."""
        return self._concrete.main_program

    def __call__(self, inputs: Iterable[object]) -> list[np.ndarray]:
        """Return the outputs for a list of tensors, as arrays, without gradients."""
        result = self._concrete(list(inputs))
        return [leaf.numpy() for leaf in tree.flatten(result)[0] if isinstance(leaf, Tensor)]

    def set_strategy(self, build_strategy: object = None, exec_strategy: object = None) -> None:
        """Do nothing: Paddle has this method, and there is only one strategy."""

    def save_inference_model(
        self,
        path: str | os.PathLike[str],
        feed: Sequence[int] | None = None,
        fetch: Sequence[int] | None = None,
        **configs: object,
    ) -> None:
        """Write the model as `paddle.jit.save` does.

        Args:
            path: prefix of the files.
            feed, fetch: numbers of the inputs and outputs to keep; all when None. Only all inputs can be kept.

        Raises ValueError for other numbers.
        """
        count = len(self._concrete.inputs)
        if feed is not None and sorted(feed) != list(range(count)):
            raise ValueError(f"TracedLayer.save_inference_model: feed must name all inputs, {list(range(count))}, got {feed!r}")
        save(self._static, path, with_hook=True, **({} if fetch is None else {"output_spec": list(fetch)}))
