"""Which packages are libraries: their code is never translated, so that calls of their functions stay as they are."""

from __future__ import annotations

import sys

LIBRARIES = frozenset({"to_static", "numpy", "cupy", "gast", "astor", "builtins"}) | frozenset(sys.stdlib_module_names)
LIBRARIES -= {"heapq", "_heapq", "bisect", "_bisect"}  # which change and compare what they are given


def of_users(module: str | None) -> bool:
    """True for the names of modules that are no libraries."""
    return module is None or module.split(".")[0] not in LIBRARIES
