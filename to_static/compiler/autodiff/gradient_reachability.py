"""Gradient reachability: which outputs of a Program depend on which inputs, also if control flow decides that in each run.

A parameter of the branch that was not taken, or of a loop that made no iteration, gets no gradient in Python (``grad`` stays None),
and a result that depends on no trainable value has ``stop_gradient=True``. If control flow decides this, the Program returns
further results: for such an output, one boolean per wanted value. The forward pass computes them: each value whose dependence is
uncertain gets a small vector of booleans. An op combines the vectors of its operands by logical or, ``cond`` chooses one,
``while_loop`` carries one. A list of tensors has a list of vectors, and operators on the list are applied to it, too. `partition`
and the tracing of gradients call this module.
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

# ops on lists that are applied to the list of vectors, too -> the position of the operand that is an index
_ON_ELEMENTS = {"list_new": 9, "list_append": 9, "list_get": 1, "list_set": 1, "list_pop": 1, "list_insert": 1}


class Reach:
    """The wanted values on which each output depends.

    Attributes:
        certain, possible: for each output, bit masks of the wanted values on which it always depends, and on which it may depend.
        places: the indices of the outputs for which the two differ, so that only a run can tell.
        vectors: for each of these outputs, the value of the Program that is its vector of booleans.
        data_dependent: the indices of the wanted values that the elements of a vector stand for.
    """

    def __init__(self, program: Program, wanted: Sequence[Var]) -> None:
        dependences = _Dependences(program.block, wanted)
        masks = [dependences.masks_of(v) for v in program.outputs]
        self.certain = [must for must, _ in masks]
        self.possible = [may for _, may in masks]
        self.places = [i for i, (must, may) in enumerate(masks) if may & ~must]
        bits = 0
        for must, may in masks:  # (an empty list has every certain dependence, and no possible one)
            bits |= may & ~must
        self.data_dependent = [i for i in range(len(wanted)) if bits >> i & 1]
        self.vectors: list[Var] = []
        if bits:
            vectors = _Vectors(dependences, self.data_dependent)
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
    """Return for each output a pair of bit masks: the ``wanted`` values on which it always depends, and on which it may depend."""
    analysis = _Dependences(program.block, wanted)
    return [analysis.masks_of(v) for v in program.outputs]


class _Dependences:
    """Static analysis: for each value, a pair of bit masks of the wanted values on which it always depends, and may depend.

    The masks of a list hold for each of its elements.
    """

    def __init__(self, block: Block, wanted: Sequence[Var]) -> None:
        self.masks: dict[Var, tuple[int, int]] = {}
        self.everything = (1 << len(wanted)) - 1
        for i, var in enumerate(wanted):
            if not var.stop_gradient:
                self.masks[var] = (1 << i, 1 << i)
        self.wanted = dict(self.masks)
        self._walk(block)

    def masks_of(self, var: Var) -> tuple[int, int]:
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
            reached = self.masks_of(var)
            must, may = must | reached[0] if joins else must & reached[0], may | reached[1]
        for var in op.outputs:
            self._set(var, (must, may))

    def _enter(self, block: Block, masks: list[tuple[int, int]]) -> list[tuple[int, int]]:
        for arg, pair in zip(block.args, masks, strict=True):
            self._set(arg, pair)
        self._walk(block)
        return [self.masks_of(v) for v in block.results]

    def _cond(self, op: Op) -> None:
        entering = [self.masks_of(v) for v in op.inputs[1]]
        true, false = (self._enter(block, entering) for block in op.blocks)
        for var, a, b in zip(op.outputs, true, false, strict=True):
            self._set(var, (a[0] & b[0], a[1] | b[1]))

    def _while(self, op: Op) -> None:
        entering = [self.masks_of(v) for v in op.inputs[0]]
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
    """Inserts ops into a Program that compute the vectors of booleans."""

    def __init__(self, dependences: _Dependences, data_dependent: list[int]) -> None:
        self.dependences = dependences
        self.data_dependent = data_dependent
        self.data_dependent_bits = sum(1 << i for i in data_dependent)
        self.spec = spec_of(np.zeros(len(data_dependent), bool))
        self.vector_of: dict[Var, Var] = {}  # value -> its vector, where it is not certain

    def _known_vector(self, var: Var) -> list[bool] | None:
        """Return the vector of a value as constants if it is known before the run, or None if the Program has to compute it."""
        if isinstance(var.spec, ListSpec):  # the length of the list of vectors is unknown
            return None if var.dtype is None or var.dtype.is_floating else []
        if self._is_open(var):
            return None
        must, _ = self.dependences.masks_of(var)
        return [bool(must >> i & 1) for i in self.data_dependent]

    def _is_open(self, var: Var) -> bool:
        """True if the vector of a value has to be computed."""
        if isinstance(var.spec, ListSpec):
            return self._known_vector(var) is None
        must, may = self.dependences.masks_of(var)
        return bool((must ^ may) & self.data_dependent_bits)

    def _spec(self, value: Var) -> Any:
        return ListSpec(self.spec) if isinstance(value.spec, ListSpec) else self.spec

    def var(self, value: Var, block: Block, position: Op | None) -> Var:
        """Return the vector of a value of ``block``, as a Var that ops from ``position`` on can read."""
        known_vector = self._known_vector(value)
        return self.vector_of[value] if known_vector is None else _constant(known_vector, block, position)

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
        """Apply the list operator ``op`` to the list of vectors."""
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
            known_vector = self._known_vector(operand)
            if known_vector is not None:
                constant_vector = [a or b for a, b in zip(constant_vector, known_vector or constant_vector, strict=True)]
            elif isinstance(operand.spec, ListSpec):
                rows = new("list_stack", (self.vector_of[operand],), TensorSpec((-1, *self.spec.shape), self.spec.dtype), axis=0)
                parts[new("any", (rows,), self.spec, axis=(0,), keepdim=False)] = None
            else:
                parts[self.vector_of[operand]] = None
        if any(constant_vector):
            parts[_constant(constant_vector, block, position)] = None
        return functools.reduce(lambda a, b: new("logical_or", (a, b), self.spec), parts)

    def _lift(self, op: Op, operands: Sequence[Var], first: int) -> None:
        """Make the vectors of ``operands[first:]`` operands of a control op, and arguments of its blocks."""
        args = [list(b.args) for b in op.blocks]
        lifted: dict[Var, list[Var]] = {}
        for k in range(first, len(operands)):
            if self._known_vector(operands[k]) is not None:
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
            if self._known_vector(out) is None:
                for inner in op.blocks:
                    inner.results.append(self.var(inner.results[i], inner, None))
                self.vector_of[out] = add_output(op, self._spec(out))

    def _while(self, op: Op, block: Block) -> None:
        n, (operands,), outputs = op.attrs["carried"], op.inputs, list(op.outputs)
        body, args = op.blocks[1], list(op.blocks[1].args)
        self._lift(op, operands, n)
        moving = [i for i in range(n) if self._known_vector(args[i]) is None]
        for i in moving:
            start = self.var(operands[i], block, op)
            self.vector_of[args[i]] = carry(op, start, self._spec(args[i]), True)
            self.vector_of[outputs[i]] = op.outputs[-1]
        self.walk(body)
        body.results += [self.var(body.results[i], body, None) for i in moving]


def _values(op: Op) -> list[Var]:
    """Return the operands of an op from which its results get their dependences: all but indices and constants."""
    none = {_ON_ELEMENTS.get(op.name), *op.opdef.constants}
    return [v for i, x in enumerate(op.inputs) if i not in none for v in (x if isinstance(x, tuple) else (x,)) if v is not None]


def _constant(values: list[bool], block: Block, position: Op | None) -> Var:
    array = np.asarray(values, bool)
    return insert_before(block, position, registry.get("constant"), (), {"value": array}, (spec_of(array),)).out


_OUTSIDE, _MADE = 1, 2


class _TrainableSources(_Dependences):
    """The same analysis for two sources of gradients: trainable values from outside, and leaves that the Program makes."""

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
        analysis = _TrainableSources(frame.block, start)
        if inner is not None:
            outer = {arg: value for value, arg in inner.lifted.items() if value.block is frame.block or value in start}
            trainable_args = [arg for arg in inner.block.args if not arg.stop_gradient]
            start = {arg: analysis.masks_of(outer[arg]) if arg in outer else (0, _OUTSIDE) for arg in trainable_args}
    must, may = analysis.masks_of(var)
    return bool(may) and not must


def leaves_made(program: Program) -> list[int]:
    """Return the indices of the outputs that are leaves: they need a gradient, but depend on no trainable value from outside.

    Raises TranslationError if tensors decide whether an output is such a leaf.
    """
    start = {v: (_OUTSIDE, _OUTSIDE) for v in [*program.block.args, *program.params] if not v.stop_gradient}
    analysis = _TrainableSources(program.block, start)
    for must, may in map(analysis.masks_of, program.outputs):
        if may & _MADE and not must:
            where = next((op.site for op in analysis.new_leaves if op.out.block is not program.block), None)
            line = "" if where is None else f": `{line_in(where.file, where.line).strip()}`"
            text = f"a tensor condition or loop decides whether a result needs a gradient of its own{line}"
            rewrite = "set it outside of the condition: `y.stop_gradient = False`, or `y = y.detach()`, on all paths"
            raise TranslationError(source_location.report(text, where, rewrite))
    return [i for i, v in enumerate(program.outputs) if not v.stop_gradient and not analysis.masks_of(v)[1] & _OUTSIDE]


def need_all(builder: Any, targets: list[Any], wanted: Sequence[Var]) -> None:
    """Insert a check that raises ReachError in a run in which one of ``wanted`` gets no gradient, but might get one in another run.

    Called before the targets are differentiated in the root block.
    """
    block = builder.frame.block
    values = [builder.var(t) for t in targets]
    analysis = _Dependences(block, wanted)
    must = may = 0
    for value in values:
        reached_now = analysis.masks_of(value)
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
    """Raise AutogradError if the gradient of one of ``inputs`` exists on some paths of a traced function only.

    Python returns None on the other paths.
    """
    builder = mode.current()
    wanted = [builder.var(x) for x in inputs]
    analysis = _Dependences(builder.frame.block, wanted)
    must = may = 0
    for target in targets:
        reached = analysis.masks_of(builder.var(target))
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
