"""Random tensors from the generator of the device, which `seed` sets."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir.opdef import Sample, method, op
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dimension_args, dtype_checks, operands, traced_values
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core import backend
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import DType, as_dtype, default_dtype, float32, int64
from to_static.core.errors import ArgumentError, DTypeError, ShapeError
from to_static.core.random.backend_random import Unseeded

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader, FileWriter
    from to_static.core.random.cpp_random import Seeded


def generator(xp: ArrayModule, seed: int = 0) -> Any:
    """The random source of the backend whose array module is ``xp``; with a ``seed`` other than 0, a fresh one of its own."""
    current_backend = backend.current()
    if current_backend.xp is not xp:
        current_backend = backend.NUMPY if xp is np else backend.backend_of(xp.empty(0))
    return current_backend.new_generator(seed, alone=True) if seed else current_backend.generator


def _float(dtype: DType | str | None, name: str) -> DType:
    resolved = default_dtype() if dtype is None else as_dtype(dtype)
    if resolved.kind != "f":
        raise DTypeError(f"{name}: expected a floating dtype, got {resolved.name}")
    return resolved


def _shape_rule(name: str, shape: tuple[int, ...], tensors: list[TensorSpec]) -> tuple[int, ...]:
    shape = dimension_args.unknown_for_holes(shape)
    if any(d < UNKNOWN or (d == UNKNOWN and not tensors) for d in shape):
        raise ShapeError(f"{name}: the shape {list(shape)} has a negative dimension")
    return shape


def _write(w: FileWriter, op: Op, op_type: str, attrs: dict[str, Any]) -> None:
    shape = op.attrs["shape"]
    common = {
        "shape": ("longs", list(dimension_args.unknown_for_holes(shape))),
        "dtype": ("dtype", op.attrs["dtype"]),
        "seed": ("int", op.attrs.get("seed", 0)),
    }
    w.write(op_type, {"ShapeTensorList": dimension_args.file_dims(w, shape, op.inputs[0])}, {"Out": op.out}, {**common, **attrs})


def _read_shape(r: FileReader) -> Tensor | Sequence[Tensor | int]:
    return r.integers("shape", "ShapeTensor", "ShapeTensorList")


@op("uniform(Dims* -> Out) shape dtype low! high! seed!", file="uniform_random", traits="random nodiff")
def uniform(
    shape: Tensor | Sequence[Tensor | int],
    dtype: DType | str | None = None,
    min: float = -1.0,
    max: float = 1.0,
    seed: int = 0,
    name: str | None = None,
) -> Tensor:
    """Numbers drawn evenly from ``[min, max)``; ``seed`` other than 0 makes this call repeatable.

    ``shape``: integers, some of which may be tensors; ``dtype``: a floating dtype (default: the default dtype).
    ``min``, ``max``: numbers, or tensors of one element.

    Example:
        >>> paddle.uniform([2, 3], min=0.0)
    """
    if mode.current().building and (isinstance(min, Tensor) or isinstance(max, Tensor)):
        low, high = (F.reshape(F.cast(operands.tensor(x), _float(dtype, "uniform")), []) for x in (min, max))
        return low + (high - low) * uniform(shape, dtype, 0.0, 1.0, seed)  # type: ignore[no-any-return]
    sizes, tensors = dimension_args.parse_dims(shape, "uniform")
    return uniform.emit(
        tensors, shape=sizes, dtype=_float(dtype, "uniform"), low=float(min), high=float(max), seed=int(seed)
    )


@uniform.infer
def _(
    tensors: list[TensorSpec], shape: tuple[int, ...], dtype: DType, low: float, high: float, seed: int
) -> TensorSpec:
    return TensorSpec(_shape_rule("uniform", shape, tensors), dtype)


def _draw_dtype(dtype: DType) -> Any:
    """Return the dtype in which numbers of ``dtype`` are drawn."""
    return dtype.np if dtype.itemsize >= 4 else np.float32


@uniform.kernel
def _(
    xp: ArrayModule, tensors: list[Array], shape: tuple[int, ...], dtype: DType, low: float, high: float, seed: int
) -> Array:
    drawn = generator(xp, seed).uniform(tuple(dimension_args.fill_holes(shape, tensors)), _draw_dtype(dtype), low, high)
    return drawn.astype(dtype.np, copy=False)


@uniform.specialize
def _(out: TensorSpec, shape: tuple[int, ...], dtype: DType) -> Any:
    if dtype.itemsize < 4:
        return None
    sizes, np_dtype, numpy_backend = out.shape, dtype.np, backend.NUMPY
    return lambda low, high, seed: (generator(np, seed) if seed else numpy_backend.generator).uniform(sizes, np_dtype, low, high)


@uniform.to_file
def _(w: FileWriter, op: Op) -> None:
    bounds = {"min": ("float", op.attrs["low"]), "max": ("float", op.attrs["high"])}
    diagonal = {"diag_num": ("int", 0), "diag_step": ("int", 0), "diag_val": ("float", 1.0)}  # none
    _write(w, op, "uniform_random", {**bounds, **diagonal})


@uniform.from_file
def _(r: FileReader) -> Tensor:
    low, high = (r.variable(name) if isinstance(r.attr(name), str) else r.attr(name, default) for name, default in _BOUNDS)
    return uniform(_read_shape(r), r.dtype("dtype"), low, high, r.attr("seed", 0))


_BOUNDS = ("min", -1.0), ("max", 1.0)  # numbers, or names of tensors


uniform.samples(
    lambda: [
        Sample([], shape=(2, 3), dtype=float32, low=-1.0, high=1.0, seed=0),
        Sample([np.asarray(2)], shape=(dimension_args.HOLE, 3), dtype=as_dtype("float64"), low=0.0, high=2.0, seed=3),
    ]
)


@op("gaussian(Dims* -> Out) shape dtype mean! std! seed!", file="gaussian_random", traits="random nodiff")
def gaussian(
    shape: Tensor | Sequence[Tensor | int],
    mean: Tensor | float = 0.0,
    std: Tensor | float = 1.0,
    seed: int = 0,
    dtype: DType | str | None = None,
    name: str | None = None,
) -> Tensor:
    """Numbers drawn from the normal distribution of ``mean`` and ``std``."""
    sizes, tensors = dimension_args.parse_dims(shape, "gaussian")
    wanted = _float(dtype, "gaussian")
    return gaussian.emit(tensors, shape=sizes, dtype=wanted, mean=float(mean), std=float(std), seed=int(seed))


@gaussian.infer
def _(tensors: list[Any], shape: tuple[int, ...], dtype: DType, mean: float, std: float, seed: int) -> TensorSpec:
    return TensorSpec(_shape_rule("gaussian", shape, tensors), dtype)


@gaussian.kernel
def _(
    xp: ArrayModule, tensors: list[Any], shape: tuple[int, ...], dtype: DType, mean: float, std: float, seed: int
) -> Array:
    drawn = generator(xp, seed).normal(tuple(dimension_args.fill_holes(shape, tensors)), _draw_dtype(dtype), mean, std)
    return drawn.astype(dtype.np, copy=False)


@gaussian.specialize
def _(out: TensorSpec, shape: tuple[int, ...], dtype: DType) -> Any:
    if dtype.itemsize < 4:
        return None
    sizes, np_dtype, numpy_backend = out.shape, dtype.np, backend.NUMPY
    return lambda mean, std, seed: (generator(np, seed) if seed else numpy_backend.generator).normal(sizes, np_dtype, mean, std)


@gaussian.to_file
def _(w: FileWriter, op: Op) -> None:
    _write(w, op, "gaussian_random", {"mean": ("float", op.attrs["mean"]), "std": ("float", op.attrs["std"])})


@gaussian.from_file
def _(r: FileReader) -> Tensor:
    return gaussian(_read_shape(r), r.attr("mean", 0.0), r.attr("std", 1.0), r.attr("seed", 0), r.dtype("dtype"))


gaussian.samples(lambda: [Sample([], shape=(2, 3), dtype=float32, mean=1.0, std=0.5, seed=0)])


@op("randint(Dims* -> Out) low high shape dtype", traits="random nodiff")
def randint(
    low: int = 0,
    high: int | None = None,
    shape: Tensor | Sequence[Tensor | int] = (1,),
    dtype: DType | str | None = None,
    name: str | None = None,
) -> Tensor:
    """Integers drawn evenly from ``[low, high)``, or from ``[0, low)`` when ``high`` is None.

    ``shape``: integers, some of which may be tensors (default ``[1]``); ``dtype``: 'int32' or 'int64' (default).
    Raises ArgumentError for an empty range.

    Example:
        >>> int(paddle.randint(0, 10, [5]).max()) < 10
        True
    """
    if high is None:
        low, high = 0, low
    if high <= low:
        raise ArgumentError(f"randint: the range [{low}, {high}) is empty")
    sizes, tensors = dimension_args.parse_dims(shape, "randint")
    wanted = int64 if dtype is None else as_dtype(dtype)
    return randint.emit(tensors, low=int(low), high=int(high), shape=sizes, dtype=wanted)


@randint.infer
def _(tensors: list[Any], low: int, high: int, shape: tuple[int, ...], dtype: DType) -> TensorSpec:
    if not dtype.is_integer:
        raise DTypeError(f"randint: expected an integer dtype, got {dtype.name}")
    return TensorSpec(_shape_rule("randint", shape, tensors), dtype)


@randint.kernel
def _(xp: ArrayModule, tensors: list[Any], low: int, high: int, shape: tuple[int, ...], dtype: DType) -> Array:
    return generator(xp).integers(low, high, tuple(dimension_args.fill_holes(shape, tensors))).astype(dtype.np, copy=False)


@randint.specialize
def _(out: TensorSpec, low: int, high: int, shape: tuple[int, ...], dtype: DType) -> Any:
    sizes, np_dtype, numpy_backend = out.shape, dtype.np, backend.NUMPY
    if dtype is int64:
        return lambda: numpy_backend.generator.integers(low, high, sizes)
    return lambda: numpy_backend.generator.integers(low, high, sizes).astype(np_dtype)


@randint.to_file
def _(w: FileWriter, op: Op) -> None:
    _write(w, op, "randint", {"low": ("int", op.attrs["low"]), "high": ("int", op.attrs["high"])})


@randint.from_file
def _(r: FileReader) -> Tensor:
    return randint(r.attr("low", 0), r.attr("high", 0), _read_shape(r), r.dtype("dtype"))


randint.samples(lambda: [Sample([], low=-2, high=5, shape=(3,), dtype=int64)])


@op("randperm( -> Out) n:int dtype:dtype", traits="random nodiff", file_attrs={"seed": ("int", 0)})
def randperm(n: int, dtype: DType | str = "int64", name: str | None = None) -> Tensor:
    """The numbers 0 to ``n - 1`` in random order.

    ``dtype``: 'int64' (default), 'int32', 'float32' or 'float64'. Raises ArgumentError for a negative ``n``.

    Example:
        >>> paddle.sort(paddle.randperm(4)).tolist()
        [0, 1, 2, 3]
    """
    if n < 0:
        raise ArgumentError(f"randperm: expected a count, which is not negative, got {n}")
    return randperm.emit(n=int(n), dtype=as_dtype(dtype))


@randperm.infer
def _(n: int, dtype: DType) -> TensorSpec:
    return TensorSpec((n,), dtype)


@randperm.kernel
def _(xp: ArrayModule, n: int, dtype: DType) -> Array:
    return generator(xp).permutation(n).astype(dtype.np, copy=False)


randperm.samples(lambda: [Sample(n=5, dtype=int64)])


@op("bernoulli(X -> Out)", traits="random nodiff")
def bernoulli(x: Tensor, name: str | None = None) -> Tensor:
    """1 with the probability that ``x`` holds, else 0, elementwise; the dtype of ``x``.

    ``x``: floats in [0, 1], of any shape.

    Example:
        >>> paddle.bernoulli(paddle.to_tensor([0.0, 1.0])).tolist()
        [0.0, 1.0]
    """
    return bernoulli.emit(x)


@bernoulli.infer
def _(x: TensorSpec) -> TensorSpec:
    return dtype_checks.need_float(x, "bernoulli")


@bernoulli.kernel
def _(xp: ArrayModule, x: Array) -> Array:
    return (generator(xp).uniform(x.shape, x.dtype if x.dtype.itemsize >= 4 else np.float32) < x).astype(x.dtype)


@bernoulli.specialize
def _(out: TensorSpec, x: TensorSpec) -> Any:
    if x.dtype.itemsize < 4 or not x.shape:
        return None
    shape, np_dtype, numpy_backend = x.shape, x.dtype.np, backend.NUMPY

    def bernoulli_run(x: Array) -> Array:
        source = numpy_backend.generator
        if type(source) is Unseeded:
            return np.less(source.uniform(shape, np_dtype), x).astype(np_dtype)
        return np.less(source.units_to_read(x.size, np_dtype.type).reshape(shape), x).astype(np_dtype)

    return bernoulli_run


bernoulli.samples(lambda: [Sample(f32(2, 3, low=0, high=1))])


@op("multinomial(X -> Out) num_samples:int replacement:bool", traits="random nodiff", method=True)
def multinomial(x: Tensor, num_samples: int = 1, replacement: bool = False, name: str | None = None) -> Tensor:
    """Positions drawn with probabilities in proportion to the weights in the last dimension of ``x`` (1-D or 2-D), int64.

    Without ``replacement`` no position is drawn twice.
    ``num_samples``: positions for each row; the result is ``[num_samples]`` or ``[n, num_samples]``. Raises an error
    when fewer weights than ``num_samples`` are positive and none is drawn twice.

    Example:
        >>> paddle.multinomial(paddle.to_tensor([0.0, 1.0]), num_samples=3, replacement=True).tolist()
        [1, 1, 1]
    """
    constant = traced_values.constant_int(num_samples) if isinstance(num_samples, Tensor) else None
    count = int(num_samples) if constant is None else constant
    return multinomial.emit(x, num_samples=count, replacement=bool(replacement))


@multinomial.infer
def _(x: TensorSpec, num_samples: int, replacement: bool) -> TensorSpec:
    dtype_checks.need_float(x, "multinomial")
    if x.ndim not in (1, 2):
        raise ShapeError(f"multinomial: expected 1 or 2 dimensions, got {show(x.shape)}")
    if not replacement and x.shape[-1] != UNKNOWN and num_samples > x.shape[-1]:
        raise ShapeError(f"multinomial: {num_samples} samples without replacement from {x.shape[-1]} categories")
    return TensorSpec((*x.shape[:-1], num_samples), int64)


@multinomial.kernel
def _(xp: ArrayModule, x: Array, num_samples: int, replacement: bool) -> Array:
    weights = x.reshape(-1, x.shape[-1]).astype(x.dtype if x.dtype.itemsize >= 4 else np.float32, copy=False)
    source = generator(xp)
    quick = _quickly(source, x, num_samples, replacement) if xp is np and type(source) is Unseeded and num_samples else None
    if quick is not None:
        return quick
    ends = weights.cumsum(1, weights.dtype)
    total = ends[:, -1:]
    if xp.count_nonzero(weights < 0) or xp.count_nonzero(total <= 0):
        raise ArgumentError("multinomial: weights must not be negative, and each row needs a positive one")
    if not replacement and num_samples > 1 and bool(((weights > 0).sum(1) < num_samples).any()):
        raise ArgumentError(f"multinomial: fewer than {num_samples} categories have a positive weight")
    ends = ends / total
    drawn = source.uniform((weights.shape[0], num_samples), weights.dtype)
    if replacement:
        indices = _places(xp, ends, drawn)
    else:  # a class that was drawn leaves: the share that it had is taken out of what follows
        positions, classes = [], xp.arange(ends.shape[1])
        for i in range(num_samples):
            position = _places(xp, ends, drawn[:, i : i + 1])
            positions.append(position)
            if i == num_samples - 1:
                break
            lower_ends = xp.where(
                position > 0, xp.take_along_axis(ends, xp.maximum(position - 1, 0), 1), xp.zeros_like(ends[:, :1])
            )
            share = xp.take_along_axis(ends, position, 1) - lower_ends
            ends = (ends - xp.where(classes >= position, share, xp.zeros_like(share))) / (1 - share)
        indices = xp.concatenate(positions, 1) if positions else xp.zeros(drawn.shape, np.int64)
    return indices.reshape((*x.shape[:-1], num_samples)).astype("int64", copy=False)


_FEW = 64  # weights that Python goes through as quickly as NumPy


def _quickly(source: Unseeded, x: Array, count: int, replacement: bool) -> Any:
    """Draw positions fast, not in Paddle's stream: for few weights, or without replacement. None: draw the general way."""
    drawn = _of_few(source, x, count, replacement) if x.ndim == 1 and x.size <= _FEW and count <= _FEW else None
    if drawn is not None:
        return drawn
    if replacement or np.count_nonzero(x < 0) or not np.isfinite(x).all() or ((x > 0).sum(-1) < count).any():
        return None
    with np.errstate(divide="ignore"):  # the first of several events that come with these rates, and the next
        moments = source.exponential(x.shape) / x
    first = moments.argpartition(count - 1, -1)[..., :count]
    order = np.take_along_axis(moments, first, -1).argsort(-1)
    return np.take_along_axis(first, order, -1).astype(np.int64, copy=False)


def _of_few(source: Unseeded, x: Array, count: int, replacement: bool) -> Any:
    weights = x.tolist()
    ends = list(itertools.accumulate(weights))
    least = min(weights)
    if not (least >= 0 < ends[-1] < math.inf and (replacement or len(weights) - (0 if least else weights.count(0.0)) >= count)):
        return None
    positions = source.chosen(ends, count, replacement)
    return None if positions is None else np.array(positions, np.int64)


def _of_row(source: Seeded, x: Any, count: int, replacement: bool) -> Any:
    """Positions of one row, as the kernel draws them, in fewer steps; None where the kernel has something to refuse."""
    ends, weights = np.add.accumulate(x), x.tolist()
    total = ends[-1]
    if not total > 0 or min(weights) < 0 or (not replacement and len(weights) - weights.count(0.0) < count):  # nan: as the total
        return None
    np.divide(ends, total, ends)
    drawn = source.units_to_read(count, x.dtype.type)
    if replacement or count == 1:
        return ends[:-1].searchsorted(drawn).astype(np.int64, copy=False)
    positions: list[int] = []
    last = len(weights) - 1
    for sample in drawn.tolist():
        if positions:  # the share of the class that was drawn is taken out of what follows
            i = positions[-1]
            share = ends[i] - ends[i - 1] if i else ends[0]
            following = ends[i:]
            np.subtract(following, share, following)
            np.divide(ends, 1 - share, ends)
        positions.append(bisect.bisect_left(ends.tolist(), sample, 0, last))
    return np.array(positions, np.int64)


def _places(xp: ArrayModule, ends: Array, drawn: Array) -> Array:
    """In each row, the first of the rising ``ends`` that is not below each number of ``drawn``; the last end counts as 1."""
    if ends.shape[0] == 1:
        return xp.searchsorted(ends[0, :-1], drawn[0])[None]
    return (drawn[:, :, None] > ends[:, None, :-1]).sum(2)


@multinomial.specialize
def _(out: TensorSpec, x: TensorSpec, num_samples: int, replacement: bool) -> Any:
    if x.ndim != 1 or not 0 < num_samples <= _FEW or x.dtype.itemsize < 4 or not 0 < x.size <= _FEW:
        return None
    kernel, numpy_backend = multinomial.op.kernel_for("numpy"), backend.NUMPY

    def multinomial_run(x: Array) -> Array:
        source = numpy_backend.generator
        drawn = (_of_few if type(source) is Unseeded else _of_row)(source, x, num_samples, replacement)
        return kernel(np, x, num_samples, replacement) if drawn is None else drawn

    return multinomial_run


multinomial.samples(
    lambda: [
        Sample(f32(2, 4, low=0.1, high=1), num_samples=3, replacement=True),
        Sample(f32(4, low=0.1, high=1), num_samples=2, replacement=False),
    ]
)


def rand(shape: Tensor | Sequence[Tensor | int], dtype: DType | str | None = None, name: str | None = None) -> Tensor:
    """Numbers drawn evenly from ``[0, 1)``.

    ``shape``: integers, some of which may be tensors; ``dtype``: a floating dtype (default: the default dtype).

    Example:
        >>> paddle.rand([2, 3]).shape
        [2, 3]
    """
    return uniform(shape, dtype, 0.0, 1.0)


def randn(shape: Tensor | Sequence[Tensor | int], dtype: DType | str | None = None, name: str | None = None) -> Tensor:
    """Numbers drawn from the standard normal distribution.

    ``shape``: integers, some of which may be tensors; ``dtype``: a floating dtype (default: the default dtype).

    Example:
        >>> paddle.randn([2, 3]).shape
        [2, 3]
    """
    return gaussian(shape, 0.0, 1.0, 0, dtype)


def standard_normal(shape: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Numbers drawn from the standard normal distribution.

    ``shape``: integers, some of which may be tensors; ``dtype``: a floating dtype (default: the default dtype).

    Example:
        >>> paddle.standard_normal([2, 3]).shape
        [2, 3]
    """
    return gaussian(shape, 0.0, 1.0, 0, dtype)


def normal(
    mean: Tensor | float = 0.0,
    std: Tensor | float = 1.0,
    shape: Tensor | Sequence[Tensor | int] | None = None,
    name: str | None = None,
) -> Tensor:
    """Numbers drawn from normal distributions; tensors ``mean`` and ``std`` broadcast and give the shape.

    Two numbers need ``shape``; the result is of the default dtype.

    Example:
        >>> paddle.normal(mean=1.0, std=2.0, shape=[2, 3]).shape
        [2, 3]
    """
    for value in (mean, std):
        if isinstance(value, Tensor):
            like = mean + std if isinstance(mean, Tensor) and isinstance(std, Tensor) else value
            drawn = gaussian(like.shape, 0.0, 1.0, 0, like.dtype) * std + mean
            return F.cast(drawn, mean.dtype) if isinstance(mean, Tensor) else drawn
    return gaussian([1] if shape is None else shape, mean, std)


def randint_like(
    x: Tensor, low: int = 0, high: int | None = None, dtype: Any = None, name: str | None = None
) -> Tensor:
    """Integers drawn evenly from ``[low, high)``, shaped as ``x``, of its dtype unless ``dtype`` is given.

    Example:
        >>> paddle.randint_like(paddle.ones([2, 2], "int32"), 0, 10).dtype
        paddle.int32
    """
    return F.cast(randint(low, high, x.shape), x.dtype if dtype is None else dtype)


@method("uniform_")
def uniform_in_place(x: Tensor, min: float = -1.0, max: float = 1.0, seed: int = 0, name: str | None = None) -> Tensor:
    """Fill ``x`` with numbers drawn evenly from ``[min, max)``."""
    return x._become(uniform(x.shape, x.dtype, min, max, seed))


@method("normal_")
def normal_in_place(x: Tensor, mean: float = 0.0, std: float = 1.0, name: str | None = None) -> Tensor:
    """Fill ``x`` with numbers drawn from a normal distribution.

    ``mean``, ``std``: numbers. Returns ``x``.

    Example:
        >>> paddle.normal_(paddle.zeros([2, 3])).shape
        [2, 3]
    """
    return x._become(gaussian(x.shape, mean, std, 0, x.dtype))


@op("set_seed( -> ) value", file=None, traits="effect nodiff")
def set_seed(value: int) -> Any:
    """Seed the random source of every device; what draws later draws from there. Files do not hold it."""
    return set_seed.emit(value=int(value))


@set_seed.infer
def _(value: int) -> tuple[Any, ...]:
    return ()


@set_seed.kernel
def _(xp: ArrayModule, value: int) -> tuple[Any, ...]:
    backend.seed(value)
    return ()


set_seed.samples(lambda: [Sample(value=7)])
