"""Lists that a loop only appends to: a plan appends to one list of its own in place of copies. `Schedule` calls this module."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from to_static.compiler.runtime.schedule import LoopStep, Value

READS = frozenset(("list_get", "list_len", "list_stack", "list_concat"))  # ops that read a list and do not keep it


def grown_lists(loop: LoopStep, reads: dict[Any, list[int]], calls: dict[int, Any]) -> dict[Any, Any]:
    """Return new value -> loop variable, for the variables of ``loop`` that are lists which only grow.

    ``reads``: value -> the positions of its uses; ``calls``: position -> call. In the loop nothing may read the old list after the
    append, and neither the old nor the new list may have a second name.
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
