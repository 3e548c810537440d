"""The tables of docs/onnx.md: which operators are written to ONNX, and which nodes are read."""

from __future__ import annotations

import textwrap

import to_static.compiler.formats.onnx.model_reader
import to_static.compiler.formats.onnx.model_writer
import to_static.compiler.ops  # noqa: F401
from to_static.compiler.formats.onnx.node_view import READERS
from to_static.compiler.formats.onnx.program_writer import COMPOSITIONS, WITHOUT, WRITERS
from to_static.compiler.ir.registry import REGISTRY

INTERNAL = ("packed_", "pack_", "row_")  # of plans and training steps


def table() -> str:
    """Operators with their form, and the nodes."""
    rows = ["| operator | `.pdmodel` | ONNX |", "|---|---|---|"]
    for name, opdef in sorted(REGISTRY.items()):
        if "_grad" in name or name.startswith(INTERNAL):
            continue
        refused = f"no: {WITHOUT[name]}" if name in WITHOUT else "no"
        form = "nodes" if name in WRITERS else "composition" if name in COMPOSITIONS or opdef.composition_rule else refused
        file = f"`{opdef.file}`" if opdef.file else "written as others" if opdef.to_file_hook or opdef.composition_rule else "no"
        rows.append(f"| `{name}` | {file} | {form} |")
    nodes = textwrap.fill(", ".join(f"`{kind}`" for kind in sorted(READERS)), 130)
    return "\n".join([*rows, "", f"Nodes that are read ({len(READERS)}):", "", nodes, ""])
