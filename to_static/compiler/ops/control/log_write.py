"""`write`: sends text to standard error, a log or warnings in each run of a Program. (`print` is in `control`.)"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Sample, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ops.control.control import _Shown
from to_static.compiler.ops.output_tracking import written
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import ProgramError

STDERR = "standard error"


class Target(str):
    """The name of a place for texts, with the function that takes them there."""

    take: Callable[[str], Any]

    @staticmethod
    def create(name: str, take: Callable[[str], Any]) -> Target:
        """The place called ``name``."""
        target = Target(name)
        target.take = take
        return target


@op("write(X* -> ) template target", file=None, traits="effect nodiff")
def write(tensors: Any, template: str, target: str) -> Any:
    """Fill the holes of ``template`` (see `print_op`) with the tensors and take the text to ``target``, at every run."""
    return write.emit(list(tensors), template=template, target=target)


@write.infer
def _(tensors: list[TensorSpec], template: str, target: str) -> tuple[Any, ...]:
    return ()


@write.kernel
def _(xp: ArrayModule, tensors: list[Array], template: str, target: str) -> tuple[Any, ...]:
    text = template.format(*map(_Shown, tensors))
    if isinstance(target, Target):
        target.take(text)
    elif target == STDERR:
        sys.stderr.write(text)
        written.much["stderr"] += len(text)
    else:
        raise ProgramError(f"this Program was read from its text, and {target!r} is known only where it was built")
    return ()


write.samples(lambda: [Sample([np.asarray(1.5)], template="", target=STDERR)])
