"""Loop variables that are objects, of which an iteration makes others: their attributes are carried.

By value: an iteration gets an object of its own. So nobody else may hold the object from before the loop, or the one that an
iteration leaves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.expressions import shown
from to_static.core.namespace import type_of
from to_static.ir import mode
from to_static.ir.variable import Variable
from to_static.jit.contents import held
from to_static.jit.jst.choice import Choice, select
from to_static.jit.jst.copies import Copies
from to_static.jit.jst.joined import inside
from to_static.jit.jst.objects import Object, can_be_shared, is_object
from to_static.jit.jst.owners import has_other_names
from to_static.jit.jst.traced import failure
from to_static.jit.jst.trees import Chosen, Slot, parts
from to_static.jit.jst.unbound import Maybe, Unbound


class Peel(Exception):
    """A variable becomes another kind of thing, or another object, in the first trip: that one is traced before the loop."""


OBJECT = ("object",)  # how a `Plan` carries one


def part_of(value: Any, step: Any) -> Any:
    """What a step of a path leads to: an item by position, an attribute by '.name', what a name without value may have."""
    if step == "value":
        return getattr(value, "value", None)
    if isinstance(step, str):
        return getattr(value, "__dict__", {}).get(step[1:])
    items = parts(value)
    return items[step] if step < len(items) else None


def alike(old: Any, new: Any) -> bool:
    """Whether these are two objects of one class with the same attributes."""
    return is_object(old) and is_object(new) and type(old) is type(new) and list(vars(old)) == list(vars(new))


def start(plan: Any, value: Any, path: Any, init: list[Any]) -> Object:
    """The tree of an object before the loop."""
    made = Object(type(value))
    for name, x in vars(value).items():
        made.content[name] = plan.start(x, (*path, f".{name}"), init)
    return made


def settle(plan: Any, old: Any, new: Any, path: Any, copies: Any) -> bool:
    """Compare the attributes before an iteration with those after it; False where they are not enough: others see the object."""
    here = not copies.around.has(new) or copies.original(new) is not None or new is old
    if not here and (any(owner == id(new) for owner, _ in copies.attributes.before) or has_other_names(new)):
        return False
    if plan.at.get(path) is not OBJECT:
        if _has_names(plan, path):
            return False
        plan.set(path, OBJECT)
    for name, x in vars(old).items():
        plan.settle(x, vars(new)[name], (*path, f".{name}"), copies)
    return True


def _has_names(plan: Any, path: Any) -> bool:
    """Whether others see the object that a variable is before the loop: an iteration makes another one.

    Where trips may be traced before the loop, the first one is.
    """
    value = plan.value_at(path)  # None where it has no value before the loop
    if value is None or not has_other_names(value, others(plan, path), lambda owner, name: (id(owner), name) in plan.carried):
        return False
    if plan.peels:
        raise Peel
    return True


def check_names(plan: Any, path: Any) -> None:
    """Refuse to carry a list or dict by what it holds where others see it."""
    if _has_names(plan, path):
        raise _two_names(plan, path, "becomes another one in every iteration")


def others(plan: Any, path: Any) -> list[Any]:
    """What the other variables are before the loop."""
    return [v for i, v in enumerate(plan.values) if i != path[0] and plan.doubles.first.get((i,)) != path]


def _two_names(plan: Any, path: Any, what: str) -> Exception:
    kind, name = type(plan.value_at(path)).__name__, plan.names()[path[0]]
    return failure(
        TranslationError,
        f"{name} is a {kind} with another name, and {what} in a loop over tensors{shown()}",
        f"set what it holds instead of making another {kind}, or copy it: `{name} = copy.copy({name})`",
    )


def end(plan: Any, tree: Object, value: Any, path: Any, out: list[Any]) -> None:
    """The tensors of the attributes after an iteration."""
    for name, x in tree.content.items():
        plan.end(x, vars(value)[name], (*path, f".{name}"), out)


def taken(plan: Any, after: tuple[Any, ...], copies: Any) -> tuple[Any, ...]:
    """What an iteration leaves; an object of the iteration that a condition chose is a new one."""
    by_value = {path[0] for path, decision in plan.at.items() if decision is OBJECT or getattr(decision, "objects", False)}
    if by_value:
        holder: dict[int, int] = {}
        for i, value in enumerate(after):
            if is_result(plan.values[i]):
                continue  # nothing of the loop runs once it is set
            for x in _made(value, staying(copies)):
                j = holder.setdefault(x, i)
                if j != i and not by_value.isdisjoint((i, j)):
                    raise _two_names(plan, (i if i in by_value else j,), "is what another variable holds after an iteration,")
    return tuple(_one(x, copies) for x in after)


def is_result(start: Any) -> bool:
    """Whether a loop variable that is ``start`` before the loop is what a ``return`` in the loop sets."""
    return type(start) in (Unbound, Maybe) and not start.name


def _made(value: Any, stays: Callable[[Any], bool]) -> set[int]:
    """The ids of the objects and containers that a trip made, and of copies of what the loop carries, which ``value`` holds."""
    found: set[int] = set()
    todo, seen = [value], set()
    while todo:
        item = todo.pop()
        if id(item) in seen or isinstance(item, type) or stays(item):
            continue
        seen.add(id(item))
        if can_be_shared(item):
            found.add(id(item))
        todo += (held(item) or (None, []))[1]
    return found


def staying(copies: Copies) -> Callable[[Any], bool]:
    """Tells of an object whether it was there before the trip that is being traced, and is no copy of what the loop carries."""
    frame = mode.state.mode.frame

    def stays(value: Any) -> bool:
        if isinstance(value, Variable):
            return not inside(value.frame, frame)
        around = copies.around
        if not around.has(value) or copies.outer(value) is not None:
            return False
        return not around.late(value) or (type_of(value) not in (list, dict) and has_other_names(value))

    return stays


def begin(copies: Copies, trees: Any, before: Any, values: Any) -> Any:
    """What the body gets in place of the loop variables: objects that the loop carries by value are the trip's own."""
    copies.stand(before, values)
    todo = [(trees, before)]
    while todo:
        tree, value = todo.pop()
        if type(tree) is Object:
            copies.own(value)
            todo += [(x, vars(value)[name]) for name, x in tree.content.items()]
        elif type(tree) is Chosen:
            todo += zip(tree.options, value.options, strict=True)
        elif type(tree) is Maybe:
            todo.append((tree.value, value.value))
        elif type(tree) is not Slot and value is not tree:
            if type_of(value) in (list, dict):
                copies.own(value)
            todo += zip(parts(tree), parts(value), strict=True)
    return copies.take(before)


def _one(value: Any, copies: Any) -> Any:
    if type(value) is not Choice or not all(alike(value.options[0], x) and not copies.around.has(x) for x in value.options):
        return value
    made = object.__new__(type(value.options[0]))
    vars(made).update((name, select(value, lambda option: vars(option)[name])) for name in vars(value.options[0]))  # noqa: B023
    return made
