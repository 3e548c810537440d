"""Conditions of runs: a call for which one fails is Python's, or another Program's, whichever way it comes."""

import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.compiler.frontend.function import fast_path
from to_static.compiler.frontend.function.program import conditions

X = paddle.to_tensor([1.0, 2.0])


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("a", paddle.zeros([2]))
        self.register_buffer("b", paddle.ones([2]))
        self.items = [paddle.zeros([2])]


def add(net, x):
    net.a.add_(x)
    return x * 2


def both(net, x):
    net.a.add_(x)
    net.b.add_(x)
    old, net.a = net.a, net.a * 1
    return old + net.b


def append(net, xs):
    xs.append(xs[0] * 2)
    net.items.append(xs[0])
    return xs[0] + 1


def ascend(net, x):
    (x * x).sum().backward()
    return x * 1


def wanting(numbers=(1.0, 2.0)):
    x = paddle.to_tensor(numbers)
    x.stop_gradient = False
    return x


def of_others(_net):
    return wanting() * 2


def tensor_aliases(net):
    net.b = net.a
    return X


CASES = {
    "an argument that changes by another name": (add, "UnaliasedTensors", lambda net: X, lambda net: net.a),
    "a view of what changes": (add, "UnaliasedTensors", lambda net: X, lambda net: net.a.reshape([2, 1]).reshape([2])),
    "buffers that become one": (both, "SameBuffers", lambda net: X, tensor_aliases),
    "a list by another name": (append, "UnaliasedContainers", lambda net: [X], lambda net: net.items),
    "a gradient of what was computed": (ascend, "FreshGradients", lambda net: wanting(), of_others),
}


def told(convert, function, first, then):
    net, found = Net(), []
    call = convert(lambda x: function(net, x))
    for make in (first, first, first, then, first):
        given = make(net)
        found.append(call(given).numpy())
        found.append([t.numpy() for t in (net.a, net.b, *net.items)])
    return found


@pytest.mark.usefixtures("graph_breaks")
@pytest.mark.filterwarnings("ignore:.*graph break", "ignore:.*runs in Python")
@pytest.mark.parametrize("way", ["entry", "description", "bound"])
@pytest.mark.parametrize(("function", "name", "first", "then"), CASES.values(), ids=CASES)
def test_calls_that_fail_a_condition(function, name, first, then, way, monkeypatch):
    if way != "entry":
        monkeypatch.setattr(fast_path, "entry", lambda *call: fast_path.no_entry)
    if way == "bound":
        monkeypatch.setattr(fast_path, "key_of", lambda *call: None)
    checked, kind = [], getattr(conditions, name)
    check = kind.check
    monkeypatch.setattr(kind, "check", lambda self, *call: (checked.append(self), check(self, *call)))
    static = told(paddle.jit.to_static, function, first, then)
    assert checked
    for a, b in zip(static, told(lambda f: f, function, first, then), strict=True):
        np.testing.assert_allclose(a, b)
