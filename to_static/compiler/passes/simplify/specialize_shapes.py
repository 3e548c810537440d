"""`optimize_for` specializes a Program for the shapes of its feeds: unknown dimensions become known. `PlanExecutor` calls it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir.building.constant_evaluation import evaluate
from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.spec import TensorSpec, join
from to_static.compiler.ops.dimension_args import HOLE
from to_static.compiler.passes.manager import Pass
from to_static.compiler.passes.pipeline import INFERENCE, optimize
from to_static.compiler.passes.simplify import fold
from to_static.core.diagnostics import source_location
from to_static.core.errors import ProgramError, ShapeError, ToStaticError

Known = dict[Var, np.ndarray]


def optimize_for(program: Program, shapes: Sequence[Any], passes: Sequence[Pass] = INFERENCE) -> Program:
    """Return the optimised `specialize`d copy of ``program``, which is not changed."""
    return optimize(specialize(program, shapes), passes)


def specialize(program: Program, shapes: Sequence[Any]) -> Program:
    """Return a copy of ``program`` whose feeds have these shapes (None keeps a shape), with all shapes inferred again.

    Dimensions that are operands of reshape and similar operators become constants if they are known now. Raises ShapeError when a
    shape does not fit its feed, or makes an operation impossible (the message shows the user's line): the error's ``__completed__``
    is what runs before that operation.
    """
    copy = program.clone()
    if len(shapes) != len(copy.feeds):
        raise ProgramError(f"expected a shape for each of {len(copy.feeds)} feeds, got {len(shapes)}")
    for i, (feed, shape) in enumerate(zip(copy.feeds, shapes, strict=True)):
        if shape is None:
            continue
        spec = feed.spec.with_shape(shape) if isinstance(feed.spec, TensorSpec) else None
        if spec is None or not feed.spec.accepts(spec):
            raise ShapeError(f"feed {feed.name or i} is {feed.spec}, it can't have the shape {list(shape)}")
        feed.spec = spec
    try:
        _infer(copy.block, {}, True)
    except Exception as error:
        failed = error.__dict__.pop("__failed__", None)
        if failed in copy.block.ops:  # not an operator of a branch
            copy.block.ops = copy.block.ops[: copy.block.ops.index(failed)]
            copy.block.results, copy.state, copy.output_names = [], [], None
            error.__completed__ = optimize(copy)  # type: ignore[attr-defined]
        raise
    return copy


def _failed(error: Exception, op: Op) -> Exception:
    error.__user_site__ = op.site  # type: ignore[attr-defined]  # for the traceback
    error.__failed__ = op  # type: ignore[attr-defined]
    return error


class _Impossible(Exception):
    """An operation can't take the shapes that reach it."""


def _infer(block: Block, specs: Known, strict: bool) -> None:
    """Infer the specs of a block in order.

    ``specs``: the known values, which is extended. ``strict``: an op that refuses the shapes is an error; otherwise the block may
    never run, and `_Impossible` is raised.
    """
    for op in block.ops:
        if op.name == "constant":
            specs[op.out] = op.attrs["value"]
        elif op.name == "cond":
            _cond(op, specs)
        elif op.name == "while_loop":
            _loop(op, specs)
        else:
            _fill_dims(op, specs)
            _infer_op(op, strict)
            values = evaluate(op, specs, fold.SMALL)
            if values is not None:
                specs.update(zip(op.outputs, values, strict=True))
                for var, value in zip(op.outputs, values, strict=True):
                    var.spec = var.spec.with_shape(value.shape)  # type: ignore[union-attr]


def _infer_op(op: Op, strict: bool) -> None:
    specs = tuple(None if v is None else [u.spec for u in v] if isinstance(v, tuple) else v.spec for v in op.inputs)
    try:
        specs_out = op.opdef.infer_specs(specs, op.attrs)
    except ToStaticError as error:
        if not strict:
            raise _Impossible from None
        text = source_location.of_operator(op.name, error)
        located_error = ShapeError(f"{text}\n{source_location.describe(op.site)}" if op.site is not None else text)
        raise _failed(located_error, op) from None
    except (IndexError, TypeError, ValueError) as error:  # an error that Python would raise, such as x[0] of no rows
        if not strict:
            raise _Impossible from None
        raise _failed(error, op)  # noqa: B904  (it is the same error)
    for var, spec in zip(op.outputs, specs_out, strict=True):
        var.spec = spec


def _fill_dims(op: Op, specs: Known) -> None:
    """Replace dimensions that are given as tensors by numbers, if the tensors are known."""
    slot = next((i for i, s in enumerate(op.opdef.inputs) if s.name in ("Dims", "SizeTensor")), None)
    if slot is None or not op.inputs[slot]:
        return
    tensors: tuple[Var, ...] = op.inputs[slot]  # type: ignore[assignment]
    tensors_left, tensor_dims = [], iter(tensors)

    def filled(dim: int) -> int:
        if dim != HOLE:
            return dim
        tensor = next(tensor_dims)
        value = specs.get(tensor)
        if value is None or int(value.item()) < 0:
            tensors_left.append(tensor)
            return dim
        return int(value.item())

    dims = {}
    for name in (n for n in _DIMS if n in op.attrs):
        value = op.attrs[name]
        dims[name] = filled(value) if isinstance(value, int) else type(value)(map(filled, value))
    op.inputs = (*op.inputs[:slot], tuple(tensors_left), *op.inputs[slot + 1 :])
    op.attrs = {**op.attrs, **dims}


_DIMS = ("shape", "repeats", "out_d", "out_h", "out_w")  # attributes that hold dimensions, in the order of their tensors


class _LoopState:
    """The state of blocks and their nested blocks: `restore` undoes what `_infer` and `_fill_dims` have written."""

    def __init__(self, *blocks: Block) -> None:
        every = [*blocks, *(inner for block in blocks for op in block.walk() for inner in op.blocks)]
        self.ops = [(op, op.inputs, op.attrs) for block in every for op in block.ops]
        self.specs = [(v, v.spec) for block in every for v in block.args]
        self.specs += [(v, v.spec) for op, _, _ in self.ops for v in op.outputs]

    def restore(self) -> None:
        """Restore inputs, attributes and specs."""
        for op, inputs, attrs in self.ops:
            op.inputs, op.attrs = inputs, attrs
        for var, spec in self.specs:
            var.spec = spec


def _enter(block: Block, specs: list[Any], values: list[Any]) -> None:
    inner = {a: v for a, v in zip(block.args, values, strict=True) if v is not None}
    state_before = _LoopState(block)
    for arg, spec in zip(block.args, specs, strict=True):
        arg.spec = spec
    try:
        _infer(block, inner, False)
    except _Impossible:  # with these shapes the block never runs, so it is not changed
        state_before.restore()


def _cond(op: Op, specs: Known) -> None:
    operands = op.inputs[1]
    for block in op.blocks:
        _enter(block, [v.spec for v in operands], [specs.get(v) for v in operands])
    for var, a, b in zip(op.outputs, *(block.results for block in op.blocks), strict=True):
        var.spec = _joined(a.spec, b.spec, op)


def _loop(op: Op, outer: Known) -> None:
    operands, count = op.inputs[0], op.attrs["carried"]
    specs = [v.spec for v in operands]
    values = [None] * count + [outer.get(v) for v in operands[count:]]
    test, body = op.blocks
    state_before = _LoopState(test, body)
    while True:
        _enter(test, specs, values)
        _enter(body, specs, values)
        widened = [_joined(s, v.spec, op) for s, v in zip(specs, body.results, strict=False)]
        if widened == specs[:count]:
            break
        specs[:count] = widened  # ends: a dimension can only become unknown
        state_before.restore()  # dimensions that are known in this round may change in a later iteration
    for var, spec in zip(op.outputs, specs, strict=False):
        var.spec = spec


def _joined(a: Any, b: Any, op: Op) -> Any:
    joined = join(a, b)
    if joined is None:
        raise ShapeError(f"{op.name}: a value is {a} on one way and {b} on the other: ranks and dtypes must agree")
    return joined


