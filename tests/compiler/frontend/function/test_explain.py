"""explain() names what differs; shapes that vary are offered, or given, unknown dimensions."""

from __future__ import annotations

import threading
import types

import numpy as np

import to_static as paddle

FACTOR = 3


def test_differences_are_named():
    def f(x, n=2, flag=None):
        return x * n * FACTOR

    static = paddle.jit.to_static(f)
    assert "makes a new Program (0 in the cache)" in static.explain(paddle.ones([2]))
    static(paddle.ones([2]))
    assert "runs Program 1 of 1" in static.explain(paddle.ones([2]))
    text = static.explain(paddle.ones([3]), 5)
    assert "x: f32[3] here, f32[2] there" in text and "n: 5 here, 2 there" in text
    assert "InputSpec([None], 'float32', 'x')" in text and "passed as a tensor" in text
    assert "x.astype('float32')" in static.explain(paddle.ones([2], "int64"))
    assert "flag" not in text
    assert "FACTOR = 3" in text
    assert "structure of the arguments is different" in static.explain(paddle.ones([2]), flag=[1])
    assert len(static.program_cache) == 1, "explaining traces nothing"


def test_the_closest_program_is_the_one_that_is_told_of():
    static = paddle.jit.to_static(lambda x, options=None: x * 2)
    x = paddle.ones([2])
    for arg in (paddle.ones([2, 3]), x, paddle.ones([2], "int64")):
        static(arg)
    static(x, {"a": 1})
    text = static.explain(paddle.ones([5]))
    assert "makes a new Program (4 in the cache); the closest is Program 2:" in text and "x: f32[5] here, f32[2] there" in text
    text = static.explain(x, {"a": 2})
    assert "the closest is Program 4:" in text and "options_a: 2 here, 1 there" in text


class Scaled(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc, self.scale, self.drop = paddle.nn.Linear(2, 2), 2, paddle.nn.Dropout(0.5)

    def forward(self, x, name="a"):
        if x.sum() > FACTOR:
            print("large", x.sum())
        return self.drop(self.fc(x)) * self.scale


def test_modes_and_attributes_of_layers_are_named():
    net = paddle.jit.to_static(Scaled())
    x = paddle.ones([1, 2])
    net(x)
    net.eval()
    assert "eval mode here, train mode there" in net.forward.explain(x)
    net.train()
    net.scale = 3
    text = net.forward.explain(x)
    assert "attribute 'scale' of a Scaled: any int here, 2 there" in text and "built in: self.scale = 3" in text
    net.fc.weight = net.fc.create_parameter([2, 2])
    assert "attribute 'weight' of a Layer: another object here" in net.forward.explain(x)


def test_without_arguments_the_programs_are_named_with_what_they_do():
    net = paddle.jit.to_static(Scaled())
    assert net.forward.explain().startswith("forward: 0 Programs in the cache")
    net(paddle.ones([1, 2]))
    net(paddle.ones([2, 2]), name="b")
    text = net.forward.explain()
    assert "Program 1: for (f32[1, 2], 'a')" in text and "Program 2: for (f32[2, 2], 'b')" in text
    for part in ("tests in each run, ", "`if x.sum() > FACTOR:`", "prints in each run, ", "draws random numbers in each run, "):
        assert part in text
    assert "tests in each run" in net.forward.explain(paddle.ones([1, 2]))


class Inner:
    __slots__ = ("v",)

    def __init__(self):
        self.v = 1


def test_values_from_outside_are_named():
    settings = types.SimpleNamespace(k=1, sizes=[1, 2], inner=Inner())
    f, x = paddle.jit.to_static(lambda x: x * settings.k + settings.sizes[0] + settings.inner.v), paddle.ones([2])
    f(x)
    assert "runs Program 1 of 1" in f.explain(x)
    settings.k, settings.sizes[0] = 2, 5
    text = f.explain(x)
    assert "variable 'settings'.k: any int here, 1 there" in text
    assert "[0] of variable 'settings'.sizes: any int here, 1 there" in text
    f(x)
    settings.inner = Inner()
    assert "variable 'settings'.inner: another object here" in f.explain(x)


def test_what_made_each_program_is_told():
    class Net(paddle.nn.Layer):
        def forward(self, x, a=1.0):
            return x * a * self.options["rate"] + self.state[0]

    net, x = Net(), paddle.ones([2])
    paddle.jit.to_static(net)
    for i in range(3):
        net.options, net.state = {"rate": 1.0 + i}, (paddle.full([2], i),)
        net(x)
    net(x, 2.0), net(x, 3.0)
    text = net.forward.explain()
    assert "traced beside Program 1: ['rate'] of attribute 'options' of a Net: any float here, 1.0 there" in text
    assert "numbers that are inputs: ['rate'] of attribute 'options' of a Net" in text
    assert "tensors from outside that are inputs: [0] of attribute 'state' of a Net" in text
    assert "Program 2: for (f32[2], 1.0)" in text
    assert "traced beside Program 2: a: any float here, 1.0 there" in text


class Factor(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.factor = 2

    def forward(self, x):
        return x * self.factor


class Outer(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.inner = Factor()
        self.options = {"rate": 2.0, "modes": ["a"]}

    def forward(self, x):
        return self.inner(x) * self.options["rate"] * settings.scale + shift * numbers[1] + local.k


settings = types.SimpleNamespace(scale=1.0)
shift = paddle.ones([2])
numbers = np.arange(3.0)
local = threading.local()
local.k = 1


def test_every_place_that_is_compared_is_listed():
    net = Outer()
    f = paddle.jit.to_static(net).forward
    f(paddle.ones([2]))
    listed = [line for line in f.explain().splitlines() if "compared at each call" in line]
    assert listed == [
        f"  compared at each call: {place}"
        for place in (
            "attribute 'options' of a Outer, of type dict (other contents need another Program)",
            "attribute 'options' of a Outer['modes'], of type list (other contents need another Program)",
            "global 'local', of type _local (another object needs another Program)",
            "global 'local'.k = 1 (an input of the next Program if it changes)",
            "global 'numbers', of type ndarray (other contents need another Program)",
            "global 'settings', of type SimpleNamespace (another object needs another Program)",
            "global 'settings'.scale = 1.0 (an input of the next Program if it changes)",
            "global 'shift', of type Tensor (another object needs another Program)",
            "attribute 'factor' of a Factor = 2 (an input of the next Program if it changes)",
        )
    ]
    for rate in (3.0, 4.0):
        net.options["rate"] = rate
        f(paddle.ones([2]))
    text = f.explain()
    assert "  compared at each call: ['rate'] of attribute 'options' of a Outer, an input" in text
    assert "attribute 'options' of a Outer, of type dict (its items are compared one by one" in text
