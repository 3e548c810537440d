"""Activations of the numbers of a sparse tensor."""

from __future__ import annotations

import math
from typing import Any

from to_static.compiler.eager.sparse_tensor import SparseCsrTensor, added, numbered
from to_static.compiler.ops.graph.graph import segment_extreme
from to_static.compiler.ops.indexing.gather import gather
from to_static.compiler.ops.pointwise.unary import exp
from to_static.compiler.ops.shape_rules import axis_index
from to_static.compiler.ops.shapes.concat_split import stack
from to_static.compiler.ops.shapes.create import full_like
from to_static.core.errors import ShapeError
from to_static.nn import functional as dense
from to_static.sparse.creation import need_sparse
from to_static.sparse.valuewise import valuewise

relu = valuewise(dense.relu, "max(x, 0)", "nn.functional.relu")
relu6 = valuewise(dense.relu6, "min(max(x, 0), 6)", "nn.functional.relu6")


def leaky_relu(x: Any, negative_slope: float = 0.01, name: Any = None) -> Any:
    """x where positive, ``negative_slope * x`` elsewhere, of each number of a sparse tensor.

    Example:
        >>> x = paddle.to_tensor([-2.0, 0.0, 5.0]).to_sparse_coo(1)
        >>> paddle.sparse.nn.functional.leaky_relu(x, 0.5).values().tolist()
        [-1.0, 5.0]
    """
    return need_sparse("leaky_relu", x).with_values(dense.leaky_relu(x.values(), negative_slope))


def softmax(x: Any, axis: int = -1, name: Any = None) -> Any:
    """Weights that sum to one along an axis, over the numbers that are there: the others stay 0.

    Args:
        x: a sparse Tensor, by coordinates or in rows, floating.
        axis: an int (default -1, the only one for a tensor in rows).
        name: not used; there for compatibility.

    Returns:
        A sparse Tensor with numbers at the same places.

    Raises:
        ShapeError: the axis is not there, or not the last of a tensor in rows.

    Example:
        >>> x = paddle.to_tensor([[1.0, 0.0, 1.0], [0.0, 3.0, 0.0]]).to_sparse_csr()
        >>> paddle.sparse.nn.functional.softmax(x).values().tolist()
        [0.5, 0.5, 1.0]
    """
    rank = len(need_sparse("softmax", x).shape)
    along = axis_index(axis, rank, "softmax")
    if isinstance(x, SparseCsrTensor) and along != rank - 1:
        raise ShapeError(f"softmax: the axis of a tensor in rows should be -1, got {axis}; write x.to_sparse_coo({rank}) before")
    coo = x.to_sparse_coo(rank) if isinstance(x, SparseCsrTensor) else x
    indices, sizes = coo.indices(), coo.sparse_sizes
    if along >= len(sizes):
        return x.with_values(dense.softmax(x.values(), along - len(sizes) + 1))
    other_axes = [i for i in range(len(sizes)) if i != along]
    left = [sizes[i] for i in other_axes]
    row = numbered(stack([indices[i] for i in other_axes]), left) if other_axes else indices[0].astype("int64") * 0
    count, values = math.prod(left), coo.values()
    largest = segment_extreme(values.detach(), row, full_like(row.sum(), count), True)
    weights = exp(values - gather(largest, row))
    return x.with_values(weights / gather(added(count, row, weights), row))
