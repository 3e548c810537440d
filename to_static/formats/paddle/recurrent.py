"""The file operator ``rnn`` (LSTM, GRU, simple networks; several layers, two directions): read as loops over the time steps."""

from __future__ import annotations

from typing import Any

from to_static.formats.paddle.upgrade import reads
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import UNKNOWN

GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


def _call(name: str, *args: Any, **kwargs: Any) -> Any:
    return FUNCTIONS[name](*args, **kwargs)


@reads("rnn")
def _(r: Any) -> Any:
    """``Input`` is [T, N, I]; ``PreState`` [layers * directions, N, H] (LSTM: two); ``WeightList`` as `_weights` takes it apart."""
    x, lengths = r.input("Input"), r.input("SequenceLength")
    kind, layers = r.attr("mode", "LSTM"), r.attr("num_layers", 1)
    directions = 2 if r.attr("is_bidirec", False) else 1
    starts = r.inputs("PreState")
    if kind not in GATES or len(starts) != (2 if kind == "LSTM" else 1):
        r.refuse(f"mode {kind!r} with {len(starts)} states")
    weights = _weights(r.inputs("WeightList"), layers * directions) or r.refuse("an unknown number of weights")
    drop, test = r.attr("dropout_prob", 0.0), bool(r.attr("is_test", False))
    ends: list[list[Any]] = []
    for layer in range(layers):
        if layer and drop:
            x = _call("dropout", x, drop, test, "upscale_in_train")[0]
        outs = []
        for k in range(layer * directions, (layer + 1) * directions):
            out, end = _run(r.reader.builder, x, [s[k] for s in starts], weights[k], kind, lengths, backwards=k % directions == 1)
            outs.append(out)
            ends.append(end)
        x = outs[0] if directions == 1 else _call("concat", outs, -1)
    return {"Out": x, "State": [_call("stack", [end[i] for end in ends], 0) for i in range(len(starts))]}


def _weights(found: list[Any], count: int) -> list[list[Any]]:
    """``[w_ih, w_hh, b_ih, b_hh]`` for each layer and direction: the file has all weights, then all biases."""
    if len(found) == 2 * count:
        return [[*found[2 * k : 2 * k + 2], None, None] for k in range(count)]
    if len(found) != 4 * count:
        return []
    return [[*found[2 * k : 2 * k + 2], *found[2 * (count + k) : 2 * (count + k) + 2]] for k in range(count)]


def _run(
    builder: Any, x: Any, states: list[Any], weights: list[Any], kind: str, lengths: Any, backwards: bool
) -> tuple[Any, list[Any]]:
    """Outputs [T, N, H] and final states of one layer in one direction."""
    w_ih, w_hh, b_ih, b_hh = weights
    wide = _call("matmul", x, w_ih, False, True)
    wide = wide if b_ih is None else wide + b_ih
    steps = _call("dim_size", x, 0) if x.spec.shape[0] == UNKNOWN else _call("full", [], x.spec.shape[0], "int64")

    def step(t: Any, *held: Any) -> list[Any]:
        at = steps - 1 - t if backwards else t
        old, outs = list(held[:-1]), held[-1]
        hidden = _call("matmul", old[0], w_hh, False, True)
        hidden = hidden if b_hh is None else hidden + b_hh
        new = _cell(kind, wide[at], hidden, old)
        out = new[0]
        if lengths is not None:
            inside = _call("unsqueeze", at < _call("cast", lengths, "int64"), [-1])
            new = [_call("where", inside, a, b) for a, b in zip(new, old, strict=True)]
            out = out * _call("cast", inside, out.dtype)
        return [t + 1, *new, _call("list_append", outs, out)]

    start = [_call("full", [], 0, "int64"), *states, _call("list_new", [])]
    _, *ends, outs = builder.while_loop(lambda t, *held: t < steps, step, start)
    out = _call("list_stack", outs, axis=0)
    return _call("flip", out, [0]) if backwards else out, ends


def _cell(kind: str, x: Any, hidden: Any, old: list[Any]) -> list[Any]:
    """New states from the input's part and the old state's part of the gates."""
    if kind == "LSTM":
        i, f, g, o = (_call(n, p) for n, p in zip(("sigmoid", "sigmoid", "tanh", "sigmoid"), _split(x + hidden, 4), strict=True))
        c = f * old[1] + i * g
        return [o * _call("tanh", c), c]
    if kind == "GRU":
        (xr, xz, xc), (hr, hz, hc) = _split(x, 3), _split(hidden, 3)
        r, z = _call("sigmoid", xr + hr), _call("sigmoid", xz + hz)
        c = _call("tanh", xc + r * hc)
        return [(old[0] - c) * z + c]
    return [_call("tanh" if kind == "RNN_TANH" else "relu", x + hidden)]


def _split(x: Any, parts: int) -> list[Any]:
    return _call("split", x, parts, -1)
