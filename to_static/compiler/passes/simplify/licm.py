"""Loop-invariant code motion: values that are the same in every iteration are computed before the loop.

Loop variables that no iteration changes become operands. A result of a ``cond`` for which both branches return the same operand is
replaced by this operand.
"""

from __future__ import annotations

from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.rewriter import drop_outputs, has_side_effects, insert_before, replace_all
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.uses import values_read

# a loop may have no iteration, so only ops move that neither raise nor warn for any values
CALM = frozenset(
    (
        "abs", "add", "concat", "conv2d", "cos", "equal", "expand", "gelu", "greater_equal", "greater_than",
        "less_equal", "less_than", "logical_and", "logical_not", "logical_or", "matmul", "maximum", "mean", "minimum", "multiply",
        "not_equal", "relu", "reshape", "scale", "sigmoid", "sin", "slice", "softmax", "split", "squeeze", "stack", "subtract",
        "sum", "tanh", "tile", "transpose", "unbind", "unsqueeze", "where",
    )
)  # fmt: skip


def hoist_loop_invariants(program: Program) -> int:
    """Rewrite the loops and branches of all blocks, inner ones first; returns the number of values that moved."""
    return _rewrite_block(program.block)


def _rewrite_block(block: Block) -> int:
    count = 0
    mapping: dict[Var, Var] = {}
    read = values_read(block)
    for op in list(block.ops):
        if mapping:
            op.map_operands(lambda v: mapping.get(v, v))
        count += sum(map(_rewrite_block, op.blocks))
        if op.name == "cond":
            renamed = _forwarded_operands(block, op)
            mapping.update(renamed)
            count += sum(v in read for v in renamed)
        elif op.name == "while_loop":
            renamed = _drop_invariant_carried(block, op)
            mapping.update(renamed)
            count += len(renamed) + _hoist(block, op)
    replace_all(block, mapping)
    return count


def _replaceable_results(block: Block, op: Op, by_index: dict[int, Var]) -> dict[Var, Var]:
    """Return result -> operand for the results of a control op that an operand can replace (``by_index``: by result index).

    Results of the block are not replaced: they must have their own memory.
    """
    outputs = {op.outputs[i]: v for i, v in by_index.items()}
    unchanged = {a: b for a, b in outputs.items() if a.spec == b.spec and a.stop_gradient == b.stop_gradient}
    excluded = set(block.results) if unchanged else set()
    return {a: b for a, b in unchanged.items() if a not in excluded}


def _forwarded_operands(block: Block, op: Op) -> dict[Var, Var]:
    """Map each result for which both blocks return the same operand to that operand."""
    (_, operands), (yes, no) = op.inputs, op.blocks
    index_in_true = {v: i for i, v in enumerate(yes.args)}
    index_in_false = {v: i for i, v in enumerate(no.args)}
    by_index = {}
    for i, (a, b) in enumerate(zip(yes.results, no.results, strict=True)):
        if a in index_in_true and index_in_true[a] == index_in_false.get(b):
            by_index[i] = operands[index_in_true[a]]
    return _replaceable_results(block, op, by_index)


def _drop_invariant_carried(block: Block, loop: Op) -> dict[Var, Var]:
    """Make carried values that no iteration changes ordinary operands; returns removed result -> operand."""
    (operands,), (test, body), n = loop.inputs, loop.blocks, loop.attrs["carried"]
    invariant = {i: operands[i] for i in range(n) if body.results[i] is body.args[i]}
    mapping = _replaceable_results(block, loop, invariant)
    dropped = [i for i in invariant if loop.outputs[i] in mapping]
    if not dropped:
        return {}
    gone = set(dropped)
    order = [i for i in range(len(operands)) if i not in gone] + dropped
    loop.inputs = (tuple(operands[i] for i in order),)
    for inner in (test, body):
        inner.args = [inner.args[i] for i in order]
    body.results = [v for i, v in enumerate(body.results) if i not in gone]
    drop_outputs(loop, gone)
    loop.attrs = {**loop.attrs, "carried": n - len(dropped)}
    return mapping


def _hoist(block: Block, loop: Op) -> int:
    """Move ops whose inputs no iteration changes in front of the loop; returns the number of values that moved."""
    count = 0
    for inner in loop.blocks:
        outside: dict[Var, Var] = dict(
            zip(inner.args[loop.attrs["carried"] :], loop.inputs[0][loop.attrs["carried"] :], strict=True)
        )
        constants = {op.out: op for op in inner.ops if op.name == "constant"}
        hoisted: dict[Op, None] = {}
        for op in inner.ops:
            if _may_move(op, outside, constants):
                if not _move(block, loop, op, outside, constants):
                    continue
                hoisted[op] = None
        inner.ops = [op for op in inner.ops if op not in hoisted]
        read = values_read(inner)
        moved_values = {v: outside[v] for op in hoisted for v in op.outputs if v in read}
        _add_operands(loop, inner, moved_values)
        count += len(moved_values)
    return count


def _may_move(op: Op, outside: dict[Var, Var], constants: dict[Var, Op]) -> bool:
    if op.name not in CALM or op.blocks or has_side_effects(op):
        return False
    operands = op.operands()
    if not any(v in outside for v in operands) or not all(v in outside or v in constants for v in operands):
        return False
    return all(isinstance(v.spec, TensorSpec) for v in (*operands, *op.outputs))


def _move(block: Block, loop: Op, op: Op, outside: dict[Var, Var], constants: dict[Var, Op]) -> bool:
    """Insert a copy of the op before the loop. Return False if its operands would have other types there."""

    def outside_loop(var: Var) -> Var:
        if var not in outside:
            constant = constants[var]
            outside[var] = insert_before(block, loop, constant.opdef, (), constant.attrs, (var.spec,)).out
            outside[var].stop_gradient = var.stop_gradient
        return outside[var]

    specs = [outside[v].spec if v in outside else v.spec for v in op.operands()]
    if specs != [v.spec for v in op.operands()]:
        return False
    inputs = tuple(
        None if v is None else tuple(map(outside_loop, v)) if isinstance(v, tuple) else outside_loop(v) for v in op.inputs
    )
    hoisted = insert_before(block, loop, op.opdef, inputs, op.attrs, tuple(v.spec for v in op.outputs))
    hoisted.site = op.site
    for old, new in zip(op.outputs, hoisted.outputs, strict=True):
        new.name, new.stop_gradient = old.name, old.stop_gradient
        outside[old] = new
    return True


def _add_operands(loop: Op, inner: Block, moved_values: dict[Var, Var]) -> None:
    """Make the values of ``moved_values`` operands of the loop; the block ``inner`` reads them in place of its keys."""
    if not moved_values:
        return
    loop.inputs = ((*loop.inputs[0], *moved_values.values()),)
    for block in loop.blocks:
        args = {var: block.add_arg(value.spec, None, var.stop_gradient) for var, value in moved_values.items()}
        if block is inner:
            replace_all(block, args)
