"""The format of Paddle 2: `PREFIX.pdmodel`, `PREFIX.pdiparams` and `PREFIX.pdiparams.info`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from to_static.compiler.formats.format import Format, ModelReader, ModelWriter
from to_static.compiler.formats.stored_model import StoredModel


class PaddleFormat(Format):
    """A ProgramDesc message with the parameters in a file, or in a folder, beside it."""

    name = "pdmodel"
    suffix = ".pdmodel"
    title = "a program of Paddle 2"
    companions = (".pdiparams", ".pdiparams.info")

    def detect(self, head: bytes) -> bool:
        return head[:1] == b"\n"  # the first block

    def check(self, data: bytes, path: str) -> None:
        from to_static.compiler.formats.paddle.programs.program_reader import parse_program

        parse_program(data, path)

    def reader(self) -> ModelReader:
        from to_static.compiler.formats.paddle.model_reader import SavedModel

        return SavedModel

    def writer(self) -> ModelWriter:
        from to_static.compiler.formats.paddle.model_writer import write_models

        return write_models

    def copy(self, models: Mapping[str, StoredModel], stale: Sequence[str] = ()) -> list[str]:
        from to_static.compiler.formats.paddle.model_reader import SavedModel
        from to_static.compiler.formats.paddle.model_writer import copy_models

        paddle_models = {prefix: model for prefix, model in models.items() if isinstance(model, SavedModel)}
        if len(paddle_models) < len(models):
            raise ValueError("these are models of another format")
        return copy_models(paddle_models, stale)


FORMAT = PaddleFormat()
