"""Learning rates in a function that is traced.

Schedules are plain Python: counters, and formulas of the user's. So a Program has none of their numbers built in: it calls them
where the function does, in every run, and asks for the rate where the function reads it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir import mode
from to_static.compiler.ir.symbolic.sym_number import SymNumber, as_sym_number
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ops.control.host_scalar import current_number
from to_static.compiler.ops.control.py_func import PutBack, py_func
from to_static.core.atomic import Ahead
from to_static.core.dtypes import float64, int64


def current(source: Callable[[], Any], cls: type = float) -> Any:
    """``source()`` as a number of the Program, of the place where this is called."""
    return as_sym_number(current_number(source, float64 if cls is float else int64))


def do(method: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Call ``method``, which changes a rate, in every run; arguments that are known only then are tensors and numbers."""
    mode.current().rates_move = True
    arguments = [*args, *kwargs.values()]
    traced_positions = [i for i, x in enumerate(arguments) if isinstance(x, Variable)]
    argument_types = [x.python_type if isinstance(x, SymNumber) else EagerTensor for x in arguments]

    def call(arrays: list[Any]) -> list[Any]:
        values = list(arguments)
        for i, array in zip(traced_positions, arrays, strict=True):
            values[i] = EagerTensor(array) if argument_types[i] is EagerTensor else array.item()
        Ahead.save_attributes(method.__self__)  # type: ignore[attr-defined]
        with mode.default_mode():
            method(*values[: len(args)], **dict(zip(kwargs, values[len(args) :], strict=True)))
        return []

    py_func([Variable(arguments[i].ssa, arguments[i].builder) for i in traced_positions], PutBack(call), None, ())


def rate_now(source: Callable[[], Any], value: Any) -> Any:
    """The rate that an optimizer goes by: ``value``, the tensor that Programs read when they start, unless it may move before."""
    builder = mode.current()
    if not mode.tracing() or not (builder.rates_move or builder.frame is not builder.root):
        return value
    return current_number(source, value.spec.dtype)
