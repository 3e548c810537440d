"""Affine grids for `grid_sample`, and the inverse of max pooling: compositions of other operators, with gradients of any order."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from to_static.compiler.ir import mode as modes
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import arguments, dimension_args, dtype_checks, dynamic_sizes, operands
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.indexing import along_axis
from to_static.compiler.ops.shape_rules import show
from to_static.compiler.ops.shapes.create import zeros
from to_static.core.errors import ShapeError


def _constant(array: np.ndarray) -> Tensor:
    return modes.current().constant(array)


def affine_grid(theta: Tensor, out_shape: Sequence[int], align_corners: bool = True, name: str | None = None) -> Tensor:
    """Sampling positions for `grid_sample` of images transformed by the matrices ``theta``.

    ``theta``: ``[N, 2, 3]`` with ``out_shape`` ``[N, C, H, W]`` gives ``[N, H, W, 2]``; ``[N, 3, 4]`` with
    ``[N, C, D, H, W]`` gives ``[N, D, H, W, 3]``. Positions run from -1 to 1, at the centres of the corner pixels or, with
    ``align_corners=False``, at the image's borders. Raises ShapeError when the shapes do not fit.

    Example:
        >>> F.affine_grid(paddle.to_tensor([[[1.0, 0, 0], [0, 1, 0]]]), [1, 1, 1, 3]).numpy()[0, 0, :, 0]
        array([-1.,  0.,  1.], dtype=float32)
    """
    dtype_checks.need_float(theta.spec, "affine_grid")
    dims, tensors = dimension_args.parse_dims(out_shape, "affine_grid")
    holes = iter(tensors)
    sizes: list[Any] = [next(holes) if d == dimension_args.HOLE else d for d in dims][2:]
    n = len(sizes)
    if n not in (2, 3) or list(theta.spec.shape[1:]) != [n, n + 1]:
        shape = show(dimension_args.unknown_for_holes(dims))
        raise ShapeError(f"affine_grid: theta {show(theta.spec.shape)} does not fit the output shape {shape}")
    if tensors:
        points = _points(sizes, align_corners, theta.dtype)
    else:
        lines = [_line(np.arange(size), size, int(size == 1), align_corners) for size in sizes]
        grid = np.stack([*np.meshgrid(*lines, indexing="ij")[::-1], np.ones(sizes)], -1)
        points = _constant(grid.reshape(-1, n + 1).astype(theta.dtype.np))
    return F.matmul(points, theta, transpose_y=True).reshape([-1, *sizes, n])


def _line(pixels: Any, size: Any, single: Any, align_corners: bool) -> Any:
    """Coordinates of the centres of ``size`` pixels. A ``single`` pixel (1, else 0) lies in the middle."""
    if not align_corners:
        return (pixels * 2 + 1) / size - 1
    return pixels * 2 / (size - 1 + single) - (1 - single)


def _points(sizes: list[Any], align_corners: bool, dtype: Any) -> Tensor:
    """The positions ``[pixels, n + 1]`` where only the Program knows how many pixels there are."""
    lines: list[Tensor] = []
    for i, size in enumerate(sizes):
        many = F.reshape(operands.tensor(size), []).astype(dtype)
        pixels = F.arange(0, size).astype(dtype)
        line = _line(pixels, many, F.equal(many, 1).astype(dtype), align_corners)
        lines.append(line.reshape([-1 if j == i else 1 for j in range(len(sizes))]))
    coordinates = [F.expand(line, sizes) for line in lines[::-1]]
    return F.stack([*coordinates, F.ones_like(coordinates[0])], -1).reshape([-1, len(sizes) + 1])


def _sizes(size: Tensor | Sequence[Any]) -> list[Any]:
    """The sizes of a list, a tuple or a tensor, ints and what only the Program knows."""
    items = [size[i] for i in range(size.spec.shape[0])] if isinstance(size, Tensor) else size
    return [item if dynamic_sizes.is_dynamic(item) else int(item) for item in items]


def _unpool(
    name: str,
    x: Tensor,
    indices: Tensor,
    n: int,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None,
    padding: int | Sequence[int],
    size: Tensor | Sequence[Any] | None,
) -> Tensor:
    def unlike(index: str, have: str) -> str:
        return f"{name}: expected inputs and indices of one shape with {n + 2} dimensions, got {have} and {index}"

    if x.ndim != n + 2:
        raise ShapeError(unlike(show(indices.spec.shape), show(x.spec.shape)))
    dtype_checks.need_integer(indices, f"{name}: indices")
    dtype_checks.need_float(x.spec, name)
    dynamic_sizes.need_alike(indices, x, unlike)
    kernel = arguments.repeat_ints(kernel_size, n, f"{name} kernel_size")
    steps = kernel if stride is None else arguments.repeat_ints(stride, n, f"{name} stride")
    pads = arguments.repeat_ints(padding, n, f"{name} padding")
    default = [(i - 1) * s + k - 2 * p for i, s, k, p in zip(x.shape[2:], steps, kernel, pads, strict=True)]
    sizes = default if size is None else _sizes(size)[-n:]  # of a whole shape the batch may be unknown
    if size is not None:
        words, holes = dynamic_sizes.spelled(default)
        wanted, known_sizes = dynamic_sizes.spelled(sizes)
        pairs = [(w, d, s, dynamic_sizes.is_dynamic([w, d])) for w, d, s in zip(sizes, default, steps, strict=False)]
        near = [F.abs(dynamic_sizes.as_tensor_size(d) - dynamic_sizes.as_tensor_size(w)) < s for w, d, s, open_ in pairs if open_]
        if len(sizes) != n or any(abs(w - d) >= s for w, d, s, open_ in pairs if not open_):
            raise ShapeError(f"{name}: output_size {wanted} is too far from {words}".replace("{}", "?"))
        if near:
            message = f"{name}: output_size {wanted} is too far from {words}"
            dynamic_sizes.check(dynamic_sizes.all_of(near), "ShapeError", message, *known_sizes, *holes)
    empty = zeros([x.shape[0], x.shape[1], prod(sizes)], x.dtype)
    positions = indices.reshape([0, 0, -1]).astype("int64")
    # of elements for one place the last one is there, and the gradient of that goes to all of them, as in Paddle and PyTorch
    filled = along_axis.put(empty, positions, x.reshape([0, 0, -1]), 2, "assign", include_self=False, broadcast=True)
    return filled.reshape([0, 0, *sizes])


def max_unpool1d(
    x: Tensor,
    indices: Tensor,
    kernel_size: int | Sequence[int],
    stride: Any = None,
    padding: int | Sequence[int] = 0,
    data_format: str = "NCL",
    output_size: Any = None,
    name: str | None = None,
) -> Tensor:
    """`max_unpool2d` over one dimension: ``x`` and ``indices`` are ``[N, C, L]``.

    ``kernel_size``, ``stride``, ``padding``: those of the pooling; ``output_size`` chooses among the sizes that it
    can have come from; ``data_format``: 'NCL'.

    Example:
        >>> y, indices = F.max_pool1d(paddle.to_tensor([[[1.0, 3.0, 7.0, 5.0]]]), 2, return_mask=True)
        >>> F.max_unpool1d(y, indices, 2).tolist()
        [[[0.0, 3.0, 7.0, 0.0]]]
    """
    return _unpool("max_unpool1d", x, indices, 1, kernel_size, stride, padding, output_size)


def max_unpool2d(
    x: Any,
    indices: Any,
    kernel_size: int | Sequence[int],
    stride: Any = None,
    padding: int | Sequence[int] = 0,
    data_format: str = "NCHW",
    output_size: Any = None,
    name: str | None = None,
) -> Any:
    """Zeros with the elements of ``x`` at the places that ``max_pool2d(..., return_mask=True)`` returned.

    ``x``, ``indices``: ``[N, C, H, W]``. The other arguments are those of the pooling; ``output_size`` (2 integers, or the
    whole shape) chooses among the sizes that it can have come from. Raises ShapeError when shapes do not fit.
    ``kernel_size``, ``stride``, ``padding``: as for `max_pool2d`; ``data_format``: 'NCHW'.

    Example:
        >>> y, mask = F.max_pool2d(paddle.to_tensor([[[[1.0, 2.0], [4.0, 3.0]]]]), 2, return_mask=True)
        >>> F.max_unpool2d(y, mask, 2).numpy()
        array([[[[0., 0.],
                 [4., 0.]]]], dtype=float32)
    """
    return _unpool("max_unpool2d", x, indices, 2, kernel_size, stride, padding, output_size)


def max_unpool3d(
    x: Tensor,
    indices: Tensor,
    kernel_size: int | Sequence[int],
    stride: Any = None,
    padding: int | Sequence[int] = 0,
    data_format: str = "NCDHW",
    output_size: Any = None,
    name: str | None = None,
) -> Tensor:
    """`max_unpool2d` over three dimensions.

    ``x``, ``indices``: ``[N, C, D, H, W]``. ``kernel_size``, ``stride``, ``padding``: those of the pooling;
    ``output_size`` chooses among the sizes that it can have come from; ``data_format``: 'NCDHW'.

    Example:
        >>> y, indices = F.max_pool3d(paddle.ones([1, 1, 2, 2, 2]), 2, return_mask=True)
        >>> F.max_unpool3d(y, indices, 2).shape
        [1, 1, 2, 2, 2]
    """
    return _unpool("max_unpool3d", x, indices, 3, kernel_size, stride, padding, output_size)


FUNCTIONS["affine_grid"] = affine_grid
FUNCTIONS["max_unpool2d"] = max_unpool2d
FUNCTIONS["max_unpool3d"] = max_unpool3d
