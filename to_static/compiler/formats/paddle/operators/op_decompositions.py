"""Readers of file operators that are read as several operators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.formats.paddle.operators.op_compat import reads, unpooled_size
from to_static.compiler.formats.paddle.operators.op_reader import MAX_KNOWN
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ops import functions as F

if TYPE_CHECKING:
    from to_static.compiler.formats.paddle.operators.op_reader import OpReader
    from to_static.compiler.ir.tensor import Tensor



# products ------------------------------------------------------------------------------------------------------------


@reads("bmm", "kron")
def _(r: OpReader) -> Any:
    return {"Out": FUNCTIONS[r.type](r.input("X"), r.input("Y"))}


@reads("mv")
def _(r: OpReader) -> Any:
    return {"Out": F.mv(r.input("X"), r.input("Vec"))}


@reads("addmm")
def _(r: OpReader) -> Any:
    return {"Out": F.addmm(r.input("Input"), r.input("X"), r.input("Y"), r.attr("Beta", 1.0), r.attr("Alpha", 1.0))}


@reads("multi_dot")
def _(r: OpReader) -> Any:
    first, *further = r.inputs("X")
    for operand in further:
        first = F.matmul(first, operand)
    return {"Out": first}


@reads("einsum")
def _(r: OpReader) -> Any:
    return {"Out": F.einsum(r.attr("equation", ""), *r.inputs("Operands"))}


# arithmetic ----------------------------------------------------------------------------------------------------------


@reads("pow")
def _(r: OpReader) -> Any:
    x = r.input("X")
    if r.has("FactorTensor"):
        return {"Out": F.pow(x, F.cast(r.input("FactorTensor"), x.dtype))}
    factor = r.attr("factor", 1.0)
    return {"Out": F.pow(x, int(factor) if x.dtype.is_integer and factor == int(factor) else factor)}


@reads("lerp")
def _(r: OpReader) -> Any:
    return {"Out": F.lerp(r.input("X"), r.input("Y"), r.input("Weight"))}


@reads("stanh")
def _(r: OpReader) -> Any:
    return {"Out": F.stanh(r.input("X"), r.attr("scale_a", 0.67), r.attr("scale_b", 1.7159))}


@reads("elementwise_heaviside")
def _(r: OpReader) -> Any:
    return {"Out": F.heaviside(r.input("X"), r.input("Y"))}


@reads("bilinear_tensor_product")
def _(r: OpReader) -> Any:
    x, y, weight = r.input("X"), r.input("Y"), r.input("Weight")  # [N, a], [N, b], [K, a, b]
    x_weight = F.matmul(x, weight)  # [K, N, b]
    out = F.transpose(F.sum(x_weight * y, -1), [1, 0])
    return {"Out": out + r.input("Bias") if r.has("Bias") else out}


@reads("matrix_power")
def _(r: OpReader) -> Any:
    return {"Out": F.matrix_power(r.input("X"), r.attr("n", 1))}


@reads("eigvalsh")
def _(r: OpReader) -> Any:
    values, vectors = F.eigh(r.input("X"), r.attr("UPLO", "L"))
    return {"Eigenvalues": values, "Eigenvectors": vectors}


@reads("spectral_norm")
def _(r: OpReader) -> Any:
    weight, u, v = r.input("Weight"), r.input("U"), r.input("V")
    dim, eps = r.attr("dim", 0), r.attr("eps", 1e-12)
    rows = weight.spec.shape[dim]
    matrix = F.reshape(F.moveaxis(weight, dim, 0), [rows, -1])
    u, v = F.reshape(u, [-1]), F.reshape(v, [-1])
    for _ in range(r.attr("power_iters", 1)):
        v = _unit(F.matmul(matrix, u, True), eps)
        u = _unit(F.matmul(matrix, v), eps)
    return {"Out": weight / F.sum(u * F.matmul(matrix, v))}


def _unit(x: Tensor, eps: float) -> Any:
    return x / (F.sqrt(F.sum(x * x)) + eps)


@reads("gumbel_softmax")
def _(r: OpReader) -> Any:
    x, axis, log = r.input("X"), r.attr("axis", -1), F.log
    noise = F.uniform(x.shape, x.dtype, 1e-7, 1.0 - 1e-7)
    soft = F.softmax((x - log(-log(noise))) / r.attr("temperature", 1.0), axis)
    if not r.attr("hard", False):
        return {"Out": soft}
    return {"Out": F.cast(F.equal(soft, F.max(soft, axis, True)), x.dtype)}


@reads("sequence_mask")
def _(r: OpReader) -> Any:
    x = r.input("X")
    longest: Any = r.attr("maxlen", -1)
    if r.has("MaxLenTensor"):
        longest = F.reshape(F.cast(r.input("MaxLenTensor"), x.dtype), [])
    elif longest < 0:
        longest = F.max(x)
    steps = F.arange(0, longest, 1, x.dtype)
    return {"Y": F.cast(F.less_than(steps, F.unsqueeze(x, -1)), r.dtype("out_dtype"))}


@reads("fill_diagonal_tensor")
def _(r: OpReader) -> Any:
    diagonal = (r.attr(name, default) for name, default in (("offset", 0), ("dim1", 0), ("dim2", 1)))
    x, y = r.input("X"), r.input("Y")
    y = F.reshape(y, [-1]) if x.ndim == 2 else y  # it is [1, n] there
    return {"Out": F.fill_diagonal_tensor(x, y, *diagonal)}


@reads("logspace")
def _(r: OpReader) -> Any:
    start, stop, base = (F.reshape(r.input(slot), []) for slot in ("Start", "Stop", "Base"))
    return {"Out": F.logspace(start, stop, _count(r), base, r.dtype("dtype"))}


def _count(r: OpReader) -> Any:
    """The number of elements to make: an integer, or a tensor where the program computes it."""
    value = r.const(r.input("Num"))
    return r.input("Num") if value is None else int(value.reshape(-1)[0])


@reads("linspace")
def _(r: OpReader) -> Any:
    return {"Out": F.linspace(r.input("Start"), r.input("Stop"), _count(r), r.dtype("dtype"))}


@reads("is_empty", "angle")
def _(r: OpReader) -> Any:
    return {"Out": FUNCTIONS[r.type](r.input("X"))}


# norms ---------------------------------------------------------------------------------------------------------------


@reads("dist")
def _(r: OpReader) -> Any:
    return {"Out": F.dist(r.input("X"), r.input("Y"), r.attr("p", 2.0))}


@reads("frobenius_norm")
def _(r: OpReader) -> Any:
    x = r.input("X")
    axes = list(range(x.ndim)) if r.attr("reduce_all", False) else [a % x.ndim for a in r.attr("dim", [0])]
    return {"Out": F.sqrt(F.sum(x * x, axes, None, r.attr("keep_dim", False)))}


# places --------------------------------------------------------------------------------------------------------------


@reads("index_sample")
def _(r: OpReader) -> Any:
    return {"Out": F.index_sample(r.input("X"), r.input("Index"))}


@reads("diag_embed")
def _(r: OpReader) -> Any:
    return {"Out": F.diag_embed(r.input("Input"), r.attr("offset", 0), r.attr("dim1", -2), r.attr("dim2", -1))}


@reads("crop_tensor")
def _(r: OpReader) -> Any:
    x = r.input("X")
    shape, offsets = (r.integers(name.lower(), name, f"{name}Tensor") for name in ("Shape", "Offsets"))
    if r.has("Y"):
        shape = r.input("Y").shape
    keeps_shape = isinstance(shape, list) and not shape
    return {"Out": F.crop(x, None if keeps_shape else shape, None if isinstance(offsets, list) and not offsets else offsets)}


@reads("unpool3d")
def _(r: OpReader) -> Any:
    kernel, stride, padding = r.attr("ksize", []), r.attr("strides", []), r.attr("paddings", [])
    size = unpooled_size(r)
    return {"Out": F.max_unpool3d(r.input("X"), r.input("Indices"), kernel, stride, padding, output_size=size)}


@reads("repeat_interleave")
def _(r: OpReader) -> Any:
    repeats = r.input("RepeatsTensor") if r.has("RepeatsTensor") else r.attr("Repeats", 1)
    return {"Out": F.repeat_interleave(r.input("X"), repeats, r.attr("dim", 0))}


@reads("trace")
def _(r: OpReader) -> Any:
    return {"Out": F.trace(r.input("Input"), r.attr("offset", 0), r.attr("axis1", 0), r.attr("axis2", 1))}


@reads("kthvalue")
def _(r: OpReader) -> Any:
    values, indices = F.kthvalue(r.input("X"), r.attr("k", 1), r.attr("axis", -1), r.attr("keepdim", False))
    return {"Out": values, "Indices": indices}


@reads("unstack")
def _(r: OpReader) -> Any:
    return {"Y": list(F.unstack(r.input("X"), r.attr("axis", 0)))}


@reads("meshgrid")
def _(r: OpReader) -> Any:
    return {"Out": list(F.meshgrid(*r.inputs("X")))}


@reads("multiplex")
def _(r: OpReader) -> Any:
    rows = F.stack(r.inputs("X"), 0)  # [choices, N, ...], of which there may be more than ids
    ids = F.cast(F.reshape(r.input("Ids"), [-1]), "int64")
    count = F.arange(ids.shape[0])
    return {"Out": F.index(rows, [ids, count], axes=(0, 1))}


@reads("tril_indices")
def _(r: OpReader) -> Any:
    rows, columns = r.attr("rows", 1), r.attr("cols", 1)
    if rows * columns > MAX_KNOWN:
        r.refuse(f"the indices of a {rows} x {columns} matrix")
    indices = np.tril_indices(rows, r.attr("offset", 0), columns)
    return {"out": F.cast(F.constant(np.stack(indices).astype("int64")), r.dtype("dtype"))}


@reads("empty")
def _(r: OpReader) -> Any:
    return {"Out": F.full(r.integers("shape", "ShapeTensor", "ShapeTensorList"), 0, r.dtype("dtype"))}


@reads("accuracy")
def _(r: OpReader) -> Any:
    hits = F.any(F.equal(r.input("Indices"), F.cast(r.input("Label"), "int64")), 1)
    correct = F.sum(F.cast(hits, "int32"), None, "int32")
    total = F.cast(F.numel(hits), "int32")
    share = F.cast(correct, "float32") / F.cast(total, "float32")
    return {"Accuracy": share, "Correct": correct, "Total": total}
