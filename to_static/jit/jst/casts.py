"""``int()``, ``float()``, ``bool()`` and ``len()`` of tensors become numbers of the Program (see `ir.number`)."""

from __future__ import annotations

import builtins
from typing import Any

from to_static.core.errors import SeveralValuesError
from to_static.core.expressions import quoted
from to_static.ir.number import Number, number
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import UNKNOWN, ListSpec
from to_static.jit.jst.chosen import over
from to_static.jit.jst.counted import Counted
from to_static.jit.jst.special import asked, length, special
from to_static.jit.jst.text import Text
from to_static.jit.jst.traced import failure, is_traced, truth


@over
def int_(*args: Any, **kwargs: Any) -> Any:
    """``int``; of a traced tensor its one element as an int of the Program."""
    if args and is_traced(args[0]):
        return _scalar(args[0], builtins.int, "int()")
    return _own(args, builtins.int, "__int__") if len(args) == 1 and not kwargs else builtins.int(*args, **kwargs)


@over
def float_(*args: Any) -> Any:
    """``float``; of a traced tensor its one element as a float of the Program."""
    if args and is_traced(args[0]):
        return _scalar(args[0], builtins.float, "float()")
    return _own(args, builtins.float, "__float__") if len(args) == 1 else builtins.float(*args)


def _own(args: tuple[Any, ...], kind: Any, name: str) -> Any:
    """``kind(value)``, which asks the user's class."""
    method = special(args[0], name)
    found = args[0] if method is None else method()
    if method is None or not isinstance(found, Number):
        return kind(found)
    if found.python_type is not kind:
        own = f"{type(args[0]).__name__}." if kind is builtins.float else ""
        raise TypeError(f"{own}{name} returned non-{kind.__name__} (type {found.python_type.__name__})")
    return found


@over
def bool_(*args: Any) -> Any:
    """``bool``; of a traced tensor its truth."""
    if len(args) != 1:
        return builtins.bool(*args)
    value = asked(args[0])
    return number(truth(value, "what bool() is given")) if is_traced(value) else builtins.bool(value)


@over
def len_(value: Any) -> Any:
    """``len``; where it is not known yet, an int of the Program."""
    if isinstance(value, Counted):
        if value.once:
            raise TypeError(f"object of type {value.stands_for.__name__!r} has no len()")
        return value.size
    if type(value) is Text:
        return value.size()
    if not is_traced(value) or isinstance(value, Number):
        method = special(value, "__len__")
        return builtins.len(value) if method is None else length(method())
    if isinstance(value.spec, ListSpec):
        return number(FUNCTIONS["list_len"](value.main))
    if not value.spec.shape:
        raise TypeError("len() of a 0-D tensor")
    return value.shape[0]


def _scalar(value: Any, kind: type, what: str) -> Any:
    if isinstance(value.spec, ListSpec) or value.spec.size not in (1, UNKNOWN):
        raise failure(
            SeveralValuesError,
            f"{what} needs a tensor of one element{quoted()}, this one is {value.spec}",
            f"choose or reduce first: `{what[:-2]}(x[0])`, `{what[:-2]}(x.sum())`",
        )
    return number(value, kind)
