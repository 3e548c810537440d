"""Facts about traced tensors that are known while the Program is built: constant values, and which unknown sizes are equal."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir.program import Var
from to_static.compiler.ir.rewriter import has
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ir.tensor import Tensor

_MAX_DEPTH = 16  # operators that are looked through for a number, or to see whether two values have the same sizes


def variable_of(value: object) -> Var | None:
    """Return the current value in the Program of a traced tensor; None for anything else.

    It checks the class, because reading an unknown attribute of a dynamic tensor would import all operators.
    """
    return value.ssa if hasattr(type(value), "ssa") else None  # type: ignore[attr-defined]


def constant_int(tensor: Tensor) -> int | None:
    """The number in an integer tensor of one element: of an eager one, or a constant of the Program; else None."""
    if not tensor.spec.dtype.is_integer or tensor.spec.size != 1:
        return None
    var = variable_of(tensor)
    if var is None:
        return int(tensor)
    value = constant_value(var)
    return None if value is None else int(value.item())


def constant_ints(tensor: Tensor) -> list[int] | None:
    """The integers of a 1-D tensor that is a constant of the Program; None for any other."""
    op = getattr(variable_of(tensor), "op", None)
    if op is None or op.name != "constant" or tensor.spec.ndim != 1 or not tensor.spec.dtype.is_integer:
        return None
    return [int(v) for v in op.attrs["value"]]


def constant_value(var: Var, far: int = _MAX_DEPTH) -> Any:
    """The array of a constant of the Program, also of a number that is computed from some of these alone, or None."""
    op = var.op
    if op is None or op.name == "constant":
        return None if op is None else op.attrs["value"]
    if var.spec.size != 1 or not far:
        return None
    if op.name == "full":
        return np.full(var.spec.shape, op.attrs["value"], var.spec.dtype.np)
    if "elementwise" not in op.opdef.traits or has(op, "may_raise"):
        return None
    operand_values = [constant_value(v, far - 1) if hasattr(v, "op") else None for v in op.inputs]
    return None if any(v is None for v in operand_values) else op.opdef.kernel_for("numpy")(np, *operand_values, **op.attrs)


def has_unknown_size(*operands: Var) -> bool:
    """True if dimensions of these values of the Program are unknown, so that the shape rule can't tell whether they fit."""
    return any(UNKNOWN in var.spec.shape for var in operands)


def _source_of_sizes(var: Var) -> Var:
    """The value from which ``var`` has its sizes, some elementwise operators before it."""
    for _ in range(_MAX_DEPTH):
        if var.op is None or "elementwise" not in var.op.opdef.traits:
            break
        tensor_operands = {operand for operand in var.op.operands() if operand.spec.shape}
        if len(tensor_operands) != 1:
            break
        (var,) = tensor_operands
    return var


def same_traced_sizes(x: Tensor, y: Tensor) -> bool:
    """True if two tensors being traced have their sizes from one value of the Program: ``x > 0`` and ``x``."""
    if not mode.current().building:
        return False
    a, b = variable_of(x), variable_of(y)
    return a is not None and b is not None and _source_of_sizes(a) is _source_of_sizes(b)


def may_not_broadcast(x: Var, y: Var) -> bool:
    """True if two values of the Program may have shapes that do not broadcast: some dimension is unknown beside another size."""
    if (UNKNOWN not in x.spec.shape and UNKNOWN not in y.spec.shape) or _source_of_sizes(x) is _source_of_sizes(y):
        return False
    pairs = zip(reversed(x.spec.shape), reversed(y.spec.shape), strict=False)
    return any(UNKNOWN in pair and 1 not in pair for pair in pairs)


def is_dim_of(tensor: Tensor, x: Tensor, axis: int) -> bool:
    """True when a traced ``tensor`` is known to be dimension ``axis`` of the traced ``x``."""
    op = getattr(variable_of(tensor), "op", None)
    return (
        op is not None
        and op.name == "dim_size"
        and op.attrs["axis"] == axis
        and op.inputs[0] is variable_of(x)
    )
