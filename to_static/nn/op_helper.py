"""`OpHelper`: operators called by the type that they have in Paddle's files, for layers that are written so."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ops import functions
from to_static.core.dtypes import as_dtype, get_default_dtype
from to_static.nn.parameter import make_parameter


def activated(x: Any, act: str | None) -> Any:
    """``x`` after an activation; as it is where ``act`` is None.

    Args:
        act: the type of an operator of Paddle's files (``'relu'``, ``'hard_swish'``), with that operator's own defaults, as
            Paddle's layers that have an ``act`` mean it; or a function of ``nn.functional``.

    Raises ValueError for a name that is neither.
    """
    if act is None:
        return x
    from to_static.compiler.formats.paddle.operators import (  # readers of all operators: only for who asks
        call_by_type,
        op_resolver,
    )

    if op_resolver.is_known(act):
        return call_by_type.call(act, {"X": x})["Out"]
    activation = FUNCTIONS.get(act)
    if activation is None:
        raise ValueError(f"unknown activation {act!r}")
    return activation(x)


class OpHelper:
    """Paddle's ``layer._helper``: makes parameters and results, and calls operators by their types.

    Example:
        >>> helper = layer._helper
        >>> out = helper.create_variable_for_type_inference(x.dtype)
        >>> helper.append_op(type='elementwise_add', inputs={'X': x, 'Y': y}, outputs={'Out': out}, attrs={'axis': -1})
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def append_op(
        self, type: str, inputs: Any = None, outputs: Any = None, attrs: Any = None, stop_gradient: bool | None = None
    ) -> None:
        """Call the operator ``type``; the tensors in ``outputs`` hold its results afterwards.

        Args:
            inputs, outputs: by slot a tensor, or a list of them.
            attrs: attributes by Paddle's names.
            stop_gradient: True: no gradient flows through the results.

        Raises ProgramError when there is no such operator, or when it does not take what is given.
        """
        from to_static.compiler.formats.paddle.operators.call_by_type import (
            append,  # readers of all operators: only for who asks
        )

        append(type, inputs, outputs, attrs)
        if stop_gradient:
            for slot in (outputs or {}).values():
                for tensor in slot if isinstance(slot, (list, tuple)) else [slot]:
                    tensor.stop_gradient = True

    def input_dtype(self, input: Any) -> Any:
        """The dtype of a tensor, or of the first of several; None of none."""
        first = next(iter(input), None) if isinstance(input, (list, tuple)) else input
        return None if first is None else first.dtype

    def get_default_dtype(self) -> str:
        """`paddle.get_default_dtype()`."""
        return get_default_dtype()

    def create_variable_for_type_inference(self, dtype: Any, stop_gradient: bool = False, shape: Any = None) -> Any:
        """A tensor without numbers, for a result of `append_op`; its shape is that of the result then."""
        return functions.full([0], 0, as_dtype(dtype))

    def create_parameter(
        self, attr: Any, shape: Any, dtype: Any = None, is_bias: bool = False, default_initializer: Any = None,
        stop_gradient: bool = False, type: Any = None,
    ) -> Any:  # fmt: skip
        """A new parameter, or None when ``attr`` is False; see `create_parameter`."""
        return make_parameter(self.name, shape, attr, dtype, is_bias, default_initializer)

    def append_bias_op(self, input_var: Any, dim_start: int = 1, dim_end: int | None = None, bias_attr: Any = None) -> Any:
        """``input_var`` and a new bias of its dimensions ``dim_start`` to ``dim_end``; as it is where ``bias_attr`` is False."""
        bias = self.create_parameter(bias_attr, input_var.shape[dim_start:dim_end], input_var.dtype, True)
        if bias is None:
            return input_var
        return self._result("elementwise_add", {"X": input_var, "Y": bias}, {"axis": dim_start})

    def append_activation(self, input_var: Any, act: str | None = None, **hints: Any) -> Any:
        """``input_var`` after the activation of that type; as it is where ``act`` is None."""
        return activated(input_var, act)

    def _result(self, op_type: str, inputs: dict[str, Any], attrs: dict[str, Any]) -> Any:
        out = self.create_variable_for_type_inference(inputs["X"].dtype)
        self.append_op(op_type, inputs, {"Out": out}, attrs)
        return out
