import pytest
from hypothesis import given
from hypothesis import strategies as st

from to_static import io


@given(count=st.integers(1, 30), size=st.integers(1, 9), drop=st.booleans(), shuffle=st.booleans())
def test_batches_cover_the_dataset(count, size, drop, shuffle):
    sampler = io.BatchSampler(range(count), shuffle=shuffle, batch_size=size, drop_last=drop)
    batches = list(sampler)
    assert len(batches) == len(sampler)
    assert all(len(batch) == size for batch in (batches if drop else batches[:-1]))
    seen = [i for batch in batches for i in batch]
    assert len(set(seen)) == len(seen) == (count // size * size if drop else count)


def test_a_sampler_gives_the_order():
    assert list(io.BatchSampler(sampler=io.SequenceSampler(range(3)), batch_size=2)) == [[0, 1], [2]]


@pytest.mark.parametrize(
    ("kwargs", "error"),
    [({}, ValueError), ({"dataset": [1], "sampler": io.SequenceSampler([1])}, ValueError),
     ({"sampler": [1]}, TypeError), ({"sampler": io.SequenceSampler([1]), "shuffle": True}, ValueError),
     ({"dataset": [1], "batch_size": 0}, ValueError), ({"dataset": [1], "drop_last": 1}, TypeError),
     ({"dataset": io.IterableDataset()}, TypeError)],
)  # fmt: skip
def test_refusals(kwargs, error):
    with pytest.raises(error, match="BatchSampler"):
        io.BatchSampler(**kwargs)


def test_distributed_shares_are_paddles():
    def shares(**kwargs):
        return [list(io.DistributedBatchSampler(range(11), 2, 2, rank, **kwargs)) for rank in (0, 1)]

    # recorded from Paddle 2.6.2
    assert shares() == [[[0, 1], [4, 5], [8, 9]], [[2, 3], [6, 7], [10, 0]]]
    assert shares(shuffle=True, drop_last=True) == [[[6, 0], [2, 8], [9, 3]], [[4, 10], [1, 7], [0, 5]]]


@given(count=st.integers(1, 40), size=st.integers(1, 5), ranks=st.integers(1, 5), drop=st.booleans())
def test_distributed_ranks_share_everything_evenly(count, size, ranks, drop):
    samplers = [io.DistributedBatchSampler(range(count), size, ranks, rank, drop_last=drop) for rank in range(ranks)]
    shares = [list(sampler) for sampler in samplers]
    assert len({len(share) for share in shares}) == 1
    assert all(len(share) == len(sampler) for share, sampler in zip(shares, samplers, strict=True))
    if not drop:
        assert {i for share in shares for batch in share for i in batch} == set(range(count))


def test_distributed_epochs_change_the_order():
    sampler = io.DistributedBatchSampler(range(20), 20, shuffle=True)
    first, second = list(sampler), list(sampler)
    assert first != second
    sampler.set_epoch(0)
    assert list(sampler) == first


def test_distributed_rank_from_the_environment(monkeypatch):
    monkeypatch.setenv("PADDLE_TRAINERS_NUM", "2")
    monkeypatch.setenv("PADDLE_TRAINER_ID", "1")
    assert list(io.DistributedBatchSampler(range(4), 1)) == [[1], [3]]
    with pytest.raises(ValueError, match="rank=2"):
        io.DistributedBatchSampler(range(4), 1, rank=2)
