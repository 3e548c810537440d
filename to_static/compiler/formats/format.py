"""Questions that the hub asks of a format. A format is a folder, whose module `format` has a `Format` as ``FORMAT``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import IO, Any

from to_static.compiler.formats.stored_model import StoredModel
from to_static.compiler.ir.program import Program, Var


class Format:
    """A format of model files.

    ``name`` is what users call it (``jit.save(..., format=name)``), ``suffix`` that of the file with the Program, ``title`` what
    such a file is, ``companions`` the suffixes of the files beside it that belong to it. ``exclusive``: nothing else has that
    suffix. ``frozen``: its readers do not train, so weights are constants when a Program is written.

    Modules that read and write are imported when `read` and `write` are called: the hub asks all formats to detect.
    """

    name: str
    suffix: str
    title: str
    companions: tuple[str, ...] = ()
    exclusive: bool = True
    frozen: bool = False

    def with_options(self, **options: Any) -> Format:
        """The format as it is written with these options. Raises ValueError for those that it has not."""
        raise ValueError(f"files of the format {self.name!r} have no {', '.join(sorted(options))}")

    def detect(self, head: bytes) -> bool:
        """Return whether a file that begins with these bytes (a few thousand, or all) has this format."""
        raise NotImplementedError

    def check(self, data: bytes, path: str) -> None:
        """Raise FormatError where the bytes of a file are no Program of this format."""
        raise NotImplementedError

    def read(
        self, path: str, params: str, info: str, files: Mapping[str, IO[bytes]], shared: Mapping[str, Any] | None = None
    ) -> StoredModel:
        """The model of ``files[path]``.

        Args:
            path, params, info: where the Program, its parameters and what is known of them are.
            files: the open files among these, by path; ``params`` may be a folder that has a file for each parameter.
            shared: arrays that the model shares where it has the same numbers under the same name.

        Raises FormatError when a file is damaged or not supported.
        """
        raise NotImplementedError

    def write(
        self,
        programs: Mapping[str, Program],
        structured: Mapping[Var, str] | None = None,
        inference: bool = True,
        stale: Sequence[str] = (),
    ) -> list[str]:
        """Save Programs by prefix, all of their files at once; returns the paths written.

        The first is the model, the others are its further methods. ``structured`` names parameters as the layer's state dict does
        (default: their holders' ``structured_name``), ``inference`` marks dropout and normalization as in evaluation, ``stale`` are
        files that are removed in the same step. Raises FormatError for what the format can't hold, OSError.
        """
        raise NotImplementedError

    def copy(self, models: Mapping[str, StoredModel], stale: Sequence[str] = ()) -> list[str]:
        """Save models by prefix as their files say them, not as Programs; returns the paths written.

        For models of this format alone that no Program can be written for. ``stale``: as of `write`. Raises ValueError for a
        model of another format, and where a format has no such way.
        """
        raise ValueError(f"files of the format {self.name!r} are written from Programs")
