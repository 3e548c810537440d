"""Transposed convolutions: the gradient of a convolution by its input, as a layer."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import Sample, op
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.registry import FILE_TYPES
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import arguments, dynamic_sizes, static_arguments
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.layers import conv, conv_arrays, windows
from to_static.core.errors import ArgumentError, ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader, FileWriter

_ATTRS = f"{conv.ATTRS} output_padding:ints output_size:ints"


def _sizes(name: str, sizes: Sequence[int], kernel: Sequence[int], attrs: dict[str, Any]) -> list[int]:
    """Spatial output sizes; raises ShapeError when ``output_size`` or ``output_padding`` does not fit."""
    n = len(kernel)
    stride, dilation = attrs["stride"], attrs["dilation"]
    extra = attrs["output_padding"] or [0] * n
    pads = windows.resolve(attrs["padding"], attrs["padding_algorithm"], [max(s, 1) for s in sizes], kernel, stride)
    spatial = []
    for i in range(n):
        if sizes[i] == UNKNOWN:
            spatial.append(attrs["output_size"][i] if attrs["output_size"] else UNKNOWN)
            continue
        least = (sizes[i] - 1) * stride[i] - sum(pads[i]) + dilation[i] * (kernel[i] - 1) + 1
        wanted = attrs["output_size"][i] if attrs["output_size"] else least + extra[i]
        if not least <= wanted < least + stride[i] or wanted < 1:
            raise ShapeError(
                f"{name}: the output size of spatial dimension {i} can be {least} to {least + stride[i] - 1}, got {wanted}"
            )
        spatial.append(wanted)
    return spatial


def _kernel(xp: Any, x: Any, w: Any, **attrs: Any) -> Any:
    layout = attrs["data_format"]
    x = conv_arrays.first(xp, x, layout)
    settings = tuple(tuple(v) if isinstance(v := attrs[name], list) else v for name in _PLANNED)
    return conv_arrays.back(xp, conv_arrays.spread(xp, w, x, _planned(x.shape[2:], w.shape[2:], settings)), layout)


_PLANNED = ("stride", "padding", "padding_algorithm", "dilation", "groups", "output_padding", "output_size")


@functools.lru_cache(maxsize=256)
def _planned(sizes: tuple[int, ...], kernel: tuple[int, ...], settings: tuple[Any, ...]) -> conv_arrays.ConvPlan:
    """The plan of the convolution that takes the result to the input."""
    attrs = dict(zip(_PLANNED, settings, strict=True))
    pads = windows.resolve(attrs["padding"], attrs["padding_algorithm"], sizes, kernel, attrs["stride"])
    explicit = [p for pair in pads for p in pair]
    if attrs["padding_algorithm"] == "SAME":
        attrs["dilation"] = [1] * len(sizes)
    out_sizes = _sizes("conv_transpose", sizes, kernel, attrs)
    return conv_arrays.ConvPlan(out_sizes, kernel, attrs["stride"], explicit, "EXPLICIT", attrs["dilation"], attrs["groups"])


def _front(n: int, channel_first: str, compute: Callable[..., Any]) -> Any:
    """The public function over ``n`` dimensions; ``compute`` takes all arguments but the name, the dilation before the groups."""

    def conv_transpose(
        x: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        stride: int | Sequence[int] = 1,
        padding: int | str | Sequence[int] = 0,
        output_padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        groups: int = 1,
        output_size: int | Sequence[int] | None = None,
        data_format: str = channel_first,
        name: str | None = None,
    ) -> Tensor:
        return compute(x, weight, bias, stride, padding, output_padding, dilation, groups, output_size, data_format)

    def groups_first(
        x: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        stride: int | Sequence[int] = 1,
        padding: int | str | Sequence[int] = 0,
        output_padding: int | Sequence[int] = 0,
        groups: int = 1,
        dilation: int | Sequence[int] = 1,
        output_size: int | Sequence[int] | None = None,
        data_format: str = channel_first,
        name: str | None = None,
    ) -> Tensor:
        return compute(x, weight, bias, stride, padding, output_padding, dilation, groups, output_size, data_format)

    function = conv_transpose if n == 2 else groups_first  # as in Paddle
    function.__name__ = function.__qualname__ = name = f"conv{n}d_transpose"
    function.__doc__ = f"""The transpose of `conv{n}d`: each element of ``x`` adds a multiple of the kernel to the result.

    ``x``: ``[N, C, *spatial]`` (or ``[N, *spatial, C]``, see ``data_format``: default {channel_first!r}).
    ``weight``: ``[C, M / groups, *kernel]``; ``bias``: ``[M]`` or None. ``stride``, ``padding``, ``dilation``, ``groups``
    are those of the convolution that this transposes. Returns ``[N, M, *out]`` with
    ``out = (in - 1) * stride - paddings + dilation * (kernel - 1) + 1 + output_padding``; ``output_size`` gives ``out``
    itself instead. Raises ShapeError when sizes do not fit.

    Example:
        >>> F.{name}(paddle.ones([1, 2{", 3" * n}]), paddle.ones([2, 4{", 2" * n}]), stride=2).shape
        [1, 4{", 6" * n}]
    """
    return function


def _attributes(
    name: str,
    n: int,
    stride: int | Sequence[int],
    padding: int | str | Sequence[int],
    output_padding: int | Sequence[int],
    dilation: int | Sequence[int],
    groups: int,
    output_size: int | Sequence[int] | None,
    data_format: str,
) -> dict[str, Any]:
    """The attributes from the arguments of a public function."""
    extra = arguments.repeat_ints(output_padding, n, f"{name} output_padding")
    if output_size is not None and any(extra):
        raise ArgumentError(f"{name}: give output_size or output_padding, not both")
    return {
        **conv.attributes(name, n, stride, padding, dilation, groups, data_format),
        "output_padding": extra if any(extra) else [],
        "output_size": [] if output_size is None else arguments.repeat_ints(output_size, n, f"{name} output_size"),
    }


def _of_size(full: Any, wanted: list[Any], attrs: dict[str, Any], name: str) -> Tensor:
    """The output padding of a transposed convolution whose output size only the Program knows."""
    n = len(wanted)
    if attrs["padding_algorithm"] == "SAME":
        raise static_arguments.must_be_static(name, "output_size beside padding='SAME'", "padding as numbers, `padding=1`")
    first = 1 if attrs["data_format"][-1] == "C" else 2
    pads = windows.resolve(attrs["padding"], attrs["padding_algorithm"], [1] * n, [1] * n, attrs["stride"])
    cuts: list[Any] = []
    for i, (pad_before, pad_after) in enumerate(pads):
        size, want = dynamic_sizes.as_tensor_size(full.shape[first + i]), dynamic_sizes.as_tensor_size(wanted[i])
        least = size - pad_before - pad_after
        fits = F.logical_and(want >= least, want < least + attrs["stride"][i])
        words = f"{name}: the output size of spatial dimension {i} can be {{}} to {{}}, got {{}}"
        dynamic_sizes.check(fits, "ShapeError", words, least, least + attrs["stride"][i] - 1, want)
        cuts += [-pad_before, want - size + pad_before]
    return dynamic_sizes.pad(full, cuts, range(first, first + n), "constant", 0.0)


def _family(n: int, channel_first: str, forward: Any, grad_filter: Any) -> Any:
    name = f"conv{n}d_transpose"

    def compute(
        x: Tensor,
        weight: Tensor,
        bias: Tensor | None,
        stride: int | Sequence[int],
        padding: int | str | Sequence[int],
        output_padding: int | Sequence[int],
        dilation: int | Sequence[int],
        groups: int,
        output_size: int | Sequence[int] | None,
        data_format: str,
    ) -> Tensor:
        if output_size is not None and dynamic_sizes.is_dynamic(output_size):
            wanted = dynamic_sizes.pair(output_size, n, f"{name} output_size")
            full_arguments = (x, weight, None, stride, 0, output_padding, dilation, groups, None, data_format)
            attrs = _attributes(name, n, stride, padding, output_padding, dilation, groups, 1, data_format)
            y = _of_size(compute(*full_arguments), wanted, attrs, name)
            return conv.with_bias(y, bias, n, data_format[-1] == "C")
        settings = (name, n, stride, padding, output_padding, dilation, groups, output_size, data_format)
        attrs = arguments.frozen_attrs(_attributes, *settings)
        y = front.emit(x, weight, **_attributes(*settings)) if attrs is None else front.call((x, weight), attrs)
        return conv.with_bias(y, bias, n, data_format[-1] == "C")

    signature = f"{name}(Input, Filter -> Output) {_ATTRS}"
    front: Any = op(signature, traits="check_shapes")(_front(n, channel_first, compute))

    @front.infer
    def infer(x: Any, w: Any, **attrs: Any) -> TensorSpec:
        last = attrs["data_format"][-1] == "C"
        windows.need_ndim(w, n, f"{name} weight")
        conv.check(name, n, x, w, w.shape[0], attrs["groups"], last)
        windows.check_window(name, (), kernel=w.shape[2:], stride=attrs["stride"], dilation=attrs["dilation"])
        if attrs["padding_algorithm"] == "SAME":
            attrs["dilation"] = [1] * n
        outs = _sizes(name, windows.spatial(x.shape, last), w.shape[2:], attrs)
        channels = UNKNOWN if w.shape[1] == UNKNOWN else w.shape[1] * attrs["groups"]
        return x.with_shape(windows.with_spatial(x.shape[0], channels, outs, last))

    front.kernel(_kernel)

    @front.to_file
    def to_file(w: FileWriter, op: Op) -> None:
        last = op.attrs["data_format"][-1] == "C"
        w.default(op, attrs={"data_format": ("str", "NHWC" if last else "NCHW")})  # Paddle's names, for 3-D as well

    @front.from_file
    def from_file(r: FileReader) -> Tensor:
        if not dynamic_sizes.is_dynamic(sizes := r.integers("output_size")):
            return r.read_declared(front.op)
        names = ("strides", "paddings", "output_padding", "dilations", "groups")
        stride, padding, extra, dilation, groups = (r.attr(name) for name in names)
        padding = padding if r.attr("padding_algorithm", "EXPLICIT") == "EXPLICIT" else r.attr("padding_algorithm")
        layout = r.attr("data_format", "NCHW")
        return compute(r.input("Input"), r.input("Filter"), None, stride, padding, extra or 0, dilation, groups, sizes, layout)

    @front.grad
    def grad(ctx: Any, g: Any) -> Any:
        x, w = ctx.inputs
        attrs = {k: v for k, v in ctx.attrs.items() if k not in ("output_padding", "output_size")}
        if attrs["padding_algorithm"] == "SAME":  # its amount depends on x here, not on g as a convolution would have it
            sizes = windows.spatial(x.spec.shape, attrs["data_format"][-1] == "C")
            if UNKNOWN in sizes:
                raise ShapeError(f"{name}: the gradient with padding='SAME' needs known spatial sizes")
            pads = windows.resolve(attrs["padding"], "SAME", sizes, w.spec.shape[2:], attrs["stride"])
            attrs |= {
                "padding": [p for pair in pads for p in pair], "padding_algorithm": "EXPLICIT", "dilation": [1] * n
            }  # fmt: skip
        gx = forward.emit(g, w, **attrs) if ctx.needs[0] else None
        return gx, grad_filter(g, w, x, **attrs) if ctx.needs[1] else None

    return front


conv2d_transpose = _family(2, "NCHW", conv.conv2d, conv.conv2d_grad_filter)
conv3d_transpose = _family(3, "NCDHW", conv.conv3d, conv.conv3d_grad_filter)
FILE_TYPES["depthwise_conv2d_transpose"] = conv2d_transpose.op


def _of_lines(
    x: Tensor,
    weight: Tensor,
    bias: Tensor,
    stride: int | Sequence[int],
    padding: int | str | Sequence[int],
    output_padding: int | Sequence[int],
    dilation: int | Sequence[int],
    groups: int,
    output_size: int | Sequence[int] | None,
    data_format: str,
) -> Tensor:
    """`conv2d_transpose` of images of one row (or column)."""
    last = windows.channel_last(data_format, 1, "conv1d_transpose")
    windows.need_ndim(x.spec, 1, "conv1d_transpose")
    y = conv2d_transpose(
        F.unsqueeze(x, 1 if last else 2),
        F.unsqueeze(weight, 2),
        None,
        [1, *arguments.repeat_ints(stride, 1, "conv1d_transpose stride")],
        conv.line_padding(padding, last, "conv1d_transpose"),
        [0, *arguments.repeat_ints(output_padding, 1, "conv1d_transpose output_padding")],
        [1, *arguments.repeat_ints(dilation, 1, "conv1d_transpose dilation")],
        groups,
        None if output_size is None else [1, *arguments.repeat_ints(output_size, 1, "conv1d_transpose output_size")],
        "NHWC" if last else "NCHW",
    )
    return conv.with_bias(F.squeeze(y, 1 if last else 2), bias, 1, last)


conv1d_transpose = _front(1, "NCL", _of_lines)


def _f(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype("float32")


_PLAIN: dict[str, Any] = {
    "stride": [1, 1], "padding": [0, 0], "padding_algorithm": "EXPLICIT", "dilation": [1, 1], "groups": 1,
    "data_format": "NCHW", "output_padding": [], "output_size": [],
}  # fmt: skip
_CASES: tuple[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]], ...] = (
    ((2, 3, 3, 2), (3, 2, 2, 3), {}),
    ((1, 4, 3, 3), (4, 1, 3, 3), {"groups": 2, "stride": [2, 2], "padding": [1, 0, 2, 1], "output_padding": [1, 0]}),
    ((1, 3, 3, 2), (3, 2, 3, 3), {"groups": 3, "stride": [2, 1], "output_size": [8, 4]}),
    ((1, 2, 3, 4), (2, 2, 2, 3), {"dilation": [2, 1], "padding": [1, 1], "padding_algorithm": "SAME", "stride": [2, 2]}),
    ((1, 3, 2, 4), (4, 2, 2, 2), {"data_format": "NHWC", "padding_algorithm": "VALID"}),
)
conv2d_transpose.samples(lambda: [Sample(_f(*x), _f(*w, seed=1), **(_PLAIN | attrs)) for x, w, attrs in _CASES])
conv3d_transpose.samples(
    lambda: [
        Sample(
            _f(1, 2, 2, 2, 2),
            _f(2, 1, 2, 1, 2, seed=1),
            **(_PLAIN | {"stride": [2, 1, 1], "padding": [0] * 3, "dilation": [1] * 3, "data_format": "NCDHW"}),
        )
    ]
)
