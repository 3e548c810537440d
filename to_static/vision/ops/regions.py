"""Regions of feature maps cut out as grids, as functions and as Layers."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops import arguments
from to_static.compiler.ops.detection.psroi import psroi_pool_op
from to_static.compiler.ops.detection.regions import roi_align_op, roi_pool_op
from to_static.compiler.ops.shape_rules import show
from to_static.core.errors import ShapeError
from to_static.nn.layer import Layer


def roi_align(
    x: Any, boxes: Any, boxes_num: Any, output_size: Any, spatial_scale: float = 1.0, sampling_ratio: int = -1,
    aligned: bool = True, name: Any = None,
) -> Any:  # fmt: skip
    """Cut boxes out of feature maps as grids of averages of bilinear samples.

    Args:
        x: feature maps [N, C, H, W]. boxes: [R, 4], corners in pixels, those of the first image first.
        boxes_num: int32 [N], how many boxes each image has. output_size: an integer, or (height, width).
        spatial_scale: what corners are multiplied by. sampling_ratio: points per row and column of a part (-1: as many as it
            has elements). aligned: corners are points between elements, not elements.

    Returns [R, C, height, width]. Gradients flow to ``x`` only, as in Paddle. Raises ShapeError, DTypeError.

    Example:
        >>> features, boxes = paddle.ones([1, 98, 20, 20]), paddle.to_tensor([[0.0, 0, 160, 160]])
        >>> boxes_num = paddle.to_tensor([1], 'int32')
        >>> paddle.vision.ops.roi_align(features, boxes, boxes_num, 7, 1 / 16).shape
        [1, 98, 7, 7]

    Source: He et al., "Mask R-CNN".
    """
    height, width = arguments.repeat_ints(output_size, 2, "roi_align output_size")
    return roi_align_op(x, boxes, boxes_num, height, width, spatial_scale, sampling_ratio, aligned)


def roi_pool(
    x: Any, boxes: Any, boxes_num: Any, output_size: Any, spatial_scale: float = 1.0, name: Any = None
) -> Any:
    """Cut boxes out of feature maps as grids of maxima. Arguments, result and errors are those of `roi_align`.

    Example:
        >>> features, boxes = paddle.ones([1, 98, 20, 20]), paddle.to_tensor([[0.0, 0, 160, 160]])
        >>> boxes_num = paddle.to_tensor([1], 'int32')
        >>> paddle.vision.ops.roi_pool(features, boxes, boxes_num, 7, 1 / 16).shape
        [1, 98, 7, 7]

    Source: Girshick, "Fast R-CNN".
    """
    height, width = arguments.repeat_ints(output_size, 2, "roi_pool output_size")
    return roi_pool_op(x, boxes, boxes_num, height, width, spatial_scale)[0]


def psroi_pool(
    x: Any, boxes: Any, boxes_num: Any, output_size: Any, spatial_scale: float = 1.0, name: Any = None
) -> Any:
    """Cut boxes out of feature maps as grids of averages, each part of the grid from channels of its own.

    Args:
        x: feature maps [N, C * height * width, H, W]. Others as of `roi_align`.

    Returns [R, C, height, width]. Gradients flow to ``x`` only. Raises ShapeError, DTypeError.

    ``output_size``, ``spatial_scale``: as there.

    Example:
        >>> features, boxes = paddle.ones([1, 98, 20, 20]), paddle.to_tensor([[0.0, 0, 160, 160]])
        >>> boxes_num = paddle.to_tensor([1], 'int32')
        >>> paddle.vision.ops.psroi_pool(features, boxes, boxes_num, 7, 1 / 16).shape
        [1, 2, 7, 7]

        ce: Dai et al., "R-FCN: Object Detection via Region-based Fully Convolutional Networks".
    """
    height, width = arguments.repeat_ints(output_size, 2, "psroi_pool output_size")
    if x.ndim != 4 or min(height, width) < 1:
        raise ShapeError(
            f"psroi_pool: expected [N, C, H, W] and a positive output size, got {show(x.spec.shape)} and {height} x {width}"
        )
    return psroi_pool_op(x, boxes, boxes_num, int(x.shape[1]) // (height * width), height, width, spatial_scale)


class _Pooled(Layer):
    """A Layer of an output size and a scale."""

    def __init__(self, output_size: Any, spatial_scale: float = 1.0) -> None:
        super().__init__()
        self._output_size, self._spatial_scale = output_size, spatial_scale

    def extra_repr(self) -> str:
        return f"output_size={self._output_size}, spatial_scale={self._spatial_scale}"


class RoIAlign(_Pooled):
    """`roi_align` as a Layer.

    ``output_size``, ``spatial_scale``: as there.

    Example:
        >>> features, boxes = paddle.ones([1, 98, 20, 20]), paddle.to_tensor([[0.0, 0, 160, 160]])
        >>> boxes_num = paddle.to_tensor([1], 'int32')
        >>> paddle.vision.ops.RoIAlign(7, 1 / 16)(features, boxes, boxes_num).shape
        [1, 98, 7, 7]
    """

    def forward(self, x: Any, boxes: Any, boxes_num: Any, aligned: bool = True) -> Any:
        """[N, C, H, W] to [R, C, height, width]."""
        return roi_align(x, boxes, boxes_num, self._output_size, self._spatial_scale, aligned=aligned)


class RoIPool(_Pooled):
    """`roi_pool` as a Layer.

    ``output_size``, ``spatial_scale``: as there.

    Example:
        >>> features, boxes = paddle.ones([1, 98, 20, 20]), paddle.to_tensor([[0.0, 0, 160, 160]])
        >>> boxes_num = paddle.to_tensor([1], 'int32')
        >>> paddle.vision.ops.RoIPool(7, 1 / 16)(features, boxes, boxes_num).shape
        [1, 98, 7, 7]
    """

    def forward(self, x: Any, boxes: Any, boxes_num: Any) -> Any:
        """[N, C, H, W] to [R, C, height, width]."""
        return roi_pool(x, boxes, boxes_num, self._output_size, self._spatial_scale)


class PSRoIPool(Layer):
    """`psroi_pool` as a Layer.

    ``output_size``, ``spatial_scale``: as there.

    Example:
        >>> features, boxes = paddle.ones([1, 98, 20, 20]), paddle.to_tensor([[0.0, 0, 160, 160]])
        >>> boxes_num = paddle.to_tensor([1], 'int32')
        >>> paddle.vision.ops.PSRoIPool(7, 1 / 16)(features, boxes, boxes_num).shape
        [1, 2, 7, 7]
    """

    def __init__(self, output_size: Any, spatial_scale: float = 1.0) -> None:
        super().__init__()
        self.output_size, self.spatial_scale = output_size, spatial_scale

    def forward(self, x: Any, boxes: Any, boxes_num: Any) -> Any:
        """[N, C * height * width, H, W] to [R, C, height, width]."""
        return psroi_pool(x, boxes, boxes_num, self.output_size, self.spatial_scale)
