"""``in`` and ``not in``: the comparisons with tensors that it makes are part of the Program."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.ir import mode
from to_static.ir.number import Number, number
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import ListSpec
from to_static.ir.tensor import Tensor
from to_static.ir.variable import Variable
from to_static.jit.jst.casts import bool_
from to_static.jit.jst.choice import Choice, select
from to_static.jit.jst.counted import Counted
from to_static.jit.jst.folds import any_, any_of
from to_static.jit.jst.iterate import for_
from to_static.jit.jst.joined import one_tensor, same_tensor
from to_static.jit.jst.logic import and_, not_
from to_static.jit.jst.loops import while_
from to_static.jit.jst.sequences import compares, equal, holds_compared, holds_traced
from to_static.jit.jst.special import iterated, special
from to_static.jit.jst.traced import is_traced


def in_(value: Any, container: Any) -> Any:
    """``value in container``"""
    if isinstance(container, Counted) and container.once:
        return for_(container, lambda item, _: True if item is value else bool_(equal(item, value)), False, breaks=True)
    if isinstance(container, Counted) or is_traced(container):
        return _in_traced(value, container)
    method = special(container, "__contains__")
    if method is not None:
        return bool_(method(value))
    items = iterated(container)
    taken = hasattr(type(items), "__next__")  # until the value was found
    if items is not container or (mode.building() and taken):
        return any_of(lambda item: True if item is value else equal(item, value), items)
    listed = isinstance(container, (list, tuple))
    held = (compares(value) if listed else is_traced(value)) or (type(value) in (list, tuple) and holds_traced(value))
    if not held and not (listed and holds_compared(container)):
        return value in container
    if isinstance(container, (dict, set, frozenset)) or hasattr(container, "mapping"):
        if one_tensor(value):
            return any_([same_tensor(key, value) for key in container if isinstance(key, Tensor)])
        container = list(container)
    known = _whole(container) if isinstance(value, Number) and value.python_type is int else None
    if known is not None:
        return number(FUNCTIONS["any"](FUNCTIONS["equal"](mode.state.mode.constant(known), Variable(value.ssa, value.builder))))
    return any_of(lambda item: item is value or equal(item, value), container)


def _whole(items: Any) -> Any:
    """The ints among items that an int may be equal to; None where there may be others, or none."""
    ints = [int(x) for x in items if type(x) in (int, bool)]
    if not ints or not all(type(x) in (int, bool, str, type(None)) for x in items):
        return None
    return np.asarray(ints, "int64") if -(1 << 63) <= min(ints) <= max(ints) < 1 << 63 else None


def not_in(value: Any, container: Any) -> Any:
    """``value not in container``"""
    return not_(in_(value, container))


def _in_traced(value: Any, container: Any) -> Any:
    if isinstance(container, Choice):
        return select(container, lambda option: in_(value, option))
    if isinstance(container, Number):
        raise TypeError(f"argument of type {container.python_type.__name__!r} is not iterable")
    if isinstance(container, Counted) or isinstance(container.spec, ListSpec):
        length = container.length if isinstance(container, Counted) else number(FUNCTIONS["list_len"](container.main))
        item = container.item
        _, found = while_(
            lambda i, found: and_(i < length, lambda: not_(found)), lambda i, found: (i + 1, bool_(item(i) == value)), 0, False
        )
        return found
    return number(FUNCTIONS["any"](FUNCTIONS["equal"](container, value)))
