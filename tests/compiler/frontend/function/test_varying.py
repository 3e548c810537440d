"""Numbers that vary are inputs of Programs: arguments, attributes, globals, cells, fields."""

import math
import random
import types

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.frontend.function import fast_path
from to_static.jit import to_static
from to_static.static import InputSpec

X = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])
RATE = 1.0


def shown(value):
    if isinstance(value, paddle.Tensor):
        return str(value.dtype), str(np.round(value.numpy().astype("float64"), 4).tolist())
    if isinstance(value, (list, tuple)):
        return type(value), [shown(v) for v in value]
    return type(value), repr(value)


def by_condition(x, a):
    return x * a if a > 2 else x - a


def by_count(x, a):
    for i in range(int(a) % 4):
        x = x + i
    return x


def by_key(x, a):
    return x * {0: 1.0, 1: 2.0, 2: 3.0}[int(a) % 3]


def by_item(x, a):
    return x + [1.0, 2.0, 3.0][int(a) % 3], [x, x * 2, x * 3][int(a) % 3]


def by_math(x, a):
    return x * math.sqrt(abs(a)) + max(a, 1) + min(a, 2.5) + round(a, 1) + math.floor(a) + divmod(a, 3)[1]


def by_chain(x, a):
    return x + (1 if 0 < a < 3 else 2) + (a in (1, 2, 3.5)) + (a and 4) + (not a)


def in_text(x, a):
    return x + len(f"{a:.1f}"), str(a), "%d" % int(a)


def as_setting(x, a):
    return paddle.nn.functional.leaky_relu(-x, a / 100), paddle.full([2], a), x.clip(0, a), x.sum(axis=int(a) % 2)


def as_size(x, a):
    n = int(a) % 3
    return x[:n], x.tile([n + 1, 1]), paddle.zeros([n + 1, 2]), x.reshape([-1, n % 2 + 1])


def as_python(x, a):
    return a, a * 2, a / 3, -a, a == 2, isinstance(a, float), type(a) is int, [a] * 2, {"a": a}, "ab" * (int(a) % 3)


def as_exponent(x, a):
    return x**a, 2**a, a**2, x // (a + 1.0), x % (a + 1.0)


def with_numpy(x, a):
    return x * float(np.float64(a) + 1), np.arange(3)[int(a) % 3] + x


def by_tensor(x, a):
    while x.sum() < 30 * a:
        x = x + a
    return x if x.mean() > a else -x


FUNCTIONS = [
    by_condition, by_count, by_key, by_item, by_math, by_chain, in_text, as_setting, as_size, as_python, as_exponent, with_numpy,
    by_tensor,
]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", FUNCTIONS, ids=[f.__name__ for f in FUNCTIONS])
def test_every_number_gives_what_python_gives(function, graph_breaks):
    static = to_static(function)
    for a in (1, 2, 3, 1.5, 2.5, 0.5, 3.5, 5, 7, 1, 2.25, 2, 4.0):
        for _ in range(2):
            assert shown(static(X, a)) == shown(function(X, a)), a


def test_many_numbers_have_few_programs():
    static = to_static(by_condition)
    for i in range(50):
        assert shown(static(X, i / 7)) == shown(by_condition(X, i / 7))
    assert len(static.program_cache) == 3  # the first, and those for the answers of the condition


def test_large_and_special_numbers():
    def f(x, a):
        return x * a, a + 1, a != a

    static = to_static(f)
    for a in (1, 2, 3, 1 << 62, 1.0, 2.0, math.inf, -0.0, 0.0, math.nan, 4, 5, True, False):
        assert shown(static(X, a)) == shown(f(X, a)), a


@pytest.mark.filterwarnings("ignore:.* has more than 10 static Programs")
def test_numbers_from_everywhere_at_once():
    global RATE
    cell, config = 1.0, types.SimpleNamespace(rate=1.0, depth=2, inner=types.SimpleNamespace(k=1))

    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.scale, self.calls, self.seen = 1.0, 0, None

        def forward(self, x, a, b=1.0):
            self.calls += 1
            self.seen = {"last": x}
            y = x * a + b * self.scale + RATE * cell + config.rate + config.inner.k * self.calls
            return y * 2 if config.depth > 2 else y

    draws = random.Random(0)
    nets = [Net(), Net()]
    run = to_static(nets[0])
    for i in range(60):
        for change in draws.sample(range(7), draws.randrange(4)):
            if change == 0:
                nets[0].scale = nets[1].scale = draws.random()
            elif change == 1:
                RATE = draws.choice([1.0, 2.5, draws.random()])
            elif change == 2:
                cell = draws.random()
            elif change == 3:
                config.rate = draws.random()
            elif change == 4:
                config.depth = draws.randrange(5)
            elif change == 5:
                config.inner = types.SimpleNamespace(k=draws.randrange(9))
            else:
                (nets[0].train if i % 2 else nets[0].eval)()
        given = (draws.random(),) if i % 3 else (draws.randrange(9), draws.random())
        assert shown(run(X, *given)) == shown(nets[1](X, *given)), i
        assert nets[0].calls == nets[1].calls == i + 1
    assert len(nets[0].forward.program_cache) < 40


def test_gradients_and_freezing():
    w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)

    def f(x, a):
        return ((x * w) * a).sum() * (2 if a > 3 else 1)

    static = to_static(f)
    for i, a in enumerate([1.0, 2.0, 2.5, 4.0, 5.0, 1.5] * 2):
        w.stop_gradient = i in (4, 9)
        if not w.stop_gradient:
            static(X, a).backward()
            mine = w.grad.numpy()
            w.clear_grad()
            f(X, a).backward()
            np.testing.assert_allclose(mine, w.grad.numpy(), rtol=1e-6)
            w.clear_grad()
        assert shown(static(X, a)) == shown(f(X, a))


def test_saved_models_keep_the_numbers_of_today(tmp_path):
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.scale = 1.0

        def forward(self, x, a=1.0):
            return x * self.scale + a

    net = to_static(Net())
    for i in range(4):
        net.scale = i + 0.5
        net(X, float(i))
    paddle.jit.save(net, str(tmp_path / "net"))
    loaded = paddle.jit.load(str(tmp_path / "net"))
    assert shown(loaded(X)) == shown(X * 3.5 + 3.0)
    paddle.jit.save(net, str(tmp_path / "declared"), input_spec=[InputSpec([None, 2], "float32")])
    assert shown(paddle.jit.load(str(tmp_path / "declared"))(X)) == shown(X * 3.5 + 1.0)
    net.scale = 7.5
    assert shown(net(X, 2.0)) == shown(X * 7.5 + 2.0)


def test_what_is_an_input_is_told():
    static = to_static(by_condition)
    static(X, 1.0), static(X, 1.5)
    text = static.explain(X, 9.0)
    assert "`a > 2.0` has another result for this number" in text


def test_inputs_and_questions_are_listed():
    static = to_static(by_condition)
    static(X, 1.0), static(X, 1.5)
    text = static.explain()
    assert "numbers that are inputs: a" in text and "only for calls in which `a > 2.0` is False" in text


def test_numbers_in_place_of_which_another_thread_has_something_else():
    """A trace has stand-ins where numbers are that have varied: calls that read them meanwhile begin anew."""

    class Net(paddle.nn.Layer):
        scale = 1.0

        def forward(self, x):
            return x * self.scale

    net = to_static(Net())
    x = paddle.to_tensor([1.0, 2.0])
    for scale in (1.0, 2.0, 3.0, 4.0):
        net.scale = scale
        net(x)
    calls = net.forward._surroundings.calls
    call = calls.last.call
    read, reads = call.reads[0], []
    call.reads[0] = lambda: (reads.append(1), object() if len(reads) == 1 else read())[1]
    calls.last.entry = lambda args, kwargs: fast_path.OTHER
    calls.last.choices[()] = calls.last
    assert net(x).tolist() == [4.0, 8.0] and reads
