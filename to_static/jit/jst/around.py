"""The objects around a branch or loop body: what they hold must be the same after the block was traced.

Variables, lists, dicts and attributes that a block changes are joined and carried. Anything else would change while tracing,
whether or not, and however often, the Program runs the block. `Around` looks at all objects that the block can reach, before
and after.
"""

from __future__ import annotations

import collections
import random
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.core.errors import TranslationError
from to_static.core.expressions import shown
from to_static.core.site import is_internal, report
from to_static.ir.variable import Variable
from to_static.jit.contents import Held, changed, held, kept_by_class
from to_static.jit.jst.attributes import words_of
from to_static.jit.jst.growth import Grows
from to_static.jit.jst.table_kinds import DICTS, can_be_table
from to_static.jit.jst.traced import failure
from to_static.jit.watch import names_of
from to_static.nn.layer import Layer
from to_static.transpile import is_translated
from to_static.transpile.context import LIBRARIES

LIMIT = 20_000  # objects that are looked at, at most
def _numpys() -> Any:
    state = np.random.get_state()
    return state[1].tobytes(), state[2:]  # type: ignore[index]


_DRAWS = {"random": random.getstate, "numpy.random": _numpys}


class Around:
    """What the objects hold that can be reached from ``roots``: functions, with what these read, and values."""

    def __init__(self, *roots: Any) -> None:
        self._known: dict[int, tuple[Any, Held]] = {}
        self._draws = {name: state() for name, state in _DRAWS.items()}
        self.add(*roots)
        self._first = frozenset(self._known)  # what was reached later may have been made by the block

    def add(self, *roots: Any) -> None:
        """Look at these as well (before anything changes them)."""
        todo = list(roots)
        for root in roots:
            if type(root) is types.FunctionType and not is_internal(root.__code__.co_filename):
                todo += _globals(root)
        while todo and len(self._known) < LIMIT:
            value = todo.pop()
            if id(value) in self._known:
                continue
            found = held(value)
            if found is not None:
                self._known[id(value)] = (value, found)
                todo += found[1]
                if type(value) is types.FunctionType and is_translated(value.__code__):
                    todo += _globals(value)
                todo += kept_by_class(value)

    def has(self, value: Any) -> bool:
        """True when this object was there before the block, as far as one can see."""
        return id(value) in self._known

    def late(self, value: Any) -> bool:
        """True when this object was met only while the block was traced."""
        return id(value) not in self._first

    def check(self) -> None:
        """Raise TranslationError when something holds other things now."""
        for name, state in _DRAWS.items():
            if state() != self._draws[name]:
                raise failure(
                    TranslationError,
                    f"Python's `{name}` draws numbers under a tensor condition or in a tensor loop{shown()}: that happens while "
                    "the Program is built, not when it runs",
                    "`paddle.rand([1])`, `paddle.randint(0, 6, [1])` and the like; or draw before the condition or loop",
                )
        for value, before in self._known.values():
            if changed(before, held(value)):
                if can_be_table(value) and type(value) is not dict:
                    _taken_back(value, before)
                    raise Grows(value)
                raise failure(TranslationError, *self._words(value))

    def changed(self, name: str, where: Any) -> bool:
        """Whether the trace of function ``name`` changed an object, so that another call has to trace again.

        Raises TranslationError, after taking it away, when a tensor of the Program is left in one.
        """
        found = False
        for value, before in self._known.values():
            now = held(value)
            if isinstance(value, Layer) or not changed(before, now):  # what Layers hold is seen by `layer_writes`
                continue
            found = True
            if now is not None and any(isinstance(x, Variable) for x in now[1]):
                what = _taken_back(value, before)
                raise TranslationError(
                    report(
                        f"{name}() leaves a tensor of the Program in {what}, which outlives the call: the tensor has a value only "
                        "when the Program runs",
                        where,
                        "return the tensor and keep the result, `kept.append(f(x))`, or register a buffer of a Layer",
                    )
                )
        return found

    def same(self, but: Callable[[Any], bool] = lambda value: False) -> bool:
        """Whether all objects (``but`` some) hold what they held before, and Python drew no random numbers."""
        moved = any(state() != self._draws[name] for name, state in _DRAWS.items())
        return not moved and not any(changed(before, held(value)) for value, before in self._known.values() if not but(value))

    def take_back_containers(self) -> None:
        """Give dicts, sets and deques what they held before."""
        for value, before in self._known.values():
            if type(value) in (set, collections.deque, *DICTS) and changed(before, held(value)):
                _taken_back(value, before)

    def _words(self, value: Any) -> tuple[str, str]:
        kind = type(value).__name__
        article = "an" if kind[0] in "aeiouAEIOU" or kind == "ndarray" else "a"
        return (
            f"{article} {kind}{self._place(value)} changes under a tensor condition or in a tensor loop{shown()}: Python makes "
            "such a change once, while the Program is built, whatever the tensors are then",
            "make the change before or after the condition or loop, or keep the value in a variable or list of the function",
        )

    def _place(self, value: Any) -> str:
        """Who holds it: the attribute or variable."""
        for owner, _ in self._known.values():
            if type(owner) is types.FunctionType:
                for name, cell in zip(owner.__code__.co_freevars, owner.__closure__ or (), strict=True):
                    if _contents(cell) is value and is_translated(owner.__code__):
                        return f" ({name!r})"
                for name in names_of(owner.__code__)[1]:
                    if owner.__globals__.get(name) is value:
                        return f" (the global {name!r})"
        for owner, _ in self._known.values():
            for name, held_by in getattr(owner, "__dict__", {}).items():
                if held_by is value and type(owner) is not types.FunctionType:
                    return f" ({words_of(owner, name)})"
        return ""


def _taken_back(value: Any, before: Held) -> str:
    """Give an object what it held before; says which attribute holds a tensor of the Program now."""
    kind = type(value).__name__
    if type(value) in (list, set, collections.deque, *DICTS):
        value.clear()
        half = len(before[1]) // 2
        if type(value) is collections.OrderedDict:
            value.update(zip(before[1][::2], before[1][1::2], strict=True))
        elif isinstance(value, dict):
            value.update(zip(before[1][:half], before[1][half:], strict=True))
        else:
            (value.update if type(value) is set else value.extend)(before[1])
        return f"a {kind}"
    names = [name for name, item in getattr(value, "__dict__", {}).items() if isinstance(item, Variable)]
    for name in names:
        del vars(value)[name]
    if names and type(before[0]) is tuple:
        vars(value).update(zip(before[0][1], before[1], strict=False))
    return f"attribute {names[0]!r} of a {kind}" if names else f"a {kind}"


def _globals(function: types.FunctionType) -> list[Any]:
    """The globals that a function mentions, and what it may read of modules among them."""
    space = function.__globals__
    mentioned, names = names_of(function.__code__)
    found = [space[name] for name in names if name in space]
    for module in [x for x in found if isinstance(x, types.ModuleType) and x.__name__.split(".")[0] not in LIBRARIES]:
        found += [vars(module)[name] for name in mentioned if name in vars(module)]
    return found


def _contents(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None
