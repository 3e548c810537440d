"""A saved model: `PREFIX.pdmodel` with its `PREFIX.pdiparams` and `PREFIX.pdiparams.info`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from to_static.core.errors import FormatError
from to_static.formats.atomic import writing
from to_static.formats.paddle.info import read_info, write_info
from to_static.formats.paddle.params import read_folder, read_params, write_params
from to_static.formats.paddle.reading import parse_program, persistable_vars, read_program
from to_static.formats.paddle.writing import write_program
from to_static.ir.program import PARAM, Program, Var

MODEL, PARAMS, INFO = ".pdmodel", ".pdiparams", ".pdiparams.info"


def write_model(
    prefix: str | os.PathLike[str], program: Program, structured: Mapping[Var, str] | None = None, inference: bool = True
) -> list[str]:
    """Save a Program in the files that Paddle 2.6 reads; returns the paths written. ``inference``: see `write_program`.

    A Program without parameters gets no `.pdiparams`. ``structured`` names parameters as the layer's state dict does (by
    default their holders' ``structured_name``); where there are such names, `.info` is written. Old files of the same prefix
    that the new model does not have are removed. Raises FormatError for what Paddle's files can't hold, OSError.
    """
    prefix = os.fspath(prefix)
    written = write_program(program, prefix + MODEL, inference)
    data = written.data()
    info = {}
    for var in program.params:
        name = (structured or {}).get(var) or getattr(var.holder, "structured_name", None)
        if name:
            entry: dict[str, Any] = {"structured_name": name, "stop_gradient": bool(var.stop_gradient)}
            if var.kind == PARAM or hasattr(var.holder, "trainable"):
                entry["trainable"] = var.kind == PARAM and bool(getattr(var.holder, "trainable", True))
            info[written.names[var]] = entry
    paths = [prefix + MODEL]
    if written.arrays:
        write_params(prefix + PARAMS, written.arrays.values())
        paths.append(prefix + PARAMS)
    if info:  # Paddle's jit.load wants an entry for everything in .pdiparams then
        info.update({name: {"stop_gradient": True} for name in written.arrays if name not in info})
        write_info(prefix + INFO, info)
        paths.append(prefix + INFO)
    with writing(prefix + MODEL) as file:
        file.write(data)
    for path in (prefix + PARAMS, prefix + INFO):
        if path not in paths and os.path.exists(path):
            os.unlink(path)
    return paths


class SavedModel:
    """A `.pdmodel` file, read and checked, from which Programs are made: for the shapes in the file, or for others.

    ``arrays`` are the values of its variables, ``info`` what `.info` says of them, None without such a file. Arguments and errors
    are those of `read_model`.
    """

    def __init__(
        self,
        model: str | os.PathLike[str],
        params: str | os.PathLike[str] | None = None,
        info: str | os.PathLike[str] | None = None,
    ) -> None:
        self.path = os.fspath(model)
        prefix = self.path.removesuffix(MODEL)
        with open(self.path, "rb") as file:
            self.desc = parse_program(file.read(), self.path)
        names = list(persistable_vars(self.desc))
        if params is None and names:
            params = prefix + PARAMS
            if not os.path.exists(params):
                raise FormatError(self.path, f"its {len(names)} parameters in {os.path.basename(params)}", "no such file beside it")
        read = read_folder if params is not None and os.path.isdir(params) else read_params
        self.arrays = read(params, names) if params is not None and names else {}
        if info is None and os.path.exists(prefix + INFO):
            info = prefix + INFO
        self.info = None if info is None else read_info(info)

    def program(self, arrays: dict[str, Any] | None = None, shapes: Mapping[str, Sequence[int]] | None = None) -> Program:
        """A Program with ``arrays`` (by default the file's) in `Stored` holders, and with ``shapes`` for inputs by name."""
        return read_program(self.desc, self.path, self.arrays if arrays is None else arrays, self.info, shapes)

    def state(self) -> dict[str, Any]:
        """The values by the names that the saved layer's state dict has for them (the file's names where it tells none)."""
        if self.info is None:
            return self.arrays
        known = {name: entry.get("structured_name") for name, entry in self.info.items()}  # constants of the Program have none
        return {key: self.arrays[name] for name, key in known.items() if key is not None and name in self.arrays}


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


def saved_methods(prefix: str) -> dict[str, str]:
    """``.pdmodel`` files of a prefix by method name, 'forward' (the prefix itself) first.

    Raises FileNotFoundError, naming what is there instead, when there is none.
    """
    folder, stem = os.path.split(prefix)
    names = sorted(os.listdir(folder or ".")) if os.path.isdir(folder or ".") else []
    found = {}
    if stem + MODEL in names:
        found["forward"] = prefix + MODEL
    for name in names:
        method = name.removeprefix(stem + ".").removesuffix(MODEL)
        if name.startswith(stem + ".") and name.endswith(MODEL) and name != stem + MODEL and method.isidentifier():
            found[method] = os.path.join(folder, name)
    if not found:
        models = [n for n in names if n.endswith((MODEL, ".json"))]
        hint = f"; {folder or '.'} has {', '.join(models[:8])}" if models else ""
        if stem + ".json" in names:
            hint = f"; {stem}.json is a Paddle 3 program: save it again with FLAGS_enable_pir_api=0"
        wanted = f"expected {stem}{MODEL}" if stem else "that is a folder, and a model has a prefix, such as 'model/net'"
        if stem.endswith(MODEL):
            wanted = f"name it without {MODEL}, {prefix.removesuffix(MODEL)!r}"
        raise FileNotFoundError(f"no saved model at {prefix!r}: {wanted}{hint}")
    return found
