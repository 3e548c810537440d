"""Lists that a loop grows at the end: a plan appends to one list of its own instead of copying the list every time round."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from to_static.compiler.runtime.schedule import LoopStep, Value

READS = frozenset(("list_get", "list_len", "list_stack", "list_concat"))  # ops that look at a list and keep nothing of it


def grown_lists(loop: LoopStep, reads: dict[Any, list[int]], calls: dict[int, Any]) -> dict[Any, Any]:
    """New value -> loop variable, for the variables of ``loop`` that are lists which only grow.

    ``reads`` are the positions at which a value is used, ``calls`` the calls by position. The old list must not be looked at
    after the append, and neither it nor the new one may be known under a second name inside the loop.
    """
    grown = {}
    appends = {call.outputs[0]: call for call in loop.body if getattr(call, "op", None) and call.op.name == "list_append"}
    times = Counter(loop.results)
    for carried, result in zip(loop.carried, loop.results, strict=True):
        call = appends.get(result)
        if call is None or call.inputs[0] is not carried or times[result] > 1 or carried in times:
            continue

        inside = [(v, p) for v in (carried, result) for p in reads.get(v, ()) if loop.start < p < loop.end]
        if all(_harmless(v, calls.get(p), call, carried) for v, p in inside):
            grown[result] = carried
    return grown


def _harmless(value: Value, reader: Any, append: Any, carried: Any) -> bool:
    if reader is append:
        return append.inputs[1] is not value
    reads = reader is not None and reader.op.name in READS
    return reads and (value is not carried or reader.position < append.position)
