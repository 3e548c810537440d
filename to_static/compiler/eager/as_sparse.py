"""Methods of dense tensors that return sparse tensors, or that are meaningful for sparse tensors only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from to_static.compiler.ir.tensor import Tensor

if TYPE_CHECKING:
    from to_static.compiler.eager.tensor import EagerTensor
    from to_static.compiler.ir.tensor import AnyTensor


def to_sparse_coo(x: EagerTensor, sparse_dim: int) -> Any:
    """The numbers that are not zero, by their coordinates in the first ``sparse_dim`` dimensions (``paddle.sparse``).

    Returns:
        A sparse tensor of the same shape; gradients flow through it. ``values()`` is [nnz, *other dimensions].

    Raises:
        ValueError: ``sparse_dim`` is not from 1 to the number of dimensions.

    Example:
        >>> paddle.to_tensor([[0.0, 2.0], [0.0, 0.0]]).to_sparse_coo(2)
        Tensor(shape=[2, 2], dtype=paddle.float32, place=Place(cpu), stop_gradient=True,
               indices=[[0],
                        [1]],
               values=[2.])
    """
    from to_static.compiler.eager.sparse_tensor import coo_of

    return coo_of(x, sparse_dim)


def to_sparse_csr(x: EagerTensor) -> Any:
    """The numbers of a matrix, or of a batch of them, that are not zero, in compressed rows (``paddle.sparse``).

    Raises ValueError unless there are 2 or 3 dimensions.

    Example:
        >>> paddle.to_tensor([[0.0, 2.0], [0.0, 0.0]]).to_sparse_csr().crows().tolist()
        [0, 1, 1]
    """
    from to_static.compiler.eager.sparse_tensor import csr_of

    return csr_of(x)


def to_dense(x: AnyTensor) -> Any:
    """Itself: this tensor is dense already."""
    return x


def coalesce(x: Any, name: object = None) -> Any:
    """Of sparse COO tensors only: raises TypeError."""
    return _only_sparse("coalesce", "sparse COO")(x)


def _only_sparse(name: str, layout: str) -> Any:
    def method(x: object) -> NoReturn:
        raise TypeError(f"{name}() is of {layout} tensors, this one is dense: call x.{_MAKERS[layout]} before")

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"Of {layout} tensors only: raises TypeError."
    return method


_MAKERS = {"sparse": "to_sparse_coo(sparse_dim)", "sparse COO": "to_sparse_coo(sparse_dim)", "sparse CSR": "to_sparse_csr()"}
_SPARSE = {"values": "sparse", "nnz": "sparse", "indices": "sparse COO", "crows": "sparse CSR", "cols": "sparse CSR"}

for _function in (coalesce, to_sparse_coo, to_sparse_csr, to_dense):
    setattr(Tensor, _function.__name__, _function)
for _name, _layout in _SPARSE.items():
    setattr(Tensor, _name, _only_sparse(_name, _layout))
