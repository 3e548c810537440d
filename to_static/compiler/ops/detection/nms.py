"""Non-maximum suppression (nms, multiclass_nms3). It has no gradient, as in Paddle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.detection.overlaps import nms_share, suppressed
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import int32, int64
from to_static.core.errors import ArgumentError, ShapeError

Found = TypeVar("Found")


@op("nms(Boxes -> KeepBoxesIdxs) iou_threshold:float", traits="dynamic nodiff check_shapes")
def nms_op(boxes: Any, iou_threshold: float) -> Tensor:
    """Positions of the boxes [n, 4] that overlap no kept box before them by more than ``iou_threshold``: int64 [m]."""
    return nms_op.emit(boxes, iou_threshold=float(np.float32(iou_threshold)))


@nms_op.infer
def _(boxes: TensorSpec, iou_threshold: float) -> TensorSpec:
    dtype_checks.need_float(boxes, "nms")
    if boxes.ndim != 2 or boxes.shape[1] not in (4, UNKNOWN):
        raise ShapeError(f"nms: expected boxes [n, 4], got {show(boxes.shape)}")
    return TensorSpec((UNKNOWN,), int64)


@nms_op.kernel
def _(xp: ArrayModule, boxes: Array, iou_threshold: float) -> Array:
    return xp.asarray(suppressed(host(boxes), iou_threshold, share=nms_share))


def nms(
    boxes: Any, iou_threshold: float = 0.3, scores: Any = None, category_idxs: Any = None, categories: Any = None,
    top_k: int | None = None,
) -> Tensor:  # fmt: skip
    """Positions of the boxes that stay when boxes that overlap better ones are left out, the best one first.

    Args:
        boxes: [n, 4], corners; the better ones first where there are no scores.
        iou_threshold: how much of their union two boxes may have in common.
        scores: [n]. category_idxs: int64 [n], and categories: the ones that count; boxes of two categories may overlap.
        top_k: at most so many.

    Returns int64 [m]. Raises ValueError for categories without a list of them, or a ``top_k`` above n.

    Example:
        >>> boxes = paddle.to_tensor([[0.0, 0, 10, 10], [1, 0, 11, 10], [20, 20, 30, 30]])
        >>> paddle.vision.ops.nms(boxes, 0.5, paddle.to_tensor([0.8, 0.9, 0.7])).tolist()
        [1, 2]
    """
    if scores is None:
        return nms_op(boxes, iou_threshold)
    if top_k is not None and boxes.spec.shape[0] != UNKNOWN and top_k > boxes.spec.shape[0]:
        raise ArgumentError(f"nms: top_k must be at most the number of boxes, {boxes.spec.shape[0]}, got {top_k}")
    order = F.argsort(scores, descending=True)
    sorted_boxes = F.gather(boxes, order)
    if category_idxs is None:
        return F.gather(order, nms_op(sorted_boxes, iou_threshold))
    if categories is None:
        raise ArgumentError("nms: with category_idxs, categories must list the ones that count")
    dtype_checks.need_integer(category_idxs, "nms: category_idxs")
    gather = F.gather
    sorted_ids = gather(category_idxs, order)
    kept_positions = []
    for category in categories:
        positions = F.nonzero(sorted_ids == int(category)).reshape([-1])
        kept_positions.append(gather(positions, nms_op(gather(sorted_boxes, positions), iou_threshold)))
    kept_index = gather(order, F.sort(F.concat(kept_positions)))
    return kept_index if top_k is None else kept_index[:top_k]


# several classes -----------------------------------------------------------------------------------------------------


_NUMBERS = (4, 8, 16, 24, 32)  # of a box, and of polygons


@op(
    "multiclass_nms3(BBoxes, Scores, RoisNum? -> Out, Index, NmsRoisNum) background_label:int score_threshold:float nms_top_k:int "
    "nms_threshold:float nms_eta:float keep_top_k:int normalized:bool",
    traits="dynamic nodiff check_shapes",
)
def multiclass_nms(
    bboxes: Tensor,
    scores: Tensor,
    rois_num: Tensor | None = None,
    background_label: int = 0,
    score_threshold: float = 0.0,
    nms_top_k: int = -1,
    nms_threshold: float = 0.3,
    nms_eta: float = 1.0,
    keep_top_k: int = -1,
    normalized: bool = True,
) -> tuple[Tensor, ...]:
    """The detections of each image: for each class the boxes that stay, of all classes the best (Paddle's `multiclass_nms3`).

    Args:
        bboxes: [N, M, 4], or [N, M, 8] (16, 24, 32) for polygons; scores: [N, classes, M]. With ``rois_num`` [N], as two-stage
            detectors have it, the boxes of all images stand one after the other and each class has its own: [M, classes, 4] and
            [M, classes]. Detections of a class then are in the order of the boxes, else in that of the scores.
        score_threshold, nms_top_k: which boxes of a class count; nms_threshold, nms_eta: how much they may overlap, and by what
            that shrinks with each box; keep_top_k: how many of an image stay (-1: all); background_label: a class that is none.

    Returns detections [m, 6] (class, score, corners; [m, 10] for polygons of four), their positions [m, 1] in all boxes, and how
    many each image has [N].
    Raises ShapeError where these do not fit, and (when it runs) ValueError for ``rois_num`` that are not all boxes.
    """
    return multiclass_nms.emit(
        bboxes, scores, rois_num, background_label=int(background_label), score_threshold=float(score_threshold),
        nms_top_k=int(nms_top_k), nms_threshold=float(nms_threshold), nms_eta=float(nms_eta), keep_top_k=int(keep_top_k),
        normalized=bool(normalized),
    )  # fmt: skip


@multiclass_nms.infer
def _(boxes: TensorSpec, scores: TensorSpec, rois_num: TensorSpec | None, **attrs: AttrValue) -> tuple[TensorSpec, ...]:
    dtype_checks.need_float(boxes, "multiclass_nms3")
    if boxes.ndim != 3 or scores.ndim != (3 if rois_num is None else 2) or boxes.shape[2] not in (*_NUMBERS, UNKNOWN):
        wanted = "[N, M, 4] and scores [N, classes, M]" if rois_num is None else "[M, classes, 4] and scores [M, classes]"
        raise ShapeError(
            f"multiclass_nms3: expected boxes {wanted}, got {show(boxes.shape)} and {show(scores.shape)}: "
            "a box is 4 numbers, a polygon 8, 16, 24 or 32"
        )
    images = boxes.shape[:1] if rois_num is None else rois_num.shape
    size = UNKNOWN if boxes.shape[2] == UNKNOWN else boxes.shape[2] + 2
    return boxes.with_shape((UNKNOWN, size)), TensorSpec((UNKNOWN, 1), int32), TensorSpec(images, int32)


def host(array: Array) -> np.ndarray:
    """The numbers of an array of any backend, for rules that go through them one by one."""
    return array if isinstance(array, np.ndarray) else np.asarray(array.tolist(), array.dtype.name).reshape(array.shape)


_FIRST = 256  # candidates that are looked at first


def in_rounds(
    scores: np.ndarray,
    attrs: dict[str, Any],
    wanted: int,
    detect: Callable[[np.ndarray, np.ndarray, np.ndarray, float], tuple[int, Found]],
    ranking: np.ndarray | None = None,
) -> Found:
    """The result of ``detect`` on the boxes of one image that count: first among the best ones, then among more, at last among all.

    Whether a box stays depends on better ones of its class alone. So where only the best of all classes are wanted, it is enough
    to find so many of them.

    Args:
        scores: [classes, m]. wanted: how many of the best are wanted (-1: all).
        attrs: of the operator: ``score_threshold``, ``background_label`` and ``nms_top_k``, how many of a class count (-1: all).
        detect: what is called with classes and positions [n] (class by class, in each the best one first), where each class ends
            [classes], and a score that all others are below (-inf: there are no others). It gives how many of its results are above
            that, and the results.
        ranking: [classes, m], the scores in the precision in which they are sorted and ``detect`` compares them (None: ``scores``).
    """
    ranking = scores if ranking is None else ranking
    above = scores > scores.dtype.type(np.float32(attrs["score_threshold"]))
    if 0 <= attrs["background_label"] < len(scores):
        above[attrs["background_label"]] = False
    values = ranking[above]
    count = len(values) if wanted < 0 else max(_FIRST, 4 * wanted)
    while count < len(values):
        cutoff = np.partition(values, len(values) - count)[len(values) - count]
        certain, selected = detect(*_by_class(ranking, above & (ranking >= cutoff), attrs["nms_top_k"]), float(cutoff))
        if certain >= wanted:
            return selected
        count *= min(8, 2 + wanted // max(1, certain))
    return detect(*_by_class(ranking, above, attrs["nms_top_k"]), -np.inf)[1]


def _by_class(scores: np.ndarray, chosen: np.ndarray, max_per_class: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the classes and positions of chosen boxes, at most ``max_per_class`` each, best first, and the end of each class."""
    positions = np.flatnonzero(chosen)
    positions = positions[np.argsort(-scores.reshape(-1)[positions], kind="stable")]
    labels = positions // max(1, scores.shape[1])
    order = np.argsort(labels.astype("uint16") if len(scores) < 1 << 16 else labels, kind="stable")
    counts = np.bincount(labels, minlength=len(scores))
    if max_per_class > -1:
        starts = np.repeat(np.cumsum(counts) - counts, counts)
        order, counts = order[np.arange(len(order)) - starts < max_per_class], np.minimum(counts, max_per_class)
    labels = labels[order]
    return labels, positions[order] - labels * scores.shape[1], np.cumsum(counts)


def _images(
    boxes: np.ndarray, scores: np.ndarray, counts: Array | None
) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """The number of boxes before each image, its boxes [m, classes, 4] (or more), and scores [classes, m]."""
    if counts is None:
        for n, (image_boxes, table) in enumerate(zip(boxes, scores, strict=True)):
            shape = (len(image_boxes), len(table), image_boxes.shape[1])
            yield n * len(image_boxes), np.broadcast_to(image_boxes[:, None], shape), table
        return
    ends = np.cumsum(host(counts))
    if (ends[-1] if len(ends) else 0) != len(boxes):
        raise ArgumentError(f"multiclass_nms3: RoisNum {host(counts).tolist()} does not sum to {len(boxes)} boxes")
    for start, end in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True):
        yield start * boxes.shape[1], boxes[start:end], np.ascontiguousarray(scores[start:end].T)


def _detected(boxes: np.ndarray, scores: np.ndarray, attrs: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Classes and positions of the detections of one image: class by class, in each the best one first."""
    wanted, more = attrs["keep_top_k"], 0 if attrs["normalized"] else 1

    def detect(
        labels: np.ndarray, positions: np.ndarray, ends: np.ndarray, _: float
    ) -> tuple[int, tuple[np.ndarray, np.ndarray]]:
        stay = suppressed(boxes[positions, labels], attrs["nms_threshold"], attrs["nms_eta"], more, ends=ends)
        return len(stay), (labels[stay], positions[stay])

    ranking = scores.astype("float32", copy=False)  # Paddle sorts doubles as float32, too
    labels, positions = in_rounds(scores, attrs, wanted, detect, ranking)
    if -1 < wanted < len(labels):
        best = np.argsort(-ranking[labels, positions], kind="stable")[:wanted]
        best = best[np.argsort(labels[best], kind="stable")]
        labels, positions = labels[best], positions[best]
    return labels, positions


@multiclass_nms.kernel
def _(xp: ArrayModule, boxes: Array, scores: Array, rois_num: Array | None, **attrs: AttrValue) -> tuple[Array, ...]:
    dtype_name = boxes.dtype.name
    rows, index, counts = [np.empty((0, 2 + boxes.shape[-1]), dtype_name)], [np.empty(0, "int64")], []
    for start, positions, table in _images(host(boxes), host(scores), rois_num):
        labels, boxes_kept = _detected(positions, table, attrs)
        if rois_num is not None:
            order = np.lexsort((boxes_kept, labels))
            labels, boxes_kept = labels[order], boxes_kept[order]
        rows.append(np.column_stack([labels, table[labels, boxes_kept], positions[boxes_kept, labels]]).astype(dtype_name))
        index.append(start + boxes_kept if rois_num is None else start + boxes_kept * len(table) + labels)
        counts.append(len(boxes_kept))
    return (
        xp.asarray(np.concatenate(rows)),
        xp.asarray(np.concatenate(index).astype("int32")[:, None]),
        xp.asarray(np.asarray(counts, "int32")),
    )


def corners(*lead: int, seed: int = 0) -> np.ndarray:
    """Boxes for samples."""
    low = f32(*lead, 2, low=0, high=8, seed=seed)
    return np.concatenate([low, low + f32(*lead, 2, low=2, high=6, seed=seed + 1)], -1)


_CLASSES: dict[str, Any] = {
    "background_label": -1, "score_threshold": 0.1, "nms_top_k": 6, "nms_threshold": 0.3, "nms_eta": 1.0, "keep_top_k": 5,
    "normalized": True,
}  # fmt: skip
nms_op.samples(lambda: [Sample(corners(8), iou_threshold=0.3), Sample(corners(8, seed=3), iou_threshold=0.1)])
multiclass_nms.samples(
    lambda: [
        Sample(corners(2, 8), f32(2, 3, 8, low=0, high=1), None, **_CLASSES),
        Sample(corners(1, 8), f32(1, 2, 8, low=0, high=1), None, **(_CLASSES | {"normalized": False, "background_label": 0})),
        Sample(corners(1, 8)[..., [0, 1, 2, 1, 2, 3, 0, 3]] + f32(1, 8, 8), f32(1, 2, 8, low=0, high=1), None, **_CLASSES),
        Sample(corners(9, 3), f32(9, 3, low=0, high=1), np.asarray([3, 0, 6], "int32"), **_CLASSES),
    ]
)
