"""Layers and control flow as functions that add to a static Program."""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.static.nn.control_flow import case, cond, switch_case, while_loop
from to_static.static.nn.convolutions import conv2d, conv2d_transpose, conv3d, conv3d_transpose, deform_conv2d
from to_static.static.nn.layers import bilinear_tensor_product, embedding, fc, prelu, row_conv, sparse_embedding
from to_static.static.nn.loss import nce
from to_static.static.nn.norms import batch_norm, data_norm, group_norm, instance_norm, layer_norm, spectral_norm
from to_static.static.nn.sequence_lod import (
    sequence_concat,
    sequence_conv,
    sequence_enumerate,
    sequence_expand,
    sequence_expand_as,
    sequence_first_step,
    sequence_last_step,
    sequence_mask,
    sequence_pad,
    sequence_pool,
    sequence_reshape,
    sequence_reverse,
    sequence_scatter,
    sequence_slice,
    sequence_softmax,
    sequence_unpad,
)
from to_static.static.nn.static_pylayer import static_pylayer
from to_static.static.python_functions import py_func

__all__ = [
    "batch_norm", "bilinear_tensor_product", "case", "cond", "conv2d", "conv2d_transpose", "conv3d", "conv3d_transpose",
    "data_norm", "deform_conv2d", "embedding", "fc", "group_norm", "instance_norm", "layer_norm", "nce", "prelu",
    "py_func", "row_conv", "sequence_concat", "sequence_conv", "sequence_enumerate", "sequence_expand",
    "sequence_expand_as", "sequence_first_step", "sequence_last_step", "sequence_mask", "sequence_pad", "sequence_pool",
    "sequence_reshape", "sequence_reverse", "sequence_scatter", "sequence_slice", "sequence_softmax", "sequence_unpad",
    "sparse_embedding", "spectral_norm", "static_pylayer", "switch_case", "while_loop",
]  # fmt: skip

__getattr__ = names_missing(__name__)
