"""The loss of YOLOv3 (yolo_loss), of a head's predicted boxes.

Source: Redmon and Farhadi, "YOLOv3: An Incremental Improvement".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import arguments, dtype_checks
from to_static.compiler.ops.detection.nms import host
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import int32
from to_static.core.errors import AutogradError, DTypeError, ShapeError

_ATTRS = (
    "anchors:ints anchor_mask:ints class_num:int ignore_thresh:float downsample_ratio:int use_label_smooth:bool scale_x_y:float"
)
LEAST = 1e-6  # boxes that are not larger do not count


@op(f"yolo_loss(X, GTBox, GTLabel, GTScore? -> Loss, ObjectnessMask?, GTMatchMask?) {_ATTRS}", file="yolov3_loss")
def yolo_loss_op(
    x: Tensor,
    gt_box: Any,
    gt_label: Any,
    gt_score: Any = None,
    anchors: Any = (),
    anchor_mask: Any = (),
    class_num: int = 1,
    ignore_thresh: float = 0.7,
    downsample_ratio: int = 32,
    use_label_smooth: bool = True,
    scale_x_y: float = 1.0,
) -> tuple[Tensor, ...]:
    """The loss of each image, which places should find something, and which anchor each box belongs to.

    See `paddle.vision.ops.yolo_loss`.
    """
    return yolo_loss_op.emit(
        x, gt_box, gt_label, gt_score, anchors=arguments.int_list(anchors),
        anchor_mask=arguments.int_list(anchor_mask), class_num=int(class_num),
        ignore_thresh=float(np.float32(ignore_thresh)), downsample_ratio=int(downsample_ratio),
        use_label_smooth=bool(use_label_smooth), scale_x_y=float(np.float32(scale_x_y)),
    )  # fmt: skip


@yolo_loss_op.infer
def _(x: TensorSpec, box: TensorSpec, label: TensorSpec, score: TensorSpec | None, **attrs: Any) -> Any:
    dtype_checks.need_float(x, "yolo_loss")
    anchors, mask = attrs["anchors"], attrs["anchor_mask"]
    channels = len(mask) * (5 + attrs["class_num"])
    if len(anchors) % 2 or not anchors or not mask or any(not 0 <= k < len(anchors) // 2 for k in mask):
        raise ShapeError(f"yolo_loss: anchors must be pairs and anchor_mask numbers of them, got {anchors} and {mask}")
    if x.ndim != 4 or x.shape[1] not in (channels, UNKNOWN) or box.ndim != 3 or box.shape[2] not in (4, UNKNOWN) or label.ndim != 2:
        raise ShapeError(
            f"yolo_loss: expected [N, {channels}, H, W], boxes [N, B, 4] and labels [N, B] for {len(mask)} anchors and "
            f"{attrs['class_num']} classes, got {', '.join(show(spec.shape) for spec in (x, box, label))}"
        )
    if score is not None and score.ndim != 2:
        raise ShapeError(f"yolo_loss: expected gt_score [N, B], got {show(score.shape)}")
    if label.dtype is not int32 or box.dtype is not x.dtype:
        raise DTypeError(f"yolo_loss: expected boxes of {x.dtype.name} and labels of int32, got {box} and {label}")
    return (
        x.with_shape(x.shape[:1]), x.with_shape((x.shape[0], len(mask), *x.shape[2:])), TensorSpec(box.shape[:2], int32)
    )  # fmt: skip


def _overlap(first: Sequence[Array], second: Sequence[Array]) -> Array:
    """Intersection over union of boxes that broadcast, each as planes: x and y of the center, width, height."""
    spans = [
        np.minimum(first[k] + first[k + 2] / 2, second[k] + second[k + 2] / 2)
        - np.maximum(first[k] - first[k + 2] / 2, second[k] - second[k + 2] / 2)
        for k in range(2)
    ]
    common = np.where((spans[0] < 0) | (spans[1] < 0), 0, spans[0] * spans[1])
    return common / (first[2] * first[3] + second[2] * second[3] - common)


class _Wanted:
    """The targets of one detection head.

    ``x``: [N, A, 5 + classes, H, W]. ``objects``: [N, A, H, W]: the score of the box that is there; 0 for nothing, -1 where the
    head is not to blame for finding one. ``match``: [N, B]: the anchor of each box, or -1. Of the M boxes with an anchor
    ``image`` [M] is the image, ``cells`` [M, 5 + classes] the positions in the flat ``x``, ``target`` [M, 5 + classes] what should
    stand there, ``of_place``, ``of_class`` [M] are weights.
    """

    def __init__(
        self, xp: ArrayModule, x: Array, box: Array, label: Array, score: Array | None, attrs: dict[str, Any]
    ) -> None:
        classes, self.mask = attrs["class_num"], attrs["anchor_mask"]
        self.x = host(x).reshape(x.shape[0], len(self.mask), 5 + classes, *x.shape[2:])
        scalar_type = self.x.dtype.type
        boxes, labels = host(box), host(label)
        scores = np.ones(labels.shape, scalar_type) if score is None else host(score)
        height, width = x.shape[2:]
        pixels = scalar_type(attrs["downsample_ratio"] * height)
        anchors = np.asarray(attrs["anchors"], scalar_type).reshape(-1, 2)
        valid = (boxes[..., 2] > LEAST) & (boxes[..., 3] > LEAST)
        predicted = self._matches(anchors[self.mask] / pixels, attrs["scale_x_y"])
        best = np.zeros(predicted[0].shape, scalar_type)
        for t in np.flatnonzero(valid.any(0)):  # box by box: the overlaps of all boxes at once do not fit into caches
            common = _overlap(predicted, [boxes[:, t, k, None, None, None] for k in range(4)])
            np.maximum(best, np.where(valid[:, t, None, None, None], common, 0), out=best)
        self.objects = np.where(best > scalar_type(attrs["ignore_thresh"]), scalar_type(-1), scalar_type(0))
        self.match = np.full(labels.shape, -1, "int32")
        smooth = min(1.0 / classes, 1.0 / 40) if attrs["use_label_smooth"] else 0.0
        n, t = np.nonzero(valid)
        shapes, sizes = (anchors / pixels).T, boxes[n, t, 2:].T[..., None]
        zero = scalar_type(0)
        best_anchor = _overlap((zero, zero, *shapes), (zero, zero, *sizes)).argmax(1)
        heads = np.asarray([self.mask.index(k) if k in self.mask else -1 for k in range(len(anchors))])
        ours = heads[best_anchor] >= 0
        n, t, best_anchor = n[ours], t[ours], best_anchor[ours]
        a, box_of, score_of = heads[best_anchor], boxes[n, t], scores[n, t]
        self.match[n, t] = a
        with np.errstate(invalid="ignore"):  # a center that is no number is in no column: an IndexError
            column, row = (box_of[:, 0] * width).astype("int64"), (box_of[:, 1] * height).astype("int64")
        self.objects[n, a, row, column] = score_of
        self.target = np.full((len(n), 5 + classes), smooth, scalar_type)
        self.target[np.arange(len(n)), 5 + labels[n, t]] = 1 - smooth
        self.target[:, :2] = box_of[:, :2] * height - np.stack([column, row], 1)  # as in Paddle, for square images
        self.target[:, 2:4] = np.log(box_of[:, 2:] * pixels / anchors[best_anchor])
        self.image, self.of_place, self.of_class = n, (2 - box_of[:, 2] * box_of[:, 3]) * score_of, score_of
        first = np.ravel_multi_index((n, a, np.zeros_like(n), row % height, column % width), self.x.shape)
        self.cells = first[:, None] + np.arange(5 + classes) * (height * width)
        self.values = self.x.reshape(-1)[self.cells]

    def _matches(self, spans: np.ndarray, scale: float) -> list[np.ndarray]:
        """The boxes that the head gives, by center and size in parts of the image: four of [N, A, H, W]."""
        height, width = self.x.shape[-2:]
        scalar_type = self.x.dtype.type
        bias = scalar_type(-0.5 * (scale - 1))
        columns, rows = np.arange(width), np.arange(height)[:, None]
        x = (columns + _sigmoid(self.x[:, :, 0]) * scalar_type(scale) + bias) / scalar_type(height)
        y = (rows + _sigmoid(self.x[:, :, 1]) * scalar_type(scale) + bias) / scalar_type(height)
        widths, heights = (np.exp(self.x[:, :, 2 + k]) * spans[:, k, None, None] for k in range(2))
        return [plane.astype(self.x.dtype, copy=False) for plane in (x, y, widths, heights)]


def _sigmoid(v: Array) -> Array:
    return 1 / (1 + np.exp(-v))


def _entropy(v: Array, wanted: Array | int) -> Array:
    """Cross entropy of the sigmoid of ``v``."""
    return np.maximum(v, 0) - v * wanted + np.log1p(np.exp(-np.abs(v)))


@yolo_loss_op.kernel
def _(xp: Any, x: Any, box: Any, label: Any, score: Any, **attrs: Any) -> Any:
    wanted = _Wanted(xp, x, box, label, score, attrs)
    head, objects = wanted.x[:, :, 4], wanted.objects
    loss = np.where(objects > 1e-5, _entropy(head, 1) * objects, np.where(objects > -0.5, _entropy(head, 0), 0)).sum((1, 2, 3))
    v, target = wanted.values, wanted.target
    box_losses = (_entropy(v[:, :2], target[:, :2]).sum(1) + np.abs(v[:, 2:4] - target[:, 2:4]).sum(1)) * wanted.of_place
    class_losses = _entropy(v[:, 5:], target[:, 5:]).sum(1) * wanted.of_class
    np.add.at(loss, np.repeat(wanted.image, 2), np.stack([box_losses, class_losses], 1).ravel())
    dtype = x.dtype.name
    return xp.asarray(loss.astype(dtype)), xp.asarray(objects.astype(dtype)), xp.asarray(wanted.match)


@yolo_loss_op.may_raise
def _(x: Any, box: Any, label: Any, score: Any, **attrs: Any) -> bool:
    return True  # boxes outside of the image, labels that are no class


@yolo_loss_op.grad
def _(ctx: Any, g: Any, *_: Any) -> Any:
    x, box, label, score = ctx.inputs
    return (yolo_loss_grad(x, box, label, score, g, **ctx.attrs) if ctx.needs[0] else None), None, None, None


@op(f"yolo_loss_grad(X, GTBox, GTLabel, GTScore?, G -> DX) {_ATTRS}", file=None, traits="may_raise")
def yolo_loss_grad(
    x: Tensor, gt_box: Tensor, gt_label: Tensor, gt_score: Tensor | None, g: Tensor, **attrs: AttrValue
) -> Tensor:
    """The gradient of `yolo_loss` by what the head gives. It has none of its own, as in Paddle."""
    return yolo_loss_grad.emit(x, gt_box, gt_label, gt_score, g, **attrs)


@yolo_loss_grad.infer
def _(x: TensorSpec, box: Any, label: Any, score: Any, g: TensorSpec, **attrs: Any) -> TensorSpec:
    return x


@yolo_loss_grad.kernel
def _(xp: Any, x: Any, box: Any, label: Any, score: Any, g: Any, **attrs: Any) -> Any:
    wanted = _Wanted(xp, x, box, label, score, attrs)
    head, objects = wanted.x[:, :, 4], wanted.objects
    dx = np.zeros_like(wanted.x)
    dx[:, :, 4] = np.where(
        objects > 1e-5, (_sigmoid(head) - 1) * objects, np.where(objects > -0.5, _sigmoid(head), 0)
    )  # fmt: skip
    v, target, of_place, of_class = wanted.values, wanted.target, wanted.of_place[:, None], wanted.of_class[:, None]
    added = np.zeros_like(v)
    added[:, :2] = (_sigmoid(v[:, :2]) - target[:, :2]) * of_place
    added[:, 2:4] = np.sign(v[:, 2:4] - target[:, 2:4]) * of_place
    added[:, 5:] = (_sigmoid(v[:, 5:]) - target[:, 5:]) * of_class
    np.add.at(dx.reshape(-1), wanted.cells.ravel(), added.ravel())
    return xp.asarray(dx.reshape(x.shape).astype(x.dtype.name)) * g[:, None, None, None]


@yolo_loss_grad.grad
def _(ctx: Any, g: Any) -> Any:
    raise AutogradError("yolo_loss: it has no gradients of gradients, as in Paddle")


def yolo_loss(
    x: Tensor,
    gt_box: Any,
    gt_label: Any,
    anchors: Any,
    anchor_mask: Any,
    class_num: int,
    ignore_thresh: float,
    downsample_ratio: int,
    gt_score: Any = None,
    use_label_smooth: bool = True,
    name: str | None = None,
    scale_x_y: float = 1.0,
) -> Tensor:
    """The loss of one head of YOLOv3, for each image.

    Args:
        x: [N, A * (5 + class_num), H, W], what the head gives for its A anchors.
        gt_box: [N, B, 4], the boxes of each image by center and size in parts of the image; one without size is none.
        gt_label: int32 [N, B], their classes. gt_score: [N, B], how much each counts (default 1).
        anchors: widths and heights of all anchors in pixels. anchor_mask: the numbers of those of this head.
        ignore_thresh: a box that overlaps a true one by more than this is no mistake. downsample_ratio: pixels of the network's
            input per place. use_label_smooth: classes are wanted by a little less than 1. scale_x_y: how far centers reach.

    Returns [N]. Gradients flow to ``x`` only. Raises ShapeError, DTypeError.

    Example:
        >>> loss = paddle.vision.ops.yolo_loss(x, boxes, labels, [10, 13, 16, 30], [0, 1], 2, 0.7, 8)
    """
    return yolo_loss_op(
        x, gt_box, gt_label, gt_score, anchors, anchor_mask, class_num, ignore_thresh, downsample_ratio, use_label_smooth, scale_x_y
    )[0]


_HEAD: dict[str, Any] = {
    "anchors": [10, 13, 16, 30, 33, 23], "anchor_mask": [0, 2], "class_num": 3, "ignore_thresh": 0.5, "downsample_ratio": 8,
    "use_label_smooth": True, "scale_x_y": 1.0,
}  # fmt: skip


def _truth() -> list[np.ndarray]:
    boxes = f32(2, 4, 4, low=0.1, high=0.9)
    boxes[1, 2, 2] = 0  # none
    boxes[..., 2:] *= np.asarray([0.5, 0.6, 0.9, 1.1], "float32")[None, :, None]
    return [boxes, np.asarray([[0, 2, 1, 1], [2, 2, 0, 1]], "int32")]


_BARE = _HEAD | {"use_label_smooth": False, "scale_x_y": float(np.float32(1.1)), "anchor_mask": [0, 1, 2]}
yolo_loss_op.samples(
    lambda: [
        Sample(f32(2, 16, 4, 4), *_truth(), None, grad=(0,), second=False, **_HEAD),
        Sample(f32(2, 24, 5, 5), *_truth(), f32(2, 4, low=0.2, high=1), grad=(0,), second=False, **_BARE),
    ]
)
yolo_loss_grad.samples(lambda: [Sample(f32(2, 16, 4, 4), *_truth(), None, f32(2), grad=(), **_HEAD)])
