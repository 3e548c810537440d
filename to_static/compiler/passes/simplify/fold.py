"""Constant folding: what depends on nothing but constants (or known shapes) is computed once, before the Program runs."""

from __future__ import annotations

from collections import deque

import numpy as np

from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.rewriter import replace_all
from to_static.compiler.ir.spec import spec_of
from to_static.compiler.ir.uses import values_read
from to_static.compiler.passes.simplify.shared_constants import fold_or_share

LARGEST = 1 << 20  # bytes of a result that is worth keeping
MOST = 1 << 28  # bytes of all results of a block, from which on only small ones are kept: few operators can make very many numbers
SMALL = 1 << 10  # the same for Programs that go to a file


def fold_constants(program: Program) -> int:
    """Fold everything up to a mebibyte."""
    return _fold(program.block, LARGEST)


def fold_small_constants(program: Program) -> int:
    """Fold only what stays small in a file."""
    return _fold(program.block, SMALL)


def fold_weights(program: Program) -> int:
    """Fold results up to a mebibyte, and larger ones that take no more memory than their inputs."""
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
            op.map_operands(lambda v: _last(mapping, v))
        if op.name == "constant":
            constants[op.out] = op.attrs["value"]
        elif op.name == "cond" and op.inputs[0] in constants:
            chosen = op.blocks[0 if bool(constants[op.inputs[0]]) else 1]
            pending.extendleft(reversed(_opened(chosen, list(op.inputs[1]), block)))
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
    replace_all(block, {v: _last(mapping, v) for v in mapping})
    return count


def _last(mapping: dict[Var, Var], var: Var) -> Var:
    """The final replacement of a Var: a branch's result may come from a branch inside it, or be folded itself."""
    last = var
    while last in mapping:
        last = mapping[last]
    while var is not last:  # the next one to ask need not go all the way
        mapping[var], var = last, mapping[var]
    return last


def _constant(block: Block, value: np.ndarray, like: Op) -> Op:
    return Op(get("constant"), (), {"value": value}, (spec_of(value),), block, (), like.site)


def _opened(chosen: Block, operands: list[Var], target: Block) -> list[Op]:
    """The ops of a branch, as ops of the block that the branch stands in."""
    inside = dict(zip(chosen.args, operands, strict=True))
    for op in chosen.ops:
        op.map_operands(lambda v: inside.get(v, v))
        for var in op.outputs:
            var.block = target
    return chosen.ops


def _sink(op: Op, constants: dict[Var, np.ndarray]) -> int:
    """Repeat constants from outside within the blocks, where ops can be folded with them."""
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
    """True for a loop whose condition is false from the start, whatever the variables are."""
    test = op.blocks[0]
    producer = test.results[0].op
    if producer is None or producer.name != "constant" or bool(producer.attrs["value"]):
        return False
    return not any(inner.opdef.traits & {"effect", "random"} for inner in test.walk())
