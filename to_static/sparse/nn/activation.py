"""Activations of sparse tensors as layers."""

from __future__ import annotations

from typing import Any

from to_static.nn.functional_layer import declare
from to_static.sparse.nn import functional as F


def _row(name: str, function: str, doc: str, **settings: Any) -> Any:
    return declare(__name__, name, function, doc, (), attributes="_{}", home=F, **settings)


ReLU = _row(
    "ReLU",
    "relu",
    """max(x, 0) of each number of a sparse tensor.

    Example:
        >>> y = paddle.sparse.nn.ReLU()(paddle.to_tensor([-2.0, 0.0, 1.0]).to_sparse_coo(1))
    """,
)
ReLU6 = _row(
    "ReLU6",
    "relu6",
    """min(max(x, 0), 6) of each number of a sparse tensor.

    Example:
        >>> y = paddle.sparse.nn.ReLU6()(paddle.to_tensor([-2.0, 0.0, 8.0]).to_sparse_coo(1))
    """,
)
LeakyReLU = _row(
    "LeakyReLU",
    "leaky_relu",
    """x where positive, ``negative_slope * x`` elsewhere (default 0.01), of each number of a sparse tensor.

    Example:
        >>> y = paddle.sparse.nn.LeakyReLU(0.5)(paddle.to_tensor([-2.0, 0.0, 5.0]).to_sparse_coo(1))
    """,
    negative_slope=0.01,
)
Softmax = _row(
    "Softmax",
    "softmax",
    """Weights that sum to one along ``axis`` (default -1) over the numbers that are there; see `functional.softmax`.

    Example:
        >>> y = paddle.sparse.nn.Softmax()(paddle.to_tensor([[1.0, 0.0, 2.0]]).to_sparse_csr())
    """,
    axis=-1,
)
