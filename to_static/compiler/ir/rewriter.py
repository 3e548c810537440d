"""Functions that change Programs: replace values, insert and inline ops, remove dead code. Passes and `autodiff` call them.

`ir.uses` finds the readers of a value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from to_static.compiler.ir.opdef import OpDef
from to_static.compiler.ir.program import Block, Op, Program, Var, copy_op
from to_static.compiler.ir.spec import Spec, TensorSpec
from to_static.compiler.ir.uses import values_read
from to_static.core.diagnostics.source_location import SourceLocation


def replace_all(block: Block, mapping: dict[Var, Var]) -> None:
    """Make every op and result of the block that reads a key of ``mapping`` read its value instead."""
    if not mapping:
        return
    for op in block.ops:
        if any(v in mapping for v in op.operands()):
            op.map_operands(lambda v: mapping.get(v, v))
    block.results = [mapping.get(v, v) for v in block.results]


def has(op: Op, trait: str) -> bool:
    """True if the op has the trait; with ``is_test=True`` an op draws no random numbers."""
    if trait not in op.opdef.traits:
        return False
    if trait == "may_raise":
        return op.opdef.may_raise_rule is None or op.opdef.may_raise_rule(*op.inputs, **op.attrs)
    return trait != "random" or op.attrs.get("is_test") is not True


def contains(op: Op, trait: str) -> bool:
    """True if the op, or an op in its blocks, has the trait."""
    return has(op, trait) or any(has(inner, trait) for b in op.blocks for inner in b.walk())


EFFECTS = ("effect", "random", "may_raise")


def has_side_effects(op: Op, effects: tuple[str, ...] = EFFECTS) -> bool:
    """True if the op must run although its results are unused.

    Such an op prints or asserts, or draws random numbers (the numbers drawn after it must not change), or may raise by the values
    of its inputs (``pop()`` of an empty list, an index out of range).
    """
    if op.blocks:
        return any(contains(op, trait) for trait in effects)
    return not op.opdef.traits.isdisjoint(effects) and any(has(op, trait) for trait in effects)


class SideEffectQuery:
    """A cached `has_side_effects`: blocks of control ops are visited once, not at each level.

    It is valid while only ops without side effects are removed.
    """

    def __init__(self, effects: tuple[str, ...] = EFFECTS) -> None:
        self.effects = effects
        self._is_pure: dict[Op, bool] = {}
        self.pruned: set[Op] = set()  # control ops in which everything is needed if all of their results are

    def __call__(self, op: Op) -> bool:
        if not op.blocks:
            return has_side_effects(op, self.effects)
        answer = self._is_pure.get(op)
        if answer is None:
            has_effect = any(has(op, trait) for trait in self.effects)
            answer = self._is_pure[op] = has_effect or any(self(inner) for block in op.blocks for inner in block.ops)
        return answer


def needed_ops(
    ops: Iterable[Op], wanted: Iterable[Var], effects: tuple[str, ...] = EFFECTS, acting: SideEffectQuery | None = None
) -> list[Op]:
    """Return those of ``ops`` (in order) on which ``wanted`` depend, and those with side effects (`has_side_effects` for
    ``effects``).

    ``acting``: a `SideEffectQuery` whose cache is used.
    """
    acting = acting or SideEffectQuery(effects)
    live = set(wanted)
    needed = []
    for op in reversed(list(ops)):
        if acting(op) or any(v in live for v in op.outputs):
            needed.append(op)
            live.update(op.operands())
    return needed[::-1]


def constant_vars(program: Program) -> set[Var]:
    """Return the values that depend only on constants and on root values that no run changes.

    A plan computes them once, as long as the root values have the same arrays. (Root values whose holders have ``_changes`` differ
    in most runs, and do not count.)
    """
    constant = {v for v in program.params if v not in program.state and not getattr(v.holder, "_changes", False)}
    for op in program.block.ops:
        if op.name == "constant":
            constant.add(op.out)
            continue
        operands = list(op.operands())
        if op.blocks or has_side_effects(op) or not operands or not constant.issuperset(operands):
            continue
        if all(isinstance(v.spec, TensorSpec) for v in (*op.outputs, *operands)):
            constant.update(op.outputs)
    return constant


def remove_dead_ops(block: Block, acting: SideEffectQuery | None = None) -> int:
    """Remove the ops on which no result of the block depends and that have no side effects, inner blocks first; returns their
    number.
    """
    acting = acting or SideEffectQuery()
    count = sum(remove_dead_ops(inner, acting) for op in block.ops for inner in op.blocks)
    needed = needed_ops(block.ops, block.results, acting=acting)
    count += len(block.ops) - len(needed)
    block.ops = needed
    return count


def remove_unused_params(program: Program) -> int:
    """Remove root values that no op reads and no run changes; returns their number."""
    used = values_read(program.block) | set(program.state)
    used_params = [v for v in program.params if v in used]
    count, program.params = len(program.params) - len(used_params), used_params
    return count


class RewriteCursor:
    """Iterates once over the ops of a block, while ops are inserted before the present op, or replace it.

    It is faster than many calls of `insert_before`.
    """

    def __init__(self, block: Block) -> None:
        self.block = block
        self._site: SourceLocation | None = None
        self._done = True

    def __iter__(self) -> Iterator[Op]:
        ops, self.block.ops = self.block.ops, []
        for op in ops:
            self._site, self._done = op.site, True
            yield op
            if self._done:
                self.block.ops.append(op)
        self._site = None

    def insert(self, opdef: OpDef, inputs: tuple, attrs: dict, specs: tuple[Spec, ...]) -> Op:
        """Insert a new op before the present op, or at the end after the iteration; returns it."""
        op = Op(opdef, inputs, attrs, specs, self.block, (), self._site)
        self.block.ops.append(op)
        return op

    def drop(self) -> None:
        """Remove the present op."""
        self._done = False


def insert_before(
    block: Block, anchor: Op | None, opdef: OpDef, inputs: tuple, attrs: dict, specs: tuple[Spec, ...]
) -> Op:
    """Insert a new op into ``block`` before ``anchor`` (at the end if None); returns it."""
    op = Op(opdef, inputs, attrs, specs, block, (), anchor.site if anchor is not None else None)
    block.ops.insert(len(block.ops) if anchor is None else block.index_of(anchor), op)
    return op


def add_output(op: Op, spec: Spec, stop_gradient: bool = True) -> Var:
    """Add a result to a control op; returns it. The caller adds the matching results to its blocks."""
    var = Var(spec, block=op.outputs[0].block if op.outputs else None, op=op, index=len(op.outputs))
    var.stop_gradient = stop_gradient
    op.outputs.append(var)
    return var


def inline(source: Block, target: Block, args: list[Var], skip: Callable[[Op], bool] | None = None) -> dict[Var, Var]:
    """Append copies of the ops of ``source`` to ``target``, with ``args`` for its arguments; returns old Var -> new Var.

    Ops for which ``skip`` is true are left out.
    """
    var_map = dict(zip(source.args, args, strict=True))
    for op in source.ops:
        if skip is None or not skip(op):
            copy_op(op, target, var_map)
    return var_map


# control ops ---------------------------------------------------------------------------------------------------------


def drop_operands(op: Op, unused: set[int]) -> None:
    """Remove the numbered arguments of a control op's blocks together with the operands that they stand for."""
    if not unused:
        return
    for block in op.blocks:
        block.args = [v for i, v in enumerate(block.args) if i not in unused]
    operands = tuple(v for i, v in enumerate(op.inputs[-1]) if i not in unused)
    op.inputs = (*op.inputs[:-1], operands)


def _reads(block: Block) -> set[Var]:
    return {v for op in block.ops for v in op.operands()} | set(block.results)


def drop_outputs(op: Op, unused: set[int]) -> None:
    """Remove the results with the indices ``unused`` from a control op. The caller removes the matching results of its blocks."""
    op.outputs = [v for i, v in enumerate(op.outputs) if i not in unused]
    for i, var in enumerate(op.outputs):
        var.index = i


def prune_control(op: Op, live: set[Var], effects: tuple[str, ...] = EFFECTS, acting: SideEffectQuery | None = None) -> int:
    """Remove unused parts of a ``cond`` or ``while_loop``; returns the number of removed results, ops and operands.

    These are results that are not ``live`` (in a loop: on which no live result depends either), dead ops in its blocks, and
    operands that no block reads.
    """
    acting = acting or SideEffectQuery(effects)
    if op.name == "while_loop":
        needed = _needed_carried(op, live, acting)
        dead = {i for i in range(len(op.outputs)) if i not in needed}
        op.attrs["carried"] -= len(dead)
        body = op.blocks[1]
        body.results = [v for i, v in enumerate(body.results) if i not in dead]
        drop_outputs(op, dead)
        count = len(dead) + sum(prune(b, effects, acting) for b in op.blocks)
        if dead:
            drop_operands(op, dead)
    else:
        dead = {i for i, v in enumerate(op.outputs) if v not in live}
        for block in op.blocks:
            block.results = [v for i, v in enumerate(block.results) if i not in dead]
        drop_outputs(op, dead)
        count = len(dead) + sum(prune(b, effects, acting) for b in op.blocks)
    reads = [_reads(b) for b in op.blocks]
    first = op.attrs["carried"] if op.name == "while_loop" else 0
    unused = {
        i
        for i in range(first, len(op.blocks[0].args))
        if not any(b.args[i] in r for b, r in zip(op.blocks, reads, strict=True))
    }
    drop_operands(op, unused)
    acting.pruned.add(op)
    return count + len(unused)


def _needed_carried(op: Op, live: set[Var], acting: SideEffectQuery) -> set[int]:
    """Carried values that live results, the loop's condition or its effects depend on."""
    test, body = op.blocks
    needed = {i for i, v in enumerate(op.outputs) if v in live}
    n = op.attrs["carried"]
    reads = set(test.results) | {v for inner in needed_ops(test.ops, test.results, acting=acting) for v in inner.operands()}
    needed |= {i for i, arg in enumerate(test.args[:n]) if arg in reads}
    argument_index = {arg: i for i, arg in enumerate(body.args[:n])}
    todo = [body.results[i] for i in needed]
    todo += [v for inner in body.ops if acting(inner) for v in _needed_operands(inner, set(), acting)]
    visited = set(todo)
    while todo:
        var = todo.pop()
        if var in argument_index:
            needed.add(argument_index[var])
            more = [body.results[argument_index[var]]]
        else:
            more = _needed_operands(var.op, {var}, acting) if var.op is not None else []
        todo += [v for v in dict.fromkeys(more) if v not in visited]
        visited.update(more)
    return needed


def _needed_operands(op: Op, live: set[Var], acting: SideEffectQuery) -> list[Var]:
    """Return the operands on which the live results of an op, or its side effects, depend.

    Operands that a control op only passes to unused results are not among them.
    """
    if op.name == "cond":
        pred, operands = op.inputs
        used: set[int] = set()
        for block in op.blocks:
            results = [result for result, output in zip(block.results, op.outputs, strict=True) if output in live]
            reads = {v for inner in needed_ops(block.ops, results, acting=acting) for v in inner.operands()}.union(results)
            used.update(i for i, arg in enumerate(block.args) if arg in reads)
        return [pred, *(operands[i] for i in sorted(used))]  # type: ignore[index,list-item]
    if op.name != "while_loop":
        return list(op.operands())
    [operands] = op.inputs
    carried = sorted(_needed_carried(op, live, acting))
    return [*(operands[i] for i in carried), *operands[op.attrs["carried"] :]]  # type: ignore[index,misc]


def prune(block: Block, effects: tuple[str, ...] = EFFECTS, acting: SideEffectQuery | None = None) -> int:
    """Remove dead code, also in control ops; returns the number of removed ops, results and operands.

    It extends `remove_dead_ops` by unused results and operands of ``cond`` and ``while_loop``. ``effects``: only ops with these
    side effects stay although their results are unused.
    """
    acting = acting or SideEffectQuery(effects)
    live = set(block.results)
    live_ops: list[Op] = []
    count = 0
    for op in reversed(block.ops):
        if not acting(op) and not any(v in live for v in op.outputs):
            count += 1
            continue
        if op.name in ("cond", "while_loop") and not (op in acting.pruned and live.issuperset(op.outputs)):
            count += prune_control(op, live, effects, acting)
        live_ops.append(op)
        live.update(op.operands())
    block.ops = live_ops[::-1]
    return count
