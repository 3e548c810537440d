"""Optional packages, and the words for one that is missing."""

from __future__ import annotations

import importlib
from types import ModuleType


def need(module: str, extra: str = "", what: str = "", package: str = "") -> ModuleType:
    """Import a module of an optional package. Raises ImportError with the pip line when it is not installed.

    Args:
        module: its name.
        extra: the extra that brings it, where one does.
        what: what needs it, for the message.
        package: what pip calls its package, where that is not the first part of its name.

    Example:
        >>> image = need("PIL.Image", "vision", "image_load", "Pillow")
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        top = module.split(".")[0]
        if error.name not in (module, top):
            raise
        package = package or top
        missing = f"{what} needs {package}, which is not installed" if what else f"{module} is not installed"
        line = f"pip install 'to_static[{extra}]' (or pip install {package})" if extra else f"pip install {package}"
        raise ImportError(f"{missing}: {line}") from None
