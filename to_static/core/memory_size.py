"""The size of this machine's memory: readers of files refuse arrays and files that announce more bytes."""

from __future__ import annotations

import math
import os


def physical_memory() -> float:
    """Return the bytes of physical memory of this machine; infinity if the operating system does not tell the size.

    Windows has no ``sysconf``; WebAssembly has no number of pages.

    Example:
        >>> physical_memory()
        8589934592
    """
    try:
        pages = os.sysconf("SC_PHYS_PAGES")
        return os.sysconf("SC_PAGE_SIZE") * pages if pages > 0 else math.inf
    except (AttributeError, OSError, ValueError):
        return math.inf
