"""Checks of what is installed: require_version, try_import, run_check."""

from __future__ import annotations

import importlib
import re
from typing import Any

from to_static.compiler.ops.linalg.matmul import matmul
from to_static.compiler.ops.shapes.create import to_tensor
from to_static.core import backend
from to_static.version import full_version

_VERSION = re.compile(r"\d+(\.\d+){0,3}")


def _version_tuple(name: str, version: Any) -> tuple[int, ...]:
    if not isinstance(version, str):
        raise TypeError(f"require_version: {name} must be text such as '2.6.0', got {type(version).__name__}")
    if _VERSION.fullmatch(version) is None:
        raise ValueError(f"require_version: {name} must look like '2.6.0', got {version!r}")
    parts = tuple(map(int, version.split(".")))
    return parts + (0,) * (4 - len(parts))


def require_version(min_version: str, max_version: str | None = None) -> None:
    """Raise RuntimeError unless the interface is of a version of PaddlePaddle between these; see `paddle.version`.

    Raises TypeError or ValueError for what is no version.
    ``min_version``, ``max_version``: texts such as '2.5.0'.

    Example:
        >>> paddle.utils.require_version('2.0')
    """
    min_parts = _version_tuple("min_version", min_version)
    max_parts = None if max_version is None else _version_tuple("max_version", max_version)
    installed_parts = _version_tuple("the installed version", full_version)
    if installed_parts < min_parts or (max_parts is not None and installed_parts > max_parts):
        requirement = f"{min_version} or higher" if max_parts is None else f"from {min_version} to {max_version}"
        raise RuntimeError(f"VersionError: PaddlePaddle {requirement} is required, this has the interface of {full_version}")


def try_import(module_name: str, err_msg: str | None = None) -> Any:
    """The module of that name. Raises ImportError, which says how to get it (or ``err_msg``).

    ``module_name``: the name.

    Example:
        >>> np = paddle.utils.try_import('numpy')
    """
    try:
        return importlib.import_module(module_name)
    except ImportError:
        words = f"Failed importing {module_name}; it has to be installed, usually with `pip install {module_name}`"
        raise ImportError(words if err_msg is None else err_msg) from None


def run_check() -> None:
    """Compute something on every device that is there, and print that it works.

    Raises RuntimeError where a number is wrong.

    Example:
        >>> paddle.utils.run_check()
    """
    print("Running verify PaddlePaddle program ... ")
    x = to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)
    matmul(x, x).sum().backward()
    if x.grad.tolist() != [[7.0, 11.0], [9.0, 13.0]]:
        raise RuntimeError(f"run_check: a gradient is wrong: {x.grad.tolist()}")
    print(f"PaddlePaddle works well on 1 {backend.get_device().partition(':')[0].upper()}.")
    print("PaddlePaddle is installed successfully! Let's start deep learning with PaddlePaddle now.")
