"""Compressed weights: each is stored in fewer bytes, and an operator at the start of the Program makes float32 of it.

Ops that read a weight do not change, and compute in float32. 8-bit integers have a scale for each channel, for `dequantize_linear`
(Jacob et al., Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only Inference, 2018, for weights
only); float16 weights are converted by `cast`. PaddlePaddle 2.6 reads these files.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.formats.paddle.editing import FileOp, FileProgram
from to_static.compiler.formats.paddle.messages import schema
from to_static.compiler.formats.paddle.weights.params_writer import nearest_bfloat16

DTYPES = ("int8", "float16", "bfloat16")
SMALLEST = 256  # numbers of a weight from which on the operator costs less than it saves
_MOST = 127  # the largest magnitude of eight bits; -128 is not used, so that the range is symmetric
_CODES = {"int8": "INT8", "float16": "FP16", "bfloat16": "BF16"}


def shrink_weights(form: FileProgram, dtype: str) -> list[str]:
    """Store the weights of ``form`` as ``dtype``, one of `DTYPES`; returns their names.

    Weights are tensors of float32 with two dimensions or more that no operator writes. Those of fewer than `SMALLEST` numbers, and
    those with a number that ``dtype`` can't hold (of 65,520 and more in float16, NaN, infinities), stay as they are.
    """
    written = {name for op in form.ops() for name in op.output_arg_names}
    shrunk: list[str] = []
    starts: list[FileOp] = []
    for var in form.persistables():
        weight = form.arrays.get(var.name)
        if weight is None or var.name in written or weight.dtype != np.float32 or weight.ndim < 2 or weight.size < SMALLEST:
            continue
        if np.isfinite(weight).all() and (dtype != "float16" or np.abs(weight).max() < 65520):
            starts.append(_stored(form, var.name, weight, dtype))
            shrunk.append(var.name)
    root = form.blocks[0]
    first = next((i for i, op in enumerate(root.ops) if op.type != "feed"), len(root.ops))
    root.ops[first:first] = starts
    return shrunk


def _stored(form: FileProgram, name: str, weight: np.ndarray, dtype: str) -> FileOp:
    """Put the small weight beside its name, which is no longer stored; returns the operator that computes it."""
    root = form.blocks[0]
    for block in form.blocks:
        if name in block.vars:
            del block.vars[name]
    root.add(name, shape=weight.shape)
    del form.arrays[name]
    small = f"{name}.{dtype}"
    while form.blocks[0].find(small) is not None:
        small += "_"
    root.add(small, dtype=schema.VAR_TYPE[_CODES[dtype]], shape=weight.shape, persistable=True)
    if dtype != "int8":
        form.arrays[small] = weight.astype(np.float16) if dtype == "float16" else nearest_bfloat16(weight)  # type: ignore[assignment]
        codes = {"in_dtype": schema.VAR_TYPE[_CODES[dtype]], "out_dtype": schema.VAR_TYPE["FP32"]}
        return FileOp(root, "cast", {"X": [small]}, {"Out": [name]}, codes)
    axis, scale, integers = _nearest_integers(weight)
    form.arrays[small] = integers
    beside = {}
    for suffix, type_name, array in (("scale", "FP32", scale), ("zero_point", "INT32", np.zeros(scale.shape, np.int32))):
        beside[suffix] = f"{small}.{suffix}"
        root.add(beside[suffix], dtype=schema.VAR_TYPE[type_name], shape=array.shape, persistable=True)
        form.arrays[beside[suffix]] = array
    inputs = {"X": [small], "Scale": [beside["scale"]], "ZeroPoint": [beside["zero_point"]]}
    return FileOp(root, "dequantize_linear", inputs, {"Y": [name]}, {"quant_axis": axis, "bit_length": 8})


def _nearest_integers(weight: np.ndarray) -> tuple[int, np.ndarray, np.ndarray]:
    """Axis, scales and integers that are nearest to a weight.

    Since it is computed in float32 again, either axis that Paddle has (0 or 1) can be that of the channels.
    """
    choices: list[tuple[float, Any]] = []
    for axis in (0, 1):
        other_axes = tuple(i for i in range(weight.ndim) if i != axis)
        scale = np.abs(weight).max(axis=other_axes)
        scale_by_axis = np.where(scale == 0, 1, scale).reshape([-1 if i == axis else 1 for i in range(weight.ndim)])
        integers = np.clip(np.rint(weight / scale_by_axis * _MOST), -_MOST, _MOST).astype(np.int8)
        error = float(np.square(integers * (scale_by_axis / _MOST) - weight, dtype=np.float64).sum())
        choices.append((error, (axis, scale, integers)))
    return min(choices, key=lambda choice: choice[0])[1]  # type: ignore[no-any-return]
