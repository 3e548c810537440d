"""Questions about objects rather than values: ``is``, ``id()``, ``isinstance()``, ``type()``, ``hasattr()``."""

from __future__ import annotations

import builtins
from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.expressions import quoted, shown
from to_static.eager.tensor import EagerTensor
from to_static.ir import mode
from to_static.ir.number import Number, attribute, number
from to_static.ir.registry import FUNCTIONS
from to_static.ir.tensor import Tensor
from to_static.ir.variable import Variable
from to_static.jit.jst.blocks import known_as
from to_static.jit.jst.branch import if_
from to_static.jit.jst.catching import caught
from to_static.jit.jst.choice import Choice, select, test
from to_static.jit.jst.chosen import chosen, options_of, over
from to_static.jit.jst.counted import Counted
from to_static.jit.jst.groups import Grouped, same
from to_static.jit.jst.joined import Joined, numbers, same_tensor
from to_static.jit.jst.lacking import has, lacks
from to_static.jit.jst.plain_iterators import PlainIterator
from to_static.jit.jst.stands import Stand
from to_static.jit.jst.stops import asked_stop
from to_static.jit.jst.text import Text
from to_static.jit.jst.traced import failure, is_tensor
from to_static.transpile.scopes import STOPS


def id_(value: Any) -> int:
    """``id``; refused where a condition or loop before decides which object it is."""
    if type(value) is Choice or (isinstance(value, Joined) and numbers().others(value)):
        raise failure(
            TranslationError,
            f"id() asks which object it is{quoted()}, which a condition or loop before decides",
            "compare the objects themselves: `a is b`",
        )
    return builtins.id(known_as(value)[-1])  # a block has copies of lists and dicts


def is_(a: Any, b: Any) -> Any:
    """``a is b``; for values that depend on tensors the Program answers."""
    if type(b) is Choice:
        a, b = b, a
    if isinstance(a, Grouped) and isinstance(b, Grouped):
        return True if a is b else same(a, b)
    if type(a) is not Choice:
        truths = isinstance(a, Number) + isinstance(b, Number)
        if truths and all(type(x) is bool or (isinstance(x, Number) and x.python_type is bool) for x in (a, b)):
            return True if a is b else a == b
        if a is not b and type(a) is list and type(b) is list and mode.building() and _meet(a, b):
            raise failure(
                TranslationError,
                f"`is` asks whether two variables are the same list, which a condition or the trips of a loop decide{shown()}",
                "keep the answer in a variable of its own: `same = True` before, `same = False` where the list is made",
            )
        return same_tensor(a, b)
    if a is b:
        return True
    if type(b) is Choice:
        return select(a, lambda option: is_(b, option))
    if is_tensor(b) and hasattr(b.spec, "shape") and any(isinstance(x, Tensor) and x is not b for x in a.options):
        raise a._undecided("`is` compares a value with a tensor")
    return test(a, lambda option: option is b)


def _meet(a: Any, b: Any) -> bool:
    """Whether both stand for one list from around the blocks that are being traced."""
    return any(x is y for x in known_as(a) for y in known_as(b))


def is_not(a: Any, b: Any) -> Any:
    """``a is not b``"""
    answer = is_(a, b)
    return not answer if isinstance(answer, bool) else number(FUNCTIONS["logical_not"](answer))


def isinstance_(value: Any, kinds: Any) -> Any:
    """``isinstance``, which sees what stands for a Python value as that."""
    if type(value) is Choice:
        return test(value, lambda option: bool(isinstance_(option, kinds)))
    if type(kinds) in (Choice, tuple) and len(options_of(kinds)) > 1:
        return chosen(lambda kinds: isinstance_(value, kinds), kinds)
    kind = _kind(value)
    if kind is None or kind is EagerTensor:
        return isinstance(value, kinds) or (kind is not None and issubclass(kind, kinds))
    return issubclass(kind, kinds)


def type_(value: Any, *rest: Any) -> Any:
    """``type``, for what stands for a Python value the type of that."""
    if type(value) is Choice:
        kinds = [type_(option) for option in value.options]
        return kinds[0] if all(kind is kinds[0] for kind in kinds) else Choice(value.which, kinds)
    kind = _kind(value)
    return type(value, *rest) if kind is None else kind


@over
def class_of(value: Any) -> Any:
    """``value.__class__``"""
    kind = _kind(value)
    return value.__class__ if kind is None else kind


@over
def hasattr_(value: Any, name: str) -> bool:
    """``hasattr``, for what stands for a Python value the attributes of that."""
    found = lacks(value, name)
    if found is not None:
        return has(value, found)  # type: ignore[no-any-return]
    kind = _kind(value)
    with caught(AttributeError):  # of a property
        return builtins.hasattr(value if kind is None or kind is EagerTensor else kind, name)


@over
def getattr_(value: Any, name: str, *default: Any) -> Any:
    """``getattr``, for what stands for a Python value the attributes of that."""
    found = lacks(value, name) if default else None
    if found is not None:
        return if_(has(value, found), lambda: builtins.getattr(value, name), lambda: default[0])
    kind = _kind(value)
    if default and kind is not None and kind is not EagerTensor and not builtins.hasattr(kind, name):
        return default[0]
    if isinstance(value, Number):
        return attribute(value, name)
    if name == "__class__":
        return class_of(value)
    if name in STOPS:
        asked_stop(value)
    with caught(*([AttributeError] if default else [])):  # of a property
        return builtins.getattr(value, name, *default)


def _kind(value: Any) -> Any:
    """The class of the Python value that ``value`` stands for; None for any other."""
    if isinstance(value, Number):
        return value.python_type
    stands = isinstance(value, (Stand, Counted, PlainIterator, Text))
    if stands or (isinstance(value, Variable) and not hasattr(value.spec, "shape")):
        return getattr(value, "stands_for", list)
    return EagerTensor if type(value) in (Variable, Joined) else None
