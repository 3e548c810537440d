"""Where in the user's source something happened.

A `Site` is a file and line (and function name). Generated code registers a line map so that frames of translated functions
are reported as lines of the user's own file.
"""

from __future__ import annotations

import os
import sys
from typing import Any, NamedTuple

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep

_NUMPY = f"{os.sep}site-packages{os.sep}numpy{os.sep}"
_LIBRARY = os.path.dirname(os.__file__) + os.sep  # Python's own


class Site(NamedTuple):
    """A line of the user's source."""

    file: str
    line: int
    function: str = ""

    def __str__(self) -> str:
        return f"{os.path.basename(self.file)}:{self.line}"


# generated file name -> (user's file, {generated line: user's line}, the user's function)
_line_maps: dict[str, tuple[str, dict[int, int], str]] = {}
_PARTS = ("if_true", "if_false", "while_cond", "while_body", "for_body", "<lambda>", "lambda_")  # functions that translation makes


def register_line_map(generated: str, original: str, lines: dict[int, int], function: str = "") -> None:
    """Say that line ``k`` of the generated file came from line ``lines[k]`` of ``original``, of ``function`` there."""
    _line_maps[generated] = (original, lines, function)


def resolve(file: str, line: int, function: str = "") -> Site:
    """The user's site for a frame's file and line; generated lines are mapped back."""
    entry = _line_maps.get(file)
    if entry is None:
        return Site(file, line, function)
    original, lines, whole = entry
    if function in _PARTS:
        function = whole or function
    while line > 0 and line not in lines:
        line -= 1  # a generated line belongs to the closest mapped one above it
    return Site(original, lines.get(line, 1), function)


def is_generated(file: str) -> bool:
    """True for the file name of translated code."""
    return file in _line_maps


def is_internal(file: str) -> bool:
    """True for our own code (and Python's frozen modules), which users need not see."""
    return (file.startswith(PACKAGE) and file not in _line_maps) or file.startswith("<frozen")


def is_users(file: str) -> bool:
    """True for code that is neither ours nor NumPy's nor the standard library's."""
    return not is_internal(file) and not (file.startswith(_LIBRARY) and "site-packages" not in file) and _NUMPY not in file


def of_error(error: BaseException) -> Site | None:
    """Where the user's code was when an error was raised: the innermost such frame of its traceback."""
    found, step = None, error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if is_users(code.co_filename):
            found = resolve(code.co_filename, step.tb_lineno, code.co_name)
        step = step.tb_next
    return found


def capture(depth: int = 1) -> Site | None:
    """The innermost frame that is the user's own, not the standard library's (translated code counts as the user's)."""
    frame = sys._getframe(depth)
    while frame is not None:
        file = frame.f_code.co_filename
        if is_users(file):
            return resolve(file, frame.f_lineno, frame.f_code.co_name)
        frame = frame.f_back  # type: ignore[assignment]
    return None


def of_function(function: Any) -> Site | None:
    """Where a function, method or static function begins in the user's file."""
    original = getattr(function, "dygraph_function", function)
    original = getattr(original, "func", getattr(original, "__func__", original))
    code = getattr(original, "__code__", None)
    return None if code is None else resolve(code.co_filename, code.co_firstlineno, code.co_name)


def excerpt(site: Site, context: int = 2) -> str:
    """Five lines of the user's source around ``site``, the line itself marked by an arrow; '' when it can't be read."""
    import linecache  # only when something is shown: it costs start-up time

    if site.file == "<string>" and not any(f"def {site.function}" in text for text in linecache.getlines(site.file)):
        return ""  # the text of `python -c`, in Python 3.13, while the code comes from an `exec` of another one
    lines = []
    for number in range(max(1, site.line - context), site.line + context + 1):
        text = linecache.getline(site.file, number)
        if text:
            lines.append(f"{'-->' if number == site.line else '   '} {number:4d} | {text.rstrip()}")
    return "\n".join(lines)


def describe(site: Site) -> str:
    """``File "x.py", line 3, in f`` followed by the excerpt."""
    where = f', in {site.function}' if site.function else ""
    head = f'  File "{site.file}", line {site.line}{where}'
    body = excerpt(site)
    return f"{head}\n{body}" if body else head


def report(message: str, where: Site | None = None, rewrite: str = "") -> str:
    """The text of an error: the reason, the user's lines, and what to write instead."""
    place = "" if where is None else f"\n{describe(where)}"
    return f"{message}{place}" + (f"\n  rewrite: {rewrite}" if rewrite else "")


def located(error: Exception, what: str) -> Exception:
    """The same error with ``what`` (an operator) and the user's line in its message."""
    where = capture(2)
    text = str(error) if str(error).startswith(what) else f"{what}: {error}"
    if where is not None:
        text = f"{text}\n{describe(where)}"
    try:
        return type(error)(text)
    except TypeError:
        return error
