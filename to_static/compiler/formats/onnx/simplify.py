"""`simplify`: nodes that runtimes and simplifiers would put together are one in the file."""

from __future__ import annotations

from to_static.compiler.formats.onnx.program_writer import ProgramWriter


def simplify(writer: ProgramWriter) -> None:
    """Put nodes of the graph together."""
