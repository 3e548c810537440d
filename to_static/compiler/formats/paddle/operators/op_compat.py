"""Tables of file operators that are not one operator here: names in older Paddle versions, and compositions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.formats.paddle.operators.lazy_op_lookup import operator
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ops import functions as F

if TYPE_CHECKING:
    from to_static.compiler.formats.paddle.operators.op_reader import OpReader
    from to_static.compiler.ir.tensor import Tensor

READERS: dict[str, Callable[[Any], Any]] = {}


def reads(*types: str) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """Register a reader for file op types."""

    def decorate(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        READERS.update(dict.fromkeys(types, function))
        return function

    return decorate


ELEMENTWISE = ("add", "sub", "mul", "div", "floordiv", "mod", "pow", "max", "min", "fmax", "fmin")
COMPARISONS = ("equal", "not_equal", "less_than", "less_equal", "greater_than", "greater_equal")


@reads(*(f"elementwise_{name}" for name in ELEMENTWISE), *COMPARISONS)
def _(r: OpReader) -> Any:
    x, y, axis = r.input("X"), r.input("Y"), r.attr("axis", -1)
    tail = x.ndim - axis - y.ndim if axis >= 0 else 0
    if tail > 0:  # y's dimensions stand at x's dimensions from `axis` on
        y = F.unsqueeze(y, list(range(y.ndim, y.ndim + tail)))
    return {"Out": FUNCTIONS[operator(r.type).name](x, y)}


@reads("increment")
def _(r: OpReader) -> Any:
    x = r.input("X")
    return {"Out": x + np.asarray(r.attr("step", 1.0), x.dtype.np)[()]}


@reads("mean")
def _(r: OpReader) -> Any:
    return {"Out": F.mean(r.input("X"))}


@reads("sum")
def _(r: OpReader) -> Any:
    first, *further = r.inputs("X")
    for operand in further:
        first = first + operand
    return {"Out": first if further else F.assign(first)}


@reads("mul")
def _(r: OpReader) -> Any:
    x, y = r.input("X"), r.input("Y")
    n, m = r.attr("x_num_col_dims", 1), r.attr("y_num_col_dims", 1)
    out = F.matmul(_flat(x, n), _flat(y, m))
    return {"Out": out if x.ndim == 2 and y.ndim == 2 else F.reshape(out, _sizes(x)[:n] + _sizes(y)[m:])}


def _sizes(x: Tensor) -> list[Any]:
    return [F.dim_size(x, i) if d == UNKNOWN else d for i, d in enumerate(x.spec.shape)]


def _flat(x: Tensor, rows: int) -> Any:
    """``x`` as a matrix whose rows are its first ``rows`` dimensions."""
    if x.ndim == 2 and rows == 1:
        return x
    columns: Any = 1
    for size in _sizes(x)[rows:]:
        columns = columns * size
    return F.reshape(x, [-1, columns])


@reads("matmul")
def _(r: OpReader) -> Any:
    out = F.matmul(r.input("X"), r.input("Y"), r.attr("transpose_X", False), r.attr("transpose_Y", False))
    alpha = r.attr("alpha", 1.0)
    return {"Out": out if alpha == 1.0 else out * alpha}


@reads("lookup_table")
def _(r: OpReader) -> Any:
    ids = r.input("Ids")  # the old form has a last dimension of 1
    padding = r.attr("padding_idx", -1)
    return {"Out": F.embedding(F.squeeze(ids, [-1]), r.input("W"), None if padding < 0 else padding)}


@reads("share_data", "memcpy", "rnn_memory_helper")
def _(r: OpReader) -> Any:
    return {"Out": F.assign(r.input("X"))}


@reads("fill_zeros_like")
def _(r: OpReader) -> Any:
    return {"Out": F.full_like(r.input("X"), 0)}


@reads("fill_constant_batch_size_like")
def _(r: OpReader) -> Any:
    x, shape = r.input("Input"), list(r.attr("shape", []))
    shape[r.attr("output_dim_idx", 0)] = _sizes(x)[r.attr("input_dim_idx", 0)]
    text = r.attr("str_value", "")
    return {"Out": F.full(shape, float(text) if text else r.attr("value", 0.0), r.dtype("dtype"))}


@reads("flatten", "flatten2")
def _(r: OpReader) -> Any:
    x, axis = r.input("X"), r.attr("axis", 1)
    rows: Any = 1
    for size in _sizes(x)[:axis]:
        rows = rows * size
    return {"Out": F.reshape(x, [rows, -1])}


@reads("flatten_contiguous_range")
def _(r: OpReader) -> Any:
    return {"Out": F.flatten(r.input("X"), r.attr("start_axis", 1), r.attr("stop_axis", -1))}


# the same operator under an older name
OLD_NAMES = {
    "reshape": "reshape2", "squeeze": "squeeze2", "unsqueeze": "unsqueeze2", "transpose": "transpose2",
    "sync_batch_norm": "batch_norm", "top_k": "top_k_v2",
}  # fmt: skip


@reads("affine_grid")
def _(r: OpReader) -> Any:
    shape = r.integers("output_shape", "OutputShape")
    return {"Output": F.affine_grid(r.input("Theta"), shape, r.attr("align_corners", True))}


def unpooled_size(r: Any) -> Any:
    """The sizes that an operator unpools to, or None where Paddle did not know them when it wrote the file."""
    sizes = r.integers("output_size")
    open_sizes = any(isinstance(size, int) and size < 0 for size in sizes)  # -2: less than the unknown size -1
    return None if open_sizes else sizes or None


@reads("unpool")
def _(r: OpReader) -> Any:
    kernel, stride, padding = r.attr("ksize", []), r.attr("strides", []), r.attr("paddings", [])
    size = unpooled_size(r)
    return {"Out": F.max_unpool2d(r.input("X"), r.input("Indices"), kernel, stride, padding, output_size=size)}


@reads("nanmedian")
def _(r: OpReader) -> Any:
    return {"Out": F.nanmedian(r.input("X"), r.attr("axis", []) or None, r.attr("keepdim", False))}


@reads("eigvalsh")
def _(r: OpReader) -> Any:
    return {"Eigenvalues": F.eigvalsh(r.input("X"), r.attr("UPLO", "L"))}
