"""A function that runs in Python calls static functions: which, with what results, and what is left to Python."""

import sys
import warnings
import weakref

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.frontend.function.callee_compilation import CalleeCache, SplitCalls
from to_static.compiler.frontend.function.compilation import Compilation
from to_static.compiler.frontend.function.static_function import StaticFunction

nn = paddle.nn
pytestmark = [pytest.mark.usefixtures("graph_breaks"), pytest.mark.filterwarnings("ignore:.*runs in Python, a graph break")]
X = paddle.to_tensor([[1.0, -2.0], [3.0, 0.5]])


def doubled(x, times=1):
    for _ in range(times):
        x = x * 2 if x.sum() > 0 else x - 1
    return x


def counted(x, log):
    log.append(float(x.sum()))
    return x + len(log)


def called_with(f, x):
    return f(x)


def pairs(x):
    yield x
    yield x + 1


def fails(x):
    if x.sum() > -100:
        raise KeyError("planned")
    return x


class Block(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.norm = nn.BatchNorm1D(2)
        self.calls = 0

    def forward(self, x):
        return nn.functional.relu(self.norm(self.fc(x)))


class Derived(Block):
    def forward(self, x):
        return super().forward(x) + x

    def both(self, x, *, scale=1):
        return self(x) * scale


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.first, self.second = Block(), Derived()
        self.tail = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 2))

    def forward(self, x):
        x = self.first(x)
        scale = float(x.sum().numpy()) + 1
        return self.tail(self.second.both(doubled(x, 2), scale=2)) * scale


def run(static, *args):
    """What a static function gives, called twice, and what it gives in Python."""
    paddle.seed(5)
    wanted = [static.dygraph_function(*args) for _ in range(2)]
    paddle.seed(5)
    return [static(*args) for _ in range(2)], wanted


def parts(static):
    """The static functions that a function called, with how many Programs they have."""
    return {name: len(part.program_cache) for part, name in static._fallback.parts.compiled.items()}


def test_layers_methods_and_functions_are_static_and_train_alike():
    def steps(make):
        paddle.seed(1)
        net = Net()
        run = make(net)
        step, seen = paddle.optimizer.SGD(0.1, parameters=net.parameters()), []
        for k in range(4):
            net.eval() if k == 2 else net.train()
            loss = (run(X) ** 2).mean()
            loss.backward()
            step.step()
            step.clear_grad()
            seen += [loss.numpy(), net.first.norm._mean.numpy()]
        return seen, run

    wanted, _ = steps(lambda net: net)
    found, net = steps(paddle.jit.to_static)
    for a, b in zip(wanted, found, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5)
    assert parts(net.forward).keys() == {"Block.forward", "doubled", "Derived.both", "Sequential.forward"}
    assert parts(net.forward)["Block.forward"] == 2
    assert min(parts(net.forward).values()) > 0
    assert net.forward.graph_breaks == 2  # in train and eval mode
    text = net.forward.explain()
    assert all(f"calls {name}: " in text for name in parts(net.forward))


def middle(x):
    return doubled(x.sum() * x) + int(x.shape[0] + x.sum().numpy())


def test_a_part_may_break_again():
    @paddle.jit.to_static
    def outer(x):
        y = doubled(x)
        return middle(y) + y.numpy().sum()

    found, wanted = run(outer, X)
    assert [t.tolist() for t in found] == [t.tolist() for t in wanted]
    assert parts(outer).keys() == {"doubled", "middle"}
    assert parts(outer)["doubled"] > parts(outer)["middle"] == 0
    assert "  calls middle: 0 Programs\n    Graph break 1: for (f32[2, 2])" in outer.explain()
    assert outer.explain().count("    calls doubled: ") == 1


def factorial(x, n):
    return x if n == 0 else factorial(x, n - 1) * n + float(x.sum().numpy())


def test_recursion():
    found, wanted = run(paddle.jit.to_static(factorial), X, 4)
    assert [t.tolist() for t in found] == [t.tolist() for t in wanted]


def test_what_is_left_to_python():
    made = nn.Sequential(nn.Linear(2, 2), nn.ReLU())

    @paddle.jit.to_static
    def f(x, log):
        x.numpy()
        inner = lambda y: y + 1
        a, b = pairs(x)
        return called_with(inner, a), shifted(3, 1), made[0](b), sum(map(len, [[1], [2]])), inner(x), "{}".format(log)

    made.eval()
    found, wanted = run(f, X, [])
    assert repr(found) == repr(wanted)
    assert parts(f) == {}


def test_changes_of_arguments_and_errors():
    @paddle.jit.to_static
    def f(x, log):
        x.numpy()
        x = counted(x, log)
        try:
            return fails(x)
        except KeyError as error:
            return x, str(error)

    log, other = [], []
    for _ in range(3):
        assert repr(f(X, log)) == repr(f.dygraph_function(X, other))
        assert log == other

    @paddle.jit.to_static
    def g(x):
        x.numpy()
        return fails(x)

    with pytest.raises(KeyError, match="planned") as caught:
        g(X)
    names = [entry.name for entry in caught.traceback[1:]]
    assert names == ([] if sys.version_info >= (3, 11) else ["__call__"]) + ["g", "fails"]  # who raises again is there in 3.10


def test_hooks_and_frozen_parameters():
    net = Net()
    seen = []
    net.first.register_forward_pre_hook(lambda layer, inputs: seen.append("before"))
    net.first.register_forward_post_hook(lambda layer, inputs, output: output * 2)
    for parameter in net.second.parameters():
        parameter.stop_gradient = True
    net.eval()
    found, wanted = run(StaticFunction(net.forward), X)
    assert [t.tolist() for t in found] == [t.tolist() for t in wanted]
    assert seen == ["before"] * 4
    found[0].sum().backward()
    assert net.second.fc.weight.grad is None
    assert net.first.fc.weight.grad is not None
    with paddle.no_grad():
        assert StaticFunction(net.forward)(X).stop_gradient


class Temporary(nn.Layer):
    def forward(self, x):
        return x + 1


OTHER = Block()


def test_layers_made_for_one_call_are_left_to_python():
    @paddle.jit.to_static
    def f(x):
        x.numpy()
        return OTHER(Temporary()(x))

    OTHER.eval()
    for _ in range(3):
        assert f(X).tolist() == f.dygraph_function(X).tolist()
    assert parts(f) == {"Block.forward": 1}
    assert type(vars(OTHER)) is dict


def test_parts_are_not_traced_without_end(monkeypatch):
    traced, trace = [], Compilation.trace_target
    monkeypatch.setattr(Compilation, "trace_target", lambda self, *a, **k: traced.append(self._target.name) or trace(self, *a, **k))

    @paddle.jit.to_static
    def f(x, n):
        x.numpy()
        return shifted(x, n)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*(runs in Python, a graph break|have broken the graph, which is the limit)")
        for n in range(30):
            assert f(X, n).tolist() == (X + n).tolist()
    assert 0 < traced.count("shifted") < 10


def shifted(x, n):
    return x + n


def test_a_switched_off_part_runs_in_python():
    @paddle.jit.to_static
    def f(x):
        x.numpy()
        return shifted(x, 1)

    f(X)
    assert parts(f)["shifted"] >= 1
    paddle.jit.enable_to_static(False)
    try:
        assert f(X).tolist() == (X + 1).tolist()
    finally:
        paddle.jit.enable_to_static(True)


def test_functions_of_libraries_are_kept_by_nobody():
    def closure(x):
        return x

    closure.__module__ = "numpy"
    handed = SplitCalls(StaticFunction, CalleeCache(None))
    assert handed(closure) is closure
    assert handed(closure) is closure
    gone = weakref.ref(closure)
    del closure
    assert gone() is None
