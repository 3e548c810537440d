"""Conditional random fields over sequences: the best path of tags, and the likelihood of a given path.

Transitions are [tags + 2, tags]: the weights of starting with a tag, of ending with it, and of going from one tag to another.
Source: Lafferty, McCallum and Pereira, "Conditional Random Fields" (2001).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Sample, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.sequence import offsets as lod
from to_static.compiler.ops.sequence.sequences import gather_rows, rows_by, summed_by
from to_static.core.array_types import Array, ArrayModule
from to_static.core.backend import backend_of
from to_static.core.dtypes import int64
from to_static.core.errors import ShapeError


@op("crf_path(Emission, Transition, Lengths -> Path)", file=None, traits="nodiff check_shapes")
def crf_path(emission: Tensor, transition: Tensor, lengths: Tensor) -> Any:
    """The best tags, int64 [N, T], of padded sequences: ``emission`` [N, T, tags], ``lengths`` int64 [N]. 0 stands for padding."""
    return crf_path.emit(emission, transition, lengths)


@crf_path.infer
def _(emission: TensorSpec, transition: TensorSpec, lengths: TensorSpec) -> TensorSpec:
    if emission.ndim != 3 or transition.ndim != 2 or lengths.ndim != 1:
        raise ShapeError(f"crf_path takes [N, T, tags], [tags + 2, tags] and [N], got {emission}, {transition}, {lengths}")
    tags = emission.shape[2]
    if tags >= 0 and transition.shape not in ((tags + 2, tags), (-1, tags)):
        raise ShapeError(f"crf_path: transitions of {tags} tags are [{tags + 2}, {tags}], got {transition}")
    return TensorSpec(emission.shape[:2], int64)


@crf_path.kernel
def _(xp: ArrayModule, emission: Array, transition: Array, lengths: Array) -> Array:
    scores, weights, ends = (backend_of(x).to_numpy(x) for x in (emission, transition, lengths))
    count, longest, tags = scores.shape
    path = np.zeros((count, longest), np.int64)
    if not count or not longest:
        return xp.asarray(path)
    if (ends > longest).any() or (ends < 0).any():
        raise ShapeError(f"crf_path: lengths {ends.tolist()} of sequences of {longest} steps")
    start, end, between = weights[0], weights[1], weights[2:]
    best = np.zeros((longest, count, tags), np.int64)
    reached = start + scores[:, 0]
    for step in range(1, longest):
        ways = reached[:, :, None] + between
        best[step] = ways.argmax(1)
        reached = np.where((step < ends)[:, None], ways.max(1) + scores[:, step], reached)
    now = (reached + end).argmax(1)
    rows = np.arange(count)
    for step in range(longest - 1, -1, -1):
        inside = step < ends
        path[inside, step] = now[inside]
        now = np.where(inside, best[step, rows, now], now)
    return xp.asarray(path)


crf_path.samples(
    lambda: [Sample(np.ones((2, 3, 2), "float32"), np.arange(8, dtype="float32").reshape(4, 2), np.asarray([3, 1]))]
)


def crf_decoding(emission: Tensor, transition: Tensor, label: Tensor | None = None, lengths: Tensor | None = None) -> Any:
    """The best tags, int64; with ``label`` 1 where they are these.

    ``emission``: [rows, tags] with offsets (result [rows, 1]), or padded [N, T, tags] with ``lengths`` [N] (result [N, T]).
    """
    if lengths is not None:
        path = crf_path(emission, transition, lengths.reshape([-1]).astype("int64"))
        if label is not None:
            path = (path == label.reshape(path.shape)).astype("int64")
        return path
    offsets = lod.offsets_of(emission, "crf_decoding")
    rows, _ = rows_by("pad", [offsets], -1)
    counts, _ = rows_by("lengths", [offsets])
    padded = gather_rows(emission, rows.reshape([-1])).reshape([F.shape(rows)[0], F.shape(rows)[1], emission.spec.shape[-1]])
    back, _ = rows_by("unpadded", [offsets, F.shape(rows)[1:2].astype("int64")])
    path = F.gather(crf_path(padded, transition, counts).reshape([-1, 1]), back, 0)
    if label is not None:
        path = (path == label.reshape([-1, 1])).astype("int64")
    return lod.give(path, offsets, lod.level_of(emission))


def linear_chain_crf(emission: Tensor, transition: Tensor, label: Tensor, lengths: Tensor | None = None) -> Any:
    """The negative logarithm of the likelihood of the tags ``label``, [sequences, 1].

    ``emission``: [rows, tags] with offsets, ``label`` [rows, 1]; or padded [N, T, tags] with ``lengths`` [N], ``label`` [N, T].
    """
    tags = emission.spec.shape[-1]
    if lengths is not None:
        ends = lengths.reshape([-1]).astype("int64")
        back, offsets = rows_by("unpad", [ends, F.shape(emission)[1:2].astype("int64")])
        emission = F.gather(emission.reshape([-1, tags]), back, 0)
        label = F.gather(label.reshape([-1, 1]), back, 0)
    else:
        offsets = lod.offsets_of(emission, "linear_chain_crf")
    ids, _ = rows_by("ids", [offsets])
    counts, _ = rows_by("lengths", [offsets])
    label = label.reshape([-1, 1]).astype("int64")
    start, end, between = transition[0], transition[1], transition[2:]
    # the score of the tags
    chosen = F.take_along_axis(emission, label, 1).reshape([-1])
    previous_rows, _ = rows_by("windows", [offsets], -1, 1)
    last = gather_rows(label, previous_rows.reshape([-1]))
    follows = (previous_rows.reshape([-1]) < F.shape(emission)[0].astype("int64")).astype(emission.dtype)
    chosen = chosen + F.gather_nd(between, F.concat([last, label], 1)) * follows
    firsts, _ = rows_by("first", [offsets])
    lasts, _ = rows_by("last", [offsets])
    edges = F.gather(start, F.gather(label, firsts, 0).reshape([-1]), 0) + F.gather(end, F.gather(label, lasts, 0).reshape([-1]), 0)
    score = summed_by(chosen, ids, counts) + edges
    # the logarithm of the sum over all tags
    rows, _ = rows_by("pad", [offsets], -1)
    longest = F.shape(rows)[1].astype("int64")
    steps = gather_rows(emission, F.transpose(rows, [1, 0]).reshape([-1])).reshape([F.shape(rows)[1], F.shape(rows)[0], tags])

    def body(t: Any, reached: Any) -> list[Any]:
        new = F.logsumexp(reached.unsqueeze(-1) + between, 1) + F.index(steps, [t], axes=(0,))
        inside = (t < counts).unsqueeze(-1).astype(emission.dtype)
        return [t + 1, new * inside + reached * (1 - inside)]

    first = F.index(steps, [F.full([], 0, "int64")], axes=(0,)) + start
    _, reached = emission.builder.while_loop(lambda t, _: t < longest, body, [F.full([], 1, "int64"), first])
    return lod.without((F.logsumexp(reached + end, 1) - score).reshape([-1, 1]))


