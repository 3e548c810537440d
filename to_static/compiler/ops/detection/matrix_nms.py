"""Matrix non-maximum suppression, which lowers the scores of overlapping boxes (matrix_nms). It has no gradient, as in Paddle."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks
from to_static.compiler.ops.detection.nms import corners, host, in_rounds
from to_static.compiler.ops.detection.overlaps import detectors_share
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import int32
from to_static.core.errors import ShapeError

_ATTRS = (
    "score_threshold:float post_threshold:float nms_top_k:int keep_top_k:int use_gaussian:bool gaussian_sigma:float "
    "background_label:int normalized:bool"
)


@op(f"matrix_nms(BBoxes, Scores -> Out, Index, RoisNum) {_ATTRS}", traits="dynamic nodiff")
def matrix_nms_op(
    bboxes: Tensor,
    scores: Tensor,
    score_threshold: float,
    post_threshold: float = 0.0,
    nms_top_k: int = 400,
    keep_top_k: int = 100,
    use_gaussian: bool = False,
    gaussian_sigma: float = 2.0,
    background_label: int = 0,
    normalized: bool = True,
) -> tuple[Tensor, ...]:
    """Detections, their positions and how many each image has; see `paddle.vision.ops.matrix_nms`."""
    return matrix_nms_op.emit(
        bboxes, scores, score_threshold=float(np.float32(score_threshold)), post_threshold=float(np.float32(post_threshold)),
        nms_top_k=int(nms_top_k), keep_top_k=int(keep_top_k), use_gaussian=bool(use_gaussian),
        gaussian_sigma=float(np.float32(gaussian_sigma)), background_label=int(background_label), normalized=bool(normalized),
    )  # fmt: skip


@matrix_nms_op.infer
def _(boxes: TensorSpec, scores: TensorSpec, **attrs: AttrValue) -> tuple[TensorSpec, ...]:
    dtype_checks.need_order(dtype_checks.need_float(boxes, "matrix_nms"), "matrix_nms")
    dtype_checks.need_one_dtype("matrix_nms", boxes, scores)
    if boxes.ndim != 3 or scores.ndim != 3 or boxes.shape[2] not in (4, UNKNOWN):
        raise ShapeError(
            f"matrix_nms: expected boxes [N, M, 4] and scores [N, classes, M], got {show(boxes.shape)} and "
            f"{show(scores.shape)}"
        )
    return boxes.with_shape((UNKNOWN, 6)), TensorSpec((UNKNOWN, 1), int32), TensorSpec(boxes.shape[:1], int32)


_ROWS = 1 << 14  # pairs that are compared at once


def _decay(boxes: np.ndarray, attrs: dict[str, Any]) -> np.ndarray:
    """Factors, [n], by which the scores of the boxes of one class are multiplied; the best box comes first."""
    planes = np.ascontiguousarray(boxes.T)
    pixel, scalar_type = 0 if attrs["normalized"] else 1, boxes.dtype.type
    worst, factors = np.zeros(len(boxes), boxes.dtype), np.ones(len(boxes), boxes.dtype)
    start = 0
    while start < len(boxes):  # some boxes with all better ones
        end = min(len(boxes), start + max(1, _ROWS // (start + 64)))
        better = np.tri(end - start, end, start - 1, dtype=bool)
        common = np.where(better, detectors_share(planes[:, start:end, None], planes[:, None, :end], pixel), scalar_type(0))
        worst[start:end] = np.fmax.reduce(common, 1, initial=0)  # how much each overlaps with better ones itself
        with np.errstate(invalid="ignore", divide="ignore"):
            if attrs["use_gaussian"]:
                decay = np.exp((np.square(worst[:end]) - common**2) * scalar_type(attrs["gaussian_sigma"]))
            else:
                decay = (1 - common) / (1 - worst[:end])
        factors[start:end] = np.fmin.reduce(np.where(better, decay, scalar_type(1)), 1, initial=1)
        start = end
    return factors


def _detected(
    boxes: np.ndarray, scores: np.ndarray, attrs: dict[str, Any]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Classes, positions and new scores of the detections of one image, the best one first."""
    wanted, least = attrs["keep_top_k"], scores.dtype.type(attrs["post_threshold"])

    def detect(labels: np.ndarray, positions: np.ndarray, ends: np.ndarray, cutoff: float) -> tuple[int, Any]:
        parts = np.split(boxes[positions], ends[:-1])
        lowered = scores[labels, positions] * np.concatenate([_decay(part, attrs) for part in parts])
        return int(np.count_nonzero((lowered >= cutoff) & (lowered > least))), (labels, positions, lowered)

    # scores above 0 only get lower, so the best of some are the best of all
    labels, positions, lowered = in_rounds(scores, attrs, wanted if attrs["score_threshold"] >= 0 else -1, detect)
    stay = np.flatnonzero(lowered > least)
    stay = stay[np.argsort(-lowered[stay], kind="stable")]
    if wanted > -1:
        stay = stay[:wanted]
    return labels[stay], positions[stay], lowered[stay]


@matrix_nms_op.kernel
def _(xp: ArrayModule, boxes: Array, scores: Array, **attrs: AttrValue) -> tuple[Array, ...]:
    dtype_name = boxes.dtype.name
    rows, index, counts = [np.empty((0, 6), dtype_name)], [np.empty(0, "int64")], []
    for n, (image_boxes, table) in enumerate(zip(host(boxes), host(scores), strict=True)):
        labels, boxes_kept, lowered = _detected(image_boxes, table, attrs)
        rows.append(np.column_stack([labels, lowered, image_boxes[boxes_kept]]).astype(dtype_name))
        index.append(n * len(image_boxes) + boxes_kept)
        counts.append(len(boxes_kept))
    return (
        xp.asarray(np.concatenate(rows)),
        xp.asarray(np.concatenate(index).astype("int32")[:, None]),
        xp.asarray(np.asarray(counts, "int32")),
    )


def matrix_nms(
    bboxes: Tensor, scores: Tensor, score_threshold: float, post_threshold: float, nms_top_k: int, keep_top_k: int,
    use_gaussian: bool = False, gaussian_sigma: float = 2.0, background_label: int = 0, normalized: bool = True,
    return_index: bool = False, return_rois_num: bool = True, name: str | None = None,
) -> tuple[Tensor | None, ...]:  # fmt: skip
    """Detections whose scores are the lower, the more they overlap better ones of their class.

    Args:
        bboxes: [N, M, 4], corners. scores: [N, classes, M]. score_threshold: boxes of a class that count have more than this.
        post_threshold: and afterwards more than this. nms_top_k, keep_top_k: how many of a class, and of an image (-1: all).
        use_gaussian, gaussian_sigma: lower scores by a bell curve instead of a line. background_label: a class that is none (-1:
            there is none). normalized: coordinates are parts of the image; else pixels, so that a box ends one later.
        return_index: give positions, too. return_rois_num: give how many each image has (default True).

    Returns detections [m, 6] (class, score, corners; the best one of an image first), int32 [N] or None, and positions among all
    boxes [m, 1] or None. Raises ShapeError.

    Source: Wang et al., "SOLOv2: Dynamic and Fast Instance Segmentation".

    Example:
        >>> found, counts, _ = paddle.vision.ops.matrix_nms(
        ...     paddle.to_tensor([[[0.0, 0.0, 1.0, 1.0]]]), paddle.to_tensor([[[0.1], [0.9]]]), 0.5, 0.1, 10, 10
        ... )
        >>> found.shape, counts.tolist()
        ([1, 6], [1])
    """
    out, index, count = matrix_nms_op(
        bboxes, scores, score_threshold, post_threshold, nms_top_k, keep_top_k, use_gaussian, gaussian_sigma, background_label,
        normalized,
    )  # fmt: skip
    return out, count if return_rois_num else None, index if return_index else None


_SOLO: dict[str, Any] = {
    "score_threshold": 0.25, "post_threshold": 0.125, "nms_top_k": 6, "keep_top_k": 5, "use_gaussian": False,
    "gaussian_sigma": 2.0, "background_label": -1, "normalized": True,
}  # fmt: skip
_BELL = _SOLO | {"use_gaussian": True, "normalized": False, "background_label": 0}
matrix_nms_op.samples(
    lambda: [
        Sample(corners(2, 8), f32(2, 3, 8, low=0, high=1), **_SOLO),
        Sample(corners(1, 8), f32(1, 2, 8, low=0, high=1), **_BELL),
    ]
)
