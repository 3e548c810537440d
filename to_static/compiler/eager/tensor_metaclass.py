"""The metaclass of ``paddle.Tensor``: for ``isinstance`` and for attributes, it stands for dense and sparse tensors."""

from __future__ import annotations

import sys
from typing import Any

from to_static.compiler.ir.tensor import AnyTensor, Tensor, load_method
from to_static.core.diagnostics import source_location


class PublicTensor(type):
    """The class of `EagerTensor`, which users know as ``paddle.Tensor``.

    To users a tensor of a Program and a sparse one are instances of it, as in Paddle; to our own code they are none. Methods of
    operators that are not loaded yet are found on it, and what users add to it all tensors have.
    """

    def __instancecheck__(cls, value: object) -> bool:
        if type.__instancecheck__(cls, value):
            return True
        public = cls.__mro__[1] is Tensor and isinstance(value, AnyTensor)
        return public and not source_location.is_internal(sys._getframe(1).f_code.co_filename)

    def __getattr__(cls, name: str) -> Any:
        method = load_method(cls, name)
        if method is not None:
            return method
        raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")

    def __setattr__(cls, name: str, value: Any) -> None:
        if cls.__mro__[1] is Tensor and name not in vars(cls) and not name.startswith("__"):
            setattr(Tensor, name, value)
        else:
            type.__setattr__(cls, name, value)

    def __delattr__(cls, name: str) -> None:
        owner = Tensor if cls.__mro__[1] is Tensor and name not in vars(cls) and name in vars(Tensor) else None
        delattr(owner, name) if owner is not None else type.__delattr__(cls, name)
