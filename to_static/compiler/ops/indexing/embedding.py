"""Rows of a table by integer ids: embedding and one-hot vectors."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks, dynamic_sizes
from to_static.compiler.ops.indexing import duplicate_indices
from to_static.compiler.ops.indexing.index import added_to_rows
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import DType, as_dtype, float32
from to_static.core.errors import ArgumentError, DTypeError, IdError, ShapeError
from to_static.core.native_index import native

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader


@op("embedding(Ids, W -> Out) padding_idx:long", file="lookup_table_v2", traits="may_raise")
def embedding(
    x: Tensor, weight: Any, padding_idx: int | None = None, sparse: bool = False, name: str | None = None
) -> Tensor:
    """Rows of ``weight`` (``[V, D]``) for integer ids ``x``: a tensor of shape ``[*x.shape, D]``.

    ``padding_idx``: this id gives zeros, and its row no gradient (negative counts from the end; None: no such id).
    ``sparse``: of a parameter, the gradient is kept by rows until somebody looks at it, and lazy optimizers leave other rows alone.
    Raises DTypeError when ``x`` is not integer, ShapeError on a wrong weight, ValueError on a padding_idx out of range, and
    IndexError (when it runs) on an id out of range.

    Example:
        >>> F.embedding(paddle.to_tensor([1, 0]), paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])).numpy()
        array([[3., 4.],
               [1., 2.]], dtype=float32)
    """
    if sparse and weight.is_parameter:
        weight.row_gradient = True
    dtype_checks.need_float(weight.spec, "embedding")
    if padding_idx is None:
        return embedding.emit(x, weight, padding_idx=-1)
    size = weight.spec.shape[0] if weight.ndim else 0
    words = f"embedding: padding_idx {padding_idx} is out of range for a weight of"
    if size == UNKNOWN and padding_idx < 0:
        raise ArgumentError("embedding: a padding_idx that counts from the end needs a weight whose number of rows is known")
    if size == UNKNOWN:
        rows = dynamic_sizes.as_tensor_size(weight.shape[0])
        dynamic_sizes.check(rows > padding_idx, "ValueError", f"{words} {{}} rows", rows)
    elif not -size <= padding_idx < size:
        raise ArgumentError(f"{words} {size} rows")
    elif padding_idx < 0:
        padding_idx += size
    return embedding.emit(x, weight, padding_idx=int(padding_idx))


@embedding.infer
def _(ids: TensorSpec, weight: TensorSpec, padding_idx: int) -> TensorSpec:
    if not ids.dtype.is_integer:
        raise DTypeError(f"embedding: ids must be integers, got {ids.dtype.name}; convert them with ids.astype('int64')")
    if weight.ndim != 2:
        raise ShapeError(f"embedding: weight must have 2 dimensions, got {show(weight.shape)}")
    return weight.with_shape((*ids.shape, weight.shape[1]))


def any_beyond(dtype: DType, size: int) -> Any:
    """A function that says whether any number of an array of NumPy's, of a dtype, is below 0 or not below ``size``."""
    unsigned = np.dtype(_UNSIGNED[dtype.itemsize])
    if size > np.iinfo(unsigned).max:
        return lambda x: np.count_nonzero(x < 0)
    limit, compare, count = np.array(size, unsigned), np.greater_equal, np.count_nonzero
    return lambda x: count(compare(x.view(unsigned), limit))  # numbers below 0 are large then


_UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def check_ids(ids: Array, size: int, name: str) -> None:
    """Raise IdError (an IndexError and a ValueError) unless all ids lie in ``[0, size)``."""
    unsigned = ids.view(_UNSIGNED[ids.itemsize])  # a negative id is a huge unsigned one
    if ids.size and (np.maximum.reduce(unsigned, None) if type(ids) is np.ndarray else unsigned.max()) >= size:
        got = f"from {int(ids.min())} to {int(ids.max())}"
        raise IdError(f"{name}: ids must lie in [0, {size}), got values {got}")


@embedding.kernel
def _(xp: ArrayModule, ids: Array, weight: Array, padding_idx: int) -> Array:
    check_ids(ids, weight.shape[0], "embedding")
    out = weight.take(native(ids), axis=0)
    if padding_idx >= 0:
        out[ids == padding_idx] = 0
    return out


@embedding.specialize
def _(out: TensorSpec, ids: TensorSpec, weight: TensorSpec, padding_idx: int) -> Any:
    if padding_idx >= 0 or not ids.size:
        return None
    size = weight.shape[0]
    beyond = any_beyond(ids.dtype, size)

    def embedding_run(ids: Array, weight: Array) -> Array:
        if beyond(ids):
            check_ids(ids, size, "embedding")
        return weight.take(native(ids), 0)

    return embedding_run


@embedding.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    ids, weight = ctx.inputs
    return None, embedding_grad([ids], weight, [g], ctx.padding_idx)


@op("embedding_grad(Ids*, Like, G* -> DW) padding_idx", file=None)
def embedding_grad(ids: list[Any], like: Tensor, g: list[Any], padding_idx: int) -> Tensor:
    """Sums of the rows of all ``g`` that have the same id: the gradient of a table shaped as ``like``.

    One call does several lookups in one table: a large table is written once then, not once for each of them.
    """
    return embedding_grad.emit(ids, like, g, padding_idx=padding_idx)


@embedding_grad.infer
def _(ids: list[TensorSpec], like: TensorSpec, g: list[TensorSpec], padding_idx: int) -> TensorSpec:
    return like


def row_sums(xp: ArrayModule, ids: list[Any], g: list[Any], width: int, padding_idx: int = -1) -> tuple[Any, Any]:
    """Each of the ``ids`` but ``padding_idx`` once, in order, and the sums of the rows of ``g`` that have the same one."""
    vectors, parts = [i.reshape(-1) for i in ids], [x.reshape(-1, width) for x in g]
    flat, rows = (vectors[0], parts[0]) if len(ids) == 1 else (xp.concatenate(vectors), xp.concatenate(parts))
    if flat.size == 0:
        return flat, rows
    if xp is np:
        order = np.argsort(flat, kind="stable")  # sums over sorted runs are much faster than add.at
        flat = flat[order]
        starts = duplicate_indices.starts_of(flat)
        positions, sums = flat[starts], duplicate_indices.of_runs(rows[order], starts)
    else:
        positions, which = xp.unique(flat, return_inverse=True)
        sums = xp.zeros((positions.shape[0], width), rows.dtype)
        xp.add.at(sums, which.reshape(-1), rows)
    if padding_idx < 0:
        return positions, sums
    not_padding = positions != padding_idx
    return positions[not_padding], sums[not_padding]


@embedding_grad.kernel
def _(xp: ArrayModule, ids: list[Any], like: Array, g: list[Any], padding_idx: int) -> Array:
    if xp is np and len(ids) == 1:
        few = added_to_rows(like, ids[0], g[0])
        if few is not None:
            if padding_idx >= 0:
                few[padding_idx] = 0
            return few  # type: ignore[no-any-return]
    dense = xp.zeros_like(like)
    positions, sums = row_sums(xp, ids, g, like.shape[1], padding_idx)
    dense[positions] = sums
    return dense


@embedding_grad.grad
def _(ctx: GradContext, u: Tensor) -> Any:
    return None, None, [embedding.emit(ids, u, padding_idx=ctx.padding_idx) for ids in ctx.inputs[0]]


@op(
    "one_hot(X -> Out) num_classes=depth:int dtype:dtype",
    file="one_hot_v2",
    traits="may_raise nodiff",
    file_attrs={"allow_out_of_range": ("bool", False)},
)
def one_hot(x: Tensor, num_classes: int, name: str | None = None, dtype: DType | None = None) -> Tensor:
    """Vectors of ``num_classes`` elements of ``dtype`` (float32), 1 at the place that the integer tensor ``x`` names, else 0.

    The result has shape ``[*x.shape, num_classes]``. Raises DTypeError when ``x`` is not integer and IndexError (when it
    runs) on a value outside ``[0, num_classes)``.

    Example:
        >>> F.one_hot(paddle.to_tensor([1]), 3).numpy()
        array([[0., 1., 0.]], dtype=float32)
    """
    wanted = float32 if dtype is None else as_dtype(dtype)
    if type(num_classes) is not int and dynamic_sizes.is_dynamic(num_classes) and x.dtype.is_integer:
        return dynamic_sizes.one_hot(x, num_classes, wanted)
    return one_hot.emit(x, num_classes=int(num_classes), dtype=wanted)


@one_hot.infer
def _(x: TensorSpec, num_classes: int, dtype: DType) -> TensorSpec:
    if not x.dtype.is_integer:
        raise DTypeError(f"one_hot: expected an integer tensor, got {x.dtype.name}")
    if num_classes < 1 and num_classes != UNKNOWN:
        raise ShapeError(f"one_hot: num_classes must be positive, got {num_classes}")
    return TensorSpec((*x.shape, num_classes), dtype)


@one_hot.from_file
def _(r: FileReader) -> Tensor:
    if r.attr("allow_out_of_range", False):
        r.refuse("attribute allow_out_of_range = True, where only False is supported")
    return one_hot(r.input("X"), r.integer("depth", -1, "depth_tensor"), dtype=r.dtype("dtype"))


_FEW_CLASSES = 64


@functools.lru_cache(64)
def _unit_vectors(count: int, dtype: np.dtype) -> Any:
    """The rows of a unit matrix, not to be written to."""
    return np.eye(count, dtype=dtype)


@one_hot.kernel
def _(xp: ArrayModule, x: Array, num_classes: int, dtype: DType) -> Array:
    check_ids(x, num_classes, "one_hot")
    if xp is np and num_classes <= _FEW_CLASSES:
        return _unit_vectors(num_classes, dtype.np).take(native(x), 0)
    one_hot_rows = xp.zeros((x.size, num_classes), dtype.np)
    one_hot_rows[xp.arange(x.size), x.reshape(-1)] = 1
    return one_hot_rows.reshape((*x.shape, num_classes))


@one_hot.specialize
def _(out: TensorSpec, x: TensorSpec, num_classes: int, dtype: DType) -> Any:
    if x.size <= 0 or num_classes > _FEW_CLASSES:
        return None
    vectors, beyond = _unit_vectors(num_classes, dtype.np), any_beyond(x.dtype, num_classes)

    def one_hot_run(x: Array) -> Array:
        if beyond(x):
            check_ids(x, num_classes, "one_hot")
        return vectors.take(native(x), 0)

    return one_hot_run


def _table() -> np.ndarray:
    return np.random.default_rng(0).uniform(-1, 1, (5, 3)).astype("float32")


def _gradient(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-1, 1, (2, 3, 3)).astype("float32")


def _ids() -> np.ndarray:
    return np.asarray([[1, 4, 1], [0, 2, 1]])


embedding.samples(
    lambda: [
        Sample(_ids(), _table(), padding_idx=-1),
        Sample(_ids(), _table(), padding_idx=1),
        Sample(np.asarray(2, "int32"), _table(), padding_idx=-1),
        Sample(np.zeros((2, 0), "int64"), _table(), padding_idx=-1),
    ]
)
embedding_grad.samples(
    lambda: [
        Sample(n * [_ids()], _table(), [_gradient(i) for i in range(n)], padding_idx=k) for n, k in ((1, -1), (1, 1), (2, 1))
    ]
)
one_hot.samples(
    lambda: [
        Sample(_ids(), num_classes=5, dtype=as_dtype("float32")),
        Sample(np.asarray(2, "int32"), num_classes=3, dtype=as_dtype("float32")),
    ]
)
