"""`grid_sample`: interpolates images at given positions.

Around a position is a cell, whose corners are pixels. The weight of a corner is the product of its weights along the dimensions.
The kernel and the composition, which some files hold, call one function, `_sampled`, with the functions of arrays or of tensors.
The gradient is a composition of other operators, so it can be differentiated again.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, NamedTuple, Protocol

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
    n, sizes = x.ndim - 2, x.shape[2:]
    points = grid.reshape(grid.shape[0], prod(grid.shape[1:-1]), n)
    fractions = [points[..., n - 1 - axis] for axis in range(n)]
    functions = _ArrayFunctions(xp)
    coordinates = _coordinates(functions, fractions, sizes, sizes, padding_mode, align_corners)
    flat = x.reshape(*x.shape[:2], prod(sizes))
    return _sampled(functions, flat, coordinates, mode, padding_mode).reshape(*x.shape[:2], *grid.shape[1:-1])


@grid_sample.composition
def _(x: Tensor, grid: Tensor, mode: str, padding_mode: str, align_corners: bool) -> Tensor:
    coordinates = _tensor_coordinates(x, grid, padding_mode, align_corners)
    sampled = _sampled(_TensorFunctions(), x.reshape([0, 0, -1]), coordinates, mode, padding_mode)
    return sampled.reshape([0, 0, *_dims(grid)[1:-1]])  # type: ignore[no-any-return]


class _Functions(Protocol):
    """The functions that arrays and tensors do not have as methods of one name. `floor` and `nearest` have no gradient."""

    def absolute(self, x: Any) -> Any: ...
    def floor(self, x: Any) -> Any: ...
    def nearest(self, x: Any) -> Any:
        """The nearest whole numbers; halves go away from zero."""

    def at_least_one(self, span: Any) -> Any:
        """The length of a dimension, at least 1 where only a run knows it."""

    def clamped(self, position: Any, size: Any) -> Any:
        """Positions outside a dimension of that size moved to its border."""

    def over_channels(self, weight: Any) -> Any:
        """Weights ``[N, P]`` as ``[N, 1, P]``."""

    def take(self, flat: Any, pixel: Any) -> Any:
        """The elements of an image ``[N, C, pixels]`` at flat indices ``[N, P]``: ``[N, C, P]``."""


class _ArrayFunctions:
    """`_Functions` of arrays; sizes are ints."""

    def __init__(self, xp: ArrayModule) -> None:
        self._xp = xp
        self.absolute, self.floor = xp.abs, xp.floor

    def nearest(self, x: Array) -> Array:
        return self._xp.trunc(x + self._xp.copysign(np.nextafter(x.dtype.type(0.5), x.dtype.type(0)), x))

    def at_least_one(self, span: int) -> int:
        return span

    def clamped(self, position: Array, size: int) -> Array:
        return self._xp.clip(position, 0, size - 1)

    def over_channels(self, weight: Array) -> Array:
        return weight[:, None]

    def take(self, flat: Array, pixel: Array) -> Array:
        return self._xp.take_along_axis(flat, self._xp.broadcast_to(pixel[:, None], (*flat.shape[:2], pixel.shape[1])), 2)


class _TensorFunctions:
    """`_Functions` of tensors; sizes are ints, or tensors where they are known only when a Program runs."""

    def absolute(self, x: Tensor) -> Tensor:
        return F.abs(x)

    def floor(self, x: Tensor) -> Tensor:
        return F.floor(x).detach()

    def nearest(self, x: Tensor) -> Tensor:
        return F.round(x).detach()

    def at_least_one(self, span: Tensor | int) -> Tensor | int:
        return span if isinstance(span, int) else F.maximum(span, F.ones_like(span))

    def clamped(self, position: Tensor, size: Tensor | int) -> Tensor:
        if isinstance(size, int):
            return F.clip(position, 0.0, float(size - 1))
        return F.minimum(F.clip(position, 0.0), size - 1)

    def over_channels(self, weight: Tensor) -> Tensor:
        return weight.reshape([0, 1, -1])

    def take(self, flat: Tensor, pixel: Tensor) -> Tensor:
        return F.take_along_axis(flat, _per_channel(flat, pixel), 2)


class _Coordinate(NamedTuple):
    """The positions along one dimension, ``[N, P]``, arrays or tensors, counted in pixels.

    ``size``: of the dimension, an int or a 0-D tensor; ``float_size``: the same in the dtype of the image.
    ``pixels``: as the grid has them; ``reflected``: the same, reflected into the image; ``positions``: moved to its border, too.
    ``reflection``: the remainders of whole spans, and 1 where an odd number of spans was left out; None if nothing is reflected.
    """

    size: Any
    float_size: Any
    pixels: Any
    reflected: Any
    positions: Any
    reflection: tuple[Any, Any] | None


def _coordinates(
    functions: _Functions,
    fractions: Sequence[Any],
    sizes: Sequence[Any],
    float_sizes: Sequence[Any],
    padding_mode: str,
    align_corners: bool,
) -> list[_Coordinate]:
    """The positions of numbers from -1 to 1, in the order of the image's dimensions (a grid names the last one first)."""
    coordinates = []
    for fraction, size, float_size in zip(fractions, sizes, float_sizes, strict=True):
        if align_corners:
            pixels = (fraction + 1) * ((float_size - 1) / 2)
        else:
            pixels = ((fraction + 1) * float_size - 1) * 0.5
        reflected, reflection = pixels, None
        if padding_mode == "reflection":
            reflected, reflection = _reflected(functions, pixels, float_size, align_corners)
        positions = reflected if padding_mode == "zeros" else functions.clamped(reflected, float_size)
        coordinates.append(_Coordinate(size, float_size, pixels, reflected, positions, reflection))
    return coordinates


def _reflected(functions: _Functions, pixels: Any, size: Any, align_corners: bool) -> tuple[Any, tuple[Any, Any] | None]:
    """Positions reflected at both edges of a dimension, and the reflection (`_Coordinate`)."""
    span, lower_edge = (size - 1, 0.0) if align_corners else (size, -0.5)
    if isinstance(span, int) and span == 0:
        return pixels * 0.0, None
    if align_corners:  # a size that is 1 in a run: all positions are moved to 0 behind this
        span = functions.at_least_one(span)
    distance = functions.absolute(pixels - lower_edge)
    reflections = functions.floor(distance / span)
    remainder = distance - reflections * span
    is_odd = reflections - functions.floor(reflections * 0.5) * 2
    return remainder + is_odd * (span - remainder * 2) + lower_edge, (remainder, is_odd)


class _Side(NamedTuple):
    """The lower or upper pixels of the cells along one dimension, ``[N, P]``.

    ``share``: their weight, None for 1; ``inside``: 1 if the pixel is in the image, else 0; None: all are.
    """

    pixel: Any
    share: Any
    inside: Any


class _Corner(NamedTuple):
    """One corner of the cells around the sampled points: its flat pixel index ``[N, P]`` (int64), and its weight by dimension.

    ``inside``: 1 if the pixel is in the image, else 0; None: all are.
    ``steps``: 1 for each dimension in which this is the upper corner.
    """

    pixel: Any
    shares: list[Any]
    inside: Any
    steps: tuple[int, ...]

    def weight(self, without: int = -1) -> Any:
        """Return the product of the weights, optionally without those of one dimension; None stands for 1."""
        product = self.inside
        for axis, share in enumerate(self.shares):
            if axis != without and share is not None:
                product = share if product is None else product * share
        return product


def _sides(
    functions: _Functions, coordinate: _Coordinate, mode: str, checks_inside: bool, checks_unrounded: bool
) -> list[_Side]:
    positions, float_size = coordinate.positions, coordinate.float_size
    low = functions.nearest(positions) if mode == "nearest" else functions.floor(positions)
    sides = []
    for is_upper in (False, True) if mode == "bilinear" else (False,):
        at = low + 1.0 if is_upper else low
        share = inside = None
        if mode == "bilinear":
            share = positions - low if is_upper else low + 1.0 - positions
        if checks_inside:
            checked = positions if checks_unrounded else at
            inside = ((checked >= 0) & (checked <= float_size - 1)).astype(at.dtype)
        sides.append(_Side(functions.clamped(at, float_size).astype("int64"), share, inside))
    return sides


def _corners(functions: _Functions, coordinates: list[_Coordinate], mode: str, checks_inside: bool) -> Iterator[_Corner]:
    """The corners of the cells. ``checks_inside``: pixels outside of the image have the weight 0."""
    checks_unrounded = mode == "nearest" and len(coordinates) == 3  # as Paddle does there
    sides = [_sides(functions, coordinate, mode, checks_inside, checks_unrounded) for coordinate in coordinates]
    for steps in itertools.product(*(range(len(pair)) for pair in sides)):
        index: Any = None
        inside: Any = None
        corner = [pair[step] for pair, step in zip(sides, steps, strict=True)]
        for coordinate, side in zip(coordinates, corner, strict=True):
            index = side.pixel if index is None else index * coordinate.size + side.pixel
            if side.inside is not None:
                inside = side.inside if inside is None else inside * side.inside
        yield _Corner(index, [side.share for side in corner], inside, steps)


def _sampled(functions: _Functions, flat: Any, coordinates: list[_Coordinate], mode: str, padding_mode: str) -> Any:
    """The image ``[N, C, pixels]`` at the positions: ``[N, C, P]``, an array or a tensor as the image is."""
    total = None
    for corner in _corners(functions, coordinates, mode, padding_mode == "zeros"):
        part, weight = functions.take(flat, corner.pixel), corner.weight()
        part = part if weight is None else part * functions.over_channels(weight)
        total = part if total is None else total + part
    return total


def _tensor_coordinates(x: Tensor, grid: Tensor, padding_mode: str, align_corners: bool) -> list[_Coordinate]:
    n, sizes = x.ndim - 2, _dims(x)[2:]
    fractions = [grid[..., n - 1 - axis].reshape([0, -1]) for axis in range(n)]
    float_sizes = [size if isinstance(size, int) else size.astype(x.dtype) for size in sizes]
    return _coordinates(_TensorFunctions(), fractions, sizes, float_sizes, padding_mode, align_corners)


def _dims(x: Tensor) -> list[Any]:
    """The sizes, tensors where they are known only when a Program runs."""
    return [F.dim_size(x, i) if d == UNKNOWN else d for i, d in enumerate(x.spec.shape)]


def _per_channel(x: Tensor, index: Tensor) -> Tensor:
    return F.tile(index.reshape([0, 1, -1]), [1, _dims(x)[1], 1])


def _slope(coordinate: _Coordinate, padding_mode: str, align_corners: bool) -> Any:
    """The distance that a position moves by a step of the grid's number, at borders as in Paddle: tensors, or one number."""
    pixels, size = coordinate.pixels, coordinate.float_size
    slope = (size - 1) / 2 if align_corners else size * 0.5
    if padding_mode == "zeros":
        return slope
    if padding_mode == "reflection":
        if coordinate.reflection is None:
            return pixels * 0.0
        remainder, is_odd = coordinate.reflection
        is_below = (pixels < (0.0 if align_corners else -0.5)).astype(pixels.dtype)
        is_mirrored = (remainder > 0).astype(pixels.dtype) * is_odd
        slope = (1 - is_below * 2) * (1 - is_mirrored * 2) * slope
    is_inside = (coordinate.reflected >= 0) & (coordinate.reflected <= size - 1)
    return is_inside.astype(pixels.dtype) * slope


@grid_sample.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, grid = ctx.inputs
    functions, coordinates = _TensorFunctions(), _tensor_coordinates(x, grid, ctx.padding_mode, ctx.align_corners)
    flat, gradient = x.reshape([0, 0, -1]), g.reshape([0, 0, -1])
    moves_grid = ctx.needs[1] and ctx.mode == "bilinear"
    of_image, of_positions = F.zeros_like(flat), [None] * len(coordinates)
    # pixels beyond a border count as zeros here, as in Paddle
    for corner in _corners(functions, coordinates, ctx.mode, ctx.padding_mode == "zeros" or ctx.mode == "bilinear"):
        if ctx.needs[0]:
            weight = corner.weight()
            share = gradient if weight is None else gradient * functions.over_channels(weight)
            of_image = F.put_along_axis(of_image, _per_channel(x, corner.pixel), share, 2, "add")
        if moves_grid:
            product = (functions.take(flat, corner.pixel) * gradient).sum(1)
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
    slopes = [_slope(coordinate, ctx.padding_mode, ctx.align_corners) for coordinate in coordinates]
    moves: Any = [slope * change for slope, change in zip(slopes, of_positions, strict=True)]
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
