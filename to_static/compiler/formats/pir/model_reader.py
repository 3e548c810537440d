"""Reads a model of Paddle 3: `PREFIX.json` with its `PREFIX.pdiparams`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import IO, Any

from to_static.compiler.formats.paddle.weights.info import read_info
from to_static.compiler.formats.paddle.weights.params_reader import read_folder, read_params
from to_static.compiler.formats.pir.document import MAX_DOCUMENT, parse_document
from to_static.compiler.formats.pir.program_reader import parameters, read_program
from to_static.compiler.formats.regular_files import read_all
from to_static.compiler.formats.stored_model import StoredModel
from to_static.compiler.ir.program import Program
from to_static.core.errors import FormatError


class PirModel(StoredModel):
    """A `.json` file, read and checked. Arguments: `format.Format.read`."""

    def __init__(
        self, path: str, params: str, info: str, files: Mapping[str, IO[bytes]], shared_arrays: Mapping[str, Any] | None = None
    ) -> None:
        self.path = path
        self._data = read_all(files[path], path, MAX_DOCUMENT)
        self._document = parse_document(self._data, path)
        variables = parameters(self._document.block)
        self.arrays = {}
        if variables and os.path.isdir(params):
            self.arrays = read_folder(params, list(variables))
        elif variables:
            if params not in files:
                raise FormatError(path, f"its {len(variables)} parameters in {os.path.basename(params)}", "no such file beside it")
            shapes = {name: spec.shape for name, (_, spec) in variables.items()}
            self.arrays = read_params(params, list(variables), files[params], shapes, shared_arrays)
        self.info = read_info(info, files[info]) if info in files else None

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_document"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _document=parse_document(state["_data"], state["path"]))

    def program(
        self, arrays: dict[str, Any] | None = None, shapes: Mapping[str, Sequence[int]] | None = None, named: bool = False
    ) -> Program:
        """See `StoredModel.program`."""
        return read_program(self._document, self.path, self.arrays if arrays is None else arrays, self.info, shapes, named)
