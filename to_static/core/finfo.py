"""The ranges of dtypes: `iinfo` and `finfo`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from to_static.core.dtypes import as_dtype
from to_static.core.errors import DTypeError

if TYPE_CHECKING:
    from to_static.core.dtypes import DTypeLike


class iinfo:
    """The limits of an integer dtype: ``min``, ``max``, ``bits`` and ``dtype``, its name. Raises DTypeError for another.

    Example:
        >>> paddle.iinfo(paddle.uint8).max
        255
    """

    def __init__(self, dtype: DTypeLike) -> None:
        dtype_ = as_dtype(dtype)
        if not dtype_.is_integer:
            raise DTypeError(f"iinfo: expected an integer dtype, got {dtype_.name}")
        limits = np.iinfo(dtype_.np)
        self.min, self.max, self.bits, self.dtype = int(limits.min), int(limits.max), int(limits.bits), dtype_.name

    def __repr__(self) -> str:
        return f"paddle.iinfo(min={self.min}, max={self.max}, bits={self.bits}, dtype={self.dtype})"


class finfo:
    """The limits of a floating or complex dtype.

    ``min``, ``max``, ``eps`` (from 1 to the next number), ``resolution``, ``tiny`` and ``smallest_normal``, ``bits``, and
    ``dtype``, its name. Raises DTypeError for another.

    Example:
        >>> paddle.finfo('float32').eps
        1.1920928955078125e-07
    """

    def __init__(self, dtype: DTypeLike) -> None:
        dtype_ = as_dtype(dtype)
        if not dtype_.is_floating:
            raise DTypeError(f"finfo: expected a floating or complex dtype, got {dtype_.name}")
        limits = np.finfo(dtype_.np)
        self.min, self.max, self.eps = float(limits.min), float(limits.max), float(limits.eps)
        self.resolution, self.tiny = float(limits.resolution), float(limits.tiny)
        self.smallest_normal, self.bits, self.dtype = float(limits.smallest_normal), int(limits.bits), dtype_.name

    def __repr__(self) -> str:
        fields = ("min", "max", "eps", "resolution", "smallest_normal", "tiny")
        texts = ", ".join(f"{name}={getattr(self, name):g}" for name in fields)
        return f"paddle.finfo({texts}, bits={self.bits}, dtype={self.dtype})"
