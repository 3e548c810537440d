"""Lines of source files, of those too that say a coding in which no text is."""

from __future__ import annotations

from typing import Any


def lines_in(file: str, module_globals: dict[str, Any] | None = None) -> list[str]:
    """The lines of a file as they are now or, of one that is read already, were then; none where it can't be read.

    Example:
        >>> lines_in("no such file")
        []
    """
    import linecache  # only when something is shown: it costs start-up time

    try:
        return linecache.getlines(file, module_globals)
    except (LookupError, ValueError):  # `# coding: rot13`, `# coding: utf-16`
        return []


def line_in(file: str, line: int) -> str:
    """One of the lines, from 1; '' where there is none."""
    lines = lines_in(file)
    return lines[line - 1] if 1 <= line <= len(lines) else ""
