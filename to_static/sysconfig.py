"""Folders for extensions written in C++, under Paddle's names (``paddle.sysconfig``)."""

from __future__ import annotations

import os

from to_static.core.diagnostics.missing_names import names_missing
from to_static.core.diagnostics.source_location import PACKAGE

__all__ = ["get_include", "get_lib"]


def get_include() -> str:
    """The folder that headers would be in. There are none: this package is pure Python.

    Example:
        >>> folder = paddle.sysconfig.get_include()
    """
    return os.path.join(PACKAGE, "include")


def get_lib() -> str:
    """The folder that libraries would be in. There are none: this package is pure Python.

    Example:
        >>> folder = paddle.sysconfig.get_lib()
    """
    return os.path.join(PACKAGE, "libs")


__getattr__ = names_missing(__name__)
