"""The same calls by the entry that is derived from a kind of call, and by the way through its description: all is alike."""

from __future__ import annotations

import random

import daily
import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.compiler.frontend.function import fast_path
from to_static.compiler.frontend.function.program.specialized_entry import no_entry

SCALE = paddle.to_tensor([2.0, -1.0, 0.5])


class Net(nn.Layer):
    """A layer with weights, statistics, a cache, a count and an optimizer."""

    def __init__(self):
        super().__init__()
        constant = nn.initializer.Constant
        self.w = self.create_parameter([3], default_initializer=nn.initializer.Assign([0.5, 1.0, -1.5]))
        self.norm = nn.BatchNorm1D(3)
        self.register_buffer("rows", paddle.zeros([4, 3]))
        self.last = paddle.zeros([3])
        self.bias = self.create_parameter([3], is_bias=True, default_initializer=constant(0.25))
        self.optimizer = paddle.optimizer.Adam(0.1, parameters=[self.w, self.bias])

    def product(self, x, k=2.0):
        return x * self.w * k

    def several(self, x, twice=True):
        return x + self.bias, {"y": x * self.w if twice else x}

    def listed(self, x):
        return [x * SCALE, x - self.bias]

    def normed(self, x):
        return self.norm(paddle.stack([x, x * self.w, x - 1.0])).sum(0)

    def cached(self, x, i):
        self.rows[i] = x
        return (self.rows * self.w).sum(0)

    def looped(self, x):
        i = paddle.to_tensor(0)
        while i < 3:
            self.rows[i] = self.rows[i] * 0.5 + x
            i = i + 1
        return (self.rows[:2] * self.w).sum(0)

    def kept(self, x):
        before = self.last
        self.last = x * 1.0
        return before * self.w

    def chosen(self, x):
        if x.sum() > 0:
            return self.rows
        return paddle.stack([x, x, x, x])

    def written(self, x, c):
        c[1] = x * self.w
        return c.sum()

    def step(self, x):
        loss = ((x * self.w + self.bias) ** 2).sum()
        loss.backward()
        self.optimizer.step()
        self.optimizer.clear_grad()
        return loss

    def forward(self, x):
        return x


NAMES = ["product", "several", "listed", "normed", "cached", "looped", "kept", "chosen", "written", "step"]


class Calls:
    """One layer, whose methods are static."""

    def __init__(self):
        self.net = Net()
        self.static = {name: paddle.jit.to_static(getattr(self.net, name), full_graph=True) for name in NAMES}
        self.cache = paddle.zeros([4, 3])
        self.results = []

    def do(self, name, number, option, grads, backward):
        x = paddle.to_tensor(np.asarray([number, 1.0, -0.5 * number], "float32"), stop_gradient=not option)
        more = {"cached": [paddle.to_tensor(abs(number) % 4)], "written": [self.cache]}.get(name, [])
        words = {"product": {"k": number * 0.5}, "several": {"twice": bool(option)}}.get(name, {})
        with paddle.set_grad_enabled(grads or name == "step"):
            found = self.static[name](x, *more, **(words if number % 2 else {}))
        flat = paddle.utils.flatten(found)
        if backward and name != "step":
            losses = [t.sum() for t in flat if not t.stop_gradient and t._node is not None]
            if losses:
                paddle.add_n(losses).backward(retain_graph=True)
        net = self.net
        state = [net.w, net.bias, net.rows, net.last, net.norm._mean, self.cache, net.w.grad, net.bias.grad, x.grad]
        self.results.append(found)
        shown = [None if t is None else (t.stop_gradient, t.is_leaf, np.round(t.numpy(), 4).tolist()) for t in (*flat, *state)]
        same = [[i for i, s in enumerate(state) if s is t] for t in flat]
        return type(found), shown, same, net.rows._version, net.w._version


@pytest.mark.parametrize("seed", daily.seeds("entries", 4, 200))
def test_entries_do_what_the_general_way_does(seed, monkeypatch):
    rng, made = random.Random(seed), fast_path.entry
    entered, general = Calls(), Calls()
    for _ in range(rng.randrange(2, 7)):
        what = rng.choice(NAMES), rng.randrange(-3, 4), rng.random() < 0.5, rng.random() < 0.7, rng.random() < 0.5
        for _ in range(rng.randrange(1, 5)):
            monkeypatch.setattr(fast_path, "entry", made)
            one = entered.do(*what)
            monkeypatch.setattr(fast_path, "entry", lambda *call: no_entry)
            assert one == general.do(*what), what


@pytest.mark.parametrize("name", ["product", "several", "listed", "normed", "cached", "looped", "chosen", "step"])
def test_these_calls_have_entries(name):
    calls = Calls()
    for _ in range(4):
        calls.do(name, 1, False, True, False)
    known = calls.static[name]._surroundings.calls.last
    assert known.entry is not no_entry
