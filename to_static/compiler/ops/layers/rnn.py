"""`rnn`: one recurrent layer (LSTM, GRU or simple RNN) over a whole sequence, in one or both directions.

The products with the input are one matrix product for all steps. Each step is one small product with the state and one pass over
the gates, in arrays that are allocated once. The logistic function is ``tanh(x / 2) / 2 + 1 / 2``, so one ``tanh`` computes all
gates. Formulas: Hochreiter and Schmidhuber, "Long Short-Term Memory" (1997); Cho et al., "Learning Phrase Representations using RNN
Encoder-Decoder" (2014), with the reset gate after the product with the state, as in Paddle and cuDNN.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import blocked_sum
from to_static.compiler.ops.linalg import skinny_matmul
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import int32
from to_static.core.errors import ArgumentError, AutogradError, DTypeError, ShapeError

GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}
_SAVED = {"LSTM": 5, "GRU": 4, "RNN_TANH": 1, "RNN_RELU": 1}  # numbers per unit that the backward pass needs


@op("rnn(Input, PreState*, WeightList*, SequenceLength!? -> Out, H, C, Saved?) mode:str is_bidirec:bool", traits="check_shapes")
def rnn(
    x: Tensor,
    states: Sequence[Tensor],
    weights: Sequence[Tensor],
    lengths: Tensor | None = None,
    mode: str = "LSTM",
    is_bidirec: bool = False,
) -> tuple[Tensor, ...]:
    """A recurrent layer on ``x`` [T, N, I].

    Args:
        states: the states before the first step, [directions, N, H]: h, and for an LSTM c.
        weights: for each direction ``w_ih`` [gates * H, I] and ``w_hh`` [gates * H, H], then for each ``b_ih`` and ``b_hh``.
        lengths: integers [N]: where each sequence ends. Outputs behind that are zeros, states stay what they are.
        mode: 'LSTM', 'GRU', 'RNN_TANH' or 'RNN_RELU'.
        is_bidirec: a second direction from the last step to the first; outputs are side by side.

    Returns outputs [T, N, directions * H], the last h, the last c (empty but for an LSTM), and what the backward pass needs.
    """
    if mode not in GATES:
        raise ArgumentError(f"rnn: mode must be one of {', '.join(GATES)}, got {mode!r}")
    return rnn.emit(x, list(states), list(weights), lengths, mode=mode, is_bidirec=bool(is_bidirec))


@rnn.infer
def _(x: TensorSpec, states: Any, weights: Any, lengths: Any, mode: str, is_bidirec: bool) -> Any:
    count, ways = (2 if mode == "LSTM" else 1), 2 if is_bidirec else 1
    if x.ndim != 3:
        raise ShapeError(f"rnn: the input must be [time, batch, size], got {show(x.shape)}")
    if len(states) != count or len(weights) != 4 * ways:
        raise ShapeError(f"rnn: {mode} takes {count} states and {4 * ways} weights, got {len(states)} and {len(weights)}")
    for spec in (*states, *weights):
        if spec.dtype is not x.dtype:
            raise DTypeError(f"rnn: input, states and weights must have one dtype, got {x.dtype.name} and {spec.dtype.name}")
    if not x.dtype.is_floating:
        raise DTypeError(f"rnn: the input must be floats, got {x.dtype.name}")
    size = weights[1].shape[1] if weights[1].ndim == 2 else UNKNOWN
    size = states[0].shape[-1] if size == UNKNOWN and states[0].ndim == 3 else size
    for i, weight in enumerate(weights):
        wanted = (_times(GATES[mode], size), *(() if i >= 2 * ways else (x.shape[2],) if i % 2 == 0 else (size,)))
        if not _fits(weight.shape, wanted):
            raise ShapeError(f"rnn: weight {i} must be {show(wanted)}, got {show(weight.shape)}")
    for state in states:
        if not _fits(state.shape, (ways, x.shape[1], size)):
            raise ShapeError(f"rnn: states must be {show((ways, x.shape[1], size))}, got {show(state.shape)}")
    if lengths is not None and (lengths.dtype.is_floating or not _fits(lengths.shape, (x.shape[1],))):
        raise ShapeError(f"rnn: lengths must be one integer per sequence, [{x.shape[1]}], got {lengths}")
    state_spec = TensorSpec((ways, x.shape[1], size), x.dtype)
    saved = TensorSpec((ways, *x.shape[:2], _times(_SAVED[mode], size)), x.dtype)
    out = TensorSpec((*x.shape[:2], _times(ways, size)), x.dtype)
    return out, state_spec, state_spec if mode == "LSTM" else TensorSpec((0,), x.dtype), saved


@rnn.to_file
def _(w: Any, op: Any) -> None:
    x, states, weights, lengths = op.inputs
    out, h, c, saved = op.outputs
    lstm, size = op.attrs["mode"] == "LSTM", weights[1].spec.shape[1]
    attrs = {
        "mode": ("str", op.attrs["mode"]), "is_bidirec": ("bool", op.attrs["is_bidirec"]), "num_layers": ("int", 1),
        "input_size": ("int", x.spec.shape[2]), "hidden_size": ("int", size), "dropout_prob": ("float", 0.0), "seed": ("int", 0),
        "is_test": ("bool", False),
    }  # fmt: skip
    if lengths is not None and lengths.spec.dtype is not int32:
        lengths = w.cast(lengths, lengths.spec, int32)
    slots = {"Input": x, "PreState": list(states), "WeightList": list(weights), "SequenceLength": lengths}
    w.write("rnn", slots, {"Out": out, "State": [h, c] if lstm else [h], "Reserve": saved, "DropoutState": w.unused()}, attrs)


def _fits(shape: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    return len(shape) == len(wanted) and all(UNKNOWN in (a, b) or a == b for a, b in zip(shape, wanted, strict=True))


def _times(count: int, size: int) -> int:
    return UNKNOWN if size == UNKNOWN else count * size


def _directions(weights: list[Any], both: bool) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """The number of each direction, with its ``w_ih``, ``w_hh``, ``b_ih`` and ``b_hh``."""
    ways = 2 if both else 1
    for d in range(ways):
        yield d, (*weights[2 * d : 2 * d + 2], *weights[2 * (ways + d) : 2 * (ways + d) + 2])


def _order(steps: int, backwards: bool) -> range:
    return range(steps - 1, -1, -1) if backwards else range(steps)


def _live(xp: ArrayModule, lengths: Array | None, steps: int) -> Any:
    """Return a mask ``[T, N, 1]``: True for steps within their sequence. None: all are."""
    return None if lengths is None else xp.arange(steps)[:, None, None] < lengths[None, :, None]


@rnn.kernel
def _(xp: Any, x: Any, states: Any, weights: Any, lengths: Any, mode: str, is_bidirec: bool) -> Any:
    steps, batch, inside = x.shape
    size, ways = weights[1].shape[1], 2 if is_bidirec else 1
    live = _live(xp, lengths, steps)
    out = xp.empty((steps, batch, ways * size), x.dtype)
    saved = xp.empty((ways, steps, batch, _SAVED[mode] * size), x.dtype)
    last = [xp.empty((ways, batch, size), x.dtype) for _ in states]
    run = {"LSTM": _lstm, "GRU": _gru}.get(mode, _simple)
    for d, (w_ih, w_hh, b_ih, b_hh) in _directions(weights, is_bidirec):
        mine = out[:, :, d * size : (d + 1) * size]
        projected = (x.reshape(steps * batch, inside) @ w_ih.T).reshape(steps, batch, w_ih.shape[0])
        ends = run(xp, projected, w_hh, (b_ih, b_hh), [s[d] for s in states], saved[d], mine, live, d == 1, mode)
        for where, end in zip(last, ends, strict=True):
            where[d] = end
    return out, last[0], last[1] if len(last) > 1 else xp.empty((0,), x.dtype), saved


def _masked_state(xp: ArrayModule, live: Array | None, t: int, new: Array, old: Array, out: Array) -> Array:
    """The state after a step, whose output is written: that of before where the sequence is over."""
    if live is None:
        out[t] = new
        return new
    out[t] = xp.where(live[t], new, 0)
    return xp.where(live[t], new, old)


def _gate_scale(xp: ArrayModule, size: int, gates: int, tanh: int, dtype: np.dtype) -> Array:
    """Return the scale of each gate column: 1/2 for logistic gates (sigmoid by tanh), 1 for the other one."""
    halves = xp.full((gates * size,), 0.5, dtype)
    halves[tanh * size : (tanh + 1) * size] = 1
    return halves


def _row_product(xp: ArrayModule, w: Array, rows: int) -> Any:
    """Return the function that a step calls to multiply ``rows`` rows with ``w.T``."""
    copied = rows > 1 and skinny_matmul.has_small_products()  # these are quicker with a matrix that is there row by row
    return skinny_matmul.repeated(xp, xp.ascontiguousarray(w.T) if copied else w.T, rows)


def _lstm(
    xp: ArrayModule,
    projected: Array,
    w_hh: Array,
    biases: tuple[Array, ...],
    states: list[Array],
    saved: Array,
    out: Array,
    live: Array | None,
    backwards: bool,
    mode: str,
) -> tuple[Array, ...]:
    size = w_hh.shape[1]
    gate_scale = _gate_scale(xp, size, 4, 2, projected.dtype)
    gate_offset = 1 - gate_scale
    projected += biases[0] + biases[1]
    projected *= gate_scale
    weight = skinny_matmul.repeated(xp, xp.ascontiguousarray((w_hh * gate_scale[:, None]).T), projected.shape[1])
    h, c = states
    for t in _order(projected.shape[0], backwards):
        gates = saved[t, :, : 4 * size]
        a = weight(h)
        a += projected[t]
        xp.tanh(a, out=a)
        a *= gate_scale
        a += gate_offset
        gates[...] = a
        new_cell = a[:, size : 2 * size] * c
        new_cell += a[:, :size] * a[:, 2 * size : 3 * size]
        saved[t, :, 4 * size :] = new_cell
        hidden = xp.tanh(new_cell)
        hidden *= a[:, 3 * size :]
        h = _masked_state(xp, live, t, hidden, h, out)
        c = new_cell if live is None else xp.where(live[t], new_cell, c)
    return h, c


def _gru(
    xp: ArrayModule,
    projected: Array,
    w_hh: Array,
    biases: tuple[Array, ...],
    states: list[Array],
    saved: Array,
    out: Array,
    live: Array | None,
    backwards: bool,
    mode: str,
) -> tuple[Array, ...]:
    size = w_hh.shape[1]
    projected += biases[0]
    (h,), weight = states, _row_product(xp, w_hh, projected.shape[1])
    for t in _order(projected.shape[0], backwards):
        part = weight(h)
        part += biases[1]
        both = projected[t, :, : 2 * size] + part[:, : 2 * size]
        both *= 0.5
        xp.tanh(both, out=both)
        both *= 0.5
        both += 0.5
        from_state = part[:, 2 * size :]
        new = both[:, :size] * from_state
        new += projected[t, :, 2 * size :]
        xp.tanh(new, out=new)
        saved[t, :, : 2 * size] = both
        saved[t, :, 2 * size : 3 * size] = new
        saved[t, :, 3 * size :] = from_state
        hidden = h - new
        hidden *= both[:, size:]
        hidden += new
        h = _masked_state(xp, live, t, hidden, h, out)
    return (h,)


def _simple(
    xp: ArrayModule,
    projected: Array,
    w_hh: Array,
    biases: tuple[Array, ...],
    states: list[Array],
    saved: Array,
    out: Array,
    live: Array | None,
    backwards: bool,
    mode: str,
) -> tuple[Array, ...]:
    projected += biases[0] + biases[1]
    (h,), weight = states, _row_product(xp, w_hh, projected.shape[1])
    for t in _order(projected.shape[0], backwards):
        hidden = weight(h)
        hidden += projected[t]
        if mode == "RNN_TANH":
            xp.tanh(hidden, out=hidden)
        else:
            xp.maximum(hidden, 0, out=hidden)
        saved[t] = hidden
        h = _masked_state(xp, live, t, hidden, h, out)
    return (h,)


@op("rnn_grad(X, PreState*, WeightList*, Lengths?, Out, Saved, GOut, GH, GC -> D*) mode:str is_bidirec:bool", file=None)
def rnn_grad(
    x: Tensor,
    states: Sequence[Tensor],
    weights: Sequence[Tensor],
    lengths: Tensor | None,
    out: Tensor,
    saved: Tensor,
    g_out: Tensor,
    g_h: Tensor,
    g_c: Tensor,
    mode: str,
    is_bidirec: bool,
) -> tuple[Tensor, ...]:
    """Gradients of the input, the states and the weights of `rnn`."""
    return rnn_grad.emit(x, states, weights, lengths, out, saved, g_out, g_h, g_c, mode=mode, is_bidirec=is_bidirec)


@rnn_grad.infer
def _(x: TensorSpec, states: Any, weights: Any, *operands: Any, **attrs: Any) -> Any:
    return [x, *states, *weights]


@rnn_grad.kernel
def _(
    xp: Any,
    x: Any,
    states: Any,
    weights: Any,
    lengths: Any,
    outputs: Any,
    saved: Any,
    g_out: Any,
    g_h: Any,
    g_c: Any,
    mode: str,
    is_bidirec: bool,
) -> Any:
    steps, batch, inside = x.shape
    size, ways = weights[1].shape[1], 2 if is_bidirec else 1
    live = _live(xp, lengths, steps)
    dx: Any = None
    d_states = [xp.empty_like(s) for s in states]
    d_weights: list[Any] = [None] * len(weights)
    flat = x.reshape(steps * batch, inside)
    for d, (w_ih, w_hh, _, _) in _directions(weights, is_bidirec):
        mine = slice(d * size, (d + 1) * size)
        start = states[0][d]
        previous_states = xp.empty((steps, batch, size), x.dtype)  # the state that each step began with
        if not steps:
            pass
        elif d == 1:
            previous_states[:-1], previous_states[-1] = outputs[1:, :, mine], start
            if live is not None:
                previous_states[:-1] = xp.where(live[1:], previous_states[:-1], start)
        else:
            previous_states[1:], previous_states[0] = outputs[:-1, :, mine], start
        ends = [g_h[d], g_c[d]] if mode == "LSTM" else [g_h[d]]
        rule = {"LSTM": _lstm_back, "GRU": _gru_back}.get(mode, _simple_back)
        cells = states[1][d] if mode == "LSTM" else None
        for_x, for_h, ends = rule(xp, saved[d], previous_states, cells, w_hh, g_out[:, :, mine], ends, live, d == 1, mode)
        for where, end in zip(d_states, ends, strict=True):
            where[d] = end
        for_x, for_h = (part.reshape(steps * batch, part.shape[-1]) for part in (for_x, for_h))
        d_weights[2 * d] = for_x.T @ flat
        d_weights[2 * d + 1] = for_h.T @ previous_states.reshape(steps * batch, size)
        d_weights[2 * (ways + d)] = blocked_sum.total(for_x, 0)
        d_weights[2 * (ways + d) + 1] = blocked_sum.total(for_h, 0) if for_h is not for_x else d_weights[2 * (ways + d)].copy()
        part = for_x @ w_ih
        dx = part if dx is None else dx + part
    return [dx.reshape(x.shape), *d_states, *d_weights]


def _arriving(xp: ArrayModule, live: Array | None, t: int, dh: Array, g_out: Array) -> tuple[Any, Any]:
    """Return the gradient of the state that a step computes, and the part that skips the step because its sequence has ended."""
    if live is None:
        return dh + g_out[t], None
    return xp.where(live[t], dh + g_out[t], 0), xp.where(live[t], 0, dh)


def _lstm_back(
    xp: Any,
    saved: Array,
    previous: Array,
    start: Array,
    w_hh: Array,
    g_out: Array,
    ends: list[Array],
    live: Any,
    backwards: bool,
    mode: str,
) -> tuple[Array | Sequence[Array], ...]:
    size, steps = w_hh.shape[1], saved.shape[0]
    (dh, dc), weight = ends, skinny_matmul.repeated(xp, w_hh, saved.shape[1])
    grads = xp.empty((steps, saved.shape[1], 4 * size), saved.dtype)
    order = list(_order(steps, backwards))
    for k in range(steps - 1, -1, -1):
        t = order[k]
        i, f, g, o, c = (saved[t, :, n * size : (n + 1) * size] for n in range(5))
        old = start if k == 0 else saved[order[k - 1], :, 4 * size :]
        if live is not None and k and backwards:
            old = xp.where(live[order[k - 1]], old, start)
        dh_now, past = _arriving(xp, live, t, dh, g_out)
        act = xp.tanh(c)
        dct = dh_now * o
        dct *= 1 - act * act
        dct += dc if live is None else xp.where(live[t], dc, 0)
        row = grads[t]
        row[:, :size] = dct * g * (i * (1 - i))
        row[:, size : 2 * size] = dct * old * (f * (1 - f))
        row[:, 2 * size : 3 * size] = dct * i * (1 - g * g)
        row[:, 3 * size :] = dh_now * act * (o * (1 - o))
        dh = weight(row)
        new = dct * f
        if past is not None:
            dh += past
            new += xp.where(live[t], 0, dc)
        dc = new
    return grads, grads, (dh, dc)


def _gru_back(
    xp: ArrayModule,
    saved: Array,
    previous: Array,
    start: Any,
    w_hh: Array,
    g_out: Array,
    ends: list[Array],
    live: Array | None,
    backwards: bool,
    mode: str,
) -> tuple[Array | Sequence[Array], ...]:
    size, steps = w_hh.shape[1], saved.shape[0]
    (dh,), weight = ends, skinny_matmul.repeated(xp, w_hh, saved.shape[1])
    for_x = xp.empty((steps, saved.shape[1], 3 * size), saved.dtype)
    for_h = xp.empty_like(for_x)
    for t in _order(steps, not backwards):
        r, z, n, part = (saved[t, :, k * size : (k + 1) * size] for k in range(4))
        dh_now, past = _arriving(xp, live, t, dh, g_out)
        dn = dh_now * (1 - z) * (1 - n * n)
        row = for_x[t]
        row[:, :size] = dn * part * (r * (1 - r))
        row[:, size : 2 * size] = dh_now * (previous[t] - n) * (z * (1 - z))
        row[:, 2 * size :] = dn
        for_h[t] = row
        for_h[t, :, 2 * size :] *= r
        dh = weight(for_h[t])
        dh += dh_now * z
        if past is not None:
            dh += past
    return for_x, for_h, (dh,)


def _simple_back(
    xp: ArrayModule,
    saved: Array,
    previous: Array,
    start: Any,
    w_hh: Array,
    g_out: Array,
    ends: list[Array],
    live: Array | None,
    backwards: bool,
    mode: str,
) -> tuple[Array | Sequence[Array], ...]:
    (dh,), weight = ends, skinny_matmul.repeated(xp, w_hh, saved.shape[1])
    grads = xp.empty_like(saved)
    for t in _order(saved.shape[0], not backwards):
        dh_now, past = _arriving(xp, live, t, dh, g_out)
        grads[t] = dh_now * (1 - saved[t] * saved[t]) if mode == "RNN_TANH" else dh_now * (saved[t] > 0)
        dh = weight(grads[t])
        if past is not None:
            dh += past
    return grads, grads, (dh,)


@rnn.grad
def _(ctx: Any, g_out: Any, g_h: Any, g_c: Any, g_saved: Any) -> Any:
    x, states, weights, lengths = ctx.inputs
    out, _, _, saved = ctx.outputs
    grads = list(rnn_grad(x, states, weights, lengths, out, saved, g_out, g_h, g_c, ctx.mode, ctx.is_bidirec))
    count = len(states)
    return grads[0], grads[1 : 1 + count], grads[1 + count :], None


@rnn_grad.grad
def _(ctx: Any, *grads: Any) -> Any:
    raise AutogradError("rnn: the gradient of a recurrent layer cannot be differentiated again, as in Paddle")


def _sample(mode: str, both: bool, lengths: bool) -> Sample:
    random, ways, gates = np.random.default_rng(3), 2 if both else 1, GATES[mode]

    def buffer(*shape: int) -> Array:
        return random.uniform(-0.7, 0.7, shape).astype("float32")

    weights = [buffer(gates * 3, n) for _ in range(ways) for n in (2, 3)] + [buffer(gates * 3) for _ in range(2 * ways)]
    states = [buffer(ways, 3, 3) for _ in range(2 if mode == "LSTM" else 1)]
    ends = np.asarray([4, 2, 1]) if lengths else None
    return Sample(buffer(4, 3, 2), states, weights, ends, mode=mode, is_bidirec=both, second=False, file=mode == "LSTM")


def _sample_of_gradient() -> Sample:
    x, states, weights, lengths = (_sample("GRU", False, True)).inputs
    kernel = rnn.op.kernel_for("numpy")
    out, h, c, saved = kernel(np, x, states, weights, lengths, mode="GRU", is_bidirec=False)
    return Sample(x, states, weights, lengths, out, saved, out, h, c, mode="GRU", is_bidirec=False, grad=())


rnn_grad.samples(lambda: [_sample_of_gradient()])
rnn.samples(
    lambda: [
        _sample("LSTM", False, False), _sample("LSTM", True, True), _sample("GRU", False, True), _sample("GRU", True, False),
        _sample("RNN_TANH", True, True), _sample("RNN_RELU", False, False),
    ]
)  # fmt: skip
