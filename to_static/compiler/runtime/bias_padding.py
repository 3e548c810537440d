"""Loop-carried vectors with a trailing 1: a linear layer whose bias is a row of its weight reads them in place.

Otherwise `packed_rows` copies its row to a buffer that ends in 1, in every iteration.
"""

from __future__ import annotations

from typing import Any


def rows_with_tails(loops: list[Any], calls: list[Any], same: str) -> dict[Any, Any]:
    """Allocations of loop-carried vectors that a linear layer reads, by the carried values: they get a trailing 1 for the bias.

    These calls lose how they run with memory of their own.
    """
    rows = {
        carried: result.allocation
        for loop in loops
        for carried, result in zip(loop.carried, loop.results, strict=True)
        if result.allocation is not None and result.allocation.storage == same
    }
    padded = {}
    for call in calls:
        if call.op.name != "packed_rows" or call.prepared is None or list(call.op.attrs["activations"]) != [""]:
            continue
        root = rows.get(call.inputs[0])
        if root is not None and root is not call.outputs[0].allocation:  # a product can't be written over its row
            padded[call.inputs[0]] = root
            call.prepared = None
    return padded
