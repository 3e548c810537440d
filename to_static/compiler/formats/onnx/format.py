"""The ONNX format: one file, `PREFIX.onnx`, and `PREFIX.onnx.data` if the weights are too large for one file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import IO, Any

from to_static.compiler.formats.format import Format
from to_static.compiler.formats.stored_model import StoredModel
from to_static.compiler.ir.program import Program, Var

_TAGS = frozenset((0x12, 0x1A, 0x22, 0x28, 0x32, 0x3A, 0x42, 0x72))  # of the fields that follow the version of the format


class OnnxFormat(Format):
    """A ModelProto message. ``options``: the fields of `model_writer.OnnxSettings`."""

    name = "onnx"
    suffix = ".onnx"
    title = "a model of ONNX"
    frozen = True

    def __init__(self, **options: Any) -> None:
        self.options = options

    def with_options(self, **options: Any) -> OnnxFormat:
        return OnnxFormat(**self.options, **options)

    def detect(self, head: bytes) -> bool:
        return head[:1] == b"\x08" and 0 < head[1] < 64 and head[2] in _TAGS if len(head) > 2 else False

    def check(self, data: bytes, path: str) -> None:
        from to_static.compiler.formats.onnx.model_reader import parse_model

        parse_model(data, path)

    def read(
        self, path: str, params: str, info: str, files: Mapping[str, IO[bytes]], shared_arrays: Mapping[str, Any] | None = None
    ) -> StoredModel:
        from to_static.compiler.formats.onnx.model_reader import OnnxModel

        return OnnxModel(path, files[path])

    def write(
        self,
        programs: Mapping[str, Program],
        structured: Mapping[Var, str] | None = None,
        inference: bool = True,
        stale: Sequence[str] = (),
    ) -> list[str]:
        from to_static.compiler.formats.onnx.model_writer import OnnxSettings, serialized, write_serialized

        settings = OnnxSettings(**self.options)
        models = [serialized(program, prefix + self.suffix, settings) for prefix, program in programs.items()]
        return write_serialized(models, stale)


FORMAT = OnnxFormat()
