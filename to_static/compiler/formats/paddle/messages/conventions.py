"""Names and values that Paddle's files use by convention."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

OUTPUT_SCALE = "save_infer_model/scale_"  # scale(1) ops that Paddle puts before each output
UNASSIGNED = 1.7711300426541744e27  # what Paddle stores in a variable that Python has not assigned yet
_GENERATED = re.compile(r"save_infer_model/scale_\d+|(?:.*[._])?tmp_\d+|fetch_name_\d+|fetch_\d+|output_\d+")


def own_names(names: Sequence[str | None] | None) -> list[str] | None:
    """The names of outputs, where the user has given all of them; None where any is missing or one that frameworks make up."""
    chosen = [name for name in names or () if name and name.isprintable() and not _GENERATED.match(name)]
    return chosen if names and len(set(chosen)) == len(names) else None


def names_apart(names: Sequence[str | None], inputs: Collection[str | None]) -> list[str | None]:
    """The names of outputs, where an output that is called like an input has another name: Paddle 3 refuses equal ones."""
    used_names = {*names, *inputs}
    apart: list[str | None] = []
    for name in names:
        if name is not None and name in inputs:
            candidates = (f"{name}_out", *(f"{name}_out_{i}" for i in range(len(used_names))))
            name = next(candidate for candidate in candidates if candidate not in used_names)
            used_names.add(name)
        apart.append(name)
    return apart
