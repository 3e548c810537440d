"""`flops`: how many multiplications and additions one call of a network takes, counted as Paddle counts them."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

from to_static import nn
from to_static.compiler.ir import mode
from to_static.compiler.ops.random.random import rand
from to_static.compiler.saved.load import TranslatedLayer
from to_static.core.diagnostics.printable import printable
from to_static.hapi.summary import parameters_of
from to_static.nn.layer import Layer


def _of_conv(layer: Any, x: Any, y: Any) -> int:
    kernel = math.prod(layer.weight.shape[2:])
    return int(_size(y) * (x[0].shape[1] / layer._groups * kernel + (layer.bias is not None)))


def _of_adaptive(layer: Any, x: Any, y: Any) -> int:
    kernel = math.prod(a // b for a, b in zip(x[0].shape[2:], y.shape[2:], strict=True))
    return (kernel + 1) * _size(y)


def _size(x: Any) -> int:
    return math.prod(x.shape)


def _each(layer: Any, x: Any, y: Any) -> int:
    return _size(x[0])


def _norm(layer: Any, x: Any, y: Any) -> int:
    return 2 * _size(x[0])


def _linear(layer: Any, x: Any, y: Any) -> int:
    return layer.weight.shape[0] * _size(y)  # type: ignore[no-any-return]


def _average(layer: Any, x: Any, y: Any) -> int:
    return _size(y)


def _nothing(layer: Any, x: Any, y: Any) -> int:
    return 0


_RULES: dict[Any, Callable[[Any, Any, Any], int]] = {
    **dict.fromkeys(
        (nn.Conv1D, nn.Conv2D, nn.Conv3D, nn.Conv1DTranspose, nn.Conv2DTranspose, nn.Conv3DTranspose), _of_conv
    ),
    nn.BatchNorm2D: _norm, nn.BatchNorm: _norm, nn.LeakyReLU: _each, nn.Linear: _linear,
    **dict.fromkeys((nn.ReLU, nn.ReLU6, nn.Dropout), _nothing),
    **dict.fromkeys((nn.AvgPool1D, nn.AvgPool2D, nn.AvgPool3D), _average),
    **dict.fromkeys((nn.AdaptiveAvgPool1D, nn.AdaptiveAvgPool2D, nn.AdaptiveAvgPool3D), _of_adaptive),
}  # fmt: skip


def flops(net: Any, input_size: Any, custom_ops: Any = None, print_detail: bool = False) -> int:
    """Count the operations of one call of ``net``, and print the total; with ``print_detail`` a table of its layers, too.

    Args:
        net: a Layer; it is called once, in eval mode, on random numbers.
        input_size: shape of its input, a list of ints.
        custom_ops: for classes of Layers functions ``f(layer, inputs, output)`` that add to ``layer.total_ops``.
        print_detail: whether to print the table.

    Returns the number: convolutions, linear layers, batch norms, average poolings and leaky ReLUs count; other layers count as
    nothing, which is said once for each class. -1, with a warning, for what is no Layer.

    Example:
        >>> total = paddle.flops(paddle.vision.models.LeNet(), [1, 1, 28, 28], print_detail=True)
    """
    if not isinstance(net, Layer):
        warnings.warn("Your model must be an instance of paddle.nn.Layer or paddle.static.Program.", stacklevel=2)
        return -1
    rows: dict[int, list[Any]] = {}
    reported: set[Any] = set()
    custom = custom_ops or {}
    hooks = []
    layers = net.sublayers(include_self=True)
    nested_ids = {id(x) for model in layers if isinstance(model, TranslatedLayer) for x in model.sublayers()}
    counted = [x for x in layers if id(x) not in nested_ids and (isinstance(x, TranslatedLayer) or not list(x.children()))]

    def record_layer(layer: Any, x: Any, y: Any) -> None:
        rule, ops = _RULES.get(type(layer), _nothing), 0
        if type(layer) in custom:
            object.__setattr__(layer, "total_ops", 0)
            custom[type(layer)](layer, x, y)
            ops = int(layer.total_ops)
            object.__delattr__(layer, "total_ops")
        else:
            ops = abs(rule(layer, x, y))
        out = y[0] if isinstance(y, (list, tuple)) else y
        params = sum(map(_size, parameters_of(layer).values()))
        earlier_row = rows.get(id(layer))
        ops += earlier_row[4] if earlier_row else 0
        rows[id(layer)] = [printable(layer.full_name()), list(x[0].shape), list(out.shape), params, ops]

    for layer in counted:
        cls = type(layer)
        if cls not in reported:
            reported.add(cls)
            if cls in custom:
                print(f"Customize Function has been applied to {cls}")
            elif cls in _RULES:
                print(f"{cls}'s flops has been counted")
            else:
                print(f"Cannot find suitable count function for {cls}. Treat it as zero FLOPs.")
        hooks.append(layer.register_forward_post_hook(record_layer))
    training = net.training
    try:
        net.eval()
        with mode.default_mode(), mode.grad_mode(False):
            net(rand(list(input_size)))
    finally:
        for hook in hooks:
            hook.remove()
        if training:
            net.train()
    listed = [rows[id(layer)] for layer in counted if id(layer) in rows]
    if print_detail:
        _print(["Layer Name", "Input Shape", "Output Shape", "Params", "Flops"], listed)
    total = sum(row[4] for row in listed)
    print(f"Total Flops: {total}     Total Params: {sum(row[3] for row in listed)}")
    return total


def _print(heads: list[str], rows: list[list[Any]]) -> None:
    widths = [max(len(str(cell)) for cell in column) + 2 for column in zip(heads, *rows, strict=True)]
    shelf = "".join("+" + "-" * width for width in widths) + "+"

    def line(cells: list[Any]) -> str:
        return "".join("|" + str(cell).center(width) for cell, width in zip(cells, widths, strict=True)) + "|"

    print("\n".join([shelf, line(heads), shelf, *map(line, rows), shelf]))
