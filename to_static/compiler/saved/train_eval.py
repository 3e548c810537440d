"""Train and eval forms of a loaded Program: the same ops, with another ``is_test`` attribute. `load` and `save` call it."""

from __future__ import annotations

from to_static.compiler.ir import rewriter
from to_static.compiler.ir.program import Block, Program, Var


def in_mode(program: Program, training: bool) -> Program:
    """Return a copy of ``program``, with the same parameters, in which ops such as dropout are in train or eval mode."""
    copy = program.clone()
    for op in copy.block.walk():
        if "is_test" in op.attrs:
            op.attrs["is_test"] = not training
    if not training:
        _forward_running_statistics(copy.block)
    drop_unchanged_state(copy)
    return copy


def _forward_running_statistics(block: Block) -> None:
    """Replace the running statistics that batch norm returns in eval mode by its inputs, because these are equal."""
    same: dict[Var, Var] = {}
    for op in block.ops:
        if op.name == "batch_norm" and op.attrs["is_test"] and not op.attrs["trainable_statistics"]:
            same[op.outputs[1]], same[op.outputs[2]] = op.inputs[3], op.inputs[4]
        for inner in op.blocks:
            _forward_running_statistics(inner)
    for new, old in list(same.items()):
        while old in same:
            old = same[old]
        same[new] = old
    rewriter.replace_all(block, same)


def drop_unchanged_state(program: Program) -> None:
    """Remove state whose new value is the old one, or a copy of it."""
    pairs = [(p, v) for p, v in zip(program.state, program.state_values, strict=True) if p is not _origin_of(v)]
    if len(pairs) < len(program.state):
        outputs = program.outputs
        program.state = [p for p, _ in pairs]
        program.block.results = outputs + [v for _, v in pairs]
        rewriter.prune(program.block)


def _origin_of(value: Var) -> Var:
    """Return the value of which ``value`` is a copy, or ``value`` itself."""
    while value.op is not None and value.op.name == "assign":
        value = value.op.inputs[0]
    return value
