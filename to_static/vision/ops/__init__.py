"""Operators of detectors, under Paddle's names."""

from to_static.core.missing import names_missing
from to_static.ops.boxes import box_coder, prior_box, yolo_box
from to_static.ops.suppress import nms
from to_static.vision.ops.blocks import ConvNormActivation
from to_static.vision.ops.regions import roi_align, roi_pool

__all__ = ["ConvNormActivation", "box_coder", "nms", "prior_box", "roi_align", "roi_pool", "yolo_box"]

__getattr__ = names_missing(__name__)
