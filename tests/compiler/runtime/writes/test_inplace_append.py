"""Lists that loops grow."""

import numpy as np
import pytest

import to_static  # noqa: F401
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.input_spec import spec_from
from to_static.compiler.ir.registry import FUNCTIONS as F
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY


def loop(body, also=lambda first, items: []):
    builder = Builder()
    with mode.use(builder):
        n, x = builder.feed(spec_from([], "int64")), builder.feed(spec_from([2]))
        first = F["list_new"]([x])
        _, items, *rest = builder.while_loop(
            lambda i, items, *_: i < n, body, [builder.constant(np.asarray(0)), first, *also(first, x)]
        )
        zero = builder.constant(np.asarray(0))
        return builder.finish(
            [F["list_stack"](items), F["list_len"](first), *(F["list_get"](r, zero) for r in rest if not hasattr(r.spec, "shape"))]
        )


def compare(program):
    plan = compile_plan(program, NUMPY)
    for n in (0, 1, 4):
        arrays = [np.asarray(n), np.asarray([1, 2], "float32")]
        for a, b in zip(plan(*arrays), interpret(program, arrays, NUMPY), strict=True):
            np.testing.assert_array_equal(a, b)
    return plan.source


def test_a_list_that_only_grows_is_appended_to():
    def body(i, items):
        newest = F["list_get"](items, i)
        return [i + 1, F["list_append"](items, newest * 2 + F["cast"](F["list_len"](items), "float32"))]

    source = compare(loop(body))
    assert ".append(" in source and "list_append" not in source
    assert "list(" in source  # the list that came in stays as it was
    assert "list_get" not in source  # indexing by a counter is Python's


@pytest.mark.parametrize(
    ("body", "also"),
    [
        (lambda i, items, old: [i + 1, F["list_append"](items, F["list_get"](items, i)), items], lambda f, x: [f]),
        (
            lambda i, items, old: [*(lambda new: [i + 1, new, new])(F["list_append"](items, F["list_get"](items, i)))],
            lambda f, x: [f],
        ),
        (
            lambda i, items: (
                lambda new: [i + 1, F["list_set"](new, i, F["list_get"](items, i) + F["cast"](F["list_len"](items), "float32"))]
            )(F["list_append"](items, F["list_get"](items, i))),
            lambda f, x: [],
        ),
    ],
    ids=["old list carried on", "two names", "old list read later"],
)
def test_lists_under_two_names_are_copied(body, also):
    assert "list_append_kernel" in compare(loop(body, also))


def test_the_old_list_read_after_the_append():
    def body(i, items):
        new = F["list_append"](items, F["list_get"](items, i))
        return [i + F["list_len"](items) - F["list_len"](items) + 1, new]

    assert "list_append_kernel" in compare(loop(body))
