"""Attributes written in some calls and read in others: static calls give, keep and differentiate what dynamic ones do."""

from __future__ import annotations

import random
import warnings

import numpy as np
import pytest
from daily import seeds

import to_static as paddle
from to_static import nn
from to_static.core.errors import AutogradError


class Inner(nn.Layer):
    def __init__(self, start):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        _begin(self, start)

    def forward(self, x):
        return self.fc(x)


class Net(nn.Layer):
    def __init__(self, start):
        super().__init__()
        self.fc, self.norm, self.table = nn.Linear(3, 3), nn.BatchNorm1D(3), nn.Embedding(5, 3, sparse=True)
        self.inner = Inner(start)
        self.log, self.last = [], {}
        _begin(self, start)

    def forward(self, x, todo):
        h = self.norm(self.fc(x))
        if todo == "write":
            self.state = h
        elif todo == "write inside":
            self.inner.state = self.inner(h)
        elif todo == "write detached":
            self.state = h.detach()
        elif todo == "write the argument":
            self.state = x
        elif todo == "write of a parameter":
            self.state = self.fc.weight.sum(0).expand([4, 3])
        elif todo == "write both":
            self.state = self.inner.state = h
        elif todo == "write rows":
            self.state = self.table(paddle.to_tensor([0, 1, 1, 3]))
        elif todo == "write nothing":
            self.state = None
        elif todo == "write into a list":
            self.log.append(h)
        elif todo == "write into a dict":
            self.last["h"] = h
        elif todo == "move":
            self.inner.state = self.state
        elif todo == "swap":
            self.inner.state, self.state = self.state, self.inner.state
        elif todo == "read of a list":
            h = h + self.log[-1] if self.log else h
        elif todo == "read of a dict":
            h = h - self.last["h"] if "h" in self.last else h
        elif todo == "read inside":
            h = h if self.inner.state is None else h * self.inner.state
        elif self.state is not None:
            if todo == "read":
                h = h + self.state
            elif todo == "read both":
                h = h if self.inner.state is None else h + self.state * self.inner.state
            elif todo == "read and write":
                self.state = h = h + self.state * 0.5
            elif todo == "read and write detached":
                h = h + self.state * 0.5
                self.state = h.detach()
            elif todo == "return":
                h = self.state
            elif todo == "change in place":
                if self.state.stop_gradient:
                    self.state.add_(paddle.ones([4, 3]))
            elif todo == "read on a path":
                if x.sum() > 0:
                    h = h + self.state
            elif todo == "write on a path":
                if x.sum() > 0:
                    self.state = h
        return h


def _begin(layer, start):
    if start == "buffer":
        layer.register_buffer("state", paddle.ones([4, 3]))
    else:
        layer.state = paddle.ones([4, 3]) if start == "tensor" else None


TODO = [
    "write", "write inside", "write detached", "write the argument", "write of a parameter", "write both", "write rows",
    "write nothing", "write into a list", "write into a dict", "move", "swap", "read", "read inside", "read both", "read of a list",
    "read of a dict", "read and write", "read and write detached", "return", "change in place", "read on a path", "write on a path",
    "only compute",
]  # fmt: skip


def script(seed):
    """How attributes begin, and each call: what it does, whether in train mode, what wants gradients, what is asked after it."""
    draw = random.Random(seed)
    todo = draw.sample(TODO, draw.randint(2, 4))
    calls = [
        (
            draw.choice(todo),
            draw.random() < 0.6,
            draw.choice(["nothing", "parameters", "parameters", "all"]),
            draw.choice(["backward", "retain_graph", "no backward", "clear", "with the result before"]),
        )
        for _ in range(draw.randint(4, 9))
    ]
    return draw.choice(["buffer", "tensor", "none"]), calls


def played(start, calls, wrap):
    """Everything that the calls give and leave: results, attributes, gradients, errors."""
    paddle.seed(0)
    net, draw = Net(start), np.random.default_rng(1)
    for value in net.parameters():
        if not value.stop_gradient:
            value.set_value(draw.normal(size=value.shape).astype("float32"))
    function, before, found = wrap(net), None, []
    for todo, training, wanted, asked in calls:
        net.train() if training else net.eval()
        x = paddle.to_tensor(draw.normal(size=(4, 3)).astype("float32"), stop_gradient=wanted != "all")
        try:
            with paddle.set_grad_enabled(wanted != "nothing"):
                result = function(x, todo)
            found += [result, net.state, net.inner.state]
            other = before is not None and asked == "with the result before"
            if not result.stop_gradient and (other or asked in ("backward", "retain_graph")):
                loss = result * before if other else result.square()
                loss.sum().backward(retain_graph=asked == "retain_graph")
            before = result
        except AutogradError as error:  # two backwards through one graph
            found.append(str(error).split(" of ")[0])
        grads = [value.grad for value in (*net.parameters(), x)]
        found = [(v.numpy(), v.stop_gradient) if isinstance(v, paddle.Tensor) else v for v in (*found, *grads)]
        if asked == "clear":
            net.clear_gradients()
    return found


WRAPS = {"static": paddle.jit.to_static, "full graph": lambda net: paddle.jit.to_static(net, full_graph=True)}


@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize("seed", seeds("written and read", 15, 2000))
def test_static_calls_are_as_dynamic_ones(seed, wrap):
    start, calls = script(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected, found = played(start, calls, lambda net: net), played(start, calls, WRAPS[wrap])
    assert len(found) == len(expected)
    for k, (one, other) in enumerate(zip(found, expected, strict=True)):
        assert type(one) is type(other), (k, calls)
        if isinstance(one, tuple):
            assert one[1] == other[1], (k, calls)
            np.testing.assert_allclose(one[0], other[0], rtol=1e-3, atol=1e-3, err_msg=str((k, calls)))
        else:
            assert one == other, (k, calls)


@pytest.mark.parametrize("wrap", WRAPS)
def test_a_state_that_carries_gradients_and_is_only_read(wrap):
    calls = [("write", True, "parameters", "no backward"), *[("read", mode, "all", "retain_graph") for mode in (True, False, True)]]
    expected, found = played("buffer", calls, lambda net: net), played("buffer", calls, WRAPS[wrap])
    for one, other in zip(found, expected, strict=True):
        assert (one is None) == (other is None)
        if one is not None:
            np.testing.assert_allclose(one[0], other[0], rtol=1e-3, atol=1e-3)


class Keeps(nn.Layer):
    def __init__(self):
        super().__init__()
        self.kept = None

    def forward(self, x, todo):
        if todo == "write":
            self.kept = x * 2
        return x + ASK.get(todo, lambda kept: 0)(self.kept) if todo != "write" else x


ASK = {
    "stop_gradient": lambda kept: 1 if kept.stop_gradient else 2,
    "shape": lambda kept: kept.shape[0],
    "dtype": lambda kept: 1 if kept.dtype == paddle.float32 else 2,
    "ndim": lambda kept: kept.ndim,
    "is_leaf": lambda kept: 1 if kept.is_leaf else 2,
    "len": len,
}


@pytest.mark.filterwarnings("ignore:.*more than 10 static Programs")
@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize("ask", ASK)
def test_of_an_attribute_that_other_calls_write_the_kind_alone_is_read(ask, wrap):
    needing = paddle.ones([2])
    needing.stop_gradient = False
    kinds = [paddle.ones([2]), paddle.ones([3]), paddle.ones([2], "float64"), needing, paddle.ones([2, 2])]
    net, expected = Keeps(), Keeps()
    static = WRAPS[wrap](net)
    for value in [*kinds, *reversed(kinds)]:
        for function in (static, expected):
            function(value, "write")
        for _ in range(2):
            assert static(kinds[0], ask).tolist() == expected(kinds[0], ask).tolist()


DEFAULTS = {"scale": 2.0, "steps": [1, 2]}
HISTORY = []


def test_a_dict_of_a_global_variable_is_itself_in_an_attribute(monkeypatch):
    class Net(paddle.nn.Layer):
        def forward(self, x):
            self.settings, self.history = DEFAULTS, HISTORY
            return x * self.settings["scale"]

    net, other = paddle.jit.to_static(Net()), paddle.jit.to_static(Net())
    for _ in range(3):
        assert net(paddle.ones([1])).item() == other(paddle.ones([1])).item() == 2
        assert net.settings is other.settings is DEFAULTS and net.history is HISTORY
    equal = {"scale": 2.0, "steps": DEFAULTS["steps"]}
    monkeypatch.setitem(globals(), "DEFAULTS", equal)
    assert net(paddle.ones([1])).item() == 2 and net.settings is equal
    equal["scale"] = 5.0
    assert net(paddle.ones([1])).item() == 5 and net.settings is equal


def test_a_dict_of_a_variable_around_is_itself_and_takes_what_is_written_through_the_attribute():
    def make():
        record = {"calls": 0}

        class Net(paddle.nn.Layer):
            def forward(self, x):
                self.record = record
                self.record["last"] = x * 2
                return x + 1

        return paddle.jit.to_static(Net()), record

    (first, of_first), (second, of_second) = make(), make()
    for value in (1.0, 2.0, 3.0):
        first(paddle.full([1], value))
        second(paddle.full([1], -value))
        assert first.record is of_first and second.record is of_second
        assert of_first["last"].item() == 2 * value and of_second["last"].item() == -2 * value


def test_a_list_that_a_call_makes_is_another_one_each_time_though_a_global_variable_has_it(monkeypatch):
    def forward(self, x):
        global HISTORY
        HISTORY = [1, 2]
        self.history = HISTORY
        return x + 1

    monkeypatch.setitem(globals(), "HISTORY", [])
    Net = type("Net", (paddle.nn.Layer,), {"forward": forward})
    net, lists = paddle.jit.to_static(Net()), []
    for _ in range(3):
        net(paddle.ones([1]))
        lists.append(net.history)
    assert len(set(map(id, lists))) == 3 and lists == [[1, 2]] * 3
