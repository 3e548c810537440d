"""Lists and dicts that a loop meets under several names: each is carried once, so that it stays one object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.expressions import shown
from to_static.core.namespace import type_of
from to_static.jit.jst.carried_objects import Peel, staying
from to_static.jit.jst.carry import place
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.owners import has_other_names
from to_static.jit.jst.traced import failure
from to_static.jit.jst.trees import describe
from to_static.jit.jst.unbound import Maybe

Path = tuple[Any, ...]


class Doubles:
    """Which paths into the loop variables lead to one list or dict, before an iteration and after it."""

    def __init__(self) -> None:
        self._trees: dict[int, tuple[Any, Path, Any]] = {}  # id of an object before the loop -> it, its first path, its tree
        self.first: dict[Path, Path] = {}  # another path to an object -> its first one
        self.begin(())

    def begin(self, left: tuple[Any, ...]) -> None:
        """The iteration that ``left`` these values is about to be looked at."""
        self._left = left
        self._after: dict[Path, Any] = {}  # what is there after it
        self._paths: dict[int, Path] = {}

    def tree(self, value: Any, path: Path, make: Callable[[], Any]) -> Any:
        """The tree of an object before the loop: the one of its first path, or a new one from ``make``."""
        if id(value) in self._trees:
            _, self.first[path], tree = self._trees[id(value)]
            return tree
        tree = make()
        self._trees[id(value)] = value, path, tree
        return tree

    def settled(self, new: Any, path: Path, plan: Any, copies: Any) -> bool:
        """Whether ``new``, which an iteration left at ``path``, is looked after at another path.

        Names of one object must stay that, and names of two as well: else another trip is traced before the loop.
        """
        outer = copies.outer(new)
        known = new if outer is None else outer
        first = self.first.get(path)
        if first is not None:
            if self._after[first] is not known:
                raise _changed(plan, first, path, type(new).__name__, "are one {}", "makes them two")
            return True
        self._after[path] = known
        other = self._paths.setdefault(id(known), path) if isinstance(new, (list, dict, TensorList)) else path
        if other != path:
            raise _changed(plan, other, path, type(new).__name__, "are two {}s", "makes them one")
        return False

    def is_around(self, new: Any, old: Any, path: Path, plan: Any, copies: Any) -> bool:
        """Whether an iteration left, in place of ``old``, a list or dict from around the loop that has a name there."""
        if any(isinstance(step, str) and step[0] == "." for step in path):
            return False  # of an object that becomes another one: what has names is looked after there
        new = new.value if type(new) is Maybe else new
        known = (isinstance(new, TensorList) or type_of(new) in (list, dict)) and staying(copies)(new)
        if not known or copies.outer(old) is new:
            return False
        others = [x for i, x in enumerate(self._left) if i != path[0]]
        return has_other_names(new, others, lambda owner, name: (id(owner), name) in plan.carried)


def takes_another(name: str, path: Path, new: Any, peels: int) -> BaseException:
    """For a variable that becomes a list or dict which has other names: from the second trip on it is that from the start."""
    if peels:
        return Peel()
    new = new.value if type(new) is Maybe else new
    return failure(
        TranslationError,
        f"{place(name, path)} becomes {describe(new)} that has another name, in a loop over tensors{shown()}",
        f"set it before the loop, or take a copy: `{name} = list({name})`",
    )


def _changed(plan: Any, one: Path, other: Path, kind: str, before: str, after: str) -> BaseException:
    if plan.peels:
        return Peel()
    first, second = (place(plan.name(path), path) for path in (one, other))
    return failure(
        TranslationError,
        f"{first} and {second} {before.format(kind)} before a loop over tensors{shown()}, and an iteration {after}",
        f"copy it: `{second} = {kind}({first})`, where both are to be the same, and before the loop",
    )
