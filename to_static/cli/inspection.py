"""``inspect``: what is in a saved model."""

from __future__ import annotations

import argparse
import math
import os
from typing import Any

from to_static.cli.model import method_of, prefix_of
from to_static.core.diagnostics.printable import printable

SUMMARY = "show inputs, outputs, parameters and operations of a saved model"

DESCRIPTION = """Read a saved model and print its inputs and outputs with their shapes (? is a size that is known only when the
model runs), how many parameters it has and how large they are, and its program: one operation per line, in order."""

EPILOG = """examples:
  to_static inspect model/net                  model/net.pdmodel and model/net.pdiparams
  to_static inspect model/net.pdmodel          the same
  to_static inspect model/net --params         also list every parameter
  to_static inspect model/net --no-program     the summary only"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("model", metavar="MODEL", help="prefix of the files, or the file of the model")
    parser.add_argument(
        "--method", metavar="NAME", default="forward", help="the saved method to show (default forward)"
    )
    parser.add_argument("--params", action="store_true", help="list every parameter")
    parser.add_argument("--no-program", action="store_true", help="leave out the program")


def run(args: argparse.Namespace) -> int:
    """Print; see ``DESCRIPTION``."""
    from to_static.compiler.formats.hub import files_of, open_model, saved_methods

    prefix = prefix_of(args.model)
    methods = saved_methods(prefix)
    file = method_of(methods, args.method, prefix)
    program = open_model(file).program()
    if len(methods) > 1:
        print(_rows("methods", [(name, path) for name, path in methods.items()]))
    print(_rows("files", [(path, human(os.path.getsize(path))) for path in files_of(file)]))
    print(_rows("inputs", [(var.name, _spec_text(var.spec)) for var in program.feeds]))
    print(
        _rows(
            "outputs",
            [(name, _spec_text(var.spec)) for name, var in zip(output_names(program), program.outputs, strict=True)],
        )
    )
    print(_parameters(program, args.params))
    print(f"operations  {_operations(program)}")
    if not args.no_program:
        print(f"\n{program}")
    return 0


def output_names(program: Any) -> list[str]:
    """A name for every output: the file's, or ``output_0`` and so on where it has none."""
    if program.output_names is not None:
        return list(program.output_names)
    return [var.name or f"output_{i}" for i, var in enumerate(program.outputs)]


def human(size: int) -> str:
    """A number of bytes for people: '1.5 MB'."""
    value = float(size)
    for unit in ("B", "kB", "MB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit == "B" or value >= 100 else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"


def _spec_text(spec: Any) -> str:
    return f"{spec.dtype.name}[{', '.join('?' if size < 0 else str(size) for size in spec.shape)}]"


def _rows(title: str, rows: list[tuple[Any, ...]]) -> str:
    if not rows:
        return f"{title:<11} none"
    cells = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]
    return "\n".join(f"{title if i == 0 else '':<11} {line}" for i, line in enumerate(lines))


def _parameters(program: Any, listed: bool) -> str:
    params = program.params
    elements = sum(math.prod(var.shape) for var in params)
    size = sum(var.holder._array.nbytes for var in params)
    text = f"parameters  {elements:,} numbers in {len(params)} tensors, {human(size)}"
    if not listed or not params:
        return text
    rows = []
    for var in params:
        array = var.holder._array
        rows.append((var.name, var.holder.structured_name or "", _spec_text(var.spec), human(array.nbytes), _role(var)))
    return text + "\n" + _rows("", rows)


def _role(var: Any) -> str:
    if var.kind != "param":
        return var.kind
    return "frozen" if var.holder.stop_gradient else "trainable"


def _operations(program: Any) -> str:
    counts: dict[str, int] = {}
    blocks = [program.block]
    while blocks:
        for op in blocks.pop().ops:
            counts[op.opdef.name] = counts.get(op.opdef.name, 0) + 1
            blocks.extend(op.blocks)
    listed = ", ".join(
        f"{count} {name}" for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    )
    return f"{sum(counts.values())}: {listed}" if counts else "none"
