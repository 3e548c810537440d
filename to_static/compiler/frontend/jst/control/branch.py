"""``if_``: a Python ``if`` if the condition is a Python value, otherwise a ``cond`` op."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from to_static.compiler.frontend.jst.control.block import AlwaysRaises, TracedBody, current_values
from to_static.compiler.frontend.jst.control.merge_writes import as_value, detached, unify_target, write_merged
from to_static.compiler.frontend.jst.control.raising import BlockRaisesError
from to_static.compiler.frontend.jst.control.variable_names import receivers
from to_static.compiler.frontend.jst.protocol import ConstantSpec, NotJoinable, ValueSpec, differ, unify, value_spec_of
from to_static.compiler.frontend.jst.tracer_queries import filler, is_traced
from to_static.compiler.frontend.jst.values.container import (
    Container,
    can_be_shared,
    follow,
    is_container,
    keys_of,
    mark_ambiguous,
    mark_shared_ambiguous,
    parts_of,
)
from to_static.compiler.frontend.jst.values.number import protocol_truth
from to_static.compiler.frontend.jst.values.undefined import MaybeUndefined
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.side_effects import reachable
from to_static.compiler.frontend.tracing.trace_context import current
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.block_scope import BlockScope
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.tensor import Tensor
from to_static.core.diagnostics.source_expressions import at_expression
from to_static.core.errors import ShapeError


def if_(test: object, true: Callable[..., Any] | None, false: Callable[..., Any] | None, *args: object) -> Any:
    """Return the result of ``true(*args)`` or ``false(*args)``; a branch that is None returns ``args``.

    If ``test`` is traced, both branches are traced into a ``cond``, and their results and writes are merged (see `protocol`).
    A value that cannot be merged breaks the graph; the error names the variable.
    """
    pred = protocol_truth(test)
    if not is_traced(pred):
        return _call(true if pred else false, args)
    return _branch(pred, true, false, args)


def _call(branch: Callable[..., Any] | None, args: tuple[Any, ...]) -> Any:
    if branch is not None:
        return branch(*args)
    return args if len(args) > 1 else args[0] if args else None


def _branch(pred: Tensor, true: Callable[..., Any] | None, false: Callable[..., Any] | None, args: tuple[Any, ...]) -> Any:
    builder = mode.current()
    bodies = [TracedBody(lambda branch=branch: _call(branch, args), args) for branch in (true, false)]
    traced = [builder.trace_block(body) for body in bodies]
    a, b = (t.value for t in traced)
    if type(a) is AlwaysRaises and type(b) is AlwaysRaises:
        builder.emit_cond(pred, *traced, [], [])
        raise BlockRaisesError(a.error)
    open_sides = [side for side, value in enumerate((a, b)) if type(value) is not AlwaysRaises]
    copied: list[Any] = []
    if len(open_sides) == 2:
        a, b = detached(a, b, bodies[0].written, bodies[1].written, copied)
    merge = _Merge(builder, traced, open_sides, functools.cache(lambda: reachable((true, false, args))))
    result = merge.add(_result_spec(a, b, open_sides, traced, true or false), a, b)
    merged_targets = []
    for key in dict.fromkeys([*bodies[0].written, *bodies[1].written]):
        target = next(body.written[key][0] for body in bodies if key in body.written)
        value_before = as_value(target, target.read())
        states = [as_value(target, body.written[key][1]) if key in body.written else value_before for body in bodies]
        if len(open_sides) == 2:
            states = list(detached(states[0], states[1], bodies[0].written, bodies[1].written, copied))
            spec = unify_target(target, ConstantSpec(states[0]), *states)
        else:
            spec = _one_sided_spec(states[open_sides[0]], traced[open_sides[0]].frame)
        merged_targets.append((target, merge.add(spec, *states)))
    merge.emit(pred)
    for target, index in merged_targets:
        write_merged(target, merge.values[index])
    current().effects.mark_ambiguous(*copied)  # is it the copy, or no part of what is left? A tensor decides
    merged = merge.value(result)
    if len(open_sides) == 2 and type(a) is tuple and type(b) is tuple and type(merged) is tuple and len(a) == len(b) == len(merged):
        mark_shared_ambiguous(a, b, merged)
        _mark_captured(a, b, merged)
    if current().catching:
        for value in (a, b):
            _mark_copies(value, merged)
    return merged


def _mark_captured(a: tuple[Any, ...], b: tuple[Any, ...], merged: tuple[Any, ...]) -> None:
    """Mark objects that a branch returns and that a function it returns also captures.

    The merge replaced the returned object by a copy, but the function still refers to the original. So a later write would reach
    only one of the two: from now on writing to either breaks the graph.
    """
    functions = [x for x in (*a, *b) if isinstance(x, types.FunctionType) and x.__closure__]
    if functions:
        visible = reachable(functions)
        for x, y, m in zip(a, b, merged, strict=True):
            if any(value is not m and can_be_shared(value) and id(value) in visible for value in (x, y)):
                current().effects.mark_ambiguous(x, y, m)


def _mark_copies(value: object, merged: object) -> None:
    """Mark lists and dicts that the merge replaced by copies: an enclosing `finally` may still write to the originals."""
    merged = merged.value if type(merged) is MaybeUndefined else merged
    if isinstance(value, tuple) and isinstance(merged, tuple) and len(value) == len(merged):
        for pair in zip(value, merged, strict=True):
            _mark_copies(*pair)
    elif merged is not value and isinstance(value, (list, dict)):
        current().effects.mark_ambiguous(value, merged)


def _result_spec(a: object, b: object, sides: list[int], traced: list[Any], branch: object) -> ValueSpec:
    if len(sides) == 1:
        return _one_sided_spec((a, b)[sides[0]], traced[sides[0]].frame)
    if type(a) is tuple and type(b) is tuple and len(a) == len(b) and len(a) > 1:
        return Container(tuple, None, [_joined_spec(*pair, branch, i, len(a)) for i, pair in enumerate(zip(a, b, strict=True))])
    return _joined_spec(a, b, branch, 0, 1)


def _joined_spec(a: object, b: object, branch: object, index: int, count: int) -> ValueSpec:
    try:
        return unify(ConstantSpec(a), a, b)
    except NotJoinable as found:
        raise differ(
            receivers(branch, count)[index], found, "in the other", f"in one branch of a tensor condition{at_expression()}"
        ) from None


def _one_sided_spec(value: object, frame: BlockScope) -> ValueSpec:
    """Return the spec of the value of one block if the other block always raises. Values from outside the block are constants."""
    if isinstance(value, Tensor) and getattr(value, "frame", None) is not frame:
        return ConstantSpec(value)
    parts = parts_of(value) if is_container(value) else None
    if not isinstance(parts, list):  # no container, or a list of the Program
        return value_spec_of(value)
    specs = [_one_sided_spec(part, frame) for part in parts]
    all_constant = all(isinstance(spec, ConstantSpec) for spec in specs)
    return ConstantSpec(value) if all_constant else Container(type(value), keys_of(value), specs)


class _Merge:
    """Merges the values that two blocks leave: flattens them into the results of one ``cond``.

    ``open_sides``: the indices of the blocks that do not always raise. ``visible``: returns the objects that both blocks can reach.
    """

    def __init__(self, builder: Builder, traced: list[Any], open_sides: list[int], visible: Callable[[], Any]) -> None:
        self.builder = builder
        self.visible = visible
        self.traced = traced
        self.open_sides = open_sides
        self.entries: list[tuple[ValueSpec, Any, Any]] = []
        self.results: list[list[Any]] = [[], []]  # of both blocks
        self.values: list[Any] = []

    def add(self, spec: ValueSpec, a: Any, b: Any) -> int:
        """Add a value with its spec; return its index for `value`."""
        self.entries.append((spec, a, b))
        for side, value in enumerate((a, b)):
            with self.builder.resume(self.traced[side]):
                if side in self.open_sides:
                    self.results[side] += spec.flatten(value)
                else:
                    self.results[side] += map(filler, spec.tensor_specs())
        return len(self.entries) - 1

    def emit(self, pred: Tensor) -> None:
        """Emit the ``cond`` and put the values together again. Raises a graph break if shapes or dtypes do not fit."""
        try:
            results = iter(self.builder.emit_cond(pred, *self.traced, *self.results))
        except ShapeError as error:
            raise broken(
                f"the two branches of a tensor condition{at_expression()} leave different values: {str(error).splitlines()[0]}",
                "bring both to one dtype and shape: `a.astype('float32')`, `a.reshape([-1])`",
            ) from None
        for spec, a, b in self.entries:
            merged = spec.unflatten(results)
            if len(self.open_sides) == 2:
                mark_ambiguous(a, b, merged, self.visible)
            else:
                follow((a, b)[self.open_sides[0]], merged)
            self.values.append(merged)

    def value(self, index: int) -> Any:
        """Return the merged value with this index, after later writes to it."""
        value = self.values[index]
        return current_values(value) if type(value) is tuple else current_values((value,))[0]
