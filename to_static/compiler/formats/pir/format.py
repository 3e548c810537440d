"""The format of Paddle 3: `PREFIX.json` and `PREFIX.pdiparams`."""

from __future__ import annotations

from to_static.compiler.formats.format import Format, ModelReader, ModelWriter


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

    def reader(self) -> ModelReader:
        from to_static.compiler.formats.pir.model_reader import PirModel

        return PirModel

    def writer(self) -> ModelWriter:
        from to_static.compiler.formats.pir.model_writer import write_models

        return write_models


FORMAT = PirFormat()
