"""Writes a saved model of Paddle 2: `PREFIX.pdmodel` with its `PREFIX.pdiparams` and `PREFIX.pdiparams.info`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any, NamedTuple

from to_static.compiler.formats.atomic_write import writing_all
from to_static.compiler.formats.paddle.messages import schema
from to_static.compiler.formats.paddle.model_reader import INFO, MODEL, PARAMS, SavedModel
from to_static.compiler.formats.paddle.pickles.pickling import pickled
from to_static.compiler.formats.paddle.programs.program_writer import WrittenProgram, write_program
from to_static.compiler.formats.paddle.weights.params_writer import put_params
from to_static.compiler.ir.program import Program, Var
from to_static.compiler.ir.var_kinds import PARAM

_CONSTANT = {"stop_gradient": True}  # what `.info` says of a variable that has no structured name


def write_model(
    prefix: str | os.PathLike[str], program: Program, structured: Mapping[Var, str] | None = None, inference: bool = True
) -> list[str]:
    """Save a Program in the files that Paddle 2.6 reads; returns the paths written. ``inference``: see `write_program`.

    A Program without parameters gets no `.pdiparams`. ``structured`` names parameters as the layer's state dict does (by
    default their holders' ``structured_name``); where there are such names, `.info` is written. Old files of the same prefix
    that the new model does not have are removed. Files appear together (see `writing_all`). Raises FormatError for what
    Paddle's files can't hold, OSError.
    """
    return write_models({os.fspath(prefix): program}, structured, inference)


def write_models(
    programs: Mapping[str, Program],
    structured: Mapping[Var, str] | None = None,
    inference: bool = True,
    also_removed: Sequence[str] = (),
) -> list[str]:
    """Save Programs by prefix, as `write_model` does; all of their files appear together.

    The first is the model, the others are its further methods: the model's `.info` has the variables of all of them, where Paddle
    looks for those of every method. It looks for none where the model has no `.pdiparams`. ``also_removed``: files that go in
    the same step.
    """
    written = {prefix: write_program(program, prefix + MODEL, inference) for prefix, program in programs.items()}
    infos = {prefix: info_of(program, written[prefix], structured) for prefix, program in programs.items()}
    for model, *methods in [list(programs)] * (len(programs) > 1):
        constants = {name: dict(_CONSTANT) for prefix in programs for name in written[prefix].arrays}
        infos[model] = constants | {name: entry for prefix in (*methods, model) for name, entry in infos[prefix].items()}
    return write_files(written, infos, also_removed)


def copy_models(models: Mapping[str, SavedModel], also_removed: Sequence[str] = ()) -> list[str]:
    """Save models by prefix with the ProgramDesc of their files, and with all parameters in one file; see `write_models`."""
    written = {}
    for prefix, model in models.items():
        arrays = {name: model.arrays[name] for name in sorted(model.arrays)}
        desc = schema.new("ProgramDesc")
        desc.ParseFromString(model.data)
        written[prefix] = WrittenProgram(desc, arrays, [], {})
    return write_files(written, {prefix: model.info or {} for prefix, model in models.items()}, also_removed)


def write_files(
    written: Mapping[str, WrittenProgram], infos: Mapping[str, dict[str, dict[str, Any]]], also_removed: Sequence[str] = ()
) -> list[str]:
    """Save Programs in file form by prefix, with their entries for `.info`; see `write_models`. Returns the paths written."""
    contents = {prefix: ModelContent(one.data(), one.arrays, infos[prefix]) for prefix, one in written.items()}
    return write_contents(contents, MODEL, also_removed)


class ModelContent(NamedTuple):
    """The content of a model's files: the bytes of the Program, the parameters by name, and the entries of `.info`."""

    program: bytes
    arrays: Mapping[str, Any]
    info: dict[str, dict[str, Any]]


def write_contents(contents: Mapping[str, ModelContent], suffix: str, also_removed: Sequence[str] = ()) -> list[str]:
    """Save models by prefix, each with its Program in a file with ``suffix``; see `write_models`. Returns the paths written."""
    content: dict[str, Callable[[IO[bytes]], Any]] = {}
    stale = list(also_removed)
    for prefix, model in contents.items():
        files = _files(prefix, suffix, model)
        content.update(files)
        stale += [prefix + suffix for suffix in (PARAMS, INFO) if prefix + suffix not in files]
    with writing_all(list(content), stale) as opened_files:
        for write, file in zip(content.values(), opened_files, strict=True):
            write(file)
    return list(content)


def info_of(program: Program, written: Any, structured: Mapping[Var, str] | None) -> dict[str, dict[str, Any]]:
    """The entries of ``.info`` for the variables of a Program."""
    info = {}
    for var in program.params:
        name = (structured or {}).get(var) or getattr(var.holder, "structured_name", None)
        if name:
            entry: dict[str, Any] = {"structured_name": name, "stop_gradient": bool(var.stop_gradient)}
            if var.kind == PARAM or hasattr(var.holder, "trainable"):
                entry["trainable"] = var.kind == PARAM and bool(getattr(var.holder, "trainable", True))
            info[written.names[var]] = entry
    if info:  # Paddle's jit.load wants an entry for everything in .pdiparams then
        info.update({name: dict(_CONSTANT) for name in written.arrays if name not in info})
    return info


def _files(prefix: str, suffix: str, model: ModelContent) -> dict[str, Callable[[IO[bytes]], Any]]:
    """The writers of the files of a model, by path."""
    files: dict[str, Callable[[IO[bytes]], Any]] = {prefix + suffix: lambda file: file.write(model.program)}
    if model.arrays:
        files[prefix + PARAMS] = lambda file: put_params(file, model.arrays.values())
    if model.info:
        files[prefix + INFO] = lambda file: file.write(info_bytes(model.info))
    return files


def info_bytes(info: dict[str, dict[str, Any]]) -> bytes:
    """The bytes that `read_info` reads, in the order of the names."""
    return pickled({name: dict(info[name]) for name in sorted(info)}, protocol=2)
