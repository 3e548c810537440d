"""Recurrent networks over sequences of different lengths, and their single steps, as PaddlePaddle 1 computes them.

The input ``x`` is [rows, gates * D]: its products with the weights are computed before. Sequences are padded, one loop runs over
the steps of all, and the rows that are no padding are gathered again. The reset gate is applied before the product with the state,
unlike that of `nn.GRU`. Sources: Cho et al., "Learning Phrase Representations using RNN Encoder-Decoder" (2014); Gers and
Schmidhuber, "Recurrent Nets that Time and Count" (2000), for the weights from the cell to the gates.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.sequence import offsets as lod
from to_static.compiler.ops.sequence.sequences import gather_rows, rows_by
from to_static.core.errors import ArgumentError, ShapeError

LSTM_ACTIVATIONS = ("gate", "sigmoid"), ("cell", "tanh"), ("candidate", "tanh")  # and their defaults
Step = Callable[..., list[Any]]  # (what the input adds to the gates, states) -> new states


def activation(name: str) -> Callable[[Any], Any]:
    """The function of that name. Raises ArgumentError for another one than sigmoid, tanh, relu and identity."""
    table = {"sigmoid": F.sigmoid, "tanh": F.tanh, "relu": F.relu, "identity": lambda x: x}
    if name not in table:
        raise ArgumentError(f"an activation of recurrent operators is one of {', '.join(table)}, got {name!r}")
    return table[name]


def over_steps(x: Tensor, step: Step, states: list[Any], sizes: list[int], reverse: bool, name: str) -> list[Any]:
    """Run ``step`` over sequences; return, for each state, its values [rows, size] after every step.

    ``states``: the initial states; None stands for zeros.
    """
    offsets = lod.offsets_of(x, name)
    rows, _ = rows_by("pad_reversed", [offsets]) if reverse else rows_by("pad", [offsets], -1)
    count, longest = F.shape(rows)[0], F.shape(rows)[1]
    width = x.spec.shape[-1]
    steps = gather_rows(x, F.transpose(rows, [1, 0]).reshape([-1])).reshape([longest, count, width])
    first = [F.full([count, size], 0.0, x.dtype) if state is None else state for state, size in zip(states, sizes, strict=True)]
    end = longest.astype("int64")

    def body(t: Any, *carried: Any) -> list[Any]:
        new = step(F.index(steps, [t], axes=(0,)), *carried[: len(first)])
        return [t + 1, *new, *(F.list_append(items, state) for items, state in zip(carried[len(first) :], new, strict=True))]

    start = [F.full([], 0, "int64"), *first, *(F.list_new([]) for _ in first)]
    results = x.builder.while_loop(lambda t, *_: t < end, body, start)
    back, _ = rows_by("unpadded_reversed" if reverse else "unpadded", [offsets, end.reshape([1])])
    values = []
    for items, size in zip(results[1 + len(first) :], sizes, strict=True):
        flat = F.transpose(F.list_stack(items, 0), [1, 0, 2]).reshape([-1, size])
        values.append(lod.give(F.gather(flat, back, 0), offsets, lod.level_of(x)))
    return values


def _gates(x: Tensor, count: int, name: str) -> int:
    """The size of the state, of which the input has ``count`` for each row."""
    width = int(x.spec.shape[-1])
    if x.spec.ndim != 2 or width == UNKNOWN or width % count:
        raise ShapeError(f"{name}: the input must be [rows, {count} * D], it is {x.spec}")
    return width // count


def gru_step(
    size: int, weight: Tensor, gate: Callable[[Any], Any], candidate: Callable[[Any], Any], origin_mode: bool
) -> Callable[[Any, Any], tuple[Any, Any, Any]]:
    """(gates, the state that is reset, the new state) of a step; ``weight``: [D, 2 D] for the gates, then [D, D], in one block."""
    flat = weight.reshape([-1])
    for_gates = flat[: 2 * size * size].reshape([size, 2 * size])
    for_state = flat[2 * size * size :].reshape([size, size])

    def step(x: Tensor, state: Tensor) -> tuple[Any, Any, Any]:
        gates = gate(x[:, : 2 * size] + F.matmul(state, for_gates))
        update, reset = gates[:, :size], gates[:, size:]
        reset_state = reset * state
        new = candidate(x[:, 2 * size :] + F.matmul(reset_state, for_state))
        result = new + update * (state - new) if origin_mode else state + update * (new - state)
        return F.concat([gates, new], 1), reset_state, result

    return step


def sequence_gru(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    first: Tensor | None,
    reverse: bool,
    gate: str,
    candidate: str,
    origin_mode: bool,
) -> Any:
    """The states [rows, D] of a GRU; ``x``: [rows, 3 D] with offsets: update gate, reset gate, candidate."""
    size = _gates(x, 3, "gru")
    step = gru_step(size, weight, activation(gate), activation(candidate), origin_mode)
    summed = x if bias is None else x + bias.reshape([-1])
    (states,) = over_steps(summed, lambda part, state: [step(part, state)[2]], [first], [size], reverse, "gru")
    return states


class Projection(NamedTuple):
    """Projection of the state of an LSTM: a weight [D, P], the function after it, and bounds of cells and states (0: none).

    Source: Sak, Senior and Beaufays, "Long Short-Term Memory Recurrent Neural Network Architectures" (2014).
    """

    weight: Tensor
    activation: str
    cell_clip: float
    clip: float


def sequence_lstm(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    first: tuple[Tensor | None, Tensor | None],
    reverse: bool,
    peepholes: bool,
    gate: str,
    cell: str,
    candidate: str,
    projection: Projection | None = None,
) -> tuple[Any, Any]:
    """(states, cells) [rows, D] of an LSTM; ``x``: [rows, 4 D] with offsets: candidate, input, forget and output gate.

    ``bias``: 4 D numbers, and with ``peepholes`` the weights from the cell to the three gates, D each. With a ``projection``
    states are [rows, P].
    """
    size = _gates(x, 4, "lstm")
    sigmoid, of_cell, of_candidate = activation(gate), activation(cell), activation(candidate)
    flat = None if bias is None else bias.reshape([-1])
    summed = x if flat is None else x + flat[: 4 * size]
    to_gates = [flat[(4 + i) * size : (5 + i) * size] for i in range(3)] if peepholes and flat is not None else None

    def step(part: Tensor, state: Tensor, cells: Tensor) -> list[Any]:
        total = part + F.matmul(state, weight)
        new, inward, forget, outward = (total[:, i * size : (i + 1) * size] for i in range(4))
        if to_gates is not None:
            inward, forget = inward + cells * to_gates[0], forget + cells * to_gates[1]
        now = of_candidate(new) * sigmoid(inward) + cells * sigmoid(forget)
        if projection is not None:
            now = _clipped(now, projection.cell_clip)
        if to_gates is not None:
            outward = outward + now * to_gates[2]
        hidden = sigmoid(outward) * of_cell(now)
        if projection is not None:
            hidden = _clipped(activation(projection.activation)(F.matmul(hidden, projection.weight)), projection.clip)
        return [hidden, now]

    width = size if projection is None else int(projection.weight.spec.shape[1])
    states, cells = over_steps(summed, step, list(first), [width, size], reverse, "lstm")
    return states, cells


def _clipped(x: Any, bound: float) -> Any:
    return F.clip(x, -bound, bound) if bound > 0 else x


def lstm_unit(x: Tensor, cells: Tensor, forget_bias: float) -> tuple[Any, Any]:
    """(cells, states) after one step; ``x``: [N, 4 D]: input, forget and output gate, candidate."""
    size = _gates(x, 4, "lstm_unit")
    inward, forget, outward, new = (x[:, i * size : (i + 1) * size] for i in range(4))
    now = F.sigmoid(forget + forget_bias) * cells + F.sigmoid(inward) * F.tanh(new)
    return now, F.sigmoid(outward) * F.tanh(now)
