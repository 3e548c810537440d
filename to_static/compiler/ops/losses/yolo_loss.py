"""The loss of YOLOv3 (yolo_loss): which boxes a head should have found, and how far it is from them.

Source: Redmon and Farhadi, "YOLOv3: An Incremental Improvement".
"""

from __future__ import annotations

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


def _overlap(first: Array, second: Array) -> np.ndarray:
    """Intersection over union of boxes by center and size, whose last dimensions broadcast."""
    low = np.maximum(first[..., :2] - first[..., 2:] / 2, second[..., :2] - second[..., 2:] / 2)
    high = np.minimum(first[..., :2] + first[..., 2:] / 2, second[..., :2] + second[..., 2:] / 2)
    spans = high - low
    common = np.where((spans < 0).any(-1), 0, spans[..., 0] * spans[..., 1])
    return common / (first[..., 2] * first[..., 3] + second[..., 2] * second[..., 3] - common)


class _Wanted:
    """The targets of one detection head.

    ``x``: [N, A, 5 + classes, H, W]. ``objects``: [N, A, H, W]: the score of the box that is there; 0 for nothing, -1 where the
    head is not to blame for finding one. ``match``: [N, B]: the anchor of each box, or -1. ``rows``: for each box with an anchor
    its place in ``x`` (image, anchor, row, column), what should stand there [5 + classes], and weights (of place, of classes).
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
        common = _overlap(predicted[:, None], boxes[:, :, None, None, None, :])
        best = np.where(valid[:, :, None, None, None], common, 0).max(1, initial=0)
        self.objects = np.where(best > scalar_type(attrs["ignore_thresh"]), scalar_type(-1), scalar_type(0))
        self.match = np.full(labels.shape, -1, "int32")
        self.rows: list[tuple[tuple[int, int, int, int], np.ndarray, float, float]] = []
        smooth = min(1.0 / classes, 1.0 / 40) if attrs["use_label_smooth"] else 0.0
        shapes = np.concatenate([np.zeros_like(anchors), anchors / pixels], 1)
        for n, t in zip(*np.nonzero(valid), strict=True):
            is_inside = boxes[n, t]
            anchor = int(_overlap(shapes, np.concatenate([np.zeros(2, scalar_type), is_inside[2:]])).argmax())
            if anchor not in self.mask:
                continue
            a = self.match[n, t] = self.mask.index(anchor)
            column, row = int(is_inside[0] * width), int(is_inside[1] * height)
            self.objects[n, a, row, column] = scores[n, t]
            target = np.full(5 + classes, smooth, scalar_type)
            target[5 + labels[n, t]] = 1 - smooth
            target[:2] = is_inside[:2] * height - (column, row)  # as in Paddle, for square images
            target[2:4] = np.log(is_inside[2:] * pixels / anchors[anchor])
            self.rows.append(((n, a, row, column), target, (2 - is_inside[2] * is_inside[3]) * scores[n, t], scores[n, t]))

    def _matches(self, spans: np.ndarray, scale: float) -> np.ndarray:
        """The boxes that the head gives, by center and size in parts of the image: [N, A, H, W, 4]."""
        height, width = self.x.shape[-2:]
        scalar_type = self.x.dtype.type
        bias = scalar_type(-0.5 * (scale - 1))
        columns, rows = np.arange(width), np.arange(height)[:, None]
        x = (columns + _sigmoid(self.x[:, :, 0]) * scalar_type(scale) + bias) / scalar_type(height)
        y = (rows + _sigmoid(self.x[:, :, 1]) * scalar_type(scale) + bias) / scalar_type(height)
        widths, heights = (np.exp(self.x[:, :, 2 + k]) * spans[:, k, None, None] for k in range(2))
        return np.stack([x, y, widths, heights], -1).astype(self.x.dtype)


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
    for (n, a, row, column), target, of_place, of_class in wanted.rows:
        v = wanted.x[n, a, :, row, column]
        loss[n] += (_entropy(v[:2], target[:2]).sum() + np.abs(v[2:4] - target[2:4]).sum()) * of_place
        loss[n] += _entropy(v[5:], target[5:]).sum() * of_class
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
    for (n, a, row, column), target, of_place, of_class in wanted.rows:
        v = wanted.x[n, a, :, row, column]
        cell = dx[n, a, :, row, column]
        cell[:2] += (_sigmoid(v[:2]) - target[:2]) * of_place
        cell[2:4] += np.sign(v[2:4] - target[2:4]) * of_place
        cell[5:] += (_sigmoid(v[5:]) - target[5:]) * of_class
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
