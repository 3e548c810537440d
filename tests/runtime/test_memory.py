"""Buffers that are needed at the same time never overlap; all are aligned."""

import random

import numpy as np

from tests.runtime.generated import build, script
from to_static.core.backend import NUMPY
from to_static.core.dtypes import float32
from to_static.ir.spec import TensorSpec
from to_static.runtime import memory
from to_static.runtime.memory import ALIGNMENT, Buffer, MemoryPlan
from to_static.runtime.schedule import Schedule


def overlap(a, b):
    return a.offset < b.offset + b.nbytes and b.offset < a.offset + a.nbytes


def test_placement_of_random_intervals():
    rng = random.Random(0)
    for _ in range(50):
        buffers = []
        for _ in range(rng.randint(1, 40)):
            start = rng.randint(0, 30)
            buffers.append(Buffer(TensorSpec((rng.randint(1, 500),), float32), start, start + rng.randint(0, 12)))
        total = memory._place(buffers)
        for i, a in enumerate(buffers):
            assert a.offset % ALIGNMENT == 0 and a.offset + a.nbytes <= total
            for b in buffers[:i]:
                if a.start <= b.end and b.start <= a.end:
                    assert not overlap(a, b)


def test_of_two_ways_to_place_buffers_the_better_one_is_taken():
    """A large one that comes late finds no gap where small ones were placed first."""
    buffers = [Buffer(TensorSpec((n,), float32), s, e) for n, s, e in ((16, 0, 1), (16, 0, 4), (32, 2, 4), (64, 3, 4), (16, 1, 2))]
    first = memory._place_by_start(buffers)
    assert memory._place(buffers) <= first
    rng = random.Random(1)
    better = 0
    for _ in range(50):
        made = [(TensorSpec((rng.randint(1, 500),), float32), s, s + rng.randint(0, 9)) for s in rng.choices(range(20), k=15)]
        first, chosen = memory._place_by_start([Buffer(*b) for b in made]), memory._place([Buffer(*b) for b in made])
        assert chosen <= first
        better += chosen < first
    assert better


def test_buffers_that_take_turns_share_memory():
    one, two, three = (Buffer(TensorSpec((16,), float32), s, e) for s, e in ((0, 1), (1, 2), (2, 3)))
    assert memory._place([one, two, three]) == 128
    assert one.offset == three.offset != two.offset


def test_allocated_arrays_are_aligned_and_of_the_right_kind():
    for seed in range(20):
        plan = MemoryPlan(Schedule(build(script(seed)), NUMPY))
        assert plan.nbytes <= plan.unshared
        for array, buffer in zip(plan.allocate(NUMPY), plan.buffers, strict=True):
            assert array.ctypes.data % ALIGNMENT == 0
            assert array.shape == buffer.spec.shape and array.dtype == buffer.spec.dtype.np
            array[...] = 1
            assert np.all(array == 1)
