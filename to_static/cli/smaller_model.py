"""A saved model with weights of fewer bytes: what ``to_static quantize`` runs."""

from __future__ import annotations

import io
import math
import os
import statistics
import time
from typing import Any

import numpy as np

from to_static.cli.inputs import fitting, input_arrays, names_text
from to_static.cli.model import UnusableInput, prefix_of
from to_static.compiler.formats.hub import files_of, read_methods, saved_methods
from to_static.compiler.formats.hub import prefix_of as stem_of
from to_static.compiler.formats.paddle.editing import FileProgram
from to_static.compiler.formats.paddle.model_writer import info_of, write_files
from to_static.compiler.formats.paddle.programs.program_writer import WrittenProgram, write_program
from to_static.compiler.formats.paddle.weights.params_writer import put_params
from to_static.compiler.formats.paddle.weights.small_weights import shrink_weights
from to_static.compiler.passes.pipeline import EXPORT, optimize
from to_static.core.diagnostics.printable import printable, quoted
from to_static.core.errors import ToStaticError
from to_static.inference import Config, create_predictor

REPEATS = 7  # runs of each model, in turn


def write_smaller(model: str, dtype: str, output: str | None, max_error: float, input_files: list[str]) -> int:
    """Write the smaller model, and print what changed; the arguments are those of `cli.quantize`.

    Raises UnusableInput where nothing can be written, or an output changes more than ``max_error``.
    """
    source = prefix_of(model)
    old = {file for path in saved_methods(source).values() for file in files_of(path)}
    stem = stem_of(source).rstrip(os.sep) if output is None else output
    prefix = f"{stem}_{dtype}" if output is None else stem_of(stem)
    if not os.path.basename(prefix):
        raise UnusableInput(f"-o {quoted(output)}: give a prefix such as small/net, not a folder")
    if any(os.path.realpath(path).startswith(os.path.realpath(prefix) + ".") for path in old):
        raise UnusableInput(f"the files of {printable(source)} would be replaced: choose another prefix with -o")
    files: dict[str, WrittenProgram] = {}
    infos: dict[str, dict[str, dict[str, Any]]] = {}
    lines: list[str] = []
    for method, saved in read_methods(source).items():
        program = optimize(saved.program(), EXPORT)
        path = prefix if method == "forward" else f"{prefix}.{method}"
        full = write_program(program, path)
        reduced, shrunk = _shrunk(full, dtype)
        if not shrunk:
            lines.append(f"{printable(method)}: no weights to store as {dtype}")
        info = info_of(program, full, None)
        infos[path] = {name: info.get(name, {"stop_gradient": True}) for name in reduced.arrays} if info else {}
        files[path] = reduced
        lines += _compared(method, full, reduced, max_error, input_files) if shrunk else []
    if not any(" change of " in line for line in lines):
        raise UnusableInput(f"{printable(source)} has no weights to store as {dtype}: float32, two dimensions, 256 numbers")
    for entries in list(infos.values())[1:]:  # Paddle looks in the first for all methods
        infos[prefix] = {**entries, **infos[prefix]} if prefix in infos else entries
    written = write_files(files, infos)
    sizes = [sum(os.path.getsize(path) for path in paths) for paths in (old, written)]
    print("\n".join([*lines, f"size {sizes[0]:,} -> {sizes[1]:,} bytes ({sizes[1] / sizes[0]:.0%})", *map(printable, written)]))
    return 0


def _shrunk(written: WrittenProgram, dtype: str) -> tuple[WrittenProgram, list[str]]:
    """Return a copy of a written Program that stores weights as ``dtype``, and the names of these weights."""
    form = FileProgram.of_bytes(written.data(), "<model>", written.arrays)
    shrunk = shrink_weights(form, dtype)
    arrays = {var.name: form.arrays[var.name] for var in form.persistables()}
    return WrittenProgram(form.message(), arrays, written.feeds, {}), shrunk


def _compared(
    method: str, full: WrittenProgram, reduced: WrittenProgram, max_error: float, input_files: list[str]
) -> list[str]:
    """Lines that tell the change and the time of a method. Raises UnusableInput for a change that is too large."""
    predictors = [_predictor(written) for written in (full, reduced)]
    inputs = predictors[0].get_input_names()
    arrays = input_arrays(input_files, inputs) if method == "forward" else {}
    rng = np.random.default_rng(0)
    for predictor in predictors:
        for name in inputs:
            handle = predictor.get_input_handle(name)
            if name not in arrays:
                arrays[name] = _drawn(rng, handle._spec)
            arrays[name] = fitting(arrays[name], handle._spec.dtype, name, "quantize")
            handle.copy_from_cpu(arrays[name])
    times: list[list[float]] = [[], []]
    try:
        for _ in range(REPEATS):
            for predictor, seconds in zip(predictors, times, strict=True):
                start = time.perf_counter()
                predictor.run()
                seconds.append(time.perf_counter() - start)
    except (ToStaticError, ValueError, IndexError) as error:
        raise UnusableInput(f"{method} can't run on these inputs: {error}; give --input for {names_text(inputs)}") from error
    lines = []
    for name, reduced_name in zip(predictors[0].get_output_names(), predictors[1].get_output_names(), strict=True):
        outputs = predictors[0].get_output_handle(name).copy_to_cpu(), predictors[1].get_output_handle(reduced_name).copy_to_cpu()
        change = relative_change(*outputs)
        lines.append(f"{printable(method)}: change of {printable(name)} {change:.3g}")
        if not change <= max_error:
            raise UnusableInput(f"{lines[-1]}, more than --max-error {max_error:g}; nothing is written")
    old, new = (statistics.median(seconds[1:]) * 1e3 for seconds in times)
    return [*lines, f"{printable(method)}: time {old:.3g} -> {new:.3g} ms"]


def relative_change(exact: np.ndarray, approximate: np.ndarray) -> float:
    """The largest difference as a part of the largest magnitude; infinite for other shapes and new numbers that are not finite."""
    if exact.shape != approximate.shape:
        return math.inf
    if not exact.size:
        return 0.0
    if exact.dtype.kind not in "fc":
        return float(np.mean(exact != approximate))  # the part of numbers that differ
    finite = np.isfinite(exact)
    if not np.array_equal(exact[~finite], approximate[~finite], equal_nan=True) or not np.isfinite(approximate[finite]).all():
        return math.inf
    largest = np.abs(exact[finite]).max(initial=0)
    difference = np.abs(approximate[finite].astype(np.result_type(approximate, np.float64)) - exact[finite]).max(initial=0)
    return float(difference / largest) if largest else (math.inf if difference else 0.0)


def _drawn(rng: np.random.Generator, spec: Any) -> np.ndarray:
    shape = [2 if size < 0 else size for size in spec.shape]
    if spec.dtype.np.kind in "fc":
        return rng.standard_normal(shape).astype(spec.dtype.np)
    return rng.integers(0, 2, shape).astype(spec.dtype.np)


def _predictor(written: WrittenProgram) -> Any:
    model, params = written.data(), io.BytesIO()
    put_params(params, written.arrays.values())
    config = Config()
    config.set_model_buffer(model, len(model), params.getvalue(), len(params.getvalue()))
    return create_predictor(config)
