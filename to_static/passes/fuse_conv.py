"""Bias, sum and activation after a convolution become part of it: they are done block by block, while the block is in the cache."""

from __future__ import annotations

from typing import Any

from to_static.ir.edit import insert_before, remove_dead_ops, replace_all, settled
from to_static.ir.program import Block, Op, Program, Var
from to_static.ir.registry import get
from to_static.ops.packed.packed_conv import ACTIVATIONS
from to_static.passes.manager import every_block
from to_static.passes.match import Pattern, Readers

_ADDED = Pattern("add(conv:packed_conv(...), more)")
_ACTIVATED = Pattern(f"act:{'|'.join(a for a in ACTIVATIONS if a)}(conv:packed_conv(...))")
_INPUTS = {"bias": 2, "add": 3}
_LINE = 1 << 13  # numbers of a line that NumPy adds at its full speed


def run(program: Program) -> int:
    """Fuse what follows each `packed_conv`; returns how many operators went."""
    fixed = settled(program)
    return sum(_fuse(block, fixed) for block in every_block(program))


def _fuse(block: Block, fixed: set[Var]) -> int:
    if not any(op.name == "packed_conv" for op in block.ops):
        return 0
    readers = Readers(block)
    mapping: dict[Var, Var] = {}
    for op in list(block.ops):
        if mapping:
            op.map_operands(lambda v: mapping.get(v, v))
        made = _rewritten(block, op, readers, fixed)
        if made is not None:
            readers.replaced(op.out, made)
            mapping[op.out] = made
    replace_all(block, mapping)
    remove_dead_ops(block)
    return len(mapping)


def _rewritten(block: Block, op: Op, readers: Readers, fixed: set[Var]) -> Var | None:
    """What takes the place of the operator's result; None where there is nothing to fuse it with."""
    found = _ADDED.at(op, readers)
    if found is not None and not found["conv"].attrs["act"]:
        conv, more = found["conv"], found["more"]
        if _per_channel(more, conv) and conv.inputs[2] is None and conv.inputs[3] is None:
            flat = (more.spec.with_shape((more.spec.size,)),)
            vector = insert_before(block, op, get("reshape"), (more, ()), {"shape": [more.spec.size]}, flat).out
            times = _times(conv) if more in fixed else 1
            if times > 1:
                wide = (more.spec.with_shape((times * more.spec.size,)),)
                vector = insert_before(block, op, get("tile"), (vector, ()), {"repeats": [times]}, wide).out
            return _with(block, op, conv, bias=vector)
        if more.spec == conv.out.spec and conv.inputs[3] is None:
            return _with(block, op, conv, add=more)
    found = _ACTIVATED.at(op, readers)
    if found is not None and not found["conv"].attrs["act"]:
        return _with(block, op, found["conv"], act=op.name)
    return None


def _times(conv: Op) -> int:
    """How many times a bias, computed beforehand, is there: short lines are slow to add to."""
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
    """The result of a convolution that does more, in front of ``op``, where all that it reads is there."""
    given = list(conv.inputs)
    for name, var in inputs.items():
        given[_INPUTS[name]] = var
    made = insert_before(block, op, conv.opdef, tuple(given), {**conv.attrs, "act": act}, (op.out.spec,))
    made.out.name, made.out.stop_gradient, made.site = op.out.name, op.out.stop_gradient, conv.site
    return made.out
