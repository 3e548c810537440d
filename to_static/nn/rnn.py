"""Recurrent networks over whole sequences: RNN, BiRNN, SimpleRNN, LSTM, GRU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.compiler.ir import mode
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ops import functions
from to_static.compiler.ops.layers.dropout import dropout_with_one_mask
from to_static.compiler.ops.layers.rnn import rnn
from to_static.compiler.ops.shape_rules import show
from to_static.core import tree
from to_static.core.errors import ShapeError
from to_static.nn.container import LayerList
from to_static.nn.layer import Layer
from to_static.nn.rnn_cell import GatedCell, GRUCell, LSTMCell, SimpleRNNCell


def scan(
    cell: Any,
    inputs: Any,
    states: Any,
    lengths: Any,
    time_major: bool,
    reverse: bool,
    zero_padding: bool = False,
    **kwargs: Any,
) -> tuple[Any, Any]:
    """Run ``cell`` along the time axis; returns the stacked outputs and the final states.

    ``lengths`` (int tensor ``[N]``): steps from there on leave the states as they are (and, with ``zero_padding``, give
    zeros). ``reverse``: from the last step to the first. A number of steps that is known is unrolled in a Program; one
    that is not becomes a ``while_loop``.
    """
    axis = 0 if time_major else 1
    if states is None:
        states = cell.get_initial_states(inputs, batch_dim_idx=1 - axis)
    step: Callable[[Any, Any], tuple[Any, Any]] = lambda x, s: cell(x, s, **kwargs)  # noqa: E731
    if isinstance(cell, GatedCell):
        inputs, step = cell._project(inputs), cell._recur  # one product for all steps
    leaves, recipe = tree.flatten(states)

    def masked(t: Any, x: Any, old: list[Any]) -> tuple[Any, list[Any]]:
        out, new = step(x, tree.unflatten(recipe, old))
        fresh = tree.flatten(new)[0]
        if lengths is None:
            return out, fresh
        live = functions.unsqueeze(lengths > t, 1)
        fresh = [functions.where(live, a, b) for a, b in zip(fresh, old, strict=True)]
        return (out * live.astype(out.dtype) if zero_padding else out), fresh

    steps = inputs.shape[axis]
    if isinstance(steps, int):
        slices = functions.unstack(inputs, axis)
        outputs: list[Any] = [None] * steps
        for t in reversed(range(steps)) if reverse else range(steps):
            outputs[t], leaves = masked(t, slices[t], leaves)
        return functions.stack(outputs, axis), tree.unflatten(recipe, leaves)

    builder = mode.current()
    first = functions.zeros_like(steps)

    def body(i: Any, items: Any, *old: Any) -> list[Any]:
        t = steps - 1 - i if reverse else i
        out, new = masked(t, inputs[t] if time_major else inputs[:, t], list(old))
        return [i + 1, functions.list_append(items, out), *new]

    start = [first, functions.list_new([]), *leaves]
    _, items, *leaves = builder.while_loop(lambda i, *_: i < steps, body, start)
    stacked = functions.list_stack(items, axis)
    return functions.flip(stacked, axis) if reverse else stacked, tree.unflatten(recipe, leaves)


class RNN(Layer):
    """A cell along a sequence.

    Args:
        cell: a cell, or any layer that maps (inputs, states) to (output, states) and has ``get_initial_states``.
        is_reverse: go from the last step to the first.
        time_major: sequences are ``[T, N, size]`` instead of ``[N, T, size]``.

    Example:
        >>> outputs, states = paddle.nn.RNN(paddle.nn.GRUCell(4, 8))(paddle.ones([2, 5, 4]))
    """

    def __init__(self, cell: Any, is_reverse: bool = False, time_major: bool = False) -> None:
        super().__init__()
        self.cell, self.is_reverse, self.time_major = cell, is_reverse, time_major

    def forward(
        self,
        inputs: Any,
        initial_states: Any = None,
        sequence_length: Any = None,
        zero_padding: bool = False,
        **kwargs: Any,
    ) -> Any:
        """Outputs of all steps and the final states; ``sequence_length`` ``[N]``: where each sequence ends.

        ``zero_padding``: outputs after a sequence's end are zeros.
        """
        scan_options = (self.time_major, self.is_reverse, zero_padding)
        return scan(self.cell, inputs, initial_states, sequence_length, *scan_options, **kwargs)


class BiRNN(Layer):
    """Two cells along a sequence, one in each direction; their outputs are joined.

    ``cell_fw``, ``cell_bw``: the cells forwards and backwards; ``time_major``: sequences are ``[T, N, size]`` instead
    of ``[N, T, size]``.
    Raises ValueError when the cells take inputs of different sizes.

    Example:
        >>> cells = paddle.nn.GRUCell(4, 8), paddle.nn.GRUCell(4, 8)
        >>> outputs, states = paddle.nn.BiRNN(*cells)(paddle.ones([2, 5, 4]))
        >>> outputs.shape
        [2, 5, 16]
    """

    def __init__(self, cell_fw: Any, cell_bw: Any, time_major: bool = False) -> None:
        super().__init__()
        if cell_fw.input_size != cell_bw.input_size:
            raise ValueError(f"BiRNN: both cells must take inputs of one size, got {cell_fw.input_size} and {cell_bw.input_size}")
        self.cell_fw, self.cell_bw, self.time_major = cell_fw, cell_bw, time_major

    def forward(
        self,
        inputs: Any,
        initial_states: Any = None,
        sequence_length: Any = None,
        zero_padding: bool = False,
        **kwargs: Any,
    ) -> Any:
        """Joined outputs of all steps and the pair of final states; see `RNN`."""
        first, second = (None, None) if initial_states is None else initial_states
        fw, last = scan(self.cell_fw, inputs, first, sequence_length, self.time_major, False, zero_padding, **kwargs)
        bw, begin = scan(self.cell_bw, inputs, second, sequence_length, self.time_major, True, zero_padding, **kwargs)
        return functions.concat([fw, bw], -1), (last, begin)


class RNNBase(LayerList):
    """The base of `SimpleRNN`, `LSTM` and `GRU`: stacked layers of cells, in one or both directions.

    Parameters are also there as ``weight_ih_l0``, ``weight_hh_l0``, ``bias_ih_l0``, ``bias_hh_l0`` (``_reverse``), ...
    """

    mode = ""  # Paddle's name of the kind
    state_components = 1  # tensors that a state consists of
    _cell: type[GatedCell] = GatedCell

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        direction: str = "forward",
        time_major: bool = False,
        dropout: float = 0.0,
        weight_ih_attr: Any = None,
        weight_hh_attr: Any = None,
        bias_ih_attr: Any = None,
        bias_hh_attr: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        attrs = {
            "weight_ih_attr": weight_ih_attr, "weight_hh_attr": weight_hh_attr, "bias_ih_attr": bias_ih_attr,
            "bias_hh_attr": bias_hh_attr,
        }  # fmt: skip
        if direction not in ("forward", "bidirect", "bidirectional"):
            raise ValueError(f"{type(self).__name__}: direction must be 'forward' or 'bidirect', got {direction!r}")
        self.input_size, self.hidden_size = input_size, hidden_size
        self.num_layers, self.time_major, self.dropout = num_layers, time_major, dropout
        self.num_directions = 1 if direction == "forward" else 2
        for i in range(num_layers):
            width = self.input_size if i == 0 else self.hidden_size * self.num_directions
            cells: list[Any] = [
                self._cell(width, self.hidden_size, **attrs, **self._options()) for _ in range(self.num_directions)
            ]
            one_way = len(cells) == 1
            self.append(RNN(cells[0], False, time_major) if one_way else BiRNN(cells[0], cells[1], time_major))
            for cell, suffix in zip(cells, ("", "_reverse"), strict=False):
                for name, parameter in cell.named_parameters():
                    if attrs[f"{name}_attr"] is not False:
                        setattr(self, f"{name}_l{i}{suffix}", parameter)

    def _options(self) -> dict[str, Any]:
        """Further arguments of the cells."""
        return {}

    def flatten_parameters(self) -> None:
        """In Paddle, moves the parameters into one piece of memory for cuDNN; there is nothing to do here."""

    def forward(self, inputs: Any, initial_states: Any = None, sequence_length: Any = None) -> Any:
        """Outputs and final states of ``inputs`` ``[N, T, input_size]`` (``[T, N, input_size]`` if ``time_major``).

        States are ``[layers * directions, N, hidden_size]``, a pair of them for LSTM; zeros by default. With
        ``sequence_length`` ``[N]``, outputs after a sequence's end are zeros.
        """
        shape = inputs.spec.shape
        if len(shape) != 3 or shape[2] not in (self.input_size, UNKNOWN):
            order = "[time, batch, input_size]" if self.time_major else "[batch, time, input_size]"
            raise ShapeError(
                f"{type(self).__name__}: inputs must be {order} with input_size={self.input_size}, got "
                f"{show(shape)}"
            )
        rows = self.num_layers * self.num_directions
        if initial_states is None:
            shape = [rows, inputs.shape[1 if self.time_major else 0], self.hidden_size]
            initial_states = [functions.full(shape, 0, inputs.dtype) for _ in range(self.state_components)]
        elif self.state_components == 1 and not isinstance(initial_states, (list, tuple)):
            initial_states = [initial_states]
        elif len(initial_states) != self.state_components or not isinstance(initial_states, (list, tuple)):
            form = "a pair (h, c) of tensors" if self.state_components == 2 else "a tensor"
            passed = f"{len(initial_states)} values" if isinstance(initial_states, (list, tuple)) else "one tensor"
            shape = f"[{rows}, batch, {self.hidden_size}]"
            raise ShapeError(f"{type(self).__name__}: initial_states must be {form} {shape}, got {passed}")
        ways, bidirectional = self.num_directions, self.num_directions == 2
        x = inputs if self.time_major else functions.transpose(inputs, [1, 0, 2])
        drop = dropout_with_one_mask(float(self.dropout), self.training)
        final: list[tuple[Any, ...]] = []
        for i, layer in enumerate(self):
            if i and self.dropout:
                x = drop(x)
            cells = [layer.cell_fw, layer.cell_bw] if bidirectional else [layer.cell]
            weights = [w for cell in cells for w in (cell.weight_ih, cell.weight_hh)]
            weights += [b for cell in cells for b in (cell.bias_ih, cell.bias_hh)]
            layer_states = [state if self.num_layers == 1 else state[ways * i : ways * (i + 1)] for state in initial_states]
            x, *ends, _ = rnn(x, layer_states, weights, sequence_length, self.mode, bidirectional)
            final.append(tuple(ends[: self.state_components]))
        outputs = x if self.time_major else functions.transpose(x, [1, 0, 2])
        columns = [list(column) for column in zip(*final, strict=True)]
        states = tuple(c[0] if len(c) == 1 else functions.concat(c, 0) for c in columns)
        return outputs, states if self.state_components == 2 else states[0]

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        rows = (("num_layers", 1), ("time_major", False), ("dropout", 0))
        return text + "".join(f", {name}={getattr(self, name)}" for name, usual in rows if getattr(self, name) != usual)


_ARGUMENTS = """

    Args:
        input_size, hidden_size: last dimension of the input and of the state.
        num_layers: layers, each fed by the outputs of the one before (default 1).
        direction: 'forward' or 'bidirect' (default 'forward').
        time_major: sequences are ``[T, N, size]`` instead of ``[N, T, size]``.
        dropout: probability of dropping outputs between layers while training (default 0).
        weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr: how the parameters are made.

    Example:
        >>> outputs, states = paddle.nn.{name}(4, 8)(paddle.ones([2, 5, 4]))
        >>> outputs.shape
        [2, 5, 8]
    """


class SimpleRNN(RNNBase):
    __doc__ = "Layers of `SimpleRNNCell`; ``activation``: 'tanh' or 'relu'." + _ARGUMENTS.format(name="SimpleRNN")
    _cell = SimpleRNNCell

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        direction: str = "forward",
        time_major: bool = False,
        dropout: float = 0.0,
        activation: str = "tanh",
        weight_ih_attr: Any = None,
        weight_hh_attr: Any = None,
        bias_ih_attr: Any = None,
        bias_hh_attr: Any = None,
        name: str | None = None,
    ) -> None:
        self.activation = activation  # the cells are made by the call below
        self.mode = f"RNN_{activation.upper()}"
        attrs = (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        super().__init__(input_size, hidden_size, num_layers, direction, time_major, dropout, *attrs)

    def _options(self) -> dict[str, Any]:
        return {"activation": self.activation}


class LSTM(RNNBase):
    __doc__ = "Layers of `LSTMCell`; the states are a pair (h, c)." + _ARGUMENTS.format(name="LSTM")
    _cell = LSTMCell
    mode, state_components = "LSTM", 2


class GRU(RNNBase):
    __doc__ = "Layers of `GRUCell`." + _ARGUMENTS.format(name="GRU")
    _cell = GRUCell
    mode = "GRU"
