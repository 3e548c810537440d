"""Writes recurrent layers (LSTM, GRU, simple RNN), whose gates have another order in ONNX."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.formats.onnx.program_writer import OnnxWriter, writes
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.spec import UNKNOWN
from to_static.core.dtypes import int32

# where ONNX has each gate: an LSTM's input, forget, cell, output become input, output, forget, cell; a GRU's reset, update, new
# become update, reset, new
_ORDER = {"LSTM": [0, 3, 1, 2], "GRU": [1, 0, 2], "RNN_TANH": [0], "RNN_RELU": [0]}


@writes("rnn")
def _(w: OnnxWriter, op: Op) -> Any:
    x, states, weights, lengths = op.inputs
    mode, ways = op.attrs["mode"], 2 if op.attrs["is_bidirec"] else 1
    size = weights[1].spec.shape[1]
    if w.is_read(op.outputs[3]):
        w.refuse("what its gradient needs")
    if UNKNOWN in (size, x.spec.shape[2]):
        w.refuse("a recurrent layer of unknown size")
    inside = _stacked(w, weights[0 : 2 * ways : 2], mode, size)
    across = _stacked(w, weights[1 : 2 * ways : 2], mode, size)
    ends = weights[2 * ways :]
    bias = _biases(w, ends, mode, size, ways)
    steps = None if lengths is None else w.as_dtype(lengths, int32)
    options: dict[str, Any] = {"hidden_size": size, "direction": "bidirectional" if ways == 2 else "forward"}
    op_type = "LSTM" if mode == "LSTM" else "GRU" if mode == "GRU" else "RNN"
    if mode == "GRU":
        options["linear_before_reset"] = 1
    if mode == "RNN_RELU":
        options["activations"] = ["Relu"] * ways
    lstm = mode == "LSTM"
    results = w.op(
        op_type, x, inside, across, bias, steps, states[0], states[1] if lstm else None, outputs=3 if lstm else 2, **options
    )
    out = w.transpose(results[0], [0, 2, 1, 3])
    out = w.op("Reshape", out, w.ints([0, 0, ways * size])) if ways == 2 else w.squeeze(results[0], [1])
    return [out, results[1], results[2] if lstm else w.const(np.zeros(0, x.spec.dtype.np)), None]


def _reordered(w: OnnxWriter, value: Any, mode: str, size: int) -> str:
    """A weight or bias with its gates in the order of ONNX."""
    order = _ORDER[mode]
    if order == list(range(len(order))):
        return w.name(value)
    gates = w.split(w.name(value), [size] * len(order), 0)
    return w.concat([gates[i] for i in order])


def _arrays(w: OnnxWriter, values: Any) -> list[np.ndarray] | None:
    arrays = [w.value(w.name(v)) for v in values]
    return None if any(array is None for array in arrays) else arrays  # type: ignore[return-value]


def _gates_in_onnx_order(array: np.ndarray, mode: str, size: int) -> np.ndarray:
    """Reorder the gates along the first dimension from Paddle's order to that of ONNX."""
    return np.concatenate([array[i * size : (i + 1) * size] for i in _ORDER[mode]])


def _stacked(w: OnnxWriter, values: Any, mode: str, size: int) -> str:
    arrays = _arrays(w, values)
    if arrays is not None:
        return w.param(np.stack([_gates_in_onnx_order(array, mode, size) for array in arrays]), values[0].name)
    return w.concat([w.unsqueeze(_reordered(w, v, mode, size), [0]) for v in values])


def _biases(w: OnnxWriter, ends: Any, mode: str, size: int, ways: int) -> str:
    arrays = _arrays(w, ends)
    if arrays is not None:
        reordered = [_gates_in_onnx_order(array, mode, size) for array in arrays]
        return w.param(np.stack([np.concatenate(reordered[2 * d : 2 * d + 2]) for d in range(ways)]), ends[0].name)
    names = [_reordered(w, v, mode, size) for v in ends]
    return w.concat([w.unsqueeze(w.concat(names[2 * d : 2 * d + 2]), [0]) for d in range(ways)])
