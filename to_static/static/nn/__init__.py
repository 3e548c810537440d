"""Layers and control flow as functions that add to a static Program."""

from to_static.core.missing import names_missing
from to_static.static.nn.control_flow import case, cond, switch_case, while_loop
from to_static.static.nn.convolutions import conv2d, conv2d_transpose, conv3d, conv3d_transpose, deform_conv2d
from to_static.static.nn.layers import bilinear_tensor_product, embedding, fc, prelu, row_conv, sparse_embedding
from to_static.static.nn.norms import batch_norm, data_norm, group_norm, instance_norm, layer_norm, spectral_norm

__all__ = [
    "batch_norm", "bilinear_tensor_product", "case", "cond", "conv2d", "conv2d_transpose", "conv3d", "conv3d_transpose",
    "data_norm", "deform_conv2d", "embedding", "fc", "group_norm", "instance_norm", "layer_norm", "prelu", "row_conv",
    "sparse_embedding", "spectral_norm", "switch_case", "while_loop",
]  # fmt: skip

__getattr__ = names_missing(__name__)
