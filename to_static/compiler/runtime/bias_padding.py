"""Bias padding: loop-carried vectors with a trailing 1, which a linear layer whose bias is a row of its weight reads in place.

Without it, `packed_rows` copies its row to a buffer that ends in 1 in every iteration. `Schedule` calls this module.
"""

from __future__ import annotations

from typing import Any


def rows_with_tails(loops: list[Any], calls: list[Any], same: str) -> dict[Any, Any]:
    """Return carried value -> allocation for the loop-carried vectors that get a trailing 1, because a linear layer reads them.

    ``same``: the storage of an allocation that each iteration overwrites. The calls of these layers lose their ``prepared`` form,
    whose buffer they do not need.
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
