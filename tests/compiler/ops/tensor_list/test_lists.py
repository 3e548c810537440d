"""Lists of tensors as values of a Program."""

import numpy as np
import pytest

import to_static  # noqa: F401
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.input_spec import spec_from
from to_static.compiler.ir.spec import ListSpec
from to_static.compiler.ops.tensor_list import lists
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY
from to_static.core.errors import DTypeError, ShapeError

A, B, C = np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([5.0, 6.0])


def run(function, *arrays):
    """Outputs of ``function(builder, *tensors)``, the same from the interpreter and from a plan."""
    with mode.use(Builder()) as b:
        feeds = [b.feed(spec_from(a.shape, a.dtype), f"x{i}") for i, a in enumerate(arrays)]
        program = b.finish(list(function(b, *feeds)))
    got = interpret(program, list(arrays), NUMPY)
    planned = compile_plan(program, NUMPY)(*arrays)
    for x, y in zip(got, planned, strict=True):
        np.testing.assert_array_equal(x, y)
    return [[i.tolist() for i in x] if isinstance(x, list) else x.tolist() for x in got]


def index(b, i):
    return b.constant(np.asarray(i))


def test_the_old_list_stays():
    def f(b, x, y):
        old = lists.list_new([x])
        new = lists.list_append(old, y)
        return old, new, lists.list_len(new)

    assert run(f, A, B) == [[[1, 2]], [[1, 2], [3, 4]], 2]


@pytest.mark.parametrize("i, want", [(0, [1, 2]), (2, [5, 6]), (-1, [5, 6]), (-3, [1, 2])])
def test_get_and_set(i, want):
    def f(b, x, y, z):
        items = lists.list_new([x, y, z])
        return lists.list_get(items, index(b, i)), lists.list_set(items, index(b, i), x * 0.0)

    got, changed = run(f, A, B, C)
    expected = [[1, 2], [3, 4], [5, 6]]
    assert got == want
    expected[i] = [0, 0]
    assert changed == expected


@pytest.mark.parametrize("wanted, place", [(7, 0), (3, 1), (5, -1)])
def test_find(wanted, place):
    def f(b, x, y, z):
        items = lists.list_new([x, y, z])
        return lists.list_find(items, index(b, wanted)), lists.list_find(lists.list_new([]), index(b, wanted))

    assert run(f, np.array(7), np.array(3), np.array(3)) == [place, -1]


def test_only_numbers_are_found():
    with mode.use(Builder()) as b, pytest.raises(ShapeError, match="0-D"):
        lists.list_find(lists.list_new([b.feed(spec_from((2,), "float64"), "x")]), index(b, 0))


@pytest.mark.parametrize("i", [0, 1, -1, -3])
def test_pop_and_insert_are_inverses(i):
    def f(b, x, y, z):
        rest, item = lists.list_pop(lists.list_new([x, y, z]), index(b, i))
        return rest, item, lists.list_insert(rest, index(b, i), item)

    rest, item, back = run(f, A, B, C)
    want = [[1, 2], [3, 4], [5, 6]]
    assert back == want
    assert item == want.pop(i) and rest == want


def test_stack_and_concat():
    def f(b, x, y, z):
        items = lists.list_new([x, y, z])
        return (
            lists.list_stack(items), lists.list_stack(items, -1), lists.list_concat(items),
            lists.list_unstack(lists.list_stack(items, 1), 1), lists.list_split(lists.list_concat(items), items),
        )  # fmt: skip

    want = [[1, 2], [3, 4], [5, 6]]
    assert run(f, A, B, C) == [want, [[1, 3, 5], [2, 4, 6]], [1, 2, 3, 4, 5, 6], want, want]


def test_sums_and_zeros():
    def f(b, x, y):
        items = lists.list_new([x, y])
        inner = lists.list_get(lists.list_add(*[lists.list_new([items])] * 2), index(b, 0))
        zeros = lists.list_get(lists.list_zeros(lists.list_new([items])), index(b, 0))
        return lists.list_zeros(items), lists.list_add(items, items), zeros, inner

    zeros, double = [[0, 0], [0, 0]], [[2, 4], [6, 8]]
    assert run(f, A, B) == [zeros, double, zeros, double]


def test_elements_of_different_lengths():
    def f(b, x, y):
        items = lists.list_new([x, y])
        assert items.spec == ListSpec(x.spec.with_shape([-1]))
        return (lists.list_concat(items),)

    assert run(f, A, np.array([7.0])) == [[1, 2, 7]]


def test_what_does_not_fit_is_refused():
    with mode.use(Builder()) as b:
        x, scalar = b.feed(spec_from([2]), "x"), b.feed(spec_from([]), "s")
        items, empty = lists.list_new([x]), lists.list_new()
        with pytest.raises(ShapeError, match="rank and dtype must agree"):
            lists.list_append(items, scalar)
        with pytest.raises(DTypeError, match="must be an integer tensor"):
            lists.list_get(items, scalar)
        with pytest.raises(ShapeError, match="the list is empty"):
            lists.list_get(empty, index(b, 0))
        for function in (lists.list_stack, lists.list_concat):
            with pytest.raises(ValueError, match="expected at least one tensor"):
                function(empty)


def test_positions_out_of_range():
    for function in (
        lambda t, i, x: [lists.list_get(t, i)],
        lambda t, i, x: lists.list_pop(t, i),
        lambda t, i, x: [lists.list_set(t, i, x)],
    ):
        with pytest.raises(IndexError, match="out of range"):
            run(lambda b, x, f=function: f(lists.list_new([x]), index(b, 3), x), A)
