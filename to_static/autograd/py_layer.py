"""`PyLayer`: a function with a forward and a backward that the user writes; dynamically and in static functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from to_static.autograd.context import PyLayerContext, gradients_of
from to_static.compiler.autodiff.vjp import zeros_for
from to_static.compiler.eager import tape
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir import mode
from to_static.compiler.ir.tensor import Tensor
from to_static.core.diagnostics.missing_names import of_object


class PyLayer(PyLayerContext):
    """Base class of functions with a gradient of their own. A subclass has two static methods:

    ``forward(ctx, *args, **kwargs)`` computes a tensor, or a tuple or list with tensors in it, without gradients being recorded;
    ``backward(ctx, *grads)`` gets the gradient of each output tensor and returns one for each tensor among the arguments of
    ``forward`` (None for those that need none). ``apply`` calls it. In a static function both become part of the Program; what is
    saved for inference is the forward.

    Raises (from ``apply`` and from the backward pass) TypeError where ``forward`` returns no tensor or ``backward`` something else
    than tensors and None, AutogradError for another number of gradients, ShapeError for one of another shape.

    Example:
        >>> class Tanh(paddle.autograd.PyLayer):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         y = paddle.tanh(x)
        ...         ctx.save_for_backward(y)
        ...         return y
        ...     @staticmethod
        ...     def backward(ctx, dy):
        ...         y, = ctx.saved_tensor()
        ...         return dy * (1 - y * y)
        >>> y = Tanh.apply(x)
    """

    def __getattr__(self, name: str) -> Any:
        raise of_object("PyLayer", self, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Raises TypeError: a PyLayer is no Layer, and its subclass is what has `apply`."""
        raise TypeError(f"{type(self).__name__} is called by its class: `{type(self).__name__}.apply(x)`")

    @staticmethod
    def forward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        """To be written by a subclass."""
        raise NotImplementedError("You must implement the forward function for PyLayer.")

    @staticmethod
    def backward(ctx: Any, *args: Any) -> Any:
        """To be written by a subclass."""
        raise NotImplementedError("You must implement the backward function for PyLayer.")

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Call ``forward``, and let ``backward`` be its gradient."""
        current = mode.current()
        ctx = PyLayerContext()
        inputs = list(tensors_of((*args, *kwargs.values())))
        needs_gradient = mode.grad_enabled() and not all(x.stop_gradient for x in inputs)
        forward = current.translate(cls.forward)
        with mode.grad_mode(False):
            results = forward(ctx, *args, **kwargs)
        sequence = isinstance(results, (list, tuple))
        outputs = list(results) if sequence else [results]
        tensor_positions = [i for i, x in enumerate(outputs) if isinstance(x, Tensor)]
        if not tensor_positions:
            raise TypeError(f"{cls.__name__}.forward must return a tensor, or tensors in a tuple or list, it returned {results!r}")
        fixed = {id(x) for x in ctx.non_differentiable}
        chosen = [outputs[i] for i in tensor_positions]
        flows = [needs_gradient and id(x) not in fixed and (x.dtype.is_floating or x.dtype.kind == "c") for x in chosen]
        input_ids = {id(x) for x in inputs}
        if any(flows):
            news = (_traced if current.building else _recorded)(cls, ctx, inputs, chosen, flows, input_ids)
        else:
            news = [x.detach() if id(x) in input_ids else x for x in chosen]
        for i, new in zip(tensor_positions, news, strict=True):
            outputs[i] = new
        return type(results)(outputs) if sequence else outputs[0]


def tensors_of(values: Any) -> Iterator[Any]:
    """The tensors among values, and in lists and tuples among these, in order."""
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from tensors_of(value)


class _PyLayerNode(tape.Node):
    """A call of a PyLayer on the tape."""

    __slots__ = ("backward", "ctx", "layer", "outputs", "specs")

    def __init__(self, layer: Any, ctx: PyLayerContext, inputs: list[Any], outputs: list[Any]) -> None:
        super().__init__(layer.__name__, [tape.edge_of(x) for x in inputs], len(outputs))
        self.layer = layer
        self.ctx = ctx
        self.specs = [x.spec for x in inputs]
        self.outputs = [x._array for x in outputs]

    def vjp(self, gouts: list[Any]) -> list[Any]:
        if self.ctx.materialize_grads:
            gouts = [zeros_for(EagerTensor(a)) if g is None else g for g, a in zip(gouts, self.outputs, strict=True)]
        grads = self.layer.backward(self.ctx, *gouts)
        return gradients_of(self.name, grads, self.specs, [edge is not None for edge in self.edges or ()])

    def free(self) -> None:
        super().free()
        self.ctx, self.outputs = PyLayerContext(), []


def _recorded(
    layer: Any, ctx: PyLayerContext, inputs: list[Any], outputs: list[Any], flows: list[bool], input_ids: set[int]
) -> list[Any]:
    """The outputs with a node on the tape."""
    node = _PyLayerNode(layer, ctx, inputs, outputs)
    news = []
    for i, (x, flow) in enumerate(zip(outputs, flows, strict=True)):
        new = EagerTensor(x._array) if id(x) in input_ids else x
        if flow:
            new._node, new._index, new.stop_gradient = node, i, False
        news.append(new)
    return news


def _traced(
    layer: Any, ctx: PyLayerContext, inputs: list[Any], outputs: list[Any], flows: list[bool], input_ids: set[int]
) -> list[Any]:
    """The outputs as values of the Program, with the backward traced beside them."""
    from to_static.autograd.traced import with_backward  # what eager mode does not need

    return with_backward(layer, ctx, inputs, outputs, flows, input_ids)
