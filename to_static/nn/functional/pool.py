"""Pooling over one, two or three spatial dimensions, fixed windows or adaptive ones."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import arguments, dimension_args, dynamic_sizes, functions
from to_static.compiler.ops.layers import conv, pool, windows
from to_static.compiler.ops.shape_rules import show
from to_static.core.errors import ShapeError

_POOL = {2: pool.pool2d, 3: pool.pool3d}
_INDEXED = {2: pool.max_pool2d_with_index, 3: pool.max_pool3d_with_index}


def _fixed(
    name: str, x: Any, n: int, pooling_type: str, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    data_format: str, exclusive: bool = True, return_mask: bool = False,
) -> Any:  # fmt: skip
    windows.need_ndim(x.spec, n, name)
    settings_args = (name, n, pooling_type, kernel_size, stride, padding, ceil_mode, exclusive, data_format)
    attrs = arguments.frozen_attrs(pool.attributes, *settings_args)
    if attrs is not None and not return_mask:
        return _POOL[n].call((x,), attrs)
    settings = pool.attributes(*settings_args)
    if not return_mask:
        return _POOL[n].emit(x, **settings)
    if data_format[-1] == "C":
        raise ValueError(f"{name}: return_mask needs a channel-first data_format, got {data_format!r}")
    names = ("kernel_size", "stride", "padding", "padding_algorithm", "ceil_mode")
    return _INDEXED[n](x, *(settings[name] for name in names))


def _adaptive(name: str, x: Any, n: int, pooling_type: str, output_size: Any, data_format: str, return_mask: bool = False) -> Any:
    windows.need_ndim(x.spec, n, name)
    if not return_mask and dimension_args.python_ints(output_size) is not None:
        attrs = arguments.frozen_attrs(_adaptive_attributes, name, n, pooling_type, output_size, data_format)
        if attrs is not None:
            return _POOL[n].call((x,), attrs)
    sizes = windows.spatial(x.spec.shape, windows.channel_last(data_format, n, name))
    if isinstance(output_size, Tensor) and output_size.ndim:
        is_dynamic = dynamic_sizes.is_dynamic(output_size)
        output_size = dynamic_sizes.pair(output_size, n, name) if is_dynamic else arguments.int_list(output_size)
    requested = _each(output_size, n, name)
    if pooling_type == "avg" and dynamic_sizes.is_dynamic(requested):
        return pool.dynamic_averages(x, requested, data_format)
    output_sizes = [size if request is None else int(request) for request, size in zip(requested, sizes, strict=True)]
    if UNKNOWN in output_sizes:
        raise ShapeError(f"{name}: output_size None needs an input whose size is known, got {show(x.spec.shape)}")
    if return_mask:
        return _INDEXED[n](x, output_sizes, adaptive=True)
    return _POOL[n](x, pooling_type, output_sizes, adaptive=True, data_format=data_format)


def _each(output_size: Any, n: int, name: str) -> list[Any]:
    requested = list(output_size) if isinstance(output_size, (list, tuple)) else [output_size] * n
    if len(requested) != n:
        raise ShapeError(f"{name}: expected an output size of {n} entries, got {output_size!r}")
    return requested


def _adaptive_attributes(name: str, n: int, pooling_type: str, output_size: Any, data_format: str) -> dict[str, Any]:
    """Attributes of an adaptive pooling to sizes that are numbers."""
    windows.channel_last(data_format, n, name)
    regular = pool.attributes(name, n, pooling_type, 1, 1, 0, False, True, data_format)
    return {**regular, "kernel_size": _each(output_size, n, name), "adaptive": True}


def _with_height(x: Any, name: str) -> Any:
    """``[N, C, L]`` as ``[N, C, 1, L]``."""
    windows.need_ndim(x.spec, 1, name)
    return functions.unsqueeze(x, 2)


def _narrow(y: Any) -> Any:
    if isinstance(y, tuple):
        return tuple(functions.squeeze(v, 2) for v in y)
    return functions.squeeze(y, 2)


def _line(value: Any, name: str, fill: int) -> list[int]:
    return [fill, *arguments.repeat_ints(value, 1, name)]


def max_pool1d(
    x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: bool = False,
    ceil_mode: bool = False, name: Any = None,
) -> Any:  # fmt: skip
    """`max_pool2d` over one dimension: ``x`` is ``[N, C, L]``.

    ``kernel_size``, ``stride`` (default ``kernel_size``), ``padding``, ``return_mask`` and ``ceil_mode`` are as
    there.

    Example:
        >>> F.max_pool1d(paddle.to_tensor([[[1.0, 3.0, 7.0, 5.0]]]), 2).tolist()
        [[[3.0, 7.0]]]
    """
    kernel = _line(kernel_size, "max_pool1d kernel_size", 1)
    steps = kernel if stride is None else _line(stride, "max_pool1d stride", 1)
    pads = conv.line_padding(padding, False, "max_pool1d")
    return _narrow(max_pool2d(_with_height(x, "max_pool1d"), kernel, steps, pads, return_mask, ceil_mode))


def max_pool2d(
    x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: bool = False,
    ceil_mode: bool = False, data_format: str = "NCHW", name: Any = None,
) -> Any:  # fmt: skip
    """The maximum of each window of ``x`` ``[N, C, H, W]`` (or ``[N, H, W, C]``, see ``data_format``).

    ``kernel_size``, ``stride`` (default: the kernel size): an integer or two. ``padding``: an integer, two, four (before and
    after), pairs for every dimension, 'SAME' or 'VALID'; padded elements never win. ``ceil_mode``: round the output size up.
    ``return_mask``: also return (int32) the positions of the maxima in the flattened ``H * W``.
    Raises ShapeError when sizes do not fit, ValueError on an unknown padding or format.

    Example:
        >>> F.max_pool2d(paddle.ones([1, 3, 4, 4]), 2).shape
        [1, 3, 2, 2]
    """
    return _fixed(
        "max_pool2d", x, 2, "max", kernel_size, stride, padding, ceil_mode, data_format, return_mask=return_mask
    )


def max_pool3d(
    x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: bool = False,
    ceil_mode: bool = False, data_format: str = "NCDHW", name: Any = None,
) -> Any:  # fmt: skip
    """`max_pool2d` over three dimensions: ``x`` is ``[N, C, D, H, W]`` (or ``[N, D, H, W, C]``).

    ``kernel_size``, ``stride`` (default ``kernel_size``), ``padding``, ``return_mask`` and ``ceil_mode`` are as
    there; ``data_format``: 'NCDHW' (default) or 'NDHWC'.

    Example:
        >>> F.max_pool3d(paddle.ones([1, 1, 4, 4, 4]), 2).shape
        [1, 1, 2, 2, 2]
    """
    return _fixed(
        "max_pool3d", x, 3, "max", kernel_size, stride, padding, ceil_mode, data_format, return_mask=return_mask
    )


def avg_pool1d(
    x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, exclusive: bool = True,
    ceil_mode: bool = False, name: Any = None,
) -> Any:  # fmt: skip
    """`avg_pool2d` over one dimension: ``x`` is ``[N, C, L]``.

    ``kernel_size``, ``stride`` (default ``kernel_size``), ``padding``, ``exclusive`` and ``ceil_mode`` are as there.

    Example:
        >>> F.avg_pool1d(paddle.to_tensor([[[1.0, 3.0, 5.0, 7.0]]]), 2).tolist()
        [[[2.0, 6.0]]]
    """
    kernel = _line(kernel_size, "avg_pool1d kernel_size", 1)
    steps = kernel if stride is None else _line(stride, "avg_pool1d stride", 1)
    pads = conv.line_padding(padding, False, "avg_pool1d")
    return _narrow(avg_pool2d(_with_height(x, "avg_pool1d"), kernel, steps, pads, ceil_mode, exclusive))


def _averages(
    name: str, x: Any, n: int, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool, exclusive: bool,
    divisor_override: Any, data_format: str,
) -> Any:  # fmt: skip
    y = _fixed(name, x, n, "avg", kernel_size, stride, padding, ceil_mode, data_format, exclusive)
    if divisor_override is None:
        return y
    if divisor_override <= 0:
        raise ValueError(f"{name}: divisor_override must be positive, got {divisor_override}")
    count = 1
    for k in arguments.repeat_ints(kernel_size, n, name):
        count *= k
    return y * (count / divisor_override)


def avg_pool2d(
    x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False, exclusive: bool = True,
    divisor_override: Any = None, data_format: str = "NCHW", name: Any = None,
) -> Any:  # fmt: skip
    """The average of each window of ``x`` ``[N, C, H, W]`` (or ``[N, H, W, C]``); arguments as `max_pool2d`.

    ``exclusive``: padding does not count in the average. ``divisor_override``: the average is multiplied by the number
    of elements of a window and divided by this.
    ``kernel_size``, ``stride`` and ``ceil_mode`` are as there; ``data_format``: 'NCHW' (default) or 'NHWC'.

    Example:
        >>> F.avg_pool2d(paddle.ones([1, 3, 4, 4]), 2).shape
        [1, 3, 2, 2]
    """
    return _averages(
        "avg_pool2d", x, 2, kernel_size, stride, padding, ceil_mode, exclusive, divisor_override, data_format
    )


def avg_pool3d(
    x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False, exclusive: bool = True,
    divisor_override: Any = None, data_format: str = "NCDHW", name: Any = None,
) -> Any:  # fmt: skip
    """`avg_pool2d` over three dimensions: ``x`` is ``[N, C, D, H, W]`` (or ``[N, D, H, W, C]``).

    ``kernel_size``, ``stride``, ``padding``, ``ceil_mode``, ``exclusive`` and ``divisor_override`` are as there;
    ``data_format``: 'NCDHW' (default) or 'NDHWC'.

    Example:
        >>> F.avg_pool3d(paddle.ones([1, 1, 4, 4, 4]), 2).shape
        [1, 1, 2, 2, 2]
    """
    return _averages(
        "avg_pool3d", x, 3, kernel_size, stride, padding, ceil_mode, exclusive, divisor_override, data_format
    )


def adaptive_avg_pool1d(x: Any, output_size: Any, name: Any = None) -> Any:
    """`adaptive_avg_pool2d` over one dimension: ``[N, C, L]`` to ``[N, C, output_size]``.

    ``x``: floats. ``output_size``: an integer.

    Example:
        >>> F.adaptive_avg_pool1d(paddle.to_tensor([[[1.0, 3.0, 5.0, 7.0]]]), 2).tolist()
        [[[2.0, 6.0]]]
    """
    what = "adaptive_avg_pool1d output_size"
    size = [1, *dynamic_sizes.pair(output_size, 1, what)] if dynamic_sizes.is_dynamic(output_size) else _line(output_size, what, 1)
    return _narrow(_adaptive("adaptive_avg_pool1d", _with_height(x, "adaptive_avg_pool1d"), 2, "avg", size, "NCHW"))


def adaptive_avg_pool2d(x: Any, output_size: Any, data_format: str = "NCHW", name: Any = None) -> Any:
    """Averages of windows that cover the input evenly: the output has spatial size ``output_size``.

    ``x``: ``[N, C, H, W]`` (or ``[N, H, W, C]``). ``output_size``: an integer or two; None keeps a dimension's size.
    Window i of dimension ``size`` covers ``floor(i * size / out)`` to ``ceil((i + 1) * size / out)``.
    ``data_format``: 'NCHW' (default) or 'NHWC'.

    Example:
        >>> F.adaptive_avg_pool2d(paddle.ones([1, 3, 5, 7]), [2, None]).shape
        [1, 3, 2, 7]
    """
    return _adaptive("adaptive_avg_pool2d", x, 2, "avg", output_size, data_format)


def adaptive_avg_pool3d(x: Any, output_size: Any, data_format: str = "NCDHW", name: Any = None) -> Any:
    """`adaptive_avg_pool2d` over three dimensions.

    ``x``: ``[N, C, D, H, W]`` (or ``[N, D, H, W, C]`` with ``data_format='NDHWC'``). ``output_size``: an integer or
    three; None keeps a dimension's size.

    Example:
        >>> F.adaptive_avg_pool3d(paddle.ones([1, 1, 4, 4, 4]), 2).shape
        [1, 1, 2, 2, 2]
    """
    return _adaptive("adaptive_avg_pool3d", x, 3, "avg", output_size, data_format)


def adaptive_max_pool1d(x: Any, output_size: Any, return_mask: bool = False, name: Any = None) -> Any:
    """`adaptive_max_pool2d` over one dimension: ``[N, C, L]`` to ``[N, C, output_size]``.

    ``x``: floats. ``return_mask``: also return the positions, int32.

    Example:
        >>> F.adaptive_max_pool1d(paddle.to_tensor([[[1.0, 3.0, 5.0, 7.0]]]), 2).tolist()
        [[[3.0, 7.0]]]
    """
    size = _line(output_size, "adaptive_max_pool1d output_size", 1)
    images = _with_height(x, "adaptive_max_pool1d")
    return _narrow(_adaptive("adaptive_max_pool1d", images, 2, "max", size, "NCHW", return_mask))


def adaptive_max_pool2d(x: Any, output_size: Any, return_mask: bool = False, name: Any = None) -> Any:
    """Maxima of the windows of `adaptive_avg_pool2d`, for ``x`` ``[N, C, H, W]``; perhaps with their positions (int32).

    ``output_size``: an integer or two; ``return_mask``: also return the positions.

    Example:
        >>> F.adaptive_max_pool2d(paddle.ones([1, 1, 4, 4]), 2).shape
        [1, 1, 2, 2]
    """
    return _adaptive("adaptive_max_pool2d", x, 2, "max", output_size, "NCHW", return_mask)


def adaptive_max_pool3d(x: Any, output_size: Any, return_mask: bool = False, name: Any = None) -> Any:
    """`adaptive_max_pool2d` over three dimensions.

    ``x``: ``[N, C, D, H, W]``. ``output_size``: an integer or three; ``return_mask``: also return the positions,
    int32.

    Example:
        >>> F.adaptive_max_pool3d(paddle.ones([1, 1, 4, 4, 4]), 2).shape
        [1, 1, 2, 2, 2]
    """
    return _adaptive("adaptive_max_pool3d", x, 3, "max", output_size, "NCDHW", return_mask)
