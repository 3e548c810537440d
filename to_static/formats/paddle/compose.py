"""File operators that are a few operators of ours: how they are read."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.formats.paddle.op_reader import MAX_KNOWN
from to_static.formats.paddle.upgrade import reads
from to_static.ir.registry import FUNCTIONS


def _call(name: str, *args: Any, **kwargs: Any) -> Any:
    return FUNCTIONS[name](*args, **kwargs)


def _known(r: Any, slot: str, value: Any) -> Any:
    """An attribute that a tensor in ``slot`` may override, where that tensor is a constant."""
    if not r.has(slot):
        return value
    found = r.const(r.input(slot))
    if found is None:
        r.refuse(f"{slot} is computed while the program runs")
    return found.reshape(-1).tolist()


# products ------------------------------------------------------------------------------------------------------------


@reads("bmm", "kron", "cross")
def _(r: Any) -> Any:
    more = {"axis": r.attr("dim", 9)} if r.type == "cross" else {}
    return {"Out": _call(r.type, r.input("X"), r.input("Y"), **more)}


@reads("dot")
def _(r: Any) -> Any:
    return {"Out": _call("dot", r.input("X"), r.input("Y"))}


@reads("mv")
def _(r: Any) -> Any:
    return {"Out": _call("mv", r.input("X"), r.input("Vec"))}


@reads("addmm")
def _(r: Any) -> Any:
    return {"Out": _call("addmm", r.input("Input"), r.input("X"), r.input("Y"), r.attr("Beta", 1.0), r.attr("Alpha", 1.0))}


@reads("einsum")
def _(r: Any) -> Any:
    return {"Out": _call("einsum", r.attr("equation", ""), *r.inputs("Operands"))}


# arithmetic ----------------------------------------------------------------------------------------------------------


@reads("pow")
def _(r: Any) -> Any:
    x = r.input("X")
    if r.has("FactorTensor"):
        return {"Out": _call("pow", x, _call("cast", r.input("FactorTensor"), x.dtype))}
    factor = r.attr("factor", 1.0)
    return {"Out": _call("pow", x, int(factor) if x.dtype.is_integer and factor == int(factor) else factor)}


@reads("lerp")
def _(r: Any) -> Any:
    return {"Out": _call("lerp", r.input("X"), r.input("Y"), r.input("Weight"))}


@reads("logit")
def _(r: Any) -> Any:
    return {"Out": _call("logit", r.input("X"), r.attr("eps", 1e-6))}


@reads("stanh")
def _(r: Any) -> Any:
    return {"Out": _call("stanh", r.input("X"), r.attr("scale_a", 0.67), r.attr("scale_b", 1.7159))}


# norms ---------------------------------------------------------------------------------------------------------------


@reads("dist")
def _(r: Any) -> Any:
    return {"Out": _call("dist", r.input("X"), r.input("Y"), r.attr("p", 2.0))}


@reads("frobenius_norm")
def _(r: Any) -> Any:
    x = r.input("X")
    axes = list(range(x.ndim)) if r.attr("reduce_all", False) else [a % x.ndim for a in r.attr("dim", [0])]
    return {"Out": _call("sqrt", _call("sum", x * x, axes, None, r.attr("keep_dim", False)))}


# places --------------------------------------------------------------------------------------------------------------


@reads("index_sample")
def _(r: Any) -> Any:
    return {"Out": _call("index_sample", r.input("X"), r.input("Index"))}


@reads("index_add")
def _(r: Any) -> Any:
    return {"Out": _call("index_add", r.input("X"), r.input("Index"), r.attr("axis", 0), r.input("AddValue"))}


@reads("repeat_interleave")
def _(r: Any) -> Any:
    repeats = r.input("RepeatsTensor") if r.has("RepeatsTensor") else r.attr("Repeats", 1)
    return {"Out": _call("repeat_interleave", r.input("X"), repeats, r.attr("dim", 0))}


@reads("trace")
def _(r: Any) -> Any:
    return {"Out": _call("trace", r.input("Input"), r.attr("offset", 0), r.attr("axis1", 0), r.attr("axis2", 1))}


@reads("kthvalue")
def _(r: Any) -> Any:
    values, indices = _call("kthvalue", r.input("X"), r.attr("k", 1), r.attr("axis", -1), r.attr("keepdim", False))
    return {"Out": values, "Indices": indices}


@reads("unstack")
def _(r: Any) -> Any:
    return {"Y": list(_call("unstack", r.input("X"), r.attr("axis", 0)))}


@reads("meshgrid")
def _(r: Any) -> Any:
    return {"Out": list(_call("meshgrid", *r.inputs("X")))}


@reads("multiplex")
def _(r: Any) -> Any:
    rows = _call("stack", r.inputs("X"), 0)  # [choices, N, ...]
    ids = _call("cast", _call("reshape", r.input("Ids"), [-1]), "int64")
    count = _call("arange", rows.shape[1])
    return {"Out": _call("index", rows, [ids, count], axes=(0, 1))}


@reads("tril_indices")
def _(r: Any) -> Any:
    rows, columns = r.attr("rows", 1), r.attr("cols", 1)
    if rows * columns > MAX_KNOWN:
        r.refuse(f"the indices of a {rows} x {columns} matrix")
    found = np.tril_indices(rows, r.attr("offset", 0), columns)
    return {"out": _call("cast", _call("constant", np.stack(found).astype("int64")), r.dtype("dtype"))}


@reads("empty")
def _(r: Any) -> Any:
    return {"Out": _call("full", _known(r, "ShapeTensor", r.attr("shape", [])), 0, r.dtype("dtype"))}


@reads("accuracy")
def _(r: Any) -> Any:
    hits = _call("any", _call("equal", r.input("Indices"), _call("cast", r.input("Label"), "int64")), 1)
    correct = _call("sum", _call("cast", hits, "int32"), None, "int32")
    total = _call("cast", _call("numel", hits), "int32")
    share = _call("cast", correct, "float32") / _call("cast", total, "float32")
    return {"Accuracy": share, "Correct": correct, "Total": total}
