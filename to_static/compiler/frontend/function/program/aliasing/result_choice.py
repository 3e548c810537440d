"""The identity of a result, if a tensor decides which object it is.

After ``if x.sum() > self.best.sum(): self.kept = self.best``, `kept` is one of two tensors that existed before the call; an
in-place change of it also changes `best`. A Program only computes values, and returns a new tensor for each result. Therefore
each tensor that such a result can be gets an *identity*, an int, and the Program returns the identity of the right tensor as a
further result. ``cond`` and ``while_loop`` pass identities on as they pass values on.

A view of such a tensor, or a view that a branch creates, has the identity of its base plus an offset.

`program/tracer.py` calls `choose` at the end of a trace. After each run, `TraceResult.substitute_tensors` puts the tensors with
these identities in place of the outputs.
"""

from __future__ import annotations

import collections
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import numpy as np

from to_static.compiler.autodiff.rematerialization import carry
from to_static.compiler.ir import registry
from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.rewriter import add_output, insert_before
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.symbolic.views import Step
from to_static.core.dtypes import bool_, int64

NEW = -1  # the identity of a tensor that a loop makes, which is another one in each iteration
_DERIVED = 1 << 32  # the first identity of views of tensors that have identities
_SPEC = TensorSpec((), int64)
_FLAG = TensorSpec((), bool_)


class DerivedView(NamedTuple):
    """A view of the tensor with the identity ``base``, made by the steps ``path``."""

    base: int
    path: tuple[Step, ...]


class ResultChoice(NamedTuple):
    """The choice of the tensor that takes the place of an output.

    ``output``: the index of the output. ``which``: the index of the output that holds the identity of the tensor, or
    ``~identity`` if this is the same in all runs. ``roots``: the identities of the tensors from before the call that it may be.
    """

    output: int
    which: int
    roots: tuple[int, ...] = ()


class TensorIdentities:
    """The identities of the tensors that the values of a Program may be. Feeds and root values have the first ones, in order.

    ``updates``: the feeds and root values whose tensors change in place, each with its value at the end. ``viewed``: the values
    that are views of tensors from before the call. ``steps``: other values that are views of the first input of their operator,
    each with its step.
    """

    def __init__(
        self,
        program: Program,
        updates: Iterable[tuple[Var, Var]],
        viewed: Collection[Var],
        steps: Mapping[Var, tuple[Step, ...]],
    ) -> None:
        self.program = program
        self._viewed = viewed
        self._steps = steps
        self._offsets: dict[Var, int] = {}  # view -> the offset of its identities
        self._next_offset = _DERIVED
        self._derived: dict[int, DerivedView] = {}
        self.roots = [*program.feeds, *program.params]
        self._identities: dict[Var, int] = {var: i for i, var in enumerate(self.roots)}
        self._owners: dict[Var, Op] = {}  # block argument -> the op that has the block
        self._repeated: set[Op] = set()  # ops in loops
        self._runtime_identities: dict[Var, int | Var] = {}  # value -> its identity, or the value in the same block that has it
        self._lifted: dict[tuple[Op, Var], list[Var]] = {}  # an identity that an op reads -> the arguments of its blocks for it
        self._enter(program.block, False)
        for root, value in updates:
            self._mark(value, self._identities[root])

    def _enter(self, block: Block, repeated: bool) -> None:
        """Record the ops of a block and of all blocks inside of it. ``repeated``: the block is in a loop."""
        for op in block.ops:
            if repeated:
                self._repeated.add(op)
            for inner in op.blocks if op.name in ("cond", "while_loop") else ():
                self._owners.update(dict.fromkeys(inner.args, op))
                self._enter(inner, repeated or op.name == "while_loop")

    def _mark(self, value: Var, identity: int) -> None:
        """Give a value this identity, and the results of blocks that it can be, too."""
        if value.op is None or value in self._identities:
            return
        self._identities[value] = identity
        if value.op.name == "cond":
            for block in value.op.blocks:
                self._mark(block.results[value.index], identity)
        elif value.op.name == "while_loop":
            self._mark(value.op.blocks[1].results[value.index], identity)

    def identities_of(self, var: Var) -> set[int]:
        """Return the identities of the tensors that a value may be."""
        identities: set[int] = set()
        visited: set[Var] = set()
        todo = [var]
        while todo:
            var = todo.pop()
            if var in visited:
                continue
            visited.add(var)
            if var in self._identities:
                identities.add(self._identities[var])
            elif var in self._viewed:  # the same one in each iteration of a loop
                identities.add(self._identities.setdefault(var, len(self._identities)))
            elif var in self._steps:
                identities.update(self._derive(var))
            elif var in self._owners:
                todo += self._values_passed_in(var)
            elif var.op is not None and var.op.name == "cond":
                todo += [block.results[var.index] for block in var.op.blocks]
            elif var.op is not None and var.op.name == "while_loop":
                todo += [var.op.inputs[0][var.index], var.op.blocks[1].results[var.index]]  # type: ignore[index]
            else:
                identities.add(NEW if var.op in self._repeated else self._identities.setdefault(var, len(self._identities)))
        return identities

    def assign_identity(self, var: Var) -> None:
        """Give a value an identity of its own: in each run it is one new tensor."""
        self._identities.setdefault(var, len(self._identities))

    def _derive(self, var: Var) -> list[int]:
        """Return the identities that a view may have: those that its base may have, plus an offset."""
        bases = self.identities_of(_base(var))
        if var not in self._offsets:
            self._offsets[var] = self._next_offset
            self._next_offset += max(bases) + 1
        identities = []
        for base in bases:
            identity = NEW if base == NEW else base + self._offsets[var]
            identities.append(identity)
            if identity != NEW:
                view = self._derived.get(base, DerivedView(base, ()))
                self._derived[identity] = DerivedView(view.base, (*view.path, *self._steps[var]))
        return identities

    def memory_of(self, identity: int) -> int:
        """Return the identity of the base of a view, or the identity itself if it is not that of a view."""
        view = self._derived.get(identity)
        return identity if view is None else view.base

    def is_view_of_root(self, identity: int) -> bool:
        """True for the identity of a view of a tensor from before the call."""
        return any(self._identities.get(var) == identity for var in self._viewed)

    def views(self, values: Iterable[Var]) -> tuple[dict[int, Var], dict[int, DerivedView]]:
        """Return the views that these values may be, by identity: those of tensors from before the call, and the other ones."""
        identities = set[int]().union(*map(self.identities_of, values))
        derived = {identity: self._derived[identity] for identity in identities if identity in self._derived}
        reached = identities.union(view.base for view in derived.values())
        return {self._identities[var]: var for var in self._viewed if self._identities.get(var) in reached}, derived

    def _values_passed_in(self, arg: Var) -> list[Var]:
        """Return the values that a block argument takes: an operand of the op; in a loop also the result of the last iteration."""
        op = self._owners[arg]
        position = self._argument_index(op, arg)
        values_in: list[Var] = [op.inputs[-1][position]]  # type: ignore[index]
        if op.name == "while_loop" and position < op.attrs["carried"]:
            values_in.append(op.blocks[1].results[position])
        return values_in

    @staticmethod
    def _argument_index(op: Op, arg: Var) -> int:
        """The index of a block argument in the block of ``op`` that has it."""
        return next(block.args.index(arg) for block in op.blocks if arg in block.args)

    def identity_of(self, var: Var) -> int | Var:
        """Return the identity of a value, or a value in the same block that holds it. Adds the ops that compute it."""
        if var not in self._runtime_identities:
            may_be = self.identities_of(var)
            if len(may_be) == 1:
                (self._runtime_identities[var],) = may_be
            elif var in self._steps:
                self._emit_view_identity(var)
            elif var in self._owners:
                self._emit_argument_identity(var)
            elif var.op.name == "cond":  # type: ignore[union-attr]
                self._emit_cond_identity(var)
            else:
                self._emit_loop_identity(var.op, var.index)  # type: ignore[arg-type]
        return self._runtime_identities[var]

    def _identity_var(self, var: Var, block: Block, next_op: Op | None) -> Var:
        """Return a value in ``block``, before ``next_op``, that holds the identity of ``var``."""
        identity = self.identity_of(var)
        return identity if isinstance(identity, Var) else self._constant(identity, block, next_op)

    def _emit_argument_identity(self, arg: Var) -> None:
        """Pass the identity of a block argument's value into the blocks of its op."""
        op = self._owners[arg]
        position = self._argument_index(op, arg)
        if op.name == "while_loop" and position < op.attrs["carried"]:
            self._emit_loop_identity(op, position)
            return
        outer = self.identity_of(op.inputs[-1][position])  # type: ignore[index]
        assert isinstance(outer, Var)
        if (op, outer) not in self._lifted:
            op.inputs = (*op.inputs[:-1], (*op.inputs[-1], outer))  # type: ignore[misc]
            self._lifted[op, outer] = [block.add_arg(_SPEC) for block in op.blocks]
        for block, inner in zip(op.blocks, self._lifted[op, outer], strict=True):
            if arg in block.args:
                self._runtime_identities[arg] = inner

    def _emit_view_identity(self, var: Var) -> None:
        """Add the op that computes the identity of a view: that of its base plus the offset, or `NEW`."""
        op: Op = var.op  # type: ignore[assignment]
        block: Block = var.block  # type: ignore[assignment]
        base = self._identity_var(_base(var), block, op)
        offset = self._constant(self._offsets[var], block, op)
        identity = insert_before(block, op, registry.get("add"), (base, offset), {}, (_SPEC,)).out
        if NEW in self.identities_of(var):
            is_new = insert_before(
                block, op, registry.get("less_than"), (base, self._constant(0, block, op)), {}, (_FLAG,)
            ).out
            identity = insert_before(block, op, registry.get("where"), (is_new, base, identity), {}, (_SPEC,)).out
        self._runtime_identities[var] = identity

    @staticmethod
    def _constant(value: int, block: Block, next_op: Op | None) -> Var:
        return insert_before(block, next_op, registry.get("constant"), (), {"value": np.asarray(value, "int64")}, (_SPEC,)).out

    def _emit_cond_identity(self, var: Var) -> None:
        """Make a ``cond`` return the identity of one of its outputs as a further output."""
        op: Op = var.op  # type: ignore[assignment]
        identities = [self._identity_var(block.results[var.index], block, None) for block in op.blocks]
        if var in self._runtime_identities:
            return
        for block, value in zip(op.blocks, identities, strict=True):
            block.results.append(value)
        self._runtime_identities[var] = add_output(op, _SPEC)

    def _emit_loop_identity(self, op: Op, position: int) -> None:
        """Make a ``while_loop`` carry the identity of one of its carried values as a further one."""
        body = op.blocks[1]
        start: Var = op.inputs[0][position]  # type: ignore[index]
        start_identity = self._identity_var(start, start.block, op)  # type: ignore[arg-type]
        if body.args[position] in self._runtime_identities:  # (the line before has added it, for a loop in a loop)
            return
        count = op.attrs["carried"]
        arg = carry(op, start_identity, _SPEC, True)
        self._runtime_identities[body.args[position]], self._runtime_identities[op.outputs[position]] = arg, op.outputs[-1]
        body.results.append(arg)  # a placeholder
        body.results[count] = self._identity_var(body.results[position], body, None)


def _base(view: Var) -> Var:
    """The value of which a view is made in one step."""
    base = view.op.inputs[0]  # type: ignore[union-attr]
    assert isinstance(base, Var)
    return base


def choose(
    tensor_identities: TensorIdentities, open_outputs: Iterable[int], fresh: Collection[int], arguments: Collection[int]
) -> tuple[list[ResultChoice], dict[int, int]]:
    """Make a Program return the identities of those outputs that may be a tensor with another name.

    ``open_outputs``: outputs that are returned or stored, and are not known to be a tensor from before the call or another output.
    ``fresh``: outputs that are known to be new tensors. ``arguments``: the feeds that are tensors of the caller.

    Returns the choices; and, for outputs that are the same new tensor in all runs which a choice may select, their identities.
    """
    program = tensor_identities.program
    outputs = program.outputs
    may_be = {i: tensor_identities.identities_of(outputs[i]) for i in open_outputs}
    memories_of = {i: set(map(tensor_identities.memory_of, identities)).difference([NEW]) for i, identities in may_be.items()}
    output_counts = collections.Counter(memory for memories in memories_of.values() for memory in memories)
    roots = {*arguments, *range(len(program.feeds), len(tensor_identities.roots))}
    choices: list[ResultChoice] = []
    whiches: list[Var] = []
    for i, identities in may_be.items():
        var = outputs[i]
        if i in fresh or var.op is None or not var.op.blocks or not isinstance(var.spec, TensorSpec):
            continue
        may_alias = any(
            memory in roots or output_counts[memory] > 1 or tensor_identities.is_view_of_root(memory) for memory in memories_of[i]
        )
        which = tensor_identities.identity_of(var) if may_alias else NEW
        if isinstance(which, Var):
            choices.append(ResultChoice(i, len(outputs) + len(whiches), tuple(sorted(identities.intersection(roots)))))
            whiches.append(which)
        elif which != NEW:
            choices.append(ResultChoice(i, ~which))
    program.block.results = [*outputs, *whiches, *program.state_values]
    chosen = {choice.output for choice in choices}
    selectable = {n for i in chosen for identity in may_be[i] for n in (identity, tensor_identities.memory_of(identity))}
    unchosen = {i: next(iter(identities)) for i, identities in may_be.items() if i not in chosen and len(identities) == 1}
    first_new = len(tensor_identities.roots)
    return choices, {i: identity for i, identity in unchosen.items() if identity in selectable and identity >= first_new}
