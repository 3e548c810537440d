"""`packed_pool`: pooling in plans, in the layout of `packed_conv`, by shifted maxima and sums along long contiguous lines."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Prepared, Sample, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks
from to_static.compiler.ops.fused.packed_conv import FROM_FIRST, TO_FIRST, out_sizes
from to_static.compiler.ops.layers import pool_arrays
from to_static.core.array_types import Array, ArrayModule


@op("packed_pool(X -> Y) pooling_type kernel:ints stride:ints pads:ints layout", file=None, traits="nodiff")
def packed_pool(x: Tensor, pooling_type: str, kernel: Any, stride: Any, pads: Any, layout: str) -> Any:
    """Maxima ('max') or averages ('avg', of windows without padding) of ``x`` in the layout 'NHWC' or 'CHWN'."""
    return packed_pool.emit(x, pooling_type=pooling_type, kernel=kernel, stride=stride, pads=pads, layout=layout)


@packed_pool.infer
def _(
    x: TensorSpec, pooling_type: str, kernel: tuple[int, ...], stride: tuple[int, ...], pads: tuple[int, ...], layout: str
) -> TensorSpec:
    dtype_checks.need_float(x, "packed_pool")
    return x.with_shape((x.shape[0], *out_sizes(x, kernel, stride, pads, (1, 1)), x.shape[3]))


@packed_pool.kernel
def _(
    xp: ArrayModule,
    x: Array,
    pooling_type: str,
    kernel: tuple[int, ...],
    stride: tuple[int, ...],
    pads: tuple[int, ...],
    layout: str,
) -> Array:
    first = xp.ascontiguousarray(x.transpose(TO_FIRST[layout]))
    y = pool_arrays.forward(
        xp, first, pooling_type=pooling_type, kernel_size=list(kernel), stride=list(stride), padding=list(pads),
        padding_algorithm="EXPLICIT", ceil_mode=False, exclusive=True, adaptive=False, global_pooling=False, data_format="NCHW",
    )  # fmt: skip
    return y.transpose(FROM_FIRST[layout]).copy()


@packed_pool.prepare
def _(
    specs: tuple[TensorSpec, ...],
    pooling_type: str,
    kernel: tuple[int, ...],
    stride: tuple[int, ...],
    pads: tuple[int, ...],
    layout: str,
) -> Prepared:
    (x,) = specs
    if pooling_type == "avg" and list(kernel) == list(x.shape[1:3]):
        return _mean(x, layout)
    (a, h, w, b), (top, bottom, left, right) = x.shape, pads
    outs, lowest = out_sizes(x, kernel, stride, pads, (1, 1)), np.finfo(x.dtype.np).min
    padded = x.with_shape((a, h + top + bottom, w + left + right, b))
    down, across = ((o - 1) * s + 1 for o, s in zip(outs, stride, strict=True))
    shape, share = (a, *outs, b), np.asarray(prod(kernel), x.dtype.np)
    ufunc = np.maximum if pooling_type == "max" else np.add

    def bind(
        inputs: list[Array | None],
        out: Array | None,
        work: list[Any],
        persistent: list[Any],
        empty: Callable[..., Any] = np.empty,
    ) -> Any:
        rows = work[0]
        image = persistent[0] if any(pads) else None
        if image is not None and pooling_type == "max":
            image.fill(lowest)
        target = None if image is None else image[:, top : top + h, left : left + w]
        copyto, divide = np.copyto, np.divide
        source = image if image is not None else inputs[0]
        lines = None if source is None else _lines(source)
        pairs = tuple(kernel) == (2, 2)
        columns = [rows[:, :, v : v + across : stride[1]] for v in range(kernel[1])]

        def packed_pool_run(x: Array) -> Array:
            y = empty(shape, x.dtype) if out is None else out
            if target is not None:
                copyto(target, x)
            if pairs and lines:
                ufunc(lines[0], lines[1], out=rows)
                ufunc(columns[0], columns[1], out=y)
            else:
                _join(ufunc, lines or _lines(x), rows)
                _join(ufunc, columns, y)
            return y if pooling_type == "max" else divide(y, share, y)

        return packed_pool_run

    def _lines(image: Array) -> list[Any]:
        return [image[:, u : u + down : stride[0]] for u in range(kernel[0])]

    return Prepared([x.with_shape((a, outs[0], padded.shape[2], b))], [padded] if any(pads) else [], bind)


def _join(ufunc: Callable[..., Any], parts: list[Any], out: Array) -> None:
    if len(parts) == 1:
        np.copyto(out, parts[0])
        return
    ufunc(parts[0], parts[1], out=out)
    for part in parts[2:]:
        ufunc(out, part, out=out)


def _mean(x: TensorSpec, layout: str) -> Prepared:
    """The average of each whole image: a product with one vector."""
    a, h, w, b = x.shape
    vector = np.full(h * w, 1 / (h * w), x.dtype.np)
    last = layout == "NHWC"

    def bind(
        inputs: list[Array | None],
        out: Array | None,
        work: list[Any],
        persistent: list[Any],
        empty: Callable[..., Any] = np.empty,
    ) -> Any:
        def mean_run(x: Array) -> Array:
            y = empty((a, 1, 1, b), x.dtype) if out is None else out
            matrix = x.reshape(a, h * w, b)
            if last and a == 1:
                np.dot(vector, matrix[0], y.reshape(b))
            else:
                np.matmul(vector, matrix, y.reshape(a, b))
            return y

        return mean_run

    return Prepared([], [], bind)


def _f(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).uniform(-1, 1, shape).astype("float32")


def _sample(
    x: tuple[int, ...],
    pooling_type: str,
    kernel: tuple[int, ...],
    stride: tuple[int, ...],
    pads: tuple[int, ...] = (0, 0, 0, 0),
    layout: str = "NHWC",
) -> Sample:
    return Sample(_f(*x), pooling_type=pooling_type, kernel=kernel, stride=stride, pads=pads, layout=layout, grad=(), file=False)


packed_pool.samples(lambda: [
    _sample((2, 6, 5, 3), "max", (2, 2), (2, 1)),
    _sample((2, 6, 6, 3), "max", (3, 3), (2, 2), (1, 1, 0, 1)),
    _sample((2, 6, 4, 3), "max", (2, 2), (2, 2), layout="CHWN"),
    _sample((2, 6, 4, 3), "avg", (2, 1), (2, 1)),
    _sample((1, 3, 4, 5), "avg", (3, 4), (1, 1)),
    _sample((2, 3, 4, 5), "avg", (3, 4), (1, 1), layout="CHWN"),
    _sample((2, 6, 4, 3), "max", (1, 1), (2, 1)),
])  # fmt: skip
