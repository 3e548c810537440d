"""Number sequences: arange, linspace and the identity matrix."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Sample, op
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import arguments, dimension_args, dynamic_sizes, operands
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.shapes.create import cast
from to_static.core.dtypes import DType, as_dtype, default_dtype, float32, int64
from to_static.core.errors import ArgumentError, ArgumentTypeError, ShapeError


@op("arange( -> Out) start end step dtype", file=None, traits="nodiff")
def arange(
    start: Tensor | float = 0,
    end: Tensor | float | None = None,
    step: Tensor | float = 1,
    dtype: DType | str | None = None,
    name: str | None = None,
) -> Tensor:
    """Numbers from ``start`` (default 0) up to, not including, ``end`` in steps of ``step``.

    Each may be a number or a tensor of one element. The dtype is int64, or the default float when one of them is a float or a
    tensor of floats; the tensors' own width does not matter, as in Paddle.
    Raises ArgumentError for a ``step`` of 0, ArgumentTypeError for anything but numbers.

    Example:
        >>> paddle.arange(5, 0, -2)           # [5, 3, 1]
    """
    if end is None:
        start, end = 0, start
    parts = (start, end, step)
    for part in parts:
        if isinstance(part, (str, list, tuple, dict)) or part is None:
            raise ArgumentTypeError(f"arange: expected numbers or tensors of one element, got {part!r:.40}")
    if dtype is not None:
        wanted = as_dtype(dtype)
    else:
        wanted = default_dtype() if any(map(_is_float, parts)) else int64
    if not any(isinstance(p, Tensor) for p in parts):
        if step == 0:
            raise ArgumentError("arange: step must not be zero")
        return arange.emit(start=start, end=end, step=step, dtype=wanted)
    python_numbers = [
        F.reshape(cast(p, wanted), []) if isinstance(p, Tensor) else operands.constant(p, wanted) for p in parts
    ]
    return range_op(*python_numbers)


def _is_float(part: Tensor | float) -> bool:
    return part.dtype.is_floating if isinstance(part, Tensor) else not isinstance(part, (int, np.integer))


@arange.infer
def _(start: Any, end: Any, step: Any, dtype: DType) -> TensorSpec:
    return TensorSpec((max(math.ceil((end - start) / step), 0),), dtype)


@arange.kernel
def _(xp: Any, start: Any, end: Any, step: Any, dtype: DType) -> Any:
    return xp.arange(start, end, step, dtype.np)


@arange.specialize
def _(out: TensorSpec, start: Any, end: Any, step: Any, dtype: DType) -> Any:
    if any(type(x) is not int and not x for x in (start, end)):  # 0.0 is known as -0.0 is
        return None
    return functools.partial(np.arange, start, end, step, dtype.np)


@arange.to_file
def _(w: Any, op: Any) -> None:
    a = op.attrs
    parts = {slot: w.constant(np.asarray(a[k], a["dtype"].np)) for slot, k in _RANGE_SLOTS}
    w.write("range", parts, {"Out": op.out}, {})


_RANGE_SLOTS = (("Start", "start"), ("End", "end"), ("Step", "step"))
arange.samples(
    lambda: [Sample(start=0, end=5, step=1, dtype=int64), Sample(start=1.0, end=0.0, step=-0.25, dtype=float32)]
)


@op("range(Start, End, Step -> Out)", traits="dynamic may_raise nodiff")
def range_op(start: Tensor, end: Tensor, step: Tensor) -> Tensor:
    """`arange` of 0-D tensors of one dtype: the length is known only at run time."""
    return range_op.emit(start, end, step)


@range_op.infer
def _(start: TensorSpec, end: TensorSpec, step: TensorSpec) -> TensorSpec:
    return TensorSpec((UNKNOWN,), start.dtype)


@range_op.kernel
def _(xp: Any, start: Any, end: Any, step: Any) -> Any:
    if step == 0:
        raise ArgumentError("arange: step must not be zero")
    return xp.arange(start.item(), end.item(), step.item(), start.dtype)


@range_op.from_file
def _(r: Any) -> Any:
    start, end, step = (r.input(slot) for slot, _ in _RANGE_SLOTS)
    constants = [r.const(value) for value in (start, end, step)]
    dtype = start.dtype
    if all(value is not None for value in constants):
        start, end, step = (value.item() for value in constants)
    return arange(start, end, step, dtype)


range_op.samples(lambda: [Sample(np.asarray(1), np.asarray(7), np.asarray(2))])


@op("linspace(Start, Stop -> Out) num dtype", traits="nodiff")
def linspace(
    start: Tensor | float,
    stop: Tensor | float,
    num: Tensor | int,
    dtype: DType | str | None = None,
    name: str | None = None,
) -> Tensor:
    """``num`` evenly spaced numbers from ``start`` to ``stop``, both included; a float ``num`` loses its fraction.

    ``dtype``: of the result (default: the default dtype). Raises ShapeError for a ``num`` below 1.

    Example:
        >>> paddle.linspace(0, 1, 3)          # [0.0, 0.5, 1.0]
    """
    wanted = default_dtype() if dtype is None else as_dtype(dtype)
    (size,), tensors = dimension_args.parse_dims(int(num) if isinstance(num, float) else num, "linspace")
    if not tensors and size < 1:
        raise ShapeError(f"linspace: num must be a positive integer, got {num}")
    float_dtype = wanted if wanted.kind == "f" else float32

    def end(value: Tensor | float) -> Tensor:
        return cast(F.reshape(value, []), float_dtype) if isinstance(value, Tensor) else operands.constant(value, float_dtype)

    if tensors:
        return dynamic_sizes.linspace(end(start), end(stop), tensors[0], wanted)
    return linspace.emit(end(start), end(stop), num=size, dtype=wanted)


@linspace.infer
def _(start: TensorSpec, stop: TensorSpec, num: int, dtype: DType) -> TensorSpec:
    return TensorSpec((num,), dtype)


@linspace.kernel
def _(xp: Any, start: Any, stop: Any, num: int, dtype: DType) -> Any:
    return xp.linspace(start.item(), stop.item(), num).astype(dtype.np)


@linspace.to_file
def _(w: Any, op: Any) -> None:
    inputs = {"Start": op.inputs[0], "Stop": op.inputs[1], "Num": w.constant(np.asarray([op.attrs["num"]], "int32"))}
    w.write("linspace", inputs, {"Out": op.out}, {"dtype": ("dtype", op.attrs["dtype"])})


linspace.samples(
    lambda: [
        Sample(np.float32(0), np.float32(1), num=5, dtype=float32),
        Sample(np.float32(0), np.float32(4), num=3, dtype=int64),
    ]
)


@op("eye( -> Out) rows=num_rows:long columns=num_columns:long dtype:dtype", traits="nodiff")
def eye(num_rows: int, num_columns: int | None = None, dtype: Any = None, name: str | None = None) -> Any:
    """A matrix with ones on the diagonal; square unless ``num_columns`` is given.

    Raises ArgumentTypeError for sizes that are no integers, or negative.
    ``num_rows``: a number; ``dtype``: default is the default dtype.

    Example:
        >>> paddle.eye(2).tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    """
    columns = num_rows if num_columns is None else num_columns
    if dynamic_sizes.is_dynamic([num_rows, columns]):
        return dynamic_sizes.eye(num_rows, columns, default_dtype() if dtype is None else as_dtype(dtype))
    rows, columns = arguments.python_int(num_rows), arguments.python_int(columns)
    if rows < 0 or columns < 0:
        raise ArgumentTypeError(f"eye: expected sizes of at least 0, got {rows} and {columns}")
    return eye.emit(rows=rows, columns=columns, dtype=default_dtype() if dtype is None else as_dtype(dtype))


@eye.infer
def _(rows: int, columns: int, dtype: DType) -> TensorSpec:
    return TensorSpec((rows, rows if columns < 0 else columns), dtype)


@eye.kernel
def _(xp: Any, rows: int, columns: int, dtype: DType) -> Any:
    return xp.eye(rows, rows if columns < 0 else columns, dtype=dtype.np)


eye.samples(lambda: [Sample(rows=2, columns=3, dtype=float32)])


def logspace(start: Any, stop: Any, num: Any, base: Any = 10.0, dtype: Any = None, name: str | None = None) -> Tensor:
    """``base`` to the power of ``num`` evenly spaced numbers from ``start`` to ``stop``, both included.

    ``dtype``: default is the default dtype.

    Example:
        >>> paddle.logspace(0, 2, 3).tolist()
        [1.0, 10.0, 100.0]
    """
    wanted = default_dtype() if dtype is None else as_dtype(dtype)
    float_dtype = wanted if wanted.kind == "f" else float32
    exponents = linspace(start, stop, num, float_dtype)
    return cast(F.pow(base if isinstance(base, Tensor) else operands.constant(base, float_dtype), exponents), wanted)


FUNCTIONS["logspace"] = logspace
