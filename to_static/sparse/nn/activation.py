"""Activations of sparse tensors as layers."""

from __future__ import annotations

from typing import Any

from to_static.nn.layer import Layer
from to_static.sparse.nn import functional as F


class _Activation(Layer):
    """Calls a function of `functional` with the settings that it keeps."""

    _name: str | None

    def extra_repr(self) -> str:
        return f"name={self._name}" if self._name else ""


class ReLU(_Activation):
    """max(x, 0) of each number of a sparse tensor.

    Example:
        >>> y = paddle.sparse.nn.ReLU()(paddle.to_tensor([-2.0, 0.0, 1.0]).to_sparse_coo(1))
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__()
        self._name = name

    def forward(self, x: Any) -> Any:
        """A sparse tensor with numbers at the same places."""
        return F.relu(x)


class ReLU6(_Activation):
    """min(max(x, 0), 6) of each number of a sparse tensor.

    Example:
        >>> y = paddle.sparse.nn.ReLU6()(paddle.to_tensor([-2.0, 0.0, 8.0]).to_sparse_coo(1))
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__()
        self._name = name

    def forward(self, x: Any) -> Any:
        """A sparse tensor with numbers at the same places."""
        return F.relu6(x)


class LeakyReLU(_Activation):
    """x where positive, ``negative_slope * x`` elsewhere (default 0.01), of each number of a sparse tensor.

    Example:
        >>> y = paddle.sparse.nn.LeakyReLU(0.5)(paddle.to_tensor([-2.0, 0.0, 5.0]).to_sparse_coo(1))
    """

    def __init__(self, negative_slope: float = 0.01, name: str | None = None) -> None:
        super().__init__()
        self._negative_slope, self._name = negative_slope, name

    def forward(self, x: Any) -> Any:
        """A sparse tensor with numbers at the same places."""
        return F.leaky_relu(x, self._negative_slope)


class Softmax(_Activation):
    """Weights that sum to one along ``axis`` (default -1) over the numbers that are there; see `functional.softmax`.

    Example:
        >>> y = paddle.sparse.nn.Softmax()(paddle.to_tensor([[1.0, 0.0, 2.0]]).to_sparse_csr())
    """

    def __init__(self, axis: int = -1, name: str | None = None) -> None:
        super().__init__()
        self._axis, self._name = axis, name

    def forward(self, x: Any) -> Any:
        """A sparse tensor with numbers at the same places."""
        return F.softmax(x, self._axis)
