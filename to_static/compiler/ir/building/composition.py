"""Operations as compositions of other operators: what files hold that have no such operator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.rewriter import inline, replace_all
from to_static.core.errors import ProgramError


def recorded(function: Callable[..., Any], inputs: tuple[Any, ...], attrs: dict[str, Any], site: Any = None) -> Block:
    """The operations of ``function(*inputs, **attrs)``, and its results: a block that reads ``inputs`` (by slot) directly.

    Raises ProgramError if the function computes with an unknown size in Python: files have no operators for such numbers.
    """
    builder = Builder(Program())
    builder.records_sites, builder.site = False, site
    with mode.use(builder), mode.grad_mode(False):
        slots = [
            None if item is None
            else [builder.feed(v.spec) for v in item] if isinstance(item, (tuple, list))
            else builder.feed(item.spec)
            for item in inputs
        ]  # fmt: skip
        results = function(*slots, **attrs)
        variables = [builder.var(result) for result in (results if isinstance(results, (tuple, list)) else [results])]
    for op in builder.program.block.walk():
        if op.name == "python":
            raise ProgramError(
                f"a composition of operators calls {op.attrs['function']} with a size that only a run knows: compute with the "
                "tensor `functions.dim_size(x, axis)` instead of the number `x.shape[axis]`"
            )
    operands = [v for item in inputs if item is not None for v in (item if isinstance(item, (tuple, list)) else [item])]
    block = Block()
    values = inline(builder.program.block, block, operands)
    block.results = [values[var] for var in variables]
    return block


def composed(op: Op) -> Block:
    """The composition in the declaration of the operator of ``op``; its operations have the results of ``op`` for theirs."""
    rule = op.opdef.composition_rule
    assert rule is not None
    block = recorded(rule, op.inputs, op.attrs, op.site)
    results: dict[Var, Var] = {}
    for var, out in zip(block.results, op.outputs, strict=True):
        results.setdefault(var, out)
    replace_all(block, results)
    for inner in block.ops:
        inner.outputs = [results.get(var, var) for var in inner.outputs]
    return block
