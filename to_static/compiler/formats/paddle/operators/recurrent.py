"""Readers of the operators ``rnn`` and ``cudnn_lstm`` (several layers, two directions): one `rnn` for each layer."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

from to_static.compiler.formats.paddle.operators.op_compat import reads
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.layers.dropout import dropout_with_one_mask
from to_static.compiler.ops.layers.rnn import GATES, rnn
from to_static.compiler.ops.shapes.create import zeros

if TYPE_CHECKING:
    from to_static.compiler.formats.paddle.operators.op_reader import OpReader



@reads("rnn")
def _(r: OpReader) -> Any:
    """``Input`` is [T, N, I]; ``PreState`` [layers * directions, N, H] (LSTM: two); ``WeightList`` as `_weights` takes it apart."""
    mode = r.attr("mode", "LSTM")
    starts = r.inputs("PreState")
    if mode not in GATES or len(starts) != (2 if mode == "LSTM" else 1):
        r.refuse(f"mode {mode!r} with {len(starts)} states")
    out, state = _layers(r, mode, starts, r.inputs("WeightList"))
    return {"Out": out, "State": state}


@reads("cudnn_lstm")
def _(r: OpReader) -> Any:
    """The LSTM of Paddle before 2.1 on GPUs: as ``rnn``, or with all weights in one vector ``W``, in the same order."""
    starts = [r.input("InitH"), r.input("InitC")]
    weights = r.inputs("WeightList")
    if not weights:
        flat, size, width = r.input("W").reshape([-1]), r.attr("hidden_size", 100), int(r.input("Input").spec.shape[-1])
        layers, directions = r.attr("num_layers", 1), 2 if r.attr("is_bidirec", False) else 1
        inside = [width if layer == 0 else directions * size for layer in range(layers) for _ in range(directions)]
        shapes = [[4 * size, columns] for each in inside for columns in (each, size)] + [[4 * size]] * (2 * len(inside))
        ends = list(itertools.accumulate(map(math.prod, shapes), initial=0))
        if width < 0 or flat.spec.shape != (ends[-1],):
            r.refuse(f"weights {flat.spec} of an LSTM that has {ends[-1]}")
        weights = [flat[start:end].reshape(shape) for start, end, shape in zip(ends, ends[1:], shapes, strict=False)]
    out, (hidden, cells) = _layers(r, "LSTM", starts, weights)
    return {"Out": out, "LastH": hidden, "LastC": cells}


def _layers(r: OpReader, mode: str, starts: list[Any], tensors: list[Any]) -> tuple[Any, list[Any]]:
    """The outputs of the last layer, and the last states of all."""
    x, lengths = r.input("Input"), r.input("SequenceLength")
    layers, directions = r.attr("num_layers", 1), 2 if r.attr("is_bidirec", False) else 1
    weights = _weights(tensors, layers * directions) or r.refuse("an unknown number of weights")
    dropped = r.attr("dropout_prob", 0.0)
    drop = dropout_with_one_mask(dropped, not r.attr("is_test", False))
    ends: list[list[Any]] = []
    for layer in range(layers):
        if layer and dropped:
            x = drop(x)
        mine = weights[layer * directions : (layer + 1) * directions]
        flat = [w for four in mine for w in four[:2]] + [b for four in mine for b in four[2:]]
        rows = slice(layer * directions, (layer + 1) * directions)
        layer_states = starts if layers == 1 else [s[rows] for s in starts]
        x, *last, _ = rnn(x, layer_states, flat, lengths, mode, directions == 2)
        ends.append(last[: len(starts)])
    return x, [e[0] if layers == 1 else F.concat(list(e), 0) for e in zip(*ends, strict=True)]


def _weights(tensors: list[Any], count: int) -> list[list[Any]]:
    """``[w_ih, w_hh, b_ih, b_hh]`` for each layer and direction: the file has all weights, then all biases."""
    if len(tensors) == 2 * count:
        none = [zeros([w.shape[0]], w.dtype) for w in tensors]
        return [[*tensors[2 * k : 2 * k + 2], *none[2 * k : 2 * k + 2]] for k in range(count)]
    if len(tensors) != 4 * count:
        return []
    return [[*tensors[2 * k : 2 * k + 2], *tensors[2 * (count + k) : 2 * (count + k) + 2]] for k in range(count)]
