"""Reads sequences of tensors as lists of the Program."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.formats.onnx.graph_reader import GraphScope
from to_static.compiler.formats.onnx.node_view import NodeView, constant, reads
from to_static.compiler.ir.spec import UNKNOWN, ListSpec
from to_static.compiler.ops import dynamic_sizes
from to_static.compiler.ops import functions as F


@reads("SequenceEmpty", "SequenceConstruct")
def _(n: NodeView) -> Any:
    return F.list_new(n.all())


def _length(n: NodeView) -> Any:
    return F.list_len(n.value(0))


@reads("SequenceLength")
def _(n: NodeView) -> Any:
    return _length(n)


@reads("SequenceAt")
def _(n: NodeView) -> Any:
    return F.list_get(n.value(0), F.cast(n.x(1), "int64"))


@reads("SequenceErase")
def _(n: NodeView) -> Any:
    at = F.cast(n.x(1), "int64") if n.has(1) else constant(np.asarray(-1))
    items = n.value(0)
    if items.spec.element is None:  # in a branch for lists that are not empty, before a loop has put anything in
        dynamic_sizes.check(constant(np.asarray(False)), "IndexError", "SequenceErase: the sequence is empty")
        return items
    return F.list_pop(items, at)[0]


@reads("SequenceInsert")
def _(n: NodeView) -> Any:
    x = n.x(1)
    erased = n.scope.erased.get(n.names[0])
    if erased is not None and n.has(2):
        return F.list_set(erased[0], F.cast(n.x(2), "int64"), x)
    items = n.value(0)
    if not n.has(2):
        return F.list_append(items, x)
    at = F.cast(n.x(2), "int64")
    at = F.where(at < 0, at + _length(n), at)
    return F.list_insert(items, at, x)


@reads("ConcatFromSequence")
def _(n: NodeView) -> Any:
    items, axis = n.value(0), n.integer("axis")
    return F.list_stack(items, axis) if n.flag("new_axis") else F.list_concat(items, axis)


@reads("SplitToSequence")
def _(n: NodeView) -> Any:
    x, axis = n.x(0), n.integer("axis", 0) % n.x(0).ndim
    size = x.spec.shape[axis]
    if not n.has(1):
        parts = F.list_unstack(x, axis)
        if not n.flag("keepdims", True):
            return parts
        if size == UNKNOWN:
            n.refuse("a value of known size", str(x.spec))
        return F.list_new(list(F.split(x, [1] * size, axis)) if size > 1 else [x])
    split = n.constant_array(1)
    if size == UNKNOWN:
        n.refuse("a value of known size", str(x.spec))
    if split.ndim:
        sizes = [int(v) for v in split]
    else:
        each = int(split)
        sizes = [min(each, size - i) for i in range(0, size, each)]
    return F.list_new(list(F.split(x, sizes, axis)) if len(sizes) > 1 else [x])


@reads("SequenceMap")
def _(n: NodeView) -> Any:
    body = n.graph("body")
    values = [n.value(i) for i in range(len(n.names))]
    count = _length(n)
    lists = [F.list_new([]) for _ in body.output]

    def iteration(i: Any, *lists: Any) -> list[Any]:
        scope = GraphScope(n.reader, n.scope, n.scope.attrs)
        for formal, value in zip(body.input, values, strict=True):
            scope.names[formal.name] = F.list_get(value, i) if isinstance(value.spec, ListSpec) else value
        results = n.reader.run(scope, body)
        return [i + 1, *(F.list_append(items, value) for items, value in zip(lists, results, strict=True))]

    return n.reader.builder.while_loop(lambda i, *state: i < count, iteration, [constant(np.asarray(0)), *lists])[1:]
