"""One step of a recurrent network: SimpleRNNCell, LSTMCell, GRUCell."""

from __future__ import annotations

import math
from typing import Any

from to_static.compiler.ops import functions
from to_static.core import tree
from to_static.core.dtypes import default_dtype
from to_static.nn import functional as F
from to_static.nn.initializer import Constant, Uniform
from to_static.nn.layer import Layer
from to_static.nn.parameter import ParamAttr


class RNNCellBase(Layer):
    """Base class of cells: ``forward(inputs, states)`` returns the output and the new states of one step.

    A subclass has the property ``state_shape``: the shape of its state without the batch, or a tuple of such shapes.
    ``name_scope``: prefix of the names of parameters; ``dtype``: of the parameters.

    Example:
        >>> isinstance(paddle.nn.GRUCell(4, 8), paddle.nn.RNNCellBase)
        True
    """

    @property
    def state_shape(self) -> Any:
        """Shape of the state without the batch; a tuple of shapes for several states."""
        raise NotImplementedError(f"{type(self).__name__} must define state_shape")

    @property
    def state_dtype(self) -> Any:
        """The dtype of its states, or a tuple of dtypes, where a subclass says so. Raises NotImplementedError where it does not."""
        raise NotImplementedError(f"{type(self).__name__} does not define state_dtype: its states have the dtype of the inputs")

    def get_initial_states(
        self, batch_ref: Any, shape: Any = None, dtype: Any = None, init_value: float = 0.0, batch_dim_idx: int = 0
    ) -> Any:
        """States filled with ``init_value`` for the batch of ``batch_ref``, whose dimension ``batch_dim_idx`` is the batch."""
        reference = tree.flatten(batch_ref)[0][0]
        batch = reference.shape[batch_dim_idx]
        dtype_ = reference.dtype if dtype is None and reference.dtype.is_floating else dtype or default_dtype()

        def fill(sizes: Any) -> Any:
            if sizes and isinstance(sizes[0], (list, tuple)):
                return tuple(fill(inner) for inner in sizes)
            return functions.full([batch, *(s for s in sizes if s != -1)], init_value, dtype_)

        return fill(self.state_shape if shape is None else shape)


class GatedCell(RNNCellBase):
    """The base of the three cells: their parameters, and the split of a step into the part that needs only the input
    (`_project`, which a layer does for all steps at once) and the part that needs the state (`_recur`)."""

    _gates = 1
    _gate_activation = staticmethod(F.sigmoid)
    _activation = staticmethod(F.tanh)

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        weight_ih_attr: Any = None,
        weight_hh_attr: Any = None,
        bias_ih_attr: Any = None,
        bias_hh_attr: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        if hidden_size <= 0:
            raise ValueError(f"{type(self).__name__}: hidden_size must be positive, got {hidden_size}")
        self.input_size, self.hidden_size = input_size, hidden_size
        rows = self._gates * hidden_size
        self.weight_ih = self._parameter([rows, input_size], weight_ih_attr, 1.0, False)
        self.weight_hh = self._parameter([rows, hidden_size], weight_hh_attr, 1.0, False)
        self.bias_ih = self._parameter([rows], bias_ih_attr, 0.0, True)
        self.bias_hh = self._parameter([rows], bias_hh_attr, 0.0, True)

    def _parameter(self, shape: list[int], attr: Any, fixed: float, is_bias: bool) -> Any:
        if attr is False:  # as Paddle: there, but constant
            attr = ParamAttr(initializer=Constant(fixed), trainable=False)
        bound = 1.0 / math.sqrt(self.hidden_size)
        return self.create_parameter(shape, attr, is_bias=is_bias, default_initializer=Uniform(-bound, bound))

    @property
    def state_shape(self) -> Any:
        """``(hidden_size,)``."""
        return (self.hidden_size,)

    def _project(self, inputs: Any) -> Any:
        """``[*, input_size]`` to ``[*, gates * hidden_size]``."""
        return functions.matmul(inputs, self.weight_ih, transpose_y=True) + self.bias_ih

    def _from_state(self, hidden: Any) -> Any:
        return functions.matmul(hidden, self.weight_hh, transpose_y=True) + self.bias_hh

    def _recur(self, projected: Any, states: Any) -> tuple[Any, Any]:
        """Output and new states from the projected input of one step and the states before it."""
        raise NotImplementedError("a subclass must define this method")

    def forward(self, inputs: Any, states: Any = None) -> tuple[Any, Any]:
        """``[N, input_size]`` and states (zeros by default) to the output ``[N, hidden_size]`` and the new states."""
        return self._recur(self._project(inputs), self.get_initial_states(inputs) if states is None else states)

    def extra_repr(self) -> str:
        return f"{self.input_size}, {self.hidden_size}"


_ARGUMENTS = """

    Args:
        input_size, hidden_size: last dimension of the input and of the state.
        weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr: how the parameters are made (default: uniform within
            ``1 / sqrt(hidden_size)``); False for a constant one (weights: 1, biases: 0).

    A cell is called with inputs ``[N, input_size]`` and states (default: zeros), and returns the output ``[N, hidden_size]`` and
    the new states.{errors}

    Example:
        >>> y, states = paddle.nn.{name}(4, 8)(paddle.ones([2, 4]))
        >>> y.shape
        [2, 8]
    """


class SimpleRNNCell(GatedCell):
    __doc__ = (
        "``h = act(x @ weight_ih.T + bias_ih + h @ weight_hh.T + bias_hh)``; ``activation``: 'tanh' or 'relu'."
        + _ARGUMENTS.format(name="SimpleRNNCell", errors=" Raises ValueError for another ``activation``.")
    )

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        activation: str = "tanh",
        weight_ih_attr: Any = None,
        weight_hh_attr: Any = None,
        bias_ih_attr: Any = None,
        bias_hh_attr: Any = None,
        name: str | None = None,
    ) -> None:
        if activation not in ("tanh", "relu"):
            raise ValueError(f"SimpleRNNCell: activation must be 'tanh' or 'relu', got {activation!r}")
        super().__init__(input_size, hidden_size, weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        self.activation, self._activation_fn = activation, getattr(F, activation)

    def _recur(self, projected: Any, states: Any) -> tuple[Any, Any]:
        h = self._activation_fn(projected + self._from_state(states))
        return h, h

    def extra_repr(self) -> str:
        return super().extra_repr() + ("" if self.activation == "tanh" else f", activation={self.activation}")


class LSTMCell(GatedCell):
    __doc__ = "Long short-term memory (Hochreiter and Schmidhuber, 1997); its states are (h, c)." + _ARGUMENTS.format(
        name="LSTMCell", errors=""
    )
    _gates = 4

    @property
    def state_shape(self) -> Any:
        """The shapes of h and c."""
        return (self.hidden_size,), (self.hidden_size,)

    def _recur(self, projected: Any, states: Any) -> tuple[Any, Any]:
        hidden, cell = states
        i, f, g, o = functions.split(projected + self._from_state(hidden), 4, -1)
        gate, act = self._gate_activation, self._activation
        cell = gate(f) * cell + gate(i) * act(g)
        hidden = gate(o) * act(cell)
        return hidden, (hidden, cell)


class GRUCell(GatedCell):
    __doc__ = (
        "Gated recurrent unit (Cho et al., 2014), with the reset gate after the product with the state."
        + _ARGUMENTS.format(name="GRUCell", errors="")
    )
    _gates = 3

    def _recur(self, projected: Any, states: Any) -> tuple[Any, Any]:
        x_reset, x_update, x_new = functions.split(projected, 3, -1)
        h_reset, h_update, h_new = functions.split(self._from_state(states), 3, -1)
        new = self._activation(x_new + self._gate_activation(x_reset + h_reset) * h_new)
        h = (states - new) * self._gate_activation(x_update + h_update) + new
        return h, h
