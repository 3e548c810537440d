"""Operators on graphs: maxima and minima of segments, renumbering of neighbours, and sampling of neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, op
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.random.random import generator
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import int32, int64
from to_static.core.errors import DTypeError, ShapeError
from to_static.core.native_index import native

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileWriter


def _integers(name: str, **specs: TensorSpec) -> None:
    for what, spec in specs.items():
        if not spec.dtype.is_integer:
            raise DTypeError(f"{name}: {what} must be integers, got {spec.dtype.name}")
        if spec.ndim != 1:
            raise ShapeError(f"{name}: {what} must have one dimension, got {show(spec.shape)}")


@op("segment_extreme(X, Ids, Rows -> Out) largest", file=None, traits="dynamic may_raise check_shapes")
def segment_extreme(x: Tensor, ids: Tensor, rows: Tensor, largest: bool = True) -> Tensor:
    """Reduce the rows of ``x`` by id with max or min: row i is that of the rows with id i, or 0 if no row has it."""
    return segment_extreme.emit(x, ids, rows, largest=bool(largest))


@segment_extreme.infer
def _(x: TensorSpec, ids: TensorSpec, rows: TensorSpec, largest: bool) -> TensorSpec:
    _integers("segment", ids=ids)
    if x.dtype.kind not in "fiu":
        raise DTypeError(f"segment: the rows must be numbers that compare, got {x.dtype.name}")
    if x.ndim < 1 or (UNKNOWN not in (x.shape[0], ids.shape[0]) and x.shape[0] != ids.shape[0]):
        raise ShapeError(f"segment: expected an id for each row, got {show(ids.shape)} for {show(x.shape)}")
    return x.with_shape((UNKNOWN, *x.shape[1:]))


@segment_extreme.kernel
def _(xp: ArrayModule, x: Array, ids: Array, rows: Array, largest: bool) -> Array:
    count = int(rows)
    if ids.size and not 0 <= int(ids.min()) <= int(ids.max()) < count:
        raise ShapeError(f"segment: ids must be in [0, {count}), got {int(ids.min())} to {int(ids.max())}")
    info = np.finfo(x.dtype) if x.dtype.kind == "f" else np.iinfo(x.dtype)
    reduced = xp.full((count, *x.shape[1:]), info.min if largest else info.max, x.dtype)
    (xp.maximum if largest else xp.minimum).at(reduced, ids, x)
    filled = xp.zeros(count, bool)
    filled[ids] = True
    return xp.where(filled.reshape([-1] + [1] * (x.ndim - 1)), reduced, xp.zeros((), x.dtype))


@segment_extreme.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    x, ids, _ = ctx.inputs
    gather = F.gather
    return (x == gather(ctx.out, ids)).astype(x.dtype) * gather(g, ids), None, None


@segment_extreme.to_file
def _(w: FileWriter, op: Op) -> None:
    """Each row is sent along an edge of its own."""
    x, ids, rows = op.inputs
    if x.spec.dtype.name not in ("float16", "float32", "float64", "int32", "int64"):
        w.refuse(f"Paddle's operator has no {x.spec.dtype.name}")
    id_dtype = ids.spec.dtype
    end = w.cast(w.size(x, 0), TensorSpec((1,), int64), id_dtype)
    edges = w.temp(TensorSpec((x.spec.shape[0],), id_dtype))
    first, step = (w.constant(np.asarray([bound], id_dtype.np)) for bound in (0, 1))
    w.write("range", {"Start": first, "End": end, "Step": step}, {"Out": edges}, {})
    slots = {"X": x, "Src_index": edges, "Dst_index": ids, "Out_size": rows}
    attrs = {"reduce_op": ("str", "MAX" if op.attrs["largest"] else "MIN"), "out_size": ("longs", [0])}
    w.write("graph_send_recv", slots, {"Out": op.out, "Dst_count": w.unused(int32)}, attrs)


_X = np.random.default_rng(0).normal(size=(4, 2)).astype("float32")
segment_extreme.samples(
    lambda: [
        Sample(_X, np.asarray([0, 0, 2, 2]), np.asarray(3), largest=True),
        Sample(_X, np.asarray([3, 1, 1, 0]), np.asarray(5), largest=False),
    ]
)


@op(
    "graph_reindex(X, Neighbors, Count -> Reindex_Src, Reindex_Dst, Out_Nodes)",
    file=None,
    traits="nodiff dynamic may_raise",
)
def graph_reindex(x: Tensor, neighbors: Any, count: Any) -> Any:
    """The edges of a part of a graph with nodes numbered from 0; see `geometric.reindex_graph`."""
    return graph_reindex.emit(x, neighbors, count)


@graph_reindex.infer
def _(x: TensorSpec, neighbors: TensorSpec, count: TensorSpec) -> tuple[TensorSpec, ...]:
    _integers("reindex_graph", x=x, neighbors=neighbors, count=count)
    return neighbors, neighbors, neighbors.with_shape((UNKNOWN,))


@graph_reindex.kernel
def _(xp: ArrayModule, x: Array, neighbors: Array, count: Array) -> tuple[Array, ...]:
    nodes = xp.concatenate([x, neighbors])
    if int(count.sum()) != neighbors.shape[0] or count.shape[0] % max(x.shape[0], 1):
        raise ShapeError(
            f"reindex_graph: count must tell the neighbors of each node, {neighbors.shape[0]} in all, got {int(count.sum())}"
        )
    distinct, first, position = xp.unique(nodes, return_index=True, return_inverse=True)
    order = xp.argsort(first)  # as they come
    new_index = xp.empty_like(order)
    new_index[order] = xp.arange(order.shape[0])
    targets = xp.arange(count.shape[0]) % max(x.shape[0], 1)
    source = new_index[position.reshape(-1)[x.shape[0] :]].astype(neighbors.dtype)
    return source, xp.repeat(targets, native(count.astype(np.int64))).astype(neighbors.dtype), distinct[order]


graph_reindex.samples(
    lambda: [Sample(np.asarray([0, 1, 2]), np.asarray([8, 9, 0, 4, 7, 6, 7]), np.asarray([2, 3, 2], np.int32))]
)


@op(
    "graph_sample_neighbors(Row, Col_Ptr, X, Weights? -> Places, Out_Count) sample_size:int",
    file=None,
    traits="random nodiff dynamic may_raise",
)
def graph_sample_neighbors(row: Any, colptr: Any, nodes: Any, weights: Any, sample_size: int = -1) -> Any:
    """Positions in ``row`` of the drawn neighbours of each node, and their number; see `geometric.sample_neighbors`."""
    return graph_sample_neighbors.emit(row, colptr, nodes, weights, sample_size=int(sample_size))


@graph_sample_neighbors.infer
def _(row: TensorSpec, colptr: TensorSpec, nodes: TensorSpec, weights: Any, sample_size: int) -> tuple[TensorSpec, ...]:
    _integers("sample_neighbors", row=row, colptr=colptr, nodes=nodes)
    return row.with_shape((UNKNOWN,)).with_dtype(int64), nodes.with_dtype(int32)


@graph_sample_neighbors.kernel
def _(xp: ArrayModule, row: Array, colptr: Array, nodes: Array, weights: Any, sample_size: int) -> tuple[Array, ...]:
    if nodes.size and not 0 <= int(nodes.min()) <= int(nodes.max()) < colptr.shape[0] - 1:
        raise ShapeError(f"sample_neighbors: nodes must be in [0, {colptr.shape[0] - 1}), got up to {int(nodes.max())}")
    positions = [xp.zeros(0, np.int64)]
    for node in nodes:
        neighbours = xp.arange(int(colptr[node]), int(colptr[node + 1]))
        if 0 <= sample_size < neighbours.shape[0]:
            # The smallest of these keys are a draw without replacement (Efraimidis and Spirakis, 2006).
            keys = -xp.log1p(-generator(xp).uniform((neighbours.shape[0],)))
            keys = keys if weights is None else keys / xp.maximum(weights[neighbours], 1e-30)
            neighbours = neighbours[xp.argsort(keys)[:sample_size]]
        positions.append(neighbours)
    counts = xp.asarray([p.shape[0] for p in positions[1:]], np.int32)
    return xp.concatenate(positions), counts


graph_sample_neighbors.samples(
    lambda: [
        Sample(np.asarray([3, 7, 0, 9, 1]), np.asarray([0, 2, 4, 5]), np.asarray([0, 2]), None, sample_size=-1),
    ]
)
