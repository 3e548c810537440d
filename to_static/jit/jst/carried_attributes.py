"""Attributes that a loop body sets: they become loop variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.expressions import shown
from to_static.jit.jst.attributes import MISSING, as_variable, before_it, name_of, words_of
from to_static.jit.jst.blocks import assign
from to_static.jit.jst.copies import Copies
from to_static.jit.jst.lacking import can_lack
from to_static.jit.jst.traced import failure
from to_static.jit.jst.unbound import Unbound


class NewAttributes(Exception):
    """The body sets attributes that the loop does not carry yet."""

    def __init__(self, attributes: list[tuple[Any, str, Any]]) -> None:
        self.attributes = attributes


def check_carried(copies: Copies, carried: frozenset[Any]) -> None:
    """Raise `NewAttributes` for what a body sets and ``carried`` has not; refuse what can't be carried."""
    found = [entry for key, entry in copies.attributes.before.items() if key not in carried]
    for owner, name, value in found:
        kind = type(owner).__name__
        if value is MISSING and not can_lack(owner, name):
            raise failure(
                TranslationError,
                f"{words_of(owner, name)} gets its first value in a tensor loop{shown()}",
                before_it(owner, name, "loop"),
            )
        if copies.outer(owner) is not None:
            raise failure(
                TranslationError,
                f"attribute {name!r} of a {kind} changes in a tensor loop{shown()} that also makes another object of it",
                f"make the object with that value, `{kind}(..., {name}=value)`, or carry the value in a variable",
            )
    if found:
        raise NewAttributes(found)


def with_attributes(
    loop: Callable[..., tuple[Any, ...]],
    test: Callable[..., Any],
    body: Callable[..., Any],
    values: tuple[Any, ...],
    names: Callable[[], list[str]],
    peels: int,
    carried: frozenset[Any],
    attributes: list[tuple[Any, str, Any]],
) -> tuple[Any, ...]:
    """``loop`` with further variables for the attributes (owner, name, value) that its body sets."""
    count = len(values)

    def inside(function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*v: Any) -> Any:
            for (owner, name, _), value in zip(attributes, v[count:], strict=True):
                assign(owner, name, value)
            return function(*v[:count])

        return run

    def step(*v: Any) -> tuple[Any, ...]:
        return (*inside(body)(*v), *(as_variable(owner, name) for owner, name, _ in attributes))

    def all_names() -> list[str]:
        return [*names(), *(name_of(owner, name) for owner, name, _ in attributes)]

    known = carried | {(id(owner), name) for owner, name, _ in attributes}
    start = (*values, *(Unbound(name) if value is MISSING else value for _, name, value in attributes))
    results = loop(inside(test), step, start, all_names, peels, known)
    for (owner, name, _), value in zip(attributes, results[count:], strict=True):
        assign(owner, name, value)
    return results[:count]
