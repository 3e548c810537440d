import numpy as np
import pytest

import to_static as paddle
from to_static import io
from to_static.compiler.eager.tensor import EagerTensor
from to_static.core import backend as backends
from to_static.core.errors import ShapeError, ToStaticError


class Numbers(io.IterableDataset):
    def __init__(self, count):
        self.count = count

    def __iter__(self):
        return iter(range(self.count))


class Pairs(io.Dataset):
    def __init__(self, count, offset=0):
        self.count, self.offset = count, offset

    def __getitem__(self, index):
        return index + self.offset, -index

    def __len__(self):
        return self.count


def test_tensor_dataset_gives_rows_of_tensors():
    data = io.TensorDataset([EagerTensor(np.arange(6.0).reshape(3, 2)), EagerTensor(np.arange(3))])
    x, y = data[1]
    assert len(data) == 3
    assert x.numpy().tolist() == [2.0, 3.0]
    assert y.numpy().tolist() == 1


def test_tensor_dataset_wants_one_length():
    with pytest.raises(ShapeError, match=r"\[\[3, 2\], \[2\]\]"):
        io.TensorDataset([np.zeros((3, 2)), np.zeros(2)])
    with pytest.raises(ShapeError):
        io.TensorDataset([])


def test_subset():
    assert list(io.Subset(range(10, 20), [3, 3, 0])) == [13, 13, 10]
    assert len(io.Subset(range(10), [1, 2])) == 2


def test_random_split_is_a_partition_that_the_seed_fixes():
    def split():
        backends.seed(7)
        return [list(part) for part in io.random_split(range(20), [15, 0, 5])]

    first, empty, rest = split()
    assert sorted(first + rest) == list(range(20))
    assert empty == []
    assert first != sorted(first)
    assert split() == [first, [], rest]
    with pytest.raises(ValueError, match=r"\[3, 4\].*= 20"):
        io.random_split(range(20), [3, 4])


def test_random_split_with_a_generator():
    parts = [io.random_split(range(9), [9], np.random.default_rng(1))[0].indices for _ in range(2)]
    assert parts[0] == parts[1]


def test_concat():
    data = io.ConcatDataset([Pairs(5), Pairs(0), Pairs(5, offset=100)])
    assert len(data) == 10
    assert [data[i][0] for i in (0, 4, 5, 9, -1, -10)] == [0, 4, 100, 104, 104, 0]
    for index in (10, -11):
        with pytest.raises(IndexError):
            data[index]


def test_compose():
    assert io.ComposeDataset([Pairs(4), range(4)])[2] == (2, -2, 2)
    with pytest.raises(ValueError, match=r"\[4, 3\]"):
        io.ComposeDataset([Pairs(4), Pairs(3)])


def test_chain():
    assert list(io.ChainDataset([Numbers(2), Numbers(3)])) == [0, 1, 0, 1, 2]
    with pytest.raises(TypeError, match="IterableDatasets, got Pairs"):
        io.ChainDataset([Pairs(2)])


@pytest.mark.parametrize("kind", [io.ConcatDataset, io.ComposeDataset])
def test_streams_have_no_place_among_indexed_datasets(kind):
    with pytest.raises(TypeError, match="Numbers"):
        kind([Numbers(2)])


@pytest.mark.parametrize("kind", [io.ConcatDataset, io.ComposeDataset, io.ChainDataset])
def test_nothing_to_combine(kind):
    with pytest.raises(ValueError, match="at least one"):
        kind([])


def test_what_a_subclass_must_define():
    class Mine(io.Dataset):
        pass

    for use in (len, lambda d: d[0]):
        with pytest.raises(NotImplementedError, match="Mine"):
            use(Mine())
    with pytest.raises(NotImplementedError, match="__iter__"):
        iter(io.IterableDataset())
    with pytest.raises(RuntimeError, match="iterate"):
        Numbers(3)[0]
    with pytest.raises(TypeError):
        len(Numbers(3))
    assert issubclass(ShapeError, ToStaticError)


def test_where_datasets_end():
    assert paddle.io.ConcatDataset.cumsum([range(2), [1, 2, 3]]) == [2, 5]
