"""Gradient reachability: which outputs of a Program depend on which inputs, as far as only a run can tell.

A parameter of the branch that was not taken, or of a loop that made no iteration, gets no gradient in Python (``grad`` stays None),
and a result that no trainable value entered has ``stop_gradient=True``. So a Program whose control flow decides about that
returns further results: for such an output, one boolean per wanted value. The forward pass computes them beside the values. Each
value whose dependence is uncertain gets a small vector of booleans: an op combines the vectors of its operands by logical or,
``cond`` chooses one, ``while_loop`` carries one. A list of tensors has a list of vectors, and operators on the list are repeated
on it.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.autodiff.rematerialization import carry
from to_static.compiler.ir import mode, registry
from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.rewriter import add_output, insert_before
from to_static.compiler.ir.spec import ListSpec, TensorSpec, spec_of
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ops import dynamic_sizes
from to_static.compiler.ops import functions as F
from to_static.core.diagnostics import source_location
from to_static.core.diagnostics.source_lines import line_in
from to_static.core.errors import AutogradError, TranslationError

# ops on lists that are repeated on the list of vectors; the value is the position of the operand that is an index
_ON_ELEMENTS = {"list_new": 9, "list_append": 9, "list_get": 1, "list_set": 1, "list_pop": 1, "list_insert": 1}


class Reach:
    """The wanted values on which each output depends.

    Attributes:
        certain, possible: for each output a bit mask of wanted values: it depends on all of the first, and at most on the second.
        places: the indices of the outputs for which the two differ, so that only a run can tell.
        vectors: for each of these outputs, the value of the Program that is its vector of booleans.
        data_dependent: the indices of the wanted values that the elements of a vector stand for.
    """

    def __init__(self, program: Program, wanted: Sequence[Var]) -> None:
        certain = _Known(program.block, wanted)
        masks = [certain.of(v) for v in program.outputs]
        self.certain = [must for must, _ in masks]
        self.possible = [may for _, may in masks]
        self.places = [i for i, (must, may) in enumerate(masks) if may & ~must]
        bits = 0
        for must, may in masks:  # (an empty list has every certain dependence, and no possible one)
            bits |= may & ~must
        self.data_dependent = [i for i in range(len(wanted)) if bits >> i & 1]
        self.vectors: list[Var] = []
        if bits:
            vectors = _Vectors(certain, self.data_dependent)
            vectors.walk(program.block)
            outputs = program.outputs
            self.vectors = [vectors.var(outputs[i], program.block, None) for i in self.places]

    def mask_of(self, output: int, vectors: Sequence[Any], element: int | None = None) -> int:
        """Return a bit mask: which of the wanted values an output (or an element of a list output) depends on.

        ``vectors``: the bool vectors that the run computed, one for each entry of ``self.vectors``.
        """
        if output not in self.places:
            return self.possible[output]
        vector = vectors[self.places.index(output)]
        if element is not None:
            vector = vector[element]
        mask = self.certain[output]
        for i, reached in zip(self.data_dependent, vector.tolist(), strict=True):
            mask |= reached << i
        return mask


def dependences(program: Program, wanted: Sequence[Var]) -> list[tuple[int, int]]:
    """For each output the ``wanted`` values that it certainly depends on, and those that it may depend on, as bits."""
    analysis = _Known(program.block, wanted)
    return [analysis.of(v) for v in program.outputs]


class _Known:
    """Static analysis of dependences: the values that each value certainly and possibly depends on, as pairs of bit sets.

    Those of a list are about each of its elements.
    """

    def __init__(self, block: Block, wanted: Sequence[Var]) -> None:
        self.masks: dict[Var, tuple[int, int]] = {}
        self.everything = (1 << len(wanted)) - 1
        for i, var in enumerate(wanted):
            if not var.stop_gradient:
                self.masks[var] = (1 << i, 1 << i)
        self.wanted = dict(self.masks)
        self._walk(block)

    def of(self, var: Var) -> tuple[int, int]:
        return self.masks.get(var, _NOTHING)

    def _set(self, var: Var, masks: tuple[int, int]) -> None:
        if not isinstance(var.spec, ListSpec):
            masks = _NOTHING if var.stop_gradient else (masks[0] & masks[1], masks[1])
        own_bits = self.wanted.get(var, _NOTHING)
        self.masks[var] = (masks[0] | own_bits[0], masks[1] | own_bits[1])

    def _walk(self, block: Block) -> None:
        for op in block.ops:
            if op.name == "cond":
                self._cond(op)
            elif op.name == "while_loop":
                self._while(op)
            else:
                self._op(op)

    def _op(self, op: Op) -> None:
        joins = op.name not in _ON_ELEMENTS
        must, may = 0 if joins else self.everything, 0
        for var in _values(op):
            reached = self.of(var)
            must, may = must | reached[0] if joins else must & reached[0], may | reached[1]
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
        while True:  # until the next iteration gets what this one got
            leaving = self._enter(op.blocks[1], entering)
            joined = [(a[0] & b[0], a[1] | b[1]) for a, b in zip(entering, leaving, strict=False)]
            if joined == entering[: len(joined)]:
                break
            entering[: len(joined)] = joined
        for arg, pair in zip(op.blocks[0].args, entering, strict=True):
            self._set(arg, pair)
        for var, pair in zip(op.outputs, joined, strict=True):
            self._set(var, pair)


class _Vectors:
    """Writes into a Program what computes the vectors."""

    def __init__(self, certain: _Known, data_dependent: list[int]) -> None:
        self.certain = certain
        self.data_dependent = data_dependent
        self.asked = sum(1 << i for i in data_dependent)
        self.spec = spec_of(np.zeros(len(data_dependent), bool))
        self.vector_of: dict[Var, Var] = {}  # value -> its vector, where it is not certain

    def _certain(self, var: Var) -> list[bool] | None:
        """Return the vector of a value as constants if it is known before the run, or None if the Program has to compute it."""
        if isinstance(var.spec, ListSpec):  # nobody knows how long the list of vectors would be
            return None if var.dtype is None or var.dtype.is_floating else []
        if self._is_open(var):
            return None
        must, _ = self.certain.of(var)
        return [bool(must >> i & 1) for i in self.data_dependent]

    def _is_open(self, var: Var) -> bool:
        """True if the vector of a value has to be computed."""
        if isinstance(var.spec, ListSpec):
            return self._certain(var) is None
        must, may = self.certain.of(var)
        return bool((must ^ may) & self.asked)

    def _spec(self, value: Var) -> Any:
        return ListSpec(self.spec) if isinstance(value.spec, ListSpec) else self.spec

    def var(self, value: Var, block: Block, position: Op | None) -> Var:
        """The vector of a value of ``block``, as a Var that ops from ``position`` on can read."""
        certain = self._certain(value)
        return self.vector_of[value] if certain is None else _constant(certain, block, position)

    def walk(self, block: Block) -> None:
        ops = list(block.ops)
        for op, following in zip(ops, [*ops[1:], None], strict=False):
            if op.name == "cond":
                self._cond(op, block)
            elif op.name == "while_loop":
                self._while(op, block)
            elif any(map(self._is_open, op.outputs)):
                if op.name in _ON_ELEMENTS:
                    self._mirror(op, block, following)
                else:
                    self.vector_of.update(dict.fromkeys(op.outputs, self._joined(op, block, following)))

    def _mirror(self, op: Op, block: Block, position: Op | None) -> None:
        """Do to the list of vectors what ``op`` does to the list."""
        values = set(_values(op))

        def vector(x: Var) -> Var:
            return self.var(x, block, position) if x in values else x

        inputs = tuple(tuple(map(vector, x)) if isinstance(x, tuple) else vector(x) for x in op.inputs)
        new = insert_before(block, position, op.opdef, inputs, dict(op.attrs), tuple(map(self._spec, op.outputs)))
        self.vector_of.update(zip(op.outputs, new.outputs, strict=True))

    def _joined(self, op: Op, block: Block, position: Op | None) -> Var:
        """Return the vector of an op's results: the logical or of its operands' vectors."""

        def new(name: str, inputs: tuple[Var, ...], spec: Any, **attrs: Any) -> Var:
            return insert_before(block, position, registry.get(name), inputs, attrs, (spec,)).out

        constant_vector = [False] * len(self.data_dependent)
        parts: dict[Var, None] = {}
        for operand in dict.fromkeys(op.operands()):
            certain = self._certain(operand)
            if certain is not None:
                constant_vector = [a or b for a, b in zip(constant_vector, certain or constant_vector, strict=True)]
            elif isinstance(operand.spec, ListSpec):
                rows = new("list_stack", (self.vector_of[operand],), TensorSpec((-1, *self.spec.shape), self.spec.dtype), axis=0)
                parts[new("any", (rows,), self.spec, axis=(0,), keepdim=False)] = None
            else:
                parts[self.vector_of[operand]] = None
        if any(constant_vector):
            parts[_constant(constant_vector, block, position)] = None
        return functools.reduce(lambda a, b: new("logical_or", (a, b), self.spec), parts)

    def _lift(self, op: Op, operands: Sequence[Var], first: int) -> None:
        """Hand the vectors of operands (those from number ``first`` on) to the blocks of a control op."""
        args = [list(b.args) for b in op.blocks]
        lifted: dict[Var, list[Var]] = {}
        for k in range(first, len(operands)):
            if self._certain(operands[k]) is not None:
                continue
            vector = self.vector_of[operands[k]]
            if vector not in lifted:
                op.inputs = (*op.inputs[:-1], (*op.inputs[-1], vector))
                lifted[vector] = [b.add_arg(self._spec(operands[k])) for b in op.blocks]
            for outer_value, inner_value in zip(args, lifted[vector], strict=True):
                self.vector_of[outer_value[k]] = inner_value

    def _cond(self, op: Op, block: Block) -> None:
        self._lift(op, op.inputs[1], 0)
        for inner in op.blocks:
            self.walk(inner)
        for i, out in enumerate(list(op.outputs)):
            if self._certain(out) is None:
                for inner in op.blocks:
                    inner.results.append(self.var(inner.results[i], inner, None))
                self.vector_of[out] = add_output(op, self._spec(out))

    def _while(self, op: Op, block: Block) -> None:
        n, (operands,), outputs = op.attrs["carried"], op.inputs, list(op.outputs)
        body, args = op.blocks[1], list(op.blocks[1].args)
        self._lift(op, operands, n)
        moving = [i for i in range(n) if self._certain(args[i]) is None]
        for i in moving:
            start = self.var(operands[i], block, op)
            self.vector_of[args[i]] = carry(op, start, self._spec(args[i]), True)
            self.vector_of[outputs[i]] = op.outputs[-1]
        self.walk(body)
        body.results += [self.var(body.results[i], body, None) for i in moving]


def _values(op: Op) -> list[Var]:
    """The operands of an op whose dependences are those of its results."""
    none = {_ON_ELEMENTS.get(op.name), *op.opdef.constants}
    return [v for i, x in enumerate(op.inputs) if i not in none for v in (x if isinstance(x, tuple) else (x,)) if v is not None]


def _constant(values: list[bool], block: Block, position: Op | None) -> Var:
    array = np.asarray(values, bool)
    return insert_before(block, position, registry.get("constant"), (), {"value": array}, (spec_of(array),)).out


_OUTSIDE, _MADE = 1, 2


class _Trains(_Known):
    """The same about two questions: whether a value needs a gradient for something from outside, or for a leaf made inside."""

    def __init__(self, block: Block, start: dict[Var, tuple[int, int]]) -> None:
        self.masks = dict(start)
        self.everything = _OUTSIDE | _MADE
        self.wanted = dict(start)
        self.new_leaves: list[Op] = []
        self._walk(block)

    def _op(self, op: Op) -> None:
        super()._op(op)
        if not all(v.stop_gradient for v in op.outputs) and all(v.stop_gradient for v in op.operands()):
            self.new_leaves.append(op)
            self.masks.update((v, (_MADE, _MADE)) for v in op.outputs if not v.stop_gradient)


def requires_grad_is_data_dependent(tensor: Any) -> bool:
    """True if tensor conditions and loops decide if a value of the Program being built needs a gradient."""
    builder = tensor.builder
    var, frames = builder.var(tensor), [builder.frame]
    if var.stop_gradient:
        return False
    while frames[-1].parent is not None:
        frames.append(frames[-1].parent)
    program = builder.program
    start = {v: (_OUTSIDE, _OUTSIDE) for v in [*program.block.args, *program.params] if not v.stop_gradient}
    for frame, inner in zip(reversed(frames), [*reversed(frames[:-1]), None], strict=True):
        analysis = _Trains(frame.block, start)
        if inner is not None:
            outer = {arg: value for value, arg in inner.lifted.items() if value.block is frame.block or value in start}
            start = {
                arg: analysis.of(outer[arg]) if arg in outer else (0, _OUTSIDE) for arg in inner.block.args if not arg.stop_gradient
            }
    must, may = analysis.of(var)
    return bool(may) and not must


def leaves_made(program: Program) -> list[int]:
    """The outputs that need a gradient of their own: nothing flows through them to what comes from outside.

    Raises TranslationError where tensors decide whether one does.
    """
    start = {v: (_OUTSIDE, _OUTSIDE) for v in [*program.block.args, *program.params] if not v.stop_gradient}
    analysis = _Trains(program.block, start)
    for must, may in map(analysis.of, program.outputs):
        if may & _MADE and not must:
            where = next((op.site for op in analysis.new_leaves if op.out.block is not program.block), None)
            line = "" if where is None else f": `{line_in(where.file, where.line).strip()}`"
            text = f"a tensor condition or loop decides whether a result needs a gradient of its own{line}"
            rewrite = "set it outside of the condition: `y.stop_gradient = False`, or `y = y.detach()`, on all paths"
            raise TranslationError(source_location.report(text, where, rewrite))
    return [i for i, v in enumerate(program.outputs) if not v.stop_gradient and not analysis.of(v)[1] & _OUTSIDE]


def need_all(builder: Any, targets: list[Any], wanted: Sequence[Var]) -> None:
    """Make runs raise ReachError in which one of ``wanted`` gets no gradient of the targets, though on other ways it would.

    Called before the targets are differentiated in the outermost block.
    """
    block = builder.frame.block
    values = [builder.var(t) for t in targets]
    analysis = _Known(block, wanted)
    must = may = 0
    for value in values:
        reached_now = analysis.of(value)
        must, may = must | reached_now[0], may | reached_now[1]
    data_dependent = [i for i in range(len(wanted)) if (may & ~must) >> i & 1]
    if data_dependent:
        vectors = _Vectors(analysis, data_dependent)
        vectors.walk(block)
        reach_flags = [Variable(vectors.var(value, block, None), builder) for value in values]
        reached = functools.reduce(F.logical_or, reach_flags)
        text = "backward(): a tensor gets no gradient in this run, as a tensor condition or loop decided"
        dynamic_sizes.check(F.all(reached), "ReachError", text)


def check_decided(targets: list[Any], inputs: list[Any]) -> None:
    """Refuse gradients, taken while a function is traced, that exist on some of its paths only: Python gives None on the others.

    Raises AutogradError.
    """
    builder = mode.current()
    wanted = [builder.var(x) for x in inputs]
    analysis = _Known(builder.frame.block, wanted)
    must = may = 0
    for target in targets:
        reached = analysis.of(builder.var(target))
        must, may = must | reached[0], may | reached[1]
    for i in range(len(inputs)):
        if (may & ~must) >> i & 1:
            from to_static.core.diagnostics.source_expressions import (
                in_expression,  # only for errors: it costs start-up time
            )

            text = (
                f"grad: a tensor condition or loop decides whether input {i}{in_expression()} influences the outputs, and so "
                "whether it "
                "has a gradient"
            )
            raise AutogradError(
                source_location.report(
                    text,
                    source_location.capture(),
                    "let it always have one: `paddle.grad(y + 0 * x.sum(), [x])`, which is zero then",
                )
            )


_NOTHING = (0, 0)
