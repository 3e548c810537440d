import random

import pytest

from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.runtime.memory_plan import arena as memory
from to_static.compiler.runtime.memory_plan.arena_gaps import Gaps
from to_static.core.dtypes import float32


def buffers(seed, count, life, sizes):
    draw = random.Random(seed)
    starts = range(count)
    return [memory.Buffer(TensorSpec((draw.choice(sizes),), float32), i, i + draw.randint(0, life)) for i in starts]


def test_parts_side_by_side_become_one_gap():
    gaps = Gaps()
    gaps.give(0, 64)
    gaps.give(128, 64)
    gaps.give(64, 64)
    assert gaps.take(192, 1000) == 0
    assert gaps.take(64, 1000) == 1000


def test_a_gap_is_cut_and_the_last_one_grows():
    gaps = Gaps()
    gaps.give(64, 192)
    assert gaps.take(64, 1024) == 64
    assert gaps.take(64, 1024) == 128
    gaps.give(960, 64)
    assert gaps.take(256, 1024) == 960


@pytest.mark.parametrize("seed", range(12))
def test_buffers_that_live_together_never_overlap(seed):
    draw = random.Random(seed)
    sizes = [draw.randint(1, 5000) for _ in range(draw.choice([1, 3, 40]))]
    made = buffers(seed, 200, draw.choice([0, 2, 20, 200]), sizes)
    total = memory._place_in_gaps(made)
    for i, a in enumerate(made):
        assert a.offset % memory.ALIGNMENT == 0 and a.offset + a.room <= total
        for b in made[:i]:
            if b.end >= a.start:
                assert a.offset + a.room <= b.offset or b.offset + b.room <= a.offset
    assert total <= 2 * memory._live(made)


def test_what_is_live_at_once():
    made = buffers(3, 60, 9, [1, 20, 300])
    assert memory._live(made) == max(sum(b.room for b in made if b.start <= p <= b.end) for p in range(80))
    assert memory._live([]) == 0


def test_many_buffers_at_once_are_placed_in_gaps(monkeypatch):
    made = buffers(1, 300, 300, [16])
    lowest = memory._place(made)
    monkeypatch.setattr(memory, "LOOKS", 100)
    assert memory._place(made) == lowest == memory._live(made)
