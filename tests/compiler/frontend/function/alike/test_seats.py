"""Layers that are replaced by ones like them: Programs go on with those that are there, and only with those."""

import gc
import random
import weakref

import numpy as np
import pytest

import to_static as paddle
from to_static import nn

pytestmark = pytest.mark.filterwarnings("ignore:.*static Programs")
X = np.random.RandomState(0).randn(2, 3).astype("float32")


class Gain(nn.Layer):
    def __init__(self, gain=1.0):
        super().__init__()
        self.fc, self.gain = nn.Linear(3, 3), gain

    def forward(self, x):
        return self.fc(x) * self.gain


class Counting(Gain):
    def __init__(self):
        super().__init__()
        self.uses = 0

    def forward(self, x):
        self.uses += 1
        return self.fc(x) + self.uses


class Net(nn.Layer):
    def __init__(self, make, count=3):
        super().__init__()
        self.layers, self.extra = nn.LayerList([make() for _ in range(count)]), None

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x if self.extra is None else x + self.extra[0](x)


def both(make, count=3):
    nets = []
    for _ in range(2):
        paddle.seed(0)
        random.seed(0)
        nets.append(Net(make, count))
    paddle.jit.to_static(nets[1])
    return nets


def check(nets, given=X):
    sides = []
    for net in nets:
        x = paddle.to_tensor(given, stop_gradient=False)
        y = net(x)
        (y**2).sum().backward()
        weights = [None if p.grad is None else p.grad.numpy() for p in net.parameters()]
        sides.append([y.numpy(), x.grad.numpy(), *weights])
        net.clear_gradients()
        with paddle.no_grad():
            sides[-1].append(net(paddle.to_tensor(given)).numpy())
    for a, b in zip(*sides, strict=True):
        assert (a is None) == (b is None)
        np.testing.assert_allclose(0 if a is None else a, 0 if b is None else b, rtol=1e-5, atol=1e-6)


def programs(net):
    return len(net.forward.program_cache)


MAKERS = {
    "linear": lambda: nn.Linear(3, 3),
    "several": lambda: nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 3)),
    "of the user": Gain,
    "norm": lambda: nn.LayerNorm(3),
    "batch norm in eval": lambda: _eval(nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1D(3))),
    "writes": Counting,
    "batch norm": lambda: nn.BatchNorm1D(3),
    "tied": lambda: _tied(),
    "hooked": lambda: _hooked(),
    "gains": lambda: Gain(random.choice([1.0, 2.0])),
}


def _eval(layer):
    layer.eval()
    return layer


def _tied():
    made = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
    made[1].weight = made[0].weight
    return made


def _hooked():
    made = nn.Linear(3, 3)
    made.register_forward_post_hook(lambda layer, given, y: y * 2)
    return made


@pytest.mark.parametrize("name", MAKERS)
def test_a_layer_is_replaced(name):
    make = MAKERS[name]
    random.seed(1)
    nets = both(make)
    check(nets)
    for i in range(8):
        for net in nets:
            paddle.seed(10 + i)
            random.seed(i)
            net.layers[i % 2] = make()
        check(nets)
    if name in ("linear", "several", "of the user", "norm", "batch norm in eval", "tied"):
        assert programs(nets[1]) <= 6, "two kinds of calls: of the first layers, and with one and both places that change"
        assert len(nets[1].forward._surroundings.seats.every) == 2


def test_layers_go_and_come_back():
    nets = both(MAKERS["linear"])
    check(nets)
    draws = random.Random(0)
    pools = []
    for net in nets:
        paddle.seed(5)
        pools.append([nn.Linear(3, 3) for _ in range(4)] + [nn.Linear(3, 3, bias_attr=False)] + list(net.layers))
    for _ in range(60):
        kind, place, which, value = draws.randrange(8), draws.randrange(3), draws.randrange(8), draws.random()
        for net, pool in zip(nets, pools, strict=True):
            layer = pool[which]
            if kind < 4:
                net.layers[place] = layer  # it may be in two places now
            elif kind == 4:
                layer.weight.set_value(np.full([3, 3], value, "float32"))
            elif kind == 5:
                layer.weight.stop_gradient = value < 0.5
            elif kind == 6:
                layer.weight = paddle.create_parameter([3, 3], "float32", default_initializer=nn.initializer.Constant(value))
            else:
                net.extra = [layer] if value < 0.5 else None
        check(nets)


def test_a_new_layer_is_watched():
    nets = both(Gain)
    for i in range(6):
        for net in nets:
            paddle.seed(i)
            net.layers[1] = Gain()
        check(nets)
        for net in nets:
            net.layers[1].gain = 3.0
        check(nets)
        for net in nets:
            net.layers[1].fc.weight = nn.Linear(3, 3, weight_attr=nn.initializer.Constant(0.1 * i)).weight
        check(nets)
        for net in nets:
            net.layers[1].eval()
            net.layers[1].fc.register_forward_post_hook(lambda layer, given, y: y + 1) if i == 4 else None
        check(nets)


def test_gradients_go_to_the_layer_of_then():
    nets = both(MAKERS["linear"])
    for i in range(5):
        sides = []
        for net in nets:
            paddle.seed(i)
            x = paddle.to_tensor(X, stop_gradient=False)
            y, old = net(x), net.layers[1]
            net.layers[1] = nn.Linear(3, 3)
            z, new = net(x), net.layers[1]
            [g] = paddle.grad((y**2).sum(), x, create_graph=True)
            ((g**2).sum() + z.sum()).backward()
            sides.append([old.weight.grad, new.weight.grad, net.layers[0].weight.grad, x.grad])
            net.clear_gradients()
        for a, b in zip(*sides, strict=True):
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-4, atol=1e-5)


def test_one_that_was_replaced_is_not_kept():
    net = both(MAKERS["linear"])[1]
    gone = []
    for _ in range(8):
        net(paddle.to_tensor(X)).sum().backward()
        net.layers[1] = nn.Linear(3, 3)
        gone.append(weakref.ref(net.layers[1]))
    net(paddle.to_tensor(X))
    gc.collect()
    assert sum(ref() is not None for ref in gone) <= 3


def test_a_global_network_s_layer():
    paddle.seed(3)
    net = Net(MAKERS["linear"])

    @paddle.jit.to_static
    def f(x):
        return net(x) * 2

    for i in range(8):
        net.layers[i % 2] = nn.Linear(3, 3)
        np.testing.assert_allclose(f(paddle.to_tensor(X)).numpy(), net(paddle.to_tensor(X)).numpy() * 2, rtol=1e-5)
    assert len(f.program_cache) <= 4


def test_instances_and_replaced_layers():
    for seed in range(5):
        nets = both(MAKERS["linear"])
        for i in range(6):
            for net in nets:
                paddle.seed(seed * 10 + i)
                net.layers[2] = nn.Linear(3, 3)
            check(nets)


def test_parameters_are_replaced():
    nets = both(MAKERS["several"])
    draws = random.Random(3)
    check(nets)
    for i in range(40):
        place, part, kind, seed = draws.randrange(3), draws.choice([0, 2]), draws.randrange(6), draws.randrange(1000)
        for net in nets:
            paddle.seed(seed)
            layer = net.layers[place][part]
            if kind < 3:
                layer.weight = nn.Linear(*layer.weight.shape).weight
            elif kind == 3:
                layer.bias = nn.Linear(*layer.weight.shape).bias
            elif kind == 4:  # one parameter in two places
                layer.weight = net.layers[(place + 1) % 3][part].weight
            else:
                net.layers[place] = MAKERS["several"]()
        check(nets)
