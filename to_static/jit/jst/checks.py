"""``assert`` and ``print`` of translated code: done when the Program runs where tensors take part."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from typing import Any

from to_static.core.errors import TracedValueError, TranslationError
from to_static.ir import mode
from to_static.ir.edit import has
from to_static.ir.registry import REGISTRY
from to_static.jit.jst import streams
from to_static.jit.jst.blocks import BlockRaises, raises
from to_static.jit.jst.branch import if_
from to_static.jit.jst.catching import check_uncaught
from to_static.jit.jst.chosen import chosen
from to_static.jit.jst.special import asked
from to_static.jit.jst.text import pieces_of, template, text, worded
from to_static.jit.jst.traced import is_traced, truth


def assert_(test: Any, message: Callable[[], Any] | None = None) -> None:
    """``assert test, message()``. A traced test is checked by the Program, with the same message."""
    test = asked(test)
    if not is_traced(test):
        if not test:
            raise raises(AssertionError(*([] if message is None else [message()])))
        return
    condition = truth(test, "an assertion")
    if message is not None and _acts(message):
        if_(condition, None, lambda: _fail(message))
        return
    check_uncaught(AssertionError)
    chosen(lambda words: _assert(condition, words), "" if message is None else message())


def _acts(message: Callable[[], Any]) -> bool:
    """True when making the message may fail, or does what the user sees: then it is made only for an assertion that fails."""
    try:
        traced = mode.state.mode.trace_block(message)
    except (TranslationError, TracedValueError):
        raise
    except (Exception, BlockRaises):
        return True
    return any(has(op, "effect") or has(op, "fails") for op in traced.block.walk())


def _fail(message: Callable[[], Any]) -> Any:
    raise raises(AssertionError(message()))


def _assert(condition: Any, message: Any) -> None:
    tensors, words = template(pieces_of(message))
    REGISTRY["assert"].emit(condition, tensors, message=words if tensors else unescaped(words), error="AssertionError")


def print_(*args: Any, sep: Any = " ", end: Any = "\n", file: Any = None, flush: bool = False) -> None:
    """``print``: while a Program is built, an op that prints at every run, tensors with their numbers.

    Printing to another file than the standard streams is Python's: while tracing.
    """
    if not mode.building():
        builtins.print(*args, sep=sep, end=end, file=file, flush=flush)
        return
    sep, end = " " if sep is None else sep, "\n" if end is None else end
    parts = [part for i, value in enumerate(args) for part in ([sep, value] if i else [value])] + [end]
    if file is not None and file is sys.stderr:
        streams.to_stderr(parts)
    elif (file is None or file is sys.stdout) and not streams.redirected():
        chosen(_print, (sep, end, *map(worded, args)))
    else:
        streams.elsewhere(sys.stdout if file is None else file, text(*((part, "", "") for part in parts)))


def _print(parts: tuple[Any, ...]) -> None:
    sep, end, *args = parts
    pieces: list[Any] = []
    for i, value in enumerate(args):
        pieces += ([sep] if i else []) + pieces_of(value)
    tensors, words = template(pieces)
    REGISTRY["print"].emit(tensors, template=words, end=end)


def unescaped(words: str) -> str:
    """A template without holes as the text it stands for."""
    return words.replace("{{", "{").replace("}}", "}")
