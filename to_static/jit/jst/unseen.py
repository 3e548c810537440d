"""What Python takes from an iterator where tensors may have ended the loop over it: nobody may see that it was taken.

Which items there are is known when the Program is built, and each has its condition in the Program: whether the loop goes on. What
computes an item while Python takes it, a generator say, is under no condition. It may compute. It must not print, draw random
numbers or change what others see.
"""

from __future__ import annotations

import gc
import itertools
import sys
from collections.abc import Iterator
from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.expressions import shown
from to_static.core.namespace import type_of
from to_static.ir import mode
from to_static.ir.edit import contains
from to_static.ir.tensor import Tensor
from to_static.jit.jst.growth import WALKED
from to_static.jit.jst.leaks import is_the_users
from to_static.jit.jst.levels import push
from to_static.jit.jst.owners import has_other_names
from to_static.jit.jst.traced import failure
from to_static.jit.reach import Reach

_LEAVES = (*WALKED, type(iter({})), type(iter({}.values())), type(iter({}.items())), type(reversed([])), itertools.count)
_NODES = (enumerate, zip)


class _Taking(Reach):
    """What an iterator leads to, before it gives an item."""

    def tensors(self) -> Iterator[tuple[Any, Any]]:
        """The tensors, each with the value that it has now in the Program."""
        for _, (_, inner) in list(self._known.values()):
            yield from ((x, _value(x)) for x in inner if isinstance(x, Tensor))


def _value(tensor: Any) -> Any:
    known = mode.state.mode.captured.get(id(tensor))
    ssa = getattr(tensor if known is None else known[1], "ssa", None)
    return ssa if ssa is None or known is None or ssa.op is not None else None  # None: the value that it came with


def take(iterator: Any, *seen: Any) -> Any:
    """``next(iterator)``, which nobody notices; refused where somebody may. ``seen``: values that others have as well."""
    if _is_plain(iterator):
        return next(iterator)
    before = _Taking(iterator)
    tensors = list(before.tensors())
    ops = mode.state.mode.frame.block.ops
    first = len(ops)
    try:
        return next(iterator)
    finally:
        _check_ops(ops[first:])
        if before.drawn():
            raise refusal("it draws random numbers")
        changed = [value for value, _, _ in before.changes()] + [x for x, value in tensors if _value(x) is not value]
        for value in changed:
            if value is not iterator and has_other_names(value, seen, apart=iterator):
                kind = "Tensor" if isinstance(value, Tensor) else getattr(value, "stands_for", type_of(value)).__name__
                raise refusal(f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind} changes")


class Failed:
    """In place of an item: computing it raised an error, which Python would have only if it came here."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def again(self, *_: Any) -> Any:
        raise self.error


def attempt(iterator: Any, *seen: Any) -> Any:
    """The next item, or a `Failed`."""
    try:
        return take(iterator, *seen)
    except StopIteration:
        raise
    except Exception as error:
        if not is_the_users(error):
            raise
        return Failed(error)


def _is_plain(iterator: Any) -> bool:
    """Whether taking an item runs nothing of the user's and moves no iterator that has another name."""
    if type(iterator) in _LEAVES:
        return True
    if type(iterator) not in _NODES:
        return False
    inner = [x for part in gc.get_referents(iterator) for x in (part if type(part) is tuple else (part,))]
    moving = [x for x in inner if hasattr(x, "__next__")]
    # which is known to: the iterator, both lists, the variable of the loop in `all`, and `sys.getrefcount`
    return all(sys.getrefcount(x) <= 5 and _is_plain(x) for x in moving)


def _check_ops(ops: list[Any]) -> None:
    for op in ops:
        if contains(op, "random"):
            raise refusal("it draws random numbers")
        for one in (op, *(x for block in op.blocks for x in block.walk())):
            if one.opdef.name != "assert" and "effect" in one.opdef.traits:
                raise refusal("it prints or writes")
        if contains(op, "fails") or contains(op, "effect"):
            mode.state.mode.holds_errors = True  # Python, which may not have come here, is asked for what happens then


def refusal(what: str) -> Exception:
    """The refusal of taking an item, which does ``what``."""
    push()
    return failure(
        TranslationError,
        f"tensors may have ended a loop{shown()} before its iterator is asked for the next item, and that can be seen: {what}",
        "a loop over a list, with what computes the item in its body: `for v in values: item = f(v)`; or, where all items may be "
        "computed, `items = list(...)` before the loop",
    )
