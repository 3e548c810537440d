"""Layers that change between calls"""

import pickle

import numpy as np
from case_layer_state import OTHERS, ROWS, Plain
from language_table import T, scenario

import to_static as paddle
from to_static import nn


@scenario("Layers that a function or an object reaches: attributes, parameters and sublayers changed between calls")
def reached_layers(to_static):
    class Model:
        def __init__(self):
            self.net, self.head, self.w = Plain(), nn.Linear(2, 2), 3.0
            self.net.register_buffer("c", T([1.0, 1.0]))
            self.head.weight.set_value(np.eye(2, dtype="float32"))

        def run(self, x):
            return self.head(self.net.a(x)) * self.w + self.net.k + self.net.c + self.net.a.weight

    model = Model()

    def f(x):
        return model.net.a(x) * model.net.k + model.net.c

    run, f = to_static(model.run), to_static(f)
    seen = []

    def look():
        seen.extend([run(ROWS).detach(), f(ROWS).detach()])

    look()
    model.net.k = 5
    look()
    model.net.c = T([3.0, 3.0])
    look()
    model.w = 1.0
    look()
    model.head = nn.Tanh()
    look()
    model.net.a.weight = paddle.create_parameter([2, 2], "float32", default_initializer=nn.initializer.Constant(3.0))
    look()
    return seen


@scenario("sublayers and parameters added, replaced and deleted between calls")
def other_sublayers(to_static):
    class Net(Plain):
        def forward(self, x):
            y = self.a(x)
            for name in ("b", "c"):
                if hasattr(self, name):
                    y = getattr(self, name)(y)
            return y * self.g if hasattr(self, "g") else y

    net = Net()
    to_static(net)
    seen = [net(ROWS)]
    net.c = nn.ReLU()
    seen.append(net(ROWS))
    net.b = nn.Tanh()
    seen.append(net(ROWS))
    net.a = nn.Sequential(nn.Identity(), nn.Tanh())
    seen.append(net(ROWS))
    net.a[0] = nn.ReLU()
    seen.append(net(ROWS))
    del net.c
    seen.append(net(ROWS))
    net.g = paddle.create_parameter([2], "float32", default_initializer=nn.initializer.Constant(3.0))
    seen.append(net(ROWS))
    del net.b
    return [y.detach() for y in [*seen, net(ROWS)]]


@scenario("`LayerList`, `LayerDict` and `ParameterList` changed between calls")
def changed_containers(to_static):
    def three():
        return paddle.create_parameter([2], "float32", default_initializer=nn.initializer.Constant(3.0))

    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.items, self.named = nn.LayerList([nn.ReLU()]), nn.LayerDict({"a": nn.Tanh()})
            self.scales = nn.ParameterList([three()])

        def forward(self, x):
            for layer in [*self.items, *self.named.values()]:
                x = layer(x)
            for scale in self.scales:
                x = x * scale
            return x, len(self.items), list(self.named.keys())

    net = Net()
    to_static(net)
    seen = [net(ROWS)]
    for change in (
        lambda: net.items.append(nn.Tanh()),
        lambda: net.items.insert(0, nn.Sigmoid()),
        lambda: net.named.update({"b": nn.ReLU()}),
        lambda: net.named.pop("a"),
        lambda: net.scales.append(three()),
        lambda: net.items.__delitem__(0),
    ):
        change()
        seen.append(net(ROWS))
    return [(y.detach(), *rest) for y, *rest in seen]


@scenario("layers chosen by a tensor, a loop over layers that a tensor ends, weights read in conditions")
def chosen_layers(to_static):
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            paddle.seed(1)
            self.layers = nn.LayerList([nn.Linear(2, 2) for _ in range(4)])

        def forward(self, x, t):
            layer = self.layers[0] if t > 0 else self.layers[1]
            x = layer(x)
            for count, layer in enumerate(self.layers):
                x = layer(x)
                if x.abs().sum() > t:
                    break
            while self.layers[0].weight.abs().sum() * x.abs().sum() > 1:
                x = x * 0.3
            return x, count

    net = Net()
    to_static(net)
    seen = []
    for t in (-1.0, 2.0, 100.0):
        y, count = net(ROWS, T(t))
        y.sum().backward()
        seen += [y.detach(), count, [p.grad for p in net.parameters()]]
        net.clear_gradients()
    return seen


@scenario("recurrent cells in a tensor loop, batch normalization in a branch: twenty steps with a scheduler and clipping")
def twenty_steps(to_static):
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            paddle.seed(5)
            self.cell, self.norm, self.other = nn.LSTMCell(2, 2), nn.BatchNorm1D(2), nn.Linear(2, 2)

        def forward(self, x, n):
            h = c = paddle.zeros([x.shape[0], 2])
            for _ in range(n):
                _, (h, c) = self.cell(x, (h, c))
            return self.norm(h) if x.mean() > 0 else self.other(h)

    net = Net()
    to_static(net)
    rate = paddle.optimizer.lr.StepDecay(0.1, step_size=3, gamma=0.5)
    optimizer = paddle.optimizer.Adam(rate, parameters=net.parameters(), grad_clip=nn.ClipGradByGlobalNorm(0.3))
    draw, losses = np.random.RandomState(3), []
    for i in range(20):
        loss = ((net(T(draw.randn(4, 2)), T(i % 4, "int64")) - 1) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad(set_to_zero=False)
        rate.step()
        losses.append(loss.detach())
    return losses, [p.detach() for p in net.parameters()], net.norm._mean


@scenario("class attributes, properties with setters, `__getattr__`, `super().forward`")
def attribute_ways(to_static):
    class Base(Plain):
        scale = 2

        def forward(self, x):
            return self.a(x) if x.sum() > 0 else -self.a(x)

    class Net(Base):
        @property
        def temperature(self):
            return self.k + 1

        @temperature.setter
        def temperature(self, value):
            self.k = value * 2

        def __getattr__(self, name):
            return self.k + 2 if name == "magic" else super().__getattr__(name)

        def forward(self, x):
            y = super().forward(x) + Base.forward(self, -x) * self.magic * self.temperature
            self.temperature = self.k + 1
            return y * self.scale * Net.scale

    net = Net()
    to_static(net)
    seen = [net(ROWS), net(OTHERS)]
    Net.scale = 5
    seen.append(net(ROWS))
    net.scale = 1
    return [*[y.detach() for y in seen], net(ROWS).detach(), net.k]


@scenario("a Layer made in `forward`: kept from the first call on, or new in each")
def made_inside(to_static):
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.late = None

        def forward(self, x):
            weights = paddle.ParamAttr(initializer=nn.initializer.Constant(3.0))
            if self.late is None:
                self.late = nn.Linear(x.shape[-1], 3, weight_attr=weights)
            return nn.Linear(3, 1, weight_attr=weights)(self.late(x))

    net = Net()
    to_static(net)
    return [net(ROWS).detach(), net(OTHERS).detach(), len(net.parameters()), net.late.weight.detach()]


class Pickled(Plain):
    def forward(self, x):
        return self.a(x) * (self.k + 1) if x.sum() > 0 else x


@scenario("pickling a Layer with a static `forward`: the copy is its own")
def pickled(to_static):
    net = Pickled()
    to_static(net)
    seen = [net(ROWS)]
    twin = pickle.loads(pickle.dumps(net))
    twin.k = 3
    return [y.detach() for y in [*seen, twin(ROWS), net(ROWS), twin(OTHERS)]]


@scenario("a property replaced on a class between calls, of an object and of a Layer")
def replaced_properties(to_static):
    class Scale:
        @property
        def value(self):
            return 2.0

    class Base(nn.Layer):
        @property
        def shift(self):
            return 1.0

    class Net(Base):
        def __init__(self):
            super().__init__()
            self.scale = Scale()

        def forward(self, x):
            return x * self.scale.value + self.shift

    net = Net()
    run, seen = to_static(net), []
    changes = [
        lambda: None, lambda: setattr(Scale, "value", property(lambda self: 3.0)), lambda: setattr(Scale, "value", 4.0),
        lambda: setattr(Base, "shift", property(lambda self: 5.0)), lambda: setattr(Net, "shift", property(lambda self: 6.0)),
        lambda: delattr(Net, "shift"),
    ]  # fmt: skip
    for change in changes:
        change()
        seen += [run(T([1.0, 2.0])), run(T([3.0, 4.0]))]
    return seen


class Averaged(nn.Layer):
    """A buffer that ``update(self, x)`` changes, and returns what it does."""

    def __init__(self, update):
        super().__init__()
        self.update = update
        self.scale = self.create_parameter([2], default_initializer=nn.initializer.Constant(2.0))
        self.register_buffer("mean", T([0.0, 0.0]))
        self.register_buffer("count", T(0, "int64"))

    def forward(self, x):
        return self.update(self, x)


def kept_of(to_static, update, keeps=True):
    """What four calls leave, and whether the buffer before a call, after it, and its result are one tensor."""
    net = Averaged(update)
    run, seen, kept = to_static(net), [], []
    for i in range(4):
        before, sign = net.mean, (-1.0) ** i
        result = run(T([1.0, 2.0]) * sign)
        seen.append((result is net.mean, before is net.mean, result, net.mean, net.count, net.mean.stop_gradient))
        if keeps:
            kept.append((before, result, net.state_dict()))
        del before, result
    return seen, kept, list(net.state_dict().items())


def returned_mean(self, x):
    self.mean = self.mean * 0.5 + x
    return self.mean


def counted_mean(self, x):
    self.mean = self.mean * 0.5 + x
    self.count = self.count + 1
    return self.mean * self.scale


def detached_mean(self, x):
    with paddle.no_grad():
        self.mean = self.mean * 0.5 + x * self.scale
    return x * self.mean


def mean_in_branch(self, x):
    if x.sum() > 0:
        self.mean = self.mean * 0.5 + x
    return self.mean


def mean_in_loop(self, x):
    for _ in range(self.count):
        self.mean = self.mean + x
    self.count = self.count + 1
    return self.mean


def mean_of_before(self, x):
    before = self.mean
    self.mean = self.mean + x
    return before * 1


def mean_in_place(self, x):
    self.mean.set_value(self.mean * 0.5 + x)
    return self.mean


UPDATES = [returned_mean, counted_mean, detached_mean, mean_in_branch, mean_in_loop, mean_of_before, mean_in_place]


@scenario("gradients of gradients through a function that assigns a buffer")
def second_gradients(to_static):
    net = Averaged(detached_mean)
    run, seen = to_static(net), []
    for _ in range(3):
        x = T([1.0, 2.0], stop_gradient=False)
        (g,) = paddle.grad((run(x) ** 2).sum(), [x], create_graph=True)
        (g**2).sum().backward()
        seen.append((g.detach(), x.grad, net.mean))
    return seen
