"""Which outputs of a Program depend on which of its inputs, as far as only a run can tell.

A parameter of the branch that was not taken, or of a loop that made no trip, gets no gradient in Python (``grad`` stays None),
and a result that no trainable value entered has ``stop_gradient=True``. So a Program whose control flow decides about that is
given further results: for such an output, one boolean per wanted value. They are computed going forward, beside the values: one
small vector per value of which it is not certain, joined where an op joins values, chosen by ``cond``, carried by ``while_loop``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.autodiff.replay import carry
from to_static.ir import registry
from to_static.ir.edit import add_output, insert_before
from to_static.ir.program import Block, Op, Program, Var
from to_static.ir.spec import spec_of


class Reach:
    """For each output: ``certain`` and ``possible`` are sets of wanted values as bits; ``places`` are the numbers of those outputs
    that have a vector of booleans, and ``vectors`` these, about the wanted values ``undecided``.
    """

    def __init__(self, program: Program, wanted: Sequence[Var]) -> None:
        known = _Known(program.block, wanted)
        masks = [known.of(v) for v in program.outputs]
        self.certain = [must for must, _ in masks]
        self.possible = [may for _, may in masks]
        self.places = [i for i, (must, may) in enumerate(masks) if must != may]
        bits = 0
        for must, may in masks:
            bits |= may & ~must
        self.undecided = [i for i in range(len(wanted)) if bits >> i & 1]
        self.vectors: list[Var] = []
        if bits:
            vectors = _Vectors(known, self.undecided)
            vectors.walk(program.block)
            outputs = program.outputs
            self.vectors = [vectors.var(outputs[i], program.block, None) for i in self.places]

    def found(self, output: int, vectors: Sequence[Any]) -> int:
        """The wanted values that an output depends on, as bits; ``vectors``: the arrays that the run gave for ``vectors``."""
        mask = self.certain[output]
        if output in self.places:
            for i, here in zip(self.undecided, vectors[self.places.index(output)].tolist(), strict=True):
                mask |= here << i
        return mask


class _Known:
    """What each value certainly and possibly depends on, found without running: pairs of bit sets."""

    def __init__(self, block: Block, wanted: Sequence[Var]) -> None:
        self.masks: dict[Var, tuple[int, int]] = {}
        for i, var in enumerate(wanted):
            if not var.stop_gradient:
                self.masks[var] = (1 << i, 1 << i)
        self._walk(block)

    def of(self, var: Var) -> tuple[int, int]:
        return self.masks.get(var, _NOTHING)

    def _set(self, var: Var, masks: tuple[int, int]) -> None:
        self.masks[var] = _NOTHING if var.stop_gradient else masks

    def _walk(self, block: Block) -> None:
        for op in block.ops:
            if op.name == "cond":
                self._cond(op)
            elif op.name == "while_loop":
                self._while(op)
            elif any(not v.stop_gradient for v in op.outputs):
                must = may = 0
                for var in op.operands():
                    here = self.of(var)
                    must, may = must | here[0], may | here[1]
                for var in op.outputs:
                    self._set(var, (must, may))

    def _enter(self, block: Block, masks: list[tuple[int, int]]) -> list[tuple[int, int]]:
        for arg, pair in zip(block.args, masks, strict=True):
            self._set(arg, pair)
        self._walk(block)
        return [self.of(v) for v in block.results]

    def _cond(self, op: Op) -> None:
        entering = [self.of(v) for v in op.inputs[1]]
        true, false = (self._enter(block, entering) for block in op.blocks)
        for var, a, b in zip(op.outputs, true, false, strict=True):
            self._set(var, (a[0] & b[0], a[1] | b[1]))

    def _while(self, op: Op) -> None:
        entering = [self.of(v) for v in op.inputs[0]]
        while True:  # until what enters the next trip is what entered this one
            after = self._enter(op.blocks[1], entering)
            joined = [(a[0] & b[0], a[1] | b[1]) for a, b in zip(entering, after, strict=False)]
            if joined == entering[: len(joined)]:
                break
            entering[: len(joined)] = joined
        for arg, pair in zip(op.blocks[0].args, entering, strict=True):
            self._set(arg, pair)
        for var, pair in zip(op.outputs, joined, strict=True):
            self._set(var, pair)


class _Vectors:
    """Writes into a Program what computes the vectors."""

    def __init__(self, known: _Known, undecided: list[int]) -> None:
        self.known = known
        self.undecided = undecided
        self.found: dict[Var, Var] = {}  # value -> its vector, where it is not certain

    def _certain(self, var: Var) -> list[bool] | None:
        """The vector of a value, when it is known without running."""
        must, may = self.known.of(var)
        if any((must ^ may) >> i & 1 for i in self.undecided):
            return None
        return [bool(must >> i & 1) for i in self.undecided]

    def var(self, value: Var, block: Block, place: Op | None) -> Var:
        """The vector of a value of ``block``, as a Var that ops from ``place`` on can read."""
        certain = self._certain(value)
        return self.found[value] if certain is None else _constant(certain, block, place)

    def walk(self, block: Block) -> None:
        for op in list(block.ops):
            if op.name == "cond":
                self._cond(op, block)
            elif op.name == "while_loop":
                self._while(op, block)
            else:
                self._join(op, block)

    def _join(self, op: Op, block: Block) -> None:
        outputs = [v for v in op.outputs if self._certain(v) is None]
        if not outputs:
            return
        here = [False] * len(self.undecided)
        parts: list[Var] = []
        for operand in dict.fromkeys(op.operands()):
            certain = self._certain(operand)
            if certain is None:
                parts.append(self.found[operand])
            else:
                here = [a or b for a, b in zip(here, certain, strict=True)]
        parts = list(dict.fromkeys(parts))
        if any(here):
            parts.append(_constant(here, block, op))
        total = parts[0]
        for part in parts[1:]:
            total = insert_before(block, op, registry.get("logical_or"), (total, part), {}, (total.spec,)).out
        self.found.update(dict.fromkeys(outputs, total))

    def _lift(self, op: Op, operands: Sequence[Var], first: int) -> None:
        """Hand the vectors of operands (those from number ``first`` on) to the blocks of a control op."""
        args = [list(b.args) for b in op.blocks]
        lifted: dict[Var, list[Var]] = {}
        for k in range(first, len(operands)):
            if self._certain(operands[k]) is not None:
                continue
            vector = self.found[operands[k]]
            if vector not in lifted:
                op.inputs = (*op.inputs[:-1], (*op.inputs[-1], vector))
                lifted[vector] = [b.add_arg(vector.spec) for b in op.blocks]
            for before, inner in zip(args, lifted[vector], strict=True):
                self.found[before[k]] = inner

    def _cond(self, op: Op, block: Block) -> None:
        self._lift(op, op.inputs[1], 0)
        for inner in op.blocks:
            self.walk(inner)
        for i, out in enumerate(list(op.outputs)):
            if self._certain(out) is None:
                for inner in op.blocks:
                    inner.results.append(self.var(inner.results[i], inner, None))
                self.found[out] = add_output(op, op.blocks[0].results[-1].spec)

    def _while(self, op: Op, block: Block) -> None:
        n, (operands,), outputs = op.attrs["carried"], op.inputs, list(op.outputs)
        body, args = op.blocks[1], list(op.blocks[1].args)
        self._lift(op, operands, n)
        moving = [i for i in range(n) if self._certain(args[i]) is None]
        for i in moving:
            start = self.var(operands[i], block, op)
            self.found[args[i]] = carry(op, start, start.spec, True)
            self.found[outputs[i]] = op.outputs[-1]
        self.walk(body)
        body.results += [self.var(body.results[i], body, None) for i in moving]


def _constant(values: list[bool], block: Block, place: Op | None) -> Var:
    array = np.asarray(values, bool)
    return insert_before(block, place, registry.get("constant"), (), {"value": array}, (spec_of(array),)).out


_NOTHING = (0, 0)
