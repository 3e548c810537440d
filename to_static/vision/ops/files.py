"""Files of images as tensors."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np

from to_static.compiler.eager.tensor import EagerTensor
from to_static.core import backend
from to_static.vision import pillow

MODES = {"unchanged": None, "gray": "L", "rgb": "RGB"}


def read_file(filename: Any, name: Any = None) -> EagerTensor:
    """The bytes of a file, uint8 [n]. Raises OSError when there is no such file.

    ``filename``: the path.

    Example:
        >>> image = paddle.vision.ops.decode_jpeg(paddle.vision.ops.read_file("cat.jpg"))
    """
    return EagerTensor(backend.current().asarray(np.frombuffer(Path(filename).read_bytes(), np.uint8).copy()))


def decode_jpeg(x: Any, mode: str = "unchanged", name: Any = None) -> EagerTensor:
    """The image in the bytes of a JPEG file.

    Args:
        x: uint8 [n], as `read_file` gives it. mode: 'unchanged' (default), 'gray' or 'rgb'.

    Returns uint8 [C, H, W]. Raises ValueError for another mode, OSError when it is no image, ImportError when Pillow is not
    installed.

    Example:
        >>> image = paddle.vision.ops.decode_jpeg(paddle.vision.ops.read_file("photo.jpg"))
    """
    if mode not in MODES:
        raise ValueError(f"decode_jpeg: mode must be one of {', '.join(MODES)}, got {mode!r}")
    image = pillow.need("decode_jpeg").open(io.BytesIO(x.numpy().tobytes()))
    pixels = np.asarray(image if MODES[mode] is None else image.convert(MODES[mode]))
    planes = pixels[None] if pixels.ndim == 2 else pixels.transpose(2, 0, 1)
    return EagerTensor(backend.current().asarray(np.ascontiguousarray(planes)))
