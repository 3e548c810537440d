"""Pooling of points as a layer."""

from __future__ import annotations

from typing import Any

from to_static.nn.layer import Layer
from to_static.sparse.nn import functional as F


class MaxPool3D(Layer):
    """The largest number of each channel among the points that a window has; see `functional.max_pool3d`.

    Args:
        kernel_size, stride, padding: an int or three of them (stride: by default ``kernel_size``).
        return_mask: False, there for compatibility.
        ceil_mode: whether windows that stand out at the end count (default False).
        data_format: 'NDHWC', there for compatibility.

    Raises ValueError for ``return_mask=True``.

    Example:
        >>> paddle.sparse.nn.MaxPool3D(3)(paddle.randn([2, 3, 6, 6, 3]).to_sparse_coo(4)).shape
        [2, 1, 2, 2, 3]
    """

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: bool = False, ceil_mode: bool = False,
        data_format: str = "NDHWC", name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if return_mask:
            raise ValueError("MaxPool3D: a mask of sparse tensors is not returned, expected return_mask=False")
        self.ksize, self.stride, self.padding, self.return_mask = kernel_size, stride, padding, return_mask
        self.ceil_mode, self.data_format, self.name = ceil_mode, data_format, name

    def forward(self, x: Any) -> Any:
        """A sparse tensor ``[N, *new size, C]``."""
        return F.max_pool3d(x, self.ksize, self.stride, self.padding, self.ceil_mode, self.data_format)

    def extra_repr(self) -> str:
        return f"kernel_size={self.ksize}, stride={self.stride}, padding={self.padding}"
