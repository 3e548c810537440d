"""Results of branches and loops that, on some path, are a tensor from before.

Python would hold that very tensor, and an in-place change of one would be seen through the other. A Program can't tell which tensor
it is, so in-place changes of either are refused while both have names.
"""

from __future__ import annotations

import weakref
from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.expressions import target
from to_static.ir.spec import ListSpec
from to_static.ir.tensor import Tensor
from to_static.ir.variable import Variable
from to_static.jit.jst.traced import failure


class Joined(Variable):
    """A tensor that may be one of ``sources`` (weak references) or a new one."""

    __slots__ = ("sources",)
    sources: list[Any]


class _Watch:
    """The `Joined` tensors that may be some other tensor, by the id of that tensor's handle."""

    def __init__(self) -> None:
        self._by_source: dict[int, tuple[Any, list[Any]]] = {}  # id -> (weak reference to the handle, to the joined ones)

    def add(self, source: Variable, made: Joined) -> None:
        known = self._by_source.get(id(source))
        if known is None or known[0]() is not source:
            known = self._by_source[id(source)] = (weakref.ref(source), [])
        known[1].append(weakref.ref(made))

    def __call__(self, handle: Variable) -> None:
        """Refuse an in-place change of ``handle`` that another tensor might have to see."""
        others = handle.sources if isinstance(handle, Joined) else []
        known = self._by_source.get(id(handle))
        if known is not None and known[0]() is handle:
            others = [*others, *known[1]]
        if any(other() is not None for other in others):
            name = target()
            raise failure(
                TranslationError,
                f"{name} is changed in place, but a condition or loop before decides whether another variable is the same tensor "
                "or a new one",
                f"copy it first: `{name} = {name}.clone()`",
            )


def sources_from_before(value: Any, frame: Any) -> list[Any]:
    """The tensors from outside of the block ``frame`` that its result ``value`` may be."""
    if not isinstance(value, Variable) or not _inside(value.frame, frame):
        return [value]
    if not isinstance(value, Joined):
        return []
    return [s for ref in value.sources if (source := ref()) is not None for s in sources_from_before(source, frame)]


def _inside(inner: Any, frame: Any) -> bool:
    while inner is not None and inner is not frame:
        inner = inner.parent
    return inner is frame


def check_same(a: Any, b: Any) -> None:
    """Refuse ``a is b`` where a condition or loop before decides it."""
    for one, other in ((a, b), (b, a)):
        if isinstance(one, Joined) and other is not None and one is not other and any(s() is other for s in one.sources):
            raise failure(
                TranslationError,
                "`is` asks whether two variables are the same tensor, which a condition or loop before decides",
                "keep the answer in a variable of its own: `same = True` before, `same = False` where the tensor is made",
            )


def joined(value: Variable, sources: list[Any]) -> Variable:
    """``value`` as a `Joined` when it may be one of the tensors in ``sources``."""
    tensors = [s for s in sources if isinstance(s, Tensor)]
    if not tensors or value.undecided or isinstance(value.spec, ListSpec):
        return value
    builder = value.builder
    if not isinstance(builder.check_rebind, _Watch):
        builder.check_rebind = _Watch()
    made = Joined(value.var, builder)
    made.frame = value.frame
    made.sources = [weakref.ref(s) for s in tensors]
    for source in tensors:
        builder.check_rebind.add(source if isinstance(source, Variable) else builder.capture(source), made)
    return made
