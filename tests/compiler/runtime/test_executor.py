"""One Program, many shapes."""

import numpy as np
import pytest

import to_static  # noqa: F401
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.input_spec import spec_from
from to_static.compiler.ir.registry import FUNCTIONS as F
from to_static.compiler.passes.simplify.specialize_shapes import optimize_for
from to_static.compiler.runtime import plan_cache
from to_static.compiler.runtime.executor import PlanExecutor
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan_cache import cache_bytes, cache_size
from to_static.core.backend import NUMPY
from to_static.core.errors import DTypeError, ShapeError
from to_static.core.flags import set_flags


def program():
    builder = Builder()
    with mode.use(builder):
        x = builder.feed(spec_from([-1, 3]), "x")
        flat = F["reshape"](x * x, [-1])
        return builder.finish([F["reshape"](flat + flat, [x.shape[0], 3]) * x])


def test_each_shape_gets_a_plan_with_buffers():
    run = PlanExecutor(program(), NUMPY, optimize_for)
    for n in (2, 50, 2):
        x = np.arange(3 * n, dtype="float32").reshape(n, 3)
        np.testing.assert_array_equal(run(x)[0], interpret(run.program, [x], NUMPY)[0])
    small, large = (run.plan_for([np.zeros((n, 3), "float32")]) for n in (2, 50))
    assert 0 < small.nbytes < large.nbytes
    assert run.plan_for([np.ones((50, 3), "float32")]) is large


def test_shapes_beyond_the_bound_share_one_plan():
    before = cache_size.value
    try:
        set_flags({"TO_STATIC_PLAN_CACHE": 1})
        run = PlanExecutor(program(), NUMPY, optimize_for)
        plans = [run.plan_for([np.zeros((n, 3), "float32")]) for n in (1, 2, 3)]
        assert plans[0] is not plans[1] is plans[2]
        np.testing.assert_array_equal(run(np.full((4, 3), 2, "float32"))[0], np.full((4, 3), 16))
    finally:
        set_flags({"TO_STATIC_PLAN_CACHE": before})


def test_arrays_that_do_not_fit_are_refused_by_name():
    run = PlanExecutor(program(), NUMPY)
    with pytest.raises(ShapeError, match=r"input x must be f32\[\?, 3\], got an array of shape \[2, 4\]"):
        run(np.zeros((2, 4), "float32"))
    with pytest.raises(DTypeError, match="input x must be float32, got float64"):
        run(np.zeros((2, 3)))
    with pytest.raises(TypeError, match="expected 1 inputs, got 2"):
        run(np.zeros((2, 3), "float32"), np.zeros(1))


@pytest.fixture
def flags():
    before = {flag.name: flag.value for flag in (cache_size, cache_bytes)}
    yield set_flags
    set_flags(before)


def rows(n):
    return np.arange(3 * n, dtype="float32").reshape(n, 3)


def test_many_shapes_keep_few_plans(flags, monkeypatch):
    monkeypatch.setattr(plan_cache, "_LARGE", 1)
    flags({"TO_STATIC_PLAN_CACHE": 6})
    run = PlanExecutor(program(), NUMPY, optimize_for)
    for n in range(1, 40):
        for _ in range(4):  # each is used often enough for a plan of its own
            np.testing.assert_array_equal(run(rows(n))[0], interpret(run.program, [rows(n)], NUMPY)[0])
            run(rows(1))
        assert len(run._cache) <= 6
    for _ in range(100):  # so often that another plan goes for it
        last = run.plan_for([rows(39)])
    assert last is run.plan_for([rows(39)]) and last.program.feeds[0].spec.shape == (39, 3)
    assert run.plan_for([rows(1)]).program.feeds[0].spec.shape == (1, 3), "used all the time"
    general = run.plan_for([rows(20)])
    assert general.program.feeds[0].spec.shape == (-1, 3), "there was no room any more"


def test_small_programs_get_further_plans_late():
    """What such a plan saves in a call is little beside what it costs."""
    run = PlanExecutor(program(), NUMPY, optimize_for)
    shapes = [run.plan_for([rows(n)]).program.feeds[0].spec.shape for n in (1, 2, 3, 4, 5)]
    assert shapes == [(1, 3), (2, 3), (3, 3), (4, 3), (-1, 3)]
    uses = next(i for i in range(2, 1000) if run.plan_for([rows(5)]).program.feeds[0].spec.shape == (5, 3))
    large = PlanExecutor(program(), NUMPY, optimize_for)
    for n in range(1, 5):
        large.plan_for([rows(n)])
    wide = next(i for i in range(1, 1000) if large.plan_for([rows(400_000)]).program.feeds[0].spec.shape == (400_000, 3))
    assert (wide, uses) == (3, 64)


def test_plans_hold_no_more_bytes_than_the_flag_says(flags, monkeypatch):
    monkeypatch.setattr(plan_cache, "_LARGE", 1)
    run = PlanExecutor(program(), NUMPY, optimize_for)
    one = run.plan_for([rows(1000)]).nbytes
    flags({"TO_STATIC_PLAN_CACHE_BYTES": 2 * one})
    for n in range(1001, 1020):
        for _ in range(3):
            np.testing.assert_array_equal(run(rows(n))[0], interpret(run.program, [rows(n)], NUMPY)[0])
        assert run._cache.nbytes <= 2 * one
    flags({"TO_STATIC_PLAN_CACHE_BYTES": 1})
    plan = run.plan_for([rows(2000)]), run.plan_for([rows(2000)]), run.plan_for([rows(2000)])
    assert plan[2].nbytes > 1 and len(run._cache) == 1, "the one in use stays"


def test_a_released_plan_still_runs():
    run = PlanExecutor(program(), NUMPY, optimize_for)
    expected = run(rows(5))[0]
    run.release()
    np.testing.assert_array_equal(run(rows(5))[0], expected)
