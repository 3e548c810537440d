"""How much is left to the Program: a trace that meets what it can't build begins again on the next level.

On level 0, the one of nearly all traces, library code is called directly, and two numbers that branches leave are one number of the
Program. A value of several kinds (`Choice`) is not what library code expects; from level 1 on it is called with each kind. A
number that must be known when the Program is built (an axis, ``reduction=``) is not known any more once it is one of the Program;
on level 2 numbers that branches leave are options of a `Choice`.
"""

from __future__ import annotations

from typing import Any

from to_static.core.errors import ToStaticError, TracedValueError
from to_static.ir import mode
from to_static.jit.jst.leaks import is_the_users

CALLS, NUMBERS = LEVELS = 1, 2


class Back(BaseException):
    """A trace goes back to where something began: `except` and `with` of the user's are not told of it."""


class Wider(Back):
    """Ends a trace that the next level may do better."""


class Exactly(Back):
    """Ends a trace in which the function asks whether gradients are recorded; the next records them only where the call does."""


def ways() -> dict[str, Any]:
    """How the running trace wants functions to be translated (see `transpile_function`)."""
    return {"wide": level() >= CALLS}


def level() -> int:
    """The level of the running trace."""
    return getattr(mode.state.mode, "level", 0)


def ask() -> None:
    """Called when library code takes a value of several kinds for one of them: ends the trace where it can begin again."""
    if level() == 0 and mode.building() and mode.state.mode.can_begin_again():
        raise Wider


def may_help(error: Exception) -> bool:
    """Whether the next level may do what this error refuses."""
    if isinstance(error, TracedValueError) or "<one of " in str(error):
        return True
    return not isinstance(error, ToStaticError) and not is_the_users(error)
