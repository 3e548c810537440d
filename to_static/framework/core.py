"""What Paddle's C++ core calls a tensor, and further names of its: found around it."""

from __future__ import annotations

from to_static.core.groups import names_around
from to_static.framework.generator import Generator
from to_static.framework.lod_tensor import LoDTensor, LoDTensorArray
from to_static.framework.seeding import default_cpu_generator

__all__ = ["EOFException", "Generator", "LoDTensor", "LoDTensorArray", "Tensor", "default_cpu_generator"]

Tensor = LoDTensor


class EOFException(Exception):
    """A reader that was started has no more batches."""


__getattr__ = names_around(__name__)
