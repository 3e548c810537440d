"""``upgrade``: a saved model in the files of another format."""

from __future__ import annotations

import argparse
import os

from to_static.cli.model import UnusableInput, prefix_of
from to_static.core.diagnostics.printable import printable, quoted

SUMMARY = "write a saved model in the files of another format"

DESCRIPTION = """Read a saved model, whichever format it has, and write it in another one: pdmodel (PaddlePaddle 2), json
(PaddlePaddle 3) and others that --help lists. The new model computes what the old one computes, its inputs, outputs and
parameters keep their names, and all of its methods are written. The old files stay as they are.

Old operators become the newer ones that compute the same: so `--to pdmodel` also renews models of PaddlePaddle 1. A model with
sequences of different lengths (LoD) keeps its operators; `--to pdmodel` puts its parameters into one file."""

EPILOG = """examples:
  to_static upgrade model/net --to pdmodel              write model/net_pdmodel.pdmodel and its parameters
  to_static upgrade model/net.json -o new/net --to pdmodel
  to_static upgrade model/net --to onnx --opset 13      write model/net_onnx.onnx
  to_static upgrade old_folder -o new/net --to pdmodel   a folder of PaddlePaddle 1, with __model__"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    from to_static.compiler.formats.hub import NAMES

    parser.add_argument("model", metavar="MODEL", help="prefix of the files, the file of the model, or a folder")
    parser.add_argument("-o", "--output", metavar="PREFIX", help="prefix of the new files (default: MODEL_FORMAT)")
    parser.add_argument("--to", metavar="FORMAT", required=True, choices=NAMES, help=f"one of {', '.join(NAMES)}")
    parser.add_argument("--opset", metavar="N", type=int, help="of ONNX, 11 to 23 (default: 17, or the first that does)")


def run(args: argparse.Namespace) -> int:
    """Convert; see ``DESCRIPTION``."""
    from to_static.compiler.formats.hub import (
        copy_models,
        files_of,
        format_named,
        read_methods,
        saved_methods,
        write_models,
    )
    from to_static.compiler.formats.hub import prefix_of as stem_of
    from to_static.compiler.ops.sequence.offsets import has_sequences
    from to_static.compiler.passes.pipeline import EXPORT, optimize
    from to_static.compiler.saved.save import frozen

    form = format_named(args.to)
    if args.opset is not None:
        try:
            form = form.with_options(opset=args.opset)
        except ValueError as error:
            raise UnusableInput(f"--opset: {error}") from None
    source = prefix_of(args.model)
    old = {file for path in saved_methods(source).values() for file in files_of(path)}
    stem = stem_of(source).rstrip(os.sep) if args.output is None else args.output
    prefix = f"{stem}_{args.to}" if args.output is None else stem_of(stem)
    if not os.path.basename(prefix):
        raise UnusableInput(f"-o {quoted(args.output)}: give a prefix such as new/net, not a folder")
    if any(os.path.realpath(path).startswith(os.path.realpath(prefix) + ".") for path in old):
        raise UnusableInput(f"the files of {printable(source)} would be replaced: choose another prefix with -o")
    models = read_methods(source)
    prefixes = {method: prefix if method == "forward" else f"{prefix}.{method}" for method in models}
    programs = {}
    for method, model in models.items():
        program = frozen(model.program()) if form.frozen else optimize(model.program(), EXPORT)
        programs[prefixes[method]] = program
    os.makedirs(os.path.dirname(prefix) or os.curdir, exist_ok=True)
    if args.to == "pdmodel" and any(map(has_sequences, programs.values())):
        written = copy_models({prefixes[method]: model for method, model in models.items()}, form)
    else:
        written = write_models(programs, form)
    for path in written:
        print(printable(path))
    return 0
