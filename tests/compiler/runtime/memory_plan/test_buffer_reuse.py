"""Memory of results is used again only when nobody has them any more."""

import numpy as np
import pytest

from tests.compiler.passes.rewriting import program_of
from to_static.compiler.runtime.memory_plan.buffer_reuse import Recycler, aligned
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY

SHAPE = (4, 8)


def test_dropped_arrays_are_used_again():
    give = Recycler()
    first = give(SHAPE, "float32")
    place = first.ctypes.data
    assert place % 64 == 0 and first.shape == SHAPE
    del first
    assert give(SHAPE, "float32").ctypes.data == place


def test_the_last_array_may_be_there_until_the_next_is():
    give = Recycler()
    array, places = None, []
    for _ in range(6):
        array = give(SHAPE, "float32")
        places.append(array.ctypes.data)
    assert len(set(places)) == 2 and places[0] != places[1]


def test_no_more_than_two_memories_are_kept():
    give = Recycler()
    held = [give(SHAPE, "float32") for _ in range(5)]
    for i, array in enumerate(held):
        assert not any(np.shares_memory(array, other) for other in held[i + 1 :])
    last = {array.ctypes.data for array in held[-2:]}
    del held, array
    assert {give(SHAPE, "float32").ctypes.data for _ in range(3)} <= last


@pytest.mark.parametrize(
    "hold",
    [lambda a: a, lambda a: a[1:], lambda a: a.reshape(-1)[3:].view("int32"), lambda a: memoryview(a), lambda a: [a.T[0]]],
    ids=["itself", "a part", "a view of a view", "a buffer", "in a list"],
)
def test_what_somebody_has_is_left_alone(hold):
    give = Recycler()
    held = hold(give(SHAPE, "float32"))
    there = np.frombuffer(give.memory, "uint8")
    again = give(SHAPE, "float32")
    assert not np.shares_memory(again, there)
    del held


@pytest.mark.filterwarnings("ignore:Setting the shape on a NumPy array:DeprecationWarning")  # since NumPy 2.5
def test_what_users_do_to_an_array_is_not_there_in_the_next():
    give = Recycler()
    first = give(SHAPE, "float32")
    place = first.ctypes.data
    first.shape = (-1,)
    first.flags.writeable = False
    del first
    again = give(SHAPE, "float32")
    assert again.ctypes.data == place and again.shape == SHAPE and again.flags.writeable


def test_arrays_that_begin_at_a_cache_line():
    raw = np.zeros(400, "uint8")
    odd = raw[1 if raw.ctypes.data % 64 == 0 else 0 :][:4]
    array = np.ndarray((3, 4), "float32", raw, -raw.ctypes.data % 64 + 4).copy()
    for given in (array, np.arange(1000.0), np.ones((5, 7), "float32")):
        found = aligned(given)
        assert found.ctypes.data % 64 == 0
        np.testing.assert_array_equal(found, given)
    assert aligned(odd) is odd and aligned(array.T) is not None, "parts of others stay where they are"


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
