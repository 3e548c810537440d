"""The pass `simplify_algebra`: identities that hold bit by bit, also for NaN, infinities and signed zeros.

``x - 0.0`` and ``x + -0.0`` are such identities. ``x + 0.0`` is not (it turns -0.0 into 0.0), and neither is ``x * 0``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.rewriter import insert_before, replace_all
from to_static.compiler.ops.shape_rules import broadcast
from to_static.compiler.passes.manager import every_block
from to_static.core.dtypes import DType, promote


def simplify_algebra(program: Program) -> int:
    """Replace results by equal values, by the `RULES` of their operators; returns the number of changes."""
    return sum(_simplify(block) for block in every_block(program))


def _simplify(block: Block) -> int:
    mapping: dict[Var, Var] = {}
    count = 0
    results = set(block.results)
    for op in list(block.ops):
        if mapping:
            op.map_operands(lambda v: mapping.get(v, v))
        rule = RULES.get(op.name)
        if rule is None:
            continue
        old_inputs = op.inputs
        replacement = rule(op)
        count += op.inputs is not old_inputs
        if replacement is None or replacement.spec != op.out.spec or replacement.stop_gradient != op.out.stop_gradient:
            continue
        if op.out in results and (op.name == "assign" or replacement.op is None):
            continue  # a result of the block must have its own memory
        mapping[op.out] = replacement
    replace_all(block, mapping)
    return count + len(mapping)


def _filled_with(var: Var, scalar: Any) -> bool:
    """True if ``var`` is a constant whose elements are all ``scalar`` (with the sign of a zero)."""
    if var.op is None or var.op.name != "constant":
        return False
    value = var.op.attrs["value"]
    if value.size == 0 or value.dtype.kind == "c" or not bool((value == scalar).all()):
        return False
    return scalar != 0 or value.dtype.kind != "f" or bool((np.signbit(value) == np.signbit(scalar)).all())


def _drop_expansion(op: Op) -> None:
    """Replace an operand that was expanded to the other operand's shape by the unexpanded value: the operator broadcasts."""
    for i in (0, 1):
        x, full_operand = op.inputs[i], op.inputs[1 - i]
        if x.op is None or x.op.name not in ("expand", "expand_as") or not full_operand.spec.is_static:
            continue
        small = x.op.inputs[0]
        if small.spec.is_static and broadcast(small.spec.shape, full_operand.spec.shape, op.name) == op.out.spec.shape:
            op.inputs = (small, full_operand) if i == 0 else (full_operand, small)


def _multiply(op: Op) -> Var | None:
    _drop_expansion(op)
    x, y = op.inputs
    return x if _filled_with(y, 1) else y if _filled_with(x, 1) else None


def _divide(op: Op) -> Var | None:
    _drop_expansion(op)
    x, y = op.inputs
    if _filled_with(y, 1):
        return x
    inverse = _reciprocal(op, y)
    if inverse is not None:
        op.opdef, op.inputs = get("multiply"), (x, inverse)
    return None


def _reciprocal(op: Op, y: Var) -> Var | None:
    """Return the reciprocal of ``y`` if its elements are one power of two: multiplication is faster, with the same bits."""
    if y.op is None or y.op.name != "constant" or y.dtype is not op.out.dtype or y.dtype.name not in ("float32", "float64"):
        return None
    value = y.op.attrs["value"]
    if value.size == 0 or not bool((value == value.flat[0]).all()) or not 2.0**-60 <= abs(value.flat[0]) <= 2.0**60:
        return None
    if abs(np.frexp(value.flat[0])[0]) != 0.5:
        return None
    assert op.out.block is not None  # it is in the block that is being simplified
    return insert_before(op.out.block, op, y.op.opdef, (), {"value": np.asarray(1 / value, value.dtype)}, (y.spec,)).out


def _add(op: Op) -> Var | None:
    _drop_expansion(op)
    x, y = op.inputs
    zero = -0.0 if x.dtype.kind == "f" else 0
    return x if _filled_with(y, zero) else y if _filled_with(x, zero) else None


def _subtract(op: Op) -> Var | None:
    _drop_expansion(op)
    x, y = op.inputs
    return x if _filled_with(y, 0.0 if x.dtype.kind == "f" else 0) else None


def _involution(name: str) -> Callable[[Op], Var | None]:
    """Return the rule of an operator with ``f(f(x)) == x``."""

    def rule(op: Op) -> Var | None:
        inner = op.inputs[0].op
        return inner.inputs[0] if inner is not None and inner.name == name else None

    return rule


def _input(op: Op) -> Var | None:
    """Return ``x`` for ``f(x)``; the caller checks that shape and dtype are equal."""
    return op.inputs[0]


def _input_if_static(op: Op) -> Var | None:
    return op.inputs[0] if op.inputs[0].spec.is_static else None


def _cast(op: Op) -> Var | None:
    (x,) = op.inputs
    inner = x.op
    if inner is not None and inner.name == "cast" and _represents(x.dtype, inner.inputs[0].dtype):
        if inner.inputs[0].dtype is op.out.dtype:
            return inner.inputs[0]
        op.inputs = inner.inputs
    return op.inputs[0]


def _represents(wider: DType, narrower: DType) -> bool:
    """True if ``wider`` represents each value of ``narrower`` exactly."""
    if wider.kind in "fc" and narrower.kind in "iu":
        return narrower.itemsize * 2 <= wider.itemsize // (2 if wider.kind == "c" else 1)
    return promote(wider, narrower) is wider


def _transpose(op: Op) -> Var | None:
    perm = list(op.attrs["perm"])
    inner = op.inputs[0].op
    if inner is not None and inner.name == "transpose":
        perm = [list(inner.attrs["perm"])[p] for p in perm]
        op.inputs, op.attrs = inner.inputs, {**op.attrs, "perm": type(op.attrs["perm"])(perm)}
    return op.inputs[0] if perm == list(range(len(perm))) else None


def _reshape(op: Op) -> Var | None:
    """Merge two reshapes into one; a reshape to the same known shape is the identity."""
    inner = op.inputs[0].op
    has_constant_shape = not op.inputs[1] and all(d != 0 for d in op.attrs["shape"])
    if has_constant_shape and inner is not None and inner.name in ("reshape", "squeeze", "unsqueeze"):
        op.inputs = (inner.inputs[0], op.inputs[1])
    return _input_if_static(op)


def _dropout(op: Op) -> Var | None:
    """In evaluation, dropout is the identity (in the mode that scales in training)."""
    return op.inputs[0] if op.attrs["is_test"] and op.attrs["mode"] == "upscale_in_train" else None


RULES: dict[str, Callable[[Op], Var | None]] = {
    "multiply": _multiply,
    "divide": _divide,
    "add": _add,
    "subtract": _subtract,
    "neg": _involution("neg"),
    "logical_not": _involution("logical_not"),
    "assign": _input,
    "cast": _cast,
    "dropout": _dropout,
    "sum_to": _input_if_static,
    "reshape": _reshape,
    "reshape_as": _input_if_static,
    "expand": _input_if_static,
    "expand_as": _input_if_static,
    "transpose": _transpose,
}
