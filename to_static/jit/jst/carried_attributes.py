"""Attributes that a loop body sets: they become loop variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.jit.jst.attributes import words_of
from to_static.jit.jst.blocks import assign


class NewAttributes(Exception):
    """The body sets attributes that the loop does not carry yet."""

    def __init__(self, attributes: list[tuple[Any, str, Any]]) -> None:
        self.attributes = attributes


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
        return (*inside(body)(*v), *(vars(owner)[name] for owner, name, _ in attributes))

    def all_names() -> list[str]:
        return [*names(), *(words_of(owner, name) for owner, name, _ in attributes)]

    known = carried | {(id(owner), name) for owner, name, _ in attributes}
    start = (*values, *(value for _, _, value in attributes))
    results = loop(inside(test), step, start, all_names, peels, known)
    for (owner, name, _), value in zip(attributes, results[count:], strict=True):
        assign(owner, name, value)
    return results[:count]
