"""A direction of an LSTM as plans run it where nobody asks for what a backward pass needs: weights packed once, steps in memory
that is there.

A pass puts this in the place of `rnn`; no file and no public function knows it.
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
    """Weights ``[4 * H, K]`` as ``[K, 4 * H]``, or biases ``[4 * H]``: logistic gates by half, so that ``tanh`` serves all.

    ``rows``: they are there row by row, which products of small matrices take quicker (`few_rows`), and others slower.
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
    """1/2 for the gates input, forget and output, 1 for the cell's."""
    halves = xp.full((count,), 0.5, dtype)
    halves[count // 2 : count // 4 * 3] = 1
    return halves


@op("packed_lstm(X, H, C, Wi, Wh, Bias -> Y) backwards:bool", file=None, traits="nodiff")
def packed_lstm(x: Tensor, h: Any, c: Any, wi: Any, wh: Any, bias: Any, backwards: bool) -> Any:
    """The hidden states ``[T, N, H]`` of an LSTM over ``x`` ``[T, N, K]``, and behind them the last cell state: ``[T + 1, N, H]``.

    ``h`` and ``c`` are the states before, ``[1, N, H]``; weights and biases are packed (`pack_gates`).
    """
    return packed_lstm.emit(x, h, c, wi, wh, bias, backwards=backwards)


@packed_lstm.infer
def _(x: TensorSpec, h: TensorSpec, *others: TensorSpec, backwards: bool) -> TensorSpec:
    return x.with_shape((UNKNOWN if x.shape[0] == UNKNOWN else x.shape[0] + 1, *h.shape[1:]))


@packed_lstm.kernel
def _(xp: ArrayModule, x: Array, h: Array, c: Array, wi: Array, wh: Array, bias: Array, backwards: bool) -> Array:
    steps, batch, inside = x.shape
    size = h.shape[2]
    wide = (x.reshape(steps * batch, inside) @ wi + bias).reshape(steps, batch, wi.shape[1])
    half = _halves(xp, 4 * size, x.dtype)
    y = xp.empty((steps + 1, batch, size), x.dtype)
    h, c = h[0], c[0]
    for t in range(steps - 1, -1, -1) if backwards else range(steps):
        gates = xp.tanh(h @ wh + wide[t]) * half + (1 - half)
        first, forget, cell, last = (gates[:, i * size : (i + 1) * size] for i in range(4))
        c = forget * c + first * cell
        y[t] = h = last * xp.tanh(c)
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
        before, g, t = work
        half = np.tile(_halves(np, 4 * size, np.dtype(dtype)), (batch, 1))
        rest = 1 - half
        first, forget, cell, last = (g[:, i * size : (i + 1) * size] for i in range(4))
        rows = [before[i * batch : (i + 1) * batch] for i in range(steps)]
        if backwards:
            rows.reverse()
        add, multiply, tanh = np.add, np.multiply, np.tanh
        sizes = (batch, size, 4 * size, False)
        blocks, product = dtype == np.float32 and skinny_matmul.blocks(*sizes), skinny_matmul.product(*sizes)

        def packed_lstm_run(x: Array, h: Array, c: Array, wi: Array, wh: Array, bias: Array) -> Array:
            y = empty(shape, dtype) if out is None else out
            x.reshape(steps * batch, inside).dot(wi, before)
            add(before, bias, before)
            state = y[steps]
            state[...] = c[0]
            previous = h[0]
            for row, here in zip(rows, y[-2::-1] if backwards else y, strict=False):
                if blocks:
                    product(previous, wh, g)
                else:
                    previous.dot(wh, g)
                add(g, row, g)
                tanh(g, g)
                multiply(g, half, g)
                add(g, rest, g)
                multiply(state, forget, state)
                multiply(first, cell, t)
                add(state, t, state)
                tanh(state, t)
                multiply(last, t, here)
                previous = here
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
