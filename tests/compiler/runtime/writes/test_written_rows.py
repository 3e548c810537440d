"""What runs write over is noted, and put back where they fail; whoever asks for numbers of before finds them."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.compiler.runtime.writes import written_rows as rows
from to_static.core.arrays import past

ONES = paddle.ones([64])


class Cache(nn.Layer):
    """A layer with a large buffer and a weight, which writes as ``step`` says."""

    def __init__(self, step, n=20000):
        super().__init__()
        self.register_buffer("rows", paddle.zeros([n, 64]))
        self.w = self.create_parameter([64], default_initializer=nn.initializer.Constant(1.0))
        self.step = step

    def forward(self, x, i):
        return self.step(self, x, i)


def one_row(self, x, i):
    self.rows[i] = x
    return (self.rows[:16] * self.w).sum()


def with_history(self, x, i):
    self.rows[i] = x * self.w
    return (self.rows[:16] * x).sum()


def a_loop(self, x, i):
    k = i * 0
    while k < 5:
        self.rows[k + i] = self.rows[k] * 0.5 + x
        k = k + 1
    return (self.rows[:16] * self.w).sum()


def nested(self, x, i):
    k = i * 0
    while k < 3:
        j = i * 0
        while j < 2:
            if x.sum() > 0:
                self.rows[k + j] = x
            j = j + 1
        k = k + 1
    return (self.rows[:16] * self.w).sum()


def indices(self, x, i):
    self.rows.put_along_axis_(i.reshape([1, 1]).expand([1, 64]), x.reshape([1, 64]), 0)
    return (x * self.rows[:16] * self.w).sum()


def read_before(self, x, i):
    kept = self.rows[i - 1] * 2.0
    self.rows[i] = kept + x
    return (self.rows[i] * self.w).sum()


@pytest.mark.parametrize("step", [one_row, with_history, a_loop, nested, indices, read_before], ids=lambda step: step.__name__)
@pytest.mark.parametrize("grads", [True, False])
def test_a_call_costs_what_it_writes(step, grads):
    layer, other = Cache(step), Cache(step, 100)
    static = paddle.jit.to_static(layer, full_graph=True)
    with paddle.set_grad_enabled(grads):
        for i in (1, 2, 3):
            found, expected = static(ONES, paddle.to_tensor(i)), other(ONES, paddle.to_tensor(i))
        memory = layer.rows.data_ptr()
        tracemalloc.start()
        try:
            for i in range(4, 9):
                found, expected = static(ONES * i, paddle.to_tensor(i)), other(ONES * i, paddle.to_tensor(i))
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    np.testing.assert_allclose(found.numpy(), expected.numpy(), 1e-5)
    np.testing.assert_array_equal(layer.rows[:100].numpy(), other.rows.numpy())
    assert layer.rows.data_ptr() == memory
    assert peak < 500_000
    if grads:
        found.backward()
        expected.backward()
        np.testing.assert_allclose(layer.w.grad.numpy(), other.w.grad.numpy(), 1e-5)


def test_a_loop_that_fails_has_written_nothing():
    layer = Cache(a_loop, 4000)
    static = paddle.jit.to_static(layer, full_graph=True)
    for i in (1, 2, 3):
        static(ONES, paddle.to_tensor(i))
    before, memory = layer.rows.numpy(), layer.rows.data_ptr()
    [plan] = [p for name, p in static.forward.concrete_program.plans() if name == "calls with gradients"]
    with pytest.raises(IndexError):
        plan.attempt(ONES._array, np.asarray(3998))
    np.testing.assert_array_equal(layer.rows.numpy(), before)
    assert layer.rows.data_ptr() == memory


def test_an_interrupt_finds_nothing_half_done(monkeypatch):
    class Interrupting(rows.Rows):
        __slots__ = ()

        def writing(self, array, place):
            found = super().writing(array, place)
            if len(self._log) == 4:
                array[place] = 99.0
                raise KeyboardInterrupt
            return found

    monkeypatch.setattr("to_static.compiler.runtime.codegen.Rows", Interrupting)
    layer = type("Own", (Cache,), {})(a_loop, 4000)  # which runs no Programs of other instances
    layer.rows.set_value(np.arange(4000 * 64, dtype="float32").reshape([4000, 64]))
    before, static = layer.rows.numpy(), paddle.jit.to_static(layer, full_graph=True)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            static(ONES, paddle.to_tensor(1))
        np.testing.assert_array_equal(layer.rows.numpy(), before)


@pytest.mark.parametrize(("small", "share"), [(0, 0.001), (0, 0.01), (0, 100.0), (1 << 30, 1.0)])
def test_who_writes_much_goes_on_in_a_copy(small, share, monkeypatch):
    monkeypatch.setattr(rows, "SMALL", small)
    monkeypatch.setattr(rows, "SHARE", share)
    layers = [Cache(nested, 50), Cache(nested, 50)]
    static = paddle.jit.to_static(layers[0], full_graph=True)
    kept = []
    for i in range(4):
        for call in (static, layers[1]):
            call(ONES * (i + 1), paddle.to_tensor(i))
        kept.append((layers[0].rows.numpy(), layers[1].rows.numpy()))
    for one, other in kept:
        np.testing.assert_array_equal(one, other)


def test_gradients_of_gradients_have_the_numbers_of_then():
    def squares(self, x, i):
        found = (self.rows[:4] * self.w * self.w).sum()
        self.rows[i] = x
        return found

    layers = [Cache(squares, 50), Cache(squares, 50)]
    seen = []
    for layer, call in zip(layers, (layers[0], paddle.jit.to_static(layers[1], full_graph=True)), strict=True):
        losses = [call(ONES * (i + 1), paddle.to_tensor(i % 4)) for i in range(7)]
        with paddle.no_grad():
            layer.rows[1] = 77.0
        losses.append(call(ONES, paddle.to_tensor(0)))
        for loss in losses:
            [first] = paddle.grad(loss, [layer.w], create_graph=True)
            [second] = paddle.grad(first.sum(), [layer.w])
            seen.append((loss.numpy(), first.numpy(), second.numpy()))
    for one, other in zip(seen[:8], seen[8:], strict=True):
        for a, b in zip(one, other, strict=True):
            np.testing.assert_allclose(a, b, 1e-6)


def test_a_gradient_of_a_gradient_stops_at_what_the_function_was_given():
    w = paddle.to_tensor(2.0, stop_gradient=False)
    cube = paddle.jit.to_static(lambda h: h * w * h, full_graph=True)
    [first] = paddle.grad(cube(w * 3), [w], create_graph=True)  # of 9 w^3
    [second] = paddle.grad(first, [w])
    assert (float(first), float(second)) == (108.0, 108.0)


def test_moments_of_an_array():
    array = np.zeros(3)
    first = past.snapshot(array)
    assert past.snapshot(array) is first
    assert first.restored() is array
    for number in (1.0, 2.0):
        moment, old = past.latest(array), array[:1].copy()
        array[0] = number
        for step in moment.giving_way([(slice(0, 1), old)]):
            list(step)
        assert past.latest(array) is not moment
    second = first._next
    assert [m.restored().tolist() for m in (first, second, past.latest(array))] == [[0, 0, 0], [1, 0, 0], [2, 0, 0]]
    del first, second, moment
    assert past.latest(array) is None


def test_variables_of_a_loop_that_change_places():
    def turned(v, n):
        a, b = paddle.zeros([4, 2]), paddle.zeros([4, 2])
        i = paddle.to_tensor(0)
        while i < n:
            a, b = paddle.scatter(b, i.reshape([1]), v), paddle.scatter(a, i.reshape([1]), v * 2)
            i = i + 1
        return a, b

    static, v = paddle.jit.to_static(turned, full_graph=True), paddle.ones([1, 2])
    for n in (0, 1, 3):
        given = v, paddle.to_tensor(n)
        assert [t.tolist() for t in static(*given)] == [t.tolist() for t in turned(*given)]
