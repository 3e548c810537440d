"""Operators that make, encode and decode boxes (prior_box, box_coder, yolo_box). They have no gradients, as in Paddle."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, prod, sqrt
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import arguments, dtype_checks
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array
from to_static.core.errors import ArgumentError, DTypeError, ShapeError

_PRIOR = (
    "min_sizes:floats max_sizes:floats aspect_ratios:floats variances:floats flip:bool clip:bool step_w:float step_h:float "
    "offset:float min_max_aspect_ratios_order:bool"
)


def _floats(values: list[float]) -> list[float]:
    return [float(np.float32(v)) for v in ([values] if isinstance(values, (int, float)) else values)]


def _ratios(attrs: dict[str, Any]) -> list[float]:
    """1, and each other ratio once, with its inverse where boxes are turned."""
    ratios = [1.0]
    for ratio in attrs["aspect_ratios"]:
        if all(abs(ratio - accepted) >= 1e-6 for accepted in ratios):
            ratios += [ratio, 1.0 / ratio] if attrs["flip"] else [ratio]
    return ratios


def _shapes(attrs: dict[str, Any]) -> list[tuple[float, float]]:
    """Half width and half height of each box of a place."""
    shapes = []
    ratios = _ratios(attrs)
    for k, size in enumerate(attrs["min_sizes"]):
        half_sizes = [(size * sqrt(r) / 2, size / sqrt(r) / 2) for r in ratios]
        if attrs["max_sizes"]:
            half_size = sqrt(size * attrs["max_sizes"][k]) / 2
            half_sizes.insert(1 if attrs["min_max_aspect_ratios_order"] else len(half_sizes), (half_size, half_size))
        shapes += half_sizes
    return shapes


@op(f"prior_box(Input, Image -> Boxes, Variances) {_PRIOR}", traits="nodiff")
def prior_box_op(input: Tensor, image: Tensor, **attrs: AttrValue) -> tuple[Tensor, ...]:
    """The boxes around each place of a feature map; see `paddle.vision.ops.prior_box`."""
    return prior_box_op.emit(input, image, **attrs)


@prior_box_op.infer
def _(x: TensorSpec, image: TensorSpec, **attrs: Any) -> Any:
    if x.ndim != 4 or image.ndim != 4:
        raise ShapeError(
            f"prior_box: expected a feature map and an image of 4 dimensions, got {show(x.shape)} and "
            f"{show(image.shape)}"
        )
    if attrs["max_sizes"] and len(attrs["max_sizes"]) != len(attrs["min_sizes"]):
        raise ShapeError(f"prior_box: expected as many max_sizes as min_sizes, got {attrs['max_sizes']}")
    if not attrs["min_sizes"] or min(attrs["min_sizes"]) <= 0 or any(r <= 0 for r in attrs["aspect_ratios"]):
        raise ShapeError("prior_box: min_sizes and aspect_ratios must be positive")
    if len(attrs["variances"]) != 4:
        raise ShapeError(f"prior_box: expected 4 variances, got {attrs['variances']}")
    out = dtype_checks.need_float(x, "prior_box").with_shape((*x.shape[2:], len(_shapes(attrs)), 4))
    return out, out


@prior_box_op.kernel
def _(xp: Any, x: Any, image: Any, **attrs: Any) -> Any:
    (height, width), (image_height, image_width) = x.shape[2:], image.shape[2:]
    step_w, step_h = attrs["step_w"], attrs["step_h"]
    if not step_w or not step_h:
        step_w, step_h = image_width / width, image_height / height
    across = (np.arange(width) + attrs["offset"]) * step_w
    down = (np.arange(height) + attrs["offset"]) * step_h
    halves = np.asarray(_shapes(attrs))
    boxes = np.empty((height, width, len(halves), 4))
    boxes[..., 0] = (across[None, :, None] - halves[:, 0]) / image_width
    boxes[..., 1] = (down[:, None, None] - halves[:, 1]) / image_height
    boxes[..., 2] = (across[None, :, None] + halves[:, 0]) / image_width
    boxes[..., 3] = (down[:, None, None] + halves[:, 1]) / image_height
    if attrs["clip"]:
        boxes = boxes.clip(0, 1)
    spread = np.broadcast_to(np.asarray(attrs["variances"]), boxes.shape)
    return xp.asarray(boxes.astype(x.dtype)), xp.asarray(spread.astype(x.dtype))


@prior_box_op.from_file
def _(r: Any) -> Any:
    return prior_box_op(
        r.input("Input"), r.input("Image"), min_sizes=list(r.attr("min_sizes", [])), max_sizes=list(r.attr("max_sizes", [])),
        aspect_ratios=list(r.attr("aspect_ratios", [1.0])), variances=list(r.attr("variances", [0.1, 0.1, 0.2, 0.2])),
        flip=r.attr("flip", False), clip=r.attr("clip", False), step_w=r.attr("step_w", 0.0), step_h=r.attr("step_h", 0.0),
        offset=r.attr("offset", 0.5), min_max_aspect_ratios_order=r.attr("min_max_aspect_ratios_order", False),
    )  # fmt: skip


@op(
    "anchor_generator(Input -> Anchors, Variances) anchor_sizes:floats aspect_ratios:floats variances:floats stride:floats "
    "offset:float",
    traits="nodiff",
)
def anchor_generator(
    input: Any,
    anchor_sizes: Any,
    aspect_ratios: Any = (1.0,),
    variances: Any = (0.1, 0.1, 0.2, 0.2),
    stride: Any = (16.0, 16.0),
    offset: float = 0.5,
) -> Any:
    """Boxes in pixels around each place of the feature map ``input`` [N, C, H, W] (Faster R-CNN; an operator only in Paddle).

    Args:
        anchor_sizes: sizes in pixels. aspect_ratios: height over width; each size is there with each of them.
        variances: 4 numbers that belong to the boxes. stride: pixels between places, (width, height). offset: of the first place.

    Returns the boxes and their variances, [H, W, boxes of a place, 4] each, of the dtype of ``input``.

    Example:
        >>> boxes, variances = _legacy_C_ops.anchor_generator(features, 'anchor_sizes', [32.0, 64.0], 'stride', [16.0, 16.0])
    """
    lists = {
        "anchor_sizes": anchor_sizes, "aspect_ratios": aspect_ratios, "variances": variances, "stride": stride, "offset": offset
    }  # fmt: skip
    return anchor_generator.emit(input, **lists)


@anchor_generator.infer
def _(x: TensorSpec, anchor_sizes: Any, aspect_ratios: Any, variances: Any, stride: Any, offset: float) -> Any:
    if x.ndim != 4:
        raise ShapeError(f"anchor_generator: expected a feature map of 4 dimensions, got {show(x.shape)}")
    if len(variances) != 4 or len(stride) != 2:
        got = f"{list(variances)} and {list(stride)}"
        raise ShapeError(f"anchor_generator: expected 4 variances and 2 numbers as stride, got {got}")
    out = dtype_checks.need_float(x, "anchor_generator").with_shape((*x.shape[2:], len(anchor_sizes) * len(aspect_ratios), 4))
    return out, out


@anchor_generator.kernel
def _(xp: Any, x: Any, anchor_sizes: Any, aspect_ratios: Any, variances: Any, stride: Any, offset: float) -> Any:
    (height, width), (across, down) = x.shape[2:], stride
    half_sizes = []  # of width and height, from the centres of the first to those of the last pixels
    for ratio in aspect_ratios:
        base = floor(sqrt(across * down / ratio) + 0.5)
        half_sizes += [((s / across * base - 1) / 2, (s / down * floor(base * ratio + 0.5) - 1) / 2) for s in anchor_sizes]
    sizes = np.asarray(half_sizes)
    centres = np.empty((height, width, 1, 2))
    centres[..., 0] = (np.arange(width) * across + offset * (across - 1))[None, :, None]
    centres[..., 1] = (np.arange(height) * down + offset * (down - 1))[:, None, None]
    boxes = np.concatenate([centres - sizes, centres + sizes], -1)
    spread = np.broadcast_to(np.asarray(variances), boxes.shape)
    return xp.asarray(boxes.astype(x.dtype)), xp.asarray(spread.astype(x.dtype))


def prior_box(
    input: Any, image: Any, min_sizes: Any, max_sizes: Any = None, aspect_ratios: Any = (1.0,),
    variance: Any = (0.1, 0.1, 0.2, 0.2), flip: bool = False, clip: bool = False, steps: Any = (0.0, 0.0),
    offset: float = 0.5, min_max_aspect_ratios_order: bool = False, name: str | None = None,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Boxes around each place of the feature map ``input`` [N, C, H, W], in parts of the ``image`` [N, C, H', W'] (SSD).

    Args:
        min_sizes: sizes in pixels, a number or several; max_sizes: as many larger ones, or None.
        aspect_ratios: width over height; flip: the inverse of each, too.
        variance: 4 numbers that belong to the boxes. clip: keep boxes between 0 and 1.
        steps: pixels between places, (width, height); 0: as the sizes say. offset: of the first place, in steps.
        min_max_aspect_ratios_order: the boxes of max_sizes come before those of aspect_ratios.

    Returns the boxes and their variances, [H, W, boxes of a place, 4] each, of the dtype of ``input``.
    Raises ShapeError when sizes do not fit.

    Example:
        >>> features, image = paddle.ones([1, 8, 4, 4]), paddle.ones([1, 3, 32, 32])
        >>> boxes, variances = paddle.vision.ops.prior_box(features, image, [8.0], [20.0], [1.0, 2.0])
        >>> boxes.shape
        [4, 4, 3, 4]

    Source: Liu et al., "SSD: Single Shot MultiBox Detector".
    """
    return prior_box_op(
        input, image, min_sizes=_floats(min_sizes), max_sizes=_floats(max_sizes or []),
        aspect_ratios=_floats(aspect_ratios), variances=_floats(variance), flip=bool(flip), clip=bool(clip),
        step_w=float(steps[0]), step_h=float(steps[1]), offset=float(np.float32(offset)),
        min_max_aspect_ratios_order=bool(min_max_aspect_ratios_order),
    )  # fmt: skip


# codes ---------------------------------------------------------------------------------------------------------------


@op(
    "box_coder(PriorBox, PriorBoxVar?, TargetBox -> OutputBox) code_type:str box_normalized:bool axis:int variance:floats",
    traits="nodiff check_shapes",
)
def box_coder_op(
    prior: Tensor,
    var: Tensor | None,
    target: Tensor,
    code_type: str,
    box_normalized: bool,
    axis: int,
    variance: Sequence[float],
) -> Tensor:
    """Boxes relative to prior ones, or back; see `paddle.vision.ops.box_coder`."""
    return box_coder_op.emit(
        prior, var, target, code_type=code_type, box_normalized=box_normalized, axis=axis, variance=variance
    )


@box_coder_op.infer
def _(
    prior: TensorSpec, var: Any, target: TensorSpec, code_type: str, box_normalized: bool, axis: int, variance: Any
) -> Any:
    encode = code_type == "encode_center_size"
    if not encode and code_type != "decode_center_size":
        raise ArgumentError(f"box_coder: code_type must be 'encode_center_size' or 'decode_center_size', got {code_type!r}")
    if prior.ndim != 2 or target.ndim != (2 if encode else 3) or axis not in (0, 1) or len(variance) not in (0, 4):
        raise ShapeError(
            f"box_coder: expected prior boxes [M, 4], {'boxes [N, 4]' if encode else 'codes [N, M, 4]'}, an axis 0 or 1 and 0 or 4 "
            f"variances, got {show(prior.shape)}, {show(target.shape)}, {axis} and {len(variance)}"
        )
    dtype_checks.need_one_dtype("box_coder", dtype_checks.need_float(target, "box_coder"), prior, var)
    count = prior.shape[0]
    if encode:
        return target.with_shape((target.shape[0], count, 4))
    if UNKNOWN not in (count, target.shape[1 - axis]) and target.shape[1 - axis] != count:
        raise ShapeError(f"box_coder: {count} prior boxes do not fit codes {show(target.shape)} along axis {1 - axis}")
    return target


def _centers(boxes: Array, normalized: bool) -> tuple[Any, Any, Any, Any]:
    """Width, height and center of boxes."""
    more = 0 if normalized else 1
    width, height = boxes[..., 2] - boxes[..., 0] + more, boxes[..., 3] - boxes[..., 1] + more
    return width, height, boxes[..., 0] + width / 2, boxes[..., 1] + height / 2


@box_coder_op.kernel
def _(
    xp: Any, prior: Any, var: Any, target: Any, code_type: str, box_normalized: bool, axis: int, variance: Any
) -> Any:
    width, height, x, y = _centers(prior, box_normalized)
    spread = xp.asarray(np.asarray(variance or [1.0] * 4, target.dtype)) if var is None else var
    if code_type == "encode_center_size":
        w, h, _, _ = _centers(target, box_normalized)
        cx, cy = (target[:, 2] + target[:, 0]) / 2, (target[:, 3] + target[:, 1]) / 2
        parts = [
            (cx[:, None] - x) / width, (cy[:, None] - y) / height,
            xp.log(xp.abs(w[:, None] / width)), xp.log(xp.abs(h[:, None] / height)),
        ]  # fmt: skip
        return (xp.stack(parts, -1) / spread).astype(target.dtype, copy=False)
    at = (None, slice(None)) if axis == 0 else (slice(None), None)
    width, height, x, y = width[at], height[at], x[at], y[at]
    code = target * (spread if var is None else spread[at])
    w, h = xp.exp(code[..., 2]) * width, xp.exp(code[..., 3]) * height
    cx, cy = code[..., 0] * width + x, code[..., 1] * height + y
    less = 0 if box_normalized else 1
    return xp.stack([cx - w / 2, cy - h / 2, cx + w / 2 - less, cy + h / 2 - less], -1).astype(target.dtype, copy=False)


@box_coder_op.from_file
def _(r: Any) -> Any:
    return box_coder_op(
        r.input("PriorBox"), r.input("PriorBoxVar"), r.input("TargetBox"), r.attr("code_type", "encode_center_size"),
        r.attr("box_normalized", True), r.attr("axis", 0), list(r.attr("variance", [])),
    )  # fmt: skip


def box_coder(
    prior_box: Any,
    prior_box_var: Any,
    target_box: Any,
    code_type: str = "encode_center_size",
    box_normalized: bool = True,
    axis: int = 0,
    name: str | None = None,
) -> Tensor:
    """Boxes as centers and sizes relative to prior boxes, or ('decode_center_size') such codes as boxes again.

    Args:
        prior_box: [M, 4], corners. prior_box_var: what codes are divided by: [M, 4], a list of 4 numbers, or None.
        target_box: boxes [N, 4] to encode, or codes [N, M, 4] ([M, N, 4] for ``axis`` 1) to decode.
        box_normalized: coordinates are fractions of the image; False: pixels, and the last pixel of a box is part of it.

    Returns codes [N, M, 4], or boxes shaped as the codes. Raises ShapeError when shapes do not fit.

    ``code_type``: 'encode_center_size' (default) or 'decode_center_size'.

    Example:
        >>> priors, boxes = paddle.to_tensor([[0.0, 0.0, 10.0, 10.0]]), paddle.to_tensor([[1.0, 1.0, 11.0, 11.0]])
        >>> paddle.vision.ops.box_coder(priors, [0.1, 0.1, 0.2, 0.2], boxes).tolist()
        [[[1.0, 1.0, 0.0, 0.0]]]
    """
    is_variance_list = isinstance(prior_box_var, (list, tuple))
    return box_coder_op(
        prior_box, None if is_variance_list else prior_box_var, target_box, code_type, bool(box_normalized), int(axis),
        _floats(prior_box_var) if is_variance_list else [],
    )  # fmt: skip


# yolo ----------------------------------------------------------------------------------------------------------------


@op(
    "yolo_box(X, ImgSize -> Boxes, Scores) anchors:ints class_num:int conf_thresh:float downsample_ratio:int clip_bbox:bool "
    "scale_x_y:float iou_aware:bool iou_aware_factor:float",
    traits="nodiff",
)
def yolo_box(
    x: Tensor,
    img_size: Tensor,
    anchors: Sequence[int],
    class_num: int,
    conf_thresh: float,
    downsample_ratio: int,
    clip_bbox: bool = True,
    name: str | None = None,
    scale_x_y: float = 1.0,
    iou_aware: bool = False,
    iou_aware_factor: float = 0.5,
) -> tuple[Tensor, ...]:
    """Boxes and scores from what a YOLOv3 head gives.

    Args:
        x: [N, A * (5 + class_num), H, W] for A anchors (with ``iou_aware`` A more channels, in front).
        img_size: int32 [N, 2], height and width of the images. anchors: 2 * A numbers, width and height in pixels.
        conf_thresh: boxes of less confidence are zeros. downsample_ratio: pixels of the network's input per place.
        clip_bbox: keep boxes inside of the image. scale_x_y: how far centers reach.
        iou_aware_factor: how much the predicted overlap counts in the confidence.

    Returns boxes [N, A * H * W, 4] (corners, in pixels) and scores [N, A * H * W, class_num]. Raises ShapeError when shapes
    do not fit.

    Example:
        >>> boxes, scores = paddle.vision.ops.yolo_box(x, size, [10, 13, 16, 30], 4, 0.01, 32)

    Source: Redmon and Farhadi, "YOLOv3: An Incremental Improvement".
    """
    return yolo_box.emit(
        x, img_size, anchors=arguments.int_list(anchors), class_num=int(class_num), conf_thresh=float(np.float32(conf_thresh)),
        downsample_ratio=int(downsample_ratio), clip_bbox=bool(clip_bbox), scale_x_y=float(np.float32(scale_x_y)),
        iou_aware=bool(iou_aware), iou_aware_factor=float(np.float32(iou_aware_factor)),
    )  # fmt: skip


@yolo_box.infer
def _(x: TensorSpec, size: TensorSpec, anchors: Any, class_num: int, iou_aware: bool, **attrs: Any) -> Any:
    dtype_checks.need_float(x, "yolo_box")
    if not size.dtype.is_integer:
        raise DTypeError(f"yolo_box: img_size must be int32, got {size.dtype.name}")
    count = len(anchors) // 2
    channels = count * (5 + class_num + iou_aware)
    if x.ndim != 4 or size.ndim != 2 or len(anchors) % 2 or not anchors or x.shape[1] not in (channels, UNKNOWN):
        raise ShapeError(
            f"yolo_box: expected [N, {channels}, H, W] and sizes [N, 2] for {count} anchors and {class_num} classes, got "
            f"{show(x.shape)} and {show(size.shape)}"
        )
    positions = UNKNOWN if UNKNOWN in x.shape[2:] else count * x.shape[2] * x.shape[3]
    return x.with_shape((x.shape[0], positions, 4)), x.with_shape((x.shape[0], positions, class_num))


@yolo_box.kernel
def _(
    xp: Any,
    x: Any,
    size: Any,
    anchors: Any,
    class_num: int,
    conf_thresh: float,
    downsample_ratio: int,
    clip_bbox: bool,
    scale_x_y: float,
    iou_aware: bool,
    iou_aware_factor: float,
) -> Any:
    n, _, h, w = x.shape
    count = len(anchors) // 2
    scalar_type = x.dtype.type
    parts = x[:, count:] if iou_aware else x
    parts = parts.reshape(n, count, 5 + class_num, h, w)

    def sigmoid(v: Array) -> Array:
        return 1 / (1 + xp.exp(-v))

    confidence = sigmoid(parts[:, :, 4])
    if iou_aware:
        overlap = sigmoid(x[:, :count].reshape(n, count, h, w))
        confidence = confidence ** scalar_type(1 - iou_aware_factor) * overlap ** scalar_type(iou_aware_factor)
    confident = confidence >= scalar_type(conf_thresh)
    height, width = size[:, 0].astype(x.dtype)[:, None, None, None], size[:, 1].astype(x.dtype)[:, None, None, None]
    scale, bias = scalar_type(scale_x_y), scalar_type(-0.5 * (scale_x_y - 1))
    column, row = xp.arange(w).astype(x.dtype), xp.arange(h).astype(x.dtype)[:, None]
    cx = (column + sigmoid(parts[:, :, 0]) * scale + bias) * width / scalar_type(w)
    cy = (row + sigmoid(parts[:, :, 1]) * scale + bias) * height / scalar_type(h)
    spans = xp.asarray(np.asarray(anchors, x.dtype).reshape(count, 2))[None, :, :, None, None]
    bw = xp.exp(parts[:, :, 2]) * spans[:, :, 0] * width / scalar_type(downsample_ratio * w)
    bh = xp.exp(parts[:, :, 3]) * spans[:, :, 1] * height / scalar_type(downsample_ratio * h)
    left_edge, top, right, bottom = cx - bw / 2, cy - bh / 2, cx + bw / 2, cy + bh / 2
    if clip_bbox:
        left_edge, top = xp.maximum(left_edge, 0), xp.maximum(top, 0)
        right, bottom = xp.minimum(right, width - 1), xp.minimum(bottom, height - 1)
    boxes = xp.where(confident[..., None], xp.stack([left_edge, top, right, bottom], -1), scalar_type(0))
    scores = xp.where(confident[:, :, None], confidence[:, :, None] * sigmoid(parts[:, :, 5:]), scalar_type(0))
    rows = prod(scores.shape[1:2] + scores.shape[3:])
    return boxes.reshape(n, rows, 4), xp.moveaxis(scores, 2, -1).reshape(n, rows, class_num)


@yolo_box.from_file
def _(r: Any) -> Any:
    return yolo_box(
        r.input("X"), r.input("ImgSize"), r.attr("anchors", []), r.attr("class_num", 1), r.attr("conf_thresh", 0.01),
        r.attr("downsample_ratio", 32), r.attr("clip_bbox", True), None, r.attr("scale_x_y", 1.0), r.attr("iou_aware", False),
        r.attr("iou_aware_factor", 0.5),
    )  # fmt: skip


_SSD: dict[str, Any] = {
    "min_sizes": [8.0, 16.0], "max_sizes": [20.0, 32.0], "aspect_ratios": [1.0, 2.0, 0.5],
    "variances": _floats([0.1, 0.1, 0.2, 0.2]), "flip": True, "clip": True, "step_w": 0.0, "step_h": 0.0, "offset": 0.5,
    "min_max_aspect_ratios_order": False,
}  # fmt: skip
_ANCHORS: dict[str, Any] = {
    "anchor_sizes": [32.0, 50.0], "aspect_ratios": [0.5, 1.0, 3.0], "variances": _floats([0.1, 0.1, 0.2, 0.2]),
    "stride": [16.0, 16.0], "offset": 0.5,
}  # fmt: skip

prior_box_op.samples(
    lambda: [
        Sample(f32(1, 3, 4, 5), f32(1, 3, 32, 40), **_SSD),
        Sample(
            f32(1, 3, 4, 5), f32(1, 3, 32, 40),
            **(_SSD | {"clip": False, "step_w": 7.0, "step_h": 9.0, "min_max_aspect_ratios_order": True}),
        ),
    ]
)  # fmt: skip


def _corners(n: int, seed: int = 0) -> np.ndarray:
    low = f32(n, 2, low=0.1, high=1.0, seed=seed)
    return np.concatenate([low, low + f32(n, 2, low=0.2, high=1.0, seed=seed + 1)], 1)


_CODE: dict[str, Any] = {"code_type": "encode_center_size", "box_normalized": True, "axis": 0, "variance": []}
_DECODE = _CODE | {"code_type": "decode_center_size"}
anchor_generator.samples(
    lambda: [
        Sample(f32(1, 3, 4, 5), **_ANCHORS),
        Sample(f32(2, 3, 2, 1), **(_ANCHORS | {"stride": [8.0, 12.0], "offset": 0.0, "variances": [1.0] * 4})),
    ]
)

box_coder_op.samples(
    lambda: [
        Sample(_corners(5), None, _corners(3, 2), **(_CODE | {"variance": _floats([0.1, 0.1, 0.2, 0.2])})),
        Sample(_corners(5), f32(5, 4, low=0.1, high=1.0), _corners(3, 2), **(_CODE | {"box_normalized": False})),
        Sample(_corners(5), f32(5, 4, low=0.1, high=1.0), f32(3, 5, 4), **_DECODE),
        Sample(_corners(3), None, f32(3, 5, 4), **(_DECODE | {"axis": 1, "box_normalized": False, "variance": [0.5] * 4})),
    ]
)
_YOLO: dict[str, Any] = {
    "anchors": [10, 13, 16, 30], "class_num": 4, "conf_thresh": 0.25, "downsample_ratio": 8, "clip_bbox": True,
    "scale_x_y": float(np.float32(1.1)), "iou_aware": False, "iou_aware_factor": 0.5,
}  # fmt: skip
_PIXELS = np.asarray([[64, 60], [32, 48]], "int32")
yolo_box.samples(
    lambda: [
        Sample(f32(2, 18, 3, 4), _PIXELS, **_YOLO),
        Sample(f32(2, 20, 3, 4), _PIXELS, **(_YOLO | {"iou_aware": True, "clip_bbox": False})),
    ]
)
