"""Selects one of several items by an index that is known only in a run."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.frontend.jst.control.branch import if_
from to_static.compiler.frontend.jst.control.logic import and_
from to_static.compiler.frontend.jst.control.raising import check
from to_static.compiler.frontend.jst.tracer_queries import DTYPES, as_index, constant, is_number, is_tensor, python_type
from to_static.compiler.frontend.jst.values.container import freeze_memory
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.trace_context import current
from to_static.compiler.ir import mode
from to_static.compiler.ir.symbolic.sym_number import SymNumber, as_sym_number
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ops import functions as F
from to_static.core.diagnostics.source_expressions import in_expression

LIMIT = 64  # items that a tensor may choose from one by one


def picked(items: list[Any], index: object, container_name: str = "list") -> Any:
    """Return the item at a traced index: numbers come from a table, other items from conditions."""
    position = as_index(index)
    if not items:
        raise IndexError(f"{container_name} index out of range")
    check(and_(position >= -len(items), lambda: position < len(items)), IndexError(f"{container_name} index out of range"))
    position = if_(position < 0, lambda: position + len(items), lambda: position)
    number_types = {python_type(x) for x in items if is_number(x)}
    if len(number_types) == 1 and all(map(is_number, items)):
        (one,) = number_types
        return as_sym_number(mode.current().constant(np.asarray(items, DTYPES[one].np))[position])
    alike = all(map(is_tensor, items)) and len({(x.spec.dtype, x.spec.shape) for x in items}) == 1
    if alike and -1 not in items[0].spec.shape:
        item_at = F.list_get(F.list_new(items), _int(position))
        current().effects.mark_ambiguous_while(item_at, *items)
        for item in items:
            freeze_memory(item, item_at)
        return item_at
    if len(items) > LIMIT:
        raise broken(
            f"a tensor chooses one of {len(items)} items{in_expression()}, at most {LIMIT} are allowed",
            "a tensor of them: `paddle.stack(items)[i]`",
        )

    def from_place(i: int) -> Any:
        if i == len(items) - 1:
            return items[i]
        return if_(position == i, lambda: items[i], lambda: from_place(i + 1))

    return from_place(0)


def _int(position: int | SymNumber) -> Any:
    return Variable(position.ssa, position.builder) if isinstance(position, SymNumber) else constant(position, DTYPES[int])
