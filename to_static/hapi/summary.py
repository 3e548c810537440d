"""`summary`: a table of the layers of a network, with the shapes that they take and give, and how many parameters they have."""

from __future__ import annotations

import math
import numbers
from typing import Any, NamedTuple

from to_static.compiler.ir import mode
from to_static.compiler.ir.input_spec import InputSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions
from to_static.compiler.ops.random.random import rand
from to_static.compiler.saved.load import TranslatedLayer
from to_static.core.diagnostics.printable import printable
from to_static.core.dtypes import as_dtype
from to_static.nn.container import LayerList, Sequential
from to_static.nn.layer import Layer
from to_static.nn.rnn import RNNBase
from to_static.nn.unregistered import warn_of_unregistered

_MEGABYTE = 1024**2.0


class _Row(NamedTuple):
    name: str
    input_shape: Any
    output_shape: Any
    size: int
    trainable: int


def summary(net: Layer, input_size: Any = None, dtypes: Any = None, input: Any = None) -> dict[str, int]:
    """Print the layers of ``net`` in the order in which they are called, with shapes and numbers of parameters.

    Args:
        net: the network; it is called once, in eval mode.
        input_size: shape of its input (tuple, list of ints, int or InputSpec; one dimension may be None or -1, which counts as 1),
            or a list of shapes, one per input.
        dtypes: dtype of the inputs, or a list of them (default 'float32').
        input: what to call it with instead: a tensor, or a list or dict of tensors, which is handed over as it is.

    Returns {'total_params': ..., 'trainable_params': ...}. Raises ValueError when neither ``input_size`` nor ``input`` is given,
    and for shapes that can't be; TypeError for other things than shapes.

    Example:
        >>> counts = paddle.summary(paddle.vision.models.LeNet(), (1, 1, 28, 28))
    """
    shapes: Any
    if input is not None:
        inputs = [input] if isinstance(input, Tensor) else list(input.values() if isinstance(input, dict) else input)
        shapes, arguments = [list(x.shape) for x in inputs], [input]
    elif input_size is None:
        raise ValueError("input_size and input cannot be None at the same time: `paddle.summary(net, (1, 3, 224, 224))`")
    else:
        shapes = _shapes(input_size)
        dtype_list = dtypes if isinstance(dtypes, (list, tuple)) else [dtypes] * len(shapes)
        with mode.default_mode():
            arguments = [_random_input(shape, dtype) for shape, dtype in zip(shapes, dtype_list, strict=False)]
    with mode.default_mode():
        rows = _called(net, arguments)
    warn_of_unregistered(net)
    text, totals = _table(rows, shapes)
    print(text)
    return totals


def _shapes(size: Any) -> list[tuple[int, ...]]:
    if isinstance(size, InputSpec):
        return [_shape(size.shape)]
    if isinstance(size, numbers.Integral):
        return [_shape((size,))]
    if not isinstance(size, (list, tuple)):
        raise TypeError(f"input_size must be a shape, an InputSpec or a list of them, got {type(size).__name__}")
    if isinstance(size, tuple) and all(d is None or isinstance(d, numbers.Integral) for d in size):
        return [_shape(size)]
    if isinstance(size, list) and all(isinstance(d, numbers.Integral) for d in size) and size:
        return [_shape(size)]
    return [shape for item in size for shape in _shapes(tuple(item) if isinstance(item, list) else item)]


def _shape(shape: Any) -> tuple[int, ...]:
    if sum(d is None or d == -1 for d in shape) > 1:
        raise ValueError("Option input_size only the dim of batch_size can be None or -1.")
    for d in shape:
        if d is not None and d != -1 and d <= 0:
            raise ValueError(f"Expected element in input size greater than zero, but got {d}")
    return tuple(1 if d is None or d == -1 else int(d) for d in shape)


def _random_input(shape: tuple[int, ...], dtype: Any) -> Any:
    return functions.cast(rand(list(shape)), as_dtype(dtype or "float32"))


def _called(net: Layer, arguments: list[Any]) -> list[_Row]:
    rows: dict[str, _Row] = {}

    def record_layer(layer: Layer, inputs: Any, outputs: Any) -> None:
        try:
            index = int(layer.full_name().split("_")[-1]) + 1
        except ValueError:
            index = len(rows) + 1
        name = f"{type(layer).__name__}-{index}"
        params = parameters_of(layer)
        sizes = {k: math.prod(p.shape) for k, p in params.items()}
        trainable = sum(n for k, n in sizes.items() if not params[k].stop_gradient)
        rows[name] = _Row(name, _shape_of(inputs), _shape_of(outputs), sum(sizes.values()), trainable)

    layers = [net, *net.sublayers()]
    nested = {id(x) for rnn in layers if isinstance(rnn, RNNBase) for x in rnn.sublayers()}  # which no file knows of
    nested |= {id(x) for model in layers if isinstance(model, TranslatedLayer) for x in model.sublayers()}  # its parameters
    listed = [x for x in layers if not isinstance(x, (Sequential, LayerList)) and (x is not net or len(layers) == 1)]
    unopened = [x for x in layers if isinstance(x, (RNNBase, TranslatedLayer)) and x not in listed and id(x) not in nested]
    listed = [x for x in listed if id(x) not in nested] + unopened
    hooks = [layer.register_forward_post_hook(record_layer) for layer in listed]
    training = net.training
    try:
        net.eval()
        with mode.grad_mode(False):
            net(*arguments)
    finally:
        for hook in hooks:
            hook.remove()
        if training:
            net.train()
    return list(rows.values())


def parameters_of(layer: Layer) -> dict[str, Any]:
    """The parameters of a layer by itself, with the statistics of a batch norm; of a loaded model, all that its file holds."""
    if isinstance(layer, TranslatedLayer):
        return dict(layer.state_dict())
    return {name: p for name, p in layer._parameters.items() if p is not None}


def _shape_of(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_shape_of(x) for x in value]
    return list(value.shape) if hasattr(value, "shape") else []


def _elements(shape: Any) -> int:
    """Elements of a result: of each, where there are several."""
    if any(isinstance(d, list) for d in shape):
        return sum(_elements(x) for x in shape)
    return math.prod(shape) if shape else 1


def _table(rows: list[_Row], shapes: list[Any]) -> tuple[str, dict[str, int]]:
    cells = [(printable(r.name), str(r.input_shape), str(r.output_shape), f"{r.size:,}") for r in rows]
    least = (15, 20, 20, 15)
    columns: list[list[Any]] = [[printable(r.name), r.input_shape, r.output_shape, r.size] for r in rows]
    widths = [max([least[i], *(len(str(row[i])) for row in columns)]) for i in range(4)]
    width = max(75, sum(widths) + 5)
    line, rule = "-" * width, "=" * width
    body = [
        " ".join(f"{cell:^{w}}" for cell, w in zip(row, widths, strict=True))
        for row in [("Layer (type)", "Input Shape", "Output Shape", "Param #"), *cells]
    ]
    total, trainable = sum(r.size for r in rows), sum(r.trainable for r in rows)
    input_size = sum(abs(math.prod(s) * 4.0 / _MEGABYTE) for s in shapes)
    flow_size = abs(2.0 * sum(_elements(r.output_shape) for r in rows) * 4.0 / _MEGABYTE)  # twice: for gradients as well
    weight_size = abs(total * 4.0 / _MEGABYTE)
    text = [
        line, body[0], rule, *body[1:], rule,
        f"Total params: {total:,}", f"Trainable params: {trainable:,}", f"Non-trainable params: {total - trainable:,}", line,
        f"Input size (MB): {input_size:0.2f}", f"Forward/backward pass size (MB): {flow_size:0.2f}",
        f"Params size (MB): {weight_size:0.2f}",
        f"Estimated Total Size (MB): {weight_size + flow_size + input_size:0.2f}", line, "",
    ]  # fmt: skip
    return "\n".join(text), {"total_params": total, "trainable_params": trainable}
