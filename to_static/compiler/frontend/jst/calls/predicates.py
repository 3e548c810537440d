"""Tests of objects: ``is``, ``in``, ``isinstance()``, ``type()``, and the tests of ``case`` patterns."""

from __future__ import annotations

import builtins
import enum
import functools
import operator
import types
from collections.abc import Callable, Sequence
from typing import Any

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.jst.control.logic import and_value, not_, or_
from to_static.compiler.frontend.jst.iteration.indexed import IndexedIterable
from to_static.compiler.frontend.jst.iteration.iterate import for_, take
from to_static.compiler.frontend.jst.objects.tensor_list import TensorList
from to_static.compiler.frontend.jst.objects.union import UnionValue
from to_static.compiler.frontend.jst.tracer_queries import as_constant, holds_union, is_traced, own_method
from to_static.compiler.frontend.jst.values.container import can_be_shared
from to_static.compiler.frontend.jst.values.number import bool_, len_
from to_static.compiler.frontend.jst.values.text import Text
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.trace_context import building, current
from to_static.compiler.ir import mode
from to_static.compiler.ir.symbolic.sym_number import SymNumber
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.core.diagnostics.source_expressions import in_expression

_ONES = (bool, str, type, enum.Enum, types.FunctionType)  # which are themselves wherever they were

# types whose one positional pattern is for the value itself
_THEMSELVES = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)


def is_(a: object, b: object) -> Any:
    """``a is b``, computed by the Program if one of them is a union."""
    if type(b) is UnionValue:
        a, b = b, a
    if type(a) is UnionValue:
        if type(b) is UnionValue or not (b is None or isinstance(b, _ONES)):
            raise broken(f"`is` compares a value that depends on a tensor{in_expression()}", "`==`, or a comparison with None")
        return a.test(lambda option: option is b)
    if isinstance(b, SymNumber) and not isinstance(a, SymNumber):
        a, b = b, a
    if isinstance(a, SymNumber):
        if a.python_type is bool and class_of(b) is bool:
            return a == b
        if not isinstance(b, (bool, SymNumber)):
            return False
        raise broken(f"`is` compares numbers that depend on tensors{in_expression()}", "`==`")
    if building() and (type(a) is list or type(b) is list):
        a, b = map(current().effects.resolved, (a, b))
    if a is not b and building() and can_be_shared(a) and can_be_shared(b):
        frozen = current().effects.is_ambiguous
        if frozen(a) or frozen(b):
            what = f"`is` of a tensor or container that is one of several{in_expression()}, of which a tensor decided before"
            raise broken(what, "a flag: `first = True`")
    if isinstance(a, Tensor) and isinstance(b, Tensor) and building():
        return current().are_one(a, b)
    return a is b


def is_not(a: object, b: object) -> Any:
    """``a is not b``"""
    return not_(is_(a, b))


def in_(item: Any, container: Any) -> Any:
    """``item in container``"""
    if not mode.building():
        return item in container
    if type(container) is list:
        container = current().effects.resolved(container)
    if type(item) is UnionValue and not any(isinstance(x, Tensor) for x in item.options):
        return item.test(lambda option: option in container)
    if type(container) is UnionValue:
        return container.each(lambda option: in_(item, option))
    take(container)
    if isinstance(container, TensorList):
        return for_(container, lambda candidate, is_in: _either(is_in, candidate == item), False)
    if isinstance(container, (list, tuple)) and (is_traced(item) or any(map(is_traced, container))):
        is_in: Any = False
        for candidate in container:
            same = candidate is item or _equal(candidate, item)
            is_in = same if is_in is False else _either(is_in, same)
        return bool_(is_in) if is_traced(is_in) else is_in
    if isinstance(container, (dict, set, frozenset, builtins.range)):
        item = as_constant(item)
    if is_traced(item) and isinstance(container, (dict, set, frozenset)):
        raise broken(
            f"a {type(container).__name__} is looked up with a key that depends on a tensor{in_expression()}",
            "a list or tuple: `k in (0, 2)`",
        )
    if isinstance(container, IndexedIterable) or (is_traced(item) and isinstance(container, builtins.range)):
        raise broken(
            f"`in` tests membership in a value that depends on tensors{in_expression()}",
            "a comparison: `a <= k and k < b`",
        )
    method = own_method(container, "__contains__")
    if method is not None:
        return bool_(method(item))
    if is_traced(container) and not isinstance(container, SymNumber):
        return bool_(F.any(container == item))
    current().effects.untranslated_reads.check([item, container], None, "`in`")
    return item in container


def _equal(a: object, b: object) -> Any:
    same = a == b
    if holds_union(same):
        raise broken(f"`in` compares tensors of several elements{in_expression()}", "`any(v is x for v in items)`")
    return same


def _either(is_in: object, same: object) -> Any:
    return bool_(or_(is_in, lambda: same))


def not_in(item: object, container: object) -> Any:
    """``item not in container``"""
    return not_(in_(item, container))


def isinstance_(value: Any, classes: Any) -> Any:
    """``isinstance``"""
    if not mode.building():
        return builtins.isinstance(value, classes)
    if type(value) is UnionValue:
        return value.test(lambda option: isinstance_(option, classes))
    stands_for = _stands_for(value)
    if stands_for is not None:
        return issubclass(stands_for, classes)
    if isinstance(value, Tensor):
        every = classes if isinstance(classes, tuple) else (classes,)
        return builtins.isinstance(value, classes) or EagerTensor in every
    return builtins.isinstance(value, classes)


def _stands_for(value: object) -> Any:
    """Return the class of the Python value that a traced value replaces; None for other values."""
    if isinstance(value, SymNumber):
        return value.python_type
    if isinstance(value, IndexedIterable):
        return value.iterator_type
    return list if isinstance(value, TensorList) else str if isinstance(value, Text) else None


def sequence(value: object, count: int, more: bool = False) -> Any:
    """True if ``case [a, b]`` takes a value: a sequence of ``count`` items, or of at least as many."""
    if type(value) is UnionValue:
        return value.each(lambda option: sequence(option, count, more))
    if not isinstance_(value, Sequence) or isinstance_(value, (str, bytes, bytearray)):
        return False
    return len_(value) >= count if more else len_(value) == count


def instance(value: object, cls: object, count: int, *names: str) -> Any:
    """True if ``case Kind(a, field=b)`` takes a value: one of the class that has ``count`` fields, and these attributes."""
    if not isinstance(cls, type):
        raise TypeError("called match pattern must be a class")
    if type(value) is UnionValue:
        return value.test(lambda option: instance(option, cls, count, *names))
    if not isinstance_(value, cls):
        return False
    fields = _fields(cls, count)
    doubled = [name for name in names if name in fields]
    if doubled:
        raise TypeError(f"{cls.__name__}() got multiple sub-patterns for attribute {doubled[0]!r}")
    return all(hasattr(value, name) for name in (*fields, *names))


def field(value: object, cls: type, position: int) -> Any:
    """The value of ``a`` in ``case Kind(a)``."""
    if type(value) is UnionValue:
        value = value.assumed(lambda option: isinstance_(option, cls))
    fields = _fields(cls, position + 1)
    return getattr(value, fields[position]) if fields else value


def _fields(cls: type, count: int) -> tuple[str, ...]:
    """Return the attributes that ``count`` positional patterns match; none if the pattern matches the value itself."""
    fields = getattr(cls, "__match_args__", None)
    itself = fields is None and issubclass(cls, _THEMSELVES)
    fields = () if fields is None else fields
    if not isinstance(fields, tuple):
        raise TypeError(f"{cls.__name__}.__match_args__ must be a tuple (got {type(fields).__name__})")
    allowed = 1 if itself else len(fields)
    if count > allowed:
        plural = "" if allowed == 1 else "s"
        raise TypeError(f"{cls.__name__}() accepts {allowed} positional sub-pattern{plural} ({count} given)")
    return () if itself else fields[:count]


def type_(*args: object) -> Any:
    """``type``"""
    if len(args) != 1 or not mode.building():
        return builtins.type(*args)
    return class_of(args[0])


def class_of(value: object) -> Any:
    """``value.__class__``"""
    if type(value) is UnionValue:
        raise broken(f"the type of a value depends on a tensor{in_expression()}", "`isinstance(v, kind)`, or `v is None`")
    if isinstance(value, Tensor) and not isinstance(value, (EagerTensor, SymNumber, TensorList)):
        return EagerTensor
    return _stands_for(value) or value.__class__


def guard_stop_gradient(value: object) -> Any:
    """Return a tensor whose ``stop_gradient`` is read next; for a tensor from outside it is guarded."""
    if isinstance(value, EagerTensor) and building() and (guards := current().guards) is not None:
        guards.reads_stop(value)
    return value


SIGNS: dict[str, Any] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
    "is": is_, "is not": is_not, "in": in_, "not in": not_in,
}  # fmt: skip


def _has_numbers(first: Any, second: Sequence[object]) -> bool:
    """True if lists or tuples, such as shapes, contain numbers of the Program, so that Python cannot compare them."""
    if type(first) not in (list, tuple) or not any(isinstance(v, SymNumber) for v in (*first, *second)):
        return False
    return all(isinstance(v, (SymNumber, int, float)) for v in (*first, *second))


def compare(first: Any, sign: str, right: Callable[[], Any], *further: Any) -> Any:
    """``left < a <= b ...``: every operand is evaluated at most once, and none after the first comparison that fails."""
    second = right()
    if building():
        first, second = map(current().effects.resolved, (first, second))
        if sign in ("==", "!=") and not is_traced(first) and not is_traced(second):
            current().effects.untranslated_reads.check([first, second], None, f"`{sign}`")
    same_type = sign in ("==", "!=") and type(first) is type(second)
    if same_type and _has_numbers(first, second):
        pairs = zip(first, second, strict=False)
        equal = len(first) == len(second) and and_value(True, *(functools.partial(operator.eq, *pair) for pair in pairs))
        result = equal if sign == "==" else not_(equal)
    elif same_type and type(first).__ne__ is object.__ne__ and (equality := own_method(first, "__eq__")) is not None:
        result = equality(second) if sign == "==" else not_(equality(second))
    else:
        result = SIGNS[sign](first, second)
    return and_value(result, lambda: compare(second, *further)) if further else result
