"""`grid_sample`: interpolates images at given positions.

Around a position is a cell, whose corners are pixels. The weight of a corner is the product of its weights along the dimensions.
The gradient is a composition of other operators, so it can be differentiated again.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from math import prod
from typing import Any, NamedTuple

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import ArgumentError, ShapeError

_MODES, _PADDINGS = ("bilinear", "nearest"), ("zeros", "border", "reflection")


@op(
    "grid_sample(X, Grid -> Output) mode:str padding_mode:str align_corners:bool",
    file="grid_sampler",
    traits="check_shapes",
)
def grid_sample(
    x: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = True,
    name: str | None = None,
) -> Tensor:
    """``x`` read at the positions ``grid``, whose numbers -1 and 1 are the first and last pixels of a dimension.

    Args:
        x: ``[N, C, H, W]`` with grid ``[N, h, w, 2]`` (x, y), or ``[N, C, D, H, W]`` with grid ``[N, d, h, w, 3]`` (x, y, z).
        mode: 'bilinear' or 'nearest'.
        padding_mode: beyond the image read 'zeros', the 'border', or its 'reflection'.
        align_corners: -1 and 1 are the centres of the corner pixels, not the outer borders.

    Returns ``[N, C, h, w]`` (or ``[N, C, d, h, w]``). Raises ValueError on an unknown mode, ShapeError when shapes do not fit.

    Example:
        >>> image = paddle.to_tensor([[[[1.0, 3.0]]]])
        >>> F.grid_sample(image, paddle.to_tensor([[[[0.0, 0.0], [1.0, 0.0]]]])).numpy()
        array([[[[2., 3.]]]], dtype=float32)

    Source: Jaderberg et al., "Spatial Transformer Networks".
    """
    if mode not in _MODES:
        raise ArgumentError(f"grid_sample: mode must be 'bilinear' or 'nearest', got {mode!r}")
    if padding_mode not in _PADDINGS:
        raise ArgumentError(f"grid_sample: padding_mode must be 'zeros', 'border' or 'reflection', got {padding_mode!r}")
    return grid_sample.emit(x, grid, mode=mode, padding_mode=padding_mode, align_corners=bool(align_corners))


@grid_sample.infer
def _(x: TensorSpec, grid: TensorSpec, mode: str, padding_mode: str, align_corners: bool) -> TensorSpec:
    dtype_checks.need_one_dtype("grid_sample", dtype_checks.need_float(x, "grid_sample"), grid)
    n = x.ndim - 2
    if n not in (2, 3) or grid.ndim != x.ndim or grid.shape[-1] not in (n, UNKNOWN):
        raise ShapeError(f"grid_sample: input {show(x.shape)} and grid {show(grid.shape)} do not fit")
    if 0 in x.shape[2:]:
        raise ShapeError(f"grid_sample: sizes must be above 0, got {show(x.shape)}")
    if x.shape[0] != grid.shape[0] and UNKNOWN not in (x.shape[0], grid.shape[0]):
        raise ShapeError(f"grid_sample: input {show(x.shape)} and grid {show(grid.shape)} do not fit")
    batch = grid.shape[0] if x.shape[0] == UNKNOWN else x.shape[0]
    return x.with_shape((batch, x.shape[1], *grid.shape[1:-1]))


@grid_sample.kernel
def _(xp: ArrayModule, x: Array, grid: Array, mode: str, padding_mode: str, align_corners: bool) -> Array:
    n = x.ndim - 2
    sizes = x.shape[2:]
    flat = x.reshape(*x.shape[:2], prod(sizes))
    points = grid.reshape(grid.shape[0], prod(grid.shape[1:-1]), n)
    coordinates = []
    for axis, size in enumerate(sizes):  # the grid names the last dimension first
        coordinate = _pixels(points[..., n - 1 - axis], size, align_corners)
        coordinates.append(_array_inside(xp, coordinate, size, padding_mode, align_corners))
    total: Any = None
    if mode == "nearest":
        lows = [_rounded(xp, p) for p in coordinates]
        corners: Any = [(0,) * n]
    else:
        lows = [xp.floor(p) for p in coordinates]
        corners = itertools.product((0, 1), repeat=n)
    for corner in corners:
        index: Any = None
        weight: Any = None
        for axis, step in enumerate(corner):
            at = lows[axis] + 1 if step else lows[axis]
            pixel = xp.clip(at, 0, sizes[axis] - 1).astype("int64")
            index = pixel if index is None else index * sizes[axis] + pixel
            share = 1 - xp.abs(coordinates[axis] - at) if mode == "bilinear" else None
            if padding_mode == "zeros":
                position = coordinates[axis] if mode == "nearest" and n == 3 else at  # Paddle asks before it rounds there
                inside = ((position >= 0) & (position <= sizes[axis] - 1)).astype(x.dtype)
                share = inside if share is None else share * inside
            if share is not None:
                weight = share if weight is None else weight * share
        part = xp.take_along_axis(flat, xp.broadcast_to(index[:, None], (*x.shape[:2], points.shape[1])), 2)
        if weight is not None:
            part = part * weight[:, None]
        total = part if total is None else total + part
    return total.reshape(*x.shape[:2], *grid.shape[1:-1])


def _pixels(coordinate: Any, size: Any, align_corners: bool) -> Any:
    """The positions, counted in pixels, of coordinates from -1 to 1, arrays or tensors."""
    return (coordinate + 1) * ((size - 1) / 2) if align_corners else ((coordinate + 1) * size - 1) * 0.5


def _reflected(distance: Any, span: Any, floor: Callable[[Any], Any]) -> tuple[Any, Any, Any]:
    """Distances from an edge, arrays or tensors, reflected at both ends of a span, the remainders of whole spans, and 1 where
    an odd number of spans was left out.
    """
    reflections = floor(distance / span)
    remainder = distance - reflections * span
    is_odd = reflections - floor(reflections * 0.5) * 2
    return remainder + is_odd * (span - remainder * 2), remainder, is_odd


def _rounded(xp: ArrayModule, x: Array) -> Array:
    """The nearest whole numbers; halves go away from zero."""
    return xp.trunc(x + xp.copysign(np.nextafter(x.dtype.type(0.5), x.dtype.type(0)), x))


def _array_inside(xp: ArrayModule, coordinate: Array, size: int, padding_mode: str, align_corners: bool) -> Array:
    """Positions outside an image's dimension moved to its border, or reflected into it."""
    if padding_mode == "zeros":
        return coordinate
    if padding_mode == "reflection":
        span, least = (size - 1, 0.0) if align_corners else (size, -0.5)
        if span == 0:
            return coordinate * 0
        coordinate = _reflected(xp.abs(coordinate - least), span, xp.floor)[0] + least
    return xp.clip(coordinate, 0, size - 1)


class _Coordinate(NamedTuple):
    """The positions along one dimension, ``[N, P]``, and what a step of the grid moves them by.

    ``size``: of the dimension, an int or a 0-D tensor; ``float_size``: the same in the dtype of the image.
    """

    positions: Tensor
    slope: Any
    size: Any
    float_size: Any


class _Corner(NamedTuple):
    """One corner of the cells around the sampled points: its flat pixel index ``[N, P]`` (int64), and its weight by dimension.

    ``inside``: 1 if the pixel is in the image, else 0; None: all are.
    ``steps``: 1 for each dimension in which this is the upper corner.
    """

    pixel: Tensor
    shares: list[Tensor]
    inside: Tensor | None
    steps: tuple[int, ...]

    def weight(self, without: int = -1) -> Tensor | None:
        """Return the product of the weights, optionally without those of one dimension; None stands for 1."""
        product = self.inside
        for axis, share in enumerate(self.shares):
            if axis != without:
                product = share if product is None else product * share
        return product


def _coordinates(x: Tensor, grid: Tensor, padding_mode: str, align_corners: bool) -> list[_Coordinate]:
    n = x.ndim - 2
    results = []
    for axis, size in enumerate(_dims(x)[2:]):
        float_size = size if isinstance(size, int) else size.astype(x.dtype)
        positions = grid[..., n - 1 - axis].reshape([0, -1])
        slope = (float_size - 1) / 2 if align_corners else float_size * 0.5
        positions = _pixels(positions, float_size, align_corners)
        results.append(_inside(_Coordinate(positions, slope, size, float_size), padding_mode, align_corners))
    return results


def _inside(coordinate: _Coordinate, padding_mode: str, align_corners: bool) -> _Coordinate:
    """Move positions outside of the image to its border, or reflect them into it; the slope follows."""
    positions, slope, _, float_size = coordinate
    if padding_mode == "zeros":
        return coordinate
    if padding_mode == "reflection":
        span, lower_edge = (float_size - 1, 0.0) if align_corners else (float_size, -0.5)
        if isinstance(span, int) and span == 0:
            return coordinate._replace(positions=positions * 0.0, slope=positions * 0.0)
        if align_corners and not isinstance(span, int):  # of a size that is 1 all is moved to 0 below
            span = F.maximum(span, F.ones_like(span))
        folded, remainder, is_odd = _reflected(F.abs(positions - lower_edge), span, lambda value: F.floor(value).detach())
        # at a border as in Paddle
        is_below = (positions < lower_edge).astype(positions.dtype)
        is_mirrored = (remainder > 0).astype(positions.dtype) * is_odd
        slope = (1 - is_below * 2) * (1 - is_mirrored * 2) * slope
        positions = folded + lower_edge
    is_inside = ((positions >= 0) & (positions <= float_size - 1)).astype(positions.dtype)
    return coordinate._replace(positions=_clamped(positions, float_size), slope=is_inside * slope)


def _clamped(coordinate: Tensor, size: Tensor | int) -> Tensor:
    """Positions outside a dimension of that size, an int or a tensor, moved to its border."""
    if isinstance(size, int):
        return F.clip(coordinate, 0.0, float(size - 1))
    return F.minimum(F.clip(coordinate, 0.0), size - 1)


def _corners(coordinates: list[_Coordinate], mode: str, padding_mode: str) -> Iterator[_Corner]:
    n = len(coordinates)
    floor = F.round if mode == "nearest" else F.floor
    lows = [floor(c.positions).detach() for c in coordinates]
    for steps in itertools.product((0, 1), repeat=n) if mode == "bilinear" else [(0,) * n]:
        index: Any = None
        inside, shares = None, []
        for c, low, step in zip(coordinates, lows, steps, strict=True):
            at = low + 1.0 if step else low
            pixel = _clamped(at, c.float_size).astype("int64")
            index = pixel if index is None else index * c.size + pixel
            if mode == "bilinear":
                shares.append(c.positions - low if step else low + 1.0 - c.positions)
            if padding_mode == "zeros" or mode == "bilinear":
                # the gradient takes pixels beyond a border as zeros, as Paddle does
                asked = c.positions if mode == "nearest" and n == 3 else at  # Paddle asks before it rounds there
                hit = ((asked >= 0) & (asked <= c.float_size - 1)).astype(at.dtype)
                inside = hit if inside is None else inside * hit
        yield _Corner(index, shares, inside, steps)


def _dims(x: Tensor) -> list[Any]:
    """The sizes, tensors where they are known only when a Program runs."""
    return [F.dim_size(x, i) if d == UNKNOWN else d for i, d in enumerate(x.spec.shape)]


def _per_channel(x: Tensor, index: Tensor) -> Tensor:
    return F.tile(index.reshape([0, 1, -1]), [1, _dims(x)[1], 1])


def sampled_in_parts(x: Tensor, grid: Tensor, mode: str, padding_mode: str, align_corners: bool) -> Tensor:
    """`grid_sample` as a composition, for files that have no such operator."""
    flat = x.reshape([0, 0, -1])
    total = None
    for corner in _corners(_coordinates(x, grid, padding_mode, align_corners), mode, padding_mode):
        part = F.take_along_axis(flat, _per_channel(x, corner.pixel), 2)
        weight = corner.weight()
        part = part if weight is None else part * weight.reshape([0, 1, -1])
        total = part if total is None else total + part
    return total.reshape([0, 0, *_dims(grid)[1:-1]])  # type: ignore[union-attr]


@grid_sample.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, grid = ctx.inputs
    coordinates = _coordinates(x, grid, ctx.padding_mode, ctx.align_corners)
    flat, gradient = x.reshape([0, 0, -1]), g.reshape([0, 0, -1])
    moves_grid = ctx.needs[1] and ctx.mode == "bilinear"
    of_image, of_positions = F.zeros_like(flat), [None] * len(coordinates)
    for corner in _corners(coordinates, ctx.mode, ctx.padding_mode):
        index = _per_channel(x, corner.pixel)
        if ctx.needs[0]:
            weight = corner.weight()
            share = gradient if weight is None else gradient * weight.reshape([0, 1, -1])
            of_image = F.put_along_axis(of_image, index, share, 2, "add")
        if moves_grid:
            product = (F.take_along_axis(flat, index, 2) * gradient).sum(1)
            for axis, step in enumerate(corner.steps):
                weight = corner.weight(without=axis)
                change = product if weight is None else product * weight
                change = change if step else -change
                sum_so_far = of_positions[axis]
                of_positions[axis] = change if sum_so_far is None else sum_so_far + change
    image_gradient = of_image.reshape([0, 0, *_dims(x)[2:]]) if ctx.needs[0] else None
    if not ctx.needs[1]:
        return image_gradient, None
    if not moves_grid:  # a pixel stays the nearest one
        return image_gradient, F.zeros_like(grid)
    moves: Any = [c.slope * change for c, change in zip(coordinates, of_positions, strict=True)]
    return image_gradient, F.stack(moves[::-1], -1).reshape(_dims(grid))


def _grid(*shape: int) -> np.ndarray:
    """Positions in an image and beyond it."""
    return np.random.default_rng(1).uniform(-1.4, 1.4, shape).astype("float32")


grid_sample.samples(
    lambda: [
        Sample(f32(2, 3, 4, 5), _grid(2, 3, 2, 2), mode="bilinear", padding_mode="zeros", align_corners=True),
        Sample(f32(1, 2, 3, 4), _grid(1, 2, 2, 2), mode="bilinear", padding_mode="border", align_corners=False),
        Sample(f32(1, 2, 3, 4), _grid(1, 2, 2, 2), mode="bilinear", padding_mode="reflection", align_corners=True),
        Sample(f32(1, 2, 2, 3, 4), _grid(1, 2, 1, 2, 3), mode="bilinear", padding_mode="zeros", align_corners=False),
        Sample(f32(1, 2, 3, 4), _grid(1, 2, 2, 2), mode="nearest", padding_mode="zeros", align_corners=True),
    ]
)
