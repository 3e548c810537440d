"""The ONNX format: one file, `PREFIX.onnx`, and `PREFIX.onnx.data` if the weights are too large for one file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from to_static.compiler.formats.format import Format, ModelReader, ModelWriter
from to_static.compiler.ir.program import Program

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

    def reader(self) -> ModelReader:
        from to_static.compiler.formats.onnx.model_reader import OnnxModel

        return lambda path, params, info, files, shared_arrays: OnnxModel(path, files[path])

    def writer(self) -> ModelWriter:
        from to_static.compiler.formats.onnx.model_writer import OnnxSettings, serialized, write_serialized

        settings = OnnxSettings(**self.options)

        def write_models(programs: Mapping[str, Program], structured: object, inference: bool, stale: Sequence[str]) -> list[str]:
            models = [serialized(program, prefix + self.suffix, settings) for prefix, program in programs.items()]
            return write_serialized(models, stale)

        return write_models


FORMAT = OnnxFormat()
