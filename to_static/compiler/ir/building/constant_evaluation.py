"""`evaluate` computes an op whose inputs are constants (or whose result depends only on shapes). Constant folding calls it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from to_static.compiler.ir.program import Op, Var
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.core.backend import NUMPY

# ops that look only at the shape and dtype of their input
SHAPE_ONLY = frozenset(("full_like", "shape", "numel", "dim_size"))


def evaluate(op: Op, constants: Mapping[Var, np.ndarray], limit: int) -> list[np.ndarray] | None:
    """The op's results, when they can be known now and are small enough."""
    if op.opdef.traits & {"effect", "random"} or not op.outputs:
        return None
    if op.name not in SHAPE_ONLY and not all(v in constants for v in op.operands()):
        return None
    specs = [v.spec for v in op.outputs]
    if not all(isinstance(s, TensorSpec) and s.size * s.dtype.itemsize <= limit for s in specs):
        return None
    value_of: Callable[[Var], Any] = _stand_in(op) if op.name in SHAPE_ONLY else constants.get
    inputs = [None if v is None else [value_of(u) for u in v] if isinstance(v, tuple) else value_of(v) for v in op.inputs]
    if any(x is None and v is not None for x, v in zip(inputs, op.inputs, strict=True)) or any(
        isinstance(x, list) and any(y is None for y in x) for x in inputs
    ):
        return None
    try:
        with np.errstate(all="ignore"):
            results = op.opdef.kernel_for("numpy")(NUMPY.xp, *inputs, **op.attrs)
    except Exception:  # it will be raised, and explained, where the op runs
        return None
    arrays = [np.array(r, order="C") for r in (results if op.opdef.multi else (results,))]
    return arrays if all(a.nbytes <= limit for a in arrays) else None


def _stand_in(op: Op) -> Callable[[Var], Any]:
    """Arrays that have the inputs' shapes but no memory; None where the op needs a dimension that is not known."""

    def value_of(var: Var) -> Any:
        shape, dtype = var.spec.shape, var.spec.dtype  # type: ignore[union-attr]
        if UNKNOWN in (shape if op.name != "dim_size" else (shape[op.attrs["axis"]],)):
            return None
        return np.broadcast_to(np.zeros((), dtype.np), [1 if d == UNKNOWN else d for d in shape])

    return value_of
