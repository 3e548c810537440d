"""Batch normalisation of the points of sparse tensors."""

from __future__ import annotations

from typing import Any

from to_static.compiler.eager.sparse_tensor import SparseCooTensor
from to_static.nn import batch_norm
from to_static.nn.layer import Layer
from to_static.sparse.creation import need_sparse


class BatchNorm(batch_norm.BatchNorm1D):
    """Batch normalisation of points: the statistics of a channel are those of the numbers that are there.

    Args:
        data_format: 'NDHWC' (default) or 'NHWC'.

    The other arguments are those of `paddle.nn.BatchNorm1D`.

    They are ``num_features``, ``momentum``, ``epsilon``, ``weight_attr``, ``bias_attr`` and ``use_global_stats``.

    Example:
        >>> y = paddle.sparse.nn.BatchNorm(3)(paddle.randn([1, 6, 6, 6, 3]).to_sparse_coo(4))
    """

    _ranks: tuple[int, ...] = (2,)
    _layouts = {"NDHWC": "NCHW", "NHWC": "NCHW"}  # what is normalised is [points, C]

    def __init__(
        self, num_features: int, momentum: float = 0.9, epsilon: float = 1e-05, weight_attr: Any = None, bias_attr: Any = None,
        data_format: str = "NDHWC", use_global_stats: bool | None = None, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(num_features, momentum, epsilon, weight_attr, bias_attr, data_format, use_global_stats, name)

    def forward(self, input: Any) -> Any:
        """A sparse tensor with numbers at the same places; in training the running statistics are updated."""
        coo = need_sparse("BatchNorm", input, SparseCooTensor)
        return coo.with_values(super().forward(coo.values()))


class SyncBatchNorm(batch_norm.SyncBatchNorm):
    """`BatchNorm` over all devices (here always one).

    The arguments are those of `paddle.nn.SyncBatchNorm`.
    They are ``num_features``, ``momentum``, ``epsilon``, ``weight_attr``, ``bias_attr`` and ``data_format``.

    Example:
        >>> y = paddle.sparse.nn.SyncBatchNorm(3)(paddle.randn([1, 6, 6, 6, 3]).to_sparse_coo(4))
    """

    def forward(self, x: Any) -> Any:
        """A sparse tensor with numbers at the same places; in training the running statistics are updated."""
        coo = need_sparse("SyncBatchNorm", x, SparseCooTensor)
        return coo.with_values(super().forward(coo.values()))

    @classmethod
    def convert_sync_batchnorm(cls, layer: Layer) -> Layer:
        """``layer`` with a `SyncBatchNorm` in the place of every `BatchNorm` inside of it, and dense ones for dense ones.

        The new layers have the parameters and statistics of the old ones.

        Example:
            >>> net = paddle.nn.Sequential(paddle.sparse.nn.Conv3D(3, 5, 3), paddle.sparse.nn.BatchNorm(5))
            >>> net = paddle.sparse.nn.SyncBatchNorm.convert_sync_batchnorm(net)
        """
        if isinstance(layer, BatchNorm):
            return super().convert_sync_batchnorm(layer)
        if isinstance(layer, batch_norm.BatchNorm1D | batch_norm.BatchNorm2D | batch_norm.BatchNorm3D):
            return batch_norm.SyncBatchNorm.convert_sync_batchnorm(layer)
        for name, child in layer.named_children():
            replaced = cls.convert_sync_batchnorm(child)
            if replaced is not child:
                layer.add_sublayer(name, replaced)
        return layer
