import collections

import numpy as np
import pytest

from to_static.compiler.eager.tensor import EagerTensor
from to_static.core import backend as backends
from to_static.core.errors import DTypeError, ShapeError
from to_static.io.collate import default_collate_fn, to_arrays, to_tensors

Point = collections.namedtuple("Point", "x y")


def test_nested_samples():
    batch = default_collate_fn([{"a": i, "b": [i / 2, (np.full(2, i), f"s{i}", b"x")]} for i in range(3)])
    assert batch["a"].tolist() == [0, 1, 2]
    halves, (rows, names, raw) = batch["b"]
    assert halves.tolist() == [0, 0.5, 1]
    assert rows.tolist() == [[0, 0], [1, 1], [2, 2]]
    assert names == ["s0", "s1", "s2"]
    assert raw == [b"x"] * 3


@pytest.mark.parametrize(
    ("samples", "dtype"),
    [([1, 2], "int64"), ([0.5, 1], "float64"), ([True, False], "bool"), ([np.float32(1)] * 2, "float32"),
     ([np.ones(2, "uint8")] * 2, "uint8")],
)  # fmt: skip
def test_dtypes_are_kept(samples, dtype):
    assert default_collate_fn(samples).dtype == dtype


def test_tensors_become_a_tensor():
    batch = default_collate_fn([EagerTensor(np.float32([i, i])) for i in range(3)])
    assert isinstance(batch, EagerTensor)
    assert batch.numpy().tolist() == [[0, 0], [1, 1], [2, 2]]


def test_named_tuples_become_lists():
    assert [field.tolist() for field in default_collate_fn([Point(1, 2), Point(3, 4)])] == [[1, 3], [2, 4]]


@pytest.mark.parametrize(
    ("samples", "error", "match"),
    [([np.zeros(2), np.zeros(3)], ShapeError, r"sample: .*\(2,\), \(3,\)"),
     ([{"img": np.zeros(2)}, {"img": np.zeros(3)}], ShapeError, r"sample\['img'\]"),
     ([(1, 2), (1,)], ShapeError, "fields"), ([(1, object())], TypeError, r"sample\[1\].*object")],
)  # fmt: skip
def test_refusals_name_the_field(samples, error, match):
    with pytest.raises(error, match=match):
        default_collate_fn(samples)


def test_to_tensors_converts_numbers_only():
    names = np.array(["a", "b"])
    batch = to_tensors(
        {"x": np.ones(2, "float32"), "n": names, "k": 3, "t": (np.int64([1]), "s")}, backends.NUMPY, False
    )
    assert isinstance(batch["x"], EagerTensor)
    assert batch["n"] is names
    assert batch["k"] == 3
    assert isinstance(batch["t"], tuple)
    assert isinstance(batch["t"][0], EagerTensor)
    assert to_arrays(batch)["t"][0].tolist() == [1]
    with pytest.raises(DTypeError, match="uint16"):
        to_tensors(np.zeros(2, "uint16"), backends.NUMPY, False)


def test_to_tensors_copies_when_asked():
    array = np.zeros(2)
    tensor = to_tensors(array, backends.NUMPY, copy=True)
    array[0] = 9
    assert tensor.numpy().tolist() == [0, 0]
