"""Containers and arrays that are too large to be compared in every call."""

import array
import collections

import numpy as np
import pytest

import to_static as paddle
from to_static.core import log
from to_static.jit import to_static
from to_static.jit.large import Large, is_large


def values():
    numbers = [float(i) for i in range(3000)]
    yield list(numbers), lambda v: v.__setitem__(1234, -1.0)
    yield dict(enumerate(numbers)), lambda v: v.__setitem__(1234, -1.0)
    yield set(numbers), lambda v: (v.discard(1234.0), v.add(-1.0))
    yield collections.deque(numbers), lambda v: v.__setitem__(1234, -1.0)
    yield array.array("d", numbers), lambda v: v.__setitem__(1234, -1.0)
    yield bytearray(3000), lambda v: v.__setitem__(1234, 1)
    yield np.zeros((200, 300)), lambda v: v.__setitem__((123, 45), 1.0)
    yield np.zeros((600, 300)).T[:, ::2], lambda v: v.__setitem__((123, 45), 1.0)
    yield np.array(numbers * 3, object), lambda v: v.__setitem__(1234, -1.0)


@pytest.mark.parametrize(("value", "change"), list(values()), ids=lambda v: type(v).__name__)
def test_a_change_of_one_item_is_seen_after_some_looks_and_said_once(value, change, monkeypatch):
    monkeypatch.setattr(log, "_warned", set())
    large = Large()
    assert is_large(value)
    assert {large.version(value) for _ in range(200)} == {0}
    change(value)
    with pytest.warns(UserWarning, match="may have used the old ones") as caught:
        assert [large.version(value) for _ in range(200)][-1] == 1
    assert len(caught) == 1


def test_another_length_is_seen_at_once():
    large, value = Large(), [0] * 3000
    large.version(value)
    value.append(1)
    with pytest.warns(UserWarning, match="a list of 3001 items changed"):
        assert large.version(value) == 1


def test_a_change_of_all_items_is_seen_by_the_next_call():
    table, scales = dict.fromkeys(range(2000), 1.0), np.ones(50000, "float32")
    f = to_static(lambda x: x * table[7] + paddle.to_tensor(scales)[:2])
    x = paddle.to_tensor([1.0, 2.0])
    assert f(x).tolist() == f(x).tolist() == [2.0, 3.0] and len(f.program_cache) == 1
    with pytest.warns(UserWarning, match="a ndarray of 50000 items"):
        scales *= 3
        assert f(x).tolist() == [4.0, 5.0]
    with pytest.warns(UserWarning, match="a dict of 2000 items"):
        table.update(dict.fromkeys(range(2000), 2.0))
        assert f(x).tolist() == f(x).tolist() == [5.0, 7.0]
    assert len(f.program_cache) == 3
