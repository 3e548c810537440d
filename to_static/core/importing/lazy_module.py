"""Rooms whose names are looked up when they are first used: importing one of them loads none of what is in it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from importlib.machinery import PathFinder
from typing import Any

from to_static.core.diagnostics.missing_names import of_module
from to_static.core.importing.paddle_module_aliases import inner_module


def attach(
    module: str, homes: Mapping[str, str], rooms: str = ""
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """The ``__getattr__``, ``__dir__`` and ``__all__`` of a package.

    Args:
        homes: by module the names that are in it, with spaces between them; those that begin with ``_`` are not in ``__all__``.
        rooms: names of modules inside of the package that are public, too.

    Modules inside that are not named are found as well, then Paddle's inner modules (`groups`); other names are an error that
    says what was meant (`missing`).

    Example:
        >>> __getattr__, __dir__, __all__ = on_demand(__name__, {"to_static.nn.linear": "Linear Bilinear"}, "functional utils")
    """
    home_of = {name: home for home, names in homes.items() for name in names.split()}
    public = sorted(name for name in (*home_of, *rooms.split()) if not name.startswith("_"))

    def __getattr__(name: str) -> Any:
        if name in home_of:
            value = getattr(importlib.import_module(home_of[name]), name)
        elif not name.startswith("_") and PathFinder.find_spec(f"{module}.{name}", sys.modules[module].__path__):
            value = importlib.import_module(f"{module}.{name}")
        else:
            value = inner_module(module, name)
            if value is None:
                raise of_module(module, name)
        setattr(sys.modules[module], name, value)
        return value

    def __dir__() -> list[str]:
        return sorted({*vars(sys.modules[module]), *public})

    return __getattr__, __dir__, public
