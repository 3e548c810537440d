"""``paddle.onnx``: files of another format, which a package of its own writes."""

from __future__ import annotations

from typing import Any

from to_static.core.missing_names import names_missing

__all__ = ["export"]


def export(layer: Any, path: str, input_spec: Any = None, opset_version: int = 9, **configs: Any) -> None:
    """Raises ImportError, as Paddle does without ``paddle2onnx``.

    That package reads what `jit.save` writes: ``paddle2onnx --model_dir . --model_filename net.pdmodel ...``.
    """
    raise ImportError(
        "onnx.export: ONNX files are written by the package paddle2onnx, which works on PaddlePaddle itself. Save the model with "
        "paddle.jit.save(layer, path, input_spec), and convert that with its command `paddle2onnx`"
    )


__getattr__ = names_missing(__name__)
