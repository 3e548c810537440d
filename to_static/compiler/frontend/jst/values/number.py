"""Numbers that are known only in a run: ``int(x)``, ``len(x)``, the index of a tensor loop (see `ir.symbolic.sym_number`)."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import Any

from to_static.compiler.frontend.jst import protocol
from to_static.compiler.frontend.jst.protocol import ConstantSpec, ValueSpec
from to_static.compiler.frontend.jst.tracer_queries import (
    DTYPES,
    constant,
    is_number,
    is_traced,
    is_union,
    own_method,
    truth,
)
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.trace_context import resolve_list
from to_static.compiler.frontend.tracing.untranslated_code import STAND_INS
from to_static.compiler.ir.spec import UNKNOWN, ListSpec, TensorSpec
from to_static.compiler.ir.symbolic.sym_number import SymNumber, as_sym_number
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ops import functions as F
from to_static.core.diagnostics.source_expressions import in_expression
from to_static.core.errors import SeveralValuesError


class OneNumber(ValueSpec):
    """A Python number of type ``python_type``."""

    __slots__ = ("python_type",)

    def __init__(self, cls: type) -> None:
        self.python_type = cls

    def flatten(self, value: Any) -> list[Any]:
        return [constant(value, DTYPES[self.python_type]) if is_number(value) else Variable(value.ssa, value.builder)]

    def unflatten(self, tensors: Iterator[Any]) -> Any:
        tensor = next(tensors)
        return as_sym_number(tensor) if isinstance(tensor, Variable) else tensor.item()

    def tensor_specs(self) -> list[Any]:
        return [TensorSpec((), DTYPES[self.python_type])]

    def joined(self, other_spec: ValueSpec) -> ValueSpec | None:
        if isinstance(other_spec, OneNumber):
            return self if other_spec.python_type is self.python_type else None
        is_constant_number = isinstance(other_spec, ConstantSpec) and type(other_spec.value) is self.python_type
        return self if is_constant_number else None

    def key(self) -> Any:
        return ("number", self.python_type)

    def describe(self) -> str:
        return f"a number ({self.python_type.__name__})"


@protocol.SPEC_FUNCTIONS.append
def number_spec(value: object) -> ValueSpec | None:
    """Return the spec of a number of the Program."""
    return OneNumber(value.python_type) if isinstance(value, SymNumber) else None


@protocol.JOINERS.append
def join(a: ValueSpec, b: ValueSpec) -> ValueSpec | None:
    """Return the common spec of two Python numbers of one type."""
    if isinstance(a, ConstantSpec) and isinstance(b, ConstantSpec) and type(a.value) is type(b.value) and type(a.value) in DTYPES:
        return OneNumber(type(a.value))
    return None


STAND_INS[SymNumber] = False

# the builtins that make numbers -----------------------------------------------------------------------------------------


def int_(*args: Any, **kwargs: Any) -> Any:
    """``int``; of a traced tensor its one element as an int of the Program."""
    if len(args) == 1 and is_union(args[0]):
        return args[0].each(int_)
    return _scalar(args[0], builtins.int) if args and is_traced(args[0]) else builtins.int(*args, **kwargs)


def float_(*args: Any) -> Any:
    """``float``; of a traced tensor its one element as a float of the Program."""
    if len(args) == 1 and is_union(args[0]):
        return args[0].each(float_)
    return _scalar(args[0], builtins.float) if args and is_traced(args[0]) else builtins.float(*args)


def bool_(value: object = False) -> Any:
    """``bool``; of a traced tensor its truth."""
    answer = protocol_truth(value, "what bool() is given")
    return as_sym_number(answer) if is_traced(answer) else answer


def len_(value: object) -> Any:
    """``len``; an int of the Program if the length depends on tensors."""
    value = resolve_list(value)
    from_hook = protocol.LENGTHS.get(type(value))
    if from_hook is not None:
        return from_hook(value)
    method = own_method(value, "__len__")
    if method is not None and isinstance(length := method(), SymNumber) and length.python_type is int:
        return _checked(length)
    if not is_traced(value) or isinstance(value, SymNumber):
        return builtins.len(value)
    if not value.spec.shape:
        raise TypeError("len() of a 0-D tensor")
    return value.shape[0]


def _checked(length: object) -> Any:
    F.assert_(F.greater_equal(length, 0), (), "__len__() should return >= 0", "ValueError")
    return length


def protocol_truth(value: object, what: str = "a condition", operands: object = ()) -> Any:
    """Return the truth of any value: a Python bool, or a 0-D boolean tensor of the Program."""
    if value is True or value is False:
        return value
    value = resolve_list(value)
    truth_of = protocol.TRUTHS.get(type(value))
    if truth_of is not None:
        return truth_of(value)
    if type(value) is SymNumber and value.builder.number_inputs is not None and value.builder.number_inputs.knows(value.ssa):
        return builtins.bool(value)
    if is_traced(value):
        return truth(value, what, operands)
    for name in ("__bool__", "__len__"):
        method = own_method(value, name)
        if method is not None:
            answer = method()
            if isinstance(answer, SymNumber) and answer.python_type is (builtins.bool if name == "__bool__" else int):
                return truth(answer if name == "__bool__" else _checked(answer))
            break
    return builtins.bool(value)


def _scalar(value: Any, cls: type) -> Any:
    spec = value.spec
    if isinstance(spec, ListSpec) or spec.size not in (1, UNKNOWN):
        name = f"{cls.__name__}()"
        raise broken(
            f"{name} needs a tensor of one element{in_expression()}, this one is {spec}",
            f"choose or reduce first: `{cls.__name__}(x[0])`, `{cls.__name__}(x.sum())`",
            SeveralValuesError,
        )
    return as_sym_number(value, cls)
