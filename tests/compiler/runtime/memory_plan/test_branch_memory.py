"""Sides of branches that write the same memory, and what keeps them from it."""

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.input_spec import spec_from
from to_static.compiler.ir.registry import FUNCTIONS as F
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY


def compare(function):
    """The plan of ``function(builder, flag, x)``, which agrees with the interpreter both ways."""
    builder = Builder()
    with mode.use(builder):
        flag, x = builder.feed(spec_from([], "bool")), builder.feed(spec_from([3, 3]))
        program = builder.finish(function(builder, flag, x))
    plan = compile_plan(program, NUMPY)
    for yes in (True, False, True):
        arrays = [np.asarray(yes), np.arange(9, dtype="float32").reshape(3, 3) / 3 - 1]
        for found, expected in zip(plan(*arrays), interpret(program, arrays, NUMPY), strict=True):
            np.testing.assert_array_equal(found, expected)
    return plan


def test_a_side_writes_over_what_it_got():
    def function(b, flag, x):
        h = F["tanh"](x)
        (h,) = b.cond(flag, lambda: [h * 2.0 + 1.0], lambda: [h])
        return [F["exp"](h)]

    plan = compare(function)
    assert "else" not in plan.source
    assert plan.nbytes == 64  # the results are new, all before them is in one place


def test_both_sides_write_one_memory():
    plan = compare(lambda b, flag, x: [F["exp"](b.cond(flag, lambda: [F["tanh"](x)], lambda: [F["abs"](x)])[0])])
    assert plan.nbytes == 64


def test_branches_in_branches_write_one_memory():
    def function(b, flag, x):
        h = F["tanh"](x)

        def yes():
            return b.cond(F["less_than"](F["sum"](h), 0.5), lambda: [h + 1.0], lambda: [h * 3.0])

        (h,) = b.cond(flag, yes, lambda: [h])
        return [F["exp"](h)]

    assert compare(function).nbytes <= 128  # the sum of one number besides


def late(b, flag, x):
    """What is read after the branch stays as it is."""
    h = F["tanh"](x)
    (y,) = b.cond(flag, lambda: [h * 2.0], lambda: [h])
    return [F["exp"](y) + h]


def second(b, flag, x):
    """What the same side gives as another output stays."""
    h = F["tanh"](x)
    y, z = b.cond(flag, lambda: [h * 2.0, h], lambda: [h, h])
    return [F["exp"](y) + z]


def later_in_the_side(b, flag, x):
    """What the side reads once more stays until then."""
    h = F["tanh"](x)

    def side():
        twice = h * 2.0
        return [twice - h]

    (y,) = b.cond(flag, side, lambda: [h])
    return [F["exp"](y)]


def read_by_both_sides_and_later(b, flag, x):
    """What the first side reads, the second one writes and something reads after both stays."""
    h = F["tanh"](x)
    (y,) = b.cond(flag, lambda: [F["exp"](h) - h], lambda: [h * 2.0])
    return [F["exp"](y) + h]


def listed(b, flag, x):
    """What a list holds stays."""
    h = F["tanh"](x)
    items = F["list_new"]([h])
    (y,) = b.cond(flag, lambda: [h * 2.0], lambda: [h])
    return [F["exp"](y) + F["list_get"](items, b.constant(np.asarray(0)))]


def seen_otherwise(b, flag, x):
    """What is read later in another shape stays."""
    h = F["tanh"](x)
    view = F["reshape"](h, [9])
    (y,) = b.cond(flag, lambda: [h * 2.0], lambda: [h])
    return [F["exp"](y), F["exp"](view)]


def in_another_order(b, flag, x):
    """What is read in another order is not written over meanwhile."""
    h = F["tanh"](x)
    (y,) = b.cond(flag, lambda: [h + F["transpose"](h, [1, 0])], lambda: [h])
    return [F["exp"](y)]


def of_another_turn(b, flag, x):
    """A turn of a loop writes nothing over what the last one made outside of it."""
    h = F["tanh"](x)

    def turn(n, y):
        return [n - 1, b.cond(flag, lambda: [h * 2.0 + y], lambda: [y + h])[0]]

    return [F["exp"](b.while_loop(lambda n, y: n > 0, turn, [b.constant(np.asarray(3)), x])[1])]


NEEDED = [late, second, later_in_the_side, read_by_both_sides_and_later, listed, seen_otherwise, in_another_order, of_another_turn]


@pytest.mark.parametrize("function", NEEDED, ids=lambda f: f.__name__)
def test_what_is_needed_is_not_written_over(function):
    compare(function)


def test_a_loop_keeps_one_buffer_whatever_its_branch_does():
    def function(b, flag, x):
        def turn(n, h):
            h = F["tanh"](h + x)
            (h,) = b.cond(F["sum"](h) > 0.0, lambda: [h * 0.5], lambda: [h])
            return [n - 1, h]

        return [b.while_loop(lambda n, h: n > 0, turn, [b.constant(np.asarray(7)), x])[1]]

    source = compare(function).source
    assert "next_" not in source
    assert "else" not in source


def same_if_positive(x, y, z):
    if x.sum() > 0:
        a = b = c = x.exp()
    else:
        a, b, c = y.exp(), z.exp(), x.exp()
    return a.log(), b.log(), c.log()


def same_if_negative(x, y, z):
    if x.sum() > 0:
        a, b, c = y.exp(), z.exp(), x.exp()
    else:
        a = b = c = x.exp()
    return a.log(), b.log(), c.log()


@pytest.mark.parametrize("function", [same_if_positive, same_if_negative])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_what_one_side_gives_three_times_the_other_gives_as_three_values(function, sign):
    given = [paddle.to_tensor([sign, sign * 2.0]), paddle.to_tensor([3.0, 3.0]), paddle.to_tensor([4.0, 4.0])]
    found = paddle.jit.to_static(function, full_graph=True)(*given)
    np.testing.assert_allclose([t.numpy() for t in found], [t.numpy() for t in function(*given)], rtol=1e-6)
