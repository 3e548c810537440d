"""``quantize``: a saved model whose weights take fewer bytes."""

from __future__ import annotations

import argparse

SUMMARY = "write a saved model with weights of 8 or 16 bits"

DESCRIPTION = """Read a saved model, whichever format it has, and write it as files of PaddlePaddle 2 whose weights are stored as
integers of 8 bits with a scale for each channel, or as float16 or bfloat16. Everything is computed in float32 as before.

Both models run on the same inputs: those of --input, and numbers that are drawn for the others (normal ones, for integers 0
and 1, of size 2 where a dimension is free). The change of an output is the largest difference of its numbers, as a part of its
largest magnitude. With a change above --max-error nothing is written."""

EPILOG = """examples:
  to_static quantize model/net --weights int8 --input x=x.npy     write model/net_int8.pdmodel and its parameters
  to_static quantize model/net --weights float16 -o small/net --max-error 0.001"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("model", metavar="MODEL", help="prefix of the files, the file of the model, or a folder")
    parser.add_argument(
        "--weights", metavar="DTYPE", required=True, choices=("int8", "float16", "bfloat16"), help="int8, float16 or bfloat16"
    )
    parser.add_argument("-o", "--output", metavar="PREFIX", help="prefix of the new files (default: MODEL_DTYPE)")
    parser.add_argument(
        "--max-error", metavar="E", type=_error, default=0.05, help="the largest change of an output, relative (default 0.05)"
    )
    parser.add_argument(
        "--input",
        metavar="[NAME=]FILE",
        action="append",
        default=[],
        help="a .npy file for the input NAME of the model, or a .npz file; can be repeated",
    )


def _error(text: str) -> float:
    value = float(text)
    if not value >= 0:
        raise argparse.ArgumentTypeError(f"{text} is no error: give a number from 0 on")
    return value


def run(args: argparse.Namespace) -> int:
    """Write the smaller model; see ``DESCRIPTION``."""
    from to_static.cli.smaller_model import write_smaller  # start-up time: it loads formats and passes

    return write_smaller(args.model, args.weights, args.output, args.max_error, args.input)
