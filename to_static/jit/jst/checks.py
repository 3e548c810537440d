"""``assert`` and ``print`` of translated code: done when the Program runs where tensors take part."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from typing import Any

from to_static.core import tree
from to_static.ir import mode
from to_static.ir.registry import REGISTRY
from to_static.ir.spec import TensorSpec
from to_static.ir.tensor import Tensor
from to_static.jit.jst.traced import is_traced, truth


def assert_(test: Any, message: Callable[[], Any] | None = None) -> None:
    """``assert test, message()``. A traced test is checked by the Program, with the same message."""
    if not is_traced(test):
        if not test:
            raise AssertionError(*([] if message is None else [message()]))
        return
    value = "" if message is None else message()
    if isinstance(value, Tensor):
        REGISTRY["assert"].emit(truth(test, "an assertion"), [value], message=_hole(0, value), error="AssertionError")
    else:
        REGISTRY["assert"].emit(truth(test, "an assertion"), [], message=str(value), error="AssertionError")


def print_(*args: Any, sep: str | None = " ", end: str | None = "\n", file: Any = None, flush: bool = False) -> None:
    """``print``: while a Program is built, an op that prints at every run, tensors with their numbers.

    Printing to another file than standard output, and tensors inside of containers, are Python's: once, while tracing.
    """
    elsewhere = file is not None and file is not sys.stdout
    if not mode.building() or elsewhere or not all(map(_printable, args)):
        builtins.print(*args, sep=sep, end=end, file=file, flush=flush)
        return
    tensors = [a for a in args if isinstance(a, Tensor)]
    holes = iter(range(len(tensors)))
    pieces = [_hole(next(holes), a) if isinstance(a, Tensor) else _escaped(str(a)) for a in args]
    template = _escaped(" " if sep is None else sep).join(pieces)
    REGISTRY["print"].emit(tensors, template=template, end="\n" if end is None else end)


def _hole(index: int, tensor: Tensor) -> str:
    if tensor.python_type is not None:
        return f"{{{index}:number}}"
    return f"{{{index}}}" if tensor.stop_gradient else f"{{{index}:grad}}"  # type: ignore[attr-defined]


def _printable(value: Any) -> bool:
    """True for tensors with numbers, and for values without tensors inside."""
    if isinstance(value, Tensor):
        return isinstance(value.spec, TensorSpec)
    return not any(isinstance(leaf, Tensor) for leaf in tree.flatten(value)[0])


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


