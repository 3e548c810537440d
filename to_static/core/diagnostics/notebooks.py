"""Names of notebook cells, for which IPython and Jupyter make up file names."""

from __future__ import annotations

import linecache
import sys
from typing import Any


def seen_name(file: str) -> str:
    """The name that users see for a file: ``Cell In[3]`` for that of a cell, whose lines Python finds by it then, too."""
    cell = cell_of(file)
    if cell is None:
        return file
    linecache.cache.setdefault(cell, (0, None, linecache.getlines(file), cell))
    return cell


def shell() -> Any:
    """The running shell of IPython; None where there is none."""
    module = sys.modules.get("IPython")
    return None if module is None else getattr(module, "get_ipython", lambda: None)()


def cell_of(file: str) -> str | None:
    """``Cell In[3]`` for the file that a cell is compiled as; None for any other file."""
    running = shell()
    named = None if running is None else getattr(getattr(running, "compile", None), "format_code_name", None)
    cell = None if named is None else named(file)
    return f"{cell[0]} {cell[1]}" if cell else None
