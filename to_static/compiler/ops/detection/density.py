"""Prior boxes that are denser the smaller they are (density_prior_box).

Source: Zhang et al., "FaceBoxes: A CPU Real-time Face Detector with High Accuracy" (2017).
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, Sample, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import ShapeError


@op(
    "density_prior_box(Input, Image -> Boxes, Variances) densities:ints fixed_sizes:floats fixed_ratios:floats variances:floats "
    "clip:bool step_w:float step_h:float offset:float flatten_to_2d:bool",
    traits="nodiff",
)
def density_prior_box(
    input: Tensor,
    image: Tensor,
    densities: list[int],
    fixed_sizes: list[float],
    fixed_ratios: list[float],
    variances: list[float],
    clip: bool = True,
    step_w: float = 0.0,
    step_h: float = 0.0,
    offset: float = 0.5,
    flatten_to_2d: bool = False,
) -> tuple[Tensor, ...]:
    """Boxes [H, W, P, 4] around each place of a feature map ``input`` [N, C, H, W], as parts of the ``image``, and variances.

    Each of ``fixed_sizes`` comes in each of ``fixed_ratios``, ``density`` times ``density`` times in the space of a place.
    ``step_w``, ``step_h``: the size of that space; 0: the image by the map. ``flatten_to_2d``: results are [H * W * P, 4].
    """
    return density_prior_box.emit(
        input, image, densities=list(densities), fixed_sizes=list(fixed_sizes), fixed_ratios=list(fixed_ratios),
        variances=list(variances), clip=bool(clip), step_w=float(step_w), step_h=float(step_h), offset=float(offset),
        flatten_to_2d=bool(flatten_to_2d),
    )  # fmt: skip


def _count(attrs: dict[str, Any]) -> int:
    return len(attrs["fixed_ratios"]) * sum(density * density for density in attrs["densities"])


@density_prior_box.infer
def _(x: TensorSpec, image: TensorSpec, **attrs: Any) -> tuple[TensorSpec, ...]:
    if x.ndim != 4 or image.ndim != 4:
        raise ShapeError(f"density_prior_box: expected 4 dimensions, got {show(x.shape)} and {show(image.shape)}")
    if len(attrs["densities"]) != len(attrs["fixed_sizes"]) or min(attrs["densities"], default=0) < 1:
        raise ShapeError(f"density_prior_box: expected a positive density for each size, got {attrs['densities']}")
    if len(attrs["variances"]) != 4 or min(attrs["fixed_ratios"], default=0) <= 0:
        raise ShapeError(f"density_prior_box: expected 4 variances and positive ratios, got {attrs['fixed_ratios']}")
    spec = dtype_checks.need_float(x, "density_prior_box")
    height, width = x.shape[2:]
    if attrs["flatten_to_2d"]:
        rows = -1 if -1 in (height, width) else height * width * _count(attrs)
        return spec.with_shape((rows, 4)), spec.with_shape((rows, 4))
    out = spec.with_shape((height, width, _count(attrs), 4))
    return out, out


@density_prior_box.kernel
def _(xp: ArrayModule, x: Array, image: Array, **attrs: AttrValue) -> tuple[Array, ...]:
    settings: dict[str, Any] = attrs
    (height, width), (image_height, image_width) = x.shape[2:], image.shape[2:]
    step_w, step_h = settings["step_w"], settings["step_h"]
    if not step_w or not step_h:
        step_w, step_h = image_width / width, image_height / height
    space = int((step_w + step_h) * 0.5)
    spread = []  # of each box the distance of its center from that of the place, and half its size
    for size, density in zip(settings["fixed_sizes"], settings["densities"], strict=True):
        shift = space // density
        first = -space / 2 + shift / 2
        for ratio in settings["fixed_ratios"]:
            halves = size * sqrt(ratio) / 2, size / sqrt(ratio) / 2
            spread += [(first + j * shift, first + i * shift, *halves) for i in range(density) for j in range(density)]
    dx, dy, half_w, half_h = np.asarray(spread).T
    across = (np.arange(width) + settings["offset"])[None, :, None] * step_w + dx
    down = (np.arange(height) + settings["offset"])[:, None, None] * step_h + dy
    boxes = np.empty((height, width, len(spread), 4))
    boxes[..., 0] = np.maximum((across - half_w) / image_width, 0)
    boxes[..., 1] = np.maximum((down - half_h) / image_height, 0)
    boxes[..., 2] = np.minimum((across + half_w) / image_width, 1)
    boxes[..., 3] = np.minimum((down + half_h) / image_height, 1)
    if settings["clip"]:
        boxes = boxes.clip(0, 1)
    variances = np.broadcast_to(np.asarray(settings["variances"]), boxes.shape)
    results = boxes.astype(x.dtype), variances.astype(x.dtype)
    return tuple(xp.asarray(a.reshape(-1, 4) if settings["flatten_to_2d"] else a) for a in results)


_SPREAD: dict[str, Any] = {
    "densities": [2, 1], "fixed_sizes": [4.0, 12.0], "fixed_ratios": [1.0, 2.0], "variances": [0.1, 0.1, 0.2, 0.2], "clip": False,
    "step_w": 0.0, "step_h": 0.0, "offset": 0.5,
}  # fmt: skip
density_prior_box.samples(
    lambda: [
        Sample(f32(1, 2, 3, 4), f32(1, 3, 24, 40), flatten_to_2d=False, **_SPREAD),
        Sample(f32(1, 2, 3, 4), f32(1, 3, 24, 40), flatten_to_2d=True, **_SPREAD),
    ]
)
