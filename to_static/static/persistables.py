"""``distributed.io``: the values that a Program keeps, in a folder of files or in one; and saved models from folders."""

from __future__ import annotations

import os
from typing import Any

from to_static.compiler.formats.hub import OLD_MODEL, open_model
from to_static.compiler.formats.paddle.weights.params_reader import read_folder, read_params
from to_static.compiler.formats.paddle.weights.params_writer import write_folder, write_params
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ops.sequence.offsets import inputs_of
from to_static.static.program import Program, default_main_program


def save_persistables(executor: Any, dirname: str, main_program: Program | None = None, filename: str | None = None) -> None:
    """Write parameters and other state of a Program to the folder ``dirname``: a file for each, or all in ``filename``.

    Raises FormatError for a name that points out of the folder, where each has a file.
    """
    os.makedirs(dirname, exist_ok=True)
    state = (main_program or default_main_program()).state_dict()
    arrays = {name: state[name].numpy() for name in sorted(state)}
    if filename is not None:
        write_params(os.path.join(dirname, filename), list(arrays.values()))
        return
    write_folder(dirname, arrays)


def load_persistables(executor: Any, dirname: str, main_program: Program | None = None, filename: str | None = None) -> None:
    """Take what `save_persistables` wrote. Raises FileNotFoundError, FormatError for a damaged file."""
    program = main_program or default_main_program()
    names = sorted(program.state_dict())
    program.set_state_dict(
        read_folder(dirname, names) if filename is None else read_params(os.path.join(dirname, filename), names)
    )


def load_inference_model_distributed(
    dirname: str,
    executor: Any,
    model_filename: str | None = None,
    params_filename: str | None = None,
    pserver_endpoints: Any = None,
) -> list[Any]:
    """``[program, feed names, fetch targets]`` of a model in the folder ``dirname`` (see `static.load_inference_model`).

    ``model_filename``: by default ``__model__``. ``params_filename``: the file of all parameters; None: each has a file of its own.
    """
    model = os.path.join(dirname, model_filename or OLD_MODEL)
    params = dirname if params_filename is None else os.path.join(dirname, params_filename)
    program = Program(open_model(model, params).program())
    results = [Variable(v, program.builder) for v in program.outputs]
    return [program, [v.name for v in inputs_of(program.builder.program)], results]
