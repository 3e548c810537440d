"""Functions of sparse tensors that layers call (``paddle.sparse.nn.functional``)."""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.sparse.nn.functional.activation import leaky_relu, relu, relu6, softmax
from to_static.sparse.nn.functional.attention import attention
from to_static.sparse.nn.functional.conv import conv2d, conv3d, subm_conv2d, subm_conv3d
from to_static.sparse.nn.functional.pooling import max_pool3d

__all__ = [
    "attention", "conv2d", "conv3d", "leaky_relu", "max_pool3d", "relu", "relu6", "softmax", "subm_conv2d", "subm_conv3d",
]  # fmt: skip

__getattr__ = names_missing(__name__)
