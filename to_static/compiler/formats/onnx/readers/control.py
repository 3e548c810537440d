"""Reads If, Loop and Scan as `cond` and `while_loop`."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.formats.onnx.graph_reader import GraphScope
from to_static.compiler.formats.onnx.node_view import NodeView, constant, reads
from to_static.compiler.ir.spec import UNKNOWN, ListSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.core.errors import ShapeError

_UNROLLED = 64  # turns of a loop whose variables change their shapes


@reads("If")
def _(n: NodeView) -> Any:
    branches = [n.graph("then_branch"), n.graph("else_branch")]
    decided = n.const(0)
    if decided is not None:
        return _graph(n, branches[0 if bool(decided.reshape(-1)[0]) else 1], [])
    flag = F.cast(F.reshape(n.x(), []), "bool")
    return n.reader.builder.cond(flag, lambda: _graph(n, branches[0], []), lambda: _graph(n, branches[1], []))


def _graph(n: NodeView, graph: Any, values: list[Any]) -> list[Any]:
    """The results of a graph inside, whose inputs have these values."""
    scope = GraphScope(n.reader, n.scope, n.scope.attrs)
    for value, actual in zip(graph.input, values, strict=False):
        scope.names[value.name] = actual
    return n.reader.run(scope, graph)


@reads("Loop")
def _(n: NodeView) -> Any:
    body = n.graph("body")
    carried = [_holding(n, formal, n.value(i)) for i, formal in zip(range(2, len(n.names)), body.input[2:], strict=False)]
    scanned = len(body.output) - 1 - len(carried)
    if scanned < 0:
        n.refuse("a body with a result for each variable", f"{len(body.output)} results")
    trip_count, first_flag = n.const(0), n.const(1) if n.has(1) else np.asarray(True)
    iterations = None if trip_count is None else int(trip_count.reshape(-1)[0])
    unrollable = iterations is not None and iterations <= _UNROLLED and first_flag is not None
    if unrollable and scanned == 0 and iterations is not None and iterations <= 4:
        results = _unrolled(n, body, iterations, bool(np.asarray(first_flag).reshape(-1)[0]), carried, scanned)
        if results is not None:
            return results
    try:
        return _while(n, body, carried, scanned)
    except ShapeError:
        if not unrollable or iterations is None:
            raise
    results = _unrolled(n, body, iterations, bool(np.asarray(first_flag).reshape(-1)[0]), carried, scanned)
    if results is None:
        n.refuse("a loop whose variables keep their number of dimensions", "one that changes it")
    return results


def _holding(n: NodeView, formal: Any, value: Any) -> Any:
    """A variable of a loop; an empty list is one of such elements as the loop says that it has, where it says so."""
    spec = getattr(value, "spec", None)
    declared = n.reader.spec(formal) if isinstance(spec, ListSpec) and spec.element is None else None
    if not isinstance(declared, ListSpec) or declared.element is None:
        return value
    sizes = [0 if size == UNKNOWN else size for size in declared.element.shape]
    element = constant(np.zeros(sizes, declared.element.dtype.np))
    return F.list_pop(F.list_new([element]), constant(np.asarray(0)))[0]


def _unrolled(n: NodeView, body: Any, iterations: int, goes_on: bool, carried: list[Any], scanned: int) -> list[Any] | None:
    """All turns one after the other; None where only a run knows how many there are."""
    rows: list[list[Any]] = [[] for _ in range(scanned)]
    for iteration in range(iterations):
        if not goes_on:
            break
        i = n.reader.noted(np.asarray(iteration))
        flag, *results = _graph(n, body, [i, n.reader.noted(np.asarray(True)), *carried])
        carried = results[: len(carried)]
        for row, value in zip(rows, results[len(carried) :], strict=True):
            row.append(value)
        constant_flag = n.reader.constants.get(flag.ssa)
        if constant_flag is None:
            return None
        goes_on = bool(constant_flag.reshape(-1)[0])
    if any(not row for row in rows):
        return None
    return [*carried, *(F.stack(row, 0) for row in rows)]


def _while(n: NodeView, body: Any, carried: list[Any], scanned: int) -> list[Any]:
    trip_count = n.optional(0)
    start = F.cast(F.reshape(n.x(1), []), "bool") if n.has(1) else constant(np.asarray(True))
    lists = [F.list_new([]) for _ in range(scanned)]
    limit = None if trip_count is None else F.cast(F.reshape(trip_count, []), "int64")

    def goes_on(i: Tensor, flag: Tensor, *state: Any) -> Any:
        return flag if limit is None else F.logical_and(flag, i < limit)

    def iteration(i: Tensor, flag: Tensor, *carried_values: Any) -> list[Any]:
        goes_on_value, *results = _graph(n, body, [i, flag, *carried_values[: len(carried)]])
        grown = [
            F.list_append(items, value)
            for items, value in zip(carried_values[len(carried) :], results[len(carried) :], strict=True)
        ]
        return [i + 1, F.cast(F.reshape(goes_on_value, []), "bool"), *results[: len(carried)], *grown]

    results = n.reader.builder.while_loop(goes_on, iteration, [constant(np.asarray(0)), start, *carried, *lists])
    return [*results[2 : 2 + len(carried)], *(F.list_stack(items, 0) for items in results[2 + len(carried) :])]


@reads("Scan")
def _(n: NodeView) -> Any:
    body, count = n.graph("body"), n.integer("num_scan_inputs", 1)
    values = [n.value(i) for i in range(len(n.names))]
    if n.opset < 9:
        return _old_scan(n, body, count, values[1:])
    return _scan(n, body, count, values)


def _scan(n: NodeView, body: Any, count: int, values: list[Any]) -> list[Any]:
    states, lines = values[: len(values) - count], values[len(values) - count :]
    axes = [a % x.ndim for a, x in zip(n.ints("scan_input_axes", [0] * count), lines, strict=True)]
    backwards = n.ints("scan_input_directions", [0] * count)
    fresh = len(body.output) - len(states)
    out_axes, out_backwards = n.ints("scan_output_axes", [0] * fresh), n.ints("scan_output_directions", [0] * fresh)
    size = lines[0].spec.shape[axes[0]]
    length = constant(np.asarray(size)) if size != UNKNOWN else F.dim_size(lines[0], axes[0])
    lists = [F.list_new([]) for _ in range(fresh)]

    def iteration(i: Tensor, *state_values: Any) -> list[Any]:
        rows = []
        for x, axis, back in zip(lines, axes, backwards, strict=True):
            at = length - 1 - i if back else i
            rows.append(F.squeeze(F.index_select(x, F.reshape(at, [1]), axis), axis))
        results = _graph(n, body, [*state_values[: len(states)], *rows])
        grown = [F.list_append(items, v) for items, v in zip(state_values[len(states) :], results[len(states) :], strict=True)]
        return [i + 1, *results[: len(states)], *grown]

    results = n.reader.builder.while_loop(lambda i, *state: i < length, iteration, [constant(np.asarray(0)), *states, *lists])
    stacked = []
    for items, axis, back in zip(results[1 + len(states) :], out_axes, out_backwards, strict=True):
        value = F.list_stack(items, 0)
        axis = axis % value.ndim
        value = F.flip(value, [0]) if back else value
        stacked.append(F.moveaxis(value, 0, axis) if axis else value)
    return [*results[1 : 1 + len(states)], *stacked]


def _old_scan(n: NodeView, body: Any, count: int, values: list[Any]) -> list[Any]:
    """Opset 8: the first dimension is that of the batch."""
    batch = values[0].spec.shape[0]
    if batch == UNKNOWN or n.has(0):
        n.refuse("a batch of known size", "an unknown one, or lengths")
    rows = [_scan(n, body, count, [value[b] for value in values]) for b in range(batch)]
    return [F.stack(list(column), 0) for column in zip(*rows, strict=True)]
