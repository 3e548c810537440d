"""Layers on sparse tensors (``paddle.sparse.nn``): those of points in space keep channels last, ``[N, *size, C]``."""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.sparse.nn import functional
from to_static.sparse.nn.activation import LeakyReLU, ReLU, ReLU6, Softmax
from to_static.sparse.nn.conv import Conv2D, Conv3D, SubmConv2D, SubmConv3D
from to_static.sparse.nn.norm import BatchNorm, SyncBatchNorm
from to_static.sparse.nn.pooling import MaxPool3D

__all__ = [
    "BatchNorm", "Conv2D", "Conv3D", "LeakyReLU", "MaxPool3D", "ReLU", "ReLU6", "Softmax", "SubmConv2D", "SubmConv3D",
    "SyncBatchNorm", "functional",
]  # fmt: skip

__getattr__ = names_missing(__name__)
