"""Convolutions. Each family consists of three bilinear operators, the convolution and its two gradients, whose gradients are each
other. (The transposed convolution is the gradient of the input.)

The kernels copy the windows into columns and multiply once (im2col); depthwise convolutions add shifted products.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, GradContext, Sample, op
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.registry import FILE_TYPES
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import arguments, dtype_checks
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.layers import conv_arrays, windows
from to_static.compiler.ops.shape_rules import show
from to_static.core.dtypes import default_dtype
from to_static.core.errors import DTypeError, ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileWriter

ATTRS = (
    "stride=strides:ints padding=paddings:ints padding_algorithm:str dilation=dilations:ints groups:int data_format:str"
)


def attributes(
    name: str,
    n: int,
    stride: int | Sequence[int],
    padding: int | str | Sequence[int | Sequence[int]],
    dilation: int | Sequence[int],
    groups: int,
    data_format: str,
) -> dict[str, Any]:
    """The attributes of a convolution from the arguments of its public function."""
    last = windows.channel_last(data_format, n, name)
    paddings, algorithm = windows.padding_attrs(padding, n, last, name)
    return {
        "stride": arguments.repeat_ints(stride, n, f"{name} stride"),
        "padding": paddings,
        "padding_algorithm": algorithm,
        "dilation": arguments.repeat_ints(dilation, n, f"{name} dilation"),
        "groups": int(groups),
        "data_format": data_format,
    }


def with_bias(y: Tensor, bias: Tensor | None, n: int, last: bool) -> Tensor:
    """Add one number per channel."""
    if bias is None:
        return y
    dtype_checks.need_one_dtype("convolution", y, bias, promotable_kinds="fc")
    return y + (bias if last else F.reshape(bias, [1, -1, *[1] * n]))


def check(name: str, n: int, x: TensorSpec, w: TensorSpec, channels: int, groups: int, last: bool) -> None:
    """Raise ShapeError or DTypeError unless ``x`` has ``channels`` channels and ``w`` divides into ``groups``."""
    windows.need_ndim(x, n, name)
    dtype_checks.need_float(x, name)
    if w.dtype is not x.dtype:
        raise DTypeError(f"{name}: the input is {x.dtype.name} and the weight {w.dtype.name}; cast one of them")
    if groups < 1 or (w.shape[0] != UNKNOWN and w.shape[0] % groups):
        raise ShapeError(f"{name}: weight {show(w.shape)} does not divide into {groups} groups")
    have = x.shape[-1 if last else 1]
    if have != UNKNOWN and have != channels and channels > 0:
        would_fit = x.shape[1 if last else -1] == channels
        meant = f"; channels are {'first' if last else 'last'} in it: set `data_format`, or transpose it" if would_fit else ""
        raise ShapeError(
            f"{name}: the input {show(x.shape)} has {have} channels, but weight {show(w.shape)} with "
            f"groups={groups} needs {channels}{meant}"
        )


def _family(n: int, channel_first: str) -> tuple[Any, Any, Any]:
    """Declare the convolution over ``n`` spatial dimensions with its gradients, and the transposed one."""
    name = f"conv{n}d"

    def conv(
        x: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        stride: int | Sequence[int] = 1,
        padding: int | str | Sequence[int | Sequence[int]] = 0,
        dilation: int | Sequence[int] = 1,
        groups: int = 1,
        data_format: str = channel_first,
        name: str | None = None,
    ) -> Tensor:
        settings = (f"conv{n}d", n, stride, padding, dilation, groups, data_format)
        attrs = arguments.frozen_attrs(attributes, *settings)
        y = front.emit(x, weight, **attributes(*settings)) if attrs is None else front.call((x, weight), attrs)
        return with_bias(y, bias, n, data_format[-1] == "C")

    conv.__name__ = conv.__qualname__ = name
    conv.__doc__ = f"""Convolve ``x`` with ``weight`` over {n} spatial dimensions (no flipping: a cross-correlation).

    ``x``: ``[N, C, *spatial]`` (or ``[N, *spatial, C]``, see ``data_format``: default {channel_first!r}).
    ``weight``: ``[M, C / groups, *kernel]``; ``bias``: ``[M]`` or None. ``stride``, ``dilation``: an integer or {n}.
    ``padding``: an integer, {n} integers, {2 * n} (before and after each dimension), pairs for every dimension, 'SAME'
    (output size = input size / stride, rounded up; dilation counts as 1) or 'VALID' (none).
    Returns ``[N, M, *out]`` with ``out = (in + paddings - (dilation * (kernel - 1) + 1)) // stride + 1``.
    Raises ShapeError when channels, groups or sizes do not fit, DTypeError when the dtypes differ.

    Example:
        >>> F.{name}(paddle.ones([1, 1{", 4" * n}]), paddle.ones([2, 1{", 3" * n}])).shape
        [1, 2{", 2" * n}]
    """
    front: Any = op(f"{name}(Input, Filter -> Output) {ATTRS}", traits="check_shapes")(conv)

    @op(f"{name}_grad_input(Like, Filter, G -> DX) {ATTRS}", file=None)
    def grad_input(like: Tensor, weight: Tensor, g: Tensor, **attrs: AttrValue) -> Tensor:
        """Gradient of the convolution's input, which is shaped as ``like``, from that of its output."""
        return grad_input.emit(like, weight, g, **attrs)

    @op(f"{name}_grad_filter(Input, Like, G -> DFilter) {ATTRS}", file=None)
    def grad_filter(x: Tensor, like: Tensor, g: Tensor, **attrs: AttrValue) -> Tensor:
        """Gradient of the convolution's weight, which is shaped as ``like``, from that of its output."""
        return grad_filter.emit(x, like, g, **attrs)

    @front.infer
    def infer(
        x: TensorSpec,
        w: TensorSpec,
        stride: list[int],
        padding: list[int],
        padding_algorithm: str,
        dilation: list[int],
        groups: int,
        data_format: str,
    ) -> TensorSpec:
        last = data_format[-1] == "C"
        windows.need_ndim(w, n, f"{name} weight")
        check(name, n, x, w, w.shape[1] * groups, groups, last)
        windows.check_window(name, (), kernel=w.shape[2:], stride=stride, dilation=dilation)
        if padding_algorithm == "SAME":
            dilation = [1] * n
        sizes = windows.spatial(x.shape, last)
        outs = windows.output_sizes(sizes, w.shape[2:], stride, dilation, padding, padding_algorithm)
        windows.check_window(name, outs)
        return x.with_shape(windows.with_spatial(x.shape[0], w.shape[0], outs, last))

    @grad_input.infer
    def infer_input(like: TensorSpec, w: TensorSpec, g: TensorSpec, **attrs: AttrValue) -> TensorSpec:
        return like

    @grad_filter.infer
    def infer_filter(x: TensorSpec, like: TensorSpec, g: TensorSpec, **attrs: AttrValue) -> TensorSpec:
        return like

    front.kernel(conv_arrays.forward)
    front.specialize(conv_arrays.specialized_kernel)
    grad_input.kernel(conv_arrays.grad_input)
    grad_filter.kernel(conv_arrays.grad_filter)

    @front.grad
    def grad(ctx: GradContext, g: Tensor) -> Any:
        x, w = ctx.inputs
        gx = grad_input.call((x, w, g), ctx.attrs) if ctx.needs[0] else None
        return gx, grad_filter.call((x, w, g), ctx.attrs) if ctx.needs[1] else None

    @grad_input.grad
    def grad_of_input(ctx: GradContext, u: Tensor) -> Any:
        _, w, g = ctx.inputs
        gw = grad_filter(u, w, g, **ctx.attrs) if ctx.needs[1] else None
        return None, gw, front.emit(u, w, **ctx.attrs) if ctx.needs[2] else None

    @grad_filter.grad
    def grad_of_filter(ctx: GradContext, u: Tensor) -> Any:
        x, _, g = ctx.inputs
        gx = grad_input(x, u, g, **ctx.attrs) if ctx.needs[0] else None
        return gx, None, front.emit(x, u, **ctx.attrs) if ctx.needs[2] else None

    return front, grad_input, grad_filter


conv2d: Any
conv3d: Any
conv2d_grad_filter: Any
conv3d_grad_filter: Any
conv2d, conv2d_grad_input, conv2d_grad_filter = _family(2, "NCHW")
conv3d, conv3d_grad_input, conv3d_grad_filter = _family(3, "NCDHW")
FILE_TYPES["depthwise_conv2d"] = conv2d.op


@conv2d.to_file
def _(w: FileWriter, op: Op) -> None:
    x, weight = op.inputs
    channels = x.spec.shape[-1 if op.attrs["data_format"][-1] == "C" else 1]
    depthwise = op.attrs["groups"] == channels != 1 and weight.spec.shape[0] % channels == 0
    w.default(op, "depthwise_conv2d" if depthwise else "conv2d")


def line_padding(padding: int | str | Sequence[int], last: bool, name: str) -> str | Sequence[int]:
    """Padding of one dimension as that of two, the first of which has none."""
    paddings, algorithm = windows.padding_attrs(padding, 1, last, name)
    return algorithm if algorithm != "EXPLICIT" else [0, 0, *paddings * (2 if len(paddings) == 1 else 1)]


def conv1d(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | Sequence[int] = 1,
    padding: int | str | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
    data_format: str = "NCL",
    name: str | None = None,
) -> Tensor:
    """`conv2d` over one spatial dimension: ``x`` is ``[N, C, L]`` (or ``[N, L, C]``), ``weight`` ``[M, C / groups, k]``.

    ``bias``, ``stride``, ``padding`` and ``dilation`` are as there; ``data_format``: 'NCL' (default) or 'NLC'.

    Example:
        >>> F.conv1d(paddle.ones([1, 1, 4]), paddle.ones([2, 1, 3])).shape
        [1, 2, 2]
    """
    last = windows.channel_last(data_format, 1, "conv1d")
    windows.need_ndim(x.spec, 1, "conv1d")
    y = conv2d(
        F.unsqueeze(x, 1 if last else 2),
        F.unsqueeze(weight, 2),
        None,
        [1, *arguments.repeat_ints(stride, 1, "conv1d stride")],
        line_padding(padding, last, "conv1d"),
        [1, *arguments.repeat_ints(dilation, 1, "conv1d dilation")],
        groups,
        "NHWC" if last else "NCHW",
    )
    return with_bias(F.squeeze(y, 1 if last else 2), bias, 1, last)


def _f(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype("float32")


def _cases(n: int) -> list[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]]:
    """(input shape, weight shape, attributes) of the samples."""
    attributes = {
        "stride": [1] * n, "padding": [0] * n, "padding_algorithm": "EXPLICIT", "dilation": [1] * n, "groups": 1,
        "data_format": "NCHW" if n == 2 else "NCDHW",
    }  # fmt: skip
    last = "NHWC" if n == 2 else "NDHWC"
    if n == 3:
        return [
            ((1, 2, 3, 4, 3), (2, 2, 2, 2, 2), attributes),
            ((1, 3, 4, 3, 2), (4, 1, 2, 2, 2), attributes | {"groups": 2, "padding": [1, 0, 1], "data_format": last}),
        ]
    return [
        ((2, 3, 5, 4), (4, 3, 3, 2), attributes),
        ((2, 3, 4, 4), (2, 3, 1, 1), attributes),
        ((1, 4, 5, 6), (6, 2, 3, 3), attributes | {"groups": 2, "stride": [2, 1], "padding": [1, 0, 2, 1]}),
        ((2, 3, 6, 5), (6, 1, 3, 3), attributes | {"groups": 3, "padding": [1, 1], "stride": [2, 2]}),
        ((1, 2, 7, 7), (2, 2, 3, 3), attributes | {"dilation": [2, 3], "padding": [1, 2]}),
        ((1, 2, 5, 6), (2, 2, 3, 2), attributes | {"padding_algorithm": "SAME", "stride": [2, 2]}),
        ((1, 4, 5, 3), (2, 3, 2, 2), attributes | {"padding_algorithm": "VALID", "data_format": last}),
        ((2, 4, 5, 3), (3, 1, 3, 3), attributes | {"padding": [1, 1], "groups": 3, "data_format": last}),
    ]


def _forward_samples(n: int) -> Any:
    return lambda: [Sample(_f(*x), _f(*w, seed=1), **attrs) for x, w, attrs in _cases(n)]


def _gradient_samples(n: int, front: Any) -> Any:
    def make() -> list[Sample]:
        samples = []
        for x, w, attrs in _cases(n):
            (spec,) = front.op.infer_specs(tuple(TensorSpec(s, default_dtype()) for s in (x, w)), attrs)
            samples.append(Sample(_f(*x), _f(*w, seed=1), _f(*spec.shape, seed=2), **attrs))
        return samples

    return make


for _n, _front, _gradients in (
    (2, conv2d, (conv2d_grad_input, conv2d_grad_filter)),
    (3, conv3d, (conv3d_grad_input, conv3d_grad_filter)),
):
    _front.samples(_forward_samples(_n))
    for _gradient in _gradients:
        _gradient.samples(_gradient_samples(_n, _front))
