"""Instances of one class share Programs: what one of them traced the others run on their own objects, and do nothing else."""

import gc
import threading
import weakref

import daily
import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.compiler.frontend.function.alike import instances
from to_static.nn import functional as F


@pytest.fixture(autouse=True)
def _no_calls_in_python(monkeypatch):
    monkeypatch.setattr(instances, "_WAITING", 0)


class Config:
    def __init__(self, rate=1.0):
        self.rate = rate


def classes():
    """A class anew for each test: what its instances share is its own."""

    class Block(nn.Layer):
        def __init__(self, gain=1.0):
            super().__init__()
            self.fc, self.norm = nn.Linear(3, 3), nn.BatchNorm1D(3)
            self.gain, self.uses = gain, 0

        def forward(self, x):
            self.uses += 1
            return self.norm(self.fc(x)) * self.gain

    class Net(nn.Layer):
        def __init__(self, gain=1.0, rate=1.0, blocks=2):
            super().__init__()
            self.blocks = nn.LayerList([Block(gain) for _ in range(blocks)])
            self.config, self.options, self.act = Config(rate), {"p": 0.5, "k": [1, 2]}, F.relu
            self.last = self.parts = None
            self.register_buffer("total", paddle.zeros([3]))

        def forward(self, x, scale=1.0):
            for block in self.blocks:
                x = self.act(block(x)) * self.config.rate + self.options["k"][0]
            self.last = x
            self.parts = {"mean": x.mean(), "k": 1}
            self.total = self.total * 0.5 + x.mean(0).detach()
            return F.dropout(x, self.options["p"], training=False) * scale

    return Net


X = np.random.RandomState(0).randn(4, 3).astype("float32")


def is_shared(net):
    return any(program.template is not None for program in net.forward.program_cache.values())


def numbers(net):
    state = [t.numpy().tolist() for t in net.state_dict().values()]
    grads = [None if p.grad is None else p.grad.numpy().tolist() for p in net.parameters()]
    last = None if net.last is None else net.last.tolist()
    return state, grads, last, [block.uses for block in net.blocks], sorted(net.parts or ())


def pairs(Net, count, **kwargs):
    """(dynamic, static) networks with equal weights."""
    for seed in range(count):
        made = []
        for _ in range(2):
            paddle.seed(seed)
            made.append(Net(**kwargs))
        yield made[0], paddle.jit.to_static(made[1])


def train(net, steps=3, x=X):
    optimizer = paddle.optimizer.Momentum(0.05, 0.9, parameters=net.parameters())
    told = []
    for _ in range(steps):
        loss = (net(paddle.to_tensor(x)) ** 2).mean()
        loss.backward()
        told.append(numbers(net))
        optimizer.step()
        optimizer.clear_grad()
    net.eval()
    told.append(net(paddle.to_tensor(x)).numpy().tolist())
    with paddle.no_grad():
        told.append(net(paddle.to_tensor(x)).numpy().tolist())
    net.train()
    return [*told, numbers(net)]


def close(a, b):
    flat = [np.concatenate([np.ravel(x) for x in _numbers_of(side)]) for side in (a, b)]
    np.testing.assert_allclose(*flat, rtol=1e-4, atol=1e-5)


def _numbers_of(told):
    if isinstance(told, (list, tuple)):
        return [np.zeros(0), *(x for item in told for x in _numbers_of(item))]
    return [np.asarray(0.0 if told is None or isinstance(told, str) else told, "float64")]


def test_the_third_instance_runs_the_programs_of_the_first():
    for number, (dynamic, static) in enumerate(pairs(classes(), 5)):
        close(train(dynamic), train(static))
        assert is_shared(static) == (number > 0)


def test_instances_in_turns_keep_their_numbers_apart():
    nets = list(pairs(classes(), 5))
    for _ in range(3):
        for dynamic, static in nets:
            close(train(dynamic, 1), train(static, 1))


def test_an_instance_that_is_built_otherwise_has_programs_of_its_own():
    Net = classes()
    for kwargs in ({}, {"gain": 2.0}, {"rate": 3.0}, {"blocks": 1}, {"blocks": 3}, {}):
        for dynamic, static in pairs(Net, 3, **kwargs):
            close(train(dynamic), train(static))


def tie(net):
    net.blocks[1].fc.weight = net.blocks[0].fc.weight


def share_layer(net):
    net.blocks[1] = net.blocks[0]


def hook(net):
    net.blocks[0].register_forward_post_hook(lambda layer, given, y: y + 1)


def freeze(net):
    net.blocks[0].fc.weight.stop_gradient = True


def other_list(net):
    net.options = {"p": 0.5, "k": [7, 2]}


def other_act(net):
    net.act = lambda x: x * 3


def no_bias(net):
    net.blocks[0].fc = nn.Linear(3, 3, bias_attr=False)


def evaluating(net):
    net.blocks[1].eval()


def one_config(net):
    net.blocks[0].config = net.config


CHANGES = [tie, share_layer, hook, freeze, other_list, other_act, no_bias, evaluating, one_config]
# each change once a day, before the first training or after it: `make test-long` does both
WAYS = [(change, when) for change in CHANGES for when in daily.way(f"instances, {change.__name__}", ("before", "after"))]


@pytest.mark.parametrize(("change", "when"), WAYS, ids=[f"{change.__name__}-{when}" for change, when in WAYS])
def test_what_only_some_instances_are(change, when):
    for number, (dynamic, static) in enumerate(pairs(classes(), 6)):
        for net in (dynamic, static):
            paddle.seed(7)
            if when == "before" and number % 2:
                change(net)
        close(train(dynamic), train(static))
        for net in (dynamic, static):
            paddle.seed(8)
            if when == "after" and number % 2 == 0:
                change(net)
        close(train(dynamic), train(static))


def test_what_changes_in_an_instance_afterwards_is_seen():
    for dynamic, static in pairs(classes(), 4):
        x = paddle.to_tensor(X)
        close(dynamic(x).tolist(), static(x).tolist())
        for net in (dynamic, static):
            net.config.rate = 5.0
        close(dynamic(x).tolist(), static(x).tolist())
        for net in (dynamic, static):
            net.options["k"][0] = 9
            net.blocks[0].gain = 3.0
        close(dynamic(x).tolist(), static(x).tolist())
        for net in (dynamic, static):
            net.blocks[0].fc.weight.set_value(np.ones([3, 3], "float32"))
        close(dynamic(x).tolist(), static(x).tolist())


def test_nothing_of_an_instance_is_kept():
    Net = classes()
    gone = []
    for _ in range(5):
        net = paddle.jit.to_static(Net())
        train(net)
        gone += [weakref.ref(net), weakref.ref(net.blocks[0].fc), weakref.ref(net.blocks[0].fc.weight), weakref.ref(net.config)]
        del net
    gc.collect()
    assert [ref() for ref in gone] == [None] * len(gone)


def test_gradients_of_gradients_and_hooks_of_parameters():
    found = []
    for dynamic, static in pairs(classes(), 4):
        sides = []
        for net in (dynamic, static):
            net.eval()
            x = paddle.to_tensor(X, stop_gradient=False)
            net.blocks[0].fc.weight.register_hook(lambda g: g * 2)
            y = (net(x) ** 3).sum()
            [gx] = paddle.grad(y, x, create_graph=True)
            (gx**2).sum().backward()
            sides.append([gx.tolist(), net.blocks[0].fc.weight.grad.tolist()])
        close(*sides)
        found.append(is_shared(static))
    assert found[2:] == [True, True]


def test_threads_have_instances_of_their_own():
    nets = list(pairs(classes(), 8))
    wanted = [train(dynamic) for dynamic, _ in nets]
    found = [None] * len(nets)

    def work(i):
        found[i] = train(nets[i][1])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(nets))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for a, b in zip(wanted, found, strict=True):
        close(a, b)


def test_files_have_the_weights_and_names_of_the_instance(tmp_path):
    for number, (_, static) in enumerate(pairs(classes(), 4)):
        static.eval()
        x = paddle.to_tensor(X)
        wanted = static(x).tolist()
        path = str(tmp_path / f"net{number}")
        paddle.jit.save(static, path, input_spec=[paddle.static.InputSpec([None, 3])])
        close(paddle.jit.load(path)(x).tolist(), wanted)
        names = {v.name for v in static.forward.concrete_program.main_program.params}
        assert {p.name for p in static.parameters()} <= names | {p.name for p in static.parameters()} - names
        assert static.blocks[0].fc.weight.name in names


def test_methods_made_static_in_the_class():
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(3, 3)

        @paddle.jit.to_static
        def forward(self, x):
            return self.fc(x)

        @paddle.jit.to_static
        def twice(self, x):
            return self.forward(self.forward(x))

    for number in range(4):
        net, x = Net(), paddle.to_tensor(X)
        close(net(x).tolist(), net.fc(x).tolist())
        close(net.twice(x).tolist(), net.fc(net.fc(x)).tolist())
        assert (net.forward.concrete_program.template is not None) == (number > 0)


def test_a_program_that_knows_its_instance_is_not_shared():
    class Net(nn.Layer):
        def __init__(self, known):
            super().__init__()
            self.fc, self.known = nn.Linear(3, 3), known
            known.append(self)

        def forward(self, x):
            return self.fc(x), self, self.known

    for _ in range(4):
        net = paddle.jit.to_static(Net([]))
        y, me, known = net(paddle.to_tensor(X))
        assert me is net and known == [net]
        close(y.tolist(), net.fc(paddle.to_tensor(X)).tolist())
