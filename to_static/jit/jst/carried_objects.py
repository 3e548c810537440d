"""Loop variables that are objects, of which an iteration makes others: their attributes are carried.

By value: an iteration gets an object of its own. So nobody else may hold the object from before the loop, or the one that an
iteration leaves.
"""

from __future__ import annotations

from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.expressions import shown
from to_static.jit.jst.choice import Choice, select
from to_static.jit.jst.objects import Object, is_object
from to_static.jit.jst.owners import has_other_names, reached
from to_static.jit.jst.traced import failure
from to_static.jit.jst.trees import parts


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


def settle(plan: Any, old: Any, new: Any, path: Any, copies: Any) -> None:
    """Compare the attributes before an iteration with those after it."""
    if plan.at.get(path) is not OBJECT:
        check_names(plan, path)
        plan.set(path, OBJECT)
    here = not copies.around.has(new) or copies.original(new) is not None or new is old
    if not here and (any(owner == id(new) for owner, _ in copies.attributes.before) or has_other_names(new)):
        raise _two_names(plan, path, "becomes another one that has a name already")
    for name, x in vars(old).items():
        plan.settle(x, vars(new)[name], (*path, f".{name}"), copies)


def check_names(plan: Any, path: Any) -> None:
    """An iteration makes another object: nobody else may see the one from before the loop, from the next iteration on at least."""
    value = plan.value_at(path)  # None where it has no value before the loop
    if value is not None and has_other_names(value, _others(plan, path), lambda owner, name: (id(owner), name) in plan.carried):
        if plan.peels:
            raise Peel
        raise _two_names(plan, path, "becomes another one in every iteration")


def _others(plan: Any, path: Any) -> list[Any]:
    return [v for i, v in enumerate(plan.values) if i != path[0]]


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
    for i, value in enumerate(after):
        if plan.at.get((i,)) is OBJECT:
            mine = {id(x) for x in (value.options if type(value) is Choice else [value])}
            if any(not mine.isdisjoint(reached(other)) for j, other in enumerate(after) if j != i):
                raise _two_names(plan, (i,), "is what another variable holds after an iteration,")
    return tuple(_one(x, copies) for x in after)


def _one(value: Any, copies: Any) -> Any:
    if type(value) is not Choice or not all(alike(value.options[0], x) and not copies.around.has(x) for x in value.options):
        return value
    made = object.__new__(type(value.options[0]))
    vars(made).update((name, select(value, lambda option: vars(option)[name])) for name in vars(value.options[0]))  # noqa: B023
    return made
