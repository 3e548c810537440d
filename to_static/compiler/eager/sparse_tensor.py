"""Sparse tensors: a dense tensor of the stored values, and integer tensors of their positions.

The stored values are a usual tensor in the gradient graph, so operations on them have gradients. Both classes are dataclasses:
static functions flatten and rebuild them like any structure of tensors.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from to_static.compiler.eager.printing import data_text
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir.tensor import AnyTensor, Tensor
from to_static.compiler.ops.indexing.gather import gather, gather_nd, scatter_nd_add
from to_static.compiler.ops.indexing.sort import argsort, searchsorted, unique
from to_static.compiler.ops.indexing.where import nonzero
from to_static.compiler.ops.pointwise.elementwise import floor_divide, remainder
from to_static.compiler.ops.reductions.scan import cumsum
from to_static.compiler.ops.shapes.concat_split import concat, stack
from to_static.compiler.ops.shapes.create import cast, to_tensor, zeros
from to_static.compiler.ops.shapes.reshape import reshape, transpose
from to_static.compiler.ops.shapes.sequence import arange
from to_static.core.dtypes import DType, int64
from to_static.core.errors import ShapeError

if TYPE_CHECKING:
    from to_static.core.dtypes import DTypeLike


def numbered(indices: Tensor, sizes: Sequence[int]) -> Any:
    """Coordinates, integer [len(sizes), n], as one number each, int64 [n], in the order of rows."""
    flat_index = cast(indices[0], int64)
    for i, size in enumerate(sizes[1:], 1):
        flat_index = flat_index * size + cast(indices[i], int64)
    return flat_index


def coordinates(flat_index: Tensor, sizes: Sequence[int], dtype: DType) -> Any:
    """The inverse of `numbered`: [len(sizes), n]."""
    rows = []
    for size in (size or 1 for size in reversed(sizes[1:])):  # where one is 0, there is no number
        rows.append(remainder(flat_index, size))
        flat_index = floor_divide(flat_index, size)
    return cast(stack([flat_index, *reversed(rows)]), dtype)


def added(rows: int, indices: Tensor, values: Tensor) -> Any:
    """Return ``[rows, ...]``: row i is the sum of the ``values`` with index i, or 0."""
    return scatter_nd_add(zeros([rows, *values.shape[1:]], values.dtype), indices.unsqueeze(-1), values)


def of_shape(x: Tensor, sizes: Sequence[int]) -> Any:
    """Reshape ``x`` to exactly this shape: a 0 is a size of 0, while `reshape` keeps the size of ``x`` for it."""
    return reshape(x, sizes) if all(sizes) else zeros(sizes, x.dtype)


class SparseTensor(AnyTensor):
    """The base of both sparse formats. ``stop_gradient``, ``grad`` and hooks are those of the stored values."""

    _values: Any
    _shape: tuple[int, ...]
    persistable = False
    is_parameter = False
    __array_ufunc__: Any = None

    # what it is --------------------------------------------------------------------------------------------------------

    @property
    def shape(self) -> list[int]:
        """Dimensions of the whole, a list of ints."""
        return list(self._shape)

    @property
    def dtype(self) -> DType:
        """Element type of the numbers."""
        return self._values.dtype  # type: ignore[no-any-return]

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self._shape)

    @property
    def size(self) -> int:
        """Number of elements, including the zeros that are not stored."""
        return math.prod(self._shape)

    @property
    def place(self) -> Any:
        """The device that holds the numbers."""
        return self._values.place

    @property
    def name(self) -> str:
        """A unique name."""
        return self._values.name  # type: ignore[no-any-return]

    @property
    def is_leaf(self) -> bool:
        """True when no recorded operation computed the numbers."""
        return self._values.is_leaf  # type: ignore[no-any-return]

    @property
    def stop_gradient(self) -> bool:
        """True if no gradient flows through the numbers."""
        return self._values.stop_gradient  # type: ignore[no-any-return]

    @stop_gradient.setter
    def stop_gradient(self, value: bool) -> None:
        self._values.stop_gradient = value

    @property
    def grad(self) -> Any:
        """The gradient: a sparse tensor with the same indices, or None."""
        values_grad = self._values.grad
        return None if values_grad is None else self.with_values(values_grad)

    layout = "NCHW"

    def dim(self) -> int:
        """Number of dimensions."""
        return len(self._shape)

    ndimension = dim

    def is_sparse(self) -> bool:
        """True."""
        return True

    def is_sparse_coo(self) -> bool:
        """True if it keeps coordinates."""
        return isinstance(self, SparseCooTensor)

    def is_sparse_csr(self) -> bool:
        """True if it keeps compressed rows."""
        return isinstance(self, SparseCsrTensor)

    def is_dense(self) -> bool:
        """False."""
        return False

    is_dist = is_selected_rows = is_dense

    def is_same_shape(self, y: Any) -> bool:
        """True if another tensor, dense or sparse, has the same shape."""
        return self.shape == list(y.shape)

    def nnz(self) -> int:
        """The number of stored values."""
        return self._values.shape[0]  # type: ignore[no-any-return]

    def element_size(self) -> int:
        """Bytes of one element."""
        return self._values.element_size()  # type: ignore[no-any-return]

    # numbers out and in ------------------------------------------------------------------------------------------------

    def values(self) -> Any:
        """The numbers, [nnz, *dense dimensions]; gradients flow through them."""
        return self._values.clone()

    def with_values(self, values: Tensor) -> Any:
        """A sparse tensor with other numbers at the same places."""
        raise NotImplementedError("a subclass must define this method")

    def to_dense(self) -> Any:
        """The tensor with zeros where no number is; numbers at one place are added."""
        raise NotImplementedError("a subclass must define this method")

    def numpy(self) -> np.ndarray:
        """The dense numbers as an array."""
        return self.to_dense().numpy()  # type: ignore[no-any-return]

    def tolist(self) -> Any:
        """The dense numbers as nested lists."""
        return self.to_dense().tolist()

    def clone(self) -> Any:
        """A copy in the gradient graph."""
        return self.with_values(self._values.clone())

    def detach(self) -> Any:
        """The same numbers (shared), without a gradient graph."""
        return self.with_values(self._values.detach())

    def numel(self) -> Any:
        """Number of elements, including the zeros that are not stored: a 0-D int64 Tensor."""
        return to_tensor(self.size, int64)

    def _dense_values(self) -> Any:
        return self._values

    def _with_dense_values(self, values: Tensor) -> Any:
        return self.with_values(values)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        copied = self._map_parts(lambda part: copy.deepcopy(part.detach(), memo))
        copied.stop_gradient = self.stop_gradient
        return copied

    def cpu(self) -> Any:
        """This tensor in the host's memory."""
        return self._map_parts(lambda t: t.cpu())

    def cuda(self, device_id: int | None = None, blocking: bool = True) -> Any:
        """This tensor on GPU ``device_id`` (default 0)."""
        return self._map_parts(lambda t: t.cuda(device_id))

    def _map_parts(self, function: Callable[[Any], Any]) -> Any:
        raise NotImplementedError("a subclass must define this method")

    # gradients ---------------------------------------------------------------------------------------------------------

    def backward(self, grad_tensor: AnyTensor | None = None, retain_graph: bool = False) -> None:
        """Gradients of the numbers, each weighted by 1 or by the number of ``grad_tensor``, which has them at the same places."""
        weights = grad_tensor._values if isinstance(grad_tensor, SparseTensor) else grad_tensor
        self._values.backward(weights, retain_graph)

    def clear_gradient(self, set_to_zero: bool = True) -> None:
        """Forget ``grad``, or make it zeros."""
        self._values.clear_gradient(set_to_zero)

    clear_grad = clear_gradient

    def retain_grads(self) -> None:
        """Keep ``grad`` after backward() even where an operation computed this tensor."""
        self._values.retain_grads()

    def register_hook(self, hook: Callable[[Any], Any]) -> Any:
        """Call ``hook`` with the sparse gradient in each backward; what it returns, unless None, takes its place."""

        def on_values(gradient: Tensor) -> Any:
            hook_result = hook(self.with_values(gradient))
            return hook_result._values if isinstance(hook_result, SparseTensor) else hook_result

        return self._values.register_hook(on_values)

    # Python ------------------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return self._shape[0]

    def _parts(self) -> list[tuple[str, Any]]:
        raise NotImplementedError("a subclass must define this method")

    def __repr__(self) -> str:
        if not isinstance(self._values, EagerTensor):
            return f"{type(self).__name__}(shape={self.shape}, values={self._values})"
        head = f"Tensor(shape={self.shape}, dtype=paddle.{self.dtype.name}, place={self.place}, stop_gradient={self.stop_gradient}"
        lines = [f"{' ' * 7}{name}={data_text(part.numpy(), 8 + len(name))}" for name, part in self._parts()]
        return ", \n".join([head, *lines]) + ")"

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__") and hasattr(EagerTensor, name):
            raise AttributeError(
                f"{name!r} is of dense tensors, this one is sparse: call a function of paddle.sparse, or x.to_dense().{name}"
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def _array(self) -> Any:  # what operators ask of a tensor
        raise TypeError("expected a dense tensor, got a sparse one: call the function of paddle.sparse, or x.to_dense() before")

    @property
    def spec(self) -> Any:
        """Read by operators on dense tensors. Raises TypeError."""
        return self._array

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Any:
        return self._array


def _refused(sign: str, instead: str) -> Any:
    def operator(self: object, other: object = None) -> NoReturn:
        raise TypeError(f"{sign} is of dense tensors, this one is sparse: write `{instead}`, or x.to_dense()")

    return operator


_BINARY = {"add": ("+", "add"), "sub": ("-", "subtract"), "mul": ("*", "multiply"), "truediv": ("/", "divide"),
           "matmul": ("@", "matmul"), "pow": ("**", "pow")}  # fmt: skip
_OTHERS = {
    "neg": ("-", "paddle.sparse.neg(x)"), "abs": ("abs()", "paddle.sparse.abs(x)"), "bool": ("bool()", "bool(x.to_dense().any())"),
    "getitem": ("x[...]", "paddle.sparse.slice(x, axes, starts, ends)"), "iter": ("iteration", "for row in x.to_dense()"),
}  # fmt: skip
for _name, (_sign, _function) in _BINARY.items():
    for _side in ("", "r"):
        setattr(SparseTensor, f"__{_side}{_name}__", _refused(_sign, f"paddle.sparse.{_function}(x, y)"))
for _name, (_sign, _instead) in _OTHERS.items():
    setattr(SparseTensor, f"__{_name}__", _refused(_sign, _instead))


@dataclass(eq=False, repr=False)
class SparseCooTensor(SparseTensor):
    """Numbers by their coordinates: ``indices``, [sparse dimensions, nnz], and ``values``, [nnz, *dense dimensions]."""

    _indices: Any
    _values: Any
    _shape: tuple[int, ...]

    @property
    def sparse_sizes(self) -> tuple[int, ...]:
        """Sizes of the dimensions that the coordinates are of."""
        return self._shape[: self._indices.shape[0]]

    def indices(self) -> Any:
        """Coordinates of the numbers, an integer tensor [sparse dimensions, nnz]."""
        return self._indices

    def with_values(self, values: Tensor) -> SparseCooTensor:
        dense = tuple(values.shape[1:])
        return SparseCooTensor(self._indices, values, (*self.sparse_sizes, *dense))

    def flat_indices(self) -> Any:
        """The row-major index of each stored value in the sparse dimensions, int64 [nnz]."""
        return numbered(self._indices, self.sparse_sizes)

    def to_dense(self) -> Any:
        return of_shape(added(math.prod(self.sparse_sizes), self.flat_indices(), self._values), list(self._shape))

    def coalesce(self, name: object = None) -> SparseCooTensor:
        """The same tensor with its places in order and each there once: numbers at one place are added."""
        flat_indices, inverse = unique(self.flat_indices(), return_inverse=True)
        values = added(flat_indices.shape[0], inverse, self._values)
        return SparseCooTensor(coordinates(flat_indices, self.sparse_sizes, self._indices.dtype), values, self._shape)

    def to_sparse_coo(self, sparse_dim: int) -> SparseCooTensor:
        """Itself, or with other sparse dimensions than it has, made of the dense tensor."""
        return self if sparse_dim == self._indices.shape[0] else coo_of(self.to_dense(), sparse_dim)

    def to_sparse_csr(self) -> SparseCsrTensor:
        """In compressed rows; of two or three dimensions, all of them sparse."""
        if len(self._shape) not in (2, 3) or self._indices.shape[0] != len(self._shape):
            sparse = self._indices.shape[0]
            raise ShapeError(f"to_sparse_csr: expected 2 or 3 dimensions, all sparse, got {self.shape} with {sparse}")
        *batch, rows, columns = self._shape
        matrices = math.prod(batch)
        if not math.prod(self._shape):
            dtype = self._indices.dtype
            return SparseCsrTensor(zeros([matrices * (rows + 1)], dtype), zeros([0], dtype), self._values, self._shape)
        order = argsort(self.flat_indices())
        row = floor_divide(gather(self.flat_indices(), order), columns)
        dtype = self._indices.dtype
        count = added(matrices * rows, row, cast(row * 0 + 1, int64))
        ends = cumsum(reshape(count, [matrices, rows]), 1)
        crows = reshape(concat([ends[:, :1] * 0, ends], 1), [-1])
        cols = gather(self._indices[-1], order)
        return SparseCsrTensor(cast(crows, dtype), cols, gather(self._values, order), self._shape)

    def _map_parts(self, function: Callable[[Any], Any]) -> SparseCooTensor:
        return SparseCooTensor(function(self._indices), function(self._values), self._shape)

    def _parts(self) -> list[tuple[str, Any]]:
        return [("indices", self._indices), ("values", self._values)]


@dataclass(eq=False, repr=False)
class SparseCsrTensor(SparseTensor):
    """Numbers row by row: ``crows`` says where each row begins in ``cols`` and ``values``, [nnz]; of a batch matrix by matrix."""

    _crows: Any
    _cols: Any
    _values: Any
    _shape: tuple[int, ...]

    def crows(self) -> Any:
        """Row pointers: the start of each row and the end of the last one, integers [rows + 1] for each matrix of a batch."""
        return self._crows

    def cols(self) -> Any:
        """The column of each number, integers [nnz]."""
        return self._cols

    def with_values(self, values: Tensor) -> SparseCsrTensor:
        return SparseCsrTensor(self._crows, self._cols, values, self._shape)

    def to_dense(self) -> Any:
        return self.to_sparse_coo(len(self._shape)).to_dense()

    def to_sparse_coo(self, sparse_dim: int) -> SparseCooTensor:
        """By coordinates; all dimensions are sparse, whatever ``sparse_dim`` is."""
        *batch, rows, _ = self._shape
        crows = reshape(cast(self._crows, int64), [math.prod(batch), rows + 1])
        ends = cumsum(reshape(crows[:, 1:] - crows[:, :-1], [-1]))
        row = searchsorted(ends, arange(self._cols.shape[0]), right=True)
        index = coordinates(row, (*batch, rows), self._cols.dtype)
        return SparseCooTensor(concat([index, self._cols.unsqueeze(0)]), self._values, self._shape)

    def to_sparse_csr(self) -> SparseCsrTensor:
        """Itself."""
        return self

    def _map_parts(self, function: Callable[[Any], Any]) -> SparseCsrTensor:
        return SparseCsrTensor(function(self._crows), function(self._cols), function(self._values), self._shape)

    def _parts(self) -> list[tuple[str, Any]]:
        return [("crows", self._crows), ("cols", self._cols), ("values", self._values)]


for _class in (SparseTensor, SparseCooTensor, SparseCsrTensor):
    _class.__hash__ = object.__hash__  # type: ignore[method-assign, assignment]


def coo_of(x: Tensor, sparse_dim: int) -> SparseCooTensor:
    """The nonzero elements of a dense tensor, in COO format; see `to_static.compiler.eager.as_sparse.to_sparse_coo`."""
    shape: list[int] = x.shape  # type: ignore[attr-defined]
    if not isinstance(sparse_dim, int) or not 0 < sparse_dim <= len(shape):
        raise ValueError(f"to_sparse_coo: sparse_dim should be from 1 to {len(shape)} for shape {shape}, got {sparse_dim!r}")
    is_nonzero = x != 0
    if sparse_dim < len(shape):
        is_nonzero = is_nonzero.any(list(range(sparse_dim, len(shape))))  # type: ignore[attr-defined]
    indices = nonzero(is_nonzero)
    return SparseCooTensor(transpose(indices, [1, 0]), gather_nd(x, indices), tuple(shape))


def csr_of(x: Tensor) -> SparseCsrTensor:
    """The nonzero elements of a dense matrix, or of a batch of them, in CSR format."""
    shape: list[int] = x.shape  # type: ignore[attr-defined]
    if len(shape) not in (2, 3):
        raise ValueError(f"to_sparse_csr: expected a tensor of 2 or 3 dimensions, got shape {shape}")
    csr = coo_of(x, len(shape)).to_sparse_csr()
    if isinstance(csr._values, EagerTensor) and not csr.stop_gradient:
        csr.retain_grads()  # in Paddle, where no gradient goes through this to ``x``, it is a leaf
    return csr
