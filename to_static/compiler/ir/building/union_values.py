"""Union values as operator inputs: values whose Python type is decided at run time. The builder applies an operator to each option.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


def first_union(inputs: Sequence[Any]) -> Any:
    """The first of an operator's inputs, or of the lists among them, whose kind is not known yet; else None."""
    for item in inputs:
        for x in item if type(item) in (list, tuple) else (item,):
            if getattr(x, "is_union", False):
                return x
    return None


def substitute(inputs: Any, union: object, option: object) -> Any:
    """``inputs`` with ``option`` in place of ``union``."""
    cls = type(inputs)
    return (
        option
        if inputs is union
        else cls(substitute(x, union, option) for x in inputs)
        if cls in (list, tuple)
        else inputs
    )
