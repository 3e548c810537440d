"""Errors as the user's own: tracebacks without our frames, and with lines of the user's file instead of translated ones.

Set TO_STATIC_FULL_TRACEBACK=1 to see everything.
"""

from __future__ import annotations

import ast
import functools
import sys
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from to_static.core.code_generation import compiled
from to_static.core.diagnostics import source_location
from to_static.core.diagnostics.error_hints import note_meaning
from to_static.core.errors import DTypeError, ShapeError, TranslationError
from to_static.core.flags import full_traceback

if TYPE_CHECKING:
    from types import TracebackType

_PLACELESS = (ShapeError, DTypeError)  # raised by functions that know nothing of lines
F = TypeVar("F", bound=Callable[..., Any])


def of_user(error: BaseException) -> None:
    """Reduce the traceback of an error to the user's frames."""
    note_meaning(error)
    if full_traceback.value:
        return
    entries: list[types.TracebackType] = []
    text: tuple[str, ...] = ()  # the translated text and the user's function that the last kept frame is in
    for step in _steps(error.__traceback__):
        code = step.tb_frame.f_code
        file = code.co_filename
        if source_location.is_generated(file):
            location = source_location.of_instruction(code, step.tb_lineno, step.tb_lasti)
            if text == (file, location.function) and (code.co_name != location.function or location.function == "<lambda>"):
                entries.pop()  # a branch or loop body of the same function: the inner line is the one that failed
            entries.append(_as_written(location))
            text = (file, location.function)
        elif not source_location.is_internal(file) and not file.startswith("<plan"):
            entries.append(step)
            text = ()
    location = error.__dict__.pop("__user_site__", None)
    if location is not None:  # an operator of the Program failed: its line called it
        entries.append(_as_written(location))
    for linked_error in {id(e): e for e in (error.__cause__, error.__context__) if e is not None and not _is_ours(e)}.values():
        of_user(linked_error)
    if error.__cause__ is not None and _is_ours(error.__cause__):  # where a plan failed tells nothing that the error does not
        error.__cause__ = None
        error.__suppress_context__ = True
    _leave_out_causes(error)
    error.__traceback__ = _chained(entries)
    if location is None and text and type(error) in _PLACELESS and len(error.args) == 1:
        location = source_location.of_error(error)
        # an operator's function refused what it was given
        if location is not None and not source_location.is_internal(location.file) and "\n  File " not in str(error):
            error.args = (source_location.report(str(error), location),)


def for_users(function: F) -> F:
    """A function of ours whose errors show the frames of its users only."""

    @functools.wraps(function)
    def with_user_traceback(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            __tracebackhide__ = True
            of_user(error)
            if sys.version_info < (3, 11):  # a bare `raise` brings the old traceback back there
                raise error
            raise

    return with_user_traceback  # type: ignore[return-value]


def _chained(entries: list[types.TracebackType]) -> Any:
    chain: Any = None
    for frame in reversed(entries):
        chain = types.TracebackType(chain, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
    return chain


def of_uncaught(error: BaseException, trace: TracebackType | None) -> BaseException:
    """The error to print for one that nothing caught: with the user's frames, and notes."""
    note_meaning(error)
    steps = _steps(trace, last=False)
    entries = [step for step in steps if not source_location.is_internal(step.tb_frame.f_code.co_filename)]
    if entries and not full_traceback.value:
        error = error.with_traceback(_chained(entries))
        if isinstance(error, TranslationError):  # its text has the place, which Python would print once more
            error.filename = error.lineno = None
        _leave_out_causes(error, library=steps[-1] is not entries[-1])
    return error


def _steps(trace: TracebackType | None, last: bool = True) -> list[types.TracebackType]:
    """The frames of a traceback, without those of Python's library by which ours call ours (`contextlib`, `functools`).

    ``last``: with those that ours called last, in which the error was raised.
    """
    steps: list[types.TracebackType] = []
    library_frames: list[types.TracebackType] | None = None  # frames of the library since the last of ours
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if source_location.is_internal(file):
            steps.append(trace)
            library_frames = []
        elif library_frames is not None and not source_location.is_user_file(file):
            library_frames.append(trace)
        else:
            steps += [*(library_frames or ()), trace]
            library_frames = None
        trace = trace.tb_next
    return steps + (library_frames or [] if last else [])


def _leave_out_causes(error: BaseException, library: bool = False) -> None:
    """Nothing of "During handling of the above exception" where ours handled one of ours, or Python's ``library`` one for ours."""
    while error.__context__ is not None and _is_ours(error.__context__, library):
        error.__context__ = error.__context__.__context__


def _is_ours(error: BaseException, library: bool = False) -> bool:
    """Return whether an error never left us: none of the frames is the user's (nor Python's, unless ours called ``library``)."""
    step = error.__traceback__
    while step is not None:
        file = step.tb_frame.f_code.co_filename
        if (
            not source_location.is_internal(file)
            and not file.startswith("<plan")
            and (source_location.is_user_file(file) or not library)
        ):
            return False
        step = step.tb_next
    return error.__traceback__ is not None


def _as_written(location: source_location.SourceLocation) -> types.TracebackType:
    """A traceback entry at the user's line ``location``, in place of one in translated code.

    An entry shows the file and function of its frame's code, so a frame is made whose code says what the user wrote.
    """
    line = location.line
    position = {"lineno": line, "end_lineno": line, "col_offset": -1, "end_col_offset": -1}  # no part of it is marked
    tree = ast.Module([ast.Raise(ast.Name("_error", ast.Load(), **position), None, **position)], [])
    fake = compiled(tree, location.file).replace(co_name=location.function or "<module>")
    try:
        exec(fake, {"_error": _Stop()})
    except _Stop as stop:
        trace = stop.__traceback__
        assert trace is not None and trace.tb_next is not None
        return trace.tb_next
    raise AssertionError("the code of a traceback entry raises")


class _Stop(Exception):
    """Raised to get a frame."""

