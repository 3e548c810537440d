"""``predict`` of many rows: files of a data set, on an engine."""

from __future__ import annotations

import argparse
import glob
import os
import sys
import time

from to_static.cli.model import UnusableInput, prefix_of
from to_static.core.diagnostics.printable import printable

EVERY = 5.0  # seconds between two lines of progress


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments that a data set has."""
    group = parser.add_argument_group("many rows (extra `cluster`)")
    group.add_argument(
        "--engine", choices=("local", "ray", "dask"), help="what runs the workers (default local: processes)"
    )
    group.add_argument("--workers", type=int, metavar="N", help="processes that run the model (default 1)")
    group.add_argument("--batch", type=int, metavar="ROWS", help="rows that run together (default 64)")
    group.add_argument("--resume", action="store_true", help="go on where the same job was ended")
    group.add_argument(
        "--column",
        metavar="INPUT=COLUMN[,COLUMN ...]",
        action="append",
        default=[],
        help="the columns of an input (default: the column of its name); can be repeated",
    )
    group.add_argument(
        "--key",
        metavar="COLUMN",
        action="append",
        help="a column that is handed on (default: those that are no inputs)",
    )
    group.add_argument("--mean", type=_float_list, metavar="R,G,B", default=(), help="of images that are scaled to 0 to 1")
    group.add_argument("--std", type=_float_list, metavar="R,G,B", default=(), help="of images that are scaled to 0 to 1")


def _float_list(text: str) -> tuple[float, ...]:
    return tuple(float(word) for word in text.split(","))


def asked_for(args: argparse.Namespace) -> bool:
    """Return whether the words mean a data set, and not one run on arrays."""
    options = (args.engine, args.workers, args.batch, args.resume, args.column, args.key, args.mean, args.std)
    return any(option not in (None, False, (), []) for option in options) or any(map(_is_data_set, args.input))


def _is_data_set(word: str) -> bool:
    suffix = os.path.splitext(word)[1].lower()
    is_pattern = not os.path.exists(word) and (glob.has_magic(word) or "|" in word)
    return is_pattern or suffix not in ("", ".npy", ".npz")


def run(args: argparse.Namespace) -> int:
    """Run the model over the data set."""
    from to_static.batch import predict

    if args.output is None:
        raise UnusableInput("say where the rows go: -o DIR")
    columns = {}
    for word in args.column:
        name, separator, listed = word.partition("=")
        if not separator or not name or not listed:
            raise UnusableInput(f"--column {printable(word)}: write INPUT=COLUMN, or INPUT=COLUMN,COLUMN")
        columns[name] = listed.split(",")
    last = time.monotonic()

    def progress(done: int, parts: int, rows: int) -> None:
        nonlocal last
        if time.monotonic() - last >= EVERY or done == parts:
            last = time.monotonic()
            print(f"to_static predict: {done} of {parts} parts, {rows:,} rows", file=sys.stderr, flush=True)

    try:
        report = predict(
            prefix_of(args.model), args.input, args.output, args.engine or "local", args.workers or 1, args.batch or 64,
            args.resume, columns, args.key, args.mean, args.std, args.device, progress,
        )  # fmt: skip
    except ImportError as error:
        raise UnusableInput(str(error)) from None
    resumed = f", {report.parts_before} parts were there" if report.parts_before else ""
    print(f"{report.rows:,} rows in {report.parts} parts -> {printable(args.output)}, {report.seconds:.1f} s{resumed}")
    return 0
