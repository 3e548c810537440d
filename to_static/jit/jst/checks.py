"""``assert`` and ``print`` of translated code: done when the Program runs where tensors take part."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from typing import Any

from to_static.ir import mode
from to_static.ir.registry import REGISTRY
from to_static.jit.jst.blocks import check_uncaught, raises
from to_static.jit.jst.chosen import chosen
from to_static.jit.jst.text import pieces_of, template
from to_static.jit.jst.traced import is_traced, truth


def assert_(test: Any, message: Callable[[], Any] | None = None) -> None:
    """``assert test, message()``. A traced test is checked by the Program, with the same message."""
    if not is_traced(test):
        if not test:
            raise raises(AssertionError(*([] if message is None else [message()])))
        return
    condition = truth(test, "an assertion")
    check_uncaught(AssertionError)
    chosen(lambda text: _assert(condition, text), "" if message is None else message())


def _assert(condition: Any, message: Any) -> None:
    tensors, words = template(pieces_of(message))
    REGISTRY["assert"].emit(condition, tensors, message=words if tensors else unescaped(words), error="AssertionError")


def print_(*args: Any, sep: Any = " ", end: Any = "\n", file: Any = None, flush: bool = False) -> None:
    """``print``: while a Program is built, an op that prints at every run, tensors with their numbers.

    Printing to another file than standard output is Python's: once, while tracing.
    """
    elsewhere = file is not None and file is not sys.stdout
    if not mode.building() or elsewhere:
        builtins.print(*args, sep=sep, end=end, file=file, flush=flush)
        return
    chosen(_print, (" " if sep is None else sep, "\n" if end is None else end, *args))


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
