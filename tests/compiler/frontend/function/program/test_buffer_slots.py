"""Objects that stay themselves: arguments, tensors from outside, and buffers that Programs assign."""

import numpy as np
import pytest

import to_static as paddle
from to_static import nn, to_static
from to_static.core.caching.version_counter import epoch

T = paddle.to_tensor


class Stateful(nn.Layer):
    def __init__(self):
        super().__init__()
        self.state = None

    def forward(self, x):
        y = x + self.state
        self.state = x * 3
        return y


def test_results_that_are_arguments_or_tensors_from_outside_are_these_objects():
    outside = T([5.0])

    @to_static(full_graph=True)
    def f(x, y):
        z = x * 2
        y.add_(x)
        return x, y, z, [z, outside]

    x, y = T([1.0]), T([2.0])
    for _ in range(2):
        a, b, c, (d, e) = f(x, y)
        assert a is x and b is y and c is d and e is outside
    assert y.item() == 4.0


@pytest.mark.parametrize("wrap", [lambda layer: layer, to_static])
def test_the_tensor_that_was_an_attribute_stays_as_it_is(wrap):
    layer = wrap(Stateful())
    for start in (7.0, 8.0, 9.0):
        held = layer.state = T([start, start])
        for x in ([1.0, 2.0], [3.0, 4.0]):
            before = layer.state.numpy()
            np.testing.assert_array_equal(layer(T(x)).numpy(), before + x)
        np.testing.assert_array_equal(held.numpy(), [start, start])
        np.testing.assert_array_equal(layer.state.numpy(), [9.0, 12.0])


def test_another_tensor_in_an_attribute_that_is_assigned_needs_no_other_program():
    layer = to_static(Stateful())
    for start in range(5):
        layer.state = T([float(start)])
        layer(T([1.0]))
    assert len(layer.forward.program_cache) == 1


def test_each_call_puts_another_tensor_there_and_looks_at_nothing_again():
    layer = to_static(Stateful())
    layer.state = T([7.0])
    layer(T([1.0]))
    layer(T([1.0]))
    held, at = layer.state, epoch[0]
    layer(T([2.0]))
    assert layer.state is not held and held.item() == 3.0 and layer.state.item() == 6.0
    assert epoch[0] == at


def test_functions_that_read_the_buffer_see_each_tensor():
    layer = to_static(Stateful())
    layer.state = T([7.0])
    read = to_static(lambda: layer.state * 1, full_graph=True)
    for value in (1.0, 2.0, 3.0, 4.0):
        layer(T([value]))
        assert value == 2.0 or read().item() == 3 * value


class Tracking(nn.Layer):
    """The best and the last loss, and a state with its history."""

    def __init__(self):
        super().__init__()
        self.weight = self.create_parameter([1], default_initializer=nn.initializer.Constant(0.5))
        self.best, self.last, self.hidden = 1e9, None, None

    def forward(self, x, read=False):
        if self.hidden is None:
            self.hidden = paddle.zeros([1])
        self.hidden = paddle.tanh(self.hidden + self.weight * x)
        if read:
            return self.hidden * self.last
        loss = (self.hidden - x).abs().sum()
        self.last = loss
        if loss < self.best:
            self.best = loss.detach()
        return loss


@pytest.mark.parametrize("called_before", [False, True])
def test_tensors_that_a_call_leaves_on_its_layer_are_buffers_and_no_new_program_each_time(called_before):
    net, static = Tracking(), Tracking()
    if called_before:
        net(T([1.0])), static(T([1.0]))
    to_static(static, full_graph=True)
    for i, value in enumerate((3.0, 1.0, 2.0, -1.0, 5.0, 4.0, 0.5, 2.0)):
        results = [layer(T([value]), i % 4 == 3) for layer in (net, static)]
        for layer, result in zip((net, static), results, strict=True):
            result.sum().backward(retain_graph=True)
            layer.seen = [result.item(), layer.weight.grad.item()]
        assert static.seen == pytest.approx(net.seen)
        kept = [{name: b.item() for name, b in layer.named_buffers()} for layer in (net, static)]
        assert sorted(kept[0]) == ["best", "hidden", "last"] and kept[1] == pytest.approx(kept[0])
        assert list(static.state_dict()) == ["weight"]
    assert len(static.forward.program_cache) <= 5


@pytest.mark.filterwarnings("ignore:.*reads by another name")
def test_an_argument_that_is_an_attribute_too_and_changes_is_left_to_python(graph_breaks):
    class Adding(nn.Layer):
        def __init__(self):
            super().__init__()
            self.state = T([1.0])

        def forward(self, x):
            x.add_(1)
            return x + self.state

    for first in (False, True):
        layer = to_static(Adding())
        if first:
            assert layer(T([1.0])).item() == 3.0
        assert layer(layer.state).item() == 4.0
