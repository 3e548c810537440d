"""Operators of detectors, under Paddle's names."""

from to_static.compiler.ops.detection.boxes import box_coder, prior_box, yolo_box
from to_static.compiler.ops.detection.matrix_nms import matrix_nms
from to_static.compiler.ops.detection.nms import nms
from to_static.compiler.ops.detection.proposals import distribute_fpn_proposals, generate_proposals
from to_static.compiler.ops.losses.yolo_loss import yolo_loss
from to_static.core.diagnostics.missing_names import names_missing
from to_static.vision.ops.blocks import ConvNormActivation
from to_static.vision.ops.deform import DeformConv2D, deform_conv2d
from to_static.vision.ops.files import decode_jpeg, read_file
from to_static.vision.ops.regions import PSRoIPool, RoIAlign, RoIPool, psroi_pool, roi_align, roi_pool

__all__ = [
    "ConvNormActivation", "DeformConv2D", "PSRoIPool", "RoIAlign", "RoIPool", "box_coder", "decode_jpeg", "deform_conv2d",
    "distribute_fpn_proposals", "generate_proposals", "matrix_nms", "nms", "prior_box", "psroi_pool", "read_file",
    "roi_align", "roi_pool", "yolo_box", "yolo_loss",
]  # fmt: skip

__getattr__ = names_missing(__name__)
