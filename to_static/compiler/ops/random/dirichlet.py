"""Samples of the Dirichlet distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Sample, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks
from to_static.compiler.ops.random.random import generator
from to_static.core.array_types import Array, ArrayModule


@op("dirichlet(Alpha -> Out)", traits="random nodiff")
def dirichlet(concentration: Any, name: str | None = None) -> Tensor:
    """Vectors along the last axis of positive numbers whose sum is 1, drawn with ``concentration``, a floating Tensor [..., n]."""
    return dirichlet.emit(concentration)


@dirichlet.infer
def _(concentration: TensorSpec) -> TensorSpec:
    return dtype_checks.need_float(concentration, "dirichlet")


@dirichlet.kernel
def _(xp: ArrayModule, concentration: Array) -> Array:
    # A gamma variable for each concentration, divided by their sum (Devroye, "Non-Uniform Random Variate Generation", 1986, XI.4).
    drawn = generator(xp).gamma(concentration if concentration.dtype.itemsize >= 4 else concentration.astype(np.float32))
    return (drawn / drawn.sum(-1, keepdims=True)).astype(concentration.dtype, copy=False)


dirichlet.samples(lambda: [Sample(np.asarray([[0.5, 1.5, 3.0], [2.0, 2.0, 2.0]], np.float32))])
