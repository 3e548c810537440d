"""Pooling of points: the largest number of those that a window has."""

from __future__ import annotations

from typing import Any

from to_static.compiler.eager.sparse_tensor import SparseCooTensor, coordinates
from to_static.compiler.ops import arguments
from to_static.compiler.ops.graph.graph import segment_extreme
from to_static.compiler.ops.indexing.gather import gather
from to_static.compiler.ops.indexing.sort import unique
from to_static.compiler.ops.layers import windows
from to_static.compiler.ops.shapes.concat_split import concat
from to_static.compiler.ops.shapes.create import full_like
from to_static.sparse.nn.functional.neighbours import points, under_windows


def max_pool3d(
    x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False, data_format: str = "NDHWC",
    name: Any = None,
) -> SparseCooTensor:  # fmt: skip
    """The largest number of each channel among the points that a window has.

    Args:
        x: a sparse Tensor [N, D, H, W, C], by coordinates, with a dense last dimension: ``x.to_sparse_coo(4)``.
        kernel_size: an int or three of them.
        stride: an int or three of them (default None: ``kernel_size``).
        padding: an int, 3 or 6 of them, pairs, 'SAME' or 'VALID' (default 0).
        ceil_mode: whether windows that stand out at the end count (default False).
        data_format: 'NDHWC', there for compatibility.
        name: not used; there for compatibility.

    Returns:
        A sparse Tensor [N, *new sizes, C] with numbers wherever a window has a point; places without a point do not count as 0.

    Raises:
        ShapeError: ``x`` has another shape, or no window fits.
        ValueError: ``data_format`` is another.

    Example:
        >>> x = paddle.randn([1, 4, 4, 4, 3]).to_sparse_coo(4)
        >>> paddle.sparse.nn.functional.max_pool3d(x, 3, stride=1).shape
        [1, 2, 2, 2, 3]
    """
    if data_format != "NDHWC":
        raise ValueError(f"max_pool3d: expected data_format='NDHWC', got {data_format!r}")
    coo = points("max_pool3d", x, 3)
    kernel = arguments.repeat_ints(kernel_size, 3, "max_pool3d kernel_size")
    stride = kernel if stride is None else arguments.repeat_ints(stride, 3, "max_pool3d stride")
    pads, algorithm = windows.padding_attrs(padding, 3, True, "max_pool3d")
    windows.check_window("max_pool3d", (), kernel_size=kernel, stride=stride)
    sizes = coo.shape[1:-1]
    outs = windows.output_sizes(sizes, kernel, stride, [1] * 3, pads, algorithm, ceil_mode)
    windows.check_window("max_pool3d", outs)
    leading_pads = [first for first, _ in windows.resolve(pads, algorithm, sizes, kernel, stride)]
    meetings = list(under_windows(coo, kernel, stride, leading_pads, [1] * 3, outs))
    flat_indices, inverse = unique(concat([goal for _, goal in meetings]), return_inverse=True)
    values_met = gather(coo.values(), concat([chosen for chosen, _ in meetings]))
    values = segment_extreme(values_met, inverse, full_like(inverse.sum(), flat_indices.shape[0]), True)
    indices = coordinates(flat_indices, [coo.shape[0], *outs], coo.indices().dtype)
    return SparseCooTensor(indices, values, (coo.shape[0], *outs, coo.shape[-1]))
