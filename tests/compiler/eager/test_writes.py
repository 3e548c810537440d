"""Writes into parts of tensors: in the memory that is there, unless somebody else has that; random programs against NumPy."""

from __future__ import annotations

import random
import tracemalloc

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.eager.mode import EagerMode

ROWS, COLUMNS = 6, 4


def place(rng):
    """An index that is right for [ROWS, COLUMNS] and for each turned form of it (4 rows and columns)."""
    return rng.choice([
        rng.randrange(4), (rng.randrange(4), rng.randrange(4)), slice(1, 3), (slice(None), rng.randrange(4)), slice(None, None, 2),
        (rng.randrange(-4, 0), slice(0, 3)), (slice(0, 4), slice(1, 4)), ..., (None, 1),
    ])  # fmt: skip


def write(rng, tensor, array):
    """The same change of a tensor and an array."""
    kind, number = rng.randrange(11), rng.randrange(-9, 9)
    if kind < 3:
        where = place(rng)
        if kind == 0 or where == (None, 1):
            tensor[where] = float(number)
            array[where] = number
        elif kind == 1:
            tensor[where] = tensor[where] * 2 + number
            array[where] = array[where] * 2 + number
        else:
            tensor[where] += float(number)
            array[where] += number
    elif kind == 3:
        tensor[tensor > number] = float(number)
        array[array > number] = number
    elif kind == 4:
        rows = paddle.to_tensor([3, 1])
        tensor[rows] = tensor[0]
        array[[3, 1]] = array[0].copy()
    elif kind == 5:
        tensor.scatter_(paddle.to_tensor([2, 0]), paddle.full([2, tensor.shape[1]], number, "float32"))
        array[[2, 0]] = number
    elif kind == 6:
        tensor.index_add_(paddle.to_tensor([1, 1]), 0, paddle.ones([2, tensor.shape[1]]))
        array[1] += 2
    elif kind == 7:
        tensor.index_put_((paddle.to_tensor([0, 3]), paddle.to_tensor([2, 2])), paddle.to_tensor(float(number)))
        array[[0, 3], [2, 2]] = number
    elif kind == 8:
        i = rng.randrange(4)
        tensor[i].fill_(float(number))
        array[i] = number
    elif kind == 9:
        i, j = rng.randrange(3), rng.randrange(3)
        tensor[i : i + 2, j].add_(tensor[i, j] * 2)
        array[i : i + 2, j] += array[i, j] * 2
    else:
        changed = np.arange(array.size, dtype="float32").reshape(array.shape) + number
        tensor.set_value(changed)
        array[...] = changed


VIEWS = [lambda x: x.T, lambda x: x[::-1][::-1] if isinstance(x, np.ndarray) else x.detach(), lambda x: x[:], lambda x: x[0:]]
COPIES = [lambda x: x * 1.0, lambda x: x.T * 2.0, lambda x: x[1] + 0.0, lambda x: x.sum(0), lambda x: x.T[1:3] - 1.0]


@pytest.mark.parametrize("seed", range(150))
def test_random_programs_against_numpy(seed):
    rng = random.Random(seed)
    array = np.random.RandomState(seed).randint(-9, 9, (ROWS, COLUMNS)).astype("float32")
    pairs, kept = [(paddle.to_tensor(array), array)], []
    for _ in range(rng.randrange(5, 25)):
        tensor, array = rng.choice(pairs)
        event = rng.randrange(10)
        if event < 5 and min(array.shape) >= 4:
            write(rng, tensor, array)
        elif event < 7:
            make = rng.choice(VIEWS)
            pairs.append((make(tensor), make(array)))
        elif event == 7:
            make = rng.choice(COPIES)
            kept.append((make(tensor), np.array(make(array))))
        elif event == 8:
            kept.append((paddle.to_tensor(tensor.numpy()), array.copy()))
        elif len(pairs) > 1:
            pairs.pop(rng.randrange(len(pairs)))
        for one, other in (*pairs, *kept):
            np.testing.assert_array_equal(one.numpy(), other)


def with_gradients(seed, copies):
    """Numbers and gradients of a random program of writes that are recorded; ``copies``: every write makes a new array."""
    rng = random.Random(seed)
    w = paddle.to_tensor(np.random.RandomState(seed).uniform(-1, 1, (ROWS, COLUMNS)).astype("float32"), stop_gradient=False)
    c, kept, losses = paddle.zeros([ROWS, COLUMNS]), [], []
    written, EagerMode._written = EagerMode._written, (lambda *a: None) if copies else EagerMode._written
    try:
        for _ in range(rng.randrange(3, 15)):
            i, j, event = rng.randrange(ROWS), rng.randrange(ROWS), rng.randrange(11)
            if event == 0:
                c[i] = w[j] * 2
            elif event == 1:
                c[i] = c[j] * w[i] + 1.0
            elif event == 2:
                c[i:] = c[i:] + w[i:]
            elif event == 3:
                kept.append(c * c)
            elif event == 4:
                kept.append(c[j].exp())
            elif event == 5:
                c.scatter_(paddle.to_tensor([i]), w[j : j + 1] * 3)
            elif event == 6:
                c[c > 0.5] = 0.25
            elif event == 9:
                with paddle.no_grad():
                    c[i].add_(c[j] * 0.5)
            elif event == 10:
                with paddle.no_grad():
                    c[i:].zero_()
            elif event == 7:
                c[i, 1] = (c.T[2] * c[:, 0]).sum()
            else:
                losses.append((c[i] * w[j]).sum())
        total = c.square().sum()
        for x in (*kept, *losses):
            total = total + x.sum()
        if total.stop_gradient:
            return [c.numpy()]
        total.backward()
        return [c.numpy(), total.numpy(), None if w.grad is None else w.grad.numpy()]
    finally:
        EagerMode._written = written


@pytest.mark.parametrize("seed", range(150))
def test_random_programs_with_gradients(seed):
    for one, other in zip(with_gradients(seed, False), with_gradients(seed, True), strict=True):
        np.testing.assert_array_equal(one, other)


WRITES = {
    "element": lambda c, i: c.__setitem__((i, 3), 1.0),
    "row": lambda c, i: c.__setitem__(i, paddle.ones([64])),
    "rows": lambda c, i: c.__setitem__(slice(i, i + 2), 2.0),
    "of the row before": lambda c, i: c.__setitem__(i, c[i - 1] + 1.0),
    "added": lambda c, i: c.__setitem__(i, c[i] + 1.0),
    "scatter_": lambda c, i: c.scatter_(paddle.to_tensor([i]), paddle.ones([1, 64])),
    "index_put_": lambda c, i: c.index_put_((paddle.to_tensor([i]),), paddle.ones([1, 64])),
    "index_add_": lambda c, i: c.index_add_(paddle.to_tensor([i]), 0, paddle.ones([1, 64])),
    "put_along_axis_": lambda c, i: c.put_along_axis_(paddle.full([1, 64], i, "int64"), 1.0, 0),
    "put_along_axis_ with a gradient": lambda c, i: c.put_along_axis_(paddle.full([1, 64], i, "int64"), WEIGHT[None] * 2, 0),
    "indices": lambda c, i: c.__setitem__(paddle.to_tensor([i, i + 1]), 0.0),
    "with a gradient": lambda c, i: c.__setitem__(i, WEIGHT * 2),
    "of the row before, with a gradient": lambda c, i: c.__setitem__(i, c[i - 1] * 0.5 + WEIGHT),
    "attention": lambda c, i: (c.__setitem__(i, 1.0), paddle.matmul(paddle.ones([1, 64]), c[: i + 1], transpose_y=True)),
    "views are alive": lambda c, i: (HELD.__setitem__(slice(None), [c.T, c.detach(), c[5]]), c.__setitem__(i, 1.0)),
    "fill_ of a row": lambda c, i: c[i].fill_(2.0),
    "zero_ of rows": lambda c, i: c[i : i + 2].zero_(),
    "add_ to a row": lambda c, i: c[i].add_(WEIGHT.detach()),
    "set_value of a row": lambda c, i: c[i].set_value(np.ones(64, "float32")),
    "fill_diagonal_ of a part": lambda c, i: c[i : i + 3, :3].fill_diagonal_(1.0),
    "through a view": lambda c, i: c.T.__setitem__((3, i), 1.0),
}
WEIGHT = paddle.ones([64])
WEIGHT.stop_gradient = False
HELD: list = []


@pytest.mark.parametrize("name", WRITES)
def test_a_write_copies_no_more_than_it_writes(name):
    c = paddle.zeros([20000, 64])  # five megabytes
    for i in (1, 2, 3):
        WRITES[name](c, i)
    memory = c.data_ptr()
    tracemalloc.start()
    try:
        for i in range(4, 9):
            WRITES[name](c, i)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        HELD.clear()
    assert c.data_ptr() == memory
    assert peak < 500_000


def test_a_row_of_a_parameter_is_written_in_place():
    table = paddle.create_parameter([20000, 64], "float32")
    memory, kept = table.data_ptr(), None
    with paddle.no_grad():
        for i in range(3):
            table[i] = paddle.full([64], float(i))
        assert table.data_ptr() == memory
        kept = table[2]
    loss = (table[:2] * table[1:3]).sum()  # its gradient needs the numbers of now
    with paddle.no_grad():
        table[1] = 9.0
        kept.fill_(5.0)
    loss.backward()
    assert table.grad[:3, 0].tolist() == [1, 2, 1] and table[:3, 0].tolist() == [0, 9, 5]


@pytest.mark.parametrize("name", ["fill_", "zero_", "set_value", "set_value of a view"])
def test_the_whole_is_written_in_place(name):
    c = paddle.ones([20000, 64])
    new = np.zeros((20000, 64))
    memory, view = c.data_ptr(), c[1]
    wide = paddle.zeros([1]).expand([20000, 64])
    change = {"fill_": lambda: c.fill_(0), "zero_": c.zero_, "set_value": lambda: c.set_value(new)}
    change.get(name, lambda: c.set_value(wide))()
    assert c.data_ptr() == memory
    assert float(c.sum()) == float(view.sum()) == 0
    kept = c._array
    c.fill_(3)
    assert c.data_ptr() != memory
    assert kept.sum() == 0
    assert float(view.sum()) == 64 * 3


def test_a_mask_writes_in_place():
    c = paddle.arange(12.0).reshape([3, 4]) * 1.0
    memory = c.data_ptr()
    c[c > 5.0] = 0.0
    assert c.data_ptr() == memory
    assert c.sum() == 15


@pytest.mark.parametrize("keep", ["recorded", "result of a static function", "array"])
def test_whoever_else_has_the_array_costs_one_copy(keep):
    c = paddle.zeros([100, 64])
    w = paddle.ones([100, 64])
    w.stop_gradient = False
    held = {
        "recorded": lambda: w * c,
        "result of a static function": lambda: paddle.jit.to_static(lambda x: x.T * 1.0)(c),
        "array": lambda: c._array,
    }[keep]()
    before = c.data_ptr()
    c[0] = 1.0
    moved = c.data_ptr()
    c[1] = 1.0
    assert moved != before
    assert c.data_ptr() == moved
    if keep == "recorded":
        held.sum().backward()
        assert w.grad.sum() == 0
    else:
        assert float(np.asarray(held).sum()) == 0


def test_a_write_that_is_refused_has_done_nothing():
    c = paddle.zeros([4, 3])
    for wrong in (
        lambda: c.__setitem__(9, 1.0),
        lambda: c.__setitem__(0, paddle.ones([5])),
        lambda: c.scatter_(paddle.to_tensor([9]), paddle.ones([1, 3])),
        lambda: c.index_put_((paddle.to_tensor([0, 9]),), paddle.ones([2, 3])),
    ):
        with pytest.raises((IndexError, ValueError)):
            wrong()
    assert c.sum() == 0
    w = paddle.ones([4, 3])
    w.stop_gradient = False
    with pytest.raises(Exception, match="leaf"):
        w[0] = 2.0
    assert w.sum() == 12


def test_what_is_written_may_be_read_from_there():
    c = paddle.arange(6.0)
    c[1:] = c[:-1]
    assert c.tolist() == [0, 0, 1, 2, 3, 4]
    i = paddle.to_tensor([1, 2, 0])
    i[i] = i
    assert i.tolist() == [0, 1, 2]
