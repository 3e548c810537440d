"""The table of model formats, and functions that detect the format of files, read models and write them. `saved` calls them.

A format is detected by the content of a file, not by its name. No module outside this folder depends on the format of a model.
"""

from __future__ import annotations

import errno
import importlib
import io
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import IO

from to_static.compiler.formats.format import Format
from to_static.compiler.formats.regular_files import open_regular, read_all
from to_static.compiler.formats.snapshot import is_there, names_in, opened
from to_static.compiler.formats.stored_model import StoredModel
from to_static.compiler.formats.unsupported_formats import missing_model
from to_static.compiler.ir.program import Program, Var
from to_static.core.diagnostics.printable import printable
from to_static.core.errors import FormatError

# name -> module with ``FORMAT``, the one that is preferred first; modules are loaded when somebody asks for their format
_MODULES = {
    "pdmodel": "to_static.compiler.formats.paddle.format",
    "json": "to_static.compiler.formats.pir.format",
    "onnx": "to_static.compiler.formats.onnx.format",
}
NAMES = tuple(_MODULES)
HEAD = 4096  # bytes that tell a format
OLD_MODEL = "__model__"  # the Program in a folder of Paddle 1, beside a file for each parameter
_OLD_PARAMS = ("__params__", "params")  # or one for all of them
_PARAMS, _INFO = ".pdiparams", ".pdiparams.info"


def format_named(name: str) -> Format:
    """The format that users call ``name``. Raises ValueError, which lists all names."""
    if name not in _MODULES:
        raise ValueError(f"unknown format {name!r}: there are {', '.join(NAMES)}")
    return importlib.import_module(_MODULES[name]).FORMAT  # type: ignore[no-any-return]


def formats() -> Iterator[Format]:
    """All formats, the one that is preferred first."""
    return map(format_named, NAMES)


def detected(head: bytes, path: str) -> Format:
    """Return the format of a file by its first bytes ``head``; else by its suffix, so that the reader reports the error."""
    by_head = next((form for form in formats() if form.detect(head)), None)
    by_suffix = next((form for form in formats() if path.endswith(form.suffix)), None)
    return by_head or by_suffix or format_named(NAMES[0])


def _head(path: str) -> bytes:
    """Return the first bytes of a file; b'' if it cannot be read."""
    try:
        with open_regular(path) as file:
            return file.read(HEAD)
    except (OSError, FormatError):
        return b""


def prefix_of(path: str) -> str:
    """The prefix that the files of the model in ``path`` share."""
    return next((path.removesuffix(form.suffix) for form in formats() if path.endswith(form.suffix)), path)


# finding -----------------------------------------------------------------------------------------------------------------


def saved_methods(path: str | os.PathLike[str]) -> dict[str, str]:
    """Files with Programs by method name, 'forward' first.

    ``path`` is a prefix, the file of a model (with whatever name), or a folder of Paddle 1. Where files of several formats have the
    prefix the preferred one is taken, and a UserWarning says so. Raises FileNotFoundError, naming what is there instead.
    """
    prefix = os.fspath(path)
    chosen = list(formats())
    if os.path.isdir(prefix) and os.path.isfile(os.path.join(prefix, OLD_MODEL)):
        return {"forward": os.path.join(prefix, OLD_MODEL)}
    names = names_in(prefix)
    if os.path.basename(prefix) in names and not os.path.isdir(prefix):
        by_suffix = [form for form in chosen if prefix.endswith(form.suffix)]
        if not by_suffix:
            head = _head(prefix)
            if not any(form.detect(head) for form in chosen):
                raise missing_model(prefix, names)
            return {"forward": prefix}
        chosen, prefix = by_suffix[:1], prefix.removesuffix(by_suffix[0].suffix)
    folder, stem = os.path.split(prefix)
    by_format = [methods for form in chosen if (methods := _methods(form, folder, stem, names))]
    if not by_format:
        raise missing_model(prefix, names)
    candidates = [methods for methods in by_format if "forward" in methods] or by_format
    if len(candidates) > 1:
        files = [printable(next(iter(methods.values()))) for methods in candidates]
        message = f"{' and '.join(files)} are models of one prefix: {files[0]} is taken; name the file to have another one"
        warnings.warn(message, stacklevel=3)
    return candidates[0]


def _methods(form: Format, folder: str, stem: str, names: list[str]) -> dict[str, str]:
    """The methods of a prefix that are in files of one format."""
    paths = {}
    if stem + form.suffix in names:
        paths["forward"] = os.path.join(folder, stem + form.suffix)
    for name in names:
        method = name.removeprefix(stem + ".").removesuffix(form.suffix)
        if name.startswith(stem + ".") and name.endswith(form.suffix) and name != stem + form.suffix and method.isidentifier():
            paths.setdefault(method, os.path.join(folder, name))
    if form.exclusive:
        return paths
    return {method: path for method, path in paths.items() if method == "forward" or form.detect(_head(path))}


def path_text(path: object) -> str:
    """A path as text. Raises TypeError for anything but text and path objects."""
    text = os.fspath(path) if isinstance(path, (str, os.PathLike)) else None
    if not isinstance(text, str):
        raise TypeError(f"expected the path of a saved model, such as 'model/net', got {type(path).__name__}")
    return text


def find_model(path: str | os.PathLike[str]) -> str:
    """Return the file of the Program for ``path``: a file, a prefix, or a folder of Paddle 1.

    Raises FileNotFoundError, which names the files that are there, and TypeError if ``path`` is no path.
    """
    wanted = path_text(path)
    if is_there(wanted):
        return wanted
    methods = saved_methods(wanted)
    if "forward" not in methods:
        raise missing_model(wanted)
    return methods["forward"]


def files_of(path: str) -> list[str]:
    """The files of the model whose Program is in ``path``."""
    params, info = _beside(path)
    parameters = [os.path.join(params, name) for name in sorted(os.listdir(params))] if os.path.isdir(params) else [params]
    return [file for file in dict.fromkeys([path, *parameters, info]) if os.path.isfile(file)]


# reading -----------------------------------------------------------------------------------------------------------------


def _beside(path: str, params: str | None = None, info: str | None = None) -> tuple[str, str]:
    """Return the paths of a model's parameters and of their metadata."""
    folder, name = os.path.split(path)
    prefix = prefix_of(path)
    if params is None and name == OLD_MODEL:
        combined = [file for name in _OLD_PARAMS if os.path.isfile(file := os.path.join(folder, name))]
        params = combined[0] if combined else folder or os.curdir
    return params or prefix + _PARAMS, info or prefix + _INFO


def open_model(
    model: str | os.PathLike[str], params: str | os.PathLike[str] | None = None, info: str | os.PathLike[str] | None = None
) -> StoredModel:
    """The model in a file of any format.

    Args:
        model: the file of the Program.
        params: the file with all parameters, or a folder with a file for each; default: what is beside the model.
        info: the `.pdiparams.info` file; default: the one beside the model.

    Raises FormatError when a file is damaged, foreign or not supported, FileNotFoundError when one that is named is not there.

    Example:
        >>> program = open_model("model.json").program()
    """
    path, *named = (os.fspath(file) for file in (model, params, info) if file is not None)
    beside = _beside(path, *(None if file is None else os.fspath(file) for file in (params, info)))
    wanted = [path, *(file for file in beside if not os.path.isdir(file))]
    with opened(lambda: wanted) as files:
        if path not in files:
            raise missing_model(prefix_of(path))
        form = _format_of(files[path], path)
        for file in named:
            if file not in files and not os.path.isdir(file):
                form.check(read_all(files[path], path), path)  # a model that is none is told first
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), file)
        return form.read(path, *beside, files)


def model_of_bytes(model: bytes, params: bytes = b"") -> StoredModel:
    """The model in memory: the bytes of its files. Raises FormatError as `open_model` does."""
    names = "the model in memory", "the parameters in memory"
    files = dict(zip(names, map(io.BytesIO, (model, params)), strict=True))
    return detected(model[:HEAD], names[0]).read(*names, "", files)


def read_methods(path: str | os.PathLike[str]) -> dict[str, StoredModel]:
    """The models of a prefix by method name, all of one version. Errors: `saved_methods`, `open_model`."""
    methods: dict[str, str] = {}
    beside: dict[str, tuple[str, str]] = {}

    def wanted() -> list[str]:
        methods.clear()
        methods.update(saved_methods(path))
        beside.update({name: _beside(file) for name, file in methods.items()})
        files = [file for name, model in methods.items() for file in (model, *beside[name])]
        return [file for file in files if not os.path.isdir(file)]

    models: dict[str, StoredModel] = {}
    with opened(wanted) as files:
        for name, model in methods.items():
            by_name = {key: array for loaded in models.values() for key, array in loaded.arrays.items()}
            models[name] = _format_of(files[model], model).read(model, *beside[name], files, by_name)
    for stored in models.values():  # Paddle writes one for all methods
        stored.info = next(iter(models.values())).info if stored.info is None else stored.info
    return models


def _format_of(file: IO[bytes], path: str) -> Format:
    head = file.read(HEAD)
    file.seek(0)
    return detected(head, path)


# writing -----------------------------------------------------------------------------------------------------------------


def write_models(
    programs: Mapping[str, Program],
    format: str | Format = NAMES[0],
    structured: Mapping[Var, str] | None = None,
    inference: bool = True,
) -> list[str]:
    """Save Programs by prefix in the files of a format, all of them at once; returns the paths written.

    The first is the model, the others are its further methods. A model of another format with the same prefix and the same file of
    parameters is removed, since the parameters are no longer its own. Arguments and errors: `Format.write`; ValueError for a
    format that there is none of.
    """
    chosen = format if isinstance(format, Format) else format_named(format)
    return chosen.write(programs, structured, inference, _stale(chosen, programs))


def copy_models(models: Mapping[str, StoredModel], format: Format) -> list[str]:
    """Save models by prefix as their files say them. Arguments and errors: `Format.copy`."""
    return format.copy(models, _stale(format, models))


def _stale(chosen: Format, prefixes: Iterable[str]) -> list[str]:
    """The models of other formats that lose their parameters when these prefixes are written."""
    return [
        file
        for form in formats()
        if form.name != chosen.name and set(form.companions) & set(chosen.companions)
        for prefix in prefixes
        if os.path.isfile(file := prefix + form.suffix) and (form.exclusive or form.detect(_head(file)))
    ]
