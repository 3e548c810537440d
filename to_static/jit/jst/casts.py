"""``int()``, ``float()``, ``bool()`` and ``len()`` of tensors become numbers of the Program (see `ir.number`)."""

from __future__ import annotations

import builtins
import operator
from typing import Any

from to_static.core.errors import TracedValueError
from to_static.core.expressions import quoted
from to_static.ir.number import Number, number
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import UNKNOWN, ListSpec
from to_static.jit.jst.chosen import over
from to_static.jit.jst.counted import Counted
from to_static.jit.jst.special import asked, special
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
    if len(args) != 1:
        return builtins.bool(*args)
    value = asked(args[0])
    return number(truth(value, "bool()")) if is_traced(value) else builtins.bool(value)


@over
def len_(value: Any) -> Any:
    """``len``; where it is not known yet, an int of the Program."""
    if isinstance(value, Counted):
        if value.once:
            raise TypeError(f"object of type {value.stands_for.__name__!r} has no len()")
        return value.size
    if not is_traced(value) or isinstance(value, Number):
        method = special(value, "__len__")
        return builtins.len(value) if method is None else _length(method())
    if isinstance(value.spec, ListSpec):
        return number(FUNCTIONS["list_len"](value.main))
    if not value.spec.shape:
        raise TypeError("len() of a 0-D tensor")
    return value.shape[0]


def _length(found: Any) -> Any:
    """What a `__len__` gave, as `len` takes it."""
    if is_traced(found) and getattr(found, "python_type", None) is int:
        return found
    length = operator.index(found)
    if length < 0:
        raise ValueError("__len__() should return >= 0")
    return length


def _scalar(value: Any, kind: type, what: str) -> Any:
    if isinstance(value.spec, ListSpec) or value.spec.size not in (1, UNKNOWN):
        raise failure(
            TracedValueError,
            f"{what} needs a tensor of one element{quoted()}, this one is {value.spec}",
            f"choose or reduce first: `{what[:-2]}(x[0])`, `{what[:-2]}(x.sum())`",
        )
    return number(value, kind)
