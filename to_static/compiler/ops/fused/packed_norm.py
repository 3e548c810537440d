"""`packed_norm`: layer norm in plans, without the statistics as results."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Prepared, Sample, op
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.core.array_types import Array

PART = 1 << 15  # numbers that go through all steps at a time


@op("packed_norm(X, Scale?, Bias? -> Y) begin_norm_axis:int epsilon:float", file=None, traits="nodiff")
def packed_norm(x: Tensor, scale: Any, bias: Any, begin_norm_axis: int, epsilon: float) -> Any:
    """The first result of `layer_norm`."""
    return packed_norm.emit(x, scale, bias, begin_norm_axis=begin_norm_axis, epsilon=epsilon)


@packed_norm.infer
def _(x: TensorSpec, scale: Any, bias: Any, begin_norm_axis: int, epsilon: float) -> TensorSpec:
    attrs = {"begin_norm_axis": begin_norm_axis, "epsilon": epsilon}
    return get("layer_norm").infer_specs((x, scale, bias), attrs)[0]  # type: ignore[no-any-return]


@packed_norm.kernel
def _(xp: Any, x: Any, scale: Any, bias: Any, begin_norm_axis: int, epsilon: float) -> Any:
    attrs = {"begin_norm_axis": begin_norm_axis, "epsilon": epsilon}
    return get("layer_norm").kernel_for(xp.__name__)(xp, x, scale, bias, **attrs)[0]


@packed_norm.prepare
def _(specs: Any, begin_norm_axis: int, epsilon: float) -> Prepared | None:
    x = specs[0]
    if x.dtype.name not in ("float32", "float64") or x.size == 0:
        return None
    length = prod(x.shape[begin_norm_axis:])
    rows = x.size // length
    height, dtype = max(1, min(rows, PART // length)), x.dtype.np

    def bind(
        inputs: list[Array | None], out: Array | None, work: list[Any], persistent: list[Any], empty: Any = np.empty
    ) -> Any:
        column, square = work
        line, share, small = column.reshape(-1), np.full(length, 1 / length, dtype), np.asarray(epsilon, dtype)
        subtract, multiply, add, divide, sqrt = np.subtract, np.multiply, np.add, np.divide, np.sqrt
        parts = []
        for i in range(0, rows, height):
            n = min(height, rows - i)
            parts.append((slice(i, i + n), line[:n], column[:n], square[:n]))

        def packed_norm_run(x: Array, scale: Array | None, bias: Array | None) -> Array:
            result = empty(x.shape, dtype) if out is None else out
            source, target = x.reshape(rows, length), result.reshape(rows, length)
            row_shape = (1, length) if rows == 1 else (length,)  # operands of one shape are quicker
            scale = None if scale is None else scale.reshape(row_shape)
            bias = None if bias is None else bias.reshape(row_shape)
            for part, row_values, one, work in parts:
                y = target[part]
                source[part].dot(share, row_values)
                subtract(source[part], one, y)
                multiply(y, y, work)
                work.dot(share, row_values)
                add(row_values, small, row_values)
                sqrt(row_values, row_values)
                divide(y, one, y)
                if scale is not None:
                    multiply(y, scale, y)
                if bias is not None:
                    add(y, bias, y)
            return result

        return packed_norm_run

    return Prepared([x.with_shape((height, 1)), x.with_shape((height, length))], [], bind)


def _f(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-2, 2, shape).astype("float32")


packed_norm.samples(lambda: [
    Sample(_f(3, 8), _f(8, seed=1), _f(8, seed=2), begin_norm_axis=1, epsilon=1e-5, grad=(), file=False, rtol=1e-4),
    Sample(_f(2, 3, 4), None, _f(12, seed=1), begin_norm_axis=1, epsilon=1e-3, grad=(), file=False, rtol=1e-4),
    Sample(_f(500, 3, 40), _f(40, seed=1), None, begin_norm_axis=2, epsilon=1e-5, grad=(), file=False, rtol=1e-4),
])  # fmt: skip
