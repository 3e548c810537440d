"""``range`` with bounds that tensors decide."""

from __future__ import annotations

import builtins
from typing import Any

from to_static.compiler.frontend.jst.control.raising import check
from to_static.compiler.frontend.jst.iteration.indexed import IndexedIterable
from to_static.compiler.frontend.jst.tracer_queries import as_constant, is_traced
from to_static.compiler.ir.symbolic.sym_number import SymNumber, as_sym_number
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F


def range_(*args: int | SymNumber | Tensor) -> Any:
    """``range``, also with traced bounds and step."""
    args = tuple(map(as_constant, args))
    if not any(map(is_traced, args)):
        return builtins.range(*args)
    for a in args:
        if isinstance(a, Tensor) and not a.spec.dtype.is_integer:
            raise TypeError(f"range() takes integers, got a tensor {a.spec}")
    if not 1 <= len(args) <= 3:
        raise TypeError(f"range expected 1 to 3 arguments, got {len(args)}")
    values: list[Any] = [as_sym_number(a, int) if isinstance(a, Tensor) else a for a in args]
    start, stop, step = [0, values[0], 1] if len(values) == 1 else [*values, 1][:3]
    if isinstance(step, Tensor):
        check(step != 0, ValueError("range() arg 3 must not be zero"))
        up = as_sym_number(F.greater_than(step, 0), int) * 2 - 1
        towards, size = (stop - start) * up, step * up
    elif int(step) == 0:
        raise ValueError("range() arg 3 must not be zero")
    else:
        towards, size = (stop - start, step) if int(step) > 0 else (start - stop, -step)
    length = towards if isinstance(size, int) and size == 1 else (towards + (size - 1)) // size
    simple = isinstance(start, int) and start == 0 and isinstance(step, int) and step == 1
    return IndexedIterable(length, (lambda i: i) if simple else (lambda i: start + i * step))
