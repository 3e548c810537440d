"""Common subexpression elimination: of ops with equal operators, attributes and inputs, only the first stays."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.rewriter import replace_all
from to_static.compiler.passes.manager import every_block

LARGE = 1 << 12  # constants with more bytes are compared by identity


def eliminate_common_subexpressions(program: Program) -> int:
    """Merge equal ops within each block; returns the number of replaced values."""
    return sum(_merge(block) for block in every_block(program))


def _merge(block: Block) -> int:
    first: dict[Any, Op] = {}
    mapping: dict[Var, Var] = {}
    for op in block.ops:
        if mapping:
            op.map_operands(lambda v: mapping.get(v, v))
        key = _key(op)
        if key is None:
            continue
        earlier = first.setdefault(key, op)
        if earlier is not op:
            mapping.update(zip(op.outputs, earlier.outputs, strict=True))
    if mapping:
        replace_all(block, mapping)
        block.ops = [op for op in block.ops if not op.outputs or op.outputs[0] not in mapping]
    return len(mapping)


def _key(op: Op) -> Any:
    """Return a key that is equal for equal ops; None if an op must not be merged."""
    if op.blocks or not op.outputs or op.opdef.traits & {"effect", "random"}:
        return None
    try:
        attrs = tuple((k, _frozen(v)) for k, v in sorted(op.attrs.items()))
    except TypeError:
        return None
    inputs = tuple(tuple(map(id, v)) if isinstance(v, tuple) else id(v) for v in op.inputs)
    # a detached copy and its original differ if the Program is differentiated later
    return (op.name, inputs, attrs, tuple(v.stop_gradient for v in op.outputs))


def _frozen(value: Any) -> Any:
    """Return a hashable key that is equal only for identical attributes (1 and 1.0 differ, and so do 0.0 and -0.0)."""
    if isinstance(value, np.ndarray):
        if value.nbytes > LARGE:
            return (np.ndarray, id(value))
        return (value.dtype.str, value.shape, value.tobytes())
    if isinstance(value, (list, tuple)):
        return (type(value), tuple(map(_frozen, value)))
    if isinstance(value, float):
        return (float, value.hex())
    hash(value)
    return (type(value), value)
