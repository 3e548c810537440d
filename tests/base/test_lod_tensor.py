"""Tensors with offsets of sequences, as Paddle shows them."""

from __future__ import annotations

import numpy as np
import pytest

from to_static import base, framework
from to_static.core.errors import ShapeError


def test_lengths_and_offsets():
    t = base.LoDTensor()
    assert t.shape() == [0] and not t._is_initialized() and t.lod() == []
    t.set(np.zeros([5, 30]), None)
    t.set_recursive_sequence_lengths([[2, 3]])
    assert (t.shape(), t.lod(), t.recursive_sequence_lengths()) == ([5, 30], [[0, 2, 5]], [[2, 3]])
    assert t.has_valid_recursive_sequence_lengths() and len(t) == 5 and t.dtype == np.float64
    for wrong in ([[0, 2, 4]], [[1, 5]], [[0, 3, 2, 5]], [[0, 1], [0, 2, 5]]):
        with pytest.raises(ShapeError, match="rise from 0"):
            t.set_lod(wrong)
    t.set_lod([])
    assert t.lod() == [] and t.has_valid_recursive_sequence_lengths()
    t.set_lod([[0, 1, 2], [0, 2, 5]])
    assert t.recursive_sequence_lengths() == [[1, 1], [2, 3]]


def test_it_is_the_tensor_of_the_core():
    assert framework.core.Tensor is framework.core.LoDTensor is base.core.LoDTensor is base.LoDTensor
    assert base.core.EOFException is framework.core.EOFException


def test_text():
    data = np.arange(1, 9, dtype="float32").reshape(8, 1)
    assert str(base.create_lod_tensor(data, [[2, 2], [3, 3, 1, 1]], None)) == (
        "  - lod: {{0, 2, 4}{0, 3, 6, 7, 8}}\n  - shape: [8, 1]\n  - layout: NCHW\n  - place: Place(cpu)\n  - dtype: float32\n"
        "  - data: [1 2 3 4 5 6 7 8]\n"
    )
    t = base.LoDTensor()
    assert str(t) == "  - shape: []\n  - layout: NCHW\nuninited\n"
    t.set(np.arange(30).reshape(3, 10) % 3 / 3, None)  # without offsets, with all its numbers
    assert "lod" not in str(t) and str(t).endswith(f"data: [{' '.join(['0 0.333333 0.666667'] * 10)}]\n")


def test_of_lists_and_random_numbers():
    t = base.create_lod_tensor([[1, 2], [3, 4, 5]], [[2, 3]], None)
    assert t.shape() == [5, 1] and np.asarray(t).ravel().tolist() == [1, 2, 3, 4, 5]
    with pytest.raises(ShapeError, match="do not match"):
        base.create_lod_tensor([[1], [2]], [[2]], None)
    t = base.create_random_int_lodtensor([[2, 3]], [4], None, 3, 3)
    assert t.shape() == [5, 4] and np.asarray(t).min() == np.asarray(t).max() == 3
    array = base.LoDTensorArray()
    array.append(t)
    assert len(array) == 1
