"""Suppression of boxes that overlap better ones (nms, multiclass_nms3). It has no gradient, as in Paddle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from to_static.core.dtypes import int32, int64
from to_static.core.errors import ArgumentError, ShapeError
from to_static.ir.opdef import Sample, op
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import UNKNOWN, TensorSpec
from to_static.ops import rules
from to_static.ops.detection import polygons
from to_static.ops.pointwise.elementwise import f32


def overlaps(xp: Any, boxes: Any) -> Any:
    """Intersection over union of all pairs, [n, n]; 0 where they do not meet."""
    low = xp.maximum(boxes[:, None, :2], boxes[None, :, :2])
    high = xp.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    spans = high - low
    meets = (spans[..., 0] > 0) & (spans[..., 1] > 0)
    common = xp.where(meets, spans[..., 0] * spans[..., 1], xp.zeros_like(spans[..., 0]))
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    return xp.where(meets, common / xp.where(meets, area[:, None] + area[None, :] - common, xp.ones_like(common)), common)


def _kept(xp: Any, overlaps: Any, threshold: float) -> Any:
    """Which boxes stay, the best one first, of those that overlap: a boolean [n]."""
    n = overlaps.shape[0]
    kept = xp.ones(n, "bool")
    over = overlaps > overlaps.dtype.type(threshold)
    later = xp.arange(n)
    for i in range(n):
        kept = kept & ~(over[i] & kept[i] & (later > i))
    return kept


@op("nms(Boxes -> KeepBoxesIdxs) iou_threshold:float", traits="dynamic nodiff")
def nms_op(boxes: Any, iou_threshold: float) -> Any:
    """Positions of the boxes [n, 4] that overlap no kept box before them by more than ``iou_threshold``: int64 [m]."""
    return nms_op.emit(boxes, iou_threshold=float(np.float32(iou_threshold)))


@nms_op.infer
def _(boxes: TensorSpec, iou_threshold: float) -> TensorSpec:
    rules.need_float(boxes, "nms")
    if boxes.ndim != 2 or boxes.shape[1] not in (4, UNKNOWN):
        raise ShapeError(f"nms: expected boxes [n, 4], got {rules.show(boxes.shape)}")
    return TensorSpec((UNKNOWN,), int64)


@nms_op.kernel
def _(xp: Any, boxes: Any, iou_threshold: float) -> Any:
    return xp.nonzero(_kept(xp, overlaps(xp, boxes), iou_threshold))[0].astype("int64", copy=False)


def nms(
    boxes: Any, iou_threshold: float = 0.3, scores: Any = None, category_idxs: Any = None, categories: Any = None,
    top_k: int | None = None,
) -> Any:  # fmt: skip
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
    order = FUNCTIONS["argsort"](scores, descending=True)
    sorted_boxes = FUNCTIONS["gather"](boxes, order)
    if category_idxs is None:
        return FUNCTIONS["gather"](order, nms_op(sorted_boxes, iou_threshold))
    if categories is None:
        raise ArgumentError("nms: with category_idxs, categories must list the ones that count")
    gather = FUNCTIONS["gather"]
    kinds = gather(category_idxs, order)
    kept = []
    for category in categories:
        places = FUNCTIONS["nonzero"](kinds == int(category)).reshape([-1])
        kept.append(gather(places, nms_op(gather(sorted_boxes, places), iou_threshold)))
    found = gather(order, FUNCTIONS["sort"](FUNCTIONS["concat"](kept)))
    return found if top_k is None else found[:top_k]


# several classes -----------------------------------------------------------------------------------------------------


_NUMBERS = (4, 8, 16, 24, 32)  # of a box, and of polygons


@op(
    "multiclass_nms3(BBoxes, Scores, RoisNum? -> Out, Index, NmsRoisNum) background_label:int score_threshold:float nms_top_k:int "
    "nms_threshold:float nms_eta:float keep_top_k:int normalized:bool",
    traits="dynamic nodiff strict",
)
def multiclass_nms(
    bboxes: Any, scores: Any, rois_num: Any = None, background_label: int = 0, score_threshold: float = 0.0,
    nms_top_k: int = -1, nms_threshold: float = 0.3, nms_eta: float = 1.0, keep_top_k: int = -1, normalized: bool = True,
) -> Any:  # fmt: skip
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
def _(boxes: TensorSpec, scores: TensorSpec, rois_num: Any, **attrs: Any) -> Any:
    rules.need_float(boxes, "multiclass_nms3")
    if boxes.ndim != 3 or scores.ndim != (3 if rois_num is None else 2) or boxes.shape[2] not in (*_NUMBERS, UNKNOWN):
        wanted = "[N, M, 4] and scores [N, classes, M]" if rois_num is None else "[M, classes, 4] and scores [M, classes]"
        raise ShapeError(
            f"multiclass_nms3: expected boxes {wanted}, got {rules.show(boxes.shape)} and {rules.show(scores.shape)}: "
            "a box is 4 numbers, a polygon 8, 16, 24 or 32"
        )
    images = boxes.shape[:1] if rois_num is None else rois_num.shape
    size = UNKNOWN if boxes.shape[2] == UNKNOWN else boxes.shape[2] + 2
    return boxes.with_shape((UNKNOWN, size)), TensorSpec((UNKNOWN, 1), int32), TensorSpec(images, int32)


def host(array: Any) -> np.ndarray:
    """The numbers of an array of any backend, for rules that go through them one by one."""
    return np.asarray(array.tolist(), array.dtype.name).reshape(array.shape)


def shares(boxes: np.ndarray, others: np.ndarray, more: float) -> np.ndarray:
    """Intersection over union of boxes [n, 4] with others [m, 4], as the detectors' operators count it: [n, m].

    Boxes that only touch meet; two without area at one place give NaN, which is no number below any threshold: Paddle's numbers.
    ``more``: 1 for boxes of whole pixels. Of more than two corners, [n, 8] for four, they are polygons.
    """
    if boxes.shape[1] > 4:
        return polygons.shares(boxes, others)
    spans = np.minimum(boxes[:, None, 2:], others[None, :, 2:]) - np.maximum(boxes[:, None, :2], others[None, :, :2])
    meet = ((boxes[:, None, 2:] >= others[None, :, :2]) & (others[None, :, 2:] >= boxes[:, None, :2])).all(-1)
    common = (spans[..., 0] + more) * (spans[..., 1] + more)
    first, second = (_areas(x, more) for x in (boxes, others))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(meet, common / (first[:, None] + second[None, :] - common), common.dtype.type(0))


def _areas(boxes: np.ndarray, more: float) -> np.ndarray:
    width, height = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    return np.where((width < 0) | (height < 0), boxes.dtype.type(0), (width + more) * (height + more))


_TOGETHER = 64  # boxes that are compared with all later ones at once


def suppressed(boxes: np.ndarray, threshold: float, eta: float, more: float) -> list[int]:
    """Positions of the boxes (the best one first) that overlap no better one that stays.

    ``eta``: what the threshold is multiplied by with each box that stays, while it is above 0.5.
    ``more``: 1 for boxes of whole pixels.
    """
    found: list[int] = []
    bound = boxes.dtype.type(threshold)
    most = np.zeros(len(boxes), boxes.dtype)  # how much each box overlaps one that stays; NaN stays NaN
    for start in range(0, len(boxes), _TOGETHER):
        few = boxes[start : start + _TOGETHER]
        common, here = shares(few, few, more), most[start : start + _TOGETHER]
        stay = []
        for i in range(len(few)):
            if here[i] <= bound:
                stay.append(i)
                np.maximum(here, common[i], out=here)
                if eta < 1 and bound > 0.5:
                    bound *= boxes.dtype.type(eta)
        found += [start + i for i in stay]
        rest = start + len(few)
        if stay and rest < len(boxes):
            most[rest:] = np.maximum(most[rest:], shares(few[stay], boxes[rest:], more).max(0))
    return found


def _of_class(boxes: np.ndarray, scores: np.ndarray, attrs: Any) -> list[int]:
    """Positions of the boxes of one class that stay, the best one first."""
    order = np.argsort(-scores, kind="stable")
    order = order[scores[order] > np.float32(attrs["score_threshold"])]
    if attrs["nms_top_k"] > -1:
        order = order[: attrs["nms_top_k"]]
    more = 0 if attrs["normalized"] else 1
    return [int(order[i]) for i in suppressed(boxes[order], attrs["nms_threshold"], attrs["nms_eta"], more)]


def _images(boxes: np.ndarray, scores: np.ndarray, counts: Any) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """The number of boxes before each image, its boxes [m, classes, 4] (or more), and scores [classes, m]."""
    if counts is None:
        for n, (places, table) in enumerate(zip(boxes, scores, strict=True)):
            yield n * len(places), np.broadcast_to(places[:, None], (len(places), len(table), places.shape[1])), table
        return
    ends = np.cumsum(host(counts))
    if (ends[-1] if len(ends) else 0) != len(boxes):
        raise ArgumentError(f"multiclass_nms3: RoisNum {host(counts).tolist()} does not sum to {len(boxes)} boxes")
    for start, end in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True):
        yield start * boxes.shape[1], boxes[start:end], scores[start:end].T


@multiclass_nms.kernel
def _(xp: Any, boxes: Any, scores: Any, rois_num: Any, **attrs: Any) -> Any:
    rows: list[list[float]] = []
    index: list[int] = []
    counts: list[int] = []
    for start, places, table in _images(host(boxes), host(scores), rois_num):
        found = [
            (label, i)
            for label, line in enumerate(table) if label != attrs["background_label"]
            for i in _of_class(places[:, label], line, attrs)
        ]  # fmt: skip
        if -1 < attrs["keep_top_k"] < len(found):
            best = sorted(range(len(found)), key=lambda k: -table[found[k][0], found[k][1]])[: attrs["keep_top_k"]]
            found = sorted((found[k] for k in best), key=lambda item: item[0])  # each class keeps the order of its scores
        if rois_num is not None:
            found = sorted(found)
        rows += [[label, table[label, i], *places[i, label]] for label, i in found]
        classes = 1 if rois_num is None else len(table)  # that have boxes of their own, which are counted
        index += [start + i * classes + (label if classes > 1 else 0) for label, i in found]
        counts.append(len(found))
    return (
        xp.asarray(np.asarray(rows, boxes.dtype.name).reshape(-1, 2 + boxes.shape[-1])),
        xp.asarray(np.asarray(index, "int32").reshape(-1, 1)),
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
