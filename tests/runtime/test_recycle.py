"""Memory of results is used again only when nobody has them any more."""

import numpy as np
import pytest

from tests.passes.rewriting import program_of
from to_static.core.backend import NUMPY
from to_static.runtime.plan import compile_plan
from to_static.runtime.recycle import Recycler

SHAPE = (4, 8)


def test_dropped_arrays_are_used_again():
    give = Recycler()
    first = give(SHAPE, "float32")
    place = first.ctypes.data
    assert place % 64 == 0 and first.shape == SHAPE
    del first
    assert give(SHAPE, "float32").ctypes.data == place


@pytest.mark.parametrize(
    "hold",
    [lambda a: a, lambda a: a[1:], lambda a: a.reshape(-1)[3:].view("int32"), lambda a: memoryview(a), lambda a: [a.T[0]]],
    ids=["itself", "a part", "a view of a view", "a buffer", "in a list"],
)
def test_what_somebody_has_is_left_alone(hold):
    give = Recycler()
    held = hold(give(SHAPE, "float32"))
    there = np.frombuffer(give.owner, "uint8")
    again = give(SHAPE, "float32")
    assert not np.shares_memory(again, there)
    del held


def test_results_of_plans_are_never_overwritten():
    program = program_of("""
    program(%x: f32[512, 512], %y: f32[512, 512]) {
      %0: f32[512, 512] stop = add(%x, %y)
      %1: f32[512, 512] stop = matmul(%0, %y) {trans_x=False, trans_y=False}
      %2: f32[262144] stop = reshape(%1, []) {shape=[262144]}
      return %0, %2
    }
    """)
    plan = compile_plan(program, NUMPY)
    rng = np.random.default_rng(0)
    y = np.eye(512, dtype="float32")
    kept = []
    for _ in range(4):
        x = rng.normal(size=(512, 512)).astype("float32")
        total, product = plan(x, y)
        kept.append((product[5:], (x + y).reshape(-1)[5:]))
        del total, product
    for found, wanted in kept:
        np.testing.assert_array_equal(found, wanted)
    assert "Recycler" in plan.source
