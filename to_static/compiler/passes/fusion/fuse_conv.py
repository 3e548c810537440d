"""The pass `fuse_conv`: bias, sum and activation become part of the convolution before them.

The kernel applies them block by block, while a block of the result is in the cache.
"""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.rewriter import constant_vars, insert_before, remove_dead_ops, replace_all
from to_static.compiler.ir.uses import Uses
from to_static.compiler.ops.fused.packed_conv import ACTIVATIONS
from to_static.compiler.passes.manager import every_block
from to_static.compiler.passes.pattern import Pattern

_ADDED = Pattern("add(conv:packed_conv(...), addend)")
_ACTIVATED = Pattern(f"act:{'|'.join(a for a in ACTIVATIONS if a)}(conv:packed_conv(...))")
_INPUTS = {"bias": 2, "add": 3}
_LINE = 1 << 13  # NumPy adds lines of at least so many elements at full speed


def fuse_conv(program: Program) -> int:
    """Fuse the operators after each `packed_conv` into it; returns the number of operators that are removed."""
    fixed = constant_vars(program)
    return sum(_fuse(block, fixed) for block in every_block(program))


def _fuse(block: Block, fixed: set[Var]) -> int:
    if not any(op.name == "packed_conv" for op in block.ops):
        return 0
    uses = Uses(block)
    mapping: dict[Var, Var] = {}
    for op in list(block.ops):
        if mapping:
            op.map_operands(lambda v: mapping.get(v, v))
        new_var = _rewritten(block, op, uses, fixed)
        if new_var is not None:
            uses.replaced(op.out, new_var)
            mapping[op.out] = new_var
    replace_all(block, mapping)
    remove_dead_ops(block)
    return len(mapping)


def _rewritten(block: Block, op: Op, uses: Uses, fixed: set[Var]) -> Var | None:
    """Return the new value for the result of ``op``; None if it cannot be fused with a convolution."""
    match = _ADDED.at(op, uses)
    if match is not None and not match["conv"].attrs["act"]:
        conv, addend = match["conv"], match["addend"]
        if _per_channel(addend, conv) and conv.inputs[2] is None and conv.inputs[3] is None:
            flat = (addend.spec.with_shape((addend.spec.size,)),)
            vector = insert_before(block, op, get("reshape"), (addend, ()), {"shape": [addend.spec.size]}, flat).out
            times = _times(conv) if addend in fixed else 1
            if times > 1:
                repeated_spec = (addend.spec.with_shape((times * addend.spec.size,)),)
                vector = insert_before(block, op, get("tile"), (vector, ()), {"repeats": [times]}, repeated_spec).out
            return _with(block, op, conv, bias=vector)
        if addend.spec == conv.out.spec and conv.inputs[3] is None:
            return _with(block, op, conv, add=addend)
    match = _ACTIVATED.at(op, uses)
    if match is not None and not match["conv"].attrs["act"]:
        return _with(block, op, match["conv"], act=op.name)
    return None


def _times(conv: Op) -> int:
    """The number of times that a bias is repeated: NumPy adds to short lines slowly."""
    spec = conv.out.spec
    if conv.attrs["layout"] != "NHWC":
        return 1
    channels = spec.shape[3]
    return int(min(-(-_LINE // channels), spec.size // channels))


def _per_channel(var: Var, conv: Op) -> bool:
    spec, channel = var.spec, 0 if conv.attrs["layout"] == "CHWN" else 3
    wanted = [1] * 4
    wanted[channel] = conv.out.spec.shape[channel]
    return list(spec.shape) == wanted


def _with(block: Block, op: Op, conv: Op, act: str = "", **inputs: Any) -> Var:
    """Insert a convolution with further operands or an activation before ``op``, which it replaces; return its result."""
    operands = list(conv.inputs)
    for name, var in inputs.items():
        operands[_INPUTS[name]] = var
    new_op = insert_before(block, op, conv.opdef, tuple(operands), {**conv.attrs, "act": act}, (op.out.spec,))
    new_op.out.name, new_op.out.stop_gradient, new_op.site = op.out.name, op.out.stop_gradient, conv.site
    return new_op.out
