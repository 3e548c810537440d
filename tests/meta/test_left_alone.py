"""Static calls leave users' objects and classes what they are: before, while a function is traced, and after."""

import types

import to_static as paddle

SEEN = []


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = paddle.nn.Linear(2, 2)
        self.calls = 0
        self.register_buffer("mean", paddle.zeros([2]))

    def forward(self, x):
        look(self)
        self.calls += 1
        self.mean = self.mean * 0.9 + x.mean(0) * 0.1
        return self.fc(x) if x.sum() > 0 else -self.mean


class Counter:
    def __init__(self):
        self.count = 0

    def add(self, x):
        look(self)
        if x.sum() > 0:
            self.count += 1
        return x + self.count


def members(kind):
    return {base: dict(vars(base)) for base in kind.__mro__ if base is not object}


def look(owner):
    """Called while a function is traced."""
    SEEN.append((type(owner), type(vars(owner)), members(type(owner))))


look.__module__ = "unittest"  # a library's: Python runs it as it is


def test_layers_and_their_classes():
    net = Net()
    before, classes = type(vars(net)), members(Net)
    static = paddle.jit.to_static(net)
    x = paddle.ones([3, 2])
    optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    SEEN.clear()
    for _ in range(3):
        static(x).sum().backward()
        optimizer.step()
    assert before is dict and type(vars(net)) is dict and net.calls == 3
    assert SEEN == [(Net, dict, classes)] * len(SEEN) and SEEN
    assert members(Net) == classes and type(net) is Net


def test_plain_objects_and_their_classes():
    counter, classes = Counter(), members(Counter)
    static = paddle.jit.to_static(counter.add)
    SEEN.clear()
    assert [static(paddle.to_tensor([float(v)])).tolist() for v in (1, -1, 2)] == [[2.0], [0.0], [4.0]]
    assert type(vars(counter)) is dict and counter.count == 2 and type(counter) is Counter
    assert SEEN == [(Counter, dict, classes)] * len(SEEN) and SEEN
    assert members(Counter) == classes


def test_modules_and_functions():
    space = types.ModuleType("space")
    exec("total = 0", vars(space))

    def f(x):
        space.total = space.total + 1
        return x + space.total

    names, code = set(vars(space)), f.__code__
    assert paddle.jit.to_static(f)(paddle.ones([1])).tolist() == [2.0]
    assert type(space) is types.ModuleType and set(vars(space)) == names and f.__code__ is code
