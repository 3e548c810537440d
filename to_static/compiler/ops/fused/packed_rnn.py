"""One direction of an LSTM for plans without a backward pass: weights are packed once, and the steps reuse buffers of the plan.

A pass replaces `rnn` by this operator. Files and public functions never contain it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Prepared, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops.linalg import skinny_matmul
from to_static.core.array_types import Array, ArrayModule


@op("pack_gates(W -> P) rows:bool", file=None, traits="nodiff")
def pack_gates(w: Any, rows: bool) -> Any:
    """Pack weights ``[4 * H, K]`` as ``[K, 4 * H]``, or biases ``[4 * H]``. The columns of the logistic gates are halved.

    So one ``tanh`` serves all gates: ``sigmoid(x) == tanh(x / 2) / 2 + 1 / 2``.
    ``rows``: store the result in row-major order. Products of small matrices are faster so (`skinny_matmul`), others are slower.
    """
    return pack_gates.emit(w, rows=rows)


@pack_gates.infer
def _(w: TensorSpec, rows: bool) -> TensorSpec:
    return w.with_shape(w.shape[::-1])


@pack_gates.kernel
def _(xp: ArrayModule, w: Array, rows: bool) -> Array:
    scaled_weight = w.T * _halves(xp, w.shape[0], w.dtype)
    return xp.ascontiguousarray(scaled_weight) if rows else scaled_weight.T.copy().T


def _halves(xp: ArrayModule, count: int, dtype: np.dtype) -> Array:
    """Return the scale of each gate column: 1/2 for the input, forget and output gates, 1 for the candidate."""
    halves = xp.full((count,), 0.5, dtype)
    halves[count // 2 : count // 4 * 3] = 1
    return halves


@op("packed_lstm(X, H, C, Wi, Wh, Bias -> Y) backwards:bool", file=None, traits="nodiff")
def packed_lstm(x: Tensor, h: Any, c: Any, wi: Any, wh: Any, bias: Any, backwards: bool) -> Any:
    """Return ``[T + 1, N, H]``: the hidden states of an LSTM over ``x`` ``[T, N, K]``, followed by the last cell state.

    ``h`` and ``c`` are the initial states, ``[1, N, H]``. Weights and biases are packed (`pack_gates`).
    """
    return packed_lstm.emit(x, h, c, wi, wh, bias, backwards=backwards)


@packed_lstm.infer
def _(x: TensorSpec, h: TensorSpec, *weight_specs: TensorSpec, backwards: bool) -> TensorSpec:
    return x.with_shape((UNKNOWN if x.shape[0] == UNKNOWN else x.shape[0] + 1, *h.shape[1:]))


@packed_lstm.kernel
def _(xp: ArrayModule, x: Array, h: Array, c: Array, wi: Array, wh: Array, bias: Array, backwards: bool) -> Array:
    steps, batch, inside = x.shape
    size = h.shape[2]
    projected = (x.reshape(steps * batch, inside) @ wi + bias).reshape(steps, batch, wi.shape[1])
    gate_scale = _halves(xp, 4 * size, x.dtype)
    y = xp.empty((steps + 1, batch, size), x.dtype)
    h, c = h[0], c[0]
    for t in range(steps - 1, -1, -1) if backwards else range(steps):
        gates = xp.tanh(h @ wh + projected[t]) * gate_scale + (1 - gate_scale)
        input_gate, forget_gate, candidate, output_gate = (gates[:, i * size : (i + 1) * size] for i in range(4))
        c = forget_gate * c + input_gate * candidate
        y[t] = h = output_gate * xp.tanh(c)
    y[steps] = c
    return y


@packed_lstm.prepare
def _(specs: tuple[TensorSpec, ...], backwards: bool) -> Prepared | None:
    x, h = specs[:2]
    if x.dtype.name not in ("float32", "float64") or x.size == 0 or h.size == 0:
        return None
    steps, batch, inside = x.shape
    size, dtype = h.shape[2], x.dtype.np
    shape = (steps + 1, batch, size)

    def bind(
        inputs: list[Array | None],
        out: Array | None,
        work: list[Any],
        persistent: list[Any],
        empty: Callable[..., Any] = np.empty,
    ) -> Any:
        projected, gates, scratch = work
        gate_scale = np.tile(_halves(np, 4 * size, np.dtype(dtype)), (batch, 1))
        gate_offset = 1 - gate_scale
        input_gate, forget_gate, candidate, output_gate = (gates[:, i * size : (i + 1) * size] for i in range(4))
        rows = [projected[i * batch : (i + 1) * batch] for i in range(steps)]
        if backwards:
            rows.reverse()
        add, multiply, tanh = np.add, np.multiply, np.tanh
        sizes = (batch, size, 4 * size, False)
        in_blocks, product = dtype == np.float32 and skinny_matmul.blocks(*sizes), skinny_matmul.product(*sizes)

        def packed_lstm_run(x: Array, h: Array, c: Array, wi: Array, wh: Array, bias: Array) -> Array:
            y = empty(shape, dtype) if out is None else out
            x.reshape(steps * batch, inside).dot(wi, projected)
            add(projected, bias, projected)
            state = y[steps]
            state[...] = c[0]
            previous = h[0]
            for row, hidden in zip(rows, y[-2::-1] if backwards else y, strict=False):
                if in_blocks:
                    product(previous, wh, gates)
                else:
                    previous.dot(wh, gates)
                add(gates, row, gates)
                tanh(gates, gates)
                multiply(gates, gate_scale, gates)
                add(gates, gate_offset, gates)
                multiply(state, forget_gate, state)
                multiply(input_gate, candidate, scratch)
                add(state, scratch, state)
                tanh(state, scratch)
                multiply(output_gate, scratch, hidden)
                previous = hidden
            return y

        return packed_lstm_run

    work = [x.with_shape((steps * batch, 4 * size)), x.with_shape((batch, 4 * size)), x.with_shape((batch, size))]
    return Prepared(work, [], bind)


def _f(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype("float32")


def _sample(batch: int, backwards: bool) -> Sample:
    states, weights = (_f(1, batch, 3, seed=1), _f(1, batch, 3, seed=2)), (_f(2, 12, seed=3), _f(3, 12, seed=4), _f(12, seed=5))
    return Sample(_f(4, batch, 2), *states, *weights, backwards=backwards, grad=(), file=False, rtol=1e-4)


pack_gates.samples(lambda: [*(Sample(_f(*s), rows=r, grad=(), file=False) for s in ((8, 3), (8,)) for r in (False, True))])
packed_lstm.samples(lambda: [_sample(1, False), _sample(3, True)])
