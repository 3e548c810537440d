"""Reads a saved model of Paddle 2: `PREFIX.pdmodel` with its `PREFIX.pdiparams` and `PREFIX.pdiparams.info`."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping, Sequence
from typing import IO, Any

from to_static.compiler.formats.paddle.programs.program_reader import parse_program, persistable_vars, read_program
from to_static.compiler.formats.paddle.weights.info import read_info
from to_static.compiler.formats.paddle.weights.params_reader import read_folder, read_params
from to_static.compiler.formats.regular_files import read_all
from to_static.compiler.formats.snapshot import opened
from to_static.compiler.formats.stored_model import StoredModel
from to_static.compiler.formats.unsupported_formats import missing_model
from to_static.compiler.ir.program import Program
from to_static.core.errors import FormatError

MAX_MODEL = (1 << 31) - 1  # bytes: protobuf writes no larger messages
MODEL, PARAMS, INFO = ".pdmodel", ".pdiparams", ".pdiparams.info"


class SavedModel(StoredModel):
    """A `.pdmodel` file, read and checked, from which Programs are made: for the shapes in the file, or for others.

    ``data`` are its bytes, ``arrays`` the values of its variables, ``info`` what `.info` says of them, None without such a file.
    Arguments and errors are those of `read_model`; ``files`` are the files by path, where they are open already; the argument
    ``arrays`` has arrays by name, which the model uses in place of equal ones of the file.
    """

    def __init__(
        self,
        model: str | os.PathLike[str],
        params: str | os.PathLike[str] | None = None,
        info: str | os.PathLike[str] | None = None,
        files: Mapping[str, IO[bytes]] | None = None,
        arrays: Mapping[str, Any] | None = None,
    ) -> None:
        self.path = os.fspath(model)
        prefix = self.path.removesuffix(MODEL)
        beside = prefix + PARAMS if params is None else os.fspath(params), prefix + INFO if info is None else os.fspath(info)
        if files is not None:
            self._read(*beside, files, arrays)
            return
        wanted = [self.path, *(path for path in beside if not os.path.isdir(path))]
        named = [os.fspath(path) for path in (model, params, info) if path is not None]
        with opened(lambda: wanted) as files:
            if self.path not in files:
                raise missing_model(self.path.removesuffix(MODEL))
            for path in named:
                if path not in files and not os.path.isdir(path):
                    parse_program(read_all(files[self.path], self.path, MAX_MODEL), self.path)  # a model that is none is told first
                    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
            self._read(*beside, files)

    def _read(self, params: str, info: str, files: Mapping[str, IO[bytes]], arrays: Mapping[str, Any] | None = None) -> None:
        self.data = read_all(files[self.path], self.path, MAX_MODEL)
        self.desc = parse_program(self.data, self.path)
        variables = persistable_vars(self.desc)
        names = list(variables)
        self.arrays: dict[str, Any] = {}
        if names and os.path.isdir(params):
            self.arrays = read_folder(params, names)
        elif names:
            if params not in files:
                raise FormatError(self.path, f"its {len(names)} parameters in {os.path.basename(params)}", "no such file beside it")
            shapes = {name: var.type.lod_tensor.tensor.dims for name, var in variables.items()}
            self.arrays = read_params(params, names, files[params], shapes, arrays)
        self.info = read_info(info, files[info]) if info in files else None

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "desc"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, desc=parse_program(state["data"], state["path"]))

    def program(
        self, arrays: dict[str, Any] | None = None, shapes: Mapping[str, Sequence[int]] | None = None, named: bool = False
    ) -> Program:
        """A Program with ``arrays`` (by default the file's) in `Stored` holders, and with ``shapes`` for inputs by name.

        ``named``: its values have the file's names for them.
        """
        return read_program(self.desc, self.path, self.arrays if arrays is None else arrays, self.info, shapes, named)


def read_model(
    model: str | os.PathLike[str], params: str | os.PathLike[str] | None = None, info: str | os.PathLike[str] | None = None
) -> Program:
    """The Program of a `.pdmodel` file, its parameters (`Stored` holders) filled from ``params``.

    ``params`` and ``info`` default to the files beside the model, where they exist; ``params`` may be a folder with a file for
    each variable (the way of Paddle 1). Raises FormatError when a file is damaged,
    foreign or not supported, FileNotFoundError when ``model`` is not there.

    Example:
        >>> program = read_model("model.pdmodel")
    """
    return SavedModel(model, params, info).program()
