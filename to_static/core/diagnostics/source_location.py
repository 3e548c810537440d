"""Locations in the user's source.

A `SourceLocation` is a file and line (and function name). Generated code says what it was made of, so that frames of translated
functions are reported as lines of the user's own file.
"""

from __future__ import annotations

import itertools
import os
import re
import sys
import types
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from to_static.core.diagnostics.notebooks import cell_of
from to_static.core.diagnostics.printable import harmless, printable
from to_static.core.diagnostics.source_lines import line_in, lines_in
from to_static.core.flags import full_traceback

PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep

_LINE = 1000  # characters of a line that is shown
SYNTHETIC_FILE = "<string>"  # the file of methods that dataclasses and named tuples make, and of `eval`: who calls them is shown
_NUMPY = f"{os.sep}site-packages{os.sep}numpy{os.sep}"
_LIBRARY = os.path.dirname(os.__file__) + os.sep  # Python's own


class SourceLocation(NamedTuple):
    """A line of the user's source."""

    file: str
    line: int
    function: str = ""

    def __str__(self) -> str:
        return f"{printable(cell_of(self.file) or os.path.basename(self.file))}:{self.line}"


Span = tuple[int, int, int, int]  # first line, last line, first column, column after the last: as `co_positions` tells them


class Origin(NamedTuple):
    """The source of generated code."""

    file: str  # the user's
    lines: dict[int, int]  # generated line -> user's line
    functions: Sequence[tuple[int, int, str]] = ()  # first and last generated line, the user's function; outer ones first
    # of the parts of statements that the user wrote on several lines, by generated line; with the user's line
    statement_spans: Mapping[int, Sequence[tuple[Span, int]]] = {}
    columns: Mapping[int, int] = {}  # generated line -> where on the user's line the statement begins


_origins: dict[str, Origin] = {}  # by the name of the generated file
_users: dict[str, bool] = {}  # by the name of a file: whether its code is the user's


def register_origin(generated: str, origin: Origin) -> None:
    """Say what the generated file was made of."""
    _origins[generated] = origin
    _users.pop(generated, None)


def resolve(file: str, line: int, function: str = "") -> SourceLocation:
    """The user's site for a frame's file and line; generated lines are mapped back, to where their statement begins."""
    origin = _origins.get(file)
    if origin is None:
        return SourceLocation(file, line, function)
    if function == "<lambda>" or not function.startswith("<"):  # most functions of generated code are parts of the user's
        function = next((name for first, last, name in reversed(origin.functions) if first <= line <= last), function)
    return SourceLocation(origin.file, origin.lines.get(_mapped(origin, line), 1), function)


def column(file: str, line: int) -> int | None:
    """The column of the user's statement that a generated line was made of; None when unknown."""
    origin = _origins.get(file)
    return None if origin is None else origin.columns.get(_mapped(origin, line))


def _mapped(origin: Origin, line: int) -> int:
    """The closest line above a generated one, or itself, of which it is known what it was made of."""
    while line > 0 and line not in origin.lines:
        line -= 1
    return line


def of_instruction(code: types.CodeType, line: int, instruction: int) -> SourceLocation:
    """The user's site for the instruction of a frame or traceback: also within statements of several lines, from Python 3.11 on."""
    location = resolve(code.co_filename, line, code.co_name)
    origin = _origins.get(code.co_filename)
    if origin is None or line not in origin.statement_spans or not hasattr(code, "co_positions"):
        return location
    first, last, column, end = next(itertools.islice(code.co_positions(), max(instruction, 0) // 2, None))
    if first is None or last is None or column is None or end is None:
        return location
    enclosing = [
        (span[1] - span[0], span[3] - span[2], users)
        for span, users in origin.statement_spans[line]
        if (span[0], span[2]) <= (first, column) and (last, end) <= (span[1], span[3])
    ]
    return location._replace(line=min(enclosing)[-1]) if enclosing else location


def is_generated(file: str) -> bool:
    """True for the file name of translated code."""
    return file in _origins


def is_internal(file: str) -> bool:
    """True for our own code (and Python's frozen modules), which users need not see."""
    return (file.startswith(PACKAGE) and file not in _origins) or file.startswith("<frozen")


def is_user_file(file: str) -> bool:
    """True for code that is neither ours nor NumPy's nor the standard library's, translated or not."""
    is_users = _users.get(file)
    if is_users is None:  # asked for every frame around every operator that is traced
        origin = _origins.get(file)
        source = file if origin is None else origin.file
        library = (source.startswith(_LIBRARY) and "site-packages" not in source) or _NUMPY in source
        is_users = _users[file] = not is_internal(file) and not library
    return is_users


def of_error(error: BaseException) -> SourceLocation | None:
    """The user's line that raised an error: the innermost such frame of its traceback."""
    location, step = None, error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if is_user_file(code.co_filename) and not (location is not None and code.co_filename == SYNTHETIC_FILE):
            location = of_instruction(code, step.tb_lineno, step.tb_lasti)
        step = step.tb_next
    return location


def of_recursion(error: BaseException) -> SourceLocation | None:
    """The user's line that calls again and again until Python's stack is full: it does not depend on how full that was before."""
    counts: dict[SourceLocation, int] = {}
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if is_user_file(code.co_filename) and code.co_filename != SYNTHETIC_FILE:
            location = of_instruction(code, step.tb_lineno, step.tb_lasti)
            counts[location] = counts.get(location, 0) + 1
        step = step.tb_next
    max_count = max(counts.values(), default=0)
    return [location for location, count in counts.items() if count >= max_count - 2][-1] if counts else None


def leave_out_ours(error: BaseException) -> None:
    """Let the traceback of an error that passes through our code begin in the user's. For frames that raise it again, bare."""
    step = error.__traceback__
    while step is not None and not full_traceback.value and is_internal(step.tb_frame.f_code.co_filename):
        step = step.tb_next
    error.__traceback__ = step


def caller_file(depth: int = 1) -> str:
    """The file of the code that called the function which wants to know, or (``depth`` 2) the one that called that one."""
    return sys._getframe(depth + 1).f_code.co_filename


def capture(depth: int = 1) -> SourceLocation | None:
    """The innermost frame that is the user's own, not the standard library's (translated code counts as the user's)."""
    frame, unnamed = sys._getframe(depth), None
    while frame is not None:
        file = frame.f_code.co_filename
        if is_user_file(file):
            location = of_instruction(frame.f_code, frame.f_lineno, frame.f_lasti)
            if file != SYNTHETIC_FILE:
                return location
            unnamed = unnamed or location
        frame = frame.f_back  # type: ignore[assignment]
    return unnamed


def of_function(function: object) -> SourceLocation | None:
    """The first line of a function, method or static function in the user's file."""
    original = getattr(function, "dygraph_function", function)
    original = getattr(original, "func", getattr(original, "__func__", original))
    code = getattr(original, "__code__", None)
    return None if code is None else resolve(code.co_filename, code.co_firstlineno, code.co_name)


def excerpt(site: SourceLocation, context: int = 2) -> str:
    """Five lines of the user's source around ``site``, the line itself marked by an arrow; '' when it can't be read."""
    if site.file == "<string>" and not any(f"def {site.function}" in text for text in lines_in(site.file)):
        return ""  # the text of `python -c`, in Python 3.13, while the code comes from an `exec` of another one
    lines = []
    for line in range(max(1, site.line - context), site.line + context + 1):
        text = line_in(site.file, line)
        if text:
            lines.append(f"{'-->' if line == site.line else '   '} {line:4d} | {harmless(text.rstrip(), _LINE)}")
    return "\n".join(lines)


def describe(site: SourceLocation) -> str:
    """``File "x.py", line 3, in f`` followed by the excerpt."""
    function_text = f", in {printable(site.function)}" if site.function else ""
    cell = cell_of(site.file)
    file = f'File "{printable(site.file, _LINE)}"' if cell is None else printable(cell)
    head = f"  {file}, line {site.line}{function_text}"
    body = excerpt(site)
    return f"{head}\n{body}" if body else head


class Report(str):
    """The text of an error that knows its parts: ``reason``, ``place`` (the user's lines), ``rewrite`` (what to write instead)."""

    reason: str
    place: str
    rewrite: str

    def __new__(cls, reason: str, place: str = "", rewrite: str = "") -> Report:
        text = f"{reason}\n{place}" if place else reason
        report_text = super().__new__(cls, f"{text}\n  rewrite: {rewrite}" if rewrite else text)
        report_text.reason, report_text.place, report_text.rewrite = reason, place, rewrite
        return report_text

    def __reduce__(self) -> tuple[type[Report], tuple[str, str, str]]:
        return (Report, (self.reason, self.place, self.rewrite))


def report(message: str, location: SourceLocation | None = None, rewrite: str = "") -> Report:
    """The text of an error: the reason, the user's lines, and what to write instead."""
    return Report(message, "" if location is None else describe(location), rewrite)


def of_operator(name: str, error: Exception) -> str:
    """The text of an error, with the name of the operator that failed unless it begins with that of a function."""
    text = str(error)
    return text if text.startswith(name) or re.match(r"\w+: ", text) else f"{name}: {text}"


def located(error: Exception, operator: str) -> Exception:
    """Return ``error`` with ``operator`` and the user's line in its message."""
    location = capture(2)
    text = of_operator(operator, error)
    if location is not None and not is_internal(location.file):  # a static function may be a Layer of ours
        text = f"{text}\n{describe(location)}"
    try:
        return type(error)(text)
    except TypeError:
        return error
