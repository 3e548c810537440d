"""Writes a model of Paddle 3: `PREFIX.json` with its `PREFIX.pdiparams`, and `.pdiparams.info`, which Paddle 3 does not read.

`.pdiparams.info` stores the names of parameters in their layer, which `model_reader` restores.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any

from to_static.compiler.formats.atomic_write import writing_all
from to_static.compiler.formats.paddle.model_writer import info_bytes, info_of
from to_static.compiler.formats.paddle.weights.params_writer import put_params
from to_static.compiler.formats.pir.program_writer import WrittenDocument, write_program
from to_static.compiler.ir.program import Program, Var

MODEL, PARAMS, INFO = ".json", ".pdiparams", ".pdiparams.info"


def write_models(
    programs: Mapping[str, Program],
    structured: Mapping[Var, str] | None = None,
    inference: bool = True,
    also_removed: Sequence[str] = (),
) -> list[str]:
    """Save Programs by prefix; all of their files appear together. See `format.Format.write`."""
    content: dict[str, Callable[[IO[bytes]], Any]] = {}
    stale = list(also_removed)
    for prefix, program in programs.items():
        written = write_program(program, prefix + MODEL, inference)
        files = _files(prefix, written, info_of(program, written, structured))
        content.update(files)
        stale += [prefix + suffix for suffix in (PARAMS, INFO) if prefix + suffix not in files]
    with writing_all(list(content), stale) as opened_files:
        for write, file in zip(content.values(), opened_files, strict=True):
            write(file)
    return list(content)


def _files(prefix: str, written: WrittenDocument, info: dict[str, dict[str, Any]]) -> dict[str, Callable[[IO[bytes]], Any]]:
    """Return what writes each file of a model, by path."""
    text = json.dumps(written.content, separators=(",", ":"), sort_keys=True, allow_nan=False).encode()
    files: dict[str, Callable[[IO[bytes]], Any]] = {prefix + MODEL: lambda file: file.write(text)}
    if written.arrays:
        files[prefix + PARAMS] = lambda file: put_params(file, written.arrays.values())
    if info:
        files[prefix + INFO] = lambda file: file.write(info_bytes(info))
    return files
