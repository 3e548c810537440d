"""Writes a model of Paddle 3: `PREFIX.json` with its `PREFIX.pdiparams`, and `.pdiparams.info`, which Paddle 3 does not read.

`.pdiparams.info` stores the names of parameters in their layer, which `model_reader` restores.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from to_static.compiler.formats.paddle.model_writer import ModelContent, info_of, write_contents
from to_static.compiler.formats.pir.program_writer import write_program
from to_static.compiler.ir.program import Program, Var

MODEL = ".json"


def write_models(
    programs: Mapping[str, Program],
    structured: Mapping[Var, str] | None = None,
    inference: bool = True,
    also_removed: Sequence[str] = (),
) -> list[str]:
    """Save Programs by prefix; all of their files appear together. See `format.Format.write`."""
    contents = {}
    for prefix, program in programs.items():
        written = write_program(program, prefix + MODEL, inference)
        text = json.dumps(written.content, separators=(",", ":"), sort_keys=True, allow_nan=False)
        contents[prefix] = ModelContent(text.encode(), written.arrays, info_of(program, written, structured))
    return write_contents(contents, MODEL, also_removed)
