"""Scales in the files of a quantized network, for the operators that read and give quantized values."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from to_static.compiler.formats.paddle.editing import FileBlock, FileOp, FileProgram
from to_static.compiler.formats.paddle.model_reader import MODEL, SavedModel
from to_static.compiler.saved.save import save
from to_static.static.ir_graph import Graph, IrGraph
from to_static.static.quantization.quantization_pass import QuantWeightPass, ReplaceFakeQuantDequantPass
from to_static.static.quantization.scaling import _get_op_input_var_names

_OBSERVER = "moving_average_abs_max_scale"
_FAKE = (
    "fake_quantize_dequantize_abs_max",
    "fake_channel_wise_quantize_dequantize_abs_max",
    "fake_quantize_dequantize_moving_average_abs_max",
)


@contextlib.contextmanager
def rewritten(model: Any, path: str | os.PathLike[str], input_spec: Any, config: dict[str, Any]) -> Iterator[FileProgram]:
    """Save a network, and its files once more as the ``with`` block leaves the Program that it is given."""
    prefix = os.fspath(path)
    save(model, prefix, input_spec, **config)
    saved = SavedModel(prefix + MODEL)
    program = FileProgram.of_message(saved.desc, saved.arrays)
    _fold_state(program)
    yield program
    _end_with_scales(program)
    program.prune()
    program.save(prefix)


def _fold_state(program: FileProgram) -> None:
    """Scales are written by the operators that find them, as Paddle has it, not by assignments behind all others."""
    for block in program.blocks:
        for op in [op for op in block.ops if op.type == "assign" and block.var(op.output("Out")[0]).persistable]:
            source, target = op.input("X")[0], op.output("Out")[0]
            maker = block.writer_of(source)
            while maker is not None and maker.type == "assign":
                source = maker.input("X")[0]
                maker = block.writer_of(source)
            if maker is not None and "OutScale" in maker.outputs:
                maker.rename_output(source, target)
                block.ops.remove(op)


def _end_with_scales(program: FileProgram) -> None:
    """Paddle saves what it has loaded, and so puts a second scale of 1 behind each result."""
    block = program.blocks[0]
    for op in [op for op in block.ops if op.type == "fetch"]:
        name = op.input("X")[0]
        maker = block.writer_of(name)
        if maker is None or maker.type != "scale":
            continue
        var, new = block.var(name), f"{name.removesuffix('.tmp_0')}.tmp_1"
        block.add(new, dtype=var.dtype.code, shape=var.shape)
        again = FileOp(block, "scale", {"ScaleTensor": [], "X": [name]}, {"Out": [new]})
        for key in ("scale", "bias", "bias_after_scale", "op_role", "op_role_var", "op_namescope", "op_device"):
            if maker.has_attr(key):
                again.set_attr(key, maker.attr(key), maker.attr_types[key])
        block.ops.insert(block.ops.index(op), again)
        op.rename_input(name, new)


def as_linear(program: FileProgram, bits: int) -> None:
    """Fake quantization as `quantize_linear` and `dequantize_linear`, and weights as the integers themselves."""
    graph = IrGraph(Graph(program), for_test=True)
    scope = graph.scope
    ReplaceFakeQuantDequantPass(scope, "cpu", quant_bits=bits).apply(graph)
    QuantWeightPass(scope, "cpu").apply(graph)
    graph.update_variables()


def gather_scales(program: FileProgram) -> None:
    """Store the scales of fake quantization and observers of a trained network as attributes of the operators beside them."""
    for op, name, writer in _read(program, skipped=(*_FAKE, _OBSERVER)):
        if writer is not None and writer.type in (*_FAKE, _OBSERVER):
            _learn(op, op_slot(op.inputs, name), _value(program, writer.output("OutScale")[0]))
    for block in program.blocks:
        for op in [op for op in block.ops if op.type == _OBSERVER]:
            (source,), (out,) = op.input("X"), op.output("Out")
            writer = block.writer_of(source)
            scale = _value(program, op.output("OutScale")[0])
            if writer is not None and writer.type != "feed":
                _learn(writer, op_slot(writer.outputs, source), scale)
                writer.set_attr("out_threshold", scale)
            _forward(block, op, out, source)


def gather_thresholds(program: FileProgram) -> None:
    """Store the thresholds of an observed network as attributes; the operators that read a result get its threshold, too."""
    for block in program.blocks:
        for op in [op for op in block.ops if op.type == _OBSERVER]:
            (source,), (out,) = op.input("X"), op.output("Out")
            writer, scale = block.writer_of(source), _value(program, op.output("OutScale")[0])
            if writer is not None and writer.type != "feed":
                for each in (writer, _product_of(block, writer)):
                    if each is not None:
                        input_name = source if each is writer else each.output("Out")[0]
                        each.set_attr(f"{op_slot(each.outputs, input_name)}_threshold", scale, "FLOAT")
                        each.set_attr("out_threshold", scale, "FLOAT")
                        each.set_attr("with_quant_attr", True)
            _forward(block, op, out, source)
    for op, name, writer in _read(program):
        if writer is None:
            continue
        if writer.type in _FAKE:
            _learn(op, op_slot(op.inputs, name), _value(program, writer.output("OutScale")[0]))
        else:
            attribute = f"{op_slot(writer.outputs, name)}_threshold"
            if writer.has_attr(attribute):
                _learn(op, op_slot(op.inputs, name), writer.attr(attribute))


def mark_skipped(program: FileProgram) -> None:
    """Operators with weights of which something that comes in is not quantized say so."""
    for block in program.blocks:
        for op in block.ops:
            if op.type in ("conv2d", "depthwise_conv2d", "matmul", "conv2d_transpose"):
                makers = [block.writer_of(name) for name in op.input_arg_names]
                if any(maker is not None and maker.type not in _FAKE for maker in makers):
                    op.set_attr("skip_quant", True)
                    op.set_attr("with_quant_attr", True)


def _product_of(block: FileBlock, op: FileOp) -> FileOp | None:
    """The product to which a linear layer's operator adds the bias."""
    if op.type != "elementwise_add":
        return None
    maker = block.writer_of(op.input("X")[0])
    weight = block.find(op.input("Y")[0])
    return maker if maker is not None and maker.type == "matmul_v2" and weight is not None and weight.persistable else None


def _forward(block: FileBlock, op: FileOp, out: str, source: str) -> None:
    """Take an observer away."""
    for reader in block.readers_of(out):
        reader.rename_input(out, source)
    block.ops.remove(op)


def _read(program: FileProgram, skipped: tuple[str, ...] = ()) -> Iterator[tuple[FileOp, str, FileOp | None]]:
    for block in program.blocks:
        makers: dict[str, FileOp] = {}
        for op in block.ops:
            for name in op.output_arg_names:
                makers.setdefault(name, op)
        for op in list(block.ops):
            if op.type not in skipped:
                for name in _get_op_input_var_names(op):
                    yield op, name, makers.get(name)


def op_slot(slots: dict[str, list[str]], name: str) -> str:
    """The slot of a name with its number there: ``X0``."""
    return next(f"{slot}{names.index(name)}" for slot, names in sorted(slots.items()) if name in names)


def _learn(op: FileOp, slot: str, scale: Any) -> None:
    op.set_attr(f"{slot}_threshold", scale, "FLOATS" if isinstance(scale, list) else "FLOAT")
    op.set_attr("with_quant_attr", True)


def _value(program: FileProgram, name: str) -> Any:
    array = np.asarray(program.arrays[name])
    return float(array.reshape(-1)[0]) if array.size == 1 else array.tolist()
