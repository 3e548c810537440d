"""Constant folding: values that depend only on constants or known shapes are computed before the Program runs."""

from __future__ import annotations

from collections import deque

import numpy as np

from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.rewriter import replace_all
from to_static.compiler.ir.spec import spec_of
from to_static.compiler.ir.uses import values_read
from to_static.compiler.passes.simplify.shared_constants import fold_or_share

LARGEST = 1 << 20  # the maximal bytes of a folded result
MOST = 1 << 28  # the maximal bytes of all folded results of a block; beyond it only small results are folded
SMALL = 1 << 10  # the maximal bytes of a folded result in Programs that are saved


def fold_constants(program: Program) -> int:
    """Fold results up to a mebibyte; returns the number of changes."""
    return _fold(program.block, LARGEST)


def fold_small_constants(program: Program) -> int:
    """Fold results up to a kibibyte, so that files stay small; returns the number of changes."""
    return _fold(program.block, SMALL)


def fold_weights(program: Program) -> int:
    """Fold results up to a mebibyte, and larger ones that need no more memory than their inputs; returns the number of changes."""
    return _fold(program.block, LARGEST, True)


def _fold(block: Block, limit: int, weights: bool = False) -> int:
    count = 0
    constants: dict[Var, np.ndarray] = {}
    mapping: dict[Var, Var] = {}
    pending = deque(block.ops)
    block.ops = []
    spent = 0
    while pending:
        op = pending.popleft()
        if mapping:
            op.map_operands(lambda v: _final_replacement(mapping, v))
        if op.name == "constant":
            constants[op.out] = op.attrs["value"]
        elif op.name == "cond" and op.inputs[0] in constants:
            chosen = op.blocks[0 if bool(constants[op.inputs[0]]) else 1]
            pending.extendleft(reversed(_inlined_ops(chosen, list(op.inputs[1]), block)))
            inside = dict(zip(chosen.args, op.inputs[1], strict=True))
            mapping.update((a, inside.get(b, b)) for a, b in zip(op.outputs, chosen.results, strict=True))
            count += 1
            continue
        elif op.name == "assert" and op.inputs[0] in constants and constants[op.inputs[0]].all():  # a check of sizes
            count += 1
            continue
        elif op.blocks:
            count += _sink(op, constants)
            count += sum(_fold(inner, limit, weights) for inner in op.blocks)
            if op.name == "while_loop" and _never_runs(op):
                mapping.update(zip(op.outputs, op.inputs[0], strict=False))
                count += 1
                continue
        else:
            size_limit = limit if spent < MOST else min(limit, SMALL)
            if weights:
                size_limit = max(size_limit, sum(constants[v].nbytes for v in op.operands() if v in constants))
            values = fold_or_share(op, constants, size_limit)
            if values is not None:
                spent += sum(value.nbytes for value in values)
                for var, value in zip(op.outputs, values, strict=True):
                    constant_op = _constant(block, value, op)
                    constant_op.out.name, constant_op.out.stop_gradient = var.name, var.stop_gradient
                    constants[constant_op.out] = value
                    mapping[var] = constant_op.out
                    block.ops.append(constant_op)
                count += 1
                continue
        block.ops.append(op)
    replace_all(block, {v: _final_replacement(mapping, v) for v in mapping})
    return count


def _final_replacement(mapping: dict[Var, Var], var: Var) -> Var:
    """Return the final replacement of a Var: the result of a branch may be that of a nested branch, or be folded."""
    last = var
    while last in mapping:
        last = mapping[last]
    while var is not last:  # compress the path for the next lookup
        mapping[var], var = last, mapping[var]
    return last


def _constant(block: Block, value: np.ndarray, like: Op) -> Op:
    return Op(get("constant"), (), {"value": value}, (spec_of(value),), block, (), like.site)


def _inlined_ops(chosen: Block, operands: list[Var], target: Block) -> list[Op]:
    """Return the ops of a branch as ops of the block that contains the branch."""
    inside = dict(zip(chosen.args, operands, strict=True))
    for op in chosen.ops:
        op.map_operands(lambda v: inside.get(v, v))
        for var in op.outputs:
            var.block = target
    return chosen.ops


def _sink(op: Op, constants: dict[Var, np.ndarray]) -> int:
    """Copy constants from outside into the blocks of a control op, where ops can be folded with them; returns their number."""
    count = 0
    first = op.attrs.get("carried", 0)
    for block in op.blocks:
        read = values_read(block)
        constants_moved = {
            arg: _constant(block, constants[operand], op)
            for arg, operand in zip(block.args[first:], op.inputs[-1][first:], strict=True)
            if operand in constants and arg in read
        }
        replace_all(block, {arg: constant.out for arg, constant in constants_moved.items()})
        block.ops[:0] = list(constants_moved.values())[::-1]
        count += len(constants_moved)
    return count


def _never_runs(op: Op) -> bool:
    """True if the condition of a loop is the constant False."""
    test = op.blocks[0]
    producer = test.results[0].op
    if producer is None or producer.name != "constant" or bool(producer.attrs["value"]):
        return False
    return not any(inner.opdef.traits & {"effect", "random"} for inner in test.walk())
