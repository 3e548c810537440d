"""Writes arithmetic between a tensor and a number, as a `scale` op where possible, as Paddle does.

oneDNN, which Paddle's inference engine uses, supports neither 0-D operands nor a first operand that is smaller than the second. So
other arithmetic is written with the larger operand first, and with numbers of shape [1].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.formats.paddle.programs.control_writer import constant_scalar, lowers
from to_static.compiler.formats.paddle.programs.kernel_workarounds import in_float64
from to_static.compiler.ir.program import Op, Var
from to_static.compiler.ir.spec import TensorSpec
from to_static.core.dtypes import float32

if TYPE_CHECKING:
    from to_static.compiler.formats.paddle.programs.program_writer import ProgramWriter
    from to_static.core.dtypes import DType

EXACT = 1 << 24  # integers up to here are exact in a float attribute


def _factors(name: str, value: float, right: bool) -> tuple[float, float] | None:
    """``(scale, bias)`` such that the operation is ``x * scale + bias``; None when it is not."""
    if name == "add":
        return 1, value
    if name == "multiply":
        return value, 0
    if name == "subtract":
        return (1, -value) if right else (-1, value)
    return None


def _fits(value: float, dtype: DType) -> bool:
    if dtype.kind in "iu":
        return abs(value) < EXACT
    return dtype.kind == "f" and (value != value or float(np.float32(value)) == value)


@lowers("add", "subtract", "multiply", "divide", "maximum", "minimum")
def arithmetic(w: ProgramWriter, op: Op) -> None:
    """Write one binary operator."""
    x, y = op.inputs
    for tensor, operand, right in ((x, y, True), (y, x, False)):
        value = constant_scalar(operand)
        factors = None if value is None else _factors(op.name, value, right)
        if factors is not None and all(_fits(f, tensor.spec.dtype) for f in factors):
            scale, bias = factors
            attrs = {"scale": ("float", scale), "bias": ("float", bias), "bias_after_scale": ("bool", True)}
            w.write("scale", {"X": tensor, "ScaleTensor": None}, {"Out": op.out}, attrs)
            return
    if not w.around_onednn:
        w.default(op)
        return
    if x.spec.dtype.kind == "f" and not op.out.spec.shape:
        row = w.temp(TensorSpec((1,), x.spec.dtype))
        w.default(op, inputs={"X": _flat(w, x), "Y": _flat(w, y)}, outputs={op.opdef.outputs[0].name: row})
        w.write("squeeze2", {"X": row}, {"Out": op.out}, {"axes": ("ints", [0])})
        return
    if x.spec.dtype.kind == "f" and x.spec.shape != op.out.spec.shape and y.spec.shape == op.out.spec.shape:
        if "commutative" in op.opdef.traits:
            w.default(op, inputs={"X": y, "Y": _at_least_1d(w, x, y)})
            return
        if constant_scalar(x) is not None:
            w.default(op, inputs={"X": _like(w, x, y)})
            return
    if x.spec.dtype is float32 and x.spec.shape != op.out.spec.shape and "commutative" not in op.opdef.traits:
        in_float64(w, op, lambda w, op: w.default(op))  # oneDNN swaps the operands then, also where that matters
        return
    w.default(op, inputs={"Y": _at_least_1d(w, y, x)})


@lowers("clip")
def clip(w: ProgramWriter, op: Op) -> None:
    """Write the bounds as attributes if they are numbers."""
    x, *bounds = op.inputs
    slots: dict[str, Any] = {}
    attrs: dict[str, Any] = {}
    limit = float(np.finfo("float32").max)
    for var, slot, open_end in zip(bounds, ("Min", "Max"), (-limit, limit), strict=True):
        value = None if var is None else constant_scalar(var)
        is_constant = value is not None and _fits(value, x.spec.dtype)
        attrs[slot.lower()] = ("float", value if is_constant else open_end)
        slots[slot] = None if is_constant or var is None else _flat(w, var) if var.spec.dtype.kind == "f" else var
    w.write("clip", {"X": x, **slots}, {"Out": op.out}, attrs)


def _at_least_1d(w: ProgramWriter, var: Var, partner: Var) -> Any:
    """Return the operand; reshaped to [1] if it is 0-D and its partner is not."""
    return _flat(w, var) if not var.spec.shape and partner.spec.shape and var.spec.dtype.kind == "f" else var


def _flat(w: ProgramWriter, var: Var) -> str:
    """A 0-D value as one of shape [1]."""
    value = constant_scalar(var)
    if var.spec.shape:
        return w.name(var)
    if value is not None:
        return w.constant(np.full(1, value, var.spec.dtype.np))
    flat = w.temp(TensorSpec((1,), var.spec.dtype))
    w.write("unsqueeze2", {"X": var}, {"Out": flat}, {"axes": ("ints", [0])})
    return flat


def _like(w: ProgramWriter, var: Var, like: Var) -> str:
    """A number in the shape of the other operand."""
    out = w.temp(like.spec)
    attrs = {"value": ("float", constant_scalar(var)), "dtype": ("dtype", like.spec.dtype)}
    w.write("fill_any_like", {"X": like}, {"Out": out}, attrs)
    return out
