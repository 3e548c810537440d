"""Optional packages, and the words for one that is missing."""

from __future__ import annotations

import importlib
from types import ModuleType


def need(module: str, extra: str) -> ModuleType:
    """Import a package of an extra. Raises ImportError with the pip line when it is not installed."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.split(".")[0]:
            raise
        raise ImportError(
            f"{module} is not installed: pip install 'to_static[{extra}]' (or pip install {error.name})"
        ) from None
