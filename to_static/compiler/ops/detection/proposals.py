"""Proposals of two-stage detectors: generation from the scores of a region network, and distribution to feature maps.

The operators have no gradients, as in Paddle.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, Sample, op
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks
from to_static.compiler.ops.detection.nms import corners, host
from to_static.compiler.ops.detection.overlaps import suppressed
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import int32
from to_static.core.errors import DTypeError, ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader, FileWriter

MOST_GROWTH = log(1000.0 / 16.0)  # how far a box may grow, as a logarithm

# to feature maps -----------------------------------------------------------------------------------------------------

_LEVELS = "min_level:int max_level:int refer_level:int refer_scale:int pixel_offset:bool"


@op(f"distribute_fpn_proposals(FpnRois, RoisNum? -> Parts*) {_LEVELS}", traits="dynamic nodiff check_shapes")
def distribute_fpn_proposals_op(
    fpn_rois: Tensor,
    rois_num: Tensor | None,
    min_level: int,
    max_level: int,
    refer_level: int,
    refer_scale: int,
    pixel_offset: bool = True,
) -> tuple[Tensor, ...]:
    """The boxes of each level, where each box went, and (with ``rois_num``) how many boxes of each image each level has.

    See `paddle.vision.ops.distribute_fpn_proposals`.
    """
    return distribute_fpn_proposals_op.emit(
        fpn_rois, rois_num, min_level=int(min_level), max_level=int(max_level), refer_level=int(refer_level),
        refer_scale=int(refer_scale), pixel_offset=bool(pixel_offset),
    )  # fmt: skip


@distribute_fpn_proposals_op.infer
def _(
    boxes: TensorSpec, count: TensorSpec | None, min_level: int, max_level: int, **attrs: AttrValue
) -> tuple[TensorSpec, ...]:
    dtype_checks.need_float(boxes, "distribute_fpn_proposals")
    if count is not None:
        dtype_checks.need_integer(count, "distribute_fpn_proposals: rois_num")
    if boxes.ndim != 2 or boxes.shape[1] not in (4, UNKNOWN):
        raise ShapeError(f"distribute_fpn_proposals: expected boxes [n, 4], got {show(boxes.shape)}")
    if not 0 < min_level < max_level < min_level + 99:
        raise ShapeError(f"distribute_fpn_proposals: levels must rise from above 0, got {min_level} to {max_level}")
    levels = max_level - min_level + 1
    parts = [boxes.with_shape((UNKNOWN, 4))] * levels
    each = [] if count is None else [TensorSpec((count.size,), int32)] * levels
    return (*parts, TensorSpec((boxes.shape[0] if count is None else UNKNOWN, 1), int32), *each)


@distribute_fpn_proposals_op.kernel
def _(
    xp: ArrayModule,
    boxes: Array,
    count: Array | None,
    min_level: int,
    max_level: int,
    refer_level: int,
    refer_scale: int,
    pixel_offset: bool,
) -> tuple[Array, ...]:
    if count is not None:  # there may be fewer than boxes
        count = count.reshape(-1)
        boxes = boxes[: int(count.sum())]
    more = boxes.dtype.type(1 if pixel_offset else 0)
    spans = boxes[:, 2:] - boxes[:, :2]
    area = xp.where((spans < 0).any(1), xp.zeros_like(spans[:, 0]), (spans[:, 0] + more) * (spans[:, 1] + more))
    level = xp.floor(xp.log2(xp.sqrt(area) / refer_scale + boxes.dtype.type(1e-6)) + refer_level)
    level = xp.clip(level, min_level, max_level).astype("int64")
    order = xp.argsort(level, kind="stable")
    back = xp.zeros(boxes.shape[0], "int32")
    back[order] = xp.arange(boxes.shape[0]).astype("int32")
    levels = range(min_level, max_level + 1)
    parts = [boxes[level == k] for k in levels]
    if count is None:
        return (*parts, back[:, None])
    ends = xp.cumsum(count)
    image = (xp.arange(boxes.shape[0])[:, None] >= ends[None, :]).sum(1)
    image_index = xp.arange(count.shape[0])[:, None]
    each = [((image[None, :] == image_index) & (level == k)[None, :]).sum(1).astype("int32") for k in levels]
    return (*parts, back[:, None], *each)


@distribute_fpn_proposals_op.to_file
def _(w: FileWriter, op: Op) -> None:
    levels = op.attrs["max_level"] - op.attrs["min_level"] + 1
    slots = {"MultiFpnRois": op.outputs[:levels], "RestoreIndex": op.outputs[levels], "MultiLevelRoIsNum": op.outputs[levels + 1 :]}
    values = {a.file_name: (a.type, op.attrs[a.name]) for a in op.opdef.attrs}
    w.write("distribute_fpn_proposals", {"FpnRois": op.inputs[0], "RoisNum": op.inputs[1]}, slots, values)


@distribute_fpn_proposals_op.from_file
def _(r: FileReader) -> Any:
    first, last = r.attr("min_level", 1), r.attr("max_level", 2)
    outputs = distribute_fpn_proposals_op(
        r.input("FpnRois"), r.input("RoisNum"), first, last, r.attr("refer_level", 1), r.attr("refer_scale", 1),
        r.attr("pixel_offset", True),
    )  # fmt: skip
    levels = last - first + 1
    return {
        "MultiFpnRois": list(outputs[:levels]),
        "RestoreIndex": outputs[levels],
        "MultiLevelRoIsNum": list(outputs[levels + 1 :]),
    }


def distribute_fpn_proposals(
    fpn_rois: Tensor, min_level: int, max_level: int, refer_level: int, refer_scale: int, pixel_offset: bool = False,
    rois_num: Tensor | None = None, name: str | None = None,
) -> tuple[Tensor | Sequence[Tensor] | None, ...]:  # fmt: skip
    """Boxes dealt out to the levels of a feature pyramid, large ones to high levels.

    Args:
        fpn_rois: boxes [R, 4], corners. min_level, max_level: of the pyramid.
        refer_level, refer_scale: a box whose area is the square of ``refer_scale`` goes to ``refer_level``.
        pixel_offset: boxes of whole pixels, which end one later. rois_num: int32 [N], how many boxes each image has; boxes
            behind these are left out.

    Returns a list of the boxes of each level; for each box where it is among them, one level after the other, int32 [R, 1]; and
    how many boxes each image has at each level, a list of int32 [N] (None without ``rois_num``). Raises ShapeError.

    Example:
        >>> boxes, number = paddle.to_tensor([[0.0, 0, 30, 30], [0, 0, 400, 400]]), paddle.to_tensor([2], 'int32')
        >>> rois, restore, counts = paddle.vision.ops.distribute_fpn_proposals(boxes, 2, 5, 4, 224, rois_num=number)
        >>> [level.shape[0] for level in rois]
        [1, 0, 1, 0]

    Source: Lin et al., "Feature Pyramid Networks for Object Detection".
    """
    outputs = distribute_fpn_proposals_op(fpn_rois, rois_num, min_level, max_level, refer_level, refer_scale, pixel_offset)
    levels = max_level - min_level + 1
    return list(outputs[:levels]), outputs[levels], None if rois_num is None else list(outputs[levels + 1 :])


# from scores ---------------------------------------------------------------------------------------------------------

_MADE = (
    "pre_nms_top_n=pre_nms_topN:int post_nms_top_n=post_nms_topN:int nms_thresh:float min_size:float eta:float "
    "pixel_offset:bool"
)


@op(
    f"generate_proposals(Scores, BboxDeltas, ImShape, Anchors, Variances? -> RpnRois, RpnRoiProbs, RpnRoisNum) {_MADE}",
    file="generate_proposals_v2", traits="dynamic nodiff check_shapes",
)  # fmt: skip
def generate_proposals_op(
    scores: Tensor,
    bbox_deltas: Tensor,
    img_size: Tensor,
    anchors: Tensor,
    variances: Tensor,
    pre_nms_top_n: int = 6000,
    post_nms_top_n: int = 1000,
    nms_thresh: float = 0.5,
    min_size: float = 0.1,
    eta: float = 1.0,
    pixel_offset: bool = True,
) -> tuple[Tensor, ...]:
    """The best boxes of each image; see `paddle.vision.ops.generate_proposals`."""
    return generate_proposals_op.emit(
        scores, bbox_deltas, img_size, anchors, variances, pre_nms_top_n=int(pre_nms_top_n), post_nms_top_n=int(post_nms_top_n),
        nms_thresh=float(np.float32(nms_thresh)), min_size=float(np.float32(min_size)), eta=float(np.float32(eta)),
        pixel_offset=bool(pixel_offset),
    )  # fmt: skip


@generate_proposals_op.infer
def _(
    scores: TensorSpec,
    deltas: TensorSpec,
    size: TensorSpec,
    anchors: TensorSpec,
    variances: TensorSpec | None,
    **attrs: AttrValue,
) -> tuple[TensorSpec, ...]:
    dtype_checks.need_float(scores, "generate_proposals")
    ranks_fit = scores.ndim == deltas.ndim == 4 and size.ndim == 2 and anchors.shape[-1:] in ((4,), (UNKNOWN,))
    if not ranks_fit or (UNKNOWN not in (scores.shape[1], deltas.shape[1]) and deltas.shape[1] != 4 * scores.shape[1]):
        raise ShapeError(
            "generate_proposals: expected scores [N, A, H, W], deltas [N, 4 * A, H, W], sizes [N, 2] and anchors [H, W, A, 4], got "
            f"{', '.join(show(spec.shape) for spec in (scores, deltas, size, anchors))}"
        )
    if deltas.dtype is not scores.dtype or anchors.dtype is not scores.dtype:
        raise DTypeError(f"generate_proposals: expected {scores.dtype.name}, got {deltas.dtype.name} and {anchors.dtype.name}")
    return deltas.with_shape((UNKNOWN, 4)), scores.with_shape((UNKNOWN, 1)), TensorSpec(scores.shape[:1], int32)


def _decoded(anchors: np.ndarray, deltas: np.ndarray, variances: np.ndarray | None, more: float) -> np.ndarray:
    """Boxes that are ``deltas`` away from ``anchors``."""
    shifts = deltas if variances is None else deltas * variances
    spans = anchors[:, 2:] - anchors[:, :2] + more
    centers = shifts[:, :2] * spans + anchors[:, :2] + spans / 2
    halves = np.exp(np.minimum(shifts[:, 2:], anchors.dtype.type(MOST_GROWTH))) * spans / 2
    return np.concatenate([centers - halves, centers + halves - more], 1)


def _best(scores: np.ndarray, count: int) -> np.ndarray:
    """Positions of the ``count`` best scores (0: of all), the best one first."""
    if not 0 < count < len(scores):
        return np.argsort(-scores, kind="stable")
    lowered = -scores
    best = np.flatnonzero(~(lowered > np.partition(lowered, count - 1)[count - 1]))  # and all that are as good as the last one
    return best[np.argsort(lowered[best], kind="stable")][:count]


def _of_image(
    scores: np.ndarray,
    deltas: np.ndarray,
    size: np.ndarray,
    anchors: np.ndarray,
    variances: Array | None,
    attrs: dict[str, Any],
) -> tuple[Array, ...]:
    """The boxes of one image and their scores, the best one first."""
    more = 1.0 if attrs["pixel_offset"] else 0.0
    order = _best(scores, attrs["pre_nms_top_n"])
    boxes = _decoded(anchors[order], deltas[order], None if variances is None else variances[order], more).astype(anchors.dtype)
    limits = np.asarray([size[1], size[0]] * 2, boxes.dtype) - boxes.dtype.type(more)
    boxes = np.minimum(np.maximum(boxes, 0), limits)
    spans = boxes[:, 2:] - boxes[:, :2] + boxes.dtype.type(more)
    counted = spans if len(size) == 2 else (boxes[:, 2:] - boxes[:, :2]) / size[2] + 1  # in the image before it was scaled
    large_enough = (counted >= max(attrs["min_size"], 1.0)).all(1)
    if attrs["pixel_offset"]:
        large_enough &= (boxes[:, :2] + spans / 2 <= size[1::-1]).all(1)
    boxes, scores = boxes[large_enough], scores[order][large_enough]
    if not len(boxes):
        return np.zeros((1, 4), boxes.dtype), np.zeros(1, scores.dtype)
    if attrs["nms_thresh"] <= 0:
        return boxes, scores
    max_boxes = attrs["post_nms_top_n"]
    best = suppressed(boxes, attrs["nms_thresh"], attrs["eta"], more, max_boxes=max_boxes if max_boxes > 0 else -1)
    return boxes[best], scores[best]


@generate_proposals_op.kernel
def _(
    xp: ArrayModule,
    scores: Array,
    deltas: Array,
    size: Array,
    anchors: Array,
    variances: Array | None,
    **attrs: AttrValue,
) -> tuple[Array, ...]:
    anchor_boxes = host(anchors).reshape(-1, 4)
    spread = None if variances is None else host(variances).reshape(-1, 4)
    count, parts, height, width = scores.shape
    rows = host(scores).transpose(0, 2, 3, 1).reshape(count, height * width * parts)
    moves = (
        host(deltas)
        .reshape(count, parts, 4, *deltas.shape[2:])
        .transpose(0, 3, 4, 1, 2)
        .reshape(count, height * width * parts, 4)
    )
    per_image = [_of_image(*image, anchor_boxes, spread, attrs) for image in zip(rows, moves, host(size), strict=True)]
    return (
        xp.asarray(np.concatenate([np.empty((0, 4)), *(boxes for boxes, _ in per_image)]).astype(deltas.dtype.name)),
        xp.asarray(np.concatenate([np.empty(0), *(values for _, values in per_image)])[:, None].astype(scores.dtype.name)),
        xp.asarray(np.asarray([len(boxes) for boxes, _ in per_image], "int32")),
    )


def generate_proposals(
    scores: Tensor,
    bbox_deltas: Tensor,
    img_size: Tensor,
    anchors: Tensor,
    variances: Tensor,
    pre_nms_top_n: int = 6000,
    post_nms_top_n: int = 1000,
    nms_thresh: float = 0.5,
    min_size: float = 0.1,
    eta: float = 1.0,
    pixel_offset: bool = False,
    return_rois_num: bool = False,
    name: str | None = None,
) -> tuple[Tensor | None, ...]:
    """The boxes that a region network proposes: those of the best scores, moved, inside of the image, without those that overlap.

    Args:
        scores: [N, A, H, W] for A anchors at each place. bbox_deltas: [N, 4 * A, H, W]: how each is moved and scaled.
        img_size: [N, 2], height and width. anchors, variances: [H, W, A, 4]: boxes, and what deltas are multiplied by.
        pre_nms_top_n: how many boxes are looked at (0: all). post_nms_top_n: how many stay at most (0: all).
        nms_thresh: how much of their union boxes may have in common; eta: by what that shrinks with each box.
        min_size: of width and height. pixel_offset: boxes of whole pixels, which end one later.
        return_rois_num: give how many boxes each image has, too.

    Returns boxes [R, 4], their scores [R, 1], and int32 [N] or None. An image without a box has one of zeros.
    Raises ShapeError, DTypeError.

    Source: Ren et al., "Faster R-CNN".

    Example:
        >>> boxes, scores, _ = paddle.vision.ops.generate_proposals(
        ...     paddle.rand([1, 1, 2, 2]), paddle.zeros([1, 4, 2, 2]), paddle.to_tensor([[8.0, 8.0]]),
        ...     paddle.to_tensor([0.0, 0.0, 4.0, 4.0]).expand([2, 2, 1, 4]), paddle.ones([2, 2, 1, 4]),
        ... )
        >>> boxes.shape[1], scores.shape[1]
        (4, 1)
    """
    boxes, values, count = generate_proposals_op(
        scores, bbox_deltas, img_size, anchors, variances, pre_nms_top_n, post_nms_top_n, nms_thresh, min_size, eta, pixel_offset
    )
    return boxes, values, count if return_rois_num else None


_FPN: dict[str, Any] = {"min_level": 2, "max_level": 4, "refer_level": 3, "refer_scale": 4, "pixel_offset": False}
distribute_fpn_proposals_op.samples(
    lambda: [
        Sample(corners(7), np.asarray([3, 4], "int32"), **_FPN),
        Sample(corners(5, seed=2), None, **(_FPN | {"pixel_offset": True, "refer_scale": 6})),
    ]
)
_RPN: dict[str, Any] = {
    "pre_nms_top_n": 12, "post_nms_top_n": 5, "nms_thresh": 0.5, "min_size": 1.0, "eta": 1.0, "pixel_offset": False,
}  # fmt: skip
_SIZE = np.asarray([[14.0, 12.0], [9.0, 15.0]], "float32")


def _anchors() -> np.ndarray:
    return corners(12).reshape(2, 3, 2, 4)


generate_proposals_op.samples(
    lambda: [
        Sample(
            f32(2, 2, 2, 3, low=0, high=1), f32(2, 8, 2, 3), _SIZE, _anchors(), f32(2, 3, 2, 4, low=0.1, high=0.5), **_RPN
        ),
        Sample(
            f32(2, 2, 2, 3, low=0, high=1), f32(2, 8, 2, 3), _SIZE, _anchors(), None,
            **(_RPN | {"pixel_offset": True, "eta": 0.875, "nms_thresh": 0.75, "post_nms_top_n": 0}),
        ),
    ]
)  # fmt: skip
