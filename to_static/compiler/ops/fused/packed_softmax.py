"""`packed_softmax`: softmax in plans. It subtracts no maximum if no exponential is too large or too small, and sums by products."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Prepared, Sample, op
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks
from to_static.core.array_types import Array, ArrayModule

PART = 1 << 15  # numbers that go through all steps at a time
LARGEST = 64.0  # exponentials of numbers up to it can be added up in any number
SMALLEST = 1e-20  # sums down to it lose nothing: what matters to them is far from the smallest numbers
SHORT = 1 << 11  # numbers of a row that a product adds up as precisely as a sum does


@op("packed_softmax(X -> Out)", file=None, traits="nodiff")
def packed_softmax(x: Tensor) -> Any:
    """`softmax` along the last axis."""
    return packed_softmax.emit(x)


@packed_softmax.infer
def _(x: TensorSpec) -> TensorSpec:
    return dtype_checks.need_float(x, "packed_softmax")


@packed_softmax.kernel
def _(xp: ArrayModule, x: Array) -> Array:
    return get("softmax").kernel_for(xp.__name__)(xp, x, axis=-1)


@packed_softmax.prepare
def _(specs: tuple[TensorSpec, ...]) -> Prepared | None:
    """Some rows at a time. Maxima of rows, which NumPy takes row by row, are a third of all steps; that of a part costs a tenth."""
    (x,) = specs
    if x.size == 0 or x.dtype.name not in ("float32", "float64"):
        return None
    length = x.shape[-1]
    rows = x.size // length
    height = max(1, min(rows, PART // length))

    def bind(
        inputs: list[Array | None], out: Array | None, work: list[Any], persistent: list[Any], empty: Any = np.empty
    ) -> Any:
        (column,) = work
        ones = np.ones((length, 1), x.dtype.np)
        parts = [(slice(i, min(i + height, rows)), column[: min(height, rows - i)]) for i in range(0, rows, height)]
        maximum: Any = np.maximum.reduce
        minimum: Any = np.minimum.reduce
        total: Any = np.add.reduce
        subtract, exp, divide = np.subtract, np.exp, np.divide

        def add_up(y: Array, one: Array) -> None:
            if length <= SHORT:
                y.dot(ones, one)
            else:
                total(y, 1, None, one, True)

        def packed_softmax_run(x: Array) -> Array:
            result = empty(x.shape, x.dtype) if out is None else out
            source, target = x.reshape(rows, length), result.reshape(rows, length)
            for part, one in parts:
                row_block, y = source[part], target[part]
                if maximum(row_block, None) <= LARGEST:
                    exp(row_block, y)
                    add_up(y, one)
                    if minimum(one, None) >= SMALLEST:
                        divide(y, one, y)
                        continue
                maximum(row_block, 1, None, one, True)
                subtract(row_block, one, y)
                exp(y, y)
                add_up(y, one)
                divide(y, one, y)
            return result

        return packed_softmax_run

    return Prepared([x.with_shape((height, 1))], [], bind)


def _f(*shape: int, far: float = 2) -> np.ndarray:
    return np.random.default_rng(0).uniform(-far, far, shape).astype("float32")


packed_softmax.samples(lambda: [
    *(Sample(x, grad=(), file=False, rtol=1e-5) for x in (_f(6, 8), _f(2, 3, 5), _f(700, 100), _f(4, 6, far=1000), _f(3, 3000))),
    Sample(np.asarray([[1, 2, 3], [-500, -501, -502], [0, -6e4, -np.inf]], "float32"), grad=(), file=False, rtol=1e-5),
])  # fmt: skip
