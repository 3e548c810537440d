"""Results of branches and loops that, on some path, are a tensor from before.

Python would hold that very tensor, and an in-place change would reach all its other names. A Program can't tell which tensor
it is, so an in-place change is refused while such another name exists.
"""

from __future__ import annotations

import weakref
from typing import Any

from to_static.core.errors import TranslationError
from to_static.ir.spec import ListSpec
from to_static.ir.tensor import Tensor
from to_static.ir.variable import Variable
from to_static.jit.jst.traced import failure


class Joined(Variable):
    """A tensor that may be one of ``sources`` (weak references) or a new one."""

    __slots__ = ("sources",)
    sources: list[Any]

    def _become(self, new: Any) -> Variable:
        if any(source() is not None for source in self.sources):
            raise failure(
                TranslationError,
                "this tensor is changed in place, but a condition or loop before decides whether it is a tensor that has "
                "other names or a new one. Copy it first: x = x.clone()",
            )
        return super()._become(new)


def joined(value: Variable, sources: list[Any]) -> Variable:
    """``value`` as a `Joined` when it may be one of the tensors in ``sources``."""
    kept = [weakref.ref(s) for s in sources if isinstance(s, Tensor)]
    if not kept or isinstance(value.spec, ListSpec):
        return value
    made = Joined(value.var, value.builder)
    made.frame = value.frame
    made.sources = kept
    return made
