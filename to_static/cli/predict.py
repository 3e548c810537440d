"""``predict``: run a saved model on arrays in files."""

from __future__ import annotations

import argparse
import os
import re

import numpy as np

from to_static.cli import predict_many
from to_static.cli.inputs import fitting, input_arrays, names_text
from to_static.cli.model import UnusableInput, method_of, prefix_of
from to_static.core.diagnostics.printable import printable

SUMMARY = "run a saved model on arrays, or on all rows of a data set"

DESCRIPTION = """Load a saved model, run it once, and print its outputs or write them to files.

Inputs are NumPy files. `to_static inspect MODEL` tells their names and shapes. Numbers of the same kind but another
precision (float64 for float32, say) are converted, which is said on standard error.

Of a data set (.parquet, .csv, .npy with patterns, images) every row is predicted: columns go to the inputs of their names, and
the outputs become Parquet files in DIR, with where each row comes from. This needs the extra `cluster`."""

EPILOG = """examples:
  to_static predict model/net --input x=x.npy                     print the outputs
  to_static predict model/net --input a=a.npy --input b=b.npy     a model with two inputs
  to_static predict model/net --input batch.npz                   an archive that holds arrays by name
  python numbers.py | to_static predict model/net --input -       read a .npy or .npz file from a pipe
  to_static predict model/net --input x=x.npy -o results          write results/OUTPUT.npy for every output
  to_static predict model/net --input 'data/*.parquet' -o out --workers 4 --batch 256
  to_static predict model/net --input 'data/*.parquet' -o out --engine ray --workers 8 --resume
  to_static predict model/net --input iris.csv --column x=a,b,c,d --key id -o out
  to_static predict model/net --input 'photos/**/*.jpg' --mean .485,.456,.406 --std .229,.224,.225 -o out"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("model", metavar="MODEL", help="prefix of the files, or the file of the model")
    parser.add_argument(
        "--input",
        metavar="[NAME=]FILE",
        action="append",
        default=[],
        help="a .npy file for the input NAME (which a model with one input does not need), or a .npz file; - is the standard "
        "input; or files of a data set, or a pattern in quotes; can be repeated",
    )
    parser.add_argument(
        "-o", "--output", metavar="DIR", help="write outputs into this folder instead of printing them"
    )
    parser.add_argument("--method", metavar="NAME", default="forward", help="the saved method to run (default forward)")
    parser.add_argument("--device", default="cpu", help="where to run: cpu (default) or gpu:0")
    predict_many.arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Run the model; see ``DESCRIPTION``."""
    if predict_many.asked_for(args):
        return predict_many.run(args)
    from to_static.compiler.eager.tensor import EagerTensor
    from to_static.compiler.formats.hub import saved_methods
    from to_static.inference.load_predictor import predictor_on

    prefix = prefix_of(args.model)
    predictor = predictor_on(method_of(saved_methods(prefix), args.method, prefix), args.device)
    inputs = predictor.get_input_names()
    arrays = input_arrays(args.input, inputs)
    missing = [name for name in inputs if name not in arrays]
    if missing:
        raise UnusableInput(f"no --input is given for {names_text(missing)}; the model's inputs are {names_text(inputs)}")
    for name in inputs:
        handle = predictor.get_input_handle(name)
        handle.copy_from_cpu(fitting(arrays[name], handle._spec.dtype, name, "predict"))
    predictor.run()
    names = predictor.get_output_names()
    results = [predictor.get_output_handle(name).copy_to_cpu() for name in names]
    if args.output is None:
        for name, array in zip(names, results, strict=True):
            print(f"{printable(name)} =\n{EagerTensor(array)}")
    else:
        _write(args.output, names, results)
    return 0


def _write(directory: str, names: list[str], arrays: list[np.ndarray]) -> None:
    from to_static.compiler.formats.atomic_write import writing

    os.makedirs(directory, exist_ok=True)
    written_stems: set[str] = set()
    for name, array in zip(names, arrays, strict=True):
        stem = re.sub(r"[^\w.-]+", "_", name).strip(".") or "output"
        while stem in written_stems:
            stem += "_"
        written_stems.add(stem)
        path = os.path.join(directory, f"{stem}.npy")
        with writing(path) as file:
            np.save(file, array, allow_pickle=False)
        print(f"{printable(name)} {array.dtype}{list(array.shape)} -> {printable(path)}")
