"""``int()``, ``float()``, ``bool()`` and ``len()`` of tensors become numbers of the Program (see `ir.number`)."""

from __future__ import annotations

import builtins
from typing import Any

from to_static.core.errors import TracedValueError
from to_static.core.expressions import quoted
from to_static.ir.number import Number, number
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import UNKNOWN, ListSpec
from to_static.jit.jst.choice import over
from to_static.jit.jst.traced import failure, is_traced, truth


@over
def int_(*args: Any, **kwargs: Any) -> Any:
    """``int``; of a traced tensor its one element as an int of the Program."""
    return _scalar(args[0], builtins.int, "int()") if args and is_traced(args[0]) else builtins.int(*args, **kwargs)


@over
def float_(*args: Any) -> Any:
    """``float``; of a traced tensor its one element as a float of the Program."""
    return _scalar(args[0], builtins.float, "float()") if args and is_traced(args[0]) else builtins.float(*args)


@over
def bool_(*args: Any) -> Any:
    """``bool``; of a traced tensor its truth."""
    return number(truth(args[0], "bool()")) if args and is_traced(args[0]) else builtins.bool(*args)


@over
def len_(value: Any) -> Any:
    """``len``; where it is not known yet, an int of the Program."""
    if not is_traced(value) or isinstance(value, Number):
        return builtins.len(value)
    if isinstance(value.spec, ListSpec):
        return number(FUNCTIONS["list_len"](value))
    if not value.spec.shape:
        raise TypeError("len() of a 0-D tensor")
    return value.shape[0]


def _scalar(value: Any, kind: type, what: str) -> Any:
    if isinstance(value.spec, ListSpec) or value.spec.size not in (1, UNKNOWN):
        raise failure(
            TracedValueError,
            f"{what} needs a tensor of one element{quoted()}, this one is {value.spec}",
            f"choose or reduce first: `{what[:-2]}(x[0])`, `{what[:-2]}(x.sum())`",
        )
    return number(value, kind)
