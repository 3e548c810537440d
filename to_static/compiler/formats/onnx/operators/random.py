"""Writes random operators. The numbers differ, because each runtime has its own generator."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.formats.onnx import schema
from to_static.compiler.formats.onnx.program_writer import OnnxWriter, writes
from to_static.compiler.ir.program import Op
from to_static.compiler.ops.dimension_args import HOLE
from to_static.core.dtypes import float32


def _shape(w: OnnxWriter, op: Op) -> str:
    if op.out.spec.is_static:
        return w.ints(op.out.spec.shape)
    return w.dims(op.attrs["shape"], op.inputs[0], HOLE)


def _drawn(w: OnnxWriter, op: Op, op_type: str, dtype: Any, **options: Any) -> str:
    options["dtype"] = schema.DATA_TYPE_OF[dtype.name]
    if op.out.spec.is_static:
        return w.op(op_type, shape=list(op.out.spec.shape), **options)
    like = w.op("ConstantOfShape", _shape(w, op), value=np.zeros(1, "float32"))
    return w.op(f"{op_type}Like", like, **options)


@writes("uniform")
def _(w: OnnxWriter, op: Op) -> Any:
    seed = {"seed": float(op.attrs["seed"])} if op.attrs["seed"] else {}
    return _drawn(w, op, "RandomUniform", op.out.spec.dtype, low=float(op.attrs["low"]), high=float(op.attrs["high"]), **seed)


@writes("gaussian")
def _(w: OnnxWriter, op: Op) -> Any:
    seed = {"seed": float(op.attrs["seed"])} if op.attrs["seed"] else {}
    return _drawn(w, op, "RandomNormal", op.out.spec.dtype, mean=float(op.attrs["mean"]), scale=float(op.attrs["std"]), **seed)


@writes("randint")
def _(w: OnnxWriter, op: Op) -> Any:
    uniform = _drawn(w, op, "RandomUniform", float32, low=float(op.attrs["low"]), high=float(op.attrs["high"]))
    return w.cast(w.op("Floor", uniform), op.out.spec.dtype)


@writes("bernoulli")
def _(w: OnnxWriter, op: Op) -> Any:
    w.need(15, "`bernoulli`")
    return w.op("Bernoulli", op.inputs[0])


@writes("multinomial")
def _(w: OnnxWriter, op: Op) -> Any:
    x = op.inputs[0]
    if not op.attrs["replacement"] and op.attrs["num_samples"] > 1:
        w.refuse("draws without replacement")
    rows = w.name(x) if x.spec.ndim == 2 else w.unsqueeze(w.name(x), [0])
    drawn = w.op("Multinomial", w.op("Log", rows), sample_size=op.attrs["num_samples"], dtype=schema.DATA_TYPE_OF["int64"])
    return drawn if x.spec.ndim == 2 else w.squeeze(drawn, [0])


@writes("randperm")
def _(w: OnnxWriter, op: Op) -> Any:
    count = op.attrs["n"]
    uniform = w.op("RandomUniform", shape=[count], dtype=schema.DATA_TYPE_OF["float32"])
    _, order = w.op("TopK", uniform, w.ints([count]), axis=0, outputs=2)
    return w.cast(order, op.out.spec.dtype)
