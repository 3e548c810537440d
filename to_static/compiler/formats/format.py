"""`Format`, the interface of a format of model files. Each format is a folder, whose module `format` has an instance ``FORMAT``.

The hub (`formats.hub`) calls it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any

from to_static.compiler.formats.stored_model import StoredModel
from to_static.compiler.ir.program import Program, Var

ModelReader = Callable[[str, str, str, Mapping[str, IO[bytes]], "Mapping[str, Any] | None"], StoredModel]
ModelWriter = Callable[[Mapping[str, Program], "Mapping[Var, str] | None", bool, Sequence[str]], "list[str]"]


class Format:
    """A format of model files.

    ``name``: the name in ``jit.save(..., format=name)``; ``suffix``: the suffix of the file with the Program; ``title``: a
    description of such a file; ``companions``: the suffixes of its other files. ``exclusive``: no other format has this suffix.
    ``frozen``: readers of the format do not train, so weights are written as constants.

    `reader` and `writer` import the modules that read and write, because the hub calls `detect` of all formats.
    """

    name: str
    suffix: str
    title: str
    companions: tuple[str, ...] = ()
    exclusive: bool = True
    frozen: bool = False

    def with_options(self, **options: Any) -> Format:
        """Return the format with these options for writing. Raises ValueError for an unknown option."""
        raise ValueError(f"files of the format {self.name!r} have no {', '.join(sorted(options))}")

    def detect(self, head: bytes) -> bool:
        """Return whether a file that begins with these bytes (a few thousand, or all) has this format."""
        raise NotImplementedError

    def check(self, data: bytes, path: str) -> None:
        """Raise FormatError if the bytes of a file are not a Program of this format."""
        raise NotImplementedError

    def reader(self) -> ModelReader:
        """Import and return the function, or class, that reads a model: `read` calls it with all of its arguments."""
        raise NotImplementedError

    def writer(self) -> ModelWriter:
        """Import and return the function that writes models: `write` calls it with all of its arguments."""
        raise NotImplementedError

    def read(
        self, path: str, params: str, info: str, files: Mapping[str, IO[bytes]], shared_arrays: Mapping[str, Any] | None = None
    ) -> StoredModel:
        """Return the model of ``files[path]``.

        Args:
            path, params, info: the paths of the Program, its parameters and their metadata.
            files: the open files among these, by path; ``params`` may be a folder that has a file for each parameter.
            shared_arrays: arrays by name; the model uses these in place of equal arrays with the same name.

        Raises FormatError when a file is damaged or not supported.
        """
        return self.reader()(path, params, info, files, shared_arrays)

    def write(
        self,
        programs: Mapping[str, Program],
        structured: Mapping[Var, str] | None = None,
        inference: bool = True,
        stale: Sequence[str] = (),
    ) -> list[str]:
        """Save Programs by prefix, all of their files at once; returns the paths written.

        The first is the model, the others are its further methods. ``structured``: the names of parameters in the layer's state
        dict (default: their holders' ``structured_name``). ``inference``: mark dropout and normalization as in evaluation.
        ``stale``: files that are removed in the same step. Raises FormatError for a Program that the format cannot express,
        OSError.
        """
        return self.writer()(programs, structured, inference, stale)

    def copy(self, models: Mapping[str, StoredModel], stale: Sequence[str] = ()) -> list[str]:
        """Save models by prefix as copies of their files, not from Programs; returns the paths written.

        For models of this format that cannot be written from a Program. ``stale``: see `write`. Raises ValueError for a model of
        another format, and for a format that cannot copy.
        """
        raise ValueError(f"files of the format {self.name!r} are written from Programs")
