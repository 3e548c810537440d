"""`fold_norm`: computes the factor and the shift of each channel that a batch norm with fixed statistics amounts to.

The pass `fold_batch_norm` inserts this operator; files and public functions do not contain it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Sample, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import DType, float32


@op(
    "fold_norm(Gamma, Beta, Mean, Variance, Bias? -> Rate, Shift) epsilon:float rates:ints shifts:ints dtype",
    file=None, traits="nodiff",
)  # fmt: skip
def fold_norm(
    gamma: Any, beta: Any, mean: Any, variance: Any, bias: Any, epsilon: float, rates: Any, shifts: Any, dtype: DType
) -> Any:
    """``norm(x + bias) == x * rate + shift``, the two in the shapes ``rates`` and ``shifts``; computed in double precision."""
    attrs = {"epsilon": epsilon, "rates": rates, "shifts": shifts, "dtype": dtype}
    return fold_norm.emit(gamma, beta, mean, variance, bias, **attrs)


@fold_norm.infer
def _(
    gamma: TensorSpec,
    beta: TensorSpec,
    mean: TensorSpec,
    variance: TensorSpec,
    bias: TensorSpec | None,
    epsilon: float,
    rates: tuple[int, ...],
    shifts: tuple[int, ...],
    dtype: DType,
) -> tuple[TensorSpec, TensorSpec]:
    return TensorSpec(tuple(rates), dtype), TensorSpec(tuple(shifts), dtype)


@fold_norm.kernel
def _(
    xp: ArrayModule,
    gamma: Array,
    beta: Array,
    mean: Array,
    variance: Array,
    bias: Array | None,
    epsilon: float,
    rates: tuple[int, ...],
    shifts: tuple[int, ...],
    dtype: DType,
) -> tuple[Any, Any]:
    rate = gamma.astype("float64") * xp.reciprocal(xp.sqrt(variance.astype("float64") + epsilon))
    shift = beta.astype("float64") - mean.astype("float64") * rate
    if bias is not None:
        shift += bias.reshape(-1).astype("float64") * rate
    return rate.astype(dtype.np).reshape(rates), shift.astype(dtype.np).reshape(shifts)


def _f(seed: int, low: float = -2.0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(low, 2, 3).astype("float32")


def _sample(bias: Array | None, epsilon: float, rates: tuple[int, ...], shifts: tuple[int, ...]) -> Sample:
    inputs = _f(0), _f(1), _f(2), _f(3, 0.1), bias
    return Sample(*inputs, epsilon=epsilon, rates=rates, shifts=shifts, dtype=float32, grad=(), file=False)


fold_norm.samples(lambda: [
    _sample(None, 1e-5, (1, 3, 1, 1), (1, 3, 1, 1)),
    _sample(_f(4), 1e-3, (3, 1, 1, 1), (1, 1, 1, 3)),
])  # fmt: skip
