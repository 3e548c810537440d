"""The pass `python_scalars_to_ops`, for files: ``python`` ops (Python's arithmetic) become operators of 0-D tensors.

The results are equal if Python raises no error and integers need at most 64 bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.rewriter import insert_before, replace_all
from to_static.compiler.ir.spec import TensorSpec
from to_static.core.dtypes import DType, bool_, float64

_COMPARISONS = {
    "operator.lt": "less_than", "operator.le": "less_equal", "operator.gt": "greater_than", "operator.ge": "greater_equal",
    "operator.eq": "equal", "operator.ne": "not_equal",
}  # fmt: skip
_FLOATS = {
    "operator.truediv": "divide", "math.sqrt": "sqrt", "math.exp": "exp", "math.log": "log", "math.sin": "sin", "math.cos": "cos",
    "math.tanh": "tanh", "math.floor": "floor", "math.ceil": "ceil", "math.trunc": "assign", "builtins.int": "assign",
}  # fmt: skip
_OTHERS = {
    "operator.add": "add", "operator.sub": "subtract", "operator.mul": "multiply", "operator.neg": "neg", "operator.abs": "abs",
    "operator.floordiv": "floor_divide", "operator.mod": "remainder", "operator.pow": "pow",
}  # fmt: skip


def python_scalars_to_ops(program: Program) -> int:
    """Replace the ``python`` ops that tensor operators can compute; returns their number."""
    return _convert_block(program.block)


def _convert_block(block: Block) -> int:
    count = 0
    replacements: dict[Var, Var] = {}
    for op in list(block.ops):
        if replacements:
            op.map_operands(lambda v: replacements.get(v, v))
        count += sum(_convert_block(inner) for inner in op.blocks)
        if op.name == "python":
            new_var = _as_tensor_ops(_Ops(block, op), op.attrs["function"], op.inputs[0])
            if new_var is not None:
                replacements[op.out] = new_var
    if replacements:
        block.ops = [op for op in block.ops if not op.outputs or op.outputs[0] not in replacements]
        replace_all(block, replacements)
    return count + len(replacements)


class _Ops:
    """Inserts ops in front of ``anchor``, the ``python`` op that they replace."""

    def __init__(self, block: Block, anchor: Op) -> None:
        self.block = block
        self.anchor = anchor
        self.dtype: DType = anchor.out.spec.dtype  # type: ignore[assignment]

    def make(self, name: str, result_dtype: DType, *operands: Var, **attrs: Any) -> Var:
        return insert_before(self.block, self.anchor, get(name), operands, attrs, (TensorSpec((), result_dtype),)).out

    def cast(self, var: Var, dtype: DType) -> Var:
        return var if var.spec.dtype is dtype else self.make("cast", dtype, var, dtype=dtype)

    def float_constant(self, value: float) -> Var:
        return self.make("constant", float64, value=np.asarray(value, "float64"))


def _as_tensor_ops(ops: _Ops, function: str, values: tuple[Var, ...]) -> Var | None:
    """Compute ``function`` on 0-D tensors by operators; None if no operator computes it."""
    common = float64 if function in _FLOATS or any(v.spec.dtype is float64 for v in values) else values[0].spec.dtype
    if function in _COMPARISONS:
        return ops.make(_COMPARISONS[function], bool_, *(ops.cast(v, common) for v in values))
    if function == "builtins.round" and len(values) == 1:
        return _round_half_even(ops, values[0])
    name = _FLOATS.get(function) or _OTHERS.get(function)
    if function == "math.log" and len(values) == 2:  # Python divides two logarithms, too
        parts = (ops.make("log", float64, ops.cast(value, float64)) for value in values)
        return ops.make("divide", float64, *parts)
    if name is None or len(values) > 2:
        return None
    if function in _OTHERS and common.kind == "b":
        common = ops.dtype
    return ops.cast(ops.make(name, common, *(ops.cast(v, common) for v in values)), ops.dtype)


def _round_half_even(ops: _Ops, value: Var) -> Var:
    """Round to the nearest integer; halves go to the even neighbour."""
    low = ops.make("floor", float64, value)
    fraction = ops.make("subtract", float64, value, low)
    one_half = ops.float_constant(0.5)
    above = ops.cast(ops.make("greater_than", bool_, fraction, one_half), float64)
    at_half = ops.cast(ops.make("equal", bool_, fraction, one_half), float64)
    odd = ops.make("remainder", float64, low, ops.float_constant(2.0))
    up = ops.make("add", float64, above, ops.make("multiply", float64, at_half, odd))
    return ops.cast(ops.make("add", float64, low, up), ops.dtype)
