"""The protocol: what is taken apart comes together again, joining two is joining two either way round, known parts stay known."""

from __future__ import annotations

import collections
import dataclasses
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import to_static as paddle
from to_static.compiler.frontend.jst import operators  # noqa: F401  (all kinds of values)
from to_static.compiler.frontend.jst.objects.tensor_list import ListOf, TensorList
from to_static.compiler.frontend.jst.objects.union import UnionSpec, UnionValue
from to_static.compiler.frontend.jst.protocol import ConstantSpec, NotJoinable, join, same, unify, value_spec_of
from to_static.compiler.frontend.jst.values.container import Container
from to_static.compiler.frontend.jst.values.number import OneNumber
from to_static.compiler.frontend.jst.values.tensor import OneTensor
from to_static.compiler.frontend.jst.values.undefined import MaybeUndefinedSpec, Undefined
from to_static.compiler.frontend.tracing.trace_context import TraceContext
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.symbolic.sym_number import as_sym_number

Pair = collections.namedtuple("Pair", ["first", "second"])


@dataclasses.dataclass
class Fields:
    a: Any
    b: Any = None


@pytest.fixture
def builder() -> Iterator[Any]:
    made = Builder()
    made.session = TraceContext(made)
    with mode.use(made):
        yield made


def tensor(*shape: int, dtype: str = "float32") -> Any:
    return mode.current().constant(np.zeros(shape, dtype))


def whole(kind: type = int) -> Any:
    return as_sym_number(tensor(dtype="int64"), kind)


VALUES: dict[str, Any] = {
    "none": lambda: None, "int": lambda: 3, "other int": lambda: 4, "float": lambda: 1.5, "text": lambda: "a",
    "tensor": lambda: tensor(2), "longer tensor": lambda: tensor(3), "matrix": lambda: tensor(2, 2),
    "whole tensor": lambda: tensor(2, dtype="int64"), "number": whole, "list": lambda: [tensor(2), 1],
    "tuple": lambda: (tensor(2), None), "named tuple": lambda: Pair(tensor(2), 1), "dict": lambda: {"a": tensor(2), "b": (1,)},
    "ordered dict": lambda: collections.OrderedDict(a=tensor(2)), "dataclass": lambda: Fields(tensor(2)),
    "namespace": lambda: types.SimpleNamespace(a=tensor(2)), "unbound": lambda: Undefined("v"),
    "list of the Program": lambda: TensorList.of_items([tensor(2), tensor(2)]),
    "optional": lambda: UnionValue(whole(), [None, tensor(2)]), "nested": lambda: {"a": [(tensor(2), {"b": whole()})]},
}  # fmt: skip


def shown(value: Any) -> Any:
    """The structure of a value: tensors by their specs."""
    return value_spec_of(value).key()


@pytest.mark.parametrize("name", VALUES)
def test_what_is_taken_apart_comes_together_again(builder: Any, name: str) -> None:
    value = VALUES[name]()
    spec = value_spec_of(value)
    tensors = spec.flatten(value)
    assert len(tensors) == len(spec.tensor_specs())
    rest = iter(tensors)
    again = spec.unflatten(rest)
    assert list(rest) == [] and type(again) is type(value)
    assert shown(again) == spec.key()
    for a, b in zip(spec.flatten(again), tensors, strict=True):
        assert getattr(a, "ssa", a) is getattr(b, "ssa", b) or a.spec == b.spec


def joined(a: Any, b: Any) -> Any:
    try:
        return join(value_spec_of(a), value_spec_of(b))
    except NotJoinable:
        return None


@given(st.sampled_from(sorted(VALUES)), st.sampled_from(sorted(VALUES)))
def test_joining_is_the_same_either_way_round(first: str, second: str) -> None:
    builder: Any = Builder()
    builder.session = TraceContext(builder)
    with mode.use(builder):
        a, b = VALUES[first](), VALUES[second]()
        one, other = joined(a, b), joined(b, a)
        assert (one is None) is (other is None)
        if one is None:
            return
        assert kinds(one) == kinds(other)
        for spec in (one, other):  # each of them has a place in what is one of both
            for value in (a, b):
                assert len(spec.flatten(value)) == len(spec.tensor_specs())
            assert join(spec, spec).key() == spec.key()


def kinds(spec: Any) -> Any:
    """The key without the order of options."""
    if isinstance(spec, UnionSpec):
        return "one of", frozenset(map(repr, map(kinds, spec.options)))
    if isinstance(spec, Container):
        return spec.python_type, spec.keys, [kinds(part) for part in spec.parts]
    return type(spec).__name__, spec.describe()


def test_what_one_of_two_is(builder: Any) -> None:
    spec = joined(tensor(2), tensor(3))
    assert type(spec) is OneTensor and spec.spec.shape == (-1,)
    assert type(joined(1, 2)) is OneNumber and type(joined(1, 1)) is ConstantSpec
    assert type(joined(None, tensor(2))) is UnionSpec and type(joined(Undefined("v"), 1)) is MaybeUndefinedSpec
    assert type(joined([tensor(2)], [tensor(2), tensor(2)])) is ListOf
    assert type(joined({"a": tensor(2)}, [tensor(2)])) is UnionSpec and type(joined({"a": 1}, {"b": 1})) is UnionSpec
    assert joined({1, 2}, [tensor(2)]) is None


def test_unify_keeps_what_did_not_change_known(builder: Any) -> None:
    kept, before = object(), tensor(2)
    given = {"kept": kept, "n": 1, "deep": (before, "text")}
    value = {"kept": kept, "n": 2, "deep": (tensor(2), "text")}
    spec = unify(ConstantSpec(given), given, value)
    assert isinstance(spec, Container)
    kept_spec, n, deep = spec.parts
    assert type(kept_spec) is ConstantSpec and type(n) is OneNumber
    assert [type(part) for part in deep.parts] == [OneTensor, ConstantSpec]  # type: ignore[attr-defined]
    assert unify(ConstantSpec(given), given, given).tensor_specs() == []


@pytest.mark.parametrize("a", [1, 1.0, True, "1", (1,), None, float("nan"), -0.0, 0.0, np.int64(1)])
@pytest.mark.parametrize("b", [1, 1.0, True, "1", (1,), None, float("nan"), -0.0, 0.0, np.int64(1)])
def test_two_values_are_one_when_no_program_can_tell(a: Any, b: Any) -> None:
    assert same(a, b) is (type(a) is type(b) and repr(a) == repr(b))


def test_lists_are_one_only_when_they_are() -> None:
    items = [1]
    assert same(items, items) and not same([1], [1])


def test_options_of_one_kind_are_chosen_by_which_it_is(builder: Any) -> None:
    """Of three options two may have one place in a spec: a number that was another's came out of that."""
    value = UnionValue(whole(), [tensor(2), 5.0, 7.0])
    spec = UnionSpec([OneTensor(tensor(2).spec), OneNumber(float)])
    tensors = spec.flatten(value)
    assert len(tensors) == 3 and any(op.name == "cond" for op in builder.program.block.ops)


@paddle.jit.to_static(full_graph=True)
def _three_ways(x: Any, n: Any) -> Any:
    found: Any = x
    if n > 0:
        found = 5.0
    if n > 1:
        found = 7.0
    again = found
    if n > 9:
        again = 9.0
    return again


def test_a_value_of_three_kinds_comes_out_as_python_has_it() -> None:
    for n, wanted in ((0, 1.0), (1, 5.0), (2, 7.0), (10, 9.0)):
        assert float(_three_ways(paddle.to_tensor(1.0), paddle.to_tensor(n))) == wanted


def test_function_table_has_what_lists_are_made_of() -> None:
    assert {"list_new", "list_append", "list_get", "list_len"} <= FUNCTIONS.keys()
