"""Sparse tensors: coordinates or compressed rows, and the numbers at these places (``paddle.sparse``).

Everything is made of operators on the numbers and the places, so all has gradients, and all may stand in a static function.
"""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.sparse import nn
from to_static.sparse.arithmetic import add, divide, is_same_shape, multiply, subtract
from to_static.sparse.creation import sparse_coo_tensor, sparse_csr_tensor
from to_static.sparse.low_rank import pca_lowrank
from to_static.sparse.places import coalesce, reshape, slice, sum, transpose
from to_static.sparse.products import addmm, masked_matmul, matmul, mv
from to_static.sparse.valuewise import (
    abs,
    asin,
    asinh,
    atan,
    atanh,
    cast,
    deg2rad,
    expm1,
    isnan,
    log1p,
    neg,
    pow,
    rad2deg,
    sin,
    sinh,
    sqrt,
    square,
    tan,
    tanh,
)

__all__ = [
    "abs", "add", "addmm", "asin", "asinh", "atan", "atanh", "cast", "coalesce", "deg2rad", "divide", "expm1", "is_same_shape",
    "isnan", "log1p", "masked_matmul", "matmul", "multiply", "mv", "neg", "nn", "pca_lowrank", "pow", "rad2deg", "reshape", "sin",
    "sinh", "slice", "sparse_coo_tensor", "sparse_csr_tensor", "sqrt", "square", "subtract", "sum", "tan", "tanh", "transpose",
]  # fmt: skip

__getattr__ = names_missing(__name__)
