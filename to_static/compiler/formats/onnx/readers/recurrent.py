"""Reads LSTM, GRU and RNN as one operator for a layer, or step by step if the operator lacks an activation or option."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.formats.onnx.node_view import NodeView, constant, reads
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F

# where Paddle has each gate of ONNX: input, output, forget, cell; update, reset, new
_ORDER = {"LSTM": [0, 2, 3, 1], "GRU": [1, 0, 2], "RNN": [0]}
_DEFAULT = {"LSTM": ["Sigmoid", "Tanh", "Tanh"], "GRU": ["Sigmoid", "Tanh"], "RNN": ["Tanh"]}
_STEPS = 256  # of a sequence that is read step by step


@reads("LSTM", "GRU", "RNN")
def _(n: NodeView) -> Any:
    x, weights, across, bias, lengths = n.x(0), n.x(1), n.x(2), n.optional(3), n.optional(4)
    lstm = n.op_type == "LSTM"
    states = [n.optional(5), n.optional(6) if lstm else None]
    peepholes = n.optional(7) if lstm else None
    batch_first = n.flag("layout")
    if batch_first:
        x = F.transpose(x, [1, 0, 2])
        states = [None if s is None else F.transpose(s, [1, 0, 2]) for s in states]
    size, ways = across.spec.shape[2], across.spec.shape[0]
    direction = n.text("direction", "forward")
    activations = [name.capitalize() if name.islower() else name for name in n.attr("activations", _DEFAULT[n.op_type] * ways)]
    batch: Any = x.spec.shape[1] if x.spec.shape[1] != UNKNOWN else F.dim_size(x, 1)
    zeros = F.full([ways, batch, size], 0, x.dtype)
    states = [zeros if s is None else s for s in states]
    has_default_activations = [name.lower() for name in activations] == [name.lower() for name in _DEFAULT[n.op_type] * ways]
    relu = n.op_type == "RNN" and all(name == "Relu" for name in activations)
    straight = n.attr("clip") is None and peepholes is None and not n.integer("input_forget")
    straight = straight and (n.op_type != "GRU" or n.flag("linear_before_reset"))
    backwards = direction == "reverse"
    if (has_default_activations or relu) and straight and not (backwards and lengths is not None):
        results = _whole_layer(n, x, weights, across, bias, lengths, states, size, ways, backwards, relu)
    else:
        results = _by_steps(n, x, weights, across, bias, lengths, states, peepholes, activations, size, ways, backwards)
    y, *ends = results
    if batch_first:
        y = F.transpose(y, [2, 0, 1, 3])
        ends = [F.transpose(end, [1, 0, 2]) for end in ends]
    return [y, *ends]


def _gates_in_our_order(value: Tensor, cell_type: str, size: int) -> Tensor:
    """Reorder the gates along the first dimension from the order of ONNX to ours."""
    order = _ORDER[cell_type]
    if len(order) == 1:
        return value
    return F.concat([value[i * size : (i + 1) * size] for i in order], 0)  # type: ignore[no-any-return]


def _whole_layer(
    n: NodeView, x: Tensor, weights: Tensor, across: Tensor, bias: Tensor | None, lengths: Tensor | None, states: list[Any],
    size: int, ways: int, backwards: bool, relu: bool,
) -> list[Any]:  # fmt: skip
    parts, ends = [], []
    gates = len(_ORDER[n.op_type])
    for d in range(ways):
        parts += [_gates_in_our_order(weights[d], n.op_type, size), _gates_in_our_order(across[d], n.op_type, size)]
        if bias is None:
            zeros = constant(np.zeros(gates * size, x.dtype.np))
            ends += [zeros, zeros]
        else:
            ends += [
                _gates_in_our_order(bias[d][: gates * size], n.op_type, size),
                _gates_in_our_order(bias[d][gates * size :], n.op_type, size),
            ]
    line = F.flip(x, [0]) if backwards else x
    mode = n.op_type if n.op_type != "RNN" else "RNN_RELU" if relu else "RNN_TANH"
    first = states if n.op_type == "LSTM" else states[:1]
    out, h, c = F.rnn(line, first, [*parts, *ends], lengths, mode, ways == 2)[:3]
    out = F.flip(out, [0]) if backwards else out
    y = F.transpose(F.reshape(out, [0, 0, ways, size]), [0, 2, 1, 3]) if ways == 2 else F.unsqueeze(out, 1)
    return [y, h, c] if n.op_type == "LSTM" else [y, h]


def _activation(n: NodeView, name: str, at: int) -> Any:
    alpha, beta = n.attr("activation_alpha", []), n.attr("activation_beta", [])
    a, b = (list(values)[at] if at < len(values) else None for values in (alpha, beta))
    table: dict[str, Any] = {
        "Sigmoid": F.sigmoid, "Tanh": F.tanh, "Relu": F.relu, "Softsign": F.softsign, "Softplus": F.softplus,
        "HardSigmoid": lambda v: F.hardsigmoid(v, 0.2 if a is None else a, 0.5 if b is None else b),
        "LeakyRelu": lambda v: F.leaky_relu(v, 0.01 if a is None else a),
        "ThresholdedRelu": lambda v: F.thresholded_relu(v, 1.0 if a is None else a),
        "Elu": lambda v: F.elu(v, 1.0 if a is None else a), "Affine": lambda v: v * (1.0 if a is None else a) + (b or 0.0),
        "ScaledTanh": lambda v: F.tanh(v * (1.0 if b is None else b)) * (1.0 if a is None else a),
    }  # fmt: skip
    if name not in table:
        n.refuse("a known activation", name)
    return table[name]


def _by_steps(
    n: NodeView, x: Tensor, weights: Tensor, across: Tensor, bias: Tensor | None, lengths: Tensor | None, states: list[Any],
    peepholes: Tensor | None, activations: list[str], size: int, ways: int, backwards: bool,
) -> list[Any]:  # fmt: skip
    steps = x.spec.shape[0]
    if steps == UNKNOWN or steps > _STEPS:
        n.refuse(f"a sequence of a known length of at most {_STEPS}, for a layer with these gates", str(x.spec))
    gates, lstm, each = len(_ORDER[n.op_type]), n.op_type == "LSTM", len(_DEFAULT[n.op_type])
    limit = n.attr("clip")

    def clipped(value: Any) -> Any:
        return value if limit is None else F.clip(value, -float(limit), float(limit))

    outs, last_h, last_c = [], [], []
    for d in range(ways):
        functions = [_activation(n, name, d * each + i) for i, name in enumerate(activations[d * each : (d + 1) * each])]
        w, r = F.transpose(weights[d], [1, 0]), F.transpose(across[d], [1, 0])
        zeros = constant(np.zeros(gates * size, x.dtype.np))
        wb, rb = (zeros, zeros) if bias is None else (bias[d][: gates * size], bias[d][gates * size :])
        h, c = states[0][d], states[1][d]
        order = range(steps - 1, -1, -1) if backwards or d == 1 else range(steps)
        rows: dict[int, Any] = {}
        for t in order:
            inside = F.matmul(x[t], w) + wb
            if n.op_type == "RNN":
                new, cell = functions[0](clipped(inside + F.matmul(h, r) + rb)), c
            elif n.op_type == "GRU":
                new, cell = _gru(n, inside, h, r, rb, functions, clipped, size), c
            else:
                new, cell = _lstm(n, inside, h, c, r, rb, functions, clipped, size, None if peepholes is None else peepholes[d])
            if lengths is not None:
                live = F.unsqueeze(F.cast(lengths, "int64") > t, 1)
                rows[t] = F.where(live, new, F.zeros_like(new))
                new, cell = F.where(live, new, h), F.where(live, cell, c)
            else:
                rows[t] = new
            h, c = new, cell
        outs.append(F.stack([rows[t] for t in range(steps)], 0))
        last_h.append(h)
        last_c.append(c)
    y = F.stack(outs, 1)
    return [y, F.stack(last_h, 0), F.stack(last_c, 0)] if lstm else [y, F.stack(last_h, 0)]


def _gru(n: NodeView, inside: Any, h: Any, r: Any, rb: Any, functions: list[Any], clipped: Any, size: int) -> Any:
    outside = F.matmul(h, r[:, : 2 * size]) + rb[: 2 * size]
    z = functions[0](clipped(inside[:, :size] + outside[:, :size]))
    reset = functions[0](clipped(inside[:, size : 2 * size] + outside[:, size:]))
    if n.flag("linear_before_reset"):
        tail = reset * (F.matmul(h, r[:, 2 * size :]) + rb[2 * size :])
    else:
        tail = F.matmul(reset * h, r[:, 2 * size :]) + rb[2 * size :]
    new = functions[1](clipped(inside[:, 2 * size :] + tail))
    return (1 - z) * new + z * h


def _lstm(
    n: NodeView, inside: Any, h: Any, c: Any, r: Any, rb: Any, functions: list[Any], clipped: Any, size: int, peepholes: Any
) -> tuple[Any, Any]:
    both = inside + F.matmul(h, r) + rb
    i, o, f, g = (both[:, k * size : (k + 1) * size] for k in range(4))
    p = [None] * 3 if peepholes is None else [peepholes[k * size : (k + 1) * size] for k in range(3)]
    i = functions[0](clipped(i if p[0] is None else i + p[0] * c))
    f = 1 - i if n.integer("input_forget") else functions[0](clipped(f if p[2] is None else f + p[2] * c))
    cell = f * c + i * functions[1](clipped(g))
    o = functions[0](clipped(o if p[1] is None else o + p[1] * cell))
    return o * functions[2](cell), cell


