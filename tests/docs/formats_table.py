"""The table of docs/formats.md: operators by their names in files of PaddlePaddle 3 and 2."""

from __future__ import annotations

import to_static.compiler.ops  # noqa: F401  (the tables know where the operators are)
from to_static.compiler.formats.paddle.operators.op_resolver import is_known
from to_static.compiler.formats.pir.op_readers import READERS
from to_static.compiler.formats.pir.op_table import Row, names, row
from to_static.compiler.formats.pir.op_writers import WRITERS

_ONLY_HERE = {"round"}  # what an attribute says is computed by a reader of its own


def table() -> str:
    """A row for each operation."""
    lines = ["| `.json` | `.pdmodel` | limits in `.json` |", "|---|---|---|"]
    for name in names():
        entry = row(name)
        assert entry is not None
        known = is_known(entry.op_type) or entry.op_type in WRITERS
        if known or name in READERS:
            lines.append(f"| {name} | {entry.op_type if known else 'others, or none'} | {_limits(entry)} |")
    return "\n".join(lines) + "\n"


def _limits(entry: Row) -> str:
    if entry.name in _ONLY_HERE:
        return ""
    fixed = [attribute for attribute in entry.attributes if attribute.attr is None and attribute.type != "place"]
    return ", ".join(f"`{attribute.name}` is {attribute.default!r}" for attribute in fixed)
