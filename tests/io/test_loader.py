import itertools
import os
import signal
import time
import traceback

import numpy as np
import pytest

from to_static.compiler.eager.tensor import EagerTensor
from to_static.core import backend as backends
from to_static.core.errors import ToStaticError, WorkerError
from to_static.io import BatchSampler, DataLoader, Dataset, IterableDataset, get_worker_info

WORKERS = pytest.mark.parametrize("num_workers", [0, 1, 3])


class Mapped(Dataset):
    def __init__(self, function, count=10):
        self.function, self.count = function, count

    def __getitem__(self, index):
        return self.function(index)

    def __len__(self):
        return self.count


class Stream(IterableDataset):
    def __init__(self, count, shared_out=False):
        self.count, self.shared_out = count, shared_out

    def __iter__(self):
        info = get_worker_info()
        first, step = (info.id, info.num_workers) if info and self.shared_out else (0, 1)
        for index in range(first, self.count, step):
            yield index, np.float32(index)


def rows(index):
    return np.full(3, index, "float32"), index


def values(loader):
    return [batch.numpy().tolist() for batch in loader]


@WORKERS
def test_batches_are_in_order_and_have_the_samples_dtypes(num_workers):
    loader = DataLoader(Mapped(rows), batch_size=4, num_workers=num_workers)
    batches = list(loader)
    assert len(batches) == len(loader) == 3
    assert [labels.numpy().tolist() for _, labels in batches] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    images, labels = batches[-1]
    assert isinstance(batches[0], list)
    assert images.shape == [2, 3]
    assert (images.dtype.name, labels.dtype.name) == ("float32", "int64")
    assert images.numpy().tolist() == [[8] * 3, [9] * 3]
    assert images.stop_gradient


@WORKERS
@pytest.mark.parametrize(("kwargs", "expected"), [
    ({"batch_size": 4, "drop_last": True}, [[0, 1, 2, 3], [4, 5, 6, 7]]),
    ({"batch_sampler": [[5, 1], [2]]}, [[5, 1], [2]]),
    ({"batch_sampler": BatchSampler(range(3), batch_size=2)}, [[0, 1], [2]]),
    ({"batch_size": 5, "collate_fn": lambda samples: np.array(samples) * 2}, [[0, 2, 4, 6, 8], [10, 12, 14, 16, 18]]),
])  # fmt: skip
def test_ways_to_batch(num_workers, kwargs, expected):
    assert values(DataLoader(Mapped(int), num_workers=num_workers, **kwargs)) == expected


@WORKERS
def test_no_batching(num_workers):
    loader = DataLoader(Mapped(rows, 4), batch_size=None, num_workers=num_workers)
    assert len(loader) == 4
    batches = list(loader)
    assert [label for _, label in batches] == [0, 1, 2, 3]
    assert batches[3][0].numpy().tolist() == [3, 3, 3]


@WORKERS
def test_structures_strings_and_large_arrays(num_workers):
    def sample(index):
        return {"image": np.full((100, 100), index), "more": [index / 2, f"name {index}"]}

    batches = list(DataLoader(Mapped(sample), batch_size=5, num_workers=num_workers))
    assert batches[1]["image"].shape == [5, 100, 100]
    assert (batches[1]["image"].numpy()[:, 0, 0] == [5, 6, 7, 8, 9]).all()
    assert batches[1]["more"][0].numpy().tolist() == [2.5, 3, 3.5, 4, 4.5]
    assert batches[0]["more"][1] == ["name 0", "name 1", "name 2", "name 3", "name 4"]


@pytest.mark.parametrize("use_shared_memory", [False, True])
def test_batches_through_both_ways_of_transport(use_shared_memory):
    data = Mapped(lambda index: np.full((200, 200), index))
    loader = DataLoader(data, batch_size=5, num_workers=2, use_shared_memory=use_shared_memory)
    assert [batch.numpy()[:, 7, 7].tolist() for batch in loader] == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]


@WORKERS
def test_tensors_as_samples(num_workers):
    loader = DataLoader(Mapped(lambda i: EagerTensor(np.float32([i]))), batch_size=10, num_workers=num_workers)
    assert values(loader) == [[[i] for i in range(10)]]


def test_shuffled_order_is_paddles_and_does_not_depend_on_workers():
    for num_workers in (0, 2):
        np.random.seed(5)
        loader = DataLoader(Mapped(int), batch_size=4, shuffle=True, num_workers=num_workers)
        assert values(loader) == [[9, 5, 2, 4], [7, 1, 0, 8], [6, 3]]  # recorded from Paddle 2.6.2
        second = values(loader)
        assert sorted(i for batch in second for i in batch) == list(range(10))
        assert second != [[9, 5, 2, 4], [7, 1, 0, 8], [6, 3]]


def test_a_stream():
    loader = DataLoader(Stream(7), batch_size=3)
    assert [x.numpy().tolist() for x, _ in loader] == [[0, 1, 2], [3, 4, 5], [6]]
    assert [x.numpy().tolist() for x, _ in DataLoader(Stream(7), batch_size=3, drop_last=True)] == [
        [0, 1, 2],
        [3, 4, 5],
    ]
    assert [x for x, _ in DataLoader(Stream(3), batch_size=None)] == [0, 1, 2]
    with pytest.raises(TypeError, match="length"):
        len(loader)


def test_workers_share_out_a_stream_or_each_give_it_all():
    once = DataLoader(Stream(8, shared_out=True), batch_size=2, num_workers=3)
    assert [x.numpy().tolist() for x, _ in once] == [[0, 3], [1, 4], [2, 5], [6], [7]]
    assert [x.numpy().tolist() for x, _ in once] == [[0, 3], [1, 4], [2, 5], [6], [7]]
    full = DataLoader(Stream(8, shared_out=True), batch_size=2, num_workers=3, drop_last=True)
    assert [x.numpy().tolist() for x, _ in full] == [[0, 3], [1, 4], [2, 5]]
    twice = DataLoader(Stream(3), batch_size=None, num_workers=2)
    assert sorted(x for x, _ in twice) == [0, 0, 1, 1, 2, 2]


def test_worker_init_fn_and_worker_info():
    seen = []

    def init(worker_id):
        seen.append(worker_id * 100)

    def sample(index):
        info = get_worker_info()
        return [seen[0], info.id, info.num_workers, len(info.dataset), os.getpid()]

    batches = [[int(v) for v in batch] for batch in DataLoader(Mapped(sample, 4), num_workers=2, worker_init_fn=init)]
    assert [batch[:4] for batch in batches] == [[0, 0, 2, 4], [100, 1, 2, 4]] * 2
    assert len({batch[4] for batch in batches} | {os.getpid()}) == 3
    assert seen == []
    assert get_worker_info() is None


def test_workers_draw_different_numbers_which_the_seed_fixes():
    def sample(index):
        return np.random.rand(), float(backends.NUMPY.generator.uniform(()))

    def draw(loader):
        return [(float(a), float(b)) for a, b in loader]

    def fresh():
        np.random.seed(1)
        return DataLoader(Mapped(sample, 4), num_workers=2)

    loader = fresh()
    first, second = draw(loader), draw(loader)
    assert len(set(itertools.chain(*first, *second))) == 16
    assert draw(fresh()) == first


def failing(index):
    if index == 3:
        raise KeyError("no sample three")
    return index


@WORKERS
def test_an_exception_of_the_dataset_is_raised_where_its_batch_was_due(num_workers):
    batches = iter(DataLoader(Mapped(failing), num_workers=num_workers))
    assert [int(next(batches)) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(KeyError, match="no sample three") as caught:
        next(batches)
    assert "in failing" in "".join(traceback.format_exception(caught.value))
    with pytest.raises(StopIteration):
        next(batches)


def test_an_oserror_of_the_dataset_is_not_taken_for_a_broken_pipe():
    def sample(index):
        open("/nonexistent/image.png")

    with pytest.raises(FileNotFoundError, match="nonexistent/image"):
        list(DataLoader(Mapped(sample), num_workers=1))


class Awkward(Exception):
    def __init__(self, one, two):
        super().__init__(one)


def test_an_exception_that_cannot_be_pickled_is_still_told():
    def sample(index):
        raise Awkward("what went wrong", 2)

    with pytest.raises(WorkerError, match="Awkward: what went wrong"):
        list(DataLoader(Mapped(sample), num_workers=1))


def test_a_batch_that_cannot_be_pickled():
    with pytest.raises(Exception, match=r"pickle|local object") as caught:
        list(DataLoader(Mapped(lambda index: index), collate_fn=lambda samples: lambda: 0, num_workers=1))
    assert not isinstance(caught.value, WorkerError)


def test_an_exception_in_worker_init_fn():
    with pytest.raises(ZeroDivisionError):
        list(DataLoader(Mapped(int), num_workers=2, worker_init_fn=lambda worker_id: 1 // 0))


def killed(index):
    if index == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return index


@pytest.mark.parametrize("num_workers", [1, 2])
def test_a_killed_worker_is_an_error_and_no_hang(num_workers):
    with pytest.raises(WorkerError, match=r"was killed by SIGKILL.*num_workers=0") as caught:
        list(DataLoader(Mapped(killed), num_workers=num_workers))
    assert isinstance(caught.value, ToStaticError)


def test_a_worker_that_exits():
    with pytest.raises(WorkerError, match="exited with code 5"):
        list(DataLoader(Mapped(lambda index: os._exit(5)), num_workers=1))


def test_timeout():
    with pytest.raises(WorkerError, match=r"timeout=0\.05"):
        list(DataLoader(Mapped(lambda index: time.sleep(10)), num_workers=1, timeout=0.05))


def pids_of(loader):
    return {int(pid) for pid in loader}


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def pid_of_worker(index):
    return os.getpid()


def test_workers_end_with_the_epoch_or_when_the_loop_is_left():
    loader = DataLoader(Mapped(pid_of_worker), num_workers=2)
    pids = pids_of(loader)
    assert len(pids) == 2
    assert not any(map(alive, pids))
    for pid in loader:
        assert alive(int(pid))
        break
    assert not alive(int(pid))


def test_workers_end_also_when_a_later_loaders_worker_holds_their_pipe():
    first = iter(DataLoader(Mapped(pid_of_worker, 1000), num_workers=1))
    pid = int(next(first))
    second = iter(DataLoader(Mapped(pid_of_worker, 1000), num_workers=1))
    other = int(next(second))
    first.close()
    assert not alive(pid)
    assert int(next(second)) == other
    second.close()


def test_persistent_workers_stay_until_the_loader_goes():
    loader = DataLoader(Mapped(pid_of_worker), num_workers=2, persistent_workers=True)
    pids = pids_of(loader)
    for _ in loader:
        break
    assert pids_of(loader) == pids
    assert all(map(alive, pids))
    del loader
    assert not any(map(alive, pids))


def test_persistent_workers_and_a_loop_that_was_left():
    loader = DataLoader(Mapped(int, 6), batch_size=2, num_workers=2, persistent_workers=True)
    started = iter(loader)
    assert next(started).numpy().tolist() == [0, 1]
    assert values(loader) == [[0, 1], [2, 3], [4, 5]]
    with pytest.raises(RuntimeError, match="began another"):
        next(started)
    stream = DataLoader(Stream(4), batch_size=2, num_workers=1, persistent_workers=True)
    assert [[x.numpy().tolist() for x, _ in stream] for _ in range(2)] == [[[0, 1], [2, 3]]] * 2


def test_persistent_workers_survive_an_exception_of_the_dataset_but_not_of_a_worker():
    loader = DataLoader(Mapped(failing), num_workers=1, persistent_workers=True)
    for _ in range(2):
        with pytest.raises(KeyError):
            list(loader)
    broken = DataLoader(Mapped(killed), num_workers=2, persistent_workers=True)
    for _ in range(2):
        with pytest.raises(WorkerError, match="SIGKILL"):
            list(broken)


def test_feed_dicts():
    class Variable:
        def __init__(self, name):
            self.name = name

    loader = DataLoader(Mapped(rows, 2), [Variable("x"), Variable("y")], return_list=False, batch_size=2)
    [[feed]] = list(loader)
    assert feed["y"].numpy().tolist() == [0, 1]
    assert feed["x"].shape == [2, 3]
    with pytest.raises(ValueError, match="feed_list has 1 entries; expected as many fields of a batch, got 2"):
        list(DataLoader(Mapped(rows, 2), [Variable("x")], return_list=False))


def test_places_and_call():
    loader = DataLoader(Mapped(int, 2), places=[backends.CPUPlace()], batch_size=2)
    assert [str(batch.place) for batch in loader()] == ["Place(cpu)"]


def test_a_samples_own_memory_is_copied():
    array = np.zeros(3)
    [tensor] = list(DataLoader(Mapped(lambda index: array, 1), batch_size=None))
    array[:] = 1
    assert tensor.numpy().tolist() == [0, 0, 0]


@pytest.mark.parametrize("kwargs", [
    {"num_workers": -1}, {"timeout": -1}, {"prefetch_factor": 0}, {"batch_size": 0}, {"num_workers": "2"},
    {"batch_sampler": [[0]], "shuffle": True}, {"batch_sampler": [[0]], "batch_size": 2},
    {"places": [backends.CPUPlace(), backends.CPUPlace()]},
    {"dataset": Stream(3), "shuffle": True}, {"dataset": Stream(3), "batch_sampler": [[0]]},
    {"dataset": Stream(3), "batch_size": 0},
])  # fmt: skip
def test_refusals(kwargs):
    with pytest.raises(ValueError, match=r"DataLoader|BatchSampler"):
        DataLoader(**{"dataset": Mapped(int), **kwargs})


def test_single_samples_come_in_order():
    with pytest.warns(UserWarning, match="shuffle=True has no effect"):
        loader = DataLoader(Mapped(lambda index: index, 4), batch_size=None, shuffle=True, drop_last=True)
    assert [int(x) for x in loader] == [0, 1, 2, 3]
