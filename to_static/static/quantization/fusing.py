"""Normalizations folded into the convolutions before them, in Programs in the form of files."""

from __future__ import annotations

import numpy as np

from to_static.compiler.formats.paddle.editing import FileBlock, FileOp, FileProgram

_CONVOLUTIONS = ("conv2d", "depthwise_conv2d", "conv2d_transpose")


def fold_norms(form: FileProgram) -> None:
    """Fold each `batch_norm` behind a convolution (and perhaps its bias) into weight and bias."""
    for block in form.blocks:
        for norm in [op for op in block.ops if op.type == "batch_norm"]:
            parts = _preceding_conv(form, block, norm)
            if parts is not None:
                _fold(form, block, norm, *parts)
    form.prune()


def _preceding_conv(form: FileProgram, block: FileBlock, norm: FileOp) -> tuple[FileOp, FileOp | None] | None:
    """The convolution whose results only the normalization reads, and the sum between them."""
    name = norm.input("X")[0]
    maker, add = block.writer_of(name), None
    if maker is not None and maker.type == "elementwise_add" and maker.input("Y")[0] in form.arrays:
        add = maker
        if len(block.readers_of(name)) != 1:
            return None
        name = add.input("X")[0]
        maker = block.writer_of(name)
    if maker is None or maker.type not in _CONVOLUTIONS or len(block.readers_of(name)) != 1:
        return None
    weight = maker.input("Filter")[0]
    fits = weight in form.arrays and sum(weight in op.input_arg_names for op in form.ops()) == 1
    return (maker, add) if fits else None


def _fold(form: FileProgram, block: FileBlock, norm: FileOp, conv: FileOp, add: FileOp | None) -> None:
    scale, shift, mean, variance = (form.arrays[norm.input(slot)[0]] for slot in ("Scale", "Bias", "Mean", "Variance"))
    rate = scale / np.sqrt(variance + norm.attrs["epsilon"])
    name = conv.input("Filter")[0]
    weight = form.arrays[name]
    axis = 1 if conv.type == "conv2d_transpose" else 0
    form.arrays[name] = (weight * rate.reshape([-1 if i == axis else 1 for i in range(weight.ndim)])).astype(weight.dtype)
    old = 0.0 if add is None else form.arrays[add.input("Y")[0]].reshape(-1)
    bias, out = f"{name}.folded_bias", norm.output("Y")[0]
    form.arrays[bias] = ((old - mean) * rate + shift).astype(weight.dtype)
    block.add(bias, dtype=block.var(name).dtype.code, shape=rate.shape, persistable=True)
    inputs = {"X": conv.output("Output"), "Y": [bias]}
    add_op = FileOp(block, "elementwise_add", inputs, {"Out": [out]}, {"axis": 1, "op_role": 0})
    at = block.ops.index(norm)
    block.ops[at] = add_op
    if add is not None:
        block.ops.remove(add)
