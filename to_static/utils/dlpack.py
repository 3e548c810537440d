"""Tensors from and to other libraries without copies, by the DLPack protocol (``paddle.utils.dlpack``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.eager.tensor import EagerTensor
from to_static.core import backend

__all__ = ["from_dlpack", "to_dlpack"]


def to_dlpack(x: Any) -> Any:
    """A DLPack capsule of a tensor, to be read once: ``torch.utils.dlpack.from_dlpack(to_dlpack(x))``.

    The memory is shared where the dtype has a DLPack form. Raises TypeError for anything but a tensor that holds numbers.

    Example:
        >>> capsule = paddle.utils.dlpack.to_dlpack(paddle.ones([2]))
    """
    if not isinstance(x, EagerTensor):
        raise TypeError(f"to_dlpack: expected a tensor that holds numbers, got {type(x).__name__}")
    array = x._array
    return (array if array.flags.writeable else array.copy()).__dlpack__()


class _Once:
    """The object that `numpy.from_dlpack` takes, around a capsule."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __dlpack__(self, **options: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0  # the host


def from_dlpack(dlpack: Any) -> Any:
    """A tensor of a DLPack capsule, or of any object with ``__dlpack__``: an array, a tensor of another library.

    The memory is shared. Raises TypeError for anything else.

    Example:
        >>> paddle.utils.dlpack.from_dlpack(numpy.ones(2)).tolist()
        [1.0, 1.0]
    """
    if hasattr(dlpack, "__dlpack__"):
        if hasattr(dlpack, "__dlpack_device__") and dlpack.__dlpack_device__()[0] not in (1, 3):
            array = backend.get_backend(f"gpu:{dlpack.__dlpack_device__()[1]}").xp.from_dlpack(dlpack)
        else:
            array = np.from_dlpack(dlpack)
    elif type(dlpack).__name__ == "PyCapsule":
        array = np.from_dlpack(_Once(dlpack))
    else:
        raise TypeError(f"from_dlpack: expected a DLPack capsule or an object with __dlpack__, got {type(dlpack).__name__}")
    return EagerTensor(array)
