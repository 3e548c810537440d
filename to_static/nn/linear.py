"""Affine layers: Linear, Bilinear, Embedding; and Identity."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir import mode
from to_static.core.diagnostics.printable import printable
from to_static.core.dtypes import DType
from to_static.nn import functional as F
from to_static.nn.layer import Layer


class Identity(Layer):
    """Returns its input. Arguments of the constructor are ignored.

    Example:
        >>> paddle.nn.Identity()(paddle.to_tensor([1.0])).tolist()
        [1.0]
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        """``input``."""
        return input


class Linear(Layer):
    """``x @ weight + bias``.

    Args:
        in_features: size of the last dimension of the input.
        out_features: size of the last dimension of the result.
        weight_attr: how ``weight`` ``[in_features, out_features]`` is made (default: Xavier uniform).
        bias_attr: how ``bias`` ``[out_features]`` is made (default: zeros); False for none.

    Example:
        >>> paddle.nn.Linear(4, 3)(paddle.ones([2, 4])).shape
        [2, 3]
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        weight_attr: Any = None,
        bias_attr: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.name = name
        self._weight_attr, self._bias_attr = weight_attr, bias_attr
        self.weight = self.create_parameter([in_features, out_features], weight_attr)
        self.bias = self.create_parameter([out_features], bias_attr, is_bias=True)

    def forward(self, input: Any) -> Any:
        """``[*, in_features]`` to ``[*, out_features]``."""
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        name = f", name={printable(self.name)}" if self.name else ""
        dtype = self._dtype if isinstance(self._dtype, DType) else self.weight.dtype.name  # as Paddle tells it after a conversion
        rows, columns = self.weight.shape
        return f"in_features={rows}, out_features={columns}, dtype={dtype}{name}"


class Bilinear(Layer):
    """``x1 @ weight[i] @ x2 + bias[i]`` for each of ``out_features``.

    Args:
        in1_features, in2_features: size of the last dimension of the two inputs.
        out_features: size of the last dimension of the result.
        weight_attr: how ``weight`` ``[out_features, in1_features, in2_features]`` is made (default: Xavier uniform).
        bias_attr: how ``bias`` ``[1, out_features]`` is made (default: zeros); False for none.

    Example:
        >>> paddle.nn.Bilinear(2, 3, 4)(paddle.ones([5, 2]), paddle.ones([5, 3])).shape
        [5, 4]
    """

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        weight_attr: Any = None,
        bias_attr: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self._in1_features, self._in2_features, self._out_features = in1_features, in2_features, out_features
        self._name, self._weight_attr, self._bias_attr = name, weight_attr, bias_attr
        self.weight = self.create_parameter([out_features, in1_features, in2_features], weight_attr)
        self.bias = self.create_parameter([1, out_features], bias_attr, is_bias=True)

    def forward(self, x1: Any, x2: Any) -> Any:
        """``[N, in1_features]`` and ``[N, in2_features]`` to ``[N, out_features]``."""
        return F.bilinear(x1, x2, self.weight, self.bias)

    def extra_repr(self) -> str:
        sizes = f"in1_features={self._in1_features}, in2_features={self._in2_features}, out_features={self._out_features}"
        name = f", name={printable(self._name)}" if self._name else ""
        return f"{sizes}, dtype={self.weight.dtype.name}{name}"


class Embedding(Layer):
    """A table of vectors, looked up by number.

    Args:
        num_embeddings, embedding_dim: number and length of the vectors.
        padding_idx: the vector of this number is zero and gets no gradient.
        sparse: the gradient of ``weight`` is kept by rows until somebody looks at it: `SGD`, and `Adam` with ``lazy_mode=True``,
            change the rows that were looked up and take no time for the others.
        weight_attr: how ``weight`` ``[num_embeddings, embedding_dim]`` is made (default: Xavier uniform).

    Raises ValueError for sizes below 1 and for a ``padding_idx`` out of range.

    Example:
        >>> paddle.nn.Embedding(10, 4)(paddle.to_tensor([[1, 2, 3]])).shape
        [1, 3, 4]
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        sparse: bool = False,
        weight_attr: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        if num_embeddings <= 0 or embedding_dim <= 0:
            raise ValueError(f"Embedding: sizes must be positive, got {num_embeddings} and {embedding_dim}")
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise ValueError(f"Embedding: padding_idx must be within [-{num_embeddings}, {num_embeddings})")
        self._num_embeddings, self._embedding_dim = num_embeddings, embedding_dim
        self._padding_idx, self._sparse, self._name = padding_idx, sparse, name
        self._size, self._weight_attr = [num_embeddings, embedding_dim], weight_attr
        self.weight = self.create_parameter([num_embeddings, embedding_dim], weight_attr)
        if sparse:
            self.weight.row_gradient = True
        if padding_idx is not None:
            values = self.weight.numpy()
            values[padding_idx] = 0.0
            with mode.default_mode():
                self.weight.set_value(values)

    def forward(self, x: Any) -> Any:
        """Integers ``[*]`` to vectors ``[*, embedding_dim]``."""
        return F.embedding(x, self.weight, padding_idx=self._padding_idx, sparse=self._sparse)

    def extra_repr(self) -> str:
        settings = [f"{self._num_embeddings}, {self._embedding_dim}"]
        if self._padding_idx is not None:
            settings.append(f"padding_idx={self._padding_idx}")
        settings.append(f"sparse={self._sparse}")
        return ", ".join(settings if self._name is None else [*settings, f"name={printable(self._name)}"])
