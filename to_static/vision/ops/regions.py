"""What stands in regions of feature maps, as functions and as Layers."""

from __future__ import annotations

from typing import Any

from to_static.ops import rules
from to_static.ops.regions import roi_align_op, roi_pool_op


def roi_align(
    x: Any, boxes: Any, boxes_num: Any, output_size: Any, spatial_scale: float = 1.0, sampling_ratio: int = -1,
    aligned: bool = True, name: Any = None,
) -> Any:  # fmt: skip
    """What stands in boxes, as grids of averages of bilinear samples.

    Args:
        x: feature maps [N, C, H, W]. boxes: [R, 4], corners in pixels, those of the first image first.
        boxes_num: int32 [N], how many boxes each image has. output_size: an integer, or (height, width).
        spatial_scale: what corners are multiplied by. sampling_ratio: points per row and column of a part (-1: as many as it
            has elements). aligned: corners are points between elements, not elements.

    Returns [R, C, height, width]. Gradients flow to ``x`` only, as in Paddle. Raises ShapeError, DTypeError.

    Example:
        >>> paddle.vision.ops.roi_align(features, boxes, boxes_num, 7, 1 / 16)

    Source: He et al., "Mask R-CNN".
    """
    height, width = rules.pair(output_size, 2, "roi_align output_size")
    return roi_align_op(x, boxes, boxes_num, height, width, spatial_scale, sampling_ratio, aligned)


def roi_pool(
    x: Any, boxes: Any, boxes_num: Any, output_size: Any, spatial_scale: float = 1.0, name: Any = None
) -> Any:
    """What stands in boxes, as grids of maxima. Arguments, result and errors are those of `roi_align`.

    Example:
        >>> paddle.vision.ops.roi_pool(features, boxes, boxes_num, 7, 1 / 16)

    Source: Girshick, "Fast R-CNN".
    """
    height, width = rules.pair(output_size, 2, "roi_pool output_size")
    return roi_pool_op(x, boxes, boxes_num, height, width, spatial_scale)[0]
