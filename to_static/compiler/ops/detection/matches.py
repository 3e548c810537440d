"""Matching of prior boxes with objects, for the losses of single-shot detectors. The operators have no gradients.

Source: Liu et al., "SSD: Single Shot MultiBox Detector" (2016).
"""

from __future__ import annotations

import numpy as np

from to_static.compiler.ir.opdef import Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks
from to_static.compiler.ops.detection.nms import host
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import int32
from to_static.core.errors import ShapeError


@op(
    "bipartite_match(DistMat, Counts -> ColToRowMatchIndices, ColToRowMatchDist) match_type:str dist_threshold:float",
    file=None,
    traits="nodiff check_shapes",
)
def bipartite_match(matrix: Tensor, counts: Tensor, match_type: str, dist_threshold: float) -> tuple[Tensor, ...]:
    """For each image and column the row that it is matched with (int32 [N, columns], -1: none) and the value there.

    ``matrix``: similarities [rows, columns], the rows of all images one after the other; ``counts``: how many each has, int32 [N].
    The largest value is matched first, and its row and column are used up. With ``match_type`` 'per_prediction' each column
    that is left gets the row of its largest value, where that is at least ``dist_threshold``.
    """
    return bipartite_match.emit(matrix, counts, match_type=match_type, dist_threshold=float(dist_threshold))


@bipartite_match.infer
def _(matrix: TensorSpec, counts: TensorSpec, match_type: str, dist_threshold: float) -> tuple[TensorSpec, ...]:
    dtype_checks.need_float(matrix, "bipartite_match")
    if matrix.ndim != 2 or counts.ndim != 1 or not counts.dtype.is_integer:
        raise ShapeError(f"bipartite_match: expected similarities [rows, columns] and counts [N], got {matrix} and {counts}")
    shape = (counts.shape[0], matrix.shape[1])
    return TensorSpec(shape, int32), matrix.with_shape(shape)


def _matched(part: np.ndarray, per_prediction: bool, bound: float) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = part.shape
    matches, values = np.full(columns, -1, np.int32), np.zeros(columns, part.dtype)
    candidates = part.copy()
    for _ in range(min(rows, columns)):
        row, column = np.unravel_index(candidates.argmax(), candidates.shape) if candidates.size else (0, 0)
        if candidates[row, column] < 1e-6:
            break
        matches[column], values[column] = row, part[row, column]
        candidates[row, :], candidates[:, column] = -1, -1
    if per_prediction and rows:
        best = part.argmax(0)
        largest = part[best, np.arange(columns)]
        more = (matches < 0) & (largest >= bound) & (largest >= 1e-6)
        matches[more], values[more] = best[more], largest[more]
    return matches, values


@bipartite_match.kernel
def _(xp: ArrayModule, matrix: Array, counts: Array, match_type: str, dist_threshold: float) -> tuple[Array, ...]:
    similar, ends = host(matrix), np.cumsum(host(counts))
    parts = np.split(similar, ends[:-1]) if len(ends) else []
    pairs = [_matched(part, match_type == "per_prediction", dist_threshold) for part in parts]
    columns = similar.shape[1]
    rows = np.stack([matches for matches, _ in pairs]) if pairs else np.zeros((0, columns), np.int32)
    values = np.stack([value for _, value in pairs]) if pairs else np.zeros((0, columns), similar.dtype)
    return xp.asarray(rows), xp.asarray(values)


@op(
    "mine_hard_examples(ClsLoss, MatchIndices, MatchDist -> NegIndices, Counts) neg_pos_ratio:float neg_dist_threshold:float",
    file=None,
    traits="dynamic nodiff check_shapes",
)
def mine_hard_examples(
    loss: Tensor, matches: Tensor, distances: Tensor, neg_pos_ratio: float, neg_dist_threshold: float
) -> tuple[Tensor, ...]:
    """Return the unmatched columns with the largest losses (int32 [m, 1], ascending in each image), and the count of each image.

    There are ``neg_pos_ratio`` times as many as matches. A column whose distance is ``neg_dist_threshold`` or more is left out.
    """
    return mine_hard_examples.emit(
        loss, matches, distances, neg_pos_ratio=float(neg_pos_ratio), neg_dist_threshold=float(neg_dist_threshold)
    )


@mine_hard_examples.infer
def _(loss: TensorSpec, matches: TensorSpec, distances: TensorSpec, **attrs: float) -> tuple[TensorSpec, ...]:
    dtype_checks.need_float(loss, "mine_hard_examples")
    dtype_checks.need_float(distances, "mine_hard_examples")
    if not loss.ndim == matches.ndim == distances.ndim == 2 or not matches.dtype.is_integer:
        raise ShapeError(
            f"mine_hard_examples: expected losses, matches and values [N, columns], got {loss}, {matches}, {distances}"
        )
    return TensorSpec((UNKNOWN, 1), int32), TensorSpec(loss.shape[:1], int32)


@mine_hard_examples.kernel
def _(xp: ArrayModule, loss: Array, matches: Array, distances: Array, **attrs: float) -> tuple[Array, ...]:
    parts = []
    for losses, rows, values in zip(host(loss), host(matches), host(distances), strict=True):
        open_columns = np.flatnonzero((rows == -1) & (values < attrs["neg_dist_threshold"]))
        count = min(int((rows != -1).sum() * attrs["neg_pos_ratio"]), len(open_columns))
        largest = open_columns[np.argsort(-losses[open_columns], kind="stable")[:count]]
        parts.append(np.sort(largest))
    chosen = np.concatenate([np.zeros(0, np.int64), *parts])[:, None]
    return xp.asarray(chosen.astype(np.int32)), xp.asarray(np.asarray([len(part) for part in parts], np.int32))


_COUNTS = np.asarray([2, 1], "int32")
bipartite_match.samples(
    lambda: [
        Sample(np.abs(f32(3, 4)), _COUNTS, match_type="bipartite", dist_threshold=0.5),
        Sample(np.abs(f32(3, 4)), _COUNTS, match_type="per_prediction", dist_threshold=0.1),
    ]
)
mine_hard_examples.samples(
    lambda: [
        Sample(
            f32(2, 4), np.asarray([[0, -1, -1, -1], [-1, 1, 0, -1]], "int32"), np.zeros((2, 4), "float32"),
            neg_pos_ratio=2.0, neg_dist_threshold=0.5,
        )
    ]
)  # fmt: skip
