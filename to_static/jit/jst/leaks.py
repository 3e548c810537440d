"""Errors while tracing: Python's in the user's code, and those about one of our own stand-ins.

Where Python complains of a stand-in it would have met another value, so that these are refusals.
"""

from __future__ import annotations

import builtins
import os
import re
import types

from to_static.core.errors import DTypeError, ToStaticError, TracedValueError, UnboundVariableError
from to_static.core.expressions import of_error as expression_of
from to_static.core.expressions import running, users_frame
from to_static.core.instructions import instruction
from to_static.core.site import PACKAGE, capture, is_internal, of_error, report
from to_static.core.site import is_users as is_users_file
from to_static.ir import mode, strays
from to_static.ir.instead import library
from to_static.jit.contents import is_users

_OURS = re.compile(r"\b(Choice|TensorList|TensorTuple|Rows|Counted|Text|Unbound|Maybe|Number|Joined|Variable|ListSpec)\b")
_LIST = re.compile("'(ListSpec|TensorList)' .* '(ndim|shape|size)'")  # a function of paddle's asks a list for its dimensions
_SETTING = re.compile(r"property '(\w+)' of 'Variable' object has no setter")
_NUMBERS = re.compile(r"^(unsupported operand|.* not supported between)(?!.*(Choice|Tensor[LT]|Rows))")  # a number would fail, too


def leaked(error: BaseException | None) -> Exception | None:
    """The refusal in place of an error whose words name a class of ours (``'Choice' object is not iterable``), or None.

    Also of one that library code raises instead of ours, when it gets no number.
    """
    if not isinstance(error, (TypeError, AttributeError, ValueError)) or isinstance(error, ToStaticError):
        return None
    refusal, place = getattr(mode.state.mode, "refused", None) or (None, None)
    if refusal is not None and place == of_error(error) and not _is_raised(error):
        return refusal  # type: ignore[no-any-return]
    text = error.args[0] if error.args else ""
    if not isinstance(text, str) or not (_given_text(error) or (_OURS.search(text) and not _NUMBERS.search(text))):
        return None
    if (setting := _SETTING.search(text)) is not None:
        words = f"property {setting[1]!r} of a tensor has no setter"
        return AttributeError(report(words, of_error(error), "another tensor: `x = x.reshape([6])`, `x = x.astype('int64')`"))
    where, (expression, frame) = of_error(error), expression_of(error)
    if where is None:  # in a block that begins in code of ours
        where, expression, frame = capture(), running(), users_frame()
    quoted = f" in `{expression}`" if expression else ""
    if _LIST.search(text):
        return strays.of_list(expression, where)
    called, rewrite = library("*", False, expression, frame) or (
        "Python's own code",
        "compute with tensors here, or choose the value with `if` / `else` in translated code and use it in each branch",
    )
    words = f"{called} needs the value of a tensor{quoted}, which it has only when the static Program runs"
    return TracedValueError(report(words, where, rewrite))


def _given_text(error: BaseException) -> bool:
    """Whether a function of a library failed that was given a string with numbers of the Program in it."""
    trace, file = innermost(error)
    if trace is None or is_internal(file) or is_users_file(file):
        return False
    return any(getattr(type(value), "stands_for", None) is str for value in trace.tb_frame.f_locals.values())


def _is_raised(error: BaseException) -> bool:
    """Whether a `raise` of the user's or ours made an error, not a builtin."""
    trace, _ = innermost(error)
    return trace is not None and instruction(trace.tb_frame.f_code, trace.tb_lasti)[0] == "RAISE_VARARGS"


def innermost(error: BaseException) -> tuple[types.TracebackType | None, str]:
    """Where an error was raised: the entry of its traceback, and the file."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace, "" if trace is None else trace.tb_frame.f_code.co_filename


def is_the_users(error: BaseException) -> bool:
    """True for Python's errors in the user's code; ours tell what is wrong and where, and our own mistakes are to be seen.

    An operator refuses dtypes by one rule in both modes: that is an error of the user's code, too. So is what functions of ours
    raise of Python's errors in both modes, and what they meet when they do for the user what Python would have done.
    """
    trace, file = innermost(error)
    if isinstance(error, (ToStaticError, RecursionError)):
        by_rule = type(error) is DTypeError and file.endswith(os.path.join("ir", "build.py"))
        return by_rule or isinstance(error, UnboundVariableError)
    if trace is None or not is_internal(file):
        return True
    if not (hasattr(builtins, type(error).__name__) or is_users(type(error))):
        return False
    if file.removeprefix(PACKAGE).split(os.sep)[0] not in ("ir", "jit", "transpile"):
        return True  # functions that run in both modes
    name, _ = instruction(trace.tb_frame.f_code, trace.tb_lasti)
    if name == "RAISE_VARARGS" and not isinstance(error, AssertionError):
        return True
    return f"{os.sep}jst{os.sep}" in file and not name.startswith("LOAD_")  # a name or attribute that our own code lacks


def is_mistake(error: BaseException) -> bool:
    """True for errors that are neither the user's nor meant to be: mistakes of ours."""
    return isinstance(error, Exception) and not isinstance(error, (ToStaticError, RecursionError)) and not is_the_users(error)
