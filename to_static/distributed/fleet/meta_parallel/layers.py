"""Layers of tensor parallelism. With one process, nothing is divided and nothing has to be put together."""

from __future__ import annotations

from typing import Any

from to_static.nn import functional as F
from to_static.nn.layer import Layer
from to_static.nn.linear import Embedding, Linear


class _Whole(Linear):
    """A Linear as Paddle's layers of this room make it: a bias only when it is asked for."""

    world_size = 1
    is_mp = False

    def __init__(self, in_features: int, out_features: int, weight_attr: Any, has_bias: bool | None, name: str | None) -> None:
        super().__init__(in_features, out_features, weight_attr, None if has_bias else False, name)
        self.weight.is_distributed = False


class ColumnParallelLinear(_Whole):
    """``x @ weight + bias`` whose columns processes would share out: with one process a `Linear`.

    Args:
        in_features: size of the last dimension of the input.
        out_features: size of the last dimension of the result.
        weight_attr: how ``weight`` ``[in_features, out_features]`` is made (default: Xavier uniform).
        has_bias: True for a ``bias`` ``[out_features]`` of zeros (default: none).
        gather_output, fuse_matmul_bias, mp_group: taken, of no effect.

    Example:
        >>> fleet.meta_parallel.ColumnParallelLinear(4, 3, has_bias=True)(paddle.ones([2, 4])).shape
        [2, 3]
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        weight_attr: Any = None,
        has_bias: bool | None = None,
        gather_output: bool = True,
        fuse_matmul_bias: bool = False,
        mp_group: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(in_features, out_features, weight_attr, has_bias, name)
        self.gather_output = gather_output


class RowParallelLinear(_Whole):
    """``x @ weight + bias`` whose rows processes would share out: with one process a `Linear`; see `ColumnParallelLinear`.

    Args:
        has_bias: False for no ``bias`` (default: zeros).
        input_is_parallel, fuse_matmul_bias, mp_group: taken, of no effect.

    Example:
        >>> fleet.meta_parallel.RowParallelLinear(4, 3)(paddle.ones([2, 4])).shape
        [2, 3]
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        weight_attr: Any = None,
        has_bias: bool = True,
        input_is_parallel: bool = False,
        fuse_matmul_bias: bool = False,
        mp_group: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(in_features, out_features, weight_attr, has_bias, name)
        self.input_is_parallel = input_is_parallel


class VocabParallelEmbedding(Embedding):
    """Rows of a table whose parts processes would share out: with one process an `Embedding`.

    Args:
        num_embeddings: how many rows.
        embedding_dim: size of each.
        weight_attr: how ``weight`` is made (default: Xavier uniform, where an `Embedding` draws from a normal distribution).

    Example:
        >>> fleet.meta_parallel.VocabParallelEmbedding(10, 4)(paddle.to_tensor([[1, 2, 3]])).shape
        [1, 3, 4]
    """

    world_size = 1
    is_mp = False

    def __init__(
        self, num_embeddings: int, embedding_dim: int, weight_attr: Any = None, mp_group: Any = None, name: str | None = None
    ) -> None:
        super().__init__(num_embeddings, embedding_dim, weight_attr=weight_attr, name=name)
        self.num_embeddings = num_embeddings
        self.weight.is_distributed = False


class ParallelCrossEntropy(Layer):
    """Cross entropy of each entry: logits ``[..., classes]`` and labels ``[..., 1]`` or ``[...]`` give losses ``[..., 1]``.

    Args:
        ignore_index: a label whose losses are 0.

    Example:
        >>> fleet.meta_parallel.ParallelCrossEntropy()(paddle.zeros([2, 3]), paddle.to_tensor([[0], [1]])).shape
        [2, 1]
    """

    def __init__(self, mp_group: Any = None, name: str | None = None, ignore_index: int = -100) -> None:
        super().__init__()
        self.name = name
        self.ignore_index = ignore_index

    def forward(self, input: Any, label: Any) -> Any:
        """The losses, none summed."""
        if len(label.shape) == len(input.shape) - 1:
            label = label.unsqueeze(-1)
        return F.softmax_with_cross_entropy(input, label, ignore_index=self.ignore_index)
