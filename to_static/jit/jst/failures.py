"""Errors that a tensor may decide, as values: what ``try`` of translated code knows of an error that the Program meets, or not."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from to_static.ir import mode
from to_static.ir.number import number
from to_static.ir.registry import FUNCTIONS
from to_static.jit.jst.blocks import catches_here, made_error, raises
from to_static.jit.jst.branch import if_
from to_static.jit.jst.choice import Choice, any_of
from to_static.jit.jst.levels import Back
from to_static.jit.jst.traced import inside_block
from to_static.ops.control import made_of


class Failure(tuple[Any, ...]):
    """An error to be: its arguments and attributes, which branches and loops may join."""

    __slots__ = ()
    raised: type[BaseException]
    names: tuple[str, ...]  # of the attributes, whose values come last

    def __new__(cls, *items: Any) -> Failure:
        return super().__new__(cls, items)

    @property
    def error(self) -> BaseException:
        """The error itself."""
        count = len(self) - len(self.names)
        made = made_of(self.raised, self[:count])
        for name, value in zip(self.names, self[count:], strict=True):
            setattr(made, name, value)
        return made


@functools.cache
def _kind(raised: Any, names: tuple[str, ...]) -> type[Failure]:
    return type("Failure", (Failure,), {"__slots__": (), "raised": raised, "names": names})


def failing(error: Any) -> Any:
    """``raise error``: raised at once where Python knows that it comes here, else as a value."""
    if type(error) is Choice:
        return Choice(FUNCTIONS["assign"](error.which), [failing_of(made_error(x)) for x in error.options])
    made = made_error(error)
    if not inside_block() or catches_here():
        raise made
    return failing_of(made)


def failing_of(made: BaseException) -> Failure:
    """An error as a value."""
    own = {name: value for name, value in vars(made).items() if not name.startswith("__")}
    kind: Any = type(made)
    args = made.__reduce__()[1]  # those that the class was called with: an OSError keeps its file name elsewhere
    return _kind(kind, tuple(own))(*args, *own.values())


def kinds(*given: Any) -> tuple[Any, ...]:
    """The classes of a ``try`` in one tuple, none for all; without those that carry refusals through the user's code."""
    flat: list[Any] = []
    for kind in given or (BaseException,):
        flat += kind if isinstance(kind, tuple) else (kind,)
    every = [k for k in BaseException.__subclasses__() if k is not Back] if mode.building() else [BaseException]
    return tuple(k for kind in flat for k in (every if kind is BaseException else (kind,)))


def _options(failure: Any) -> list[Any]:
    return failure.options if type(failure) is Choice else [failure]


def _is(option: Any, kind: Any) -> bool:
    raised = option.raised if isinstance(option, Failure) else type(option)
    return issubclass(raised, kind)


def catches(failure: Any, kind: Any) -> Any:
    """Whether ``except kind`` catches an error; a bool of the Program where that depends on which of several it is."""
    options = _options(failure)
    if not (isinstance(kind, tuple) or (isinstance(kind, type) and issubclass(kind, BaseException))):
        raise TypeError("catching classes that do not inherit from BaseException is not allowed")
    fits = [i for i, option in enumerate(options) if _is(option, kind)]
    if len(fits) == len(options):
        return True
    found = any_of(failure, fits) if fits else False
    return found if isinstance(found, bool) else number(found)


def error(failure: Any, kind: Any = BaseException) -> Any:
    """The error that ``except kind as name`` binds."""
    options = _options(failure)
    fits = [i for i, option in enumerate(options) if _is(option, kind)]
    made = [options[i].error if isinstance(options[i], Failure) else options[i] for i in fits]
    if len(made) == 1:
        return made[0]
    places = np.asarray([fits.index(i) if i in fits else 0 for i in range(len(options))], "int64")
    return Choice(mode.state.mode.constant(places)[failure.which], made)


def again(failure: Any) -> Any:
    """``raise`` of a value that is an error: what comes back is to be raised."""
    found = error(failure)
    return _each(found, 0) if type(found) is Choice else found


def _each(found: Choice, index: int) -> Any:
    option = found.options[index]
    if index == len(found.options) - 1:
        return option
    return if_(found._is(index), lambda: _throw(option), lambda: _throw(_each(found, index + 1)))


def _throw(made: BaseException) -> Any:
    raise raises(made, escapes=True)
