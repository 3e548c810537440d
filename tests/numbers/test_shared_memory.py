"""Views share memory: what a change in place does to the others, and to gradients, is Paddle's, dynamic and in static functions."""

from __future__ import annotations

import json

import numpy as np
import pytest

import to_static as paddle
from tests.numbers.record_views import FILE, START
from tests.numbers.views import CASES

RECORDS = json.loads(FILE.read_text())
SHARES = {
    "reshape": lambda a: a.reshape([6]), "flatten": lambda a: a.flatten(), "squeeze": lambda a: a.unsqueeze(0).squeeze(0),
    "unsqueeze": lambda a: a.unsqueeze(1), "transpose": lambda a: a.transpose([1, 0]), "T": lambda a: a.T, "row": lambda a: a[1],
    "column": lambda a: a[:, 1:], "every other": lambda a: a[:, ::2], "all": lambda a: a[:], "ellipsis": lambda a: a[...],
    "new axis": lambda a: a[None], "detach": lambda a: a.detach(), "view": lambda a: a.view([3, 2]), "element": lambda a: a[0, 1],
    "moveaxis": lambda a: paddle.moveaxis(a, 0, 1), "backwards": lambda a: a[::-1], "Flatten": lambda a: paddle.nn.Flatten(0)(a),
    "unbind": lambda a: a.unbind()[1], "unbind columns": lambda a: a.unbind(1)[2], "diagonal": lambda a: a.diagonal(),
}  # fmt: skip
COPIES = {
    "clone": lambda a: a.clone(), "assign": paddle.assign, "split": lambda a: paddle.split(a, 2)[0],
    "astype": lambda a: a.astype("float32"), "cast": lambda a: paddle.cast(a, a.dtype), "crop": paddle.crop,
    "alpha_dropout": lambda a: paddle.nn.functional.alpha_dropout(a, 0.0), "clip": paddle.clip, "tril": lambda a: paddle.tril(a, 9),
    "roll": lambda a: paddle.roll(a, 0), "scale": lambda a: paddle.scale(a, 1.0), "gather all": lambda a: a[[0, 1]],
    "pad": lambda a: paddle.nn.functional.pad(a, [0, 0, 0, 0]), "repeat": lambda a: paddle.repeat_interleave(a, 1, 0),
    "unstack": lambda a: paddle.unstack(a)[1],
    "tile": lambda a: a.tile([1, 1]), "expand": lambda a: a.expand([2, 3]), "concat": lambda a: paddle.concat([a]),
    "list": lambda a: a[[0, 1]], "flip": lambda a: a.flip(0), "to_tensor": paddle.to_tensor,
    "gather": lambda a: paddle.gather(a, paddle.to_tensor([0])), "sum": lambda a: a + 0,
}  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
def test_against_paddle(case, static):
    result, slope, plain, argument = RECORDS[case.__name__]

    def doubled(x):
        return case(paddle, x * 2)

    def itself(a):
        return case(paddle, a)

    if static:
        doubled, itself = paddle.jit.to_static(doubled, full_graph=True), paddle.jit.to_static(itself, full_graph=True)
    for _ in range(2):
        x = paddle.to_tensor(START, stop_gradient=False)
        value = doubled(x)
        value.backward()
        np.testing.assert_allclose([value.item(), *x.grad.numpy().ravel()], [result, *slope], rtol=2e-3, atol=2e-6)
        a = paddle.to_tensor(START)
        np.testing.assert_allclose(itself(a).item(), plain, rtol=1e-6)
        np.testing.assert_allclose(a.numpy().ravel(), argument, rtol=1e-6)


@pytest.mark.parametrize("name", SHARES)
def test_a_view_and_its_tensor_see_each_other(name):
    a = paddle.to_tensor(START)
    b = SHARES[name](a)
    b.add_(paddle.full(b.shape, 100.0))
    assert (a.numpy() > 100).sum() == b.size
    a.set_value(np.zeros((2, 3), "float32"))
    assert (b.numpy() == 0).all()
    b.fill_(7.0)
    assert (a.numpy() == 7).sum() == b.size


@pytest.mark.parametrize("name", COPIES)
def test_others_are_copies(name):
    a = paddle.to_tensor(START)
    COPIES[name](a).fill_(7.0)
    np.testing.assert_array_equal(a.numpy(), START)


def test_what_was_recorded_for_gradients_does_not_change():
    x = paddle.to_tensor(START, stop_gradient=False)
    a = x * 2
    y = (a * a).sum()
    a.reshape([6])[0] = 100.0
    assert a.numpy()[0, 0] == 100
    y.backward()
    np.testing.assert_array_equal(x.grad.numpy(), 8 * START)


def test_a_dead_view_costs_nothing_and_shapes_may_change_in_place():
    a = paddle.to_tensor(START)
    a.reshape([6])
    before = a._array
    a.reshape_([3, 2])
    assert a._array.base is before.base or a._array.base is before
    b = a.reshape([6])
    a.reshape_([1, 6])
    b[0] = 9.0
    assert a.shape == [1, 6] and a.numpy()[0, 0] == 9
    a.add_(paddle.ones([1, 6]))
    del b
    a.add_(paddle.ones([1, 6]))
    assert a._memory is None and a.numpy()[0, 0] == 11


def test_an_optimizer_moves_the_views_of_its_parameters():
    layer = paddle.nn.Linear(2, 2)
    flat = layer.weight.detach().reshape([4])
    layer(paddle.ones([1, 2])).sum().backward()
    paddle.optimizer.SGD(0.5, parameters=layer.parameters()).step()
    np.testing.assert_array_equal(flat.numpy(), layer.weight.numpy().ravel())


def test_a_static_function_moves_the_views_of_what_it_changes():
    buffer = paddle.zeros([2, 2])
    flat = buffer.reshape([4])

    @paddle.jit.to_static(full_graph=True)
    def count():
        buffer.add_(paddle.ones([2, 2]))
        return buffer.sum()

    assert [count().item(), count().item()] == [4, 8]
    assert flat.numpy().tolist() == [2, 2, 2, 2]


class Viewed(paddle.nn.Layer):
    """A buffer with views that are there before the call."""

    def __init__(self, change):
        super().__init__()
        self.register_buffer("table", paddle.ones([2, 2]))
        self.flat, self.row, self.change = self.table.reshape([4]), self.table[0], change

    def forward(self, x):
        self.change(self, x)
        return self.table.sum() + (self.flat * self.flat).sum() + self.row.sum()


@pytest.mark.parametrize(
    "change",
    [
        lambda self, x: self.table.add_(x),
        lambda self, x: self.flat.scale_(2.0),
        lambda self, x: self.row.fill_(5.0),
        lambda self, x: self.table[1].set_value(x[0]),
        lambda self, x: self.table.flatten().add_(x.flatten()),
    ],
)
@pytest.mark.filterwarnings("ignore:.*is a view of the other")
def test_views_that_were_there_before_are_not_mistaken_for_other_memory(change, graph_breaks):
    plain, static = Viewed(change), Viewed(change)
    call = paddle.jit.to_static(static.forward)
    for k in range(3):
        x = paddle.full([2, 2], k + 1.0)
        assert call(x).item() == plain(x).item()
        assert static.table.tolist() == plain.table.tolist() and static.flat.tolist() == plain.flat.tolist()


@pytest.mark.filterwarnings("ignore:.*is a view of the other")
def test_arguments_that_are_views_of_each_other(graph_breaks):
    def double(a, b):
        b.scale_(2.0)
        return a.sum()

    static = paddle.jit.to_static(double)
    a, b = paddle.ones([2, 3]), paddle.ones([6])
    assert static(a, b).item() == 6
    assert static(a, a.reshape([6])).item() == 12 and a.numpy()[1, 2] == 2
    rows = paddle.ones([2, 3])
    assert static(rows[0], rows[1]).item() == 3 and rows.tolist() == [[1] * 3, [2] * 3]


def test_such_a_call_gives_python_s_result_in_a_full_graph_too():
    static = paddle.jit.to_static(lambda a, b: b.scale_(2.0) + a.sum(), full_graph=True)
    a = paddle.ones([6])
    assert static(a, a.reshape([2, 3])).tolist() == [[14] * 3] * 2
    assert a.tolist() == [2] * 6
