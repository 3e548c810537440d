"""The identity of a result, if a tensor decides which object it is.

After ``if x.sum() > self.best.sum(): self.kept = self.best``, `kept` is one of two tensors that existed before the call; an
in-place change of it also changes `best`. A Program only computes numbers, and returns a new tensor for each result. Therefore
each tensor that such a result can be gets a number, and the Program returns as a further result the number of the right one.
``cond`` and ``while_loop`` pass this number on as they do with the values.

A view of such a tensor, or a view that a branch creates, has the number of its base plus an offset.
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

NEW = -1  # a tensor that a loop makes, which is another one in each iteration
_DERIVED = 1 << 32  # the first number of views of numbered tensors
_SPEC = TensorSpec((), int64)
_FLAG = TensorSpec((), bool_)


class DerivedView(NamedTuple):
    """A view of the tensor with the number ``base``, made by these steps."""

    base: int
    path: tuple[Step, ...]


class ResultChoice(NamedTuple):
    """An output, and the output that is the number of the tensor that it is; ``~number`` where that is the same in all runs.

    ``before``: the numbers of the tensors of before that it may be.
    """

    output: int
    which: int
    before: tuple[int, ...] = ()


class Numbers:
    """The numbers of the tensors that values of a Program may be: those of its feeds and root values first.

    ``changed``: feeds and root values whose tensors change in place, each with what it holds at the end; ``viewed``: values that
    are views of tensors of before; ``steps``: other values that are views of the first input of their operator, with the step.
    """

    def __init__(
        self,
        program: Program,
        changed: Iterable[tuple[Var, Var]],
        viewed: Collection[Var],
        steps: Mapping[Var, tuple[Step, ...]],
    ) -> None:
        self.program = program
        self._viewed = viewed
        self._steps = steps
        self._offsets: dict[Var, int] = {}  # of the numbers of views, by the view
        self._next_offset = _DERIVED
        self._derived: dict[int, DerivedView] = {}
        self.roots = [*program.feeds, *program.params]
        self._numbers: dict[Var, int] = {var: i for i, var in enumerate(self.roots)}
        self._owners: dict[Var, Op] = {}  # arguments of blocks -> the op that has the block
        self._repeated: set[Op] = set()  # ops in loops
        self._values: dict[Var, int | Var] = {}
        self._lifted: dict[tuple[Op, Var], list[Var]] = {}
        self._enter(program.block, False)
        for root, value in changed:
            self._mark(value, self._numbers[root])

    def _enter(self, block: Block, repeated: bool) -> None:
        for op in block.ops:
            if repeated:
                self._repeated.add(op)
            for inner in op.blocks if op.name in ("cond", "while_loop") else ():
                self._owners.update(dict.fromkeys(inner.args, op))
                self._enter(inner, repeated or op.name == "while_loop")

    def _mark(self, value: Var, number: int) -> None:
        if value.op is None or value in self._numbers:
            return
        self._numbers[value] = number
        if value.op.name == "cond":
            for block in value.op.blocks:
                self._mark(block.results[value.index], number)
        elif value.op.name == "while_loop":
            self._mark(value.op.blocks[1].results[value.index], number)

    def of(self, var: Var) -> set[int]:
        """The tensors that a value may be, by number."""
        identities: set[int] = set()
        visited: set[Var] = set()
        todo = [var]
        while todo:
            var = todo.pop()
            if var in visited:
                continue
            visited.add(var)
            if var in self._numbers:
                identities.add(self._numbers[var])
            elif var in self._viewed:  # the same one in each iteration of a loop
                identities.add(self._numbers.setdefault(var, len(self._numbers)))
            elif var in self._steps:
                identities.update(self._derive(var))
            elif var in self._owners:
                todo += self._handed_in(var)
            elif var.op is not None and var.op.name == "cond":
                todo += [block.results[var.index] for block in var.op.blocks]
            elif var.op is not None and var.op.name == "while_loop":
                todo += [var.op.inputs[0][var.index], var.op.blocks[1].results[var.index]]  # type: ignore[index]
            else:
                identities.add(NEW if var.op in self._repeated else self._numbers.setdefault(var, len(self._numbers)))
        return identities

    def is_one(self, var: Var) -> None:
        """A value is always one and the same new tensor, whatever it holds."""
        self._numbers.setdefault(var, len(self._numbers))

    def _derive(self, var: Var) -> list[int]:
        """The numbers that a view may have: those that its base may have, plus an offset."""
        bases = self.of(_base(var))
        if var not in self._offsets:
            self._offsets[var] = self._next_offset
            self._next_offset += max(bases) + 1
        numbers = []
        for base in bases:
            number = NEW if base == NEW else base + self._offsets[var]
            numbers.append(number)
            if number != NEW:
                view = self._derived.get(base, DerivedView(base, ()))
                self._derived[number] = DerivedView(view.base, (*view.path, *self._steps[var]))
        return numbers

    def memory_of(self, number: int) -> int:
        """The number of the tensor that a view with this number is of; of others their own."""
        view = self._derived.get(number)
        return number if view is None else view.base

    def is_view_of_before(self, number: int) -> bool:
        """True if this is a view that was known beforehand to be one of a tensor of before."""
        return any(self._numbers.get(var) == number for var in self._viewed)

    def views(self, values: Iterable[Var]) -> tuple[dict[int, Var], dict[int, DerivedView]]:
        """The views that these values may be, by their numbers: those of tensors of before, and those of numbered tensors."""
        identities = set[int]().union(*map(self.of, values))
        derived = {number: self._derived[number] for number in identities if number in self._derived}
        reached = identities.union(view.base for view in derived.values())
        return {self._numbers[var]: var for var in self._viewed if self._numbers.get(var) in reached}, derived

    def _handed_in(self, arg: Var) -> list[Var]:
        """The values that a block argument takes: an operand of the op; in a loop also the result of the last iteration."""
        op = self._owners[arg]
        position = self._place(op, arg)
        values_in: list[Var] = [op.inputs[-1][position]]  # type: ignore[index]
        if op.name == "while_loop" and position < op.attrs["carried"]:
            values_in.append(op.blocks[1].results[position])
        return values_in

    @staticmethod
    def _place(op: Op, arg: Var) -> int:
        return next(block.args.index(arg) for block in op.blocks if arg in block.args)

    def value(self, var: Var) -> int | Var:
        """The number of the tensor that a value is, or a value in the same block that tells it."""
        if var not in self._values:
            may_be = self.of(var)
            if len(may_be) == 1:
                (self._values[var],) = may_be
            elif var in self._steps:
                self._of_view(var)
            elif var in self._owners:
                self._of_argument(var)
            elif var.op.name == "cond":  # type: ignore[union-attr]
                self._of_cond(var)
            else:
                self._of_loop(var.op, var.index)  # type: ignore[arg-type]
        return self._values[var]

    def _choice_of(self, var: Var, block: Block, before: Op | None) -> Var:
        identity = self.value(var)
        return identity if isinstance(identity, Var) else self._constant(identity, block, before)

    def _of_argument(self, arg: Var) -> None:
        op = self._owners[arg]
        position = self._place(op, arg)
        if op.name == "while_loop" and position < op.attrs["carried"]:
            self._of_loop(op, position)
            return
        outer = self.value(op.inputs[-1][position])  # type: ignore[index]
        assert isinstance(outer, Var)
        if (op, outer) not in self._lifted:
            op.inputs = (*op.inputs[:-1], (*op.inputs[-1], outer))  # type: ignore[misc]
            self._lifted[op, outer] = [block.add_arg(_SPEC) for block in op.blocks]
        for block, inner in zip(op.blocks, self._lifted[op, outer], strict=True):
            if arg in block.args:
                self._values[arg] = inner

    def _of_view(self, var: Var) -> None:
        op: Op = var.op  # type: ignore[assignment]
        block: Block = var.block  # type: ignore[assignment]
        base = self._choice_of(_base(var), block, op)
        offset = self._constant(self._offsets[var], block, op)
        number = insert_before(block, op, registry.get("add"), (base, offset), {}, (_SPEC,)).out
        if NEW in self.of(var):
            is_new = insert_before(
                block, op, registry.get("less_than"), (base, self._constant(0, block, op)), {}, (_FLAG,)
            ).out
            number = insert_before(block, op, registry.get("where"), (is_new, base, number), {}, (_SPEC,)).out
        self._values[var] = number

    @staticmethod
    def _constant(value: int, block: Block, before: Op | None) -> Var:
        return insert_before(block, before, registry.get("constant"), (), {"value": np.asarray(value, "int64")}, (_SPEC,)).out

    def _of_cond(self, var: Var) -> None:
        op: Op = var.op  # type: ignore[assignment]
        identities = [self._choice_of(block.results[var.index], block, None) for block in op.blocks]
        if var in self._values:
            return
        for block, value in zip(op.blocks, identities, strict=True):
            block.results.append(value)
        self._values[var] = add_output(op, _SPEC)

    def _of_loop(self, op: Op, position: int) -> None:
        body = op.blocks[1]
        start: Var = op.inputs[0][position]  # type: ignore[index]
        start_identity = self._choice_of(start, start.block, op)  # type: ignore[arg-type]
        if body.args[position] in self._values:  # in the body of another loop, which asked for it
            return
        count = op.attrs["carried"]
        arg = carry(op, start_identity, _SPEC, True)
        self._values[body.args[position]], self._values[op.outputs[position]] = arg, op.outputs[-1]
        body.results.append(arg)  # stands for what comes
        body.results[count] = self._choice_of(body.results[position], body, None)


def _base(view: Var) -> Var:
    """The value that a view is made of in one step."""
    base = view.op.inputs[0]  # type: ignore[union-attr]
    assert isinstance(base, Var)
    return base


def choose(
    numbers: Numbers, open_outputs: Iterable[int], fresh: Collection[int], arguments: Collection[int]
) -> tuple[list[ResultChoice], dict[int, int]]:
    """Make a Program tell of outputs which tensors they are, where these may be tensors that somebody else has, too.

    ``open_outputs``: outputs that are returned or left somewhere, and are not known to be a tensor of before or another output;
    ``fresh``: those that are known to be a tensor of their own; ``arguments``: the feeds that are tensors of the caller's.

    Gives the choices, and the outputs that are one tensor in all runs, a new one, which others may be: with its number.
    """
    program = numbers.program
    outputs = program.outputs
    may_be = {i: numbers.of(outputs[i]) for i in open_outputs}
    holders = collections.Counter(memory for identities in may_be.values() for memory in set(map(numbers.memory_of, identities)))
    roots = {*arguments, *range(len(program.feeds), len(numbers.roots))}
    choices: list[ResultChoice] = []
    whiches: list[Var] = []
    for i, identities in may_be.items():
        var = outputs[i]
        if i in fresh or var.op is None or not var.op.blocks or not isinstance(var.spec, TensorSpec):
            continue
        memories = set(map(numbers.memory_of, identities)).difference([NEW])
        shared = any(n in roots or holders[n] > 1 or numbers.is_view_of_before(n) for n in memories)
        which = numbers.value(var) if shared else NEW
        if isinstance(which, Var):
            choices.append(ResultChoice(i, len(outputs) + len(whiches), tuple(sorted(identities.intersection(roots)))))
            whiches.append(which)
        elif which != NEW:
            choices.append(ResultChoice(i, ~which))
    state = program.state_values
    program.block.results = [*outputs, *whiches, *state]
    chosen = {choice.output for choice in choices}
    wanted = {n for i in chosen for identity in may_be[i] for n in (identity, numbers.memory_of(identity))}
    single = {i: next(iter(identities)) for i, identities in may_be.items() if i not in chosen and len(identities) == 1}
    return choices, {i: n for i, n in single.items() if n in wanted and n >= len(numbers.roots)}
