"""The format of Paddle 3: `PREFIX.json` and `PREFIX.pdiparams`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import IO, Any

from to_static.compiler.formats.format import Format
from to_static.compiler.formats.stored_model import StoredModel
from to_static.compiler.ir.program import Program, Var


class PirFormat(Format):
    """A PIR program in JSON with its parameters in a file beside it."""

    name = "json"
    suffix = ".json"
    title = "a program of Paddle 3"
    companions = (".pdiparams", ".pdiparams.info")
    exclusive = False

    def detect(self, head: bytes) -> bool:
        text = head.lstrip()
        return text[:1] == b"{" and (b'"base_code"' in text or (b'"program"' in text and b'"regions"' in text))

    def check(self, data: bytes, path: str) -> None:
        from to_static.compiler.formats.pir.document import parse_document

        parse_document(data, path)

    def read(
        self, path: str, params: str, info: str, files: Mapping[str, IO[bytes]], shared_arrays: Mapping[str, Any] | None = None
    ) -> StoredModel:
        from to_static.compiler.formats.pir.model_reader import PirModel

        return PirModel(path, params, info, files, shared_arrays)

    def write(
        self,
        programs: Mapping[str, Program],
        structured: Mapping[Var, str] | None = None,
        inference: bool = True,
        stale: Sequence[str] = (),
    ) -> list[str]:
        from to_static.compiler.formats.pir.model_writer import write_models

        return write_models(programs, structured, inference, stale)


FORMAT = PirFormat()
