"""Buffers that are needed at the same time never overlap; all are aligned."""

import random

import numpy as np

import to_static as paddle
from tests.compiler.runtime.generated import build, script
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ops.fused.packed_steps import framed
from to_static.compiler.runtime.memory_plan import arena as memory
from to_static.compiler.runtime.memory_plan.arena import ALIGNMENT, Buffer, MemoryPlan
from to_static.compiler.runtime.schedule import Schedule
from to_static.core.backend import NUMPY
from to_static.core.dtypes import float32


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


def _convolutions(*pads):
    paddle.seed(0)
    layers = [paddle.nn.Conv2D(8, 8, 3, padding=list(p)) for p in pads]
    net = paddle.nn.Sequential(*layers)
    net.eval()
    return net, paddle.jit.to_static(paddle.nn.Sequential(*layers))


def test_padded_images_with_equal_padding_share_memory():
    kept = []
    for pads in ([(1, 1, 1, 1)], [(1, 1, 1, 1)] * 3, [(1, 1, 1, 1), (2, 0, 1, 1), (0, 2, 2, 0)]):
        net, static = _convolutions(*pads)
        for seed in range(2):
            x = paddle.to_tensor(np.random.default_rng(seed).uniform(-1, 1, [2, 8, 12, 12]).astype("float32"))
            with paddle.no_grad():
                np.testing.assert_allclose(static(x).numpy(), net(x).numpy(), rtol=1e-4, atol=1e-5)
        kept.append(static.forward.concrete_program.plans()[0][1].memory_report().persistent)
    assert kept[0] == kept[1] and kept[2] == 3 * kept[0]


def test_frames_differ_by_where_the_inner_part_is():
    spec = TensorSpec((1, 8, 8, 8), float32)
    inner = (slice(None), slice(1, 7), slice(1, 7))
    assert framed(spec, inner) != framed(spec, inner, True)
    assert framed(spec, inner) == framed(spec, inner) != framed(spec, (slice(None), slice(0, 6), slice(1, 7)))
