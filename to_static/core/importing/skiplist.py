"""The skiplist: packages whose code is never translated, so that calls of their functions stay as they are."""

from __future__ import annotations

import sys

SKIPPED_PACKAGES = frozenset({"to_static", "numpy", "cupy", "gast", "astor", "builtins"}) | frozenset(sys.stdlib_module_names)
SKIPPED_PACKAGES -= {"heapq", "_heapq", "bisect", "_bisect"}  # which change and compare what they are given


def is_user_module(module: str | None) -> bool:
    """True for the names of modules that are no libraries."""
    return module is None or module.split(".")[0] not in SKIPPED_PACKAGES


def package_of(value: object) -> str:
    """The package that a class or function comes from; '' where that is not known, as of code that was made by `exec`."""
    module = value.__module__
    if module is None:
        return ""
    return module.split(".")[0] if isinstance(module, str) else "builtins"  # classes made in C may have anything there
